//! Facts that agents upload.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::response::Response;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_compile::{NodeStore, StoredFacts};
use puppetfn_types::convert::json::{self, from_json};
use puppetfn_types::convert::to_json_text;
use puppetfn_types::value::{Hash, Value};
use tokio::task::spawn_blocking;
use tracing::error;

use super::identity::ClientIdentity;
use super::log::write_entries;
use super::replace::replace_file;
use super::request::AgentRequest;
use super::{AgentState, bad_request, existing_environment, json_answer, server_error};

/// The members of facts that Puppet stores.
const MEMBERS: [&str; 4] = ["name", "values", "timestamp", "expiration"];

/// The store of facts that agents upload: PuppetDB, or else a directory with a file for each node.
#[derive(Clone, Debug)]
pub(crate) struct FactStore {
    pub puppetdb: Option<Arc<NodeStore>>,
    pub directory: PathBuf,
    pub limits: Limits,
}

/// Uploaded facts.
struct UploadedFacts {
    node: String,
    environment: String,
    client: Option<Arc<ClientIdentity>>,
    members: Hash,
    values: Hash,
}

/// Stores the facts of a node.
pub(super) async fn upload(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let environment = match existing_environment(state, request) {
        Ok(environment) => environment.to_owned(),
        Err(response) => return response,
    };
    if name.starts_with("..") || name.contains(['/', '\\']) {
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
    /// Stores facts. The error is a message.
    fn store(&self, facts: &UploadedFacts) -> Result<(), String> {
        match &self.puppetdb {
            Some(store) => self.submit(store, facts).map_err(|error| error.to_string()),
            None => {
                let file = self.directory.join(format!("{}.json", facts.node));
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

/// See `save` in Puppet's `indirector/json.rb`.
fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(directory) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o750).create(directory)?;
    }
    replace_file(file, 0o660, content)
}
