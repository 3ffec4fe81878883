//! `Puppetfn::Explained`: explanations of exceptions about arguments, beyond their message.
//!
//! The message of such an exception is a [`Message`] instead of a String. `Exception#message` asks it for its text, so
//! that one object holds the text and the explanation, and no text is rendered that nobody reads.

use std::cell::Cell;

use magnus::gc::Marker;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Class, DataTypeFunctions, Error, Exception, ExceptionClass, Module, Object, RModule, RObject, RString,
    Ruby, TypedData, Value, function, method,
};
use puppetfn::error::{Error as CoreError, ErrorExplanation};
use puppetfn::loader::FunctionHint;

use super::classes::define_class;
use super::error::{mark, mark_as, to_ruby};
use super::raw::{TypedClass, TypedRef};

/// The message of an exception, and the explanation that goes with it.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Message", free_immediately, mark)]
struct Message {
    text: String,
    explanation: ErrorExplanation,
    /// The text as a String, once it was asked for. Some write into it, to say more.
    shown: Cell<Option<Opaque<RString>>>,
}

impl DataTypeFunctions for Message {
    fn mark(&self, marker: &Marker) {
        if let Some(shown) = self.shown.get() {
            marker.mark(shown);
        }
    }
}

impl TypedRef for Message {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<Message> = TypedClass::new();
        &TYPED
    }
}

/// The instance variable in which Ruby keeps the message that an exception was created with.
const MESSAGE: &str = "mesg";

/// The instance variable for exceptions that word their message themselves.
const EXPLANATION: &str = "@explanation";

/// The instance variable for the name of a function that does not exist.
const NAME: &str = "@name";

/// Between the two parts of a message that is marshalled.
const SEPARATOR: char = '\0';

/// Returns an exception with a message that is explained.
pub fn exception(
    ruby: &Ruby,
    class: ExceptionClass,
    error: &CoreError,
    explanation: &ErrorExplanation,
) -> Result<Exception, Error> {
    let message = ruby.obj_wrap(Message::new(error.to_string(), explanation.clone()));
    let exception = mark(ruby, class.new_instance((message,))?);
    name_function(ruby, exception, explanation)?;
    Ok(exception)
}

/// Extends the exception of a function that does not exist with `Puppetfn::UnknownFunctionError`.
fn name_function(ruby: &Ruby, exception: Exception, explanation: &ErrorExplanation) -> Result<(), Error> {
    match (explanation.downcast_ref::<FunctionHint>(), RObject::from_value(exception.as_value())) {
        (Some(hint), Some(object)) => {
            mark_as(ruby, "UnknownFunctionError", exception);
            object.ivar_set(NAME, hint.name())
        }
        (None, _) | (_, None) => Ok(()),
    }
}

/// Attaches the explanation of an exception to the core error that represents it.
pub fn carried(error: CoreError, exception: Exception) -> CoreError {
    match explanation_of(exception.as_value()) {
        Some(explanation) => error.explained(explanation),
        None => error,
    }
}

/// Attaches the explanation of a core error to an exception that words its message itself.
pub fn explain_as(ruby: &Ruby, exception: Exception, error: &CoreError) -> Result<(), Error> {
    match (error.explanation(), RObject::from_value(exception.as_value())) {
        (Some(explanation), Some(object)) => {
            let message = Message::new(String::new(), explanation.clone());
            object.ivar_set(EXPLANATION, ruby.obj_wrap(message))?;
            name_function(ruby, exception, explanation)
        }
        (None, _) | (_, None) => Ok(()),
    }
}

fn explanation_of(exception: Value) -> Option<ErrorExplanation> {
    let object = RObject::from_value(exception)?;
    let part = |name| {
        let message = object.ivar_get::<_, Value>(name).ok()?;
        Message::of(&message).map(|message| message.explanation.clone())
    };
    part(MESSAGE).or_else(|| part(EXPLANATION))
}

impl Message {
    fn new(text: String, explanation: ErrorExplanation) -> Self {
        Self { text, explanation, shown: Cell::new(None) }
    }

    fn to_s(ruby: &Ruby, this: &Self) -> RString {
        if let Some(shown) = this.shown.get() {
            return ruby.get_inner(shown);
        }
        let shown = ruby.str_new(&this.text);
        this.shown.set(Some(shown.into()));
        shown
    }

    /// @yard
    /// @def _dump(depth)
    /// @return [String] the text and the explanation in one, as `Marshal` wants it
    /// @api private
    fn dump(this: &Self, _depth: Value) -> String {
        format!("{}{SEPARATOR}{}", this.text, this.explanation)
    }

    /// @yard
    /// @def _load(dumped)
    /// @return [Puppetfn::Message] of the result of {#_dump}
    /// @api private
    fn load(dumped: String) -> Self {
        let (text, explanation) = dumped.split_once(SEPARATOR).unwrap_or((&dumped, ""));
        Self::new(text.to_owned(), ErrorExplanation::new(explanation.to_owned()))
    }
}

/// @yard
/// @def explain
/// @return [String, nil] for rejected arguments, a table of the function's signatures and the arguments; for a function
///   that does not exist, a suggestion of similar names
fn explain(this: Value) -> Option<String> {
    let explanation = explanation_of(this)?.to_string();
    (!explanation.is_empty()).then_some(explanation)
}

/// @yard
/// @def candidates
/// @return [Array<String>] existing functions with similar names, the closest first; empty in a copy by Marshal
fn candidates(ruby: &Ruby, this: Value) -> Result<Vec<String>, Error> {
    let explanation = explanation_of(this);
    let hint = explanation.as_ref().and_then(ErrorExplanation::downcast_ref::<FunctionHint>);
    hint.map_or(Ok(Vec::new()), |hint| hint.candidates().map_err(|error| to_ruby(ruby, &error)))
}

/// Defines the modules of exceptions with explanations, which the library completes.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Message>(ruby, puppetfn, "Message", ruby.class_object())?;
    class.define_method("to_s", method!(Message::to_s, 0))?;
    // Exceptions are marshalled where tests run in several processes.
    class.define_method("_dump", method!(Message::dump, 1))?;
    class.define_singleton_method("_load", function!(Message::load, 1))?;
    puppetfn.funcall::<_, _, Value>("private_constant", (ruby.to_symbol("Message"),))?;
    Message::typed().learn(ruby, Message::new(String::new(), ErrorExplanation::new("")));

    let explained = puppetfn.define_module("Explained")?;
    explained.define_method("explain", method!(explain, 0))?;
    puppetfn.define_module("UnknownFunctionError")?.define_method("candidates", method!(candidates, 0))
}
