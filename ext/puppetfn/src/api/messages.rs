//! `Puppetfn.messages`: how mismatches of types are worded.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use magnus::value::ReprValue;
use magnus::{Error, Object, RModule, Ruby, Symbol, Value, function};
use puppetfn::types::ops::describe::Messages;

use crate::ruby::error::guarded;

static RICH: AtomicBool = AtomicBool::new(false);

/// Returns the wording that holds now.
pub fn current() -> Messages {
    if RICH.load(Relaxed) { Messages::Rich } else { Messages::Puppet }
}

/// @yard
/// @def messages
/// @return [Symbol] `:puppet` or `:rich`
fn messages(ruby: &Ruby) -> Symbol {
    ruby.to_symbol(match current() {
        Messages::Puppet => "puppet",
        Messages::Rich => "rich",
    })
}

/// @yard
/// @def messages=(wording)
/// Selects the wording of type mismatches for the whole process: Puppet's, or a more detailed one.
/// @example
///   Puppetfn.messages = :rich
///   Puppetfn::Type.parse("Integer").assert("the port", "80")
///   # Puppet::Pops::Types::TypeAssertionError: the port has wrong type, expects an Integer value, got '80'
/// @param wording [Symbol] `:puppet` or `:rich`
/// @raise [ArgumentError] for anything else
fn set_messages(ruby: &Ruby, wording: Value) -> Result<(), Error> {
    guarded(ruby, || {
        let name = Symbol::from_value(wording).and_then(|name| name.name().ok());
        let is_rich = match name.as_deref() {
            Some("puppet") => false,
            Some("rich") => true,
            _ => {
                let message = format!("expected :puppet or :rich, got {}", wording.inspect());
                return Err(Error::new(ruby.exception_arg_error(), message));
            }
        };
        RICH.store(is_rich, Relaxed);
        Ok(())
    })
}

/// Defines the methods.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    puppetfn.define_singleton_method("messages", function!(messages, 0))?;
    puppetfn.define_singleton_method("messages=", function!(set_messages, 1))
}
