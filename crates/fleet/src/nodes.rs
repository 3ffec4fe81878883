//! The nodes, and the files of their facts.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use puppetfn_base::error::Error;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::{json, yaml};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{FleetFailure, FleetResult};

/// The extensions of files of facts.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];
/// The placeholder for the name of a node in a path.
const PLACE: &str = "{}";

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FleetNode {
    /// The name.
    pub name: String,
    /// The file with its facts, if there is one.
    pub facts: Option<PathBuf>,
}

/// The source of nodes.
#[derive(Clone, Copy, Debug)]
pub struct NodeListOptions<'a> {
    /// A directory with a file of facts for each node, a file with the facts of nodes as PuppetDB exports them, or a list of names.
    pub source: &'a Path,
    /// The file of facts for a node on the list: a path with `{}` for the node's name.
    pub facts_for: Option<&'a str>,
    /// Whether nodes have the names that are in their facts, rather than the names of the files.
    pub named_by_facts: bool,
    /// The directory that an export's facts are split into, a file for each node.
    pub split: &'a Path,
    /// The limits of reading.
    pub limits: &'a Limits,
}

/// Returns the file of a node's facts in a directory, if it is there.
pub fn facts_in(directory: &Path, node: &str) -> Option<PathBuf> {
    let file = |extension| directory.join(format!("{node}.{extension}"));
    EXTENSIONS.into_iter().map(file).find(|file| file.is_file())
}

/// Returns the nodes, by their names.
///
/// # Errors
/// Fails if the source cannot be read, names a node twice or names none.
pub fn read(given: &NodeListOptions<'_>) -> FleetResult<Vec<FleetNode>> {
    let source = given.source;
    let found = if source.is_dir() {
        given.directory()?
    } else if given.facts_for.is_some() || !is_data(source) {
        given.list()?
    } else {
        given.export()?
    };
    let mut nodes: BTreeMap<String, FleetNode> = BTreeMap::new();
    for node in found {
        let (name, facts) = (node.name.clone(), node.facts.clone());
        if let Some(known) = nodes.insert(name.clone(), node) {
            let both: Vec<String> =
                [known.facts, facts].into_iter().flatten().map(|path| path.display().to_string()).collect();
            let files = if both.is_empty() { String::new() } else { format!(": {}", both.join(" and ")) };
            return Err(FleetFailure::of_file(source, format!("duplicate node {name}{files}")));
        }
    }
    if nodes.is_empty() {
        let expected =
            "expected files of facts (.json, .yaml, .yml), an export of PuppetDB, or a list of names";
        return Err(FleetFailure::of_file(source, format!("there are no nodes: {expected}")));
    }
    Ok(nodes.into_values().collect())
}

impl NodeListOptions<'_> {
    fn directory(&self) -> FleetResult<Vec<FleetNode>> {
        let mut nodes = Vec::new();
        for entry in fs::read_dir(self.source).map_err(FleetFailure::at(self.source))? {
            let path = entry.map_err(FleetFailure::at(self.source))?.path();
            if !is_data(&path) || !path.is_file() {
                continue;
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = if self.named_by_facts { self.name_in(&path)? } else { name };
            nodes.push(FleetNode { name, facts: Some(path) });
        }
        Ok(nodes)
    }

    /// Returns the name of the node in a file of facts.
    fn name_in(&self, path: &Path) -> FleetResult<String> {
        let data = self.data(path)?;
        let text = |value: Option<&Json>| value.and_then(Json::as_str).map(str::to_owned);
        let facts = data.get("values").or_else(|| data.get("facts")).unwrap_or(&data);
        let name = text(data.get("certname"))
            .or_else(|| text(data.get("name")))
            .or_else(|| text(facts.pointer("/trusted/certname")))
            .or_else(|| text(facts.get("clientcert")))
            .or_else(|| text(facts.pointer("/networking/fqdn")))
            .or_else(|| text(facts.get("fqdn")));
        name.ok_or_else(|| {
            let message = "the facts do not name their node: expected certname, name, trusted, clientcert or networking.fqdn";
            FleetFailure::of_file(path, message)
        })
    }

    fn list(&self) -> FleetResult<Vec<FleetNode>> {
        if let Some(pattern) = self.facts_for.filter(|pattern| !pattern.contains(PLACE)) {
            return Err(FleetFailure::new(format!(
                "--facts-for: expected a path with {PLACE} for the name of the node, such as facts/{PLACE}.yaml, but got {pattern}"
            )));
        }
        let text = self.text(self.source)?;
        let names = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let facts = |name: &str| self.facts_for.map(|pattern| PathBuf::from(pattern.replace(PLACE, name)));
        let nodes = names.filter(|name| !name.is_empty());
        Ok(nodes.map(|name| FleetNode { name: name.to_owned(), facts: facts(name) }).collect())
    }

    /// Puts the facts of each node into a file of its own, so that they need not be in memory all the time.
    fn export(&self) -> FleetResult<Vec<FleetNode>> {
        let mut data = self.data(self.source)?;
        let rows = data.as_array_mut().map(std::mem::take).unwrap_or_else(|| vec![data]);
        let mut of_nodes: BTreeMap<String, Vec<Json>> = BTreeMap::new();
        for (index, row) in rows.into_iter().enumerate() {
            let name = row.get("certname").or_else(|| row.get("name")).and_then(Json::as_str);
            let Some(name) = name.map(str::to_owned) else {
                let message = format!("row {} has no certname, as the answers of PuppetDB have", index + 1);
                return Err(FleetFailure::of_file(self.source, message));
            };
            of_nodes.entry(name).or_default().push(row);
        }
        fs::create_dir_all(self.split).map_err(FleetFailure::at(self.split))?;
        let mut nodes = Vec::new();
        for (number, (name, rows)) in of_nodes.into_iter().enumerate() {
            let path = self.split.join(format!("{number}.json"));
            fs::write(&path, Json::Array(rows).to_string()).map_err(FleetFailure::at(&path))?;
            nodes.push(FleetNode { name, facts: Some(path) });
        }
        Ok(nodes)
    }

    fn text(&self, path: &Path) -> FleetResult<String> {
        StdFileSystem::new(self.limits).read_named_text(path).map_err(FleetFailure::at(path))
    }

    /// Returns the data in a file: a text that begins like JSON is read as JSON, all others as YAML.
    fn data(&self, path: &Path) -> FleetResult<Json> {
        let text = self.text(path)?;
        let limit = |error: Error| FleetFailure::of_file(path, error);
        let value = if text.trim_start().starts_with(['{', '[']) {
            let parsed = json::parse(&text, self.limits).map_err(limit)?;
            parsed.map_err(|error| FleetFailure::of_file(path, format!("not JSON: {error}")))?
        } else {
            let parsed = yaml::parse(&text, self.limits).map_err(limit)?;
            parsed.map_err(|error| FleetFailure::of_file(path, format!("not YAML: {error}")))?
        };
        json::to_json(&value, self.limits).map_err(limit)
    }
}

fn is_data(path: &Path) -> bool {
    path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
}
