//! Types of strings.

use std::sync::Arc;

use super::{Alternatives, Size};
use crate::value::Regex;
use puppetfn_base::error::Error;

/// The strings that a `String` type accepts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringType {
    /// Strings of a length in characters; of any length if `None`.
    Sized(Option<Size>),
    /// A single string. Only inference creates such types.
    Value(Arc<str>),
}

impl StringType {
    /// Strings of any length.
    pub const ANY: Self = Self::Sized(None);

    /// Returns the length in characters that is allowed.
    pub fn size(&self) -> Option<Size> {
        match self {
            Self::Sized(size) => *size,
            Self::Value(text) => Some(Size::exactly(text.chars().count())),
        }
    }
}

/// Strings out of a list.
///
/// The empty list is plain `Enum`: types of strings are assignable to it, but no string is one of
/// its values.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    values: Box<[Arc<str>]>,
    case_insensitive: bool,
}

impl EnumType {
    /// Creates the type of these strings. They are sorted and deduplicated, as Puppet shows them.
    pub fn new(values: impl IntoIterator<Item = Arc<str>>, case_insensitive: bool) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort();
        values.dedup();
        Self { values: values.into(), case_insensitive }
    }

    /// Returns the type of these strings, which are sorted and unique.
    pub(crate) fn sorted(values: Box<[Arc<str>]>) -> Self {
        Self { values, case_insensitive: false }
    }

    /// Returns the strings, sorted.
    pub fn values(&self) -> &[Arc<str>] {
        &self.values
    }

    /// Returns true if upper and lower case count as equal.
    pub fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Returns the range of lengths in characters; any length for plain `Enum`.
    pub fn lengths(&self) -> Size {
        let sizes = self.values.iter().map(|value| Size::exactly(value.chars().count()));
        sizes.reduce(Size::union).unwrap_or(Size::ANY)
    }

    /// Returns true if the string is one of the list.
    #[inline]
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            // Like Ruby's `casecmp`, which folds only ASCII letters.
            self.values.iter().any(|value| value.eq_ignore_ascii_case(text))
        } else if self.values.len() <= Self::FEW {
            self.values.iter().any(|value| **value == *text)
        } else {
            self.values.binary_search_by(|value| (**value).cmp(text)).is_ok()
        }
    }

    /// Up to this many strings, looking at each is faster than searching: most differ in length.
    const FEW: usize = 8;
}

/// Strings that match one of the patterns; with none, any string.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct PatternType {
    /// The patterns, in the order that they were written.
    pub patterns: Alternatives<Regex>,
}

impl PatternType {
    /// Returns true if the string matches one of the patterns.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if a match backtracks too much.
    pub fn is_match(&self, text: &str) -> Result<bool, Error> {
        for pattern in &self.patterns {
            if pattern.is_match(text)? {
                return Ok(true);
            }
        }
        Ok(self.patterns.is_empty())
    }
}
