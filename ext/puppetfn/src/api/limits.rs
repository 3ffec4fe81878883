//! `Puppetfn.limits`: how much one operation may use.

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{
    Error, Integer, Module, Object, RClass, RHash, RModule, Ruby, Symbol, TryConvert, Value, function,
};
use puppetfn::limits::Limits;

use crate::ruby::error::guarded;
pub use crate::ruby::limits::{current, here, replace};
use crate::ruby::raw;

/// Changes one limit.
fn change(limits: &mut Limits, name: &str, value: Value) -> Result<(), String> {
    match name {
        "fuel" if value.is_nil() => {
            limits.fuel = None;
            return Ok(());
        }
        "memory" if value.is_nil() => {
            limits.memory = None;
            return Ok(());
        }
        _ => {}
    }
    let number = Integer::from_value(value).and_then(|value| value.to_u64().ok());
    let number = number.ok_or_else(|| {
        format!("limit '{name}': expected a positive Integer of 64 bits, got {}", value.inspect())
    })?;
    limits.set(name, number)
}

/// @yard
/// @def limits
/// @example
///   Puppetfn.limits[:nesting]  # => 200
/// @return [Hash{Symbol=>Integer, nil}] the limits by their names; `fuel` is nil where it is off
fn limits(ruby: &Ruby) -> Result<RHash, Error> {
    let hash = ruby.hash_new();
    for name in Limits::NAMES {
        hash.aset(ruby.to_symbol(name), current().get(name))?;
    }
    Ok(hash)
}

/// @yard
/// @def limits=(changes)
/// Changes limits for the whole process; limits that are not named keep their values. `text`, `elements`, `file`,
/// `calls`, `memory` and `fuel` apply to runtimes that are created afterwards. nil turns `fuel` off, and sets `memory`
/// to a quarter of the machine's memory.
/// @param changes [Hash{Symbol=>Integer, nil}] `nesting` and `syntax` from 1 to 1000, all others from 1
/// @raise [ArgumentError] for another name or value; then nothing is changed
fn set_limits(ruby: &Ruby, changes: RHash) -> Result<(), Error> {
    guarded(ruby, || {
        let mut new = current();
        changes.foreach(|name: Value, value: Value| {
            let wrong = |message: String| Error::new(ruby.exception_arg_error(), message);
            let name = Symbol::from_value(name).and_then(|name| name.name().ok()).ok_or_else(|| {
                wrong(format!("expected the name of a limit as a Symbol, got {}", name.inspect()))
            })?;
            change(&mut new, &name, value).map_err(wrong)?;
            Ok(ForEach::Continue)
        })?;
        replace(new);
        Ok(())
    })
}

/// Defines the methods.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    // Other implementations of Ruby have no such constant.
    let machine = ruby.class_object().const_get::<_, RClass>("RubyVM");
    let sizes = machine.and_then(|machine| machine.const_get::<_, RHash>("DEFAULT_PARAMS"));
    if let Ok(Some(size)) = sizes.map(|sizes| sizes.get(ruby.to_symbol("fiber_machine_stack_size")))
        && let Ok(size) = usize::try_convert(size)
    {
        raw::set_fiber_stack(size);
    }
    puppetfn.define_singleton_method("limits", function!(limits, 0))?;
    puppetfn.define_singleton_method("limits=", function!(set_limits, 1))
}
