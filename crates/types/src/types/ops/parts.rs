//! The parts of a type by the names that Puppet's type objects have for them.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use crate::types::{
    CallableType, IntegerRange, RuntimeType, Size, StringType, StructMember, TimeRange, Type,
};
use crate::value::{Regex, Value};

/// A part with its name. A part that the type lacks is undef.
type TypePart = (&'static str, Value);

impl Type {
    /// Returns the parts that the type consists of, besides its name. A size is an Integer type, and a member of a
    /// struct has three parts: name, type of the key and type of the value.
    pub fn parts(&self) -> Vec<TypePart> {
        match self {
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::SemVerRange
            | Self::Binary
            | Self::TypeSet(_)
            | Self::CatalogEntry => Vec::new(),
            Self::Integer(range) => range_parts(range.min, range.max, Value::Integer),
            Self::Float(range) => range_parts(range.min, range.max, Value::Float),
            Self::Timestamp(range) => time_parts(range, Value::Timestamp),
            Self::Timespan(range) => time_parts(range, Value::Timespan),
            Self::Boolean(truth) => vec![("value", optional(*truth))],
            Self::String(StringType::Sized(size)) => vec![size_part(*size)],
            Self::String(StringType::Value(text)) => vec![("value", Value::String(Arc::clone(text)))],
            Self::Enum(t) => vec![
                ("values", array(t.values().iter().map(|value| Value::String(Arc::clone(value))))),
                ("case_insensitive", t.case_insensitive().into()),
            ],
            Self::Pattern(t) => {
                let regexp = |regex: &Regex| Value::from(Self::Regexp(Some(regex.clone())));
                vec![("patterns", array(t.patterns.iter().map(regexp)))]
            }
            Self::Regexp(regex) => vec![("regexp", regex.clone().map_or(Value::Undef, Value::Regexp))],
            Self::SemVer(ranges) => {
                let ranges = ranges.iter().map(|range| Value::SemVerRange(Arc::new(range.clone())));
                vec![("ranges", array(ranges))]
            }
            Self::Uri(t) if t.parameters().is_empty() => vec![("parameters", Value::Undef)],
            Self::Uri(t) => vec![("parameters", Value::Hash(Arc::clone(t.parameters())))],
            Self::Init(t) => vec![contained("type", t.t()), ("init_args", t.args().to_vec().into())],
            Self::Collection(size) => vec![size_part(*size)],
            Self::Array(t) => vec![contained("element_type", Some(&t.element)), size_part(t.size)],
            Self::Hash(t) => vec![
                contained("key_type", Some(&t.key)),
                contained("value_type", Some(&t.value)),
                size_part(t.size),
            ],
            Self::Tuple(t) => vec![("types", all(&t.types)), size_part(t.size)],
            Self::Struct(t) => vec![("elements", array(t.members().iter().map(member)))],
            Self::Variant(types) => vec![("types", all(types))],
            Self::Optional(inner)
            | Self::NotUndef(inner)
            | Self::Type(inner)
            | Self::Iterable(inner)
            | Self::Iterator(inner)
            | Self::Sensitive(inner) => vec![contained("type", inner.as_deref())],
            Self::Callable(t) => callable_parts(t),
            Self::Runtime(t) => runtime_parts(t),
            Self::Object(t) => {
                vec![t.with_target(|t| contained("parent", t.and_then(|definition| definition.parent())))]
            }
            Self::ObjectExtension(t) => {
                let parameters =
                    t.parameters().iter().map(|(name, value)| (Value::from(&**name), value.clone()));
                vec![("base_type", Self::Object(t.base_ref()).into()), ("parameters", parameters.collect())]
            }
            Self::Class(name) => vec![text("class_name", name.as_ref())],
            Self::Resource(t) => {
                vec![text("type_name", t.type_name.as_ref()), text("title", t.title.as_ref())]
            }
            Self::Alias(alias) => vec![contained("resolved_type", alias.target().as_ref())],
            Self::Reference(name) => vec![text("type_string", Some(name))],
        }
    }
}

fn array(items: impl Iterator<Item = Value>) -> Value {
    items.collect::<Vec<_>>().into()
}

fn optional(value: Option<impl Into<Value>>) -> Value {
    value.map_or(Value::Undef, Into::into)
}

fn contained(name: &'static str, t: Option<&Type>) -> TypePart {
    (name, optional(t.cloned()))
}

fn text(name: &'static str, text: Option<&Arc<str>>) -> TypePart {
    (name, text.map_or(Value::Undef, |text| Value::String(Arc::clone(text))))
}

fn all(types: &[Type]) -> Value {
    array(types.iter().cloned().map(Value::from))
}

fn range_parts<T>(min: Option<T>, max: Option<T>, value: fn(T) -> Value) -> Vec<TypePart> {
    vec![("from", min.map_or(Value::Undef, value)), ("to", max.map_or(Value::Undef, value))]
}

fn time_parts<T: Copy>(range: &TimeRange<T>, value: fn(T) -> Value) -> Vec<TypePart> {
    range_parts(range.min, range.max, value)
}

fn size_part(size: Option<Size>) -> TypePart {
    let bound = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    let range = |size: Size| IntegerRange { min: Some(bound(size.min)), max: size.max.map(bound) };
    ("size_type", optional(size.map(|size| Type::Integer(range(size)))))
}

fn member(member: &StructMember) -> Value {
    let name = Value::String(Arc::clone(&member.name));
    vec![name, member.key_type().into(), member.value.clone().into()].into()
}

fn callable_parts(t: &CallableType) -> Vec<TypePart> {
    let parameters = t.params.clone().map(|params| Type::Tuple(Arc::new(params)));
    vec![
        contained("param_types", parameters.as_ref()),
        contained("block_type", t.block.as_ref()),
        contained("return_type", t.returns.as_ref()),
    ]
}

fn runtime_parts(t: &RuntimeType) -> Vec<TypePart> {
    let name = match (&t.pattern, &t.name) {
        (Some((pattern, replacement)), _) => {
            let pattern = Value::Regexp(pattern.clone());
            ("name_or_pattern", vec![pattern, Value::String(Arc::clone(replacement))].into())
        }
        (None, name) => text("name_or_pattern", name.as_ref()),
    };
    vec![text("runtime", t.runtime.as_ref()), name]
}
