//! Access of the core's functions to a `Puppetfn::Runtime` and to Ruby's libraries.

use std::sync::Arc;

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{Error, Module, RArray, RHash, RModule, Ruby, TryConvert, Value};
use puppetfn::catalog::{NativeType, TitleMeaning};
use puppetfn::error::SourceLocation;
use puppetfn::function::{DataLookup, Deviation, Library, LogLevel, ModuleFiles};
use puppetfn::value::Value as CoreValue;

use super::loader::RubyLoader;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::interruption::answer;
use crate::ruby::raw::{TypedRef, once};

/// Returns the files that the functions of a runtime see.
pub fn files(runtime: Value) -> Result<Arc<dyn ModuleFiles>, Error> {
    let loader: Value = runtime.funcall("loader", ())?;
    let loader = RubyLoader::of(&loader).map_or_else(|| RubyLoader::empty().core(), RubyLoader::core);
    Ok(loader)
}

/// Returns the data that the functions of a runtime look up.
pub fn data(ruby: &Ruby, runtime: Value) -> Option<Arc<dyn DataLookup>> {
    let loader: Value = answer(ruby, runtime.funcall("loader", ()))?;
    Some(RubyLoader::of(&loader)?.hiera())
}

/// Calls one of Ruby's libraries.
pub fn run_library(ruby: &Ruby, scope: Value, task: Library<'_>) -> Result<Option<CoreValue>, Error> {
    let libraries: RModule =
        ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Libraries")?;
    let answer: Value = match task {
        Library::Clock => once(|| libraries.funcall("clock", ()))?,
        Library::Erb { template, file } => {
            let path = file.map(|(_, path)| path.to_string_lossy().into_owned());
            let template = ruby.enc_str_new(template, ruby.utf8_encoding());
            once(|| libraries.funcall("erb", (scope, template, path, file.map(|(name, _)| name))))?
        }
        Library::Hocon { text, path } => once(|| libraries.funcall("hocon", (text, path)))?,
        Library::Eyaml { text, options, key, path } => {
            let options = to_object(ruby, &CoreValue::Hash(Arc::new(options.clone())))?;
            once(|| libraries.funcall("eyaml", (text, options, key, path)))?
        }
    };
    if answer.is_nil() { Ok(None) } else { to_value(ruby, answer).map(Some) }
}

/// Sends a message to the log. A destination of the log may raise.
pub fn log(ruby: &Ruby, level: LogLevel, message: &str) -> Result<(), Error> {
    let puppet = puppet(ruby)?;
    once(|| puppet.funcall::<_, _, Value>("send_log", (ruby.to_symbol(level.to_string()), message)))?;
    Ok(())
}

/// The same for a message of code.
pub fn log_from(ruby: &Ruby, source: &str, level: LogLevel, message: &str) -> Result<(), Error> {
    let puppet = puppet(ruby)?;
    once(|| puppet.funcall::<_, _, Value>("send_log", (ruby.to_symbol(level.to_string()), message, source)))?;
    Ok(())
}

/// Sends a warning or an error about code to the log.
pub fn log_issue(
    ruby: &Ruby,
    level: LogLevel,
    issue: &str,
    message: &str,
    place: &SourceLocation,
) -> Result<(), Error> {
    let details = ruby.hash_new();
    details.aset(ruby.to_symbol("issue_code"), ruby.to_symbol(issue))?;
    details.aset(ruby.to_symbol("file"), place.file.as_deref())?;
    details.aset(ruby.to_symbol("line"), place.line)?;
    details.aset(ruby.to_symbol("pos"), place.column)?;
    let puppet = puppet(ruby)?;
    once(|| {
        puppet.funcall::<_, _, Value>("send_log", (ruby.to_symbol(level.to_string()), message, (), details))
    })?;
    Ok(())
}

/// Sends a warning to the log that is given once for its key.
pub fn warn_once(ruby: &Ruby, key: &str, message: &str) -> Result<(), Error> {
    let default = ruby.to_symbol("default");
    let puppet = puppet(ruby)?;
    once(|| puppet.funcall::<_, _, Value>("warn_once", ("deprecations", key, message, default, default)))?;
    Ok(())
}

fn puppet(ruby: &Ruby) -> Result<RModule, Error> {
    ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Puppet")
}

/// Returns the description of a runtime's resource type in Ruby.
pub fn resource_type(runtime: Value, name: &str) -> Result<Option<NativeType>, Error> {
    let outline: Value = once(|| runtime.funcall("type_outline", (name,)))?;
    if outline.is_nil() {
        return Ok(None);
    }
    let (attributes, keys, is_isomorphic, has_simple_titles): (Vec<String>, Vec<String>, bool, bool) =
        TryConvert::try_convert(outline)?;
    let names = |names: Vec<String>| names.into_iter().map(Arc::from).collect();
    let titles = if has_simple_titles { TitleMeaning::Whole } else { TitleMeaning::Patterns };
    Ok(Some(NativeType::new(name, names(attributes), names(keys), is_isomorphic, titles)))
}

/// Returns the parameters that a resource's title sets, as parsed by its type.
pub fn parse_title(
    ruby: &Ruby,
    runtime: Value,
    type_name: &str,
    title: &str,
) -> Result<Vec<(Arc<str>, CoreValue)>, Error> {
    let t: Value = once(|| runtime.funcall("resource_type", (type_name.to_lowercase(),)))?;
    let parts: RHash = once(|| t.funcall("parse_title", (title,)))?;
    let mut named = Vec::with_capacity(parts.len());
    parts.foreach(|name: Value, value: Value| {
        named.push((name.to_string().into(), to_value(ruby, value)?));
        Ok(ForEach::Continue)
    })?;
    Ok(named)
}

/// Returns the default parameters of a scope whose methods Ruby code has redefined.
pub fn resource_defaults(
    ruby: &Ruby,
    runtime: Value,
    scope: u32,
    type_name: &str,
) -> Result<Vec<(Arc<str>, CoreValue)>, Error> {
    let defaults: RArray = once(|| runtime.funcall("resource_defaults", (scope, type_name)))?;
    let named = |pair: Value| {
        let (name, value) = <(String, Value)>::try_convert(pair)?;
        Ok((name.into(), to_value(ruby, value)?))
    };
    defaults.into_iter().map(named).collect()
}

/// Reports a deviation to a runtime.
pub fn deviate(runtime: Value, deviation: Deviation) -> Result<(), Error> {
    runtime
        .funcall::<_, _, Value>("deviate", (deviation.case(), deviation.since(), deviation.feature()))
        .map(drop)
}

/// Returns true if the functions of a runtime may run programs.
pub fn may_execute(ruby: &Ruby, runtime: Value) -> bool {
    answer(ruby, runtime.funcall("allow?", (ruby.to_symbol("exec"),))).unwrap_or(false)
}
