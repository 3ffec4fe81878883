//! The calling convention of functions in Puppet's 3.x API: they accept any arguments, get them converted to
//! values of that API, and count them themselves.
//!
//! See Puppet's `parser/functions.rb` and `pops/evaluator/runtime3_converter.rb`.

use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_catalog::{NO_ITERATOR, Reference, no_large_integer};
use puppetfn_types::function::{Call, Declaration, ScopeMethod, ScopeMethodKind, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{InspectedString, Value};

/// The number of arguments that a function takes.
#[derive(Clone, Copy)]
pub(super) enum LegacyArity {
    Exactly(usize),
    AtLeast(usize),
}

/// Returns the method for a function that code in the 3.x API has to call in another way.
pub(super) fn refused(arity: i32, has_result: bool) -> ScopeMethod {
    ScopeMethod { arity, has_result, kind: ScopeMethodKind::Refuses }
}

/// Declares a function of the 3.x API that is a statement: there it has no result.
pub(super) fn legacy_statement(
    name: &'static str,
    arity: LegacyArity,
    body: impl Fn(&mut Call<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
) -> Declaration {
    legacy(name, arity, body).scope_method(ScopeMethod::statement(arity.in_ruby()))
}

/// Declares a function of the 3.x API.
pub(super) fn legacy(
    name: &'static str,
    arity: LegacyArity,
    body: impl Fn(&mut Call<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
) -> Declaration {
    native(name).scope_method(ScopeMethod::with_result(arity.in_ruby())).dispatch::<&[Value]>(
        "(Any args*)",
        move |call, arguments| {
            let converted: Vec<Value>;
            let arguments = if arguments.iter().all(is_known) {
                arguments
            } else {
                let depth = Depth::nesting(call.limits());
                converted = arguments
                    .iter()
                    .map(|value| outer(value, depth, call.limits()))
                    .collect::<Result<_, Error>>()?;
                &converted
            };
            arity.check(name, arguments.len())?;
            body(call, arguments)
        },
    )
}

impl LegacyArity {
    /// Returns it as Ruby counts arguments: -2 for one or more.
    fn in_ruby(self) -> i32 {
        let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        match self {
            Self::Exactly(exactly) => count(exactly),
            Self::AtLeast(least) => count(least).saturating_neg().saturating_sub(1),
        }
    }

    fn check(self, name: &str, given: usize) -> Result<(), Error> {
        let expected = match self {
            Self::Exactly(count) if given != count => count.to_string(),
            Self::AtLeast(count) if given < count => format!("minimum {count}"),
            Self::Exactly(_) | Self::AtLeast(_) => return Ok(()),
        };
        let message = format!("{name}(): Wrong number of arguments given ({given} for {expected})");
        Err(Error::new(ErrorKind::ArgumentMismatch, message))
    }
}

/// Returns true if a value is the same in that API, as most are.
fn is_known(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
}

/// Converts an argument: undef is an empty string.
fn outer(value: &Value, depth: Depth, limits: &Limits) -> Result<Value, Error> {
    if let Value::Undef = value { Ok("".into()) } else { inner(value, depth, limits) }
}

/// Converts a value at any depth: a value of a type that the API lacks becomes a text.
fn inner(value: &Value, depth: Depth, limits: &Limits) -> Result<Value, Error> {
    match value {
        Value::Regexp(_) => Ok(value.ruby_inspect(limits)?.into()),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_) => Ok(value.ruby_to_s(limits)?.into()),
        Value::Array(_) | Value::Hash(_) => {
            let depth = depth.deeper()?;
            let mapped = value.try_map_parts(|part| inner(part, depth, limits))?;
            Ok(mapped.unwrap_or_else(|| value.clone()))
        }
        Value::Iterator(_) => Err(Error::new(ErrorKind::ArgumentMismatch, NO_ITERATOR)),
        Value::Type(t) if **t == Type::Class(None) => Err(no_reference("class")),
        Value::Type(t) => Ok(Reference::given(t).map_or_else(|| value.clone(), Value::from)),
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Uri(_)
        | Value::Sensitive(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Unknown(_) => Ok(value.clone()),
        Value::Runtime(object) if let Some(number) = object.as_integer() => Err(no_large_integer(number)),
        Value::Runtime(object) => match object.contents() {
            Some(contents) => inner(contents, depth.deeper()?, limits),
            None => Ok(value.clone()),
        },
    }
}

/// Returns the text of an argument: a reference to a resource is a resource in that API, not a type.
pub(super) fn shown(value: &Value, limits: &Limits) -> Result<String, Error> {
    let Value::Type(t) = value else { return value.ruby_to_s(limits) };
    match (Reference::of_type(t), &**t) {
        (Some(reference), _) => Ok(reference.to_string()),
        (None, Type::Resource(resource)) => match &resource.type_name {
            Some(name) => Ok(format!("{name}[]")),
            None => value.ruby_to_s(limits),
        },
        (None, _) => value.ruby_to_s(limits),
    }
}

/// Returns the error for a text that is not a reference.
#[cold]
pub(super) fn no_reference(text: &str) -> Error {
    let shown = InspectedString(text);
    let message = format!("No title provided and {shown} is not a valid resource reference");
    Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR)
}

/// Returns an argument that must be a string.
pub(super) fn text(value: Option<&Value>) -> Result<&str, Error> {
    match value {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(other.check_encoding().err().unwrap_or_else(|| not_converted(other, "String"))),
        None => Ok(""),
    }
}

/// Returns Ruby's error of a value that its library needs to be of another class.
#[cold]
pub(super) fn not_converted(value: &Value, class: &str) -> Error {
    let shown = if let Value::Undef | Value::Boolean(_) = value {
        value.inspected()
    } else {
        value.ruby_class().into_owned()
    };
    let message = format!("no implicit conversion of {shown} into {class}");
    Error::new(ErrorKind::ArgumentMismatch, message).with_details(RaisedAs::TYPE_ERROR)
}
