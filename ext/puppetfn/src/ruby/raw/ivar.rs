//! Instance variables of Ruby objects, read and set without sending them a message.

use std::ffi::CStr;
use std::sync::OnceLock;

use magnus::rb_sys::{AsRawValue, FromRawValue, protect};
use magnus::{Error, RHash, RString, Value};
use rb_sys::{ID, Qnil, Qtrue, Qundef, VALUE};

/// The name of an instance variable.
///
/// One without an `@` is hidden: Ruby code can neither name nor list it.
pub struct InstanceVariable {
    name: &'static CStr,
    id: OnceLock<ID>,
}

impl InstanceVariable {
    /// Returns the variable of this name.
    pub const fn new(name: &'static CStr) -> Self {
        Self { name, id: OnceLock::new() }
    }

    pub(super) fn id(&self) -> ID {
        // SAFETY: the name is NUL-terminated; interning it does not raise.
        *self.id.get_or_init(|| unsafe { rb_sys::rb_intern(self.name.as_ptr()) })
    }

    pub(super) fn raw(&self, object: VALUE) -> VALUE {
        // SAFETY: asked of live objects; reading a variable calls nothing.
        unsafe { rb_sys::rb_ivar_get(object, self.id()) }
    }

    /// Returns the variable's value in an object; nil if it is not set.
    pub fn get(&self, object: Value) -> Value {
        // SAFETY: the value is reachable through the object, which the caller has on its stack.
        unsafe { Value::from_raw(self.raw(object.as_raw())) }
    }

    /// Returns true if the variable is set in an object.
    pub fn is_set(&self, object: Value) -> bool {
        self.raw(object.as_raw()) != Qnil as VALUE
    }

    /// Sets it, unless the object is frozen.
    pub fn set(&self, object: Value, value: Value) -> Result<(), Error> {
        // SAFETY: asking whether an object is frozen calls nothing; setting a variable is protected.
        unsafe {
            if rb_sys::rb_obj_frozen_p(object.as_raw()) == Qtrue as VALUE {
                return Ok(());
            }
            protect(|| rb_sys::rb_ivar_set(object.as_raw(), self.id(), value.as_raw())).map(|_| ())
        }
    }
}

/// Returns the value of a key in a hash whose keys are all strings; `None` if the key is missing.
pub fn entry(hash: RHash, key: RString) -> Option<Value> {
    // SAFETY: reading the class of an object calls nothing.
    if unsafe { rb_sys::rb_obj_class(key.as_raw()) != rb_sys::rb_cString } {
        // One of another class may have methods of its own, which may raise.
        return hash.get(key);
    }
    // SAFETY: strings are compared without calling a method.
    let value = unsafe { rb_sys::rb_hash_lookup2(hash.as_raw(), key.as_raw(), Qundef as VALUE) };
    // SAFETY: it is reachable through the hash, which the caller has on its stack.
    (value != Qundef as VALUE).then(|| unsafe { Value::from_raw(value) })
}
