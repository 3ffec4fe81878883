//! Calls of Ruby objects by the core.

use magnus::block::Proc;
use magnus::value::{OpaqueId, ReprValue};
use magnus::{Error, RArray, Ruby, Value};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::host::HostRef;
use puppetfn::value::{CallTarget, Value as CoreValue};

use super::convert::{ConvertedObjects, to_object_once, to_value};
use super::raw::{once, with_elements};

/// Calls a method of a Ruby object. `first` precedes the arguments of the core.
pub fn send(
    ruby: &Ruby,
    receiver: Value,
    method: OpaqueId,
    first: Option<Value>,
    arguments: &[CoreValue],
    block: Option<Value>,
) -> Result<CoreValue, Error> {
    to_value(ruby, send_for_object(ruby, receiver, method, first, arguments, block)?)
}

/// Returns the same as the object that Ruby returns.
pub fn send_for_object(
    ruby: &Ruby,
    receiver: Value,
    method: OpaqueId,
    first: Option<Value>,
    arguments: &[CoreValue],
    block: Option<Value>,
) -> Result<Value, Error> {
    let call = |list: &[Value]| {
        once(|| match block.and_then(Proc::from_value) {
            Some(block) => receiver.funcall_with_block(method, list, block),
            None => receiver.funcall(method, list),
        })
    };
    let converted = ConvertedObjects::default();
    let convert = |argument| to_object_once(ruby, argument, &converted);
    let objects = || first.map(Ok).into_iter().chain(arguments.iter().map(convert));
    // Blocks are called for each element of a collection: a few objects need no array, since the collector sees
    // the stack.
    let mut few = [ruby.qnil().as_value(); FEW];
    Ok(match few.get_mut(..arguments.len() + usize::from(first.is_some())) {
        Some(few) => {
            for (place, object) in few.iter_mut().zip(objects()) {
                *place = object?;
            }
            call(few)?
        }
        None => {
            let list = ruby.ary_new_capa(arguments.len() + 1);
            objects().try_for_each(|object| list.push(object?))?;
            with_elements(list, call)?
        }
    })
}

/// Returns the same with arguments that are in an array already.
pub fn send_objects(
    ruby: &Ruby,
    receiver: Value,
    method: OpaqueId,
    first: Option<Value>,
    arguments: RArray,
    block: Option<Value>,
) -> Result<Value, Error> {
    let list = ruby.ary_new_capa(arguments.len() + 1);
    first.into_iter().try_for_each(|first| list.push(first))?;
    list.concat(arguments)?;
    with_elements(list, |list| {
        once(|| match block.and_then(Proc::from_value) {
            Some(block) => receiver.funcall_with_block(method, list, block),
            None => receiver.funcall(method, list),
        })
    })
}

/// As many arguments as are passed without an array.
const FEW: usize = 4;

/// Returns the callee of a block that comes from Ruby.
pub fn target(block: &CoreValue) -> Result<&HostRef, CoreError> {
    if let CoreValue::Callable(callable) = block
        && let CallTarget::Host(target) = &callable.target
    {
        return Ok(target);
    }
    Err(CoreError::new(ErrorKind::Internal, format!("not a block: {block:?}")))
}
