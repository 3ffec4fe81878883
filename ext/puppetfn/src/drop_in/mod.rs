//! The core under real Puppet's own classes, in a process that uses Puppet.
//!
//! Each piece gives Puppet's answer, or declines: then Puppet answers itself. All exceptions raised here are ones that
//! Puppet would raise.

mod build;
mod counts;
mod dispatch;
mod inference;
mod mismatch;
mod model;
mod parser;
mod piece;
mod type_parser;
mod types;

use magnus::{Error, Module, RModule, Ruby};

/// Defines the module.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let drop_in = puppetfn.define_module("DropIn")?;
    counts::init(drop_in)?;
    types::init(ruby, drop_in)?;
    dispatch::init(ruby, drop_in)?;
    mismatch::init(drop_in)?;
    inference::init(drop_in)?;
    type_parser::init(drop_in)?;
    parser::init(drop_in)
}
