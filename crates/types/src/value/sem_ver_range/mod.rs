//! Ranges of semantic versions.
//!
//! See the library `semantic_puppet`, `version_range.rb`.

mod interval;
mod parse;

use std::fmt;
use std::hash::{Hash, Hasher};

use indexmap::IndexSet;

use self::interval::{Interval, IntervalBound};
use super::SemVer;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Limits, Work};

/// A range of versions in the notation of npm: `1.x`, `^1.2 || >=3.1.0 <3.4`.
///
/// Ranges are equal if their intervals are, regardless of the notation.
#[derive(Clone)]
pub struct SemVerRange {
    /// At least one. They are in the order of the text, merged where they can be.
    intervals: Vec<Interval>,
    text: Box<str>,
}

impl SemVerRange {
    /// Parses a range.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Syntax`] if it is not a range, and with
    /// [`puppetfn_base::error::ErrorKind::Limit`] if it has too many alternatives.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Error> {
        match parse::parse(text)? {
            Some(intervals) => Self::new(intervals, Some(text.into()), limits),
            None => Self::new(vec![Interval::All], None, limits),
        }
    }

    /// Returns the versions from one to another, which is a part of it or is not.
    pub fn between(min: &SemVer, max: &SemVer, exclude_max: bool) -> Self {
        // Puppet, too, names the end first.
        let text = if exclude_max { format!(">={max} <{min}") } else { format!("{max} - {min}") };
        let (begin, end) = (
            IntervalBound { version: min, excluded: false },
            IntervalBound { version: max, excluded: exclude_max },
        );
        let interval = Interval::between(begin, end).unwrap_or_else(Interval::nothing);
        Self { intervals: vec![interval], text: text.into() }
    }

    fn new(intervals: Vec<Interval>, text: Option<Box<str>>, limits: &Limits) -> Result<Self, Error> {
        let distinct: IndexSet<Interval> = intervals.into_iter().collect();
        let mut intervals: Vec<Interval> = distinct.into_iter().collect();
        let work = Work::new(limits);
        loop {
            let count = intervals.len();
            intervals = merge_each(intervals, Interval::merge, &work)?;
            if intervals.len() == count {
                break;
            }
        }
        if intervals.is_empty() {
            intervals.push(Interval::nothing());
        }
        let text = text.unwrap_or_else(|| canonical(&intervals).into());
        Ok(Self { intervals, text })
    }

    /// Returns true if a version is in the range. A prerelease is in the range only if the range names a prerelease of the
    /// same release.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.intervals.iter().any(|interval| {
            interval.includes(version) && (version.is_stable() || interval.names_prerelease(version))
        })
    }

    /// Returns the versions in both ranges.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if they have too many alternatives.
    pub fn intersection(&self, other: &Self, limits: &Limits) -> Result<Self, Error> {
        let work = Work::new(limits);
        let mut common = Vec::new();
        for this in &self.intervals {
            for that in &other.intervals {
                work.spend()?;
                common.extend(this.intersection(that));
            }
        }
        Self::new(common, None, limits)
    }

    /// Returns the range as comparators: `>=1.0.0 <2.0.0` for `1.x`.
    pub fn canonical(&self) -> String {
        canonical(&self.intervals)
    }

    /// Returns true if each version of this range is one of the other. As in Puppet, a begin that is
    /// excluded counts as if it were not.
    pub(crate) fn is_covered_by(&self, other: &Self) -> bool {
        let covers = |outer: &Interval, inner: &Interval| {
            let (outer_end, inner_end) = (outer.end(), inner.end());
            outer.begin().cmp(inner.begin()).is_le()
                && (outer_end.cmp(inner_end).is_gt()
                    || outer_end.meets(inner_end) && (!outer_end.excluded || inner_end.excluded))
        };
        self.intervals.iter().all(|inner| other.intervals.iter().any(|outer| covers(outer, inner)))
    }

    /// Merges the ranges that overlap or meet, as far as each is one interval.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if there are too many.
    pub(crate) fn merge_all(ranges: Vec<Self>, limits: &Limits) -> Result<Vec<Self>, Error> {
        merge_each(ranges, Self::merge, &Work::new(limits))
    }

    fn merge(&self, other: &Self) -> Option<Self> {
        let ([this], [that]) = (self.intervals.as_slice(), other.intervals.as_slice()) else { return None };
        let (this_end, that_end) = (this.end(), that.end());
        if self.includes(that.begin().version) || other.includes(this.begin().version) {
            let begin = if that.begin().cmp(this.begin()).is_lt() { that.begin() } else { this.begin() };
            let order = this_end.cmp(that_end);
            let end = if order.is_lt() { that_end } else { this_end };
            // As in Puppet, the later end of the other range is included if the earlier one is not.
            let excluded = if this_end.excluded {
                order.is_gt() || order.is_eq() && that_end.excluded
            } else {
                order.is_lt() && that_end.excluded
            };
            Some(Self::between(begin.version, end.version, excluded))
        } else if this_end.excluded && this_end.meets(that.begin()) {
            Some(Self::between(this.begin().version, that_end.version, that_end.excluded))
        } else if that_end.excluded && that_end.meets(this.begin()) {
            Some(Self::between(that.begin().version, this_end.version, this_end.excluded))
        } else {
            None
        }
    }
}

/// Merges each item with all others that it can be merged with, beginning with the last.
fn merge_each<T>(
    mut items: Vec<T>,
    merge: impl Fn(&T, &T) -> Option<T>,
    work: &Work,
) -> Result<Vec<T>, Error> {
    let mut merged = Vec::new();
    while let Some(mut item) = items.pop() {
        let mut others = Vec::new();
        for other in items {
            work.spend()?;
            match merge(&item, &other) {
                Some(both) => item = both,
                None => others.push(other),
            }
        }
        merged.push(item);
        items = others;
    }
    merged.reverse();
    Ok(merged)
}

fn canonical(intervals: &[Interval]) -> String {
    let alternatives: Vec<String> = intervals.iter().map(Interval::to_string).collect();
    alternatives.join(" || ")
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &Self) -> bool {
        self.intervals == other.intervals
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.intervals.hash(state);
    }
}

impl fmt::Display for SemVerRange {
    /// Prints the range as it was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> SemVerRange {
        SemVerRange::parse(text, &Limits::DEFAULT).unwrap()
    }

    fn version(text: &str) -> SemVer {
        SemVer::parse(text).unwrap()
    }

    #[test]
    fn each_notation_has_a_canonical_form() {
        for (text, canonical) in [
            ("", "*"),
            ("||", "*"),
            ("*", "*"),
            ("x.1", "*"),
            ("1", ">=1.0.0 <2.0.0"),
            ("=1.2.x", ">=1.2.0 <1.3.0"),
            ("1.2.3+b", "1.2.3+b"),
            ("~1", ">=1.0.0 <2.0.0"),
            ("~> 1.2.3-rc", ">=1.2.3-rc <1.3.0"),
            ("~=1.2", ">=1.2.0 <1.3.0"),
            ("^0", ">=0.0.0 <1.0.0"),
            ("^0.1.2", ">=0.1.2 <0.2.0"),
            ("^1.2.3-a+b", ">=1.2.3-a+b <2.0.0"),
            ("^1.2.3+b", ">=1.2.3 <2.0.0"),
            ("^x", "*"),
            (">1", ">=2.0.0"),
            (">1.2", ">=1.3.0"),
            (">1.2.3", ">1.2.3"),
            (">x", "<0.0.0"),
            ("<=1", "<2.0.0"),
            ("<=1.2", "<1.3.0"),
            ("<=x", "*"),
            ("<1", "<1.0.0"),
            (">=v1.2", ">=1.2.0"),
            ("> \t1.2.3  < 2", ">1.2.3 <2.0.0"),
            ("1.2 - 2.3.4", ">=1.2.0 <=2.3.4"),
            ("2 - 1", "<0.0.0"),
            ("1.0.0 - 1.0.0", "1.0.0"),
            (">2 <1 >3", "<0.0.0"),
            ("1.x || 2.x", ">=1.0.0 <3.0.0"),
            ("1.x || 3.x ||", ">=1.0.0 <2.0.0 || >=3.0.0 <4.0.0"),
            ("1.0.0||1.0.1", ">=1.0.0 <=1.0.1"),
            (">=1.0.0 || >=2.0.0", ">=1.0.0"),
        ] {
            assert_eq!(range(text).canonical(), canonical, "{text}");
        }
        assert_eq!(range(">= 1 || 0.1").to_string(), ">= 1 || 0.1");
    }

    #[test]
    fn other_texts_are_no_ranges() {
        for text in
            ["bad", "1.0.0.0", "01", "1.2-a", " 1", "1 - bad", "= =1", "> v1", "=>1", "1.2.3-", "-", "1|2"]
        {
            let error = SemVerRange::parse(text, &Limits::DEFAULT).unwrap_err();
            assert_eq!(error.message(), format!("Unparsable version range: \"{text}\""));
        }
        assert!(SemVerRange::parse("1.2.3-01", &Limits::DEFAULT).is_err());
        assert!(SemVerRange::parse("9223372036854775808", &Limits::DEFAULT).is_err());
    }

    #[test]
    fn prereleases_are_included_where_one_is_named() {
        for (text, inside, outside) in [
            (
                ">=1.0.0-a <2.0.0",
                &["1.0.0-a", "1.0.0-b", "1.9.9"][..],
                &["1.0.0-A", "1.0.1-b", "2.0.0-a", "2.0.0"][..],
            ),
            ("*", &["0.0.0-0", "9.9.9-x"], &[]),
            ("1.0.0", &["1.0.0"], &["1.0.0+b", "1.0.0-a"]),
        ] {
            assert!(inside.iter().all(|text_inside| range(text).includes(&version(text_inside))), "{text}");
            assert!(
                !outside.iter().any(|text_outside| range(text).includes(&version(text_outside))),
                "{text}"
            );
        }
    }

    #[test]
    fn an_intersection_is_what_both_include() {
        for (this, that, both) in [
            ("1.x || 3.x", ">=1.5.0 <3.5.0", ">=1.5.0 <2.0.0 || >=3.0.0 <3.5.0"),
            ("1.x", "2.x", "<0.0.0"),
            ("<=1.0.0", ">=1.0.0", "1.0.0"),
            ("*", "~1.2", ">=1.2.0 <1.3.0"),
        ] {
            assert_eq!(range(this).intersection(&range(that), &Limits::DEFAULT).unwrap().to_string(), both);
        }
    }

    #[test]
    fn ranges_between_versions_name_the_end_first() {
        let (one, two) = (version("1.0.0"), version("2.0.0"));
        for (min, max, exclude_max, text, canonical) in [
            (&one, &two, false, "2.0.0 - 1.0.0", ">=1.0.0 <=2.0.0"),
            (&one, &two, true, ">=2.0.0 <1.0.0", ">=1.0.0 <2.0.0"),
            (&one, &one, false, "1.0.0 - 1.0.0", "1.0.0"),
            (&two, &one, false, "1.0.0 - 2.0.0", "<0.0.0"),
            (SemVer::MIN, SemVer::MAX, false, "Infinity.0.0 - 0.0.0-", "<=Infinity.0.0"),
        ] {
            let range = SemVerRange::between(min, max, exclude_max);
            assert_eq!((range.to_string().as_str(), range.canonical().as_str()), (text, canonical));
        }
    }

    #[test]
    fn ranges_that_meet_are_merged() {
        for (ranges, merged) in [
            (&["3.x", "1.x", "2.x"][..], &[">=4.0.0 <1.0.0"][..]),
            (&["1.0.0", "1.0.0"], &["1.0.0 - 1.0.0"]),
            (&["1.x", "3.x"], &["1.x", "3.x"]),
            (&["1.x || 3.x", "2.x"], &["1.x || 3.x", "2.x"]),
        ] {
            let ranges = ranges.iter().map(|text| range(text)).collect();
            let texts: Vec<String> = SemVerRange::merge_all(ranges, &Limits::DEFAULT)
                .unwrap()
                .iter()
                .map(SemVerRange::to_string)
                .collect();
            assert_eq!(texts, merged);
        }
    }

    #[test]
    fn a_range_is_covered_interval_by_interval() {
        for (inner, outer, covered) in [
            ("1.2.x", "1.x", true),
            ("1.x", "1.2.x", false),
            ("<=2.0.0", "<2.0.0", false),
            ("<2.0.0", "<=2.0.0", true),
            ("1.2.x || 3.4.5", "1.x || 3.x", true),
            ("1.2.x || 4.x", "1.x || 3.x", false),
        ] {
            assert_eq!(range(inner).is_covered_by(&range(outer)), covered, "{inner} in {outer}");
        }
    }

    #[test]
    fn ranges_are_equal_if_their_intervals_are() {
        assert_eq!(range("1.x"), range(">=1.0.0  <2"));
        assert_ne!(range("1.x || 3.x"), range("3.x || 1.x"));
    }

    #[test]
    fn merging_is_work_that_is_counted() {
        let work = Work::new(&Limits { work: 10, ..Limits::DEFAULT });
        let error = merge_each((0..6).collect(), |_, _| None::<u8>, &work).unwrap_err();
        assert_eq!(error.kind(), &puppetfn_base::error::ErrorKind::Limit);
    }
}
