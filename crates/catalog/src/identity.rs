//! The environment, version and identifiers of a catalog.

use std::hash::{BuildHasher, RandomState};

use puppetfn_types::value::Value;
use web_time::{SystemTime, UNIX_EPOCH};

/// Environment, version and identifiers of a catalog.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The name of the environment.
    pub environment: String,
    /// The version of the code: seconds since 1970 in UTC, or the output of the environment's `config_version` program.
    pub version: Value,
    /// An identifier of the code, where there is one.
    pub code_id: Option<String>,
    /// A unique identifier of this catalog.
    pub uuid: String,
}

impl Identity {
    /// Returns the identity of a new catalog, with the current time as the version of the code and a random UUID.
    pub fn new(environment: impl Into<String>) -> Self {
        let (version, uuid) = (Self::current_version(), Self::random_uuid());
        Self { environment: environment.into(), version, code_id: None, uuid }
    }

    /// Returns the current time as the version of code: seconds since 1970 in UTC.
    pub fn current_version() -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(now.as_secs()).unwrap_or(i64::MAX).into()
    }

    /// Returns a random UUID: version 4 of RFC 9562.
    pub fn random_uuid() -> String {
        let state = RandomState::new();
        let random = (u128::from(state.hash_one(0)) << 64) | u128::from(state.hash_one(1));
        let bits = (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
        let text = format!("{bits:032x}");
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
        [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_catalog_has_a_uuid_of_its_own() {
        let (one, other) = (Identity::random_uuid(), Identity::random_uuid());
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(one.as_bytes()[14], b'4', "{one}");
        assert!(b"89ab".contains(&one.as_bytes()[19]), "{one}");
    }
}
