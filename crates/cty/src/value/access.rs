//! State, type and contents of values.

use std::any::Any;
use std::sync::Arc;

use super::{CtyData, CtyValue, misuse};
use crate::number::CtyNumber;
use crate::types::CtyType;
use puppetfn_base::error::{Error, ErrorKind};

impl CtyValue {
    /// Returns true if it is known: parts of it may still be unknown.
    pub fn is_known(&self) -> bool {
        !matches!(self.data.unmarked(), CtyData::Unknown)
    }

    /// Returns true if it is null.
    pub fn is_null(&self) -> bool {
        matches!(self.data.unmarked(), CtyData::Null)
    }

    /// Returns true if it is known with all its parts.
    pub fn is_wholly_known(&self) -> bool {
        self.data.is_wholly_known()
    }

    /// Returns true if the types of the value and of all its parts are known.
    pub(super) fn has_wholly_known_type(&self) -> bool {
        match (&self.data, &self.t) {
            (CtyData::Null, _) => true,
            (CtyData::Unknown, t) => !t.has_dynamic(),
            (CtyData::Sequence(_) | CtyData::Map(_) | CtyData::Set(_), _) => {
                self.parts().iter().all(Self::has_wholly_known_type)
            }
            (
                CtyData::Bool(_)
                | CtyData::Number(_)
                | CtyData::String(_)
                | CtyData::Capsule(_)
                | CtyData::Marked(_),
                _,
            ) => true,
        }
    }

    /// Returns the string that it is.
    ///
    /// # Errors
    /// Fails if it is no such value, or null, unknown or marked.
    pub fn as_string(&self) -> Result<&Arc<str>, Error> {
        if let CtyData::String(text) = &self.data { Ok(text) } else { Err(self.is_no("string")) }
    }

    /// Returns the number that it is.
    ///
    /// # Errors
    /// Fails if it is no such value, or null, unknown or marked.
    pub fn as_number(&self) -> Result<&CtyNumber, Error> {
        if let CtyData::Number(number) = &self.data { Ok(number) } else { Err(self.is_no("number")) }
    }

    /// `true` or `false`, whichever it is.
    ///
    /// # Errors
    /// Fails if it is neither, or null, unknown or marked.
    pub fn as_bool(&self) -> Result<bool, Error> {
        if let CtyData::Bool(truth) = self.data { Ok(truth) } else { Err(self.is_no("bool")) }
    }

    /// Returns the contents of a capsule.
    ///
    /// # Errors
    /// Fails if the value is no capsule of this kind, or null, unknown or marked.
    pub fn as_capsule<T: Any>(&self) -> Result<&T, Error> {
        let held = if let CtyData::Capsule(held) = &self.data { held.downcast_ref() } else { None };
        held.ok_or_else(|| self.is_no("capsule of that kind"))
    }

    /// Returns the integer of 64 bits that the number is.
    ///
    /// # Errors
    /// Fails if it is not such a number.
    pub fn as_i64(&self) -> Result<i64, Error> {
        self.as_whole_number()?.to_i64().ok_or_else(|| {
            let message = format!("value must be a whole number, between {} and {}", i64::MIN, i64::MAX);
            Error::new(ErrorKind::Conversion, message)
        })
    }

    /// Returns the float that is nearest to the number.
    ///
    /// # Errors
    /// Fails if it is not a number, or larger than all floats.
    pub fn as_f64(&self) -> Result<f64, Error> {
        let number = self.as_whole_number()?;
        let float = number.to_f64();
        if float.is_infinite() && !number.is_infinite() {
            let message = format!("value must be between {:.6} and {:.6} inclusive", f64::MIN, f64::MAX);
            return Err(Error::new(ErrorKind::Conversion, message));
        }
        Ok(float)
    }

    fn as_whole_number(&self) -> Result<&CtyNumber, Error> {
        match self.data {
            CtyData::Null => Err(Error::new(ErrorKind::Conversion, "null value is not allowed")),
            CtyData::Unknown => Err(Error::new(ErrorKind::Conversion, "value must be known")),
            _ => self.as_number(),
        }
    }

    #[cold]
    fn is_no(&self, wanted: &str) -> Error {
        let state = match &self.data {
            CtyData::Null => "a null ",
            CtyData::Unknown => "an unknown ",
            CtyData::Marked(_) => "a marked ",
            _ => "a ",
        };
        misuse(format!("a known {wanted} is needed, not {state}{}", self.t.friendly_name()))
    }

    /// Returns true if it is a value of which not even the type is known.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.t == CtyType::Dynamic && matches!(self.data, CtyData::Unknown)
    }
}

impl CtyData {
    fn is_wholly_known(&self) -> bool {
        match self.unmarked() {
            Self::Unknown => false,
            Self::Sequence(elements) => elements.iter().all(Self::is_wholly_known),
            Self::Map(entries) => entries.values().all(Self::is_wholly_known),
            Self::Set(set) => set.elements().iter().all(Self::is_wholly_known),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Capsule(_) => true,
            Self::Marked(marked) => marked.data().is_wholly_known(),
        }
    }
}
