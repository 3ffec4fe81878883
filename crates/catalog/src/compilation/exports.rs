//! Resources that other nodes export.
//!
//! See Puppet's `pops/evaluator/collectors/exported_collector.rb`, and `puppet/indirector/resource/puppetdb.rb` of PuppetDB's
//! termini.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;
use puppetfn_types::value::Value;
use serde_json::{Value as Json, json};

use super::collector::{CollectorCondition, CollectorId};
use crate::ids::{ResourceId, ScopeId};

/// A source of the resources that other nodes export: PuppetDB, or whatever stands in for it.
pub trait ExportSource: fmt::Debug + Send + Sync {
    /// Returns the exported resources that a query selects. Warnings, such as about a server that does not answer, are for the log.
    ///
    /// # Errors
    /// Fails if the source cannot answer.
    fn find(&self, query: &ExportQuery, warn: &mut dyn FnMut(String))
    -> Result<Vec<ExportedResource>, Error>;
}

/// A query for exported resources: the query of a collector.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportQuery {
    /// The node that collects. Its own resources are not selected.
    pub node: Arc<str>,
    /// The type of the resources, as references name it.
    pub type_name: Arc<str>,
    /// The condition in PuppetDB's AST query language; `None` selects all resources of the type.
    pub condition: Option<Json>,
}

impl ExportQuery {
    /// Returns the query in PuppetDB's AST query language, for its endpoint `/pdb/query/v4/resources`.
    pub fn to_ast(&self) -> Json {
        let Self { node, type_name, condition } = self;
        let mut ast = vec![
            json!("and"),
            json!(["=", "type", &**type_name]),
            json!(["=", "exported", true]),
            json!(["not", ["=", "certname", &**node]]),
        ];
        ast.extend(condition.clone());
        Json::Array(ast)
    }
}

/// A resource that a node exports, with the values that PuppetDB has of its parameters: data only, and no sensitive values.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportedResource {
    /// The node that exports it.
    pub node: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// Its parameters.
    pub parameters: Vec<(Arc<str>, Value)>,
}

/// A collector of exported resources whose query has not been asked yet.
#[derive(Clone, Debug)]
pub struct PendingCollector {
    /// The collector.
    pub id: CollectorId,
    /// The scope of the collector, which gets the resources.
    pub scope: ScopeId,
    /// The query.
    pub query: ExportQuery,
}

/// The source of exported resources, and the resources collected from it so far with the nodes that export them.
#[derive(Debug, Default)]
pub(crate) struct ExportCollection {
    pub source: Option<Arc<dyn ExportSource>>,
    pub exporters: HashMap<ResourceId, Arc<str>>,
}

impl CollectorCondition {
    /// Returns the condition in PuppetDB's AST query language, as its terminus makes it of a collector's condition.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep.
    pub(crate) fn to_ast(&self, limits: &Limits) -> Result<Json, Error> {
        Ok(match self {
            Self::And(sides) => join("and", sides, limits)?,
            Self::Or(sides) => join("or", sides, limits)?,
            Self::Tagged(tags) => match &**tags {
                [tag] => json!(["=", "tag", tag]),
                tags => {
                    let any = tags.iter().map(|tag| json!(["=", "tag", tag]));
                    Json::Array([json!("or")].into_iter().chain(any).collect())
                }
            },
            Self::Equal(name, value) => equality(name, value, limits)?,
            Self::NotEqual(name, value) => json!(["not", equality(name, value, limits)?]),
        })
    }
}

fn join(operator: &str, sides: &[CollectorCondition; 2], limits: &Limits) -> Result<Json, Error> {
    let [left, right] = sides;
    Ok(json!([operator, left.to_ast(limits)?, right.to_ast(limits)?]))
}

/// Tag and title are no parameters; PuppetDB has all tags in lower case.
fn equality(name: &str, value: &Value, limits: &Limits) -> Result<Json, Error> {
    Ok(match name {
        "tag" => json!(["=", "tag", value.ruby_to_s(limits)?.to_lowercase()]),
        "title" => json!(["=", "title", json::to_json(value, limits)?]),
        name => json!(["=", ["parameter", name], json::to_json(value, limits)?]),
    })
}
