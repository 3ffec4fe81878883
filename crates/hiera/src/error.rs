//! Errors of lookups, and keys without a value.

use puppetfn_base::error::{Error, ErrorCode, ErrorKind, Signal};

/// Data that is looked up is missing or cannot be used. It is not an error of the code that looks it up: the message
/// stays unchanged.
pub const LOOKUP: ErrorCode = ErrorCode::new("lookup");

/// The configuration of data is wrong, or an interpolation in data. Otherwise as [`LOOKUP`].
pub const LOOKUP_CONFIGURATION: ErrorCode = ErrorCode::new("lookup_configuration");

/// Returns true if an error is one of data or its configuration.
pub fn is_of_data(error: &Error) -> bool {
    matches!(error.code(), Some(LOOKUP | LOOKUP_CONFIGURATION))
}

/// Returns the error of a key without a value, which whoever looks further catches.
pub(super) fn no_such_key() -> Error {
    Error::signal(Signal::NoSuchKey, "uncaught throw :no_such_key")
}

/// Returns the result of a lookup; `None` if the key was not found.
pub(super) fn found<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.as_signal() == Some(&Signal::NoSuchKey) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns an error of data.
#[cold]
pub(super) fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Layer(LOOKUP), message)
}

/// Returns an error in the configuration of data, or in an interpolation.
#[cold]
pub(super) fn misconfigured(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Layer(LOOKUP_CONFIGURATION), message)
}
