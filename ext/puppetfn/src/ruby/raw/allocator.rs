//! The settings of the allocator.

use std::ffi::{c_int, c_long};

// SAFETY: of mimalloc, which the extension is linked with.
unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}

/// `mi_option_arena_reserve`: the address space that is taken at once, in KiB.
const ARENA_RESERVE: c_int = 23;

/// Lets the allocator take address space as it is needed. Of a process whose address space is limited (`ulimit -v`), it would take a
/// gigabyte at the first allocation, and leave too little to Ruby.
pub fn reserve_no_memory() {
    // SAFETY: it sets a number, at any time.
    unsafe { mi_option_set(ARENA_RESERVE, 0) };
}
