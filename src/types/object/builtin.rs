//! The Object types that Puppet itself defines.

use std::sync::LazyLock;

use super::{NAMELESS, ObjectRef, ObjectType, pcore};
use crate::limits::Limits;
use crate::types::Type;
use crate::types::parse::{AliasDefinition, NoAliases};

/// `Object`: any object.
pub fn object() -> Type {
    static OBJECT: LazyLock<ObjectRef> = LazyLock::new(|| ObjectRef::new(NAMELESS, ObjectType::default()));
    Type::Object(OBJECT.clone())
}

/// `Annotation`: what all types of annotations inherit from.
fn annotation() -> Type {
    static ANNOTATION: LazyLock<ObjectRef> =
        LazyLock::new(|| ObjectRef::new("Annotation", ObjectType::empty("Annotation")));
    Type::Object(ANNOTATION.clone())
}

/// The type that a text defines, which is made once.
macro_rules! defined {
    ($text:literal) => {{
        static TYPE: LazyLock<Type> = LazyLock::new(|| define($text));
        TYPE.clone()
    }};
}

pub(super) fn define(text: &str) -> Type {
    let definition = AliasDefinition::parse(text, &Limits::DEFAULT);
    let t = definition.and_then(|definition| definition.define(&NoAliases));
    // Nothing in these texts can fail.
    t.unwrap_or_else(|_| Type::Reference(text.into()))
}

/// `Error`: what went wrong.
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

/// `Deferred`: a call of a function that is made later.
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

type Definition = (&'static str, fn() -> Type);

const DEFINITIONS: [Definition; 3] = [("Error", error), ("Deferred", deferred), ("Annotation", annotation)];

/// The Object type of Puppet's own with this name, which may be written in upper or lower case.
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
