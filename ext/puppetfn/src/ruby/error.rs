//! Errors of the core as Ruby exceptions, and the guard of every entry point.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::interruption::{self, answer};
use super::jump::{self, Jump};
use super::wrap::{wrap_type, wrap_value};
use super::{explained, host_table};
use magnus::error::ErrorType;
use magnus::value::{Lazy, ReprValue};
use magnus::{
    Class, Error, Exception, ExceptionClass, Module, Object, RClass, RModule, RObject, Ruby, Value,
};
use puppetfn::error::{Error as CoreError, ErrorKind, RaisedAs, Signal, SyntaxDetail, SystemError};
use puppetfn::lookup::{LOOKUP, LOOKUP_CONFIGURATION, is_of_data};
use puppetfn::types::ops::describe::AssertedTypes;
use puppetfn::value::ErrorData;

/// Turns an error of the core into the exception that Puppet raises in that case.
///
/// An exception that crossed the core comes out as the same object.
pub fn to_ruby(ruby: &Ruby, error: &CoreError) -> Error {
    if let ErrorKind::Host(host) | ErrorKind::HostFailure(host) = error.kind() {
        return host_table::fetch(ruby, host).map_or_else(|lost| lost, raised);
    }
    if let Some(exception) = of_named_class(ruby, error) {
        return exception;
    }
    let class = match error.as_signal() {
        Some(Signal::Break) => {
            return jump::leaving(ruby, Jump::Break, ruby.qnil().as_value(), error.place());
        }
        Some(Signal::NoSuchKey) => return jump::no_such_key(ruby),
        Some(Signal::Unevaluated) => return jump::unevaluated(ruby, error.message()),
        Some(_) => ruby.exception_arg_error(),
        None if is_issue(error) => named_class(ruby, "Puppetfn::Puppet::ParseErrorWithIssue")
            .unwrap_or_else(|| ruby.exception_arg_error()),
        None => exception_class(ruby, error.kind()),
    };
    if let Some(explanation) = error.explanation() {
        let exception = explained::exception(ruby, class, error, explanation);
        return exception.map_or_else(|error| error, Error::from);
    }
    if let ErrorKind::Argument(index) = error.kind() {
        return class.new_instance((error.to_string(), *index)).map_or_else(|error| error, Error::from);
    }
    if let Some(SystemError { code, path }) = error.details() {
        return system_error(ruby, *code, path);
    }
    let Some(AssertedTypes { expected, actual }) = error.details() else {
        return Error::new(class, error.to_string());
    };
    // This one carries both types.
    let types = (wrap_type(ruby, expected.clone()), wrap_type(ruby, actual.clone()));
    match class.new_instance((error.to_string(), types.0, types.1)) {
        Ok(exception) => Error::from(exception),
        Err(error) => error,
    }
}

/// Returns true for an error of syntax for which Puppet has an issue.
fn is_issue(error: &CoreError) -> bool {
    *error.kind() == ErrorKind::Syntax
        && !matches!(error.details(), Some(SyntaxDetail::Unplaced | SyntaxDetail::WithoutIssue))
}

/// Returns the exception of an error that names its class, unless it has become one of code.
fn of_named_class(ruby: &Ruby, error: &CoreError) -> Option<Error> {
    if error.is_of_evaluation() {
        return None;
    }
    if let Some(ErrorData(data)) = error.details() {
        let class = named_class(ruby, "Puppetfn::Puppet::ErrorWithData")?;
        let exception =
            wrap_value(ruby, data.clone()).and_then(|data| class.new_instance((data, error.to_string())));
        return Some(exception.map_or_else(|error| error, Error::from));
    }
    let RaisedAs(name) = error.details()?;
    Some(Error::new(named_class(ruby, name)?, error.to_string()))
}

/// Returns the exception of Ruby's `File.stat`, which Puppet calls before it reads a file.
fn system_error(ruby: &Ruby, code: i32, path: &Path) -> Error {
    let class = named_class(ruby, "SystemCallError").unwrap_or_else(|| ruby.exception_arg_error());
    match class.new_instance((path.to_owned(), code, "rb_file_s_stat")) {
        Ok(exception) => Error::from(mark(ruby, exception)),
        Err(error) => error,
    }
}

/// Returns the exception of an error that code ended with.
pub fn of_code(ruby: &Ruby, error: &CoreError) -> Error {
    use ErrorKind::{Host, HostFailure, Internal, Limit, Syntax, Unrepresentable};
    let kind = error.kind();
    // A text that code reads, as a regular expression, is none of its syntax.
    let is_syntax = *kind == Syntax && !error.is_of_evaluation();
    let has_class = error.details::<RaisedAs>().is_some() || error.details::<ErrorData>().is_some();
    // The evaluation of a class that a classifier names has no place, but its own words around an exception.
    let is_restated = matches!(kind, HostFailure(_)) && error.is_of_evaluation();
    let is_of_no_place = error.place().is_none() && !is_restated;
    let passes = matches!(kind, Host(_) | Limit | Internal | Unrepresentable) || is_of_no_place;
    if passes && (!is_syntax || has_class) {
        return to_ruby(ruby, error);
    }
    let has_issue = error.details() != Some(&SyntaxDetail::WithoutIssue);
    if is_syntax && !has_issue && error.environment().is_some() {
        let class =
            named_class(ruby, "Puppetfn::Puppet::Error").unwrap_or_else(|| ruby.exception_arg_error());
        return Error::new(class, error.to_string());
    }
    let class = match jump::jump_of(error) {
        Some(_) => "ParseError",
        None if is_syntax && has_issue => "ParseErrorWithIssue",
        None if is_syntax => "ParseError",
        None if is_of_data(error) => "DataBinding::LookupError",
        // Errors of the catalog itself have their place, and pass the evaluator unchanged.
        None if !error.is_of_evaluation() => "ParseError",
        None => "PreformattedError",
    };
    placed(ruby, class, error).unwrap_or_else(|error| error)
}

/// Returns an exception of one of Puppet's classes that has a place. It shares the backtrace of the exception that it replaces.
fn placed(ruby: &Ruby, class: &str, error: &CoreError) -> Result<Error, Error> {
    let class = &format!("Puppetfn::Puppet::{class}");
    let Some(class) = named_class(ruby, class) else { return Ok(to_ruby(ruby, error)) };
    let place = error.place();
    let file = place.and_then(|place| place.file.as_deref());
    let (line, column) = (place.and_then(|place| place.line), place.and_then(|place| place.column));
    let ErrorKind::HostFailure(original) = error.kind() else {
        let exception = class.new_instance((error.message(), file, line, column))?;
        if let Some(environment) = error.environment() {
            exception.funcall::<_, _, Value>("environment=", (&**environment,))?;
        }
        explained::explain_as(ruby, exception, error)?;
        return Ok(Error::from(exception));
    };
    let original = host_table::fetch(ruby, original)?;
    let exception = class.new_instance((error.message(), file, line, column, original))?;
    exception
        .funcall::<_, _, Value>("set_backtrace", (original.funcall::<_, _, Value>("backtrace", ())?,))?;
    explained::explain_as(ruby, exception, error)?;
    Ok(Error::from(exception))
}

/// Carries an exception through the core.
pub fn to_core(ruby: &Ruby, error: &Error) -> CoreError {
    if let ErrorType::Exception(exception) = error.error_type()
        && jump::is_no_such_key(ruby, *exception)
    {
        return CoreError::signal(Signal::NoSuchKey, "uncaught throw :no_such_key");
    }
    if let ErrorType::Exception(exception) = error.error_type()
        && let Some(message) = jump::unevaluated_message(ruby, *exception)
    {
        return CoreError::signal(Signal::Unevaluated, message);
    }
    let text = error.to_string();
    let exception = match error.error_type() {
        ErrorType::Exception(exception) => *exception,
        ErrorType::Error(class, message) => match class.new_instance((message.as_ref(),)) {
            Ok(exception) => mark(ruby, exception),
            Err(_) => return CoreError::new(ErrorKind::Internal, text),
        },
        // A throw or break has no object; it may not end in the core.
        ErrorType::Jump(_) => {
            interruption::keep(error);
            return CoreError::new(ErrorKind::Evaluation, text);
        }
    };
    let Ok(kept) = host_table::keep(ruby, exception.as_value()) else {
        return CoreError::new(ErrorKind::Internal, text);
    };
    let (kind, text) = match failure(ruby, exception) {
        Some(message) => (ErrorKind::HostFailure(kept), message),
        None => (ErrorKind::Host(kept), text),
    };
    explained::carried(CoreError::new(kind, text), exception)
}

/// Returns the message of an exception that code reports as an error of its own. As in Puppet, these are all exceptions
/// that `rescue` takes, except errors with a position in the code. Exceptions of puppetfn's are no errors of code.
fn failure(ruby: &Ruby, exception: Exception) -> Option<String> {
    let is_a = |class: &Lazy<ExceptionClass>| exception.is_kind_of(ruby.get_inner(class));
    let has = |part: &str| {
        answer(ruby, exception.funcall::<_, _, Value>(part, ())).is_some_and(|part| !part.is_nil())
    };
    let passes = !exception.is_kind_of(ruby.exception_standard_error())
        || exception.is_kind_of(ruby.exception_stop_iteration())
        || is_a(&OWN)
        || is_a(&PREFORMATTED)
        || is_a(&PARSE_ERROR) && (has("file") || has("line"));
    if passes { None } else { answer(ruby, exception.funcall("message", ())) }
}

/// Returns the message of an exception that is one of Puppet's errors.
pub fn message_of(ruby: &Ruby, exception: Value) -> Option<String> {
    exception
        .is_kind_of(ruby.get_inner(&PUPPET_ERROR))
        .then(|| answer(ruby, exception.funcall("message", ())))?
}

static OWN: Lazy<ExceptionClass> = Lazy::new(|ruby| class(ruby, "Puppetfn::OperationError"));
static PUPPET_ERROR: Lazy<ExceptionClass> = Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Error"));
static PREFORMATTED: Lazy<ExceptionClass> =
    Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::PreformattedError"));
static PARSE_ERROR: Lazy<ExceptionClass> = Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::ParseError"));

/// Returns the exception class of this name; one that no exception is of, should it be missing.
pub fn class(ruby: &Ruby, path: &str) -> ExceptionClass {
    named_class(ruby, path).unwrap_or_else(|| ruby.exception_fatal())
}

/// Returns the error that raises this exception object again.
pub fn raised(exception: Value) -> Error {
    match magnus::Exception::from_value(exception) {
        Some(exception) => Error::from(exception),
        None => Error::new(Ruby::get_with(exception).exception_type_error(), "exception object expected"),
    }
}

/// Extends an exception with `Puppetfn::Error`, unless its class includes it.
pub fn mark(ruby: &Ruby, exception: Exception) -> Exception {
    mark_as(ruby, "Error", exception)
}

/// Extends an exception with a module of `Puppetfn`, unless its class includes it. The drop-in alone does not define all of them.
pub fn mark_as(ruby: &Ruby, module: &str, exception: Exception) -> Exception {
    let puppetfn = ruby.class_object().const_get::<_, RModule>("Puppetfn");
    if let Ok(module) = puppetfn.and_then(|puppetfn| puppetfn.const_get::<_, RModule>(module))
        && !exception.is_kind_of(module)
        && let Some(object) = RObject::from_value(exception.as_value())
    {
        // It fails for a frozen exception only, which no class of Ruby's creates.
        let _ = object.extend_object(module);
    }
    exception
}

/// Creates the exception of an error that Rust code raises. One that Ruby code raised stays as it is.
#[cold]
fn materialize(ruby: &Ruby, error: Error) -> Error {
    match error.error_type() {
        ErrorType::Error(class, message) => {
            let exception = class.new_instance((message.as_ref(),));
            exception.map_or_else(|error| error, |exception| Error::from(mark(ruby, exception)))
        }
        ErrorType::Exception(_) | ErrorType::Jump(_) => error,
    }
}

/// Runs the body of a method: a panic becomes `Puppetfn::InternalError`, and the process lives on. An interruption of the
/// body continues after it.
#[inline]
pub fn guarded<T>(ruby: &Ruby, body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(internal(ruby, &panic)));
    interruption::take(ruby).map_or(result, Err).map_err(|error| materialize(ruby, error))
}

#[cold]
fn internal(ruby: &Ruby, panic: &Box<dyn Any + Send>) -> Error {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown reason");
    Error::new(
        exception_class(ruby, &ErrorKind::Internal),
        format!("internal error of puppetfn: {what}; please report it with the input that led here"),
    )
}

/// Returns the class that is raised for a kind of error: the one that Puppet raises where it has one.
#[allow(clippy::wildcard_enum_match_arm, reason = "kinds without a class of their own are argument errors")]
fn exception_class(ruby: &Ruby, kind: &ErrorKind) -> ExceptionClass {
    let path = match kind {
        ErrorKind::Syntax | ErrorKind::TypeParameters | ErrorKind::Evaluation => {
            "Puppetfn::Puppet::ParseError"
        }
        ErrorKind::Layer(LOOKUP | LOOKUP_CONFIGURATION) => "Puppetfn::Puppet::DataBinding::LookupError",
        ErrorKind::Duplicate => "Puppetfn::Catalog::DuplicateResourceError",
        ErrorKind::Conversion => "Puppetfn::Puppet::Pops::Types::TypeConversionError",
        ErrorKind::TypeAssertion => "Puppetfn::Puppet::Pops::Types::TypeAssertionError",
        ErrorKind::Argument(_) => "Puppetfn::FunctionSpec::ArgumentError",
        ErrorKind::Unrepresentable => "Puppetfn::ValueError",
        ErrorKind::Limit => "Puppetfn::LimitError",
        ErrorKind::Internal => "Puppetfn::InternalError",
        // Puppet raises plain argument errors for the rest: arguments that do not match, unknown
        // functions, files that define something else.
        _ => return ruby.exception_arg_error(),
    };
    named_class(ruby, path).unwrap_or_else(|| ruby.exception_arg_error())
}

/// Returns the exception class of this name, if it is defined.
fn named_class(ruby: &Ruby, path: &str) -> Option<ExceptionClass> {
    let object = ruby.class_object().as_value();
    let found = path.split("::").try_fold(object, |scope, name| match RModule::from_value(scope) {
        Some(module) => module.const_get::<_, Value>(name).ok(),
        None => RClass::from_value(scope)?.const_get::<_, Value>(name).ok(),
    });
    ExceptionClass::from_value(found?)
}
