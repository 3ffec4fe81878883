//! Conditions of collectors in PuppetDB's AST query language.

use puppetfn_base::error::{Error, ErrorKind};
use serde_json::Value as Json;

use crate::StoredResource;

/// Returns true if a resource meets a condition.
///
/// Unlike `==` in Puppet code, PuppetDB distinguishes upper from lower case, and a list only equals a list.
///
/// # Errors
/// Fails if the condition is none that collectors have.
pub fn matches(condition: &Json, resource: &StoredResource) -> Result<bool, Error> {
    let Json::Array(parts) = condition else { return Err(unsupported(condition)) };
    match parts.as_slice() {
        [Json::String(operator), sides @ ..] if operator == "and" => {
            for side in sides {
                if !matches(side, resource)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        [Json::String(operator), sides @ ..] if operator == "or" => {
            for side in sides {
                if matches(side, resource)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        [Json::String(operator), side] if operator == "not" => matches(side, resource).map(|met| !met),
        [Json::String(operator), field, value] if operator == "=" => {
            equals(field, value, resource, condition)
        }
        _ => Err(unsupported(condition)),
    }
}

fn equals(field: &Json, value: &Json, resource: &StoredResource, condition: &Json) -> Result<bool, Error> {
    match (field, value) {
        (Json::String(field), Json::String(tag)) if field == "tag" => {
            Ok(resource.tags.iter().any(|known| known == tag))
        }
        (Json::String(field), value) if field == "title" => {
            Ok(value.as_str().is_some_and(|title| title == resource.title))
        }
        (Json::Array(path), value) => match path.as_slice() {
            [Json::String(kind), Json::String(name)] if kind == "parameter" => {
                Ok(resource.parameters.get(name) == Some(value))
            }
            _ => Err(unsupported(condition)),
        },
        _ => Err(unsupported(condition)),
    }
}

#[cold]
fn unsupported(condition: &Json) -> Error {
    Error::new(ErrorKind::Evaluation, format!("not a condition of a collector: {condition}"))
}
