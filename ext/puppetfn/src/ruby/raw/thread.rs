//! The thread or fiber that runs: its stack, and its turns.

use std::cell::Cell;
use std::hint::black_box;
use std::ops::Range;
use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use magnus::Error;
use magnus::rb_sys::protect;
use rb_sys::{Qnil, VALUE};

use super::once::once;

/// Size of fibers' stacks.
static FIBER_STACK: AtomicUsize = AtomicUsize::new(256 * 1024);

/// Sets the size of fibers' stacks.
pub fn set_fiber_stack(bytes: usize) {
    FIBER_STACK.store(bytes, Relaxed);
}

/// Returns how many bytes of the native stack are left.
pub fn stack_left() -> usize {
    let marker = 0u8;
    let here = from_ref(black_box(&marker)).addr();
    match thread_stack() {
        Some(stack) if stack.contains(&here) => here - stack.start,
        // Code that runs elsewhere than on the stack of its thread is in a fiber.
        _ => FIBER_STACK.load(Relaxed).saturating_sub(stack_used()),
    }
}

/// Returns how many bytes of its stack the thread or fiber uses.
fn stack_used() -> usize {
    // SAFETY: measures the stack of the running code, which is Ruby's: it has called us.
    let words = unsafe { rb_sys::ruby_stack_length(null_mut()) };
    usize::try_from(words).map_or(usize::MAX, |words| words.saturating_mul(size_of::<VALUE>()))
}

/// Returns the stack of the native thread, if the system reports it.
fn thread_stack() -> Option<Range<usize>> {
    thread_local! {
        static STACK: Option<Range<usize>> = native_stack();
    }
    STACK.with(Clone::clone)
}

#[cfg(target_os = "linux")]
fn native_stack() -> Option<Range<usize>> {
    let mut attributes = std::mem::MaybeUninit::uninit();
    let (mut start, mut size) = (null_mut(), 0);
    // SAFETY: the attributes are only used, and then destroyed, if the first call has made them.
    let is_known = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0 && {
            let known = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut size) == 0;
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            known
        }
    };
    let start = start.addr();
    is_known.then(|| grown(start..start.saturating_add(size)))
}

/// Returns the largest stack that a thread can have. The main thread's grows, and musl, unlike glibc, reports its current size.
#[cfg(all(target_os = "linux", target_env = "musl"))]
fn grown(stack: Range<usize>) -> Range<usize> {
    let address = |text| usize::from_str_radix(text, 16).ok();
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes the limit only.
    let is_limited = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    let (Ok(maps), true) = (std::fs::read_to_string("/proc/self/maps"), is_limited) else { return stack };

    let size = usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX);
    let mut below = 0;
    for line in maps.lines() {
        let Some((start, rest)) = line.split_once('-') else { break };
        let (Some(start), Some(end)) = (address(start), rest.split(' ').next().and_then(address)) else {
            break;
        };
        if line.ends_with("[stack]") && (start..end).contains(&stack.start) {
            return end.saturating_sub(size).max(below)..end;
        }
        below = end;
    }
    stack
}

#[cfg(all(target_os = "linux", not(target_env = "musl")))]
fn grown(stack: Range<usize>) -> Range<usize> {
    stack
}

#[cfg(target_os = "macos")]
fn native_stack() -> Option<Range<usize>> {
    // SAFETY: both query the running thread.
    let (end, size) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread).addr(), libc::pthread_get_stacksize_np(thread))
    };
    Some(end.saturating_sub(size)..end)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn native_stack() -> Option<Range<usize>> {
    None
}

/// Time that a thread runs before other threads get their turn. Ruby itself gives each 100 milliseconds, which is
/// longer than a user or a timeout should wait.
const TURN: Duration = Duration::from_millis(5);

/// Lets other threads run if it is time, and handles pending interruptions of this thread, such as a signal, an
/// exception that another thread raises here, or the end of this thread.
pub fn take_turns() -> Result<(), Error> {
    thread_local! {
        static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    let now = Instant::now();
    match SINCE.get() {
        Some(since) if now.duration_since(since) < TURN => return Ok(()),
        _ => SINCE.set(Some(now)),
    }
    let turn = || {
        // SAFETY: called with Ruby's global lock, and protected: whatever is raised or thrown comes back
        // as an error.
        unsafe { rb_sys::rb_thread_schedule() };
        Qnil as VALUE
    };
    once(|| protect(turn)).map(|_| ())
}
