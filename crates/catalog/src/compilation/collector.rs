//! Collectors, which make virtual resources real and change the resources that they select.
//!
//! See Puppet's `pops/evaluator/collectors/abstract_collector.rb`.

use std::sync::Arc;

use indexmap::IndexSet;

use super::Compilation;
use super::exports::{ExportQuery, ExportSource, ExportedResource, PendingCollector};
use super::overrides::Override;
use super::relationship::RelationshipSide;
use crate::ids::ScopeId;
use crate::resource::{Resource, ResourceParameter};
use crate::{Reference, ResourceId};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_types::types::ops::case::equals;
use puppetfn_types::value::{InspectedString, Value};

/// An index into the collectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CollectorId(u32);

/// A collector and the resources that it has collected so far.
#[derive(Debug)]
pub(crate) struct ActiveCollector {
    what: CollectorTarget,
    scope: ScopeId,
    change: Option<Override>,
    collected: IndexSet<ResourceId>,
    /// Sides of relationships that take its place when it collects nothing.
    pub alternative: Vec<RelationshipSide>,
}

/// The resources that a collector selects.
#[derive(Debug)]
enum CollectorTarget {
    /// The resources of a type that meet a condition.
    Matching(Arc<str>, Option<CollectorCondition>),
    /// Exported resources: this node's that meet a condition, and other nodes' that a query has found.
    Exported(ExportedCollector),
    /// These resources, by their references.
    Listed(Vec<String>),
}

/// A collector as code declares it.
#[derive(Debug)]
pub struct CollectorDeclaration {
    /// The type of the resources, as references name it.
    pub type_name: Arc<str>,
    /// The condition; `None` selects all resources of the type.
    pub query: Option<CollectorCondition>,
    /// Whether it collects exported resources.
    pub is_exported: bool,
    /// Parameters that the collected resources get.
    pub parameters: Vec<ResourceParameter>,
    /// The place of the collector.
    pub place: Option<SourceLocation>,
}

/// A collector of exported resources.
#[derive(Debug)]
struct ExportedCollector {
    type_name: Arc<str>,
    query: Option<CollectorCondition>,
    /// The resources of other nodes; `None` until the query has run.
    found: Option<Vec<ResourceId>>,
}

/// The condition of a collector.
#[derive(Debug)]
pub enum CollectorCondition {
    /// Both hold.
    And(Box<[CollectorCondition; 2]>),
    /// One of them holds.
    Or(Box<[CollectorCondition; 2]>),
    /// The resource has one of the tags.
    Tagged(Vec<String>),
    /// The parameter has the value, or has it among its values.
    Equal(Arc<str>, Value),
    /// The parameter does not have the value.
    NotEqual(Arc<str>, Value),
}

impl ActiveCollector {
    /// Changes the value of a parameter that it shares with the resources that it has changed.
    pub fn change_shared(&mut self, sharing: u32, value: &Value) {
        let parameters = self.change.iter_mut().flat_map(|change| change.parameters.iter_mut());
        for parameter in parameters.filter(|parameter| parameter.sharing == sharing) {
            parameter.value = value.clone();
        }
    }
}

impl Compilation {
    /// Adds a collector of the resources of a type. Without a source of exports, a collector of exported resources collects nothing.
    pub fn collect(&mut self, scope: ScopeId, collector: CollectorDeclaration) -> CollectorId {
        let CollectorDeclaration { type_name, query, is_exported, mut parameters, place } = collector;
        let source = self.source(scope);
        self.share(&mut parameters);
        let change = (!parameters.is_empty()).then_some(Override { parameters, source, place });
        let what = if is_exported {
            CollectorTarget::Exported(ExportedCollector { type_name, query, found: None })
        } else {
            CollectorTarget::Matching(type_name, query)
        };
        self.add_collector(scope, what, change)
    }

    /// Sets the source of the resources that other nodes export.
    pub fn set_export_source(&mut self, source: Arc<dyn ExportSource>) {
        self.exports.source = Some(source);
    }

    /// Returns the source of the resources that other nodes export, if there is one.
    pub fn export_source(&self) -> Option<&Arc<dyn ExportSource>> {
        self.exports.source.as_ref()
    }

    /// Returns the collectors of exported resources whose queries have not been asked yet.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when a value in a query nests too deep.
    pub fn pending_collectors(&self) -> Result<Vec<PendingCollector>, Error> {
        let mut pending = Vec::new();
        if self.exports.source.is_none() {
            return Ok(pending);
        }
        for (index, collector) in self.collectors.iter().enumerate() {
            let CollectorTarget::Exported(ExportedCollector { type_name, query, found: None }) =
                &collector.what
            else {
                continue;
            };
            let condition = query.as_ref().map(|query| query.to_ast(&self.limits)).transpose()?;
            let (node, type_name) = (Arc::clone(&self.catalog.node), Arc::clone(type_name));
            pending.push(PendingCollector {
                id: CollectorId(u32::try_from(index).unwrap_or(u32::MAX)),
                scope: collector.scope,
                query: ExportQuery { node, type_name, condition },
            });
        }
        Ok(pending)
    }

    /// Returns true if a collector may add a resource of another node: if the catalog does not have it yet.
    ///
    /// # Errors
    /// Fails if the catalog has one of its type and title that is another one.
    pub fn admits(&self, type_name: &str, resource: &ExportedResource) -> Result<bool, Error> {
        let reference = Reference::new(type_name, &resource.title);
        let Some(id) = self.catalog.find(&reference) else { return Ok(true) };
        if self.exports.exporters.get(&id) == Some(&resource.node) {
            return Ok(false);
        }
        let problem =
            "A duplicate resource was found while collecting exported resources, with the type and title";
        Err(Error::new(ErrorKind::Evaluation, format!("{problem} {reference}")))
    }

    /// Notes the resources of other nodes that a collector has added to the catalog, each with the node that exports it.
    pub fn found_exports(&mut self, id: CollectorId, found: Vec<(Reference, Arc<str>)>) {
        let mut ids = Vec::with_capacity(found.len());
        for (reference, node) in found {
            if let Some(id) = self.catalog.find(&reference) {
                self.exports.exporters.insert(id, node);
                ids.push(id);
            }
        }
        if let Some(ActiveCollector { what: CollectorTarget::Exported(exported), .. }) =
            self.collector_mut(id)
        {
            exported.found = Some(ids);
        }
    }

    /// Returns the scopes and types whose default parameters collectors add to their changes.
    pub fn collector_defaults(&self) -> Vec<(ScopeId, Arc<str>)> {
        let changing = self.collectors.iter().filter(|collector| collector.change.is_some());
        changing
            .filter_map(|collector| match &collector.what {
                CollectorTarget::Matching(type_name, _)
                | CollectorTarget::Exported(ExportedCollector { type_name, .. }) => {
                    Some((collector.scope, Arc::clone(type_name)))
                }
                CollectorTarget::Listed(_) => None,
            })
            .collect()
    }

    /// Makes virtual resources real, once they are declared. The references are read when that is done.
    pub fn realize(&mut self, scope: ScopeId, references: Vec<String>) {
        self.add_collector(scope, CollectorTarget::Listed(references), None);
    }

    fn add_collector(
        &mut self,
        scope: ScopeId,
        what: CollectorTarget,
        change: Option<Override>,
    ) -> CollectorId {
        let (collected, alternative) = (IndexSet::new(), Vec::new());
        self.collectors.push(ActiveCollector { what, scope, change, collected, alternative });
        CollectorId(u32::try_from(self.collectors.len().saturating_sub(1)).unwrap_or(u32::MAX))
    }

    pub(crate) fn collector(&self, id: CollectorId) -> Option<&ActiveCollector> {
        self.collectors.get(id.0 as usize)
    }

    pub(crate) fn collector_mut(&mut self, id: CollectorId) -> Option<&mut ActiveCollector> {
        self.collectors.get_mut(id.0 as usize)
    }

    /// Returns the references of the resources that a collector has collected.
    pub(crate) fn collected(&self, id: CollectorId) -> Vec<Reference> {
        let collected = self.collector(id).map(|collector| &collector.collected);
        let resources = collected.into_iter().flatten().filter_map(|id| self.catalog.get(*id));
        resources.map(|resource| resource.reference.clone()).collect()
    }

    /// Runs all collectors. Returns true if one found a new resource.
    ///
    /// # Errors
    /// Fails if a collector may not change a resource that it collects.
    pub fn run_collectors(&mut self) -> Result<bool, Error> {
        let mut found = false;
        for index in 0..self.collectors.len() {
            found |= self.run_collector(index)?;
        }
        Ok(found)
    }

    fn run_collector(&mut self, index: usize) -> Result<bool, Error> {
        let matching = self.matching(index)?;
        let Some(collector) = self.collectors.get_mut(index) else { return Ok(false) };
        let new: Vec<ResourceId> =
            matching.iter().copied().filter(|id| !collector.collected.contains(id)).collect();
        collector.collected.extend(new.iter().copied());
        let (scope, change) = (collector.scope, collector.change.clone());
        for id in &matching {
            if let Some(resource) = self.catalog.get_mut(*id) {
                resource.is_virtual = false;
            }
        }
        if let Some(change) = change
            && !matching.is_empty()
        {
            self.scopes.source_mut(change.source).overrides_all = true;
            for id in &new {
                self.merge(*id, &self.with_defaults(scope, *id, &change))?;
            }
        }
        Ok(!new.is_empty())
    }

    /// Returns the changes of a collector, with the default parameters of resources in its scope.
    fn with_defaults(&self, scope: ScopeId, id: ResourceId, change: &Override) -> Override {
        let mut change = change.clone();
        let type_name = self.catalog.get(id).map(Resource::type_name).unwrap_or_default();
        for (name, default) in self.scopes.defaults(scope, type_name) {
            if !change.parameters.iter().any(|parameter| parameter.name == name) {
                change.parameters.push(default);
            }
        }
        change
    }

    /// Returns the resources that a collector selects.
    fn matching(&mut self, index: usize) -> Result<Vec<ResourceId>, Error> {
        let catalog = &self.catalog;
        if let Some(CollectorTarget::Listed(references)) =
            self.collectors.get_mut(index).map(|collector| &mut collector.what)
        {
            let mut found = Vec::new();
            let mut missing = Vec::new();
            for reference in std::mem::take(references) {
                let read = Reference::parse(&reference).ok_or_else(|| no_reference(&reference))?;
                match catalog.find(&read) {
                    Some(id) => found.push(id),
                    None => missing.push(reference),
                }
            }
            *references = missing;
            return Ok(found);
        }
        match self.collectors.get(index).map(|collector| &collector.what) {
            Some(CollectorTarget::Matching(type_name, query)) => {
                self.declared_matching(type_name, query.as_ref(), |_| true)
            }
            Some(CollectorTarget::Exported(ExportedCollector { type_name, query, found: Some(found) })) => {
                let own = self.declared_matching(type_name, query.as_ref(), Resource::is_exported)?;
                Ok(own.into_iter().chain(found.iter().copied()).collect())
            }
            Some(CollectorTarget::Exported(_) | CollectorTarget::Listed(_)) | None => Ok(Vec::new()),
        }
    }

    /// Returns the declared resources of a type that meet a condition.
    fn declared_matching(
        &self,
        type_name: &str,
        query: Option<&CollectorCondition>,
        is_wanted: impl Fn(&Resource) -> bool,
    ) -> Result<Vec<ResourceId>, Error> {
        let mut found = Vec::new();
        for id in &self.declared {
            let Some(resource) = self.catalog.get(*id) else { continue };
            if resource.type_name() == type_name
                && is_wanted(resource)
                && query.map_or(Ok(true), |query| self.meets(*id, resource, query))?
            {
                found.push(*id);
            }
        }
        Ok(found)
    }

    fn meets(&self, id: ResourceId, resource: &Resource, query: &CollectorCondition) -> Result<bool, Error> {
        let value = |name: &str| match name {
            "title" => Value::from(resource.title()),
            name => resource.get(name).cloned().unwrap_or(Value::Undef),
        };
        match query {
            CollectorCondition::And(sides) => {
                let [left, right] = &**sides;
                Ok(self.meets(id, resource, left)? && self.meets(id, resource, right)?)
            }
            CollectorCondition::Or(sides) => {
                let [left, right] = &**sides;
                Ok(self.meets(id, resource, left)? || self.meets(id, resource, right)?)
            }
            CollectorCondition::Tagged(tags) => Ok(tags.iter().any(|tag| self.has_tag(id, tag))),
            CollectorCondition::Equal(name, expected) => match value(name) {
                Value::Array(values) => {
                    for value in values.iter() {
                        if equals(value, expected, &self.limits)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                value => equals(&value, expected, &self.limits),
            },
            CollectorCondition::NotEqual(name, expected) => {
                equals(&value(name), expected, &self.limits).map(|equal| !equal)
            }
        }
    }

    /// Refuses to realize resources that no code declared.
    ///
    /// # Errors
    /// Fails if there are any.
    pub(crate) fn refuse_unrealized(&self) -> Result<(), Error> {
        let left: Vec<&str> = self
            .collectors
            .iter()
            .filter_map(|collector| match &collector.what {
                CollectorTarget::Listed(references) => Some(references),
                CollectorTarget::Matching(..) | CollectorTarget::Exported(_) => None,
            })
            .flatten()
            .map(String::as_str)
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let message = format!("Failed to realize virtual resources {}", left.join(", "));
        Err(Error::new(ErrorKind::Evaluation, message))
    }
}

/// Returns the error of a text that was to be a reference. Puppet's compiler does not expect it.
#[cold]
fn no_reference(text: &str) -> Error {
    let shown = InspectedString(text);
    let problem = "Puppet::Parser::Compiler failed with error ArgumentError: No title provided and";
    Error::new(ErrorKind::Evaluation, format!("{problem} {shown} is not a valid resource reference"))
}
