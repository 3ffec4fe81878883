//! The settings of the allocator.

use std::ffi::{c_int, c_long};

use puppetfn::limits::memory::address_space;

// SAFETY: of mimalloc, which the extension is linked with.
unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}

/// `mi_option_arena_reserve`: the address space that is taken at once, in KiB.
const ARENA_RESERVE: c_int = 23;
const RESERVED: c_long = 64 << 10;

/// Lets the allocator take little address space at once, in place of a gigabyte: none in a process whose address space is limited
/// (`ulimit -v`), where Ruby needs it. Each page of the allocator is mapped by itself then, and unmapped when it is free, which takes
/// a third of the time of comparisons of catalogs.
pub fn reserve_little_memory() {
    let reserved = if address_space() == u64::MAX { RESERVED } else { 0 };
    // SAFETY: it sets a number, at any time.
    unsafe { mi_option_set(ARENA_RESERVE, reserved) };
}
