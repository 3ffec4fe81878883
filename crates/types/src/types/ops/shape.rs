//! Matches that the shape of a value decides.

use crate::subject::{Shape, Subject};
use crate::types::{CallableType, RuntimeType, Size, StringType, Type};
use crate::value::Value;

/// Returns true if a value is of a simple type; `None` for all other types and shapes.
#[inline(always)]
pub(super) fn by_shape<S>(t: &Type, shape: &Shape<'_, S>) -> Option<bool> {
    match (t, shape) {
        (Type::Integer(range), Shape::Integer(number)) => Some(range.contains(*number)),
        (Type::String(StringType::Sized(size)), Shape::String(text)) => {
            Some(size.is_none_or(|size| length_matches(size, text)))
        }
        (Type::Enum(names), Shape::String(text)) => Some(names.contains(text)),
        _ => None,
    }
}

/// Returns true if the kinds of a type and of a value exclude each other; rules out most types of a variant.
#[inline(always)]
pub(super) fn excluded<S>(t: &Type, shape: &Shape<'_, S>) -> bool {
    match (t, shape) {
        (_, Shape::Unknown(_)) => false,
        (Type::Integer(_), shape) => !matches!(shape, Shape::Integer(_) | Shape::LargeInteger { .. }),
        (Type::String(_), shape) => !matches!(shape, Shape::String(_) | Shape::Bytes(_)),
        (Type::Enum(_), shape) => !matches!(shape, Shape::String(_)),
        (Type::Array(_) | Type::Tuple(_), shape) => !matches!(shape, Shape::Array(_)),
        (Type::Hash(_) | Type::Struct(_), shape) => !matches!(shape, Shape::Hash(_)),
        _ => false,
    }
}

/// Returns true if a value is of a type that depends on the shape of values alone.
pub(super) fn simple_matches<'a, S: Subject<'a>>(t: &Type, subject: S, shape: &Shape<'a, S>) -> bool {
    match (t, shape) {
        (Type::Undef, Shape::Undef) | (Type::Default, Shape::Default) => true,
        (
            Type::Scalar | Type::ScalarData,
            Shape::String(_)
            | Shape::Bytes(_)
            | Shape::Integer(_)
            | Shape::LargeInteger { .. }
            | Shape::Float(_)
            | Shape::Boolean(_),
        )
        | (
            Type::Scalar,
            Shape::Regexp
            | Shape::Rich(Value::SemVer(_) | Value::SemVerRange(_) | Value::Timestamp(_) | Value::Timespan(_)),
        ) => true,
        (Type::Scalar, Shape::Runtime) => subject.is_kind_of("Numeric"),
        (Type::Numeric, Shape::Integer(_) | Shape::LargeInteger { .. }) => true,
        (Type::Numeric, Shape::Float(number)) => !number.is_nan(),
        (Type::Integer(range), Shape::Integer(number)) => range.contains(*number),
        (Type::Integer(range), Shape::LargeInteger { is_negative }) => {
            if *is_negative {
                range.min.is_none()
            } else {
                range.max.is_none()
            }
        }
        (Type::Float(range), Shape::Float(number)) => range.contains(*number),
        (Type::Boolean(truth), Shape::Boolean(given)) => truth.is_none_or(|truth| truth == *given),
        (Type::String(string), Shape::String(text)) => string_matches(string, text),
        (Type::String(StringType::Sized(size)), Shape::Bytes(length)) => {
            size.is_none_or(|size| size.contains(*length))
        }
        (Type::Enum(names), Shape::String(text)) => names.contains(text),
        (Type::Collection(size), Shape::Array(len) | Shape::Hash(len)) => {
            size.is_none_or(|size| size.contains(*len))
        }
        _ => false,
    }
}

#[inline]
fn string_matches(t: &StringType, text: &str) -> bool {
    match t {
        StringType::Sized(None) => true,
        StringType::Sized(Some(size)) => length_matches(*size, text),
        StringType::Value(value) => **value == *text,
    }
}

/// Returns true if a text's length in characters is within the size. Characters are counted only if the number of bytes
/// does not decide, as a character has one to four of them.
#[inline]
fn length_matches(size: Size, text: &str) -> bool {
    let most = text.len();
    let least = most.div_ceil(4);
    if size.includes(Size::new(least as u64, Some(most as u64))) {
        return true;
    }
    size.min <= most as u64 && size.contains(text.chars().count())
}

/// Returns true if a callable is of the type, given nothing but its number of arguments: its parameters accept anything,
/// and it takes no block.
pub(super) fn arity_matches(t: &CallableType, size: Size) -> bool {
    let Some(params) = &t.params else { return true };
    let takes_some = size.max != Some(0);
    let counts = size.includes(params.size()) && (!takes_some || !params.types.is_empty() || size.min == 0);
    counts && t.block.as_ref().is_none_or(|block| Type::Undef.assignable(block))
}

pub(super) fn object_matches<'a, S: Subject<'a>>(t: &RuntimeType, subject: S) -> bool {
    let of_ruby = t.runtime.as_deref().is_none_or(|runtime| runtime == "ruby");
    let of_class = t.name.as_deref().is_none_or(|name| subject.is_kind_of(name.trim_start_matches("::")));
    of_ruby && t.pattern.is_none() && of_class
}
