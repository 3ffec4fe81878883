//! Puppet's values.

mod array;
mod binary;
mod byte_text;
mod callable;
mod case;
mod class;
mod elements;
mod equality;
mod extent;
mod from_rust;
mod frozen;
mod hash;
mod instance;
mod iteration;
mod label;
mod object;
mod parts;
mod regex;
mod runtime_object;
mod sem_ver;
mod sem_ver_range;
mod text;
pub mod time;
pub mod to_s;
mod tree;
pub(crate) mod types;
mod unknown;
mod uri;

pub use array::Array;
pub use binary::Binary;
pub use byte_text::ByteText;
pub use callable::FrameRef;
pub use callable::{CallTarget, Callable, Closure};
pub use case::{capitalize, downcase};
pub use elements::Elements;
pub use frozen::FrozenText;
pub use hash::Hash;
pub use hash::{ValueMap, ValueSet};
pub use instance::{Behavior, Instance};
pub use instance::{ObjectPlaces, TYPE_KEY, elements};
pub use iteration::Iteration;
pub use label::label;
pub use object::{ErrorData, Object, ObjectMembers};
pub use puppetfn_base::number::float_to_s;
pub use regex::Groups;
pub use regex::Regex;
pub use runtime_object::{RuntimeObject, integer_out_of_range};
pub use sem_ver::SemVer;
pub use sem_ver_range::SemVerRange;
pub use text::{DoubleQuoted, DumpedString, InspectedBytes, InspectedString, QuotedString};
pub use time::{Timespan, Timestamp};
pub use tree::{TreeIterator, TreeOptions};
pub use uri::{Uri, UriParts};

use std::sync::Arc;

use self::types::Type;

/// A value of the Puppet language. Cheap to clone.
///
/// Two values are equal as keys of a hash are, which is stricter than Puppet's `==`: 1 and 1.0 are
/// two values, and so are `'a'` and `'A'`.
#[derive(Clone, Debug)]
pub enum Value {
    /// `undef`: no value.
    Undef,
    /// The value `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A regular expression.
    Regexp(Regex),
    /// An array.
    Array(Array),
    /// A hash, in the order of insertion.
    Hash(Arc<Hash>),
    /// A semantic version.
    SemVer(Arc<SemVer>),
    /// A range of semantic versions.
    SemVerRange(Arc<SemVerRange>),
    /// A string of bytes.
    Binary(Binary),
    /// A URI.
    Uri(Arc<Uri>),
    /// A point in time.
    Timestamp(Timestamp),
    /// A length of time.
    Timespan(Timespan),
    /// A type is a value, too.
    Type(Arc<Type>),
    /// A value that must not be shown.
    Sensitive(Arc<Value>),
    /// A lazy iteration.
    Iterator(Arc<Iteration>),
    /// A function or lambda.
    Callable(Arc<Callable>),
    /// An object of an Object type.
    Object(Arc<Object>),
    /// An object of one of the host's classes.
    Runtime(Arc<RuntimeObject>),
    /// An unknown value of this type.
    Unknown(Arc<Type>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}

impl From<Type> for Value {
    fn from(t: Type) -> Self {
        Self::Type(Arc::new(t))
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::Array(items.into())
    }
}

impl From<Hash> for Value {
    fn from(hash: Hash) -> Self {
        Self::Hash(Arc::new(hash))
    }
}

impl FromIterator<(Value, Value)> for Value {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Self::Hash(Arc::new(entries.into_iter().collect()))
    }
}

const _: () = assert!(size_of::<Value>() <= 24);
