//! Closures as the bodies of native functions.

use std::error::Error as StdError;

use super::Declaration;
use super::from_arguments::{BodyParameters, FromArguments};
use super::native::SignatureSource;
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};

impl Declaration {
    /// Adds a signature whose body is a closure with parameters of Rust's types, such as `&str`, `u16`, `Vec<String>`, `&Value` and,
    /// at the end, `Option<i64>`: the signature follows from them. The closure returns whatever `Value::from` takes, or a
    /// `Result` with that; a call fails with its error.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::function::native;
    ///
    /// let runtime = Runtime::new();
    /// runtime.define(native("repeat").closure(|text: &str, count: Option<u16>| text.repeat(count.unwrap_or(2).into())).build()?);
    /// assert_eq!(runtime.evaluate("[repeat('ab'), repeat('c', 3)]", None)?.to_string(), "[abab, ccc]");
    ///
    /// let error = runtime.evaluate("repeat('ab', -1)", None).unwrap_err();
    /// assert!(error.message().ends_with("'repeat' parameter 'arg2' expects a value of type Undef or Integer[0, 65535], got Integer[-1, -1]"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn closure<A, R>(self, body: impl Closure<A, R>) -> Self
    where
        A: FromArguments,
    {
        let signature = BodyParameters::of::<A>().signature();
        self.add::<A>(SignatureSource::Signature(signature), false, move |_, arguments| body.call(arguments))
    }
}

/// A closure whose parameters are of types that arguments can be taken as; see [`Declaration::closure`].
///
/// `A` is the tuple of these types, `R` the type of the result.
pub trait Closure<A: FromArguments, R>: Send + Sync + 'static {
    /// Calls the closure.
    ///
    /// # Errors
    /// Fails with the closure's error.
    fn call(&self, arguments: A::Given<'_>) -> Result<Value, Error>;
}

/// The result of a closure: a value, or a `Result` of one.
pub trait ClosureResult {
    /// Returns the value of the call.
    ///
    /// # Errors
    /// Fails with the error of a `Result`. One that is not puppetfn's becomes an error of the evaluation with the same text.
    fn into_result(self) -> Result<Value, Error>;
}

impl<T: Into<Value>> ClosureResult for T {
    fn into_result(self) -> Result<Value, Error> {
        Ok(self.into())
    }
}

impl<T: Into<Value>, E: Into<Box<dyn StdError + Send + Sync>>> ClosureResult for Result<T, E> {
    fn into_result(self) -> Result<Value, Error> {
        self.map(Into::into).map_err(|error| {
            let foreign =
                |error: Box<dyn StdError + Send + Sync>| Error::new(ErrorKind::Evaluation, error.to_string());
            error.into().downcast::<Error>().map_or_else(foreign, |error| *error)
        })
    }
}

/// The closure is called with `'v` for the lifetimes of its arguments. The bound on [`Fn`] without `Given` is there to infer the
/// types of the parameters from the closure.
macro_rules! closures {
    ($(($($argument:ident),*))*) => { $(
        impl<Body, R, $($argument),*> Closure<($($argument,)*), R> for Body
        where
            Body: Fn($($argument),*) -> R + for<'v> Fn($($argument::Given<'v>),*) -> R + Send + Sync + 'static,
            R: ClosureResult,
            $($argument: FromArguments,)*
        {
            #[allow(non_snake_case, reason = "a variable for each type")]
            fn call(&self, ($($argument,)*): <($($argument,)*) as FromArguments>::Given<'_>) -> Result<Value, Error> {
                self($($argument),*).into_result()
            }
        }
    )* };
}

closures! {
    ()
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
}

#[cfg(test)]
mod tests {
    use super::super::native;
    use crate::value::{Hash, Value};
    use puppetfn_base::error::Error;

    fn signature(declaration: super::super::Declaration) -> String {
        declaration.build().unwrap().signatures()[0].to_string()
    }

    #[test]
    fn signatures_follow_from_the_types_of_the_parameters() {
        assert_eq!(signature(native("f").closure(|| 1)), "()");
        assert_eq!(signature(native("f").closure(|text: &str| text.len() as u32)), "(String arg1)");
        let declared = native("f").closure(|_: i64, _: Vec<bool>, _: Option<&Hash>| ());
        assert_eq!(signature(declared), "(Integer arg1, Array[Boolean] arg2, Optional[Hash] arg3?)");
        let declared = native("f").closure(|_: Value, rest: &[Value]| Value::from(rest));
        assert_eq!(signature(declared), "(Any arg1, Any arg2*)");
        let declared = native("f").closure(|_: Option<i64>, _: i64| ());
        assert_eq!(signature(declared), "(Optional[Integer] arg1, Integer arg2)");
    }

    #[test]
    fn errors_of_closures_are_errors_of_calls() {
        let failing = |result: Result<i64, Error>| super::ClosureResult::into_result(result).unwrap_err();
        let own = Error::new(puppetfn_base::error::ErrorKind::NotFound, "none");
        assert_eq!(failing(Err(own.clone())).to_string(), own.to_string());
        let other = super::ClosureResult::into_result("x".parse::<i64>()).unwrap_err();
        assert_eq!(other.message(), "invalid digit found in string");
        assert_eq!(super::ClosureResult::into_result(Err::<i64, _>("text")).unwrap_err().message(), "text");
    }
}
