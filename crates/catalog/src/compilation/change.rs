//! Writes of functions of the host to a catalog, without the rules for code.
//!
//! See Puppet's `parser/resource.rb`, `parser/compiler.rb` and `resource/catalog.rb`.

use std::sync::Arc;

use super::{Compilation, ResourceDeclaration};
use crate::ids::{ScopeId, SourceId};
use crate::kind::ResourceKind;
use crate::resource::{Resource, ResourceParameter};
use crate::{Draft, ParameterCause, Reference, ResourceId, Tags};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_types::value::Value;

/// A parameter that a function of the host has made.
#[derive(Clone, Debug)]
pub struct WrittenParameter {
    /// The name of the parameter.
    pub name: Arc<str>,
    /// The value of the parameter.
    pub value: Value,
    /// The file and line that the parameter says it is from.
    pub place: Option<SourceLocation>,
    /// Whether the calling code is the parameter's source; otherwise the resource's own source is.
    pub is_of_caller: bool,
    /// Whether it adds to the value before.
    pub is_added: bool,
}

/// A change of a declared resource.
#[derive(Clone, Debug)]
pub enum ResourceChange {
    /// Puts a parameter in place of the one of its name.
    Parameter(WrittenParameter),
    /// Changes the value of a parameter, in all resources that share it.
    Value(Arc<str>, Value),
    /// Takes a parameter away.
    Removal(Arc<str>),
    /// Whether it is only declared for others to collect or realize it.
    Virtual(bool),
    /// Whether it is declared for other nodes.
    Exported(bool),
    /// Whether its definition counts as evaluated.
    Evaluated(bool),
    /// Its tags, in place of all others.
    Tags(Vec<Arc<str>>),
    /// The file that it says it is from.
    File(Option<Arc<str>>),
    /// The line that it says it is at.
    Line(Option<u32>),
    /// The names of the parameters whose values must not be shown.
    Sensitive(Vec<Arc<str>>),
}

/// The membership of a resource in a catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// The catalog has it, but nothing contains or evaluates it.
    Listed,
    /// It is declared.
    Declared {
        /// The number of the scope whose tags it has.
        scope: u32,
        /// Number of the container's scope.
        container: u32,
    },
}

/// A resource that a function of the host has made.
#[derive(Clone, Debug)]
pub struct WrittenResource {
    /// The name of its type.
    pub type_name: String,
    /// The title, which need not be a text.
    pub title: Value,
    /// Its parameters, in order.
    pub parameters: Vec<WrittenParameter>,
    /// All of its tags.
    pub tags: Vec<Arc<str>>,
    /// Whether it is only declared for others to collect or realize it.
    pub is_virtual: bool,
    /// Whether it is declared for other nodes.
    pub is_exported: bool,
    /// The file and line that it says it is from.
    pub place: Option<SourceLocation>,
    /// The membership in the catalog.
    pub membership: Membership,
}

impl WrittenParameter {
    fn with_source(self, source: SourceId) -> ResourceParameter {
        ResourceParameter {
            name: self.name,
            value: self.value,
            source,
            is_added: self.is_added,
            place: self.place,
            cause: ParameterCause::Declaration,
            sharing: 0,
        }
    }
}

impl Draft {
    /// Sets an attribute of the catalog as a whole, which its data has under this name.
    pub fn set_attribute(&mut self, name: &str, value: Value) {
        self.attributes.insert(name.into(), value);
    }

    /// Returns an attribute that a function of the host has set.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.get(name)
    }
}

impl Compilation {
    /// Marks parameters as shared by all resources that get them from now on.
    pub fn share(&mut self, parameters: &mut [ResourceParameter]) {
        for parameter in parameters.iter_mut().filter(|parameter| parameter.sharing == 0) {
            self.shared_parameters = self.shared_parameters.saturating_add(1);
            parameter.sharing = self.shared_parameters;
        }
    }

    /// Changes a declared resource on behalf of code of a scope.
    ///
    /// # Errors
    /// Fails if there is no such resource, or it has no parameter of the name whose value changes.
    pub fn change_resource(
        &mut self,
        scope: ScopeId,
        reference: &Reference,
        change: ResourceChange,
    ) -> Result<(), Error> {
        let caller = self.source(scope);
        if let ResourceChange::Value(name, value) = change {
            return self.change_value(reference, &name, value);
        }
        let resource = self.declared_as(reference)?;
        match change {
            ResourceChange::Parameter(written) => {
                let source = if written.is_of_caller { caller } else { resource.source };
                resource.parameters.insert(Arc::clone(&written.name), written.with_source(source));
            }
            ResourceChange::Value(..) => {}
            ResourceChange::Removal(name) => _ = resource.parameters.shift_remove(&name),
            ResourceChange::Virtual(is_virtual) => resource.is_virtual = is_virtual,
            ResourceChange::Exported(is_exported) => {
                resource.is_exported = is_exported;
                resource.is_virtual |= is_exported;
            }
            ResourceChange::Evaluated(is_evaluated) => resource.is_evaluated = is_evaluated,
            ResourceChange::Tags(tags) => resource.tags = Tags::of(tags),
            ResourceChange::File(file) => {
                let line = resource.place.take().and_then(|place| place.line);
                resource.place = Some(SourceLocation { file, line, column: None });
            }
            ResourceChange::Line(line) => {
                let file = resource.place.take().and_then(|place| place.file);
                resource.place = Some(SourceLocation { file, line, column: None });
            }
            ResourceChange::Sensitive(names) => resource.sensitive = names,
        }
        Ok(())
    }

    fn change_value(&mut self, reference: &Reference, name: &Arc<str>, value: Value) -> Result<(), Error> {
        let resource = self.declared_as(reference)?;
        let Some(parameter) = resource.parameters.get_mut(name) else {
            let message = format!("{reference} has no parameter '{name}' any more");
            return Err(Error::new(ErrorKind::Evaluation, message));
        };
        parameter.value = value.clone();
        let sharing = parameter.sharing;
        if sharing != 0 {
            let all = self.catalog.resources.iter_mut().flatten();
            for parameter in all.filter_map(|resource| resource.parameters.get_mut(name)) {
                if parameter.sharing == sharing {
                    parameter.value = value.clone();
                }
            }
            for collector in &mut self.collectors {
                collector.change_shared(sharing, &value);
            }
        }
        Ok(())
    }

    /// Creates a resource for a function of the host, and adds it to the catalog.
    ///
    /// # Errors
    /// The same errors as [`Compilation::add`]. Fails too if the scope is unknown or a parameter is given twice.
    pub fn add_written(
        &mut self,
        kind: Arc<ResourceKind>,
        written: WrittenResource,
        title_parts: Vec<(Arc<str>, Value)>,
    ) -> Result<ResourceId, Error> {
        let numbered = |number: u32| {
            self.scopes.numbered(number).ok_or_else(|| {
                Error::new(ErrorKind::Evaluation, format!("there is no scope of the number {number}"))
            })
        };
        let (scope, container) = match written.membership {
            Membership::Listed => (ScopeId::TOP, ScopeId::TOP),
            Membership::Declared { scope, container } => (numbered(scope)?, numbered(container)?),
        };
        let source = self.source(scope);
        let parameters = written.parameters.into_iter().map(|given| given.with_source(source)).collect();
        let mut declaration = ResourceDeclaration::new(kind, written.title);
        declaration.parameters = parameters;
        declaration.title_parts = title_parts;
        declaration.is_virtual = written.is_virtual;
        declaration.is_exported = written.is_exported;
        declaration.place = written.place;
        let mut resource: Resource = self.bare(scope, declaration, source)?;
        resource.tags = Tags::of(written.tags);
        match written.membership {
            Membership::Declared { .. } => self.add(container, resource),
            Membership::Listed => self.catalog.add(resource),
        }
    }

    /// Notes that one resource contains another, as far as the catalog's edges go.
    ///
    /// # Errors
    /// Fails if one of them is not in the catalog.
    pub fn add_edge(&mut self, container: &Reference, resource: &Reference) -> Result<(), Error> {
        let find = |reference: &Reference| {
            self.catalog.find(reference).ok_or_else(|| {
                let message = format!("an edge leads to {reference}, which is not in the catalog");
                Error::new(ErrorKind::Evaluation, message)
            })
        };
        let edge = (find(container)?, find(resource)?);
        self.catalog.edges.insert(edge);
        Ok(())
    }

    /// Takes an edge away. Returns true if there was one.
    pub fn remove_edge(&mut self, container: &Reference, resource: &Reference) -> bool {
        let edge = self.catalog.find(container).zip(self.catalog.find(resource));
        edge.is_some_and(|edge| self.catalog.edges.shift_remove(&edge))
    }

    /// Tags the catalog as a whole.
    ///
    /// # Errors
    /// Fails if a value is not a tag.
    pub fn tag_catalog(&mut self, tags: &[Value]) -> Result<(), Error> {
        let limits = self.limits;
        tags.iter().try_for_each(|tag| self.catalog.tags.add_value(tag, &limits))
    }

    /// Sets an attribute of the catalog as a whole.
    pub fn set_attribute(&mut self, name: &str, value: Value) {
        self.catalog.set_attribute(name, value);
    }

    /// Sets parameters that resources of a type have by default in a scope.
    ///
    /// # Errors
    /// Fails if one has a default value in the scope already.
    pub fn define_defaults(
        &mut self,
        scope: ScopeId,
        type_name: &Arc<str>,
        parameters: Vec<WrittenParameter>,
    ) -> Result<(), Error> {
        let source = self.source(scope);
        let parameters = parameters.into_iter().map(|given| given.with_source(source)).collect();
        self.scopes.set_defaults(scope, type_name, parameters)
    }

    /// Sets parameters that resources of a type have by default in a scope, in place of earlier ones of the same names.
    pub fn replace_defaults(
        &mut self,
        scope: ScopeId,
        type_name: &Arc<str>,
        parameters: Vec<WrittenParameter>,
    ) {
        let source = self.source(scope);
        let parameters = parameters.into_iter().map(|given| given.with_source(source)).collect();
        self.scopes.replace_defaults(scope, type_name, parameters);
    }

    /// Returns the parameters that resources of a type have by default because of a scope itself.
    pub fn own_defaults(
        &self,
        scope: ScopeId,
        type_name: &str,
    ) -> Vec<(Arc<str>, Value, Option<SourceLocation>)> {
        let defaults = self.scopes.own_defaults(scope, type_name);
        defaults.into_iter().map(|parameter| (parameter.name, parameter.value, parameter.place)).collect()
    }

    /// Stores the default parameters that the host gave for a scope.
    pub fn keep_defaults(&mut self, scope: ScopeId, type_name: &Arc<str>, given: Vec<(Arc<str>, Value)>) {
        let defaults =
            given.into_iter().map(|(name, value)| self.parameter(scope, name, value, false, None)).collect();
        self.scopes.answer(scope, type_name, defaults);
    }
}
