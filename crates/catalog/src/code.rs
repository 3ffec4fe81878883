//! Resources and values as Puppet code.

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::format;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::value::{DoubleQuoted, Hash, Value};

use super::{Draft, RELATIONSHIPS, Reference, Resource};

/// Placeholder for values that must not be shown.
const REDACTED: &str = "Sensitive('redacted')";

impl Draft {
    /// Returns a declaration for each resource that code has declared, in the order of the catalog, without virtual resources.
    ///
    /// # Errors
    /// Fails if a value cannot be formatted.
    pub fn to_code(&self, limits: &Limits) -> Result<String, Error> {
        let mut code = String::new();
        for resource in self.resources().filter(|resource| !resource.is_virtual() && !is_given(resource)) {
            if !code.is_empty() {
                code.push('\n');
            }
            write_resource(resource, limits, &mut code)?;
        }
        Ok(code)
    }
}

/// Returns true if a resource exists without a declaration: the resources of every catalog, and nodes.
fn is_given(resource: &Resource) -> bool {
    match resource.type_name() {
        "Class" => matches!(resource.title(), "main" | "Settings"),
        "Stage" => resource.title() == "main",
        other => other == "Node",
    }
}

fn write_resource(resource: &Resource, limits: &Limits, code: &mut String) -> Result<(), Error> {
    let place = resource.place().map(|place| match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (file, line) => {
            file.as_deref().map(str::to_owned).unwrap_or_else(|| format!("line {}", line.unwrap_or(0)))
        }
    });
    if let Some(place) = place {
        code.push_str(&format!("# {place}\n"));
    }
    let type_name = resource.type_name().to_lowercase();
    let title =
        if resource.is_class() { resource.title().to_lowercase() } else { resource.title().to_owned() };
    let parameters = parameters(resource, limits)?;
    code.push_str(&format!("{type_name} {{ {}:", quoted(&title)));
    if parameters.is_empty() {
        code.push_str(" }\n");
        return Ok(());
    }
    code.push('\n');
    let width = parameters.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in parameters {
        code.push_str(&format!("  {name:width$} => {value},\n"));
    }
    code.push_str("}\n");
    Ok(())
}

/// Returns the parameters that were given, sorted as `puppet resource` does: `ensure` comes first.
fn parameters<'r>(resource: &'r Resource, limits: &Limits) -> Result<Vec<(&'r str, String)>, Error> {
    let mut found = Vec::new();
    for (name, value) in resource.given_parameters() {
        if matches!(value, Value::Undef) {
            continue;
        }
        let is_sensitive = resource.sensitive_parameters().any(|sensitive| sensitive == name);
        let value = if RELATIONSHIPS.contains(&name) { &references(value) } else { value };
        found.push((name, if is_sensitive { REDACTED.to_owned() } else { value_code(value, 1, limits)? }));
    }
    found.sort_by_key(|(name, _)| (*name != "ensure", *name));
    Ok(found)
}

/// Returns the targets of a relationship, as references also where strings name them.
fn references(value: &Value) -> Value {
    match value {
        Value::String(_) => {
            Reference::of_value(value).map_or_else(|| value.clone(), |other| other.to_type().into())
        }
        Value::Array(items) => items.iter().map(references).collect::<Vec<_>>().into(),
        other => other.clone(),
    }
}

/// Returns a value as code, within this many levels of indentation. Sensitive values are redacted.
///
/// # Errors
/// Fails if a value cannot be formatted.
pub fn value_code(value: &Value, level: usize, limits: &Limits) -> Result<String, Error> {
    Ok(match value {
        Value::Undef => "undef".to_owned(),
        Value::Default => "default".to_owned(),
        Value::String(text) => quoted(text),
        Value::Sensitive(_) => REDACTED.to_owned(),
        Value::Array(items) => {
            let items: Vec<String> =
                items.iter().map(|item| value_code(item, level, limits)).collect::<Result<_, _>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Hash(hash) => hash_code(hash, level, limits)?,
        Value::Type(t) => match reference_code(t) {
            Some(code) => code,
            None => format(value, &"%p".into(), limits)?,
        },
        other => format(other, &"%p".into(), limits)?,
    })
}

/// Returns a reference to a class, a resource, or all resources of a type, as code.
fn reference_code(t: &Type) -> Option<String> {
    let (Type::Class(_) | Type::Resource(_)) = t else { return None };
    let Some(reference) = Reference::of_type(t) else {
        let Type::Resource(all) = t else { return None };
        return all.type_name.as_deref().map(capitalize_segments);
    };
    let is_class = &**reference.type_name() == "Class";
    let title = if is_class { &reference.title().to_lowercase() } else { &**reference.title() };
    Some(format!("{}[{}]", reference.type_name(), quoted(title)))
}

/// Returns a value as code on one line, which is cut after this many characters. Sensitive values are redacted.
///
/// # Errors
/// Fails if a value cannot be formatted.
pub fn value_line(value: &Value, longest: usize, limits: &Limits) -> Result<String, Error> {
    let code = value_code(value, 0, limits)?;
    let code = code.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
    Ok(match code.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", code.get(..end).unwrap_or_default()),
        None => code,
    })
}

fn hash_code(hash: &Hash, level: usize, limits: &Limits) -> Result<String, Error> {
    if hash.is_empty() {
        return Ok("{}".to_owned());
    }
    let within = "  ".repeat(level.saturating_add(1));
    let keys = hash.iter().map(|(key, _)| value_code(key, level, limits)).collect::<Result<Vec<_>, _>>()?;
    let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
    let mut text = "{\n".to_owned();
    for (key, (_, value)) in keys.iter().zip(hash.iter()) {
        let value = value_code(value, level.saturating_add(1), limits)?;
        text.push_str(&format!("{within}{key:width$} => {value},\n"));
    }
    text.push_str(&"  ".repeat(level));
    text.push('}');
    Ok(text)
}

/// Returns a string as code that any reader takes for the same.
fn quoted(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return DoubleQuoted(text).to_string();
    }
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
