//! The functions that names resolve to, and the functions that texts define.

use std::sync::{Arc, PoisonError};

use super::code::{FunctionId, Routine};
use super::function_lookup::LoadedFunction;
use super::interner::FunctionName;
use super::shared::{FunctionTarget, SharedRuntime, slot};
use crate::builtin;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_types::function::Function;

/// The name that main manifests and files of the environment begin the names of functions with.
const ENVIRONMENT: &str = "environment::";

impl SharedRuntime {
    /// Returns the target that a function's name resolves to, if it has been resolved.
    pub fn function(&self, id: FunctionId) -> Option<FunctionTarget> {
        self.functions.read().unwrap_or_else(PoisonError::into_inner).get(id.0 as usize)?.clone()
    }

    /// Records the target of a function's name, unless another thread was faster. A target that was found in an earlier
    /// generation may be stale, and is not cached.
    pub fn know_function(&self, id: FunctionId, target: FunctionTarget, generation: u64) -> FunctionTarget {
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        if generation != self.generation() {
            return target;
        }
        slot(&mut functions, id.0).get_or_insert(target).clone()
    }

    /// Forgets the targets of functions, except for functions that texts define and for the ones in files of the Puppet
    /// language that `keep` selects.
    pub fn forget_functions(&self, keep: impl Fn(&LoadedFunction<'_>) -> bool) {
        let known = self.functions.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut forgotten = Vec::new();
        for (index, target) in known.iter().enumerate() {
            let id = FunctionId(index as u32);
            let is_defined = self.defined.read().unwrap_or_else(PoisonError::into_inner).contains_key(&id);
            let is_kept = is_defined
                || target.as_ref().is_some_and(|target| {
                    let FunctionName { name, module } = self.function_name(id);
                    target.file().is_some_and(|file| {
                        keep(&LoadedFunction { name: &name, module: module.as_deref(), file })
                    })
                });
            if !is_kept {
                forgotten.push(index);
            }
        }
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        for index in forgotten {
            if let Some(target) = functions.get_mut(index) {
                *target = None;
            }
        }
        self.outdate();
    }

    /// Returns the function of this name that a text has defined. It takes precedence over the functions of modules and
    /// over Puppet's own.
    pub fn defined_function(&self, name: &str) -> Option<FunctionTarget> {
        let id = self.interner().find_function(name)?;
        self.defined.read().unwrap_or_else(PoisonError::into_inner).get(&id)?;
        self.function(id)
    }

    /// Returns the names of the functions in the Puppet language that are known.
    pub fn loaded_functions(&self) -> Vec<String> {
        let functions = self.functions.read().unwrap_or_else(PoisonError::into_inner);
        let routine = |target: &Option<FunctionTarget>| match target {
            Some(FunctionTarget::Routine(routine)) => Some(routine.name.to_string()),
            Some(FunctionTarget::Function(_) | FunctionTarget::Jump(..)) | None => None,
        };
        functions.iter().filter_map(routine).collect()
    }

    /// Defines functions one after the other, skipping the ones that the host has replaced.
    ///
    /// # Errors
    /// Fails if a text or a file of the environment defines one of them already.
    pub fn define(&self, routines: Vec<Arc<Routine>>) -> Result<(), Error> {
        for routine in routines {
            let id = self.interner_mut().function(&routine.name, None);
            let before = self.defined.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
            let origin_before = match before {
                Some(None) => continue,
                Some(origin) => origin,
                None if self.function(id).is_some() => {
                    self.lookup.environment_file(&routine.name)?.as_deref().map(origin_in)
                }
                None => None,
            };
            if let Some(origin) = origin_before {
                return Err(redefined("function", &routine.name, &origin));
            }
            if self.strict_names {
                self.check_name(&routine)?;
            }
            let name = Arc::clone(&routine.name);
            let place = routine.unit.place(routine.at);
            self.defined.write().unwrap_or_else(PoisonError::into_inner).insert(id, Some(origin(&place)));
            *slot(&mut self.functions.write().unwrap_or_else(PoisonError::into_inner), id.0) =
                Some(FunctionTarget::Routine(routine));
            self.outdate();
            self.host.defined(&name);
        }
        Ok(())
    }

    /// Replaces all functions of the same name by this one, for all callers.
    pub fn replace(&self, function: Arc<Function>) {
        let name: Arc<str> = function.name().into();
        let mut interner = self.interner_mut();
        let id = interner.function(&name, None);
        let ids = interner.functions_named(&name);
        drop(interner);
        self.defined.write().unwrap_or_else(PoisonError::into_inner).insert(id, None);
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            *slot(&mut functions, id.0) = Some(FunctionTarget::from(Arc::clone(&function)));
        }
        drop(functions);
        self.outdate();
        self.host.defined(&name);
    }

    /// Refuses names that the specification of functions in manifests does not allow: none may shadow one of Puppet's own
    /// functions, and a namespace has to be the environment's, unless the function replaces a function of a module.
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

/// The origin in messages about a definition of unknown origin.
pub(super) const UNKNOWN_ORIGIN: &str = "Set at unknown location";

/// Returns the error of a second definition of a name.
#[cold]
pub(super) fn redefined(kind: &str, name: &str, origin: &str) -> Error {
    let name = format!("http://puppet.com/2016.1/runtime/{kind}/{}", name.to_lowercase());
    Error::new(ErrorKind::Load, format!("Attempt to redefine entity '{name}'. {origin}"))
}

/// Returns Puppet's words for a definition in a file.
pub(super) fn origin_in(file: &str) -> String {
    format!("Originally set {file}.")
}

/// Returns Puppet's words for the place of a definition.
pub(super) fn origin(place: &SourceLocation) -> String {
    let source = match &place.file {
        Some(file) => format!("file://{}", escaped(file)),
        None => "string:".to_owned(),
    };
    let (line, column) = (place.line.unwrap_or(1), place.column.unwrap_or(1));
    format!("Originally set at {source}?line={line}&pos={column}.")
}

/// Returns a path as a part of a URI.
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
