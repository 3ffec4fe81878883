//! Behavior of native functions beyond their signatures, for callers that analyze code.

/// Target of the jump of a call that does not return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// The end of the enclosing block or function, which returns the argument.
    Next,
    /// The end of the enclosing function, which returns the argument.
    Return,
    /// The end of the call whose block contains this one.
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
    /// For the elements of the first argument, but not with each of them in turn.
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

/// A common method of most languages with the same behavior. A host may call its own if the arguments are its objects and
/// would have to be converted.
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
    /// The text of a format and its values.
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
    /// It fails, with a message about the right way to call the function.
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

    /// Returns the method with another kind.
    #[must_use]
    pub fn of_kind(self, kind: ScopeMethodKind) -> Self {
        Self { kind, ..self }
    }
}

/// Declared behavior of a function.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NativeBehavior {
    pub(super) control: Option<Control>,
    pub(super) block_use: BlockUse,
    pub(super) host_method: Option<HostMethod>,
    pub(super) scope_method: Option<ScopeMethod>,
    pub(super) is_for_types: bool,
    pub(super) names_classes: bool,
}
