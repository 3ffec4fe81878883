//! Tokens.

use std::borrow::Cow;

use super::ast::BinaryOp;
use crate::source::Span;

/// A token and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    pub kind: TokenKind<'s>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind<'s> {
    Name(&'s str),
    Word(&'s str),
    Reference(&'s str),
    Variable(&'s str),
    Integer(u64),
    Float(f64),
    String(Cow<'s, str>),
    /// The text up to the first interpolation of a string, and how that interpolation starts.
    StringStart(Cow<'s, str>, Interpolation),
    Regexp(Cow<'s, str>),
    Keyword(Keyword),
    /// `[` right behind an operand: access.
    LeftBracket,
    /// `[` after white space: an array.
    ListStart,
    RightBracket,
    LeftBrace,
    RightBrace,
    LeftParen,
    /// `(` as the first on its line: never that of a call.
    GroupStart,
    RightParen,
    Comma,
    Semicolon,
    Dot,
    Question,
    Not,
    FatArrow,
    Operator(BinaryOp),
    /// Any other character that Puppet knows, for the parts of the language not covered.
    Other(&'s str),
    End,
}

/// How an interpolation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Interpolation {
    /// `$name`
    Variable,
    /// `${expression}`
    Braced,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Undef,
    Default,
    True,
    False,
    Type,
    Function,
    /// One that starts an expression with an operand: `if`, `unless`, `case`.
    Conditional,
    /// One that starts a definition: `class`, `define`, `node`.
    Definition,
    /// One that cannot start anything, or is reserved.
    Inner,
}

impl Keyword {
    pub fn find(text: &str) -> Option<Self> {
        Some(match text {
            "undef" => Self::Undef,
            "default" => Self::Default,
            "true" => Self::True,
            "false" => Self::False,
            "type" => Self::Type,
            "function" => Self::Function,
            "if" | "unless" | "case" => Self::Conditional,
            "class" | "define" | "node" => Self::Definition,
            "else" | "elsif" | "inherits" | "attr" | "private" => Self::Inner,
            _ => return None,
        })
    }
}
