//! The interface to Puppet's variables and functions.

use puppetfn_base::error::Error;
use puppetfn_types::value::Value;

/// The scope whose variables a template reads.
pub trait TemplateScope {
    /// Returns the value of a variable; `None` if it has none.
    ///
    /// # Errors
    /// Fails if the variable cannot be read. The template is left to Ruby then.
    fn variable(&self, name: &str) -> Result<Option<Value>, Error>;

    /// Renders another template, which the code names as functions do; `None` if that needs Ruby.
    ///
    /// # Errors
    /// Fails if the template cannot be read. The template is left to Ruby then.
    fn template(&self, name: &str) -> Result<Option<String>, Error>;

    /// Calls `versioncmp`, the function of Puppet that templates call most.
    ///
    /// # Errors
    /// Fails if an argument is no string. The template is left to Ruby then.
    fn compare_versions(&self, left: &Value, right: &Value) -> Result<Value, Error>;
}
