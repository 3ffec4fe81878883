//! Limits that keep any input from exhausting the process, and the guards that spend them.

use crate::error::{Error, ErrorKind};

/// How much one operation may use. Every limit can be raised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many collections deep a value is visited, and how many types deep a type.
    pub nesting: u32,
    /// How many brackets deep a text may nest.
    pub syntax: u32,
    /// How often the definitions of aliases are looked into to check one value, or to compare two
    /// types: those that use each other in several ways could otherwise take time without end.
    pub aliases: u32,
    /// How many steps a regular expression may backtrack in one match.
    pub backtracking: usize,
}

impl Limits {
    /// The limits that hold when none are given.
    pub const DEFAULT: Self =
        Self { nesting: 200, syntax: 256, aliases: 10_000_000, backtracking: 1_000_000 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The error for having followed aliases too often, from [`Limits::aliases`].
#[cold]
pub(crate) fn aliases_exceeded(limits: &Limits) -> Error {
    Error::new(
        ErrorKind::Limit,
        format!(
            "looked into type aliases more than {} times (limit 'aliases'; raise it with Limits, or simplify the aliases)",
            limits.aliases
        ),
    )
}

/// Counts how deep a recursive operation has come.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    left: u32,
    limit: u32,
    name: &'static str,
}

impl Depth {
    /// A guard for visiting values and types, from [`Limits::nesting`].
    pub fn nesting(limits: &Limits) -> Self {
        Self { left: limits.nesting, limit: limits.nesting, name: "nesting" }
    }

    /// A guard for parsing, from [`Limits::syntax`].
    pub fn syntax(limits: &Limits) -> Self {
        Self { left: limits.syntax, limit: limits.syntax, name: "syntax" }
    }

    /// The guard for one level further down.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when there is no such level.
    pub fn deeper(self) -> Result<Self, Error> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(self.exceeded()),
        }
    }

    /// The error for having come to the end of [`Limits::nesting`], where that is counted otherwise.
    #[cold]
    pub(crate) fn nesting_exceeded(limits: &Limits) -> Error {
        Self::nesting(limits).exceeded()
    }

    #[cold]
    fn exceeded(self) -> Error {
        Error::new(
            ErrorKind::Limit,
            format!(
                "nested more than {} levels deep, or containing itself (limit '{}'; raise it with Limits)",
                self.limit, self.name
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_says_which_limit_was_hit() {
        let limits = Limits { nesting: 2, ..Limits::default() };
        let second = Depth::nesting(&limits).deeper().and_then(Depth::deeper).unwrap();
        let error = second.deeper().unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
        assert!(error.message().contains("limit 'nesting'"), "{error}");
    }
}
