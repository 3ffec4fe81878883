//! The functions that are known by name, and those that texts define.

use std::sync::{Arc, PoisonError};

use super::code::{FunctionId, Routine};
use super::shared::{Shared, Target, slot};
use crate::builtin;
use crate::error::{Error, ErrorKind, Place};

/// The name that main manifests and files of the environment begin the names of functions with.
const ENVIRONMENT: &str = "environment::";

impl Shared {
    /// What a function's name is known to stand for.
    pub fn function(&self, id: FunctionId) -> Option<Target> {
        self.functions.read().unwrap_or_else(PoisonError::into_inner).get(id.0 as usize)?.clone()
    }

    /// Notes what a function's name stands for, unless that is known since.
    pub fn know_function(&self, id: FunctionId, target: Target) -> Target {
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        slot(&mut functions, id.0).get_or_insert(target).clone()
    }

    /// The function of this name that a text has defined, which takes the place of those of modules and
    /// of Puppet's own.
    pub fn defined_function(&self, name: &str) -> Option<Target> {
        let id = self.symbols().find_function(name)?;
        self.defined.read().unwrap_or_else(PoisonError::into_inner).get(&id)?;
        self.function(id)
    }

    /// Defines functions, one after the other.
    ///
    /// # Errors
    /// When a text or a file of the environment defines one of them already.
    pub fn define(&self, routines: Vec<Arc<Routine>>) -> Result<(), Error> {
        for routine in routines {
            let id = self.symbols_mut().function(&routine.name, None);
            if let Some(origin) = self.origin_of_function(id, &routine.name)? {
                return Err(redefined("function", &routine.name, &origin));
            }
            if self.strict_names {
                self.check_name(&routine)?;
            }
            let name = Arc::clone(&routine.name);
            let place = routine.unit.place(routine.at);
            self.defined.write().unwrap_or_else(PoisonError::into_inner).insert(id, origin(&place));
            *slot(&mut self.functions.write().unwrap_or_else(PoisonError::into_inner), id.0) =
                Some(Target::Routine(routine));
            self.outdate();
            self.host.defined(&name);
        }
        Ok(())
    }

    fn origin_of_function(&self, id: FunctionId, name: &str) -> Result<Option<String>, Error> {
        let defined = self.defined.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        match defined {
            Some(origin) => Ok(Some(origin)),
            None if self.function(id).is_some() => {
                Ok(self.lookup.environment_file(name)?.as_deref().map(origin_in))
            }
            None => Ok(None),
        }
    }

    /// Refuses names that the specification of functions in manifests does not allow: none may shadow a
    /// function of Puppet's own, and a namespace is that of the environment, but for replacing a function
    /// of a module.
    fn check_name(&self, routine: &Routine) -> Result<(), Error> {
        let name = &*routine.name;
        let problem = if builtin::registry().get(name)?.is_some() {
            "is one of Puppet's own, which no manifest can replace"
        } else if name.contains("::")
            && !name.starts_with(ENVIRONMENT)
            && self.lookup.find(name, None)?.is_none()
        {
            "replaces no function of a module: outside of modules, names begin with 'environment::'"
        } else {
            return Ok(());
        };
        let error = Error::new(ErrorKind::Load, format!("The function '{name}' {problem} (strict_names)"));
        Err(error.at(routine.unit.place(routine.at)))
    }
}

/// What messages say where it is not known what defined something.
pub(super) const UNKNOWN_ORIGIN: &str = "Set at unknown location";

/// The error of defining something that is defined already.
#[cold]
pub(super) fn redefined(kind: &str, name: &str, origin: &str) -> Error {
    let name = format!("http://puppet.com/2016.1/runtime/{kind}/{}", name.to_lowercase());
    Error::new(ErrorKind::Load, format!("Attempt to redefine entity '{name}'. {origin}"))
}

/// That something was defined by a file, as Puppet says it.
pub(super) fn origin_in(file: &str) -> String {
    format!("Originally set {file}.")
}

/// Where something was defined, as Puppet says it.
pub(super) fn origin(place: &Place) -> String {
    let source = match &place.file {
        Some(file) => format!("file://{}", escaped(file)),
        None => "string:".to_owned(),
    };
    let (line, column) = (place.line.unwrap_or(1), place.column.unwrap_or(1));
    format!("Originally set at {source}?line={line}&pos={column}.")
}

/// A path as a part of a URI.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~!*'();:@&=+$,[]".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
