//! Operators on values. Nothing here knows variables or code.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "an operand that an operator does not take is an error, whichever it is"
)]

mod arithmetic;
mod collection;
mod compare;
mod integer;
mod large;
mod number;
mod time;

pub use arithmetic::{arithmetic, negate};
pub use collection::{add_to_hash, elements, splat};
pub use compare::{compare, includes, is_true};
pub(super) use integer::{compare_integers, of_integers};
pub(in crate::eval) use number::{Numeric, coerce, integer_of_text};
pub use puppetfn_types::types::ops::case::{Matcher, in_range, match_option};

use puppetfn_types::value::Value;

/// A mistake in one of the operands.
#[derive(Debug)]
pub struct OperatorFault {
    /// The operand.
    pub blamed: BlamedOperand,
    /// The message that follows `Evaluation Error:`.
    pub message: String,
    /// The number that the operand is the text of, if it is one, which is an error only in strict code.
    pub number: Option<Value>,
}

/// The place of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlamedOperand {
    /// At the left operand.
    Left,
    /// At the right operand.
    Right,
    /// At the operator.
    Operator,
}

impl OperatorFault {
    #[cold]
    fn new(blamed: BlamedOperand, message: impl Into<String>) -> Self {
        Self { blamed, message: message.into(), number: None }
    }

    /// Returns the fault of an error within the operator, as Puppet words it.
    #[cold]
    fn while_evaluating(symbol: &str, detail: impl std::fmt::Display) -> Self {
        Self::new(
            BlamedOperand::Operator,
            format!("Error while evaluating a '{symbol}' expression, {detail}"),
        )
    }
}
