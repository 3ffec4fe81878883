//! Writes of functions of the host to the catalog that is made, and to scopes.

use std::sync::Arc;

use super::Runtime;
use super::machine::in_scope;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_catalog::{Reference, ResourceChange, ScopeId, WrittenParameter, WrittenResource};
use puppetfn_types::value::Value;

/// The name of a parameter, its default value, and where that is set.
pub type ScopeDefault = (Arc<str>, Value, Option<SourceLocation>);

impl Runtime {
    /// Changes a declared resource, without the rules for code.
    ///
    /// # Errors
    /// Fails if there is no such resource, or it has no parameter of the name whose value changes.
    pub fn change_resource(&self, reference: &Reference, change: ResourceChange) -> Result<(), Error> {
        self.refuse_script()?;
        let scope = self.shared.scope();
        self.shared.compilation().change_resource(scope, reference, change)
    }

    /// Changes a resource by the rules for code of a scope, now or when it is declared.
    ///
    /// # Errors
    /// Fails if the code may not change it.
    pub fn add_override(
        &self,
        reference: Reference,
        parameters: Vec<WrittenParameter>,
        place: Option<SourceLocation>,
    ) -> Result<(), Error> {
        self.refuse_script()?;
        let scope = self.shared.scope();
        let mut compilation = self.shared.compilation();
        let parameters = parameters
            .into_iter()
            .map(|given| compilation.parameter(scope, given.name, given.value, given.is_added, given.place))
            .collect();
        compilation.override_resource(scope, reference, parameters, place)
    }

    /// Adds a resource to the catalog.
    ///
    /// # Errors
    /// Fails if there is no such type or class, or there is one of the type and title.
    pub fn add_resource(&self, resource: WrittenResource) -> Result<(), Error> {
        self.refuse_script()?;
        self.with_machine(|machine| machine.add_written(resource))
    }

    /// Adds an edge from a container to a contained resource.
    ///
    /// # Errors
    /// Fails if one of them is not in the catalog.
    pub fn add_edge(&self, container: &Reference, resource: &Reference) -> Result<(), Error> {
        self.refuse_script()?;
        self.shared.compilation().add_edge(container, resource)
    }

    /// Takes an edge out of the catalog. Returns true if there was one.
    ///
    /// # Errors
    /// Fails for a script.
    pub fn remove_edge(&self, container: &Reference, resource: &Reference) -> Result<bool, Error> {
        self.refuse_script()?;
        Ok(self.shared.compilation().remove_edge(container, resource))
    }

    /// Adds a name to the classes of the catalog, and its tag.
    ///
    /// # Errors
    /// Fails if the name cannot be a tag.
    pub fn add_class_name(&self, name: &Arc<str>) -> Result<(), Error> {
        self.refuse_script()?;
        self.shared.compilation().add_class(name)
    }

    /// Tags the catalog as a whole.
    ///
    /// # Errors
    /// Fails if a value is not a tag.
    pub fn tag_catalog(&self, tags: &[Value]) -> Result<(), Error> {
        self.refuse_script()?;
        self.shared.compilation().tag_catalog(tags)
    }

    /// Sets an attribute of the catalog as a whole, which its data has under this name.
    ///
    /// # Errors
    /// Fails for a script.
    pub fn set_catalog_attribute(&self, name: &str, value: Value) -> Result<(), Error> {
        self.refuse_script()?;
        self.shared.compilation().set_attribute(name, value);
        Ok(())
    }

    /// Returns the parameters that resources of a type have by default because of a scope itself.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn scope_defaults(&self, scope: u32, type_name: &str) -> Result<Vec<ScopeDefault>, Error> {
        let (scope, type_name) = self.place_of_defaults(scope, type_name)?;
        Ok(self.shared.compilation().own_defaults(scope, &type_name))
    }

    /// Sets parameters that resources of a type have by default in a scope.
    ///
    /// # Errors
    /// Fails if one has a default value in the scope already, or there is no scope of the number.
    pub fn define_defaults(
        &self,
        scope: u32,
        type_name: &str,
        parameters: Vec<WrittenParameter>,
    ) -> Result<(), Error> {
        self.refuse_script()?;
        let (scope, type_name) = self.place_of_defaults(scope, type_name)?;
        self.shared.compilation().define_defaults(scope, &type_name, parameters)
    }

    /// Sets parameters that resources of a type have by default in a scope, in place of earlier ones of the same names.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn replace_defaults(
        &self,
        scope: u32,
        type_name: &str,
        parameters: Vec<WrittenParameter>,
    ) -> Result<(), Error> {
        self.refuse_script()?;
        let (scope, type_name) = self.place_of_defaults(scope, type_name)?;
        self.shared.compilation().replace_defaults(scope, &type_name, parameters);
        Ok(())
    }

    /// Returns the scope and the name of the type that default parameters are for.
    fn place_of_defaults(&self, scope: u32, type_name: &str) -> Result<(ScopeId, Arc<str>), Error> {
        Ok((self.scope_of(scope)?, Reference::new(type_name, "defaults").type_name().clone()))
    }

    /// Returns the number of a scope's global scope: the scope of the node, or the top scope.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn scope_global(&self, scope: u32) -> Result<u32, Error> {
        let scope = self.scope_of(scope)?;
        Ok(self.shared.compilation().scopes.get(scope).global.number())
    }

    /// Returns the number of the scope of a class; none before it is evaluated.
    pub fn class_scope(&self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return Some(ScopeId::TOP.number());
        }
        self.shared.compilation().scopes.named(name).map(ScopeId::number)
    }

    /// Returns the number of a scope's parent; `None` for the top scope.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn scope_parent(&self, scope: u32) -> Result<Option<u32>, Error> {
        let scope = self.scope_of(scope)?;
        Ok(self.shared.compilation().scopes.get(scope).parent.map(ScopeId::number))
    }

    /// Lets the host decide on the default parameters of a scope and of the scopes within it.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn redefine_defaults(&self, scope: u32) -> Result<(), Error> {
        let scope = self.scope_of(scope)?;
        self.shared.redefine_defaults(scope);
        Ok(())
    }

    /// Allows the host to find variables of a scope in a way of its own. Returns false if code has variables, for which it
    /// would have to be asked.
    pub fn redefine_lookups(&self) -> bool {
        self.shared.lookups.redefine()
    }

    /// Makes a function of the host act in a scope, whatever code has called it.
    ///
    /// # Errors
    /// Fails if there is no scope of the number.
    pub fn in_scope<R>(&self, scope: u32, run: impl FnOnce() -> R) -> Result<R, Error> {
        let scope = self.scope_of(scope)?;
        Ok(in_scope(&self.shared, scope, run))
    }

    fn scope_of(&self, number: u32) -> Result<ScopeId, Error> {
        let found = self.shared.compilation().scopes.numbered(number);
        found.ok_or_else(|| {
            Error::new(ErrorKind::Evaluation, format!("there is no scope of the number {number}"))
        })
    }
}
