//! The Object types that describe Puppet's own types, and other names of Puppet's type system that
//! can be written.
//!
//! See Puppet's `pops/pcore.rb`.

use std::sync::OnceLock;

use super::builtin::define;
use super::uri_pattern::uri_pattern;
use crate::types::{Type, TypeKind};

/// Types that describe no kind of type, by name, with the rest of their definition.
const OTHERS: [(&str, &str); 9] = [
    ("Pcore", "Object[{name => 'Pcore'}]"),
    ("Pcore::URI_RX", "Regexp[/{URI}/]"),
    ("Pcore::URI", "Pattern[/{URI}/]"),
    ("Pcore::SimpleTypeName", r"Pattern[/\A[A-Z]\w*\z/]"),
    ("Pcore::MemberName", r"Pattern[/\A[a-z_]\w*\z/]"),
    ("Pcore::TypeName", r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"),
    ("Pcore::QRef", r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"),
    ("Pcore::AbstractTimeDataType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::StructElement", "Object[{attributes => {key_type => Type, value_type => Type}}]"),
];

/// Returns each type by name, with the rest of its definition.
fn definitions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_kinds = TypeKind::entries().iter();
    of_kinds.filter_map(|entry| Some((entry.pcore_name, entry.pcore_definition?))).chain(OTHERS)
}

/// Returns the type of this name, which may be written in upper or lower case.
pub(super) fn find(name: &str) -> Option<Type> {
    static TYPES: [OnceLock<Type>; TypeKind::COUNT + OTHERS.len()] =
        [const { OnceLock::new() }; TypeKind::COUNT + OTHERS.len()];
    let ((name, definition), t) =
        definitions().zip(&TYPES).find(|((known, _), _)| known.eq_ignore_ascii_case(name))?;
    let definition = || define(&format!("type {name} = {}", definition.replace("{URI}", &uri_pattern())));
    Some(t.get_or_init(definition).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_defined() {
        for (name, _) in definitions() {
            let t = find(name).unwrap();
            assert!(!matches!(t, Type::Reference(_)), "{name}");
            assert_eq!(t.name(), name);
        }
        assert_eq!(
            find("pcore::integertype").unwrap().ruby_to_s(),
            "Object[{name => 'Pcore::IntegerType', parent => Pcore::NumericType}]"
        );
    }
}
