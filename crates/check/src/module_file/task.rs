//! The metadata of tasks, `tasks/NAME.json`.

use super::JsonFindings;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::{Hash, Value};

/// The fields of a task.
const FIELDS: [&str; 10] = [
    "description",
    "extensions",
    "files",
    "implementations",
    "input_method",
    "parameters",
    "private",
    "puppet_task_version",
    "remote",
    "supports_noop",
];

/// The ways in which a task gets its parameters.
const INPUT_METHODS: [&str; 4] = ["both", "environment", "powershell", "stdin"];

pub(super) fn findings(found: &mut JsonFindings<'_>, task: &Hash) {
    for (field, _) in task.iter() {
        if let Value::String(field) = field
            && !FIELDS.contains(&&**field)
        {
            found.warning(field, format!("The metadata of a task has no field '{field}'"));
        }
    }
    for field in ["private", "remote", "supports_noop"] {
        if !matches!(task.get_str(field), None | Some(Value::Boolean(_))) {
            found.error(field, format!("The field '{field}' must be true or false"));
        }
    }
    match task.get_str("input_method") {
        None => {}
        Some(Value::String(method)) if INPUT_METHODS.contains(&&**method) => {}
        Some(_) => {
            found.error(
                "input_method",
                format!("The field 'input_method' must be one of {}", INPUT_METHODS.join(", ")),
            );
        }
    }
    for field in ["files", "implementations"] {
        if !matches!(task.get_str(field), None | Some(Value::Array(_))) {
            found.error(field, format!("The field '{field}' must be an array"));
        }
    }
    if let Some(Value::Array(implementations)) = task.get_str("implementations") {
        implementations.iter().for_each(|one| implementation(found, one));
    }
    match task.get_str("parameters") {
        None => {}
        Some(Value::Hash(parameters)) => {
            for (name, parameter) in parameters.iter() {
                if let Value::String(name) = name {
                    self::parameter(found, name, parameter);
                }
            }
        }
        Some(_) => found.error("parameters", "The field 'parameters' must be an object"),
    }
}

/// Checks an implementation: the name of its file, and its requirements.
fn implementation(found: &mut JsonFindings<'_>, implementation: &Value) {
    let Value::Hash(fields) = implementation else {
        return found.error("implementations", "Each implementation of a task must be an object".to_owned());
    };
    if !matches!(fields.get_str("name"), Some(Value::String(_))) {
        found.error("implementations", "An implementation of a task must have the name of a file".to_owned());
    }
    if !matches!(fields.get_str("requirements"), None | Some(Value::Array(_))) {
        found.error(
            "requirements",
            "Task metadata for task does not specify requirements as an array".to_owned(),
        );
    }
}

/// Checks a parameter: its name, and its type.
fn parameter(found: &mut JsonFindings<'_>, name: &str, parameter: &Value) {
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !is_name {
        found.error(name, format!("'{name}' is no name of a parameter"));
    }
    let Value::Hash(parameter) = parameter else {
        return found.error(name, format!("The parameter '{name}' must be an object"));
    };
    match parameter.get_str("type") {
        None => {}
        Some(Value::String(text)) => match parse(text, &NoAliases, found.limits) {
            // Types of modules are not looked up.
            Ok(Type::Reference(reference)) if !reference.contains("::") => {
                found.error(text, format!("The type '{text}' of the parameter '{name}' does not exist"));
            }
            Ok(_) => {}
            Err(error) => {
                let message = format!("The type of the parameter '{name}' is invalid: {}", error.message());
                found.error(text, message);
            }
        },
        Some(_) => found.error(name, format!("The type of the parameter '{name}' must be a text")),
    }
}
