//! The type of strings of bytes.

use std::sync::LazyLock;

use super::{Capsule, CtyType};

pub(crate) static BYTES: LazyLock<Capsule> = LazyLock::new(|| Capsule::new("bytes"));

/// Returns the type of strings of bytes.
pub fn bytes_type() -> CtyType {
    CtyType::Capsule(BYTES.clone())
}
