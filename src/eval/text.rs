//! What values and expressions are called in messages.

use std::borrow::Cow;

use crate::types::Type;
use crate::value::Value;

/// What errors of evaluation begin with.
pub(super) const EVALUATION: &str = "Evaluation Error:";

/// The name of the kind of a value: `Integer`, `Undef Value`, `String-Type`.
pub(super) fn label(value: &Value) -> Cow<'static, str> {
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
        Value::Uri(_)
        | Value::Default
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Runtime(_) => "Object",
        Value::Unknown(t) => return Cow::Owned(format!("unknown {t} value")),
    })
}

/// The name of a type in a message.
fn type_label(t: &Type) -> String {
    let is_reference = matches!(t, Type::Resource(resource) if resource.title.is_some());
    format!("{}{}", t.ruby_to_s(), if is_reference { " Resource-Reference" } else { "-Type" })
}

/// A text with `a` or `an` in front.
pub(super) fn with_article(text: &str) -> String {
    format!("{} {text}", article(text))
}

/// A text with `A` or `An` in front.
pub(super) fn with_article_uc(text: &str) -> String {
    format!("{} {text}", if article(text) == "an" { "An" } else { "A" })
}

/// By the first letter, or the second behind a quote; `y` counts as a vowel.
pub(super) fn article(text: &str) -> &'static str {
    let first = text.chars().find(|c| !matches!(c, '\'' | '"'));
    match first.map(|c| c.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}
