//! The cases of catalogs: code that declares resources, and the result.
#![allow(clippy::wildcard_enum_match_arm, reason = "values that JSON does not have are shown as code")]

use puppetfn::builtin;
use puppetfn::catalog::{Reference, Resource};
use puppetfn::convert::json::from_json;
use puppetfn::error::Error;
use puppetfn::eval::{Logs, Runtime};
use puppetfn::limits::Limits;
use puppetfn::value::Value;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::expectation::CaseResult;
use crate::world::program_text;

/// The name of the file that all cases are said to be from.
const FILE: &str = "/test.pp";

/// A text that is evaluated for a node.
#[derive(Deserialize)]
pub struct CatalogCase {
    code: String,
    #[serde(default)]
    facts: Json,
    #[serde(default)]
    catalog: Vec<Json>,
    error: Option<String>,
    #[serde(default)]
    logs: Vec<[String; 2]>,
}

impl CatalogCase {
    /// Makes the catalog, in a world of its own.
    pub fn run(&self) -> CaseResult {
        let logs = Logs::default();
        let runtime = Runtime::builder().host(logs.clone()).functions(builtin::registry()).manifests();
        let runtime = runtime.node("node.example.com").build();
        if !self.facts.is_null() {
            let facts = from_json(&self.facts, &Limits::DEFAULT).map_err(|error| error.to_string())?;
            runtime.set_variable("facts", facts);
        }
        let answer = resources(&runtime, &self.code);
        let same = match (&self.error, &answer) {
            (Some(expected), Err(error)) => *expected == error.to_string(),
            (None, Ok(resources)) => self.catalog == *resources,
            (Some(_), Ok(_)) | (None, Err(_)) => false,
        };
        if !same {
            let expected = self.error.clone().unwrap_or_else(|| Json::from(self.catalog.clone()).to_string());
            let actual = answer.map_or_else(|error| error.to_string(), |list| Json::from(list).to_string());
            return Err(format!("expected {expected}\ngot      {actual}"));
        }
        let actual: Vec<[String; 2]> =
            logs.take().into_iter().map(|(level, message)| [level.to_string(), message]).collect();
        if actual == self.logs {
            return Ok(());
        }
        Err(format!("expected the logs {:?}\ngot               {actual:?}", self.logs))
    }
}

/// Returns the declared resources, sorted: type, title and parameters.
fn resources(runtime: &Runtime, code: &str) -> Result<Vec<Json>, Error> {
    runtime.evaluate(code, Some(FILE))?;
    let catalog = runtime.catalog()?;
    let is_shown = |resource: &&Resource| {
        let always = ["Class[Settings]", "Class[main]"].contains(&&*resource.reference().to_string());
        !resource.is_virtual() && !always && resource.type_name() != "Stage"
    };
    let mut shown = Vec::new();
    for resource in catalog.resources().filter(is_shown) {
        let mut parameters: Vec<(String, Json)> = Vec::new();
        for (name, value) in resource.parameters() {
            parameters.push((name.to_owned(), to_json(&value)?));
        }
        parameters.sort_by(|(a, _), (b, _)| a.cmp(b));
        let parameters: Map<String, Json> = parameters.into_iter().collect();
        shown.push(json!([resource.type_name(), resource.title(), parameters]));
    }
    shown.sort_by_key(|resource| resource.to_string());
    Ok(shown)
}

fn to_json(value: &Value) -> Result<Json, Error> {
    if let Value::Type(t) = value
        && let Some(reference) = Reference::of_type(t)
    {
        return Ok(reference.to_string().into());
    }
    Ok(match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => (*truth).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.to_string().into(),
        Value::Array(items) => items.iter().map(to_json).collect::<Result<Vec<_>, _>>()?.into(),
        Value::Hash(hash) => {
            let entries =
                hash.iter().map(|(key, value)| Ok((key.ruby_to_s(&Limits::DEFAULT)?, to_json(value)?)));
            Json::Object(entries.collect::<Result<_, Error>>()?)
        }
        other => program_text(other)?.into(),
    })
}
