//! Facts that agents upload, or send with requests for catalogs.

use std::fmt;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::response::Response;
use puppetfn_base::error::Error;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_compile::{NodeStore, StoredFacts};
use puppetfn_types::convert::json::{self, from_json};
use puppetfn_types::convert::to_json_text;
use puppetfn_types::value::{Hash, Value};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;
use tracing::{error, warn};

use super::identity::AgentIdentity;
use super::log::write_entries;
use super::replace::replace_file;
use super::request::AgentRequest;
use super::{AgentState, bad_request, existing_environment, json_answer, server_error};

/// The members of facts that Puppet stores.
const MEMBERS: [&str; 4] = ["name", "values", "timestamp", "expiration"];

/// The store of facts: PuppetDB, or else a directory with a file for each node.
#[derive(Clone, Debug)]
pub(crate) struct FactStore {
    puppetdb: Option<Arc<NodeStore>>,
    directory: PathBuf,
    limits: Limits,
    /// Whether the log says already that facts of requests cannot be stored.
    has_warned: Arc<AtomicBool>,
}

/// Facts in a request for a catalog, or in a file. Workers parse the values.
#[derive(Serialize, Deserialize)]
pub(super) struct WireFacts {
    #[serde(default)]
    pub name: String,
    pub values: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration: Option<Box<RawValue>>,
}

/// Uploaded facts.
struct UploadedFacts {
    node: String,
    environment: String,
    client: Option<Arc<AgentIdentity>>,
    members: Hash,
    values: Hash,
}

/// Stores the facts of a node.
pub(super) async fn upload(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let environment = match existing_environment(state, request) {
        Ok(environment) => environment.to_owned(),
        Err(response) => return response,
    };
    if !is_file_name(name) {
        return server_error("invalid key");
    }
    let (store, body, client) = (state.facts.clone(), request.body.clone(), request.client.clone());
    let node = name.to_owned();
    let stored = spawn_blocking(move || {
        let (members, values) = parse(&node, &body, &store.limits)
            .map_err(|problem| bad_request(&format!("The request body is invalid: {problem}")))?;
        let facts = UploadedFacts { node, environment, client, members, values };
        store.store(&facts).map_err(|problem| {
            error!(node = facts.node, "{problem}");
            server_error(&problem)
        })
    });
    match stored.await {
        Ok(Ok(())) => json_answer("null"),
        Ok(Err(response)) => response,
        Err(problem) => server_error(&problem.to_string()),
    }
}

/// Returns the members of facts, and the values among them. The error is for the client.
fn parse(node: &str, body: &[u8], limits: &Limits) -> Result<(Hash, Hash), String> {
    let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let facts = json::parse(text, limits).map_err(|error| error.to_string())?;
    let Value::Hash(facts) = facts.map_err(|error| error.to_string())? else {
        return Err("expected a JSON object".to_owned());
    };
    // Rules allow the node that the path names.
    match facts.get_str("name") {
        Some(Value::String(name)) if **name == *node => {}
        _ => return Err(format!("expected facts of the node '{node}'")),
    }
    let values = match facts.get_str("values") {
        Some(Value::Hash(values)) => Hash::clone(values),
        _ => return Err("values: expected an object".to_owned()),
    };
    let mut members = Hash::default();
    for name in MEMBERS {
        if let Some(value) = facts.get_str(name).filter(|value| !matches!(value, Value::Undef)) {
            members.insert(name.into(), value.clone());
        }
    }
    Ok((members, values))
}

impl FactStore {
    /// Returns a store of facts.
    pub fn new(puppetdb: Option<Arc<NodeStore>>, directory: PathBuf, limits: Limits) -> Self {
        Self { puppetdb, directory, limits, has_warned: Arc::default() }
    }

    /// Keeps the facts of a request for a catalog in a file, unless workers store them in PuppetDB.
    pub(super) async fn keep(&self, facts: WireFacts) -> Option<Box<RawValue>> {
        if self.puppetdb.is_some() || !is_file_name(&facts.name) {
            return facts.values;
        }
        let store = self.clone();
        let kept = spawn_blocking(move || {
            let file = store.file(&facts.name);
            let written =
                serde_json::to_vec(&facts).map_err(io::Error::from).and_then(|text| write(&file, &text));
            if let Err(problem) = written
                && !store.has_warned.swap(true, Ordering::Relaxed)
            {
                warn!("cannot store facts of agents: {}: {problem}", file.display());
            }
            facts.values
        });
        kept.await.ok().flatten()
    }

    /// Returns the stored facts of a node, for a request without facts. The error is for the client.
    pub async fn find(&self, node: &str) -> Result<Option<Box<RawValue>>, String> {
        let (store, node) = (self.clone(), node.to_owned());
        let found = spawn_blocking(move || match &store.puppetdb {
            Some(puppetdb) => store.query(puppetdb, &node),
            None if is_file_name(&node) => store.read(&node),
            None => Ok(None),
        });
        found.await.map_err(|problem| problem.to_string())?
    }

    fn query(&self, puppetdb: &NodeStore, node: &str) -> Result<Option<Box<RawValue>>, String> {
        let mut log = Vec::new();
        let found = puppetdb.facts(node, &mut log);
        write_entries(node, &log);
        let Some(facts) = found.map_err(|error| error.to_string())? else { return Ok(None) };
        let text = to_json_text(&facts.into(), &self.limits).map_err(|error| error.to_string())?;
        RawValue::from_string(text).map(Some).map_err(|error| error.to_string())
    }

    fn read(&self, node: &str) -> Result<Option<Box<RawValue>>, String> {
        let file = self.file(node);
        let wrong =
            |problem: &dyn fmt::Display| format!("Could not read JSON data for facts {node}: {problem}");
        match StdFileSystem::new(&self.limits).read_text(&file) {
            Ok(text) => {
                let facts: WireFacts = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
                Ok(facts.values)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(&error)),
        }
    }

    /// Returns the file of a node's facts.
    fn file(&self, node: &str) -> PathBuf {
        self.directory.join(format!("{node}.json"))
    }

    /// Stores facts. The error is a message.
    fn store(&self, facts: &UploadedFacts) -> Result<(), String> {
        match &self.puppetdb {
            Some(store) => self.submit(store, facts).map_err(|error| error.to_string()),
            None => {
                let file = self.file(&facts.node);
                let text = to_json_text(&facts.members.clone().into(), &self.limits);
                let text = text.map_err(|error| error.to_string())?;
                write(&file, text.as_bytes()).map_err(|error| format!("{}: {error}", file.display()))
            }
        }
    }

    fn submit(&self, store: &NodeStore, facts: &UploadedFacts) -> Result<(), Error> {
        let UploadedFacts { node, environment, client, values, .. } = facts;
        let trusted = match client {
            Some(client) => {
                let trusted = from_json(&client.trusted(&self.limits)?, &self.limits)?;
                if let Value::Hash(trusted) = trusted { Hash::clone(&trusted) } else { Hash::default() }
            }
            None => puppetfn_compile::trusted(node, values),
        };
        let mut log = Vec::new();
        let stored =
            store.store_facts(&StoredFacts { node, environment, values, trusted: &trusted }, &mut log);
        write_entries(node, &log);
        stored
    }
}

/// Returns true if the facts of a node can be in a file of its name. See `BadNameRegexp` of Puppet's `indirector.rb`.
fn is_file_name(node: &str) -> bool {
    !node.is_empty() && !node.starts_with("..") && !node.contains(['/', '\\', '\0'])
}

/// See `save` in Puppet's `indirector/json.rb`.
fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(directory) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o750).create(directory)?;
    }
    replace_file(file, 0o660, content)
}
