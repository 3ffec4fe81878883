//! Calls of Ruby objects by the core.

use magnus::block::Proc;
use magnus::value::ReprValue;
use magnus::{Error, Ruby, Value};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::host::HostRef;
use puppetfn::value::{CallTarget, Value as CoreValue};

use super::convert::{to_object, to_value};
use super::raw::with_elements;

/// Sends a message to a Ruby object. `first` is an argument before those of the core.
pub fn send(
    ruby: &Ruby,
    receiver: Value,
    method: &str,
    first: Option<Value>,
    arguments: &[CoreValue],
    block: Option<Value>,
) -> Result<CoreValue, Error> {
    let list = ruby.ary_new_capa(arguments.len() + 1);
    if let Some(first) = first {
        list.push(first)?;
    }
    arguments.iter().try_for_each(|argument| list.push(to_object(ruby, argument)?))?;
    let result: Value = with_elements(list, |list| match block.and_then(Proc::from_value) {
        Some(block) => receiver.funcall_with_block(method, list, block),
        None => receiver.funcall(method, list),
    })?;
    to_value(ruby, result)
}

/// What is called for a block that comes from Ruby.
pub fn target(block: &CoreValue) -> Result<&HostRef, CoreError> {
    if let CoreValue::Callable(callable) = block
        && let CallTarget::Host(target) = &callable.target
    {
        return Ok(target);
    }
    Err(CoreError::new(ErrorKind::Internal, format!("not a block: {block:?}")))
}
