//! Calls, and the lambdas after them.

use super::Parser;
use super::definition_grammar::BlockParameter;
use super::list::ListKind;
use crate::ast::{Expr, ExprKind, FunctionCall, Lambda, MethodCall};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;

impl<'s> Parser<'s> {
    /// Parses `function(arguments) |$x| { }`.
    pub(super) fn call(&mut self, function: Expr<'s>) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let arguments = self.list(ListKind::Arguments, &TokenKind::RightParen, true)?;
        let mut span = function.span.to(self.closing(start, &TokenKind::RightParen)?);
        let lambda = self.optional_lambda()?;
        if let Some(lambda) = &lambda {
            span = span.to(lambda.span);
        }
        let call = FunctionCall { function, arguments, lambda, is_statement: false };
        Ok(Expr { kind: ExprKind::Call(Box::new(call)), span })
    }

    /// Parses `receiver.name(arguments) |$x| { }`.
    pub(super) fn method(&mut self, receiver: Expr<'s>) -> Result<Expr<'s>, Error> {
        let dot = self.advance()?;
        let mut at = dot.start;
        let name = match self.token.kind {
            TokenKind::Name(name) => name,
            TokenKind::Keyword(Keyword::Type) => "type",
            _ => {
                let span = receiver.span.to(dot);
                return self.not_understood(vec![receiver], span);
            }
        };
        let name_span = self.advance()?;
        let mut span = receiver.span.to(name_span);
        let mut arguments = Vec::new();
        if self.token.kind == TokenKind::LeftParen {
            let start = self.advance()?;
            at = start.start;
            // Only here, no comma may follow the last argument.
            arguments = self.list(ListKind::Arguments, &TokenKind::RightParen, false)?;
            span = span.to(self.closing(start, &TokenKind::RightParen)?);
        }
        if name == "new" && arguments.is_empty() && self.at_features(&receiver) {
            let features = self.hash()?;
            span = span.to(features.span);
            arguments.push(features);
        }
        let lambda = self.optional_lambda()?;
        if let Some(lambda) = &lambda {
            span = span.to(lambda.span);
        }
        let method = MethodCall { receiver, name, name_span, arguments, lambda, at };
        Ok(Expr { kind: ExprKind::Method(Box::new(method)), span })
    }

    /// Returns true if a hash comes next that a type makes an object of: `Type.new { name => value }`. Puppet
    /// knows no such call, and where it has a brace there, no arrow follows the first word after it.
    fn at_features(&self, receiver: &Expr<'s>) -> bool {
        if self.token.kind != TokenKind::LeftBrace || !matches!(receiver.kind, ExprKind::Reference(_)) {
            return false;
        }
        let behind = self.lexer.source().get(self.token.span.end as usize..).unwrap_or_default().trim_start();
        let key = match behind.chars().next() {
            Some(quote @ ('\'' | '"')) => behind.get(1..).and_then(|text| text.split_once(quote)),
            _ => behind
                .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':'))
                .map(|end| behind.split_at(end)),
        };
        key.is_some_and(|(key, rest)| !key.is_empty() && rest.trim_start().starts_with("=>"))
    }

    /// Parses `|parameters| >> Type { body }`, if it comes next.
    pub(super) fn optional_lambda(&mut self) -> Result<Option<Lambda<'s>>, Error> {
        if self.token.kind != TokenKind::Pipe {
            return Ok(None);
        }
        let start = self.advance()?;
        let parameters = self.parameters(&TokenKind::Pipe, BlockParameter::Refused)?;
        let return_type = self.return_type()?;
        let body = self.block()?;
        let span = start.to(body.span);
        Ok(Some(Lambda { parameters, return_type, body, span }))
    }
}
