//! `Puppetfn.limits`: how much one operation may use.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{Error, Integer, Object, RHash, RModule, Ruby, Symbol, Value, function};
use puppetfn::limits::Limits;

use crate::ruby::error::guarded;

static NESTING: AtomicU32 = AtomicU32::new(Limits::DEFAULT.nesting);
static SYNTAX: AtomicU32 = AtomicU32::new(Limits::DEFAULT.syntax);
static WORK: AtomicU64 = AtomicU64::new(Limits::DEFAULT.work);
static SIZE: AtomicU64 = AtomicU64::new(Limits::DEFAULT.size);

/// Values and texts that nest deeper than this could overflow the stack of a thread.
const DEEPEST: u32 = 1_000;

/// The limits that hold now.
pub fn current() -> Limits {
    Limits {
        nesting: NESTING.load(Relaxed),
        syntax: SYNTAX.load(Relaxed),
        work: WORK.load(Relaxed),
        size: SIZE.load(Relaxed),
        ..Limits::DEFAULT
    }
}

/// @yard
/// @def limits
/// @return [Hash{Symbol=>Integer}] the limits: `nesting`, `syntax`, `work` and `size`
fn limits(ruby: &Ruby) -> Result<RHash, Error> {
    let limits = current();
    let hash = ruby.hash_new();
    hash.aset(ruby.to_symbol("nesting"), limits.nesting)?;
    hash.aset(ruby.to_symbol("syntax"), limits.syntax)?;
    hash.aset(ruby.to_symbol("work"), limits.work)?;
    hash.aset(ruby.to_symbol("size"), limits.size)?;
    Ok(hash)
}

/// @yard
/// @def limits=(changes)
/// Changes limits, for the whole process; those that are not named stay as they are.
/// @param changes [Hash{Symbol=>Integer}] `nesting` and `syntax` from 1 to 1000, `work` and `size` from 1
/// @raise [ArgumentError] for another name or value; then nothing is changed
fn set_limits(ruby: &Ruby, changes: RHash) -> Result<(), Error> {
    guarded(ruby, || {
        let mut new = current();
        changes.foreach(|name: Value, value: Value| {
            let wrong = |message: String| Error::new(ruby.exception_arg_error(), message);
            let name = Symbol::from_value(name).and_then(|name| name.name().ok()).ok_or_else(|| {
                wrong(format!("expected the name of a limit as a Symbol, got {}", name.inspect()))
            })?;
            let number =
                Integer::from_value(value).and_then(|value| value.to_u64().ok()).filter(|value| *value > 0);
            let number = number.ok_or_else(|| {
                wrong(format!(
                    "limit '{name}': expected a positive Integer of 64 bits, got {}",
                    value.inspect()
                ))
            })?;
            let depth = u32::try_from(number).ok().filter(|depth| *depth <= DEEPEST);
            let depth = || {
                depth
                    .ok_or_else(|| wrong(format!("limit '{name}': expected at most {DEEPEST}, got {number}")))
            };
            match name.as_ref() {
                "nesting" => new.nesting = depth()?,
                "syntax" => new.syntax = depth()?,
                "work" => new.work = number,
                "size" => new.size = number,
                other => {
                    return Err(wrong(format!(
                        "unknown limit '{other}'; there are nesting, syntax, work and size"
                    )));
                }
            }
            Ok(ForEach::Continue)
        })?;
        NESTING.store(new.nesting, Relaxed);
        SYNTAX.store(new.syntax, Relaxed);
        WORK.store(new.work, Relaxed);
        SIZE.store(new.size, Relaxed);
        Ok(())
    })
}

/// Defines the methods.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    puppetfn.define_singleton_method("limits", function!(limits, 0))?;
    puppetfn.define_singleton_method("limits=", function!(set_limits, 1))
}
