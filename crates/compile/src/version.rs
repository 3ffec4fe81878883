//! Versions and identifiers of catalogs.
#![allow(clippy::disallowed_methods, reason = "the environment names the program")]

use std::hash::{BuildHasher, RandomState};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_project::Environment;
use puppetfn_types::value::Value;

use crate::classifier::output;

/// Returns the version of the code: the output of the environment's `config_version`, or else the time.
pub(crate) fn version(environment: &Environment, may_execute: bool) -> Result<Value, Error> {
    let command = environment.config_version.as_deref().filter(|command| may_execute && !command.is_empty());
    let Some(command) = command else {
        return Ok(seconds_since_epoch());
    };
    let printed = output(Command::new("sh").arg("-c").arg(command));
    printed.map(|version| version.trim().into()).map_err(|problem| {
        let message = format!("Execution of config_version command `{command}` failed: {problem}");
        Error::new(ErrorKind::Evaluation, message)
    })
}

/// Returns the current time as the version of code.
pub(crate) fn seconds_since_epoch() -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_secs()).unwrap_or(i64::MAX).into()
}

/// Returns a random UUID: version 4 of RFC 9562.
pub(crate) fn uuid() -> String {
    let state = RandomState::new();
    let random = (u128::from(state.hash_one(0)) << 64) | u128::from(state.hash_one(1));
    let bits = (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let text = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_catalog_has_a_uuid_of_its_own() {
        let (one, other) = (uuid(), uuid());
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(one.as_bytes()[14], b'4', "{one}");
        assert!(b"89ab".contains(&one.as_bytes()[19]), "{one}");
    }
}
