//! Commands that store catalogs, facts and reports, as PuppetDB's termini send them.
//!
//! See `puppet/indirector/{catalog,facts}/puppetdb.rb` and `puppet/reports/puppetdb.rb` of PuppetDB's termini.

mod catalog;
mod report;

use jiff::Timestamp;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;
use puppetfn_types::value::{Hash, Value};
use serde_json::{Map, Value as Json, json};

pub use self::catalog::{StoredCatalog, replace_catalog};
pub use self::report::store_report;

/// The fact with which agents send the packages of a node.
const INVENTORY: &str = "_puppet_inventory_1";

/// A command of PuppetDB.
#[derive(Clone, PartialEq, Debug)]
pub struct PuppetDbCommand {
    /// Its name, such as `replace_facts`.
    pub name: &'static str,
    /// The version of its payload.
    pub version: u32,
    /// The node.
    pub certname: String,
    /// The time of the command, as in its payload.
    pub timestamp: String,
    /// The payload.
    pub payload: Json,
}

/// The sender of commands, and their time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sender {
    /// The name of the server: the `certname` of Puppet there.
    pub producer: String,
    /// The time of the commands.
    pub time: Timestamp,
}

impl Sender {
    /// Returns the time as PuppetDB's commands have it, in milliseconds.
    fn timestamp(&self) -> String {
        format!("{:.3}", self.time)
    }
}

/// Returns the command that replaces the facts of a node.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep.
pub fn replace_facts(
    node: &str,
    environment: &str,
    facts: &Hash,
    trusted: &Hash,
    sender: &Sender,
    limits: &Limits,
) -> Result<PuppetDbCommand, Error> {
    let mut values = Map::new();
    let mut inventory = None;
    for (name, value) in facts.iter() {
        let name = name.ruby_to_s(limits)?;
        if name == INVENTORY {
            inventory = Some(value);
        } else {
            values.insert(name, json::to_json(value, limits)?);
        }
    }
    values.insert("trusted".into(), json::to_json(&trusted.clone().into(), limits)?);
    let mut payload = json!({
        "certname": node,
        "values": values,
        "environment": environment,
        "producer_timestamp": sender.timestamp(),
        "producer": sender.producer,
    });
    if let (Some(inventory), Some(payload)) = (inventory, payload.as_object_mut()) {
        let packages = if let Value::Hash(parts) = inventory { parts.get_str("packages") } else { None };
        let packages = packages.map(|packages| json::to_json(packages, limits));
        payload.insert("package_inventory".into(), packages.transpose()?.unwrap_or_default());
    }
    Ok(PuppetDbCommand {
        name: "replace_facts",
        version: 5,
        certname: node.into(),
        timestamp: sender.timestamp(),
        payload,
    })
}
