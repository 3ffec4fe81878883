//! The intervals of a range.

use std::cmp::Ordering;
use std::fmt;

use crate::value::SemVer;

/// Versions without a gap between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Interval {
    /// All versions.
    All,
    /// The versions that one comparator accepts.
    One(Comparator),
    /// The versions that both comparators accept: the first is the lower bound, the second the upper one.
    Both(Comparator, Comparator),
}

/// A version, and an operator for comparisons with it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Comparator {
    pub(super) operator: ComparatorOp,
    pub(super) version: SemVer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ComparatorOp {
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Equal,
}

/// An end of an interval: the version, and whether the interval is without it.
#[derive(Clone, Copy)]
pub(super) struct IntervalBound<'a> {
    pub(super) version: &'a SemVer,
    pub(super) excluded: bool,
}

impl<'a> IntervalBound<'a> {
    fn included(version: &'a SemVer) -> Self {
        Self { version, excluded: false }
    }

    pub(super) fn cmp(self, other: IntervalBound<'_>) -> Ordering {
        self.version.cmp_precedence(other.version)
    }

    /// Returns true if both bounds have the same version, build included.
    pub(super) fn meets(self, other: IntervalBound<'_>) -> bool {
        self.version == other.version
    }
}

impl Comparator {
    pub(super) fn new(operator: ComparatorOp, version: SemVer) -> Self {
        Self { operator, version }
    }

    fn includes(&self, version: &SemVer) -> bool {
        let order = version.cmp_precedence(&self.version);
        match self.operator {
            ComparatorOp::Greater => order.is_gt(),
            ComparatorOp::GreaterEqual => order.is_ge(),
            ComparatorOp::Less => order.is_lt(),
            ComparatorOp::LessEqual => order.is_le(),
            ComparatorOp::Equal => *version == self.version,
        }
    }

    /// Returns true if it names a prerelease of the release that this version comes before.
    fn names_prerelease(&self, version: &SemVer) -> bool {
        !self.version.is_stable() && self.version.is_same_release(version)
    }

    fn begin(&self) -> IntervalBound<'_> {
        match self.operator {
            ComparatorOp::Greater => IntervalBound { version: &self.version, excluded: true },
            ComparatorOp::GreaterEqual | ComparatorOp::Equal => IntervalBound::included(&self.version),
            ComparatorOp::Less | ComparatorOp::LessEqual => IntervalBound::included(SemVer::MIN),
        }
    }

    fn end(&self) -> IntervalBound<'_> {
        match self.operator {
            ComparatorOp::Less => IntervalBound { version: &self.version, excluded: true },
            ComparatorOp::LessEqual | ComparatorOp::Equal => IntervalBound::included(&self.version),
            ComparatorOp::Greater | ComparatorOp::GreaterEqual => IntervalBound::included(SemVer::MAX),
        }
    }

    fn has_begin(&self) -> bool {
        match self.operator {
            ComparatorOp::Greater => true,
            ComparatorOp::GreaterEqual | ComparatorOp::Equal => self.version != *SemVer::MIN,
            ComparatorOp::Less | ComparatorOp::LessEqual => false,
        }
    }

    fn has_end(&self) -> bool {
        match self.operator {
            ComparatorOp::Less => true,
            ComparatorOp::LessEqual | ComparatorOp::Equal => self.version != *SemVer::MAX,
            ComparatorOp::Greater | ComparatorOp::GreaterEqual => false,
        }
    }
}

impl Interval {
    /// Creates an interval without any version.
    pub(super) fn nothing() -> Self {
        Self::from_operator(ComparatorOp::Less, SemVer::MIN.clone())
    }

    pub(super) fn from_operator(operator: ComparatorOp, version: SemVer) -> Self {
        Self::One(Comparator::new(operator, version))
    }

    /// From one version on, to right before another.
    pub(super) fn up_to(begin: SemVer, end: SemVer) -> Self {
        Self::Both(
            Comparator::new(ComparatorOp::GreaterEqual, begin),
            Comparator::new(ComparatorOp::Less, end),
        )
    }

    /// Returns the interval between two bounds; `None` if it is empty.
    pub(super) fn between(begin: IntervalBound<'_>, end: IntervalBound<'_>) -> Option<Self> {
        let above = if begin.excluded { ComparatorOp::Greater } else { ComparatorOp::GreaterEqual };
        let below = if end.excluded { ComparatorOp::Less } else { ComparatorOp::LessEqual };
        Self::from_operator(above, begin.version.clone())
            .intersection(&Self::from_operator(below, end.version.clone()))
    }

    /// Returns true if the version is between the bounds.
    pub(super) fn includes(&self, version: &SemVer) -> bool {
        match self {
            Self::All => true,
            Self::One(comparator) => comparator.includes(version),
            Self::Both(min, max) => min.includes(version) && max.includes(version),
        }
    }

    /// Returns true if prereleases of this version's release are meant, too: one has to be named.
    pub(super) fn names_prerelease(&self, version: &SemVer) -> bool {
        match self {
            Self::All => true,
            Self::One(comparator) => comparator.names_prerelease(version),
            Self::Both(min, max) => min.names_prerelease(version) || max.names_prerelease(version),
        }
    }

    pub(super) fn begin(&self) -> IntervalBound<'_> {
        self.min().map_or(IntervalBound::included(SemVer::MIN), Comparator::begin)
    }

    pub(super) fn end(&self) -> IntervalBound<'_> {
        self.max().map_or(IntervalBound::included(SemVer::MAX), Comparator::end)
    }

    fn min(&self) -> Option<&Comparator> {
        match self {
            Self::All => None,
            Self::One(min) | Self::Both(min, _) => Some(min),
        }
    }

    fn max(&self) -> Option<&Comparator> {
        match self {
            Self::All => None,
            Self::One(max) | Self::Both(_, max) => Some(max),
        }
    }

    /// Returns the intersection of both; `None` if it is empty.
    pub(super) fn intersection(&self, other: &Self) -> Option<Self> {
        if *self == Self::All {
            return Some(other.clone());
        }
        for (low, high) in [(self, other), (other, self)] {
            let (begin, end) = (low.begin(), high.end());
            match begin.cmp(end) {
                Ordering::Less => {}
                Ordering::Equal if !begin.excluded && !end.excluded => {
                    return Some(Self::from_operator(ComparatorOp::Equal, begin.version.clone()));
                }
                Ordering::Equal | Ordering::Greater => return None,
            }
        }
        let highest = match self.begin().cmp(other.begin()) {
            Ordering::Greater => self,
            Ordering::Equal if self.begin().excluded => self,
            Ordering::Equal | Ordering::Less => other,
        };
        let lowest = match self.end().cmp(other.end()) {
            Ordering::Less => self,
            Ordering::Equal if self.end().excluded => self,
            Ordering::Equal | Ordering::Greater => other,
        };
        let min = highest.min().filter(|comparator| comparator.has_begin());
        let max = lowest.max().filter(|comparator| comparator.has_end());
        Some(match (min, max) {
            (_, None) => highest.clone(),
            (None, Some(_)) => lowest.clone(),
            (Some(min), Some(max)) => Self::Both(min.clone(), max.clone()),
        })
    }

    /// One interval with the versions of both, if they overlap or are next to each other.
    pub(super) fn merge(&self, other: &Self) -> Option<Self> {
        if *self == Self::All {
            return Some(Self::All);
        }
        if self.includes(other.begin().version) || other.includes(self.begin().version) {
            let begin = outermost(self.begin(), other.begin(), Ordering::Less);
            let end = outermost(self.end(), other.end(), Ordering::Greater);
            return Self::between(begin, end);
        }
        [(self, other), (other, self)]
            .into_iter()
            .find(|(low, high)| low.adjoins(high))
            .and_then(|(low, high)| Self::between(low.begin(), high.end()))
    }

    /// Returns true if a higher interval begins where this one ends, or one patch later.
    fn adjoins(&self, higher: &Self) -> bool {
        let (end, begin) = (self.end(), higher.begin());
        !begin.excluded
            && if end.excluded { end.meets(begin) } else { end.version.next_patch() == *begin.version }
    }
}

/// Returns the outer one of two bounds in a direction. The version itself is excluded only if both exclude it.
fn outermost<'a>(this: IntervalBound<'a>, that: IntervalBound<'a>, direction: Ordering) -> IntervalBound<'a> {
    let order = this.cmp(that);
    if order.is_eq() {
        IntervalBound { version: this.version, excluded: this.excluded && that.excluded }
    } else if order == direction {
        this
    } else {
        that
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::One(comparator) => write!(f, "{comparator}"),
            Self::Both(min, max) => write!(f, "{min} {max}"),
        }
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, version } = self;
        match operator {
            ComparatorOp::Greater => write!(f, ">{version}"),
            ComparatorOp::GreaterEqual => write!(f, ">={version}"),
            // Nothing precedes MIN, which cannot be written.
            ComparatorOp::Less if *version == *SemVer::MIN => f.write_str("<0.0.0"),
            ComparatorOp::Less => write!(f, "<{version}"),
            ComparatorOp::LessEqual => write!(f, "<={version}"),
            ComparatorOp::Equal => write!(f, "{version}"),
        }
    }
}
