//! Covered shares of lines, branches and definitions.

use std::fmt;
use std::iter::Sum;

/// The kinds of things that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageKind {
    /// Lines with code that can be executed.
    Lines,
    /// Ways that conditions can go.
    Branches,
    /// Classes, defined types, nodes and functions.
    Definitions,
}

impl CoverageKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Lines, Self::Branches, Self::Definitions];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Branches => "branches",
            Self::Definitions => "definitions",
        }
    }
}

/// Numbers of covered and of all lines, branches or definitions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ratio {
    /// The number of covered ones.
    pub covered: usize,
    /// The number of all.
    pub total: usize,
}

impl Ratio {
    /// Returns the ratio of things of which each is covered or not.
    pub fn of(covered: impl IntoIterator<Item = bool>) -> Self {
        let one = |is_covered| Self { covered: usize::from(is_covered), total: 1 };
        covered.into_iter().map(one).sum()
    }

    /// Returns the covered share as a part of `whole`. It is rounded down, so that only full coverage gives the whole. If
    /// there is nothing to cover, everything is covered.
    pub fn scaled(self, whole: usize) -> usize {
        self.covered.saturating_mul(whole).checked_div(self.total).unwrap_or(whole)
    }

    /// Returns the covered share in percent, with two digits, rounded down.
    pub fn percent(self) -> Percent {
        Percent(self.scaled(10_000))
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(ratios: I) -> Self {
        let add = |sum: Self, other: Self| Self {
            covered: sum.covered.saturating_add(other.covered),
            total: sum.total.saturating_add(other.total),
        };
        ratios.fold(Self::default(), add)
    }
}

/// A percentage with two digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Percent(usize);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}%", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_rounded_down() {
        let percent = |covered, total| Ratio { covered, total }.percent().to_string();
        assert_eq!(percent(2, 3), "66.66%");
        assert_eq!(percent(99_999, 100_000), "99.99%");
        assert_eq!(percent(3, 3), "100.00%");
        assert_eq!(percent(0, 7), "0.00%");
        assert_eq!(percent(0, 0), "100.00%");
    }
}
