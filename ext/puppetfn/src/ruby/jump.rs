//! `next`, `return` and `break` on their way through Ruby.
//!
//! - A lambda of Puppet code that leaves with `return` raises `Evaluator::Return` in the Ruby function
//!   that called it, and `Evaluator::PuppetStopIteration` when it leaves with `break`.
//! - A jump out of a function to its caller is, as in Puppet, an error that says that this is illegal, unless the
//!   caller is a function itself. Puppet throws; here the error carries the jump, so that calls need not pay for a
//!   `catch`.

use magnus::error::ErrorType;
use magnus::value::{Lazy, LazyId, ReprValue};
use magnus::{Class, Error, Exception, ExceptionClass, Object, RObject, Ruby, Value};
use puppetfn::error::{Error as CoreError, Signal, SourceLocation};

use super::error::{class, raised};
use super::interruption::answer;

/// A way out of a block or function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// Out of the block or function that the code is in.
    Next,
    /// Out of the function that the code is in, also from within a block.
    Return,
    /// Out of the iteration that calls the block.
    Break,
}

impl Jump {
    /// Returns the way out that a function of this name takes.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Next, Self::Return, Self::Break].into_iter().find(|jump| tag(*jump) == name)
    }

    /// Returns the error that carries the jump; if nothing receives the jump, it is reported.
    pub fn error(self) -> CoreError {
        let signal = match self {
            Self::Next => Signal::Next,
            Self::Return => Signal::Return,
            Self::Break => Signal::Break,
        };
        CoreError::signal(signal, format!("{}() from context where this is illegal", tag(self)))
    }
}

/// The instance variable of an error for the jump that it carries: the tag and the value.
static JUMP: LazyId = LazyId::new("@__puppetfn_jump");

// Every exception that leaves a function is compared with these, so they are looked up once.
static NEXT: Lazy<ExceptionClass> = Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Pops::Evaluator::Next"));
static RETURN: Lazy<ExceptionClass> =
    Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Pops::Evaluator::Return"));
static STOP_ITERATION: Lazy<ExceptionClass> =
    Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Pops::Evaluator::PuppetStopIteration"));
static NO_SUCH_KEY: Lazy<ExceptionClass> =
    Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Pops::Lookup::NoSuchKey"));
static UNEVALUATED: Lazy<ExceptionClass> =
    Lazy::new(|ruby| class(ruby, "Puppetfn::Puppet::Pops::Evaluator::UnevaluatedParameter"));
static UNCAUGHT_THROW: Lazy<ExceptionClass> = Lazy::new(|ruby| class(ruby, "UncaughtThrowError"));

fn tag(jump: Jump) -> &'static str {
    match jump {
        Jump::Next => "next",
        Jump::Return => "return",
        Jump::Break => "break",
    }
}

fn made(exception: Result<Value, Error>) -> Error {
    exception.map_or_else(|error| error, raised)
}

fn file_and_line(place: Option<&SourceLocation>) -> (Option<&str>, Option<u32>) {
    place.map_or((None, None), |place| (place.file.as_deref(), place.line))
}

/// Returns the exception that takes a lambda's jump out of a Ruby function.
pub fn leaving(ruby: &Ruby, jump: Jump, value: Value, place: Option<&SourceLocation>) -> Error {
    let (file, line) = file_and_line(place);
    let exception = match jump {
        Jump::Next => ruby.get_inner(&NEXT).new_instance((value, file, line)),
        Jump::Return => ruby.get_inner(&RETURN).new_instance((value, file, line)),
        Jump::Break => ruby.get_inner(&STOP_ITERATION).new_instance((file, line)),
    };
    made(exception.map(|exception| exception.as_value()))
}

/// Returns the error of a jump that leaves a function, for its caller.
pub fn escaping(ruby: &Ruby, jump: Jump, value: Value, file: Value, line: Value) -> Error {
    let error = || -> Result<Value, Error> {
        let message = jump.error().message().to_owned();
        let error = class(ruby, "Puppetfn::Puppet::ParseError").new_instance((message, file, line))?;
        if let Some(object) = RObject::from_value(error.as_value()) {
            object.ivar_set(*JUMP, ruby.ary_from_iter([ruby.to_symbol(tag(jump)).as_value(), value]))?;
        }
        Ok(error.as_value())
    };
    if jump == Jump::Break {
        return leaving(ruby, jump, value, None);
    }
    made(error())
}

/// Returns the value that a jump of this kind carries as a function's result; the error if it carries none.
pub fn caught(ruby: &Ruby, error: Error, jump: Jump) -> Result<Value, Error> {
    match exception_of(&error) {
        Some(exception) => match landed(ruby, exception)? {
            Some((found, value)) if found == jump => Ok(value),
            Some(_) | None => Err(error),
        },
        None => Err(error),
    }
}

/// Returns the jump that an exception is or carries, and its value, once it has left a function.
pub fn landed(ruby: &Ruby, exception: Exception) -> Result<Option<(Jump, Value)>, Error> {
    let named = |name: Value| -> Result<Option<Jump>, Error> {
        for jump in [Jump::Next, Jump::Return] {
            if name.eql(ruby.to_symbol(tag(jump)))? {
                return Ok(Some(jump));
            }
        }
        Ok(None)
    };
    if exception.is_kind_of(ruby.get_inner(&UNCAUGHT_THROW)) {
        let jump = named(exception.funcall("tag", ())?)?;
        let value: Value = exception.funcall("value", ())?;
        return Ok(match jump {
            // Puppet throws the jump itself.
            Some(Jump::Return) if value.respond_to("value", false)? => {
                Some((Jump::Return, value.funcall("value", ())?))
            }
            jump => jump.map(|jump| (jump, value)),
        });
    }
    if exception.is_kind_of(ruby.get_inner(&STOP_ITERATION)) {
        return Ok(Some((Jump::Break, ruby.qnil().as_value())));
    }
    let Some(object) = RObject::from_value(exception.as_value()) else { return Ok(None) };
    match object.ivar_get::<_, Option<(Value, Value)>>(*JUMP)? {
        Some((name, value)) => Ok(named(name)?.map(|jump| (jump, value))),
        None => Ok(None),
    }
}

/// Converts a jump that was raised within a function to the error that the function's caller sees.
pub fn outward(ruby: &Ruby, error: Error) -> Error {
    let Some(exception) = exception_of(&error) else { return error };
    let jump = if exception.is_kind_of(ruby.get_inner(&NEXT)) {
        Jump::Next
    } else if exception.is_kind_of(ruby.get_inner(&RETURN)) {
        Jump::Return
    } else {
        return error;
    };
    let part = |name: &str| exception.funcall::<_, _, Value>(name, ());
    match (part("value"), part("file"), part("line")) {
        (Ok(value), Ok(file), Ok(line)) => escaping(ruby, jump, value, file, line),
        _ => error,
    }
}

fn exception_of(error: &Error) -> Option<Exception> {
    match error.error_type() {
        ErrorType::Exception(exception) => Some(*exception),
        ErrorType::Error(..) | ErrorType::Jump(_) => None,
    }
}

/// Returns the exception that leaves a function that returns data and has none for a key.
pub fn no_such_key(ruby: &Ruby) -> Error {
    made(ruby.get_inner(&NO_SUCH_KEY).new_instance(()).map(|exception| exception.as_value()))
}

/// Returns true if an exception is `NoSuchKey`, or stands for it: Puppet throws `:no_such_key`.
pub fn is_no_such_key(ruby: &Ruby, exception: Exception) -> bool {
    if exception.is_kind_of(ruby.get_inner(&UNCAUGHT_THROW)) {
        let tag = exception.funcall::<_, _, Value>("tag", ());
        return answer(ruby, tag.and_then(|tag| tag.eql(ruby.to_symbol("no_such_key")))).unwrap_or(false);
    }
    exception.is_kind_of(ruby.get_inner(&NO_SUCH_KEY))
}

/// Returns the exception that leaves a function that has asked for a parameter which has no value yet.
pub fn unevaluated(ruby: &Ruby, message: &str) -> Error {
    made(ruby.get_inner(&UNEVALUATED).new_instance((message,)).map(|exception| exception.as_value()))
}

/// Returns the message of an `UnevaluatedParameter` exception.
pub fn unevaluated_message(ruby: &Ruby, exception: Exception) -> Option<String> {
    exception
        .is_kind_of(ruby.get_inner(&UNEVALUATED))
        .then(|| answer(ruby, exception.funcall("message", ())))?
}

/// Returns the way out that an error of the core is on.
pub fn jump_of(error: &CoreError) -> Option<Jump> {
    match error.as_signal()? {
        Signal::Next => Some(Jump::Next),
        Signal::Return => Some(Jump::Return),
        Signal::Break => Some(Jump::Break),
        Signal::Unevaluated | Signal::NoSuchKey | Signal::Unloaded(_) => None,
    }
}
