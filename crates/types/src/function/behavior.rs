//! What callers may know of a native function besides its signatures.

/// Where execution continues after a call that does not return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// After the block or function that the call is in, which gives the argument.
    Next,
    /// After the function that the call is in, which gives the argument.
    Return,
    /// After the call whose block the call is in.
    Break,
    /// Nowhere: the call fails.
    Fail,
}

/// When a function calls its block, and with what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BlockUse {
    /// Not stated.
    #[default]
    Unknown,
    /// With each element of the first argument.
    Elements,
    /// For elements of the first argument, with what is not one of them.
    OfElements,
    /// As [`BlockUse::OfElements`], and also with the second argument, where there is one.
    Accumulate,
    /// Once, with the arguments.
    Arguments,
    /// With the argument, unless that is undef.
    UnlessUndef,
    /// With nothing, if the argument is undef.
    IfUndef,
}

/// A method that most languages have and that does the same. A host may call its own, where the arguments are its
/// objects and would have to be converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostMethod {
    /// The text with its first character in upper case.
    Capitalize,
    /// The value in nested collections that keys lead to.
    Dig,
    /// The array with the elements of arrays in their place.
    Flatten,
    /// The elements as one text.
    Join,
    /// The keys of a hash.
    Keys,
    /// The elements in order.
    Sort,
    /// The text that a format and values give.
    Format,
    /// The elements without repetition.
    Unique,
    /// The values of a hash.
    Values,
}

/// What a declaration says of all this.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Behavior {
    pub(super) control: Option<Control>,
    pub(super) block_use: BlockUse,
    pub(super) host_method: Option<HostMethod>,
    pub(super) is_for_types: bool,
    pub(super) names_classes: bool,
}
