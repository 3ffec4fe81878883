//! Methods of numbers, nil, true and false.

use puppetfn_types::value::Value;

use super::super::Renderer;
use crate::expression::Block;
use crate::names::Method;
use crate::object::{Number, Object, Outcome, Stop, compare_numbers, float, number};

pub(super) fn call(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Value,
    arguments: &[Object],
    block: Option<&Block>,
) -> Outcome<Object> {
    match (number(receiver), arguments, block) {
        (Some(Number::Integer(count)), [], Some(block)) if method == Method::Repeat => {
            for index in 0..count {
                renderer.call_block(block, index.into())?;
            }
            Ok(count.into())
        }
        (Some(number), [], None) => unary(method, number),
        (Some(left), [Object::Value(right)], None) => match number_pair(left, right)? {
            (Number::Integer(left), Number::Integer(right)) => integers(method, left, right),
            (left, right) => floats(method, left, right),
        },
        (None, [], None) => of_nil(method, receiver),
        _ => Err(Stop::Uncertain),
    }
}

fn number_pair(left: Number, right: &Value) -> Outcome<(Number, Number)> {
    Ok((left, number(right).ok_or(Stop::Uncertain)?))
}

fn of_nil(method: Method, receiver: &Value) -> Outcome<Object> {
    match (receiver, method) {
        (Value::Undef, Method::ToA) => Ok(Object::from(Vec::new())),
        (Value::Undef, Method::ToI) => Ok(0.into()),
        _ => Err(Stop::Uncertain),
    }
}

fn unary(method: Method, receiver: Number) -> Outcome<Object> {
    match (receiver, method) {
        (Number::Integer(number), Method::ToI | Method::Round | Method::Floor | Method::Ceil) => {
            Ok(number.into())
        }
        (Number::Integer(number), Method::ToF) => Ok(Object::Value(float(Number::Integer(number))?.into())),
        (Number::Integer(number), Method::Abs) => {
            number.checked_abs().map(Object::from).ok_or(Stop::Uncertain)
        }
        (Number::Integer(number), Method::IsEven) => Ok((number % 2 == 0).into()),
        (Number::Integer(number), Method::IsOdd) => Ok((number % 2 != 0).into()),
        (Number::Integer(number), Method::IsZero) => Ok((number == 0).into()),
        (Number::Float(number), Method::ToF) => Ok(Object::Value(number.into())),
        (Number::Float(number), Method::ToI) => integer(number.trunc()),
        // Ruby rounds halves away from zero.
        (Number::Float(number), Method::Round) => integer(number.round()),
        (Number::Float(number), Method::Floor) => integer(number.floor()),
        (Number::Float(number), Method::Ceil) => integer(number.ceil()),
        (Number::Float(number), Method::Abs) => Ok(Object::Value(number.abs().into())),
        _ => Err(Stop::Uncertain),
    }
}

/// Returns a whole float as an integer.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn integer(number: f64) -> Outcome<Object> {
    if number.abs() < 9e15 { Ok((number as i64).into()) } else { Err(Stop::Uncertain) }
}

fn integers(method: Method, left: i64, right: i64) -> Outcome<Object> {
    let result = match method {
        Method::Plus => left.checked_add(right),
        Method::Minus => left.checked_sub(right),
        Method::Times => left.checked_mul(right),
        Method::Divide => left.checked_div_euclid(right).filter(|_| right > 0),
        Method::Modulo => left.checked_rem_euclid(right).filter(|_| right > 0),
        _ => return comparison(method, Number::Integer(left), Number::Integer(right)),
    };
    result.map(Object::from).ok_or(Stop::Uncertain)
}

fn floats(method: Method, left: Number, right: Number) -> Outcome<Object> {
    let (first, second) = (float(left)?, float(right)?);
    let result = match method {
        Method::Plus => first + second,
        Method::Minus => first - second,
        Method::Times => first * second,
        Method::Divide => first / second,
        _ => return comparison(method, left, right),
    };
    if result.is_finite() { Ok(Object::Value(result.into())) } else { Err(Stop::Uncertain) }
}

fn comparison(method: Method, left: Number, right: Number) -> Outcome<Object> {
    super::ordered(method, compare_numbers(left, right)?)
}
