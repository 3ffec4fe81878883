//! Rows by their nodes.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use puppetfn_base::error::{Error, ErrorKind};

use crate::query::Row;

/// The rows of a node: in memory, or in a file with a JSON array of them.
#[derive(Clone, Debug)]
pub enum NodeRows {
    /// The rows.
    Memory(Vec<Row>),
    /// The file.
    File(PathBuf),
}

impl NodeRows {
    /// Calls `visit` with the rows.
    ///
    /// # Errors
    /// Fails if the file cannot be read, and with the errors of `visit`.
    pub(super) fn visit<T>(&self, visit: impl FnOnce(&[Row]) -> Result<T, Error>) -> Result<T, Error> {
        match self {
            Self::Memory(rows) => visit(rows),
            Self::File(path) => {
                let wrong = |problem: &dyn std::fmt::Display| {
                    Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()))
                };
                let text = fs::read(path).map_err(|error| wrong(&error))?;
                let rows: Vec<Row> = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
                visit(&rows)
            }
        }
    }
}

/// The rows of an entity, by their nodes.
pub(super) type RowsByNode = BTreeMap<String, NodeRows>;
