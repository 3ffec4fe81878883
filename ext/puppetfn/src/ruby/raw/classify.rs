//! Questions about Ruby objects that are answered without sending them a message.

use std::ffi::CStr;
use std::sync::OnceLock;

use magnus::rb_sys::{AsRawValue, FromRawValue, protect};
use magnus::value::ReprValue;
use magnus::{Error, RClass, Ruby, Value};
use rb_sys::{ID, Qtrue, VALUE};

/// The classes whose objects are Puppet values of a kind of their own.
#[derive(Clone, Copy)]
pub struct KnownClasses {
    /// `Puppetfn::Sensitive`.
    pub sensitive: VALUE,
    /// The hidden instance variable of a sensitive object.
    pub sensitive_value: ID,
    /// `Puppetfn::Function`.
    pub function: VALUE,
    /// The instance variable of an iterator that has the type of its elements.
    pub element_type: ID,
    /// The instance variable of a function class that holds its dispatcher.
    pub dispatcher: ID,
    /// The instance variable of a `PuppetProc` that holds its closure.
    pub closure: ID,
    /// The instance variable of a class that implements an Object type.
    pub object_example: ID,
    /// `:default`.
    pub default: VALUE,
    /// `:undef`.
    pub undef: VALUE,
    /// `:req` and `:rest`, kinds of parameters.
    pub required: VALUE,
    pub rest: VALUE,
}

// SAFETY: the classes are constants of a module and the symbols are static: they live as long as
// the process and are registered with the garbage collector; reading their addresses is harmless.
unsafe impl Send for KnownClasses {}
// SAFETY: as above.
unsafe impl Sync for KnownClasses {}

static KNOWN: OnceLock<KnownClasses> = OnceLock::new();

/// Sets the result of [`known_classes`]; called once, when the library is loaded.
pub fn set_known_classes(sensitive: RClass, function: RClass) {
    // SAFETY: the names are NUL-terminated; rb_intern and ID2SYM do not raise for them. The classes
    // are registered so that they neither die nor move.
    let known = unsafe {
        for class in [sensitive, function] {
            rb_sys::rb_gc_register_mark_object(class.as_raw());
        }
        KnownClasses {
            sensitive: sensitive.as_raw(),
            sensitive_value: rb_sys::rb_intern(c"__puppetfn_sensitive".as_ptr()),
            function: function.as_raw(),
            element_type: rb_sys::rb_intern(c"@element_type".as_ptr()),
            dispatcher: rb_sys::rb_intern(c"@dispatcher".as_ptr()),
            closure: rb_sys::rb_intern(c"@closure".as_ptr()),
            object_example: rb_sys::rb_intern(c"__puppetfn_object_example".as_ptr()),
            default: rb_sys::ID2SYM(rb_sys::rb_intern(c"default".as_ptr())),
            undef: rb_sys::ID2SYM(rb_sys::rb_intern(c"undef".as_ptr())),
            required: rb_sys::ID2SYM(rb_sys::rb_intern(c"req".as_ptr())),
            rest: rb_sys::ID2SYM(rb_sys::rb_intern(c"rest".as_ptr())),
        }
    };
    KNOWN.get_or_init(|| known);
}

/// Returns the distinguished classes, once the library is loaded.
pub fn known_classes() -> Option<&'static KnownClasses> {
    KNOWN.get()
}

/// `Puppet::Pops::Types::Iterator`, as an address.
static ITERATORS: OnceLock<VALUE> = OnceLock::new();

/// Sets the class of iterators, which Ruby code defines.
pub fn set_iterators(class: RClass) {
    let class = class.as_raw();
    // SAFETY: it is a live object; registering it keeps it where it is.
    unsafe { rb_sys::rb_gc_register_mark_object(class) };
    ITERATORS.get_or_init(|| class);
}

/// Returns true if a class is Puppet's class of iterators, or descends from it.
pub fn is_of_iterators(class: VALUE) -> bool {
    let Some(iterators) = ITERATORS.get() else { return false };
    // SAFETY: both are classes, which are compared without calling them.
    unsafe { rb_sys::rb_class_inherited_p(class, *iterators) == Qtrue as VALUE }
}

/// Returns the names of an object's class and of all that it descends from, modules included.
pub fn class_ancestry(object: Value) -> Vec<String> {
    // SAFETY: rb_obj_class answers the class of any object without calling it. rb_mod_ancestors
    // makes an array, which stays on this stack while its elements are read.
    unsafe {
        let ancestors = rb_sys::rb_mod_ancestors(rb_sys::rb_obj_class(object.as_raw()));
        let count = rb_sys::RARRAY_LEN(ancestors);
        (0..count).filter_map(|at| module_name(rb_sys::rb_ary_entry(ancestors, at))).collect()
    }
}

/// Returns the name of a class or module; `None` if it is anonymous.
pub(super) fn module_name(module: VALUE) -> Option<String> {
    // SAFETY: rb_mod_name reads the name of a class or module, as every caller passes; it answers
    // nil or a string that stays on this stack while it is copied.
    unsafe {
        let name = rb_sys::rb_mod_name(module);
        if rb_sys::NIL_P(name) {
            return None;
        }
        let bytes = std::slice::from_raw_parts(
            rb_sys::RSTRING_PTR(name).cast::<u8>(),
            usize::try_from(rb_sys::RSTRING_LEN(name)).unwrap_or(0),
        );
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// Returns the dispatcher that a function class holds; nil when it has none.
pub fn class_dispatcher(class: RClass) -> Value {
    let Some(known) = known_classes() else { return Ruby::get_with(class).qnil().as_value() };
    // SAFETY: reading an instance variable of a class calls nothing and does not raise.
    unsafe { Value::from_raw(rb_sys::rb_ivar_get(class.as_raw(), known.dispatcher)) }
}

/// Returns the closure of a proc whose class is a subclass of Proc; nil if it has none.
pub fn proc_closure(object: Value) -> Value {
    let nil = Ruby::get_with(object).qnil().as_value();
    let Some(known) = known_classes() else { return nil };
    // SAFETY: reading the class and an instance variable of an object calls nothing.
    unsafe {
        if rb_sys::rb_obj_class(object.as_raw()) == rb_sys::rb_cProc {
            return nil;
        }
        Value::from_raw(rb_sys::rb_ivar_get(object.as_raw(), known.closure))
    }
}

/// Returns the decimal digits of an integer of more than 64 bits; `None` if it is so large that the conversion takes long.
pub fn bignum_text(integer: Value) -> Option<String> {
    const MOST_BYTES: u64 = 4_096;
    // SAFETY: the object is an integer; its size is read, nothing is called.
    let bytes = unsafe { rb_sys::rb_absint_size(integer.as_raw(), std::ptr::null_mut()) };
    // SAFETY: the object is an integer, as its callers have checked; rb_big2str makes a string of
    // digits, which stays on this stack while it is copied.
    (bytes <= MOST_BYTES).then(|| unsafe {
        let text = rb_sys::rb_big2str(integer.as_raw(), 10);
        CStr::from_ptr(rb_sys::rb_string_value_cstr(&raw const text as *mut VALUE))
            .to_string_lossy()
            .into_owned()
    })
}

/// Returns the class of an object, singleton classes left out.
pub fn class_of(object: Value) -> RClass {
    // SAFETY: rb_obj_class answers a class for any object.
    let class = unsafe { Value::from_raw(rb_sys::rb_obj_class(object.as_raw())) };
    RClass::from_value(class).unwrap_or_else(|| class.class())
}

/// Returns the hidden value of a sensitive object; nil before it was set.
pub fn hidden_value(sensitive: Value) -> Value {
    let Some(known) = known_classes() else { return Ruby::get_with(sensitive).qnil().as_value() };
    // SAFETY: reading an instance variable calls nothing; without an `@` Ruby code cannot name it.
    unsafe { Value::from_raw(rb_sys::rb_ivar_get(sensitive.as_raw(), known.sensitive_value)) }
}

/// Sets the hidden value of a sensitive object.
pub fn set_hidden_value(sensitive: Value, value: Value) -> Result<(), Error> {
    let Some(known) = known_classes() else { return Ok(()) };
    // SAFETY: protected, as setting raises for a frozen object.
    unsafe {
        protect(|| rb_sys::rb_ivar_set(sensitive.as_raw(), known.sensitive_value, value.as_raw())).map(|_| ())
    }
}

/// Returns an object of the Object type that the class of an object implements; nil when it implements none.
pub(super) fn object_example(object: VALUE) -> VALUE {
    let Some(known) = known_classes() else { return rb_sys::Qnil as VALUE };
    // SAFETY: reading the class of a heap object, and an instance variable of that, calls nothing.
    unsafe { rb_sys::rb_ivar_get(rb_sys::rb_obj_class(object), known.object_example) }
}

/// Stores an object of the Object type that a class implements in the class. All other objects of the class have its type.
pub fn set_object_example(class: RClass, example: Value) -> Result<(), Error> {
    let Some(known) = known_classes() else { return Ok(()) };
    // SAFETY: protected, as setting raises for a frozen class.
    unsafe {
        protect(|| rb_sys::rb_ivar_set(class.as_raw(), known.object_example, example.as_raw())).map(|_| ())
    }
}
