//! Conditions and blocks.

use super::{Expr, KeyedEntry};
use puppetfn_base::source::Span;

/// Statements in braces.
#[derive(Clone, PartialEq, Debug)]
pub struct Block<'s> {
    /// The statements, in order. The last one's value is the block's.
    pub statements: Vec<Expr<'s>>,
    /// Span of the block, braces included.
    pub span: Span,
}

/// `if test { } elsif test { } else { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct If<'s> {
    /// `if` and each `elsif`, in order; at least one.
    pub branches: Vec<IfBranch<'s>>,
    /// The `else` block.
    pub otherwise: Option<Block<'s>>,
}

/// `if test { }` or `elsif test { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct IfBranch<'s> {
    /// The condition.
    pub test: Expr<'s>,
    /// The block that is evaluated if the condition holds.
    pub then: Block<'s>,
    /// Span of the branch, keyword included.
    pub span: Span,
}

/// `unless test { } else { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Unless<'s> {
    /// The condition.
    pub test: Expr<'s>,
    /// The block that is evaluated if the condition is false.
    pub then: Block<'s>,
    /// The `else` block, which is evaluated if the condition is true.
    pub otherwise: Option<Block<'s>>,
}

/// `case test { values: { } }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case<'s> {
    /// The control expression.
    pub test: Expr<'s>,
    /// The options, in order; at least one.
    pub options: Vec<CaseOption<'s>>,
}

/// `values: { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseOption<'s> {
    /// The values that the control expression is matched against; at least one.
    pub values: Vec<Expr<'s>>,
    /// The block that is evaluated if one of the values matches.
    pub then: Block<'s>,
    /// Offset of the colon, which Puppet reports as the option's position.
    pub colon: u32,
}

/// `operand ? { entries }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector<'s> {
    /// The control expression.
    pub operand: Expr<'s>,
    /// The candidate values with their results, in order; at least one.
    pub entries: Vec<KeyedEntry<'s>>,
}
