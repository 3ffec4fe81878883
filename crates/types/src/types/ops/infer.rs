//! The types of values.
//!
//! [`infer`] returns one common type for all elements of a collection, [`infer_set`] the type of each.
//!
//! See Puppet's `pops/types/type_calculator.rb`.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::summary::TypeSummary;
use crate::subject::{CallableShape, Shape, Subject};
use crate::types::{
    CallableType, FloatRange, ObjectExtension, ResourceType, RuntimeType, Size, StringType, StructMember,
    TimeRange, TupleType, Type, UriType,
};
use crate::value::{Regex, SemVerRange, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Limits, VisitState, Work};

/// Returns the type of a value; elements of a collection share one common type.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the value nests too deep; otherwise with the errors of
/// [`Subject::shape`].
pub fn infer<'a, S: Subject<'a>>(subject: S, limits: &Limits) -> Result<Type, Error> {
    let work = Work::new(limits);
    Ok(TypeSummary::of(subject, VisitState::new(&work))?.to_type())
}

impl Value {
    /// Returns the type of the value; [`Type::Any`] if it nests deeper than any limit allows.
    ///
    /// ```
    /// use puppetfn::value::Value;
    ///
    /// assert_eq!(Value::array([1, 5]).type_of().to_string(), "Array[Integer[1, 5], 2, 2]");
    /// ```
    pub fn type_of(&self) -> Type {
        infer(self, &Limits::FURTHEST).unwrap_or(Type::Any)
    }

    /// Returns the type of the value, see [`infer`].
    ///
    /// # Errors
    /// The same errors as [`infer`].
    pub fn inferred(&self, limits: &Limits) -> Result<Type, Error> {
        infer(self, limits)
    }

    /// Returns the detailed type of the value, see [`infer_set`].
    ///
    /// # Errors
    /// The same errors as [`infer`].
    pub fn inferred_set(&self, limits: &Limits) -> Result<Type, Error> {
        infer_set(self, limits)
    }
}

/// Returns the detailed type of a value: a tuple for an array, a struct for a hash with string keys.
///
/// # Errors
/// The same errors as [`infer`].
pub fn infer_set<'a, S: Subject<'a>>(subject: S, limits: &Limits) -> Result<Type, Error> {
    let work = Work::new(limits);
    detail(subject, VisitState::new(&work))
}

fn detail<'a, S: Subject<'a>>(subject: S, visit: VisitState<'_>) -> Result<Type, Error> {
    let shape = subject.shape()?;
    if let Shape::Array(len) = shape {
        array(subject, len, visit.deeper()?)
    } else if let Shape::Hash(len) = shape {
        let visit = visit.deeper()?;
        match members(subject, len, visit)? {
            Some(members) => Ok(Type::struct_of(members)),
            None => hash(subject, len, visit),
        }
    } else {
        single(subject, &shape, visit)
    }
}

fn array<'a, S: Subject<'a>>(subject: S, len: usize, visit: VisitState<'_>) -> Result<Type, Error> {
    if len == 0 {
        return Ok(Type::array(Type::Unit, Some(Size::EMPTY)));
    }
    let mut types = Vec::with_capacity(len);
    for element in subject.elements() {
        types.push(detail(element, visit)?);
    }
    Ok(Type::tuple(types, None))
}

/// Returns the members of the struct that describes a hash; `None` if it is empty or some key is not a
/// non-empty string.
fn members<'a, S: Subject<'a>>(
    subject: S,
    len: usize,
    visit: VisitState<'_>,
) -> Result<Option<Vec<StructMember>>, Error> {
    if len == 0 {
        return Ok(None);
    }
    let mut members = Vec::with_capacity(len);
    let end = subject.each_entry(|key, value| {
        let member = key.shape().and_then(|key| {
            let Shape::String(name) = key else { return Ok(None) };
            let value = detail(value, visit)?;
            Ok((!name.is_empty()).then(|| StructMember { name: name.into(), optional: false, value }))
        });
        match member.transpose() {
            Some(Ok(member)) => {
                members.push(member);
                ControlFlow::Continue(())
            }
            Some(Err(error)) => ControlFlow::Break(Err(error)),
            None => ControlFlow::Break(Ok(None)),
        }
    });
    end.break_value().unwrap_or(Ok(Some(members)))
}

/// Returns the type of a hash that no struct describes.
#[inline(never)]
fn hash<'a, S: Subject<'a>>(subject: S, len: usize, visit: VisitState<'_>) -> Result<Type, Error> {
    let mut keys = Vec::with_capacity(len);
    let mut values = Vec::with_capacity(len);
    let end = subject.each_entry(|key, value| {
        let types = detail(key, visit).and_then(|key| Ok((key, detail(value, visit)?)));
        match types {
            Ok((key, value)) => {
                keys.push(key);
                values.push(value);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    });
    match end {
        ControlFlow::Continue(()) => {
            Ok(Type::hash(Type::one_of(keys), Type::one_of(values), Some(Size::exactly(len))))
        }
        ControlFlow::Break(error) => Err(error),
    }
}

/// Returns the plain form of a reference that is the value of a parameter; any other type unchanged.
fn of_given(t: Type) -> Type {
    if let Type::Resource(resource) = &t
        && resource.is_given
    {
        return Type::Resource(Arc::new(ResourceType { is_given: false, ..ResourceType::clone(resource) }));
    }
    t
}

/// Returns the type of a value that is not a collection.
pub(super) fn single<'a, S: Subject<'a>>(
    subject: S,
    shape: &Shape<'a, S>,
    visit: VisitState<'_>,
) -> Result<Type, Error> {
    Ok(match shape {
        Shape::Undef => Type::Undef,
        Shape::Default => Type::Default,
        Shape::Boolean(truth) => Type::Boolean(Some(*truth)),
        Shape::Integer(number) => Type::integer(Some(*number), Some(*number)),
        // Bounds of types have 64 bits.
        Shape::LargeInteger { is_negative: true } => Type::integer(None, Some(i64::MIN)),
        Shape::LargeInteger { is_negative: false } => Type::integer(Some(i64::MAX), None),
        Shape::Float(number) => Type::Float(exactly(*number)),
        Shape::String(text) => Type::string_value(*text),
        Shape::Bytes(length) => Type::String(StringType::Sized(Some(Size::exactly(*length)))),
        Shape::Regexp => Type::Regexp(Some(Regex::new(&subject.regexp_source())?)),
        Shape::Type => Type::type_of(of_given(subject.as_type().into_owned())),
        Shape::Sensitive(hidden) => Type::sensitive(TypeSummary::of(*hidden, visit.deeper()?)?.to_type()),
        Shape::Callable => match subject.signature() {
            CallableShape::Typed(signature) => signature.into_owned(),
            CallableShape::Arity(size) => callable(size),
        },
        Shape::Iterator => subject.iterator_type(),
        Shape::Uri => match subject.uri() {
            Some(uri) => Type::Uri(Arc::new(UriType::of(&uri))),
            None => object(subject),
        },
        Shape::Runtime => object(subject),
        Shape::Rich(value) => rich(value, visit.limits())?,
        Shape::Unknown(t) => (*t).clone(),
        Shape::Array(_) | Shape::Hash(_) => TypeSummary::of(subject, visit)?.to_type(),
    })
}

/// Returns the type of an object of a host class.
fn object<'a, S: Subject<'a>>(subject: S) -> Type {
    let runtime = RuntimeType { runtime: Some("ruby".into()), name: subject.class_name(), pattern: None };
    Type::Runtime(Arc::new(runtime))
}

/// Returns the type of a value that hosts wrap.
fn rich(value: &Value, limits: &Limits) -> Result<Type, Error> {
    Ok(match value {
        Value::SemVer(version) => Type::SemVer([SemVerRange::between(version, version, false)].into()),
        Value::SemVerRange(_) => Type::SemVerRange,
        Value::Binary(_) => Type::Binary,
        Value::Timestamp(time) => Type::Timestamp(Arc::new(TimeRange::exactly(*time))),
        Value::Timespan(time) => Type::Timespan(Arc::new(TimeRange::exactly(*time))),
        Value::Object(object) if object.definition().is_parameterized() => {
            Type::ObjectExtension(Arc::new(ObjectExtension::of_object(object, limits)?))
        }
        Value::Object(object) => Type::Object(object.object_type()),
        // Hosts represent all other values by their own objects, so no subject has this shape for them.
        Value::Uri(_)
        | Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Regexp(_)
        | Value::Array(_)
        | Value::Hash(_)
        | Value::Type(_)
        | Value::Sensitive(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Runtime(_)
        | Value::Unknown(_) => Type::Any,
    })
}

/// Returns the range of one float. A missing bound counts as infinity.
fn exactly(number: f64) -> FloatRange {
    FloatRange {
        min: (number != f64::NEG_INFINITY).then_some(number),
        max: (number != f64::INFINITY).then_some(number),
    }
}

/// Returns the type of a callable of which only the arity is known.
fn callable(size: Size) -> Type {
    // Each parameter is shown once, and unlimited parameters as a single one.
    let count = usize::from(size.max.map_or(1, |max| u16::try_from(max).unwrap_or(u16::MAX)));
    let params = TupleType { types: std::iter::repeat_n(Type::Any, count).collect(), size: Some(size) };
    Type::Callable(Arc::new(CallableType { params: Some(params), block: None, returns: None }))
}
