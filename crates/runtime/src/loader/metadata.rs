//! The `metadata.json` of a module.
//!
//! See Puppet's `module.rb`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json::from_json;

/// The keys that Puppet requires, in the order in which it checks them.
const REQUIRED: [&str; 5] = ["source", "author", "version", "license", "dependencies"];

/// The metadata of a module.
#[derive(Default)]
pub(super) struct Metadata {
    /// The names of the modules that it depends on; `None` if it does not say.
    pub dependencies: Option<Vec<Arc<str>>>,
    /// The reason for which Puppet would ignore the module.
    pub fault: Option<MetadataFault>,
}

/// A fault in metadata.
pub(super) enum MetadataFault {
    /// The file is not JSON. The severity depends on `strict`.
    Malformed(String),
    /// The file cannot be read, or lacks a key.
    Unusable(String),
}

impl Metadata {
    /// Reads the metadata of the module in a directory. A module may lack the file.
    pub fn read(files: &dyn FileSystem, root: &Path, module: &str) -> Self {
        let content = match files.read(&root.join("metadata.json")) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::default(),
            Err(error) => {
                let message = format!("{module} has a metadata.json file that cannot be read: {error}");
                return Self::faulty(MetadataFault::Unusable(message));
            }
        };
        if content.is_empty() {
            return Self::default();
        }
        match serde_json::from_slice(&content) {
            Ok(Json::Object(metadata)) if metadata.is_empty() => Self::default(),
            Ok(Json::Object(metadata)) => Self {
                dependencies: Some(dependencies(&metadata)),
                fault: incomplete(&metadata, module).map(MetadataFault::Unusable),
            },
            Ok(Json::Array(items)) if items.is_empty() => Self::default(),
            Ok(other) => Self::faulty(MetadataFault::Unusable(format!(
                "The file metadata.json of the module {module} must have an object, not: '{}'",
                shown(&other)
            ))),
            Err(error) => Self::faulty(MetadataFault::Malformed(format!(
                "{module} has an invalid and unparsable metadata.json file. The parse error: {error}"
            ))),
        }
    }

    fn faulty(fault: MetadataFault) -> Self {
        Self { dependencies: None, fault: Some(fault) }
    }
}

/// Checks that Puppet uses the module in a directory: it does without modules whose `metadata.json` lacks members that it requires. A
/// malformed file counts if evaluation is strict, that is, if Puppet's setting `strict` is `error`.
///
/// # Errors
/// Fails with Puppet's message about the file.
pub fn check_module(
    files: &dyn FileSystem,
    root: &Path,
    module: &str,
    is_strict: bool,
) -> Result<(), String> {
    match Metadata::read(files, root, module).fault {
        Some(MetadataFault::Unusable(message)) => Err(message),
        Some(MetadataFault::Malformed(message)) if is_strict => Err(message),
        Some(MetadataFault::Malformed(_)) | None => Ok(()),
    }
}

fn dependencies(metadata: &Map<String, Json>) -> Vec<Arc<str>> {
    let dependencies = metadata.get("dependencies").and_then(Json::as_array);
    dependencies.into_iter().flatten().filter_map(module_name).collect()
}

/// Returns the name of the module without its author: `puppetlabs/stdlib` or `puppetlabs-stdlib`.
fn module_name(dependency: &Json) -> Option<Arc<str>> {
    let name = dependency.get("name")?.as_str()?;
    name.split_once(['/', '-']).map(|(_, name)| name.into())
}

/// Returns Puppet's message for the first missing or malformed key.
fn incomplete(metadata: &Map<String, Json>, module: &str) -> Option<String> {
    let given = |key: &str| metadata.get(key).filter(|value| !value.is_null());
    if let Some(missing) = REQUIRED.iter().find(|key| given(key).is_none()) {
        return Some(format!("No {missing} module metadata provided for {module}"));
    }
    let dependencies = given("dependencies").filter(|dependencies| !dependencies.is_array())?;
    Some(format!(
        "The value for the key dependencies in the file metadata.json of the module {module} must be an array, not: '{}'",
        shown(dependencies)
    ))
}

/// Returns a value as Ruby shows it in a text.
fn shown(json: &Json) -> String {
    let value = from_json(json, &Limits::FURTHEST);
    value.and_then(|value| value.ruby_to_s(&Limits::FURTHEST)).unwrap_or_else(|_| json.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_in_the_order_of_puppet() {
        let complete =
            ["source", "author", "version", "license"].map(|key| (key.to_owned(), Json::from("x")));
        let mut metadata: Map<String, Json> = complete.into_iter().collect();
        assert_eq!(
            incomplete(&metadata, "m").as_deref(),
            Some("No dependencies module metadata provided for m")
        );
        metadata.insert("dependencies".into(), serde_json::json!({"a": [1, null]}));
        assert_eq!(
            incomplete(&metadata, "m").as_deref(),
            Some(
                "The value for the key dependencies in the file metadata.json of the module m must be an array, not: '{\"a\"=>[1, nil]}'"
            )
        );
        metadata.insert("license".into(), Json::Null);
        metadata.insert("dependencies".into(), serde_json::json!([]));
        assert_eq!(incomplete(&metadata, "m").as_deref(), Some("No license module metadata provided for m"));
        metadata.insert("license".into(), Json::from("MIT"));
        assert_eq!(incomplete(&metadata, "m"), None);
    }
}
