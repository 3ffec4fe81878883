//! The table of Puppet's types.

use std::sync::{Arc, LazyLock};

use super::{RubyClass, TypeEntry, TypeKind};
use crate::types::{
    Alias, ArrayType, CallableType, EnumType, HashType, PatternType, ResourceType, RuntimeType, StructType,
    TupleType, Type, builtin,
};

/// A type with constant content, built once.
macro_rules! shared {
    ($t:expr) => {{
        static SHARED: LazyLock<Type> = LazyLock::new(|| $t);
        SHARED.clone()
    }};
}

/// Every kind of type, in the order of [`TypeKind`].
pub(super) static TYPES: [TypeEntry; TypeKind::COUNT] = [
    TypeEntry {
        kind: TypeKind::String,
        name: "String",
        is_written: true,
        pcore_name: "Pcore::StringType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarDataType, attributes => {
            size_type_or_value => {type => Optional[Variant[String, Type[Integer]]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PStringType",
            superclass: Some("PScalarDataType"),
            parts: &["value", "size_type"],
        },
        default: || Type::STRING,
    },
    TypeEntry {
        kind: TypeKind::Integer,
        name: "Integer",
        is_written: true,
        pcore_name: "Pcore::IntegerType",
        pcore_definition: Some("Object[{parent => Pcore::NumericType}]"),
        ruby_class: RubyClass {
            name: "PIntegerType",
            superclass: Some("PNumericType"),
            parts: &["from", "to"],
        },
        default: || Type::INTEGER,
    },
    TypeEntry {
        kind: TypeKind::Optional,
        name: "Optional",
        is_written: true,
        pcore_name: "Pcore::OptionalType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "POptionalType",
            superclass: Some("PTypeWithContainedType"),
            parts: &[],
        },
        default: || Type::Optional(None),
    },
    TypeEntry {
        kind: TypeKind::Array,
        name: "Array",
        is_written: true,
        pcore_name: "Pcore::ArrayType",
        pcore_definition: Some(
            "Object[{parent => Pcore::CollectionType, attributes => {
            element_type => {type => Optional[Type], value => Any}}}]",
        ),
        ruby_class: RubyClass {
            name: "PArrayType",
            superclass: Some("PCollectionType"),
            parts: &["element_type"],
        },
        default: || shared!(Type::Array(Arc::new(ArrayType { element: Type::Any, size: None }))),
    },
    TypeEntry {
        kind: TypeKind::Hash,
        name: "Hash",
        is_written: true,
        pcore_name: "Pcore::HashType",
        pcore_definition: Some(
            "Object[{parent => Pcore::CollectionType, attributes => {
            key_type => {type => Optional[Type], value => Any},
            value_type => {type => Optional[Type], value => Any}}}]",
        ),
        ruby_class: RubyClass {
            name: "PHashType",
            superclass: Some("PCollectionType"),
            parts: &["key_type", "value_type"],
        },
        default: || shared!(Type::Hash(Arc::new(HashType { key: Type::Any, value: Type::Any, size: None }))),
    },
    TypeEntry {
        kind: TypeKind::Variant,
        name: "Variant",
        is_written: true,
        pcore_name: "Pcore::VariantType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType, attributes => {types => Array[Type]}}]"),
        ruby_class: RubyClass { name: "PVariantType", superclass: Some("PAnyType"), parts: &["types"] },
        default: || Type::Variant([].into()),
    },
    TypeEntry {
        kind: TypeKind::Enum,
        name: "Enum",
        is_written: true,
        pcore_name: "Pcore::EnumType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarDataType, attributes => {
            values => Array[String[1]], case_insensitive => {type => Boolean, value => false}}}]",
        ),
        ruby_class: RubyClass {
            name: "PEnumType",
            superclass: Some("PScalarDataType"),
            parts: &["values", "case_insensitive"],
        },
        default: || shared!(Type::Enum(Arc::new(EnumType::new([], false)))),
    },
    TypeEntry {
        kind: TypeKind::Any,
        name: "Any",
        is_written: true,
        pcore_name: "Pcore::AnyType",
        pcore_definition: Some("Object[{parent => Any}]"),
        ruby_class: RubyClass { name: "PAnyType", superclass: None, parts: &[] },
        default: || Type::Any,
    },
    TypeEntry {
        kind: TypeKind::Boolean,
        name: "Boolean",
        is_written: true,
        pcore_name: "Pcore::BooleanType",
        pcore_definition: Some("Object[{parent => Pcore::ScalarDataType}]"),
        ruby_class: RubyClass {
            name: "PBooleanType",
            superclass: Some("PScalarDataType"),
            parts: &["value"],
        },
        default: || Type::BOOLEAN,
    },
    TypeEntry {
        kind: TypeKind::Struct,
        name: "Struct",
        is_written: true,
        pcore_name: "Pcore::StructType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {elements => Array[Pcore::StructElement]}}]",
        ),
        ruby_class: RubyClass { name: "PStructType", superclass: Some("PAnyType"), parts: &[] },
        default: || shared!(Type::Struct(Arc::new(StructType::new([])))),
    },
    TypeEntry {
        kind: TypeKind::Pattern,
        name: "Pattern",
        is_written: true,
        pcore_name: "Pcore::PatternType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarDataType, attributes => {patterns => Array[Regexp]}}]",
        ),
        ruby_class: RubyClass {
            name: "PPatternType",
            superclass: Some("PScalarDataType"),
            parts: &["patterns"],
        },
        default: || shared!(Type::Pattern(Arc::new(PatternType { patterns: [].into() }))),
    },
    TypeEntry {
        kind: TypeKind::Undef,
        name: "Undef",
        is_written: true,
        pcore_name: "Pcore::UndefType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PUndefType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::Undef,
    },
    TypeEntry {
        kind: TypeKind::Numeric,
        name: "Numeric",
        is_written: true,
        pcore_name: "Pcore::NumericType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarDataType, attributes => {
            from => {type => Optional[Numeric], value => undef},
            to => {type => Optional[Numeric], value => undef}}}]",
        ),
        ruby_class: RubyClass { name: "PNumericType", superclass: Some("PScalarDataType"), parts: &[] },
        default: || Type::Numeric,
    },
    TypeEntry {
        kind: TypeKind::Float,
        name: "Float",
        is_written: true,
        pcore_name: "Pcore::FloatType",
        pcore_definition: Some("Object[{parent => Pcore::NumericType}]"),
        ruby_class: RubyClass {
            name: "PFloatType",
            superclass: Some("PNumericType"),
            parts: &["from", "to"],
        },
        default: || Type::FLOAT,
    },
    TypeEntry {
        kind: TypeKind::Callable,
        name: "Callable",
        is_written: true,
        pcore_name: "Pcore::CallableType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            param_types => {type => Optional[Type[Tuple]], value => undef},
            block_type => {type => Optional[Type[Callable]], value => undef},
            return_type => {type => Optional[Type], value => Any}}}]",
        ),
        ruby_class: RubyClass {
            name: "PCallableType",
            superclass: Some("PAnyType"),
            parts: &["param_types", "block_type", "return_type"],
        },
        default: || shared!(Type::Callable(Arc::new(CallableType::default()))),
    },
    TypeEntry {
        kind: TypeKind::Tuple,
        name: "Tuple",
        is_written: true,
        pcore_name: "Pcore::TupleType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            types => Array[Type], size_type => {type => Optional[Type[Integer]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PTupleType",
            superclass: Some("PAnyType"),
            parts: &["types", "size_type"],
        },
        default: || shared!(Type::Tuple(Arc::new(TupleType { types: [].into(), size: None }))),
    },
    TypeEntry {
        kind: TypeKind::NotUndef,
        name: "NotUndef",
        is_written: true,
        pcore_name: "Pcore::NotUndefType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PNotUndefType",
            superclass: Some("PTypeWithContainedType"),
            parts: &[],
        },
        default: || Type::NotUndef(None),
    },
    TypeEntry {
        kind: TypeKind::Type,
        name: "Type",
        is_written: true,
        pcore_name: "Pcore::TypeType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass { name: "PTypeType", superclass: Some("PTypeWithContainedType"), parts: &[] },
        default: || Type::Type(None),
    },
    TypeEntry {
        kind: TypeKind::Sensitive,
        name: "Sensitive",
        is_written: true,
        pcore_name: "Pcore::SensitiveType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass {
            name: "PSensitiveType",
            superclass: Some("PTypeWithContainedType"),
            parts: &[],
        },
        default: || Type::Sensitive(None),
    },
    TypeEntry {
        kind: TypeKind::Scalar,
        name: "Scalar",
        is_written: true,
        pcore_name: "Pcore::ScalarType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PScalarType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::Scalar,
    },
    TypeEntry {
        kind: TypeKind::ScalarData,
        name: "ScalarData",
        is_written: true,
        pcore_name: "Pcore::ScalarDataType",
        pcore_definition: Some("Object[{parent => Pcore::ScalarType}]"),
        ruby_class: RubyClass { name: "PScalarDataType", superclass: Some("PScalarType"), parts: &[] },
        default: || Type::ScalarData,
    },
    TypeEntry {
        kind: TypeKind::Regexp,
        name: "Regexp",
        is_written: true,
        pcore_name: "Pcore::RegexpType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarType, attributes => {
            pattern => {type => Variant[Undef, String, Regexp], value => undef}}}]",
        ),
        ruby_class: RubyClass { name: "PRegexpType", superclass: Some("PScalarType"), parts: &["regexp"] },
        default: || Type::Regexp(None),
    },
    TypeEntry {
        kind: TypeKind::SemVer,
        name: "SemVer",
        is_written: true,
        pcore_name: "Pcore::SemVerType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarType, attributes => {
            ranges => {type => Array[Variant[SemVerRange, String[1]]], value => []}}}]",
        ),
        ruby_class: RubyClass { name: "PSemVerType", superclass: Some("PScalarType"), parts: &[] },
        default: || shared!(Type::SemVer([].into())),
    },
    TypeEntry {
        kind: TypeKind::SemVerRange,
        name: "SemVerRange",
        is_written: true,
        pcore_name: "Pcore::SemVerRangeType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PSemVerRangeType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::SemVerRange,
    },
    TypeEntry {
        kind: TypeKind::Binary,
        name: "Binary",
        is_written: true,
        pcore_name: "Pcore::BinaryType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PBinaryType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::Binary,
    },
    TypeEntry {
        kind: TypeKind::Uri,
        name: "URI",
        is_written: true,
        pcore_name: "Pcore::URIType",
        pcore_definition: None,
        ruby_class: RubyClass { name: "PURIType", superclass: Some("PAnyType"), parts: &[] },
        default: || shared!(Type::Uri(Arc::default())),
    },
    TypeEntry {
        kind: TypeKind::Collection,
        name: "Collection",
        is_written: true,
        pcore_name: "Pcore::CollectionType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            size_type => {type => Optional[Type[Integer]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PCollectionType",
            superclass: Some("PAnyType"),
            parts: &["size_type"],
        },
        default: || Type::Collection(None),
    },
    TypeEntry {
        kind: TypeKind::Timestamp,
        name: "Timestamp",
        is_written: true,
        pcore_name: "Pcore::TimestampType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarType, attributes => {
            from => {type => Optional[Timestamp], value => undef},
            to => {type => Optional[Timestamp], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PTimestampType",
            superclass: Some("PAbstractTimeDataType"),
            parts: &[],
        },
        default: || shared!(Type::Timestamp(Arc::default())),
    },
    TypeEntry {
        kind: TypeKind::Timespan,
        name: "Timespan",
        is_written: true,
        pcore_name: "Pcore::TimespanType",
        pcore_definition: Some(
            "Object[{parent => Pcore::ScalarType, attributes => {
            from => {type => Optional[Timespan], value => undef},
            to => {type => Optional[Timespan], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PTimespanType",
            superclass: Some("PAbstractTimeDataType"),
            parts: &[],
        },
        default: || shared!(Type::Timespan(Arc::default())),
    },
    TypeEntry {
        kind: TypeKind::Iterable,
        name: "Iterable",
        is_written: true,
        pcore_name: "Pcore::IterableType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PIterableType",
            superclass: Some("PTypeWithContainedType"),
            parts: &[],
        },
        default: || Type::Iterable(None),
    },
    TypeEntry {
        kind: TypeKind::Iterator,
        name: "Iterator",
        is_written: true,
        pcore_name: "Pcore::IteratorType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PIteratorType",
            superclass: Some("PTypeWithContainedType"),
            parts: &[],
        },
        default: || Type::Iterator(None),
    },
    TypeEntry {
        kind: TypeKind::Runtime,
        name: "Runtime",
        is_written: true,
        pcore_name: "Pcore::RuntimeType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            runtime => {type => Optional[String[1]], value => undef},
            name_or_pattern => {
                type => Optional[Variant[String[1], Tuple[Regexp, String[1]]]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PRuntimeType",
            superclass: Some("PAnyType"),
            parts: &["name_or_pattern"],
        },
        default: || shared!(Type::Runtime(Arc::new(RuntimeType::default()))),
    },
    TypeEntry {
        kind: TypeKind::Init,
        name: "Init",
        is_written: true,
        pcore_name: "Pcore::InitType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            type => {type => Optional[Type], value => undef}, init_args => {type => Array, value => []}}}]",
        ),
        ruby_class: RubyClass { name: "PInitType", superclass: Some("PTypeWithContainedType"), parts: &[] },
        default: || shared!(Type::Init(Arc::default())),
    },
    TypeEntry {
        kind: TypeKind::Default,
        name: "Default",
        is_written: true,
        pcore_name: "Pcore::DefaultType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PDefaultType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::Default,
    },
    TypeEntry {
        kind: TypeKind::Class,
        name: "Class",
        is_written: true,
        pcore_name: "Pcore::ClassType",
        pcore_definition: Some(
            "Object[{parent => Pcore::CatalogEntryType, attributes => {
            class_name => {type => Optional[String[1]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PClassType",
            superclass: Some("PCatalogEntryType"),
            parts: &["class_name"],
        },
        default: || Type::Class(None),
    },
    TypeEntry {
        kind: TypeKind::Resource,
        name: "Resource",
        is_written: true,
        pcore_name: "Pcore::ResourceType",
        pcore_definition: Some(
            "Object[{parent => Pcore::CatalogEntryType, attributes => {
            type_name => {type => Optional[String[1]], value => undef},
            title => {type => Optional[String[1]], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PResourceType",
            superclass: Some("PCatalogEntryType"),
            parts: &["type_name", "title"],
        },
        default: || shared!(Type::Resource(Arc::new(ResourceType::default()))),
    },
    TypeEntry {
        kind: TypeKind::CatalogEntry,
        name: "CatalogEntry",
        is_written: true,
        pcore_name: "Pcore::CatalogEntryType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PCatalogEntryType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::CatalogEntry,
    },
    TypeEntry {
        kind: TypeKind::Object,
        name: "Object",
        is_written: true,
        pcore_name: "Pcore::ObjectType",
        pcore_definition: None,
        ruby_class: RubyClass { name: "PObjectType", superclass: Some("PMetaType"), parts: &["parent"] },
        default: || builtin::object(),
    },
    TypeEntry {
        kind: TypeKind::TypeSet,
        name: "TypeSet",
        is_written: true,
        pcore_name: "Pcore::TypeSetType",
        pcore_definition: None,
        ruby_class: RubyClass { name: "PTypeSetType", superclass: Some("PMetaType"), parts: &[] },
        default: || builtin::type_set(),
    },
    TypeEntry {
        kind: TypeKind::Alias,
        name: "TypeAlias",
        is_written: true,
        pcore_name: "Pcore::TypeAliasType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {
            name => String[1], type_expr => Any,
            resolved_type => {type => Optional[Type], value => undef}}}]",
        ),
        ruby_class: RubyClass {
            name: "PTypeAliasType",
            superclass: Some("PAnyType"),
            parts: &["resolved_type"],
        },
        default: || shared!(Type::Alias(Alias::new("UnresolvedAlias", unresolved()))),
    },
    TypeEntry {
        kind: TypeKind::Reference,
        name: "TypeReference",
        is_written: true,
        pcore_name: "Pcore::TypeReferenceType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {type_string => String[1]}}]",
        ),
        ruby_class: RubyClass {
            name: "PTypeReferenceType",
            superclass: Some("PAnyType"),
            parts: &["type_string"],
        },
        default: || unresolved(),
    },
    TypeEntry {
        kind: TypeKind::Unit,
        name: "Unit",
        is_written: false,
        pcore_name: "Pcore::UnitType",
        pcore_definition: Some("Object[{parent => Pcore::AnyType}]"),
        ruby_class: RubyClass { name: "PUnitType", superclass: Some("PAnyType"), parts: &[] },
        default: || Type::Unit,
    },
    TypeEntry {
        kind: TypeKind::ObjectExtension,
        name: "ObjectExtension",
        is_written: false,
        pcore_name: "Pcore::ObjectTypeExtenType",
        pcore_definition: Some(
            "Object[{parent => Pcore::AnyType, attributes => {base_type => Type, init_parameters => Array}}]",
        ),
        ruby_class: RubyClass {
            name: "PObjectTypeExtension",
            superclass: Some("PAnyType"),
            parts: &["base_type", "parameters"],
        },
        default: || Type::Any,
    },
];

/// Returns the placeholder for an unresolved name.
fn unresolved() -> Type {
    Type::Reference("UnresolvedReference".into())
}
