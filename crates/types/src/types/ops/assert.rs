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

impl Type {
    /// Checks that a value is an instance of the type. `subject` names the value in the error, which has Puppet's text.
    ///
    /// ```
    /// use puppetfn::types::Type;
    /// use puppetfn::value::Value;
    ///
    /// let port: Type = "Integer[1, 65535]".parse()?;
    /// let error = port.assert("the port", &Value::from(0)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the port has wrong type, expects an Integer[1, 65535] value, got Integer[0, 0]"
    /// );
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if it is not; otherwise the same errors as [`instance`].
    pub fn assert(&self, subject: &str, value: &Value) -> Result<(), Error> {
        assert_instance(|| subject.to_owned(), self, value, &Limits::FURTHEST)
    }
}
