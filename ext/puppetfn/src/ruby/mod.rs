//! The bridge between Ruby's objects and the core's values.

pub mod by_thread;
pub mod call;
pub mod classes;
pub mod convert;
pub mod decline;
pub mod error;
pub mod explained;
pub mod hash_code;
pub mod host_table;
pub mod implementation;
pub mod interruption;
pub mod jump;
pub mod limits;
pub mod objects;
pub mod puppet_types;
pub mod raw;
pub mod symbols;
pub mod wrap;
pub mod wrapped;
