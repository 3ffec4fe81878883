//! A recursive-descent parser; operators by precedence climbing.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a token that does not fit is a syntax error, whichever it is"
)]

use std::borrow::Cow;
use std::mem;

use super::ast::{
    Access, Binary, BinaryOp, Call, Entry, Expr, ExprKind, Method, Program, Segment, Selector, TypeAlias,
    UnaryOp,
};
use super::lexer::Lexer;
use super::token::{Interpolation, Keyword, Token, TokenKind};
use crate::error::{Error, ErrorKind};
use crate::limits::{Depth, Limits};
use crate::source::Span;

/// Parses a text.
///
/// # Errors
/// [`ErrorKind::Syntax`] with Puppet's text and the place, when the text is not Puppet;
/// [`ErrorKind::Limit`] when it nests too deep.
pub fn parse<'s>(text: &'s str, limits: &Limits) -> Result<Program<'s>, Error> {
    let mut lexer = Lexer::new(text)?;
    let token = lexer.next()?;
    let mut parser = Parser { lexer, token };
    let statements = parser.statements(&TokenKind::End, Depth::syntax(limits))?;
    Ok(Program { text, statements })
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    /// The token that comes next.
    token: Token<'s>,
}

/// What else than expressions a list may have, and how tight its expressions bind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// The keys of an access.
    Keys,
    /// The elements of an array, or the arguments of a call.
    Elements,
}

impl<'s> Parser<'s> {
    /// Statements up to `end`, which is not consumed.
    fn statements(&mut self, end: &TokenKind<'s>, depth: Depth) -> Result<Vec<Expr<'s>>, Error> {
        let mut statements = Vec::new();
        while self.token.kind != *end {
            statements.push(self.expression(Level::Assignment, depth)?);
            match self.token.kind {
                TokenKind::Semicolon => {
                    self.advance()?;
                    if self.token.kind == *end {
                        return Err(self.unexpected());
                    }
                }
                TokenKind::Comma => {
                    return Err(self
                        .lexer
                        .error(self.token.span.start as usize, "illegal comma separated argument list"));
                }
                _ => {}
            }
        }
        Ok(statements)
    }

    /// An expression of operators that bind at least as tight as `level`.
    fn expression(&mut self, level: Level, depth: Depth) -> Result<Expr<'s>, Error> {
        let mut depth = depth.deeper()?;
        let mut left = self.operand(depth)?;
        loop {
            let op = match self.token.kind {
                TokenKind::LeftBracket | TokenKind::LeftParen | TokenKind::Dot => {
                    left = self.postfix(left, depth)?;
                    // A chain makes a deep tree as nesting does.
                    depth = depth.deeper()?;
                    continue;
                }
                TokenKind::Question if level <= Level::Selector => {
                    left = self.selector(left, depth)?;
                    depth = depth.deeper()?;
                    continue;
                }
                TokenKind::Operator(op) if level_of(op) >= level => op,
                _ => return Ok(left),
            };
            let at = self.token.span.start;
            self.advance()?;
            // Assignments associate to the right, all others to the left.
            let own = level_of(op);
            let right = self.expression(if own == Level::Assignment { own } else { own.tighter() }, depth)?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(Box::new(Binary { op, at, left, right })), span };
            depth = depth.deeper()?;
        }
    }

    /// What operators are applied to, with those that stand before it.
    fn operand(&mut self, depth: Depth) -> Result<Expr<'s>, Error> {
        let span = self.token.span;
        let kind = match mem::replace(&mut self.token.kind, TokenKind::End) {
            TokenKind::Reference(name) => ExprKind::Reference(name),
            TokenKind::Name(name) => ExprKind::Name(name),
            TokenKind::Word(word) => ExprKind::String(Cow::Borrowed(word)),
            TokenKind::String(text) => ExprKind::String(text),
            TokenKind::Integer(number) => ExprKind::Integer(number),
            TokenKind::Float(number) => ExprKind::Float(number),
            TokenKind::Regexp(source) => ExprKind::Regexp(source),
            TokenKind::Variable(name) => ExprKind::Variable(name),
            TokenKind::Keyword(Keyword::Undef) => ExprKind::Undef,
            TokenKind::Keyword(Keyword::Default) => ExprKind::Default,
            TokenKind::Keyword(Keyword::True) => ExprKind::Boolean(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Boolean(false),
            TokenKind::StringStart(text, start) => return self.interpolation(text, start, span, depth),
            TokenKind::ListStart | TokenKind::LeftBracket => {
                self.advance()?;
                let elements = self.list(List::Elements, &TokenKind::RightBracket, depth)?;
                return self.close(span, ExprKind::Array(elements));
            }
            TokenKind::LeftBrace => {
                self.advance()?;
                let entries = self.entries(depth)?;
                return self.close(span, ExprKind::Hash(entries));
            }
            TokenKind::LeftParen | TokenKind::GroupStart => {
                self.advance()?;
                let inner = self.expression(Level::Assignment, depth)?;
                self.expect_here(&TokenKind::RightParen)?;
                return self.close(span, ExprKind::Paren(Box::new(inner)));
            }
            TokenKind::Operator(BinaryOp::Subtract) => return self.unary(UnaryOp::Minus, span, depth),
            TokenKind::Operator(BinaryOp::Multiply) => return self.unary(UnaryOp::Splat, span, depth),
            TokenKind::Not => return self.unary(UnaryOp::Not, span, depth),
            TokenKind::Keyword(Keyword::Type) => {
                self.advance()?;
                return self.type_statement(span, depth);
            }
            kind @ TokenKind::Keyword(Keyword::Conditional | Keyword::Definition | Keyword::Function) => {
                self.token.kind = kind;
                return Err(self.uncovered());
            }
            kind => {
                self.token.kind = kind;
                return Err(self.unexpected());
            }
        };
        self.advance()?;
        Ok(Expr { kind, span })
    }

    fn unary(&mut self, op: UnaryOp, start: Span, depth: Depth) -> Result<Expr<'s>, Error> {
        self.advance()?;
        let level = match op {
            UnaryOp::Minus => Level::Minus,
            UnaryOp::Splat => Level::Splat,
            UnaryOp::Not => Level::Not,
        };
        let operand = self.expression(level, depth)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    /// What follows an operand without an operator: access, call or method call.
    fn postfix(&mut self, operand: Expr<'s>, depth: Depth) -> Result<Expr<'s>, Error> {
        let start = operand.span;
        match self.token.kind {
            TokenKind::LeftBracket => self.access(operand, depth),
            TokenKind::LeftParen => {
                self.advance()?;
                let arguments = self.list(List::Elements, &TokenKind::RightParen, depth)?;
                let call = Call { function: operand, arguments, lambda: None, is_statement: false };
                self.close(start, ExprKind::Call(Box::new(call)))
            }
            _ => {
                let dot = self.token.span.start;
                self.advance()?;
                let end = self.token.span;
                let name = match self.token.kind {
                    TokenKind::Name(name) => name,
                    TokenKind::Keyword(Keyword::Type) => "type",
                    _ => return Err(self.unexpected()),
                };
                self.advance()?;
                let mut method = Method {
                    receiver: operand,
                    name,
                    name_span: end,
                    arguments: Vec::new(),
                    lambda: None,
                    at: dot,
                };
                if self.token.kind != TokenKind::LeftParen {
                    return Ok(Expr { kind: ExprKind::Method(Box::new(method)), span: start.to(end) });
                }
                method.at = self.token.span.start;
                self.advance()?;
                method.arguments = self.list(List::Elements, &TokenKind::RightParen, depth)?;
                self.close(start, ExprKind::Method(Box::new(method)))
            }
        }
    }

    fn access(&mut self, operand: Expr<'s>, depth: Depth) -> Result<Expr<'s>, Error> {
        self.advance()?;
        if self.token.kind == TokenKind::RightBracket {
            return Err(self.unexpected());
        }
        let start = operand.span;
        let keys = self.list(List::Keys, &TokenKind::RightBracket, depth)?;
        self.close(start, ExprKind::Access(Box::new(Access { operand, keys })))
    }

    /// Expressions with commas between, maybe one behind the last, up to `end`, which is not
    /// consumed. Entries of a hash without braces that follow each other become one hash.
    fn list(&mut self, list: List, end: &TokenKind<'s>, depth: Depth) -> Result<Vec<Expr<'s>>, Error> {
        let mut items: Vec<Expr<'s>> = Vec::new();
        let mut after_entry = false;
        while self.token.kind != *end {
            let item = self.list_item(list, depth)?;
            if self.token.kind == TokenKind::FatArrow {
                let arrow = self.token.span.start;
                self.advance()?;
                let value = self.element(depth)?;
                let span = item.span.to(value.span);
                let entry = Entry { key: item, value, arrow };
                match items.last_mut() {
                    Some(Expr { kind: ExprKind::Hash(entries), span: whole }) if after_entry => {
                        entries.push(entry);
                        *whole = whole.to(span);
                    }
                    _ => items.push(Expr { kind: ExprKind::Hash(vec![entry]), span }),
                }
                after_entry = true;
            } else {
                items.push(item);
                after_entry = false;
            }
            match &self.token.kind {
                TokenKind::Comma => self.advance()?,
                kind if kind == end => {}
                _ => return Err(self.unexpected()),
            }
        }
        Ok(items)
    }

    fn list_item(&mut self, list: List, depth: Depth) -> Result<Expr<'s>, Error> {
        match list {
            List::Elements => self.element(depth),
            // An entry's key may be a bare keyword here, too, but nothing else may.
            List::Keys => match self.keyword_element()? {
                Some(keyword) if self.token.kind == TokenKind::FatArrow => Ok(keyword),
                Some(keyword) => self.keyword_expression(&keyword, depth),
                None => self.expression(Level::Or, depth),
            },
        }
    }

    /// An element of an array, or the key or value of an entry.
    fn element(&mut self, depth: Depth) -> Result<Expr<'s>, Error> {
        match self.keyword_element()? {
            Some(keyword) if matches!(self.token.kind, TokenKind::Reference(_) | TokenKind::LeftParen) => {
                self.keyword_expression(&keyword, depth)
            }
            Some(keyword) => Ok(keyword),
            None => self.expression(Level::Assignment, depth),
        }
    }

    /// The keywords `type` and `function` as strings, if one of them comes next.
    fn keyword_element(&mut self) -> Result<Option<Expr<'s>>, Error> {
        let text = match self.token.kind {
            TokenKind::Keyword(Keyword::Type) => "type",
            TokenKind::Keyword(Keyword::Function) => "function",
            _ => return Ok(None),
        };
        let span = self.token.span;
        self.advance()?;
        Ok(Some(Expr { kind: ExprKind::String(Cow::Borrowed(text)), span }))
    }

    /// What a keyword starts that turned out to be no element.
    fn keyword_expression(&mut self, keyword: &Expr<'s>, depth: Depth) -> Result<Expr<'s>, Error> {
        if keyword.kind == ExprKind::String(Cow::Borrowed("type")) {
            self.type_statement(keyword.span, depth)
        } else {
            Err(self.unexpected())
        }
    }

    fn entries(&mut self, depth: Depth) -> Result<Vec<Entry<'s>>, Error> {
        let mut entries = Vec::new();
        while self.token.kind != TokenKind::RightBrace {
            let key = self.element(depth)?;
            self.expect_here(&TokenKind::FatArrow)?;
            let arrow = self.token.span.start;
            self.advance()?;
            let value = self.element(depth)?;
            entries.push(Entry { key, value, arrow });
            match self.token.kind {
                TokenKind::Comma => self.advance()?,
                TokenKind::RightBrace => {}
                _ => return Err(self.unexpected()),
            }
        }
        Ok(entries)
    }

    fn selector(&mut self, operand: Expr<'s>, depth: Depth) -> Result<Expr<'s>, Error> {
        self.advance()?;
        let start = operand.span;
        if self.token.kind == TokenKind::LeftBrace {
            self.advance()?;
            let entries = self.entries(depth)?;
            if entries.is_empty() {
                return Err(self.unexpected());
            }
            return self.close(start, ExprKind::Selector(Box::new(Selector { operand, entries })));
        }
        let key = self.expression(Level::Or, depth)?;
        self.expect_here(&TokenKind::FatArrow)?;
        let arrow = self.token.span.start;
        self.advance()?;
        let value = self.expression(Level::Or, depth)?;
        let span = start.to(value.span);
        let entries = vec![Entry { key, value, arrow }];
        Ok(Expr { kind: ExprKind::Selector(Box::new(Selector { operand, entries })), span })
    }

    /// Behind the keyword `type`: an alias, or a call of the function of that name.
    fn type_statement(&mut self, start: Span, depth: Depth) -> Result<Expr<'s>, Error> {
        let name = match self.token.kind {
            TokenKind::Reference(name) => name,
            TokenKind::LeftParen => {
                return self.postfix(Expr { kind: ExprKind::Name("type"), span: start }, depth);
            }
            _ => return Err(self.unexpected()),
        };
        self.advance()?;
        self.expect_here(&TokenKind::Operator(BinaryOp::Assign))?;
        self.advance()?;
        let value = match self.token.kind {
            TokenKind::Reference(_) => {
                let reference = self.reference()?;
                if self.token.kind == TokenKind::LeftBracket {
                    self.access(reference, depth.deeper()?)?
                } else {
                    reference
                }
            }
            TokenKind::LeftBrace | TokenKind::ListStart => self.operand(depth.deeper()?)?,
            _ => return Err(self.unexpected()),
        };
        let span = start.to(value.span);
        Ok(Expr { kind: ExprKind::TypeAlias(Box::new(TypeAlias { name, value })), span })
    }

    fn reference(&mut self) -> Result<Expr<'s>, Error> {
        let span = self.token.span;
        let TokenKind::Reference(name) = self.token.kind else { return Err(self.unexpected()) };
        self.advance()?;
        Ok(Expr { kind: ExprKind::Reference(name), span })
    }

    /// A string from behind its first interpolation's `$` or `${`.
    fn interpolation(
        &mut self,
        text: Cow<'s, str>,
        start: Interpolation,
        span: Span,
        depth: Depth,
    ) -> Result<Expr<'s>, Error> {
        let depth = depth.deeper()?;
        let mut segments = vec![Segment::Text(text)];
        let mut next = Some(start);
        let mut end = span;
        while let Some(interpolation) = next {
            segments.push(Segment::Expr(self.interpolated(interpolation, depth)?));
            let part = self.lexer.resume_string()?;
            end = part.span;
            next = match part.kind {
                TokenKind::StringStart(text, interpolation) => {
                    segments.push(Segment::Text(text));
                    Some(interpolation)
                }
                TokenKind::String(text) => {
                    segments.push(Segment::Text(text));
                    None
                }
                _ => None,
            };
        }
        self.advance()?;
        Ok(Expr { kind: ExprKind::Interpolation(segments), span: span.to(end) })
    }

    fn interpolated(&mut self, interpolation: Interpolation, depth: Depth) -> Result<Expr<'s>, Error> {
        match interpolation {
            Interpolation::Variable => {
                let token = self.lexer.interpolated_variable();
                let kind = match token.kind {
                    TokenKind::Variable(name) => ExprKind::Variable(name),
                    _ => ExprKind::Undef,
                };
                Ok(Expr { kind, span: token.span })
            }
            Interpolation::Braced => {
                self.advance()?;
                let mut inner = self.expression(Level::Assignment, depth)?;
                // The closing brace stays the current token, so that the lexer stands behind it.
                self.expect_here(&TokenKind::RightBrace)?;
                if let ExprKind::Name(name) = inner.kind {
                    inner.kind = ExprKind::Variable(name);
                }
                Ok(inner)
            }
        }
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.token = self.lexer.next()?;
        Ok(())
    }

    fn expect_here(&self, kind: &TokenKind<'s>) -> Result<(), Error> {
        if self.token.kind == *kind { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Consumes the closing bracket that is the current token.
    fn close(&mut self, start: Span, kind: ExprKind<'s>) -> Result<Expr<'s>, Error> {
        let span = start.to(self.token.span);
        self.advance()?;
        Ok(Expr { kind, span })
    }

    #[cold]
    fn unexpected(&self) -> Error {
        let text = match &self.token.kind {
            TokenKind::End => return Error::new(ErrorKind::Syntax, "Syntax error at end of input"),
            TokenKind::String(text) | TokenKind::StringStart(text, _) => text.as_ref(),
            TokenKind::Variable(name) => name,
            TokenKind::Other(text) => text,
            _ => self.token.span.text(self.lexer.text()),
        };
        self.lexer.error(self.token.span.start as usize, format!("Syntax error at '{text}'"))
    }

    /// An error for a part of the language that types cannot be written with. Where not even the
    /// next token fits, the error is at that.
    #[cold]
    fn uncovered(&mut self) -> Error {
        let keyword = self.token.span;
        if let Err(error) = self.advance() {
            return error;
        }
        match self.token.kind {
            TokenKind::End
            | TokenKind::RightBracket
            | TokenKind::RightBrace
            | TokenKind::RightParen
            | TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::FatArrow
            | TokenKind::Operator(_)
            | TokenKind::Other(_) => self.unexpected(),
            _ => {
                let text = keyword.text(self.lexer.text());
                self.lexer.error(
                    keyword.start as usize,
                    format!("'{text}' is not supported here: a type was expected"),
                )
            }
        }
    }
}

/// How tight operators bind, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Assignment,
    Relationship,
    Or,
    And,
    Selector,
    Comparison,
    Equality,
    Shift,
    Sum,
    Product,
    Match,
    In,
    Minus,
    Splat,
    Not,
}

impl Level {
    fn tighter(self) -> Self {
        match self {
            Self::Assignment => Self::Relationship,
            Self::Relationship => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Selector,
            Self::Selector => Self::Comparison,
            Self::Comparison => Self::Equality,
            Self::Equality => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Match,
            Self::Match => Self::In,
            Self::In => Self::Minus,
            Self::Minus => Self::Splat,
            Self::Splat | Self::Not => Self::Not,
        }
    }
}

fn level_of(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Assign | BinaryOp::Append | BinaryOp::Delete => Level::Assignment,
        BinaryOp::Before | BinaryOp::Notify | BinaryOp::After | BinaryOp::Subscribe => Level::Relationship,
        BinaryOp::Or => Level::Or,
        BinaryOp::And => Level::And,
        BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual => {
            Level::Comparison
        }
        BinaryOp::Equal | BinaryOp::NotEqual => Level::Equality,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Level::Shift,
        BinaryOp::Add | BinaryOp::Subtract => Level::Sum,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => Level::Product,
        BinaryOp::Match | BinaryOp::NotMatch => Level::Match,
        BinaryOp::In => Level::In,
    }
}
