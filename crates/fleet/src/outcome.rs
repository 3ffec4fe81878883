//! The outcome of a node.

use serde::{Deserialize, Serialize};

use crate::reads::{JournalRead, ReadNumbers};

/// The outcome of a node's compilation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeOutcome {
    /// The name of the node.
    pub node: String,
    /// The digest of the facts, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<String>,
    /// The duration of the compilation, in seconds.
    pub seconds: f64,
    /// The number of resources in the catalog.
    #[serde(default)]
    pub resources: usize,
    /// The digest of the catalog, without the parts that differ between any two compilations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The number of logged warnings.
    #[serde(default)]
    pub warnings: usize,
    /// The dependency cycles of the catalog, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<String>,
    /// The reason for a missing catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<NodeProblem>,
    /// The questions about files that the catalog depends on, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<ReadNumbers>,
    /// The answers to its collectors of exported resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collected: Vec<RecordedCollector>,
    /// The answers to its queries to PuppetDB.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queried: Vec<RecordedQuery>,
}

/// The answer to a query to PuppetDB.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedQuery {
    /// The query in PQL, or in PuppetDB's AST.
    pub query: serde_json::Value,
    /// The entity whose endpoint was asked, if the query does not name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// A digest of the answer, or the error.
    pub digest: String,
    /// Whether the answer depends on catalogs.
    #[serde(default)]
    pub reads_catalogs: bool,
}

/// The answer to a collector of exported resources.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordedCollector {
    /// The type of the resources.
    pub type_name: String,
    /// The condition in PuppetDB's AST query language, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<serde_json::Value>,
    /// A digest of the resources.
    pub digest: String,
}

/// The answer of a process for a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerResponse {
    /// The outcome. Questions have the numbers of this process.
    pub outcome: NodeOutcome,
    /// The questions that the process has asked for the first time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<JournalRead>,
}

/// The reason for a node's missing catalog.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NodeProblem {
    /// Puppet's message with its place, without the name of the node.
    pub message: String,
}

impl NodeOutcome {
    /// Returns the outcome of a node that has no catalog.
    pub fn failed(node: impl Into<String>, seconds: f64, error: NodeProblem) -> Self {
        Self {
            node: node.into(),
            facts: None,
            seconds,
            resources: 0,
            digest: None,
            warnings: 0,
            cycles: Vec::new(),
            error: Some(error),
            reads: None,
            collected: Vec::new(),
            queried: Vec::new(),
        }
    }
}
