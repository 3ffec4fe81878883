//! Types with parameters: the parameters that each type takes, and their meaning.
//!
//! See Puppet's `pops/types/type_parser.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "parameters of any wrong kind are the same error")]

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use super::parameter::TypeParam;
use super::{TypeInterpreter, rich, time, wrong_count};
use crate::types::{
    CallableType, FloatRange, InitType, IntegerRange, PatternType, ResourceType, RuntimeType, Size,
    StringType, StructMember, TupleType, Type, TypeKind, ops,
};
use crate::value::types::capitalize_segments;
use crate::value::{Regex, Value, float_to_s};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Access, Expr, ExprKind};

type Params<'s> = Vec<TypeParam<'s>>;

impl TypeInterpreter<'_> {
    /// `Name[params]`, which is at `span`.
    pub(super) fn parameterized<'s>(
        &self,
        kind: TypeKind,
        params: Params<'s>,
        access: &Access<'s>,
        span: Span,
    ) -> Result<Type, Error> {
        match kind {
            TypeKind::Any
            | TypeKind::Unit
            | TypeKind::Undef
            | TypeKind::Default
            | TypeKind::Scalar
            | TypeKind::ScalarData
            | TypeKind::Numeric
            | TypeKind::SemVerRange
            | TypeKind::Binary
            | TypeKind::CatalogEntry
            | TypeKind::Alias
            | TypeKind::Reference
            | TypeKind::ObjectExtension => Err(self.no_parameters(access.operand.span)),
            TypeKind::Integer => self.integer(&params, span),
            TypeKind::Float => self.float(&params, span),
            TypeKind::Boolean => boolean(&params),
            TypeKind::String => self.string(&params, span),
            TypeKind::Enum => enumeration(params),
            TypeKind::Pattern => pattern(params),
            TypeKind::Regexp => regexp(params),
            TypeKind::Timestamp => time::timestamp(params),
            TypeKind::Timespan => time::timespan(params),
            TypeKind::SemVer => rich::sem_ver(params, self.limits),
            TypeKind::Uri => rich::uri(params, self.limits),
            TypeKind::Collection => self.collection(&params, span),
            TypeKind::Array => self.array(params, span),
            TypeKind::Hash => self.hash(params, span),
            TypeKind::Tuple => self.tuple(params, span),
            TypeKind::Struct => self.structure(params, span),
            TypeKind::Variant => self.variant(params, span),
            TypeKind::Optional => Ok(Type::optional(self.type_or_string("Optional", "1", params, span)?)),
            TypeKind::NotUndef => {
                Ok(Type::not_undef(self.type_or_string("NotUndef", "0 to 1", params, span)?))
            }
            TypeKind::Type => Ok(Type::type_of(self.contained("Type", "1", params, span)?)),
            TypeKind::Iterable => {
                Ok(Type::Iterable(Some(Arc::new(self.contained("Iterable", "1", params, span)?))))
            }
            TypeKind::Iterator => {
                Ok(Type::Iterator(Some(Arc::new(self.contained("Iterator", "1", params, span)?))))
            }
            TypeKind::Init => self.init(params, span),
            TypeKind::Sensitive => {
                Ok(Type::sensitive(self.contained("Sensitive", "0 to 1", params, span)?))
            }
            TypeKind::Callable => self.callable(params, span),
            TypeKind::Runtime => runtime(params),
            TypeKind::Class => class(params),
            TypeKind::Object => Type::object(&only_value(params)?, self.limits),
            TypeKind::TypeSet => Type::type_set(&only_value(params)?, self.limits),
            TypeKind::Resource => self.any_resource(params, access),
        }
    }

    fn integer(&self, params: &[TypeParam<'_>], span: Span) -> Result<Type, Error> {
        let (min, max) = match params {
            [TypeParam::Integer(min)] => (Some(*min), None),
            [TypeParam::Default] => (None, None),
            [_] => return Err(self.not_a_type(span)),
            [min, max] => (self.bound(min, span)?, self.bound(max, span)?),
            _ => return Err(wrong_count("Integer", "1 or 2", params.len())),
        };
        ordered(min, max)?;
        Ok(Type::Integer(IntegerRange { min, max }))
    }

    /// Returns a bound of a range that may be left open.
    fn bound(&self, param: &TypeParam<'_>, span: Span) -> Result<Option<i64>, Error> {
        match param {
            TypeParam::Integer(number) => Ok(Some(*number)),
            TypeParam::Undef => Ok(None),
            param if param.is_bound() => Ok(None),
            _ => Err(self.not_a_type(span)),
        }
    }

    fn float(&self, params: &[TypeParam<'_>], span: Span) -> Result<Type, Error> {
        let bound = |param: &TypeParam<'_>| match param {
            TypeParam::Integer(number) => Ok(Some(*number as f64)),
            TypeParam::Float(number) => Ok(Some(*number)),
            TypeParam::Undef | TypeParam::Default => Ok(None),
            TypeParam::String(text) => text.parse().map(Some).map_err(|_| self.not_a_type(span)),
            _ => Err(self.not_a_type(span)),
        };
        let (min, max) = match params {
            [TypeParam::Undef | TypeParam::String(_)] => return Err(self.not_a_type(span)),
            [min] => (bound(min)?, None),
            [min, max] => (bound(min)?, bound(max)?),
            _ => return Err(wrong_count("Float", "1 or 2", params.len())),
        };
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return Err(not_ordered(float_to_s(min), float_to_s(max)));
        }
        Ok(Type::Float(FloatRange { min, max }))
    }

    fn string(&self, params: &[TypeParam<'_>], span: Span) -> Result<Type, Error> {
        if params.len() > 2 {
            return Err(wrong_count("String", "1 to 2", params.len()));
        }
        Ok(Type::String(StringType::Sized(Some(self.size(params, span)?))))
    }

    fn collection(&self, params: &[TypeParam<'_>], span: Span) -> Result<Type, Error> {
        if params.len() > 2 {
            return Err(wrong_count("Collection", "1 to 2", params.len()));
        }
        Ok(Type::Collection(Some(self.size(params, span)?)))
    }

    /// Returns a size from one or two bounds, or from an `Integer` type. Negative bounds count as 0.
    fn size(&self, params: &[TypeParam<'_>], span: Span) -> Result<Size, Error> {
        let (min, max) = match params {
            [TypeParam::Type(Type::Integer(range))] => (range.min, range.max),
            [min] if min.is_bound() => (self.bound(min, span)?, None),
            [min, max] if min.is_bound() && max.is_bound() => {
                (self.bound(min, span)?, self.bound(max, span)?)
            }
            _ => return Err(self.not_a_type(span)),
        };
        ordered(min, max)?;
        let count = |bound: i64| u64::try_from(bound).unwrap_or(0);
        Ok(Size::new(min.map_or(0, count), max.map(count)))
    }

    fn array(&self, mut params: Params<'_>, span: Span) -> Result<Type, Error> {
        if params.len() > 3 {
            return Err(wrong_count("Array", "1 to 3", params.len()));
        }
        if let [min, max] = params.as_slice()
            && !matches!(min, TypeParam::Type(_))
        {
            let size = self.size(&[min.clone(), max.clone()], span)?;
            return Ok(Type::array(Type::Default, Some(size)));
        }
        let size = params.split_off(1);
        let element = self.one_type(params, span)?;
        Ok(Type::array(element, self.optional_size(&size, span)?))
    }

    fn hash(&self, mut params: Params<'_>, span: Span) -> Result<Type, Error> {
        if !(2..=4).contains(&params.len()) {
            return Err(wrong_count("Hash", "2 to 4", params.len()));
        }
        if params.len() == 2 && !params.iter().all(|param| matches!(param, TypeParam::Type(_))) {
            let size = self.bounds(&params, span)?;
            return Ok(Type::hash(Type::Default, Type::Default, Some(size)));
        }
        let size = self.optional_size(&params.split_off(2), span)?;
        let value = self.one_type(params.split_off(1), span)?;
        Ok(Type::hash(self.one_type(params, span)?, value, size))
    }

    /// Returns a size from two bounds.
    fn bounds(&self, params: &[TypeParam<'_>], span: Span) -> Result<Size, Error> {
        if params.iter().all(TypeParam::is_bound) {
            self.size(params, span)
        } else {
            Err(self.not_a_type(span))
        }
    }

    fn optional_size(&self, params: &[TypeParam<'_>], span: Span) -> Result<Option<Size>, Error> {
        if params.is_empty() { Ok(None) } else { self.size(params, span).map(Some) }
    }

    fn tuple(&self, mut params: Params<'_>, span: Span) -> Result<Type, Error> {
        let size = match params.as_slice() {
            [.., min, max] if min.is_bound() => {
                let size = self.bounds(&[min.clone(), max.clone()], span)?;
                params.truncate(params.len() - 2);
                Some(size)
            }
            [.., min] if min.is_bound() => {
                let size = self.size(std::slice::from_ref(min), span)?;
                params.pop();
                Some(size)
            }
            _ => None,
        };
        Ok(Type::tuple(self.types_of(params)?, size))
    }

    pub(super) fn structure(&self, params: Params<'_>, span: Span) -> Result<Type, Error> {
        let count = params.len();
        let [param] = <[_; 1]>::try_from(params).map_err(|_| wrong_count("Struct", "1", count))?;
        let TypeParam::Hash(entries) = param else { return Err(self.not_a_type(span)) };
        let mut members: Vec<StructMember> = Vec::with_capacity(entries.len());
        // The last of several entries with the same key counts, at the position of the first.
        let mut known: HashMap<Arc<str>, usize> = HashMap::new();
        for (key, value) in entries {
            let member = member(key, self.type_of(value)?)?;
            match known.get(&member.name).and_then(|&at| members.get_mut(at)) {
                Some(earlier) => *earlier = member,
                None => {
                    known.insert(Arc::clone(&member.name), members.len());
                    members.push(member);
                }
            }
        }
        Ok(Type::struct_of(members))
    }

    fn variant(&self, params: Params<'_>, span: Span) -> Result<Type, Error> {
        let types = params.into_iter().map(|param| match param {
            TypeParam::Type(t) => Ok(t),
            _ => Err(self.not_a_type(span)),
        });
        Ok(Type::one_of(types.collect::<Result<Vec<_>, _>>()?))
    }

    pub(super) fn callable(&self, mut params: Params<'_>, span: Span) -> Result<Type, Error> {
        let mut returns = None;
        if params.len() > 1 && matches!(params.first(), Some(TypeParam::Array(_))) {
            if params.len() != 2 {
                return Err(wrong_count("callable", "2 when first parameter is an array", params.len()));
            }
            returns = params.pop().map(|param| self.type_of(param)).transpose()?;
            if let Some(TypeParam::Array(inner)) = params.pop() {
                params = inner;
            }
        }
        let block = match params.pop() {
            Some(TypeParam::Type(t)) if t.is_callable_kind(true) => Some(t),
            last => {
                params.extend(last);
                None
            }
        };
        let size = match params.as_slice() {
            [.., min, max] if min.is_bound() && max.is_bound() => {
                let size = self.bounds(&[min.clone(), max.clone()], span)?;
                params.truncate(params.len() - 2);
                Some(size)
            }
            [.., min] if min.is_bound() => {
                let size = self.size(std::slice::from_ref(min), span)?;
                params.pop();
                Some(size)
            }
            _ => None,
        };
        let mut types = self.types_of(params)?;
        if types.is_empty() && size.is_some_and(|size| size.max != Some(0)) {
            types.push(Type::Unit);
        }
        Ok(Type::Callable(Arc::new(CallableType {
            params: Some(TupleType { types: types.into(), size }),
            block,
            returns: returns.filter(|t| *t != Type::Any),
        })))
    }

    /// `Resource[type, title]`.
    fn any_resource<'s>(&self, params: Params<'s>, access: &Access<'s>) -> Result<Type, Error> {
        let count = params.len();
        let mut params = params.into_iter();
        let name: Arc<str> = match params.next() {
            Some(TypeParam::Type(Type::Reference(text))) => {
                // The parameters of an unknown type are the title.
                if let Some(Expr { kind: ExprKind::Access(inner), .. }) = access.keys.first() {
                    let title = self.params(&inner.keys)?;
                    let given = title.len();
                    let [title] = <[_; 1]>::try_from(title).map_err(|_| {
                        wrong_count(&Type::Reference(Arc::clone(&text)).to_string(), "1", given)
                    })?;
                    let name = text.split('[').next().unwrap_or_default();
                    return resource(Some(name.into()), title);
                }
                text
            }
            Some(TypeParam::Type(Type::Resource(resource))) => match &resource.type_name {
                Some(name) => Arc::clone(name),
                None => return Ok(Type::Resource(resource)),
            },
            Some(TypeParam::String(name)) => {
                let name = capitalize_segments(&name);
                if !is_type_name(&name) {
                    return Err(parameter_error(format!("Illegal type name '{name}'")));
                }
                name.into()
            }
            other => {
                let class = other.as_ref().map_or("NilClass".into(), TypeParam::ruby_class);
                return Err(parameter_error(format!("The type name cannot be a {class}")));
            }
        };
        match (count, params.next()) {
            (1, _) => Ok(Type::Resource(Arc::new(ResourceType::new(Some(name), None)))),
            (2, Some(title)) => resource(Some(name), title),
            _ => Err(wrong_count("Resource", "1 or 2", count)),
        }
    }

    /// Returns the only parameter, which is a type.
    fn contained(&self, name: &str, required: &str, params: Params<'_>, span: Span) -> Result<Type, Error> {
        if params.len() == 1 {
            self.one_type(params, span)
        } else {
            Err(wrong_count(name, required, params.len()))
        }
    }

    fn init(&self, params: Params<'_>, span: Span) -> Result<Type, Error> {
        let mut params = params.into_iter();
        let Some(TypeParam::Type(t)) = params.next() else { return Err(self.not_a_type(span)) };
        let args: Arc<[Value]> = params.map(TypeParam::into_value).collect();
        Ok(Type::Init(Arc::new(InitType::new(t, args))))
    }

    /// Returns the only parameter, a type or an exact string.
    fn type_or_string(
        &self,
        name: &str,
        required: &str,
        params: Params<'_>,
        span: Span,
    ) -> Result<Type, Error> {
        match params.as_slice() {
            [TypeParam::String(text)] => Ok(Type::string_value(text.as_ref())),
            _ => self.contained(name, required, params, span),
        }
    }

    fn one_type(&self, params: Params<'_>, span: Span) -> Result<Type, Error> {
        match params.into_iter().next() {
            Some(TypeParam::Type(t)) => Ok(t),
            _ => Err(self.not_a_type(span)),
        }
    }

    fn types_of(&self, params: Params<'_>) -> Result<Vec<Type>, Error> {
        params.into_iter().map(|param| self.type_of(param)).collect()
    }

    /// Converts a parameter to a type: a type as it is, a string to the class of Ruby's that it names, any other value to
    /// its own type.
    fn type_of(&self, param: TypeParam<'_>) -> Result<Type, Error> {
        Ok(match param {
            TypeParam::Type(t) => t,
            TypeParam::String(class) => Type::ruby(class),
            other => ops::infer(&other.into_value(), self.limits)?.generalize(),
        })
    }
}

/// Returns the only parameter of `Object` or `TypeSet`, as Puppet calls both.
fn only_value(params: Params<'_>) -> Result<Value, Error> {
    let count = params.len();
    let [param] = <[_; 1]>::try_from(params).map_err(|_| wrong_count("Object", "1", count))?;
    Ok(param.into_value())
}

fn boolean(params: &[TypeParam<'_>]) -> Result<Type, Error> {
    match params {
        [TypeParam::Boolean(truth)] => Ok(Type::Boolean(Some(*truth))),
        [_] => Err(parameter_error("Boolean parameter must be true or false".into())),
        _ => Err(wrong_count("Boolean", "1", params.len())),
    }
}

fn enumeration(mut params: Params<'_>) -> Result<Type, Error> {
    let case_insensitive = match params.last() {
        Some(TypeParam::Boolean(case_insensitive)) => {
            let case_insensitive = *case_insensitive;
            params.pop();
            case_insensitive
        }
        _ => false,
    };
    if params.is_empty() {
        return Err(wrong_count("Enum", "1 or more", 0));
    }
    let values = params.into_iter().map(|param| match param {
        TypeParam::String(text) => Ok(text.into()),
        _ => Err(parameter_error("Enum parameters must be identifiers or strings".into())),
    });
    Ok(Type::enumeration(values.collect::<Result<Vec<_>, _>>()?, case_insensitive))
}

pub(super) fn pattern(params: Params<'_>) -> Result<Type, Error> {
    let mut patterns: indexmap::IndexSet<Regex> = indexmap::IndexSet::new();
    for param in params {
        match param {
            TypeParam::String(source) => _ = patterns.insert(Regex::new(&source)?),
            TypeParam::Regexp(regex) => _ = patterns.insert(regex),
            TypeParam::Type(Type::Regexp(Some(regex))) => _ = patterns.insert(regex),
            TypeParam::Type(Type::Regexp(None)) => _ = patterns.insert(Regex::new("")?),
            TypeParam::Type(Type::Pattern(other)) => patterns.extend(other.patterns.iter().cloned()),
            other => {
                return Err(parameter_error(format!(
                    "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{}",
                    other.ruby_class()
                )));
            }
        }
    }
    Ok(Type::Pattern(Arc::new(PatternType { patterns: patterns.into_iter().collect() })))
}

pub(super) fn regexp(params: Params<'_>) -> Result<Type, Error> {
    match params.as_slice() {
        [TypeParam::String(source)] => Ok(Type::Regexp(Some(Regex::new(source)?))),
        [TypeParam::Regexp(regex)] => Ok(Type::Regexp(Some(regex.clone()))),
        [TypeParam::Undef] => Ok(Type::Regexp(None)),
        [other] => Err(parameter_error(format!(
            "A Regexp parameter must be a String or a Regexp, got {}",
            other.ruby_class()
        ))),
        _ => Err(wrong_count("Regexp", "1", params.len())),
    }
}

/// Returns a member of a `Struct` for a key as written.
fn member(key: TypeParam<'_>, value: Type) -> Result<StructMember, Error> {
    let (optional, key) = match key {
        TypeParam::String(name) if name.is_empty() => {
            return Err(parameter_error("Struct element key cannot be an empty String".into()));
        }
        TypeParam::String(name) => (value.accepts_undef(), Some(Type::string_value(name))),
        TypeParam::Type(Type::Optional(inner)) => (true, inner.map(Arc::unwrap_or_clone)),
        TypeParam::Type(Type::NotUndef(inner)) => (false, inner.map(Arc::unwrap_or_clone)),
        TypeParam::Type(key @ (Type::String(_) | Type::Enum(_))) => (false, Some(key)),
        other => {
            return Err(parameter_error(format!(
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {}",
                other.ruby_class()
            )));
        }
    };
    let name = match &key {
        Some(Type::String(StringType::Value(name))) => Arc::clone(name),
        Some(Type::Enum(names)) if let [name] = names.values() => Arc::clone(name),
        other => {
            let shown = other.as_ref().map_or_else(|| "undef".to_owned(), Type::to_string);
            return Err(parameter_error(format!(
                "Unable to extract a non-empty literal string from Struct member key type {shown}"
            )));
        }
    };
    Ok(StructMember { name, optional, value })
}

pub(super) fn runtime(params: Params<'_>) -> Result<Type, Error> {
    let count = params.len();
    let [runtime, name] = <[_; 2]>::try_from(params).map_err(|_| wrong_count("Runtime", "2", count))?;
    let runtime = match runtime {
        TypeParam::String(runtime) => Some(runtime.into()),
        TypeParam::Undef => None,
        other => {
            return Err(parameter_error(format!(
                "Runtime 'runtime' has wrong type, expects a String value, got {}",
                other.ruby_class()
            )));
        }
    };
    let runtime = |name, pattern| Type::Runtime(Arc::new(RuntimeType { runtime, name, pattern }));
    match name {
        TypeParam::String(name) if !name.is_empty() => Ok(runtime(Some(name.into()), None)),
        TypeParam::Undef => Ok(runtime(None, None)),
        TypeParam::Array(items) => match items.as_slice() {
            [TypeParam::Regexp(pattern), TypeParam::String(replacement)] if !replacement.is_empty() => {
                Ok(runtime(None, Some((pattern.clone(), replacement.as_ref().into()))))
            }
            _ => Err(runtime_name("Array")),
        },
        other => Err(runtime_name(&other.ruby_class())),
    }
}

#[cold]
fn runtime_name(given: &str) -> Error {
    parameter_error(format!(
        "Runtime 'name_or_pattern' has wrong type, expects a String[1] or a Tuple[Regexp, String[1]], got {given}"
    ))
}

fn class(params: Params<'_>) -> Result<Type, Error> {
    match params.as_slice() {
        [TypeParam::String(name)] => Ok(Type::Class(Some(name.strip_prefix("::").unwrap_or(name).into()))),
        [TypeParam::Undef] => Ok(Type::Class(None)),
        [other] => Err(parameter_error(format!(
            "A Class parameter must be the name of a class, got {}",
            other.ruby_class()
        ))),
        _ => Err(wrong_count("Class", "1", params.len())),
    }
}

/// `Name[title]` of a resource type.
pub(super) fn resource(type_name: Option<Arc<str>>, title: TypeParam<'_>) -> Result<Type, Error> {
    let title = match title {
        TypeParam::String(title) => Some(title.into()),
        TypeParam::Undef => None,
        other => {
            return Err(parameter_error(format!(
                "The title of a resource type must be a String, got {}",
                other.ruby_class()
            )));
        }
    };
    Ok(Type::Resource(Arc::new(ResourceType::new(type_name, title))))
}

/// Returns true if a text is `Foo::Bar`, maybe with a leading `::`.
fn is_type_name(text: &str) -> bool {
    text.strip_prefix("::").unwrap_or(text).split("::").all(|segment| {
        segment.starts_with(|c: char| c.is_ascii_uppercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn ordered(min: Option<i64>, max: Option<i64>) -> Result<(), Error> {
    match (min, max) {
        (Some(min), Some(max)) if min > max => Err(not_ordered(min, max)),
        _ => Ok(()),
    }
}

/// Puppet's own text lacks the closing parenthesis.
#[cold]
pub(super) fn not_ordered(min: impl Display, max: impl Display) -> Error {
    parameter_error(format!("'from' must be less or equal to 'to'. Got ({min}, {max}"))
}

#[cold]
pub(super) fn parameter_error(message: String) -> Error {
    Error::new(ErrorKind::TypeParameters, message)
}
