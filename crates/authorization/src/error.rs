//! Errors of configurations.

use std::fmt;

/// An error in an `auth.conf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuthorizationError(String);

impl AuthorizationError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for AuthorizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AuthorizationError {}
