//! Functions about declarations: `defined`, `tagged`, and `tag`.
//!
//! See Puppet's `functions/defined.rb` and `parser/functions/{tag,tagged}.rb`.

use super::catalog::compiler;
use super::legacy::{LegacyArity, legacy, legacy_statement, refused, shown};
use puppetfn_base::error::{Error, ErrorKind, RaisedAs, Signal};
use puppetfn_catalog::{Reference, flat};
use puppetfn_types::function::{Call, Declaration, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn defined() -> Declaration {
    native("defined").scope_method(refused(-2, true))
        .doc(
            "Returns true if one of its arguments is defined: a resource type or class by its name, a resource \
             that is declared by a reference, or a variable by its name in a string, with a `$`.",
        )
        .example("defined('file')", "true")
        .example("defined('$nothing')", "false")
        .dispatch::<&[Value]>(
            "(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] vals+)",
            |call, arguments| {
                for value in arguments {
                    if is_defined(call, call.value_as::<DefinedSubject>(value)?)? {
                        return Ok(Value::Boolean(true));
                    }
                }
                Ok(Value::Boolean(false))
            },
        )
}

one_of! {
    /// A reference to a definition that may exist.
    enum DefinedSubject<'v> {
        Name(&'v str),
        Type(&'v Type),
    }
}

fn is_defined(call: &Call<'_>, definition: DefinedSubject<'_>) -> Result<bool, Error> {
    match definition {
        DefinedSubject::Name(name) => match name.strip_prefix('$') {
            Some(variable) if !variable.is_empty() => match call.caller().variable(variable) {
                Err(error) if error.as_signal() == Some(&Signal::Unevaluated) => Ok(true),
                value => Ok(value?.is_some()),
            },
            Some(_) | None => is_known(call, name),
        },
        DefinedSubject::Type(t) => is_type_defined(call, t),
    }
}

fn is_known(call: &Call<'_>, name: &str) -> Result<bool, Error> {
    match name {
        "" => Ok(false),
        "main" | "::" => Ok(true),
        name => match call.compiler() {
            Some(compiler) => Ok(compiler.has_resource_type(name)? || compiler.has_class(name)?),
            None => Ok(false),
        },
    }
}

fn is_type_defined(call: &Call<'_>, t: &Type) -> Result<bool, Error> {
    let Some(compiler) = call.compiler() else { return Ok(false) };
    let unspecific = |message: &str| {
        Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR))
    };
    match t {
        // Puppet looks for a resource of the class's definition, which none is.
        Type::Resource(resource) if resource.is_given && resource.is_of_class() => Ok(false),
        Type::Resource(resource) if resource.is_given && resource.is_untitled() => Ok(false),
        Type::Resource(resource) => match (&resource.type_name, Reference::of_type(t)) {
            (None, _) => unspecific("The given resource type is a reference to all kind of types"),
            (Some(name), None) => compiler.has_resource_type(name),
            (Some(_), Some(reference)) => compiler.is_declared(&reference),
        },
        Type::Class(None) => unspecific("The given class type is a reference to all classes"),
        Type::Class(Some(name)) => compiler.is_declared(&Reference::class(name)),
        // A class may exist before it is declared.
        Type::Type(Some(inner)) => match &**inner {
            Type::Class(Some(name)) => compiler.has_class(name),
            inner => is_type_defined(call, inner),
        },
        _ => Ok(false),
    }
}

pub(super) fn tag() -> Declaration {
    legacy_statement("tag", LegacyArity::AtLeast(1), |call, arguments| {
        let compiler = compiler(call, "tag")?;
        let tags = arguments.iter().flat_map(flat).map(|tag| match tag {
            Value::Undef => Ok(Value::Undef),
            tag => Ok(shown(&tag, call.limits())?.into()),
        });
        compiler.tag(&tags.collect::<Result<Vec<_>, Error>>()?)?;
        Ok(Value::Undef)
    })
    .doc("Adds tags to the class or resource that it is called in, and so to what that contains.")
    .example("$tags = ['web', 'front'] tag($tags)", "undef")
}

pub(super) fn tagged() -> Declaration {
    legacy("tagged", LegacyArity::AtLeast(1), |call, arguments| {
        let compiler = compiler(call, "tagged")?;
        for tag in arguments {
            if !compiler.is_tagged(&shown(tag, call.limits())?)? {
                return Ok(Value::Boolean(false));
            }
        }
        Ok(Value::Boolean(true))
    })
    .doc("Returns true if the class or resource that it is called in, or the catalog, has all of some tags.")
    .example("tag('web') tagged('web')", "true")
}
