//! The Ruby extension of puppetfn: the core crate under a Ruby API.
//!
//! [`api`] holds what Ruby sees. Unsafe code has one home, `ruby::raw`; everywhere else it is denied.
#![deny(unsafe_code)]

mod api;
mod entry;
mod ruby;
