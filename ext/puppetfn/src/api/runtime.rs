//! `Puppetfn::Runtime#call_function`, the method that programs call most. The rest of the class is in Ruby.

use magnus::value::{IntoId, LazyId, ReprValue};
use magnus::{Error, Module, RHash, RModule, RString, Ruby, Symbol, Value, method};

use super::native_function::{CalledFrom, NativeFunction};
use crate::ruby::error::{guarded, raised};
use crate::ruby::raw::{self, InstanceVariable, TypedRef, once};
use crate::ruby::symbols;

/// The fiber-local variable of the runtime at work, as in `lib/puppetfn/runtime.rb`.
static CURRENT: LazyId = LazyId::new("__puppetfn_runtime__");
static LOADER: InstanceVariable = InstanceVariable::new(c"@loader");
static SCOPE: InstanceVariable = InstanceVariable::new(c"@scope");
static FUNCTIONS: InstanceVariable = InstanceVariable::new(c"@functions");
static CALL: LazyId = LazyId::new("call");

/// @yard
/// @def call_function(name, *args, &block)
/// Calls a function.
/// @example
///   runtime = Puppetfn::Runtime.new
///   runtime.call_function("upcase", "abc")                        # => "ABC"
///   runtime.call_function("map", [1, 2]) { |number| number * 2 }  # => [2, 4]
///   runtime.call_function("upcase")
///   # ArgumentError: 'upcase' expects 1 argument, got none
/// @param name [String, Symbol]
/// @param args [Array<Object>] the arguments, one by one
/// @yield the lambda that is passed to the function
/// @return [Object] the result of the function
/// @raise [ArgumentError] when there is no such function, or it does not accept the arguments
/// @raise [TypeError] when the name is neither a String nor a Symbol
fn call_function(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || match args.split_first() {
        Some((name, args)) => call(ruby, this, scope_of(this), *name, args),
        None => Err(missing(ruby, 0, 1)),
    })
}

/// @yard
/// @def call_function_for(scope, name, *args, &block)
/// Calls a function for the code of a scope, in which the evaluator acts already.
/// @api private
/// @param scope [Scope]
/// @param name [String, Symbol]
/// @param args [Array<Object>]
/// @return [Object]
fn call_function_for(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || match args {
        [scope, name, args @ ..] => call(ruby, this, *scope, *name, args),
        _ => Err(missing(ruby, args.len(), 2)),
    })
}

#[cold]
fn missing(ruby: &Ruby, given: usize, expected: usize) -> Error {
    let message = format!("wrong number of arguments (given {given}, expected {expected}+)");
    Error::new(ruby.exception_arg_error(), message)
}

fn call(ruby: &Ruby, this: Value, scope: Value, name: Value, args: &[Value]) -> Result<Value, Error> {
    let function = function(ruby, this, name)?;
    let advised = |error| symbols::advised(error, ruby.exception_arg_error());
    if let Some(native) = NativeFunction::of(&function) {
        return native.call_by(ruby, CalledFrom::Runtime(this), args).map_err(advised);
    }
    // Ruby keeps all of them alive: the scope is the runtime's or the caller's, the others are arguments.
    let mut arguments = Vec::with_capacity(args.len() + 1);
    arguments.push(scope);
    arguments.extend_from_slice(args);
    let _activation = RuntimeActivation::begin(ruby, this)?;
    raw::call_method_with_block(function, CALL.into_id_with(ruby), &arguments).map_err(advised)
}

/// Returns the scope that functions get which a program calls.
pub fn scope_of(runtime: Value) -> Value {
    SCOPE.get(runtime)
}

/// Returns the runtime that is at work in the fiber.
pub fn current(ruby: &Ruby) -> Option<Value> {
    let current: Value = ruby.thread_current().local_aref(*CURRENT).ok()?;
    (!current.is_nil()).then_some(current)
}

/// A runtime that is at work in the fiber, until this is dropped.
pub struct RuntimeActivation<'r> {
    ruby: &'r Ruby,
    before: Value,
}

impl<'r> RuntimeActivation<'r> {
    /// Puts a runtime to work.
    pub fn begin(ruby: &'r Ruby, runtime: Value) -> Result<Self, Error> {
        let thread = ruby.thread_current();
        let before = thread.local_aref(*CURRENT)?;
        thread.local_aset(*CURRENT, runtime)?;
        Ok(Self { ruby, before })
    }
}

impl Drop for RuntimeActivation<'_> {
    fn drop(&mut self) {
        // It fails for a thread that is frozen, which it was not when this began.
        let _ = self.ruby.thread_current().local_aset(*CURRENT, self.before);
    }
}

/// Returns a function from the cache of a runtime's loader, or looks it up.
fn function(ruby: &Ruby, runtime: Value, name: Value) -> Result<Value, Error> {
    let loader = LOADER.get(runtime);
    let name = match (RString::from_value(name), Symbol::from_value(name)) {
        (Some(name), _) => name,
        (None, Some(name)) => name.funcall("to_s", ())?,
        (None, None) => {
            let class = name.class();
            let message =
                format!("the name of a function: expected a String or a Symbol, got an object of {class}");
            return Err(Error::new(ruby.exception_type_error(), message));
        }
    };
    let known = RHash::from_value(FUNCTIONS.get(loader));
    if let Some(function) = known.and_then(|known| raw::entry(known, name)) {
        return Ok(function);
    }
    let _activation = RuntimeActivation::begin(ruby, runtime)?;
    let found: Value = once(|| loader.funcall("load", (ruby.to_symbol("function"), name)))?;
    if !found.is_nil() {
        return Ok(found);
    }
    let message = format!("Unknown function '{}'", name.to_string()?);
    Err(raised(loader.funcall("unknown", (message, name))?))
}

/// Defines the method.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = puppetfn.define_class("Runtime", ruby.class_object())?;
    class.define_method("call_function_for", method!(call_function_for, -1))?;
    class.define_method("call_function", method!(call_function, -1))
}
