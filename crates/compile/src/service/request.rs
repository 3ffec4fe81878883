//! Requests for catalogs, as a server sends them.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

use std::str;
use std::sync::Arc;

use indexmap::IndexMap;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;
use puppetfn_types::value::{Hash, Value, label};

use super::is_environment_name;
use crate::classifier::Classified;
use crate::facts::FactsFile;
use crate::plan::NodeInputs;

/// A request for the catalog of a node.
#[derive(Debug)]
pub(super) struct CatalogRequest {
    pub node: String,
    pub environment: String,
    /// The environment that the client has asked for, whichever the classifier names.
    pub requested_environment: String,
    pub inputs: NodeInputs,
    /// Whether the facts are new, and PuppetDB stores them.
    pub stores_facts: bool,
    pub code_id: Option<String>,
    /// The checksum types that the agent knows, if it asks for a static catalog.
    pub static_checksums: Option<Option<String>>,
    /// An identifier of the agent's run.
    pub transaction_uuid: Option<String>,
    /// Whether the worker classifies the node, not the client.
    pub classifies: bool,
    /// Whether a node that belongs to another environment gets an empty catalog, which names that environment.
    pub checks_environment: bool,
    /// Whether the catalog has virtual resources too, marked as such, for the server that stores it.
    pub marks_virtual: bool,
}

/// Parses the body of a request for a catalog, and returns the names of the node and of the environment.
///
/// # Errors
/// Fails if the body is no request, with the message of the answer.
pub fn requested_names(body: &[u8], limits: &Limits) -> Result<(String, String), String> {
    CatalogRequest::parse(body, limits).map(|request| (request.node, request.environment))
}

/// The members of a request that are left.
struct RequestMembers(IndexMap<Value, Value>);

impl CatalogRequest {
    /// Parses a request. The error names the member.
    pub fn parse(body: &[u8], limits: &Limits) -> Result<Self, String> {
        let text = str::from_utf8(body).map_err(|error| format!("the request is not UTF-8: {error}"))?;
        let parsed = json::parse(text, limits).map_err(|error| format!("the request: {error}"))?;
        let parsed = parsed.map_err(|error| format!("the request is not JSON: {error}"))?;
        let mut members = match parsed {
            Value::Hash(members) => {
                RequestMembers(members.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
            }
            other => return Err(format!("the request: expected a JSON object, got {}", label(&other))),
        };
        let node = members.text("node")?.ok_or("node: expected the name of a node, got nothing")?;
        check_node(&node)?;
        let environment = members
            .text("environment")?
            .ok_or("environment: expected the name of an environment, got nothing")?;
        check_environment(&environment)?;
        let mut classified = Hash::default();
        for name in ["classes", "parameters"] {
            if let Some(value) = members.take(name) {
                classified.insert(name.into(), value);
            }
        }
        let facts = FactsFile {
            values: members.hash("facts")?.unwrap_or_default(),
            trusted: members.hash("trusted")?,
            node: None,
        };
        let classifies = members.flag("classify")?;
        let request = Self {
            node,
            requested_environment: environment.clone(),
            environment,
            stores_facts: members.flag("store_facts")?,
            inputs: NodeInputs {
                facts,
                classified: Classified::of_hash(&classified)?,
                server_facts: members.hash("server_facts")?,
                is_merged: !classifies,
            },
            static_checksums: {
                let checksum_types = members.text("checksum_type")?;
                members.flag("static_catalog")?.then_some(checksum_types)
            },
            code_id: members.text("code_id")?,
            transaction_uuid: members.text("transaction_uuid")?,
            classifies,
            checks_environment: members.flag("check_environment")?,
            marks_virtual: members.flag("with_exports")?,
        };
        members.finish()?;
        Ok(request)
    }
}

impl RequestMembers {
    /// Takes a member; `null` is none.
    fn take(&mut self, name: &str) -> Option<Value> {
        let value = self.0.shift_remove(&Value::from(name))?;
        (!matches!(value, Value::Undef)).then_some(value)
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.to_string())),
            Some(other) => Err(format!("{name}: expected a string, got {}", label(&other))),
        }
    }

    fn hash(&mut self, name: &str) -> Result<Option<Hash>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Hash(hash)) => Ok(Some(Arc::unwrap_or_clone(hash))),
            Some(other) => Err(format!("{name}: expected a JSON object, got {}", label(&other))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool, String> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(other) => Err(format!("{name}: expected true or false, got {}", label(&other))),
        }
    }

    /// Refuses members that mean nothing.
    fn finish(self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(Value::String(name)) => Err(format!("the request: unknown member {name:?}")),
            Some(_) | None => Ok(()),
        }
    }
}

/// Refuses names that certificates cannot have: see `VALID_CERTNAME` of Puppet's `ssl/base.rb`. Refuses those, too, that could not be names of
/// files: see `BadNameRegexp` of Puppet's `indirector.rb`.
fn check_node(name: &str) -> Result<(), String> {
    let is_valid = |byte: u8| matches!(byte, b' '..=b'.' | b'0'..=b'~');
    if name.is_empty() || !name.bytes().all(is_valid) {
        return Err(format!("Certname {name:?} must not contain unprintable or non-ASCII characters"));
    }
    let is_drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if name.starts_with("..") || name.contains('\\') || is_drive {
        return Err(format!("node: invalid key {name:?}"));
    }
    Ok(())
}

/// Refuses names that environments cannot have, which are names of directories: see Puppet's `indirected_routes.rb`.
fn check_environment(name: &str) -> Result<(), String> {
    if !is_environment_name(name) {
        return Err(format!("The environment must be purely alphanumeric, not '{}'", name.escape_debug()));
    }
    Ok(())
}
