//! The Ruby API: one file per Ruby class, each with its own `init(ruby)` that is called from here.

pub mod binary;
pub mod builder;
mod catalog;
mod catalog_writes;
pub mod cli;
pub mod closure;
mod code_host;
mod compile;
mod compiler;
mod coverage;
mod cty;
mod describer;
mod digraph;
pub mod dispatcher;
mod doc;
pub mod evaluator;
mod exports;
mod file_changes;
mod format;
pub mod function;
mod function_spec;
mod graph;
pub mod limits;
pub mod loader;
mod loans;
mod local_types;
pub mod messages;
pub mod native_function;
mod object;
mod program;
mod puppetdb;
pub mod rich;
mod roles;
mod runtime;
pub mod sensitive;
mod session;
mod settings;
mod shortcut;
pub mod signature;
mod snapshot;
mod surroundings;
pub mod target;
pub mod time;
pub mod type_kinds;
pub mod types;
pub mod unknown;
pub mod variables;
pub mod version;

use magnus::{Error, Module, Ruby, value::ReprValue};

use crate::drop_in;
use crate::ruby::classes::RubyClasses;
use crate::ruby::objects::RubyObjects;
use crate::ruby::{explained, host_table, raw};

/// Defines the module `Puppetfn` and everything in it.
pub fn init(ruby: &Ruby) -> Result<(), Error> {
    let puppetfn = ruby.define_module("Puppetfn")?;

    let version = ruby.str_new(env!("CARGO_PKG_VERSION"));
    version.freeze();
    puppetfn.const_set("VERSION", version)?;
    let version = ruby.str_new(puppetfn::target::Target::Puppet8.version());
    version.freeze();
    puppetfn.const_set("PUPPET_VERSION", version)?;

    limits::init(ruby, puppetfn)?;
    messages::init(puppetfn)?;
    host_table::init(ruby, puppetfn)?;
    explained::init(ruby, puppetfn)?;
    types::init(ruby, puppetfn)?;
    type_kinds::init(puppetfn)?;
    let sensitive = sensitive::init(ruby)?;
    rich::init(ruby, puppetfn, sensitive)?;
    signature::init(ruby, puppetfn)?;
    builder::init(ruby, puppetfn)?;
    dispatcher::init(ruby, puppetfn)?;
    let function = function::init(ruby, puppetfn)?;
    function_spec::init(ruby, puppetfn)?;
    cty::init(puppetfn)?;
    loader::init(ruby, puppetfn)?;
    native_function::init(ruby, puppetfn)?;
    runtime::init(ruby, puppetfn)?;
    program::init(ruby, puppetfn)?;
    doc::init(ruby, puppetfn)?;
    digraph::init(ruby, puppetfn)?;
    format::init(puppetfn)?;
    graph::init(puppetfn)?;
    closure::init(ruby, puppetfn)?;
    variables::init(ruby, puppetfn)?;
    coverage::init(ruby, puppetfn)?;
    evaluator::init(ruby, puppetfn)?;
    file_changes::init(ruby, puppetfn)?;
    settings::init(puppetfn)?;
    target::init(puppetfn)?;
    snapshot::init(puppetfn)?;
    cli::init(puppetfn)?;
    compile::init(puppetfn)?;
    roles::init(puppetfn)?;
    drop_in::init(ruby, puppetfn)?;
    raw::set_known_classes(sensitive, function);
    // Fails only when the library is loaded a second time under another name: then it knows already.
    let _ = puppetfn::host::set_classes(Box::new(RubyClasses));
    let _ = puppetfn::host::set_objects(Box::new(RubyObjects));
    Ok(())
}
