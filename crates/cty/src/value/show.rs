//! Values as text for people, and their hash codes.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Data, Value};
use crate::number::{Digits, Number};

impl fmt::Debug for Value {
    /// Prints the value without its marked parts, which may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.data {
            Data::Unknown => write!(f, "unknown {}", self.t),
            Data::Null => write!(f, "null {}", self.t),
            Data::Bool(truth) => write!(f, "{truth}"),
            Data::Number(number) => match number.to_general(Digits::Shortest) {
                Ok(text) => f.write_str(&text),
                Err(_) => f.write_str("a number with many digits"),
            },
            Data::String(text) => write!(f, "{text:?}"),
            Data::Sequence(_) | Data::Set(_) => {
                write!(f, "{} ", self.t.friendly_name())?;
                f.debug_list().entries(self.parts()).finish()
            }
            Data::Map(entries) => {
                write!(f, "{} ", self.t.friendly_name())?;
                f.debug_map().entries(entries.keys().zip(self.parts())).finish()
            }
            Data::Capsule(_) => write!(f, "{} value", self.t.friendly_name()),
            Data::Marked(marked) => {
                f.write_str("marked ")?;
                f.debug_list().entries(marked.marks().iter()).finish()?;
                write!(f, " {}", self.t)
            }
        }
    }
}

impl Hash for Value {
    /// The same for values that are the same.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
    }
}

impl Hash for Data {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Unknown | Self::Null | Self::Capsule(_) => {}
            Self::Bool(truth) => truth.hash(state),
            Self::Number(number) => hash_number(number, state),
            Self::String(text) => text.hash(state),
            Self::Sequence(elements) => elements.hash(state),
            Self::Map(entries) => entries.hash(state),
            // Equal sets may be ordered differently.
            Self::Set(set) => set.elements().len().hash(state),
            Self::Marked(marked) => marked.data().hash(state),
        }
    }
}

/// Numbers are the same that have the same digits, in whatever precision.
fn hash_number<H: Hasher>(number: &Number, state: &mut H) {
    if number.is_zero() {
        0u8.hash(state);
    } else if let Ok(digits) = number.to_scientific(Digits::Shortest) {
        digits.hash(state);
    }
}
