//! Operators on partly known values.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::abstraction::{
    any, boolean, bounded, entries_of, is_instance, range_of, texts_of, truth, type_of, union,
};
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::{FlowValue, Walk};
use puppetfn_base::limits::Limits;
use puppetfn_runtime::eval::operators::{
    arithmetic, compare, in_range, includes, match_option, negate, splat,
};
use puppetfn_syntax::ast::{BinaryExpr, BinaryOp, Expr, ExprKind, OperatorFamily};
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::case::{PlainMatcher, equals};
use puppetfn_types::value::{Regex, Value};

/// The kinds of values without parts, which equal only values of their own kind.
const PLAIN: ValueKinds =
    ValueKinds::UNDEF.or(ValueKinds::BOOLEAN).or(ValueKinds::NUMERIC).or(ValueKinds::STRING);

impl<'s> Walk<'_, 's> {
    pub(super) fn binary(&mut self, binary: &BinaryExpr<'s>, expr: &Expr<'s>) -> FlowValue {
        match binary.op.family() {
            OperatorFamily::Assignment if binary.op == BinaryOp::Assign => return self.assignment(binary),
            OperatorFamily::Logical => {
                return self.logical(&binary.left, &binary.right, binary.op == BinaryOp::And);
            }
            OperatorFamily::Relationship => {
                for side in [&binary.left, &binary.right] {
                    let value = self.expr(side)?;
                    self.related_operand(&value, side);
                    self.referred(side);
                }
                return Some(any());
            }
            OperatorFamily::Assignment
            | OperatorFamily::Comparison
            | OperatorFamily::Equality
            | OperatorFamily::Shift
            | OperatorFamily::Sum
            | OperatorFamily::Product
            | OperatorFamily::Match
            | OperatorFamily::In => {}
        }
        let left = self.expr(&binary.left)?;
        let right = self.expr(&binary.right)?;
        let holds = match binary.op.family() {
            OperatorFamily::Equality => {
                could_equal(&left, &right, self.limits()).map(|equal| equal == (binary.op == BinaryOp::Equal))
            }
            OperatorFamily::In => could_include(&right, &left, self.limits()),
            OperatorFamily::Match => match self.matches(binary, &left, &right) {
                Ok(matched) => matched.map(|matched| matched == (binary.op == BinaryOp::Match)),
                Err(unknown) => return Some(unknown),
            },
            OperatorFamily::Comparison => match self.ordered(binary, &left, &right) {
                Ok(holds) => holds,
                Err(unknown) => return Some(unknown),
            },
            OperatorFamily::Shift | OperatorFamily::Sum | OperatorFamily::Product => {
                return Some(self.arithmetic(binary, &left, &right));
            }
            // These operators are handled elsewhere.
            OperatorFamily::Assignment | OperatorFamily::Logical | OperatorFamily::Relationship => None,
        };
        if holds == Some(false) {
            self.never_holds(binary, &left, &right, expr);
        }
        Some(boolean(holds))
    }

    /// Reports a comparison that does not hold for any value. Comparisons of values that code sets are
    /// left alone: a switch is often made so.
    fn never_holds(&mut self, binary: &BinaryExpr<'s>, left: &Value, right: &Value, expr: &Expr<'s>) {
        let is_negative = matches!(binary.op, BinaryOp::NotEqual | BinaryOp::NotMatch);
        let is_unknown = left.contains_unknown() || right.contains_unknown();
        let are_literals = is_literal(&binary.left) && is_literal(&binary.right);
        if is_negative || !is_unknown && !are_literals {
            return;
        }
        let (left, right) = (self.shown(left), self.shown(right));
        let symbol = binary.op.symbol();
        let message = format!("This is always false: {left} {symbol} {right} holds for no value");
        self.report(Rule::AlwaysFalse, expr.diagnostic_span(), message);
    }

    /// Returns a value as messages show it.
    pub(super) fn shown(&self, value: &Value) -> String {
        match value {
            Value::Type(t) => t.to_string(),
            Value::Unknown(t) => t.to_string(),
            Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
                value.interpolated(self.limits()).map_or_else(
                    |_| Type::Any.to_string(),
                    |text| match &*text {
                        "" => "undef".to_owned(),
                        _ => text,
                    },
                )
            }
            Value::String(text) if text.chars().count() <= 40 => format!("'{text}'"),
            other => type_of(other, self.limits()).generalize().to_string(),
        }
    }

    /// Checks `left =~ right`, where the error has been reported and something goes on.
    fn matches(
        &mut self,
        binary: &BinaryExpr<'s>,
        left: &Value,
        right: &Value,
    ) -> Result<Option<bool>, Value> {
        let right_kinds = ValueKinds::of(right);
        let patterns = ValueKinds::REGEXP.or(ValueKinds::STRING);
        if !right_kinds
            .meets(patterns.or(ValueKinds::TYPE).or(ValueKinds::SEM_VER_RANGE).or(ValueKinds::FOREIGN))
        {
            let message = format!(
                "Can not convert right match operand to a regular expression. It is {}",
                self.shown(right)
            );
            return Err(self.report(Rule::Match, binary.right.diagnostic_span(), message));
        }
        if right_kinds.is_within(patterns)
            && !ValueKinds::of(left).meets(ValueKinds::STRING.or(ValueKinds::FOREIGN))
        {
            let message =
                format!("Left match operand must result in a String value. Got {}.", self.shown(left));
            return Err(self.report(Rule::Match, binary.left.diagnostic_span(), message));
        }
        let is_match = |regex: &Regex| match left {
            Value::String(text) => regex.is_match(text).ok(),
            _ => None,
        };
        match right {
            Value::Type(t) => Ok(is_instance(t, left, self.limits())),
            Value::Regexp(regex) => Ok(is_match(regex)),
            Value::String(source) => match Regex::new(source) {
                Ok(regex) => Ok(is_match(&regex)),
                Err(error) => {
                    let message = format!(
                        "Can not convert right match operand to a regular expression. Caused by '{}'.",
                        error.message()
                    );
                    Err(self.report(Rule::Match, binary.right.diagnostic_span(), message))
                }
            },
            Value::SemVerRange(range) if !left.contains_unknown() => Ok(Some(in_range(range, left))),
            _ => Ok(None),
        }
    }

    /// Checks `left < right` and the like.
    fn ordered(
        &mut self,
        binary: &BinaryExpr<'s>,
        left: &Value,
        right: &Value,
    ) -> Result<Option<bool>, Value> {
        if !left.contains_unknown() && !right.contains_unknown() {
            return match compare(binary.op, left, right, self.limits()) {
                Ok(holds) => Ok(Some(holds)),
                Err(fault) => Err(self.report(Rule::Comparison, super::operator_span(binary), fault.message)),
            };
        }
        let (left_kinds, right_kinds) = (ValueKinds::of(left), ValueKinds::of(right));
        if left_kinds.each().any(|kind| comparable_with(kind).meets(right_kinds)) {
            return Ok(None);
        }
        let message = format!(
            "Comparison of: {} {} {}, is not possible.",
            self.shown(left),
            binary.op.symbol(),
            self.shown(right)
        );
        Err(self.report(Rule::Comparison, super::operator_span(binary), message))
    }

    pub(super) fn arithmetic(&mut self, binary: &BinaryExpr<'s>, left: &Value, right: &Value) -> Value {
        if !left.contains_unknown() && !right.contains_unknown() {
            return match arithmetic(binary.op, left, right) {
                Ok(value) => bounded(value, self.limits()),
                Err(fault) => self.report(Rule::Arithmetic, super::operator_span(binary), fault.message),
            };
        }
        let (left_kinds, right_kinds) = (ValueKinds::of(left), ValueKinds::of(right));
        let mut result: Option<Type> = None;
        for left_kind in left_kinds.each() {
            for right_kind in right_kinds.each() {
                if let Some(t) = computed(binary.op, left_kind, right_kind) {
                    result = Some(result.map_or(t.clone(), |result| union(&result, &t)));
                }
            }
        }
        let is_division = matches!(binary.op, BinaryOp::Divide | BinaryOp::Modulo);
        if is_division && *right == Value::Integer(0) && left_kinds.is_within(ValueKinds::INTEGER) {
            return self.report(Rule::Arithmetic, binary.right.diagnostic_span(), "Division by 0");
        }
        match result {
            Some(t) => Value::unknown(t),
            None => {
                let message = format!(
                    "Operator '{}' is not applicable to {} and {}.",
                    binary.op.symbol(),
                    self.shown(left),
                    self.shown(right)
                );
                self.report(Rule::Arithmetic, super::operator_span(binary), message)
            }
        }
    }

    pub(super) fn minus(&mut self, operand: &Expr<'s>, expr: &Expr<'s>) -> FlowValue {
        // The least integer has no counterpart without the minus.
        if let ExprKind::Integer(magnitude) = operand.kind {
            let negative = 0_i64.checked_sub_unsigned(magnitude).map(Value::Integer);
            return Some(negative.unwrap_or_else(|| Value::unknown(Type::INTEGER)));
        }
        let value = self.expr(operand)?;
        if !value.contains_unknown() {
            return Some(match negate(&value) {
                Ok(value) => value,
                Err(fault) => self.report(Rule::Arithmetic, expr.diagnostic_span(), fault.message),
            });
        }
        let kinds = ValueKinds::of(&value);
        if !kinds.meets(ValueKinds::NUMERIC.or(ValueKinds::TIMESPAN).or(ValueKinds::FOREIGN)) {
            let message = format!("Operator '-' is not applicable to {}.", self.shown(&value));
            return Some(self.report(Rule::Arithmetic, expr.diagnostic_span(), message));
        }
        Some(match kinds {
            ValueKinds::INTEGER => Value::unknown(Type::INTEGER),
            ValueKinds::FLOAT => Value::unknown(Type::FLOAT),
            _ => any(),
        })
    }

    pub(super) fn not(&mut self, operand: &Expr<'s>) -> FlowValue {
        let value = self.expr(operand)?;
        Some(boolean(truth(&value).map(|truth| !truth)))
    }

    /// Checks `*operand`: an array, of which the elements may not be known.
    pub(super) fn splat(&mut self, operand: &Expr<'s>) -> FlowValue {
        let value = self.expr(operand)?;
        let is_known = matches!(value, Value::Array(_)) || !value.contains_unknown();
        Some(if is_known {
            Value::Array(splat(&value))
        } else if ValueKinds::of(&value) == ValueKinds::ARRAY {
            value
        } else {
            Value::unknown(Type::array(Type::Any, None))
        })
    }
}

fn is_literal(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_literal(inner),
        ExprKind::Array(items) => items.iter().all(is_literal),
        kind => kind.is_literal() || matches!(kind, ExprKind::Name(_) | ExprKind::Reference(_)),
    }
}

/// Returns the kinds that a value of a kind can be compared with by `<` without an error.
fn comparable_with(kind: ValueKinds) -> ValueKinds {
    let foreign = ValueKinds::FOREIGN;
    match kind {
        ValueKinds::TYPE | ValueKinds::OBJECT | ValueKinds::RUNTIME => ValueKinds::ALL,
        ValueKinds::STRING => ValueKinds::STRING.or(foreign),
        ValueKinds::INTEGER | ValueKinds::FLOAT => {
            ValueKinds::NUMERIC.or(ValueKinds::TIMESPAN).or(ValueKinds::TIMESTAMP).or(foreign)
        }
        ValueKinds::TIMESPAN => ValueKinds::NUMERIC.or(ValueKinds::TIMESPAN).or(foreign),
        ValueKinds::TIMESTAMP => ValueKinds::NUMERIC.or(ValueKinds::TIMESTAMP).or(foreign),
        ValueKinds::SEM_VER => ValueKinds::SEM_VER.or(foreign),
        ValueKinds::DEFAULT => ValueKinds::DEFAULT.or(foreign),
        _ => foreign,
    }
}

/// Returns the type of an operation's result for operands of two kinds; `None` if it always fails.
fn computed(op: BinaryOp, left: ValueKinds, right: ValueKinds) -> Option<Type> {
    let is_shift = op.family() == OperatorFamily::Shift;
    let numbers = ValueKinds::NUMERIC.or(ValueKinds::TIMESPAN).or(ValueKinds::TIMESTAMP);
    match left {
        ValueKinds::ARRAY => matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ShiftLeft)
            .then(|| Type::array(Type::Any, None)),
        ValueKinds::HASH => match op {
            BinaryOp::Subtract => Some(Type::hash(Type::Any, Type::Any, None)),
            BinaryOp::Add => right
                .is_within(ValueKinds::HASH.or(ValueKinds::ARRAY).or(ValueKinds::FOREIGN))
                .then(|| Type::hash(Type::Any, Type::Any, None)),
            _ => None,
        },
        // A text is no operand of a product, whatever the other factor is.
        _ if right == ValueKinds::STRING && !is_of_collections(op) => None,
        ValueKinds::OBJECT | ValueKinds::RUNTIME | ValueKinds::ITERATOR => Some(Type::Any),
        _ if right.is_within(ValueKinds::FOREIGN) => Some(Type::Any),
        ValueKinds::BINARY => (op == BinaryOp::Add && right == ValueKinds::BINARY).then_some(Type::Binary),
        ValueKinds::URI => (op == BinaryOp::Add && right.is_within(ValueKinds::URI.or(ValueKinds::STRING)))
            .then_some(Type::Any),
        _ if !left.or(right).is_within(numbers) => None,
        _ if left.or(right) == ValueKinds::INTEGER => Some(Type::INTEGER),
        ValueKinds::INTEGER if is_shift && right == ValueKinds::FLOAT => Some(Type::INTEGER),
        _ if is_shift => None,
        _ if left.or(right).is_within(ValueKinds::NUMERIC) => (op != BinaryOp::Modulo).then_some(Type::FLOAT),
        _ => Some(Type::Any),
    }
}

/// Returns true if an operator is one of collections, too.
fn is_of_collections(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ShiftLeft)
}

/// Returns whether two values are equal; `None` if that is not known.
pub(super) fn could_equal(a: &Value, b: &Value, limits: &Limits) -> Option<bool> {
    if !a.contains_unknown() && !b.contains_unknown() {
        return compare(BinaryOp::Equal, a, b, limits).ok();
    }
    let (a_kinds, b_kinds) = (comparands(a), comparands(b));
    if !a_kinds.meets(b_kinds) {
        return Some(false);
    }
    if a_kinds.and(b_kinds) == ValueKinds::STRING
        && let (Some(a), Some(b)) = (texts_of(a), texts_of(b))
    {
        let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
        return if a.iter().any(|a| b.iter().any(|b| same(a, b))) { None } else { Some(false) };
    }
    if let (Some((a_min, a_max)), Some((b_min, b_max))) = (range_of(a), range_of(b))
        && (a_max < b_min || b_max < a_min)
    {
        return Some(false);
    }
    None
}

/// Returns the kinds of values that a value may equal.
fn comparands(value: &Value) -> ValueKinds {
    let kinds = ValueKinds::of(value);
    if kinds.meets(ValueKinds::FOREIGN) {
        ValueKinds::ALL
    } else if kinds.meets(ValueKinds::NUMERIC.or(ValueKinds::TIMESPAN).or(ValueKinds::TIMESTAMP)) {
        kinds.or(ValueKinds::NUMERIC)
    } else {
        kinds
    }
}

/// Returns whether an option of `case` is the one for a value; `None` if that is not known.
pub(super) fn could_match(option: &Value, value: &Value, limits: &Limits) -> Option<bool> {
    if let Value::Type(t) = option {
        return is_instance(t, value, limits);
    }
    if !option.contains_unknown() && !value.contains_unknown() {
        return match_option(option, value, &mut PlainMatcher, limits).ok();
    }
    let (option_kinds, value_kinds) = (ValueKinds::of(option), ValueKinds::of(value));
    if option_kinds == ValueKinds::REGEXP && !value_kinds.meets(ValueKinds::STRING.or(ValueKinds::FOREIGN)) {
        return Some(false);
    }
    let is_plain =
        option_kinds.is_within(PLAIN) && !value_kinds.meets(ValueKinds::SEM_VER.or(ValueKinds::FOREIGN));
    is_plain.then(|| could_equal(option, value, limits)).flatten()
}

/// Returns whether something is in a container; `None` if that is not known.
fn could_include(container: &Value, item: &Value, limits: &Limits) -> Option<bool> {
    if !container.contains_unknown() && !item.contains_unknown() {
        return includes(container, item, &mut PlainMatcher, limits).ok();
    }
    let none_of = |mut parts: Box<dyn Iterator<Item = Value> + '_>| {
        parts.all(|part| could_be_item(&part, item, limits) == Some(false)).then_some(false)
    };
    let kinds = ValueKinds::of(container);
    match container {
        Value::Array(items) => return none_of(Box::new(items.iter().cloned())),
        Value::Hash(hash) => return none_of(Box::new(hash.iter().map(|(key, _)| key.clone()))),
        _ => {}
    }
    if kinds.is_within(PLAIN.without(ValueKinds::STRING).or(ValueKinds::DEFAULT).or(ValueKinds::REGEXP)) {
        return Some(false);
    }
    if kinds == ValueKinds::STRING {
        let parts = ValueKinds::STRING.or(ValueKinds::REGEXP).or(ValueKinds::FOREIGN);
        return (!ValueKinds::of(item).meets(parts)).then_some(false);
    }
    let (keys, elements) = match kinds {
        ValueKinds::ARRAY | ValueKinds::HASH => entries_of(container, limits)?,
        _ => return None,
    };
    let part = if kinds == ValueKinds::HASH { keys } else { elements };
    none_of(Box::new(std::iter::once(Value::unknown(part))))
}

/// Returns whether an element of a container matches the sought value.
fn could_be_item(element: &Value, sought: &Value, limits: &Limits) -> Option<bool> {
    let kinds = ValueKinds::of(sought);
    if let Value::Type(t) = sought {
        return is_instance(t, element, limits);
    }
    if !element.contains_unknown()
        && !sought.contains_unknown()
        && kinds.is_within(PLAIN.without(ValueKinds::STRING))
    {
        return equals(element, sought, limits).ok();
    }
    if kinds.is_within(PLAIN.without(ValueKinds::STRING)) {
        return could_equal(element, sought, limits);
    }
    if kinds.is_within(PLAIN) { could_match(element, sought, limits) } else { None }
}
