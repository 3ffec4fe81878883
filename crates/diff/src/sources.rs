//! The content of files whose source is a file of a module.

use glob::Pattern;
use puppetfn_catalog::{Catalog, CatalogResource};
use puppetfn_types::value::Value;
use sha2::{Digest, Sha256};

/// The files of modules that catalogs name as sources.
pub trait Sources {
    /// Returns the content of a file.
    fn file(&self, source: &str) -> Option<Vec<u8>>;

    /// Returns the sorted paths of all files below a directory, with fingerprints of their content.
    fn directory(&self, source: &str) -> Option<Vec<(String, String)>>;
}

/// Sets the content of files that have a source and no content, from the first source that `known` has: text unchanged,
/// other content as a digest. The content of a recursively copied directory is the list of its files with fingerprints.
pub fn read_sources(catalog: &mut Catalog, known: &dyn Sources) {
    let files = catalog.resources_mut().filter(|resource| &**resource.reference.type_name() == "File");
    for resource in files.filter(|resource| !resource.parameters.contains_key("content")) {
        let Some(source) = resource.parameters.get("source") else { continue };
        let mut texts = items(source).iter().filter_map(text);
        let file = texts
            .clone()
            .find_map(|source| known.file(source))
            .map(|content| String::from_utf8(content).unwrap_or_else(|binary| digest(binary.as_bytes())));
        let content = match file {
            None if is_copied_whole(resource) => {
                let is_merged = resource.parameters.get("sourceselect").and_then(text) == Some("all");
                let mut found =
                    texts.by_ref().filter_map(|source| Some(listed(resource, known.directory(source)?)));
                if is_merged { Some(found.collect::<String>()) } else { found.next() }
            }
            other => other,
        };
        let Some(content) = content else { continue };
        resource.parameters.insert("content".into(), Value::String(content.into()));
    }
}

/// Returns true if a directory is copied with all files in it.
fn is_copied_whole(resource: &CatalogResource) -> bool {
    match resource.parameters.get("recurse") {
        Some(Value::Boolean(recurse)) => *recurse,
        Some(other) => matches!(text(other), Some("true" | "remote" | "inf")),
        None => false,
    }
}

/// Returns the copied files of a directory, one on each line, without ignored files and files below `recurselimit`.
fn listed(resource: &CatalogResource, files: Vec<(String, String)>) -> String {
    let ignored = resource.parameters.get("ignore").map(items).unwrap_or_default();
    let patterns: Vec<Pattern> = ignored.iter().filter_map(|name| Pattern::new(text(name)?).ok()).collect();
    let limit = match resource.parameters.get("recurselimit") {
        Some(Value::Integer(limit)) => usize::try_from(*limit).ok(),
        Some(limit) => text(limit).and_then(|limit| limit.parse().ok()),
        None => None,
    };
    let is_copied = |path: &str| {
        path.split('/').count() <= limit.unwrap_or(usize::MAX)
            && !path.split('/').any(|name| patterns.iter().any(|pattern| pattern.matches(name)))
    };
    let copied = files.into_iter().filter(|(path, _)| is_copied(path));
    copied.map(|(path, content)| format!("{path} {content}\n")).collect()
}

fn items(value: &Value) -> &[Value] {
    if let Value::Array(items) = value { items } else { std::slice::from_ref(value) }
}

fn text(value: &Value) -> Option<&str> {
    if let Value::String(text) = value { Some(text) } else { None }
}

/// Returns the digest of content that is not text, in Puppet's notation.
fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold("{sha256}".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}
