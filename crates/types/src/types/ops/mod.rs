//! The operations on types: one per file, each an exhaustive match.

mod assert;
mod assignable;
mod callable;
pub mod case;
mod common;
mod contained;
pub mod describe;
mod disjoint;
mod extent;
mod format;
mod generalize;
mod infer;
mod instance;
mod iterable;
mod literal;
mod normalize;
mod object_format;
mod parts;
#[cfg(test)]
mod properties;
mod recursion;
mod shape;
mod subsumes;
mod summary;
mod unresolved;

pub use assert::assert_instance;
pub use callable::callable_with;
pub use infer::{infer, infer_set};
pub use instance::instance;
pub(crate) use object_format::object_init_hash;
