//! Arithmetic with integers of more than 64 bits, which data, facts and functions written in Ruby can contain.
//!
//! Puppet computes with all integers of Ruby and refuses a result of more than 64 bits: `calculate` in its
//! `pops/evaluator/evaluator_impl.rb`.

use num_bigint::{BigInt, Sign};

use super::arithmetic::{OperatorResult, floats, not_applicable, outside, unsupported};
use super::{BlamedOperand, OperatorFault};
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::Value;

/// A number of any size.
pub(super) enum LargeNumber {
    Integer(BigInt),
    Float(f64),
}

impl LargeNumber {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(Self::Integer(BigInt::from(*number))),
            Value::Float(number) => Some(Self::Float(*number)),
            _ => value.as_large_integer().cloned().map(Self::Integer),
        }
    }

    /// Returns the nearest float.
    fn to_float(&self) -> f64 {
        match self {
            Self::Integer(number) => number.to_string().parse().unwrap_or(f64::NAN),
            Self::Float(number) => *number,
        }
    }
}

/// Returns the numbers that two values are, if at least one of them is an integer of more than 64 bits.
pub(super) fn operands(left: &Value, right: &Value) -> Option<(LargeNumber, LargeNumber)> {
    left.as_large_integer().or(right.as_large_integer())?;
    Some((LargeNumber::of(left)?, LargeNumber::of(right)?))
}

/// Computes `left op right`.
pub(super) fn arithmetic(op: BinaryOp, left: &LargeNumber, right: &LargeNumber) -> OperatorResult {
    let (LargeNumber::Integer(a), LargeNumber::Integer(b)) = (left, right) else {
        return floats(op, left.to_float(), right.to_float());
    };
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide | BinaryOp::Modulo if b.sign() == Sign::NoSign => {
            return Err(OperatorFault::new(BlamedOperand::Right, "Division by 0"));
        }
        BinaryOp::Divide => (a - modulo(a, b)) / b,
        BinaryOp::Modulo => modulo(a, b),
        BinaryOp::ShiftLeft => return shifted(op, a, b),
        BinaryOp::ShiftRight => return shifted(op, a, &-b),
        other => return Err(unsupported(other)),
    };
    checked(op, result)
}

/// Returns the remainder that has the sign of the divisor, as in Ruby.
fn modulo(a: &BigInt, b: &BigInt) -> BigInt {
    let remainder = a % b;
    if remainder.sign() == Sign::NoSign || remainder.sign() == b.sign() { remainder } else { remainder + b }
}

/// Shifts a number to the left, or to the right where the distance is negative.
fn shifted(op: BinaryOp, number: &BigInt, by: &BigInt) -> OperatorResult {
    /// Farther than this, all digits are gone, or the number is not worth to be shown.
    const FARTHEST: i64 = 100_000;
    match i64::try_from(by).unwrap_or(if by.sign() == Sign::Minus { -FARTHEST } else { FARTHEST }) {
        by if by < 0 => checked(op, number >> by.unsigned_abs().min(FARTHEST.unsigned_abs())),
        by if by < FARTHEST => checked(op, number << by),
        _ => Err(not_applicable(op, &Value::from(number.clone()))),
    }
}

fn checked(op: BinaryOp, result: BigInt) -> OperatorResult {
    match i64::try_from(&result) {
        Ok(number) => Ok(Value::Integer(number)),
        Err(_) => Err(outside(op, result.sign() == Sign::Minus, &format!("{:#x}", result.magnitude()))),
    }
}
