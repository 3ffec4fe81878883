//! cty's function system: functions that say what they do with values that are null, not known, not
//! typed or marked, and of which type the result is.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::types::Type;
use super::value::{Marks, Value};
use crate::error::{Error, ErrorKind};

/// What an argument has to be.
#[derive(Clone, Debug)]
pub struct Parameter {
    name: Arc<str>,
    description: Arc<str>,
    t: Type,
    allow_null: bool,
    allow_unknown: bool,
    allow_dynamic_type: bool,
    allow_marked: bool,
}

impl Parameter {
    /// A parameter for values that conform to the type.
    pub fn new(name: &str, t: Type) -> Self {
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

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = text.into();
        self
    }

    /// Lets null in, which is an error else.
    #[must_use]
    pub fn allow_null(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Lets unknown values in; else the function is not called, and its result is unknown.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Lets values of the dynamic type into the return type rule; else the result is dynamic.
    #[must_use]
    pub fn allow_dynamic_type(mut self) -> Self {
        self.allow_dynamic_type = true;
        self
    }

    /// Lets marked values in; else the marks are taken off, and put on the result.
    #[must_use]
    pub fn allow_marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }

    /// Its name, for documentation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn text(&self) -> &str {
        &self.description
    }

    /// What arguments have to conform to.
    pub fn ty(&self) -> &Type {
        &self.t
    }

    /// Tells if null is let in.
    pub fn allows_null(&self) -> bool {
        self.allow_null
    }

    /// Tells if unknown values are let in.
    pub fn allows_unknown(&self) -> bool {
        self.allow_unknown
    }

    /// Tells if values of the dynamic type are let in.
    pub fn allows_dynamic_type(&self) -> bool {
        self.allow_dynamic_type
    }

    /// Tells if marked values are let in.
    pub fn allows_marked(&self) -> bool {
        self.allow_marked
    }
}

type TypeRule = dyn Fn(&[Value]) -> Result<Type, Error> + Send + Sync;
type Implementation = dyn Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync;

/// A function. Cheap to clone.
///
/// ```
/// use puppetfn::cty::{Function, Parameter, Type, Value};
///
/// let greet = Function::new("Greets somebody.")
///     .parameter(Parameter::new("name", Type::String))
///     .returns(Type::String)
///     .implement(|[name], _| Ok(Value::string(format!("Hello {}", name.as_string()?))));
/// assert_eq!(greet.call(&["you".into()])?.as_string()?.as_ref(), "Hello you");
/// assert!(!greet.call(&[Value::unknown(Type::String)])?.is_known());
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Clone)]
pub struct Function {
    description: Arc<str>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    type_rule: Arc<TypeRule>,
    implementation: Arc<Implementation>,
}

impl Function {
    /// A function in the making. Until it is said otherwise, it returns an unknown value of any type.
    pub fn new(description: &str) -> Self {
        Self {
            description: description.into(),
            parameters: Vec::new(),
            variadic: None,
            type_rule: Arc::new(|_| Ok(Type::Dynamic)),
            implementation: Arc::new(unpredictable),
        }
    }

    /// Adds a positional parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Takes any number of arguments after the positional ones.
    #[must_use]
    pub fn variadic(mut self, parameter: Parameter) -> Self {
        self.variadic = Some(parameter);
        self
    }

    /// Says that the result is always of this type.
    #[must_use]
    pub fn returns(self, t: Type) -> Self {
        self.type_rule(move |_| Ok(t.clone()))
    }

    /// Finds the type of the result from the arguments, known or not.
    #[must_use]
    pub fn type_rule(
        mut self,
        rule: impl Fn(&[Value]) -> Result<Type, Error> + Send + Sync + 'static,
    ) -> Self {
        self.type_rule = Arc::new(rule);
        self
    }

    /// What is done with exactly `N` arguments and the type that the rule has found.
    #[must_use]
    pub fn implement<const N: usize>(
        self,
        body: impl Fn(&[Value; N], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.implement_variadic(move |arguments, t| body(exactly(arguments)?, t))
    }

    /// What is done with any number of arguments and the type that the rule has found.
    #[must_use]
    pub fn implement_variadic(
        mut self,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.implementation = Arc::new(body);
        self
    }

    /// What it does, in words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The positional parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The parameter of the arguments after the positional ones.
    pub fn variadic_parameter(&self) -> Option<&Parameter> {
        self.variadic.as_ref()
    }

    /// The function, described in other words: also the parameters, with or without the variadic one.
    ///
    /// # Errors
    /// When there are not as many descriptions as parameters.
    pub fn redescribed(&self, description: &str, parameters: &[&str]) -> Result<Self, Error> {
        let positional = self.parameters.len();
        let with_variadic = positional + usize::from(self.variadic.is_some());
        if parameters.len() != positional && parameters.len() != with_variadic {
            let message =
                format!("{with_variadic} parameters take as many descriptions, not {}", parameters.len());
            return Err(Error::new(ErrorKind::Signature, message));
        }
        let mut function = Self { description: description.into(), ..self.clone() };
        let all = function.parameters.iter_mut().chain(&mut function.variadic);
        for (parameter, text) in all.zip(parameters) {
            parameter.description = (*text).into();
        }
        Ok(function)
    }

    /// The function with a result that is never known, as those have that answer differently at
    /// another time. The types are checked as before.
    #[must_use]
    pub fn unpredictable(mut self) -> Self {
        self.implementation = Arc::new(unpredictable);
        self
    }

    /// The type of the result for arguments of these types.
    ///
    /// # Errors
    /// When the function does not take such arguments. [`ErrorKind::Argument`] says which one.
    pub fn return_type(&self, arguments: &[Type]) -> Result<Type, Error> {
        let unknown: Vec<Value> = arguments.iter().cloned().map(Value::unknown).collect();
        self.return_type_for_values(&unknown)
    }

    /// The type of the result for these arguments, which may tell more than their types.
    ///
    /// # Errors
    /// When the function does not take such arguments. [`ErrorKind::Argument`] says which one.
    pub fn return_type_for_values(&self, arguments: &[Value]) -> Result<Type, Error> {
        self.check_count(arguments.len())?;
        let mut unmarked = arguments.to_vec();
        for (index, (parameter, argument)) in self.pairs(arguments).enumerate() {
            if !parameter.allow_marked
                && argument.contains_marked()
                && let Some(slot) = unmarked.get_mut(index)
            {
                *slot = argument.unmark_deep().0;
            }
            if argument.is_null() && !parameter.allow_null {
                return Err(argument_error(index, "argument must not be null"));
            }
            if *argument.ty() == Type::Dynamic {
                if !parameter.allow_dynamic_type {
                    return Ok(Type::Dynamic);
                }
            } else if let Some(reason) = argument.ty().nonconformance(&parameter.t) {
                // cty counts variadic arguments from their first one here.
                let reported = index.checked_sub(self.parameters.len()).unwrap_or(index);
                return Err(argument_error(reported, reason));
            }
        }
        guarded(|| (self.type_rule)(&unmarked))
    }

    /// Calls the function.
    ///
    /// # Errors
    /// When the function does not take these arguments ([`ErrorKind::Argument`] says which one), and
    /// what it fails with. A panic of the function is an error, too.
    pub fn call(&self, arguments: &[Value]) -> Result<Value, Error> {
        let expected = self.return_type_for_values(arguments)?;
        let mut marks = Marks::default();
        let mut unmarked = Vec::with_capacity(arguments.len());
        for (parameter, argument) in self.pairs(arguments) {
            if !argument.is_known() && !parameter.allow_unknown {
                return Ok(Value::unknown(expected));
            }
            unmarked.push(if parameter.allow_marked {
                argument.clone()
            } else {
                let (argument, own) = argument.unmark_deep();
                marks.extend(own);
                argument
            });
        }
        let result = guarded(|| (self.implementation)(&unmarked, &expected))?.with_marks(&marks);
        match result.ty().nonconformance(&expected) {
            None => Ok(result),
            Some(reason) => Err(Error::new(
                ErrorKind::Internal,
                format!("the function returned what is not of the type that it declares: {reason}"),
            )),
        }
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

    /// The arguments with their parameters.
    fn pairs<'a>(&'a self, arguments: &'a [Value]) -> impl Iterator<Item = (&'a Parameter, &'a Value)> {
        self.parameters.iter().chain(self.variadic.iter().cycle()).zip(arguments)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("description", &self.description)
            .field("parameters", &self.parameters)
            .field("variadic", &self.variadic)
            .finish_non_exhaustive()
    }
}

/// The error of an argument, with its index from 0.
#[cold]
pub fn argument_error(index: usize, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Argument(index), message)
}

/// The arguments as an array, in a rule or an implementation for a fixed number of them.
pub(super) fn exactly<const N: usize>(arguments: &[Value]) -> Result<&[Value; N], Error> {
    arguments.try_into().map_err(|_| {
        let message = format!("the function is implemented for {N} arguments and got {}", arguments.len());
        Error::new(ErrorKind::Internal, message)
    })
}

fn unpredictable(_: &[Value], t: &Type) -> Result<Value, Error> {
    Ok(Value::unknown(t.clone()))
}

/// Runs what a user of the library has written: a panic in it is an error.
fn guarded<T>(run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Error::new(ErrorKind::Internal, format!("panic in function implementation: {message}")))
    })
}
