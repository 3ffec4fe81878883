//! Types with parameters.

use magnus::rb_sys::AsRawValue;
use magnus::value::ReprValue;
use magnus::{RHash, RRegexp, RString, Ruby, TryConvert, Value};
use puppetfn::subject::{Shape, Subject};
use puppetfn::types::TypeKind;

use super::super::build::{
    array_of, enum_of, hash_of, integer, new, optional as optional_type, pattern_of, regexp_of, string_of,
    struct_element, struct_of, tuple_of, variant,
};
use super::{ObjectInterpreter, TypeParserResult};
use crate::ruby::decline::Reason;
use crate::ruby::raw::{InstanceVariable, is_type, puppet_subject, type_kind_of, with_elements};

impl ObjectInterpreter<'_> {
    /// Returns the type of a name with these parameters.
    pub(super) fn with_params(&mut self, name: &str, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let ruby = self.ruby;
        match name {
            "array" => match params {
                [element, size @ ..] if element.is(ParamKind::Type) => {
                    let size = self.size(size)?;
                    if self.is_empty(size) {
                        new(TypeKind::Array, (element.value(), size))
                    } else {
                        array_of(element.value(), size)
                    }
                }
                _ => Err(Reason::Arguments),
            },
            "hash" => match params {
                [key, value, size @ ..] if key.is(ParamKind::Type) && value.is(ParamKind::Type) => {
                    let size = self.size(size)?;
                    if self.is_empty(size) {
                        new(TypeKind::Hash, (key.value(), value.value(), size))
                    } else {
                        hash_of(key.value(), value.value(), size)
                    }
                }
                _ => Err(Reason::Arguments),
            },
            "collection" if !params.is_empty() => new(TypeKind::Collection, (self.size(params)?,)),
            "string" if !params.is_empty() => string_of(self.size(params)?),
            "integer" => self.integer(params),
            "float" => self.float(params),
            "enum" => self.enumeration(params),
            "variant" if !params.is_empty() && params.iter().all(|param| param.is(ParamKind::Type)) => {
                self.variant(params)
            }
            "tuple" => self.tuple(params),
            "struct" => match params {
                [members] if members.is(ParamKind::Hash) => self.factory(name, params),
                _ => Err(Reason::Arguments),
            },
            "pattern" if matches!(params, [param] if param.is(ParamKind::Regexp)) => {
                let patterns = ruby.ary_new_capa(params.len());
                for regexp in params.iter().filter_map(|param| RRegexp::from_value(param.value())) {
                    patterns.push(regexp_of(regexp)?).map_err(|_| Reason::Other)?;
                }
                pattern_of(patterns)
            }
            "callable" | "pattern" if !params.is_empty() => self.factory(name, params),
            "regexp" if matches!(params, [param] if matches!(param.sort, ParamKind::String | ParamKind::Regexp)) => {
                self.factory(name, params)
            }
            "boolean" if matches!(params, [param] if param.is(ParamKind::Boolean)) => {
                self.factory(name, params)
            }
            "timespan" | "timestamp" if params.len() <= 2 => self.factory(name, params),
            "optional" => self.around(TypeKind::Optional, params),
            "notundef" => self.around(TypeKind::NotUndef, params),
            "sensitive" | "type" | "iterable" | "iterator" => match params {
                [inner] if inner.is(ParamKind::Type) => {
                    let kind = match name {
                        "sensitive" => TypeKind::Sensitive,
                        "type" => TypeKind::Type,
                        "iterable" => TypeKind::Iterable,
                        _ => TypeKind::Iterator,
                    };
                    new(kind, (inner.value(),))
                }
                _ => Err(Reason::Arguments),
            },
            _ => Err(Reason::Names),
        }
    }

    /// A Variant of types of different kinds needs no normalization; Puppet normalizes all others.
    fn variant(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let types = self.ruby.ary_from_iter(params.iter().map(|param| param.value()));
        let kinds: Vec<_> = params.iter().map(|param| type_kind_of(param.value())).collect();
        let differ =
            kinds.iter().enumerate().all(|(at, kind)| !kinds.iter().skip(at + 1).any(|other| other == kind));
        if differ && kinds.len() > 1 && !kinds.contains(&Some(TypeKind::Variant)) {
            return variant(types);
        }
        let class = crate::ruby::raw::class_of_kind(TypeKind::Variant).ok_or(Reason::Other)?;
        self.ask(class.as_value(), "maybe_create", (types,))
    }

    /// Returns the size given after the other parameters; nil if there is none.
    fn size(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        match params {
            [] => Ok(self.ruby.qnil().as_value()),
            [size] if type_kind_of(size.value()) == Some(TypeKind::Integer) => {
                self.ask(size.value(), "to_size", ())
            }
            [min] if min.is_bound() => self.range(*min, None),
            [min, max] if min.is_bound() && max.is_bound() => self.range(*min, Some(*max)),
            _ => Err(Reason::Arguments),
        }
    }

    /// Returns the Integer type of a size. Impossible sizes are left to Puppet, which creates them or raises.
    fn range(&self, min: ObjectParam<'_>, max: Option<ObjectParam<'_>>) -> TypeParserResult {
        let bound = |param: ObjectParam<'_>| match param.sort {
            ParamKind::Integer => i64::try_convert(param.value()).map(Some).map_err(|_| Reason::Bignum),
            ParamKind::Type
            | ParamKind::Float
            | ParamKind::Default
            | ParamKind::String
            | ParamKind::Regexp
            | ParamKind::Boolean
            | ParamKind::Hash
            | ParamKind::Other => Ok(None),
        };
        let (min, max) = (bound(min)?.ok_or(Reason::Arguments)?, max.map_or(Ok(None), bound)?);
        if min < 0 || max.is_some_and(|max| max < min) {
            return Err(Reason::Arguments);
        }
        integer(self.ruby, Some(min), max)
    }

    /// Returns true if a size only allows empty collections, which have types of their own.
    fn is_empty(&self, size: Value) -> bool {
        static TO: InstanceVariable = InstanceVariable::new(c"@to");
        !size.is_nil() && i64::try_convert(TO.get(size)).is_ok_and(|to| to == 0)
    }

    fn integer(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let number = |param: &ObjectParam<'_>| i64::try_convert(param.value()).map_err(|_| Reason::Bignum);
        match params {
            [min] if min.is(ParamKind::Integer) => integer(self.ruby, Some(number(min)?), None),
            [min, max]
                if min.is(ParamKind::Integer)
                    && max.is(ParamKind::Integer)
                    && number(min)? <= number(max)? =>
            {
                integer(self.ruby, Some(number(min)?), Some(number(max)?))
            }
            [min, max] if min.is_bound() && max.is_bound() => {
                new(TypeKind::Integer, (min.value(), max.value()))
            }
            _ => Err(Reason::Arguments),
        }
    }

    fn float(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let bound = |param: &ObjectParam<'_>| match param.sort {
            ParamKind::Default => Ok(None),
            ParamKind::Integer | ParamKind::Float => {
                f64::try_convert(param.value()).map(Some).map_err(|_| Reason::Arguments)
            }
            ParamKind::Type
            | ParamKind::String
            | ParamKind::Regexp
            | ParamKind::Boolean
            | ParamKind::Hash
            | ParamKind::Other => Err(Reason::Arguments),
        };
        match params {
            [min] if !min.is(ParamKind::Default) => new(TypeKind::Float, (bound(min)?, None::<f64>)),
            [min, max] => new(TypeKind::Float, (bound(min)?, bound(max)?)),
            _ => Err(Reason::Arguments),
        }
    }

    fn enumeration(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let (values, case_insensitive) = match params {
            [values @ .., last] if last.is(ParamKind::Boolean) => (values, last.value().to_bool()),
            values => (values, false),
        };
        if values.is_empty() || !values.iter().all(|value| value.is(ParamKind::String)) {
            return Err(Reason::Arguments);
        }
        let array = self.ruby.ary_from_iter(values.iter().map(|value| value.value()));
        if values.is_sorted_by(|a, b| is_before(a, b)) {
            enum_of(self.ruby, array, case_insensitive)
        } else {
            new(TypeKind::Enum, (array, case_insensitive))
        }
    }

    fn tuple(&self, params: &[ObjectParam<'_>]) -> TypeParserResult {
        let (types, size) = match params {
            [types @ .., min, max] if min.is_bound() && max.is_bound() => (types, Some((min, Some(max)))),
            [types @ .., min] if min.is_bound() => (types, Some((min, None))),
            types => (types, None),
        };
        if params.is_empty() || !types.iter().all(|param| param.is(ParamKind::Type)) {
            return Err(Reason::Arguments);
        }
        let size = size.map(|(min, max)| self.range(*min, max.copied()));
        let size = size.transpose()?.unwrap_or_else(|| self.ruby.qnil().as_value());
        tuple_of(self.ruby.ary_from_iter(types.iter().map(|t| t.value())), size)
    }

    /// Returns a struct of names that differ, and their types, in turns.
    pub(super) fn structure(&self, members: &[Value]) -> TypeParserResult {
        let elements = self.ruby.ary_new_capa(members.len() / 2);
        for member in members.chunks_exact(2) {
            let &[key, value] = member else { return Err(Reason::Other) };
            match self.member(key, value)? {
                Some(element) => elements.push(element).map_err(|_| Reason::Other)?,
                None => return self.unusual_structure(members),
            }
        }
        struct_of(elements)
    }

    fn unusual_structure(&self, members: &[Value]) -> TypeParserResult {
        let hash = self.ruby.hash_new();
        hash.bulk_insert(members).map_err(|_| Reason::Other)?;
        with_elements(self.ruby.ary_new_from_values(&[hash]), |hash| {
            let hash: Vec<_> = hash.iter().map(|hash| ObjectParam::of(self.ruby, hash)).collect();
            self.factory("struct", &hash)
        })
    }

    /// One member of a struct; `None` if its key or its type is of an unusual form.
    fn member(&self, key: Value, value: Value) -> Result<Option<Value>, Reason> {
        if !is_type(value) {
            return Ok(None);
        }
        let name = match type_kind_of(key) {
            Some(TypeKind::Optional) => {
                return Ok(match optional_name(key) {
                    true => Some(struct_element(key, value)?),
                    false => None,
                });
            }
            Some(_) => return Ok(None),
            None => match RString::from_value(key) {
                Some(name) if !name.is_empty() => name,
                Some(_) | None => return Ok(None),
            },
        };
        let name = string_of(name.as_value())?;
        let Some(optional) = accepts_undef(value) else { return Ok(None) };
        let key = if optional { optional_type(name)? } else { name };
        struct_element(key, value).map(Some)
    }

    fn around(&self, kind: TypeKind, params: &[ObjectParam<'_>]) -> TypeParserResult {
        match params {
            [inner] if inner.is(ParamKind::Type) => new(kind, (inner.value(),)),
            [inner] if inner.is(ParamKind::String) => {
                let inner = string_of(inner.value())?;
                if kind == TypeKind::Optional { optional_type(inner) } else { new(kind, (inner,)) }
            }
            _ => Err(Reason::Arguments),
        }
    }
}

/// Returns true if a string is before another one in the order of Ruby's.
fn is_before(a: &ObjectParam<'_>, b: &ObjectParam<'_>) -> bool {
    let (a, b) = (a.value(), b.value());
    match (puppet_subject(&a).shape(), puppet_subject(&b).shape()) {
        (Ok(Shape::String(a)), Ok(Shape::String(b))) => a < b,
        _ => false,
    }
}

/// Returns true if an Optional type contains the type of one string.
fn optional_name(key: Value) -> bool {
    static TYPE: InstanceVariable = InstanceVariable::new(c"@type");
    static NAME: InstanceVariable = InstanceVariable::new(c"@size_type_or_value");
    let inner = TYPE.get(key);
    type_kind_of(inner) == Some(TypeKind::String) && RString::from_value(NAME.get(inner)).is_some()
}

/// Returns whether a type accepts undef, if its kind decides that.
#[allow(clippy::wildcard_enum_match_arm, reason = "Puppet parses all other types")]
fn accepts_undef(t: Value) -> Option<bool> {
    match type_kind_of(t)? {
        TypeKind::Any | TypeKind::Undef => Some(true),
        TypeKind::String
        | TypeKind::Integer
        | TypeKind::Float
        | TypeKind::Numeric
        | TypeKind::Boolean
        | TypeKind::Enum
        | TypeKind::Pattern
        | TypeKind::Regexp
        | TypeKind::Array
        | TypeKind::Hash
        | TypeKind::Tuple
        | TypeKind::Struct
        | TypeKind::Callable
        | TypeKind::Scalar
        | TypeKind::ScalarData
        | TypeKind::Collection => Some(false),
        TypeKind::Optional => Some(true),
        _ => None,
    }
}

/// A parameter of a type: an element of an array on the stack of the caller.
#[derive(Clone, Copy)]
pub(super) struct ObjectParam<'a> {
    value: &'a Value,
    sort: ParamKind,
}

/// Kind of a parameter's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParamKind {
    Type,
    Integer,
    Float,
    Default,
    String,
    Regexp,
    Boolean,
    Hash,
    Other,
}

impl<'a> ObjectParam<'a> {
    pub(super) fn of(ruby: &Ruby, element: &'a Value) -> Self {
        let value = *element;
        let sort = if is_type(value) {
            ParamKind::Type
        } else if magnus::Integer::from_value(value).is_some() {
            ParamKind::Integer
        } else if RString::from_value(value).is_some() {
            ParamKind::String
        } else if value.as_raw() == ruby.to_symbol("default").as_raw() {
            ParamKind::Default
        } else if magnus::Float::from_value(value).is_some() {
            ParamKind::Float
        } else if magnus::RRegexp::from_value(value).is_some() {
            ParamKind::Regexp
        } else if RHash::from_value(value).is_some() {
            ParamKind::Hash
        } else if value.as_raw() == ruby.qtrue().as_raw() || value.as_raw() == ruby.qfalse().as_raw() {
            ParamKind::Boolean
        } else {
            ParamKind::Other
        };
        Self { value: element, sort }
    }

    pub(super) fn value(&self) -> Value {
        *self.value
    }

    fn is(&self, sort: ParamKind) -> bool {
        self.sort == sort
    }

    /// Returns true if it bounds a range.
    fn is_bound(&self) -> bool {
        matches!(self.sort, ParamKind::Integer | ParamKind::Default)
    }
}
