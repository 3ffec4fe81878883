//! Syntax trees. They borrow from the text they were parsed from.

use std::borrow::Cow;

use crate::source::Span;

/// A whole text.
#[derive(Clone, PartialEq, Debug)]
pub struct Program<'s> {
    /// The text.
    pub text: &'s str,
    /// The statements, in order.
    pub statements: Vec<Expr<'s>>,
}

/// An expression and where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr<'s> {
    /// What it is.
    pub kind: ExprKind<'s>,
    /// All of its text.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind<'s> {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer. Literals have no sign; 2^63 is only of use behind a minus.
    Integer(u64),
    /// A float.
    Float(f64),
    /// A string without interpolation, or a bare word that is no name.
    String(Cow<'s, str>),
    /// A string with interpolation.
    Interpolation(Vec<Segment<'s>>),
    /// A regular expression: what stands between the slashes.
    Regexp(Cow<'s, str>),
    /// A name in lower case, maybe qualified: `a::b`.
    Name(&'s str),
    /// A name in upper case, maybe qualified: `A::B`.
    Reference(&'s str),
    /// A variable's name, without the `$`.
    Variable(&'s str),
    /// `[a, b]`.
    Array(Vec<Expr<'s>>),
    /// `{a => b}`, or the same without braces at the end of a list.
    Hash(Vec<Entry<'s>>),
    /// `a[b, c]`.
    Access(Box<Access<'s>>),
    /// `a(b, c)`.
    Call(Box<Call<'s>>),
    /// `a.b(c)`.
    Method(Box<Method<'s>>),
    /// `(a)`.
    Paren(Box<Expr<'s>>),
    /// An operator before its operand.
    Unary(UnaryOp, Box<Expr<'s>>),
    /// An operator between its operands.
    Binary(BinaryOp, Box<(Expr<'s>, Expr<'s>)>),
    /// `a ? { b => c }`.
    Selector(Box<Selector<'s>>),
    /// `type A = b`.
    TypeAlias(Box<TypeAlias<'s>>),
}

/// A part of a string with interpolation.
#[derive(Clone, PartialEq, Debug)]
pub enum Segment<'s> {
    /// Plain text.
    Text(Cow<'s, str>),
    /// `$x` or `${x}`.
    Expr(Expr<'s>),
}

/// An entry of a hash.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry<'s> {
    /// The key.
    pub key: Expr<'s>,
    /// The value.
    pub value: Expr<'s>,
}

/// `operand[keys]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Access<'s> {
    /// What is accessed.
    pub operand: Expr<'s>,
    /// What stands in brackets, at least one.
    pub keys: Vec<Expr<'s>>,
}

/// `function(arguments)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Call<'s> {
    /// What is called.
    pub function: Expr<'s>,
    /// The arguments.
    pub arguments: Vec<Expr<'s>>,
}

/// `receiver.name(arguments)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Method<'s> {
    /// The first argument.
    pub receiver: Expr<'s>,
    /// The name of the function.
    pub name: &'s str,
    /// The other arguments.
    pub arguments: Vec<Expr<'s>>,
}

/// `operand ? { entries }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector<'s> {
    /// What is matched.
    pub operand: Expr<'s>,
    /// What it may match, and the results.
    pub entries: Vec<Entry<'s>>,
}

/// `type name = value`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeAlias<'s> {
    /// The name.
    pub name: &'s str,
    /// The type that it stands for.
    pub value: Expr<'s>,
}

/// The operators that stand before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `*`
    Splat,
}

/// The operators that stand between their operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Assign,
    Append,
    Delete,
    Before,
    Notify,
    After,
    Subscribe,
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Match,
    NotMatch,
    In,
}
