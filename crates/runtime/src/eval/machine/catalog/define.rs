//! Classes and resources of defined types: declaring and evaluating them.
//!
//! See Puppet's `resource/type.rb`.

use std::sync::Arc;

use smallvec::SmallVec;

use super::super::routine::refuse_reserved;
use super::super::{Frame, Machine};
use super::resources::{DeclaredGroup, declaration};
use crate::eval::declaration::{DEFINED_VARIABLES, DefinitionCode, DefinitionForm};
use crate::eval::profile::{self, ProfiledCode};
use puppetfn_base::error::{Error, ErrorKind, RaisedAs, Signal, SourceLocation};
use puppetfn_base::limits::Depth;
use puppetfn_catalog::{
    InclusionKind, METAPARAMETERS, ParameterCause, Reference, Resource, ResourceDeclaration, ResourceId,
    ResourceParameter, SETTINGS, ScopeId, with_given,
};
use puppetfn_hiera::is_of_data;
use puppetfn_types::value::{Regex, Value};

/// The absolute name of the class of the code outside of classes, whose name is empty. It is always declared.
const MAIN_CLASS: &str = "::";

impl Machine {
    /// Declares a class as a resource, and evaluates it.
    pub(super) fn declare_class(
        &mut self,
        title: &str,
        declared: &DeclaredGroup<'_>,
        parameters: Vec<ResourceParameter>,
    ) -> Result<Reference, Error> {
        let Some(class) = self.class(title)? else {
            let message = format!("Could not find declared class {title}");
            return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR));
        };
        let kind = self.definition_kind(&class)?;
        let mut declaration = declaration(&kind, Value::from(&*class.name), declared, parameters);
        declaration.is_declared_class = true;
        self.ask_for_defaults(&kind.type_name)?;
        let resource = self.compilation().prepare(self.scope, declaration, None)?;
        let reference = resource.reference().clone();
        let id = self.add_class(&class, resource)?;
        self.note_inclusion(id, InclusionKind::Declaration, || declared.place.clone());
        self.evaluate_resource(id)?;
        Ok(reference)
    }

    /// Declares classes where that has not been done, and evaluates them.
    pub(super) fn include(
        &mut self,
        names: &[String],
        way: InclusionKind,
        place: &dyn Fn() -> Option<SourceLocation>,
    ) -> Result<Vec<ResourceId>, Error> {
        let mut classes = Vec::with_capacity(names.len());
        for name in names {
            let class = self.class(name)?;
            if class.is_none() && name != MAIN_CLASS {
                let node = self.compilation().catalog().node().to_owned();
                let message = format!("Could not find class {name} for {node}");
                return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::PUPPET_ERROR));
            }
            classes.push(class);
        }
        let mut ids = Vec::with_capacity(classes.len());
        for class in &classes {
            let id = match class {
                Some(class) => self.ensure_class(class)?,
                None => match self.compilation().find(&Reference::class("")) {
                    Some(main) => main,
                    None => continue,
                },
            };
            self.note_inclusion(id, way, place);
            ids.push(id);
        }
        for id in &ids {
            self.evaluate_resource(*id)?;
        }
        Ok(ids)
    }

    /// Returns the resource of a class, which is declared if it has not been.
    pub(super) fn ensure_class(&mut self, class: &Arc<DefinitionCode>) -> Result<ResourceId, Error> {
        if let Some(id) = self.compilation().find(&Reference::class(&class.name)) {
            return Ok(id);
        }
        self.guard.check()?;
        let kind = self.definition_kind(class)?;
        let declaration = ResourceDeclaration::new(Arc::clone(&kind), Value::from(&*class.name));
        let parent = self.find_parent(class)?;
        if let Some(parent) = parent {
            self.ensure_class(&parent)?;
        }
        let source = self.source_of(class, &class.name);
        self.ask_for_defaults(&kind.type_name)?;
        let resource = self.compilation().prepare(self.scope, declaration, Some(source))?;
        self.add_class(class, resource)
    }

    /// Adds the resource of a class, after its parent's.
    pub(super) fn add_class(
        &mut self,
        class: &Arc<DefinitionCode>,
        resource: Resource,
    ) -> Result<ResourceId, Error> {
        if let Some(parent) = self.find_parent(class)? {
            self.ensure_class(&parent)?;
        }
        self.source_of(class, &class.name);
        let mut compilation = self.compilation();
        compilation.merge_tags(&resource);
        let id = compilation.add(self.scope, resource)?;
        if let Some(parent) = &class.parent
            && let Some(parent) = compilation.find(&Reference::class(parent))
        {
            compilation
                .note_inclusion(id, parent, InclusionKind::Inherits, || Some(class.unit.line(class.at)));
        }
        drop(compilation);
        self.shared.definitions.set_resource(id, class);
        Ok(id)
    }

    /// Records that the running code has included a class.
    pub(super) fn note_inclusion(
        &self,
        class: ResourceId,
        way: InclusionKind,
        place: impl FnOnce() -> Option<SourceLocation>,
    ) {
        let mut compilation = self.compilation();
        let by = compilation.scopes.get(self.scope).resource;
        compilation.note_inclusion(by, class, way, place);
    }

    fn find_parent(&mut self, class: &DefinitionCode) -> Result<Option<Arc<DefinitionCode>>, Error> {
        let Some(parent) = &class.parent else { return Ok(None) };
        if let Some(found) = self.class(parent)? {
            return Ok(Some(found));
        }
        let message = format!(
            "Could not find parent resource type '::{parent}' of type hostclass in {}",
            self.shared.environment
        );
        Err(Error::new(ErrorKind::Evaluation, message).at(class.unit.line(class.at)))
    }

    /// Evaluates a class, a node or a resource of a defined type, if that has not been done.
    pub(super) fn evaluate_resource(&mut self, id: ResourceId) -> Result<(), Error> {
        let Some(definition) = self.shared.definitions.of_resource(id) else { return Ok(()) };
        if !self.compilation().begin(id) {
            return Ok(());
        }
        self.guard.check()?;
        let mut around = self.compilation().resource(id).map_or(ScopeId::TOP, Resource::scope);
        if let Some(parent) = &definition.parent {
            let parent_id = self.compilation().find(&Reference::class(parent));
            if let Some(parent_id) = parent_id {
                self.evaluate_resource(parent_id)?;
                // The parent has no scope while it waits for a parent of its own, whose code led here.
                let scope = self.compilation().scopes.named(parent);
                around = scope.ok_or_else(|| {
                    Error::new(ErrorKind::Evaluation, format!("Could not find scope for {parent}"))
                })?;
            }
        }
        let source = self.source_of(&definition, &definition.name);
        let scope = self.compilation().scopes.add(around, source, id);
        self.evaluate_in(scope, id, &definition, None)
    }

    /// Evaluates the class `settings` if code defines it, which Puppet does before all other code: `create_settings_scope` in
    /// its `parser/compiler.rb`.
    pub(in crate::eval) fn evaluate_settings(&mut self) -> Result<(), Error> {
        match self.shared.definitions.class(SETTINGS).filter(|class| !class.is_builtin()) {
            Some(class) => self.begin_settings(&class),
            None => Ok(()),
        }
    }

    /// Evaluates the class `settings`, if that has not been done. Its own variables give way to the settings, and it inherits
    /// from no class.
    pub(super) fn begin_settings(&mut self, class: &Arc<DefinitionCode>) -> Result<(), Error> {
        let Some(id) = self.compilation().find(&Reference::class(SETTINGS)) else { return Ok(()) };
        // Its resource counts as evaluated from the start.
        if self.compilation().scopes.named(SETTINGS).is_some() {
            return Ok(());
        }
        let kind = self.definition_kind(class)?;
        self.compilation().set_kind(id, kind);
        let source = self.source_of(class, SETTINGS);
        let scope = self.compilation().scopes.add(ScopeId::TOP, source, id);
        let shared = Arc::clone(&self.shared);
        shared.variables.without_shared(|| self.evaluate_in(scope, id, class, None))
    }

    /// Evaluates a definition in its scope, where a regular expression may have matched the name of the
    /// node.
    pub(super) fn evaluate_in(
        &mut self,
        scope: ScopeId,
        id: ResourceId,
        definition: &Arc<DefinitionCode>,
        matched: Option<(&Regex, &str)>,
    ) -> Result<(), Error> {
        let part = match &definition.form {
            DefinitionForm::Class(_) | DefinitionForm::Node(_) => ProfiledCode::Class,
            DefinitionForm::DefinedType => ProfiledCode::DefinedType,
        };
        let _timed = profile::begin(part, &definition.name);
        self.compilation().note_definition(id, || definition.unit.line(definition.at));
        self.pass_to(scope);
        let declaring = self.declaring.take();
        let (outer, groups) = (std::mem::replace(&mut self.scope, scope), self.groups.take());
        if let Some((regex, text)) = matched
            && let Ok(Some(found)) = regex.captures(text)
        {
            self.groups = Some(found.into_iter().map(|group| group.map(Arc::from)).collect());
        }
        let base = self.stack.len();
        let result = self.in_frame(base, definition.frame_size, &definition.unit, |machine, frame| {
            machine.set_variables(scope, id, definition, frame)?;
            if definition.is_class() {
                machine.compilation().add_to_stage(id)?;
            }
            match machine.eval(&definition.body, frame) {
                // The code of a node is no place to return from.
                Err(error)
                    if matches!(error.as_signal(), Some(Signal::Return | Signal::Next))
                        && !matches!(definition.form, DefinitionForm::Node(_)) =>
                {
                    machine.jump = Value::Undef;
                    Ok(())
                }
                result => result.map(|_| ()),
            }
        });
        self.stack.truncate(base);
        self.shared.set_passing(scope, None);
        self.declaring = declaring;
        self.scope = outer;
        let left = std::mem::replace(&mut self.groups, groups);
        // A match of the node's name is in sight of no code but the node's, with all that the latter matches.
        if matched.is_none() && !matches!(definition.form, DefinitionForm::DefinedType) {
            self.shared.set_groups(scope, left);
        }
        result
    }

    /// Sets the variables of a scope that its resource gives.
    fn set_variables(
        &mut self,
        scope: ScopeId,
        id: ResourceId,
        definition: &Arc<DefinitionCode>,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let mut compilation = self.compilation();
        let Some(resource) = compilation.resource(id) else { return Ok(()) };
        let title = match (definition.is_class(), resource.title_value()) {
            (true, _) => Value::from(resource.title().to_lowercase()),
            (false, title) => title.clone(),
        };
        let name = match resource.get("name") {
            None | Some(Value::Undef) => title.clone(),
            Some(name) => name.clone(),
        };
        let caller = compilation.scopes.get(scope).parent;
        let caller = caller.and_then(|caller| {
            compilation.scopes.source(compilation.scopes.get(caller).source).module.clone()
        });
        // Code outside of modules counts as being in a module without a name.
        let caller = caller.unwrap_or_default();
        let class_name: Option<Arc<str>> = match &definition.form {
            DefinitionForm::Class(_) => Some(Arc::clone(&definition.name)),
            DefinitionForm::Node(_) => Some(resource.title().into()),
            DefinitionForm::DefinedType => None,
        };
        if let Some(name) = &class_name {
            compilation.add_class(name)?;
        }
        drop(compilation);
        let module = definition.module.get().cloned().unwrap_or_default();
        let [title_variable, name_variable, module_variable, caller_variable] = DEFINED_VARIABLES;
        self.set_own_variable(definition, (2, module_variable), Value::String(module), frame);
        self.set_own_variable(definition, (3, caller_variable), Value::String(caller), frame);
        // Data sees a class that has not been evaluated yet.
        self.set_parameters_from_data(id, definition)?;
        self.set_own_variable(definition, (0, title_variable), title, frame);
        self.set_own_variable(definition, (1, name_variable), name, frame);
        if let Some(name) = class_name {
            self.compilation().scopes.set_named(name, scope);
        }
        self.set_metaparameters(id, definition, frame);
        self.set_parameters(id, definition, frame)
    }

    /// Sets the metaparameters that the resource has, which default values and code see like parameters. See
    /// `set_resource_parameters` in Puppet's `resource/type.rb`.
    fn set_metaparameters(&mut self, id: ResourceId, definition: &DefinitionCode, frame: Frame<'_>) {
        let given: SmallVec<[(usize, Value); 4]> = match self.compilation().resource(id) {
            Some(resource) => {
                resource.metaparameters().map(|(index, value)| (index, value.clone())).collect()
            }
            None => return,
        };
        for (index, value) in given {
            let Some(name) = METAPARAMETERS.get(index) else { continue };
            // A parameter of the same name has a value of its own.
            if !definition.parameters.iter().any(|parameter| *parameter.name == **name) {
                let index = index.saturating_add(DEFINED_VARIABLES.len());
                self.set_own_variable(definition, (index, name), value, frame);
            }
        }
    }

    /// Sets a variable that is not a parameter, which has an index among these.
    fn set_own_variable(
        &mut self,
        definition: &DefinitionCode,
        (index, name): (usize, &str),
        value: Value,
        frame: Frame<'_>,
    ) {
        match &definition.form {
            DefinitionForm::DefinedType => {
                self.set_slot(frame, definition.parameters.len().saturating_add(index), value);
            }
            DefinitionForm::Class(_) | DefinitionForm::Node(_) => {
                let variables = &self.shared.variables;
                variables.assign(variables.id(&format!("{}::{name}", definition.name)), value);
            }
        }
    }

    /// Sets the parameters of a class that have values in data (`inject_external_parameters` in Puppet's `resource/type.rb`).
    fn set_parameters_from_data(&mut self, id: ResourceId, definition: &DefinitionCode) -> Result<(), Error> {
        if !definition.is_class() {
            return Ok(());
        }
        for parameter in &definition.parameters {
            let value = self.compilation().resource(id).and_then(|class| class.get(&parameter.name).cloned());
            if matches!(value, None | Some(Value::Undef))
                && let Some(found) = self.find_data(&format!("{}::{}", definition.name, parameter.name))?
                && !(parameter.default.is_some() && matches!(found, Value::Undef))
            {
                let found = found.duplicated_if_shared();
                self.compilation().set(id, &parameter.name, found, ParameterCause::Data)?;
            }
        }
        Ok(())
    }

    /// Binds the parameters to the values of the resource, or to default values.
    fn set_parameters(
        &mut self,
        id: ResourceId,
        definition: &Arc<DefinitionCode>,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let value = |machine: &Self, name: &str| machine.compilation().resource(id)?.get(name).cloned();
        for (index, parameter) in definition.parameters.iter().enumerate() {
            match value(self, &parameter.name) {
                Some(Value::Undef) if parameter.default.is_some() => {}
                Some(value) => self.set_parameter_variable(definition, index, value, frame),
                None => {}
            }
        }
        for (index, parameter) in definition.parameters.iter().enumerate() {
            let Some(default) = &parameter.default else { continue };
            if !matches!(value(self, &parameter.name), None | Some(Value::Undef)) {
                continue;
            }
            let groups = self.groups.clone();
            let scope = self.scope;
            self.shared.set_defaults(scope, Some((Arc::clone(definition), index)));
            let value = self.eval(default, frame);
            self.shared.set_defaults(scope, None);
            self.groups = groups;
            let value = value.map_err(|error| {
                let error = error.landed();
                let is_lookup = is_of_data(&error);
                // Data that is missing is an error of the definition (`exceptwrap` in resource/type.rb).
                if is_lookup && error.place().is_none() {
                    return error.at(definition.unit.line(definition.at));
                }
                error
            })?;
            let given = with_given(&value, Depth::nesting(&self.limits));
            let given = given.map_err(|error| match error.kind() {
                // A value that Puppet's 3.x runtime does not have is an error of the declaration.
                ErrorKind::Conversion => error,
                _ => error.at(definition.unit.line(definition.at)),
            })?;
            let value = given.unwrap_or(value).duplicated_if_shared();
            self.compilation().set(id, &parameter.name, value.clone(), ParameterCause::DefaultValue)?;
            self.set_parameter_variable(definition, index, value, frame);
        }
        let later = self.types_of_deferred(id)?;
        self.compilation().check(id, &later, self.shared.host.messages())?;
        refuse_reserved(&definition.parameters).map_err(|error| error.at(definition.unit.line(definition.at)))
    }

    fn set_parameter_variable(
        &mut self,
        definition: &DefinitionCode,
        index: usize,
        value: Value,
        frame: Frame<'_>,
    ) {
        match &definition.form {
            DefinitionForm::Class(globals) => {
                if let Some(id) = globals.get(index) {
                    self.shared.variables.assign(*id, value);
                }
            }
            DefinitionForm::DefinedType | DefinitionForm::Node(_) => self.set_slot(frame, index, value),
        }
    }

    fn set_slot(&mut self, frame: Frame<'_>, slot: usize, value: Value) {
        if let Some(variable) = self.stack.get_mut(frame.base.saturating_add(slot)) {
            *variable = Some(value);
        }
    }
}
