//! A recursive-descent parser; operators by precedence climbing.
//!
//! It accepts the same language as Puppet's LALR grammar, and reports errors at the same tokens. Where that grammar has
//! conflicts, the comments say how Puppet resolves them.
//!
//! See Puppet's `pops/parser/egrammar.ra`.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a token that does not fit is a syntax error, whichever it is"
)]

mod call;
mod control;
mod definition_grammar;
mod expression;
mod list;
mod member;
mod recovery;
mod resource;
mod statement;
mod string;
mod template;

use std::borrow::Cow;
use std::mem;

use self::recovery::Recovery;
use super::Mode;
use super::ast::{Expr, ExprKind, Program};
use super::lexer::Lexer;
use super::token::{Token, TokenKind};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation, SyntaxDetail};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_base::source::Span;
use puppetfn_base::stack::StackGuard;

/// Parses a manifest.
///
/// # Errors
/// Fails with [`ErrorKind::Syntax`], Puppet's message and the place if the text is not Puppet, and with
/// [`ErrorKind::Limit`] if it nests too deep.
pub fn parse<'s>(text: &'s str, limits: &Limits) -> Result<Program<'s>, Error> {
    parse_with(text, Mode::default(), limits)
}

/// Parses a text in a mode.
///
/// # Errors
/// The same errors as [`parse`].
pub fn parse_with<'s>(text: &'s str, mode: Mode, limits: &Limits) -> Result<Program<'s>, Error> {
    let mut parser = Parser::new(Lexer::new(text, mode)?, None, limits)?;
    let statements = parser.program()?;
    Ok(Program { text, statements, warnings: parser.lexer.into_warnings() })
}

/// Parses a text that is being edited: as far as it is understood, with the error that [`parse_with`] returns.
pub(super) fn parse_unfinished<'s>(
    text: &'s str,
    mode: Mode,
    limits: &Limits,
) -> (Program<'s>, Option<Diagnostic>) {
    let nothing = |error: &Error| {
        let program = Program { text, statements: Vec::new(), warnings: Vec::new() };
        (program, Some(Diagnostic::of_error(error, text)))
    };
    let parser =
        Lexer::new(text, mode).and_then(|lexer| Parser::new(lexer, Some(Recovery::default()), limits));
    let mut parser = match parser {
        Ok(parser) => parser,
        Err(error) => return nothing(&error),
    };
    let statements = parser.program();
    let first = parser.recovery.and_then(|recovery| recovery.first);
    match statements {
        Ok(statements) => (Program { text, statements, warnings: parser.lexer.into_warnings() }, first),
        Err(error) => {
            let (program, error) = nothing(&error);
            (program, first.or(error))
        }
    }
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    /// The token that comes next.
    token: Token<'s>,
    depth: Depth,
    stack: StackGuard,
    /// The names of the classes and plans around.
    namespace: Vec<&'s str>,
    /// The errors that it went on after; `None` if the first one ends the parse.
    recovery: Option<Recovery>,
}

impl<'s> Parser<'s> {
    fn new(lexer: Lexer<'s>, recovery: Option<Recovery>, limits: &Limits) -> Result<Self, Error> {
        let token = Token { kind: TokenKind::End, span: Span::at(0) };
        let (depth, stack) = (Depth::syntax(limits), StackGuard::new(limits));
        let mut parser = Self { lexer, token, depth, stack, namespace: Vec::new(), recovery };
        parser.advance()?;
        Ok(parser)
    }

    /// Parses a whole text.
    fn program(&mut self) -> Result<Vec<Expr<'s>>, Error> {
        let statements = match self.token.kind {
            TokenKind::TemplateStart => vec![self.template()?],
            _ => self.all_statements()?,
        };
        self.expect_here(&TokenKind::End)?;
        Ok(statements)
    }

    /// Parses something one level further down.
    #[inline]
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let depth = self.depth;
        self.depth = self.level_down()?;
        let parsed = parse(self)?;
        self.depth = depth;
        Ok(parsed)
    }

    /// Returns the depth one level further down.
    #[inline]
    fn level_down(&self) -> Result<Depth, Error> {
        let place = || SourceLocation::of(self.lexer.source(), self.token.span.start);
        self.stack.check().and_then(|()| self.depth.deeper()).map_err(|error| error.at(place()))
    }

    /// Consumes the token that comes next.
    #[inline]
    fn advance(&mut self) -> Result<Span, Error> {
        let span = self.token.span;
        match self.lexer.next() {
            Ok(token) => self.token = token,
            Err(error) => self.token = self.token_after(error)?,
        }
        Ok(span)
    }

    /// Consumes the token that comes next, which must be of this kind.
    fn expect(&mut self, kind: &TokenKind<'s>) -> Result<Span, Error> {
        self.expect_here(kind)?;
        self.advance()
    }

    /// Returns true if the token that comes next is of this kind.
    #[inline]
    fn is_at(&self, kind: &TokenKind<'s>) -> bool {
        // Most are not. Comparing discriminants shows that without a look at the token's contents.
        mem::discriminant(&self.token.kind) == mem::discriminant(kind) && self.token.kind == *kind
    }

    fn expect_here(&mut self, kind: &TokenKind<'s>) -> Result<(), Error> {
        if self.is_at(kind) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Consumes the next token if it is of this kind.
    fn accept(&mut self, kind: &TokenKind<'s>) -> Result<bool, Error> {
        let found = self.is_at(kind);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes the closing bracket of an expression that starts at `start`.
    fn close(&mut self, start: Span, end: &TokenKind<'s>, kind: ExprKind<'s>) -> Result<Expr<'s>, Error> {
        let span = start.to(self.closing(start, end)?);
        Ok(Expr { kind, span })
    }

    /// Puppet's error for a token that does not fit.
    #[cold]
    fn unexpected(&mut self) -> Error {
        if self.has_noted() {
            return Error::new(ErrorKind::Syntax, String::new());
        }
        let span = self.token.span;
        let text = span.text(self.lexer.source());
        let text: Cow<'_, str> = match &self.token.kind {
            TokenKind::End => {
                let error = Error::new(ErrorKind::Syntax, "Syntax error at end of input");
                return error.with_details(SyntaxDetail::Unfinished);
            }
            TokenKind::String(text)
            | TokenKind::StringStart(text)
            | TokenKind::StringMiddle(text)
            | TokenKind::StringEnd(text)
            | TokenKind::RenderText(text) => Cow::Borrowed(text),
            TokenKind::Variable(name) => Cow::Borrowed(name),
            TokenKind::Heredoc(tag) => Cow::Borrowed(tag.syntax.unwrap_or_default()),
            TokenKind::Regexp(source) => Cow::Owned(format!("(?-mix:{})", source.replace('/', "\\/"))),
            // Puppet shows no text of a character that it does not know.
            TokenKind::Other if text != "~" => Cow::Borrowed(""),
            TokenKind::RenderStart => Cow::Borrowed(""),
            _ => Cow::Borrowed(text),
        };
        let error = self.lexer.error_in(span, format!("Syntax error at '{text}'"));
        // Puppet reads strings as a whole before it looks at the code in them.
        self.lexer.finish_string().err().unwrap_or(error)
    }

    /// Returns an error about code that the grammar accepts but Puppet rejects.
    #[cold]
    fn error(&self, span: Span, message: impl Into<String>) -> Error {
        self.lexer.error_in(span, message).with_details(SyntaxDetail::WithoutIssue)
    }
}
