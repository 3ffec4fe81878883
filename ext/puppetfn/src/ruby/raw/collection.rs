//! Ruby's garbage collection, which a command does without as long as it creates few objects.

use std::os::raw::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use magnus::rb_sys::{AsRawValue, protect};
use magnus::value::ReprValue;
use magnus::{Error, Module, RModule, Ruby};
use rb_sys::{Qnil, VALUE};

/// The number of objects that are created until garbage is collected.
const OBJECTS: u32 = 50_000;
/// The number of bytes that Ruby allocates for objects until garbage is collected.
const BYTES: u32 = 8 << 20;

/// The number of created objects.
static CREATED: AtomicU32 = AtomicU32::new(0);
/// The symbol for which Ruby reports the number of allocated bytes.
static ALLOCATED: AtomicU64 = AtomicU64::new(0);

/// Enables garbage collection, which is disabled, as soon as [`OBJECTS`] are created or [`BYTES`] allocated. Enables it now if this
/// Ruby does not report the number of bytes.
pub fn enable_collection_later(ruby: &Ruby) {
    if watch(ruby).is_err() {
        ruby.gc_enable();
    }
}

fn watch(ruby: &Ruby) -> Result<(), Error> {
    let allocated = ruby.to_symbol("malloc_increase_bytes").to_static();
    let gc: RModule = ruby.class_object().const_get("GC")?;
    gc.funcall::<_, _, usize>("stat", (allocated,))?;
    ALLOCATED.store(allocated.as_raw(), Relaxed);
    protect(|| {
        // SAFETY: the callback does nothing that is forbidden in it. Ruby keeps tracepoints that are enabled.
        unsafe {
            let event = rb_sys::RUBY_INTERNAL_EVENT_NEWOBJ;
            let tracepoint = rb_sys::rb_tracepoint_new(Qnil.into(), event, Some(count), null_mut());
            rb_sys::rb_tracepoint_enable(tracepoint)
        }
    })?;
    Ok(())
}

/// Counts an object that Ruby creates; it must not create one itself, nor raise.
unsafe extern "C" fn count(tracepoint: VALUE, _: *mut c_void) {
    let created = CREATED.fetch_add(1, Relaxed);
    // SAFETY: Ruby has answered for the symbol before. The other functions set flags, and may be called in a callback.
    unsafe {
        if created >= OBJECTS || rb_sys::rb_gc_stat(ALLOCATED.load(Relaxed)) >= BYTES.into() {
            rb_sys::rb_tracepoint_disable(tracepoint);
            rb_sys::rb_gc_enable();
        }
    }
}
