//! The `puppetfn.toml` of a control repository and the facts of its nodes, for `puppetfn test --roles`.

use std::path::{Path, PathBuf};

use magnus::{Error, Module, Object, RHash, RModule, Ruby, function};
use puppetfn::value::Value as CoreValue;
use puppetfn_compile::FactsFile;
use puppetfn_project::{ProjectConfig, ProjectFailure};

use crate::ruby::convert::to_object;
use crate::ruby::error::guarded;
use crate::ruby::limits;

/// @yard
/// @def read_facts(path)
/// @api private
/// @param path [String] a file in a format of exported facts
/// @return [Hash{Symbol=>Object}] `values`; `trusted` and `node` if the file has them
/// @raise [ArgumentError] if the file cannot be read
fn read_facts(ruby: &Ruby, path: PathBuf) -> Result<RHash, Error> {
    guarded(ruby, || {
        let facts = FactsFile::read(&path, None, &limits::current())
            .map_err(|error| Error::new(ruby.exception_arg_error(), error.to_string()))?;
        let read = ruby.hash_new();
        read.aset(ruby.to_symbol("values"), to_object(ruby, &CoreValue::Hash(facts.values.into()))?)?;
        if let Some(trusted) = facts.trusted {
            read.aset(ruby.to_symbol("trusted"), to_object(ruby, &CoreValue::Hash(trusted.into()))?)?;
        }
        if let Some(node) = facts.node {
            read.aset(ruby.to_symbol("node"), node)?;
        }
        Ok(read)
    })
}

/// @yard
/// @def roles(directory)
/// @api private
/// @param directory [String]
/// @return [Hash{Symbol=>Object}] `environment`, `modulepath`, and `classes`, `facts` and `manifest` of the table `roles`, in the
///   `puppetfn.toml` in or around a directory, as far as it has them. Paths are absolute
/// @raise [ArgumentError] if the file is wrong
fn roles(ruby: &Ruby, directory: PathBuf) -> Result<RHash, Error> {
    guarded(ruby, || {
        let wrong = |failure: ProjectFailure| Error::new(ruby.exception_arg_error(), failure.to_string());
        let around = Path::new(&directory).join(".");
        let config = ProjectConfig::of(None, Some(&around), &limits::current()).map_err(wrong)?;
        let settings = ruby.hash_new();
        if let Some(environment) = config.environment().map_err(wrong)? {
            settings.aset(ruby.to_symbol("environment"), environment)?;
        }
        let modulepath = config.modulepath().map_err(wrong)?;
        if !modulepath.is_empty() {
            settings.aset(ruby.to_symbol("modulepath"), ruby.ary_from_iter(modulepath))?;
        }
        let Some(roles) = config.roles() else { return Ok(settings) };
        if let Some(classes) = roles.classes {
            settings.aset(ruby.to_symbol("classes"), ruby.ary_from_iter(classes))?;
        }
        if let Some(facts) = roles.facts {
            settings.aset(ruby.to_symbol("facts"), ruby.ary_from_iter(facts))?;
        }
        if let Some(manifest) = roles.manifest {
            settings.aset(ruby.to_symbol("manifest"), manifest)?;
        }
        Ok(settings)
    })
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let repository = puppetfn.define_module("ControlRepository")?;
    repository.define_singleton_method("read_facts", function!(read_facts, 1))?;
    repository.define_singleton_method("roles", function!(roles, 1))
}
