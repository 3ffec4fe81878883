//! The requests of the page.

use puppetfn::value::Value;
use serde::Deserialize;

/// Code, and the user's question about it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The question.
    pub action: Action,
    /// The code.
    pub code: String,
    /// The facts of the node, a Hash.
    #[serde(default)]
    pub facts: Option<Value>,
    /// The name of the node; by default, `localhost`.
    #[serde(default)]
    pub node: Option<String>,
}

/// A question about code.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The value of the code.
    Evaluate,
    /// The type of the value.
    Infer,
    /// Mistakes in the code.
    Check,
    /// The code in the layout of the style guide.
    Format,
    /// The syntax tree.
    Parse,
    /// The catalog of a node, as Puppet code.
    Compile,
    /// The catalog as agents get it, in JSON.
    Catalog,
    /// A picture of the catalog.
    Graph,
}
