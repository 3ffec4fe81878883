//! Builds Puppet's type objects from the core's types.

use magnus::value::ReprValue;
use magnus::{Class, IntoValue, Module, RArray, RRegexp, Ruby, Value};
use puppetfn::types::{
    CallableType, EnumType, FloatRange, Size, StringType, StructType, TupleType, Type, TypeKind,
};

use crate::ruby::decline::Reason;
use crate::ruby::raw::{InstanceVariable, PuppetClass, class_of_kind, default_of_kind, with_variables};

type BuildResult = Result<Value, Reason>;

/// Returns the type object that Puppet would make. Its own constructors make it.
pub fn build(ruby: &Ruby, t: &Type) -> BuildResult {
    match t {
        Type::Any => default(TypeKind::Any),
        Type::Unit => default(TypeKind::Unit),
        Type::Undef => default(TypeKind::Undef),
        Type::Default => default(TypeKind::Default),
        Type::Scalar => default(TypeKind::Scalar),
        Type::ScalarData => default(TypeKind::ScalarData),
        Type::Numeric => default(TypeKind::Numeric),
        Type::Integer(range) => match (range.min, range.max) {
            (None, None) => default(TypeKind::Integer),
            (min, max) => integer(ruby, min, max),
        },
        Type::Float(FloatRange { min: None, max: None }) => default(TypeKind::Float),
        Type::Float(FloatRange { min, max }) => new(TypeKind::Float, (*min, *max)),
        Type::Boolean(None) => default(TypeKind::Boolean),
        Type::Boolean(Some(true)) => constant(TypeKind::Boolean, "TRUE"),
        Type::Boolean(Some(false)) => constant(TypeKind::Boolean, "FALSE"),
        Type::String(StringType::Sized(None)) => default(TypeKind::String),
        Type::String(StringType::Sized(Some(bounds))) => new(TypeKind::String, (size(*bounds)?,)),
        Type::String(StringType::Value(text)) => string(ruby, text),
        Type::Enum(names) => enumeration(ruby, names),
        Type::Pattern(pattern) => {
            let patterns =
                pattern.patterns.iter().map(|regex| new(TypeKind::Regexp, (ruby.str_new(regex.source()),)));
            new(TypeKind::Pattern, (array(ruby, patterns)?,))
        }
        Type::Regexp(None) => default(TypeKind::Regexp),
        Type::Regexp(Some(regex)) => new(TypeKind::Regexp, (ruby.str_new(regex.source()),)),
        Type::SemVer(ranges) if ranges.is_empty() => default(TypeKind::SemVer),
        Type::SemVerRange => default(TypeKind::SemVerRange),
        Type::Binary => default(TypeKind::Binary),
        Type::Collection(None) => default(TypeKind::Collection),
        Type::Collection(Some(bounds)) => new(TypeKind::Collection, (size(*bounds)?,)),
        Type::Array(array) => match (&array.element, array.size) {
            (Type::Any, None) => default(TypeKind::Array),
            (_, Some(Size::EMPTY)) => constant(TypeKind::Array, "EMPTY"),
            (element, bounds) => new(TypeKind::Array, (build(ruby, element)?, optional_size(bounds)?)),
        },
        Type::Hash(hash) => match (&hash.key, &hash.value, hash.size) {
            (Type::Any, Type::Any, None) => default(TypeKind::Hash),
            (_, _, Some(Size::EMPTY)) => constant(TypeKind::Hash, "EMPTY"),
            (key, value, bounds) => {
                new(TypeKind::Hash, (build(ruby, key)?, build(ruby, value)?, optional_size(bounds)?))
            }
        },
        Type::Tuple(types) => tuple(ruby, types),
        Type::Struct(members) => structure(ruby, members),
        Type::Variant(types) if types.is_empty() => default(TypeKind::Variant),
        Type::Variant(types) => new(TypeKind::Variant, (array(ruby, types.iter().map(|t| build(ruby, t)))?,)),
        Type::Optional(inner) => around(ruby, TypeKind::Optional, inner.as_deref()),
        Type::NotUndef(inner) => around(ruby, TypeKind::NotUndef, inner.as_deref()),
        Type::Type(inner) => around(ruby, TypeKind::Type, inner.as_deref()),
        Type::Iterable(inner) => around(ruby, TypeKind::Iterable, inner.as_deref()),
        Type::Iterator(inner) => around(ruby, TypeKind::Iterator, inner.as_deref()),
        Type::Sensitive(inner) => around(ruby, TypeKind::Sensitive, inner.as_deref()),
        Type::Callable(callable) => function(ruby, callable),
        Type::CatalogEntry => default(TypeKind::CatalogEntry),
        Type::Class(None) => default(TypeKind::Class),
        Type::Class(Some(name)) => new(TypeKind::Class, (ruby.str_new(name),)),
        Type::Resource(resource) => match (&resource.type_name, &resource.title) {
            (None, _) => default(TypeKind::Resource),
            (Some(name), None) => new(TypeKind::Resource, (ruby.str_new(name),)),
            (Some(name), Some(title)) => new(TypeKind::Resource, (ruby.str_new(name), ruby.str_new(title))),
        },
        // The only names that operations come to on their own.
        Type::Alias(alias) => match &**alias.name() {
            "Data" => from_factory(ruby, "data"),
            "RichData" => from_factory(ruby, "rich_data"),
            _ => Err(Reason::Names),
        },
        Type::Reference(text) => new(TypeKind::Reference, (ruby.str_new(text),)),
        Type::SemVer(_)
        | Type::Uri(_)
        | Type::Timestamp(_)
        | Type::Timespan(_)
        | Type::Init(_)
        | Type::Runtime(_)
        | Type::Object(_)
        | Type::ObjectExtension(_)
        | Type::TypeSet(_) => Err(Reason::KindOfType),
    }
}

/// Returns a new object of Puppet's class for types of this kind.
pub fn new(kind: impl Into<PuppetClass>, args: impl magnus::ArgList) -> BuildResult {
    let class = class_of_kind(kind).ok_or(Reason::Other)?;
    // An exception of Puppet's constructor has to come from Puppet.
    class.new_instance(args).map_err(|_| Reason::Bounds)
}

/// Puppet's type of this kind without parameters.
pub fn default(kind: TypeKind) -> BuildResult {
    default_of_kind(kind).ok_or(Reason::Other)
}

static FROM: InstanceVariable = InstanceVariable::new(c"@from");
static TO: InstanceVariable = InstanceVariable::new(c"@to");
static SIZE_OR_VALUE: InstanceVariable = InstanceVariable::new(c"@size_type_or_value");
static SIZE: InstanceVariable = InstanceVariable::new(c"@size_type");
static TYPES: InstanceVariable = InstanceVariable::new(c"@types");
static ELEMENTS: InstanceVariable = InstanceVariable::new(c"@elements");
static ELEMENT: InstanceVariable = InstanceVariable::new(c"@element_type");
static INNER: InstanceVariable = InstanceVariable::new(c"@type");
static KEY: InstanceVariable = InstanceVariable::new(c"@key_type");
static VALUE: InstanceVariable = InstanceVariable::new(c"@value_type");
static VALUES: InstanceVariable = InstanceVariable::new(c"@values");
static CASE_INSENSITIVE: InstanceVariable = InstanceVariable::new(c"@case_insensitive");
static REGEXP: InstanceVariable = InstanceVariable::new(c"@regexp");
static PATTERN: InstanceVariable = InstanceVariable::new(c"@pattern");
static PATTERNS: InstanceVariable = InstanceVariable::new(c"@patterns");

/// Returns a new object with the variables that Puppet's constructor sets, which has nothing to check or convert here.
fn plain(kind: impl Into<PuppetClass>, variables: &[(&InstanceVariable, Value)]) -> BuildResult {
    with_variables(kind, variables).ok_or(Reason::Other)
}

/// Returns an Integer type. Puppet has infinity for bounds that are not there.
pub fn integer(ruby: &Ruby, min: Option<i64>, max: Option<i64>) -> BuildResult {
    let bound = |bound: Option<i64>, none: f64| match bound {
        Some(bound) => bound.into_value_with(ruby),
        None => none.into_value_with(ruby),
    };
    plain(TypeKind::Integer, &[(&FROM, bound(min, f64::NEG_INFINITY)), (&TO, bound(max, f64::INFINITY))])
}

/// Returns the type of one string.
pub fn string(ruby: &Ruby, text: &str) -> BuildResult {
    plain(TypeKind::String, &[(&SIZE_OR_VALUE, ruby.str_new(text).as_value())])
}

/// Returns the String type of some sizes, or of one string.
pub fn string_of(size_or_value: Value) -> BuildResult {
    plain(TypeKind::String, &[(&SIZE_OR_VALUE, size_or_value)])
}

/// Returns the Enum of strings that are sorted and differ.
pub fn enum_of(ruby: &Ruby, values: RArray, case_insensitive: bool) -> BuildResult {
    values.freeze();
    let case_insensitive = case_insensitive.into_value_with(ruby);
    plain(TypeKind::Enum, &[(&VALUES, values.as_value()), (&CASE_INSENSITIVE, case_insensitive)])
}

/// Returns the type of a regular expression that has no options.
pub fn regexp_of(regexp: RRegexp) -> BuildResult {
    let source: Value = regexp.funcall("source", ()).map_err(|_| Reason::Other)?;
    plain(TypeKind::Regexp, &[(&REGEXP, regexp.as_value()), (&PATTERN, source)])
}

/// Returns a Pattern of Regexp types.
pub fn pattern_of(regexps: RArray) -> BuildResult {
    regexps.freeze();
    plain(TypeKind::Pattern, &[(&PATTERNS, regexps.as_value())])
}

/// Returns an Array type; the size must not be the empty array's.
pub fn array_of(element: Value, size: Value) -> BuildResult {
    plain(TypeKind::Array, &[(&SIZE, size), (&ELEMENT, element)])
}

/// Returns a Hash type, likewise.
pub fn hash_of(key: Value, value: Value, size: Value) -> BuildResult {
    plain(TypeKind::Hash, &[(&SIZE, size), (&KEY, key), (&VALUE, value)])
}

/// Returns a Variant of types that differ, none of which is a Variant.
pub fn variant(types: RArray) -> BuildResult {
    types.freeze();
    plain(TypeKind::Variant, &[(&TYPES, types.as_value())])
}

/// Returns an Optional type.
pub fn optional(inner: Value) -> BuildResult {
    plain(TypeKind::Optional, &[(&INNER, inner)])
}

/// Returns a Tuple type.
pub fn tuple_of(types: RArray, size: Value) -> BuildResult {
    plain(TypeKind::Tuple, &[(&TYPES, types.as_value()), (&SIZE, size)])
}

/// Returns a Struct type.
pub fn struct_of(elements: RArray) -> BuildResult {
    elements.freeze();
    plain(TypeKind::Struct, &[(&ELEMENTS, elements.as_value())])
}

/// Returns a key of a struct.
pub fn struct_element(key: Value, value: Value) -> BuildResult {
    plain(PuppetClass::StructElement, &[(&KEY, key), (&VALUE, value)])
}

fn constant(kind: TypeKind, name: &str) -> BuildResult {
    class_of_kind(kind).and_then(|class| class.const_get(name).ok()).ok_or(Reason::Other)
}

fn from_factory(ruby: &Ruby, name: &str) -> BuildResult {
    let path = ["Puppet", "Pops", "Types", "TypeFactory"];
    let factory = path.into_iter().try_fold(ruby.class_object().as_value(), |place, name| {
        place.funcall::<_, _, Value>("const_get", (name,)).map_err(|_| Reason::Other)
    });
    factory?.funcall(name, ()).map_err(|_| Reason::Other)
}

fn array(ruby: &Ruby, items: impl Iterator<Item = BuildResult>) -> Result<RArray, Reason> {
    let array = ruby.ary_new();
    for item in items {
        array.push(item?).map_err(|_| Reason::Other)?;
    }
    Ok(array)
}

fn size(bounds: Size) -> BuildResult {
    new(TypeKind::Integer, (bounds.min, bounds.max))
}

fn optional_size(bounds: Option<Size>) -> Result<Option<Value>, Reason> {
    bounds.map(size).transpose()
}

fn around(ruby: &Ruby, kind: TypeKind, inner: Option<&Type>) -> BuildResult {
    match inner {
        None => default(kind),
        Some(inner) => new(kind, (build(ruby, inner)?,)),
    }
}

fn enumeration(ruby: &Ruby, names: &EnumType) -> BuildResult {
    if names.values().is_empty() && !names.case_insensitive() {
        return default(TypeKind::Enum);
    }
    let values = array(ruby, names.values().iter().map(|value| Ok(ruby.str_new(value).as_value())))?;
    new(TypeKind::Enum, (values, names.case_insensitive()))
}

fn tuple(ruby: &Ruby, tuple: &TupleType) -> BuildResult {
    if tuple.types.is_empty() && tuple.size.is_none() {
        return default(TypeKind::Tuple);
    }
    let types = array(ruby, tuple.types.iter().map(|t| build(ruby, t)))?;
    let size = optional_size(tuple.size)?.unwrap_or_else(|| ruby.qnil().as_value());
    tuple_of(types, size)
}

fn structure(ruby: &Ruby, members: &StructType) -> BuildResult {
    let members = members.members().iter().map(|member| {
        let key = string(ruby, &member.name)?;
        let key = if member.optional { optional(key)? } else { key };
        struct_element(key, build(ruby, &member.value)?)
    });
    let members = array(ruby, members)?;
    if members.is_empty() {
        return default(TypeKind::Struct);
    }
    struct_of(members)
}

fn function(ruby: &Ruby, callable: &CallableType) -> BuildResult {
    if callable.params.is_none() && callable.block.is_none() && callable.returns.is_none() {
        return default(TypeKind::Callable);
    }
    let part = |t: Option<&Type>| t.map_or_else(|| Ok(ruby.qnil().as_value()), |t| build(ruby, t));
    let params = match &callable.params {
        Some(params) => tuple(ruby, params)?,
        None => ruby.qnil().as_value(),
    };
    new(TypeKind::Callable, (params, part(callable.block.as_ref())?, part(callable.returns.as_ref())?))
}
