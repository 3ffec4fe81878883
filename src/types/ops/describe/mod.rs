//! What is wrong with a value, and how Puppet words it.
//!
//! Finding and wording are apart: `find` compares types and returns [`Mismatch`]es, which are
//! plain facts; `text` words them. Neither looks at a value: a mismatch holds the value's
//! inferred type.

mod find;
mod merge;
mod path;
mod text;

pub use find::find_mismatches;
pub(crate) use find::find_mismatches_at;
pub(crate) use merge::{SizeKind, merge};
pub use path::{Path, PathElement};

use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::types::{Size, Type};

/// One fact about why a type is not assignable to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The part that it is about.
    pub path: Path,
    /// What is wrong with that part.
    pub kind: MismatchKind,
}

/// What can be wrong.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MismatchKind {
    /// It is of another type.
    Type {
        /// The type that it should have.
        expected: Type,
        /// The type that it has.
        actual: Type,
    },
    /// It is none of the strings of an `Enum`, or does not match a `Pattern`.
    Pattern {
        /// The type that it should have.
        expected: Type,
        /// The type that it has.
        actual: Type,
    },
    /// It has too few or too many elements.
    Size {
        /// The sizes that are allowed.
        expected: Size,
        /// Its size.
        actual: Size,
    },
    /// There are too few or too many arguments.
    Count {
        /// How many are allowed.
        expected: Size,
        /// How many there are.
        actual: Size,
    },
    /// A required key is missing.
    MissingKey(Arc<str>),
    /// It has a key that is not expected.
    ExtraneousKey(Arc<str>),
    /// A block is required and there is none.
    MissingBlock,
    /// There is a block and none is accepted.
    UnexpectedBlock,
    /// The expected type refers to a type that does not exist.
    UnresolvedType(Arc<str>),
}

impl MismatchKind {
    /// Both types without redundancies, as they are compared and shown.
    fn of_types(expected: &Type, actual: &Type) -> Self {
        Self::Type { expected: expected.normalize(), actual: actual.normalize() }
    }

    fn of_pattern(expected: &Type, actual: &Type) -> Self {
        Self::Pattern { expected: expected.normalize(), actual: actual.normalize() }
    }
}

/// Says why a value of type `actual` is not one of type `expected`. `subject` begins each line.
///
/// Empty when there is nothing wrong, and also where the reason is one that Puppet does not find.
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type) -> String {
    let mismatches = find_mismatches(expected, actual);
    let mut text = String::new();
    match mismatches.as_slice() {
        [] => {}
        [only] => {
            only.write(&mut text, subject);
            // A single message starts with its subject, each of several with a blank.
            return text.trim().to_owned();
        }
        several => {
            for (index, mismatch) in several.iter().enumerate() {
                if index > 0 {
                    text.push_str("\n ");
                }
                mismatch.write(&mut text, subject);
            }
        }
    }
    text
}

/// What is raised for a value that is asserted to be of a type and is not.
pub fn assertion_message(subject: &str, expected: &Type, actual: &Type) -> String {
    describe_mismatch(&format!("{subject} has wrong type,"), expected, actual)
}

/// The error of a value that is asserted to be of a type and is not.
#[cold]
pub fn assertion_error(subject: &str, expected: &Type, actual: Type) -> Error {
    let message = assertion_message(subject, expected, &actual);
    Error::new(ErrorKind::TypeAssertion { expected: expected.clone(), actual }, message)
}

/// What is raised for a type that is asserted to be assignable to another and is not.
pub fn assignability_message(subject: &str, expected: &Type, actual: &Type) -> String {
    describe_mismatch(&format!("{subject} is incorrect,"), expected, actual)
}
