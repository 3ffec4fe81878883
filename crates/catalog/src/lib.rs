//! Catalogs: the resources that code declares for a node, and what they have to do with each other.
//!
//! What is here knows values and no code. [`Compilation`] is a catalog in the making: the evaluator
//! tells it what is declared where, and evaluates the classes and defined types that come of it.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a catalog asks for one kind of value, and treats all others alike"
)]

mod builtin_types;
mod catalog;
mod change;
mod collector;
mod compilation;
mod data;
mod description;
mod error;
mod finish;
mod graph;
mod kind;
mod origin;
mod overrides;
mod read;
mod relations;
mod relationship;
mod resource;
mod scope;
mod tags;
mod why;

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

pub use self::builtin_types::{builtin_description, builtin_type_names};
pub use self::catalog::{Catalog, CatalogResource, FileLine, Identity};
pub use self::change::{Membership, ResourceChange, WrittenParameter, WrittenResource};
pub use self::collector::{CollectorId, Query};
pub use self::compilation::{Compilation, Declaration, SETTINGS};
pub use self::data::{Finished, Selection};
pub use self::description::{AttributeDescription, AttributeKind, Feature, Requirement, TypeDescription};
pub use self::error::Error as ReadError;
pub use self::finish::LaterTypes;
pub use self::graph::{Shown, View};
pub use self::kind::{Given, KindParameter, RELATIONSHIPS, check_parameters, is_deferred};
pub use self::kind::{Kind, METAPARAMETERS, is_metaparameter};
pub use self::origin::Origins;
pub use self::origin::{Cause, Inclusion as ClassInclusion, Way};
pub use self::read::{parse_reference, reference};
pub use self::relations::{Relations, Relationship, relationships};
pub use self::relationship::{Relation, Side};
pub use self::resource::Resource;
pub use self::resource::{NO_ITERATOR, Parameter, given, no_large_integer, with_given};
pub use self::scope::{ScopeId, Source, SourceId};
pub use self::tags::Tags;
pub use self::why::{Origin, ParameterOrigin, Relation as ResourceRelation, Why};
pub use puppetfn_types::function::{NativeType, Titles};
pub use puppetfn_types::types::Reference;

use self::resource::behind;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::value::{Array, Value};

/// Returns the parameter that names resources of one of Puppet's own types, `path` for `file`; `name` for all others.
pub fn name_parameter(type_name: &str) -> &'static str {
    builtin_types::builtin_type(&type_name.to_lowercase()).map_or("name", |t| t.name_parameter())
}

/// An index into the resources.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResourceId(u32);

/// A catalog in the making: the resources that are declared for a node, in the order in which they were.
#[derive(Clone, Default, Debug)]
pub struct Draft {
    node: Arc<str>,
    /// By their ids; one that was removed leaves a gap.
    resources: Vec<Option<Resource>>,
    index: HashMap<Key, ResourceId>,
    /// The types of these resources that are written in Ruby, by name.
    types: HashMap<Arc<str>, Arc<NativeType>>,
    /// What contains what.
    edges: IndexSet<(ResourceId, ResourceId)>,
    classes: Vec<Arc<str>>,
    tags: Tags,
    /// Severity of values that no data can represent.
    strict: Strict,
    /// Attributes that functions of the host have set, by their names in Puppet's format: `version` for example.
    attributes: IndexMap<Arc<str>, Value>,
}

/// What a resource is found by: the name of its type, and its title, an alias or another unique value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key(Arc<str>, Box<[Value]>);

impl Key {
    fn of(reference: &Reference) -> Self {
        Self::new(reference, vec![Value::String(Arc::clone(reference.title()))])
    }

    fn new(reference: &Reference, values: Vec<Value>) -> Self {
        Self(Arc::clone(reference.type_name()), values.into())
    }

    /// Returns what a resource is also found by. Puppet takes all in front of the last bracket of the reference for
    /// the type, so the other names of a resource with a bracket in its title are those of a type that does not exist.
    fn also(reference: &Reference, values: Vec<Value>) -> Self {
        let type_name = match reference.title().rsplit_once('[') {
            None => Arc::clone(reference.type_name()),
            Some((start, _)) => format!("{}[{start}", reference.type_name()).into(),
        };
        Self(type_name, values.into())
    }

    /// As Ruby shows it, which is how messages show it.
    fn inspect(&self) -> String {
        let type_name = Value::String(Arc::clone(&self.0));
        let parts: Vec<Value> = std::iter::once(type_name).chain(self.1.iter().cloned()).collect();
        Value::from(parts).inspected()
    }
}

impl Draft {
    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns all resources, also those that are virtual.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.iter().flatten()
    }

    /// Returns the resource that a reference is to, by its title or an alias.
    pub fn resource(&self, reference: &Reference) -> Option<&Resource> {
        self.get(self.find(reference)?)
    }

    /// Returns what contains what: pairs of a class, node or resource of a defined type, and of a resource that
    /// was declared in it, in the order of the latter.
    pub fn edges(&self) -> impl Iterator<Item = (&Resource, &Resource)> {
        let mut edges: Vec<_> = self.edges.iter().collect();
        edges.sort_by_key(|(_, resource)| resource.0);
        edges
            .into_iter()
            .filter_map(|(container, resource)| Some((self.get(*container)?, self.get(*resource)?)))
    }

    /// Returns the names of the classes and nodes that were evaluated, in order; before them those that a node
    /// classifier has named, as it has.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|name| &**name)
    }

    /// Returns the tags of the catalog as a whole: the names of its classes among them.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Returns the type in Ruby of this name, if it is Puppet's own or there are resources of it.
    fn native_type(&self, name: &str) -> Option<Arc<NativeType>> {
        let builtin = builtin_types::builtin_type(&name.to_lowercase());
        builtin.or_else(|| self.types.get(name)).cloned()
    }

    fn get(&self, id: ResourceId) -> Option<&Resource> {
        self.resources.get(id.0 as usize)?.as_ref()
    }

    fn get_mut(&mut self, id: ResourceId) -> Option<&mut Resource> {
        self.resources.get_mut(id.0 as usize)?.as_mut()
    }

    fn find(&self, reference: &Reference) -> Option<ResourceId> {
        self.index.get(&Key::of(reference)).or_else(|| self.find_by_name(reference)).copied()
    }

    /// Finds a resource by what the title of a reference stands for.
    fn find_by_name(&self, reference: &Reference) -> Option<&ResourceId> {
        let t = self.types.get(reference.type_name())?;
        let title = Value::String(Arc::clone(reference.title()));
        let (name, named) = (t.name_parameter(), t.name_of(&title));
        let value = |key: &Arc<str>| match &**key {
            "name" => Value::clone(&named),
            key if key == name => Value::clone(&named),
            _ => Value::Undef,
        };
        let values: Vec<Value> = t.unique_parameters().iter().map(value).collect();
        self.index.get(&Key::new(reference, values))
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// Fails if there is one with the same type and title, or with the same value where no two may have the same.
    fn add(&mut self, resource: Resource) -> Result<ResourceId, Error> {
        let key = Key::of(&resource.reference);
        if let Some(existing) = self.index.get(&key).and_then(|id| self.get(*id)) {
            return Err(resource.is_duplicate_of(existing));
        }
        let id = ResourceId(u32::try_from(self.resources.len()).unwrap_or(u32::MAX));
        self.index.insert(key, id);
        if let Some(t) = resource.kind.native_type() {
            self.types.entry(Arc::clone(resource.reference.type_name())).or_insert_with(|| Arc::clone(t));
        }
        for name in resource.other_names() {
            match self.index.get(&name).and_then(|found| self.get(*found)) {
                Some(existing) => return Err(resource.cannot_have(&name, existing)),
                None => _ = self.index.insert(name, id),
            }
        }
        self.resources.push(Some(resource));
        Ok(id)
    }

    /// Takes a resource out, with its aliases and what it has to do with others.
    fn remove(&mut self, id: ResourceId) {
        if let Some(resource) = self.resources.get_mut(id.0 as usize) {
            *resource = None;
            self.index.retain(|_, found| *found != id);
            self.edges.retain(|(container, resource)| *container != id && *resource != id);
        }
    }

    /// Puts a value in place of a list wherever it is the value of a parameter: Puppet adds to the one list that
    /// several resources have by one expression, such as a default.
    fn replace_list(&mut self, list: &Array, value: &Value) {
        let parameters =
            self.resources.iter_mut().flatten().flat_map(|resource| resource.parameters.values_mut());
        for parameter in parameters {
            if matches!(&parameter.value, Value::Array(found) if found.is_same(list)) {
                parameter.value = value.clone();
            }
        }
    }

    /// Checks that resources still have names of their own, now that they have the aliases of what contains them, and
    /// that they name a title where they refer to resources of some types.
    ///
    /// # Errors
    /// Fails if two have the same, or one names no title.
    #[allow(clippy::mutable_key_type, reason = "regular expressions are compared by their texts")]
    fn check_names(&self, titled: &[Arc<NativeType>]) -> Result<(), Error> {
        let mut index: HashMap<Key, &Resource> = HashMap::with_capacity(self.index.len());
        for resource in self.resources().filter(|resource| resource.is_for_some_node()) {
            if resource
                .untitled_types()
                .any(|name| titled.iter().any(|t| t.name().eq_ignore_ascii_case(&name)))
            {
                let message = "No set of title patterns matched the title \"\".";
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
            if let Some(existing) = index.insert(Key::of(&resource.reference), resource) {
                return Err(resource.is_duplicate_of(existing));
            }
            for name in resource.aliases() {
                match index.insert(name.clone(), resource) {
                    Some(existing) if existing.reference != resource.reference => {
                        return Err(resource.cannot_have(&name, existing));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl Resource {
    /// Returns what it is also found by, as it says itself.
    fn aliases(&self) -> impl Iterator<Item = Key> {
        let given = self.get("alias").map(flat).unwrap_or_default();
        let aliases = given.into_iter().filter(|alias| !matches!(alias, Value::Undef));
        aliases.map(|alias| Key::also(&self.reference, vec![alias]))
    }

    /// Returns what it is found by besides its title: its aliases, and the values that no other may have.
    fn other_names(&self) -> impl Iterator<Item = Key> {
        let unique = self.unique_values();
        let is_told =
            unique.iter().any(|value| !matches!(value, Value::Undef)) && unique != [self.title.clone()];
        self.aliases().chain(is_told.then(|| Key::also(&self.reference, unique)))
    }

    #[cold]
    fn is_duplicate_of(&self, existing: &Self) -> Error {
        let at = existing.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let message = format!(
            "Duplicate declaration: {} is already declared{at}; cannot redeclare{}",
            self.reference,
            behind(self.place.as_ref())
        );
        Error::new(ErrorKind::Duplicate, message)
    }

    #[cold]
    fn cannot_have(&self, name: &Key, existing: &Self) -> Error {
        let shown = match &*name.1 {
            [alias @ Value::String(_)] if self.get("alias").is_some_and(|given| holds(given, alias)) => {
                alias.inspected()
            }
            values => Value::from(values.to_vec()).inspected(),
        };
        let at = self.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let (key, behind) = (name.inspect(), behind(existing.place()));
        let message = format!(
            "Cannot alias {} to {shown}{at}; resource {key} already declared{behind}",
            self.reference
        );
        Error::new(ErrorKind::Evaluation, message)
    }
}

/// Returns the values in nested arrays, in order.
pub fn flat(value: &Value) -> Vec<Value> {
    let mut rest = vec![value];
    let mut values = Vec::new();
    while let Some(value) = rest.pop() {
        match value.contents() {
            Value::Array(items) => rest.extend(items.iter().rev()),
            _ => values.push(value.clone()),
        }
    }
    values
}

/// Returns true if a value is another, or an array that has it.
fn holds(value: &Value, item: &Value) -> bool {
    value == item || matches!(value, Value::Array(items) if items.contains(item))
}
