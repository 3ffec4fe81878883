//! Requests to a compiler, and its results.

use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::snapshot::Snapshot;
use puppetfn_catalog::{Draft, Reference, ResourceRelation, Why};
use puppetfn_runtime::eval::{Manifest, NodeClass};
use puppetfn_types::function::{Fallback, Query};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

use crate::LogEntry;

/// A lookup of data.
#[derive(Clone, Debug)]
pub struct Question {
    /// The key, or an array of keys.
    pub name: Value,
    /// How values are merged, if that is said.
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

impl Question {
    /// Returns the query.
    pub fn query(&self) -> Query<'_> {
        Query {
            merge: self.merge.as_ref(),
            value_type: self.value_type.as_ref(),
            fallback: self.default.as_ref().map_or(Fallback::None, Fallback::Value),
            ..Query::new(&self.name)
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

/// What a catalog is compiled for, and of what besides modules and data.
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
    /// What is known of the server: `$server_facts`.
    pub server_facts: Hash,
    /// Whether it is wanted what resource types relate by themselves, where the host can say.
    pub automatic: bool,
    /// The files of modules and of the environment, where these are not read anew: [`Options::file_system`] as it was.
    pub files: Option<Arc<Snapshot>>,
}

/// What came of a compilation.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The catalog, or why there is none: the error says for which node.
    pub result: Result<Draft, Error>,
    /// What types relate by themselves, if that was wanted and the host can say.
    pub automatic: Vec<Automatic>,
    /// What was logged on the way, each message with what it is from.
    pub log: Vec<LogEntry>,
}

/// That a resource comes before another one because the type of one of them says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automatic {
    /// What comes first.
    pub first: Reference,
    /// What comes after it.
    pub second: Reference,
    /// `autorequire`, `autosubscribe`, `autobefore` or `autonotify`.
    pub kind: &'static str,
}

impl Automatic {
    /// Returns the resource whose type says so.
    pub fn said_by(&self) -> &Reference {
        if matches!(self.kind, "autobefore" | "autonotify") { &self.first } else { &self.second }
    }

    /// Returns true if the second is told when the first changes.
    pub fn notifies(&self) -> bool {
        matches!(self.kind, "autosubscribe" | "autonotify")
    }

    /// Returns what it is to one of the two.
    pub fn relation(&self, of: &Reference) -> Option<ResourceRelation> {
        let is_before = self.second == *of;
        let other = if is_before { &self.first } else { &self.second };
        (is_before || self.first == *of).then(|| ResourceRelation {
            of: of.clone(),
            other: other.clone(),
            is_before,
            notifies: self.notifies(),
            said_by: (self.said_by().clone(), self.kind),
            place: None,
        })
    }
}

/// What was found out about a resource.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Why it is in the catalog, or why that is not known: the error says for which node.
    pub result: Result<Why, Error>,
    /// What types relate by themselves.
    pub automatic: Vec<Automatic>,
    /// What was logged on the way, each message with what it is from.
    pub log: Vec<LogEntry>,
}

/// Outcome of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<T = Value> {
    /// What the function returned, or why it failed.
    pub result: Result<T, Error>,
    /// What was logged on the way.
    pub log: Vec<LogEntry>,
}
