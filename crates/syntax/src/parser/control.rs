//! Conditions.

use super::Parser;
use super::expression::Precedence;
use crate::ast::{Block, Case, CaseOption, Expr, ExprKind, If, IfBranch, KeyedEntry, Selector, Unless};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

impl<'s> Parser<'s> {
    pub(super) fn if_expression(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.token.span;
        let mut branches = vec![self.branch()?];
        let depth = self.depth;
        while self.token.kind == TokenKind::Keyword(Keyword::Elsif) {
            // In Puppet's tree, and so in its notation, each is in the one before.
            self.depth = self.level_down()?;
            branches.push(self.branch()?);
        }
        let otherwise = self.otherwise()?;
        self.depth = depth;
        let last = branches.last().map_or(start, |branch| branch.span);
        let span = start.to(otherwise.as_ref().map_or(last, |block| block.span));
        Ok(Expr { kind: ExprKind::If(Box::new(If { branches, otherwise })), span })
    }

    /// Parses `if test { }` or `elsif test { }`.
    fn branch(&mut self) -> Result<IfBranch<'s>, Error> {
        let start = self.advance()?;
        let test = self.expression(Precedence::EXPRESSION)?;
        let then = self.block()?;
        let span = start.to(then.span);
        Ok(IfBranch { test, then, span })
    }

    fn otherwise(&mut self) -> Result<Option<Block<'s>>, Error> {
        if self.accept(&TokenKind::Keyword(Keyword::Else))? { self.block().map(Some) } else { Ok(None) }
    }

    pub(super) fn unless_expression(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let test = self.expression(Precedence::EXPRESSION)?;
        let then = self.block()?;
        let otherwise = self.otherwise()?;
        let span = start.to(otherwise.as_ref().map_or(then.span, |block| block.span));
        Ok(Expr { kind: ExprKind::Unless(Box::new(Unless { test, then, otherwise })), span })
    }

    pub(super) fn case_expression(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let test = self.expression(Precedence::EXPRESSION)?;
        self.expect(&TokenKind::LeftBrace)?;
        let mut options = vec![self.case_option()?];
        while self.token.kind != TokenKind::RightBrace {
            options.push(self.case_option()?);
        }
        self.close(start, &TokenKind::RightBrace, ExprKind::Case(Box::new(Case { test, options })))
    }

    fn case_option(&mut self) -> Result<CaseOption<'s>, Error> {
        let mut values = vec![self.expression(Precedence::EXPRESSION)?];
        while self.accept(&TokenKind::Comma)? {
            values.push(self.expression(Precedence::EXPRESSION)?);
        }
        let colon = self.expect(&TokenKind::Colon)?.start;
        let then = self.block()?;
        Ok(CaseOption { values, then, colon })
    }

    pub(super) fn selector(&mut self, operand: Expr<'s>) -> Result<Expr<'s>, Error> {
        let start = operand.span;
        self.advance()?;
        if !self.accept(&TokenKind::SelectorBrace)? {
            let (entry, end) = self.selector_entry()?;
            let selector = Selector { operand, entries: vec![entry] };
            return Ok(Expr { kind: ExprKind::Selector(Box::new(selector)), span: start.to(end) });
        }
        let mut entries = vec![self.selector_entry()?.0];
        while self.accept(&TokenKind::Comma)? && self.token.kind != TokenKind::RightBrace {
            entries.push(self.selector_entry()?.0);
        }
        let selector = Selector { operand, entries };
        self.close(start, &TokenKind::RightBrace, ExprKind::Selector(Box::new(selector)))
    }

    /// Parses `key => value`, and where it ends.
    fn selector_entry(&mut self) -> Result<(KeyedEntry<'s>, Span), Error> {
        let key = self.expression(Precedence::EXPRESSION)?;
        let arrow = self.expect(&TokenKind::FatArrow)?.start;
        let value = self.expression(Precedence::EXPRESSION)?;
        let span = value.span;
        Ok((KeyedEntry { key, value, arrow }, span))
    }
}
