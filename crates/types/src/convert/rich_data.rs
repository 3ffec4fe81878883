//! Values as rich data: what JSON has, and hashes that name the type of everything else.
//!
//! The form is that of Puppet's `ToDataConverter` with `rich_data`, in which catalogs are sent to agents
//! (<https://github.com/puppetlabs/puppet-specifications/blob/master/language/types_values_variables.md>).
//!
//! See Puppet's `pops/serialization/to_data_converter.rb`.

use std::sync::Arc;

use crate::function::{Implementation, implementation};
use crate::types::ops::object_init_hash;
use crate::types::{
    CallableType, IntegerRange, RuntimeType, Size, StringType, StructMember, TimeRange, TupleType, Type,
};
use crate::value::{Binary, Hash, Object, Regex, RuntimeObject, TYPE_KEY, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::host::objects;
use puppetfn_base::limits::{Depth, Limits};

/// The key of the text or of the elements that a value is made from.
const VALUE_KEY: &str = "__pvalue";

/// Makes rich data of the parts of one resource.
pub struct RichData<'d> {
    limits: &'d Limits,
    /// What messages call the owner of the value.
    subject: &'d dyn std::fmt::Display,
    path: Vec<Value>,
    /// The aliases around, which may not be met again.
    aliases: Vec<Arc<str>>,
    /// What had to be turned into text, in Puppet's words.
    pub warnings: Vec<String>,
}

impl<'d> RichData<'d> {
    /// Begins a conversion; `subject` is what warnings call the value.
    pub fn new(subject: &'d dyn std::fmt::Display, limits: &'d Limits) -> Self {
        Self { limits, subject, path: Vec::new(), aliases: Vec::new(), warnings: Vec::new() }
    }

    /// Returns the data of a value that is known by a name.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when it nests too deep; [`ErrorKind::Evaluation`] for a type that contains itself.
    pub fn of(&mut self, name: &str, value: &Value) -> Result<Value, Error> {
        let depth = Depth::nesting(self.limits);
        self.within(name.into(), |data| data.value(value, depth))
    }

    fn within<R>(&mut self, part: Value, make: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(part);
        let made = make(self);
        self.path.pop();
        made
    }

    fn value(&mut self, value: &Value, depth: Depth) -> Result<Value, Error> {
        let depth = depth.deeper()?;
        Ok(match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
                value.clone()
            }
            Value::Default => typed("Default", []),
            Value::Array(items) => self.array(items, depth)?,
            Value::Hash(hash) => self.hash(hash, depth)?,
            Value::Sensitive(inner) => {
                let inner = self.value(inner, depth)?;
                typed("Sensitive", [(VALUE_KEY, inner)])
            }
            Value::Regexp(regex) => typed("Regexp", [(VALUE_KEY, regex.source().into())]),
            Value::SemVer(_) => self.text("SemVer", value)?,
            Value::SemVerRange(_) => self.text("SemVerRange", value)?,
            Value::Binary(_) => self.text("Binary", value)?,
            Value::Uri(_) => self.text("URI", value)?,
            Value::Timestamp(_) => self.text("Timestamp", value)?,
            Value::Timespan(_) => self.text("Timespan", value)?,
            Value::Type(t) => self.t(t, depth)?,
            Value::Object(object) => {
                let host = implementation(object).and_then(Implementation::host);
                match host.and_then(|host| objects()?.class_without_data(host)) {
                    Some(class) => self.as_text(value, &class)?,
                    None => self.object(object, depth)?,
                }
            }
            Value::Runtime(object) if object.as_integer().is_some() => value.clone(),
            Value::Runtime(object) => self.runtime_object(value, object, depth)?,
            Value::Iterator(_) | Value::Callable(_) | Value::Unknown(_) => {
                self.as_text(value, &value.ruby_class())?
            }
        })
    }

    fn runtime_object(
        &mut self,
        value: &Value,
        object: &RuntimeObject,
        depth: Depth,
    ) -> Result<Value, Error> {
        if let Some(name) = object.as_symbol() {
            return Ok(Value::String(Arc::clone(name)));
        }
        if let Some(text) = object.as_bytes() {
            if text.is_binary() {
                return self.text("Binary", &Value::Binary(Binary::new(text.bytes().to_vec())));
            }
            // The words of Ruby's JSON, which Puppet writes catalogs with.
            return Err(Error::new(ErrorKind::Evaluation, "source sequence is illegal/malformed utf-8"));
        }
        match object.contents() {
            Some(contents) => self.value(contents, depth),
            None => self.as_text(value, object.class_name()),
        }
    }

    fn array(&mut self, items: &[Value], depth: Depth) -> Result<Value, Error> {
        let mut data = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let index = Value::Integer(i64::try_from(index).unwrap_or(i64::MAX));
            data.push(self.within(index, |rich| rich.value(item, depth))?);
        }
        Ok(data.into())
    }

    /// Returns a hash; one that JSON cannot hold is a list of its keys and values.
    fn hash(&mut self, hash: &Hash, depth: Depth) -> Result<Value, Error> {
        let is_plain = |key: &Value| matches!(key, Value::String(key) if **key != *TYPE_KEY);
        if hash.iter().all(|(key, _)| is_plain(key)) {
            let mut data = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                data.insert(key.clone(), self.within(key.clone(), |rich| rich.value(value, depth))?);
            }
            return Ok(data.into());
        }
        let mut pairs = Vec::with_capacity(hash.len().saturating_mul(2));
        for (key, value) in hash.iter() {
            let key = self.value(key, depth)?;
            let value = self.within(key.clone(), |rich| rich.value(value, depth))?;
            pairs.extend([key, value]);
        }
        Ok(typed("Hash", [(VALUE_KEY, pairs.into())]))
    }

    fn text(&self, name: &str, value: &Value) -> Result<Value, Error> {
        Ok(typed(name, [(VALUE_KEY, value.interpolated(self.limits)?.into())]))
    }

    fn object(&mut self, object: &Object, depth: Depth) -> Result<Value, Error> {
        let name = object.definition().label();
        let Value::Hash(attributes) = self.entries(&object.init_hash(), depth)? else {
            return Ok(Value::Undef);
        };
        let attributes = attributes.iter().map(|(name, value)| (name.clone(), value.clone()));
        Ok(std::iter::once((TYPE_KEY.into(), name.into())).chain(attributes).collect())
    }

    /// Returns the data of the values of a hash whose keys are names.
    fn entries(&mut self, hash: &Hash, depth: Depth) -> Result<Value, Error> {
        hash.iter()
            .map(|(key, value)| Ok((key.clone(), self.within(key.clone(), |rich| rich.value(value, depth))?)))
            .collect()
    }

    /// Returns the text that Ruby has for a value that no data can represent.
    fn as_text(&mut self, value: &Value, class: &str) -> Result<Value, Error> {
        let text = value.ruby_to_s(self.limits)?;
        let article = if class.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
        let mut place = self.subject.to_string();
        for part in &self.path {
            place.push_str(&format!("[{}]", part.to_literal()));
        }
        self.warnings.push(format!(
            "{place} contains {article} {class} value. It will be converted to the String '{text}'"
        ));
        Ok(text.into())
    }
}

/// Types are objects of the types in Puppet's own set `Pcore`.
impl RichData<'_> {
    fn t(&mut self, t: &Type, depth: Depth) -> Result<Value, Error> {
        let depth = depth.deeper()?;
        let one = |rich: &mut Self, name: &str, key: &'static str, t: Option<&Arc<Type>>| match t {
            Some(t) => Ok(typed(name, [(key, rich.t(t, depth)?)])),
            None => Ok(typed(name, [])),
        };
        Ok(match t {
            Type::Any => typed("Pcore::AnyType", []),
            Type::Undef => typed("Pcore::UndefType", []),
            Type::Default => typed("Pcore::DefaultType", []),
            Type::Scalar => typed("Pcore::ScalarType", []),
            Type::ScalarData => typed("Pcore::ScalarDataType", []),
            Type::Numeric => typed("Pcore::NumericType", []),
            Type::Boolean(_) => typed("Pcore::BooleanType", []),
            Type::SemVerRange => typed("Pcore::SemVerRangeType", []),
            Type::Binary => typed("Pcore::BinaryType", []),
            Type::CatalogEntry => typed("Pcore::CatalogEntryType", []),
            Type::Sensitive(_) => typed("Pcore::SensitiveType", []),
            Type::Unit => typed("Pcore::TypeReferenceType", [("type_string", "Unit".into())]),
            Type::Reference(text) => {
                typed("Pcore::TypeReferenceType", [("type_string", Value::String(Arc::clone(text)))])
            }
            Type::Integer(range) => integer(*range),
            Type::Float(range) => {
                bounds("Pcore::FloatType", [range.min, range.max].map(|b| b.map(Value::Float)))
            }
            Type::Timestamp(range) => self.times("Pcore::TimestampType", range, Value::Timestamp, depth)?,
            Type::Timespan(range) => self.times("Pcore::TimespanType", range, Value::Timespan, depth)?,
            Type::String(StringType::Value(text)) => {
                typed("Pcore::StringType", [("size_type_or_value", Value::String(Arc::clone(text)))])
            }
            Type::String(StringType::Sized(size)) => {
                typed("Pcore::StringType", size.map(|size| ("size_type_or_value", sized(size))))
            }
            Type::Enum(t) => {
                let values: Vec<Value> = t.values().iter().map(|v| Value::String(Arc::clone(v))).collect();
                let insensitive = t.case_insensitive().then_some(("case_insensitive", true.into()));
                typed("Pcore::EnumType", [("values", values.into())].into_iter().chain(insensitive))
            }
            Type::Pattern(t) => {
                let patterns: Vec<Value> = t.patterns.iter().map(regexp).collect();
                typed("Pcore::PatternType", [("patterns", patterns.into())])
            }
            Type::Regexp(None) => typed("Pcore::RegexpType", []),
            Type::Regexp(Some(regex)) => regexp(regex),
            Type::SemVer(ranges) => {
                let ranges: Result<Vec<Value>, Error> = ranges
                    .iter()
                    .map(|range| self.value(&Value::SemVerRange(Arc::new(range.clone())), depth))
                    .collect();
                typed(
                    "Pcore::SemVerType",
                    Some(ranges?).filter(|r| !r.is_empty()).map(|r| ("ranges", r.into())),
                )
            }
            Type::Uri(t) => {
                let parameters = Value::Hash(Arc::clone(t.parameters()));
                let parameters = (!t.parameters().is_empty()).then_some(parameters);
                match parameters {
                    Some(parameters) => {
                        typed("Pcore::URIType", [("parameters", self.value(&parameters, depth)?)])
                    }
                    None => typed("Pcore::URIType", []),
                }
            }
            Type::Collection(size) => {
                typed("Pcore::CollectionType", size.map(|size| ("size_type", sized(size))))
            }
            Type::Array(t) => {
                let element = (t.element != Type::Any).then(|| self.t(&t.element, depth)).transpose()?;
                let element = element.map(|element| ("element_type", element));
                typed(
                    "Pcore::ArrayType",
                    element.into_iter().chain(t.size.map(|size| ("size_type", sized(size)))),
                )
            }
            Type::Hash(t) => {
                let has_types = t.key != Type::Any || t.value != Type::Any;
                let mut parts = Vec::new();
                if has_types {
                    parts.push(("key_type", self.t(&t.key, depth)?));
                    parts.push(("value_type", self.t(&t.value, depth)?));
                }
                parts.extend(t.size.map(|size| ("size_type", sized(size))));
                typed("Pcore::HashType", parts)
            }
            Type::Tuple(t) => self.tuple(t, depth)?,
            Type::Struct(t) => {
                let members: Result<Vec<Value>, Error> =
                    t.members().iter().map(|member| self.member(member, depth)).collect();
                typed("Pcore::StructType", [("elements", members?.into())])
            }
            Type::Variant(types) => typed("Pcore::VariantType", [("types", self.types(types, depth)?)]),
            Type::Optional(inner) => one(self, "Pcore::OptionalType", "type", inner.as_ref())?,
            Type::NotUndef(inner) => one(self, "Pcore::NotUndefType", "type", inner.as_ref())?,
            Type::Type(inner) => one(self, "Pcore::TypeType", "type", inner.as_ref())?,
            Type::Iterable(inner) => one(self, "Pcore::IterableType", "type", inner.as_ref())?,
            Type::Iterator(inner) => one(self, "Pcore::IteratorType", "type", inner.as_ref())?,
            Type::Init(t) => {
                let mut parts = Vec::new();
                if let Some(t) = t.t() {
                    parts.push(("type", self.t(t, depth)?));
                }
                if !t.args().is_empty() {
                    parts.push(("init_args", self.array(t.args(), depth)?));
                }
                typed("Pcore::InitType", parts)
            }
            Type::Callable(t) => self.callable(t, depth)?,
            Type::Runtime(t) => runtime(t),
            Type::Class(name) => typed(
                "Pcore::ClassType",
                name.iter().map(|name| ("class_name", Value::String(Arc::clone(name)))),
            ),
            Type::Resource(t) => {
                let name = t.type_name.iter().map(|name| ("type_name", Value::String(Arc::clone(name))));
                let title = t.title.iter().map(|title| ("title", Value::String(Arc::clone(title))));
                typed("Pcore::ResourceType", name.chain(title))
            }
            Type::Object(object) => match object.get() {
                Some(definition) => {
                    let hash = self.entries(&object_init_hash(&definition), depth)?;
                    typed("Pcore::ObjectType", [("_pcore_init_hash", hash)])
                }
                None => typed("Pcore::TypeReferenceType", [("type_string", (&**object.name()).into())]),
            },
            // Puppet has no data for these; their text is what they can be read from again.
            Type::ObjectExtension(_) | Type::TypeSet(_) => {
                typed("Pcore::TypeReferenceType", [("type_string", t.to_string().into())])
            }
            Type::Alias(alias) => {
                let name = Value::String(Arc::clone(alias.name()));
                let Some(target) = alias.resolved() else {
                    return Ok(typed("Pcore::TypeReferenceType", [("type_string", name)]));
                };
                if self.aliases.contains(alias.name()) {
                    return Err(Error::of_evaluation(
                        ErrorKind::Evaluation,
                        "Endless recursion detected when attempting to serialize value of class \
                         Puppet::Pops::Types::PTypeAliasType",
                    ));
                }
                self.aliases.push(Arc::clone(alias.name()));
                let resolved = self.t(&target, depth);
                self.aliases.pop();
                let parts = [("name", name), ("type_expr", Value::Undef), ("resolved_type", resolved?)];
                typed("Pcore::TypeAliasType", parts)
            }
        })
    }

    fn types(&mut self, types: &[Type], depth: Depth) -> Result<Value, Error> {
        let types: Result<Vec<Value>, Error> = types.iter().map(|t| self.t(t, depth)).collect();
        types.map(Value::from)
    }

    fn tuple(&mut self, t: &TupleType, depth: Depth) -> Result<Value, Error> {
        let types = ("types", self.types(&t.types, depth)?);
        Ok(typed(
            "Pcore::TupleType",
            [types].into_iter().chain(t.size.map(|size| ("size_type", sized(size)))),
        ))
    }

    fn member(&mut self, member: &StructMember, depth: Depth) -> Result<Value, Error> {
        let parts =
            [("key_type", self.t(&member.key_type(), depth)?), ("value_type", self.t(&member.value, depth)?)];
        Ok(typed("Pcore::StructElement", parts))
    }

    fn callable(&mut self, t: &CallableType, depth: Depth) -> Result<Value, Error> {
        let params = t.params.as_ref().map_or(Ok(Value::Undef), |params| self.tuple(params, depth))?;
        let mut optional = |t: &Option<Type>| t.as_ref().map_or(Ok(Value::Undef), |t| self.t(t, depth));
        let (block, returns) = (optional(&t.block)?, optional(&t.returns)?);
        let parts = [("param_types", params), ("block_type", block), ("return_type", returns)];
        Ok(typed("Pcore::CallableType", parts))
    }

    fn times<T: Copy>(
        &mut self,
        name: &str,
        range: &TimeRange<T>,
        value: fn(T) -> Value,
        depth: Depth,
    ) -> Result<Value, Error> {
        let mut bound = |bound: Option<T>| bound.map(|bound| self.value(&value(bound), depth)).transpose();
        Ok(bounds(name, [bound(range.min)?, bound(range.max)?]))
    }
}

/// Returns a hash that names a type.
fn typed(name: &str, parts: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let parts = parts.into_iter().map(|(key, value)| (key.into(), value));
    std::iter::once((TYPE_KEY.into(), name.into())).chain(parts).collect()
}

fn bounds(name: &str, [from, to]: [Option<Value>; 2]) -> Value {
    typed(name, from.map(|from| ("from", from)).into_iter().chain(to.map(|to| ("to", to))))
}

fn integer(range: IntegerRange) -> Value {
    bounds("Pcore::IntegerType", [range.min, range.max].map(|bound| bound.map(Value::Integer)))
}

/// A size is a range of integers in Puppet.
fn sized(size: Size) -> Value {
    let bound = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    integer(IntegerRange { min: Some(bound(size.min)), max: size.max.map(bound) })
}

fn regexp(regex: &Regex) -> Value {
    typed("Pcore::RegexpType", [("pattern", regex.source().into())])
}

fn runtime(t: &RuntimeType) -> Value {
    let name = match (&t.pattern, &t.name) {
        (Some((pattern, replacement)), _) => {
            let pattern = typed("Regexp", [(VALUE_KEY, pattern.source().into())]);
            Some(Value::from(vec![pattern, Value::String(Arc::clone(replacement))]))
        }
        (None, name) => name.clone().map(Value::String),
    };
    let runtime = t.runtime.iter().map(|runtime| ("runtime", Value::String(Arc::clone(runtime))));
    typed("Pcore::RuntimeType", runtime.chain(name.map(|name| ("name_or_pattern", name))))
}
