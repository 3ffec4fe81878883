//! The operators of the Puppet language on times.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::{NANOS_PER_SECOND, SecondsNumber, Timespan, Timestamp, quotient, truncated};
use puppetfn_base::error::{Error, ErrorKind};

/// An arithmetic operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeOperator {
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
pub enum TimeOperand {
    /// A length of time.
    Timespan(Timespan),
    /// A point in time.
    Timestamp(Timestamp),
    /// A number.
    Number(SecondsNumber),
    /// A `SemVer`, the other kind of value that Puppet counts among the numbers.
    Version,
}

impl TimeOperand {
    /// Returns the name in Puppet's messages, with its article.
    fn label(self) -> &'static str {
        match self {
            Self::Timespan(_) => "a Timespan",
            Self::Timestamp(_) => "a Timestamp",
            Self::Number(SecondsNumber::Integer(_)) => "an Integer",
            Self::Number(SecondsNumber::Float(_)) => "a Float",
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
pub fn calculate(
    operator: TimeOperator,
    left: TimeOperand,
    right: TimeOperand,
) -> Result<TimeOperand, ArithmeticError> {
    match (left, right) {
        (TimeOperand::Timespan(span), right) => on_timespan(operator, span, right),
        (TimeOperand::Timestamp(stamp), right) => on_timestamp(operator, stamp, right),
        (left, TimeOperand::Timespan(span)) => match (operator, left) {
            (TimeOperator::Plus | TimeOperator::Times, left) => on_timespan(operator, span, left),
            (TimeOperator::Minus, TimeOperand::Number(seconds)) => {
                on_timespan(operator, Timespan::from_number(seconds)?, right)
            }
            (TimeOperator::Minus, _) => Err(ArithmeticError::NotApplicable),
            (TimeOperator::Divide | TimeOperator::Modulo, _) => Err(ArithmeticError::NotApplicableWhen),
        },
        (left, TimeOperand::Timestamp(stamp)) => match operator {
            TimeOperator::Plus => on_timestamp(operator, stamp, left),
            TimeOperator::Minus | TimeOperator::Times | TimeOperator::Divide | TimeOperator::Modulo => {
                Err(ArithmeticError::NotApplicableWhen)
            }
        },
        (TimeOperand::Number(_) | TimeOperand::Version, TimeOperand::Number(_) | TimeOperand::Version) => {
            Err(ArithmeticError::NotApplicable)
        }
    }
}

fn on_timespan(
    operator: TimeOperator,
    span: Timespan,
    other: TimeOperand,
) -> Result<TimeOperand, ArithmeticError> {
    match (operator, other) {
        (TimeOperator::Plus, TimeOperand::Timestamp(stamp)) => moved(stamp, Some(span.nanos())),
        (TimeOperator::Plus, TimeOperand::Timespan(other)) => timespan(Some(span.nanos() + other.nanos())),
        (TimeOperator::Plus, TimeOperand::Number(seconds)) => {
            timespan(seconds.seconds_to_nanos().map(|nanos| span.nanos() + nanos))
        }
        (TimeOperator::Minus, TimeOperand::Timespan(other)) => timespan(Some(span.nanos() - other.nanos())),
        (TimeOperator::Minus, TimeOperand::Number(seconds)) => {
            timespan(seconds.seconds_to_nanos().map(|nanos| span.nanos() - nanos))
        }
        (TimeOperator::Times, TimeOperand::Number(SecondsNumber::Integer(factor))) => {
            timespan(span.nanos().checked_mul(i128::from(factor)))
        }
        (TimeOperator::Times, TimeOperand::Number(SecondsNumber::Float(factor))) => {
            timespan(truncated(span.nanos() as f64 * factor))
        }
        (TimeOperator::Divide, TimeOperand::Timespan(other)) => {
            Ok(TimeOperand::Number(SecondsNumber::Float(quotient(span.nanos(), other.nanos()))))
        }
        (TimeOperator::Divide, TimeOperand::Number(divisor)) => divided(span, divisor),
        (TimeOperator::Modulo, TimeOperand::Number(divisor)) => modulo(span, divisor),
        (TimeOperator::Plus, TimeOperand::Version) => {
            Err(refused_operand(other, "cannot be added to a Timespan"))
        }
        (TimeOperator::Minus, TimeOperand::Timestamp(_) | TimeOperand::Version) => {
            Err(refused_operand(other, "cannot be subtracted from a Timespan"))
        }
        // Puppet's message says Timestamp here, and has an article too many below.
        (TimeOperator::Times, other) => {
            Err(refused(format!("A Timestamp cannot be multiplied by {}", other.label())))
        }
        (TimeOperator::Divide, other) => {
            Err(refused(format!("A Timespan cannot be divided by {}", other.label())))
        }
        (TimeOperator::Modulo, other) => {
            Err(refused(format!("Can not do modulus on a Timespan using a {}", other.label())))
        }
    }
}

fn on_timestamp(
    operator: TimeOperator,
    stamp: Timestamp,
    other: TimeOperand,
) -> Result<TimeOperand, ArithmeticError> {
    match (operator, other) {
        (TimeOperator::Plus, TimeOperand::Timespan(span)) => moved(stamp, Some(span.nanos())),
        (TimeOperator::Plus, TimeOperand::Number(seconds)) => moved(stamp, seconds.seconds_to_nanos()),
        (TimeOperator::Minus, TimeOperand::Timestamp(other)) => timespan(Some(stamp.nanos() - other.nanos())),
        (TimeOperator::Minus, TimeOperand::Timespan(span)) => moved(stamp, Some(-span.nanos())),
        (TimeOperator::Minus, TimeOperand::Number(seconds)) => {
            moved(stamp, seconds.seconds_to_nanos().map(|nanos| -nanos))
        }
        (TimeOperator::Plus, TimeOperand::Timestamp(_) | TimeOperand::Version) => {
            Err(refused_operand(other, "cannot be added to a Timestamp"))
        }
        (TimeOperator::Minus, TimeOperand::Version) => {
            Err(refused_operand(other, "cannot be subtracted from a Timestamp"))
        }
        (TimeOperator::Times | TimeOperator::Divide | TimeOperator::Modulo, _) => {
            Err(ArithmeticError::NotApplicable)
        }
    }
}

fn timespan(nanos: Option<i128>) -> Result<TimeOperand, ArithmeticError> {
    Ok(TimeOperand::Timespan(Timespan::checked(nanos)?))
}

fn moved(stamp: Timestamp, by: Option<i128>) -> Result<TimeOperand, ArithmeticError> {
    Ok(TimeOperand::Timestamp(Timestamp::checked(by.map(|by| stamp.nanos() + by))?))
}

fn divided(span: Timespan, divisor: SecondsNumber) -> Result<TimeOperand, ArithmeticError> {
    let nanos = span.nanos();
    match divisor {
        SecondsNumber::Integer(0) | SecondsNumber::Float(0.0) => Err(ArithmeticError::DivisionByZero),
        SecondsNumber::Integer(divisor) => timespan(Some(floor_div(nanos, i128::from(divisor)))),
        SecondsNumber::Float(divisor) => timespan(truncated((nanos as f64 / divisor).floor())),
    }
}

/// Returns the remainder of the seconds; of whole seconds, if the divisor is an integer.
fn modulo(span: Timespan, divisor: SecondsNumber) -> Result<TimeOperand, ArithmeticError> {
    Ok(TimeOperand::Number(match divisor {
        SecondsNumber::Integer(0) => return Err(ArithmeticError::DivisionByZero),
        SecondsNumber::Float(0.0) => return Err(ArithmeticError::DivisionByZero),
        SecondsNumber::Integer(divisor) => {
            let (seconds, divisor) = (span.nanos().div_euclid(NANOS_PER_SECOND), i128::from(divisor));
            let rest = seconds - floor_div(seconds, divisor) * divisor;
            SecondsNumber::Integer(rest as i64)
        }
        SecondsNumber::Float(divisor) => {
            let rest = span.to_f64() % divisor;
            SecondsNumber::Float(if rest != 0.0 && (rest < 0.0) != (divisor < 0.0) {
                rest + divisor
            } else {
                rest
            })
        }
    }))
}

/// Returns the quotient rounded down, also of negative numbers.
fn floor_div(dividend: i128, divisor: i128) -> i128 {
    let rounded = dividend / divisor;
    if dividend % divisor != 0 && (dividend < 0) != (divisor < 0) { rounded - 1 } else { rounded }
}

#[cold]
fn refused_operand(operand: TimeOperand, why: &str) -> ArithmeticError {
    refused(format!("{} {why}", operand.label().replacen('a', "A", 1)))
}

#[cold]
fn refused(message: String) -> ArithmeticError {
    Error::new(ErrorKind::Evaluation, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(nanos: i128) -> TimeOperand {
        TimeOperand::Timespan(Timespan::from_nanos(nanos).unwrap())
    }

    fn stamp(seconds: i64) -> TimeOperand {
        TimeOperand::Timestamp(Timestamp::from_seconds(seconds))
    }

    fn number(number: impl Into<SecondsNumber>) -> TimeOperand {
        TimeOperand::Number(number.into())
    }

    const S: i128 = NANOS_PER_SECOND;

    #[test]
    fn times_are_computed_as_in_puppet() {
        use TimeOperator::{Divide, Minus, Modulo, Plus, Times};
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
        use TimeOperator::{Divide, Minus, Modulo, Plus, Times};
        for (left, operator, right, message) in [
            (stamp(1), Plus, stamp(1), "A Timestamp cannot be added to a Timestamp"),
            (stamp(1), Minus, TimeOperand::Version, "A Version cannot be subtracted from a Timestamp"),
            (span(1), Minus, stamp(1), "A Timestamp cannot be subtracted from a Timespan"),
            (TimeOperand::Version, Plus, span(1), "A Version cannot be added to a Timespan"),
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
