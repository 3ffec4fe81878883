//! A simplified syntax tree of Ruby: declarations of functions and types, and code that could change them.

use std::rc::Rc;

/// A syntax node with its position.
#[derive(Debug, Clone)]
pub struct Node {
    /// Offset of the start, in bytes.
    pub start: usize,
    /// Offset of the end, in bytes.
    pub end: usize,
    /// The kind, with the children.
    pub kind: Kind,
}

/// Kinds of nodes.
#[derive(Debug, Clone)]
pub enum Kind {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Boolean(bool),
    /// `self`.
    Myself,
    /// An Integer; none if it has more than 64 bits.
    Integer(Option<i64>),
    /// A Float.
    Float(f64),
    /// A String.
    Text(Vec<Part>),
    /// A Symbol; also the key of `key: value`.
    Symbol(Vec<Part>),
    /// A regular expression, with its closing delimiter and options.
    Regexp(Vec<Part>, String),
    /// An Array.
    Array(Vec<Node>),
    /// A Hash.
    Hash(Vec<Pair>),
    /// The path of a constant, as `Puppet::Type`; with `::` in front where that is written.
    Constant(String),
    /// A local variable.
    Local(String),
    /// An instance variable.
    Instance(String),
    /// A global variable.
    Global(String),
    /// An attribute that is assigned to, as `a.b`; its receiver and name.
    Field(Box<Node>, String),
    /// `a[b]`.
    Index(Box<Node>, Vec<Node>),
    /// A call of a method.
    Call(Box<Call>),
    /// An operator with two operands.
    Binary(Box<Node>, String, Box<Node>),
    /// An operator with one operand.
    Unary(String, Box<Node>),
    /// An assignment; with an operator as `+=`.
    Assign(Box<Node>, Box<Node>, Option<String>),
    /// An assignment to several targets.
    MultiAssign(Vec<Node>, Box<Node>),
    /// A method definition.
    Method(Box<Method>),
    /// A lambda, `->`.
    Lambda(Rc<Block>),
    /// `class` or `module`: the keyword, the name, the superclass and the body.
    Module(&'static str, Box<Node>, Option<Box<Node>>, Vec<Node>),
    /// `class << self`.
    Singleton(Vec<Node>),
    /// `if` or `unless`.
    If(Box<If>),
    /// Other conditional code.
    Conditional(Vec<Node>),
    /// A branch of a conditional: `when`, `else`, `rescue`.
    Clause(Vec<Node>),
    /// `begin`, or the body of a method or block with `rescue` and the like: the statements, and whether one is a `rescue`.
    Begin(Vec<Node>, bool),
    /// Statements in parentheses.
    Parentheses(Vec<Node>),
    /// `super`.
    Super(Vec<Node>),
    /// `return`, `next`, `yield` and the like.
    Leave(Vec<Node>),
    /// `*a`.
    Splat(Option<Box<Node>>),
    /// `alias`: the new and the old name.
    Alias(Box<Node>, Box<Node>),
    /// `for`: the target, the collection and the body.
    For(Box<Node>, Vec<Node>),
    /// Anything else.
    Other(Vec<Node>),
}

/// A part of a text.
#[derive(Debug, Clone)]
pub enum Part {
    /// Literal text: its source, its value and its offset in bytes.
    Text { raw: String, value: String, at: usize },
    /// An interpolation: its source with the delimiters, and its statements.
    Code { raw: String, statements: Vec<Node> },
}

/// An entry of a Hash.
#[derive(Debug, Clone)]
pub enum Pair {
    /// A key with its value; the value is `None` in the shorthand `name:`.
    Entry(Node, Option<Node>),
    /// Entries of another Hash.
    Splat(Option<Node>),
}

/// A call of a method.
#[derive(Debug, Clone)]
pub struct Call {
    /// The receiver; `None` for self.
    pub receiver: Option<Node>,
    /// The name of the method.
    pub name: String,
    /// The arguments.
    pub args: Vec<Node>,
    /// The block.
    pub block: Option<Rc<Block>>,
    /// The argument passed as the block, with `&`.
    pub passed_block: Option<Node>,
    /// Offset of the method's name, in bytes.
    pub at: usize,
    /// Whether it may be a variable: a bare name without arguments or block.
    pub is_name: bool,
}

/// Parameters and body of a block, lambda or method.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its parameters.
    pub parameters: Parameters,
    /// The statements of the body.
    pub body: Vec<Node>,
}

/// A method definition.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Whether it is a singleton method, as in `def self.a`.
    pub is_singleton: bool,
    /// The parameters and the body.
    pub code: Rc<Block>,
}

/// `if` or `unless`.
#[derive(Debug, Clone)]
pub struct If {
    /// Whether the keyword is `unless`.
    pub negated: bool,
    /// Whether there is no other branch.
    pub is_single: bool,
    /// The condition.
    pub condition: Node,
    /// The statements of the branch.
    pub statements: Vec<Node>,
    /// The statements of `else` or `elsif`.
    pub otherwise: Vec<Node>,
}

/// The parameters of a method or block.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    /// The required parameters before the optional ones; destructured ones have no names.
    pub leading: Vec<Parameter>,
    /// The optional parameters.
    pub optional: Vec<Parameter>,
    /// The splat parameter.
    pub rest: Option<Parameter>,
    /// The required parameters after the optional ones.
    pub trailing: Vec<Parameter>,
    /// The keyword parameters.
    pub keywords: Vec<Parameter>,
    /// The block parameter.
    pub block: Option<Parameter>,
    /// Whether all arguments are forwarded, as with `...`.
    pub forwards: bool,
    /// The names of all variables, including destructured and block-local ones.
    pub names: Vec<String>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name, if it has one.
    pub name: Option<String>,
    /// Offset, in bytes.
    pub at: usize,
    /// The default.
    pub default: Option<Node>,
}

impl Node {
    /// Returns the child nodes.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Nil | Kind::Boolean(_) | Kind::Myself | Kind::Integer(_) | Kind::Float(_) => Vec::new(),
            Kind::Constant(_) | Kind::Local(_) | Kind::Instance(_) | Kind::Global(_) => Vec::new(),
            Kind::Text(parts) | Kind::Symbol(parts) | Kind::Regexp(parts, ..) => {
                parts.iter().flat_map(Part::statements).collect()
            }
            Kind::Hash(pairs) => pairs.iter().flat_map(Pair::nodes).collect(),
            Kind::Field(receiver, _) | Kind::Unary(_, receiver) => vec![receiver],
            Kind::Index(receiver, args) => [&**receiver].into_iter().chain(args).collect(),
            Kind::Call(call) => call.children(),
            Kind::Binary(left, _, right) | Kind::Alias(left, right) => vec![left, right],
            Kind::Assign(target, value, _) => vec![target, value],
            Kind::MultiAssign(targets, value) => targets.iter().chain([&**value]).collect(),
            Kind::Method(method) => method.code.children().collect(),
            Kind::Lambda(block) => block.children().collect(),
            Kind::Module(_, name, parent, body) => {
                [&**name].into_iter().chain(parent.as_deref()).chain(body).collect()
            }
            Kind::If(one) => one.children(),
            Kind::For(target, rest) => [&**target].into_iter().chain(rest).collect(),
            Kind::Splat(inner) => inner.as_deref().into_iter().collect(),
            Kind::Array(items)
            | Kind::Singleton(items)
            | Kind::Conditional(items)
            | Kind::Clause(items)
            | Kind::Begin(items, _)
            | Kind::Parentheses(items)
            | Kind::Super(items)
            | Kind::Leave(items)
            | Kind::Other(items) => items.iter().collect(),
        }
    }

    /// Visits the node and its descendants in preorder. The children of a node are skipped if `enter` returns false for it.
    pub fn walk<'a>(&'a self, enter: &mut dyn FnMut(&'a Self) -> bool) {
        if enter(self) {
            for child in self.children() {
                child.walk(enter);
            }
        }
    }

    /// Returns true if the predicate holds for the node or a descendant.
    pub fn any(&self, holds: &dyn Fn(&Self) -> bool) -> bool {
        holds(self) || self.children().iter().any(|child| child.any(holds))
    }

    /// Returns the call, if the node is one.
    pub fn call(&self) -> Option<&Call> {
        match &self.kind {
            Kind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the path of a constant, without the leading `::`.
    pub fn constant(&self) -> Option<&str> {
        match &self.kind {
            Kind::Constant(path) => Some(path.strip_prefix("::").unwrap_or(path)),
            _ => None,
        }
    }

    /// Returns the name of a local variable, or of a call that may be one.
    pub fn variable(&self) -> Option<&str> {
        match &self.kind {
            Kind::Local(name) => Some(name),
            Kind::Call(call) if call.is_name => Some(&call.name),
            _ => None,
        }
    }

    /// Returns the value of a String or Symbol without interpolations.
    pub fn literal(&self) -> Option<String> {
        self.parts()?.iter().map(Part::value).collect()
    }

    /// Returns the parts of a String or Symbol.
    pub fn parts(&self) -> Option<&[Part]> {
        match &self.kind {
            Kind::Text(parts) | Kind::Symbol(parts) => Some(parts),
            _ => None,
        }
    }

    /// Returns the entries of a Hash, with braces or without.
    pub fn pairs(&self) -> &[Pair] {
        match &self.kind {
            Kind::Hash(pairs) => pairs,
            _ => &[],
        }
    }

    /// Returns where the text of a String begins; of a heredoc that is below the rest of it.
    pub fn text_start(&self) -> usize {
        match (self.call(), self.parts()) {
            (Some(Call { receiver: Some(inner), .. }), _) => inner.text_start(),
            (Some(call), _) => call.args.first().map_or(self.start, Self::text_start),
            (None, Some([Part::Text { at, .. }, ..])) => *at,
            _ => self.start,
        }
    }

    /// Returns the value of a text for readers, like `<<EOS.strip`. Multi-line texts are returned as in the source:
    /// their `\n` is meant literally, and interpolations have no known value.
    pub fn prose(&self) -> Option<String> {
        if let Some(call) = self.call() {
            let inner = call.receiver.as_ref().or_else(|| call.args.first().filter(|_| call.name == "_"));
            return inner.and_then(Self::prose);
        }
        let written: String = self.parts()?.iter().map(Part::raw).collect();
        if written.contains('\n') { Some(written) } else { self.literal() }
    }
}

impl Part {
    fn statements(&self) -> &[Node] {
        match self {
            Self::Text { .. } => &[],
            Self::Code { statements, .. } => statements,
        }
    }

    /// Returns the literal text; `None` for an interpolation.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Text { value, .. } => Some(value),
            Self::Code { .. } => None,
        }
    }

    /// Returns the source.
    pub fn raw(&self) -> &str {
        match self {
            Self::Text { raw, .. } | Self::Code { raw, .. } => raw,
        }
    }
}

impl Pair {
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        let (first, second) = match self {
            Self::Entry(key, value) => (Some(key), value.as_ref()),
            Self::Splat(value) => (value.as_ref(), None),
        };
        first.into_iter().chain(second)
    }
}

impl Call {
    fn children(&self) -> Vec<&Node> {
        let block = self.block.iter().flat_map(|block| block.children());
        self.receiver.iter().chain(&self.args).chain(&self.passed_block).chain(block).collect()
    }

    /// Returns true if the receiver is a constant with one of these paths.
    pub fn is_of(&self, paths: &[&str]) -> bool {
        self.receiver.as_ref().and_then(Node::constant).is_some_and(|path| paths.contains(&path))
    }
}

impl Block {
    /// Returns the defaults of the parameters and the statements of the body.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parameters.defaults().chain(&self.body)
    }
}

impl If {
    fn children(&self) -> Vec<&Node> {
        [&self.condition].into_iter().chain(&self.statements).chain(&self.otherwise).collect()
    }
}

impl Parameters {
    fn defaults(&self) -> impl Iterator<Item = &Node> {
        self.optional.iter().chain(&self.keywords).filter_map(|one| one.default.as_ref())
    }
}
