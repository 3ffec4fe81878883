//! `Puppetfn::Closure`: a lambda of Puppet code that was given to a Ruby function.

use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{Error, Module, RArray, RClass, RModule, Ruby, Value, method};
use puppetfn::types::{CallableType, Size, Type};
use puppetfn::value::{Callable, Value as CoreValue};

use super::code_host;
use super::evaluator::Evaluator;
use super::types;
use crate::ruby::classes::define_class;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, of_code};
use crate::ruby::raw::{self, TypedRef};
use crate::ruby::wrapped::RubyClosure;
use crate::ruby::{host_table, jump};

impl RubyClosure {
    /// Returns the Ruby object of a lambda.
    pub fn wrap(ruby: &Ruby, lambda: Arc<Callable>, evaluator: Value) -> Value {
        ruby.obj_wrap(Self { lambda, evaluator: evaluator.into() }).as_value()
    }

    fn callable(&self) -> Option<&CallableType> {
        if let Type::Callable(callable) = self.signature() { Some(callable) } else { None }
    }

    /// @yard
    /// @def call(*args)
    /// Calls the lambda.
    /// @param args [Array<Object>]
    /// @return [Object]
    fn call(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let args: Vec<_> = args.iter().map(|arg| to_value(ruby, *arg)).collect::<Result<_, _>>()?;
            let evaluator = ruby.get_inner(this.evaluator);
            let Some(evaluator) = Evaluator::of(&evaluator) else {
                return Err(Error::new(ruby.exception_type_error(), "a closure without its evaluator"));
            };
            let lambda = CoreValue::Callable(Arc::clone(&this.lambda));
            let error = match evaluator.with_core(|core| core.call_block(&lambda, &args))? {
                Ok(value) => return to_object(ruby, &value),
                Err(error) => error,
            };
            match jump::jump_of(&error) {
                None => Err(of_code(ruby, &error)),
                Some(jump) => {
                    let value = to_object(ruby, &evaluator.with_core(|core| core.landed(&lambda))?)?;
                    Err(jump::leaving(ruby, jump, value, error.place()))
                }
            }
        })
    }

    /// @yard
    /// @def type
    /// @return [Puppetfn::Type] a Callable
    fn ruby_type(ruby: &Ruby, this: &Self) -> Value {
        types::wrap(ruby, this.signature().clone())
    }

    /// @yard
    /// @def return_type
    /// @return [Puppetfn::Type] Any, where none is stated
    fn return_type(ruby: &Ruby, this: &Self) -> Value {
        let stated = this.callable().and_then(|callable| callable.returns.clone());
        types::wrap(ruby, stated.unwrap_or(Type::Any))
    }

    /// @yard
    /// @def parameter_names
    /// @return [Array<String>]
    fn parameter_names(ruby: &Ruby, this: &Self) -> RArray {
        ruby.ary_from_iter(this.lambda.parameter_names.iter().map(|name| ruby.str_new(name)))
    }

    /// @yard
    /// @def parameter_types
    /// @return [Array<Puppetfn::Type>] one for each parameter
    fn parameter_types(ruby: &Ruby, this: &Self) -> RArray {
        let params = this.callable().and_then(|callable| callable.params.as_ref());
        let types = params.map_or(&[][..], |params| &params.types);
        ruby.ary_from_iter(types.iter().map(|t| types::wrap(ruby, t.clone())))
    }

    /// @yard
    /// @def size_range
    /// @return [Array(Integer, Integer), Array(Integer, Float)] how many arguments it takes
    fn size_range(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        let size = this.callable().map_or(Size::ANY, CallableType::size);
        let range = ruby.ary_from_iter([size.min]);
        match size.max {
            Some(max) => range.push(max)?,
            None => range.push(f64::INFINITY)?,
        }
        Ok(range)
    }
}

/// Returns the block of the running method.
///
/// Ruby passes native code a copy of a block that is a `PuppetProc`, without its closure. Only Ruby code can access the
/// block itself, so Ruby code is called as long as code calls functions in Ruby.
pub fn given_block(ruby: &Ruby) -> Result<Option<Value>, Error> {
    if !raw::block_given() {
        return Ok(None);
    }
    if !code_host::is_calling_ruby() {
        return ruby.block_proc().map(|block| Some(block.as_value()));
    }
    let closure: RClass = ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Closure")?;
    raw::call_method_with_block(closure.as_value(), ruby.intern("given"), &[]).map(Some)
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyClosure>(ruby, puppetfn, "Closure", ruby.class_object())?;
    class.define_method("call", method!(RubyClosure::call, -1))?;
    class.define_method("type", method!(RubyClosure::ruby_type, 0))?;
    class.define_method("return_type", method!(RubyClosure::return_type, 0))?;
    class.define_method("parameter_names", method!(RubyClosure::parameter_names, 0))?;
    class.define_method("parameter_types", method!(RubyClosure::parameter_types, 0))?;
    class.define_method("size_range", method!(RubyClosure::size_range, 0))?;
    let nil = ruby.qnil().as_value();
    let sample = Callable::of_host(host_table::keep(ruby, nil)?, Type::Any);
    RubyClosure::typed().learn(ruby, RubyClosure { lambda: Arc::new(sample), evaluator: nil.into() });
    Ok(())
}
