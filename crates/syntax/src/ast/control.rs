//! Conditions and blocks.

use super::{Entry, Expr};
use puppetfn_base::source::Span;

/// Statements in braces.
#[derive(Clone, PartialEq, Debug)]
pub struct Block<'s> {
    /// The statements, in order. The value of the last is that of the block.
    pub statements: Vec<Expr<'s>>,
    /// All of its text, with the braces.
    pub span: Span,
}

/// `if test { } elsif test { } else { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct If<'s> {
    /// `if` and each `elsif`, in order; at least one.
    pub branches: Vec<Branch<'s>>,
    /// What `else` says.
    pub otherwise: Option<Block<'s>>,
}

/// `if test { }` or `elsif test { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch<'s> {
    /// The condition.
    pub test: Expr<'s>,
    /// What is done if it holds.
    pub then: Block<'s>,
    /// All of its text, with the keyword.
    pub span: Span,
}

/// `unless test { } else { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Unless<'s> {
    /// The condition.
    pub test: Expr<'s>,
    /// What is done if it does not hold.
    pub then: Block<'s>,
    /// What is done if it does.
    pub otherwise: Option<Block<'s>>,
}

/// `case test { values: { } }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case<'s> {
    /// What is matched.
    pub test: Expr<'s>,
    /// What it may match, and what is done then; at least one.
    pub options: Vec<CaseOption<'s>>,
}

/// `values: { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseOption<'s> {
    /// What is compared with; at least one.
    pub values: Vec<Expr<'s>>,
    /// What is done if one of them matches.
    pub then: Block<'s>,
    /// Where the colon is; that is where Puppet says that the option is.
    pub colon: u32,
}

/// `operand ? { entries }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector<'s> {
    /// What is matched.
    pub operand: Expr<'s>,
    /// What it may match, and the results; at least one.
    pub entries: Vec<Entry<'s>>,
}
