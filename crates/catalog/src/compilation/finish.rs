//! The end of a compilation, when all code has been evaluated.
//!
//! See Puppet's `parser/compiler.rb`.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::Compilation;
use crate::flat::leaves;
use crate::kind::{ParameterArgument, RELATIONSHIPS, inherited_metaparameters};
use crate::resource::{Resource, ResourceParameter};
use crate::{NativeType, ParameterCause, Reference, ResourceId};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::Messages;
use puppetfn_types::value::{InspectedString, Value};

/// The types of deferred calls by parameter; `None` for a type that is not known.
pub type LaterTypes = HashMap<Arc<str>, Option<Type>>;

fn given(later: Option<&LaterTypes>, name: &str, value: &Value) -> ParameterArgument {
    match later.and_then(|later| later.get(name)) {
        Some(t) => ParameterArgument::Later(t.clone()),
        None => ParameterArgument::of(value),
    }
}

impl Compilation {
    /// Makes the pending relationships and overrides, and checks the parameters of resources. `later` has the types of
    /// deferred calls, as far as they are known.
    ///
    /// # Errors
    /// Fails if a relationship or an override cannot be made, or if a resource has a parameter that it cannot have.
    pub fn finish(
        &mut self,
        later: &HashMap<ResourceId, LaterTypes>,
        messages: Messages,
    ) -> Result<(), Error> {
        self.make_relationships()?;
        for id in self.declared.clone() {
            self.apply_overrides(id)?;
            self.finish_resource(id, later.get(&id), messages)?;
        }
        self.inherit_metaparameters()
    }

    fn finish_resource(
        &mut self,
        id: ResourceId,
        later: Option<&LaterTypes>,
        messages: Messages,
    ) -> Result<(), Error> {
        let is_finished = self
            .catalog
            .get_mut(id)
            .is_none_or(|resource| std::mem::replace(&mut resource.is_finished, true));
        if is_finished {
            return Ok(());
        }
        self.add_scope_tags(id);
        let Some(resource) = self.catalog.get_mut(id) else { return Ok(()) };
        resource.check(&|name, value| given(later, name, value), &self.limits, messages)?;
        for parameter in resource.parameters.values_mut() {
            if let Value::Sensitive(inner) = &parameter.value {
                resource.sensitive.push(parameter.name.clone());
                parameter.value = Value::clone(inner);
            }
        }
        Ok(())
    }

    /// Passes tags and metaparameters of resources on to their contents. A content keeps the metaparameters that it sets itself.
    fn inherit_metaparameters(&mut self) -> Result<(), Error> {
        let Some(main) = self.catalog.find(&Reference::class("")) else { return Ok(()) };
        let mut contents: Vec<Vec<ResourceId>> = vec![Vec::new(); self.catalog.resources.len()];
        for (container, resource) in &self.catalog.edges {
            if let Some(contained) = contents.get_mut(container.0 as usize) {
                contained.push(*resource);
            }
        }
        let mut queue = VecDeque::from([main]);
        while let Some(container) = queue.pop_front() {
            // Its contents are no longer there the second time.
            let contained = contents.get_mut(container.0 as usize).map(std::mem::take).unwrap_or_default();
            if contained.is_empty() {
                continue;
            }
            let Some(resource) = self.catalog.get(container) else { continue };
            let given: Vec<ResourceParameter> = inherited_metaparameters()
                .filter_map(|name| resource.parameters.get(name))
                .cloned()
                .collect();
            let tags = resource.tags.clone();
            for id in &contained {
                let Some(resource) = self.catalog.get_mut(*id) else { continue };
                for parameter in &given {
                    if resource.get(&parameter.name).is_none_or(|value| matches!(value, Value::Undef)) {
                        let parameter = ResourceParameter {
                            cause: ParameterCause::Container,
                            sharing: 0,
                            ..parameter.clone()
                        };
                        resource.set(parameter, &self.limits)?;
                    }
                }
                resource.tags.inherit(&tags);
            }
            queue.extend(contained);
        }
        Ok(())
    }

    /// Refuses overrides, realizations and relationships of resources that no code declared, and references without a title
    /// to resources of some types.
    ///
    /// # Errors
    /// Fails if one of these is left.
    pub fn refuse_unresolved(&self, titled: &[Arc<NativeType>]) -> Result<(), Error> {
        self.refuse_overrides_left()?;
        self.refuse_unrealized()?;
        self.check_relationships()?;
        self.catalog.check_names(titled)
    }

    /// Checks that the resources that others are related to are there.
    fn check_relationships(&self) -> Result<(), Error> {
        for resource in self.catalog.resources().filter(|resource| !resource.is_virtual) {
            for parameter in resource.parameters.values().filter(|p| RELATIONSHIPS.contains(&&*p.name)) {
                for value in leaves(&parameter.value) {
                    let checked = self.check_reference(value, parameter);
                    if resource.sensitive.contains(&parameter.name) {
                        let hidden = "Could not find resource 'Sensitive [value redacted]' in parameter";
                        checked
                            .map_err(|error| error.reworded(|_| format!("{hidden} '{}'", parameter.name)))?;
                    } else {
                        checked?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check_reference(&self, value: &Value, parameter: &ResourceParameter) -> Result<(), Error> {
        let problem = match value {
            Value::Undef => return Ok(()),
            value => match Reference::of_value(value) {
                Some(reference) if self.catalog.find(&reference).is_some() => return Ok(()),
                Some(reference) => {
                    let shown = match value {
                        Value::String(text) => text.to_string(),
                        _ => reference.to_string(),
                    };
                    format!("Could not find resource '{shown}' in parameter '{}'", parameter.name)
                }
                None => {
                    let shown = match &value {
                        Value::Type(t) => Reference::shown(t),
                        _ => None,
                    };
                    let shown = shown.map_or_else(|| value.ruby_to_s(&self.limits), Ok)?;
                    format!(
                        "No title provided and {} is not a valid resource reference",
                        InspectedString(&shown)
                    )
                }
            },
        };
        Err(located(Error::new(ErrorKind::Evaluation, problem), parameter.place.as_ref()))
    }
}

impl Compilation {
    /// Returns the types in Ruby whose resources parameters refer to without a title.
    pub fn untitled_types(&self) -> Vec<Arc<NativeType>> {
        let resources = self.catalog.resources().filter(|resource| resource.is_for_some_node());
        let types = resources.flat_map(Resource::untitled_types);
        types.filter_map(|name| self.catalog.native_type(&name)).collect()
    }

    /// Checks the parameters of a resource. `later` has the types of deferred calls, as far as they are known.
    ///
    /// # Errors
    /// Fails if the resource cannot have one of the parameters, or if a value is not of the parameter's type.
    pub fn check(&self, id: ResourceId, later: &LaterTypes, messages: Messages) -> Result<(), Error> {
        let given = |name: &str, value: &Value| given(Some(later), name, value);
        self.catalog.get(id).map_or(Ok(()), |resource| resource.check(&given, &self.limits, messages))
    }
}

impl Resource {
    /// Returns the types whose resources parameters refer to without a title.
    pub(crate) fn untitled_types(&self) -> impl Iterator<Item = Arc<str>> {
        let values = self.parameters.values().flat_map(|parameter| leaves(&parameter.value));
        values.filter_map(|value| match value {
            Value::Type(t) => match &**t {
                Type::Resource(resource) if resource.is_untitled() => resource.type_name.clone(),
                _ => None,
            },
            _ => None,
        })
    }

    /// Checks that the parameters are some that the resource can have.
    fn check(
        &self,
        given: &dyn Fn(&str, &Value) -> ParameterArgument,
        limits: &Limits,
        messages: Messages,
    ) -> Result<(), Error> {
        if !self.kind.is_native() {
            let value = |name: &str| Some(given(name, self.get(name)?));
            let mut names = self.parameters.keys().map(|name| &**name);
            return self.kind.check(&self.reference, &value, &mut names, limits, messages);
        }
        match self.parameters.keys().find(|name| !self.kind.has_parameter(name)) {
            None => Ok(()),
            Some(name) => {
                let problem = self.error(format!("no parameter named '{name}'"));
                Err(self.error(format!("{problem} on {}", self.reference)))
            }
        }
    }
}

fn located(error: Error, place: Option<&SourceLocation>) -> Error {
    match place {
        Some(place) => error.at(place.clone()),
        None => error,
    }
}
