//! Resolves the names of classes and resource types.

use std::sync::Arc;

use super::super::{Frame, Machine};
use crate::eval::code::ParameterCode;
use crate::eval::declaration::{DefinitionCode, DefinitionForm};
use crate::eval::functions::{origin, redefined};
use crate::eval::load::load_manifest;
use crate::eval::manifest_definitions::{ManifestDefinitions, check_parameters, metaparameter_warnings};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::name::{is_qualified, lowercase};
use puppetfn_catalog::{KindParameter, ResourceKind, SETTINGS, SourceId};
use puppetfn_types::function::LogLevel;
use puppetfn_types::types::{ResourceType, Type};
use puppetfn_types::value::Value;

type FoundDefinition = Option<Arc<DefinitionCode>>;

impl Machine {
    /// Returns the class of this name, from a module where no text has defined it.
    pub(super) fn class(&mut self, name: &str) -> Result<FoundDefinition, Error> {
        let found = self.definition(name, ManifestDefinitions::class)?;
        if let Some(class) = found.as_ref().filter(|class| *class.name == *SETTINGS) {
            self.begin_settings(class)?;
        }
        Ok(found)
    }

    /// Returns the defined type of this name, from a module where no text has defined it.
    pub(super) fn defined_type(&mut self, name: &str) -> Result<FoundDefinition, Error> {
        self.definition(name, ManifestDefinitions::defined_type)
    }

    fn definition(
        &mut self,
        name: &str,
        find: fn(&ManifestDefinitions, &str) -> FoundDefinition,
    ) -> Result<FoundDefinition, Error> {
        let name = lowercase(name.strip_prefix("::").unwrap_or(name));
        let found = find(&self.shared.definitions, &name);
        if found.is_some() || name.is_empty() {
            return Ok(found);
        }
        for step in self.shared.manifests.manifests(&name)? {
            let mut loaded = Vec::with_capacity(step.len());
            for file in step {
                if self.shared.definitions.begin_file(&file.path) {
                    // Code in Ruby may rescue the error, and ask again.
                    let definitions = load_manifest(&self.shared, &file)
                        .inspect_err(|_| self.shared.definitions.forget_file(&file.path))?;
                    loaded.push((definitions, file.module));
                }
            }
            for (definitions, module) in loaded {
                self.add_definitions(definitions, Some(&module))?;
            }
            let found = find(&self.shared.definitions, &name);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Adds the definitions of texts that are no manifests of modules.
    ///
    /// # Errors
    /// Fails if the type of a parameter cannot be evaluated, if a required parameter is named like a metaparameter, or if a name is
    /// defined already.
    pub fn define(&mut self, definitions: Vec<DefinitionCode>) -> Result<(), Error> {
        self.begin();
        self.add_definitions(definitions, None)
    }

    /// Adds the definitions of a text, which may belong to a module, once the types of all their parameters have been evaluated, whether
    /// they are declared or not.
    ///
    /// See `instantiate` in Puppet's `parser/ast/pops_bridge.rb`.
    fn add_definitions(
        &mut self,
        definitions: Vec<DefinitionCode>,
        module: Option<&Arc<str>>,
    ) -> Result<(), Error> {
        let definitions: Vec<Arc<DefinitionCode>> = definitions.into_iter().map(Arc::new).collect();
        for definition in &definitions {
            if let Some(module) = module {
                definition.module.get_or_init(|| Arc::clone(module));
            }
            if definition.parameters.iter().any(|parameter| parameter.type_code.is_some()) {
                self.definition_kind(definition)?;
            }
            for warning in metaparameter_warnings(definition) {
                self.shared.log(LogLevel::Warning, &warning);
            }
            check_parameters(definition)?;
        }
        self.shared.definitions.add(definitions)
    }

    /// Returns the kind of a resource type, and its definition if it is a defined type; `None` if there is no such type.
    pub(super) fn kind(&mut self, name: &str) -> Result<Option<(Arc<ResourceKind>, FoundDefinition)>, Error> {
        let lower = lowercase(name.strip_prefix("::").unwrap_or(name));
        if !is_qualified(&lower) {
            if let Some(kind) = self.shared.definitions.native_kind(&lower) {
                return Ok(Some((kind, None)));
            }
            if let Some(kind) = ResourceKind::builtin(&lower, self.shared.files.target()) {
                self.check_undefined(&lower)?;
                return Ok(Some((self.shared.definitions.add_native_kind(&lower, kind), None)));
            }
            if self.shared.manifests.has_resource_type(&lower)? {
                self.check_undefined(&lower)?;
                let known = self.away(None, |shared| shared.host.resource_type(&lower))?;
                let kind = known
                    .map_or_else(|| ResourceKind::unknown(&lower), |t| ResourceKind::native(Arc::new(t)));
                return Ok(Some((self.shared.definitions.add_native_kind(&lower, kind), None)));
            }
        }
        match self.defined_type(&lower)? {
            Some(definition) => Ok(Some((self.definition_kind(&definition)?, Some(definition)))),
            None => Ok(None),
        }
    }

    /// Refuses a resource type that is written in Ruby where a text has defined one of its name, as Puppet does when it loads the
    /// former. The type `stage` is exempt: Puppet loads it for the stage `main` before it reads any manifest.
    fn check_undefined(&mut self, name: &str) -> Result<(), Error> {
        let Some(definition) = self.shared.definitions.defined_type(name).filter(|_| name != "stage") else {
            return Ok(());
        };
        if self.away(None, |shared| shared.host.has_loaded_type(name))? {
            return Ok(());
        }
        let place = definition.unit.place(definition.at);
        let error = redefined("type", name, &origin(&place));
        let message = format!("Could not autoload puppet/type/{name}: {}", error.message());
        self.shared.log(LogLevel::Err, &message);
        Err(Error::new(ErrorKind::Load, message))
    }

    /// Returns the resource type of this name, as a type.
    pub(in crate::eval::machine) fn resource_type(&mut self, name: &str) -> Result<Option<Type>, Error> {
        let kind = self.kind(name)?.map(|(kind, _)| kind);
        Ok(kind.map(|kind| {
            let type_name = Some(Arc::clone(&kind.type_name));
            Type::Resource(Arc::new(ResourceType::new(type_name, None)))
        }))
    }

    /// Returns the kind of a defined type or a class.
    pub(super) fn definition_kind(
        &mut self,
        definition: &Arc<DefinitionCode>,
    ) -> Result<Arc<ResourceKind>, Error> {
        if let Some(kind) = definition.kind.get() {
            return Ok(Arc::clone(kind));
        }
        let base = self.stack.len();
        let parameters = self.in_frame(base, definition.frame_size, &definition.unit, |machine, frame| {
            machine.named_parameters(&definition.parameters, frame)
        });
        self.stack.truncate(base);
        let type_name = match &definition.form {
            DefinitionForm::Class(_) => "Class".to_owned(),
            DefinitionForm::Node(_) => "Node".to_owned(),
            DefinitionForm::DefinedType => {
                puppetfn_types::types::parse::capitalize_segments(&definition.name)
            }
        };
        let kind = Arc::new(ResourceKind::defined(&type_name, parameters?));
        Ok(Arc::clone(definition.kind.get_or_init(|| kind)))
    }

    /// Parameters that are given by name, with their types.
    pub(in crate::eval::machine) fn named_parameters(
        &mut self,
        parameters: &[ParameterCode],
        frame: Frame<'_>,
    ) -> Result<Vec<KindParameter>, Error> {
        let mut typed = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let t = match &parameter.type_code {
                None => Type::Any,
                Some(code) => match self.eval(code, frame)? {
                    Value::Type(t) => Type::clone(&t),
                    other => {
                        let message = format!(
                            "Parameter '{}' is given a type that is not a Puppet Type, got {}",
                            parameter.name,
                            other.ruby_class()
                        );
                        return Err(Error::new(ErrorKind::Evaluation, message));
                    }
                },
            };
            let is_required = parameter.default.is_none();
            typed.push(KindParameter { name: Arc::clone(&parameter.name), t, is_required });
        }
        Ok(typed)
    }

    /// Returns the source that a definition is in the catalog. Its parent has been resolved before.
    pub(super) fn source_of(&self, definition: &DefinitionCode, name: &str) -> SourceId {
        if let Some(source) = definition.source.get() {
            return *source;
        }
        let parent = definition.parent.as_ref().and_then(|parent| self.shared.definitions.class(parent));
        let source = puppetfn_catalog::DeclarationSource {
            name: name.into(),
            parent: parent.and_then(|parent| parent.source.get().copied()),
            module: definition.module.get().cloned(),
            overrides_all: false,
        };
        let source = self.compilation().scopes.add_source(source);
        *definition.source.get_or_init(|| source)
    }
}
