//! What functions of the core see of a `Puppetfn::Runtime` and of Ruby's libraries.

use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{Error, Module, RModule, Ruby, Value};
use puppetfn::function::{Library, ModuleFiles};
use puppetfn::value::Value as CoreValue;

use super::convert::to_value;
use super::raw::TypedRef;
use crate::api::loader::Loader;

/// The files that the functions of a runtime see.
pub fn files(runtime: Value) -> Result<Arc<dyn ModuleFiles>, Error> {
    let loader: Value = runtime.funcall("loader", ())?;
    let loader = Loader::of(loader).map_or_else(|| Loader::empty().core(), Loader::core);
    Ok(loader)
}

/// Has one of Ruby's libraries do something.
pub fn library(ruby: &Ruby, scope: Value, task: Library<'_>) -> Result<Option<CoreValue>, Error> {
    let libraries: RModule =
        ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Libraries")?;
    let answer: Value = match task {
        Library::Erb { template, path } => {
            let path = path.map(|path| path.to_string_lossy().into_owned());
            libraries.funcall("erb", (scope, template, path))?
        }
    };
    if answer.is_nil() { Ok(None) } else { to_value(ruby, answer).map(Some) }
}

/// Tells if the functions of a runtime may run programs.
pub fn may_execute(ruby: &Ruby, runtime: Value) -> bool {
    runtime.funcall("allow?", (ruby.to_symbol("exec"),)).unwrap_or(false)
}
