//! The Ruby class of each kind of type, and the parts that types are made of.

use std::collections::HashMap;
use std::sync::Arc;

use magnus::r_hash::ForEach;
use magnus::value::Opaque;
use magnus::{Error, IntoValue, Module, Object, RArray, RClass, RHash, RModule, Ruby, Value, method};
use puppetfn::types::{CallableType, IntegerRange, Size, StringType, StructMember, Type};
use puppetfn::value::{SemVerRange, Value as CoreValue};

use super::rich;
use super::types::wrap;
use crate::ruby::convert::{regexp, to_object};
use crate::ruby::error::guarded;
use crate::ruby::raw;
use crate::ruby::wrap::set_type_classes;
use crate::ruby::wrapped::RubyType;

/// @yard
/// @def kinds=(classes)
/// Sets the class of the objects of each kind of type, once and for all.
/// @param classes [Hash{String=>Class}] subclasses of Puppetfn::Type by the simple name of the kind
/// @api private
fn set_kinds(ruby: &Ruby, _type_class: Value, classes: RHash) -> Result<(), Error> {
    let mut kinds = HashMap::new();
    classes.foreach(|name: String, class: RClass| {
        ruby.gc_register_mark_object(class);
        kinds.insert(name, Opaque::from(class));
        Ok(ForEach::Continue)
    })?;
    if set_type_classes(kinds) {
        return Ok(());
    }
    Err(Error::new(ruby.exception_runtime_error(), "the classes of the kinds of types are set already"))
}

/// @yard
/// @def parts
/// @return [Hash{Symbol=>Object}] what the type is made of, by Puppet's names; nil where it has none
/// @api private
fn parts(ruby: &Ruby, this: &RubyType) -> Result<RHash, Error> {
    guarded(ruby, || {
        let parts = Parts { ruby, parts: ruby.hash_new() };
        parts.add(&this.0)?;
        Ok(parts.parts)
    })
}

struct Parts<'r> {
    ruby: &'r Ruby,
    parts: RHash,
}

impl Parts<'_> {
    fn add(&self, t: &Type) -> Result<(), Error> {
        match t {
            Type::Any
            | Type::Unit
            | Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::SemVerRange
            | Type::Binary
            | Type::TypeSet(_)
            | Type::CatalogEntry => Ok(()),
            Type::Integer(range) => {
                self.set("from", range.min)?;
                self.set("to", range.max)
            }
            Type::Float(range) => {
                self.set("from", range.min)?;
                self.set("to", range.max)
            }
            Type::Boolean(value) => self.set("value", *value),
            Type::String(StringType::Sized(size)) => self.size(*size),
            Type::String(StringType::Value(value)) => self.text("value", Some(value)),
            Type::Enum(strings) => {
                self.set("case_insensitive", strings.case_insensitive())?;
                self.set(
                    "values",
                    self.ruby.ary_from_iter(strings.values().iter().map(|value| self.ruby.str_new(value))),
                )
            }
            Type::Pattern(pattern) => {
                let patterns =
                    pattern.patterns.iter().map(|regex| self.wrapped(&Type::Regexp(Some(regex.clone()))));
                self.set("patterns", self.ruby.ary_from_iter(patterns))
            }
            Type::Regexp(regex) => {
                let regex = regex.as_ref().map(|regex| regexp(self.ruby, regex)).transpose()?;
                self.set("regexp", regex)
            }
            Type::SemVer(ranges) => {
                let range =
                    |range: &SemVerRange| rich::wrap(self.ruby, CoreValue::SemVerRange(range.clone().into()));
                let ranges: Result<Vec<_>, _> = ranges.iter().map(range).collect();
                self.set("ranges", self.ruby.ary_new_from_values(&ranges?))
            }
            Type::Uri(uri) => {
                let parameters = Some(uri.parameters()).filter(|parameters| !parameters.is_empty());
                let parameters =
                    parameters.map(|hash| to_object(self.ruby, &CoreValue::Hash(Arc::clone(hash))));
                self.set("parameters", parameters.transpose()?)
            }
            Type::Timestamp(range) => {
                self.rich("from", range.min.map(CoreValue::Timestamp))?;
                self.rich("to", range.max.map(CoreValue::Timestamp))
            }
            Type::Timespan(range) => {
                self.rich("from", range.min.map(CoreValue::Timespan))?;
                self.rich("to", range.max.map(CoreValue::Timespan))
            }
            Type::Init(init) => {
                self.contained("type", init.t())?;
                let args: Result<Vec<_>, _> =
                    init.args().iter().map(|arg| to_object(self.ruby, arg)).collect();
                self.set("init_args", self.ruby.ary_new_from_values(&args?))
            }
            Type::Collection(size) => self.size(*size),
            Type::Array(array) => {
                self.contained("element_type", Some(&array.element))?;
                self.size(array.size)
            }
            Type::Hash(hash) => {
                self.contained("key_type", Some(&hash.key))?;
                self.contained("value_type", Some(&hash.value))?;
                self.size(hash.size)
            }
            Type::Tuple(tuple) => {
                self.set("types", self.types(&tuple.types))?;
                self.size(tuple.size)
            }
            Type::Struct(members) => self.set("elements", self.members(members.members())?),
            Type::Variant(types) => self.set("types", self.types(types)),
            Type::Optional(inner)
            | Type::NotUndef(inner)
            | Type::Type(inner)
            | Type::Iterable(inner)
            | Type::Iterator(inner)
            | Type::Sensitive(inner) => self.contained("type", inner.as_deref()),
            Type::Callable(callable) => self.callable(callable),
            Type::Runtime(runtime) => {
                self.text("runtime", runtime.runtime.as_deref())?;
                self.text("name_or_pattern", runtime.name.as_deref())
            }
            Type::Object(object) => object
                .with_target(|object| self.contained("parent", object.and_then(|object| object.parent()))),
            Type::ObjectExtension(extension) => {
                self.contained("base_type", Some(&Type::Object(extension.base_ref())))?;
                let parameters = extension.parameters().iter();
                let parameters: CoreValue =
                    parameters.map(|(name, value)| (CoreValue::from(&**name), value.clone())).collect();
                self.set("parameters", to_object(self.ruby, &parameters)?)
            }
            Type::Class(name) => self.text("class_name", name.as_deref()),
            Type::Resource(resource) => {
                self.text("type_name", resource.type_name.as_deref())?;
                self.text("title", resource.title.as_deref())
            }
            Type::Alias(alias) => self.contained("resolved_type", alias.target().as_ref()),
            Type::Reference(text) => self.text("type_string", Some(text)),
        }
    }

    fn callable(&self, callable: &CallableType) -> Result<(), Error> {
        let parameters = callable.params.clone().map(|tuple| Type::Tuple(tuple.into()));
        self.contained("param_types", parameters.as_ref())?;
        self.contained("block_type", callable.block.as_ref())?;
        self.contained("return_type", callable.returns.as_ref())
    }

    fn set(&self, name: &str, value: impl IntoValue) -> Result<(), Error> {
        self.parts.aset(self.ruby.to_symbol(name), value)
    }

    fn text(&self, name: &str, text: Option<&str>) -> Result<(), Error> {
        self.set(name, text.map(|text| self.ruby.str_new(text)))
    }

    fn rich(&self, name: &str, value: Option<CoreValue>) -> Result<(), Error> {
        let value = value.map(|value| rich::wrap(self.ruby, value)).transpose()?;
        self.set(name, value)
    }

    fn contained(&self, name: &str, t: Option<&Type>) -> Result<(), Error> {
        self.set(name, t.map(|t| self.wrapped(t)))
    }

    fn wrapped(&self, t: &Type) -> Value {
        wrap(self.ruby, t.clone())
    }

    fn types(&self, types: &[Type]) -> RArray {
        self.ruby.ary_from_iter(types.iter().map(|t| self.wrapped(t)))
    }

    /// A size is an Integer type in Ruby.
    fn size(&self, size: Option<Size>) -> Result<(), Error> {
        let bound = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let range = size.map(|size| IntegerRange { min: Some(bound(size.min)), max: size.max.map(bound) });
        self.contained("size_type", range.map(Type::Integer).as_ref())
    }

    fn members(&self, members: &[StructMember]) -> Result<RArray, Error> {
        let array = self.ruby.ary_new_capa(members.len());
        for member in members {
            let name = self.ruby.str_new(&member.name);
            array.push((name, self.wrapped(&member.key_type()), self.wrapped(&member.value)))?;
        }
        Ok(array)
    }
}

/// @yard
/// @def iterators=(iterator_class)
/// Sets the class of the values of the type `Iterator`, once and for all.
/// @param iterator_class [Class]
/// @api private
fn set_iterators(_type_class: Value, class: RClass) {
    raw::set_iterators(class);
}

/// Defines the methods.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let class: RClass = puppetfn.const_get("Type")?;
    class.define_singleton_method("kinds=", method!(set_kinds, 1))?;
    class.define_singleton_method("iterators=", method!(set_iterators, 1))?;
    class.define_method("parts", method!(parts, 0))
}
