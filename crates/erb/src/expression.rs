//! The code of templates.

use std::sync::Arc;

use puppetfn_types::value::{Regex, Value};

use crate::names::{Method, TemplateClass};

/// Code of the subset.
#[derive(Debug, Clone)]
pub(crate) enum Expression {
    /// A value that never changes.
    Literal(Value),
    Symbol(Arc<str>),
    Regex(Regex),
    Array(Vec<Self>),
    Hash(Vec<(Self, Self)>),
    /// Integers from the first to the last; the flag excludes the last.
    Range(Box<Self>, Box<Self>, bool),
    /// A string with values in it.
    Interpolated(Vec<Self>),
    /// A local variable, by its index.
    Local(usize),
    SetLocal(usize, Box<Self>),
    /// A variable of Puppet as an instance variable.
    Instance(Arc<str>),
    /// A variable of Puppet by its name, as `scope['x']` reads it.
    Lookup(Arc<str>),
    /// `has_variable?('x')`
    HasVariable(Arc<str>),
    /// `defined?(@x)`
    IsDefined(Arc<str>),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    If(Box<Self>, Box<Self>, Box<Self>),
    Case(Box<TemplateCase>),
    /// `is_a?` and its synonyms.
    IsA(Box<ClassTest>),
    /// `Array(x)`
    ToArray(Box<Self>),
    Call(Box<TemplateCall>),
    /// `scope.function_template(['name'])`
    Template(Box<Self>),
    /// `scope.call_function('versioncmp', [a, b])`
    CompareVersions(Box<Self>, Box<Self>),
    /// `x << a` with a local variable, whose object no other variable has: see `ownership`.
    Append(usize, Box<Self>),
    /// `x[a] = b`, likewise.
    Store(usize, Box<Self>, Box<Self>),
    Sequence(Vec<Self>),
    /// Adds a text to the output.
    Text(Arc<str>),
    /// Adds the text of a value to the output.
    Output(Box<Self>),
    /// Ends a block.
    Next(Box<Self>),
}

/// A `case` with a subject.
#[derive(Debug, Clone)]
pub(crate) struct TemplateCase {
    pub subject: Expression,
    pub clauses: Vec<(Vec<WhenPattern>, Expression)>,
    pub otherwise: Expression,
}

/// The condition of a clause of a `case`.
#[derive(Debug, Clone)]
pub(crate) enum WhenPattern {
    Value(Expression),
    Class(TemplateClass),
}

/// A question whether a value is of a class.
#[derive(Debug, Clone)]
pub(crate) struct ClassTest {
    pub value: Expression,
    pub class: TemplateClass,
    /// `&.`
    pub is_safe: bool,
}

/// A call of a method.
#[derive(Debug, Clone)]
pub(crate) struct TemplateCall {
    pub receiver: Expression,
    pub method: Method,
    pub arguments: Vec<Expression>,
    pub block: Option<TemplateBlock>,
    /// `&.`
    pub is_safe: bool,
}

impl TemplateCall {
    /// Creates a call without a block.
    pub fn new(receiver: Expression, method: Method, arguments: Vec<Expression>) -> Self {
        Self { receiver, method, arguments, block: None, is_safe: false }
    }
}

impl From<TemplateCall> for Expression {
    fn from(call: TemplateCall) -> Self {
        Self::Call(Box::new(call))
    }
}

/// A block of a call.
#[derive(Debug, Clone)]
pub(crate) struct TemplateBlock {
    /// The local variables of the parameters.
    pub parameters: Vec<usize>,
    /// The local variables that each call of the block begins without.
    pub locals: std::ops::Range<usize>,
    pub body: Expression,
}
