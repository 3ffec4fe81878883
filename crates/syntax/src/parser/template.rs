//! Templates.

use super::Parser;
use super::definition_grammar::BlockParameter;
use super::expression::Precedence;
use crate::ast::{Expr, ExprKind, TemplateExpr};
use crate::token::TokenKind;
use puppetfn_base::error::Error;

impl<'s> Parser<'s> {
    /// Parses a whole template.
    pub(super) fn template(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let parameters = if self.accept(&TokenKind::Pipe)? {
            Some(self.parameters(&TokenKind::Pipe, BlockParameter::Refused)?)
        } else {
            None
        };
        let body = self.all_statements()?;
        let span = start.to(self.token.span);
        Ok(Expr { kind: ExprKind::Template(Box::new(TemplateExpr { parameters, body })), span })
    }

    /// Parses `<%= expression %>` or `<%= { statements } %>`, of which the opening tag is the current token.
    pub(super) fn render(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let rendered = if self.token.kind == TokenKind::LeftBrace {
            self.rendered_braces()?
        } else {
            self.expression(Precedence::EXPRESSION)?
        };
        self.close(start, &TokenKind::RenderEnd, ExprKind::Render(Box::new(rendered)))
    }

    /// Parses rendered code that starts with a brace: statements, or an expression that starts with a hash.
    fn rendered_braces(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let hash = if self.token.kind == TokenKind::RightBrace {
            self.close(start, &TokenKind::RightBrace, ExprKind::Hash(Vec::new()))?
        } else {
            let first = self.entry_part()?;
            if self.token.kind != TokenKind::FatArrow {
                let mut statements = self.statements_from(first)?;
                let span = start.to(self.closing(start, &TokenKind::RightBrace)?);
                return Ok(match (statements.pop(), statements.is_empty()) {
                    (Some(only), true) => only,
                    (last, _) => {
                        statements.extend(last);
                        Expr { kind: ExprKind::Block(statements), span }
                    }
                });
            }
            self.hash_from(start, first)?
        };
        self.operations(hash, Precedence::EXPRESSION)
    }
}
