//! Arithmetic with times and versions.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::arithmetic::{not_applicable, not_applicable_when};
use super::{BlamedOperand, Numeric, OperatorFault};
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::time::{ArithmeticError, SecondsNumber, TimeOperand, TimeOperator, calculate};
use puppetfn_types::value::{Timespan, Value};

/// Computes `left op right`, where one side is not a plain number.
pub fn arithmetic(op: BinaryOp, left: Numeric, right: Numeric) -> Result<Value, OperatorFault> {
    let operator = match op {
        BinaryOp::Add => TimeOperator::Plus,
        BinaryOp::Subtract => TimeOperator::Minus,
        BinaryOp::Multiply => TimeOperator::Times,
        BinaryOp::Divide => TimeOperator::Divide,
        BinaryOp::Modulo => TimeOperator::Modulo,
        #[allow(clippy::wildcard_enum_match_arm, reason = "times can be neither shifted nor compared so")]
        _ => {
            return Err(if is_time(&right) && !is_time(&left) {
                not_applicable_when(op, &left.into(), &right.into())
            } else {
                not_applicable(op, &left.into())
            });
        }
    };
    match calculate(operator, operand(&left), operand(&right)) {
        Ok(TimeOperand::Timespan(span)) => Ok(Value::Timespan(span)),
        Ok(TimeOperand::Timestamp(stamp)) => Ok(Value::Timestamp(stamp)),
        Ok(TimeOperand::Number(SecondsNumber::Integer(number))) => Ok(Value::Integer(number)),
        Ok(TimeOperand::Number(SecondsNumber::Float(number))) if number.is_infinite() => {
            Err(OperatorFault::new(
                BlamedOperand::Left,
                format!("The result of the {} expression is Infinity", op.symbol()),
            ))
        }
        Ok(TimeOperand::Number(SecondsNumber::Float(number))) => Ok(Value::Float(number)),
        Ok(TimeOperand::Version) | Err(ArithmeticError::NotApplicable) => {
            Err(not_applicable(op, &left.into()))
        }
        Err(ArithmeticError::NotApplicableWhen) => Err(not_applicable_when(op, &left.into(), &right.into())),
        Err(ArithmeticError::DivisionByZero) => {
            Err(OperatorFault::new(BlamedOperand::Right, "Division by 0"))
        }
        Err(ArithmeticError::Failed(error)) => {
            Err(OperatorFault::while_evaluating(op.symbol(), error.message()))
        }
    }
}

fn is_time(number: &Numeric) -> bool {
    matches!(number, Numeric::Timespan(_) | Numeric::Timestamp(_))
}

fn operand(number: &Numeric) -> TimeOperand {
    match number {
        Numeric::Integer(number) => TimeOperand::Number(SecondsNumber::Integer(*number)),
        Numeric::Float(number) => TimeOperand::Number(SecondsNumber::Float(*number)),
        Numeric::Timespan(span) => TimeOperand::Timespan(*span),
        Numeric::Timestamp(stamp) => TimeOperand::Timestamp(*stamp),
        Numeric::Version(_) => TimeOperand::Version,
    }
}

/// Computes `-span`.
pub fn negate(span: Timespan) -> Result<Value, OperatorFault> {
    let negated = span.nanos().checked_neg().map_or(Ok(span), Timespan::from_nanos);
    negated.map(Value::Timespan).map_err(|error| {
        OperatorFault::new(
            BlamedOperand::Operator,
            format!("Error while evaluating an Unary Minus, {}", error.message()),
        )
    })
}
