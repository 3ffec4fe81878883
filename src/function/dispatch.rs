//! Picking the signature for a call.

use super::Signature;
use super::describe::describe_signatures;
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::subject::{Subject, Verdict};
use crate::types::Type;
use crate::types::ops::describe::assertion_message;
use crate::types::ops::{callable_with, infer_set};

/// The signature for a call, by its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// The first signature that the arguments match.
    Found(usize),
    /// The first signature that the arguments may match, depending on values that are not known.
    Undecided(usize),
}

/// Finds the first signature that can be called with these arguments; none when there is none.
/// Allocates nothing.
///
/// # Errors
/// Those of reading the arguments.
pub fn find<'a, S: Subject<'a>>(
    signatures: &[Signature],
    arguments: &[S],
    block: Option<S>,
    limits: &Limits,
) -> Result<Option<Match>, Error> {
    for (index, signature) in signatures.iter().enumerate() {
        match callable_with(signature.callable(), arguments, block, limits)? {
            Verdict::No => {}
            Verdict::Maybe => return Ok(Some(Match::Undecided(index))),
            Verdict::Yes => return Ok(Some(Match::Found(index))),
        }
    }
    Ok(None)
}

/// The error of a call of the function `name` whose arguments match none of its signatures.
#[cold]
pub fn mismatch_error<'a, S: Subject<'a>>(
    name: &str,
    signatures: &[Signature],
    arguments: &[S],
    block: Option<S>,
    limits: &Limits,
) -> Error {
    let types: Result<Vec<Type>, Error> =
        arguments.iter().copied().chain(block).map(|argument| infer_set(argument, limits)).collect();
    match types {
        Ok(types) => Error::new(ErrorKind::ArgumentMismatch, describe_signatures(name, signatures, &types)),
        Err(error) => error,
    }
}

/// The error of a call whose arguments match a signature that words mismatches itself.
#[cold]
pub fn handler_error(name: &str, message: &str) -> Error {
    Error::new(ErrorKind::ArgumentMismatch, format!("'{name}' {message}"))
}

/// The error of a function whose implementation `method` returned a value of another type than
/// its signature states.
#[cold]
pub fn return_error(method: &str, expected: &Type, actual: &Type) -> Error {
    let subject = format!("value returned from function '{method}'");
    Error::new(ErrorKind::TypeAssertion, assertion_message(&subject, expected, actual))
}
