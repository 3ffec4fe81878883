//! Objects of Ruby in templates: the values of Puppet, symbols and ranges.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use puppetfn_base::limits::Limits;
use puppetfn_types::value::Value;

use crate::names::TemplateClass;

/// An object.
#[derive(Debug, Clone)]
pub(crate) enum TemplateObject {
    Value(Value),
    Symbol(Arc<str>),
    /// Integers from the first up to but not including the last.
    Range(i64, i64),
    Regex(puppetfn_types::value::Regex),
    /// An array, hash or string that a local variable has, where it must have no other name.
    Unnamed,
}

/// Why the evaluation of code stops.
#[derive(Debug)]
pub(crate) enum EvaluationStop {
    /// The result is not certain to be Ruby's.
    Uncertain,
    /// The block ends with this value.
    Next(TemplateObject),
}

pub(crate) type StopResult<T> = Result<T, EvaluationStop>;

impl From<Value> for TemplateObject {
    fn from(value: Value) -> Self {
        match value {
            // Ruby has the value as a symbol.
            Value::Default => Self::Symbol("default".into()),
            value => Self::Value(value),
        }
    }
}

impl From<bool> for TemplateObject {
    fn from(flag: bool) -> Self {
        Self::Value(flag.into())
    }
}

impl From<i64> for TemplateObject {
    fn from(number: i64) -> Self {
        Self::Value(number.into())
    }
}

impl From<&str> for TemplateObject {
    fn from(text: &str) -> Self {
        Self::Value(text.into())
    }
}

impl From<String> for TemplateObject {
    fn from(text: String) -> Self {
        Self::Value(text.into())
    }
}

impl From<Vec<Value>> for TemplateObject {
    fn from(items: Vec<Value>) -> Self {
        Self::Value(items.into())
    }
}

impl TemplateObject {
    pub const NIL: Self = Self::Value(Value::Undef);

    /// Returns false for nil and false.
    pub fn is_true(&self) -> bool {
        !matches!(self, Self::Value(Value::Undef | Value::Boolean(false)))
    }

    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Value(Value::Undef))
    }

    /// Returns the object as an element of an array or hash.
    pub fn into_element(self) -> StopResult<Value> {
        match self {
            Self::Value(value) => Ok(value),
            Self::Symbol(_) | Self::Range(..) | Self::Regex(_) | Self::Unnamed => {
                Err(EvaluationStop::Uncertain)
            }
        }
    }

    pub fn as_str(&self) -> StopResult<&Arc<str>> {
        match self {
            Self::Value(Value::String(text)) => Ok(text),
            Self::Value(_) | Self::Symbol(_) | Self::Range(..) | Self::Regex(_) | Self::Unnamed => {
                Err(EvaluationStop::Uncertain)
            }
        }
    }

    pub fn as_integer(&self) -> StopResult<i64> {
        match self {
            Self::Value(Value::Integer(number)) => Ok(*number),
            Self::Value(_) | Self::Symbol(_) | Self::Range(..) | Self::Regex(_) | Self::Unnamed => {
                Err(EvaluationStop::Uncertain)
            }
        }
    }

    pub fn as_array(&self) -> StopResult<&[Value]> {
        match self {
            Self::Value(Value::Array(items)) => Ok(items),
            Self::Value(_) | Self::Symbol(_) | Self::Range(..) | Self::Regex(_) | Self::Unnamed => {
                Err(EvaluationStop::Uncertain)
            }
        }
    }

    /// Returns true if the object is one of a class or its subclasses.
    pub fn is_a(&self, class: TemplateClass) -> StopResult<bool> {
        Ok(match self {
            Self::Symbol(_) => class == TemplateClass::Symbol,
            Self::Range(..) | Self::Regex(_) => false,
            Self::Unnamed => return Err(EvaluationStop::Uncertain),
            Self::Value(value) => {
                let own = class_of(value).ok_or(EvaluationStop::Uncertain)?;
                own == class
                    || (class == TemplateClass::Numeric
                        && matches!(own, TemplateClass::Integer | TemplateClass::Float))
            }
        })
    }

    /// Returns the text of Ruby's `to_s`.
    pub fn to_text(&self, limits: &Limits) -> StopResult<Cow<'_, str>> {
        Ok(match self {
            Self::Symbol(name) => Cow::Borrowed(&**name),
            Self::Value(Value::String(text)) => Cow::Borrowed(&**text),
            Self::Value(Value::Undef) => Cow::Borrowed(""),
            Self::Value(value) if is_plain(value) => {
                Cow::Owned(value.ruby_to_s(limits).map_err(|_| EvaluationStop::Uncertain)?)
            }
            Self::Value(_) | Self::Range(..) | Self::Regex(_) | Self::Unnamed => {
                return Err(EvaluationStop::Uncertain);
            }
        })
    }
}

/// Returns the class of a value; `None` for values of Puppet's own classes.
fn class_of(value: &Value) -> Option<TemplateClass> {
    if let Value::Undef = value {
        Some(TemplateClass::Nil)
    } else if let Value::Boolean(flag) = value {
        Some(if *flag { TemplateClass::True } else { TemplateClass::False })
    } else if let Value::Integer(_) = value {
        Some(TemplateClass::Integer)
    } else if let Value::Float(_) = value {
        Some(TemplateClass::Float)
    } else if let Value::String(_) = value {
        Some(TemplateClass::String)
    } else if let Value::Array(_) = value {
        Some(TemplateClass::Array)
    } else if let Value::Hash(_) = value {
        Some(TemplateClass::Hash)
    } else if let Value::Default = value {
        Some(TemplateClass::Symbol)
    } else {
        None
    }
}

/// Returns true if all versions of Ruby show a value alike: hashes are shown with other blanks since 3.4.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_plain),
        Value::Hash(entries) => entries.is_empty(),
        Value::Default => false,
        value => class_of(value).is_some(),
    }
}

/// Returns whether two objects are equal by `==`.
pub(crate) fn are_equal(left: &TemplateObject, right: &TemplateObject) -> StopResult<bool> {
    match (left, right) {
        (TemplateObject::Value(left), TemplateObject::Value(right)) => values_are_equal(left, right),
        (TemplateObject::Symbol(left), TemplateObject::Symbol(right)) => Ok(left == right),
        (TemplateObject::Symbol(_), TemplateObject::Value(value))
        | (TemplateObject::Value(value), TemplateObject::Symbol(_)) => {
            class_of(value).map(|_| false).ok_or(EvaluationStop::Uncertain)
        }
        _ => Err(EvaluationStop::Uncertain),
    }
}

pub(crate) fn values_are_equal(left: &Value, right: &Value) -> StopResult<bool> {
    let (Some(first), Some(second)) = (class_of(left), class_of(right)) else {
        return Err(EvaluationStop::Uncertain);
    };
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return Ok(compare_numbers(left, right)? == Ordering::Equal);
    }
    if first != second {
        return Ok(false);
    }
    if let (Value::Array(left), Value::Array(right)) = (left, right) {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (left, right) in left.iter().zip(right.iter()) {
            if !values_are_equal(left, right)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let (Value::Hash(left), Value::Hash(right)) = (left, right) {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (key, value) in left.iter() {
            match right.get(key) {
                Some(other) if values_are_equal(value, other)? => {}
                Some(_) | None => return Ok(false),
            }
        }
        return Ok(true);
    }
    Ok(left == right)
}

/// A number as Ruby compares it.
#[derive(Clone, Copy)]
pub(crate) enum ComparableNumber {
    Integer(i64),
    Float(f64),
}

pub(crate) fn number(value: &Value) -> Option<ComparableNumber> {
    if let Value::Integer(number) = value {
        Some(ComparableNumber::Integer(*number))
    } else if let Value::Float(number) = value {
        Some(ComparableNumber::Float(*number))
    } else {
        None
    }
}

/// Compares numbers. An integer that no float has is not certain, nor is one that is no number.
pub(crate) fn compare_numbers(left: ComparableNumber, right: ComparableNumber) -> StopResult<Ordering> {
    match (left, right) {
        (ComparableNumber::Integer(left), ComparableNumber::Integer(right)) => Ok(left.cmp(&right)),
        (left, right) => float(left)?.partial_cmp(&float(right)?).ok_or(EvaluationStop::Uncertain),
    }
}

/// Returns a number as a float of the same value.
#[allow(clippy::cast_precision_loss, reason = "only integers that a float has exactly")]
pub(crate) fn float(number: ComparableNumber) -> StopResult<f64> {
    match number {
        ComparableNumber::Float(number) => Ok(number),
        ComparableNumber::Integer(number) if number.unsigned_abs() < 1 << 53 => Ok(number as f64),
        ComparableNumber::Integer(_) => Err(EvaluationStop::Uncertain),
    }
}

/// Compares values by `<=>`. Ruby raises an error where there is no order.
pub(crate) fn compare(left: &Value, right: &Value) -> StopResult<Ordering> {
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return compare_numbers(left, right);
    }
    if let (Value::String(left), Value::String(right)) = (left, right) {
        return Ok(left.as_bytes().cmp(right.as_bytes()));
    }
    if let (Value::Array(left), Value::Array(right)) = (left, right) {
        for (left, right) in left.iter().zip(right.iter()) {
            match compare(left, right)? {
                Ordering::Equal => {}
                order => return Ok(order),
            }
        }
        return Ok(left.len().cmp(&right.len()));
    }
    Err(EvaluationStop::Uncertain)
}
