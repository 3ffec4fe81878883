//! A catalog in the making.

pub(crate) mod change;
pub(crate) mod collector;
pub(crate) mod exports;
pub(crate) mod finish;
mod notes;
mod overrides;
pub(crate) mod relationship;

use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use self::collector::ActiveCollector;
use self::exports::ExportCollection;
use self::overrides::Override;
use self::relationship::PendingRelationship;
use crate::ids::{ScopeId, SourceId};
use crate::kind::ResourceKind;
use crate::names::NameMap;
use crate::resource::{Resource, ResourceParameter};
use crate::scope::CatalogScopes;
use crate::{CatalogOrigins, Draft, ParameterCause, Reference, ResourceId, Tags, flat};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs, SourceLocation};
use puppetfn_base::limits::{Limits, exceeded};
use puppetfn_base::target::Target;
use puppetfn_types::value::{FrozenText, Value};

/// A catalog, and all that is left to be done for it.
#[derive(Debug)]
pub struct Compilation {
    pub(crate) catalog: Draft,
    /// The scopes of the code that declares resources.
    pub scopes: CatalogScopes,
    /// The declared resources, and the class of the top level.
    pub(crate) declared: Vec<ResourceId>,
    /// Overrides of resources that are not declared yet.
    pub(crate) overrides: IndexMap<Reference, Vec<Override>>,
    pub(crate) relationships: Vec<PendingRelationship>,
    pub(crate) collectors: Vec<ActiveCollector>,
    pub(crate) exports: ExportCollection,
    /// The origins of classes and parameters, if they are recorded.
    pub origins: Option<Box<CatalogOrigins>>,
    pub(crate) limits: Limits,
    /// The severity of changes that come too late.
    pub(crate) strict: Strict,
    /// The warnings to log.
    pub warnings: Vec<String>,
    /// Number of parameters that resources share.
    pub(crate) shared_parameters: u32,
}

/// The declaration of a resource.
pub struct ResourceDeclaration {
    /// The type.
    pub kind: Arc<ResourceKind>,
    /// The title, which functions may give as another value than a text.
    pub title: Value,
    /// The parts that the type's code extracts from the title, if the type has title patterns of its own.
    pub title_parts: Vec<(Arc<str>, Value)>,
    /// The parameters, in order.
    pub parameters: Vec<ResourceParameter>,
    /// The place of the declaration.
    pub place: Option<SourceLocation>,
    /// Whether only collectors and `realize` add it.
    pub is_virtual: bool,
    /// Whether it is for other nodes.
    pub is_exported: bool,
    /// Whether it is a class that is declared as a resource is.
    pub is_declared_class: bool,
}

/// The class of all catalogs whose variables are Puppet's settings.
pub const SETTINGS: &str = "settings";

impl ResourceDeclaration {
    /// Creates a declaration for this node, without parameters and without a place.
    pub fn new(kind: Arc<ResourceKind>, title: Value) -> Self {
        Self {
            kind,
            title,
            title_parts: Vec::new(),
            parameters: Vec::new(),
            place: None,
            is_virtual: false,
            is_exported: false,
            is_declared_class: false,
        }
    }
}

impl Compilation {
    /// Sets the severity of mistakes that Puppet tolerates where it is less strict.
    pub fn set_strict(&mut self, strict: Strict) {
        self.strict = strict;
        self.catalog.strict = strict;
    }

    /// Creates the catalog of a node, with the resources that precede all code: a stage, the settings, and the class of the
    /// top level.
    pub fn new(node: &str, limits: Limits) -> Self {
        let catalog = Draft { node: node.into(), ..Draft::default() };
        let mut compilation = Self {
            catalog,
            // The first resource is the stage, the second the settings.
            scopes: CatalogScopes::new(ResourceId(2)),
            declared: Vec::new(),
            overrides: IndexMap::new(),
            relationships: Vec::new(),
            collectors: Vec::new(),
            exports: ExportCollection::default(),
            origins: None,
            limits,
            strict: Strict::default(),
            warnings: Vec::new(),
            shared_parameters: 0,
        };
        let class = || Arc::new(ResourceKind::defined("Class", []));
        let stage = ResourceKind::builtin("stage", Target::default()).map_or_else(class, Arc::new);
        let stage = compilation.insert(stage, "main");
        for title in [SETTINGS, ""] {
            let id = compilation.insert(class(), title);
            compilation.catalog.edges.extend(stage.zip(id));
        }
        // `settings` counts as evaluated, the class of the top level does not.
        compilation.catalog.classes.push(SETTINGS.into());
        compilation.catalog.tags.add_if_valid(&SETTINGS.into());
        compilation.declared.extend(compilation.catalog.find(&Reference::class("")));
        compilation
    }

    /// Adds a resource that precedes all code.
    fn insert(&mut self, kind: Arc<ResourceKind>, title: &str) -> Option<ResourceId> {
        let mut resource =
            self.prepare(ScopeId::TOP, ResourceDeclaration::new(kind, title.into()), None).ok()?;
        resource.is_evaluated = true;
        self.catalog.add(resource).ok()
    }

    /// Returns the catalog as it is now.
    pub fn catalog(&self) -> &Draft {
        &self.catalog
    }

    /// Returns the catalog, and leaves an empty one behind.
    pub fn take_catalog(&mut self) -> Draft {
        std::mem::take(&mut self.catalog)
    }

    /// Returns a resource.
    pub fn resource(&self, id: ResourceId) -> Option<&Resource> {
        self.catalog.get(id)
    }

    /// Returns the resource that a reference is to.
    pub fn find(&self, reference: &Reference) -> Option<ResourceId> {
        self.catalog.find(reference)
    }

    /// Returns the container of the resources that a scope's code declares.
    pub fn container(&self, scope: ScopeId) -> Option<&Resource> {
        self.catalog.get(self.scopes.get(scope).resource)
    }

    /// Creates a resource without adding it to the catalog. It may be of another source than the scope.
    ///
    /// # Errors
    /// Fails if a parameter is given twice, or if it is given tags that cannot be tags.
    pub fn prepare(
        &self,
        scope: ScopeId,
        declaration: ResourceDeclaration,
        source: Option<SourceId>,
    ) -> Result<Resource, Error> {
        let source = source.unwrap_or_else(|| self.source(scope));
        let mut resource = self.bare(scope, declaration, source)?;
        for (name, default) in self.scopes.defaults(scope, resource.type_name()) {
            if !resource.parameters.contains_key(&name) {
                resource
                    .set(ResourceParameter { cause: ParameterCause::TypeDefault, ..default }, &self.limits)?;
            }
        }
        Ok(resource)
    }

    /// Returns the same without the parameters that it has by default.
    pub(crate) fn bare(
        &self,
        scope: ScopeId,
        declaration: ResourceDeclaration,
        source: SourceId,
    ) -> Result<Resource, Error> {
        let ResourceDeclaration {
            kind,
            title,
            title_parts,
            parameters,
            place,
            is_virtual,
            is_exported,
            is_declared_class,
        } = declaration;
        let reference = match &title {
            // The title of a reference is not frozen.
            Value::String(text) if !FrozenText::is_marked(text) => Reference::of_texts(&kind.type_name, text),
            title => Reference::new(&kind.type_name, &title.ruby_to_s(&self.limits)?),
        };
        let title = if kind.is_class() { Value::String(Arc::clone(reference.title())) } else { title };
        let mut resource = Resource {
            reference,
            title,
            title_parts: title_parts.into(),
            is_declared_class,
            kind,
            parameters: NameMap::with_capacity_and_hasher(parameters.len(), RandomState::default()),
            sensitive: Vec::new(),
            tags: Tags::default(),
            is_virtual: is_virtual || is_exported,
            is_exported,
            place,
            scope,
            source,
            is_evaluated: false,
            has_scope_tags: false,
            is_finished: false,
        };
        for parameter in parameters {
            if resource.get(&parameter.name).is_some() {
                let message =
                    format!("Duplicate parameter '{}' for on {}", parameter.name, resource.reference);
                return Err(resource.error(message));
            }
            let problem = resource.set(parameter, &self.limits).err();
            if let Some(problem) = problem {
                return Err(resource.error(problem.message().to_owned()));
            }
        }
        match resource.kind.tags() {
            Some(tags) => resource.tags.extend(tags),
            None => resource.tags.add(resource.reference.type_name())?,
        }
        // A title becomes a tag if it is a string: neither a number, nor the symbol that Puppet has as the title of `main`.
        if matches!(resource.title, Value::String(_)) && !resource.is_main() {
            resource.tags.add_if_valid(resource.reference.title());
        }
        Ok(resource)
    }

    /// Adds a resource to the catalog and to its container.
    ///
    /// # Errors
    /// Fails if the catalog has a resource of this type and title, or if the resource has a stage and is not a class.
    pub fn add(&mut self, scope: ScopeId, resource: Resource) -> Result<ResourceId, Error> {
        if self.catalog.resources.len() as u64 >= self.limits.size {
            return Err(exceeded(
                format_args!("a catalog of more than {} resources", self.limits.size),
                "size",
            ));
        }
        let (is_class, is_stage) = (resource.is_class(), resource.type_name() == "Stage");
        if !is_class && !matches!(resource.get("stage"), None | Some(Value::Undef)) {
            let message = format!(
                "Only classes can set 'stage'; normal resources like {} cannot change run stage",
                resource.reference
            );
            return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR));
        }
        let id = self.catalog.add(resource)?;
        self.declared.push(id);
        if !is_class && !is_stage {
            self.catalog.edges.insert((self.scopes.get(scope).resource, id));
        }
        Ok(id)
    }

    /// Notes that the catalog has a class or node, whose tags are tags of the catalog.
    pub fn merge_tags(&mut self, resource: &Resource) {
        self.catalog.tags.merge(&resource.tags);
    }

    /// Begins to evaluate a resource, if that has not been done yet.
    pub fn begin(&mut self, id: ResourceId) -> bool {
        let Some(resource) = self.catalog.get_mut(id) else { return false };
        if std::mem::replace(&mut resource.is_evaluated, true) {
            return false;
        }
        self.add_scope_tags(id);
        true
    }

    /// Adds the tags of its container to a resource, once.
    pub(crate) fn add_scope_tags(&mut self, id: ResourceId) {
        let Some(resource) = self.catalog.get_mut(id) else { return };
        if std::mem::replace(&mut resource.has_scope_tags, true) {
            return;
        }
        let container = self.scopes.get(resource.scope).resource;
        if container == id {
            return;
        }
        let mut tags = std::mem::take(&mut resource.tags);
        if let Some(container) = self.catalog.get(container) {
            tags.inherit(&container.tags);
        }
        if let Some(resource) = self.catalog.get_mut(id) {
            resource.tags = tags;
        }
    }

    /// Adds an evaluated class or node to the catalog's list of classes.
    ///
    /// # Errors
    /// Fails if its name cannot be a tag.
    pub fn add_class(&mut self, name: &Arc<str>) -> Result<(), Error> {
        self.catalog.tags.add(name)?;
        // Every catalog has it from the start.
        if **name != *SETTINGS {
            self.catalog.classes.push(Arc::clone(name));
        }
        Ok(())
    }

    /// Puts the classes that a node classifier names before all others.
    ///
    /// # Errors
    /// Fails if a name cannot be a tag.
    pub fn add_node_classes(&mut self, names: &[Arc<str>]) -> Result<(), Error> {
        self.catalog.classes.splice(0..0, names.iter().cloned());
        names.iter().try_for_each(|name| self.catalog.tags.add(name))
    }

    /// Puts a class in its stage.
    ///
    /// # Errors
    /// Fails if there is no such stage.
    pub fn add_to_stage(&mut self, id: ResourceId) -> Result<(), Error> {
        let Some(resource) = self.catalog.get(id) else { return Ok(()) };
        let stated = |resource: &Resource| {
            resource.get("stage").filter(|stage| !matches!(stage, Value::Undef)).cloned()
        };
        let stage = stated(resource).or_else(|| stated(self.container(resource.scope)?));
        let title = stage.as_ref().map_or(Ok("main".to_owned()), |stage| stage.ruby_to_s(&self.limits))?;
        let Some(found) = self.catalog.find(&Reference::new("Stage", &title)) else {
            let message = format!("Could not find stage {title} specified by {}", resource.reference);
            return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR));
        };
        if title != "main" && resource.get("stage").is_none() {
            self.set(id, "stage", title.into(), ParameterCause::Container)?;
        }
        self.catalog.edges.insert((found, id));
        Ok(())
    }

    /// Gives the class of the settings the parameters of its definition.
    pub fn set_kind(&mut self, id: ResourceId, kind: Arc<ResourceKind>) {
        if let Some(resource) = self.catalog.get_mut(id) {
            resource.kind = kind;
        }
    }

    /// Notes that one resource contains another.
    pub fn contain(&mut self, container: ResourceId, resource: ResourceId) {
        self.catalog.edges.insert((container, resource));
    }

    /// Sets a parameter of a resource, on behalf of its definition.
    ///
    /// # Errors
    /// Fails if it is given tags that cannot be tags.
    pub fn set(
        &mut self,
        id: ResourceId,
        name: &str,
        value: Value,
        cause: ParameterCause,
    ) -> Result<(), Error> {
        let Some(resource) = self.catalog.get_mut(id) else { return Ok(()) };
        let source = resource.source;
        let parameter = ResourceParameter {
            name: name.into(),
            value,
            source,
            is_added: false,
            place: None,
            cause,
            sharing: 0,
        };
        resource.set(parameter, &self.limits)
    }

    /// Replaces the values of the parameters of all resources, and of the variables that functions have set.
    ///
    /// # Errors
    /// The first error of `update`.
    pub fn update_values(
        &mut self,
        mut update: impl FnMut(&mut Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for resource in self.catalog.resources.iter_mut().flatten() {
            resource.parameters.values_mut().try_for_each(|parameter| update(&mut parameter.value))?;
        }
        self.scopes.variables_mut().try_for_each(update)
    }

    /// Adds to the list of resources that a resource is related to.
    ///
    /// # Errors
    /// None for a parameter that relates resources.
    pub fn relate(&mut self, id: ResourceId, name: &str, reference: &Reference) -> Result<(), Error> {
        let Some(resource) = self.catalog.get(id) else { return Ok(()) };
        let with = |values: &[Value]| -> Value { [values, &[reference.to_string().into()]].concat().into() };
        let related = match resource.get(name) {
            None | Some(Value::Undef) => with(&[]),
            // The parameter stays, with the place that it is from.
            Some(Value::Array(list)) => {
                let related = with(list);
                if list.is_shared() {
                    let list = list.clone();
                    self.catalog.replace_list(&list, &related);
                } else if let Some(parameter) =
                    self.catalog.get_mut(id).and_then(|resource| resource.parameters.get_mut(name))
                {
                    parameter.value = related;
                }
                return Ok(());
            }
            Some(value) => with(std::slice::from_ref(value)),
        };
        self.set(id, name, related, ParameterCause::Relationship)
    }

    /// Makes a resource require another one. The new list of requirements has no position; the position of the call is noted like an arrow's.
    ///
    /// # Errors
    /// The same errors as [`Self::set`].
    pub fn require(
        &mut self,
        id: ResourceId,
        reference: &Reference,
        place: impl FnOnce() -> Option<SourceLocation>,
    ) -> Result<(), Error> {
        if let (Some(first), Some(place)) = (self.catalog.find(reference), place()) {
            self.catalog.note_arrow(first, id, place);
        }
        let required = self.catalog.get(id).and_then(|resource| resource.get("require")).map(flat);
        let mut required = required.unwrap_or_default();
        required.retain(|value| !matches!(value, Value::Undef));
        required.push(reference.to_given().into());
        self.set(id, "require", required.into(), ParameterCause::Relationship)
    }

    /// Tags a resource.
    ///
    /// # Errors
    /// Fails if a value has no tags.
    pub fn tag(&mut self, scope: ScopeId, values: &[Value]) -> Result<(), Error> {
        let id = self.scopes.get(scope).resource;
        let Some(resource) = self.catalog.get_mut(id) else { return Ok(()) };
        values.iter().try_for_each(|value| resource.tags.add_value(value, &self.limits))
    }

    /// Returns true if the catalog, or the container of a scope's resources, has a tag.
    pub fn is_tagged(&self, scope: ScopeId, tag: &str) -> bool {
        let container = self.scopes.get(scope).resource;
        self.catalog.tags.contains(tag) || self.has_tag(container, tag)
    }

    /// Returns true if a resource or one of its containers has a tag.
    pub(crate) fn has_tag(&self, id: ResourceId, tag: &str) -> bool {
        let mut next = Some(id);
        while let Some(resource) = next.and_then(|id| self.catalog.get(id)) {
            if resource.tags.contains(tag) {
                return true;
            }
            let container = self.scopes.get(resource.scope).resource;
            next = next.filter(|id| *id != container).map(|_| container);
        }
        false
    }

    /// Returns the classes and resources of defined types that are yet to be evaluated: neither virtual nor evaluated.
    pub fn unevaluated(&self) -> Vec<ResourceId> {
        let is_left = |id: &ResourceId| {
            let resource = self.catalog.get(*id);
            resource.is_some_and(|r| !r.is_evaluated && !r.is_virtual && !r.kind.is_native())
        };
        self.declared.iter().copied().filter(is_left).collect()
    }

    /// Returns the resources of defined types that nothing has evaluated, as they are virtual, and that have yet to
    /// be checked.
    pub fn unchecked(&self) -> Vec<ResourceId> {
        let is_left = |id: &ResourceId| {
            let resource = self.catalog.get(*id);
            resource.is_some_and(|r| !r.is_evaluated && !r.is_finished && !r.kind.is_native())
        };
        self.declared.iter().copied().filter(is_left).collect()
    }

    /// Returns the value of a parameter, or the one that it has by default.
    pub fn value_of(&self, id: ResourceId, name: &str) -> Value {
        let Some(resource) = self.catalog.get(id) else { return Value::Undef };
        match resource.get(name) {
            None | Some(Value::Undef) => {
                let mut defaults = self.scopes.defaults(resource.scope, resource.type_name());
                defaults.swap_remove(name).map_or(Value::Undef, |default| default.value)
            }
            Some(value) => value.clone(),
        }
    }

    /// Returns a parameter that a definition sets.
    pub fn parameter(
        &self,
        scope: ScopeId,
        name: impl Into<Arc<str>>,
        value: Value,
        is_added: bool,
        place: Option<SourceLocation>,
    ) -> ResourceParameter {
        let (source, cause) = (self.source(scope), ParameterCause::Declaration);
        ResourceParameter { name: name.into(), value, source, is_added, place, cause, sharing: 0 }
    }

    /// Returns the definition whose code runs in a scope.
    pub fn source(&self, scope: ScopeId) -> SourceId {
        self.scopes.get(scope).source
    }
}
