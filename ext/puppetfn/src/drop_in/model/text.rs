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

impl<'s> Builder<'_, 's> {
    pub(super) fn interpolation(&mut self, segments: &[Segment<'s>], span: Span) -> Built<Node> {
        let place = Place::from(span);
        let list = self.ruby.ary_new_capa(segments.len());
        for segment in segments {
            let node = match segment {
                Segment::Text(text, span) => self.literal(text, (*span).into())?,
                Segment::Expr(code) => {
                    let code = self.code(code)?;
                    self.around(ModelClass::TextExpression, Some(code), place.inside())?
                }
            };
            self.push(list, node)?;
        }
        let segments = self.list(list)?;
        self.node(ModelClass::ConcatenatedString, place, &[(&SEGMENTS, segments)])
    }

    /// The code in a string, where Puppet takes numbers and names for variables: its lexer does when it comes to the
    /// closing brace, or else its parser, which says that they are elsewhere.
    fn code(&mut self, code: &Expr<'s>) -> Built<Node> {
        if let ExprKind::Variable(_) = code.kind
            && !self.is_at(code.span.start, "$")
        {
            let rest = self.text.get(code.span.end as usize..).unwrap_or_default();
            if !rest.trim_ascii_start().starts_with('}') {
                return Err(Reason::KindOfExpression);
            }
        }
        if starts_with_name(code) {
            return Err(Reason::KindOfExpression);
        }
        self.expr(code)
    }
}

/// Whether code is or begins with a name or a number that something is asked of, which Puppet may take for a variable.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is asked for a part of itself")]
fn starts_with_name(code: &Expr<'_>) -> bool {
    match &code.kind {
        ExprKind::Name(_) | ExprKind::Integer(_) => true,
        ExprKind::Access(access) => asks_name(&access.operand),
        ExprKind::Method(method) => asks_name(&method.receiver),
        _ => false,
    }
}

fn asks_name(operand: &Expr<'_>) -> bool {
    matches!(operand.kind, ExprKind::Float(_)) || starts_with_name(operand)
}
