//! Validation of attributes as Puppet types: a value that does not match makes the resource fail with the type's message.

use std::rc::Rc;

use puppetfn_catalog::Requirement;

use super::value::{RegexpLiteral, StaticValue};

/// A path of some system.
pub const ABSOLUTE: &str = r"\A(/|[A-Za-z]:[/\\]|\\\\|//)";
/// Placeholder in messages for the value's `inspect`.
pub const INSPECTED: &str = "%{inspect}";
/// Placeholder in messages for the value.
pub const SHOWN: &str = "%{value}";
/// Placeholder in messages for the value's class.
pub const CLASS: &str = "%{class}";

/// Returns the requirement of `newvalues` and the like: one of the values or their aliases.
pub fn of_values(values: &[StaticValue], aliases: &[&str]) -> Requirement {
    let patterns: Vec<&Rc<RegexpLiteral>> = values
        .iter()
        .filter_map(|value| match value {
            StaticValue::Regexp(pattern) => Some(pattern),
            _ => None,
        })
        .collect();
    let names =
        values.iter().filter(|value| !matches!(value, StaticValue::Regexp(_))).filter_map(StaticValue::to_s);
    let names: Vec<String> = unique(names);
    let mut message = format!("Invalid value {INSPECTED}.");
    if !names.is_empty() {
        message.push_str(&format!(" Valid values are {}.", names.join(", ")));
    }
    if !patterns.is_empty() {
        let shown: Vec<String> = patterns.iter().map(|pattern| pattern.inspect()).collect();
        message.push_str(&format!(" Valid values match {}.", shown.join(", ")));
    }
    let all: Vec<String> = names.into_iter().chain(aliases.iter().map(|&name| name.to_owned())).collect();
    let patterns: Vec<&RegexpLiteral> = patterns.into_iter().map(Rc::as_ref).collect();
    Requirement {
        type_text: type_of_values(&all, &patterns),
        is_refused: false,
        as_text: true,
        message,
        ..Requirement::default()
    }
}

/// Returns the requirements of `Puppet::Parameter::Path`.
pub fn of_path(name: &str, accepts_arrays: bool) -> Vec<Requirement> {
    let single = Requirement {
        type_text: "Array".to_owned(),
        is_refused: true,
        message: format!("{name} only accepts a single path, not an array of paths"),
        ..Requirement::default()
    };
    let absolute = Requirement {
        type_text: format!("Variant[{}, Numeric, Boolean, Collection]", path_type()),
        of_each: accepts_arrays,
        message: format!("{name} must be a fully qualified path"),
        ..Requirement::default()
    };
    (!accepts_arrays).then_some(single).into_iter().chain([absolute]).collect()
}

/// Returns the requirement of the munging of `Puppet::Parameter::Boolean`, for a parameter with another validation.
pub fn of_boolean(name: &str) -> Requirement {
    Requirement {
        type_text: r"Variant[Boolean, Pattern[Regexp['(?i:\A(true|false|yes|no)\z)']]]".to_owned(),
        message: format!("Munging failed for value {INSPECTED} in class {name}: expected a boolean value"),
        ..Requirement::default()
    }
}

/// Returns the type of absolute paths of some system.
fn path_type() -> String {
    format!("Pattern[Regexp[{}]]", quoted(ABSOLUTE))
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Returns a type in the Puppet language.
pub fn type_of_values(names: &[String], patterns: &[&RegexpLiteral]) -> String {
    let mut types = Vec::new();
    if !names.is_empty() {
        let quoted: Vec<String> = unique(names.iter().cloned()).iter().map(|name| quoted(name)).collect();
        types.push(format!("Enum[{}]", quoted.join(", ")));
    }
    types.extend(patterns.iter().map(|one| pattern(one)));
    for truth in ["true", "false"] {
        if names.iter().any(|name| name == truth) || patterns.iter().any(|pattern| pattern.is_match(truth)) {
            types.push(format!("Boolean[{truth}]"));
        }
    }
    let starts_with_digit = |name: &String| {
        name.lines()
            .any(|line| line.strip_prefix('-').unwrap_or(line).starts_with(|c: char| c.is_ascii_digit()))
    };
    if !patterns.is_empty() || names.iter().any(starts_with_digit) {
        types.push("Numeric".to_owned());
    }
    if !patterns.is_empty() {
        types.push("Collection".to_owned());
    }
    format!("Variant[{}]", types.join(", "))
}

/// Returns the type of texts that a regular expression matches.
pub fn pattern(pattern: &RegexpLiteral) -> String {
    let source = if pattern.options.is_empty() { pattern.source.clone() } else { pattern.with_options() };
    format!("Pattern[Regexp[{}]]", quoted(&source))
}

/// Returns a text in the Puppet language.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
