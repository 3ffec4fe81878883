//! Which values are equal.
//!
//! See go-cty's `cty/value_ops.go`.

use std::sync::Arc;

use super::{CtyData, CtyValue};
use crate::types::CtyType;
use puppetfn_base::error::Error;
use puppetfn_types::subject::Verdict;

impl CtyValue {
    /// Returns whether the values are equal, as a boolean value: unknown if it depends on unknown parts.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] for numbers with too many digits.
    pub fn equals(&self, other: &Self) -> Result<Self, Error> {
        let (value, mut marks) = self.unmark_deep();
        let (other, other_marks) = other.unmark_deep();
        marks.extend(other_marks);
        let equal = match value.equality(&other)? {
            Verdict::Yes => Self::bool(true),
            Verdict::No => Self::bool(false),
            Verdict::Maybe => Self::unknown(CtyType::Bool),
        };
        Ok(equal.with_marks(&marks))
    }

    /// Returns the same for values without marks.
    pub(super) fn equality(&self, other: &Self) -> Result<Verdict, Error> {
        match (self.is_known(), other.is_known()) {
            (false, false) => return Ok(Verdict::Maybe),
            (true, false) => return Ok(self.equality_with_unknown(other)),
            (false, true) => return Ok(other.equality_with_unknown(self)),
            (true, true) => {}
        }
        if self.is_null() || other.is_null() {
            return Ok(verdict(self.is_null() && other.is_null()));
        }
        if !self.has_wholly_known_type() || !other.has_wholly_known_type() {
            let apart =
                self.t.nonconformance(&other.t).is_some() && other.t.nonconformance(&self.t).is_some();
            return Ok(if apart { Verdict::No } else { Verdict::Maybe });
        }
        if self.t != other.t {
            return Ok(Verdict::No);
        }
        self.equality_of_known(other)
    }

    fn equality_with_unknown(&self, unknown: &Self) -> Verdict {
        if self.is_null() || unknown.t.has_dynamic() || self.t == unknown.t {
            Verdict::Maybe
        } else {
            Verdict::No
        }
    }

    fn equality_of_known(&self, other: &Self) -> Result<Verdict, Error> {
        match (&self.data, &other.data) {
            (CtyData::Bool(a), CtyData::Bool(b)) => Ok(verdict(a == b)),
            (CtyData::Number(a), CtyData::Number(b)) => a.same_digits(b).map(verdict),
            (CtyData::String(a), CtyData::String(b)) => Ok(verdict(a == b)),
            (CtyData::Capsule(a), CtyData::Capsule(b)) => Ok(verdict(Arc::ptr_eq(a, b))),
            (CtyData::Sequence(a), CtyData::Sequence(b)) if a.len() == b.len() => {
                self.equality_of_parts(other)
            }
            (CtyData::Map(a), CtyData::Map(b)) if a.keys().eq(b.keys()) => self.equality_of_parts(other),
            (CtyData::Set(a), CtyData::Set(b)) => {
                let CtyType::Set(t) = &self.t else { return Ok(Verdict::No) };
                let mut all = a.elements().iter().chain(b.elements());
                if all.any(|element| matches!(element, CtyData::Unknown)) {
                    return Ok(Verdict::Maybe);
                }
                for (from, to) in [(a, b), (b, a)] {
                    for element in from.elements() {
                        if !to.contains(t, element)? {
                            return Ok(Verdict::No);
                        }
                    }
                }
                Ok(Verdict::Yes)
            }
            _ => Ok(Verdict::No),
        }
    }

    fn equality_of_parts(&self, other: &Self) -> Result<Verdict, Error> {
        for (a, b) in self.parts().iter().zip(&other.parts()) {
            let verdict = a.equality(b)?;
            if verdict != Verdict::Yes {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Yes)
    }

    /// Returns true if the values are identical: type, marks, and known and unknown parts.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] for numbers with too many digits.
    pub fn is_same(&self, other: &Self) -> Result<bool, Error> {
        if self.t != other.t || self.marks() != other.marks() {
            return Ok(false);
        }
        let (value, _) = self.unmark();
        let (other, _) = other.unmark();
        match (&value.data, &other.data) {
            (CtyData::Unknown, CtyData::Unknown) | (CtyData::Null, CtyData::Null) => Ok(true),
            (CtyData::Unknown | CtyData::Null, _) | (_, CtyData::Unknown | CtyData::Null) => Ok(false),
            (CtyData::Sequence(_) | CtyData::Map(_) | CtyData::Set(_), _) => {
                let (parts, others) = (value.elements()?, other.elements()?);
                if parts.len() != others.len() {
                    return Ok(false);
                }
                // The keys of a set are its elements, which are compared anyway.
                let keyed = matches!(value.data, CtyData::Map(_));
                for ((key, part), (other_key, other)) in parts.iter().zip(&others) {
                    if keyed && !key.is_same(other_key)? || !part.is_same(other)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(value.equality(&other)? == Verdict::Yes),
        }
    }
}

fn verdict(equal: bool) -> Verdict {
    if equal { Verdict::Yes } else { Verdict::No }
}
