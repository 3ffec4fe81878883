//! Builds Puppet's type objects from the core's types.

use magnus::value::ReprValue;
use magnus::{Class, IntoValue, Module, RArray, RRegexp, Ruby, Value};
use puppetfn::types::{CallableType, EnumType, FloatRange, Size, StringType, StructType, TupleType, Type};

use crate::ruby::decline::Reason;
use crate::ruby::raw::{InstanceVariable, Kind, class_of_kind, default_of_kind, with_variables};

type Answer = Result<Value, Reason>;

/// Returns the type object that Puppet would make. Its own constructors make it.
pub fn build(ruby: &Ruby, t: &Type) -> Answer {
    match t {
        Type::Any => default(Kind::Any),
        Type::Unit => default(Kind::Unit),
        Type::Undef => default(Kind::Undef),
        Type::Default => default(Kind::Default),
        Type::Scalar => default(Kind::Scalar),
        Type::ScalarData => default(Kind::ScalarData),
        Type::Numeric => default(Kind::Numeric),
        Type::Integer(range) => match (range.min, range.max) {
            (None, None) => default(Kind::Integer),
            (min, max) => integer(ruby, min, max),
        },
        Type::Float(FloatRange { min: None, max: None }) => default(Kind::Float),
        Type::Float(FloatRange { min, max }) => new(Kind::Float, (*min, *max)),
        Type::Boolean(None) => default(Kind::Boolean),
        Type::Boolean(Some(true)) => constant(Kind::Boolean, "TRUE"),
        Type::Boolean(Some(false)) => constant(Kind::Boolean, "FALSE"),
        Type::String(StringType::Sized(None)) => default(Kind::String),
        Type::String(StringType::Sized(Some(bounds))) => new(Kind::String, (size(*bounds)?,)),
        Type::String(StringType::Value(text)) => string(ruby, text),
        Type::Enum(names) => enumeration(ruby, names),
        Type::Pattern(pattern) => {
            let patterns =
                pattern.patterns.iter().map(|regex| new(Kind::Regexp, (ruby.str_new(regex.source()),)));
            new(Kind::Pattern, (array(ruby, patterns)?,))
        }
        Type::Regexp(None) => default(Kind::Regexp),
        Type::Regexp(Some(regex)) => new(Kind::Regexp, (ruby.str_new(regex.source()),)),
        Type::SemVer(ranges) if ranges.is_empty() => default(Kind::SemVer),
        Type::SemVerRange => default(Kind::SemVerRange),
        Type::Binary => default(Kind::Binary),
        Type::Collection(None) => default(Kind::Collection),
        Type::Collection(Some(bounds)) => new(Kind::Collection, (size(*bounds)?,)),
        Type::Array(array) => match (&array.element, array.size) {
            (Type::Any, None) => default(Kind::Array),
            (_, Some(Size::EMPTY)) => constant(Kind::Array, "EMPTY"),
            (element, bounds) => new(Kind::Array, (build(ruby, element)?, optional_size(bounds)?)),
        },
        Type::Hash(hash) => match (&hash.key, &hash.value, hash.size) {
            (Type::Any, Type::Any, None) => default(Kind::Hash),
            (_, _, Some(Size::EMPTY)) => constant(Kind::Hash, "EMPTY"),
            (key, value, bounds) => {
                new(Kind::Hash, (build(ruby, key)?, build(ruby, value)?, optional_size(bounds)?))
            }
        },
        Type::Tuple(types) => tuple(ruby, types),
        Type::Struct(members) => structure(ruby, members),
        Type::Variant(types) if types.is_empty() => default(Kind::Variant),
        Type::Variant(types) => new(Kind::Variant, (array(ruby, types.iter().map(|t| build(ruby, t)))?,)),
        Type::Optional(inner) => around(ruby, Kind::Optional, inner.as_deref()),
        Type::NotUndef(inner) => around(ruby, Kind::NotUndef, inner.as_deref()),
        Type::Type(inner) => around(ruby, Kind::Type, inner.as_deref()),
        Type::Iterable(inner) => around(ruby, Kind::Iterable, inner.as_deref()),
        Type::Iterator(inner) => around(ruby, Kind::Iterator, inner.as_deref()),
        Type::Sensitive(inner) => around(ruby, Kind::Sensitive, inner.as_deref()),
        Type::Callable(callable) => function(ruby, callable),
        Type::CatalogEntry => default(Kind::CatalogEntry),
        Type::Class(None) => default(Kind::Class),
        Type::Class(Some(name)) => new(Kind::Class, (ruby.str_new(name),)),
        Type::Resource(resource) => match (&resource.type_name, &resource.title) {
            (None, _) => default(Kind::Resource),
            (Some(name), None) => new(Kind::Resource, (ruby.str_new(name),)),
            (Some(name), Some(title)) => new(Kind::Resource, (ruby.str_new(name), ruby.str_new(title))),
        },
        // The only names that operations come to on their own.
        Type::Alias(alias) => match &**alias.name() {
            "Data" => from_factory(ruby, "data"),
            "RichData" => from_factory(ruby, "rich_data"),
            _ => Err(Reason::Names),
        },
        Type::Reference(text) => new(Kind::Reference, (ruby.str_new(text),)),
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
pub fn new(kind: Kind, args: impl magnus::ArgList) -> Answer {
    let class = class_of_kind(kind).ok_or(Reason::Other)?;
    // What Puppet's constructor raises has to come from Puppet.
    class.new_instance(args).map_err(|_| Reason::Bounds)
}

/// Puppet's type of this kind without parameters.
pub fn default(kind: Kind) -> Answer {
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
fn plain(kind: Kind, variables: &[(&InstanceVariable, Value)]) -> Answer {
    with_variables(kind, variables).ok_or(Reason::Other)
}

/// Returns an Integer type. Puppet has infinity for bounds that are not there.
pub fn integer(ruby: &Ruby, min: Option<i64>, max: Option<i64>) -> Answer {
    let bound = |bound: Option<i64>, none: f64| match bound {
        Some(bound) => bound.into_value_with(ruby),
        None => none.into_value_with(ruby),
    };
    plain(Kind::Integer, &[(&FROM, bound(min, f64::NEG_INFINITY)), (&TO, bound(max, f64::INFINITY))])
}

/// Returns the type of one string.
pub fn string(ruby: &Ruby, text: &str) -> Answer {
    plain(Kind::String, &[(&SIZE_OR_VALUE, ruby.str_new(text).as_value())])
}

/// Returns the String type of some sizes, or of one string.
pub fn string_of(size_or_value: Value) -> Answer {
    plain(Kind::String, &[(&SIZE_OR_VALUE, size_or_value)])
}

/// Returns the Enum of strings that are sorted and differ.
pub fn enum_of(ruby: &Ruby, values: RArray, case_insensitive: bool) -> Answer {
    values.freeze();
    let case_insensitive = case_insensitive.into_value_with(ruby);
    plain(Kind::Enum, &[(&VALUES, values.as_value()), (&CASE_INSENSITIVE, case_insensitive)])
}

/// Returns the type of a regular expression that has no options.
pub fn regexp_of(regexp: RRegexp) -> Answer {
    let source: Value = regexp.funcall("source", ()).map_err(|_| Reason::Other)?;
    plain(Kind::Regexp, &[(&REGEXP, regexp.as_value()), (&PATTERN, source)])
}

/// Returns a Pattern of Regexp types.
pub fn pattern_of(regexps: RArray) -> Answer {
    regexps.freeze();
    plain(Kind::Pattern, &[(&PATTERNS, regexps.as_value())])
}

/// Returns an Array type; the size may not be that of an empty one.
pub fn array_of(element: Value, size: Value) -> Answer {
    plain(Kind::Array, &[(&SIZE, size), (&ELEMENT, element)])
}

/// Returns a Hash type, likewise.
pub fn hash_of(key: Value, value: Value, size: Value) -> Answer {
    plain(Kind::Hash, &[(&SIZE, size), (&KEY, key), (&VALUE, value)])
}

/// Returns a Variant of types that differ, none of which is a Variant.
pub fn variant(types: RArray) -> Answer {
    types.freeze();
    plain(Kind::Variant, &[(&TYPES, types.as_value())])
}

/// Returns an Optional type.
pub fn optional(inner: Value) -> Answer {
    plain(Kind::Optional, &[(&INNER, inner)])
}

/// Returns a Tuple type.
pub fn tuple_of(types: RArray, size: Value) -> Answer {
    plain(Kind::Tuple, &[(&TYPES, types.as_value()), (&SIZE, size)])
}

/// Returns a Struct type.
pub fn struct_of(elements: RArray) -> Answer {
    elements.freeze();
    plain(Kind::Struct, &[(&ELEMENTS, elements.as_value())])
}

/// Returns a key of a struct.
pub fn struct_element(key: Value, value: Value) -> Answer {
    plain(Kind::StructElement, &[(&KEY, key), (&VALUE, value)])
}

fn constant(kind: Kind, name: &str) -> Answer {
    class_of_kind(kind).and_then(|class| class.const_get(name).ok()).ok_or(Reason::Other)
}

fn from_factory(ruby: &Ruby, name: &str) -> Answer {
    let path = ["Puppet", "Pops", "Types", "TypeFactory"];
    let factory = path.into_iter().try_fold(ruby.class_object().as_value(), |place, name| {
        place.funcall::<_, _, Value>("const_get", (name,)).map_err(|_| Reason::Other)
    });
    factory?.funcall(name, ()).map_err(|_| Reason::Other)
}

fn array(ruby: &Ruby, items: impl Iterator<Item = Answer>) -> Result<RArray, Reason> {
    let array = ruby.ary_new();
    for item in items {
        array.push(item?).map_err(|_| Reason::Other)?;
    }
    Ok(array)
}

fn size(bounds: Size) -> Answer {
    new(Kind::Integer, (bounds.min, bounds.max))
}

fn optional_size(bounds: Option<Size>) -> Result<Option<Value>, Reason> {
    bounds.map(size).transpose()
}

fn around(ruby: &Ruby, kind: Kind, inner: Option<&Type>) -> Answer {
    match inner {
        None => default(kind),
        Some(inner) => new(kind, (build(ruby, inner)?,)),
    }
}

fn enumeration(ruby: &Ruby, names: &EnumType) -> Answer {
    if names.values().is_empty() && !names.case_insensitive() {
        return default(Kind::Enum);
    }
    let values = array(ruby, names.values().iter().map(|value| Ok(ruby.str_new(value).as_value())))?;
    new(Kind::Enum, (values, names.case_insensitive()))
}

fn tuple(ruby: &Ruby, tuple: &TupleType) -> Answer {
    if tuple.types.is_empty() && tuple.size.is_none() {
        return default(Kind::Tuple);
    }
    let types = array(ruby, tuple.types.iter().map(|t| build(ruby, t)))?;
    let size = optional_size(tuple.size)?.unwrap_or_else(|| ruby.qnil().as_value());
    tuple_of(types, size)
}

fn structure(ruby: &Ruby, members: &StructType) -> Answer {
    let members = members.members().iter().map(|member| {
        let key = string(ruby, &member.name)?;
        let key = if member.optional { optional(key)? } else { key };
        struct_element(key, build(ruby, &member.value)?)
    });
    let members = array(ruby, members)?;
    if members.is_empty() {
        return default(Kind::Struct);
    }
    struct_of(members)
}

fn function(ruby: &Ruby, callable: &CallableType) -> Answer {
    if callable.params.is_none() && callable.block.is_none() && callable.returns.is_none() {
        return default(Kind::Callable);
    }
    let part = |t: Option<&Type>| t.map_or_else(|| Ok(ruby.qnil().as_value()), |t| build(ruby, t));
    let params = match &callable.params {
        Some(params) => tuple(ruby, params)?,
        None => ruby.qnil().as_value(),
    };
    new(Kind::Callable, (params, part(callable.block.as_ref())?, part(callable.returns.as_ref())?))
}
