//! Objects of real Puppet's classes, recognized without calling their methods.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use magnus::rb_sys::{AsRawValue, FromRawValue, protect};
use magnus::value::ReprValue;
use magnus::{Error, RClass, Value};
use puppetfn::error::Error as CoreError;
use puppetfn::subject::{CallableShape, Shape, Subject};
use puppetfn::types::{Type, TypeKind};
use puppetfn::value::Uri;
use rb_sys::ruby_value_type as kind;
use rb_sys::{ID, Qnil, Qtrue, VALUE};

use super::ivar::InstanceVariable;
use super::subject::RubySubject;
use crate::ruby::decline::{self, Reason};
use crate::ruby::puppet_types::core_type;

/// The classes of Puppet that have a meaning to the core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuppetClass {
    /// The class of a kind of type.
    Type(TypeKind),
    /// A value that must not be shown.
    SensitiveValue,
    /// A lambda of Puppet code as a block.
    PuppetProc,
    /// The dispatcher of a function class.
    Dispatcher,
    /// One signature of a function in Ruby.
    Dispatch,
    /// The parser of code.
    Parser,
    /// The parser of templates, a subclass of the parser of code.
    TemplateParser,
    /// One key of a struct type.
    StructElement,
    /// `next` and `return` on their way.
    Next,
    Return,
}

impl From<TypeKind> for PuppetClass {
    fn from(kind: TypeKind) -> Self {
        Self::Type(kind)
    }
}

/// A class that has a meaning to the core.
struct KnownClass {
    class: VALUE,
    kind: PuppetClass,
    /// The constant `DEFAULT` of a class of types; nil for other classes.
    default: VALUE,
}

/// Classes by their addresses, sorted. All objects in it are constants and kept: they neither die nor move.
static KINDS: OnceLock<Vec<KnownClass>> = OnceLock::new();

/// Sets the classes that [`kind_of`] recognizes; the first time counts. With each class comes its default type, or nil.
pub fn learn_kinds(
    classes: impl Iterator<Item = Result<(RClass, PuppetClass, Value), Error>>,
) -> Result<(), Error> {
    let known = |(class, kind, default): (RClass, _, Value)| {
        let known = KnownClass { class: class.as_raw(), kind, default: default.as_raw() };
        // SAFETY: these are live objects; registering them keeps them where they are.
        unsafe {
            rb_sys::rb_gc_register_mark_object(known.class);
            rb_sys::rb_gc_register_mark_object(known.default);
        }
        known
    };
    // Each class is registered before the next one is looked up.
    let mut kinds = classes.map(|class| class.map(known)).collect::<Result<Vec<_>, _>>()?;
    kinds.sort_unstable_by_key(|known| known.class);
    KINDS.get_or_init(|| kinds);
    Ok(())
}

fn kind_of_raw(object: VALUE) -> Option<PuppetClass> {
    // SAFETY: rb_obj_class answers the class of any object without calling it.
    let class = unsafe { rb_sys::rb_obj_class(object) };
    let kinds = KINDS.get()?;
    let at = kinds.binary_search_by_key(&class, |known| known.class).ok()?;
    kinds.get(at).map(|known| known.kind)
}

fn known(kind: PuppetClass) -> Option<&'static KnownClass> {
    KINDS.get()?.iter().find(|known| known.kind == kind)
}

/// Returns the class of this kind.
pub fn class_of_kind(kind: impl Into<PuppetClass>) -> Option<RClass> {
    // SAFETY: the classes are registered with the garbage collector.
    RClass::from_value(unsafe { Value::from_raw(known(kind.into())?.class) })
}

/// Returns the type of this kind without parameters.
pub fn default_of_kind(kind: TypeKind) -> Option<Value> {
    // SAFETY: the defaults are registered with the garbage collector.
    let default = unsafe { Value::from_raw(known(kind.into())?.default) };
    (!default.is_nil()).then_some(default)
}

/// Returns a new object of a class, with these instance variables, that was not initialized.
pub fn with_variables(
    kind: impl Into<PuppetClass>,
    variables: &[(&InstanceVariable, Value)],
) -> Option<Value> {
    class_of_kind(kind).map(|class| allocate(class, variables))
}

/// Returns the same for any class of plain objects, that is, without an allocator of its own.
pub fn allocate(class: RClass, variables: &[(&InstanceVariable, Value)]) -> Value {
    // SAFETY: objects of a plain Ruby class are allocated without running Ruby code. The new object is not
    // frozen and nobody else has it; setting variables of it does not raise.
    unsafe {
        let object = rb_sys::rb_obj_alloc(class.as_raw());
        for (variable, value) in variables {
            rb_sys::rb_ivar_set(object, variable.id(), value.as_raw());
        }
        Value::from_raw(object)
    }
}

/// Returns the result of an object's `hash`, if it is a small integer.
pub fn hash_of(object: Value) -> Option<i64> {
    static HASH: OnceLock<ID> = OnceLock::new();
    // SAFETY: the name is NUL-terminated; interning it does not raise.
    let name = *HASH.get_or_init(|| unsafe { rb_sys::rb_intern(c"hash".as_ptr()) });
    // SAFETY: the object lives on the stack of the caller. The call is protected.
    let hash = protect(|| unsafe { rb_sys::rb_funcallv(object.as_raw(), name, 0, std::ptr::null()) }).ok()?;
    // SAFETY: converted only if it is a small integer.
    rb_sys::FIXNUM_P(hash).then(|| unsafe { rb_sys::FIX2LONG(hash) })
}

/// Returns true if an object is one of Puppet's types.
pub fn is_type(object: Value) -> bool {
    type_kind_of(object).is_some()
}

/// Returns the closure that a block of Puppet code runs.
pub fn closure_of(block: Value) -> Option<Value> {
    (kind_of(block) == Some(PuppetClass::PuppetProc))
        .then(|| CLOSURE.get(block))
        .filter(|closure| !closure.is_nil())
}

/// Returns the kind of an object, by its class; `None` for one of another class, even a subclass.
pub fn kind_of(object: Value) -> Option<PuppetClass> {
    kind_of_raw(object.as_raw())
}

/// Returns the kind of type that an object of Puppet's is; `None` for one that is no type.
pub fn type_kind_of(object: Value) -> Option<TypeKind> {
    if let PuppetClass::Type(kind) = kind_of(object)? { Some(kind) } else { None }
}

static HIDDEN: InstanceVariable = InstanceVariable::new(c"@value");
static CLOSURE: InstanceVariable = InstanceVariable::new(c"@closure");
/// The type of a closure, once it was asked for it.
static CALLABLE: InstanceVariable = InstanceVariable::new(c"@callable");

/// A value of real Puppet during a check.
///
/// A value that is not certain to be classified as in Puppet ends the check with an error: then Puppet has to answer.
#[derive(Clone, Copy)]
pub struct PuppetSubject<'a>(RubySubject<'a>);

/// Looks at an object that the caller has on its stack. The look must be over before Ruby code runs.
pub fn puppet_subject(value: &Value) -> PuppetSubject<'_> {
    PuppetSubject::of(value.as_raw())
}

/// Returns the same for the elements of a slice.
pub fn puppet_subjects(values: &[Value]) -> &[PuppetSubject<'_>] {
    const _: () = assert!(size_of::<PuppetSubject<'_>>() == size_of::<Value>());
    // SAFETY: both are one VALUE wide, see `subject_slice`.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

impl<'a> PuppetSubject<'a> {
    fn of(value: VALUE) -> Self {
        Self(RubySubject::of(value))
    }

    fn raw(self) -> VALUE {
        self.0.value().as_raw()
    }

    fn wrap(shape: Shape<'a, RubySubject<'a>>) -> Shape<'a, Self> {
        match shape {
            Shape::Undef => Shape::Undef,
            Shape::Default => Shape::Default,
            Shape::Boolean(truth) => Shape::Boolean(truth),
            Shape::Integer(number) => Shape::Integer(number),
            Shape::LargeInteger { is_negative } => Shape::LargeInteger { is_negative },
            Shape::Float(number) => Shape::Float(number),
            Shape::String(text) => Shape::String(text),
            Shape::Bytes(length) => Shape::Bytes(length),
            Shape::Regexp => Shape::Regexp,
            Shape::Array(len) => Shape::Array(len),
            Shape::Hash(len) => Shape::Hash(len),
            Shape::Type => Shape::Type,
            Shape::Sensitive(inner) => Shape::Sensitive(Self(inner)),
            Shape::Callable => Shape::Callable,
            Shape::Iterator => Shape::Iterator,
            Shape::Rich(value) => Shape::Rich(value),
            Shape::Uri => Shape::Uri,
            Shape::Runtime => Shape::Runtime,
            Shape::Unknown(t) => Shape::Unknown(t),
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "Puppet infers the types of most kinds of Ruby objects"
    )]
    fn heap_shape(self) -> Result<Shape<'a, Self>, CoreError> {
        let value = self.raw();
        // SAFETY: `value` is a heap object; each accessor is used on the kind of object that its arm
        // establishes. The class of a heap object is in its header.
        let class = unsafe { rb_sys::rb_obj_class(value) };
        // SAFETY: as above.
        match unsafe { rb_sys::RB_BUILTIN_TYPE(value) } {
            // SAFETY: the classes are set when Ruby starts.
            kind::RUBY_T_STRING if class == unsafe { rb_sys::rb_cString } => match self.0.utf8() {
                Some(text) => Ok(Shape::String(text)),
                None => decline::because(Reason::Text),
            },
            // SAFETY: as above.
            kind::RUBY_T_ARRAY if class == unsafe { rb_sys::rb_cArray } => self.0.shape().map(Self::wrap),
            // SAFETY: as above.
            kind::RUBY_T_HASH if class == unsafe { rb_sys::rb_cHash } => match self.is_plain_hash() {
                true => self.0.shape().map(Self::wrap),
                false => decline::because(Reason::DefaultOfHash),
            },
            kind::RUBY_T_FLOAT => self.0.shape().map(Self::wrap),
            kind::RUBY_T_BIGNUM => match self.0.shape()? {
                Shape::LargeInteger { .. } => decline::because(Reason::Bignum),
                shape => Ok(Self::wrap(shape)),
            },
            // SAFETY: the object is a regular expression; its options are a field.
            kind::RUBY_T_REGEXP => match unsafe { rb_sys::rb_reg_options(value) } {
                0 => Ok(Shape::Regexp),
                _ => decline::because(Reason::RegexpOptions),
            },
            kind::RUBY_T_DATA => self.block_shape(class),
            kind::RUBY_T_OBJECT => match kind_of_raw(value) {
                Some(PuppetClass::SensitiveValue) => Ok(Shape::Sensitive(Self::of(HIDDEN.raw(value)))),
                Some(PuppetClass::Type(_)) => match core_type(self.0.value()) {
                    Ok(_) => Ok(Shape::Type),
                    Err(_) => decline::because(Reason::TypeAsValue),
                },
                Some(_) | None => decline::because(Reason::Object),
            },
            _ => decline::because(Reason::Object),
        }
    }

    fn block_shape(self, class: VALUE) -> Result<Shape<'a, Self>, CoreError> {
        // SAFETY: rb_cProc is set when Ruby starts.
        if class == unsafe { rb_sys::rb_cProc } {
            // Puppet trips over a splat.
            return if self.0.takes_rest() { decline::because(Reason::Block) } else { Ok(Shape::Callable) };
        }
        match self.closure_type() {
            Some(_) => Ok(Shape::Callable),
            None => decline::because(Reason::Object),
        }
    }

    /// Returns the type of the lambda behind a block of Puppet code, if it is known already.
    fn closure_type(self) -> Option<Type> {
        if kind_of_raw(self.raw()) != Some(PuppetClass::PuppetProc) {
            return None;
        }
        let closure = CLOSURE.raw(self.raw());
        if closure == Qnil as VALUE {
            return None;
        }
        let callable = PuppetSubject::of(CALLABLE.raw(closure));
        core_type(callable.0.value()).ok().filter(|t| matches!(t, Type::Callable(_)))
    }

    /// Returns true if looking up a key that is not there gives nil, and if keys are compared by value.
    fn is_plain_hash(self) -> bool {
        static NAMES: OnceLock<[ID; 3]> = OnceLock::new();
        // SAFETY: the names are NUL-terminated; interning them does not raise.
        let names = NAMES.get_or_init(|| unsafe {
            [c"default_proc", c"default", c"compare_by_identity?"]
                .map(|name| rb_sys::rb_intern(name.as_ptr()))
        });
        let [default_proc, default, by_identity] = *names;
        let hash = self.raw();
        // SAFETY: the object is exactly a Hash, whose methods these are. None of them runs other code: the
        // default is asked for only where no block makes it.
        unsafe {
            let ask = |name| rb_sys::rb_funcallv(hash, name, 0, std::ptr::null());
            let nil = Qnil as VALUE;
            ask(default_proc) == nil && ask(default) == nil && ask(by_identity) != Qtrue as VALUE
        }
    }
}

impl<'a> Subject<'a> for PuppetSubject<'a> {
    #[inline(always)]
    fn shape(self) -> Result<Shape<'a, Self>, CoreError> {
        if rb_sys::SPECIAL_CONST_P(self.raw()) {
            let shape = self.0.shape()?;
            return if let Shape::Runtime = shape {
                decline::because(Reason::Symbol)
            } else {
                Ok(Self::wrap(shape))
            };
        }
        self.heap_shape()
    }

    #[inline(always)]
    fn simple_shape(self) -> Option<Shape<'a, Self>> {
        let shape = self.0.simple_shape()?;
        if let Shape::Integer(number) = shape {
            return Some(Shape::Integer(number));
        }
        let Shape::String(text) = shape else { return None };
        // SAFETY: a string is a heap object, which has its class in its header.
        unsafe { self.0.is_exactly(rb_sys::rb_cString) }.then_some(Shape::String(text))
    }

    #[inline]
    fn elements(self) -> impl Iterator<Item = Self> {
        self.0.elements().map(Self)
    }

    fn each_entry<B>(self, mut visit: impl FnMut(Self, Self) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.each_entry(|key, value| visit(Self(key), Self(value)))
    }

    fn is_kind_of(self, class_name: &str) -> bool {
        self.0.is_kind_of(class_name)
    }

    fn class_name(self) -> Option<Arc<str>> {
        self.0.class_name()
    }

    fn as_type(self) -> Cow<'a, Type> {
        // `shape` has found a type of the core's; this fallback is never reached for one.
        Cow::Owned(core_type(self.0.value()).unwrap_or(Type::Any))
    }

    fn regexp_source(self) -> Cow<'a, str> {
        self.0.regexp_source()
    }

    fn signature(self) -> CallableShape<'a> {
        match self.closure_type() {
            Some(t) => CallableShape::Typed(Cow::Owned(t)),
            None => self.0.signature(),
        }
    }

    fn uri(self) -> Option<Cow<'a, Uri>> {
        None
    }

    fn iterated(self) -> Cow<'a, Type> {
        Cow::Owned(Type::Any)
    }
}
