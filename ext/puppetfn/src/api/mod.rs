//! What Ruby sees: one file per Ruby class, each with its own `init(ruby)` that is called from here.

use magnus::{Error, Module, Ruby, value::ReprValue};

/// Defines the module `Puppetfn` and everything in it.
pub fn init(ruby: &Ruby) -> Result<(), Error> {
    let puppetfn = ruby.define_module("Puppetfn")?;

    let version = ruby.str_new(env!("CARGO_PKG_VERSION"));
    version.freeze();
    puppetfn.const_set("VERSION", version)
}
