//! Exported resources of other nodes, for the evaluator of a Ruby runtime.

use std::sync::Arc;

use magnus::value::{Opaque, ReprValue};
use magnus::{Error, RArray, RHash, Ruby, TryConvert, Value};
use puppetfn::catalog::{Draft, ExportQuery, ExportSource, ExportedResource};
use puppetfn::convert::json;
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::value::Value as CoreValue;
use puppetfn_puppetdb::{Store, StoredResource, exported_resources};

use super::code_host::RuntimeLink;
use super::limits;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::to_ruby;
use crate::ruby::raw::once;

/// The source that a Ruby runtime finds exported resources in: its method `find_exports`.
pub struct RuntimeExports {
    link: Arc<RuntimeLink>,
}

impl std::fmt::Debug for RuntimeExports {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RuntimeExports").finish_non_exhaustive()
    }
}

impl RuntimeExports {
    pub fn new(link: Arc<RuntimeLink>) -> Self {
        Self { link }
    }
}

impl ExportSource for RuntimeExports {
    fn find(
        &self,
        query: &ExportQuery,
        _: &mut dyn FnMut(String),
    ) -> Result<Vec<ExportedResource>, CoreError> {
        let Ok(ruby) = Ruby::get() else {
            return Err(CoreError::new(
                ErrorKind::Internal,
                "exported resources are asked for outside of Ruby",
            ));
        };
        find(&ruby, self.link.runtime(), query).map_err(|error| self.link.carried(&ruby, error))
    }
}

fn find(ruby: &Ruby, runtime: Opaque<Value>, query: &ExportQuery) -> Result<Vec<ExportedResource>, Error> {
    let condition = query.condition.as_ref().map(|condition| json::from_json(condition, &limits::current()));
    let condition = condition.transpose().map_err(|error| to_ruby(ruby, &error))?;
    let condition = condition.map(|condition| to_object(ruby, &condition)).transpose()?;
    let runtime = ruby.get_inner(runtime);
    let found: RArray = once(|| runtime.funcall("find_exports", (&*query.type_name, condition)))?;
    found.into_iter().map(|resource| exported(ruby, resource)).collect()
}

fn exported(ruby: &Ruby, resource: Value) -> Result<ExportedResource, Error> {
    let (node, title, parameters): (String, String, RHash) = TryConvert::try_convert(resource)?;
    let mut values: Vec<(Arc<str>, CoreValue)> = Vec::with_capacity(parameters.len());
    parameters.foreach(|name: Value, value: Value| {
        values.push((name.to_string().into(), to_value(ruby, value)?));
        Ok(magnus::r_hash::ForEach::Continue)
    })?;
    Ok(ExportedResource { node: node.into(), title: title.into(), parameters: values })
}

/// Returns the source of an answer of PuppetDB to `/pdb/query/v4/resources`.
///
/// # Errors
/// Fails if the text is not an answer to this query.
pub fn stored(answer: &str) -> Result<Arc<dyn ExportSource>, CoreError> {
    let resources: Vec<StoredResource> = serde_json::from_str(answer).map_err(|error| {
        CoreError::new(ErrorKind::Load, format!("exported resources: not as PuppetDB answers: {error}"))
    })?;
    Ok(Arc::new(Store::of_resources(resources, limits::current())))
}

/// Returns the exported resources of a catalog, as PuppetDB answers to `/pdb/query/v4/resources`.
///
/// # Errors
/// Fails if a value nests too deep.
pub fn answer(draft: &Draft, limits: &Limits) -> Result<String, CoreError> {
    let resources = exported_resources(draft, limits)?;
    serde_json::to_string(&resources).map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))
}
