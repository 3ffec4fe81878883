//! Ranges of numbers and sizes.

/// The bounds of an `Integer` type, both inclusive; `None` where unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct IntegerRange {
    /// The smallest integer.
    pub min: Option<i64>,
    /// The largest integer.
    pub max: Option<i64>,
}

impl IntegerRange {
    /// Every integer.
    pub const UNBOUNDED: Self = Self { min: None, max: None };

    /// Returns true if `value` is in the range.
    #[inline]
    pub fn contains(self, value: i64) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }

    /// Returns true if every integer of `other` is in the range.
    #[inline]
    pub fn includes(self, other: Self) -> bool {
        (self.min.is_none() || other.min.is_some_and(|min| self.min <= Some(min)))
            && self.max.is_none_or(|max| other.max.is_some_and(|other| other <= max))
    }

    /// Returns the smallest range that has both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns true if the ranges have an integer in common or follow directly on one another.
    pub fn touches(self, other: Self) -> bool {
        let reaches = |max: Option<i64>, min: Option<i64>| match (max, min) {
            (Some(max), Some(min)) => min <= max.saturating_add(1),
            (None, _) | (_, None) => true,
        };
        reaches(self.max, other.min) && reaches(other.max, self.min)
    }

    /// Returns true if it is bounded on both ends.
    pub fn is_finite(self) -> bool {
        self.min.is_some() && self.max.is_some()
    }
}

/// The bounds of a `Float` type, both inclusive; `None` where unbounded.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloatRange {
    /// The smallest float.
    pub min: Option<f64>,
    /// The largest float.
    pub max: Option<f64>,
}

impl FloatRange {
    /// Every float.
    pub const UNBOUNDED: Self = Self { min: None, max: None };

    /// Returns true if `value` is in the range. NaN is in no range.
    #[inline]
    pub fn contains(self, value: f64) -> bool {
        self.lower() <= value && value <= self.upper()
    }

    /// Returns true if every float of `other` is in the range.
    #[inline]
    pub fn includes(self, other: Self) -> bool {
        self.lower() <= other.lower() && other.upper() <= self.upper()
    }

    /// Returns the smallest range that has both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns true if some float is in both ranges.
    pub fn intersects(self, other: Self) -> bool {
        self.lower() <= other.upper() && other.lower() <= self.upper()
    }

    fn lower(self) -> f64 {
        self.min.unwrap_or(f64::NEG_INFINITY)
    }

    fn upper(self) -> f64 {
        self.max.unwrap_or(f64::INFINITY)
    }

    fn bits(self) -> (Option<u64>, Option<u64>) {
        // Adding 0.0 folds negative zero, so that equal ranges have equal bits.
        (self.min.map(|f| (f + 0.0).to_bits()), self.max.map(|f| (f + 0.0).to_bits()))
    }
}

impl PartialEq for FloatRange {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for FloatRange {}

impl std::hash::Hash for FloatRange {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

/// The allowed number of elements in a collection, characters in a string or arguments in a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// At least this many.
    pub min: u64,
    /// At most this many; `None` if unbounded.
    pub max: Option<u64>,
}

impl Size {
    /// Any size.
    pub const ANY: Self = Self { min: 0, max: None };
    /// No elements at all.
    pub const EMPTY: Self = Self { min: 0, max: Some(0) };

    /// At least `min`, and at most `max` if that is given.
    #[inline]
    pub fn new(min: u64, max: Option<u64>) -> Self {
        Self { min, max }
    }

    /// Exactly `count`.
    #[inline]
    pub fn exactly(count: usize) -> Self {
        let count = count as u64;
        Self { min: count, max: Some(count) }
    }

    /// Returns true if `count` is within the bounds.
    #[inline]
    pub fn contains(self, count: usize) -> bool {
        let count = count as u64;
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }

    /// Returns true if every size that `other` allows is allowed.
    #[inline]
    pub fn includes(self, other: Self) -> bool {
        self.min <= other.min && self.max.is_none_or(|max| other.max.is_some_and(|other| other <= max))
    }

    /// Returns the least restrictive bounds of both.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.zip(other.max).map(|(a, b)| a.max(b)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_includes_what_lies_within_its_bounds() {
        let zero_up = IntegerRange { min: Some(0), max: None };
        let small = IntegerRange { min: Some(1), max: Some(9) };
        assert!(zero_up.includes(small));
        assert!(!small.includes(zero_up));
        assert!(IntegerRange::UNBOUNDED.includes(zero_up));
        assert!(!zero_up.includes(IntegerRange::UNBOUNDED));
        assert_eq!(zero_up.union(small), zero_up);
    }

    #[test]
    fn sizes_compare_by_bounds() {
        assert!(Size::ANY.includes(Size::exactly(3)));
        assert!(!Size::exactly(3).includes(Size::ANY));
        assert_eq!(Size::exactly(3).union(Size::EMPTY), Size::new(0, Some(3)));
    }
}
