//! Arithmetic with times and versions.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::arithmetic::{not_applicable, not_applicable_when};
use super::{Blamed, Fault, Numeric};
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::time::{ArithmeticError, Number, Operand, Operator, calculate};
use puppetfn_types::value::{Timespan, Value};

/// Computes `left op right`, where one side is not a plain number.
pub fn arithmetic(op: BinaryOp, left: Numeric, right: Numeric) -> Result<Value, Fault> {
    let operator = match op {
        BinaryOp::Add => Operator::Plus,
        BinaryOp::Subtract => Operator::Minus,
        BinaryOp::Multiply => Operator::Times,
        BinaryOp::Divide => Operator::Divide,
        BinaryOp::Modulo => Operator::Modulo,
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
        Ok(Operand::Timespan(span)) => Ok(Value::Timespan(span)),
        Ok(Operand::Timestamp(stamp)) => Ok(Value::Timestamp(stamp)),
        Ok(Operand::Number(Number::Integer(number))) => Ok(Value::Integer(number)),
        Ok(Operand::Number(Number::Float(number))) if number.is_infinite() => {
            Err(Fault::new(Blamed::Left, format!("The result of the {} expression is Infinity", op.symbol())))
        }
        Ok(Operand::Number(Number::Float(number))) => Ok(Value::Float(number)),
        Ok(Operand::Version) | Err(ArithmeticError::NotApplicable) => Err(not_applicable(op, &left.into())),
        Err(ArithmeticError::NotApplicableWhen) => Err(not_applicable_when(op, &left.into(), &right.into())),
        Err(ArithmeticError::DivisionByZero) => Err(Fault::new(Blamed::Right, "Division by 0")),
        Err(ArithmeticError::Failed(error)) => Err(Fault::while_evaluating(op.symbol(), error.message())),
    }
}

fn is_time(number: &Numeric) -> bool {
    matches!(number, Numeric::Timespan(_) | Numeric::Timestamp(_))
}

fn operand(number: &Numeric) -> Operand {
    match number {
        Numeric::Integer(number) => Operand::Number(Number::Integer(*number)),
        Numeric::Float(number) => Operand::Number(Number::Float(*number)),
        Numeric::Timespan(span) => Operand::Timespan(*span),
        Numeric::Timestamp(stamp) => Operand::Timestamp(*stamp),
        Numeric::Version(_) => Operand::Version,
    }
}

/// Computes `-span`.
pub fn negate(span: Timespan) -> Result<Value, Fault> {
    let negated = span.nanos().checked_neg().map_or(Ok(span), Timespan::from_nanos);
    negated.map(Value::Timespan).map_err(|error| {
        Fault::new(Blamed::Operator, format!("Error while evaluating an Unary Minus, {}", error.message()))
    })
}
