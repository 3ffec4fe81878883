//! Infers the results of functions in the Puppet language for unknown arguments, by going through their code.

use std::sync::Arc;

use super::walk::Walk;
use super::{TextOrigin, World};
use puppetfn_base::limits::Limits;
use puppetfn_base::stack::StackBudget;
use puppetfn_runtime::eval::{InferResult, UnknownCall};
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::ast::{ExprKind, FunctionDefinition, Program};
use puppetfn_syntax::parse;
use puppetfn_types::value::Value;

/// Infers the results of functions by going through their bodies: where branches join, a value is one or the other.
///
/// ```
/// use std::sync::Arc;
/// use puppetfn::check::Inference;
/// use puppetfn::eval::Runtime;
/// use puppetfn::limits::Limits;
/// use puppetfn::loader::{Loader, StdFileSystem};
/// use puppetfn::types::Type;
/// use puppetfn::value::Value;
///
/// let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
/// let runtime = Runtime::builder().inference(Inference::new(Arc::new(loader), Limits::DEFAULT)).build();
/// runtime.evaluate("function environment::f($x) { if $x { $x + 1 } else { 'none' } }", None)?;
/// let result = runtime.call("environment::f", &[Value::unknown(Type::INTEGER)], None)?;
/// assert_eq!(result, Value::unknown(Type::INTEGER));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inference {
    loader: Arc<Loader>,
    limits: Limits,
}

impl Inference {
    /// For code that sees the modules of a loader.
    pub fn new(loader: Arc<Loader>, limits: Limits) -> Self {
        Self { loader, limits }
    }
}

impl InferResult for Inference {
    fn infer_result(&self, call: &UnknownCall<'_>) -> Option<Value> {
        let program = parse(call.text, &self.limits).ok()?;
        let function = defined(&program, call.name)?;
        // Files may have changed since the last call.
        let world = World::new(Arc::clone(&self.loader), self.limits);
        let origin = TextOrigin::default();
        let _evaluation = StackBudget::begin(&self.limits);
        let walk = Walk::new(&world, call.text, &origin).with_redefined(call.is_redefined);
        let result = walk.result_of(function, call.arguments)?;
        Some(if let Value::Unknown(t) = &result { Value::unknown(t.normalize()) } else { result })
    }
}

/// Returns the function of a name that a text defines.
fn defined<'p, 's>(program: &'p Program<'s>, name: &str) -> Option<&'p FunctionDefinition<'s>> {
    let mut found = None;
    for statement in &program.statements {
        if let ExprKind::Function(function) = &statement.kind
            && function.name.eq_ignore_ascii_case(name)
        {
            found = Some(&**function);
        }
    }
    found
}
