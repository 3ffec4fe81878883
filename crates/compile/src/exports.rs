//! Exported resources of the nodes of a batch, and of earlier ones.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{ExportQuery, ExportSource, ExportedResource};
use puppetfn_fleet::{Folder, NodeOutcome, RecordedCollector};
use puppetfn_puppetdb::client::{ClientSettings, PuppetDbClient};
use puppetfn_puppetdb::{Entity, IndexWriter, QueryTables, Store, StoredResource, TableScan};
use puppetfn_runtime::settings;
use puppetfn_types::value::Value;

use crate::queries::QueryData;
use crate::{CompileFailure, Configuration};

/// A source of exported resources for the catalogs of a batch.
#[derive(Clone, Debug)]
pub(crate) enum BatchExports {
    /// Resources of catalogs, or of an answer of PuppetDB.
    Stored(Arc<Store>),
    /// Resources of a live PuppetDB.
    Live(Arc<PuppetDbClient>),
}

/// The exported resources of a source, and the answers that the collectors of one catalog have got.
#[derive(Debug)]
pub(crate) struct RecordedExports {
    source: BatchExports,
    collected: Mutex<Vec<RecordedCollector>>,
}

impl RecordedExports {
    pub fn new(source: BatchExports) -> Self {
        Self { source, collected: Mutex::default() }
    }

    /// Returns the answers so far.
    pub fn take(&self) -> Vec<RecordedCollector> {
        std::mem::take(&mut self.collected.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ExportSource for RecordedExports {
    fn find(
        &self,
        query: &ExportQuery,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<ExportedResource>, Error> {
        let (resources, digest) = match &self.source {
            BatchExports::Stored(store) => store.answer(query)?,
            // A later answer may be another: catalogs with a live answer are never kept.
            BatchExports::Live(client) => (client.find(query, warn)?, String::new()),
        };
        let (type_name, condition) = (query.type_name.to_string(), query.condition.clone());
        let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        collected.push(RecordedCollector { type_name, condition, digest });
        Ok(resources)
    }
}

/// Returns true if a collector of a node would get another answer now.
///
/// # Errors
/// Fails if the exported resources cannot be read.
pub(crate) fn is_stale(outcome: &NodeOutcome, store: &Store) -> Result<bool, Error> {
    for RecordedCollector { type_name, condition, digest } in &outcome.collected {
        let query = ExportQuery {
            node: (&*outcome.node).into(),
            type_name: (&**type_name).into(),
            condition: condition.clone(),
        };
        if store.digest(&query)? != *digest {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes the index of the exported resources of all nodes of a folder, and returns their store.
pub(crate) fn index(folder: &Folder, limits: Limits) -> Result<Store, CompileFailure> {
    let mut index = IndexWriter::create(folder.export_index())?;
    for path in folder.exports()? {
        of_file(&path)?.iter().try_for_each(|resource| index.add(resource))?;
    }
    index.finish()?;
    Ok(Store::of_directory(folder.export_index(), limits))
}

/// Returns the resources in a file: an answer of PuppetDB.
fn of_file(path: &Path) -> Result<Vec<StoredResource>, Error> {
    let wrong = |problem: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
    };
    let text = fs::read(path).map_err(|error| wrong(&error))?;
    serde_json::from_slice(&text).map_err(|error| {
        wrong(&format_args!("not an answer of PuppetDB to /pdb/query/v4/resources: {error}"))
    })
}

impl Configuration {
    /// Returns true if exported resources come from a live PuppetDB.
    pub(crate) fn uses_live_puppetdb(&self) -> bool {
        !self.puppetdb_urls.is_empty() || self.puppetdb_conf.is_some()
    }

    /// Returns a client of the PuppetDB that the configuration names, if it does.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or saved resources are named, too.
    pub(crate) fn puppetdb_client(&self) -> Result<Option<PuppetDbClient>, CompileFailure> {
        if !self.uses_live_puppetdb() {
            return Ok(None);
        }
        if !self.exports.is_empty() {
            return Err(CompileFailure::setting(
                "exports",
                "exported resources come from files or from a PuppetDB, not from both",
            ));
        }
        let mut client = match &self.puppetdb_conf {
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|error| {
                    CompileFailure::setting("puppetdb_conf", format!("{}: {error}", path.display()))
                })?;
                ClientSettings::of_conf(&text, path)?
            }
            None => ClientSettings::default(),
        };
        if !self.puppetdb_urls.is_empty() {
            client.server_urls.clone_from(&self.puppetdb_urls);
        }
        let settings = settings::resolve(&self.puppet_settings()?)?;
        let file = |name: &str| match settings.get_str(name) {
            Some(Value::String(path)) => Some(PathBuf::from(&**path)).filter(|path| path.is_file()),
            _ => None,
        };
        client.ca = file("localcacert");
        client.revocations = file("hostcrl").filter(|_| client.ca.is_some());
        client.identity = file("hostcert").zip(file("hostprivkey"));
        Ok(Some(PuppetDbClient::new(client, self.limits)?))
    }
}

/// Returns the exported resources of saved data, in the order of the nodes' names; `None` if it has no resources.
///
/// # Errors
/// Fails if they cannot be read.
pub(crate) fn export_resources(
    saved: &QueryData,
    configuration: &Configuration,
) -> Result<Option<Vec<StoredResource>>, CompileFailure> {
    let database = saved.open(configuration)?;
    if !database.has_resources() {
        return Ok(None);
    }
    let scan =
        TableScan { entity: Entity::Resources, node: None, type_name: None, fact: None, exported: true };
    let mut resources: Vec<StoredResource> = Vec::new();
    database.scan(&scan, &mut |row| {
        if row.get("exported") == Some(&true.into()) {
            let resource = serde_json::from_value(row.clone().into());
            resources.push(resource.map_err(|error| Error::new(ErrorKind::Load, error.to_string()))?);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Some(resources))
}
