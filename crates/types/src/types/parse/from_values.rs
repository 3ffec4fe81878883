//! Types whose parameters are values that code has computed.

use std::borrow::Cow;
use std::sync::Arc;

use super::parameter::TypeParam;
use super::{NoAliases, TypeInterpreter, parameterized, rich, time};
use crate::types::{InitType, Type};
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;

fn all<'v>(values: &'v [Value]) -> Vec<TypeParam<'v>> {
    values.iter().map(TypeParam::of).collect()
}

fn interpreter(limits: &Limits) -> TypeInterpreter<'_> {
    TypeInterpreter { text: "", lookup: &NoAliases, limits }
}

/// Returns `Pattern[values]`.
pub fn pattern(values: &[Value]) -> Result<Type, Error> {
    parameterized::pattern(all(values))
}

/// Returns `Regexp[value]`.
pub fn regexp(values: &[Value]) -> Result<Type, Error> {
    parameterized::regexp(all(values))
}

/// Returns `Runtime[values]`.
pub fn runtime(values: &[Value]) -> Result<Type, Error> {
    parameterized::runtime(all(values))
}

/// Returns `Struct[value]`.
pub fn structure(values: &[Value], limits: &Limits) -> Result<Type, Error> {
    interpreter(limits).structure(all(values), Span::default())
}

/// Returns `Callable[values]`.
pub fn callable(values: &[Value], limits: &Limits) -> Result<Type, Error> {
    interpreter(limits).callable(all(values), Span::default())
}

/// Returns `Init[values]`.
pub fn init(values: &[Value]) -> Result<Type, Error> {
    match values.split_first() {
        Some((Value::Type(t), args)) => Ok(Type::Init(Arc::new(InitType::new(Type::clone(t), args)))),
        _ => Err(wrong("Init", "a Type", values.first().unwrap_or(&Value::Undef))),
    }
}

/// Returns `SemVer[values]`.
pub fn sem_ver(values: &[Value], limits: &Limits) -> Result<Type, Error> {
    rich::sem_ver(all(values), limits)
}

/// Returns `URI[value]`.
pub fn uri(values: &[Value], limits: &Limits) -> Result<Type, Error> {
    rich::uri(all(values), limits)
}

/// Returns `Timestamp[values]`.
pub fn timestamp(values: &[Value]) -> Result<Type, Error> {
    time::timestamp(all(values))
}

/// Returns `Timespan[values]`.
pub fn timespan(values: &[Value]) -> Result<Type, Error> {
    time::timespan(all(values))
}

#[cold]
fn wrong(name: &str, expected: &str, given: &Value) -> Error {
    let class = given.ruby_class();
    Error::new(ErrorKind::TypeParameters, format!("A parameter of {name} must be {expected}, got {class}"))
}

impl<'v> TypeParam<'v> {
    /// Creates a value as a parameter.
    pub(super) fn of(value: &'v Value) -> Self {
        match value {
            Value::Type(t) => Self::Type(Type::clone(t)),
            Value::Undef => Self::Undef,
            Value::Default => Self::Default,
            Value::Boolean(truth) => Self::Boolean(*truth),
            Value::Integer(number) => Self::Integer(*number),
            Value::Float(number) => Self::Float(*number),
            Value::String(text) => Self::String(Cow::Borrowed(text)),
            Value::Regexp(regex) => Self::Regexp(regex.clone()),
            Value::Array(items) => Self::Array(all(items)),
            Value::Hash(hash) => {
                Self::Hash(hash.iter().map(|(key, value)| (Self::of(key), Self::of(value))).collect())
            }
            Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Uri(_)
            | Value::Timestamp(_)
            | Value::Timespan(_)
            | Value::Sensitive(_)
            | Value::Iterator(_)
            | Value::Callable(_)
            | Value::Object(_)
            | Value::Runtime(_)
            | Value::Unknown(_) => Self::Other(value.clone()),
        }
    }
}
