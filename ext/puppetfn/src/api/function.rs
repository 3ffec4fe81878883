//! `Puppetfn::Function`: the superclass of every function in Ruby.

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RClass, RModule, Ruby, Value, method};

use crate::ruby::error::guarded;
use crate::ruby::jump::{self, Jump};
use crate::ruby::raw::{self, TypedRef};
use crate::ruby::wrapped::Dispatcher;

/// @yard
/// @def call(scope, *args, &block)
/// Calls the method whose dispatch accepts the arguments.
/// @param scope [Object] the scope of the caller
/// @return [Object] the result of the method
/// @raise [ArgumentError] when no dispatch accepts the arguments
fn call(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let Some((scope, args)) = args.split_first() else {
            return Err(Error::new(
                ruby.exception_arg_error(),
                "wrong number of arguments (given 0, expected 1+): the scope of the caller comes first",
            ));
        };
        let dispatcher = raw::class_dispatcher(raw::class_of(this));
        match Dispatcher::of(&dispatcher) {
            Some(dispatcher) => dispatcher
                .call(ruby, this, *scope, args)
                .or_else(|error| jump::caught(ruby, error, Jump::Return))
                .map_err(|error| jump::outward(ruby, error)),
            None => Err(Error::new(
                ruby.exception_arg_error(),
                format!(
                    "{} has no dispatcher: functions are made with Puppet::Functions.create_function",
                    this.class()
                ),
            )),
        }
    })
}

/// @yard
/// @def dispatcher
/// @return [Puppetfn::Dispatcher] the dispatches of the function
fn dispatcher(ruby: &Ruby, class: RClass) -> Result<Value, Error> {
    let found = raw::class_dispatcher(class);
    if !found.is_nil() {
        return Ok(found);
    }
    let made = ruby.obj_wrap(Dispatcher::default()).as_value();
    class.ivar_set("@dispatcher", made)?;
    Ok(made)
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<RClass, Error> {
    let class = puppetfn.define_class("Function", ruby.class_object())?;
    class.define_method("call", method!(call, -1))?;
    class.define_singleton_method("dispatcher", method!(dispatcher, 0))?;
    Ok(class)
}
