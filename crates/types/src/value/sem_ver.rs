//! Semantic versions.
//!
//! See <https://semver.org>, and the library `semantic_puppet`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use nom::Parser;
use nom::character::complete::char;
use nom::combinator::opt;
use nom::sequence::preceded;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::recognize::{Recognized, dotted_identifiers, numeral, whole};

/// A version as `major.minor.patch-prerelease+build`.
///
/// Two versions that differ in their build are not equal, and yet none precedes the other: so they
/// are compared with [`SemVer::cmp_precedence`], and have no `Ord`.
#[derive(Clone, PartialEq, Eq)]
pub struct SemVer {
    major: u64,
    minor: u64,
    patch: u64,
    prerelease: Option<Vec<Identifier>>,
    build: Option<Vec<Box<str>>>,
}

/// A part of a prerelease, between dots. Numbers come before texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Identifier {
    Number(LargeDecimal),
    Text(Box<str>),
}

/// A decimal number of any size, without leading zeros.
#[derive(Clone, PartialEq, Eq, Hash)]
struct LargeDecimal(Box<str>);

/// The greatest number that can be written, as in Puppet's `Integer`.
const LARGEST: u64 = i64::MAX as u64;

/// The major number of [`SemVer::MAX`], greater than any that can be written.
const INFINITY: u64 = u64::MAX;

impl SemVer {
    /// The lower bound of all versions: precedes even `0.0.0-0`.
    pub const MIN: &'static Self =
        &Self { major: 0, minor: 0, patch: 0, prerelease: Some(Vec::new()), build: None };

    /// The upper bound of all versions.
    pub const MAX: &'static Self = &Self::stable(INFINITY, 0, 0);

    /// Creates a version from its parts. Unlike [`SemVer::parse`], this takes the prerelease and the build as one text
    /// each, dots included.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Syntax`] if a text has other characters than letters, digits, hyphens and single dots
    /// between them, or a number is too large.
    pub fn new(
        [major, minor, patch]: [u64; 3],
        prerelease: Option<&str>,
        build: Option<&str>,
    ) -> Result<Self, Error> {
        for number in [major, minor, patch] {
            if number > LARGEST {
                return Err(too_large(&number.to_string()));
            }
        }
        for text in [prerelease, build].into_iter().flatten() {
            if whole(dotted_identifiers, text).is_none() {
                return Err(Error::new(
                    ErrorKind::Syntax,
                    format!("'{text}' is neither a prerelease nor a build of a version"),
                ));
            }
        }
        let prerelease = prerelease.map(|text| vec![Identifier::Text(text.into())]);
        let build = build.map(|text| vec![text.into()]);
        Ok(Self { major, minor, patch, prerelease, build })
    }

    /// Parses a version. A line break at the end is allowed.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Syntax`] if it is not a version.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let invalid = || {
            Error::new(
                ErrorKind::Syntax,
                format!("Unable to parse '{text}' as a semantic version identifier"),
            )
        };
        let line = text.strip_suffix('\n').unwrap_or(text);
        let digits = (numeral, preceded(char('.'), numeral), preceded(char('.'), numeral));
        let parts = whole((digits, qualifiers), line).ok_or_else(invalid)?;
        let ((major, minor, patch), (prerelease, build)) = parts;
        let numbers = [parse_number(major)?, parse_number(minor)?, parse_number(patch)?];
        Self::qualified(numbers, prerelease, build)
    }

    /// Creates a version without prerelease and build.
    pub(crate) const fn stable(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, prerelease: None, build: None }
    }

    /// Creates a version from numbers and [`qualifiers`].
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Syntax`] if a number of the prerelease has leading zeros.
    pub(super) fn qualified(
        [major, minor, patch]: [u64; 3],
        prerelease: Option<&str>,
        build: Option<&str>,
    ) -> Result<Self, Error> {
        let prerelease =
            prerelease.map(|text| text.split('.').map(Identifier::parse).collect()).transpose()?;
        let build = build.map(|text| text.split('.').map(Box::from).collect());
        Ok(Self { major, minor, patch, prerelease, build })
    }

    /// Returns true if it is a release, and not one that precedes a release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(Vec::is_empty)
    }

    /// Returns true if both versions are of the same release, regardless of their prereleases.
    pub(super) fn is_same_release(&self, other: &Self) -> bool {
        (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)
    }

    /// Returns the release of the next patch.
    pub(super) fn next_patch(&self) -> Self {
        Self::stable(self.major, self.minor, self.patch.saturating_add(1))
    }

    /// Returns which of the two versions precedes the other. The build is ignored.
    pub fn cmp_precedence(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (&self.prerelease, &other.prerelease) {
            (Some(this), Some(that)) => this.cmp(that),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        })
    }
}

impl Identifier {
    fn parse(text: &str) -> Result<Self, Error> {
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Self::Text(text.into()));
        }
        if text.len() > 1 && text.starts_with('0') {
            return Err(Error::new(
                ErrorKind::Syntax,
                "Numeric pre-release identifiers MUST NOT contain leading zeroes",
            ));
        }
        Ok(Self::Number(LargeDecimal(text.into())))
    }
}

impl Ord for LargeDecimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for LargeDecimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for SemVer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.major, self.minor, self.patch, &self.prerelease).hash(state);
    }
}

impl fmt::Display for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.major {
            INFINITY => f.write_str("Infinity")?,
            major => write!(f, "{major}")?,
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if let Some(prerelease) = &self.prerelease {
            write_parts(f, '-', prerelease)?;
        }
        if let Some(build) = &self.build {
            write_parts(f, '+', build)?;
        }
        Ok(())
    }
}

impl fmt::Debug for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(LargeDecimal(text)) | Self::Text(text) => f.write_str(text),
        }
    }
}

fn write_parts(f: &mut fmt::Formatter<'_>, sign: char, parts: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "{sign}")?;
    for (index, part) in parts.iter().enumerate() {
        let dot = if index > 0 { "." } else { "" };
        write!(f, "{dot}{part}")?;
    }
    Ok(())
}

/// Recognizes the optional prerelease and build of a version.
pub(super) fn qualifiers(text: &str) -> Recognized<'_, (Option<&str>, Option<&str>)> {
    let qualifier = |sign| opt(preceded(char(sign), dotted_identifiers));
    (qualifier('-'), qualifier('+')).parse(text)
}

/// Parses a numeral.
///
/// # Errors
/// Fails with [`ErrorKind::Syntax`] if it is too large.
pub(super) fn parse_number(text: &str) -> Result<u64, Error> {
    text.parse().ok().filter(|number| *number <= LARGEST).ok_or_else(|| too_large(text))
}

#[cold]
fn too_large(number: &str) -> Error {
    let digits = number.len();
    let shown = if digits > 40 { format!("of {digits} digits") } else { number.to_owned() };
    Error::new(
        ErrorKind::Syntax,
        format!("The number {shown} is too large for a version. The largest is {LARGEST}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> SemVer {
        SemVer::parse(text).unwrap()
    }

    #[test]
    fn versions_are_read_and_shown() {
        for text in ["0.0.0", "1.2.3", "1.0.0-alpha.1+b7.001", "1.0.0--", "1.0.0-x-y.0a.0", "1.2.3+a-b"] {
            assert_eq!(version(text).to_string(), text);
        }
        assert_eq!(version("1.2.3\n").to_string(), "1.2.3");
        assert_eq!(SemVer::MIN.to_string(), "0.0.0-");
        assert_eq!(SemVer::MAX.to_string(), "Infinity.0.0");
    }

    #[test]
    fn other_texts_are_no_versions() {
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "01.2.3",
            "v1.2.3",
            "1.2.x",
            "1.2.3-",
            "1.2.3+",
            "1.2.3-a..b",
            "1.2.3-é",
            "1.2.3\n\n",
            " 1.2.3",
            "1.2.3-a+b+c",
        ] {
            let error = SemVer::parse(text).unwrap_err();
            let expected = format!("Unable to parse '{text}' as a semantic version identifier");
            assert_eq!(error.message(), expected);
        }
        assert_eq!(
            SemVer::parse("1.0.0-a.01").unwrap_err().message(),
            "Numeric pre-release identifiers MUST NOT contain leading zeroes"
        );
        assert_eq!(
            SemVer::parse("9223372036854775808.0.0").unwrap_err().message(),
            "The number 9223372036854775808 is too large for a version. The largest is 9223372036854775807"
        );
    }

    #[test]
    fn precedence_is_total() {
        let ascending = [
            "0.0.0-0",
            "0.0.0",
            "0.9.10",
            "0.10.0",
            "1.0.0-1",
            "1.0.0-2.1",
            "1.0.0-10",
            "1.0.0-99999999999999999999",
            "1.0.0-100000000000000000000",
            "1.0.0-A",
            "1.0.0-a",
            "1.0.0-a.0",
            "1.0.0-a.b",
            "1.0.0",
            "1.0.1",
        ]
        .map(version);
        for (index, this) in ascending.iter().enumerate() {
            for (other_index, that) in ascending.iter().enumerate() {
                assert_eq!(this.cmp_precedence(that), index.cmp(&other_index), "{this} {that}");
            }
            assert_eq!(SemVer::MIN.cmp_precedence(this), Ordering::Less);
            assert_eq!(SemVer::MAX.cmp_precedence(this), Ordering::Greater);
        }
    }

    #[test]
    fn the_build_makes_a_difference_only_to_equality() {
        let (this, that) = (version("1.0.0+a"), version("1.0.0+b"));
        assert_ne!(this, that);
        assert_eq!(this.cmp_precedence(&that), Ordering::Equal);
    }

    #[test]
    fn the_parts_given_apart_are_texts() {
        let version = SemVer::new([1, 2, 3], Some("1.a"), Some("b.1")).unwrap();
        assert_eq!(version.to_string(), "1.2.3-1.a+b.1");
        assert_ne!(version, SemVer::parse("1.2.3-1.a+b.1").unwrap());
        assert!(SemVer::new([1, 2, 3], Some("a b"), None).is_err());
        assert!(SemVer::new([u64::MAX, 2, 3], None, None).is_err());
    }
}
