//! Methods of numbers, nil, true and false.

use puppetfn_types::value::Value;

use super::super::TemplateRenderer;
use crate::expression::TemplateBlock;
use crate::names::Method;
use crate::object::{
    ComparableNumber, EvaluationStop, StopResult, TemplateObject, compare_numbers, float, number,
};

pub(super) fn call(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Value,
    arguments: &[TemplateObject],
    block: Option<&TemplateBlock>,
) -> StopResult<TemplateObject> {
    match (number(receiver), arguments, block) {
        (Some(ComparableNumber::Integer(count)), [], Some(block)) if method == Method::Repeat => {
            for index in 0..count {
                renderer.call_block(block, index.into())?;
            }
            Ok(count.into())
        }
        (Some(number), [], None) => unary(method, number),
        (Some(left), [TemplateObject::Value(right)], None) => match number_pair(left, right)? {
            (ComparableNumber::Integer(left), ComparableNumber::Integer(right)) => {
                integers(method, left, right)
            }
            (left, right) => floats(method, left, right),
        },
        (None, [], None) => of_nil(method, receiver),
        _ => Err(EvaluationStop::Uncertain),
    }
}

fn number_pair(left: ComparableNumber, right: &Value) -> StopResult<(ComparableNumber, ComparableNumber)> {
    Ok((left, number(right).ok_or(EvaluationStop::Uncertain)?))
}

fn of_nil(method: Method, receiver: &Value) -> StopResult<TemplateObject> {
    match (receiver, method) {
        (Value::Undef, Method::ToA) => Ok(TemplateObject::from(Vec::new())),
        (Value::Undef, Method::ToI) => Ok(0.into()),
        _ => Err(EvaluationStop::Uncertain),
    }
}

fn unary(method: Method, receiver: ComparableNumber) -> StopResult<TemplateObject> {
    match (receiver, method) {
        (ComparableNumber::Integer(number), Method::ToI | Method::Round | Method::Floor | Method::Ceil) => {
            Ok(number.into())
        }
        (ComparableNumber::Integer(number), Method::ToF) => {
            Ok(TemplateObject::Value(float(ComparableNumber::Integer(number))?.into()))
        }
        (ComparableNumber::Integer(number), Method::Abs) => {
            number.checked_abs().map(TemplateObject::from).ok_or(EvaluationStop::Uncertain)
        }
        (ComparableNumber::Integer(number), Method::IsEven) => Ok((number % 2 == 0).into()),
        (ComparableNumber::Integer(number), Method::IsOdd) => Ok((number % 2 != 0).into()),
        (ComparableNumber::Integer(number), Method::IsZero) => Ok((number == 0).into()),
        (ComparableNumber::Float(number), Method::ToF) => Ok(TemplateObject::Value(number.into())),
        (ComparableNumber::Float(number), Method::ToI) => integer(number.trunc()),
        // Ruby rounds halves away from zero.
        (ComparableNumber::Float(number), Method::Round) => integer(number.round()),
        (ComparableNumber::Float(number), Method::Floor) => integer(number.floor()),
        (ComparableNumber::Float(number), Method::Ceil) => integer(number.ceil()),
        (ComparableNumber::Float(number), Method::Abs) => Ok(TemplateObject::Value(number.abs().into())),
        _ => Err(EvaluationStop::Uncertain),
    }
}

/// Returns a whole float as an integer.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn integer(number: f64) -> StopResult<TemplateObject> {
    if number.abs() < 9e15 { Ok((number as i64).into()) } else { Err(EvaluationStop::Uncertain) }
}

fn integers(method: Method, left: i64, right: i64) -> StopResult<TemplateObject> {
    let result = match method {
        Method::Plus => left.checked_add(right),
        Method::Minus => left.checked_sub(right),
        Method::Times => left.checked_mul(right),
        Method::Divide => left.checked_div_euclid(right).filter(|_| right > 0),
        Method::Modulo => left.checked_rem_euclid(right).filter(|_| right > 0),
        _ => return comparison(method, ComparableNumber::Integer(left), ComparableNumber::Integer(right)),
    };
    result.map(TemplateObject::from).ok_or(EvaluationStop::Uncertain)
}

fn floats(method: Method, left: ComparableNumber, right: ComparableNumber) -> StopResult<TemplateObject> {
    let (first, second) = (float(left)?, float(right)?);
    let result = match method {
        Method::Plus => first + second,
        Method::Minus => first - second,
        Method::Times => first * second,
        Method::Divide => first / second,
        _ => return comparison(method, left, right),
    };
    if result.is_finite() { Ok(TemplateObject::Value(result.into())) } else { Err(EvaluationStop::Uncertain) }
}

fn comparison(method: Method, left: ComparableNumber, right: ComparableNumber) -> StopResult<TemplateObject> {
    super::ordered(method, compare_numbers(left, right)?)
}
