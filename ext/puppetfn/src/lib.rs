//! The Ruby extension of puppetfn: the core crate under a Ruby API.
//!
//! [`api`] defines the Ruby API, [`drop_in`] accelerates real Puppet's classes. Unsafe code has one home, `ruby::raw`; everywhere else it is denied.
#![deny(unsafe_code)]

mod api;
mod drop_in;
mod entry;
mod ruby;

/// The allocator of the core, which `ruby::raw::reserve_little_memory` sets up. Ruby and libraries in C keep the C library's.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
