//! References to resources and classes: `File['/a']`, `Class['a', 'b']`.
//!
//! See Puppet's `pops/evaluator/access_operator.rb`.

use std::sync::Arc;

use super::{AccessFault, AccessResult, flatten, key_type};
use crate::eval::text::{with_article, with_article_uc};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::types::{ResourceType, Type};
use puppetfn_types::value::Value;
use puppetfn_types::value::label;

/// `Resource[...]`, or `Name[...]` of a resource type.
pub(super) fn of_resource(resource: &ResourceType, keys: &[Value], limits: &Limits) -> AccessResult {
    // `Resource[File]` is `File`.
    if let (None, [reference @ Value::Type(t)]) = (&resource.type_name, keys)
        && matches!(**t, Type::Resource(_))
    {
        return Ok(reference.clone());
    }
    let (type_name, keys) = match (&resource.type_name, keys.split_first()) {
        (Some(name), _) => (Arc::clone(name), keys),
        (None, Some((first, rest))) => (type_name(first)?, rest),
        (None, None) => return Ok(Value::Undef),
    };
    if let Some(title) = &resource.title {
        return Err(AccessFault::whole(format!("Resource not found: {type_name}['{title}']")));
    }
    let is_list = keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)));
    let titles: Vec<Value> =
        flatten(keys, limits)?.into_iter().filter(|key| !matches!(key, Value::Undef)).collect();
    if titles.is_empty() && !keys.is_empty() {
        return Ok(if is_list { Vec::new().into() } else { Value::Undef });
    }
    let reference =
        |title| Value::from(Type::Resource(Arc::new(ResourceType::new(Some(Arc::clone(&type_name)), title))));
    if titles.is_empty() {
        return Ok(reference(None));
    }
    // Puppet blames the wrong key if keys are nested: its index is off by one.
    let offset = usize::from(titles.len() != keys.len());
    let references = titles.iter().enumerate().map(|(index, title)| match title {
        Value::String(title) => Ok(reference(Some(Arc::clone(title)))),
        other => {
            let specialized = label(&Type::Resource(Arc::new(resource.clone())).into()).into_owned();
            Err(AccessFault::key(
                index.saturating_add(offset),
                format!(
                    "Error creating type specialization of {}, Cannot use {} where a resource title String is expected",
                    with_article(&specialized),
                    key_type(other)
                ),
            ))
        }
    });
    one_or_list(references.collect::<Result<_, _>>()?, is_list)
}

/// Returns the name of a resource type, from the first key of `Resource[...]`.
fn type_name(key: &Value) -> Result<Arc<str>, AccessFault> {
    let name: Arc<str> = match key {
        Value::String(name) => capitalize_segments(name).into(),
        Value::Type(t) if let Type::Resource(resource) = &**t => {
            resource.type_name.clone().unwrap_or_else(|| "Resource".into())
        }
        other => {
            return Err(AccessFault::key(
                0,
                format!(
                    "First argument to Resource[] must be a resource type or a String. Got {}.",
                    key_type(other)
                ),
            ));
        }
    };
    let is_name = |segment: &str| {
        segment.starts_with(|c: char| c.is_ascii_uppercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if name.strip_prefix("::").unwrap_or(&name).split("::").all(is_name) {
        return Ok(name);
    }
    Err(AccessFault::key(
        0,
        format!("Illegal type reference. The given name '{name}' does not conform to the naming rule"),
    ))
}

/// `Class[...]`.
pub(super) fn of_class(class: Option<&Arc<str>>, keys: &[Value], limits: &Limits) -> AccessResult {
    let is_list = keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)));
    let names: Vec<Value> =
        flatten(keys, limits)?.into_iter().filter(|key| !matches!(key, Value::Undef)).collect();
    if names.is_empty() {
        return Ok(if is_list { names.into() } else { Value::Undef });
    }
    if let Some(class) = class {
        return Err(AccessFault::whole(format!("Resource not found: Class['{class}']")));
    }
    let classes = names.iter().enumerate().map(|(index, name)| match name {
        Value::String(name) => class_name(name)
            .map(|name| Value::from(Type::Class(Some(name))))
            .ok_or_else(|| AccessFault::key(index, illegal_name(name))),
        other => Err(AccessFault::key(
            index,
            format!(
                "Illegal Class name in class reference. {} cannot be used where a String is expected",
                with_article_uc(&label(other))
            ),
        )),
    });
    one_or_list(classes.collect::<Result<_, _>>()?, is_list)
}

fn illegal_name(name: &str) -> String {
    format!(
        "Illegal name. The given name '{name}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/"
    )
}

/// Returns the name of a class in lower case, without `::` in front; `None` if it is no such name.
fn class_name(name: &str) -> Option<Arc<str>> {
    let name = name.to_lowercase();
    let name = name.strip_prefix("::").unwrap_or(&name);
    let is_word = |segment: &str| segment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let starts = |segment: &str, underscore: bool| {
        segment.starts_with(|c: char| c.is_ascii_lowercase() || underscore && c == '_')
    };
    let is_name =
        name.split("::").enumerate().all(|(index, segment)| is_word(segment) && starts(segment, index == 0));
    is_name.then(|| name.into())
}

fn one_or_list(mut values: Vec<Value>, is_list: bool) -> AccessResult {
    Ok(if is_list { values.into() } else { values.pop().unwrap_or(Value::Undef) })
}
