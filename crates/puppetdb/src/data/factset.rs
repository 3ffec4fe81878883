//! The facts of a node.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use puppetfn_base::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::query::Row;
use crate::query::jsonb::members_in_order;

/// Bytes of JSON that are kept as values, which take several times as much memory.
const PARSED: usize = 12 << 20;
/// Bytes of JSON that are kept as text. Other facts are read for each query.
const TEXT: usize = 96 << 20;

/// Reads the facts of a node when a query needs them.
pub trait FactReader: fmt::Debug + Send + Sync {
    /// Returns the facts of a node.
    ///
    /// # Errors
    /// Fails if the facts cannot be read.
    fn read(&self, node: &str) -> Result<NodeFacts, Error>;
}

/// The facts of a node, and the other columns of its row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeFacts {
    /// The facts by their names, with the trusted facts as `trusted`.
    pub values: Map<String, Json>,
    /// The columns besides the name of the node and its facts that are known, such as `environment` and `producer_timestamp`.
    pub columns: Row,
}

/// The facts of a node, perhaps in a file.
#[derive(Debug)]
pub struct Factset {
    reader: Option<Arc<dyn FactReader>>,
    kept: OnceLock<KeptFacts>,
}

#[derive(Debug)]
enum KeptFacts {
    Values(Arc<NodeFacts>),
    Text(Box<str>),
}

/// The extent of the kept facts.
#[derive(Debug, Default)]
pub(super) struct KeptSize(AtomicUsize);

impl Factset {
    /// Creates a factset of facts in memory.
    pub fn new(facts: NodeFacts) -> Self {
        let kept = OnceLock::new();
        _ = kept.set(KeptFacts::Values(Arc::new(in_order(facts))));
        Self { reader: None, kept }
    }

    /// Creates a factset whose facts are read when a query needs them.
    pub fn deferred(reader: Arc<dyn FactReader>) -> Self {
        Self { reader: Some(reader), kept: OnceLock::new() }
    }

    /// Adds columns of the same node, unless they are known or its facts are still to be read.
    pub(super) fn add_columns(&mut self, columns: &Row) {
        if let Some(KeptFacts::Values(facts)) = self.kept.get_mut() {
            let facts = Arc::make_mut(facts);
            for (name, value) in columns {
                facts.columns.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
    }

    /// Returns the facts, in the order of `jsonb`.
    pub(super) fn facts(&self, node: &str, size: &KeptSize) -> Result<Arc<NodeFacts>, Error> {
        match (self.kept.get(), &self.reader) {
            (Some(KeptFacts::Values(facts)), _) => Ok(Arc::clone(facts)),
            (Some(KeptFacts::Text(text)), _) => {
                serde_json::from_str(text).map(Arc::new).map_err(|error| internal(&error))
            }
            (None, None) => Ok(Arc::default()),
            (None, Some(reader)) => {
                let facts = Arc::new(in_order(reader.read(node)?));
                let text = serde_json::to_string(&*facts).map_err(|error| internal(&error))?;
                let before = size.0.fetch_add(text.len(), Ordering::Relaxed);
                if before < PARSED {
                    _ = self.kept.set(KeptFacts::Values(Arc::clone(&facts)));
                } else if before < TEXT {
                    _ = self.kept.set(KeptFacts::Text(text.into()));
                }
                Ok(facts)
            }
        }
    }
}

fn in_order(facts: NodeFacts) -> NodeFacts {
    NodeFacts { values: members_in_order(facts.values), columns: facts.columns }
}

#[cold]
fn internal(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, error.to_string())
}
