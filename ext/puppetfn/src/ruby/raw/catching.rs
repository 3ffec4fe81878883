//! Calls within `catch`.

use std::ffi::{c_int, c_void};

use magnus::rb_sys::{AsRawId, AsRawValue, FromRawValue, protect};
use magnus::value::{Id, StaticSymbol};
use magnus::{Error, Value};
use rb_sys::VALUE;

use super::once::once;

/// A call that is made inside of one `catch` or of several.
struct CatchingCall<'t> {
    /// The tags to catch, the outermost first.
    tags: &'t [StaticSymbol],
    receiver: VALUE,
    method: rb_sys::ID,
    argc: c_int,
    argv: *const VALUE,
    block: Option<VALUE>,
    /// Number of tags whose `catch` was entered.
    entered: usize,
    /// Whether the method has returned, or a `catch` has ended.
    ended: bool,
    caught: Option<StaticSymbol>,
}

impl CatchingCall<'_> {
    /// Enters the next `catch`. An exception or `throw` past it unwinds this frame, which has nothing to drop.
    unsafe fn enter(&mut self) -> VALUE {
        let Some(tag) = self.tags.get(self.entered).copied() else {
            // SAFETY: receiver, arguments and block live on the stack of `call_catching`.
            let result = unsafe {
                match self.block {
                    Some(block) => {
                        rb_sys::rb_funcall_with_block(self.receiver, self.method, self.argc, self.argv, block)
                    }
                    None => rb_sys::rb_funcallv(self.receiver, self.method, self.argc, self.argv),
                }
            };
            self.ended = true;
            return result;
        };
        self.entered += 1;
        let data = (&raw mut *self).cast::<c_void>() as VALUE;
        // SAFETY: the call outlives this, and is used by nobody else meanwhile.
        let result = unsafe { rb_sys::rb_catch_obj(tag.as_raw(), Some(within), data) };
        if !self.ended {
            self.ended = true;
            self.caught = Some(tag);
        }
        result
    }
}

unsafe extern "C" fn within(_tag: VALUE, call: VALUE, _: c_int, _: *const VALUE, _: VALUE) -> VALUE {
    // SAFETY: `call` is the address of the call in the frame of `call_catching`, which waits for this.
    unsafe { (*(call as *mut CatchingCall<'_>)).enter() }
}

/// Calls a method within a `catch` for each tag: a public method if there is a block, any one without.
///
/// Returns its result, or the thrown value and the tag.
pub fn call_catching(
    tags: &[StaticSymbol],
    receiver: Value,
    method: Id,
    arguments: &[Value],
    block: Option<Value>,
) -> Result<(Value, Option<StaticSymbol>), Error> {
    let mut call = CatchingCall {
        tags,
        receiver: receiver.as_raw(),
        method: method.as_raw(),
        argc: c_int::try_from(arguments.len()).unwrap_or(c_int::MAX),
        argv: arguments.as_ptr().cast(),
        block: block.map(|block| block.as_raw()),
        entered: 0,
        ended: false,
        caught: None,
    };
    // SAFETY: all objects live on the callers' stacks. The call is protected, so that an exception, or a throw to
    // another tag, comes back as an error; no Rust frame in between has something to drop.
    let result = once(|| unsafe { protect(|| call.enter()).map(|result| Value::from_raw(result)) });
    result.map(|value| (value, call.caught))
}
