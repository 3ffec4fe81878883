//! `metadata.json`: Puppet cannot load a module without some fields. Other rules of the Forge and of metadata-json-lint are
//! warnings.

use std::collections::HashSet;

use super::JsonFindings;
use puppetfn_types::value::{Hash, SemVer, SemVerRange, Value};

/// The fields without which Puppet cannot load the module.
const REQUIRED: [&str; 5] = ["version", "author", "license", "source", "dependencies"];

/// The fields that the Forge requires besides these.
const OF_FORGE: [&str; 2] = ["name", "summary"];

/// The fields that are texts.
const TEXTS: [&str; 8] =
    ["name", "version", "author", "license", "summary", "source", "project_page", "issues_url"];

/// The fields that the Forge no longer accepts.
const REMOVED: [&str; 2] = ["types", "checksum"];

/// The longest summary that the Forge accepts, in characters.
const LONGEST_SUMMARY: usize = 144;

pub(super) fn findings(found: &mut JsonFindings<'_>, metadata: &Hash) {
    let missing: Vec<String> = REQUIRED
        .iter()
        .filter(|field| matches!(metadata.get_str(field), None | Some(Value::Undef)))
        .map(|field| format!("'{field}'"))
        .collect();
    if !missing.is_empty() {
        let message = format!("Puppet does not load the module: its metadata has no {}", missing.join(", "));
        found.error("", message);
    }
    for field in OF_FORGE.iter().filter(|field| metadata.get_str(field).is_none()) {
        found.warning("", format!("Required field '{field}' not found"));
    }
    for field in REMOVED.iter().filter(|field| metadata.get_str(field).is_some()) {
        found.warning(field, format!("Deprecated field '{field}' found"));
    }
    for field in TEXTS {
        if !matches!(metadata.get_str(field), None | Some(Value::String(_))) {
            found.warning(field, format!("The field '{field}' must be a text"));
        }
    }
    if let Some(Value::String(name)) = metadata.get_str("name") {
        own_name(found, name);
    }
    if let Some(Value::String(version)) = metadata.get_str("version")
        && SemVer::parse(version).is_err()
    {
        found.warning("version", format!("The version '{version}' is not a semantic version"));
    }
    if let Some(Value::String(summary)) = metadata.get_str("summary")
        && summary.chars().count() > LONGEST_SUMMARY
    {
        found.warning("summary", format!("Field 'summary' exceeds {LONGEST_SUMMARY} characters"));
    }
    match metadata.get_str("tags") {
        None | Some(Value::Array(_)) => {}
        Some(_) => found.warning("tags", "Tags must be in an array"),
    }
    listed(found, metadata, "dependencies", true);
    listed(found, metadata, "requirements", false);
    systems(found, metadata);
}

/// Checks the name of the module.
fn own_name(found: &mut JsonFindings<'_>, name: &str) {
    if module_of(name).is_none() {
        let message = format!("The field 'name' must be in the format AUTHOR-MODULE, not '{name}'");
        found.warning("name", message);
    }
}

/// Returns the name of a module without its author.
fn module_of(name: &str) -> Option<&str> {
    let (author, module) = name.split_once(['-', '/'])?;
    let is_author = !author.is_empty() && author.chars().all(|c| c.is_ascii_alphanumeric());
    let is_module = module.starts_with(|c: char| c.is_ascii_lowercase())
        && module.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (is_author && is_module).then_some(module)
}

/// Checks a list of names with ranges of versions.
fn listed(found: &mut JsonFindings<'_>, metadata: &Hash, field: &str, are_modules: bool) {
    let entries = match metadata.get_str(field) {
        None => return,
        Some(Value::Array(entries)) => entries,
        Some(_) if are_modules => return found.error(field, format!("The field '{field}' must be an array")),
        Some(_) => return found.warning(field, format!("The field '{field}' must be an array")),
    };
    let noun = if are_modules { "dependency" } else { "requirement" };
    let mut names = HashSet::new();
    for entry in entries.iter() {
        let Value::Hash(entry) = entry else {
            found.warning(field, format!("Each {noun} must be an object with a name"));
            continue;
        };
        let Some(Value::String(name)) = entry.get_str("name") else {
            found.warning(field, format!("A {noun} has no name"));
            continue;
        };
        if !names.insert(name.replace('/', "-")) {
            found.warning(name, format!("Duplicate {noun} on {name}"));
        }
        if are_modules && module_of(name).is_none() {
            found.warning(name, format!("The dependency '{name}' is not in the format AUTHOR/MODULE"));
        }
        if entry.get_str("version_range").is_some() {
            found.warning(
                "version_range",
                format!(
                    "Dependency {name} has a 'version_range' attribute which is no longer used by the forge."
                ),
            );
        }
        range(found, name, noun, entry.get_str("version_requirement"));
    }
}

/// Checks the range of versions of a module or program.
fn range(found: &mut JsonFindings<'_>, name: &str, noun: &str, range: Option<&Value>) {
    let range = match range {
        None => return found.warning(name, format!("The {noun} {name} has no 'version_requirement'")),
        Some(Value::String(range)) => range,
        Some(_) => return found.warning(name, format!("The version of {noun} {name} must be a text")),
    };
    if SemVerRange::parse(range, found.limits).is_err() {
        return found
            .warning(range, format!("Invalid 'version_requirement' field in {noun} {name}: '{range}'"));
    }
    let is_open = range.contains('>') && !range.contains('<') && !range.contains(" - ");
    if is_open {
        let message = format!("The {noun} {name} has an open ended version range: '{range}'");
        found.warning(range, message);
    }
}

/// Checks the operating systems that the module supports.
fn systems(found: &mut JsonFindings<'_>, metadata: &Hash) {
    const FIELD: &str = "operatingsystem_support";
    let entries = match metadata.get_str(FIELD) {
        None => return,
        Some(Value::Array(entries)) => entries,
        Some(_) => return found.warning(FIELD, format!("The field '{FIELD}' must be an array")),
    };
    for entry in entries.iter() {
        let releases = match entry {
            Value::Hash(entry) if matches!(entry.get_str("operatingsystem"), Some(Value::String(_))) => {
                entry.get_str("operatingsystemrelease")
            }
            _ => {
                found.warning(FIELD, "Each operating system must be an object with an 'operatingsystem'");
                continue;
            }
        };
        let are_texts = match releases {
            None => true,
            Some(Value::Array(releases)) => releases.iter().all(|one| matches!(one, Value::String(_))),
            Some(_) => false,
        };
        if !are_texts {
            found.warning(
                "operatingsystemrelease",
                "The releases of an operating system must be an array of texts",
            );
        }
    }
}
