//! Stores facts, catalogs and reports in a live PuppetDB, as a server does that compiles a catalog for an agent.
#![allow(clippy::disallowed_methods, reason = "the user names the files of certificates")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_stamp::FileStamp;
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{Draft, Identity};
use puppetfn_puppetdb::client::PuppetDbClient;
use puppetfn_puppetdb::commands::{
    PuppetDbCommand, Sender, StoredCatalog, replace_catalog, replace_facts, store_report,
};
use puppetfn_runtime::settings;
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::{Hash, Value};

use serde_json::{Value as Json, json};

use crate::{CompileFailure, CompileOptions, Configuration, LogEntry};

/// The facts of a node.
#[derive(Clone, Copy, Debug)]
pub struct StoredFacts<'f> {
    /// The name of the node.
    pub node: &'f str,
    /// The environment of the request that has the facts.
    pub environment: &'f str,
    /// `$facts`.
    pub values: &'f Hash,
    /// `$trusted`.
    pub trusted: &'f Hash,
}

/// The PuppetDB of a configuration, as a store of facts and reports. Changes of its files are noticed.
#[derive(Debug)]
pub struct NodeStore {
    configuration: Configuration,
    producer: String,
    /// The files that the client is configured with.
    files: Vec<PathBuf>,
    current: Mutex<Option<CurrentClient>>,
}

/// A client, and the stamps of its files when it was made.
#[derive(Debug)]
struct CurrentClient {
    stamps: Vec<Option<FileStamp>>,
    client: Arc<PuppetDbClient>,
}

impl NodeStore {
    /// Creates the store of a configuration.
    ///
    /// # Errors
    /// Fails if the configuration names no PuppetDB, or Puppet's settings cannot be used.
    pub fn new(configuration: &Configuration) -> Result<Self, CompileFailure> {
        if !configuration.uses_live_puppetdb() {
            return Err(CompileFailure::setting("puppetdb_conf", "no PuppetDB is configured"));
        }
        let settings = settings::resolve(&configuration.puppet_settings()?)?;
        let text = |name| match settings.get_str(name) {
            Some(Value::String(text)) => text.to_string(),
            _ => String::new(),
        };
        let certificates =
            ["localcacert", "hostcrl", "hostcert", "hostprivkey"].map(|name| text(name).into());
        let files = configuration.puppetdb_conf.iter().cloned().chain(certificates).collect();
        let configuration = configuration.clone();
        Ok(Self { configuration, producer: text("certname"), files, current: Mutex::default() })
    }

    /// Stores the facts of a node.
    ///
    /// # Errors
    /// Fails if PuppetDB does not accept them, unless `soft_write_failure` is set, or if a file of the configuration cannot be read.
    pub fn store_facts(&self, facts: &StoredFacts<'_>, log: &mut Vec<LogEntry>) -> Result<(), Error> {
        let client = self.client()?;
        submit_facts(&client, facts, &self.sender(), &self.configuration.limits, log)
    }

    /// Returns the facts of a node; `None` if there are none. See `find` in `puppet/indirector/facts/puppetdb.rb` of PuppetDB's termini.
    ///
    /// # Errors
    /// Fails if PuppetDB does not answer, or a file of the configuration cannot be read.
    pub fn facts(&self, node: &str, log: &mut Vec<LogEntry>) -> Result<Option<Hash>, Error> {
        let query = json!(["from", "facts", ["=", "certname", node]]);
        let found = self.client()?.query(&query, None, &mut |warning| log.push(LogEntry::warning(warning)));
        let found = found.map_err(|error| {
            Error::new(ErrorKind::Load, format!("Failed to find facts from PuppetDB at {}", error.message()))
        })?;
        let Value::Array(rows) = &found else { return Ok(None) };
        let mut facts = Hash::default();
        for row in rows.iter() {
            if let Value::Hash(row) = row
                && let (Some(name), Some(value)) = (row.get_str("name"), row.get_str("value"))
            {
                facts.insert(name.clone(), value.clone());
            }
        }
        Ok((!facts.is_empty()).then_some(facts))
    }

    /// Stores a report in the form in which agents send it.
    ///
    /// # Errors
    /// Fails if the report is malformed, and as [`Self::store_facts`] does.
    pub fn store_report(&self, report: &Json, log: &mut Vec<LogEntry>) -> Result<(), Error> {
        let client = self.client()?;
        let has_unchanged = client.settings().include_unchanged_resources;
        submit(&client, &store_report(report, has_unchanged, &self.sender())?, log)
    }

    fn sender(&self) -> Sender {
        Sender { producer: self.producer.clone(), time: Timestamp::now() }
    }

    /// Returns a client, which is made anew after a change of its files.
    fn client(&self) -> Result<Arc<PuppetDbClient>, Error> {
        let stamp = |path: &PathBuf| path.metadata().ok().map(|found| FileStamp::new(&found));
        let stamps: Vec<_> = self.files.iter().map(stamp).collect();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(CurrentClient { client, .. }) =
            current.as_ref().filter(|current| current.stamps == stamps)
        {
            return Ok(Arc::clone(client));
        }
        let misconfigured = |failure: CompileFailure| Error::new(ErrorKind::Load, failure.to_string());
        let client = self.configuration.puppetdb_client().map_err(misconfigured)?;
        let client = client.ok_or_else(|| Error::new(ErrorKind::Load, "no PuppetDB is configured"))?;
        let client = Arc::new(client);
        *current = Some(CurrentClient { stamps, client: Arc::clone(&client) });
        Ok(client)
    }
}

/// Submits the commands that replace the facts and the catalog of a node.
///
/// # Errors
/// The same errors as [`submit_facts`] and [`store_catalog`].
pub(crate) fn store(
    client: &PuppetDbClient,
    draft: &Draft,
    identity: &Identity,
    options: &CompileOptions,
    log: &mut Vec<LogEntry>,
) -> Result<(), Error> {
    let CompileOptions { facts, trusted, limits, settings, .. } = options;
    let stored =
        StoredFacts { node: draft.node(), environment: &identity.environment, values: facts, trusted };
    submit_facts(client, &stored, &sender(settings)?, limits, log)?;
    store_catalog(client, draft, identity, None, options, log)
}

/// Submits the command that replaces the facts of a node.
///
/// # Errors
/// Fails if PuppetDB does not accept it, unless `soft_write_failure` is set.
fn submit_facts(
    client: &PuppetDbClient,
    stored: &StoredFacts<'_>,
    sender: &Sender,
    limits: &Limits,
    log: &mut Vec<LogEntry>,
) -> Result<(), Error> {
    let StoredFacts { node, environment, values, trusted } = stored;
    let command = replace_facts(node, environment, values, trusted, sender, limits)?;
    submit(client, &command, log)
}

/// Submits the command that replaces the catalog of a node.
///
/// # Errors
/// Fails if PuppetDB does not accept it, unless `soft_write_failure` is set, or if the catalog has a relationship that it does not accept.
pub(crate) fn store_catalog(
    client: &PuppetDbClient,
    draft: &Draft,
    identity: &Identity,
    transaction_uuid: Option<&str>,
    options: &CompileOptions,
    log: &mut Vec<LogEntry>,
) -> Result<(), Error> {
    let catalog = StoredCatalog {
        draft,
        environment: &identity.environment,
        version: &identity.version,
        uuid: &identity.uuid,
        code_id: identity.code_id.as_deref(),
        transaction_uuid,
    };
    let command = replace_catalog(&catalog, &sender(&options.settings)?, &options.limits)?;
    submit(client, &command, log)
}

/// Returns the sender of commands: this server, now.
fn sender(settings: &Hash) -> Result<Sender, Error> {
    let producer = match settings::resolve(settings)?.get_str("certname") {
        Some(Value::String(name)) => name.to_string(),
        _ => String::new(),
    };
    Ok(Sender { producer, time: Timestamp::now() })
}

/// See `Command#submit` in `puppet/util/puppetdb/command.rb` of PuppetDB's termini.
fn submit(client: &PuppetDbClient, command: &PuppetDbCommand, log: &mut Vec<LogEntry>) -> Result<(), Error> {
    match client.submit(command, &mut |warning| log.push(LogEntry::warning(warning))) {
        Err(error) if client.settings().soft_write_failure => {
            log.push(LogEntry::new(LogLevel::Err, error.message()));
            Ok(())
        }
        submitted => submitted,
    }
}
