//! Numbers.
//!
//! See go-cty's `cty/function/stdlib/number.go`.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::{FunctionFamily, any, failure, number};
use crate::function::{CtyFunction, CtyParameter, argument_error, exactly};
use crate::number::CtyNumber;
use crate::text::quoted;
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

pub(super) fn functions() -> FunctionFamily {
    let mut functions = arithmetic();
    functions.extend(comparisons());
    functions.extend(rounding());
    functions.extend(floats());
    functions
}

fn operand(name: &str) -> CtyParameter {
    number(name).allow_dynamic_type()
}

fn arithmetic() -> FunctionFamily {
    let unary =
        |text| CtyFunction::new(text).parameter(operand("num").allow_marked()).returns(CtyType::Number);
    let binary = |text| {
        CtyFunction::new(text).parameter(operand("a")).parameter(operand("b")).returns(CtyType::Number)
    };
    vec![
        ("absolute", unary("Returns the number without its sign.").implement(|[num], _| num.absolute())),
        ("negate", unary("Returns the number with the opposite sign.").implement(|[num], _| num.negate())),
        (
            "add",
            binary("Adds two numbers.")
                .implement(|[a, b], _| undefined(a.add(b), "can't compute sum of opposing infinities")),
        ),
        (
            "subtract",
            binary("Subtracts the second number from the first.")
                .implement(|[a, b], _| undefined(a.subtract(b), "can't subtract infinity from itself")),
        ),
        (
            "multiply",
            binary("Multiplies two numbers.")
                .implement(|[a, b], _| undefined(a.multiply(b), "can't multiply zero by infinity")),
        ),
        (
            "divide",
            binary("Divides the first number by the second.").implement(|[a, b], _| {
                undefined(a.divide(b), "can't divide zero by zero or infinity by infinity")
            }),
        ),
        (
            "modulo",
            binary("Returns what is left when the first number is divided by the second.")
                .implement(|[a, b], _| undefined(a.modulo(b), "can't use modulo with zero and infinity")),
        ),
    ]
}

/// Words the error of an operation that has no result.
fn undefined(result: Result<CtyValue, Error>, message: &str) -> Result<CtyValue, Error> {
    result.map_err(|error| match error.kind() {
        ErrorKind::Limit => error,
        _ => failure(message),
    })
}

fn comparisons() -> FunctionFamily {
    let comparison = |text| {
        CtyFunction::new(text)
            .parameter(operand("a").allow_marked())
            .parameter(operand("b").allow_marked())
            .returns(CtyType::Bool)
    };
    let extreme = |text| CtyFunction::new(text).variadic(operand("numbers")).returns(CtyType::Number);
    vec![
        (
            "greaterthan",
            comparison("Returns true if the first number is greater than the second.")
                .implement(|[a, b], _| a.greater_than(b)),
        ),
        (
            "greaterthanorequalto",
            comparison("Returns true if the first number is greater than the second, or equal to it.")
                .implement(|[a, b], _| a.greater_than_or_equal_to(b)),
        ),
        (
            "lessthan",
            comparison("Returns true if the first number is less than the second.")
                .implement(|[a, b], _| a.less_than(b)),
        ),
        (
            "lessthanorequalto",
            comparison("Returns true if the first number is less than the second, or equal to it.")
                .implement(|[a, b], _| a.less_than_or_equal_to(b)),
        ),
        (
            "min",
            extreme("Returns the smallest of the numbers.")
                .implement_variadic(|numbers, _| most(numbers, Ordering::Less, CtyNumber::INFINITY)),
        ),
        (
            "max",
            extreme("Returns the greatest of the numbers.")
                .implement_variadic(|numbers, _| most(numbers, Ordering::Greater, CtyNumber::NEG_INFINITY)),
        ),
    ]
}

/// Returns the least, or the greatest, number; the first of equal ones.
fn most(numbers: &[CtyValue], wanted: Ordering, start: CtyNumber) -> Result<CtyValue, Error> {
    if numbers.is_empty() {
        return Err(failure("must pass at least one number"));
    }
    let mut most = CtyValue::number(start);
    for number in numbers {
        if number.as_number()?.compare(most.as_number()?) == wanted {
            most = number.clone();
        }
    }
    Ok(most)
}

fn rounding() -> FunctionFamily {
    vec![
        (
            "int",
            CtyFunction::new("Cuts off the fraction of the number.")
                .parameter(operand("num"))
                .returns(CtyType::Number)
                .implement(|[num], _| {
                    let number = num.as_number()?;
                    if number.is_integer() {
                        return Ok(num.clone());
                    }
                    let integer = number.truncated()?;
                    let integer = integer.ok_or_else(|| failure("can't truncate infinity to an integer"))?;
                    Ok(CtyValue::number(integer))
                }),
        ),
        (
            "ceil",
            CtyFunction::new("Returns the smallest whole number that is not less than the number.")
                .parameter(number("num"))
                .returns(CtyType::Number)
                .implement(|[num], _| num.as_number()?.ceil().map(CtyValue::number)),
        ),
        (
            "floor",
            CtyFunction::new("Returns the greatest whole number that is not greater than the number.")
                .parameter(number("num"))
                .returns(CtyType::Number)
                .implement(|[num], _| num.as_number()?.floor().map(CtyValue::number)),
        ),
        (
            "signum",
            CtyFunction::new("Returns -1, 0 or 1 for a negative number, zero or a positive number.")
                .parameter(number("num"))
                .returns(CtyType::Number)
                .implement(|[num], _| Ok(CtyValue::number(num.as_i64()?.signum()))),
        ),
        (
            "parseint",
            CtyFunction::new("Reads a string as a whole number in the given base.")
                .parameter(any("number"))
                .parameter(number("base"))
                .type_rule(|arguments, _| {
                    let [text, _] = exactly(arguments)?;
                    if *text.ty() == CtyType::String {
                        return Ok(CtyType::Number);
                    }
                    let given = text.ty().friendly_name();
                    Err(argument_error(0, format!("first argument must be a string, not {given}")))
                })
                .implement(|[text, base], call| parse_int(text, base, call.limits)),
        ),
    ]
}

fn parse_int(text: &CtyValue, base: &CtyValue, limits: &Limits) -> Result<CtyValue, Error> {
    let text = text.as_string()?;
    let base = base.as_i64().map_err(|error| argument_error(1, error.message()))?;
    let radix = u32::try_from(base).ok().filter(|radix| (2..=62).contains(radix));
    let radix =
        radix.ok_or_else(|| argument_error(1, "base must be a whole number between 2 and 62 inclusive"))?;
    limits.check_size(text.len() as u64)?;
    let number = integer(text, radix);
    let number = number.ok_or_else(|| {
        argument_error(0, format!("cannot parse {} as a base {base} integer", quoted(text)))
    })?;
    Ok(CtyValue::number(number))
}

/// Parses digits in a base: letters are the digits after 9, lower case before upper case if both are needed.
fn integer(text: &str, radix: u32) -> Option<BigInt> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.is_empty() {
        return None;
    }
    let digit = |character: u8| match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'z' => Some(character - b'a' + 10),
        b'A'..=b'Z' if radix <= 36 => Some(character - b'A' + 10),
        b'A'..=b'Z' => Some(character - b'A' + 36),
        _ => None,
    };
    let digits = unsigned.bytes().map(digit).collect::<Option<Vec<u8>>>()?;
    let sign = if text.starts_with('-') { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
    // `None` if a digit is not one of the base.
    BigInt::from_radix_be(sign, &digits, radix)
}

fn floats() -> FunctionFamily {
    vec![
        (
            "log",
            CtyFunction::new("Returns the logarithm of the number in the given base.")
                .parameter(number("num"))
                .parameter(number("base"))
                .returns(CtyType::Number)
                .implement(|[num, base], _| float(num.as_f64()?.ln() / base.as_f64()?.ln())),
        ),
        (
            "pow",
            CtyFunction::new("Raises the number to the given power.")
                .parameter(number("num"))
                .parameter(number("power"))
                .returns(CtyType::Number)
                .implement(|[num, power], _| float(raise(num.as_f64()?, power.as_f64()?))),
        ),
    ]
}

/// Returns the base to a power. Where that is an integer, it multiplies squares of the base's fraction, as Go's
/// `math.Pow` does, since other ways round to other last digits.
fn raise(base: f64, power: f64) -> f64 {
    /// Fractions to powers of two beyond this are zero or infinite.
    const FURTHEST: i32 = 1 << 12;
    let times = power.abs();
    if !base.is_normal() || times.fract() != 0.0 || times >= 2.0_f64.powi(63) {
        return base.powf(power);
    }
    // An integer, and of 63 bits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let mut times = times as u64;
    let (mut square, mut step) = libm::frexp(base);
    let (mut result, mut exponent) = (1.0, 0_i32);
    while times != 0 {
        if step.abs() > FURTHEST {
            exponent += step;
            break;
        }
        if times & 1 == 1 {
            result *= square;
            exponent += step;
        }
        square *= square;
        step *= 2;
        if square < 0.5 {
            square *= 2.0;
            step -= 1;
        }
        times >>= 1;
    }
    if power < 0.0 { libm::ldexp(1.0 / result, -exponent) } else { libm::ldexp(result, exponent) }
}

fn float(number: f64) -> Result<CtyValue, Error> {
    let number = CtyNumber::from_f64(number).ok_or_else(|| failure("the result is not a number"))?;
    Ok(CtyValue::number(number))
}
