//! The Object types that describe Puppet's own types, and other names of Puppet's type system that
//! can be written.
//!
//! See Puppet's `pops/pcore.rb`.

use std::sync::OnceLock;

use super::builtin::define;
use super::uri_pattern::uri_pattern;
use crate::types::Type;

/// Each type by its name and what follows it in its definition.
const DEFINITIONS: [(&str, &str); 49] = [
    ("Pcore", "Object[{name => 'Pcore'}]"),
    ("Pcore::URI_RX", "Regexp[/{URI}/]"),
    ("Pcore::URI", "Pattern[/{URI}/]"),
    ("Pcore::SimpleTypeName", r"Pattern[/\A[A-Z]\w*\z/]"),
    ("Pcore::MemberName", r"Pattern[/\A[a-z_]\w*\z/]"),
    ("Pcore::TypeName", r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"),
    ("Pcore::QRef", r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"),
    ("Pcore::AnyType", "Object[{parent => Any}]"),
    ("Pcore::UnitType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::UndefType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::DefaultType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::ScalarType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::ScalarDataType", "Object[{parent => Pcore::ScalarType}]"),
    (
        "Pcore::NumericType",
        "Object[{parent => Pcore::ScalarDataType, attributes => {
            from => {type => Optional[Numeric], value => undef},
            to => {type => Optional[Numeric], value => undef}}}]",
    ),
    ("Pcore::IntegerType", "Object[{parent => Pcore::NumericType}]"),
    ("Pcore::FloatType", "Object[{parent => Pcore::NumericType}]"),
    ("Pcore::BooleanType", "Object[{parent => Pcore::ScalarDataType}]"),
    (
        "Pcore::StringType",
        "Object[{parent => Pcore::ScalarDataType, attributes => {
            size_type_or_value => {type => Optional[Variant[String, Type[Integer]]], value => undef}}}]",
    ),
    (
        "Pcore::EnumType",
        "Object[{parent => Pcore::ScalarDataType, attributes => {
            values => Array[String[1]], case_insensitive => {type => Boolean, value => false}}}]",
    ),
    (
        "Pcore::PatternType",
        "Object[{parent => Pcore::ScalarDataType, attributes => {patterns => Array[Regexp]}}]",
    ),
    (
        "Pcore::RegexpType",
        "Object[{parent => Pcore::ScalarType, attributes => {
            pattern => {type => Variant[Undef, String, Regexp], value => undef}}}]",
    ),
    (
        "Pcore::SemVerType",
        "Object[{parent => Pcore::ScalarType, attributes => {
            ranges => {type => Array[Variant[SemVerRange, String[1]]], value => []}}}]",
    ),
    ("Pcore::SemVerRangeType", "Object[{parent => Pcore::AnyType}]"),
    ("Pcore::AbstractTimeDataType", "Object[{parent => Pcore::AnyType}]"),
    (
        "Pcore::TimestampType",
        "Object[{parent => Pcore::ScalarType, attributes => {
            from => {type => Optional[Timestamp], value => undef},
            to => {type => Optional[Timestamp], value => undef}}}]",
    ),
    (
        "Pcore::TimespanType",
        "Object[{parent => Pcore::ScalarType, attributes => {
            from => {type => Optional[Timespan], value => undef},
            to => {type => Optional[Timespan], value => undef}}}]",
    ),
    ("Pcore::BinaryType", "Object[{parent => Pcore::AnyType}]"),
    (
        "Pcore::CollectionType",
        "Object[{parent => Pcore::AnyType, attributes => {
            size_type => {type => Optional[Type[Integer]], value => undef}}}]",
    ),
    (
        "Pcore::ArrayType",
        "Object[{parent => Pcore::CollectionType, attributes => {
            element_type => {type => Optional[Type], value => Any}}}]",
    ),
    (
        "Pcore::HashType",
        "Object[{parent => Pcore::CollectionType, attributes => {
            key_type => {type => Optional[Type], value => Any},
            value_type => {type => Optional[Type], value => Any}}}]",
    ),
    (
        "Pcore::TupleType",
        "Object[{parent => Pcore::AnyType, attributes => {
            types => Array[Type], size_type => {type => Optional[Type[Integer]], value => undef}}}]",
    ),
    ("Pcore::StructElement", "Object[{attributes => {key_type => Type, value_type => Type}}]"),
    (
        "Pcore::StructType",
        "Object[{parent => Pcore::AnyType, attributes => {elements => Array[Pcore::StructElement]}}]",
    ),
    ("Pcore::VariantType", "Object[{parent => Pcore::AnyType, attributes => {types => Array[Type]}}]"),
    (
        "Pcore::OptionalType",
        "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
    ),
    (
        "Pcore::NotUndefType",
        "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
    ),
    (
        "Pcore::TypeType",
        "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
    ),
    (
        "Pcore::IterableType",
        "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
    ),
    (
        "Pcore::IteratorType",
        "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
    ),
    ("Pcore::SensitiveType", "Object[{parent => Pcore::AnyType}]"),
    (
        "Pcore::InitType",
        "Object[{parent => Pcore::AnyType, attributes => {
            type => {type => Optional[Type], value => undef}, init_args => {type => Array, value => []}}}]",
    ),
    (
        "Pcore::CallableType",
        "Object[{parent => Pcore::AnyType, attributes => {
            param_types => {type => Optional[Type[Tuple]], value => undef},
            block_type => {type => Optional[Type[Callable]], value => undef},
            return_type => {type => Optional[Type], value => Any}}}]",
    ),
    (
        "Pcore::RuntimeType",
        "Object[{parent => Pcore::AnyType, attributes => {
            runtime => {type => Optional[String[1]], value => undef},
            name_or_pattern => {
                type => Optional[Variant[String[1], Tuple[Regexp, String[1]]]], value => undef}}}]",
    ),
    ("Pcore::CatalogEntryType", "Object[{parent => Pcore::AnyType}]"),
    (
        "Pcore::ClassType",
        "Object[{parent => Pcore::CatalogEntryType, attributes => {
            class_name => {type => Optional[String[1]], value => undef}}}]",
    ),
    (
        "Pcore::ResourceType",
        "Object[{parent => Pcore::CatalogEntryType, attributes => {
            type_name => {type => Optional[String[1]], value => undef},
            title => {type => Optional[String[1]], value => undef}}}]",
    ),
    (
        "Pcore::TypeReferenceType",
        "Object[{parent => Pcore::AnyType, attributes => {type_string => String[1]}}]",
    ),
    (
        "Pcore::TypeAliasType",
        "Object[{parent => Pcore::AnyType, attributes => {
            name => String[1], type_expr => Any,
            resolved_type => {type => Optional[Type], value => undef}}}]",
    ),
    (
        "Pcore::ObjectTypeExtenType",
        "Object[{parent => Pcore::AnyType, attributes => {base_type => Type, init_parameters => Array}}]",
    ),
];

/// Returns the type of this name, which may be written in upper or lower case.
pub(super) fn find(name: &str) -> Option<Type> {
    static TYPES: [OnceLock<Type>; DEFINITIONS.len()] = [const { OnceLock::new() }; DEFINITIONS.len()];
    let at = DEFINITIONS.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
    let ((name, definition), t) = (DEFINITIONS.get(at)?, TYPES.get(at)?);
    let definition = || define(&format!("type {name} = {}", definition.replace("{URI}", &uri_pattern())));
    Some(t.get_or_init(definition).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_defined() {
        for (name, _) in DEFINITIONS {
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
