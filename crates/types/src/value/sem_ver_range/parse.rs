//! Ranges from their text, in the notation of npm.

use super::interval::{ComparatorOp, Interval};
use crate::value::SemVer;
use crate::value::sem_ver::{parse_number, qualifiers};
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{opt, recognize};
use nom::sequence::preceded;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::recognize::{numeral, whole};

/// Parses the alternatives of a range. Empty alternatives are dropped. `None` if the text has no alternatives at all.
pub(super) fn parse(text: &str) -> Result<Option<Vec<Interval>>, Error> {
    let unparsable = || Error::new(ErrorKind::Syntax, format!("Unparsable version range: \"{text}\""));
    let tight = without_space_after_operators(text);
    let alternatives = split_alternatives(&tight);
    if alternatives.is_empty() {
        return Ok(None);
    }
    let mut intervals = Vec::new();
    for alternative in alternatives {
        let interval = match parse_hyphen(alternative)? {
            Some((begin, end)) => begin.intersection(&end),
            None => parse_comparators(alternative, unparsable)?,
        };
        intervals.extend(interval);
    }
    Ok(Some(intervals))
}

/// A version whose last numbers may be missing or wildcards, `1.2.x`.
struct PartialVersion<'a> {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<&'a str>,
    build: Option<&'a str>,
}

impl<'a> PartialVersion<'a> {
    /// Parses one; `None` when the text has another form.
    fn parse(text: &'a str) -> Result<Option<Self>, Error> {
        let part = || alt((numeral, recognize(one_of("xX*"))));
        let digits = (part(), opt(preceded(char('.'), part())), opt(preceded(char('.'), part())));
        let Some(((major, minor, patch), (prerelease, build))) = whole((digits, qualifiers), text) else {
            return Ok(None);
        };
        if patch.is_none() && (prerelease.is_some() || build.is_some()) {
            return Ok(None);
        }
        let number = |part: Option<&str>| match part {
            None | Some("x" | "X" | "*") => Ok(None),
            Some(digits) => parse_number(digits).map(Some),
        };
        Ok(Some(Self {
            major: number(Some(major))?,
            minor: number(minor)?,
            patch: number(patch)?,
            prerelease,
            build,
        }))
    }

    /// Returns the version, with zeros for missing numbers.
    fn version(&self) -> Result<SemVer, Error> {
        let numbers = [self.major, self.minor, self.patch].map(Option::unwrap_or_default);
        SemVer::qualified(numbers, self.prerelease, self.build)
    }

    /// Returns the versions that begin with these numbers. All three numbers denote a single version, or also its later
    /// patches.
    fn same_minor(&self, later_patches: bool) -> Result<Interval, Error> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::All,
            (Some(major), None, _) => major_release(major, SemVer::stable(major, 0, 0)),
            (Some(major), Some(minor), None) => minor_release(major, minor, SemVer::stable(major, minor, 0)),
            (Some(major), Some(minor), Some(_)) if later_patches => {
                minor_release(major, minor, self.version()?)
            }
            (Some(_), Some(_), Some(_)) => Interval::from_operator(ComparatorOp::Equal, self.version()?),
        })
    }

    /// `^`: the compatible versions; before 1.0.0, only patches are compatible.
    fn compatible(&self) -> Result<Interval, Error> {
        let (major, minor) = match (self.major, self.minor) {
            (None | Some(0), _) | (_, None) => return self.same_minor(true),
            (Some(major), Some(minor)) => (major, minor),
        };
        let begin = match (self.patch, self.prerelease) {
            (None, _) => SemVer::stable(major, minor, 0),
            (Some(patch), None) => SemVer::stable(major, minor, patch),
            (Some(_), Some(_)) => self.version()?,
        };
        Ok(major_release(major, begin))
    }

    /// `>`: the versions above all that begin with these numbers.
    fn above(&self) -> Result<Interval, Error> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::nothing(),
            (Some(major), None, _) => Interval::from_operator(ComparatorOp::GreaterEqual, next_major(major)),
            (Some(major), Some(minor), None) => {
                Interval::from_operator(ComparatorOp::GreaterEqual, next_minor(major, minor))
            }
            (Some(_), Some(_), Some(_)) => Interval::from_operator(ComparatorOp::Greater, self.version()?),
        })
    }

    /// `<=`: the versions below, or beginning with, these numbers.
    fn up_to(&self) -> Result<Interval, Error> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::All,
            (Some(major), None, _) => Interval::from_operator(ComparatorOp::Less, next_major(major)),
            (Some(major), Some(minor), None) => {
                Interval::from_operator(ComparatorOp::Less, next_minor(major, minor))
            }
            (Some(_), Some(_), Some(_)) => Interval::from_operator(ComparatorOp::LessEqual, self.version()?),
        })
    }
}

fn next_major(major: u64) -> SemVer {
    SemVer::stable(major.saturating_add(1), 0, 0)
}

fn next_minor(major: u64, minor: u64) -> SemVer {
    SemVer::stable(major, minor.saturating_add(1), 0)
}

fn major_release(major: u64, begin: SemVer) -> Interval {
    Interval::up_to(begin, next_major(major))
}

fn minor_release(major: u64, minor: u64, begin: SemVer) -> Interval {
    Interval::up_to(begin, next_minor(major, minor))
}

/// `1.2 - 2.3.4`, as two intervals. `None` when the text has another form.
fn parse_hyphen(text: &str) -> Result<Option<(Interval, Interval)>, Error> {
    let parts: Vec<&str> = split_space(text);
    let &[begin, "-", end] = parts.as_slice() else { return Ok(None) };
    let (Some(begin), Some(end)) = (PartialVersion::parse(begin)?, PartialVersion::parse(end)?) else {
        return Ok(None);
    };
    let begin = Interval::from_operator(ComparatorOp::GreaterEqual, begin.version()?);
    let end = Interval::from_operator(ComparatorOp::LessEqual, end.version()?);
    Ok(Some((begin, end)))
}

/// `>1.2 <2`: the versions that all comparators accept. `None` if no version is.
fn parse_comparators(text: &str, unparsable: impl Fn() -> Error) -> Result<Option<Interval>, Error> {
    let mut parts = split_space(text);
    while parts.last() == Some(&"") {
        parts.pop();
    }
    let mut intervals = Vec::with_capacity(parts.len());
    for part in parts {
        intervals.push(parse_comparator(part)?.ok_or_else(&unparsable)?);
    }
    let mut intervals = intervals.into_iter();
    let first = intervals.next();
    Ok(first.and_then(|first| intervals.try_fold(first, |all, interval| all.intersection(&interval))))
}

fn parse_comparator(text: &str) -> Result<Option<Interval>, Error> {
    let (operator, operand) = text.split_at(text.find(|c| !is_operator(c)).unwrap_or(text.len()));
    let Some(partial) = PartialVersion::parse(operand)? else { return Ok(None) };
    Ok(Some(match operator {
        "~" | "~>" | "~=" => partial.same_minor(true)?,
        "^" => partial.compatible()?,
        ">" => partial.above()?,
        ">=" => Interval::from_operator(ComparatorOp::GreaterEqual, partial.version()?),
        "<" => Interval::from_operator(ComparatorOp::Less, partial.version()?),
        "<=" => partial.up_to()?,
        "=" | "" => partial.same_minor(false)?,
        _ => return Ok(None),
    }))
}

/// Returns the text without the space, or else without the `v`, that follows an operator.
fn without_space_after_operators(text: &str) -> String {
    let mut tight = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        tight.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if is_operator(c) {
            let trimmed = rest.trim_start_matches(is_space);
            rest = if trimmed.len() < rest.len() { trimmed } else { rest.strip_prefix('v').unwrap_or(rest) };
        }
    }
    tight
}

/// Returns the texts between `||`, without the space around them; none for an empty one at the end.
fn split_alternatives(text: &str) -> Vec<&str> {
    let mut pieces: Vec<&str> = text.split("||").collect();
    let last = pieces.len().saturating_sub(1);
    for (index, piece) in pieces.iter_mut().enumerate() {
        if index > 0 {
            *piece = piece.trim_start_matches(is_space);
        }
        if index < last {
            *piece = piece.trim_end_matches(is_space);
        }
    }
    while pieces.last() == Some(&"") {
        pieces.pop();
    }
    pieces
}

/// Returns the texts between runs of space; an empty one where the text begins or ends with space.
fn split_space(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_space) {
        let (part, tail) = rest.split_at(at);
        parts.push(part);
        rest = tail.trim_start_matches(is_space);
    }
    parts.push(rest);
    parts
}

fn is_operator(c: char) -> bool {
    matches!(c, '<' | '>' | '=' | '~' | '^')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}
