//! The one error type of the core.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::handle::HostRef;
use crate::source::{LineIndex, Span};

/// The prefix of errors of evaluation, see [`Error::of_evaluation`].
const EVALUATION: &str = "Evaluation Error:";

/// The suffix of warnings that are given once and have no known position.
pub const NO_PLACE: &str = "\n   (file & line not available)";

/// An error: its kind, message and position; one word wide.
///
/// `Display` prints the message with its position, as Puppet words it.
#[derive(Clone, PartialEq)]
pub struct Error(Box<ErrorRepr>);

#[derive(Clone, PartialEq)]
struct ErrorRepr {
    cause: ErrorCause,
    message: Cow<'static, str>,
    /// Whether the evaluator worded the message.
    is_of_evaluation: bool,
    place: Option<SourceLocation>,
    /// The part of the text that the error is about, where the reader of the text knows it.
    span: Option<Span>,
    environment: Option<Arc<str>>,
    explanation: Option<ErrorExplanation>,
    details: Option<ErrorDetails>,
}

/// Cause of an error: a failure, or a signal that no handler has received.
#[derive(Clone, PartialEq)]
enum ErrorCause {
    Failure(ErrorKind),
    Signal(Signal),
}

/// A control-flow signal, which propagates like an error until its handler receives it. Without a handler, it becomes an
/// error of the kind [`Signal::kind`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Signal {
    /// `next` in a block or function; received at its end.
    Next,
    /// `return` in a function; received at its end.
    Return,
    /// `break` in a block; received by the call that iterates with the block, which then stops.
    Break,
    /// A default value uses a parameter without a value; received by the definition of the parameters.
    Unevaluated,
    /// A function has no value for the requested key; received by the lookup, which continues with the next layer.
    NoSuchKey,
    /// A type is defined by a file that only the host can run, which it has to do first.
    Unloaded(Arc<HostFile>),
}

/// Data that a higher layer attaches to an error.
#[derive(Clone)]
struct ErrorDetails(Arc<dyn Any + Send + Sync>);

/// An explanation beyond the message, which is worded on demand.
#[derive(Clone)]
pub struct ErrorExplanation {
    source: Arc<dyn Explanation>,
    restates_message: bool,
}

/// A value that explains an error.
trait Explanation: fmt::Display + Any + Send + Sync {}

impl<T: fmt::Display + Any + Send + Sync> Explanation for T {}

/// The kinds of errors that callers have to distinguish: classes that all layers share, and the codes of single layers.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is not of its language.
    Syntax,
    /// A type has parameters that it does not accept.
    TypeParameters,
    /// A signature is declared in a way that is not allowed.
    Signature,
    /// The arguments of a call match no signature.
    ArgumentMismatch,
    /// The argument with this index is not accepted.
    Argument(usize),
    /// A value is not an instance of the type it is declared to have.
    TypeAssertion,
    /// A value cannot be converted to the requested type.
    Conversion,
    /// Nothing with that name can be found.
    NotFound,
    /// A file was found but its definition cannot be used.
    Load,
    /// Code failed.
    Evaluation,
    /// Something that can only be declared once is declared twice.
    Duplicate,
    /// A value has no counterpart where it is needed.
    Unrepresentable,
    /// A kind of error that only one layer has.
    Layer(ErrorCode),
    /// A configured limit was reached.
    Limit,
    /// The host raised an exception, which has to be raised again.
    Host(HostRef),
    /// As [`Self::Host`], but it counts as an error of the code that called the host, which adds its position.
    HostFailure(HostRef),
    /// A defect of this library.
    Internal,
}

/// A kind of error that one layer defines, as a constant: other layers compare with that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorCode(&'static str);

impl ErrorCode {
    /// Creates the code with this name, which no other code has.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }
}

/// Details of a syntax error that Puppet raises in an unusual form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SyntaxDetail {
    /// It has no position in the text, and does not name the file either.
    Unplaced,
    /// It has no issue code.
    WithoutIssue,
    /// The text ends too early: more of it could complete it.
    Unfinished,
}

/// The Ruby class that Puppet raises an error as: details of an error whose kind does not determine the class. If code ends
/// with the error, it becomes an error of that code like any other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaisedAs(pub &'static str);

impl RaisedAs {
    /// An argument of no use to the function.
    pub const ARGUMENT_ERROR: Self = Self("ArgumentError");
    /// An argument that a method of Ruby's does not take.
    pub const TYPE_ERROR: Self = Self("TypeError");
    /// A refusal by Puppet itself, not by the code.
    pub const PUPPET_ERROR: Self = Self("Puppetfn::Puppet::Error");
}

/// The details of an error that is the operating system's answer, which hosts raise as theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemError {
    /// The number of the error, as in `errno.h`.
    pub code: i32,
    /// The file.
    pub path: PathBuf,
}

/// A file of the host program with a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostFile {
    /// The name of the definition, in lower case.
    pub name: Box<str>,
    /// The file.
    pub path: PathBuf,
    /// The module of the file, or `environment`.
    pub module: Arc<str>,
}

/// A position in a source text. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLocation {
    /// The file, if the text came from one.
    pub file: Option<Arc<str>>,
    /// The line, if known.
    pub line: Option<u32>,
    /// The column, if known.
    pub column: Option<u32>,
}

impl Error {
    /// Creates an error of `kind` with the message `message`.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::of(ErrorCause::Failure(kind), Cow::Owned(message.into()))
    }

    /// Creates an error of the expression that is being evaluated. Its message begins with `Evaluation Error:`.
    #[cold]
    pub fn of_evaluation(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let mut error = Self::new(kind, format!("{EVALUATION} {message}"));
        error.0.is_of_evaluation = true;
        error
    }

    /// Creates an error for a signal; the message is the text of the error that it becomes without a handler. A literal
    /// message is not allocated.
    pub fn signal(signal: Signal, message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(ErrorCause::Signal(signal), message.into())
    }

    fn of(cause: ErrorCause, message: Cow<'static, str>) -> Self {
        let (place, span, environment, explanation, details) = (None, None, None, None, None);
        let is_of_evaluation = false;
        Self(Box::new(ErrorRepr {
            cause,
            message,
            is_of_evaluation,
            place,
            span,
            environment,
            explanation,
            details,
        }))
    }

    /// Returns the kind of error. For a signal, returns the kind of the error that it becomes without a handler.
    pub fn kind(&self) -> &ErrorKind {
        match &self.0.cause {
            ErrorCause::Failure(kind) => kind,
            ErrorCause::Signal(signal) => signal.kind(),
        }
    }

    /// Returns the signal that it is, unless it is a failure.
    #[inline]
    pub fn as_signal(&self) -> Option<&Signal> {
        match &self.0.cause {
            ErrorCause::Failure(_) => None,
            ErrorCause::Signal(signal) => Some(signal),
        }
    }

    /// Returns the code of the layer that defines its kind, unless the kind is one that all layers share.
    pub fn code(&self) -> Option<ErrorCode> {
        if let ErrorKind::Layer(code) = self.kind() { Some(*code) } else { None }
    }

    /// Returns true if the evaluator has worded it, as an error of the expression that was being evaluated.
    pub fn is_of_evaluation(&self) -> bool {
        self.0.is_of_evaluation
    }

    /// Returns the message, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the position of the error, if known.
    pub fn place(&self) -> Option<&SourceLocation> {
        self.0.place.as_ref()
    }

    /// Returns the part of the text that the error is about, if it is an error of reading a text.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns the environment, if its main manifest is not valid Puppet code.
    pub fn environment(&self) -> Option<&Arc<str>> {
        self.0.environment.as_ref()
    }

    /// Returns the explanation beyond the message, if any.
    pub fn explanation(&self) -> Option<&ErrorExplanation> {
        self.0.explanation.as_ref()
    }

    /// Adds an explanation beyond the message.
    #[must_use]
    pub fn explained(mut self, explanation: ErrorExplanation) -> Self {
        self.0.explanation = Some(explanation);
        self
    }

    /// Returns the details that [`Error::with_details`] added, if they are of this type.
    pub fn details<T: Any>(&self) -> Option<&T> {
        self.0.details.as_ref()?.0.downcast_ref()
    }

    /// Adds details, which callers that know their type can read.
    #[must_use]
    pub fn with_details(mut self, details: impl Any + Send + Sync) -> Self {
        self.0.details = Some(ErrorDetails(Arc::new(details)));
        self
    }

    /// Replaces the message by one derived from it.
    #[must_use]
    pub fn reworded(mut self, reword: impl FnOnce(&str) -> String) -> Self {
        self.0.message = Cow::Owned(reword(&self.0.message));
        self.0.is_of_evaluation = false;
        self
    }

    /// Returns an error of the same kind, or the same signal, with another message, and without the place and other details
    /// of this one.
    #[must_use]
    pub fn restated(&self, message: impl Into<String>) -> Self {
        Self::of(self.0.cause.clone(), Cow::Owned(message.into()))
    }

    /// The same as [`Self::restated`], as an error of evaluation.
    #[must_use]
    pub fn restated_by_evaluation(&self, message: impl fmt::Display) -> Self {
        let mut error = self.restated(format!("{EVALUATION} {message}"));
        error.0.is_of_evaluation = true;
        error
    }

    /// Turns a [`Signal::Unevaluated`] that has reached the definition with the parameters into a failure.
    #[must_use]
    pub fn landed(mut self) -> Self {
        if self.as_signal() == Some(&Signal::Unevaluated) {
            self.0.cause = ErrorCause::Failure(ErrorKind::Evaluation);
        }
        self
    }

    /// Makes it an error of the main manifest of an environment, which the message then names first.
    #[must_use]
    pub fn of_environment(mut self, environment: Arc<str>) -> Self {
        self.0.environment = Some(environment);
        self
    }

    /// Appends the name of the node that code was evaluated for, as Puppet's compiler does.
    /// An exception of the host stays unchanged.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    /// let error = Runtime::builder().manifests().build().evaluate("fail('no')", None).unwrap_err();
    /// let text = "Evaluation Error: Error while evaluating a Function Call, no (line: 1, column: 1) on node web";
    /// assert_eq!(error.on_node("web").to_string(), text);
    /// ```
    #[must_use]
    pub fn on_node(mut self, node: &str) -> Self {
        if !matches!(self.kind(), ErrorKind::Host(_)) {
            let message = format!("{self} on node {node}");
            self.0.message = Cow::Owned(message);
            self.0.place = None;
            self.0.environment = None;
        }
        self
    }

    /// Adds the position, unless the error already has one: the innermost position is the useful one.
    #[must_use]
    pub fn at(mut self, place: SourceLocation) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Adds the part of the text that the error is about. It starts at the error's position.
    #[must_use]
    pub fn spanning(mut self, span: Span) -> Self {
        self.0.span = Some(span);
        self
    }

    /// Adds the source file of the text, unless the error already has one or its syntax detail is
    /// [`SyntaxDetail::Unplaced`].
    #[must_use]
    pub fn in_file(mut self, file: impl Into<Arc<str>>) -> Self {
        if self.details() == Some(&SyntaxDetail::Unplaced) {
            return self;
        }
        let place = self.0.place.get_or_insert(SourceLocation { file: None, line: None, column: None });
        place.file.get_or_insert_with(|| file.into());
        self
    }
}

impl Signal {
    /// Returns the kind of the error that the signal becomes where nothing receives it.
    pub fn kind(&self) -> &'static ErrorKind {
        match self {
            Self::Unloaded(_) => &ErrorKind::Load,
            Self::Next | Self::Return | Self::Break | Self::Unevaluated | Self::NoSuchKey => {
                &ErrorKind::Evaluation
            }
        }
    }
}

impl SourceLocation {
    /// Returns the position at a byte offset of a text.
    pub fn of(text: &str, offset: u32) -> Self {
        let (line, column) = LineIndex::new(text).position(text, offset);
        Self { file: None, line: Some(line), column: Some(column) }
    }
}

impl ErrorExplanation {
    /// Creates an explanation that displays as `explanation` does.
    pub fn new(explanation: impl fmt::Display + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(explanation), restates_message: false }
    }

    /// Returns the value that the explanation was created with, if it is of this type.
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        let source: &dyn Any = &*self.source;
        source.downcast_ref()
    }

    /// Marks the explanation as another form of the error's message. Where both are printed, the message is enough.
    #[must_use]
    pub fn restating_message(mut self) -> Self {
        self.restates_message = true;
        self
    }

    /// Returns true if the explanation repeats the error's message.
    pub fn restates_message(&self) -> bool {
        self.restates_message
    }
}

/// Equal to its clones only.
impl PartialEq for ErrorExplanation {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
    }
}

/// Equal to its clones only.
impl PartialEq for ErrorDetails {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Display for ErrorExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl fmt::Display for SourceLocation {
    /// Prints as Puppet does: `(file: /x.pp, line: 1, column: 2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "(";
        if let Some(file) = &self.file {
            write!(f, "{separator}file: {file}")?;
            separator = ", ";
        }
        if let Some(line) = self.line {
            write!(f, "{separator}line: {line}")?;
            separator = ", ";
        }
        if let Some(column) = self.column {
            write!(f, "{separator}column: {column}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(environment) = &self.0.environment {
            write!(f, "Could not parse for environment {environment}: ")?;
        }
        f.write_str(&self.0.message)?;
        match &self.0.place {
            Some(place) => write!(f, " {place}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.cause {
            ErrorCause::Failure(kind) => write!(f, "{kind:?}: {self}"),
            ErrorCause::Signal(signal) => write!(f, "{signal:?}: {self}"),
        }
    }
}

impl std::error::Error for Error {}

const _: () = assert!(size_of::<Error>() == size_of::<usize>());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_evaluation_is_known_by_its_origin() {
        let worded = Error::of_evaluation(ErrorKind::Evaluation, "no such thing");
        assert_eq!(worded.message(), "Evaluation Error: no such thing");
        assert!(worded.is_of_evaluation() && worded.clone().on_node("web").is_of_evaluation());

        let syntax = Error::new(ErrorKind::Syntax, "Evaluation Error: is how this text begins");
        assert!(!syntax.is_of_evaluation());
        let restated = syntax.restated_by_evaluation("Error while evaluating a Function Call, no");
        assert_eq!((restated.kind(), restated.is_of_evaluation()), (&ErrorKind::Syntax, true));
        assert!(!restated.reworded(|message| format!("the pattern: {message}")).is_of_evaluation());
    }

    #[test]
    fn layers_have_kinds_of_their_own() {
        const MISSING: ErrorCode = ErrorCode::new("missing");
        let error = Error::new(ErrorKind::Layer(MISSING), "no data");
        assert!(matches!(error.code(), Some(MISSING)));
        assert_eq!(error.restated("none").code(), Some(MISSING));
        assert_eq!(Error::new(ErrorKind::Limit, "too much").code(), None);
    }
}
