//! Values as text for people, and their hash codes.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{CtyData, CtyValue};
use crate::number::{CtyNumber, DigitCount};

impl fmt::Debug for CtyValue {
    /// Prints the value without its marked parts, which may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.data {
            CtyData::Unknown => write!(f, "unknown {}", self.t),
            CtyData::Null => write!(f, "null {}", self.t),
            CtyData::Bool(truth) => write!(f, "{truth}"),
            CtyData::Number(number) => match number.to_general(DigitCount::Shortest) {
                Ok(text) => f.write_str(&text),
                Err(_) => f.write_str("a number with many digits"),
            },
            CtyData::String(text) => write!(f, "{text:?}"),
            CtyData::Sequence(_) | CtyData::Set(_) => {
                write!(f, "{} ", self.t.friendly_name())?;
                f.debug_list().entries(self.parts()).finish()
            }
            CtyData::Map(entries) => {
                write!(f, "{} ", self.t.friendly_name())?;
                f.debug_map().entries(entries.keys().zip(self.parts())).finish()
            }
            CtyData::Capsule(_) => write!(f, "{} value", self.t.friendly_name()),
            CtyData::Marked(marked) => {
                f.write_str("marked ")?;
                f.debug_list().entries(marked.marks().iter()).finish()?;
                write!(f, " {}", self.t)
            }
        }
    }
}

impl Hash for CtyValue {
    /// The same for values that are the same.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
    }
}

impl Hash for CtyData {
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
fn hash_number<H: Hasher>(number: &CtyNumber, state: &mut H) {
    if number.is_zero() {
        0u8.hash(state);
    } else if let Ok(digits) = number.to_scientific(DigitCount::Shortest) {
        digits.hash(state);
    }
}
