//! Scopes whose method `lookupvar` a function of the host has redefined.
//!
//! Puppet's evaluator calls that method for each variable of the scope's code, and of code around which the scope is. Code
//! here does not ask: it may have no variables then.

use std::sync::atomic::{AtomicBool, Ordering};

use puppetfn_base::error::{Error, ErrorKind};

/// Whether code has variables, and whether a scope finds them in a way of its own.
#[derive(Default)]
pub(super) struct Lookups {
    has_variables: AtomicBool,
    is_redefined: AtomicBool,
}

impl Lookups {
    /// Records whether a compiled text has variables.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] if it does, and a scope redefines their lookup.
    pub fn note(&self, has_variables: bool) -> Result<(), Error> {
        if has_variables {
            self.has_variables.store(true, Ordering::Relaxed);
            self.check()?;
        }
        Ok(())
    }

    /// Notes that a scope finds variables in a way of its own. Returns false if code has any.
    pub fn redefine(&self) -> bool {
        let is_possible = !self.has_variables.load(Ordering::Relaxed);
        self.is_redefined.fetch_or(is_possible, Ordering::Relaxed);
        is_possible
    }

    /// Checks that variables are found as always.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] if a scope would have to be asked.
    pub fn check(&self) -> Result<(), Error> {
        if !self.is_redefined.load(Ordering::Relaxed) {
            return Ok(());
        }
        let message = "a function in Ruby has redefined the method lookupvar of one scope, which code with variables \
                       would have to be evaluated with";
        Err(Error::new(ErrorKind::Unrepresentable, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_variables_or_a_scope_is_redefined() {
        let lookups = Lookups::default();
        assert!(lookups.note(false).is_ok() && lookups.check().is_ok());
        assert!(lookups.redefine());
        assert!(lookups.note(false).is_ok());
        assert_eq!(lookups.note(true).unwrap_err().kind(), &ErrorKind::Unrepresentable);

        let lookups = Lookups::default();
        assert!(lookups.note(true).is_ok());
        assert!(!lookups.redefine());
        assert!(lookups.check().is_ok());
    }
}
