//! Ranges of time.

/// The bounds of a `Timestamp` or `Timespan` type, both inclusive; `None` where unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeRange<T> {
    /// The earliest or shortest.
    pub min: Option<T>,
    /// The latest or longest.
    pub max: Option<T>,
}

impl<T> Default for TimeRange<T> {
    fn default() -> Self {
        Self { min: None, max: None }
    }
}

impl<T: Copy + Ord> TimeRange<T> {
    /// Returns the range of one value.
    pub fn exactly(value: T) -> Self {
        Self { min: Some(value), max: Some(value) }
    }

    /// Returns true if `value` is in the range.
    pub fn contains(&self, value: T) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }

    /// Returns true if some value is in both ranges.
    pub fn intersects(self, other: Self) -> bool {
        let reaches = |max: Option<T>, min: Option<T>| max.zip(min).is_none_or(|(max, min)| min <= max);
        reaches(self.max, other.min) && reaches(other.max, self.min)
    }

    /// Returns the smallest range that has both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns true if all of `other` is in the range.
    pub fn includes(&self, other: &Self) -> bool {
        self.min.is_none_or(|min| other.min.is_some_and(|other| min <= other))
            && self.max.is_none_or(|max| other.max.is_some_and(|other| other <= max))
    }
}
