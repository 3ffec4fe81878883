//! The environment of the cases: the prelude's types and functions, and the evaluation of expressions.

use std::sync::Arc;

use puppetfn::builtin;
use puppetfn::convert::create::create;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::{FoundFunction, FunctionLookup, Logs, Runtime, RuntimeBuilder};
use puppetfn::function::native;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::parse;
use puppetfn::value::Value;

use puppetfn::function::NoHost;

/// An evaluator with its log.
pub struct CaseWorld {
    runtime: Runtime,
    logs: Logs,
}

impl Default for CaseWorld {
    fn default() -> Self {
        Self::new(|builder| builder)
    }
}

impl CaseWorld {
    fn new(configure: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder) -> Self {
        let logs = Logs::default();
        let runtime = configure(Runtime::builder().host(logs.clone()).functions(CaseFunctions)).build();
        Self { runtime, logs }
    }

    /// Returns the world of the cases that come with this prelude, a file of definitions.
    #[allow(clippy::disallowed_methods, reason = "a program reads its own arguments")]
    pub fn load(prelude: &str) -> Result<Self, Box<dyn std::error::Error>> {
        // They were recorded in manifests, where `Task` is not a type.
        let world = Self::new(RuntimeBuilder::manifests);
        world.evaluate(&std::fs::read_to_string(prelude)?)?;
        Ok(world)
    }

    /// Returns the result of the type parser for a text.
    pub fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self.runtime.types(), &Limits::DEFAULT)
    }

    /// Returns the value of an expression.
    pub fn evaluate(&self, text: &str) -> Result<Value, Error> {
        self.evaluate_file(text, None)
    }

    /// Evaluates a text as if it were from a file.
    pub fn evaluate_file(&self, text: &str, file: Option<&str>) -> Result<Value, Error> {
        self.runtime.evaluate(text, file)
    }

    /// Sets the facts of the node.
    pub fn set_facts(&self, facts: Value) {
        self.runtime.set_variable("facts", facts);
    }

    /// Returns a lambda, from its text.
    pub fn lambda(&self, text: &str) -> Result<Value, Error> {
        self.evaluate(&format!("{LAMBDA}() {text}"))
    }

    /// Returns the messages logged since the last call: level and text.
    pub fn take_logs(&self) -> Vec<[String; 2]> {
        self.logs.take().into_iter().map(|(level, message)| [level.to_string(), message]).collect()
    }
}

/// The name of a function that gives its block.
const LAMBDA: &str = "vectors::lambda";

/// Puppet's functions, and that one.
struct CaseFunctions;

impl FunctionLookup for CaseFunctions {
    fn find(&self, name: &str, module: Option<&str>) -> Result<Option<FoundFunction>, Error> {
        if name != LAMBDA {
            return builtin::registry().find(name, module);
        }
        let lambda = native(LAMBDA).dispatch::<()>("(Callable block)", |call, ()| {
            call.block().cloned().ok_or_else(|| Error::new(ErrorKind::Internal, "no block"))
        });
        lambda.build().map(|lambda| Some(FoundFunction::Function(Arc::new(lambda))))
    }
}

/// Returns the text of a type on its own; a named type is rendered with its definition.
pub fn shown(t: &Type) -> String {
    t.ruby_to_s()
}

/// Returns the text of a value in the format `%p`, as Puppet code.
pub fn program_text(value: &Value) -> Result<String, Error> {
    formatted(value.clone(), Value::from("%p"))
}

/// `String.new(value, format)`.
pub fn formatted(value: Value, format: Value) -> Result<String, Error> {
    let made = create(&Type::STRING, &[value, format], &NoHost)?;
    if let Value::String(text) = &made {
        return Ok(text.to_string());
    }
    Err(Error::new(ErrorKind::Internal, format!("not a string: {made:?}")))
}
