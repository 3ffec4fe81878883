//! The sources of data about other nodes: exported resources and answers to queries.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use puppetfn_catalog::ExportSource;
use puppetfn_puppetdb::Store;
use puppetfn_puppetdb::client::PuppetDbClient;
use puppetfn_types::function::QuerySource;

use crate::exports::export_resources;
use crate::queries::QueryData;
use crate::{CompileFailure, Configuration};

/// The sources that a configuration names: a live PuppetDB, or saved data. Several catalogs can share them.
#[derive(Clone, Default)]
pub(crate) struct DataSources {
    pub exports: Option<Arc<dyn ExportSource>>,
    pub queries: Option<Arc<dyn QuerySource>>,
    /// The client, if the source is a live PuppetDB.
    pub client: Option<Arc<PuppetDbClient>>,
}

impl fmt::Debug for DataSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataSources").field("client", &self.client).finish_non_exhaustive()
    }
}

impl DataSources {
    /// Opens the sources.
    ///
    /// # Errors
    /// Fails if saved data or a certificate cannot be read, or both kinds of sources are named.
    pub fn open(configuration: &Configuration) -> Result<Self, CompileFailure> {
        if let Some(client) = configuration.puppetdb_client()? {
            let client = Arc::new(client);
            return Ok(Self {
                exports: Some(Arc::clone(&client) as Arc<_>),
                queries: Some(Arc::clone(&client) as Arc<_>),
                client: Some(client),
            });
        }
        let saved = QueryData::saved(configuration)?;
        if saved.sources.is_empty() {
            return Ok(Self::default());
        }
        let resources = export_resources(&saved, configuration)?;
        let store = resources.map(|resources| Store::of_resources(resources, configuration.limits));
        Ok(Self {
            exports: store.map(|store| Arc::new(store) as Arc<_>),
            queries: Some(Arc::new(saved.engine(configuration))),
            client: None,
        })
    }
}

impl Configuration {
    /// Returns the paths whose changes make [`DataSources`] outdated.
    pub(crate) fn data_source_paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.exports.iter().chain(&self.puppetdb_conf)
    }
}
