//! Types with evaluated parameters. Their messages differ from the type parser's.
//!
//! See Puppet's `pops/evaluator/access_operator.rb`.

use std::sync::Arc;

use super::resource::{of_class, of_resource};
use super::{AccessFault, AccessResult, flatten, key_type, not_applicable};
use crate::eval::text::{with_article, with_article_uc};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::parse::from_values;
use puppetfn_types::types::{
    FloatRange, IntegerRange, ObjectExtension, ObjectRef, Size, StringType, Type, UriType,
};
use puppetfn_types::value::label;
use puppetfn_types::value::{Value, float_to_s};

/// Returns the answer for `$meta[container]`: a type that is defined by its features has no parameters, but a name.
fn of_features(t: &ObjectRef, keys: &[Value]) -> AccessResult {
    match keys {
        [Value::String(key)] if &**key == "name" => Ok(Value::String(Arc::clone(t.name()))),
        _ => {
            let keys = keys.iter().map(Value::to_literal).collect::<Vec<_>>().join(", ");
            Err(AccessFault::whole(format!(
                "{0} has no parameters, got [{keys}]. {0}[name] is its name",
                t.name()
            )))
        }
    }
}

/// `t[keys]`.
pub(super) fn parameterized(t: &Type, keys: &[Value], limits: &Limits) -> AccessResult {
    let flat = || flatten(keys, limits);
    let made = match t {
        Type::Resource(resource) => return of_resource(resource, keys, limits),
        Type::Class(name) => return of_class(name.as_ref(), keys, limits),
        Type::Integer(_) => integer(&flat()?)?,
        Type::Float(_) => float(&flat()?)?,
        Type::String(_) => string(&flat()?)?,
        Type::Boolean(_) => boolean(t, &flat()?)?,
        Type::Enum(_) => enumeration(t, &flat()?)?,
        Type::Pattern(_) => {
            let keys = flat()?;
            check(
                t,
                &keys,
                AT_LEAST_ONE,
                "String or Regexp or Pattern-Type or Regexp-Type",
                |key| match key {
                    Value::String(_) | Value::Regexp(_) => true,
                    other => as_type(other).is_some_and(|t| matches!(t, Type::Pattern(_) | Type::Regexp(_))),
                },
            )?;
            from_values::pattern(&keys)?
        }
        Type::Regexp(_) => regexp(t, &flat()?)?,
        Type::Collection(_) => collection(&flat()?)?,
        Type::Array(_) => array(&flat()?)?,
        Type::Hash(_) => hash(&flat()?)?,
        Type::Tuple(_) => tuple(t, flat()?)?,
        Type::Struct(_) => {
            check(t, keys, (1, Some(1)), "Hash", |key| matches!(key, Value::Hash(_)))?;
            from_values::structure(keys, limits)?
        }
        Type::Variant(_) => {
            let keys = flat()?;
            check(t, &keys, AT_LEAST_ONE, "Any-Type", |key| as_type(key).is_some())?;
            Type::one_of(keys.iter().filter_map(as_type).cloned())
        }
        Type::Optional(_) => match &*flat()? {
            [Value::String(text)] => Type::optional(Type::string_value(Arc::clone(text))),
            keys => Type::optional(contained("Optional", keys)?),
        },
        Type::NotUndef(_) => not_undef(&flat()?)?,
        Type::Type(_) => Type::type_of(contained("Type", &flat()?)?),
        Type::Iterable(_) => Type::Iterable(Some(Arc::new(contained("Iterable", &flat()?)?))),
        Type::Iterator(_) => Type::Iterator(Some(Arc::new(contained("Iterator", &flat()?)?))),
        Type::Sensitive(_) => Type::sensitive(contained("Sensitive", &flat()?)?),
        Type::Callable(_) => callable(t, keys, limits)?,
        Type::Runtime(_) => {
            let keys = flat()?;
            if keys.len() != 2 {
                return Err(wrong_count(&with_article_uc(&label(&t.clone().into())), 1, Some(2), keys.len()));
            }
            // Puppet's message names the expected types of both keys.
            check(t, &keys, (2, Some(2)), "String or String", |key| matches!(key, Value::String(_)))?;
            from_values::runtime(&keys)?
        }
        Type::SemVer(_) => {
            let keys = flat()?;
            let expected = "String or SemanticPuppet::VersionRange";
            check(t, &keys, AT_LEAST_ONE, expected, |key| {
                matches!(key, Value::String(_) | Value::SemVerRange(_))
            })?;
            from_values::sem_ver(&keys, limits)?
        }
        Type::Uri(_) => match &*flat()? {
            [key] if UriType::is_parameter(key, limits)? => {
                from_values::uri(std::slice::from_ref(key), limits)?
            }
            [key] => return Err(not_types("URI", 0, key)),
            keys => return Err(wrong_count("URI-Type", 1, Some(1), keys.len())),
        },
        Type::Timestamp(_) => {
            let keys = flat()?;
            at_most_two(t, &keys)?;
            from_values::timestamp(&keys)?
        }
        Type::Timespan(_) => {
            let keys = flat()?;
            at_most_two(t, &keys)?;
            from_values::timespan(&keys)?
        }
        Type::Init(_) => {
            if keys.first().and_then(as_type).is_none() {
                return Err(not_types("Init", 0, keys.first().unwrap_or(&Value::Undef)));
            }
            from_values::init(keys)?
        }
        Type::Object(object) => {
            let keys = flat()?;
            if object.with_target(|t| t.is_some_and(|t| t.model().is_some())) {
                return of_features(object, &keys);
            }
            if object.with_target(|t| t.is_some_and(|t| t.name().is_some())) {
                Type::ObjectExtension(Arc::new(ObjectExtension::new(object, &keys, limits)?))
            } else {
                Type::object(only(t, &keys)?, limits)?
            }
        }
        Type::TypeSet(_) => Type::type_set(only(t, &flat()?)?, limits)?,
        Type::Reference(name) => return Err(AccessFault::whole(format!("Resource type not found: {name}"))),
        Type::Any
        | Type::Unit
        | Type::Undef
        | Type::Default
        | Type::Scalar
        | Type::ScalarData
        | Type::Numeric
        | Type::SemVerRange
        | Type::Binary
        | Type::ObjectExtension(_)
        | Type::CatalogEntry
        | Type::Alias(_) => return Err(not_applicable(&label(&t.clone().into()))),
    };
    Ok(made.into())
}

type TypeResult = Result<Type, AccessFault>;

const AT_LEAST_ONE: (usize, Option<usize>) = (1, None);

/// Returns the only key.
fn only<'k>(t: &Type, keys: &'k [Value]) -> Result<&'k Value, AccessFault> {
    match keys {
        [key] => Ok(key),
        keys => Err(wrong_count(&format!("{}-Type", t.simple_name()), 1, None, keys.len())),
    }
}

fn as_type(value: &Value) -> Option<&Type> {
    if let Value::Type(t) = value { Some(t) } else { None }
}

/// Checks the number of keys, and each of them.
fn check(
    t: &Type,
    keys: &[Value],
    (min, max): (usize, Option<usize>),
    expected: &str,
    fits: impl Fn(&Value) -> bool,
) -> Result<(), AccessFault> {
    if keys.len() < min || max.is_some_and(|max| keys.len() > max) {
        return Err(wrong_count(&with_article_uc(&label(&t.clone().into())), min, max, keys.len()));
    }
    match keys.iter().position(|key| !fits(key)) {
        Some(index) => Err(AccessFault::key(
            index,
            format!(
                "Error creating type specialization of {}, Cannot use {} where {expected} is expected",
                with_article(&label(&t.clone().into())),
                key_type(keys.get(index).unwrap_or(&Value::Undef)),
            ),
        )),
        None => Ok(()),
    }
}

#[cold]
fn wrong_count(base: &str, min: usize, max: Option<usize>, given: usize) -> AccessFault {
    AccessFault::whole(match max {
        None => format!("{base}[] accepts {min} or more arguments. Got {given}"),
        Some(max) if max != min => format!("{base}[] accepts {min} to {max} arguments. Got {given}"),
        Some(_) => format!("{base}[] accepts {min} argument{}. Got {given}", if min == 1 { "" } else { "s" }),
    })
}

#[cold]
fn not_types(name: &str, index: usize, key: &Value) -> AccessFault {
    AccessFault::key(index, format!("{name}-Type[] arguments must be types. Got {}", key.ruby_class()))
}

fn at_most_two(t: &Type, keys: &[Value]) -> Result<(), AccessFault> {
    if keys.len() <= 2 {
        return Ok(());
    }
    Err(wrong_count(&with_article_uc(&label(&t.clone().into())), 0, Some(2), keys.len()))
}

/// Returns the only key, a type.
fn contained(name: &str, keys: &[Value]) -> TypeResult {
    match keys {
        [key] => as_type(key).cloned().ok_or_else(|| not_types(name, 0, key)),
        _ => Err(wrong_count(&format!("{name}-Type"), 1, Some(1), keys.len())),
    }
}

fn not_undef(keys: &[Value]) -> TypeResult {
    match keys {
        [] => Ok(Type::NotUndef(None)),
        [Value::String(text)] => Ok(Type::not_undef(Type::string_value(Arc::clone(text)))),
        [key] => match as_type(key) {
            Some(t) => Ok(Type::not_undef(t.clone())),
            None => Err(AccessFault::key(
                0,
                format!("NotUndef-Type[] argument must be a Type or a String. Got {}", key.ruby_class()),
            )),
        },
        _ => Err(wrong_count("NotUndef-Type", 0, Some(1), keys.len())),
    }
}

fn integer(keys: &[Value]) -> TypeResult {
    if !matches!(keys.len(), 1 | 2) {
        return Err(AccessFault::whole(format!(
            "Integer-Type supports [] with one or two arguments (from, to). Got {}",
            keys.len()
        )));
    }
    let bound = |index: usize| match keys.get(index) {
        Some(Value::Integer(number)) => Ok(Some(*number)),
        Some(Value::Default) | None => Ok(None),
        Some(other) => Err(AccessFault::key(
            index,
            format!(
                "Integer-Type [] requires all arguments to be integers (or default). Got {}",
                other.ruby_class()
            ),
        )),
    };
    let range = IntegerRange { min: bound(0)?, max: bound(1)? };
    ordered(range)?;
    Ok(Type::Integer(range))
}

/// Puppet's own text lacks the closing parenthesis.
fn ordered(range: IntegerRange) -> Result<(), AccessFault> {
    match range {
        IntegerRange { min: Some(min), max: Some(max) } if min > max => Err(AccessFault::while_evaluating(
            format_args!("'from' must be less or equal to 'to'. Got ({min}, {max}"),
        )),
        IntegerRange { .. } => Ok(()),
    }
}

fn float(keys: &[Value]) -> TypeResult {
    if !matches!(keys.len(), 1 | 2) {
        return Err(AccessFault::whole(format!(
            "Float-Type supports [] with one or two arguments (from, to). Got {}",
            keys.len()
        )));
    }
    let bound = |index: usize| match keys.get(index) {
        Some(Value::Integer(number)) => Ok(Some(*number as f64)),
        Some(Value::Float(number)) => Ok(Some(*number)),
        Some(Value::Default) | None => Ok(None),
        Some(other) => Err(AccessFault::key(
            index,
            format!(
                "Float-Type [] requires all arguments to be floats, or integers (or default). Got {}",
                other.ruby_class()
            ),
        )),
    };
    let (min, max) = (bound(0)?, bound(1)?);
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        let (min, max) = (float_to_s(min), float_to_s(max));
        return Err(AccessFault::while_evaluating(format_args!(
            "'from' must be less or equal to 'to'. Got ({min}, {max}"
        )));
    }
    Ok(Type::Float(FloatRange { min, max }))
}

fn string(keys: &[Value]) -> TypeResult {
    match keys {
        [_] | [_, _] => Ok(Type::String(StringType::Sized(Some(size(0, keys)?)))),
        _ => Err(AccessFault::whole(format!(
            "String supports [] with one or two arguments. Got {}",
            keys.len()
        ))),
    }
}

fn collection(keys: &[Value]) -> TypeResult {
    match keys {
        [_] | [_, _] => Ok(Type::Collection(Some(size(0, keys)?))),
        _ => Err(wrong_count("Collection-Type", 1, Some(2), keys.len())),
    }
}

/// Returns a size from one or two bounds, or from an `Integer` type; `start` is the index of the first key.
fn size(start: usize, keys: &[Value]) -> Result<Size, AccessFault> {
    let range = match keys {
        [Value::Type(t)] if let Type::Integer(range) = &**t => *range,
        _ => {
            let bound = |index: usize| match keys.get(index) {
                Some(Value::Integer(number)) => Ok(Some(*number)),
                Some(Value::Default) | None => Ok(None),
                Some(other) => Err(AccessFault::key(
                    start.saturating_add(index),
                    format!(
                        "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {}",
                        with_article(&class_label(other))
                    ),
                )),
            };
            IntegerRange { min: bound(0)?, max: bound(1)? }
        }
    };
    ordered(range)?;
    let count = |bound: i64| u64::try_from(bound).unwrap_or(0);
    Ok(Size::new(range.min.map_or(0, count), range.max.map(count)))
}

/// Returns Puppet's name for the class of a value: `String`, or `Integer-Type` for types.
fn class_label(value: &Value) -> String {
    match value {
        Value::Type(t) => format!("{}-Type", t.simple_name()),
        other => other.ruby_class().into_owned(),
    }
}

fn boolean(t: &Type, keys: &[Value]) -> TypeResult {
    check(t, keys, (1, Some(1)), "TrueClass or FalseClass", |key| matches!(key, Value::Boolean(_)))?;
    Ok(Type::Boolean(keys.first().map(|key| matches!(key, Value::Boolean(true)))))
}

fn enumeration(t: &Type, keys: &[Value]) -> TypeResult {
    let (case_insensitive, keys) = match keys {
        [keys @ .., Value::Boolean(case_insensitive)] => (*case_insensitive, keys),
        keys => (false, keys),
    };
    check(t, keys, AT_LEAST_ONE, "String", |key| matches!(key, Value::String(_)))?;
    let values = keys.iter().filter_map(|key| match key {
        Value::String(text) => Some(Arc::clone(text)),
        _ => None,
    });
    Ok(Type::enumeration(values, case_insensitive))
}

fn regexp(t: &Type, keys: &[Value]) -> TypeResult {
    if keys.len() != 1 {
        let fault = wrong_count(&with_article_uc(&label(&t.clone().into())), 1, Some(1), keys.len());
        return Err(AccessFault { key: (keys.len() > 1).then_some(1), ..fault });
    }
    check(t, keys, (1, Some(1)), "String or Regexp", |key| {
        matches!(key, Value::String(_) | Value::Regexp(_))
    })?;
    Ok(from_values::regexp(keys)?)
}

fn array(keys: &[Value]) -> TypeResult {
    let first = keys.first().and_then(as_type);
    match (keys, first) {
        ([_], Some(element)) => Ok(Type::array(element.clone(), None)),
        ([_, rest], Some(element)) => {
            Ok(Type::array(element.clone(), Some(size(1, std::slice::from_ref(rest))?)))
        }
        ([_, _], None) => Ok(Type::array(Type::Any, Some(size(0, keys)?))),
        ([_, rest @ ..], Some(element)) if rest.len() == 2 => {
            Ok(Type::array(element.clone(), Some(size(1, rest)?)))
        }
        ([key] | [key, _, _], None) => Err(not_types("Array", 0, key)),
        _ => Err(wrong_count("Array-Type", 1, Some(3), keys.len())),
    }
}

fn hash(keys: &[Value]) -> TypeResult {
    if let [Value::Integer(_), Value::Integer(_)] = keys {
        return Ok(Type::hash(Type::Any, Type::Any, Some(size(0, keys)?)));
    }
    for (index, key) in keys.iter().take(2).enumerate() {
        if as_type(key).is_none() {
            return Err(not_types("Hash", index, key));
        }
    }
    let (Some(key), Some(value), 2..=4) =
        (keys.first().and_then(as_type), keys.get(1).and_then(as_type), keys.len())
    else {
        return Err(wrong_count("Hash-Type", 2, Some(4), keys.len()));
    };
    let rest = keys.get(2..).unwrap_or_default();
    let size = if rest.is_empty() { None } else { Some(size(2, rest)?) };
    Ok(Type::hash(key.clone(), value.clone(), size))
}

fn is_bound(key: &Value) -> bool {
    match key {
        Value::Integer(_) | Value::Default => true,
        Value::String(text) => &**text == "default",
        _ => false,
    }
}

fn tuple(t: &Type, mut keys: Vec<Value>) -> TypeResult {
    let bounds = keys.iter().rev().take(2).take_while(|key| is_bound(key)).count();
    let bounds = keys.split_off(keys.len().saturating_sub(bounds));
    let size = if bounds.is_empty() { None } else { Some(size(keys.len(), &bounds)?) };
    check(t, &keys, AT_LEAST_ONE, "Any-Type", |key| as_type(key).is_some())?;
    Ok(Type::tuple(keys.iter().filter_map(as_type).cloned().collect::<Vec<_>>(), size))
}

fn callable(t: &Type, keys: &[Value], limits: &Limits) -> TypeResult {
    if let Some(Value::Array(_)) = keys.first() {
        let [_, returns] = keys else {
            return Err(wrong_count(&with_article_uc(&label(&t.clone().into())), 2, Some(2), keys.len()));
        };
        if as_type(returns).is_none() {
            return Err(AccessFault::key(
                1,
                format!(
                    "Error creating type specialization of {}, Cannot use {} where Any-Type is expected",
                    with_article(&label(&t.clone().into())),
                    key_type(returns)
                ),
            ));
        }
    }
    Ok(from_values::callable(keys, limits)?)
}
