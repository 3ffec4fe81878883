//! Operators on integers, the most common operands.

use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::Value;

/// Computes `left op right`, if that compares.
#[inline(always)]
pub(in crate::eval) fn compare_integers(op: BinaryOp, a: i64, b: i64) -> Option<bool> {
    match op {
        BinaryOp::Less => Some(a < b),
        BinaryOp::LessOrEqual => Some(a <= b),
        BinaryOp::Greater => Some(a > b),
        BinaryOp::GreaterOrEqual => Some(a >= b),
        BinaryOp::Equal => Some(a == b),
        BinaryOp::NotEqual => Some(a != b),
        _ => None,
    }
}

/// Computes `left op right`; `None` if that is an error.
#[inline(always)]
pub(in crate::eval) fn of_integers(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    let number = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => floor_div(a, b),
        BinaryOp::Modulo => floor_mod(a, b),
        BinaryOp::ShiftLeft => shift(a, b),
        BinaryOp::ShiftRight => b.checked_neg().and_then(|b| shift(a, b)),
        _ => return compare_integers(op, a, b).map(Value::Boolean),
    };
    number.map(Value::Integer)
}

/// Rounded down, as Ruby does.
fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let is_rounded_up = a.wrapping_rem(b) != 0 && (a < 0) != (b < 0);
    Some(if is_rounded_up { quotient.saturating_sub(1) } else { quotient })
}

/// Of the sign of the divisor, as in Ruby.
fn floor_mod(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let rest = a.wrapping_rem(b);
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest.saturating_add(b) } else { rest })
}

/// To the left, or to the right by a negative number.
fn shift(number: i64, by: i64) -> Option<i64> {
    if number == 0 {
        return Some(0);
    }
    if by < 0 {
        let by = by.unsigned_abs().min(63) as u32;
        return Some(number >> by);
    }
    let by = u32::try_from(by).ok().filter(|by| *by < 64)?;
    let shifted = number.checked_shl(by)?;
    (shifted >> by == number).then_some(shifted)
}
