//! Changes of resources.
//!
//! See Puppet's `parser/compiler.rb` and `parser/resource.rb`.

use super::Compilation;
use crate::ids::{ScopeId, SourceId};
use crate::resource::{Resource, ResourceParameter};
use crate::{ParameterCause, Reference, ResourceId, flat};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_types::value::Value;

/// New values for parameters of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    pub parameters: Vec<ResourceParameter>,
    pub source: SourceId,
    pub place: Option<SourceLocation>,
}

impl Override {
    #[cold]
    fn error(&self, message: impl Into<String>) -> Error {
        located(Error::new(ErrorKind::Evaluation, message), self.place.as_ref())
    }
}

fn located(error: Error, place: Option<&SourceLocation>) -> Error {
    match place {
        Some(place) => error.at(place.clone()),
        None => error,
    }
}

impl Compilation {
    /// Changes a resource, now or when it is declared.
    ///
    /// # Errors
    /// Fails if the code may not change it.
    pub fn override_resource(
        &mut self,
        scope: ScopeId,
        reference: Reference,
        parameters: Vec<ResourceParameter>,
        place: Option<SourceLocation>,
    ) -> Result<(), Error> {
        self.add_override(reference, Override { parameters, source: self.source(scope), place })
    }

    pub(crate) fn add_override(&mut self, reference: Reference, change: Override) -> Result<(), Error> {
        match self.catalog.find(&reference) {
            Some(id) => self.merge(id, &change),
            None => {
                self.overrides.entry(reference).or_default().push(change);
                Ok(())
            }
        }
    }

    /// Changes a resource.
    ///
    /// # Errors
    /// Fails if the code may not change it, or if it has been evaluated.
    pub(crate) fn merge(&mut self, id: ResourceId, change: &Override) -> Result<(), Error> {
        let Some(resource) = self.catalog.get(id) else { return Ok(()) };
        let mut late = None;
        if resource.source != change.source && !self.scopes.is_child_of(change.source, resource.source) {
            return Err(change.error("Only subclasses can override parameters"));
        }
        if resource.is_evaluated {
            let defined = match &resource.place {
                Some(place) => format!(", defined at {place},"),
                None => String::new(),
            };
            let message =
                format!("Attempt to override an already evaluated resource{defined} with new values");
            late = Some(message);
        }
        match (late, self.strict) {
            (None, _) | (Some(_), Strict::Off) => {}
            (Some(message), Strict::Warning) => self.warnings.push(change.error(message).to_string()),
            (Some(message), Strict::Error) => return Err(change.error(message)),
        }
        for parameter in &change.parameters {
            self.override_parameter(id, parameter)?;
        }
        Ok(())
    }

    /// Sets a parameter of a resource, whatever code has set it before.
    ///
    /// # Errors
    /// Fails if there is no such resource, or the parameter is `tag` and the value is not a tag.
    pub fn set_parameter(
        &mut self,
        reference: &Reference,
        parameter: ResourceParameter,
    ) -> Result<(), Error> {
        let limits = self.limits;
        self.declared_as(reference)?.set(parameter, &limits)
    }

    /// Tags a resource.
    ///
    /// # Errors
    /// Fails if there is no such resource, or a value is not a tag.
    pub fn tag_resource(&mut self, reference: &Reference, tags: &[Value]) -> Result<(), Error> {
        let limits = self.limits;
        let resource = self.declared_as(reference)?;
        tags.iter().try_for_each(|tag| resource.tags.add_value(tag, &limits))
    }

    /// Removes a resource from the catalog. The resources that its code declared stay.
    pub fn remove(&mut self, reference: &Reference) -> bool {
        let found = self.catalog.find(reference);
        if let Some(id) = found {
            self.declared.retain(|declared| *declared != id);
            self.catalog.remove(id);
        }
        found.is_some()
    }

    pub(crate) fn declared_as(&mut self, reference: &Reference) -> Result<&mut Resource, Error> {
        self.catalog.find(reference).and_then(|id| self.catalog.get_mut(id)).ok_or_else(|| {
            Error::new(ErrorKind::Evaluation, format!("Could not find resource '{reference}'"))
        })
    }

    fn override_parameter(&mut self, id: ResourceId, parameter: &ResourceParameter) -> Result<(), Error> {
        let Some(resource) = self.catalog.get(id) else { return Ok(()) };
        let mut parameter = ResourceParameter { cause: ParameterCause::Override, ..parameter.clone() };
        if let Some(current) = resource.parameters.get(&parameter.name) {
            let is_default = |value: &Value| {
                self.scopes.is_default(
                    resource.scope,
                    resource.type_name(),
                    &parameter.name,
                    value,
                    &self.limits,
                )
            };
            if is_default(&parameter.value)? {
                return Ok(());
            }
            let may_change = self.scopes.is_child_of(parameter.source, current.source)
                || parameter.source == current.source && is_default(&current.value)?;
            if !may_change {
                return Err(self.already_set(resource, current, &parameter));
            }
            if parameter.is_added {
                let mut values = flat(&current.value);
                values.extend(flat(&parameter.value));
                parameter.value = values.into();
                parameter.sharing = 0;
            }
        }
        match self.catalog.get_mut(id) {
            Some(resource) => resource.set(parameter, &self.limits),
            None => Ok(()),
        }
    }

    #[cold]
    fn already_set(
        &self,
        resource: &Resource,
        current: &ResourceParameter,
        parameter: &ResourceParameter,
    ) -> Error {
        let source = self.scopes.source(current.source);
        let by = if source.name.is_empty() { String::new() } else { format!(" by {}", source.name) };
        let at = current.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let message = format!(
            "Parameter '{}' is already set on {}{by}{at}; cannot redefine",
            parameter.name, resource.reference
        );
        located(Error::new(ErrorKind::Evaluation, message), parameter.place.as_ref())
    }

    /// Makes the pending overrides of a resource.
    ///
    /// # Errors
    /// The same errors as [`Self::merge`].
    pub(crate) fn apply_overrides(&mut self, id: ResourceId) -> Result<(), Error> {
        let Some(resource) = self.catalog.get(id) else { return Ok(()) };
        let Some(changes) = self.overrides.shift_remove(&resource.reference) else { return Ok(()) };
        changes.iter().try_for_each(|change| self.merge(id, change))
    }

    /// Refuses changes of resources that no code declared.
    ///
    /// # Errors
    /// Fails if there are any.
    pub(crate) fn refuse_overrides_left(&self) -> Result<(), Error> {
        let left: Vec<String> = self
            .overrides
            .iter()
            .flat_map(|(reference, changes)| changes.iter().map(|_| reference.to_string()))
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let message = format!("Could not find resource(s) {} for overriding", left.join(", "));
        Err(Error::new(ErrorKind::Evaluation, message))
    }
}
