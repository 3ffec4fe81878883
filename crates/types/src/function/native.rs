//! Functions written in Rust.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::any_function::{Function, FunctionBody};
use super::behavior::{BlockUse, Control, HostMethod, NativeBehavior, ScopeMethod};
use super::caller::Caller;
use super::compiler::CatalogCompiler;
use super::deviation::Deviation;
use super::from_arguments::{BodyParameters, FromArgument, FromArguments, from_all};
use super::host::{Host, LogLevel};
use super::local_types::SignatureTypes;
use super::{Library, Match, Signature, find, handler_error, mismatch_error};
use crate::types::Type;
use crate::types::ops::infer_set;
use crate::value::{ByteText, Hash, Timestamp, Value, integer_out_of_range};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;

/// The body of a native function for one of its signatures, which the arguments match.
#[derive(Clone)]
struct NativeBody(Arc<RunNative>);

type RunNative = dyn Fn(&mut Call<'_>, &[Value]) -> Result<Value, Error> + Send + Sync;

impl fmt::Debug for NativeBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NativeBody")
    }
}

/// The signature of a native function: its text, or the signature itself.
#[derive(Clone, Debug)]
pub enum SignatureSource {
    /// In the notation of [`Signature`].
    Text(&'static str),
    /// A signature.
    Signature(Signature),
}

impl From<&'static str> for SignatureSource {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl From<Signature> for SignatureSource {
    fn from(signature: Signature) -> Self {
        Self::Signature(signature)
    }
}

/// Rule that derives the type of the result from the types of the arguments and of the block's result.
#[derive(Clone)]
pub(super) struct ReturnRule(Arc<RunReturnRule>);

type RunReturnRule = dyn Fn(&[Type], &Type) -> Type + Send + Sync;

impl ReturnRule {
    pub(super) fn apply(&self, arguments: &[Type], block: &Type) -> Type {
        (self.0)(arguments, block)
    }
}

impl fmt::Debug for ReturnRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReturnRule")
    }
}

/// How a native function treats unknown arguments.
///
/// Undef and sensitive values need no such rule: the parameter's type decides whether they are accepted. See
/// [`Function::argument_policy`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnknownHandling {
    /// It is not called when an argument is unknown or contains an unknown value: the result is unknown.
    #[default]
    ShortCircuit,
    /// It does not look into its arguments, so it is called when they contain unknown values; it is not called when an
    /// argument as a whole is unknown.
    AcceptNested,
    /// It is called with unknown values.
    Accept,
}

/// A native function in the making.
///
/// ```
/// use puppetfn::function::native;
/// use puppetfn::types::Type;
/// use puppetfn::value::Value;
///
/// let declaration = native("twice")
///     .doc("Doubles an integer.")
///     .example("twice(21)", "42")
///     .dispatch::<i64>("(Integer number)", |_, number| Ok(Value::Integer(number.saturating_mul(2))))
///     .returns(|_| Type::INTEGER);
/// let twice = declaration.build()?;
/// assert_eq!(twice.signatures()[0].to_string(), "(Integer number)");
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Declaration {
    name: Cow<'static, str>,
    local_types: Vec<Cow<'static, str>>,
    signatures: Vec<NativeDispatch>,
    pub(super) native: Native,
}

/// A signature in the making.
#[derive(Clone, Debug)]
struct NativeDispatch {
    signature: SignatureSource,
    handles_mismatch: bool,
    /// The parameters of the body.
    body: BodyParameters,
}

/// Begins to declare the native function `name`.
pub fn native(name: impl Into<Cow<'static, str>>) -> Declaration {
    Declaration {
        name: name.into(),
        local_types: Vec::new(),
        signatures: Vec::new(),
        native: Native::default(),
    }
}

impl Declaration {
    /// Documents the function in one or a few sentences.
    pub fn doc(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.native.doc = text.into();
        self
    }

    /// Shows a call, in Puppet code, and its result.
    pub fn example(
        mut self,
        code: impl Into<Cow<'static, str>>,
        result: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.native.examples.push(FunctionExample { code: code.into(), result: result.into() });
        self
    }

    /// Defines a type alias for the signatures, `Name = Type`. They may use each other; messages
    /// show it with its name.
    pub fn local_type(mut self, definition: impl Into<Cow<'static, str>>) -> Self {
        self.local_types.push(definition.into());
        self
    }

    /// Adds a signature and its body. The first signature that matches is used. The body gets the arguments as the types
    /// `A`, as in `dispatch::<(&str, Option<i64>)>("(String text, Integer limit?)", |call, (text, limit)| ...)`.
    pub fn dispatch<A: FromArguments>(
        self,
        signature: impl Into<SignatureSource>,
        body: impl for<'v> Fn(&mut Call<'_>, A::Given<'v>) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.add::<A>(signature.into(), false, body)
    }

    /// Adds a signature whose calls always fail: `word` returns the error message for arguments that match it.
    pub fn argument_mismatch<A: FromArguments>(
        self,
        signature: impl Into<SignatureSource>,
        word: impl for<'v> Fn(&mut Call<'_>, A::Given<'v>) -> Result<String, Error> + Send + Sync + 'static,
    ) -> Self {
        self.add::<A>(signature.into(), true, move |call, arguments| {
            let message = word(call, arguments)?;
            Err(handler_error(call.name(), &message))
        })
    }

    pub(super) fn add<A: FromArguments>(
        mut self,
        signature: SignatureSource,
        handles_mismatch: bool,
        body: impl for<'v> Fn(&mut Call<'_>, A::Given<'v>) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.signatures.push(NativeDispatch { signature, handles_mismatch, body: BodyParameters::of::<A>() });
        self.native.bodies.push(NativeBody(Arc::new(move |call, arguments| {
            let arguments = call.given_as::<A>(arguments)?;
            body(call, arguments)
        })));
        self
    }

    /// Sets a rule for the type of the result, given the types of the arguments: `Any` for one of unknown type. Without a
    /// rule, the signatures' return types count.
    pub fn returns(self, rule: impl Fn(&[Type]) -> Type + Send + Sync + 'static) -> Self {
        self.returns_by_block(move |arguments, _| rule(arguments))
    }

    /// Sets a rule for a function whose result depends on its block: its second parameter is the type of the block's
    /// result, `Any` if unknown.
    pub fn returns_by_block(mut self, rule: impl Fn(&[Type], &Type) -> Type + Send + Sync + 'static) -> Self {
        self.native.returns = Some(ReturnRule(Arc::new(rule)));
        self
    }

    /// Declares that the result depends only on the arguments, and that a call has no side effects: a call with known
    /// arguments can be evaluated ahead of time.
    pub fn pure(mut self) -> Self {
        self.native.is_pure = true;
        self
    }

    /// Declares that a call does not return, and where execution continues.
    pub fn control(mut self, control: Control) -> Self {
        self.native.behavior.control = Some(control);
        self
    }

    /// Declares when the block is called, and with which arguments.
    pub fn block_use(mut self, block_use: BlockUse) -> Self {
        self.native.behavior.block_use = block_use;
        self
    }

    /// Declares that a host's own method is equivalent.
    pub fn host_method(mut self, method: HostMethod) -> Self {
        self.native.behavior.host_method = Some(method);
        self
    }

    /// Declares the method by which code in Puppet's 3.x API calls the function.
    pub fn scope_method(mut self, method: ScopeMethod) -> Self {
        self.native.behavior.scope_method = Some(method);
        self
    }

    /// Says that the code of types that are defined by their features can call the function, though it is not pure:
    /// its result depends on its block, or on nothing but its arguments where these are of certain types.
    pub fn for_types(mut self) -> Self {
        self.native.behavior.is_for_types = true;
        self
    }

    /// Declares that the arguments name classes.
    pub fn names_classes(mut self) -> Self {
        self.native.behavior.names_classes = true;
        self
    }

    /// Declares how unknown arguments are treated.
    pub fn unknowns(mut self, unknowns: UnknownHandling) -> Self {
        self.native.unknowns = unknowns;
        self
    }

    /// Declares how an unknown argument for one parameter, given by its index, is treated.
    pub fn unknowns_at(mut self, parameter: usize, unknowns: UnknownHandling) -> Self {
        self.native.unknowns_at.push((parameter, unknowns));
        self
    }

    /// Returns the function.
    ///
    /// # Errors
    /// Fails if a signature or a local type is malformed, and if a body does not take all arguments that its signature
    /// lets through.
    pub fn build(&self) -> Result<Function, Error> {
        let types = SignatureTypes::define(&self.local_types)?;
        let signature = |NativeDispatch { signature, handles_mismatch, body }: &NativeDispatch| {
            let signature = match signature {
                SignatureSource::Text(text) => Signature::parse(text, |t| types.parse(t))?,
                SignatureSource::Signature(signature) => signature.clone(),
            };
            let may_be_unknown = |index| self.native.unknowns_of(index) == UnknownHandling::Accept;
            if !body.fit(&signature, may_be_unknown) {
                return Err(unfit_body(&format!("{}{signature}", self.name)));
            }
            Ok(signature.handling_mismatch(*handles_mismatch))
        };
        let signatures = self.signatures.iter().map(signature).collect::<Result<Vec<_>, Error>>()?;
        Ok(Function::new(&*self.name, signatures, FunctionBody::Native(self.native.clone())))
    }

    pub(super) fn name(&self) -> &Cow<'static, str> {
        &self.name
    }
}

/// A call in Puppet code and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionExample {
    /// The call.
    pub code: Cow<'static, str>,
    /// The result, as a Puppet literal.
    pub result: Cow<'static, str>,
}

/// The properties that only native functions have.
#[derive(Clone, Default, Debug)]
pub struct Native {
    doc: Cow<'static, str>,
    examples: Vec<FunctionExample>,
    /// One for each signature.
    bodies: Vec<NativeBody>,
    returns: Option<ReturnRule>,
    is_pure: bool,
    behavior: NativeBehavior,
    unknowns: UnknownHandling,
    /// Parameters with a treatment of their own.
    unknowns_at: Vec<(usize, UnknownHandling)>,
}

impl Native {
    /// Returns the documentation of the function.
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// Calls and their results.
    pub fn examples(&self) -> &[FunctionExample] {
        &self.examples
    }

    pub(super) fn is_pure(&self) -> bool {
        self.is_pure
    }

    pub(super) fn behavior(&self) -> &NativeBehavior {
        &self.behavior
    }

    pub(super) fn return_rule(&self) -> Option<&ReturnRule> {
        self.returns.as_ref()
    }

    pub(super) fn call(
        &self,
        function: &Function,
        caller: &dyn Caller,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        let limits = caller.limits();
        with_references(arguments, |references| {
            let index = match find(function.signatures(), references, block, limits)? {
                Some(Match::Found(index)) => index,
                Some(Match::Undecided(_)) => return function.unknown_result(references, block, limits),
                None => {
                    let (name, signatures) = (function.name(), function.shared_signatures());
                    let messages = caller.host().messages();
                    return Err(mismatch_error(name, signatures, references, block, limits, messages));
                }
            };
            if self.is_stopped_by(arguments) {
                return function.unknown_result(references, block, limits);
            }
            let body = self.bodies.get(index).ok_or_else(|| {
                Error::new(
                    ErrorKind::Internal,
                    format!("'{}' has a signature without a body", function.name()),
                )
            })?;
            let result = (body.0)(&mut Call { function, caller, block, steps: 0 }, arguments)?;
            function.check_result(index, &result, caller)?;
            Ok(result)
        })
    }

    /// Returns true if the function must not be called because arguments are unknown.
    fn is_stopped_by(&self, arguments: &[Value]) -> bool {
        arguments.iter().enumerate().any(|(index, argument)| match self.unknowns_of(index) {
            UnknownHandling::Accept => false,
            UnknownHandling::AcceptNested => matches!(argument, Value::Unknown(_)),
            UnknownHandling::ShortCircuit => argument.contains_unknown(),
        })
    }

    /// Returns how unknown arguments for a parameter are treated.
    pub(super) fn unknowns_of(&self, parameter: usize) -> UnknownHandling {
        let own = self.unknowns_at.iter().find(|(index, _)| *index == parameter);
        own.map_or(self.unknowns, |(_, unknowns)| *unknowns)
    }
}

/// Calls `f` with references to the values; few of them take no allocation.
fn with_references<'a, R>(values: &'a [Value], f: impl FnOnce(&[&'a Value]) -> R) -> R {
    let mut few = [&Value::Undef; 8];
    match few.get_mut(..values.len()) {
        Some(references) => {
            for (reference, value) in references.iter_mut().zip(values) {
                *reference = value;
            }
            f(references)
        }
        None => f(&values.iter().collect::<Vec<_>>()),
    }
}

/// One call of a native function.
pub struct Call<'a> {
    function: &'a Function,
    caller: &'a dyn Caller,
    block: Option<&'a Value>,
    steps: u32,
}

/// Number of steps of a native function between two polls of the host.
const STEPS_BETWEEN_POLLS: u32 = 1_024;

impl<'a> Call<'a> {
    /// Returns the compiler, which builds the catalog and knows classes and resource types, if code is evaluated.
    pub fn compiler(&self) -> Option<Box<dyn CatalogCompiler + 'a>> {
        self.caller.compiler()
    }

    /// Returns the function that is called.
    pub fn function(&self) -> &Function {
        self.function
    }

    /// Returns the name by which the function is called.
    pub fn name(&self) -> &str {
        self.function.name()
    }

    /// Returns true if a block was given.
    pub fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Returns the block that was given.
    pub fn block(&self) -> Option<&Value> {
        self.block
    }

    /// Calls the block.
    ///
    /// # Errors
    /// Fails with the errors of the block, and if no block was given.
    pub fn call_block(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        self.caller.call_block(self.given_block()?, arguments)
    }

    /// Folds elements with the block, as [`Caller::fold`] does.
    ///
    /// # Errors
    /// Fails with the errors of the block, and if no block was given.
    pub fn fold(&mut self, memo: Value, mut elements: impl Iterator<Item = Value>) -> Result<Value, Error> {
        self.caller.fold(self.given_block()?, memo, &mut elements)
    }

    fn given_block(&self) -> Result<&Value, Error> {
        let message = || format!("'{}' expects a block", self.name());
        self.block.ok_or_else(|| Error::new(ErrorKind::ArgumentMismatch, message()))
    }

    /// Counts a step of a long-running operation, such as the visit of an element. At intervals, the host is polled for a
    /// reason to stop.
    ///
    /// # Errors
    /// Fails with the error that ends the evaluation, see [`Host::poll`].
    #[inline]
    pub fn step(&mut self) -> Result<(), Error> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS_BETWEEN_POLLS) { self.host().poll() } else { Ok(()) }
    }

    /// Pauses the code that calls the function, as [`Caller::break_here`] does.
    ///
    /// # Errors
    /// Fails if the debugger ends the evaluation.
    pub fn break_here(&mut self) -> Result<(), Error> {
        self.caller.break_here()
    }

    /// Calls a function by its name, with the block of this call.
    ///
    /// # Errors
    /// Fails with the errors of the function, and if no function has this name.
    pub fn call_named(&mut self, name: &str, arguments: &[Value]) -> Result<Value, Error> {
        self.caller.call_named(name, arguments, self.block)
    }

    /// Returns the caller of the function.
    pub fn caller(&self) -> &'a dyn Caller {
        self.caller
    }

    /// Returns the program in which the function runs.
    pub fn host(&self) -> &'a dyn Host {
        self.caller.host()
    }

    /// Returns the time of the host's clock, or else of the system's.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if the clock shows an impossible time.
    pub fn now(&self) -> Result<Timestamp, Error> {
        match self.caller.run_library(Library::Clock)? {
            Some(Value::Timestamp(now)) => Ok(now),
            Some(_) | None => Timestamp::now(),
        }
    }

    /// Reports to the host that the answer is a deviation.
    ///
    /// # Errors
    /// Fails with an error of the host if it refuses deviations.
    pub fn deviate(&self, deviation: Deviation) -> Result<(), Error> {
        self.host().deviate(deviation)
    }

    /// Returns the limits of the call.
    pub fn limits(&self) -> &Limits {
        self.caller.limits()
    }

    /// Logs a message.
    pub fn log(&mut self, level: LogLevel, message: &str) {
        self.host().log(level, message);
    }

    /// Logs a message on behalf of the calling code.
    pub fn log_here(&mut self, level: LogLevel, message: &str) {
        self.caller.log_here(level, message);
    }

    /// Returns the location of the call in Puppet code, if known.
    pub fn place(&self) -> Option<SourceLocation> {
        self.caller.call_place()
    }

    /// Logs a deprecation warning, once for each key, with the line of a place.
    pub fn warn_once(&mut self, key: &str, message: &str, place: Option<&SourceLocation>) {
        let line = place.map(|place| SourceLocation { column: None, ..place.clone() });
        let line = line.map_or_else(|| "(file & line not available)".to_owned(), |line| line.to_string());
        self.host().warn_once(key, &format!("{message}\n   {line}"));
    }

    /// Returns the error for a function that looks up data where none is configured.
    #[cold]
    pub fn needs_data(&self) -> Error {
        Error::new(ErrorKind::Evaluation, format!("{}: there is no data to look into", self.name()))
    }

    /// Returns a value that is certainly of this type: an element of an argument, or the value of an attribute.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Internal`] if it is not.
    #[inline]
    pub fn value_as<'v, T: FromArgument>(&self, value: &'v Value) -> Result<T::Given<'v>, Error> {
        T::from_argument(value).ok_or_else(|| unfit_arguments(self.name(), std::slice::from_ref(value)))
    }

    /// Returns the value at a key of a hash whose type declares the entry; an `Option` if the entry may be missing.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Internal`] if it is missing or of another type.
    pub fn entry_as<'v, A: FromArguments>(&self, hash: &'v Hash, key: &str) -> Result<A::Given<'v>, Error> {
        self.given_as::<A>(hash.get_str(key).map_or(&[], std::slice::from_ref))
    }

    /// Returns arguments that are certainly of these types.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Internal`] if they are not.
    #[inline]
    pub fn given_as<'v, A: FromArguments>(&self, arguments: &'v [Value]) -> Result<A::Given<'v>, Error> {
        from_all::<A>(arguments).ok_or_else(|| unfit_arguments(self.name(), arguments))
    }

    /// Returns the error for a body whose arguments do not have the types declared for it.
    #[cold]
    pub fn unfit_body(&self) -> Error {
        unfit_body(self.name())
    }
}

/// Returns the error of arguments that match a signature but cannot be converted for the body: a String that is not
/// UTF-8 is one of Ruby's, and no text; so is an Integer of more than 64 bits.
#[cold]
fn unfit_arguments(function: &str, arguments: &[Value]) -> Error {
    let of_argument = |argument: &Value| {
        let text = argument.as_byte_text().map(ByteText::not_text);
        text.or_else(|| argument.as_large_integer().map(integer_out_of_range))
    };
    arguments.iter().find_map(of_argument).unwrap_or_else(|| unfit_body(function))
}

#[cold]
fn unfit_body(function: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the implementation of '{function}' does not fit its signature"))
}

/// Returns the types of the arguments, as return rules need them.
pub(super) fn types_of(arguments: &[&Value], limits: &Limits) -> Result<Vec<Type>, Error> {
    arguments.iter().map(|argument| infer_set(*argument, limits)).collect()
}
