//! Files with data about nodes: facts and trusted data.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::CompileFailure;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::value::{Hash, Value};

/// The first line of the YAML in which Puppet stores facts.
const FACTS_OBJECT: &str = "--- !ruby/object:Puppet::Node::Facts";

/// A source of a node's facts.
#[derive(Clone, Debug, Default)]
pub enum FactSource {
    /// No facts.
    #[default]
    None,
    /// A file in any format in which facts are exported.
    File(PathBuf),
    /// The facts themselves.
    Values(Hash),
}

impl FactSource {
    /// Returns the file, if one is named.
    pub fn of_file(path: Option<&Path>) -> Self {
        path.map_or(Self::None, |path| Self::File(path.to_owned()))
    }

    pub(crate) fn read(&self, node: Option<&str>, limits: &Limits) -> Result<FactsFile, CompileFailure> {
        match self {
            Self::None => Ok(FactsFile::default()),
            Self::File(path) if path.is_dir() => Err(CompileFailure::setting(
                "facts",
                format!(
                    "{0} is a directory, expected the file of one node; `puppetfn compile --nodes {0}` takes directories",
                    path.display()
                ),
            )),
            Self::File(path) => FactsFile::read(path, node, limits),
            Self::Values(values) => {
                Ok(FactsFile { values: sanitized(values.clone()), ..FactsFile::default() })
            }
        }
    }
}

/// The facts of a node, and other data of their file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FactsFile {
    /// The facts by name.
    pub values: Hash,
    /// The trusted facts, if the file has them.
    pub trusted: Option<Hash>,
    /// The name of the node, if the file has it.
    pub node: Option<String>,
}

impl FactsFile {
    /// Reads the facts in any form in which they are exported: as Facter prints them, as `puppet facts` does, as
    /// PuppetDB answers queries of facts, fact sets and inventories. Of several nodes, the facts of the requested node
    /// are taken.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or has no facts of the node.
    pub fn read(path: &Path, node: Option<&str>, limits: &Limits) -> Result<Self, CompileFailure> {
        let wrong = |problem: String| wrong("facts", path, &problem);
        let found = match read("facts", path, limits)? {
            Value::Hash(hash) => Self::of_hash(&hash),
            Value::Array(items) => Self::of_rows(&items, node).map_err(wrong)?,
            _ => return Err(wrong("expected a JSON object, with a value by each name".to_owned())),
        };
        Ok(Self { values: sanitized(found.values), ..found })
    }

    fn of_hash(hash: &Hash) -> Self {
        let text = |key| match hash.get_str(key) {
            Some(Value::String(text)) => Some(text.to_string()),
            _ => None,
        };
        let node = text("certname").or_else(|| text("name"));
        let exported = match (hash.get_str("values"), hash.get_str("facts")) {
            (Some(Value::Hash(values)), _) => Some(Hash::clone(values)),
            (_, Some(Value::Hash(facts))) => match facts.get_str("data") {
                Some(Value::Array(rows)) => named(rows),
                _ => Some(Hash::clone(facts)),
            },
            _ => None,
        };
        match exported {
            Some(values) if node.is_some() => {
                let trusted = match hash.get_str("trusted") {
                    Some(Value::Hash(trusted)) => Some(Hash::clone(trusted)),
                    _ => certain(&values),
                };
                Self { values, trusted, node }
            }
            _ => Self { trusted: certain(hash), values: hash.clone(), node: None },
        }
    }

    /// Returns the facts in an answer of PuppetDB: a row for each fact, or for each node.
    fn of_rows(rows: &[Value], node: Option<&str>) -> Result<Self, String> {
        let certname = |row: &Value| match row {
            Value::Hash(row) => match row.get_str("certname") {
                Some(Value::String(name)) => Some(name.to_string()),
                _ => None,
            },
            _ => None,
        };
        let mut names: Vec<String> = rows.iter().filter_map(certname).collect();
        names.dedup();
        let name = match (names.as_slice(), node) {
            ([], _) => return Err("expected a JSON object, or rows of PuppetDB with a certname".to_owned()),
            ([name], _) => name.clone(),
            (names, Some(node)) if names.iter().any(|name| name == node) => node.to_owned(),
            (names, Some(node)) => {
                return Err(format!("there are no facts of {node}, only facts of {}", names.join(", ")));
            }
            (names, None) => return Err(format!("there are facts of several nodes: {}", names.join(", "))),
        };
        let own: Vec<Value> =
            rows.iter().filter(|row| certname(row).as_ref() == Some(&name)).cloned().collect();
        if let Some(values) = named(&own) {
            return Ok(Self { trusted: certain(&values), values, node: Some(name) });
        }
        match own.as_slice() {
            [Value::Hash(row)] => Ok(Self::of_hash(row)),
            _ => Err(format!("expected a row for each fact of {name}, with its name and value")),
        }
    }
}

/// Returns facts as Puppet sanitizes an agent's: facts without a value become empty strings. See `Facts#sanitize` in Puppet's
/// `node/facts.rb`.
fn sanitized(facts: Hash) -> Hash {
    fn value(fact: &Value) -> Value {
        match fact {
            Value::Undef => "".into(),
            Value::Hash(hash) => {
                Value::Hash(Arc::new(hash.iter().map(|(name, fact)| (value(name), value(fact))).collect()))
            }
            Value::Array(items) => items.iter().map(value).collect::<Vec<_>>().into(),
            other => other.clone(),
        }
    }
    let is_missing = |fact: &Value| matches!(fact, Value::Undef | Value::Hash(_) | Value::Array(_));
    if !facts.iter().any(|(_, fact)| is_missing(fact)) {
        return facts;
    }
    facts.iter().map(|(name, fact)| (name.clone(), value(fact))).collect()
}

/// Returns the values of rows that have a name and a value each.
fn named(rows: &[Value]) -> Option<Hash> {
    let row = |row: &Value| match row {
        Value::Hash(row) => Some((row.get_str("name")?.clone(), row.get_str("value")?.clone())),
        _ => None,
    };
    rows.iter().map(row).collect()
}

/// Returns the trusted facts of the node, as PuppetDB stores them among the facts.
fn certain(facts: &Hash) -> Option<Hash> {
    match facts.get_str("trusted") {
        Some(Value::Hash(trusted)) => {
            let is_complete =
                ["authenticated", "certname", "extensions"].iter().all(|key| trusted.get_str(key).is_some());
            is_complete.then(|| Hash::clone(trusted))
        }
        _ => None,
    }
}

/// Returns the hash in the file that a setting names.
pub(crate) fn read_hash(setting: &'static str, path: &Path, limits: &Limits) -> Result<Hash, CompileFailure> {
    match read(setting, path, limits)? {
        Value::Hash(hash) => Ok(Arc::unwrap_or_clone(hash)),
        _ => Err(wrong(setting, path, "expected a JSON object, with a value by each name")),
    }
}

/// Returns the data in a file: JSON, or else YAML.
fn read(setting: &'static str, path: &Path, limits: &Limits) -> Result<Value, CompileFailure> {
    let text = StdFileSystem::new(limits)
        .read_named_text(path)
        .map_err(|error| wrong(setting, path, &error.to_string()))?;
    parse(&text, limits).map_err(|problem| wrong(setting, path, &problem))
}

/// Parses the data of a text: as JSON if it begins as JSON does, otherwise as YAML.
fn parse(text: &str, limits: &Limits) -> Result<Value, String> {
    if text.trim_start().starts_with(['{', '[']) {
        let parsed = json::parse(text, limits).map_err(|error| error.to_string())?;
        return parsed.map_err(|error| format!("not JSON: {error}"));
    }
    let plain = text.strip_prefix(FACTS_OBJECT).map(|rest| format!("---{rest}"));
    let parsed = yaml::parse(plain.as_deref().unwrap_or(text), limits);
    parsed.map_err(|error| error.to_string())?.map_err(|error| format!("not YAML: {error}"))
}

fn wrong(setting: &'static str, path: &Path, problem: &str) -> CompileFailure {
    CompileFailure::setting(setting, format!("{}: {problem}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str, node: Option<&str>) -> Result<FactsFile, String> {
        match parse(text, &Limits::DEFAULT)? {
            Value::Hash(hash) => Ok(FactsFile::of_hash(&hash)),
            Value::Array(rows) => FactsFile::of_rows(&rows, node),
            _ => Err("no facts".to_owned()),
        }
    }

    #[test]
    fn facts_are_read_in_all_forms_in_which_they_are_exported() {
        for text in [
            r#"{"name": "web", "values": {"kernel": "Linux"}, "timestamp": "2024-01-01T00:00:00Z"}"#,
            "--- !ruby/object:Puppet::Node::Facts\nname: web\nvalues:\n  kernel: Linux\ntimestamp: '2024'\n",
            r#"{"certname": "web", "environment": "production", "values": {"kernel": "Linux"}}"#,
            r#"[{"certname": "web", "environment": "production", "name": "kernel", "value": "Linux"},
                {"certname": "db", "environment": "production", "name": "kernel", "value": "BSD"}]"#,
            r#"[{"certname": "web", "facts": {"href": "/x", "data": [{"name": "kernel", "value": "Linux"}]}}]"#,
            r#"{"certname": "web", "facts": {"kernel": "Linux"}}"#,
        ] {
            let found = facts(text, Some("web")).unwrap();
            assert_eq!(found.values, [("kernel".into(), "Linux".into())].into_iter().collect(), "{text}");
            assert_eq!((found.node.as_deref(), found.trusted), (Some("web"), None), "{text}");
        }
        for text in [r#"{"values": {"a": 1}, "kernel": "Linux"}"#, "values: {a: 1}\nkernel: Linux\n"] {
            assert_eq!(facts(text, None).unwrap().values.len(), 2, "{text}");
        }
    }

    #[test]
    fn what_is_certain_of_a_node_is_kept_with_facts() {
        let trusted = r#"{"authenticated": "remote", "certname": "web", "extensions": {}}"#;
        let certname = |text: &str| facts(text, None).unwrap().trusted?.get_str("certname").cloned();
        for text in [
            format!(r#"{{"certname": "web", "facts": {{"a": 1}}, "trusted": {trusted}}}"#),
            format!(r#"{{"trusted": {trusted}}}"#),
            format!(r#"[{{"certname": "web", "name": "trusted", "value": {trusted}}}]"#),
        ] {
            assert_eq!(certname(&text), Some("web".into()), "{text}");
        }
        assert_eq!(certname(r#"{"trusted": {"certname": "web"}}"#), None);
    }

    #[test]
    fn what_are_no_facts_is_said() {
        let rows =
            r#"[{"certname": "a", "name": "x", "value": 1}, {"certname": "b", "name": "x", "value": 1}]"#;
        assert_eq!(facts(rows, None).unwrap_err(), "there are facts of several nodes: a, b");
        assert_eq!(facts(rows, Some("c")).unwrap_err(), "there are no facts of c, only facts of a, b");
        let problem = facts("[1]", None).unwrap_err();
        assert_eq!(problem, "expected a JSON object, or rows of PuppetDB with a certname");
        assert!(facts("a: [1\n", None).unwrap_err().starts_with("not YAML: "));
    }
}
