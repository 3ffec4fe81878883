//! The catalog's interface for functions.

use std::sync::Arc;

use super::super::Machine;
use super::super::host::MachineReentry;
use super::super::waiting::{WaitingCaller, caller_place};
use super::resources::DeclaredGroup;
use crate::eval::runtime::Runtime;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_catalog::{InclusionKind, Reference, Resource, ResourceParameter};
use puppetfn_syntax::ast::ResourceForm;
use puppetfn_types::function::{
    Caller, CallingDefinition, CatalogCompiler, DefinitionOutline, Exposure, Inclusion,
};
use puppetfn_types::value::Value;

/// The file of code without a file, in Puppet's stack of calls.
const NO_FILE: &str = "unknown";

impl Machine {
    fn include_as(
        &mut self,
        names: &[String],
        inclusion: Inclusion,
        place: &dyn Fn() -> Option<SourceLocation>,
    ) -> Result<(), Error> {
        let way = match inclusion {
            Inclusion::Include => InclusionKind::Include,
            Inclusion::Require => InclusionKind::Require,
            Inclusion::Contain => InclusionKind::Contain,
        };
        let ids = self.include(names, way, place)?;
        let container = self.compilation().scopes.get(self.scope).resource;
        for id in ids {
            let mut compilation = self.compilation();
            match inclusion {
                Inclusion::Include => {}
                Inclusion::Contain => compilation.contain(container, id),
                Inclusion::Require => {
                    let reference = compilation.resource(id).map(|resource| resource.reference().clone());
                    if let Some(reference) = reference {
                        compilation.require(container, &reference, place)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Lends a machine for a moment, to act for the code that has called a function.
pub(in crate::eval) trait LendMachine {
    fn lend<R>(&self, run: impl FnOnce(&mut Machine) -> Result<R, Error>) -> Result<R, Error>;

    /// Returns the place of the call.
    fn place(&self) -> Option<SourceLocation>;
}

impl LendMachine for MachineReentry<'_> {
    fn lend<R>(&self, run: impl FnOnce(&mut Machine) -> Result<R, Error>) -> Result<R, Error> {
        self.with(|machine| {
            machine.declaring = self.site.map(|site| WaitingCaller::new(machine.id, site));
            machine.declared_by.extend(machine.declaring.clone());
            let result = run(machine);
            if machine.declaring.is_some() {
                machine.declared_by.pop();
            }
            result
        })
    }

    fn place(&self) -> Option<SourceLocation> {
        self.call_place()
    }
}

/// For functions of the host, which are called while another machine waits.
impl LendMachine for Runtime {
    fn lend<R>(&self, run: impl FnOnce(&mut Machine) -> Result<R, Error>) -> Result<R, Error> {
        self.with_machine(|machine| {
            machine.begin();
            machine.declaring = None;
            run(machine)
        })
    }

    fn place(&self) -> Option<SourceLocation> {
        caller_place(&self.shared)
    }
}

/// The compiler that functions reach through a lent machine.
pub(in crate::eval) struct LentCompiler<'l, L>(pub &'l L);

impl<L: LendMachine> CatalogCompiler for LentCompiler<'_, L> {
    fn makes_catalog(&self) -> bool {
        self.0.lend(|machine| Ok(!machine.shared.is_script)).unwrap_or(false)
    }

    fn include(&self, names: &[String], inclusion: Inclusion) -> Result<(), Error> {
        let place = || self.0.place().map(|place| SourceLocation { column: None, ..place });
        self.0.lend(|machine| machine.include_as(names, inclusion, &place))
    }

    fn place(&self) -> Option<SourceLocation> {
        self.0.place().map(|place| {
            let file = place.file.or_else(|| Some(NO_FILE.into()));
            SourceLocation { file, column: None, ..place }
        })
    }

    fn create_resources(
        &self,
        type_name: &str,
        titles: &[Value],
        parameters: &[(Arc<str>, Value)],
        exposure: Exposure,
        place: Option<SourceLocation>,
    ) -> Result<Vec<Value>, Error> {
        self.0.lend(|machine| {
            // Puppet looks for a type in Ruby by the name as it is written.
            if type_name.starts_with("::")
                && machine.kind(type_name)?.is_some_and(|(kind, _)| kind.is_native())
            {
                let message = format!("Unknown resource type: '{type_name}'");
                return Err(Error::new(ErrorKind::NotFound, message));
            }
            let form = match exposure {
                Exposure::Regular => ResourceForm::Regular,
                Exposure::Virtual => ResourceForm::Virtual,
                Exposure::Exported => ResourceForm::Exported,
            };
            let parameter = |(name, value): &(Arc<str>, Value)| {
                machine.compilation().parameter(machine.scope, Arc::clone(name), value.clone(), false, None)
            };
            let parameters: Vec<ResourceParameter> = parameters.iter().map(parameter).collect();
            let references =
                machine.create_resources(&DeclaredGroup { type_name, form, place }, titles, parameters)?;
            Ok(references.iter().map(|reference| reference.to_type().into()).collect())
        })
    }

    fn realize(&self, references: Vec<String>) -> Result<(), Error> {
        self.0.lend(|machine| {
            let scope = machine.scope;
            machine.compilation().realize(scope, references);
            Ok(())
        })
    }

    fn is_declared(&self, reference: &Reference) -> Result<bool, Error> {
        self.0.lend(|machine| Ok(machine.compilation().find(reference).is_some()))
    }

    fn has_resource_type(&self, name: &str) -> Result<bool, Error> {
        self.0.lend(|machine| machine.kind(name).map(|kind| kind.is_some()))
    }

    fn has_class(&self, name: &str) -> Result<bool, Error> {
        self.0.lend(|machine| machine.class(name).map(|class| class.is_some()))
    }

    fn tag(&self, tags: &[Value]) -> Result<(), Error> {
        self.0.lend(|machine| {
            let scope = machine.scope;
            machine.compilation().tag(scope, tags)
        })
    }

    fn is_tagged(&self, tag: &str) -> Result<bool, Error> {
        self.0.lend(|machine| Ok(machine.compilation().is_tagged(machine.scope, tag)))
    }

    fn container(&self) -> Result<Option<Reference>, Error> {
        self.0.lend(|machine| {
            let compilation = machine.compilation();
            Ok(compilation.container(machine.scope).map(|resource| resource.reference().clone()))
        })
    }

    fn definition(&self) -> Result<CallingDefinition, Error> {
        self.0.lend(|machine| {
            let compilation = machine.compilation();
            let source = compilation.scopes.source(compilation.source(machine.scope));
            let kind = match compilation.container(machine.scope).map(Resource::type_name) {
                Some("Class") | None => "hostclass",
                Some("Node") => "node",
                Some(_) => "definition",
            };
            let module = source.module.clone().unwrap_or_default();
            Ok(CallingDefinition { kind, name: Arc::clone(&source.name), module })
        })
    }

    fn definition_outline(&self, is_class: bool, name: &str) -> Result<Option<DefinitionOutline>, Error> {
        self.0.lend(|machine| {
            let found = if is_class { machine.class(name)? } else { machine.defined_type(name)? };
            Ok(found.map(|definition| DefinitionOutline {
                place: definition.unit.line(definition.at),
                parameters: definition
                    .parameters
                    .iter()
                    .map(|parameter| Arc::clone(&parameter.name))
                    .collect(),
            }))
        })
    }

    fn tag_resource(&self, reference: &Reference, tags: &[Value]) -> Result<(), Error> {
        self.0.lend(|machine| machine.compilation().tag_resource(reference, tags))
    }

    fn remove_resource(&self, reference: &Reference) -> Result<bool, Error> {
        self.0.lend(|machine| Ok(machine.compilation().remove(reference)))
    }

    fn set_parameter(&self, reference: &Reference, name: &str, value: Value) -> Result<(), Error> {
        let place = self.0.place().map(|place| SourceLocation { column: None, ..place });
        self.0.lend(|machine| {
            let scope = machine.scope;
            let mut compilation = machine.compilation();
            let parameter = compilation.parameter(scope, name, value, false, place);
            compilation.set_parameter(reference, parameter)
        })
    }
}
