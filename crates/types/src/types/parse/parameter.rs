//! Parameters of types: the items in brackets after a type's name.

use std::borrow::Cow;

use crate::types::Type;
use crate::value::{Regex, Value};

/// A parameter: a type or a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TypeParam<'s> {
    Type(Type),
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(Cow<'s, str>),
    Regexp(Regex),
    Array(Vec<TypeParam<'s>>),
    Hash(Vec<(TypeParam<'s>, TypeParam<'s>)>),
    /// A value that only code can produce.
    Other(Value),
}

impl TypeParam<'_> {
    /// Returns the name of the class that Puppet has for it, for messages.
    pub fn ruby_class(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Type(t) => return Cow::Owned(t.ruby_class()),
            Self::Undef => "NilClass",
            Self::Default => "Symbol",
            Self::Boolean(true) => "TrueClass",
            Self::Boolean(false) => "FalseClass",
            Self::Integer(_) => "Integer",
            Self::Float(_) => "Float",
            Self::String(_) => "String",
            Self::Regexp(_) => "Regexp",
            Self::Array(_) => "Array",
            Self::Hash(_) => "Hash",
            Self::Other(value) => return value.ruby_class(),
        })
    }

    /// Returns the parameter as a value.
    pub fn into_value(self) -> Value {
        match self {
            Self::Type(t) => Value::from(t),
            Self::Undef => Value::Undef,
            Self::Default => Value::Default,
            Self::Boolean(truth) => Value::Boolean(truth),
            Self::Integer(number) => Value::Integer(number),
            Self::Float(number) => Value::Float(number),
            Self::String(text) => Value::String(text.into()),
            Self::Regexp(regex) => Value::Regexp(regex),
            Self::Array(items) => items.into_iter().map(Self::into_value).collect::<Vec<_>>().into(),
            Self::Hash(entries) => {
                entries.into_iter().map(|(key, value)| (key.into_value(), value.into_value())).collect()
            }
            Self::Other(value) => value,
        }
    }

    /// Returns true if it can be a bound of a size.
    pub fn is_bound(&self) -> bool {
        match self {
            Self::Integer(_) | Self::Default => true,
            Self::String(text) => text == "default",
            Self::Type(_)
            | Self::Undef
            | Self::Boolean(_)
            | Self::Float(_)
            | Self::Regexp(_)
            | Self::Array(_)
            | Self::Hash(_)
            | Self::Other(_) => false,
        }
    }
}
