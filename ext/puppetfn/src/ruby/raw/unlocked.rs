//! Work without Ruby's lock.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{from_mut, from_ref, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use magnus::rb_sys::protect;
use magnus::{Error, Ruby};
use rb_sys::Qnil;

/// Work, and its result.
struct UnlockedTask<W, T> {
    work: Option<W>,
    result: Option<Result<T, Box<dyn Any + Send>>>,
    is_interrupted: AtomicBool,
}

/// Runs work that uses no Ruby object while other threads of Ruby run. Its flag is set when a signal or another thread interrupts this
/// thread: the work should then end soon.
///
/// # Errors
/// Fails with the exception that interrupts the thread.
pub fn unlocked<T, W: FnOnce(&AtomicBool) -> T>(ruby: &Ruby, work: W) -> Result<T, Error> {
    let mut task = UnlockedTask { work: Some(work), result: None, is_interrupted: AtomicBool::new(false) };
    let flag = from_ref(&task.is_interrupted).cast_mut().cast::<c_void>();
    let data = from_mut(&mut task).cast::<c_void>();
    // SAFETY: `run` is called once, before this returns, with the task; `interrupt` gets the flag, which lives as long and may be set from
    // any thread. A panic of the work is caught there.
    unsafe {
        rb_sys::rb_thread_call_without_gvl(Some(run::<T, W>), data, Some(interrupt), flag);
    }
    protect(|| {
        // SAFETY: `protect` catches exceptions, and nothing here has to be dropped.
        unsafe { rb_sys::rb_thread_check_ints() };
        Qnil as rb_sys::VALUE
    })?;
    match task.result {
        Some(Ok(result)) => Ok(result),
        Some(Err(panic)) => resume_unwind(panic),
        // Ruby has been interrupted before it could begin, and would have raised.
        None => Err(Error::new(ruby.exception_runtime_error(), "the work was interrupted before it began")),
    }
}

unsafe extern "C" fn run<T, W: FnOnce(&AtomicBool) -> T>(data: *mut c_void) -> *mut c_void {
    // SAFETY: `unlocked` passes its task, and waits.
    let task = unsafe { &mut *data.cast::<UnlockedTask<W, T>>() };
    if let Some(work) = task.work.take() {
        task.result = Some(catch_unwind(AssertUnwindSafe(|| work(&task.is_interrupted))));
    }
    null_mut()
}

unsafe extern "C" fn interrupt(flag: *mut c_void) {
    // SAFETY: `unlocked` passes the flag of its task, and waits.
    unsafe { &*flag.cast::<AtomicBool>() }.store(true, Ordering::Relaxed);
}
