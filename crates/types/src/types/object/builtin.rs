//! The Object types that Puppet itself defines.
//!
//! See Puppet's `pops/pcore.rb`.

use std::sync::LazyLock;

use super::pcore;
use crate::types::parse::{AliasDefinition, NoAliases};
use crate::types::{ObjectRef, ObjectType, Type};
use crate::value::types::object::NAMELESS;
use puppetfn_base::limits::Limits;

/// Returns `Object`: any object.
pub fn object() -> Type {
    static OBJECT: LazyLock<ObjectRef> = LazyLock::new(|| ObjectRef::new(NAMELESS, ObjectType::default()));
    Type::Object(OBJECT.clone())
}

/// Returns `Annotation`: the supertype of all annotations.
fn annotation() -> Type {
    static ANNOTATION: LazyLock<ObjectRef> =
        LazyLock::new(|| ObjectRef::new("Annotation", ObjectType::empty("Annotation")));
    Type::Object(ANNOTATION.clone())
}

/// The type that a text defines, built once.
macro_rules! defined {
    ($text:literal) => {{
        static TYPE: LazyLock<Type> = LazyLock::new(|| define($text));
        TYPE.clone()
    }};
}

pub(super) fn define(text: &str) -> Type {
    let definition = AliasDefinition::parse(text, &Limits::FURTHEST);
    let t = definition.and_then(|definition| definition.define(&NoAliases, &Limits::FURTHEST));
    // Nothing in these texts can fail.
    t.unwrap_or_else(|_| Type::Reference(text.into()))
}

/// Returns `Error`: the type of failures as values.
fn error() -> Type {
    defined!(
        "type Error = Object[{
            type_parameters => {
                kind => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]],
                issue_code => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]]
            },
            attributes => {
                msg => String[1],
                kind => { type => Optional[String[1]], value => undef },
                details => { type => Optional[Hash[String[1], Data]], value => undef },
                issue_code => { type => Optional[String[1]], value => undef }
            },
            functions => { message => Callable[[], String[1]] }
        }]"
    )
}

/// Returns `Deferred`: a deferred call of a function.
fn deferred() -> Type {
    defined!(
        r"type Deferred = Object[{
            attributes => {
                name => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/],
                arguments => { type => Optional[Array], value => undef }
            }
        }]"
    )
}

/// Returns `Puppet::LookupContext`: a lookup, as data functions see it.
pub fn lookup_context() -> Type {
    defined!(
        "type Puppet::LookupContext = Object[{
            attributes => {
                environment_name => { type => String[1], kind => derived },
                module_name => Variant[String[1], Undef]
            },
            functions => {
                not_found => Callable[[0, 0], Undef],
                explain => Callable[[0, 0, Callable[0, 0]], Undef],
                interpolate => Callable[1, 1],
                cache => Callable[Optional[Scalar], Any],
                cache_all => Callable[[Hash[Optional[Scalar], Any]], Undef],
                cache_has_key => Callable[[Optional[Scalar]], Boolean],
                cached_value => Callable[Optional[Scalar]],
                cached_entries => Variant[
                    Callable[[0, 0, Callable[1, 1]], Undef],
                    Callable[[0, 0, Callable[2, 2]], Undef],
                    Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]
                ],
                cached_file_data => Callable[String, Optional[Callable[Array[Integer]]]]
            }
        }]"
    )
}

type BuiltinObject = (&'static str, fn() -> Type);

const DEFINITIONS: [BuiltinObject; 4] = [
    ("Error", error),
    ("Deferred", deferred),
    ("Annotation", annotation),
    ("Puppet::LookupContext", lookup_context),
];

/// Returns the Object type of Puppet's own with this name, which may be written in upper or lower case.
pub(in crate::types) fn find(name: &str) -> Option<Type> {
    let found = DEFINITIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, definition)| definition()).or_else(|| pcore::find(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_defined() {
        for (name, _) in DEFINITIONS {
            let t = find(name).unwrap();
            assert!(matches!(&t, Type::Object(object) if **object.name() == *name), "{t:?}");
        }
        assert_eq!(find("errors"), None);
    }

    #[test]
    fn an_object_of_any_type_is_an_object() {
        assert!(object().assignable(&error()));
        assert!(!error().assignable(&object()));
    }
}
