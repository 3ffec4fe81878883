//! Requests to a compiler, and its results.

use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::snapshot::Snapshot;
use puppetfn_catalog::{
    DependencyEdge, DependencyReason, Draft, ExportSource, Reference, ResourceProvenance, ResourceRelation,
};
use puppetfn_runtime::eval::{Manifest, NodeClass};
use puppetfn_types::function::{Fallback, LookupQuery, QuerySource};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

use crate::LogEntry;

/// A lookup of data.
#[derive(Clone, Debug)]
pub struct LookupRequest {
    /// The key, or an array of keys.
    pub name: Value,
    /// The merge of values, if the question has one.
    pub merge: Option<Value>,
    /// The type that the value has to be of.
    pub value_type: Option<Type>,
    /// The value where no key has one.
    pub default: Option<Value>,
    /// Whether only the options of the keys are explained.
    pub only_options: bool,
    /// The catalog that is compiled first, whose variables the data sees; one without code where only the node counts.
    pub catalog: Request,
}

impl LookupRequest {
    /// Returns the query.
    pub fn query(&self) -> LookupQuery<'_> {
        LookupQuery {
            merge: self.merge.as_ref(),
            value_type: self.value_type.as_ref(),
            fallback: self.default.as_ref().map_or(Fallback::None, Fallback::Value),
            ..LookupQuery::new(&self.name)
        }
    }

    /// Returns the arguments of the function `lookup`.
    pub fn arguments(&self) -> Value {
        let value_type = self.value_type.clone().map(Value::from);
        [
            ("name", Some(&self.name)),
            ("merge", self.merge.as_ref()),
            ("value_type", value_type.as_ref()),
            ("default_value", self.default.as_ref()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.into(), value?.clone())))
        .collect()
    }
}

/// The inputs of a catalog besides modules and data.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of the node.
    pub node: String,
    /// The files of the main manifest.
    pub main: Vec<Manifest>,
    /// The classes that the classifier of the node names.
    pub classes: Vec<NodeClass>,
    /// Variables of the top scope, besides facts.
    pub variables: Hash,
    /// Facts of the server: `$server_facts`.
    pub server_facts: Hash,
    /// Whether to return the relationships that resource types add, if the host runs Ruby.
    pub automatic: bool,
    /// A snapshot of the file system, to be used in its place.
    pub files: Option<Arc<Snapshot>>,
    /// The source of the resources that other nodes export; without one, collectors of exported resources collect nothing.
    pub exports: Option<Arc<dyn ExportSource>>,
    /// The source that answers queries to PuppetDB; without one, they fail.
    pub queries: Option<Arc<dyn QuerySource>>,
}

/// The result of a compilation.
#[derive(Clone, Debug)]
pub struct CompileResult {
    /// The catalog, or an error that names the node.
    pub result: Result<Draft, Error>,
    /// Relationships that resource types add, if [`Request::automatic`] asks for them.
    pub automatic: Vec<Automatic>,
    /// Log entries of the compilation. Messages name their sources.
    pub log: Vec<LogEntry>,
}

/// A relationship that a resource type adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automatic {
    /// The resource that comes first.
    pub first: Reference,
    /// The resource that comes second.
    pub second: Reference,
    /// `autorequire`, `autosubscribe`, `autobefore` or `autonotify`.
    pub kind: &'static str,
}

impl Automatic {
    /// Returns the resource whose type adds the relationship.
    pub fn said_by(&self) -> &Reference {
        if matches!(self.kind, "autobefore" | "autonotify") { &self.first } else { &self.second }
    }

    /// Returns true if changes of the first resource notify the second.
    pub fn notifies(&self) -> bool {
        matches!(self.kind, "autosubscribe" | "autonotify")
    }

    /// Returns the edge in the order of resources. Its place is the declaration of the resource whose type adds it.
    pub fn edge(&self) -> DependencyEdge {
        let reason = DependencyReason::Type(self.kind);
        DependencyEdge { first: self.first.clone(), second: self.second.clone(), reason, place: None }
    }

    /// Returns the relation from the view of one end; `None` for other resources.
    pub fn relation(&self, of: &Reference) -> Option<ResourceRelation> {
        let is_before = self.second == *of;
        let other = if is_before { &self.first } else { &self.second };
        (is_before || self.first == *of).then(|| ResourceRelation {
            of: of.clone(),
            other: other.clone(),
            is_before,
            notifies: self.notifies(),
            said_by: (self.said_by().clone(), self.kind),
            is_arrow: false,
            place: None,
        })
    }
}

/// An explanation of a resource.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The reasons for the resource, or an error that names the node.
    pub result: Result<ResourceProvenance, Error>,
    /// Relationships that resource types add.
    pub automatic: Vec<Automatic>,
    /// Log entries of the compilation. Messages name their sources.
    pub log: Vec<LogEntry>,
}

/// Outcome of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct CallOutcome<T = Value> {
    /// The return value of the function, or its error.
    pub result: Result<T, Error>,
    /// Log entries of the call.
    pub log: Vec<LogEntry>,
}
