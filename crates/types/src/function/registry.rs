//! Native functions by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::native::Declaration;
use super::{Function, ScopeMethod};
use crate::types::Type;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// A table of native functions. Each is built on its first use.
#[derive(Debug)]
pub struct Registry {
    entries: BTreeMap<Cow<'static, str>, RegistryEntry>,
}

#[derive(Debug)]
struct RegistryEntry {
    declaration: Declaration,
    function: OnceLock<Result<Arc<Function>, Error>>,
}

impl Registry {
    /// Creates a table of these functions.
    pub fn new(functions: impl IntoIterator<Item = Declaration>) -> Self {
        let entry = |declaration: Declaration| {
            (declaration.name().clone(), RegistryEntry { declaration, function: OnceLock::new() })
        };
        Self { entries: functions.into_iter().map(entry).collect() }
    }

    /// Returns the function with this name, if it exists.
    ///
    /// # Errors
    /// Fails if its declaration is malformed.
    pub fn get(&self, name: &str) -> Result<Option<&Arc<Function>>, Error> {
        match self.entries.get(name) {
            None => Ok(None),
            Some(entry) => entry
                .function
                .get_or_init(|| entry.declaration.build().map(Arc::new))
                .as_ref()
                .map(Some)
                .map_err(Clone::clone),
        }
    }

    /// Returns the type of the result of a function for these arguments, any of which may be unknown; `None` if no function
    /// has this name.
    ///
    /// ```
    /// use puppetfn::builtin::registry;
    /// use puppetfn::limits::Limits;
    /// use puppetfn::types::Type;
    /// use puppetfn::value::Value;
    ///
    /// let arguments = [Value::unknown(Type::Any)];
    /// let length = registry().return_type_for("length", &arguments, None, &Limits::DEFAULT)?;
    /// assert_eq!(length.map(|t| t.to_string()).as_deref(), Some("Integer[0]"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Function::return_type_for`].
    pub fn return_type_for(
        &self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        limits: &Limits,
    ) -> Result<Option<Type>, Error> {
        let function = self.get(name)?;
        function.map(|function| function.return_type_for(arguments, block, limits)).transpose()
    }

    /// Returns the functions that code in Puppet's 3.x API calls by methods of scopes, with these methods. Builds none of them.
    pub fn scope_methods(&self) -> impl Iterator<Item = (&str, ScopeMethod)> {
        self.entries
            .iter()
            .filter_map(|(name, entry)| Some((&**name, entry.declaration.native.behavior().scope_method?)))
    }

    /// Returns the names of all the functions, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(|name| &**name)
    }
}
