//! Hash codes of Rust values, for the `hash` of Ruby objects.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns the hash code of a value: a small integer of Ruby's, which two bits are taken for.
pub fn hash_code(value: &impl Hash) -> i64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    (hasher.finish() >> 2).cast_signed()
}
