//! Types of strings.

use std::sync::Arc;

use super::Size;
use crate::value::Regex;

/// What a `String` type accepts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringType {
    /// Strings of a length in characters; any length when there is none.
    Sized(Option<Size>),
    /// One string. Only inference makes such types.
    Value(Arc<str>),
}

impl StringType {
    /// Strings of any length.
    pub const ANY: Self = Self::Sized(None);

    /// The length in characters that is allowed.
    pub fn size(&self) -> Option<Size> {
        match self {
            Self::Sized(size) => *size,
            Self::Value(text) => Some(Size::exactly(text.chars().count())),
        }
    }
}

/// Strings out of a list; with no list, any string.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    values: Box<[Arc<str>]>,
    case_insensitive: bool,
}

impl EnumType {
    /// The type of these strings. They are sorted and made unique, as Puppet shows them.
    pub fn new(values: impl IntoIterator<Item = Arc<str>>, case_insensitive: bool) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort();
        values.dedup();
        Self { values: values.into(), case_insensitive }
    }

    /// The strings, sorted.
    pub fn values(&self) -> &[Arc<str>] {
        &self.values
    }

    /// Tells if upper and lower case count as equal.
    pub fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Tells if the string is one of the list.
    pub fn contains(&self, text: &str) -> bool {
        self.values.is_empty()
            || if self.case_insensitive {
                self.values.iter().any(|value| equal_ignoring_case(value, text))
            } else {
                self.values.binary_search_by(|value| (**value).cmp(text)).is_ok()
            }
    }
}

/// Compares as Ruby's `casecmp?` does for the scripts that have simple case pairs.
pub(crate) fn equal_ignoring_case(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// Strings that match one of the patterns; with none, any string.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct PatternType {
    /// The patterns, in the order that they were written.
    pub patterns: Box<[Regex]>,
}
