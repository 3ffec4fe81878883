//! Mismatches of values and types, and their descriptions in Puppet's words.
//!
//! Search and wording are separate: `find` compares types and returns [`Mismatch`]es, which are plain facts; `text` words
//! them, and `rich` does so in more detail if [`Messages`] ask for it. Neither uses the value itself: a mismatch holds its
//! inferred type.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

mod find;
mod merge;
mod nearest;
mod path;
mod rich;
mod similar;
mod text;

pub use find::find_mismatches;
pub use find::find_mismatches_at;
pub(crate) use merge::{SizeKind, merge};
pub(crate) use nearest::Closeness;
pub use path::{MismatchPath, PathElement};
pub use similar::{WordOutline, most_similar, most_similar_within};

use std::sync::Arc;

use crate::types::{Size, StructType, Type};
use puppetfn_base::error::{Error, ErrorKind};

/// One fact about why a type is not assignable to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The part that it is about.
    pub path: MismatchPath,
    /// The mismatch of that part.
    pub kind: MismatchKind,
}

/// Kind of a mismatch.
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
    /// Too few or too many arguments.
    Count {
        /// The allowed number.
        expected: Size,
        /// The actual number.
        actual: Size,
    },
    /// A required key is missing.
    MissingKey(Arc<str>),
    /// It has a key that is not expected.
    ExtraneousKey {
        /// The key.
        key: Arc<str>,
        /// The type without such a key.
        expected: Arc<StructType>,
    },
    /// A required block is missing.
    MissingBlock,
    /// A block is given but not accepted.
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

/// Details of an error of kind [`ErrorKind::TypeAssertion`].
#[derive(Clone, Debug)]
pub struct AssertedTypes {
    /// The type that the value should have.
    pub expected: Type,
    /// The type that it has.
    pub actual: Type,
}

impl AssertedTypes {
    /// Returns the error with the message `message` about both types.
    #[cold]
    pub fn error(self, message: String) -> Error {
        Error::new(ErrorKind::TypeAssertion, message).with_details(self)
    }
}

/// How mismatches are worded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Messages {
    /// In Puppet's words, to the letter.
    #[default]
    Puppet,
    /// With the value instead of its type, aliases by name alone, the nearest of several alternatives, and the probably
    /// intended word. Sensitive values are redacted.
    Rich,
}

impl Messages {
    /// Describes why a value of type `actual` is not one of type `expected`. `subject` begins each line.
    ///
    /// Empty if the value is of the type, and for reasons that Puppet does not find.
    pub fn describe(self, subject: &str, expected: &Type, actual: &Type) -> String {
        let mismatches = self.select(find_mismatches(expected, actual));
        let mut text = String::new();
        match mismatches.as_slice() {
            [] => {}
            [only] => {
                only.write(&mut text, subject, self);
                // A single message starts with its subject, each of several with a blank.
                return text.trim().to_owned();
            }
            several => {
                for (index, mismatch) in several.iter().enumerate() {
                    if index > 0 {
                        text.push_str("\n ");
                    }
                    mismatch.write(&mut text, subject, self);
                }
            }
        }
        text
    }

    /// Returns the message for a value that fails the assertion of its type.
    pub fn assertion(self, subject: &str, expected: &Type, actual: &Type) -> String {
        self.describe(&format!("{subject} has wrong type,"), expected, actual)
    }

    /// Returns the error for a value that fails the assertion of its type.
    #[cold]
    pub fn assertion_error(self, subject: &str, expected: &Type, actual: Type) -> Error {
        let message = self.assertion(subject, expected, &actual);
        AssertedTypes { expected: expected.clone(), actual }.error(message)
    }

    /// Returns the message for a type that fails the assertion of its assignability.
    pub fn assignability(self, subject: &str, expected: &Type, actual: &Type) -> String {
        self.describe(&format!("{subject} is incorrect,"), expected, actual)
    }

    /// Returns the mismatches that are described.
    pub fn select(self, mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
        match self {
            Self::Puppet => mismatches,
            Self::Rich => nearest::of_variants(mismatches),
        }
    }
}

/// [`Messages::describe`] in Puppet's words.
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type) -> String {
    Messages::Puppet.describe(subject, expected, actual)
}

/// [`Messages::assertion`] in Puppet's words.
pub fn assertion_message(subject: &str, expected: &Type, actual: &Type) -> String {
    Messages::Puppet.assertion(subject, expected, actual)
}

/// [`Messages::assertion_error`] in Puppet's words.
#[cold]
pub fn assertion_error(subject: &str, expected: &Type, actual: Type) -> Error {
    Messages::Puppet.assertion_error(subject, expected, actual)
}

/// [`Messages::assignability`] in Puppet's words.
pub fn assignability_message(subject: &str, expected: &Type, actual: &Type) -> String {
    Messages::Puppet.assignability(subject, expected, actual)
}
