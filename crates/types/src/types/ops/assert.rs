//! Insisting on a type.
//!
//! See Puppet's `pops/types/type_asserter.rb`.

use super::describe::assertion_error;
use super::{infer_set, instance};
use crate::subject::Verdict;
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Checks that a value is an instance of a type. `subject` names the value in the error.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if it is not; otherwise the same errors as [`instance`].
pub fn assert_instance(
    subject: impl FnOnce() -> String,
    t: &Type,
    value: &Value,
    limits: &Limits,
) -> Result<(), Error> {
    match instance(t, value, limits)? {
        Verdict::Yes | Verdict::Maybe => Ok(()),
        Verdict::No => Err(assertion_error(&subject(), t, infer_set(value, limits)?)),
    }
}
