//! Why something is left to Puppet.

use puppetfn::error::{Error, ErrorKind};

/// A reason to leave something to Puppet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Text,
    Bignum,
    DefaultOfHash,
    RegexpOptions,
    Symbol,
    Block,
    Object,
    TypeAsValue,
    Unresolved,
    Recursion,
    KindOfType,
    Bounds,
    Pattern,
    Guard,
    Limit,
    Arguments,
    Names,
    Signature,
    Syntax,
    Mismatch,
    MismatchHandler,
    KindOfExpression,
    Warnings,
    Other,
}

impl Reason {
    const ALL: [Self; 24] = [
        Self::Text,
        Self::Bignum,
        Self::DefaultOfHash,
        Self::RegexpOptions,
        Self::Symbol,
        Self::Block,
        Self::Object,
        Self::TypeAsValue,
        Self::Unresolved,
        Self::Recursion,
        Self::KindOfType,
        Self::Bounds,
        Self::Pattern,
        Self::Guard,
        Self::Limit,
        Self::Arguments,
        Self::Names,
        Self::Signature,
        Self::Syntax,
        Self::Mismatch,
        Self::MismatchHandler,
        Self::KindOfExpression,
        Self::Warnings,
        Self::Other,
    ];

    /// Returns the reason as reported.
    pub fn text(self) -> &'static str {
        match self {
            Self::Text => "a String that is not UTF-8",
            Self::Bignum => "an Integer of more than 64 bits",
            Self::DefaultOfHash => "a Hash with a default value",
            Self::RegexpOptions => "a Regexp with options",
            Self::Symbol => "a Symbol",
            Self::Block => "a block that takes any number of arguments",
            Self::Object => "an object of another class",
            Self::TypeAsValue => "a type as a value that is not compiled",
            Self::Unresolved => "a type that is not resolved",
            Self::Recursion => "type aliases that contain each other",
            Self::KindOfType => "a type of another kind",
            Self::Bounds => "a type with other parameters",
            Self::Pattern => "a regular expression that is not compiled",
            Self::Guard => "a check inside of another one",
            Self::Limit => "a limit",
            Self::Arguments => "other arguments",
            Self::Names => "a name that a loader finds",
            Self::Signature => "a signature that is not compiled",
            Self::Syntax => "an error of syntax",
            Self::Mismatch => "arguments that do not match",
            Self::MismatchHandler => "a function that words mismatches itself",
            Self::KindOfExpression => "an expression of another kind",
            Self::Warnings => "code that Puppet warns of",
            Self::Other => "another reason",
        }
    }

    /// Returns the reason that an error of the core is.
    pub fn of(error: &Error) -> Self {
        if *error.kind() == ErrorKind::Limit {
            return Self::Limit;
        }
        let known = Self::ALL.into_iter().find(|reason| reason.text() == error.message());
        known.unwrap_or(Self::Other)
    }
}

/// Ends an operation of the core.
#[cold]
pub fn because<T>(reason: Reason) -> Result<T, Error> {
    Err(Error::new(ErrorKind::Unrepresentable, reason.text()))
}
