//! Problems of queries.

use std::fmt;

use puppetfn_base::error::{Error, ErrorKind};

/// A problem of a query, in PuppetDB's words where PuppetDB has some.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryProblem {
    /// The message.
    pub message: String,
    /// A name that does not exist, if that is the problem.
    pub unknown: Option<UnknownName>,
    /// The position in the text of the query, in bytes, if it is known.
    pub offset: Option<usize>,
}

/// A name that does not exist where a query has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl QueryProblem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), unknown: None, offset: None }
    }

    /// Returns the problem of an entity that does not exist.
    pub(crate) fn unknown_entity(name: &str) -> Self {
        super::validate::invalid_entity(name)
    }

    pub(crate) fn unknown(message: String, name: &str, known: Vec<&'static str>) -> Self {
        Self { message, unknown: Some(UnknownName { name: name.to_owned(), known }), offset: None }
    }
}

impl fmt::Display for QueryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<QueryProblem> for Error {
    fn from(problem: QueryProblem) -> Self {
        Self::new(ErrorKind::Evaluation, problem.message)
    }
}

impl From<Error> for QueryProblem {
    fn from(error: Error) -> Self {
        Self::new(error.message())
    }
}

/// Returns names in PuppetDB's enumeration: `'a', 'b', and 'c'`.
pub(crate) fn enumeration<T: fmt::Display>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [names @ .., last] if names.len() > 1 => format!("{}, and {last}", names.join(", ")),
        names => names.join(" and "),
    }
}

/// Returns JSON as Clojure prints it.
pub(crate) fn printed(value: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    match value {
        Json::Null => "nil".to_owned(),
        Json::Array(items) => format!("[{}]", items.iter().map(printed).collect::<Vec<_>>().join(" ")),
        Json::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{name:?} {}", printed(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        Json::Bool(_) | Json::Number(_) | Json::String(_) => value.to_string(),
    }
}
