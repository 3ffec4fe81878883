//! Marks: labels on values, which results inherit.
//!
//! See go-cty's `cty/marks.go`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{CtyData, CtyValue};

/// The mark of sensitive values: no message shows them.
pub const SENSITIVE: &str = "sensitive";

/// A set of marks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ValueMarks(BTreeSet<Arc<str>>);

impl ValueMarks {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the marks, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|mark| &**mark)
    }

    /// Adds the marks of another set.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl<M: Into<Arc<str>>> FromIterator<M> for ValueMarks {
    fn from_iter<I: IntoIterator<Item = M>>(marks: I) -> Self {
        Self(marks.into_iter().map(Into::into).collect())
    }
}

/// A marked value with its marks, at least one.
pub(super) struct Marked {
    data: CtyData,
    marks: ValueMarks,
}

impl Marked {
    pub fn data(&self) -> &CtyData {
        &self.data
    }

    pub fn marks(&self) -> &ValueMarks {
        &self.marks
    }
}

impl CtyValue {
    /// Returns true if the value itself is marked.
    pub fn is_marked(&self) -> bool {
        matches!(self.data, CtyData::Marked(_))
    }

    /// Returns true if it is marked, or anything in it.
    pub fn contains_marked(&self) -> bool {
        self.data.contains_marked()
    }

    /// Returns true if the value or one of its parts is marked as sensitive.
    pub(crate) fn contains_sensitive(&self) -> bool {
        self.contains_marked() && self.unmark_deep().1.iter().any(|mark| mark == SENSITIVE)
    }

    /// Returns the marks of the value itself.
    pub fn marks(&self) -> ValueMarks {
        if let CtyData::Marked(marked) = &self.data { marked.marks.clone() } else { ValueMarks::default() }
    }

    /// Returns the value without its own marks, and these.
    pub fn unmark(&self) -> (Self, ValueMarks) {
        (Self::part(&self.t, self.data.unmarked()), self.marks())
    }

    /// Returns the value without any marks, also within, and all of them.
    pub fn unmark_deep(&self) -> (Self, ValueMarks) {
        if !self.contains_marked() {
            return (self.clone(), ValueMarks::default());
        }
        let mut marks = ValueMarks::default();
        let data = self.data.unmark_deep(&mut marks);
        (Self { t: self.t.clone(), data }, marks)
    }

    /// Returns the value with more marks.
    #[must_use]
    pub fn with_marks(&self, marks: &ValueMarks) -> Self {
        if marks.is_empty() {
            return self.clone();
        }
        let mut all = self.marks();
        all.extend(marks.clone());
        let marked = Marked { data: self.data.unmarked().clone(), marks: all };
        Self { t: self.t.clone(), data: CtyData::Marked(Arc::new(marked)) }
    }

    /// Returns the value with one more mark.
    #[must_use]
    pub fn mark(&self, mark: &str) -> Self {
        self.with_marks(&ValueMarks::from_iter([mark]))
    }
}

impl CtyData {
    pub(super) fn unmarked(&self) -> &Self {
        if let Self::Marked(marked) = self { &marked.data } else { self }
    }

    fn contains_marked(&self) -> bool {
        match self {
            Self::Marked(_) => true,
            Self::Sequence(elements) => elements.iter().any(Self::contains_marked),
            Self::Map(entries) => entries.values().any(Self::contains_marked),
            // The marks of a set's elements are the set's own.
            Self::Set(_)
            | Self::Unknown
            | Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Capsule(_) => false,
        }
    }

    fn unmark_deep(&self, marks: &mut ValueMarks) -> Self {
        match self {
            Self::Marked(marked) => {
                marks.extend(marked.marks.clone());
                marked.data.unmark_deep(marks)
            }
            Self::Sequence(elements) => {
                Self::Sequence(elements.iter().map(|element| element.unmark_deep(marks)).collect())
            }
            Self::Map(entries) => {
                let unmarked = entries.iter().map(|(key, value)| (key.clone(), value.unmark_deep(marks)));
                Self::Map(Arc::new(unmarked.collect()))
            }
            Self::Set(_)
            | Self::Unknown
            | Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Capsule(_) => self.clone(),
        }
    }
}
