//! Calls into Ruby.

use std::os::raw::c_int;

use magnus::rb_sys::{AsRawId, AsRawValue, FromRawValue, protect};
use magnus::value::Id;
use magnus::{Error, RClass, Value};
use rb_sys::VALUE;

use super::once::once;

/// Returns true if the Ruby method that is running was given a block.
pub fn block_given() -> bool {
    // SAFETY: called within a method that Ruby called.
    unsafe { rb_sys::rb_block_given_p() != 0 }
}

/// Calls a method, public or not. A final hash stays an argument.
pub fn call_method(receiver: Value, method: Id, arguments: &[Value]) -> Result<Value, Error> {
    let (argc, argv) = raw_arguments(arguments);
    // SAFETY: the receiver and arguments live on the callers' stacks. The call is protected, so that
    // an exception or throw comes back as an error.
    unsafe {
        once(|| protect(|| rb_sys::rb_funcallv(receiver.as_raw(), method.as_raw(), argc, argv)))
            .map(|result| Value::from_raw(result))
    }
}

/// Calls a public method and passes on the block that the running method was given.
pub fn call_method_with_block(receiver: Value, method: Id, arguments: &[Value]) -> Result<Value, Error> {
    let (argc, argv) = raw_arguments(arguments);
    // SAFETY: as for `call_method`; the block belongs to the Ruby frame that is running.
    unsafe {
        once(|| protect(|| rb_sys::rb_funcall_passing_block(receiver.as_raw(), method.as_raw(), argc, argv)))
            .map(|result| Value::from_raw(result))
    }
}

/// Returns true if instances of a class have a public method of this name.
pub fn is_public_method(class: RClass, method: Id) -> bool {
    const PUBLIC_ONLY: c_int = 1;
    // SAFETY: looks up the method table of a class.
    unsafe { rb_sys::rb_method_boundp(class.as_raw(), method.as_raw(), PUBLIC_ONLY) != 0 }
}

fn raw_arguments(arguments: &[Value]) -> (c_int, *const VALUE) {
    // Ruby itself limits the number of arguments far below c_int's range.
    (c_int::try_from(arguments.len()).unwrap_or(c_int::MAX), arguments.as_ptr().cast())
}
