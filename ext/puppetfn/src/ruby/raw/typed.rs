//! Fast access to the Rust value inside a Ruby object of ours.

use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use magnus::rb_sys::AsRawValue;
use magnus::value::ReprValue;
use magnus::{Error, Ruby, TryConvert, TypedData, Value};
use rb_sys::{RTYPEDDATA_GET_DATA, RTYPEDDATA_P, RTYPEDDATA_TYPE, SPECIAL_CONST_P, rb_data_type_t};

/// Recognizes the Ruby objects that hold a `T`.
///
/// Magnus does this with a protected call into Ruby; the dispatch path cannot afford that.
pub struct TypedClass<T> {
    data_type: AtomicPtr<rb_data_type_t>,
    holds: PhantomData<fn() -> T>,
}

/// Types whose objects can be recognized.
pub trait TypedRef: TypedData + 'static {
    /// Returns where the recognizer is kept.
    fn typed() -> &'static TypedClass<Self>;

    /// Returns the value inside of a Ruby object, if it is of this type.
    ///
    /// The reference is good as long as the object is borrowed from its owner: mostly a variable on the stack, where
    /// Ruby finds it, as it does each `Value` that is in its right place.
    fn of(object: &Value) -> Option<&Self> {
        // SAFETY: the object is borrowed as long as its value.
        unsafe { Self::typed().get(*object) }
    }

    /// Returns the value inside of the receiver of a method that is called often.
    fn receiver(object: &Value) -> Result<&Self, Error> {
        // Magnus words the error.
        Self::of(object).map_or_else(|| <&Self>::try_convert(*object), Ok)
    }
}

impl<T: TypedRef> TypedClass<T> {
    /// Creates a recognizer that still has to learn the data type of the objects.
    pub const fn new() -> Self {
        Self { data_type: AtomicPtr::new(null_mut()), holds: PhantomData }
    }

    /// Learns the data type of the objects from one of them.
    pub fn learn(&self, ruby: &Ruby, sample: T) {
        let object = ruby.wrap(sample).as_value().as_raw();
        // SAFETY: `object` is a typed data object, magnus has just made it.
        let data_type = unsafe { RTYPEDDATA_TYPE(object) };
        self.data_type.store(data_type.cast_mut(), Ordering::Relaxed);
    }

    /// Returns the value inside of an object.
    ///
    /// # Safety
    /// The object lives for 'a.
    pub(super) unsafe fn get<'a>(&self, object: Value) -> Option<&'a T> {
        let raw = object.as_raw();
        if SPECIAL_CONST_P(raw) {
            return None;
        }
        // SAFETY: `raw` is a heap object. RTYPEDDATA_P checks that it is typed data before its type
        // is read, and only a type that magnus uses for `T` alone leads to the cast; the data
        // pointer of such an object is a `Box<T>` that lives as long as the object, or null for an
        // allocated object that was never initialized.
        unsafe {
            let is_ours = rb_sys::RB_BUILTIN_TYPE(raw) == rb_sys::ruby_value_type::RUBY_T_DATA
                && RTYPEDDATA_P(raw)
                && RTYPEDDATA_TYPE(raw) == self.data_type.load(Ordering::Relaxed).cast_const();
            if is_ours { RTYPEDDATA_GET_DATA(raw).cast::<T>().as_ref() } else { None }
        }
    }
}
