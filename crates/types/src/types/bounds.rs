//! Types of versions and times with bounds.

use std::ops::ControlFlow;

use super::Type;

impl Type {
    /// Returns true if it is a type of versions or times with parameters.
    pub fn is_of_bounds(&self) -> bool {
        if let Self::SemVer(ranges) = self {
            !ranges.is_empty()
        } else if let Self::Timespan(range) = self {
            range.min.is_some() || range.max.is_some()
        } else if let Self::Timestamp(range) = self {
            range.min.is_some() || range.max.is_some()
        } else {
            false
        }
    }

    /// Returns true if it is such a type, or contains one, also behind aliases.
    pub fn has_bounds(&self) -> bool {
        self.has_bounds_within(&mut Vec::new())
    }

    fn has_bounds_within(&self, seen: &mut Vec<usize>) -> bool {
        if let Self::Alias(alias) = self {
            let identity = alias.identity();
            if seen.contains(&identity) {
                return false;
            }
            seen.push(identity);
            return alias.with_target(|target| target.is_some_and(|target| target.has_bounds_within(seen)));
        }
        let visit = |inner: &Self| {
            if inner.has_bounds_within(seen) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.is_of_bounds() || self.visit_contained(visit).is_break()
    }
}
