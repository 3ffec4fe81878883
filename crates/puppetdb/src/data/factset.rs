//! The facts of a node.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use puppetfn_base::error::{Error, ErrorKind};
use serde_json::{Map, Value as Json};

use crate::query::Row;
use crate::query::jsonb::members_in_order;

/// Bytes of JSON that are kept as values, which take several times as much memory.
const PARSED: usize = 12 << 20;
/// Bytes of JSON that are kept as text. Other facts are read for each query.
const TEXT: usize = 96 << 20;

/// Reads the facts of a node when a query needs them.
pub trait FactReader: fmt::Debug + Send + Sync {
    /// Returns the facts by their names, with the trusted facts as `trusted`.
    ///
    /// # Errors
    /// Fails if the facts cannot be read.
    fn read(&self, node: &str) -> Result<Map<String, Json>, Error>;
}

/// The facts of a node, with the other columns of its row.
#[derive(Debug)]
pub struct Factset {
    /// Columns besides the name of the node and its facts, such as `environment` and `producer_timestamp`.
    pub columns: Row,
    reader: Option<Arc<dyn FactReader>>,
    kept: OnceLock<KeptFacts>,
}

#[derive(Debug)]
enum KeptFacts {
    Values(Arc<Map<String, Json>>),
    Text(Box<str>),
}

/// How much of the facts is kept.
#[derive(Debug, Default)]
pub(super) struct KeptSize(AtomicUsize);

impl Factset {
    /// Creates a factset of facts by their names, with the trusted facts as `trusted`.
    pub fn new(values: Map<String, Json>, columns: Row) -> Self {
        let kept = OnceLock::new();
        _ = kept.set(KeptFacts::Values(Arc::new(members_in_order(values))));
        Self { columns, reader: None, kept }
    }

    /// Creates a factset whose facts are read when a query needs them.
    pub fn deferred(reader: Arc<dyn FactReader>, columns: Row) -> Self {
        Self { columns, reader: Some(reader), kept: OnceLock::new() }
    }

    /// Returns the facts, in the order of `jsonb`.
    pub(super) fn values(&self, node: &str, size: &KeptSize) -> Result<Arc<Map<String, Json>>, Error> {
        match (self.kept.get(), &self.reader) {
            (Some(KeptFacts::Values(values)), _) => Ok(Arc::clone(values)),
            (Some(KeptFacts::Text(text)), _) => {
                serde_json::from_str(text).map(Arc::new).map_err(|error| internal(&error))
            }
            (None, None) => Ok(Arc::default()),
            (None, Some(reader)) => {
                let values = Arc::new(members_in_order(reader.read(node)?));
                let text = serde_json::to_string(&*values).map_err(|error| internal(&error))?;
                let before = size.0.fetch_add(text.len(), Ordering::Relaxed);
                if before < PARSED {
                    _ = self.kept.set(KeptFacts::Values(Arc::clone(&values)));
                } else if before < TEXT {
                    _ = self.kept.set(KeptFacts::Text(text.into()));
                }
                Ok(values)
            }
        }
    }
}

#[cold]
fn internal(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, error.to_string())
}
