//! Functions that declare classes and resources: `include` and the like, `create_resources`,
//! `realize`.
//!
//! See Puppet's `functions/{include,require,contain}.rb` and `parser/functions/{create_resources,realize}.rb`.

use std::sync::Arc;

use indexmap::IndexMap;

use super::legacy::{LegacyArity, legacy_statement, not_converted, shown};
use puppetfn_base::error::{Error, ErrorKind, RaisedAs, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{flat, given};
use puppetfn_types::function::{
    Call, CatalogCompiler, Declaration, Exposure, Inclusion, ScopeMethod, ScopeMethodKind, native,
};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

pub(super) fn include() -> Declaration {
    inclusion("include", Inclusion::Include)
        .doc("Declares classes, by name or reference, each only once. Returns references to them.")
        .example("class app { } include('app')", "[Class['app']]")
}

pub(super) fn require() -> Declaration {
    inclusion("require", Inclusion::Require)
        .doc("Declares classes as `include` does, and applies them before the calling class.")
        .example("class app { } require('app')", "[Class['app']]")
}

pub(super) fn contain() -> Declaration {
    inclusion("contain", Inclusion::Contain)
        .doc("Declares classes as `include` does, and makes the calling class contain them.")
        .example("class app { } contain('app')", "[Class['app']]")
}

fn inclusion(name: &'static str, inclusion: Inclusion) -> Declaration {
    let method = ScopeMethod::statement(-2).of_kind(ScopeMethodKind::Deprecated);
    native(name).names_classes().scope_method(method).dispatch::<&[Value]>(
        "(Any names+)",
        move |call, arguments| {
            let compiler = compiler(call, name)?;
            let arguments: Vec<Value> = arguments.iter().flat_map(flat).collect();
            let names = arguments.iter().map(class_name).collect::<Result<Vec<String>, Error>>()?;
            compiler.include(&names, inclusion)?;
            let class = |name: &String| Value::from(Type::Class(Some(name.trim_start_matches(':').into())));
            Ok(names.iter().map(class).collect::<Vec<_>>().into())
        },
    )
}

/// Returns the compiler, which has to be building a catalog.
pub(super) fn compiler<'c>(call: &Call<'c>, name: &str) -> Result<Box<dyn CatalogCompiler + 'c>, Error> {
    call.compiler()
        .filter(|compiler| compiler.makes_catalog())
        .ok_or_else(|| only_with_catalog(call, &format!("The catalog operation '{name}'")))
}

/// Returns the error of an operation that needs a catalog.
#[cold]
pub(super) fn only_with_catalog(call: &Call<'_>, what: &str) -> Error {
    let message = format!("{what} is only available when compiling a catalog");
    let error = Error::new(ErrorKind::Syntax, message);
    match call.place() {
        Some(place) => {
            let file = place.file.or_else(|| Some("unknown".into()));
            error.at(SourceLocation { file, column: None, ..place })
        }
        None => error,
    }
}

/// Returns the error of an argument that is of no use.
#[cold]
fn refused(message: &str) -> Error {
    Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR)
}

/// Returns the name of a class, with `::` in front.
fn class_name(value: &Value) -> Result<String, Error> {
    let fail = |message: &str| Err(refused(message));
    let name = match value {
        Value::Undef => return fail("Cannot use undef as a class name"),
        Value::String(name) if name.is_empty() => return fail("Cannot use empty string as a class name"),
        Value::String(name) => name.to_string(),
        Value::Type(t) => match &**t {
            Type::Class(Some(name)) => name.to_string(),
            Type::Class(None) => return fail("Cannot use an unspecific Class[] Type"),
            Type::Resource(resource) => {
                let expected = "where a Resource['class', name] is expected";
                match (&resource.type_name, &resource.title) {
                    (None, _) => return fail(&format!("Cannot use an unspecific Resource[] {expected}")),
                    (Some(name), _) if !name.eq_ignore_ascii_case("class") => {
                        return fail(&format!("Cannot use a Resource[{name}] {expected}"));
                    }
                    (Some(_), Some(title)) => title.to_string(),
                    (Some(_), None) => {
                        return fail(&format!("Cannot use an unspecific Resource['class'] {expected}"));
                    }
                }
            }
            other => return fail(&format!("Cannot use {other} as a class name")),
        },
        other => return fail(&format!("Cannot use {} as a class name", other.ruby_class())),
    };
    let name = name.to_lowercase();
    Ok(if name.starts_with("::") { name } else { format!("::{name}") })
}

pub(super) fn create_resources() -> Declaration {
    legacy_statement("create_resources", LegacyArity::AtLeast(2), |call, arguments| {
        let compiler = compiler(call, "create_resources")?;
        let fail = |problem: &str| Err(refused(&format!("create_resources(): {problem}")));
        if arguments.len() > 3 {
            return fail(&format!("wrong number of arguments ({}; must be 2 or 3)", arguments.len()));
        }
        let (type_name, instances, defaults) = call.given_as::<(&Value, &Value, &[Value])>(arguments)?;
        let Value::Hash(instances) = instances else { return fail("second argument must be a hash") };
        let empty = Arc::default();
        let defaults = match defaults {
            [] => &empty,
            [Value::Hash(defaults), ..] => defaults,
            [..] => return fail("third argument, if provided, must be a hash"),
        };
        // A reference is no text in functions of Puppet 3: there it fails with an error of Ruby's.
        if !matches!(type_name, Value::String(_) | Value::Undef) {
            return fail(&format!("first argument must be a String, got {}", type_name.ruby_class()));
        }
        create(call, &*compiler, &shown(type_name, call.limits())?, instances, defaults)
    })
    .doc(
        "Declares a resource for each entry of a hash: its title, and its parameters, to which those of a \
         third argument are added. A type with `@` in front makes them virtual, with `@@` exported.",
    )
    .example(
        "$files = {'/a' => {}, '/b' => {mode => '0600'}} create_resources('file', $files, {ensure => file})",
        "undef",
    )
}

fn create(
    call: &Call<'_>,
    compiler: &dyn CatalogCompiler,
    type_name: &str,
    instances: &Hash,
    defaults: &Hash,
) -> Result<Value, Error> {
    let (exposure, type_name) = match (type_name.strip_prefix("@@"), type_name.strip_prefix('@')) {
        (Some(name), _) => (Exposure::Exported, name),
        (None, Some(name)) => (Exposure::Virtual, name),
        (None, None) => (Exposure::Regular, type_name),
    };
    let type_name = type_name.to_lowercase();
    if type_name == "class" && exposure != Exposure::Regular {
        return Err(virtual_class(compiler.place()));
    }
    let defaults = own_parameters(defaults, call.limits())?;
    for (title, parameters) in instances.iter() {
        let mut all = defaults.clone();
        let Value::Hash(parameters) = parameters else { return Err(not_converted(parameters, "Hash")) };
        all.extend(own_parameters(parameters, call.limits())?);
        let parameters: Vec<(Arc<str>, Value)> = all.into_iter().collect();
        let titles = if let Value::Array(titles) = title { titles } else { std::slice::from_ref(title) };
        compiler.create_resources(&type_name, titles, &parameters, exposure, compiler.place())?;
    }
    // As of any statement of Puppet 3.
    Ok(Value::Undef)
}

/// Returns the error of a class that is to be virtual. Puppet reports it as an issue of its own rather than as a failure of
/// the call, with the line alone (parser/functions/create_resources.rb).
#[cold]
fn virtual_class(place: Option<SourceLocation>) -> Error {
    let error = Error::of_evaluation(ErrorKind::Evaluation, "Classes are not virtualizable");
    match place {
        Some(place) => error.at(SourceLocation { column: None, ..place }),
        None => error,
    }
}

/// Returns the parameters of a hash, with values of their own.
fn own_parameters(hash: &Hash, limits: &Limits) -> Result<IndexMap<Arc<str>, Value>, Error> {
    let parameters = hash.iter().map(|(name, value)| {
        if matches!(name, Value::Undef) {
            let message = "'name' is a required option for Puppet::Parser::Resource::Param";
            return Err(refused(message));
        }
        let name = name.ruby_to_s(limits)?;
        let value = given(&name, value);
        Ok((name.into(), value))
    });
    parameters.collect()
}

pub(super) fn realize() -> Declaration {
    legacy_statement("realize", LegacyArity::AtLeast(1), |call, arguments| {
        let compiler = compiler(call, "realize")?;
        let references = arguments.iter().flat_map(flat).map(|value| shown(&value, call.limits()));
        compiler.realize(references.collect::<Result<_, _>>()?)?;
        Ok(Value::Undef)
    })
    .doc("Realizes virtual resources, whether they are declared before or later.")
    .example("@notify { 'a': } realize(Notify['a'])", "undef")
}
