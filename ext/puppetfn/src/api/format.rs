//! `Puppetfn::Format`: the layout of code.

use magnus::{Error, Module, Object, RModule, Ruby, function};

use crate::ruby::error::{guarded, to_ruby};

/// @yard
/// @def self.format(code)
/// Returns code in the layout of Puppet's style guide, as `puppetfn fmt` writes it without a `puppetfn.toml`.
/// @example
///   Puppetfn::Format.format("file{'/tmp/a':\n ensure=>file}")  # => "file { '/tmp/a':\n  ensure => file,\n}\n"
/// @param code [String] a manifest, not a template
/// @return [String]
/// @raise [Puppet::ParseErrorWithIssue] when the code is not Puppet
fn format(ruby: &Ruby, code: String) -> Result<String, Error> {
    guarded(ruby, || puppetfn::fmt::format(&code).map_err(|error| to_ruby(ruby, &error)))
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    puppetfn.define_module("Format")?.define_singleton_method("format", function!(format, 1))
}
