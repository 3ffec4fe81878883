//! Regular expressions in Ruby's syntax.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

/// A regular expression in Ruby's syntax, compiled. Equal to those of the same source.
#[derive(Clone)]
pub struct Regex(Arc<Inner>);

struct Inner {
    source: Box<str>,
    compiled: fancy_regex::Regex,
}

impl Regex {
    /// Compiles a regular expression from what stands between the slashes.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it is not a regular expression.
    pub fn new(source: &str) -> Result<Self, Error> {
        let compiled = fancy_regex::RegexBuilder::new(source)
            .backtrack_limit(Limits::DEFAULT.backtracking)
            .build()
            .map_err(|e| {
                Error::new(ErrorKind::Syntax, format!("invalid regular expression /{source}/: {e}"))
            })?;
        Ok(Self(Arc::new(Inner { source: source.into(), compiled })))
    }

    /// What stands between the slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Tells if some part of the text matches.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the match backtracks too much.
    pub fn is_match(&self, text: &str) -> Result<bool, Error> {
        self.0.compiled.is_match(text).map_err(|_| {
            Error::new(
                ErrorKind::Limit,
                format!("matching /{}/ takes too many steps (limit 'backtracking')", self.source()),
            )
        })
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Self) -> bool {
        self.0.source == other.0.source
    }
}

impl Eq for Regex {}

impl Hash for Regex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}

impl fmt::Display for Regex {
    /// Prints as Ruby's `inspect` does, with slashes around.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("/")?;
        let mut escaped = false;
        for c in self.source().chars() {
            if c == '/' && !escaped {
                f.write_str("\\")?;
            }
            escaped = !escaped && c == '\\';
            write!(f, "{c}")?;
        }
        f.write_str("/")
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.source())
    }
}
