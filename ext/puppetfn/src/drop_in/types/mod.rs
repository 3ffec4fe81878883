//! The classes of Puppet's type objects, and what is asked of the objects.

mod checks;

pub use checks::is_instance;

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RClass, RHash, RModule, Ruby, TryConvert, Value, function};

use crate::ruby::puppet_types;
use crate::ruby::raw::{Kind, learn_kinds};

/// The kinds of types by the names of their classes, as `Puppetfn::DropIn.learn` is given them.
const KINDS: [(&str, Kind); 52] = [
    ("PAnyType", Kind::Any),
    ("PUnitType", Kind::Unit),
    ("PUndefType", Kind::Undef),
    ("PDefaultType", Kind::Default),
    ("PScalarType", Kind::Scalar),
    ("PScalarDataType", Kind::ScalarData),
    ("PNumericType", Kind::Numeric),
    ("PIntegerType", Kind::Integer),
    ("PFloatType", Kind::Float),
    ("PBooleanType", Kind::Boolean),
    ("PStringType", Kind::String),
    ("PEnumType", Kind::Enum),
    ("PPatternType", Kind::Pattern),
    ("PRegexpType", Kind::Regexp),
    ("PSemVerType", Kind::SemVer),
    ("PSemVerRangeType", Kind::SemVerRange),
    ("PBinaryType", Kind::Binary),
    ("PURIType", Kind::Uri),
    ("PTimestampType", Kind::Timestamp),
    ("PTimespanType", Kind::Timespan),
    ("PCollectionType", Kind::Collection),
    ("PArrayType", Kind::Array),
    ("PHashType", Kind::Hash),
    ("PTupleType", Kind::Tuple),
    ("PStructType", Kind::Struct),
    ("PVariantType", Kind::Variant),
    ("POptionalType", Kind::Optional),
    ("PNotUndefType", Kind::NotUndef),
    ("PTypeType", Kind::Type),
    ("PIterableType", Kind::Iterable),
    ("PIteratorType", Kind::Iterator),
    ("PSensitiveType", Kind::Sensitive),
    ("PInitType", Kind::Init),
    ("PCallableType", Kind::Callable),
    ("PRuntimeType", Kind::Runtime),
    ("PObjectType", Kind::Object),
    ("PObjectTypeExtension", Kind::ObjectExtension),
    ("PTypeSetType", Kind::TypeSet),
    ("PCatalogEntryType", Kind::CatalogEntry),
    ("PClassType", Kind::Class),
    ("PResourceType", Kind::Resource),
    ("PTypeAliasType", Kind::Alias),
    ("PTypeReferenceType", Kind::Reference),
    ("Sensitive", Kind::SensitiveValue),
    ("PuppetProc", Kind::PuppetProc),
    ("Dispatcher", Kind::Dispatcher),
    ("Dispatch", Kind::Dispatch),
    ("PStructElement", Kind::StructElement),
    ("Parser", Kind::Parser),
    ("EppParser", Kind::TemplateParser),
    ("Next", Kind::Next),
    ("Return", Kind::Return),
];

/// @yard
/// @def learn(classes)
/// Sets the kinds of Puppet's classes.
/// @param classes [Hash{Symbol=>Class}] by their names without what is around them
/// @return [void]
/// @raise [ArgumentError] when one is missing
fn learn(ruby: &Ruby, classes: RHash) -> Result<(), Error> {
    let find = |name: &str| {
        let class =
            classes.get(ruby.to_symbol(name)).and_then(|class: Value| RClass::try_convert(class).ok());
        class.ok_or_else(|| Error::new(ruby.exception_arg_error(), format!("class '{name}' is missing")))
    };
    let default = |class: RClass| class.const_get("DEFAULT").unwrap_or_else(|_| ruby.qnil().as_value());
    learn_kinds(KINDS.into_iter().map(|(name, kind)| find(name).map(|class| (class, kind, default(class)))))
}

/// @yard
/// @def learned
/// @return [Array<Symbol>] the names of the classes that `learn` needs
fn learned(ruby: &Ruby) -> RArray {
    ruby.ary_from_iter(KINDS.into_iter().map(|(name, _)| ruby.to_symbol(name)))
}

/// Defines the classes and modules.
pub fn init(ruby: &Ruby, drop_in: RModule) -> Result<(), Error> {
    puppet_types::init(ruby, drop_in)?;
    drop_in.define_singleton_method("learn", function!(learn, 1))?;
    drop_in.define_singleton_method("learned", function!(learned, 0))?;
    checks::init(drop_in)
}
