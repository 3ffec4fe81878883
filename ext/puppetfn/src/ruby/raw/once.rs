//! Calls of Ruby that come back once.
//!
//! A continuation (`callcc`) copies the machine stack, and the code that it returns to runs again. That includes Rust
//! code that waited for Ruby then: the values on its stack have long since been dropped. So each call of Ruby that may
//! run foreign code is recorded, and one that returns again does not reach the code that waited.

use std::cell::UnsafeCell;

use magnus::rb_sys::AsRawValue;
use magnus::{Error, Module, RModule, Ruby};

/// The calls that are under way in all threads and fibers, by their numbers, mostly the latest last.
static CALLS: OnceCalls = OnceCalls(UnsafeCell::new(UnderWay { numbers: Vec::new(), next: 0 }));

struct OnceCalls(UnsafeCell<UnderWay>);

// SAFETY: only `once` uses it, with Ruby's global lock, and never while Ruby runs.
unsafe impl Sync for OnceCalls {}

struct UnderWay {
    numbers: Vec<u64>,
    next: u64,
}

impl UnderWay {
    fn begin(&mut self) -> u64 {
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.numbers.push(number);
        number
    }

    /// Returns false if the call has ended before.
    fn end(&mut self, number: u64) -> bool {
        if self.numbers.last() == Some(&number) {
            self.numbers.pop();
            return true;
        }
        // Threads and fibers take turns.
        let place = self.numbers.iter().rposition(|known| *known == number);
        place.map(|place| self.numbers.remove(place)).is_some()
    }
}

/// Calls Ruby. When the call comes back another time, an exception is raised in place of the Rust code that waits for it.
#[inline]
pub fn once<T>(call: impl FnOnce() -> T) -> T {
    // SAFETY: called with Ruby's global lock; the reference does not outlive the statement.
    let number = unsafe { (*CALLS.0.get()).begin() };
    let result = call();
    // SAFETY: as above.
    if !unsafe { (*CALLS.0.get()).end(number) } {
        come_back_again();
    }
    result
}

#[cold]
fn come_back_again() -> ! {
    // SAFETY: called with Ruby's global lock.
    let ruby = unsafe { Ruby::get_unchecked() };
    let own = || ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("OperationError");
    let class = own().unwrap_or_else(|_: Error| ruby.exception_runtime_error());
    // SAFETY: this leaves the frames of Rust code behind without dropping the values in them: all of these were
    // dropped, or went on to be used, when the call returned for the first time.
    unsafe {
        rb_sys::rb_raise(class.as_raw(), c"a continuation has come back to a call that is over".as_ptr())
    }
}
