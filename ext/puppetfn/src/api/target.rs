//! `Puppetfn::Target`: the releases of Puppet and OpenVox whose behaviour code can see.

use std::path::PathBuf;

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RHash, RModule, Ruby, Value, function};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::target::{DIFFERENCES, Target};
use puppetfn_project::{ProjectConfig, required_target};

use super::limits;
use crate::ruby::error::{guarded, to_ruby};

/// Returns the release with a name.
///
/// # Errors
/// Fails if there is none.
pub fn named(ruby: &Ruby, name: &str) -> Result<Target, Error> {
    name.parse()
        .map_err(|problem| Error::new(ruby.exception_arg_error(), format!("unknown target: {problem}")))
}

/// @yard
/// @def describe(name)
/// @api private
/// @param name [String]
/// @return [Hash{Symbol=>String, nil}] its `version`, `facter_version`, `implementation`, `title`, `product` and `documents`
/// @raise [ArgumentError] when there is no such release
fn describe(ruby: &Ruby, name: String) -> Result<RHash, Error> {
    guarded(ruby, || {
        let target = named(ruby, &name)?;
        let all = ruby.hash_new();
        let set = |key: &str, text: Option<&str>| all.aset(ruby.to_symbol(key), text);
        set("version", Some(target.version()))?;
        set("facter_version", Some(target.facter_version()))?;
        set("implementation", target.implementation())?;
        set("title", Some(target.title()))?;
        set("product", Some(target.product()))?;
        set("documents", Some(target.documents()))?;
        Ok(all)
    })
}

/// @yard
/// @def table
/// @api private
/// @return [Array<Hash{Symbol=>String}>] the differences between Puppet 8 and OpenVox: `name`, `since`, `area`, `summary`, `source`
fn table(ruby: &Ruby) -> Result<RArray, Error> {
    let rows = ruby.ary_new();
    for row in DIFFERENCES {
        let all = ruby.hash_new();
        let name = format!("{:?}", row.difference);
        let texts = [
            ("name", &*name),
            ("since", row.since.name()),
            ("area", row.area.name()),
            ("summary", row.summary),
        ];
        for (key, text) in texts.into_iter().chain([("source", row.source)]) {
            all.aset(ruby.to_symbol(key), text)?;
        }
        rows.push(all)?;
    }
    Ok(rows)
}

/// @yard
/// @def names
/// @api private
/// @return [Array<String>] the names of all releases
fn names(ruby: &Ruby) -> Value {
    ruby.ary_from_iter(Target::ALL.map(Target::name)).as_value()
}

/// @yard
/// @def of_project(directory)
/// @api private
/// @param directory [String] a project's directory
/// @return [String, nil] the name of the release that its `puppetfn.toml` or the requirements in its `metadata.json` name
/// @raise [Puppetfn::Error] when the `puppetfn.toml` cannot be used
fn of_project(ruby: &Ruby, directory: PathBuf) -> Result<Option<&'static str>, Error> {
    guarded(ruby, || {
        let config = ProjectConfig::of(None, Some(&directory), &limits::current())
            .map_err(|failure| to_ruby(ruby, &CoreError::new(ErrorKind::Load, failure.to_string())))?;
        Ok(config.target().or_else(|| required_target(&directory)).map(Target::name))
    })
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let targets = puppetfn.define_module("Targets")?;
    targets.define_singleton_method("describe", function!(describe, 1))?;
    targets.define_singleton_method("of_project", function!(of_project, 1))?;
    targets.define_singleton_method("table", function!(table, 0))?;
    targets.define_singleton_method("names", function!(names, 0))
}
