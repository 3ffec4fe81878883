//! The operators of the Puppet language on times.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::{NANOS_PER_SECOND, Number, Timespan, Timestamp, quotient, truncated};
use puppetfn_base::error::{Error, ErrorKind};

/// An arithmetic operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

/// An operand or result of an operator on times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// A length of time.
    Timespan(Timespan),
    /// A point in time.
    Timestamp(Timestamp),
    /// A number.
    Number(Number),
    /// A `SemVer`, the other kind of value that Puppet counts among the numbers.
    Version,
}

impl Operand {
    /// Returns the name in Puppet's messages, with its article.
    fn label(self) -> &'static str {
        match self {
            Self::Timespan(_) => "a Timespan",
            Self::Timestamp(_) => "a Timestamp",
            Self::Number(Number::Integer(_)) => "an Integer",
            Self::Number(Number::Float(_)) => "a Float",
            Self::Version => "a Version",
        }
    }
}

/// Reason why an operator has no result.
#[derive(Clone, PartialEq, Debug)]
pub enum ArithmeticError {
    /// The left operand has no such operator.
    NotApplicable,
    /// The left operand's operator does not accept the right operand.
    NotApplicableWhen,
    /// Divided by zero.
    DivisionByZero,
    /// It fails with this error.
    Failed(Error),
}

impl From<Error> for ArithmeticError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Applies an operator to at least one time.
///
/// # Errors
/// Fails if Puppet has no such operator, on a division by zero, and if the result is out of range.
pub fn calculate(operator: Operator, left: Operand, right: Operand) -> Result<Operand, ArithmeticError> {
    match (left, right) {
        (Operand::Timespan(span), right) => on_timespan(operator, span, right),
        (Operand::Timestamp(stamp), right) => on_timestamp(operator, stamp, right),
        (left, Operand::Timespan(span)) => match (operator, left) {
            (Operator::Plus | Operator::Times, left) => on_timespan(operator, span, left),
            (Operator::Minus, Operand::Number(seconds)) => {
                on_timespan(operator, Timespan::from_number(seconds)?, right)
            }
            (Operator::Minus, _) => Err(ArithmeticError::NotApplicable),
            (Operator::Divide | Operator::Modulo, _) => Err(ArithmeticError::NotApplicableWhen),
        },
        (left, Operand::Timestamp(stamp)) => match operator {
            Operator::Plus => on_timestamp(operator, stamp, left),
            Operator::Minus | Operator::Times | Operator::Divide | Operator::Modulo => {
                Err(ArithmeticError::NotApplicableWhen)
            }
        },
        (Operand::Number(_) | Operand::Version, Operand::Number(_) | Operand::Version) => {
            Err(ArithmeticError::NotApplicable)
        }
    }
}

fn on_timespan(operator: Operator, span: Timespan, other: Operand) -> Result<Operand, ArithmeticError> {
    match (operator, other) {
        (Operator::Plus, Operand::Timestamp(stamp)) => moved(stamp, Some(span.nanos())),
        (Operator::Plus, Operand::Timespan(other)) => timespan(Some(span.nanos() + other.nanos())),
        (Operator::Plus, Operand::Number(seconds)) => {
            timespan(seconds.seconds_to_nanos().map(|nanos| span.nanos() + nanos))
        }
        (Operator::Minus, Operand::Timespan(other)) => timespan(Some(span.nanos() - other.nanos())),
        (Operator::Minus, Operand::Number(seconds)) => {
            timespan(seconds.seconds_to_nanos().map(|nanos| span.nanos() - nanos))
        }
        (Operator::Times, Operand::Number(Number::Integer(factor))) => {
            timespan(span.nanos().checked_mul(i128::from(factor)))
        }
        (Operator::Times, Operand::Number(Number::Float(factor))) => {
            timespan(truncated(span.nanos() as f64 * factor))
        }
        (Operator::Divide, Operand::Timespan(other)) => {
            Ok(Operand::Number(Number::Float(quotient(span.nanos(), other.nanos()))))
        }
        (Operator::Divide, Operand::Number(divisor)) => divided(span, divisor),
        (Operator::Modulo, Operand::Number(divisor)) => modulo(span, divisor),
        (Operator::Plus, Operand::Version) => Err(refused_operand(other, "cannot be added to a Timespan")),
        (Operator::Minus, Operand::Timestamp(_) | Operand::Version) => {
            Err(refused_operand(other, "cannot be subtracted from a Timespan"))
        }
        // Puppet's message says Timestamp here, and has an article too many below.
        (Operator::Times, other) => {
            Err(refused(format!("A Timestamp cannot be multiplied by {}", other.label())))
        }
        (Operator::Divide, other) => {
            Err(refused(format!("A Timespan cannot be divided by {}", other.label())))
        }
        (Operator::Modulo, other) => {
            Err(refused(format!("Can not do modulus on a Timespan using a {}", other.label())))
        }
    }
}

fn on_timestamp(operator: Operator, stamp: Timestamp, other: Operand) -> Result<Operand, ArithmeticError> {
    match (operator, other) {
        (Operator::Plus, Operand::Timespan(span)) => moved(stamp, Some(span.nanos())),
        (Operator::Plus, Operand::Number(seconds)) => moved(stamp, seconds.seconds_to_nanos()),
        (Operator::Minus, Operand::Timestamp(other)) => timespan(Some(stamp.nanos() - other.nanos())),
        (Operator::Minus, Operand::Timespan(span)) => moved(stamp, Some(-span.nanos())),
        (Operator::Minus, Operand::Number(seconds)) => {
            moved(stamp, seconds.seconds_to_nanos().map(|nanos| -nanos))
        }
        (Operator::Plus, Operand::Timestamp(_) | Operand::Version) => {
            Err(refused_operand(other, "cannot be added to a Timestamp"))
        }
        (Operator::Minus, Operand::Version) => {
            Err(refused_operand(other, "cannot be subtracted from a Timestamp"))
        }
        (Operator::Times | Operator::Divide | Operator::Modulo, _) => Err(ArithmeticError::NotApplicable),
    }
}

fn timespan(nanos: Option<i128>) -> Result<Operand, ArithmeticError> {
    Ok(Operand::Timespan(Timespan::checked(nanos)?))
}

fn moved(stamp: Timestamp, by: Option<i128>) -> Result<Operand, ArithmeticError> {
    Ok(Operand::Timestamp(Timestamp::checked(by.map(|by| stamp.nanos() + by))?))
}

fn divided(span: Timespan, divisor: Number) -> Result<Operand, ArithmeticError> {
    let nanos = span.nanos();
    match divisor {
        Number::Integer(0) | Number::Float(0.0) => Err(ArithmeticError::DivisionByZero),
        Number::Integer(divisor) => timespan(Some(floor_div(nanos, i128::from(divisor)))),
        Number::Float(divisor) => timespan(truncated((nanos as f64 / divisor).floor())),
    }
}

/// Returns the remainder of the seconds; of whole seconds, if the divisor is an integer.
fn modulo(span: Timespan, divisor: Number) -> Result<Operand, ArithmeticError> {
    Ok(Operand::Number(match divisor {
        Number::Integer(0) => return Err(ArithmeticError::DivisionByZero),
        Number::Float(0.0) => return Err(ArithmeticError::DivisionByZero),
        Number::Integer(divisor) => {
            let (seconds, divisor) = (span.nanos().div_euclid(NANOS_PER_SECOND), i128::from(divisor));
            let rest = seconds - floor_div(seconds, divisor) * divisor;
            Number::Integer(rest as i64)
        }
        Number::Float(divisor) => {
            let rest = span.to_f64() % divisor;
            Number::Float(if rest != 0.0 && (rest < 0.0) != (divisor < 0.0) { rest + divisor } else { rest })
        }
    }))
}

/// Returns the quotient rounded down, also of negative numbers.
fn floor_div(dividend: i128, divisor: i128) -> i128 {
    let rounded = dividend / divisor;
    if dividend % divisor != 0 && (dividend < 0) != (divisor < 0) { rounded - 1 } else { rounded }
}

#[cold]
fn refused_operand(operand: Operand, why: &str) -> ArithmeticError {
    refused(format!("{} {why}", operand.label().replacen('a', "A", 1)))
}

#[cold]
fn refused(message: String) -> ArithmeticError {
    Error::new(ErrorKind::Evaluation, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(nanos: i128) -> Operand {
        Operand::Timespan(Timespan::from_nanos(nanos).unwrap())
    }

    fn stamp(seconds: i64) -> Operand {
        Operand::Timestamp(Timestamp::from_seconds(seconds))
    }

    fn number(number: impl Into<Number>) -> Operand {
        Operand::Number(number.into())
    }

    const S: i128 = NANOS_PER_SECOND;

    #[test]
    fn times_are_computed_as_in_puppet() {
        use Operator::{Divide, Minus, Modulo, Plus, Times};
        for (left, operator, right, result) in [
            (span(20 * S), Plus, number(10), span(30 * S)),
            (span(20 * S), Minus, number(0.5), span(19_500_000_000)),
            (span(20 * S), Times, number(1.5), span(30 * S)),
            (span(20 * S), Divide, span(5 * S), number(4.0)),
            (span(-10), Divide, number(3), span(-4)),
            (span(10), Divide, number(-2.5), span(-4)),
            (span(20 * S), Modulo, number(7), number(6)),
            (span(20 * S), Modulo, number(-7), number(-1)),
            (span(-20_500_000_000), Modulo, number(7), number(0)),
            (span(20 * S), Modulo, number(-1.5), number(-1.0)),
            (span(20 * S), Plus, stamp(5), stamp(25)),
            (stamp(20), Minus, stamp(30), span(-10 * S)),
            (stamp(20), Minus, span(S), stamp(19)),
            (stamp(20), Plus, number(1.0), stamp(21)),
            (number(10), Minus, span(20 * S), span(-10 * S)),
            (number(3), Times, span(S), span(3 * S)),
            (number(3), Plus, stamp(1), stamp(4)),
        ] {
            assert_eq!(calculate(operator, left, right), Ok(result), "{left:?} {operator:?} {right:?}");
        }
    }

    #[test]
    fn what_cannot_be_computed_is_refused_in_puppets_words() {
        use Operator::{Divide, Minus, Modulo, Plus, Times};
        for (left, operator, right, message) in [
            (stamp(1), Plus, stamp(1), "A Timestamp cannot be added to a Timestamp"),
            (stamp(1), Minus, Operand::Version, "A Version cannot be subtracted from a Timestamp"),
            (span(1), Minus, stamp(1), "A Timestamp cannot be subtracted from a Timespan"),
            (Operand::Version, Plus, span(1), "A Version cannot be added to a Timespan"),
            (span(1), Times, span(1), "A Timestamp cannot be multiplied by a Timespan"),
            (span(1), Divide, stamp(1), "A Timespan cannot be divided by a Timestamp"),
            (span(1), Modulo, span(1), "Can not do modulus on a Timespan using a a Timespan"),
            (span(1), Times, number(f64::NAN), "A Timespan is out of range: its seconds must have 64 bits"),
        ] {
            let Err(ArithmeticError::Failed(error)) = calculate(operator, left, right) else {
                panic!("{left:?} {operator:?} {right:?}")
            };
            assert_eq!(error.message(), message);
        }
        assert_eq!(calculate(Divide, span(1), number(0)), Err(ArithmeticError::DivisionByZero));
        assert_eq!(calculate(Divide, span(1), number(-0.0)), Err(ArithmeticError::DivisionByZero));
        assert_eq!(calculate(Times, stamp(1), number(2)), Err(ArithmeticError::NotApplicable));
        assert_eq!(calculate(Divide, number(1), span(1)), Err(ArithmeticError::NotApplicableWhen));
        assert_eq!(calculate(Minus, number(1), stamp(1)), Err(ArithmeticError::NotApplicableWhen));
    }
}
