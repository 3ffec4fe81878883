//! Names for the kinds of values in messages.
//!
//! See Puppet's `pops/model/model_label_provider.rb`.

use std::borrow::Cow;

use super::Value;
use crate::value::types::Type;

/// Returns the name of the kind of a value: `Integer`, `Undef Value`, `String-Type`.
pub fn label(value: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match value {
        Value::Undef => "Undef Value",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Type(t) => return Cow::Owned(type_label(t)),
        Value::Sensitive(_) => "Sensitive",
        Value::Timespan(_) => "Timespan",
        Value::Timestamp(_) => "Timestamp",
        Value::SemVer(_) => "Semver",
        Value::SemVerRange(_) => "SemverRange",
        Value::Binary(_) => "Binary",
        Value::Runtime(object) if object.as_bytes().is_some() => "String",
        Value::Runtime(object) if object.as_integer().is_some() => "Integer",
        Value::Uri(_)
        | Value::Default
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Runtime(_) => "Object",
        Value::Unknown(t) => return Cow::Owned(format!("unknown {t} value")),
    })
}

/// Returns the name of a type in a message.
fn type_label(t: &Type) -> String {
    let is_reference = matches!(t, Type::Resource(resource) if resource.title.is_some());
    format!("{}{}", t.ruby_to_s(), if is_reference { " Resource-Reference" } else { "-Type" })
}
