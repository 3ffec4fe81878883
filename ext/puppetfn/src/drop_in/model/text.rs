//! Strings with code in them.

use puppetfn::source::Span;
use puppetfn::syntax::ast::{Expr, ExprKind, Segment};

use super::super::decline::Reason;
use super::classes::ModelClass;
use super::{Builder, Built, Node, Place};
use crate::ruby::raw::InstanceVariable;

variables! {
    SEGMENTS = c"@segments";
}

/// Where a piece of code in a string begins and ends: with the braces, if it has some.
struct Hole {
    /// Where the text before it ends, as Puppet has it: behind `${`, but before the `$` of a bare variable.
    text_end: u32,
    /// Where the text behind it begins.
    end: u32,
}

impl<'s> Builder<'_, 's> {
    pub(super) fn interpolation(&mut self, segments: &[Segment<'s>], span: Span) -> Built<Node> {
        let place = Place::from(span);
        let list = self.ruby.ary_new_capa(segments.len());
        // Each text begins where the code before it ends; the first with the quote, the last ends with one.
        let mut start = span.start;
        let mut text = None;
        for segment in segments {
            match segment {
                Segment::Text(part) => text = Some(part),
                Segment::Expr(code) => {
                    let hole = self.hole(code)?;
                    if let Some(text) = text.take() {
                        let literal = self.literal(text, Place::new(start, hole.text_end))?;
                        self.push(list, literal)?;
                    }
                    let code = self.code(code, place)?;
                    let node = self.around(ModelClass::TextExpression, Some(code), place.inside())?;
                    self.push(list, node)?;
                    start = hole.end;
                }
            }
        }
        if let Some(text) = text {
            let literal = self.literal(text, Place::new(start, span.end))?;
            self.push(list, literal)?;
        }
        let segments = self.list(list)?;
        self.node(ModelClass::ConcatenatedString, place, &[(&SEGMENTS, segments)])
    }

    fn hole(&self, code: &Expr<'s>) -> Built<Hole> {
        let Span { start, end, .. } = code.span;
        let brace = self.before(start).filter(|at| self.is_at(*at, "{"));
        let open =
            brace.and_then(|at| at.checked_sub(1)).filter(|at| self.is_at(*at, "$") && !self.is_escaped(*at));
        let Some(open) = open else {
            let bare = matches!(code.kind, ExprKind::Variable(_)) && self.is_at(start, "$");
            return if bare { Ok(Hole { text_end: start, end }) } else { Err(Reason::KindOfExpression) };
        };
        let rest = self.text.get(end as usize..).unwrap_or_default();
        let space = rest.len() - rest.trim_ascii_start().len();
        let close = Place::at(end, space).end;
        if !self.is_at(close, "}") {
            return Err(Reason::KindOfExpression);
        }
        Ok(Hole { text_end: open + 2, end: close + 1 })
    }

    /// Whether a backslash takes the meaning from what is here.
    fn is_escaped(&self, at: u32) -> bool {
        let before = self.text.as_bytes().get(..at as usize).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    }

    /// The code of a hole, where Puppet takes numbers and names for variables.
    fn code(&mut self, code: &Expr<'s>, _container: Place) -> Built<Node> {
        if let ExprKind::Integer(_) = code.kind {
            return self.variable(code.span.text(self.text), code.span);
        }
        if starts_with_name(code) {
            return Err(Reason::KindOfExpression);
        }
        self.expr(code)
    }
}

/// Whether code begins with a name or a number that something is asked of, which Puppet may take for a variable.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is asked for a part of itself")]
fn starts_with_name(code: &Expr<'_>) -> bool {
    match &code.kind {
        ExprKind::Name(_) => true,
        ExprKind::Access(access) => asks_name(&access.operand),
        ExprKind::Method(method) => asks_name(&method.receiver),
        _ => false,
    }
}

fn asks_name(operand: &Expr<'_>) -> bool {
    matches!(operand.kind, ExprKind::Integer(_) | ExprKind::Float(_)) || starts_with_name(operand)
}
