//! `fqdn_rand`.
//!
//! See Puppet's `parser/functions/fqdn_rand.rb`.

use std::sync::Arc;

use md5::Md5;
use rand_mt::Mt;
use sha2::digest::Digest;

use super::legacy::{LegacyArity, legacy};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::number::leading_integer;
use puppetfn_types::function::{Call, Declaration, UnknownHandling};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Value, downcase, to_s};

pub(super) fn fqdn_rand() -> Declaration {
    legacy("fqdn_rand", LegacyArity::AtLeast(1), |call, arguments| {
        let limit = limit(arguments.first())?;
        let name = node_name(call)?;
        let name = match (name, arguments.get(2)) {
            // Undef was an empty string, and that counts as true.
            (name, None | Some(Value::Boolean(false))) => name,
            (Value::String(name), Some(_)) => downcase(&name).into(),
            (_, Some(_)) => return Err(no_name()),
        };
        let seed = arguments.get(1).cloned().unwrap_or(Value::Undef);
        let text = to_s::join(&[name, Value::Integer(limit), seed], ":", call.limits())?;
        let below = u64::try_from(limit).ok().and_then(|limit| limit.checked_sub(1));
        let greatest = below.ok_or_else(|| {
            Error::new(ErrorKind::ArgumentMismatch, format!("invalid argument - {limit}"))
        })?;
        let number = random(&Md5::digest(text), greatest);
        Ok(Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)))
    })
    .doc(
        "A random number from 0 to one less than the first argument. It is always the same for a node, by its \
         fact `networking.fqdn`, and for the same second argument, a seed. With a third argument that is true, \
         the case of the node's name does not count.",
    )
    .example("fqdn_rand(1)", "0")
    .example("fqdn_rand(100, 'backup') == fqdn_rand(100, 'backup')", "true")
    .returns(|_| Type::integer(Some(0), None))
    .unknowns(UnknownHandling::ShortCircuit)
}

/// Returns the first argument as Ruby's `to_i` returns it.
fn limit(value: Option<&Value>) -> Result<i64, Error> {
    match value {
        Some(Value::Integer(number)) => Ok(*number),
        Some(Value::Float(number)) => Ok(*number as i64),
        Some(Value::String(text)) => leading_integer(text),
        _ => Err(Error::new(ErrorKind::ArgumentMismatch, "fqdn_rand(): the first argument must be a number")),
    }
}

/// Returns the name of the node; undef if it has none.
fn node_name(call: &Call<'_>) -> Result<Value, Error> {
    let facts = call.caller().variable("facts")?;
    let at = |value: Option<Value>, key: &str| match value {
        Some(Value::Hash(hash)) => Arc::unwrap_or_clone(hash).get_str(key).cloned(),
        _ => None,
    };
    Ok(at(at(facts, "networking"), "fqdn").unwrap_or(Value::Undef))
}

#[cold]
fn no_name() -> Error {
    Error::new(ErrorKind::Evaluation, "fqdn_rand(): the node has no fact 'networking.fqdn'")
}

/// Returns a random number up to the greatest one, as Ruby's generator gives it first for a seed, a number of
/// 128 bits.
fn random(seed: &[u8], greatest: u64) -> u64 {
    // Ruby reads the seed from its end, and does without words there that are zero.
    let words = seed.rchunks(4).map(|word| word.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)));
    let mut words: Vec<u32> = words.collect();
    while words.len() > 1 && words.last() == Some(&0) {
        words.pop();
    }
    // Ruby reserves a last word of one as a marker of its own.
    if words.len() > 1 && words.last() == Some(&1) {
        words.pop();
    }
    let mut generator = match *words {
        [word] => Mt::new(word),
        ref words => Mt::new_with_key(words.iter().copied()),
    };
    let mask = u64::MAX.checked_shr(greatest.leading_zeros()).unwrap_or(0);
    loop {
        let mut number = 0;
        let mut fits = true;
        for shift in [32, 0] {
            if (mask >> shift) & 0xffff_ffff != 0 {
                number = (number | u64::from(generator.next_u32()) << shift) & mask;
                fits = number <= greatest;
                if !fits {
                    break;
                }
            }
        }
        if fits {
            return number;
        }
    }
}
