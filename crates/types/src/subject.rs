//! The type operations' view of a value.
//!
//! Checking an argument must not convert it. The operations in [`crate::types::ops`] are generic over a borrowed
//! [`Subject`]; the core implements it for [`Value`] references, the Ruby extension for objects on Ruby's stack. A subject
//! is classified by its class, never by sending it a message, so no foreign code runs during a check, and nothing changes
//! during the lifetime `'a`. Results of operations own types and strings, never a subject.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use num_bigint::Sign;

use crate::value::types::{Size, Type};
use crate::value::{Uri, Value};
use puppetfn_base::error::Error;

/// A borrowed value.
pub trait Subject<'a>: Copy {
    /// Returns the kind of the value.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Unrepresentable`] if Puppet cannot represent the value.
    fn shape(self) -> Result<Shape<'a, Self>, Error>;

    /// Returns the shape of an integer or a string, if it can be determined at almost no cost; most values are one of
    /// these.
    #[inline]
    fn simple_shape(self) -> Option<Shape<'a, Self>> {
        self.shape().ok().filter(|shape| matches!(shape, Shape::Integer(_) | Shape::String(_)))
    }

    /// Returns the elements of an array, in order; none of anything else.
    fn elements(self) -> impl Iterator<Item = Self>;

    /// Visits the entries of a hash in order until `visit` breaks.
    fn each_entry<B>(self, visit: impl FnMut(Self, Self) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Returns true if an object is of the host class of this name or of one that descends from it.
    fn is_kind_of(self, class_name: &str) -> bool;

    /// Returns the name of an object's class; `None` for a class without a name.
    fn class_name(self) -> Option<Arc<str>>;

    /// Returns the type that a [`Shape::Type`] is.
    fn as_type(self) -> Cow<'a, Type>;

    /// Returns the source of a [`Shape::Regexp`]: the text between the slashes, with its options, if any, written as a
    /// group: `(?i-mx:...)`.
    fn regexp_source(self) -> Cow<'a, str>;

    /// Returns the signature of a [`Shape::Callable`]: a callable type, or a variant of several.
    fn signature(self) -> CallableShape<'a>;

    /// Returns the URI of a [`Shape::Uri`]; `None` if its parts form no URI.
    fn uri(self) -> Option<Cow<'a, Uri>>;

    /// Returns the type of the elements of a [`Shape::Iterator`].
    fn iterated(self) -> Cow<'a, Type>;

    /// Returns the type of a [`Shape::Iterator`].
    fn iterator_type(self) -> Type {
        Type::Iterator(Some(self.iterated().into_owned().into()))
    }
}

/// The kinds of values, with the data that most checks need. Owns nothing.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a, S> {
    /// `undef`.
    Undef,
    /// The value `default`.
    Default,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// An integer of more than 64 bits: more than the largest [`Shape::Integer`], or less than the smallest.
    LargeInteger {
        /// True if it is less than zero.
        is_negative: bool,
    },
    /// A float.
    Float(f64),
    /// A string.
    String(&'a str),
    /// A string of the host with this many characters that is not UTF-8. Its text is unknown to the core: it is
    /// neither in an `Enum` nor matches a `Pattern`.
    Bytes(usize),
    /// A regular expression.
    Regexp,
    /// An array of this many elements.
    Array(usize),
    /// A hash of this many entries.
    Hash(usize),
    /// A type.
    Type,
    /// A sensitive value, with the value that it hides.
    Sensitive(S),
    /// A function or lambda.
    Callable,
    /// A lazy iteration.
    Iterator,
    /// A value of a kind that hosts have nothing of their own for, and wrap: a version, a time, an
    /// object.
    Rich(&'a Value),
    /// A URI, for which the host has its own class.
    Uri,
    /// An object of a host class.
    Runtime,
    /// An unknown value of this type.
    Unknown(&'a Type),
}

/// The signature of a function or lambda.
#[derive(Clone, Debug)]
pub enum CallableShape<'a> {
    /// Only the number of arguments; a type made from this has `Any` parameters.
    Arity(Size),
    /// Its type: a `Callable`, or a `Variant` of several.
    Typed(Cow<'a, Type>),
}

impl<'a> Subject<'a> for &'a Value {
    fn shape(self) -> Result<Shape<'a, Self>, Error> {
        Ok(match self {
            Value::Undef => Shape::Undef,
            Value::Default => Shape::Default,
            Value::Boolean(truth) => Shape::Boolean(*truth),
            Value::Integer(number) => Shape::Integer(*number),
            Value::Float(number) => Shape::Float(*number),
            Value::String(text) => Shape::String(text),
            Value::Regexp(_) => Shape::Regexp,
            Value::Array(items) => Shape::Array(items.len()),
            Value::Hash(hash) => Shape::Hash(hash.len()),
            Value::Uri(_) => Shape::Uri,
            Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Timestamp(_)
            | Value::Timespan(_)
            | Value::Object(_) => Shape::Rich(self),
            Value::Type(_) => Shape::Type,
            Value::Sensitive(inner) => Shape::Sensitive(inner),
            Value::Iterator(_) => Shape::Iterator,
            Value::Callable(_) => Shape::Callable,
            Value::Runtime(object) => match (object.as_bytes(), object.as_integer()) {
                (Some(text), _) => Shape::Bytes(text.length()),
                (None, Some(number)) => Shape::LargeInteger { is_negative: number.sign() == Sign::Minus },
                (None, None) if object.type_of_objects().is_some() => Shape::Type,
                (None, None) => Shape::Runtime,
            },
            Value::Unknown(t) => Shape::Unknown(t),
        })
    }

    fn elements(self) -> impl Iterator<Item = Self> {
        let items: &[Value] = if let Value::Array(items) = self { items } else { &[] };
        items.iter()
    }

    fn each_entry<B>(self, mut visit: impl FnMut(Self, Self) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Value::Hash(hash) = self {
            hash.iter().try_for_each(|(key, value)| visit(key, value))
        } else {
            ControlFlow::Continue(())
        }
    }

    fn is_kind_of(self, class_name: &str) -> bool {
        if let Value::Runtime(object) = self {
            object.ancestry().iter().any(|name| &**name == class_name)
        } else {
            false
        }
    }

    fn class_name(self) -> Option<Arc<str>> {
        if let Value::Runtime(object) = self { object.ancestry().first().cloned() } else { None }
    }

    fn as_type(self) -> Cow<'a, Type> {
        if let Value::Type(t) = self {
            return Cow::Borrowed(t);
        }
        let module = if let Value::Runtime(object) = self { object.type_of_objects() } else { None };
        module.map_or(Cow::Owned(Type::Any), Cow::Borrowed)
    }

    fn regexp_source(self) -> Cow<'a, str> {
        if let Value::Regexp(regex) = self { Cow::Borrowed(regex.source()) } else { Cow::Borrowed("") }
    }

    fn signature(self) -> CallableShape<'a> {
        if let Value::Callable(callable) = self {
            CallableShape::Typed(Cow::Borrowed(&callable.signature))
        } else {
            CallableShape::Arity(Size::ANY)
        }
    }

    fn uri(self) -> Option<Cow<'a, Uri>> {
        if let Value::Uri(uri) = self { Some(Cow::Borrowed(uri)) } else { None }
    }

    fn iterated(self) -> Cow<'a, Type> {
        if let Value::Iterator(iteration) = self {
            Cow::Borrowed(iteration.element_type())
        } else {
            Cow::Owned(Type::Any)
        }
    }

    fn iterator_type(self) -> Type {
        if let Value::Iterator(iteration) = self { iteration.own_type() } else { Type::Iterator(None) }
    }
}

/// An answer about a value that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// No, for every value that it may be.
    No,
    /// For some values only, or undecided.
    Maybe,
    /// Yes, for every value that it may be.
    Yes,
}

impl Verdict {
    /// Returns whether both hold.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Returns whether at least one holds.
    #[must_use]
    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<bool> for Verdict {
    #[inline]
    fn from(truth: bool) -> Self {
        if truth { Self::Yes } else { Self::No }
    }
}
