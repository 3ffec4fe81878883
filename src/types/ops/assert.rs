//! Insisting on a type.

use super::describe::assertion_error;
use super::{infer_set, instance};
use crate::error::Error;
use crate::limits::Limits;
use crate::subject::Verdict;
use crate::types::Type;
use crate::value::Value;

/// Checks that a value is an instance of a type. `subject` says what the value is.
///
/// # Errors
/// [`crate::error::ErrorKind::TypeAssertion`] when it is not, and those of [`instance`].
pub fn assert_instance(subject: impl FnOnce() -> String, t: &Type, value: &Value) -> Result<(), Error> {
    let limits = &Limits::DEFAULT;
    match instance(t, value, limits)? {
        Verdict::Yes | Verdict::Maybe => Ok(()),
        Verdict::No => Err(assertion_error(&subject(), t, infer_set(value, limits)?)),
    }
}
