//! Limits that keep any input from exhausting the process, and the guards that spend them.

use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

pub mod memory;

use self::memory::LARGE;
pub use self::memory::MemoryGuard;
use crate::error::{Error, ErrorKind};

/// Limits of one operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Maximum depth of collections in a value, and of types in a type.
    pub nesting: u32,
    /// Maximum number of collections and types to visit in a check of one value, or a comparison of two types. Without it,
    /// aliases that use each other in several ways, and values with shared parts, could take exponential time.
    pub work: u64,
    /// Maximum depth of brackets in a text.
    pub syntax: u32,
    /// Maximum size of a value generated from a small one, as in `Array(1000000000)`: elements of a collection, or bytes of
    /// a text.
    pub size: u64,
    /// Maximum size of a text that code builds, in bytes.
    pub text: usize,
    /// Maximum number of elements in a collection that code builds.
    pub elements: usize,
    /// Maximum size of a file to read, in bytes.
    pub file: usize,
    /// Maximum number of calls of functions and blocks in one evaluation; `None` for no limit.
    pub fuel: Option<u64>,
    /// Maximum depth of calls of functions and blocks.
    pub calls: u32,
    /// Maximum memory for the evaluation of code, in bytes; `None` for a quarter of the available memory, see
    /// [`memory::default_budget`].
    pub memory: Option<u64>,
    /// Maximum size of the native stack for the evaluation of code, in bytes.
    pub stack: usize,
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
        file: 67_108_864,
        fuel: None,
        calls: 1_000,
        memory: None,
        stack: 1_048_576,
    };

    /// Limits for operations without limits from a caller: queries that always have an answer, such as whether a type is
    /// assignable or how it is printed, and texts of the program itself.
    pub const FURTHEST: Self = Self { nesting: Self::DEEPEST, ..Self::DEFAULT };

    /// The names of the limits that [`Self::set`] can change. `stack` and [`Self::BACKTRACKING`] are not among them: one
    /// depends on the program, the other is fixed.
    pub const NAMES: [&'static str; 10] =
        ["nesting", "syntax", "work", "size", "text", "elements", "file", "calls", "memory", "fuel"];

    /// Values and texts that nest deeper than this could overflow the stack of a thread, so that no limit of depth
    /// goes beyond.
    pub const DEEPEST: u32 = 1_000;

    /// Approximate size of an element of a collection: its slot, and a short text or a collection of its own.
    const BYTES_OF_ELEMENT: usize = 32;

    /// Maximum number of backtracking steps in one match of a regular expression, or of the format of a time span. Callers
    /// cannot change it, as they share compiled expressions.
    pub const BACKTRACKING: usize = 1_000_000;

    /// Returns a limit by its name; `None` if the name is unknown or the limit is off.
    pub fn get(&self, name: &str) -> Option<u64> {
        match name {
            "nesting" => Some(self.nesting.into()),
            "syntax" => Some(self.syntax.into()),
            "work" => Some(self.work),
            "size" => Some(self.size),
            "text" => u64::try_from(self.text).ok(),
            "elements" => u64::try_from(self.elements).ok(),
            "file" => u64::try_from(self.file).ok(),
            "calls" => Some(self.calls.into()),
            "memory" => Some(self.memory()),
            "fuel" => self.fuel,
            _ => None,
        }
    }

    /// Changes a limit by its name.
    ///
    /// ```
    /// use puppetfn::limits::Limits;
    ///
    /// let mut limits = Limits::DEFAULT;
    /// limits.set("fuel", 1_000)?;
    /// assert_eq!(limits.fuel, Some(1_000));
    /// assert_eq!(limits.set("nesting", 5_000).unwrap_err(), "limit 'nesting': expected at most 1000, got 5000");
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// Fails with a message if the name is unknown or the value is out of range.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        if value == 0 {
            return Err(format!("limit '{name}': expected at least 1, got 0"));
        }
        let bytes = usize::try_from(value).unwrap_or(usize::MAX);
        let depth = || {
            let depth = u32::try_from(value).ok().filter(|depth| *depth <= Self::DEEPEST);
            depth.ok_or_else(|| format!("limit '{name}': expected at most {}, got {value}", Self::DEEPEST))
        };
        match name {
            "nesting" => self.nesting = depth()?,
            "syntax" => self.syntax = depth()?,
            "work" => self.work = value,
            "size" => self.size = value,
            "text" => self.text = bytes,
            "elements" => self.elements = bytes,
            "file" => self.file = bytes,
            "calls" => self.calls = u32::try_from(value).unwrap_or(u32::MAX),
            "memory" => self.memory = Some(value),
            "fuel" => self.fuel = Some(value),
            _ => return Err(format!("unknown limit '{name}'; there are {}", Self::NAMES.join(", "))),
        }
        Ok(())
    }

    /// Checks the size of a value before it is created.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it is more than [`Limits::size`].
    #[inline]
    pub fn check_size(&self, size: u64) -> Result<(), Error> {
        if size <= self.size {
            return Ok(());
        }
        Err(exceeded(format_args!("would have more than {} elements or bytes", self.size), "size"))
    }
}

impl Limits {
    /// Checks the length of a text that code builds.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it is longer than [`Limits::text`], or takes more than [`Limits::memory`].
    #[inline]
    pub fn check_text(&self, length: usize) -> Result<(), Error> {
        if length <= self.text {
            return self.check_memory(length);
        }
        Err(exceeded(format_args!("a text of more than {} bytes", self.text), "text"))
    }

    /// Checks the size of a collection that code builds.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it is larger than [`Limits::elements`], or takes more than [`Limits::memory`].
    #[inline]
    pub fn check_elements(&self, count: usize) -> Result<(), Error> {
        if count <= self.elements {
            return self.check_memory(count.saturating_mul(Self::BYTES_OF_ELEMENT));
        }
        Err(exceeded(format_args!("a collection of more than {} elements", self.elements), "elements"))
    }

    /// Checks the number of calls of functions and blocks.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if there were more than [`Limits::fuel`].
    pub fn check_fuel(&self, calls: u64) -> Result<(), Error> {
        match self.fuel {
            Some(fuel) if calls > fuel => {
                Err(exceeded(format_args!("more than {fuel} functions and blocks are called"), "fuel"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks that a value of so many bytes fits into memory.
    #[inline]
    fn check_memory(&self, bytes: usize) -> Result<(), Error> {
        // While a value grows, its old and its new buffer coexist.
        if bytes < LARGE || (bytes as u64).saturating_mul(2) <= self.memory() {
            return Ok(());
        }
        Err(self.memory_exceeded())
    }
}

/// Returns the error for exceeding the limit with this name. Its message shows how to raise the limit: in Rust, in Ruby and
/// on the command line.
#[cold]
pub fn exceeded(what: impl fmt::Display, name: &str) -> Error {
    let message = format!("{what} (limit '{name}'; raise it with Limits, Puppetfn.limits= or --limit)");
    Error::new(ErrorKind::Limit, message)
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Counts how deep a recursive operation has gone.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    left: u32,
    limit: u32,
    name: &'static str,
}

impl Depth {
    /// Creates a guard for visiting values and types, from [`Limits::nesting`].
    #[inline]
    pub fn nesting(limits: &Limits) -> Self {
        Self { left: limits.nesting, limit: limits.nesting, name: "nesting" }
    }

    /// Creates a guard for parsing, from [`Limits::syntax`].
    pub fn syntax(limits: &Limits) -> Self {
        Self { left: limits.syntax, limit: limits.syntax, name: "syntax" }
    }

    /// Returns the guard for one level further down.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if the limit is reached.
    #[inline]
    pub fn deeper(self) -> Result<Self, Error> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(self.exceeded()),
        }
    }

    /// Returns the error for exceeding [`Limits::nesting`], where the depth is counted in another way.
    #[cold]
    pub fn nesting_exceeded(limits: &Limits) -> Error {
        Self::nesting(limits).exceeded()
    }

    #[cold]
    fn exceeded(self) -> Error {
        let limit = self.limit;
        exceeded(format_args!("nested more than {limit} levels deep, or containing itself"), self.name)
    }
}

/// Counts the work that is done for one answer.
#[derive(Debug)]
pub struct Work {
    limits: Limits,
    left: Cell<u64>,
}

impl Work {
    /// Work from [`Limits::work`].
    #[inline]
    pub fn new(limits: &Limits) -> Self {
        Self { limits: *limits, left: Cell::new(limits.work) }
    }

    /// Returns the limits that hold for it.
    #[inline]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one step.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when no more work is allowed.
    #[inline]
    pub fn spend(&self) -> Result<(), Error> {
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
    /// [`ErrorKind::Limit`] when no more work is allowed.
    #[inline]
    pub fn spend_many(&self, steps: u64) -> Result<(), Error> {
        let left = self.left.get().checked_sub(steps).ok_or_else(|| self.exceeded())?;
        self.left.set(left);
        Ok(())
    }

    #[cold]
    fn exceeded(&self) -> Error {
        let Limits { work, .. } = self.limits;
        exceeded(format_args!("takes more than {work} steps to look at"), "work")
    }
}

/// A position in the traversal of a value: the remaining depth, and the shared budget of steps.
#[derive(Clone, Copy, Debug)]
pub struct VisitState<'w> {
    work: &'w Work,
    left: u32,
}

impl<'w> VisitState<'w> {
    /// Returns the outermost place.
    #[inline]
    pub fn new(work: &'w Work) -> Self {
        Self { work, left: work.limits.nesting }
    }

    /// Returns the limits that hold for the visit.
    #[inline]
    pub fn limits(self) -> &'w Limits {
        &self.work.limits
    }

    /// Returns the position one level further down.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if it is too deep, or the budget of steps is used up.
    #[inline]
    pub fn deeper(self) -> Result<Self, Error> {
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
