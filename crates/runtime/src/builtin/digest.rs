//! Digests of strings: `md5`, `sha1`, `sha256` and `digest`.
//!
//! See Puppet's `parser/functions/{md5,sha1,sha256,digest}.rb`.

use md5::Md5;
use sha1::Sha1;
use sha2::Sha256;
use sha2::digest::Digest;

use super::legacy::{LegacyArity, legacy, text};
use puppetfn_types::function::{Declaration, Deviation};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn md5() -> Declaration {
    declare::<Md5>("md5")
        .doc("The MD5 digest of a string, in hexadecimal digits.")
        .example("md5('abc')", "'900150983cd24fb0d6963f7d28e17f72'")
}

pub(super) fn sha1() -> Declaration {
    declare::<Sha1>("sha1")
        .doc("The SHA-1 digest of a string, in hexadecimal digits.")
        .example("sha1('abc')", "'a9993e364706816aba3e25717850c26c9cd0d89d'")
}

pub(super) fn sha256() -> Declaration {
    declare::<Sha256>("sha256")
        .doc("The SHA-256 digest of a string, in hexadecimal digits.")
        .example("sha256('abc')", "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'")
}

pub(super) fn digest() -> Declaration {
    legacy("digest", LegacyArity::Exactly(1), |call, arguments| {
        let setting = call.caller().variable("settings::digest_algorithm")?;
        if setting.is_some_and(|algorithm| algorithm != Value::from("sha256")) {
            call.deviate(Deviation::from_all("digest with the setting digest_algorithm"))?;
        }
        Ok(hexadecimal::<Sha256>(text(arguments.first())?.as_bytes()).into())
    })
    .returns(|_| Type::STRING)
    .doc("The digest of a string by the algorithm that Puppet uses by default, which is SHA-256.")
    .example("digest('abc') == sha256('abc')", "true")
}

fn declare<D: Digest>(name: &'static str) -> Declaration {
    legacy(name, LegacyArity::Exactly(1), |_, arguments| {
        Ok(hexadecimal::<D>(text(arguments.first())?.as_bytes()).into())
    })
    .returns(|_| Type::STRING)
}

/// Returns the digest of bytes, in hexadecimal digits.
pub(super) fn hexadecimal<D: Digest>(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).map_or('0', |digit| char::from(*digit));
    D::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
