//! The Ruby extension of puppetfn: the core crate under a Ruby API.
//!
//! [`api`] holds what Ruby sees, [`drop_in`] what works under real Puppet's classes. Unsafe code has one home, `ruby::raw`; everywhere else it is denied.
#![deny(unsafe_code)]

mod api;
mod drop_in;
mod entry;
mod ruby;
