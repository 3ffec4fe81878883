//! Arrays, hashes, arguments and keys.

use std::borrow::Cow;

use super::Parser;
use super::expression::{Precedence, is_operand};
use crate::ast::{Access, Expr, ExprKind, KeyedEntry};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

/// The syntax that a list allows besides expressions and the entries of a hash without braces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    /// Assignments, and the keywords `type` and `function` as strings.
    Elements,
    /// Assignments.
    Arguments,
    /// Operands.
    Keys,
}

impl<'s> Parser<'s> {
    pub(super) fn array(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let elements = self.list(ListKind::Elements, &TokenKind::RightBracket, true)?;
        self.close(start, &TokenKind::RightBracket, ExprKind::Array(elements))
    }

    pub(super) fn hash(&mut self) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        if self.token.kind == TokenKind::RightBrace {
            return self.close(start, &TokenKind::RightBrace, ExprKind::Hash(Vec::new()));
        }
        let key = self.entry_part()?;
        self.hash_from(start, key)
    }

    /// Parses a hash of which the first key has been read.
    pub(super) fn hash_from(&mut self, start: Span, key: Expr<'s>) -> Result<Expr<'s>, Error> {
        let mut entries = vec![self.entry(key)?];
        while self.accept(&TokenKind::Comma)? && self.token.kind != TokenKind::RightBrace {
            let key = self.entry_part()?;
            entries.push(self.entry(key)?);
        }
        entries.shrink_to_fit();
        self.close(start, &TokenKind::RightBrace, ExprKind::Hash(entries))
    }

    /// Parses the arrow and the value after a key.
    fn entry(&mut self, key: Expr<'s>) -> Result<KeyedEntry<'s>, Error> {
        if !self.is_at(&TokenKind::FatArrow) {
            let value = self.missing()?;
            return Ok(KeyedEntry { key, arrow: value.span.start, value });
        }
        let arrow = self.advance()?.start;
        let value = self.entry_part()?;
        Ok(KeyedEntry { key, value, arrow })
    }

    /// Parses the key or the value of an entry.
    pub(super) fn entry_part(&mut self) -> Result<Expr<'s>, Error> {
        self.item().map(|(item, _)| item)
    }

    /// Parses an assignment, or one of the keywords that are strings in lists. Returns whether it is such a keyword.
    fn item(&mut self) -> Result<(Expr<'s>, bool), Error> {
        let keyword = match self.token.kind {
            TokenKind::Keyword(keyword @ (Keyword::Type | Keyword::Function)) => keyword,
            _ => return Ok((self.expression(Precedence::Assignment)?, false)),
        };
        let span = self.advance()?;
        if let TokenKind::FatArrow
        | TokenKind::Comma
        | TokenKind::RightBracket
        | TokenKind::RightBrace
        | TokenKind::RightParen = self.token.kind
        {
            let text = Cow::Borrowed(span.text(self.lexer.source()));
            return Ok((Expr { kind: ExprKind::String(text), span }, true));
        }
        let item = self.deeper(|parser| {
            let operand = match keyword {
                Keyword::Type => parser.type_expression(span)?,
                _ => parser.function(span)?,
            };
            parser.operations(operand, Precedence::Assignment)
        })?;
        Ok((item, false))
    }

    /// Parses `operand[keys]`. Not all places allow a comma after the last key.
    pub(super) fn access(&mut self, operand: Expr<'s>, may_end_with_comma: bool) -> Result<Expr<'s>, Error> {
        let bracket = self.advance()?;
        if self.token.kind == TokenKind::RightBracket {
            let span = operand.span.to(bracket).to(self.token.span);
            let accessed = self.not_understood(vec![operand], span)?;
            self.advance()?;
            return Ok(accessed);
        }
        let start = operand.span;
        let keys = self.list(ListKind::Keys, &TokenKind::RightBracket, may_end_with_comma)?;
        let access = Access { operand, keys };
        self.close(start, &TokenKind::RightBracket, ExprKind::Access(Box::new(access)))
    }

    /// Items with commas between, up to `end`, which is not consumed. Entries of a hash without
    /// braces that follow each other become one hash.
    pub(super) fn list(
        &mut self,
        list: ListKind,
        end: &TokenKind<'s>,
        may_end_with_comma: bool,
    ) -> Result<Vec<Expr<'s>>, Error> {
        let mut items: Vec<Expr<'s>> = Vec::new();
        let mut is_after_entry = false;
        if self.token.kind == *end {
            return Ok(items);
        }
        loop {
            let (item, is_keyword) = self.item()?;
            if self.token.kind == TokenKind::FatArrow {
                let start = item.span;
                let entry = self.entry(item)?;
                let span = start.to(entry.value.span);
                match items.last_mut() {
                    Some(Expr { kind: ExprKind::Hash(entries), span: whole }) if is_after_entry => {
                        entries.push(entry);
                        *whole = whole.to(span);
                    }
                    _ => items.push(Expr { kind: ExprKind::Hash(vec![entry]), span }),
                }
                is_after_entry = true;
            } else if is_keyword && list != ListKind::Elements || list == ListKind::Keys && !is_operand(&item)
            {
                // It could only have been the key of an entry.
                let span = item.span;
                items.push(self.not_understood(vec![item], span)?);
                is_after_entry = false;
            } else {
                items.push(item);
                is_after_entry = false;
            }
            if !self.accept(&TokenKind::Comma)? || may_end_with_comma && self.token.kind == *end {
                break;
            }
        }
        if self.token.kind != *end {
            self.missing()?;
        }
        // Most lists are short, and programs have many of them.
        items.shrink_to_fit();
        Ok(items)
    }
}
