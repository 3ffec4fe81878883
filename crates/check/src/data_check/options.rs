//! The effects of `lookup_options` on values.

use std::sync::Arc;

use crate::abstraction::{type_of, unknown_of};
use puppetfn_base::error::ErrorKind;
use puppetfn_base::limits::Limits;
use puppetfn_runtime::builtin;
use puppetfn_types::function::NoHost;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::Value;

/// The merge of a key's values in several files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MergeBehavior {
    /// The first one counts.
    First,
    /// The elements of arrays, and single values, each once.
    Unique,
    /// The keys of hashes.
    Hash,
    /// Hashes and arrays, recursively; with the prefix of texts that remove elements (`knockout_prefix`).
    Deep(Option<Arc<str>>),
}

impl MergeBehavior {
    /// Returns the merge that a value stands for, if it is valid.
    pub fn of(merge: Option<&Value>) -> Option<Self> {
        let (name, knockout) = match merge {
            None | Some(Value::Undef | Value::Boolean(false)) => return Some(Self::First),
            Some(Value::String(name)) => (Arc::clone(name), None),
            Some(Value::Hash(hash)) => match (hash.get_str("strategy"), hash.get_str("knockout_prefix")) {
                (Some(Value::String(name)), Some(Value::String(prefix))) => {
                    (Arc::clone(name), Some(Arc::clone(prefix)))
                }
                (Some(Value::String(name)), None | Some(Value::Undef)) => (Arc::clone(name), None),
                _ => return None,
            },
            Some(_) => return None,
        };
        match &*name {
            "first" | "default" => Some(Self::First),
            "unique" => Some(Self::Unique),
            "hash" => Some(Self::Hash),
            "deep" | "unconstrained_deep" | "reverse_deep" => Some(Self::Deep(knockout)),
            _ => None,
        }
    }
}

/// Returns the message about the option `convert_to` of a key, if no value can be converted.
pub(super) fn refused_conversion(key: &str, convert_to: &Value, limits: &Limits) -> Option<String> {
    let t = match convert_to {
        Value::Array(items) => items.first()?,
        t => t,
    };
    let reason = match t {
        Value::String(text) => match parse(text, &NoAliases, limits) {
            Ok(Type::Reference(name)) => {
                format!("Creation of new instance of type 'TypeReference['{name}']' is not supported")
            }
            _ => return None,
        },
        Value::Integer(_) | Value::Float(_) | Value::Boolean(true) | Value::Hash(_) => {
            let actual = type_of(t, limits).generalize();
            format!("'new' parameter 'type' expects a Type value, got {actual}")
        }
        _ => return None,
    };
    Some(format!("The convert_to lookup_option for key '{key}' raised error: {reason}"))
}

/// Returns the result of `convert_to` for a value; `Ok(None)` if it is not known.
///
/// # Errors
/// The message of the lookup, if it is certain to fail.
pub(super) fn converted(
    key: &str,
    convert_to: &Value,
    value: &Value,
    limits: &Limits,
) -> Result<Option<Value>, String> {
    let (t, arguments) = match convert_to {
        Value::Array(items) => match items.split_first() {
            Some((t, arguments)) => (t, arguments),
            None => return Ok(None),
        },
        t => (t, &[][..]),
    };
    let Value::String(text) = t else { return Ok(None) };
    // Options cannot name types of modules.
    let t = parse(text, &NoAliases, limits).map_err(|error| {
        format!(
            "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{}'",
            error.message()
        )
    })?;
    // The result is of the type, whatever the value is.
    if value.contains_unknown() {
        return Ok(Some(unknown_of(&t)));
    }
    let Ok(Some(new)) = builtin::registry().get("new") else { return Ok(None) };
    let all: Vec<Value> = [t.into(), value.clone()].into_iter().chain(arguments.iter().cloned()).collect();
    match new.call(&NoHost, &all, None) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.as_signal().is_some() => Ok(None),
        Err(error) => match error.kind() {
            ErrorKind::ArgumentMismatch
            | ErrorKind::Conversion
            | ErrorKind::Evaluation
            | ErrorKind::TypeAssertion => {
                let reason = error.message().trim();
                Err(format!("The convert_to lookup_option for key '{key}' raised error: {reason}"))
            }
            _ => Ok(None),
        },
    }
}
