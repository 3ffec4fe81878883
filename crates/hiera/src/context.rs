//! `Puppet::LookupContext`: the view that data functions have of the lookup.
//!
//! See Puppet's `pops/lookup/context.rb`.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::error::no_such_key;
use super::interpolation::MethodPolicy;
use super::invocation::{Invocation, LookupData, LookupSettings};
use super::lock::locked;
use puppetfn_base::error::{Error, ErrorKind, SystemError};
use puppetfn_types::function::{Caller, Deviation, Implementation, implemented};
use puppetfn_types::types::Type;
use puppetfn_types::types::builtin::lookup_context;
use puppetfn_types::value::{Hash, Object, Value};

/// The cache of a function for one of its locations.
pub(super) struct FunctionContext {
    module: Option<Arc<str>>,
    cache: Mutex<Hash>,
}

impl FunctionContext {
    pub fn new(module: Option<Arc<str>>) -> Self {
        Self { module, cache: Mutex::default() }
    }
}

/// The context of one call of a function.
struct LookupContext {
    function: Arc<FunctionContext>,
    data: Arc<dyn LookupData>,
    settings: Arc<LookupSettings>,
}

/// Returns the object that a function gets.
pub(super) fn context(function: &Arc<FunctionContext>, invocation: &Invocation<'_>) -> Result<Value, Error> {
    let missing = || Error::new(ErrorKind::Internal, "there is no Puppet::LookupContext");
    let Type::Object(t) = lookup_context() else { return Err(missing()) };
    let definition = t.get().ok_or_else(missing)?;
    let module = function.module.clone().map_or(Value::Undef, Value::String);
    let members = LookupContext {
        function: Arc::clone(function),
        data: Arc::clone(invocation.data),
        settings: Arc::clone(&invocation.settings),
    };
    Ok(implemented(Object::new(definition, &[module]), members).into())
}

impl Implementation for LookupContext {
    fn call(
        &self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        caller: &dyn Caller,
    ) -> Result<Value, Error> {
        let cache = || locked(&self.function.cache);
        Ok(match (name, arguments) {
            ("environment_name", _) => {
                caller.host().deviate(Deviation::from_all("the name of an environment, a Symbol"))?;
                Value::String(Arc::clone(self.data.environment_name()))
            }
            ("not_found", _) => return Err(no_such_key()),
            ("explain", _) => {
                if let (Some(block), Some(explainer)) = (block, &self.settings.explainer) {
                    let text = caller.call_block(block, &[])?.interpolated(caller.limits())?;
                    locked(explainer).text(text);
                }
                Value::Undef
            }
            ("interpolate", [value]) => self.invocation(caller).interpolated(value, MethodPolicy::Allowed)?,
            ("cache", [key, value]) => {
                cache().insert(key.clone(), value.clone());
                value.clone()
            }
            ("cache_all", [Value::Hash(entries)]) => {
                let mut cache = cache();
                for (key, value) in entries.iter() {
                    cache.insert(key.clone(), value.clone());
                }
                Value::Undef
            }
            ("cache_has_key", [key]) => cache().get(key).is_some().into(),
            ("cached_value", [key]) => cache().get(key).cloned().unwrap_or(Value::Undef),
            ("cached_entries", _) => self.entries(block, caller)?,
            ("cached_file_data", [Value::String(path)]) => self.file_data(path, block, caller)?,
            _ => {
                let message = format!("'{name}' is no function of a Puppet::LookupContext");
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
        })
    }
}

impl LookupContext {
    fn invocation<'a>(&'a self, caller: &'a dyn Caller) -> Invocation<'a> {
        Invocation { caller, data: &self.data, settings: Arc::clone(&self.settings) }
    }

    /// Passes the cached entries one by one to a block, or returns them as an array.
    fn entries(&self, block: Option<&Value>, caller: &dyn Caller) -> Result<Value, Error> {
        let entries = Hash::clone(&locked(&self.function.cache));
        let pairs = entries.iter().map(|(key, value)| vec![key.clone(), value.clone()]);
        let Some(block) = block else {
            return Ok(pairs.map(Value::from).collect::<Vec<_>>().into());
        };
        let takes_two = matches!(block, Value::Callable(block) if takes_two(&block.signature));
        for pair in pairs {
            if takes_two {
                caller.call_block(block, &pair)?
            } else {
                caller.call_block(block, &[pair.into()])?
            };
        }
        Ok(Value::Undef)
    }

    /// Returns the content of a file, or the result of a block for it. Both are cached until the content changes.
    fn file_data(&self, path: &Arc<str>, block: Option<&Value>, caller: &dyn Caller) -> Result<Value, Error> {
        let content = self
            .data
            .files()
            .read_text(Path::new(&**path))
            .map_err(|error| self.system_error(path, error))?;
        let cache = || locked(&self.data.file_cache().0);
        if let Some((before, value)) = cache().get(path)
            && *before == content
        {
            return Ok(value.clone());
        }
        let value = match block {
            Some(block) => caller.host().call_caching_block(block, &[content.as_str().into()])?,
            None => content.as_str().into(),
        };
        cache().insert(Arc::clone(path), (content, value.clone()));
        Ok(value)
    }

    /// Adds the system's reason for not reading a file, which functions in Ruby rescue (`Errno::ENOENT`).
    #[cold]
    fn system_error(&self, path: &str, error: Error) -> Error {
        let path = Path::new(path);
        match self.data.files().file_system().read(path).err().and_then(|reason| reason.raw_os_error()) {
            Some(code) => error.with_details(SystemError { code, path: path.to_owned() }),
            None => error,
        }
    }
}

/// Returns true if a block takes two arguments.
fn takes_two(block: &Type) -> bool {
    matches!(block, Type::Callable(callable) if callable.size().contains(2))
}
