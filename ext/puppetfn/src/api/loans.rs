//! Parameters of resources on loan to Ruby code: changes are written to the catalog before code continues.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use magnus::value::ReprValue;
use magnus::{Error, Value};

use crate::ruby::raw::once;

/// Number of runtimes that have lent parameters.
static LENDERS: AtomicUsize = AtomicUsize::new(0);

/// Whether Ruby code has parameters of a runtime's catalog.
#[derive(Default)]
pub struct ParameterLoans(AtomicBool);

impl ParameterLoans {
    /// Records that Ruby code holds parameters.
    pub fn begin(&self) {
        if !self.0.swap(true, Ordering::Relaxed) {
            LENDERS.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Records that Ruby code holds no parameters any more.
    pub fn end(&self) {
        if self.0.swap(false, Ordering::Relaxed) {
            LENDERS.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Writes changes that Ruby code made to parameters to the catalog, where it has any. After the last function in Ruby
    /// they are out of its hands.
    pub fn settle(&self, runtime: Value, is_last: bool) -> Result<(), Error> {
        if self.0.load(Ordering::Relaxed) { settle(runtime, is_last) } else { Ok(()) }
    }
}

impl Drop for ParameterLoans {
    fn drop(&mut self) {
        self.end();
    }
}

/// Does the same if it is unknown which runtime is at work.
pub fn settle_any(runtime: impl FnOnce() -> Option<Value>) -> Result<(), Error> {
    if LENDERS.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    runtime().map_or(Ok(()), |runtime| settle(runtime, false))
}

#[cold]
fn settle(runtime: Value, is_last: bool) -> Result<(), Error> {
    once(|| runtime.funcall::<_, _, Value>("settle_loans", (is_last,)))?;
    Ok(())
}
