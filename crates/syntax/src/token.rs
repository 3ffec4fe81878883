//! Tokens.

use std::borrow::Cow;

use super::ast::BinaryOp;
use puppetfn_base::source::Span;

/// A token with its span.
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    pub kind: TokenKind<'s>,
    pub span: Span,
}

// The wide tag keeps all contents at one offset. With a narrow one, a keyword's would stand beside it, and
// each token would be moved in pieces that do not line up with how it was written, which processors are
// slow at.
#[repr(u64)]
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind<'s> {
    Name(&'s str),
    /// A bare word that is not a name: `a-b`, `_a`.
    Word(&'s str),
    Reference(&'s str),
    Variable(&'s str),
    Integer(u64),
    Float(f64),
    String(Cow<'s, str>),
    /// The text up to the first interpolation of a string.
    StringStart(Cow<'s, str>),
    /// The text between two interpolations.
    StringMiddle(Cow<'s, str>),
    /// The text after the last interpolation.
    StringEnd(Cow<'s, str>),
    /// `@(END:syntax)`. The tokens of its text follow.
    Heredoc(Box<HeredocTag<'s>>),
    Regexp(Cow<'s, str>),
    Keyword(Keyword),
    /// `[` right after something: access, if that is an operand.
    LeftBracket,
    /// `[` after white space: an array.
    ListStart,
    RightBracket,
    LeftBrace,
    /// `{` after `?`.
    SelectorBrace,
    RightBrace,
    LeftParen,
    /// `(` as the first token on its line: it never starts the arguments of a call.
    GroupStart,
    RightParen,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Question,
    Not,
    Pipe,
    At,
    AtAt,
    FatArrow,
    PlusArrow,
    /// `<|` or, of exported resources, `<<|`.
    CollectStart {
        exported: bool,
    },
    /// `|>` or `|>>`.
    CollectEnd {
        exported: bool,
    },
    Operator(BinaryOp),
    /// The start of a template.
    TemplateStart,
    /// Text between the tags of a template.
    RenderText(Cow<'s, str>),
    /// `<%=`
    RenderStart,
    /// `%>` or `-%>` after a rendered expression.
    RenderEnd,
    /// `~`, which nothing uses, or a character that Puppet does not know.
    Other,
    End,
}

/// The tag of a heredoc, as far as the grammar needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HeredocTag<'s> {
    /// Name of the text's syntax.
    pub syntax: Option<&'s str>,
    /// The indentation that is removed from the lines which have it.
    pub margin: &'s str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Undef,
    Default,
    True,
    False,
    If,
    Elsif,
    Else,
    Unless,
    Case,
    Class,
    Inherits,
    Define,
    Node,
    Function,
    Type,
    Attr,
    Private,
    /// Only where tasks are known.
    Plan,
    /// Only where tasks are known.
    Apply,
}

impl TokenKind<'_> {
    /// Returns true if the token is a whole value.
    #[inline]
    pub fn is_value(&self) -> bool {
        matches!(
            self,
            Self::Name(_)
                | Self::Word(_)
                | Self::Reference(_)
                | Self::Variable(_)
                | Self::Integer(_)
                | Self::Float(_)
                | Self::String(_)
                | Self::Regexp(_)
                | Self::Keyword(Keyword::True | Keyword::False)
        )
    }
}

/// Returns the token that a word in lower case is.
pub(super) fn word(text: &str, tasks: bool) -> TokenKind<'_> {
    let keyword = match text {
        "and" => return TokenKind::Operator(BinaryOp::And),
        "or" => return TokenKind::Operator(BinaryOp::Or),
        "in" => return TokenKind::Operator(BinaryOp::In),
        "undef" => Keyword::Undef,
        "default" => Keyword::Default,
        "true" => Keyword::True,
        "false" => Keyword::False,
        "if" => Keyword::If,
        "elsif" => Keyword::Elsif,
        "else" => Keyword::Else,
        "unless" => Keyword::Unless,
        "case" => Keyword::Case,
        "class" => Keyword::Class,
        "inherits" => Keyword::Inherits,
        "define" => Keyword::Define,
        "node" => Keyword::Node,
        "function" => Keyword::Function,
        "type" => Keyword::Type,
        "attr" => Keyword::Attr,
        "private" => Keyword::Private,
        "plan" if tasks => Keyword::Plan,
        "apply" if tasks => Keyword::Apply,
        _ => return TokenKind::Name(text),
    };
    TokenKind::Keyword(keyword)
}
