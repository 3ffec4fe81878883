//! `Puppetfn::SettingsTable`: Puppet's settings, of which the core has the defaults.

use std::path::PathBuf;

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RHash, RModule, Ruby, Value, function};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::settings;
use puppetfn::value::{Hash, Value as CoreValue};
use puppetfn_project::{Environment, EnvironmentOptions};

use super::{limits, target};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, to_ruby};

/// @yard
/// @def known?(name, target)
/// @param name [String]
/// @param target [String] the name of a release
/// @return [Boolean] whether the release has a setting of this name
fn is_known(ruby: &Ruby, name: String, target: String) -> Result<bool, Error> {
    Ok(settings::is_known(&name, target::named(ruby, &target)?))
}

/// @yard
/// @def resolve(set)
/// @param set [Hash{String=>Object}] the explicit settings; texts may refer to other settings, as in `$vardir/lib`
/// @return [Hash{Symbol=>Object}] all settings in Puppet's order, as `Puppet[:name]` gives them
/// @raise [Puppetfn::Error] when a setting does not accept its value, or refers to one that does not exist
fn resolve(ruby: &Ruby, set: RHash) -> Result<RHash, Error> {
    guarded(ruby, || {
        let mut known = Hash::default();
        set.foreach(|name: String, value: Value| {
            known.insert(name.into(), to_value(ruby, value)?);
            Ok(ForEach::Continue)
        })?;
        let resolved = settings::resolve(&known).map_err(|error| to_ruby(ruby, &error))?;
        let all = ruby.hash_new();
        for (name, value) in resolved.iter() {
            let CoreValue::String(name) = name else { continue };
            let object = if let CoreValue::String(text) = value
                && settings::is_symbolic(name)
            {
                ruby.to_symbol(&**text).as_value()
            } else {
                to_object(ruby, value)?
            };
            all.aset(ruby.to_symbol(&**name), object)?;
        }
        Ok(all)
    })
}

/// @yard
/// @def of_environment(directory, name)
/// @param directory [String] an environment's directory
/// @param name [String] the environment's
/// @return [Hash{Symbol=>Object}] the settings that follow from its `environment.conf` and from its location
/// @raise [Puppetfn::Error] when the `environment.conf` cannot be used
fn of_environment(ruby: &Ruby, directory: PathBuf, name: String) -> Result<RHash, Error> {
    guarded(ruby, || {
        let given = EnvironmentOptions {
            name,
            directory: Some(directory),
            limits: limits::current(),
            ..EnvironmentOptions::default()
        };
        let environment = Environment::read(given).map_err(|failure| {
            let message = failure.to_string();
            to_ruby(ruby, &CoreError::new(ErrorKind::Load, message))
        })?;
        let all = ruby.hash_new();
        for (name, value) in environment.settings.iter() {
            if let CoreValue::String(name) = name {
                all.aset(ruby.to_symbol(&**name), to_object(ruby, value)?)?;
            }
        }
        Ok(all)
    })
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let table = puppetfn.define_module("SettingsTable")?;
    table.define_singleton_method("of_environment", function!(of_environment, 2))?;
    table.define_singleton_method("known?", function!(is_known, 2))?;
    table.define_singleton_method("resolve", function!(resolve, 1))
}
