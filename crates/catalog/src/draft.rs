//! Drafts: catalogs in the making.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::builtin_types::builtin_type;
use crate::flat::flat;
use crate::ids::ResourceId;
use crate::names::{FastMap, NameSet};
use crate::resource::{Resource, behind};
use crate::tags::Tags;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::target::Target;
use puppetfn_types::function::NativeType;
use puppetfn_types::types::Reference;
use puppetfn_types::value::{Array, Value};

/// A catalog in the making: the resources that are declared for a node, in the order of their declarations.
#[derive(Clone, Default, Debug)]
pub struct Draft {
    pub(crate) node: Arc<str>,
    /// Resources by their ids; a removed resource leaves a gap.
    pub(crate) resources: Vec<Option<Resource>>,
    pub(crate) index: FastMap<ResourceKey, ResourceId>,
    /// The types of these resources that are written in Ruby, by name.
    pub(crate) types: FastMap<Arc<str>, Arc<NativeType>>,
    /// Containment: pairs of a container and a resource.
    pub(crate) edges: NameSet<(ResourceId, ResourceId)>,
    pub(crate) classes: Vec<Arc<str>>,
    pub(crate) tags: Tags,
    /// Severity of values that no data can represent.
    pub(crate) strict: Strict,
    /// Attributes that functions of the host have set, by their names in Puppet's format: `version` for example.
    pub(crate) attributes: IndexMap<Arc<str>, Value>,
    /// The places of arrows and calls of `require`, by the resources that they relate.
    pub(crate) arrows: FastMap<(ResourceId, ResourceId), SourceLocation>,
}

/// A key of the index of resources: the name of a type, and a title, an alias or another unique value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ResourceKey(Arc<str>, KeyValues);

/// The values of a key: one, unless a type has several parameters that identify a resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum KeyValues {
    One(Value),
    /// Never one.
    Several(Box<[Value]>),
}

impl KeyValues {
    fn as_slice(&self) -> &[Value] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Several(values) => values,
        }
    }
}

impl From<Vec<Value>> for KeyValues {
    fn from(mut values: Vec<Value>) -> Self {
        match values.pop() {
            Some(only) if values.is_empty() => Self::One(only),
            last => {
                values.extend(last);
                Self::Several(values.into())
            }
        }
    }
}

impl ResourceKey {
    pub(crate) fn of(reference: &Reference) -> Self {
        let title = Value::String(Arc::clone(reference.title()));
        Self(Arc::clone(reference.type_name()), KeyValues::One(title))
    }

    pub(crate) fn new(reference: &Reference, values: Vec<Value>) -> Self {
        Self(Arc::clone(reference.type_name()), values.into())
    }

    /// Returns another key of a resource. Puppet takes all in front of the last bracket of the reference for the type, so the
    /// other names of a resource with a bracket in its title belong to a type that does not exist.
    pub(crate) fn also(reference: &Reference, values: Vec<Value>) -> Self {
        let type_name = match reference.title().rsplit_once('[') {
            None => Arc::clone(reference.type_name()),
            Some((start, _)) => format!("{}[{start}", reference.type_name()).into(),
        };
        Self(type_name, values.into())
    }

    /// Returns the key as Ruby's `inspect` shows it, for messages.
    pub(crate) fn inspect(&self) -> String {
        let type_name = Value::String(Arc::clone(&self.0));
        let parts: Vec<Value> = std::iter::once(type_name).chain(self.1.as_slice().iter().cloned()).collect();
        Value::from(parts).inspected()
    }
}

impl Draft {
    /// Returns the name of the node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns all resources, including virtual ones.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.iter().flatten()
    }

    /// Returns the resource that a reference is to, by its title or an alias.
    pub fn resource(&self, reference: &Reference) -> Option<&Resource> {
        self.get(self.find(reference)?)
    }

    /// Returns the edges of containment: pairs of a class, node or resource of a defined type, and a resource declared in it, in the
    /// order of the declared resources.
    pub fn edges(&self) -> impl Iterator<Item = (&Resource, &Resource)> {
        let mut edges: Vec<_> = self.edges.iter().collect();
        edges.sort_by_key(|(_, resource)| resource.0);
        edges
            .into_iter()
            .filter_map(|(container, resource)| Some((self.get(*container)?, self.get(*resource)?)))
    }

    /// Returns the names of the evaluated classes and nodes, in order, after the names of the node classifier's classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|name| &**name)
    }

    /// Returns the tags of the catalog as a whole: the names of its classes among them.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Returns the type in Ruby of this name, if it is one of Puppet's own or has resources.
    pub(crate) fn native_type(&self, name: &str) -> Option<Arc<NativeType>> {
        // Releases have the same keys of types.
        let builtin = builtin_type(&name.to_lowercase(), Target::default());
        builtin.or_else(|| self.types.get(name)).cloned()
    }

    /// Returns the place of the arrow, or of the call of `require`, that relates two resources.
    pub(crate) fn arrow(&self, first: ResourceId, second: ResourceId) -> Option<&SourceLocation> {
        self.arrows.get(&(first, second))
    }

    /// Notes the place of an arrow or of a call of `require`; of several, the first.
    pub(crate) fn note_arrow(&mut self, first: ResourceId, second: ResourceId, place: SourceLocation) {
        self.arrows.entry((first, second)).or_insert(place);
    }

    pub(crate) fn get(&self, id: ResourceId) -> Option<&Resource> {
        self.resources.get(id.0 as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: ResourceId) -> Option<&mut Resource> {
        self.resources.get_mut(id.0 as usize)?.as_mut()
    }

    pub(crate) fn find(&self, reference: &Reference) -> Option<ResourceId> {
        self.index.get(&ResourceKey::of(reference)).or_else(|| self.find_by_name(reference)).copied()
    }

    /// Finds a resource by the title of a reference, or the unique values that the title stands for.
    pub(crate) fn find_by_name(&self, reference: &Reference) -> Option<&ResourceId> {
        let t = self.types.get(reference.type_name())?;
        let title = Value::String(Arc::clone(reference.title()));
        let (name, named) = (t.name_parameter(), t.name_of(&title));
        let value = |key: &Arc<str>| match &**key {
            "name" => Value::clone(&named),
            key if key == name => Value::clone(&named),
            _ => Value::Undef,
        };
        let values: Vec<Value> = t.unique_parameters().iter().map(value).collect();
        self.index.get(&ResourceKey::new(reference, values))
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// Fails if there is one with the same type and title, or with the same value where no two may have the same.
    pub(crate) fn add(&mut self, resource: Resource) -> Result<ResourceId, Error> {
        let key = ResourceKey::of(&resource.reference);
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

    /// Removes a resource, its aliases and its edges.
    pub(crate) fn remove(&mut self, id: ResourceId) {
        if let Some(resource) = self.resources.get_mut(id.0 as usize) {
            *resource = None;
            self.index.retain(|_, found| *found != id);
            self.edges.retain(|(container, resource)| *container != id && *resource != id);
        }
    }

    /// Puts a value in place of a list wherever it is the value of a parameter: Puppet adds to the one list that
    /// several resources have by one expression, such as a default.
    pub(crate) fn replace_list(&mut self, list: &Array, value: &Value) {
        let parameters =
            self.resources.iter_mut().flatten().flat_map(|resource| resource.parameters.values_mut());
        for parameter in parameters {
            if matches!(&parameter.value, Value::Array(found) if found.is_same(list)) {
                parameter.value = value.clone();
            }
        }
    }

    /// Checks that the names of resources are unique, including aliases inherited from containers, and that references to resources
    /// of some types have a title.
    ///
    /// # Errors
    /// Fails if two resources share a name, or a reference has no title.
    #[allow(clippy::mutable_key_type, reason = "regular expressions are compared by their texts")]
    pub(crate) fn check_names(&self, titled: &[Arc<NativeType>]) -> Result<(), Error> {
        let resources = || self.resources().filter(|resource| resource.is_for_some_node());
        let is_titled = |name: Arc<str>| titled.iter().any(|t| t.name().eq_ignore_ascii_case(&name));
        let has_untitled =
            |resource: &Resource| !titled.is_empty() && resource.untitled_types().any(is_titled);
        // Titles are distinct already, so that only aliases can repeat a name.
        if !resources().any(|resource| has_untitled(resource) || resource.get("alias").is_some()) {
            return Ok(());
        }
        let mut index: FastMap<ResourceKey, &Resource> = FastMap::default();
        index.reserve(self.index.len());
        for resource in resources() {
            if has_untitled(resource) {
                let message = "No set of title patterns matched the title \"\".";
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
            if let Some(existing) = index.insert(ResourceKey::of(&resource.reference), resource) {
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
    /// Returns the aliases that its parameters state.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = ResourceKey> {
        let given = self.get("alias").map(flat).unwrap_or_default();
        let aliases = given.into_iter().filter(|alias| !matches!(alias, Value::Undef));
        aliases.map(|alias| ResourceKey::also(&self.reference, vec![alias]))
    }

    /// Returns its names besides the title: its aliases and unique values.
    pub(crate) fn other_names(&self) -> impl Iterator<Item = ResourceKey> {
        let unique = self.unique_values();
        let is_told =
            unique.iter().any(|value| !matches!(value, Value::Undef)) && unique != [self.title.clone()];
        self.aliases().chain(is_told.then(|| ResourceKey::also(&self.reference, unique)))
    }

    #[cold]
    pub(crate) fn is_duplicate_of(&self, existing: &Self) -> Error {
        let at = existing.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let message = format!(
            "Duplicate declaration: {} is already declared{at}; cannot redeclare{}",
            self.reference,
            behind(self.place.as_ref())
        );
        Error::new(ErrorKind::Duplicate, message)
    }

    #[cold]
    pub(crate) fn cannot_have(&self, name: &ResourceKey, existing: &Self) -> Error {
        let shown = match name.1.as_slice() {
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

/// Returns true if a value is another, or an array that has it.
fn holds(value: &Value, item: &Value) -> bool {
    value == item || matches!(value, Value::Array(items) if items.contains(item))
}
