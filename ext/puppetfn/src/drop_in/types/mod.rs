//! Puppet's type objects as types of the core.
//!
//! A type object is compiled when it is first used, and keeps the result: Puppet's types do not
//! change, but for aliases that are not resolved yet, which are not compiled then.

mod checks;
mod compile;

pub use checks::is_instance;

use magnus::Object;
use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{
    Class, Error, Module, RArray, RClass, RHash, RModule, Ruby, TryConvert, TypedData, Value, function,
};
use puppetfn::types::Type;

use super::decline::Reason;
use crate::ruby::raw::{InstanceVariable, Kind, Typed, TypedRef, kind_of, learn_kinds};

/// What a type object of Puppet's was compiled to.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::DropIn::Compiled", free_immediately, size)]
pub struct Compiled(Result<Type, Reason>);

impl magnus::DataTypeFunctions for Compiled {}

impl TypedRef for Compiled {
    fn typed() -> &'static Typed<Self> {
        static TYPED: Typed<Compiled> = Typed::new();
        &TYPED
    }
}

/// Where a type object keeps what it was compiled to.
static COMPILED: InstanceVariable = InstanceVariable::new(c"__puppetfn_compiled");

/// Returns the core's type for a type object of Puppet's. Runs no Ruby code.
pub fn core_type(object: Value) -> Result<Type, Reason> {
    match Compiled::of(&COMPILED.get(object)) {
        Some(compiled) => compiled.0.clone(),
        None => compile::compile(object).map_err(|declined| declined.reason),
    }
}

/// Returns the same for a type object that is on the stack of the caller, which then keeps the result.
pub fn compiled(ruby: &Ruby, object: Value) -> Result<Type, Reason> {
    if kind_of(object).is_none() {
        return Err(Reason::KindOfType);
    }
    if let Some(known) = Compiled::of(&COMPILED.get(object)) {
        return known.0.clone();
    }
    let compiled = match compile::compile(object) {
        Ok(t) => Ok(t),
        Err(declined) if declined.for_good => Err(declined.reason),
        Err(declined) => return Err(declined.reason),
    };
    let kept: Obj<Compiled> = ruby.obj_wrap(Compiled(compiled.clone()));
    COMPILED.set(object, kept.as_value()).map_err(|_| Reason::Other)?;
    // A frozen object cannot keep it.
    if COMPILED.is_set(object) { compiled } else { Err(Reason::Other) }
}

/// Attaches what a type object is that was just made of a type.
pub fn attach(ruby: &Ruby, object: Value, t: Type) -> Result<(), Error> {
    COMPILED.set(object, ruby.obj_wrap(Compiled(Ok(t))).as_value())
}

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
    let class = drop_in.define_class("Compiled", ruby.class_object())?;
    class.undef_default_alloc_func();
    Compiled::typed().learn(ruby, Compiled(Err(Reason::Other)));
    drop_in.define_singleton_method("learn", function!(learn, 1))?;
    drop_in.define_singleton_method("learned", function!(learned, 0))?;
    checks::init(drop_in)
}
