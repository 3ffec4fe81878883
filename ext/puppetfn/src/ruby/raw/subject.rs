//! Ruby objects as subjects of the type operations.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::os::raw::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use magnus::rb_sys::{AsRawValue, FromRawValue};
use magnus::value::{LazyId, ReprValue};
use magnus::{RArray, Ruby, Value};
use puppetfn::error::Error;
use puppetfn::subject::{CallableShape, Shape, Subject};
use puppetfn::types::{Size, Type};
use puppetfn::value::{Uri, Value as CoreValue};
use rb_sys::ruby_value_type as kind;
use rb_sys::{Qfalse, Qnil, Qtrue, VALUE};

use super::super::wrapped::{Dispatcher, RubyClosure, RubyRich, RubyType};
use super::classify::{
    class_ancestry, class_dispatcher, class_of, is_of_iterators, known_classes, module_name, object_example,
    proc_closure,
};
use super::{TypedRef, encoding, reference, uri};

/// A Ruby object during a check. While `'a` lives, no Ruby code runs, so nothing changes.
#[derive(Clone, Copy)]
pub struct RubySubject<'a> {
    value: VALUE,
    unchanged: PhantomData<&'a VALUE>,
}

/// Borrows an object that the caller has on its stack. The borrow must end before Ruby code runs that could change the
/// object: the compiler cannot check that.
#[inline]
pub fn subject(value: &Value) -> RubySubject<'_> {
    RubySubject::of(value.as_raw())
}

/// Returns the same for arguments.
#[inline]
pub fn subject_slice(values: &[Value]) -> &[RubySubject<'_>] {
    const _: () = assert!(size_of::<RubySubject<'_>>() == size_of::<Value>());
    // SAFETY: both are one VALUE wide (asserted above): magnus's Value is a transparent wrapper of
    // one, which it relies on itself when it passes slices to Ruby.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Calls `body` with the elements of an array that nothing else changes meanwhile.
pub fn with_elements<R>(array: RArray, body: impl FnOnce(&[Value]) -> R) -> R {
    // A copy that only this frame knows cannot be changed by Ruby code that `body` runs.
    let copy = Ruby::get_with(array).ary_new_from_values(array_slice(&array));
    // The collector does not find an array by the address of its elements, so both arrays stay until their elements were used.
    std::hint::black_box(array);
    let result = body(array_slice(&copy));
    std::hint::black_box(copy);
    result
}

#[inline]
fn array_slice(array: &RArray) -> &[Value] {
    // SAFETY: the caller keeps the array on its stack, and nothing changes it while the slice is
    // used: `with_elements` copies it at once, and hands out the elements of the copy only.
    unsafe { array.as_slice() }
}

impl<'a> RubySubject<'a> {
    #[inline]
    pub(super) fn of(value: VALUE) -> Self {
        Self { value, unchanged: PhantomData }
    }

    /// Returns the object.
    #[inline]
    pub fn value(self) -> Value {
        // SAFETY: `value` came from a `Value` or out of a collection that Ruby holds.
        unsafe { Value::from_raw(self.value) }
    }

    /// Returns the core data in the object, if it is of this type.
    #[inline]
    fn held<T: TypedRef>(self) -> Option<&'a T> {
        // SAFETY: the object lives for 'a, and holds the same all the time.
        unsafe { T::typed().get(self.value()) }
    }

    /// Returns the text of a string that Ruby knows to be UTF-8.
    #[inline(always)]
    fn known_text(self) -> Option<&'a str> {
        if rb_sys::SPECIAL_CONST_P(self.value) {
            return None;
        }
        // SAFETY: a heap object begins with its flags.
        let flags = unsafe { (*(self.value as *const rb_sys::RBasic)).flags };
        if flags & kind::RUBY_T_MASK as VALUE != kind::RUBY_T_STRING as VALUE || !encoding::known_utf8(flags)
        {
            return None;
        }
        // SAFETY: the object is a string, which does not change for 'a, and Ruby has found its bytes
        // to be ASCII, or valid UTF-8 in a string of UTF-8.
        Some(unsafe { std::str::from_utf8_unchecked(self.bytes()) })
    }

    /// Returns the bytes of a string.
    ///
    /// # Safety
    /// The object is a string.
    #[inline]
    unsafe fn bytes(self) -> &'a [u8] {
        // SAFETY: promised by the caller; the string does not change for 'a.
        unsafe {
            let length = usize::try_from(rb_sys::RSTRING_LEN(self.value)).unwrap_or(0);
            std::slice::from_raw_parts(rb_sys::RSTRING_PTR(self.value).cast::<u8>(), length)
        }
    }

    /// Returns the bytes of a string; of any other object none.
    pub fn text_bytes(self) -> &'a [u8] {
        if rb_sys::SPECIAL_CONST_P(self.value) {
            return &[];
        }
        // SAFETY: the kind of a heap object is in its header, and the bytes are read of strings only.
        unsafe { if rb_sys::RB_BUILTIN_TYPE(self.value) == kind::RUBY_T_STRING { self.bytes() } else { &[] } }
    }

    /// Returns the name of the encoding of a string.
    pub fn encoding_name(self) -> &'static str {
        // SAFETY: rb_enc_get answers the encoding of a string or symbol, and null for other objects; the name of
        // an encoding is NUL-terminated and lives as long as the process.
        let name = unsafe {
            let encoding = rb_sys::rb_enc_get(self.value);
            if encoding.is_null() { c"ASCII-8BIT" } else { std::ffi::CStr::from_ptr((*encoding).name) }
        };
        name.to_str().unwrap_or("ASCII-8BIT")
    }

    /// Returns the text of a string of UTF-8 or ASCII; `None` if the bytes are anything else.
    #[inline]
    pub(super) fn utf8(self) -> Option<&'a str> {
        // SAFETY: scanning a string for its coderange notes the result in its flags and calls nothing.
        unsafe { rb_sys::rb_enc_str_coderange(self.value) };
        self.known_text()
    }

    /// Returns true if a block takes any number of arguments.
    #[inline]
    pub(super) fn takes_rest(self) -> bool {
        proc_size(self.value()).max.is_none()
    }

    fn other_shape(self) -> Result<Shape<'a, Self>, Error> {
        let value = self.value;
        if !rb_sys::SPECIAL_CONST_P(value) {
            return self.heap_shape();
        }
        Ok(if value == Qnil as VALUE {
            Shape::Undef
        } else if value == Qtrue as VALUE {
            Shape::Boolean(true)
        } else if value == Qfalse as VALUE {
            Shape::Boolean(false)
        } else if rb_sys::FLONUM_P(value) {
            // SAFETY: it is a float packed into the reference.
            Shape::Float(unsafe { rb_sys::rb_float_value(value) })
        } else {
            match known_classes() {
                Some(known) if known.default == value => Shape::Default,
                Some(known) if known.undef == value => Shape::Undef,
                Some(_) | None => Shape::Runtime,
            }
        })
    }

    /// Returns the shape of a string that Ruby does not know to be UTF-8 without looking.
    #[cold]
    fn unscanned_text(self) -> Shape<'a, Self> {
        // SAFETY: asked of strings only.
        let bytes = unsafe { self.bytes() };
        // SAFETY: the object is a string; scanning it for its coderange notes the result in its flags
        // and calls nothing.
        let flags = unsafe {
            rb_sys::rb_enc_str_coderange(self.value);
            (*(self.value as *const rb_sys::RBasic)).flags
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if encoding::known_utf8(flags) || encoding::is_binary(flags) => Shape::String(text),
            // SAFETY: the object is a string.
            _ => Shape::Bytes(usize::try_from(unsafe { rb_sys::rb_str_strlen(self.value) }).unwrap_or(0)),
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "most of Ruby's kinds are plain objects to Puppet")]
    fn heap_shape(self) -> Result<Shape<'a, Self>, Error> {
        // SAFETY: `self.value` is a heap object: `shape` has dealt with all others. Each accessor is
        // used only on the kind of object that the match arm establishes.
        unsafe {
            match rb_sys::RB_BUILTIN_TYPE(self.value) {
                kind::RUBY_T_STRING => Ok(self.unscanned_text()),
                kind::RUBY_T_ARRAY if self.is_exactly(rb_sys::rb_cArray) => {
                    Ok(Shape::Array(usize::try_from(rb_sys::RARRAY_LEN(self.value)).unwrap_or(0)))
                }
                kind::RUBY_T_HASH if self.is_exactly(rb_sys::rb_cHash) => {
                    Ok(Shape::Hash(rb_sys::RHASH_SIZE(self.value)))
                }
                kind::RUBY_T_FLOAT => Ok(Shape::Float(rb_sys::rb_float_value(self.value))),
                kind::RUBY_T_REGEXP => Ok(Shape::Regexp),
                kind::RUBY_T_BIGNUM => Ok(integer_shape(self.value)),
                kind::RUBY_T_CLASS | kind::RUBY_T_MODULE => Ok(Shape::Type),
                kind::RUBY_T_DATA => Ok(self.data_shape()),
                kind::RUBY_T_OBJECT => Ok(self.object_shape()),
                _ => Ok(Shape::Runtime),
            }
        }
    }

    /// Returns true if a heap object is of this class and not of one that descends from it: for Puppet,
    /// those are objects like any other.
    #[inline]
    pub(super) fn is_exactly(self, class: VALUE) -> bool {
        // SAFETY: the class of a heap object is in its header; rb_obj_class skips singleton classes.
        unsafe {
            (*(self.value as *const rb_sys::RBasic)).klass == class
                || rb_sys::rb_obj_class(self.value) == class
        }
    }

    fn data_shape(self) -> Shape<'a, Self> {
        if self.held::<RubyType>().is_some() {
            return Shape::Type;
        }
        if let Some(rich) = self.held::<RubyRich>() {
            let value = &rich.0;
            return if let CoreValue::Unknown(t) = value { Shape::Unknown(t) } else { Shape::Rich(value) };
        }
        // SAFETY: rb_obj_is_proc looks at the kind of data only.
        if unsafe { rb_sys::rb_obj_is_proc(self.value) } == Qtrue as VALUE {
            Shape::Callable
        } else {
            Shape::Runtime
        }
    }

    fn object_shape(self) -> Shape<'a, Self> {
        let Some(known) = known_classes() else { return Shape::Runtime };
        // SAFETY: rb_obj_class and rb_class_inherited_p compare classes without calling them; the
        // hidden instance variable is read by its ID.
        unsafe {
            let class = rb_sys::rb_obj_class(self.value);
            if rb_sys::rb_class_inherited_p(class, known.sensitive) == Qtrue as VALUE {
                return Shape::Sensitive(Self::of(rb_sys::rb_ivar_get(self.value, known.sensitive_value)));
            }
            if rb_sys::rb_class_inherited_p(class, known.function) == Qtrue as VALUE {
                return Shape::Callable;
            }
            if is_of_iterators(class) {
                return Shape::Iterator;
            }
        }
        if uri::is_uri(self.value) {
            return Shape::Uri;
        }
        if reference::is_reference(self.value) {
            return Shape::Type;
        }
        // The class of the object holds it, and lives as long as the object.
        let example = Self::of(object_example(self.value));
        example.held::<RubyRich>().map_or(Shape::Runtime, |example| Shape::Rich(&example.0))
    }
}

impl<'a> Subject<'a> for RubySubject<'a> {
    #[inline(always)]
    fn shape(self) -> Result<Shape<'a, Self>, Error> {
        match self.simple_shape() {
            Some(shape) => Ok(shape),
            None => self.other_shape(),
        }
    }

    #[inline(always)]
    fn simple_shape(self) -> Option<Shape<'a, Self>> {
        if rb_sys::FIXNUM_P(self.value) {
            // SAFETY: it is a small integer.
            return Some(Shape::Integer(unsafe { rb_sys::FIX2LONG(self.value) }));
        }
        self.known_text().map(Shape::String)
    }

    #[inline]
    fn elements(self) -> impl Iterator<Item = Self> {
        let is_array = !rb_sys::SPECIAL_CONST_P(self.value)
            // SAFETY: the kind of a heap object is in its header.
            && unsafe { rb_sys::RB_BUILTIN_TYPE(self.value) } == kind::RUBY_T_ARRAY;
        // SAFETY: the elements are read of arrays only, and for 'a nothing changes the array.
        let elements: &[VALUE] = if is_array { unsafe { array_elements(self.value) } } else { &[] };
        elements.iter().map(|element| Self::of(*element))
    }

    fn each_entry<B>(self, visit: impl FnMut(Self, Self) -> ControlFlow<B>) -> ControlFlow<B> {
        // SAFETY: asked of hashes only; see `each_pair` for the call itself.
        unsafe {
            if rb_sys::RB_TYPE_P(self.value, kind::RUBY_T_HASH) {
                each_pair(self.value, visit)
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    fn is_kind_of(self, class_name: &str) -> bool {
        class_ancestry(self.value()).iter().any(|name| name == class_name)
    }

    fn class_name(self) -> Option<Arc<str>> {
        // SAFETY: rb_obj_class answers the class of any object without calling it.
        module_name(unsafe { rb_sys::rb_obj_class(self.value) }).map(Arc::from)
    }

    fn as_type(self) -> Cow<'a, Type> {
        if let Some(t) = self.held::<RubyType>() {
            return Cow::Borrowed(&t.0);
        }
        if reference::is_reference(self.value)
            && let Some(reference) = reference::read(self.value)
        {
            return Cow::Owned(reference);
        }
        // A Ruby class is the type of its objects. One without a name cannot be referred to.
        Cow::Owned(module_name(self.value).map_or_else(
            || {
                Type::Runtime(Arc::new(puppetfn::types::RuntimeType {
                    runtime: Some("ruby".into()),
                    ..Default::default()
                }))
            },
            Type::ruby,
        ))
    }

    fn regexp_source(self) -> Cow<'a, str> {
        Cow::Owned(regexp_source(self.value()))
    }

    fn signature(self) -> CallableShape<'a> {
        let closure = Self::of(proc_closure(self.value()).as_raw());
        if let Some(closure) = closure.held::<RubyClosure>() {
            return CallableShape::Typed(Cow::Borrowed(closure.signature()));
        }
        let dispatcher = class_dispatcher(class_of(self.value()));
        match Dispatcher::of(&dispatcher) {
            Some(dispatcher) => CallableShape::Typed(Cow::Owned(dispatcher.to_type())),
            None => CallableShape::Arity(proc_size(self.value())),
        }
    }

    fn uri(self) -> Option<Cow<'a, Uri>> {
        uri::read(self.value).map(Cow::Owned)
    }

    fn iterated(self) -> Cow<'a, Type> {
        let Some(known) = known_classes() else { return Cow::Owned(Type::Any) };
        // SAFETY: asked of iterators only; reading an instance variable calls nothing.
        let element = Self::of(unsafe { rb_sys::rb_ivar_get(self.value, known.element_type) });
        if matches!(element.shape(), Ok(Shape::Type)) { element.as_type() } else { Cow::Owned(Type::Any) }
    }
}

/// Returns the elements of an array.
///
/// # Safety
/// It is an array, and nothing changes it for 'a.
#[inline]
unsafe fn array_elements<'a>(array: VALUE) -> &'a [VALUE] {
    // SAFETY: promised by the caller.
    unsafe {
        let length = usize::try_from(rb_sys::RARRAY_LEN(array)).unwrap_or(0);
        std::slice::from_raw_parts(rb_sys::RARRAY_CONST_PTR(array), length)
    }
}

struct EntryVisit<'f, F, B> {
    visit: &'f mut F,
    broke: Option<B>,
    panicked: Option<Box<dyn std::any::Any + Send>>,
}

/// Visits the entries of a hash. `visit` must not change it.
unsafe fn each_pair<'a, F, B>(hash: VALUE, mut visit: F) -> ControlFlow<B>
where
    F: FnMut(RubySubject<'a>, RubySubject<'a>) -> ControlFlow<B>,
{
    unsafe extern "C" fn step<'a, F, B>(key: VALUE, value: VALUE, state: VALUE) -> c_int
    where
        F: FnMut(RubySubject<'a>, RubySubject<'a>) -> ControlFlow<B>,
    {
        const CONTINUE: c_int = 0;
        const STOP: c_int = 1;
        // SAFETY: `state` is the address of the `EntryVisit` below, which outlives the iteration.
        let state = unsafe { &mut *(state as *mut EntryVisit<'_, F, B>) };
        let visited =
            catch_unwind(AssertUnwindSafe(|| (state.visit)(RubySubject::of(key), RubySubject::of(value))));
        match visited {
            Ok(ControlFlow::Continue(())) => CONTINUE,
            Ok(ControlFlow::Break(found)) => {
                state.broke = Some(found);
                STOP
            }
            Err(panic) => {
                state.panicked = Some(panic);
                STOP
            }
        }
    }
    let mut state = EntryVisit { visit: &mut visit, broke: None, panicked: None };
    // SAFETY: `hash` is a hash; the callback neither raises nor unwinds, and `state` outlives the call.
    unsafe {
        rb_sys::rb_hash_foreach(hash, Some(step::<F, B>), (&raw mut state).cast::<c_void>() as VALUE);
    }
    if let Some(panic) = state.panicked {
        resume_unwind(panic);
    }
    state.broke.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Returns how many arguments a block accepts. As in Puppet, the parameters of a block that is not a lambda are all optional.
fn proc_size(block: Value) -> Size {
    static PARAMETERS: LazyId = LazyId::new("parameters");
    let Ok(parameters) = block.funcall::<_, _, RArray>(*PARAMETERS, ()) else { return Size::ANY };
    let Some(known) = known_classes() else { return Size::ANY };
    let (mut min, mut max) = (0, 0);
    for parameter in RubySubject::of(parameters.as_raw()).elements() {
        // Each is an array of the kind and the name.
        match parameter.elements().next() {
            Some(kind) if kind.value == known.rest => return Size::new(min, None),
            Some(kind) if kind.value == known.required => min += 1,
            Some(_) | None => {}
        }
        max += 1;
    }
    std::hint::black_box(parameters);
    Size::new(min, Some(max))
}

/// Returns a regular expression as Puppet writes it: its source, in a group with its options if it has any.
pub fn regexp_source(regexp: Value) -> String {
    // SAFETY: asked of regular expressions only; rb_reg_options reads a field.
    let options = unsafe { rb_sys::rb_reg_options(regexp.as_raw()) };
    let source: String = regexp.funcall("source", ()).unwrap_or_default();
    const IGNORECASE: c_int = 1;
    const EXTENDED: c_int = 2;
    const MULTILINE: c_int = 4;
    if options & (IGNORECASE | EXTENDED | MULTILINE) == 0 {
        return source;
    }
    let letters = |on: bool| -> String {
        [(MULTILINE, 'm'), (IGNORECASE, 'i'), (EXTENDED, 'x')]
            .iter()
            .filter(|(flag, _)| (options & flag != 0) == on)
            .map(|(_, letter)| *letter)
            .collect()
    };
    let (on, off) = (letters(true), letters(false));
    let off = if off.is_empty() { off } else { format!("-{off}") };
    format!("(?{on}{off}:{source})")
}

/// Returns the shape of an integer that Ruby does not pack into the reference.
fn integer_shape<'a>(value: VALUE) -> Shape<'a, RubySubject<'a>> {
    const OPTIONS: u32 = rb_sys::INTEGER_PACK_2COMP
        | rb_sys::INTEGER_PACK_NATIVE_BYTE_ORDER
        | rb_sys::INTEGER_PACK_LSWORD_FIRST;
    const BYTES: u64 = size_of::<i64>() as u64;
    let mut packed = 0_i64;
    // SAFETY: all callers pass integers. Writes one word of eight bytes, and raises nothing.
    let sign = unsafe {
        rb_sys::rb_integer_pack(value, (&raw mut packed).cast::<c_void>(), 1, BYTES, 0, OPTIONS as c_int)
    };
    // The sign is doubled when the word does not hold all bits; the word's own sign is its top bit.
    match sign {
        1 if packed >= 0 => Shape::Integer(packed),
        -1 if packed < 0 => Shape::Integer(packed),
        sign => Shape::LargeInteger { is_negative: sign < 0 },
    }
}
