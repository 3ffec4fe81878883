//! Limits that keep any input from exhausting the process, and the guards that spend them.

use std::cell::Cell;

use crate::error::{Error, ErrorKind};

/// How much one operation may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many collections deep a value is visited, and how many types deep a type.
    pub nesting: u32,
    /// How many collections and types are visited to check one value, or to compare two types.
    /// Aliases that use each other in several ways, and values that share their parts, could
    /// otherwise take time without end.
    pub work: u64,
    /// How many brackets deep a text may nest.
    pub syntax: u32,
    /// How large a value may be that is made of a small one, as in `Array(1000000000)`: elements
    /// of a collection, or bytes of a text.
    pub size: u64,
    /// How many bytes a text may have that code puts together.
    pub text: usize,
    /// How many elements a collection may have that code puts together.
    pub elements: usize,
    /// How many functions and blocks one evaluation may call; none for as many as it likes.
    pub fuel: Option<u64>,
    /// How many functions and blocks deep calls may nest.
    pub calls: u32,
    /// How many bytes of the native stack the evaluation of code may use.
    pub stack: usize,
    /// How many steps a regular expression may backtrack in one match. It is fixed when the
    /// expression is compiled, always to the default.
    pub backtracking: usize,
}

impl Limits {
    /// The limits that hold when none are given.
    pub const DEFAULT: Self = Self {
        nesting: 200,
        work: 10_000_000,
        syntax: 256,
        size: 1_000_000,
        text: 67_108_864,
        elements: 10_000_000,
        fuel: None,
        calls: 1_000,
        stack: 1_048_576,
        backtracking: 1_000_000,
    };

    /// Checks the size of a value that is to be made.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when it is more than [`Limits::size`].
    pub(crate) fn check_size(&self, size: u64) -> Result<(), Error> {
        if size <= self.size {
            return Ok(());
        }
        let message = format!(
            "would have more than {} elements or bytes (limit 'size'; raise it with Limits)",
            self.size
        );
        Err(Error::new(ErrorKind::Limit, message))
    }
}

impl Limits {
    /// Checks how long a text gets that is put together.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when it is longer than [`Limits::text`].
    pub(crate) fn check_text(&self, length: usize) -> Result<(), Error> {
        if length <= self.text {
            return Ok(());
        }
        Err(exceeded(format_args!("a text of more than {} bytes (limit 'text'", self.text)))
    }

    /// Checks how large a collection gets that is put together.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when it is larger than [`Limits::elements`].
    pub(crate) fn check_elements(&self, count: usize) -> Result<(), Error> {
        if count <= self.elements {
            return Ok(());
        }
        Err(exceeded(format_args!("a collection of more than {} elements (limit 'elements'", self.elements)))
    }
}

#[cold]
fn exceeded(what: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::Limit, format!("{what}; raise it with Limits)"))
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
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

/// Counts the work that is done for one answer.
#[derive(Debug)]
pub(crate) struct Work {
    limits: Limits,
    left: Cell<u64>,
}

impl Work {
    /// Work from [`Limits::work`].
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { limits: *limits, left: Cell::new(limits.work) }
    }

    /// The limits that hold for it.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one step.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when all is done that may be.
    pub(crate) fn spend(&self) -> Result<(), Error> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(self.exceeded()),
        }
    }

    /// Counts many steps at once.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when all is done that may be.
    pub(crate) fn spend_many(&self, steps: u64) -> Result<(), Error> {
        let left = self.left.get().checked_sub(steps).ok_or_else(|| self.exceeded())?;
        self.left.set(left);
        Ok(())
    }

    #[cold]
    fn exceeded(&self) -> Error {
        let Limits { work, .. } = self.limits;
        let message = format!("takes more than {work} steps to look at (limit 'work'; raise it with Limits)");
        Error::new(ErrorKind::Limit, message)
    }
}

/// A place within a value that is visited: how deep it is, and what is left to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'w> {
    work: &'w Work,
    left: u32,
}

impl<'w> Visit<'w> {
    /// The outermost place.
    pub(crate) fn new(work: &'w Work) -> Self {
        Self { work, left: work.limits.nesting }
    }

    /// A place one level further down.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when it is nested too deep, or all is done that may be.
    pub(crate) fn deeper(self) -> Result<Self, Error> {
        self.work.spend()?;
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(Depth::nesting_exceeded(&self.work.limits)),
        }
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
