//! Statements, and calls without parentheses.
//!
//! See Puppet's `pops/model/factory.rb`.

use super::Parser;
use super::expression::{Precedence, can_start_operand};
use crate::ast::{Block, Expr, ExprKind, FunctionCall};
use crate::token::TokenKind;
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

/// The functions that can be called without parentheses.
const STATEMENT_FUNCTIONS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail",
    "import", "break", "next", "return",
];

impl<'s> Parser<'s> {
    /// Statements in braces.
    pub(super) fn block(&mut self) -> Result<Block<'s>, Error> {
        if !self.is_at(&TokenKind::LeftBrace) {
            let missing = self.missing()?;
            return Ok(Block { statements: Vec::new(), span: missing.span });
        }
        let start = self.advance()?;
        let statements = self.statements()?;
        let span = start.to(self.closing(start, &TokenKind::RightBrace)?);
        Ok(Block { statements, span })
    }

    /// Parses statements up to the end of the text, or up to the last error that recovery allows.
    pub(super) fn all_statements(&mut self) -> Result<Vec<Expr<'s>>, Error> {
        let mut statements = self.statements()?;
        while self.recovery.is_some() && !self.is_at(&TokenKind::End) {
            statements.push(self.missing()?);
            self.advance()?;
            statements.extend(self.statements()?);
        }
        Ok(statements)
    }

    /// Parses a statement, or an expression after a comma. With recovery, there is always one.
    fn statement(&mut self) -> Result<Expr<'s>, Error> {
        if self.recovery.is_none() {
            return self.expression(Precedence::Assignment);
        }
        let checkpoint = self.checkpoint();
        let parsed = self.expression(Precedence::Assignment);
        self.statement_from(&checkpoint, parsed)
    }

    /// Statements up to a closing brace or the end, maybe none.
    pub(super) fn statements(&mut self) -> Result<Vec<Expr<'s>>, Error> {
        if self.at_end() {
            return Ok(Vec::new());
        }
        let first = self.statement()?;
        self.statements_from(first)
    }

    /// Statements of which the first has been read, or a part of it.
    pub(super) fn statements_from(&mut self, first: Expr<'s>) -> Result<Vec<Expr<'s>>, Error> {
        let mut statements = Vec::new();
        let mut misplaced = None;
        let mut statement = first;
        loop {
            if self.token.kind == TokenKind::Comma {
                let comma = self.token.span;
                let arguments = self.arguments_of_statement(statement)?;
                match statements.last_mut() {
                    Some(function) if is_statement_function(function) => call(function, arguments),
                    _ => {
                        let before = statements.last().and_then(name);
                        misplaced = misplaced.or_else(|| Some(self.misplaced_list(comma, before)));
                    }
                }
            } else {
                match statements.last_mut() {
                    Some(function) if is_statement_function(function) => call(function, vec![statement]),
                    _ => statements.push(as_statement(statement)),
                }
            }
            // Puppet looks for calls when it has read all statements, or sees that no other follows.
            let is_last = !self.accept(&TokenKind::Semicolon)?
                && (self.at_end() || misplaced.is_some() && !can_start_operand(&self.token.kind));
            if is_last {
                break;
            }
            statement = self.statement()?;
        }
        statements.shrink_to_fit();
        match misplaced {
            Some(error) => self.note(error).map(|()| statements),
            None => Ok(statements),
        }
    }

    /// Parses the expressions that follow the first one after commas, and returns all of them.
    fn arguments_of_statement(&mut self, first: Expr<'s>) -> Result<Vec<Expr<'s>>, Error> {
        let mut arguments = vec![first];
        while self.accept(&TokenKind::Comma)? {
            arguments.push(self.expression(Precedence::Assignment)?);
        }
        Ok(arguments)
    }

    pub(super) fn at_end(&self) -> bool {
        matches!(self.token.kind, TokenKind::RightBrace | TokenKind::End)
    }

    #[cold]
    fn misplaced_list(&self, comma: Span, function: Option<&str>) -> Error {
        match function {
            Some(name) => self.error(
                comma,
                format!(
                    "attempt to pass argument list to the function '{name}' which cannot be called without parentheses"
                ),
            ),
            None => self.error(comma, "illegal comma separated argument list"),
        }
    }
}

/// Makes a call of a function's name.
pub(super) fn call<'s>(function: &mut Expr<'s>, arguments: Vec<Expr<'s>>) {
    let start = function.span;
    let span = arguments.last().map_or(start, |last| start.to(last.span));
    let name = std::mem::replace(function, Expr { kind: ExprKind::Undef, span });
    let call = FunctionCall { function: name, arguments, lambda: None, is_statement: true };
    function.kind = ExprKind::Call(Box::new(call));
}

pub(super) fn is_statement_function(expr: &Expr<'_>) -> bool {
    name(expr).is_some_and(|name| STATEMENT_FUNCTIONS.contains(&name))
}

fn name<'s>(expr: &Expr<'s>) -> Option<&'s str> {
    match expr.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

fn as_statement(mut expr: Expr<'_>) -> Expr<'_> {
    if let ExprKind::Call(call) = &mut expr.kind {
        call.is_statement = true;
    }
    expr
}
