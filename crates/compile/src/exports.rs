//! Exported resources of the nodes of a batch, and of earlier ones.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{ExportQuery, ExportSource, ExportedResource};
use puppetfn_fleet::{Collected, Folder, Outcome};
use puppetfn_puppetdb::{IndexWriter, Store, StoredResource};

use crate::{Configuration, Failure};

/// The exported resources of a store, and the answers that the collectors of one catalog have got.
#[derive(Debug)]
pub(crate) struct RecordedExports {
    store: Arc<Store>,
    collected: Mutex<Vec<Collected>>,
}

impl RecordedExports {
    pub fn new(store: Arc<Store>) -> Self {
        Self { store, collected: Mutex::default() }
    }

    /// Returns the answers so far.
    pub fn take(&self) -> Vec<Collected> {
        std::mem::take(&mut self.collected.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ExportSource for RecordedExports {
    fn find(&self, query: &ExportQuery, _: &mut dyn FnMut(String)) -> Result<Vec<ExportedResource>, Error> {
        let (resources, digest) = self.store.answer(query)?;
        let (type_name, condition) = (query.type_name.to_string(), query.condition.clone());
        let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        collected.push(Collected { type_name, condition, digest });
        Ok(resources)
    }
}

/// Returns true if a collector of a node would get another answer now.
///
/// # Errors
/// Fails if the exported resources cannot be read.
pub(crate) fn is_stale(outcome: &Outcome, store: &Store) -> Result<bool, Error> {
    for Collected { type_name, condition, digest } in &outcome.collected {
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
pub(crate) fn index(folder: &Folder, limits: Limits) -> Result<Store, Failure> {
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
    /// Returns the exported resources that [`Self::exports`] names, if it does.
    ///
    /// # Errors
    /// Fails if they cannot be read.
    pub(crate) fn export_store(&self) -> Result<Option<Arc<Store>>, Failure> {
        let resources = self.export_resources()?;
        Ok(resources.map(|resources| Arc::new(Store::of_resources(resources, self.limits))))
    }

    /// Returns the same in a list, in the order of the nodes' names.
    pub(crate) fn export_resources(&self) -> Result<Option<Vec<StoredResource>>, Failure> {
        let Some(path) = &self.exports else { return Ok(None) };
        let files = if path.is_dir() { Folder::open(path)?.exports()? } else { vec![path.clone()] };
        let mut resources = Vec::new();
        for file in files {
            resources.extend(of_file(&file)?);
        }
        resources.sort_by(|a, b| a.certname.cmp(&b.certname));
        Ok(Some(resources))
    }
}
