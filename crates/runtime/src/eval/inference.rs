//! Results of functions for unknown arguments.

use puppetfn_types::value::Value;

/// A call of a function in the Puppet language, of which not all arguments are known.
pub struct UnknownCall<'a> {
    /// The name of the function.
    pub name: &'a str,
    /// The text that defines it.
    pub text: &'a str,
    /// The arguments, which it may accept.
    pub arguments: &'a [Value],
    /// Returns true if a text or the program has defined the function of a name, which may then be any function.
    pub is_redefined: &'a dyn Fn(&str) -> bool,
}

/// Infers results from the code of functions. The checker implements it.
pub trait InferResult: Send + Sync {
    /// Returns the result of a call, which may be partly unknown; `None` if nothing can be inferred.
    fn infer_result(&self, call: &UnknownCall<'_>) -> Option<Value>;
}

/// Infers nothing.
pub(super) struct NoInference;

impl InferResult for NoInference {
    fn infer_result(&self, _: &UnknownCall<'_>) -> Option<Value> {
        None
    }
}
