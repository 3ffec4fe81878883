//! Behavior of native functions beyond their signatures, for callers that analyse code.

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

/// When a function calls its block, and with which arguments.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BlockUse {
    /// Not stated.
    #[default]
    Unknown,
    /// With each element of the first argument.
    Elements,
    /// Once or more for the elements of the first argument, but not with each element in turn.
    OfElements,
    /// As [`BlockUse::OfElements`], starting with the second argument, if given.
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

/// The method `function_NAME` of a scope, by which code in Puppet's 3.x API calls a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeMethod {
    /// The arity in Ruby's terms: -2 for one argument or more.
    pub arity: i32,
    /// Whether it has a result; statements have none.
    pub has_result: bool,
    /// The effect of the method.
    pub kind: ScopeMethodKind,
}

/// The effect of a scope's method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeMethodKind {
    /// It calls the function.
    Calls,
    /// It calls the function, and warns that callers should do that.
    Deprecated,
    /// It logs its arguments as one text.
    Logs,
    /// It fails, and says that the function is called in another way.
    Refuses,
}

impl ScopeMethod {
    /// A method that calls the function for its result.
    pub fn with_result(arity: i32) -> Self {
        Self { arity, has_result: true, kind: ScopeMethodKind::Calls }
    }

    /// A method that calls the function, which is a statement.
    pub fn statement(arity: i32) -> Self {
        Self { has_result: false, ..Self::with_result(arity) }
    }

    /// Returns the same method of another kind.
    #[must_use]
    pub fn of_kind(self, kind: ScopeMethodKind) -> Self {
        Self { kind, ..self }
    }
}

/// Declared behavior of a function.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Behavior {
    pub(super) control: Option<Control>,
    pub(super) block_use: BlockUse,
    pub(super) host_method: Option<HostMethod>,
    pub(super) scope_method: Option<ScopeMethod>,
    pub(super) is_for_types: bool,
    pub(super) names_classes: bool,
}
