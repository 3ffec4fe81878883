//! cty's function system: functions that declare how they treat values that are null, unknown, untyped or marked, and the
//! type of the result.
//!
//! It applies to the values of cty and of Puppet alike; a [`Domain`] describes either.

mod puppet;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub use self::puppet::Puppet;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// A kind of values, as the function system sees them.
pub trait Domain: 'static {
    /// A value, which may be null, not known and marked.
    type Value: Clone + 'static;
    /// The type of a value.
    type Type: Clone + fmt::Debug + Send + Sync + 'static;
    /// The marks of values.
    type Marks: Default;

    /// Returns the type of untyped values, which accepts all others.
    fn dynamic() -> Self::Type;

    /// Creates an unknown value of a type.
    fn unknown(t: Self::Type) -> Self::Value;

    /// Returns true if the value is null.
    fn is_null(value: &Self::Value) -> bool;

    /// Returns true if the value is known; its parts may be unknown.
    fn is_known(value: &Self::Value) -> bool;

    /// Returns true if even the type of the value is unknown.
    fn is_dynamic(value: &Self::Value) -> bool;

    /// Returns the value without any marks, and adds these to `marks`.
    fn unmark(value: &Self::Value, marks: &mut Self::Marks, limits: &Limits) -> Self::Value;

    /// Returns the value with these marks.
    fn mark(value: Self::Value, marks: &Self::Marks) -> Self::Value;

    /// Returns the error message for null as the argument of a parameter.
    fn null_argument(parameter: &str) -> String;

    /// Returns the error message for a value that does not fit a parameter of this type; `None` if it fits.
    ///
    /// # Errors
    /// Fails if the value cannot be read.
    fn misfit(
        parameter: &str,
        value: &Self::Value,
        t: &Self::Type,
        limits: &Limits,
    ) -> Result<Option<String>, Error>;

    /// Checks that a result is of the type that was declared.
    ///
    /// # Errors
    /// Fails if it is not.
    fn check_result(result: &Self::Value, t: &Self::Type, limits: &Limits) -> Result<(), Error>;

    /// Returns the error of a rule or an implementation for these arguments, with their secrets redacted.
    fn concealed(error: Error, _arguments: &[Self::Value]) -> Error {
        error
    }

    /// Returns the index in the error of an argument that does not fit.
    fn index(index: usize, _positional: usize) -> usize {
        index
    }
}

/// The requirements for an argument.
pub struct SpecParameter<D: Domain> {
    name: Arc<str>,
    description: Arc<str>,
    t: D::Type,
    allow_null: bool,
    allow_unknown: bool,
    allow_dynamic_type: bool,
    allow_marked: bool,
}

impl<D: Domain> SpecParameter<D> {
    /// Creates a parameter for values that conform to the type.
    pub fn new(name: &str, t: D::Type) -> Self {
        Self {
            name: name.into(),
            description: "".into(),
            t,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic_type: false,
            allow_marked: false,
        }
    }

    /// Describes its purpose.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = text.into();
        self
    }

    /// Accepts null, which is an error otherwise.
    #[must_use]
    pub fn allow_null(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Accepts unknown values; otherwise the function is not called, and its result is unknown.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Passes values of the dynamic type to the return type rule; otherwise the result is dynamic.
    #[must_use]
    pub fn allow_dynamic_type(mut self) -> Self {
        self.allow_dynamic_type = true;
        self
    }

    /// Accepts marked values; otherwise the marks are removed, and added to the result.
    #[must_use]
    pub fn allow_marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }

    /// Returns its name, for documentation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description of the parameter.
    pub fn text(&self) -> &str {
        &self.description
    }

    /// Returns the type that arguments have to conform to.
    pub fn ty(&self) -> &D::Type {
        &self.t
    }

    /// Returns true if null is let in.
    pub fn allows_null(&self) -> bool {
        self.allow_null
    }

    /// Returns true if unknown values are let in.
    pub fn allows_unknown(&self) -> bool {
        self.allow_unknown
    }

    /// Returns true if values of the dynamic type are let in.
    pub fn allows_dynamic_type(&self) -> bool {
        self.allow_dynamic_type
    }

    /// Returns true if marked values are let in.
    pub fn allows_marked(&self) -> bool {
        self.allow_marked
    }
}

/// Context of a call, for its implementation.
#[derive(Debug)]
pub struct SpecContext<'c, D: Domain> {
    /// The type that the rule has found for the result.
    pub returns: &'c D::Type,
    /// The limits of the call.
    pub limits: &'c Limits,
}

type TypeRule<D> =
    dyn Fn(&[<D as Domain>::Value], &Limits) -> Result<<D as Domain>::Type, Error> + Send + Sync;
type SpecImplementation<D> =
    dyn Fn(&[<D as Domain>::Value], &SpecContext<'_, D>) -> Result<<D as Domain>::Value, Error> + Send + Sync;

/// A function. Cheap to clone.
///
/// ```
/// use puppetfn::cty::{CtyFunction, CtyParameter, CtyType, CtyValue};
/// use puppetfn::limits::Limits;
///
/// let greet = CtyFunction::new("Greets somebody.")
///     .parameter(CtyParameter::new("name", CtyType::String))
///     .returns(CtyType::String)
///     .implement(|[name], _| Ok(CtyValue::string(format!("Hello {}", name.as_string()?))));
/// assert_eq!(greet.call(&["you".into()], &Limits::DEFAULT)?.as_string()?.as_ref(), "Hello you");
/// assert!(!greet.call(&[CtyValue::unknown(CtyType::String)], &Limits::DEFAULT)?.is_known());
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
pub struct Spec<D: Domain> {
    description: Arc<str>,
    parameters: Vec<SpecParameter<D>>,
    variadic: Option<SpecParameter<D>>,
    type_rule: Arc<TypeRule<D>>,
    implementation: Arc<SpecImplementation<D>>,
}

impl<D: Domain> Spec<D> {
    /// Creates a function in the making. Until it is said otherwise, it returns an unknown value of any type.
    pub fn new(description: &str) -> Self {
        Self {
            description: description.into(),
            parameters: Vec::new(),
            variadic: None,
            type_rule: Arc::new(|_, _| Ok(D::dynamic())),
            implementation: Arc::new(unpredictable::<D>),
        }
    }

    /// Adds a positional parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: SpecParameter<D>) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Accepts any number of arguments after the positional ones.
    #[must_use]
    pub fn variadic(mut self, parameter: SpecParameter<D>) -> Self {
        self.variadic = Some(parameter);
        self
    }

    /// Declares that the result is always of this type.
    #[must_use]
    pub fn returns(self, t: D::Type) -> Self {
        self.type_rule(move |_, _| Ok(t.clone()))
    }

    /// Finds the type of the result from the arguments, known or not.
    #[must_use]
    pub fn type_rule(
        mut self,
        rule: impl Fn(&[D::Value], &Limits) -> Result<D::Type, Error> + Send + Sync + 'static,
    ) -> Self {
        self.type_rule = Arc::new(rule);
        self
    }

    /// Sets the implementation for exactly `N` arguments.
    #[must_use]
    pub fn implement<const N: usize>(
        self,
        body: impl Fn(&[D::Value; N], &SpecContext<'_, D>) -> Result<D::Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.implement_variadic(move |arguments, context| body(exactly(arguments)?, context))
    }

    /// Sets the implementation for any number of arguments.
    #[must_use]
    pub fn implement_variadic(
        mut self,
        body: impl Fn(&[D::Value], &SpecContext<'_, D>) -> Result<D::Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.implementation = Arc::new(body);
        self
    }

    /// Returns the description of the function.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the positional parameters.
    pub fn parameters(&self) -> &[SpecParameter<D>] {
        &self.parameters
    }

    /// Returns the parameter of the arguments after the positional ones.
    pub fn variadic_parameter(&self) -> Option<&SpecParameter<D>> {
        self.variadic.as_ref()
    }

    /// Returns the function with other descriptions: its own, and the parameters', with or without the variadic one.
    ///
    /// # Errors
    /// Fails if the number of descriptions does not match the number of parameters.
    pub fn redescribed(&self, description: &str, parameters: &[&str]) -> Result<Self, Error> {
        let positional = self.parameters.len();
        let with_variadic = positional + usize::from(self.variadic.is_some());
        if parameters.len() != positional && parameters.len() != with_variadic {
            let message = format!(
                "there are {with_variadic} parameters, but {} descriptions of them",
                parameters.len()
            );
            return Err(Error::new(ErrorKind::Signature, message));
        }
        let mut function = Self { description: description.into(), ..self.clone() };
        let all = function.parameters.iter_mut().chain(&mut function.variadic);
        for (parameter, text) in all.zip(parameters) {
            parameter.description = (*text).into();
        }
        Ok(function)
    }

    /// Returns the function with a result that is always unknown, for functions whose result varies over time. The types
    /// are checked as before.
    #[must_use]
    pub fn unpredictable(mut self) -> Self {
        self.implementation = Arc::new(unpredictable::<D>);
        self
    }

    /// Returns the type of the result for arguments of these types.
    ///
    /// # Errors
    /// Fails if the function does not take such arguments. [`ErrorKind::Argument`] has the index of the wrong one.
    pub fn return_type(&self, arguments: &[D::Type], limits: &Limits) -> Result<D::Type, Error> {
        let unknown: Vec<D::Value> = arguments.iter().cloned().map(D::unknown).collect();
        self.return_type_for_values(&unknown, limits)
    }

    /// Returns the type of the result for these arguments, which may be more precise than for their types.
    ///
    /// # Errors
    /// Fails if the function does not take these arguments. [`ErrorKind::Argument`] has the index of the wrong one.
    pub fn return_type_for_values(&self, arguments: &[D::Value], limits: &Limits) -> Result<D::Type, Error> {
        self.check_count(arguments.len())?;
        let mut unmarked = arguments.to_vec();
        for (index, (parameter, argument)) in self.pairs(&mut unmarked).enumerate() {
            if !parameter.allow_marked {
                *argument = D::unmark(argument, &mut D::Marks::default(), limits);
            }
            if D::is_null(argument) && !parameter.allow_null {
                return Err(argument_error(index, D::null_argument(&parameter.name)));
            }
            if D::is_dynamic(argument) {
                if !parameter.allow_dynamic_type {
                    return Ok(D::dynamic());
                }
            } else if let Some(reason) = D::misfit(&parameter.name, argument, &parameter.t, limits)? {
                return Err(argument_error(D::index(index, self.parameters.len()), reason));
            }
        }
        guarded(|| (self.type_rule)(&unmarked, limits)).map_err(|error| D::concealed(error, arguments))
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Fails if the function does not take these arguments ([`ErrorKind::Argument`] has the index of the wrong one), or
    /// with the error of the implementation. A panic of the implementation is an error, too.
    pub fn call(&self, arguments: &[D::Value], limits: &Limits) -> Result<D::Value, Error> {
        let expected = self.return_type_for_values(arguments, limits)?;
        let mut marks = D::Marks::default();
        let mut unmarked = arguments.to_vec();
        for (parameter, argument) in self.pairs(&mut unmarked) {
            if !D::is_known(argument) && !parameter.allow_unknown {
                return Ok(D::unknown(expected));
            }
            if !parameter.allow_marked {
                *argument = D::unmark(argument, &mut marks, limits);
            }
        }
        let result =
            guarded(|| (self.implementation)(&unmarked, &SpecContext { returns: &expected, limits }));
        let result = D::mark(result.map_err(|error| D::concealed(error, arguments))?, &marks);
        D::check_result(&result, &expected, limits)?;
        Ok(result)
    }

    fn check_count(&self, given: usize) -> Result<(), Error> {
        let required = self.parameters.len();
        let message = match self.variadic {
            None if given != required => {
                format!("wrong number of arguments ({required} required; {given} given)")
            }
            Some(_) if given < required => {
                format!("wrong number of arguments (at least {required} required; {given} given)")
            }
            None | Some(_) => return Ok(()),
        };
        Err(Error::new(ErrorKind::ArgumentMismatch, message))
    }

    /// Returns the arguments with their parameters.
    fn pairs<'a>(
        &'a self,
        arguments: &'a mut [D::Value],
    ) -> impl Iterator<Item = (&'a SpecParameter<D>, &'a mut D::Value)> {
        self.parameters.iter().chain(self.variadic.iter().cycle()).zip(arguments)
    }
}

// Derived, these would ask for a domain that is `Clone` and `Debug` itself.
impl<D: Domain> Clone for SpecParameter<D> {
    fn clone(&self) -> Self {
        Self {
            name: Arc::clone(&self.name),
            description: Arc::clone(&self.description),
            t: self.t.clone(),
            ..*self
        }
    }
}

impl<D: Domain> fmt::Debug for SpecParameter<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameter")
            .field("name", &self.name)
            .field("description", &self.description)
            .field("type", &self.t)
            .field("allow_null", &self.allow_null)
            .field("allow_unknown", &self.allow_unknown)
            .field("allow_dynamic_type", &self.allow_dynamic_type)
            .field("allow_marked", &self.allow_marked)
            .finish()
    }
}

impl<D: Domain> Clone for Spec<D> {
    fn clone(&self) -> Self {
        Self {
            description: Arc::clone(&self.description),
            parameters: self.parameters.clone(),
            variadic: self.variadic.clone(),
            type_rule: Arc::clone(&self.type_rule),
            implementation: Arc::clone(&self.implementation),
        }
    }
}

impl<D: Domain> fmt::Debug for Spec<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spec")
            .field("description", &self.description)
            .field("parameters", &self.parameters)
            .field("variadic", &self.variadic)
            .finish_non_exhaustive()
    }
}

/// Returns the error of an argument, with its index from 0.
#[cold]
pub fn argument_error(index: usize, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Argument(index), message)
}

/// Returns the arguments as an array, in a rule or an implementation for a fixed number of them.
pub fn exactly<V, const N: usize>(arguments: &[V]) -> Result<&[V; N], Error> {
    arguments.try_into().map_err(|_| {
        let message = format!("the function is implemented for {N} arguments and got {}", arguments.len());
        Error::new(ErrorKind::Internal, message)
    })
}

fn unpredictable<D: Domain>(_: &[D::Value], context: &SpecContext<'_, D>) -> Result<D::Value, Error> {
    Ok(D::unknown(context.returns.clone()))
}

/// Runs code of a user of the library, and converts a panic to an error.
fn guarded<T>(run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Error::new(ErrorKind::Internal, format!("panic in function implementation: {message}")))
    })
}
