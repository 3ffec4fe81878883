//! `+ - * / % << >>`.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use std::sync::Arc;

use super::collection::{add_to_hash, append, remove};
use super::{BlamedOperand, Numeric, OperatorFault, coerce, large, of_integers};
use crate::eval::text::{with_article, with_article_uc};
use num_bigint::BigUint;
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::{Binary, Hash, Uri, Value, label};

pub(super) type OperatorResult = Result<Value, OperatorFault>;

/// Computes `left op right`.
pub fn arithmetic(op: BinaryOp, left: &Value, right: &Value) -> OperatorResult {
    if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
        return integers(op, *a, *b);
    }
    match (left.contents(), op) {
        (Value::Array(items), BinaryOp::Add) => Ok(append(items, right)),
        (Value::Array(items), BinaryOp::Subtract) => Ok(remove(items, right)),
        (Value::Array(items), BinaryOp::ShiftLeft) => {
            Ok(items.iter().chain([right]).cloned().collect::<Vec<_>>().into())
        }
        (Value::Hash(hash), BinaryOp::Add) => {
            let mut sum = Hash::clone(hash);
            add_to_hash(&mut sum, right)?;
            Ok(Value::Hash(Arc::new(sum)))
        }
        (Value::Hash(hash), BinaryOp::Subtract) => Ok(super::collection::remove_keys(hash, right)),
        (Value::Hash(_), BinaryOp::ShiftLeft) => Err(not_applicable(op, left)),
        (Value::Binary(bytes), BinaryOp::Add) => match right {
            Value::Binary(other) => Ok(Value::Binary(Binary::new([bytes.bytes(), other.bytes()].concat()))),
            _ => Err(OperatorFault::while_evaluating("+", "Can only append Binary to a Binary")),
        },
        (Value::Uri(uri), BinaryOp::Add) => join(uri, right),
        _ => match large::operands(left, right) {
            Some((a, b)) => large::arithmetic(op, &a, &b),
            None => numbers(op, coerce(left, BlamedOperand::Left)?, coerce(right, BlamedOperand::Right)?),
        },
    }
}

/// Computes `uri + value`.
fn join(uri: &Uri, value: &Value) -> OperatorResult {
    let joined = match value {
        Value::Uri(reference) => uri.join(reference),
        Value::String(text) => Uri::parse(text).and_then(|reference| uri.join(&reference)),
        _ => {
            return Err(OperatorFault::while_evaluating(
                "+",
                "An URI can only be merged with an URI or String",
            ));
        }
    };
    joined
        .map(|uri| Value::Uri(Arc::new(uri)))
        .map_err(|error| OperatorFault::while_evaluating("+", error.message()))
}

/// Computes `-value`.
pub fn negate(value: &Value) -> OperatorResult {
    if let Some(number) = value.as_large_integer() {
        return Ok((-number).into());
    }
    match coerce(value, BlamedOperand::Operator)? {
        Numeric::Integer(number) => match number.checked_neg() {
            Some(number) => Ok(Value::Integer(number)),
            None => Err(OperatorFault::new(
                BlamedOperand::Operator,
                "An Unary Minus resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'",
            )),
        },
        Numeric::Float(number) => Ok(Value::Float(-number)),
        Numeric::Timespan(span) => super::time::negate(span),
        Numeric::Timestamp(_) | Numeric::Version(_) => Err(OperatorFault::new(
            BlamedOperand::Operator,
            format!(
                "Error while evaluating an Unary Minus, {} cannot be negated",
                with_article(&label(value))
            ),
        )),
    }
}

fn integers(op: BinaryOp, a: i64, b: i64) -> OperatorResult {
    match (of_integers(op, a, b), op) {
        (Some(result), _) => Ok(result),
        (None, BinaryOp::Divide | BinaryOp::Modulo) if b == 0 => {
            Err(OperatorFault::new(BlamedOperand::Right, "Division by 0"))
        }
        (
            None,
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight,
        ) => Err(overflow(op, a, b)),
        (None, other) => Err(unsupported(other)),
    }
}

#[cold]
fn overflow(op: BinaryOp, a: i64, b: i64) -> OperatorFault {
    let (a, b) = (i128::from(a), i128::from(b));
    let exact = match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Subtract => Some(a - b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::ShiftLeft => u32::try_from(b).ok().filter(|by| *by < 63).and_then(|by| a.checked_shl(by)),
        BinaryOp::ShiftRight => u32::try_from(-b).ok().filter(|by| *by < 63).and_then(|by| a.checked_shl(by)),
        _ => None,
    };
    let shift = if op == BinaryOp::ShiftRight { -b } else { b };
    let (is_negative, shown) = match exact {
        Some(number) => (number < 0, format!("{:#x}", number.unsigned_abs())),
        // A number that is shifted too far for that is followed by as many digits as it was shifted by.
        None => (a < 0, shifted_hex(a.unsigned_abs(), shift)),
    };
    outside(op, is_negative, &shown)
}

/// Returns the error of a result of more than 64 bits, whose absolute value is shown in hexadecimal.
#[cold]
pub(super) fn outside(op: BinaryOp, is_negative: bool, shown: &str) -> OperatorFault {
    let expression = with_article_uc(&format!("'{}' expression", op.symbol()));
    let (sign, end) = if is_negative { ("-", "min") } else { ("+", "max") };
    OperatorFault::new(
        BlamedOperand::Operator,
        format!(
            "{expression} resulted in a value outside of Puppet Integer {end} range, got '{sign}{shown}'"
        ),
    )
}

/// Returns a number that is shifted far to the left, in hexadecimal; shortened when it is shifted very far.
fn shifted_hex(number: u128, by: i128) -> String {
    const DIGITS: i128 = 1_000;
    let zeros = by / 4;
    if zeros > DIGITS {
        return format!("{:#x}... ({zeros} more digits)", number << (by % 4) as u32);
    }
    format!("{:#x}", BigUint::from(number) << by)
}

fn numbers(op: BinaryOp, left: Numeric, right: Numeric) -> OperatorResult {
    match (&left, &right) {
        (Numeric::Integer(a), Numeric::Integer(b)) => integers(op, *a, *b),
        (Numeric::Float(_), _) if op == BinaryOp::Modulo => Err(not_applicable(op, &left.into())),
        (_, Numeric::Float(_)) if op == BinaryOp::Modulo => {
            Err(not_applicable_when(op, &left.into(), &right.into()))
        }
        (Numeric::Float(_), Numeric::Integer(_) | Numeric::Float(_))
            if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) =>
        {
            Err(not_applicable(op, &left.into()))
        }
        // Ruby shifts by a float, too: by its whole part.
        (Numeric::Integer(a), Numeric::Float(b))
            if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) =>
        {
            integers(op, *a, *b as i64)
        }
        (Numeric::Float(a), Numeric::Float(b)) => floats(op, *a, *b),
        (Numeric::Float(a), Numeric::Integer(b)) => floats(op, *a, *b as f64),
        (Numeric::Integer(a), Numeric::Float(b)) => floats(op, *a as f64, *b),
        (Numeric::Timespan(_) | Numeric::Timestamp(_) | Numeric::Version(_), _)
        | (_, Numeric::Timespan(_) | Numeric::Timestamp(_) | Numeric::Version(_)) => {
            super::time::arithmetic(op, left, right)
        }
    }
}

pub(super) fn floats(op: BinaryOp, a: f64, b: f64) -> OperatorResult {
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        other => return Err(unsupported(other)),
    };
    if result.is_infinite() {
        return Err(OperatorFault::new(
            BlamedOperand::Left,
            format!("The result of the {} expression is Infinity", op.symbol()),
        ));
    }
    Ok(Value::Float(result))
}

#[cold]
pub(super) fn not_applicable(op: BinaryOp, left: &Value) -> OperatorFault {
    let left = with_article(&label(left));
    OperatorFault::new(
        BlamedOperand::Left,
        format!("Operator '{}' is not applicable to {left}.", op.symbol()),
    )
}

#[cold]
pub(super) fn not_applicable_when(op: BinaryOp, left: &Value, right: &Value) -> OperatorFault {
    let (left, right) = (with_article(&label(left)), with_article(&label(right)));
    let symbol = op.symbol();
    OperatorFault::new(
        BlamedOperand::Left,
        format!("Operator '{symbol}' is not applicable to {left} when right side is {right}."),
    )
}

#[cold]
pub(super) fn unsupported(op: BinaryOp) -> OperatorFault {
    OperatorFault::new(BlamedOperand::Operator, format!("The operator '{}' is not supported.", op.symbol()))
}
