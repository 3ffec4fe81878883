//! Narrows variables by conditions, for the code that is reached if they hold, or if they do not.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::borrow::Cow;
use std::sync::Arc;

use super::super::abstraction::{any, excluded, falsy, includes_deferred, restricted};
use super::super::declare::stated;
use super::super::variables::VariableState;
use super::Walk;
use puppetfn_syntax::ast::{BinaryExpr, BinaryOp, Expr, ExprKind, FunctionCall, UnaryOp};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

/// The values that an option matches, or that are equal to a literal.
struct MatchedValue {
    /// The type of the values.
    t: Type,
    /// Whether all values of the type are matched.
    is_all: bool,
}

impl<'s> Walk<'_, 's> {
    /// Goes on where a condition holds, or does not. It has been evaluated.
    pub(super) fn assume(&mut self, condition: &Expr<'s>, holds: bool) {
        match &condition.kind {
            ExprKind::Paren(inner) => self.assume(inner, holds),
            ExprKind::Unary(UnaryOp::Not, operand) => self.assume(operand, !holds),
            ExprKind::Variable(_) => self.assume_type(condition, &falsy(), !holds),
            ExprKind::Binary(binary) => self.assume_comparison(binary, holds),
            ExprKind::Call(call) if holds => self.assume_call(call),
            _ => {}
        }
    }

    /// `defined('$x')`: the variable exists, wherever it was set.
    fn assume_call(&mut self, call: &FunctionCall<'s>) {
        let (ExprKind::Name("defined"), [argument]) = (&call.function.kind, call.arguments.as_slice()) else {
            return;
        };
        if let ExprKind::String(Cow::Borrowed(text)) = argument.kind
            && let Some(name) = text.strip_prefix('$')
            && self.variables.get(name).is_none()
        {
            self.variables.narrow(name, any());
        }
    }

    fn assume_comparison(&mut self, binary: &BinaryExpr<'s>, holds: bool) {
        match (binary.op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                self.assume(&binary.left, holds);
                self.assume(&binary.right, holds);
            }
            (BinaryOp::Equal, _) => self.assume_equal(binary, holds),
            (BinaryOp::NotEqual, _) => self.assume_equal(binary, !holds),
            (BinaryOp::Match, _) => self.assume_match(binary, holds),
            (BinaryOp::NotMatch, _) => self.assume_match(binary, !holds),
            _ => {}
        }
    }

    fn assume_equal(&mut self, binary: &BinaryExpr<'s>, are_equal: bool) {
        // A type is equal to itself, not to its instances.
        for (variable, other) in [(&binary.left, &binary.right), (&binary.right, &binary.left)] {
            if let Some(matched) = literal(other) {
                self.assume_matched(variable, &matched, are_equal);
            }
        }
    }

    fn assume_match(&mut self, binary: &BinaryExpr<'s>, holds: bool) {
        match &binary.right.kind {
            // Any value but a text has failed.
            ExprKind::Regexp(_) => self.assume_type(&binary.left, &Type::STRING, true),
            _ => {
                if let Some(t) = self.type_literal(&binary.right) {
                    self.assume_type(&binary.left, &t, holds);
                }
            }
        }
    }

    /// Goes on where one of these options of a `case` or a selector has matched, or none of them has.
    pub(super) fn assume_option(&mut self, subject: &Expr<'s>, options: &[&Expr<'s>], has_matched: bool) {
        let Some(matched) = options.iter().map(|option| self.option(option)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        if has_matched {
            let t = Type::one_of(matched.into_iter().map(|matched| matched.t));
            self.assume_type(subject, &t, true);
        } else {
            matched.iter().for_each(|matched| self.assume_matched(subject, matched, false));
        }
    }

    /// Returns the values that an option matches, if they can be read from its code.
    fn option(&self, option: &Expr<'s>) -> Option<MatchedValue> {
        match &option.kind {
            ExprKind::Regexp(_) => Some(MatchedValue { t: Type::STRING, is_all: false }),
            _ => {
                literal(option).or_else(|| Some(MatchedValue { t: self.type_literal(option)?, is_all: true }))
            }
        }
    }

    /// Returns the type that is written in an expression.
    fn type_literal(&self, expr: &Expr<'s>) -> Option<Type> {
        let is_type = match &expr.kind {
            ExprKind::Reference(_) => true,
            ExprKind::Access(access) => matches!(access.operand.kind, ExprKind::Reference(_)),
            _ => false,
        };
        is_type.then(|| stated(Some(expr), self.text, &self.types(), self.limits()))
    }

    fn assume_matched(&mut self, subject: &Expr<'s>, matched: &MatchedValue, has_matched: bool) {
        if has_matched || matched.is_all {
            self.assume_type(subject, &matched.t, has_matched);
        }
    }

    /// Goes on where a variable is of a type, or is not.
    fn assume_type(&mut self, variable: &Expr<'s>, t: &Type, is_instance: bool) {
        let ExprKind::Variable(name) = variable.kind else { return };
        let Some(VariableState::Certain(value)) = self.variables.get(name) else { return };
        let narrowed = if is_instance && includes_deferred(t) {
            any()
        } else if is_instance {
            restricted(&value, t, self.limits())
        } else {
            excluded(&value, t, self.limits())
        };
        if narrowed != value {
            self.variables.narrow(name, narrowed);
        }
    }

    /// Returns the value of a subject of a `case` or a selector after some options: a variable may be known better now.
    pub(super) fn narrowed(&self, subject: &Expr<'s>, value: Value) -> Value {
        match subject.kind {
            ExprKind::Variable(name) => match self.variables.get(name) {
                Some(VariableState::Certain(narrowed)) => narrowed,
                _ => value,
            },
            _ => value,
        }
    }
}

/// Returns the types of values that can be equal to a number: times are, by their seconds.
fn numbers() -> Type {
    let times = [Type::Timespan(Arc::default()), Type::Timestamp(Arc::default())];
    Type::one_of([Type::Numeric].into_iter().chain(times))
}

/// Returns the values that are equal to a literal. Case does not matter for texts, nor the kind for numbers.
fn literal(expr: &Expr<'_>) -> Option<MatchedValue> {
    let (t, is_all) = match &expr.kind {
        ExprKind::Undef => (Type::Undef, true),
        ExprKind::Boolean(truth) => (Type::Boolean(Some(*truth)), true),
        ExprKind::String(_) | ExprKind::Name(_) => (Type::STRING, false),
        ExprKind::Integer(_) | ExprKind::Float(_) => (numbers(), false),
        _ => return None,
    };
    Some(MatchedValue { t, is_all })
}
