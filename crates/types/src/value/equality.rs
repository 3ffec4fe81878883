//! Equality of values as elements of a set or keys of a hash: Ruby's `eql?`.
//!
//! See Ruby's `numeric.c`, `string.c`, `array.c` and `hash.c`.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use super::{CallTarget, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Undef, Self::Undef) | (Self::Default, Self::Default) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Regexp(a), Self::Regexp(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Hash(a), Self::Hash(b)) => a == b,
            (Self::Type(a), Self::Type(b)) | (Self::Unknown(a), Self::Unknown(b)) => a == b,
            (Self::SemVer(a), Self::SemVer(b)) => a == b,
            (Self::SemVerRange(a), Self::SemVerRange(b)) => a == b,
            (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::Uri(a), Self::Uri(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a == b,
            (Self::Timespan(a), Self::Timespan(b)) => a == b,
            (Self::Sensitive(a), Self::Sensitive(b)) => a == b,
            (Self::Iterator(a), Self::Iterator(b)) => a == b,
            (Self::Callable(a), Self::Callable(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Runtime(a), Self::Runtime(b)) => a == b,
            (
                Self::Undef
                | Self::Default
                | Self::Boolean(_)
                | Self::Integer(_)
                | Self::Float(_)
                | Self::String(_)
                | Self::Regexp(_)
                | Self::Array(_)
                | Self::Hash(_)
                | Self::SemVer(_)
                | Self::SemVerRange(_)
                | Self::Binary(_)
                | Self::Uri(_)
                | Self::Timestamp(_)
                | Self::Timespan(_)
                | Self::Type(_)
                | Self::Sensitive(_)
                | Self::Iterator(_)
                | Self::Callable(_)
                | Self::Object(_)
                | Self::Runtime(_)
                | Self::Unknown(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Self::Undef | Self::Default => {}
            Self::Boolean(truth) => truth.hash(state),
            Self::Integer(number) => number.hash(state),
            // Adding 0.0 folds negative zero, which equals zero; all that are not numbers are equal.
            Self::Float(number) if number.is_nan() => f64::NAN.to_bits().hash(state),
            Self::Float(number) => (number + 0.0).to_bits().hash(state),
            Self::String(text) => text.hash(state),
            Self::Regexp(regex) => regex.hash(state),
            Self::Array(items) => items.hash(state),
            Self::Hash(hash) => hash.hash(state),
            Self::Type(t) | Self::Unknown(t) => t.hash(state),
            Self::SemVer(version) => version.hash(state),
            Self::SemVerRange(range) => range.hash(state),
            Self::Binary(binary) => binary.hash(state),
            Self::Uri(uri) => uri.hash(state),
            Self::Timestamp(time) => time.hash(state),
            Self::Timespan(time) => time.hash(state),
            Self::Sensitive(inner) => inner.hash(state),
            Self::Iterator(iteration) => iteration.hash(state),
            Self::Callable(callable) => match &callable.target {
                CallTarget::Host(host) => host.hash(state),
                CallTarget::Closure(closure) => closure.frame.hash(state),
            },
            Self::Object(object) => object.hash(state),
            Self::Runtime(object) => object.hash(state),
        }
    }
}
