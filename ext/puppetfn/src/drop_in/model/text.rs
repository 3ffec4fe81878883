//! Strings with code in them.

use puppetfn::source::Span;
use puppetfn::syntax::ast::{Expr, ExprKind, StringSegment};

use super::classes::ModelClass;
use super::{Builder, ModelNode, ModelPlace, ModelResult};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    SEGMENTS = c"@segments";
}

impl<'s> Builder<'_, 's> {
    pub(super) fn interpolation(
        &mut self,
        segments: &[StringSegment<'s>],
        span: Span,
    ) -> ModelResult<ModelNode> {
        let place = ModelPlace::from(span);
        if self.heredoc.is_some()
            && let Some(StringSegment::Expr(code)) = segments.last()
            && self.is_open(code, span.end)
        {
            return Err(Reason::KindOfExpression);
        }
        let list = self.ruby.ary_new_capa(segments.len());
        for segment in segments {
            let node = match segment {
                StringSegment::Text(text, span) => self.joined_literal(text, (*span).into())?,
                StringSegment::Expr(code) => {
                    let code = self.expr(code)?;
                    self.around(ModelClass::TextExpression, Some(code), place.inside())?
                }
            };
            self.push(list, node)?;
        }
        let segments = self.list(list)?;
        self.node(ModelClass::ConcatenatedString, place, &[(&SEGMENTS, segments)])
    }

    /// Returns true if code without a brace after it ends a heredoc. Puppet's lexer does not take a word in it for a
    /// variable.
    fn is_open(&self, code: &Expr<'s>, end: u32) -> bool {
        if matches!(code.kind, ExprKind::Variable(_)) && self.is_at(code.span.start, "$") {
            return false;
        }
        let rest = self.text.get(code.span.end as usize..end as usize).unwrap_or_default();
        !rest.trim_ascii_start().starts_with('}')
    }
}
