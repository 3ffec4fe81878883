//! A simplified syntax tree of Ruby: declarations of functions and types, and code that could change them.

use std::rc::Rc;

/// A syntax node with its position.
#[derive(Debug, Clone)]
pub struct RubyNode {
    /// Offset of the start, in bytes.
    pub start: usize,
    /// Offset of the end, in bytes.
    pub end: usize,
    /// The kind, with the children.
    pub kind: RubyNodeKind,
}

/// Kinds of nodes.
#[derive(Debug, Clone)]
pub enum RubyNodeKind {
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
    Text(Vec<TextPart>),
    /// A Symbol; also the key of `key: value`.
    Symbol(Vec<TextPart>),
    /// A regular expression, with its closing delimiter and options.
    Regexp(Vec<TextPart>, String),
    /// An Array.
    Array(Vec<RubyNode>),
    /// A Hash.
    Hash(Vec<HashPair>),
    /// The path of a constant, as `Puppet::Type`; with `::` in front where that is written.
    Constant(String),
    /// A local variable.
    Local(String),
    /// An instance variable.
    Instance(String),
    /// A global variable.
    Global(String),
    /// An attribute that is assigned to, as `a.b`; its receiver and name.
    Field(Box<RubyNode>, String),
    /// `a[b]`.
    Index(Box<RubyNode>, Vec<RubyNode>),
    /// A call of a method.
    Call(Box<RubyCall>),
    /// An operator with two operands.
    Binary(Box<RubyNode>, String, Box<RubyNode>),
    /// An operator with one operand.
    Unary(String, Box<RubyNode>),
    /// An assignment; with an operator as `+=`.
    Assign(Box<RubyNode>, Box<RubyNode>, Option<String>),
    /// An assignment to several targets.
    MultiAssign(Vec<RubyNode>, Box<RubyNode>),
    /// A method definition.
    Method(Box<RubyMethod>),
    /// A lambda, `->`.
    Lambda(Rc<RubyBlock>),
    /// `class` or `module`: the keyword, the name, the superclass and the body.
    Module(&'static str, Box<RubyNode>, Option<Box<RubyNode>>, Vec<RubyNode>),
    /// `class << self`.
    Singleton(Vec<RubyNode>),
    /// `if` or `unless`.
    If(Box<RubyIf>),
    /// `case` with `when`.
    Case(Box<RubyCase>),
    /// Other conditional code.
    Conditional(Vec<RubyNode>),
    /// A branch of a conditional: `when`, `else`, `rescue`.
    Clause(Vec<RubyNode>),
    /// `begin`, or the body of a method or block with `rescue` and the like.
    Begin(Vec<RubyNode>),
    /// Statements in parentheses.
    Parentheses(Vec<RubyNode>),
    /// `super`.
    Super(Vec<RubyNode>),
    /// `return`, `next`, `yield` and the like.
    Leave(Vec<RubyNode>),
    /// `*a`.
    Splat(Option<Box<RubyNode>>),
    /// `alias`: the new and the old name.
    Alias(Box<RubyNode>, Box<RubyNode>),
    /// `for`: the target, the collection and the body.
    For(Box<RubyNode>, Vec<RubyNode>),
    /// Anything else.
    Other(Vec<RubyNode>),
}

/// A part of a text.
#[derive(Debug, Clone)]
pub enum TextPart {
    /// Literal text: its source, its value and its offset in bytes.
    Text { raw: String, value: String, at: usize },
    /// An interpolation: its source with the delimiters, and its statements.
    Code { raw: String, statements: Vec<RubyNode> },
}

/// An entry of a Hash.
#[derive(Debug, Clone)]
pub enum HashPair {
    /// A key with its value; the value is `None` in the shorthand `name:`.
    Entry(RubyNode, Option<RubyNode>),
    /// Entries of another Hash.
    Splat(Option<RubyNode>),
}

/// A call of a method.
#[derive(Debug, Clone)]
pub struct RubyCall {
    /// The receiver; `None` for self.
    pub receiver: Option<RubyNode>,
    /// The name of the method.
    pub name: String,
    /// The arguments.
    pub args: Vec<RubyNode>,
    /// The block.
    pub block: Option<Rc<RubyBlock>>,
    /// The argument passed as the block, with `&`.
    pub passed_block: Option<RubyNode>,
    /// Offset of the method's name, in bytes.
    pub at: usize,
    /// Whether it may be a variable: a bare name without arguments or block.
    pub is_name: bool,
}

/// Parameters and body of a block, lambda or method.
#[derive(Debug, Clone)]
pub struct RubyBlock {
    /// Its parameters.
    pub parameters: RubyParameters,
    /// The statements of the body.
    pub body: Vec<RubyNode>,
}

/// A method definition.
#[derive(Debug, Clone)]
pub struct RubyMethod {
    /// Its name.
    pub name: String,
    /// Whether it is a singleton method, as in `def self.a`.
    pub is_singleton: bool,
    /// The parameters and the body.
    pub code: Rc<RubyBlock>,
}

/// `if` or `unless`.
#[derive(Debug, Clone)]
pub struct RubyIf {
    /// Whether the keyword is `unless`.
    pub negated: bool,
    /// Whether there is no other branch.
    pub is_single: bool,
    /// The condition.
    pub condition: RubyNode,
    /// The statements of the branch.
    pub statements: Vec<RubyNode>,
    /// The statements of `else` or `elsif`.
    pub otherwise: Vec<RubyNode>,
}

/// `case` with `when`.
#[derive(Debug, Clone)]
pub struct RubyCase {
    /// The value that is compared; without one, the patterns are conditions.
    pub subject: Option<RubyNode>,
    /// The branches: patterns with the statements for them.
    pub branches: Vec<(Vec<RubyNode>, Vec<RubyNode>)>,
    /// The statements of `else`.
    pub otherwise: Vec<RubyNode>,
}

/// The parameters of a method or block.
#[derive(Debug, Clone, Default)]
pub struct RubyParameters {
    /// The required parameters before the optional ones; destructured ones have no names.
    pub leading: Vec<RubyParameter>,
    /// The optional parameters.
    pub optional: Vec<RubyParameter>,
    /// The splat parameter.
    pub rest: Option<RubyParameter>,
    /// The required parameters after the optional ones.
    pub trailing: Vec<RubyParameter>,
    /// The keyword parameters.
    pub keywords: Vec<RubyParameter>,
    /// The block parameter.
    pub block: Option<RubyParameter>,
    /// Whether all arguments are forwarded, as with `...`.
    pub forwards: bool,
    /// The names of all variables, including destructured and block-local ones.
    pub names: Vec<String>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct RubyParameter {
    /// The name, if it has one.
    pub name: Option<String>,
    /// Offset, in bytes.
    pub at: usize,
    /// The default.
    pub default: Option<RubyNode>,
}

impl RubyNode {
    /// Returns the child nodes.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            RubyNodeKind::Nil
            | RubyNodeKind::Boolean(_)
            | RubyNodeKind::Myself
            | RubyNodeKind::Integer(_)
            | RubyNodeKind::Float(_) => Vec::new(),
            RubyNodeKind::Constant(_)
            | RubyNodeKind::Local(_)
            | RubyNodeKind::Instance(_)
            | RubyNodeKind::Global(_) => Vec::new(),
            RubyNodeKind::Text(parts) | RubyNodeKind::Symbol(parts) | RubyNodeKind::Regexp(parts, ..) => {
                parts.iter().flat_map(TextPart::statements).collect()
            }
            RubyNodeKind::Hash(pairs) => pairs.iter().flat_map(HashPair::nodes).collect(),
            RubyNodeKind::Field(receiver, _) | RubyNodeKind::Unary(_, receiver) => vec![receiver],
            RubyNodeKind::Index(receiver, args) => [&**receiver].into_iter().chain(args).collect(),
            RubyNodeKind::Call(call) => call.children(),
            RubyNodeKind::Binary(left, _, right) | RubyNodeKind::Alias(left, right) => vec![left, right],
            RubyNodeKind::Assign(target, value, _) => vec![target, value],
            RubyNodeKind::MultiAssign(targets, value) => targets.iter().chain([&**value]).collect(),
            RubyNodeKind::Method(method) => method.code.children().collect(),
            RubyNodeKind::Lambda(block) => block.children().collect(),
            RubyNodeKind::Module(_, name, parent, body) => {
                [&**name].into_iter().chain(parent.as_deref()).chain(body).collect()
            }
            RubyNodeKind::If(one) => one.children(),
            RubyNodeKind::Case(one) => one.children(),
            RubyNodeKind::For(target, rest) => [&**target].into_iter().chain(rest).collect(),
            RubyNodeKind::Splat(inner) => inner.as_deref().into_iter().collect(),
            RubyNodeKind::Array(items)
            | RubyNodeKind::Singleton(items)
            | RubyNodeKind::Conditional(items)
            | RubyNodeKind::Clause(items)
            | RubyNodeKind::Begin(items)
            | RubyNodeKind::Parentheses(items)
            | RubyNodeKind::Super(items)
            | RubyNodeKind::Leave(items)
            | RubyNodeKind::Other(items) => items.iter().collect(),
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
    pub fn call(&self) -> Option<&RubyCall> {
        match &self.kind {
            RubyNodeKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the path of a constant, without the leading `::`.
    pub fn constant(&self) -> Option<&str> {
        match &self.kind {
            RubyNodeKind::Constant(path) => Some(path.strip_prefix("::").unwrap_or(path)),
            _ => None,
        }
    }

    /// Returns the name of a local variable, or of a call that may be one.
    pub fn variable(&self) -> Option<&str> {
        match &self.kind {
            RubyNodeKind::Local(name) => Some(name),
            RubyNodeKind::Call(call) if call.is_name => Some(&call.name),
            _ => None,
        }
    }

    /// Returns the value of a String or Symbol without interpolations.
    pub fn literal(&self) -> Option<String> {
        self.parts()?.iter().map(TextPart::value).collect()
    }

    /// Returns the parts of a String or Symbol.
    pub fn parts(&self) -> Option<&[TextPart]> {
        match &self.kind {
            RubyNodeKind::Text(parts) | RubyNodeKind::Symbol(parts) => Some(parts),
            _ => None,
        }
    }

    /// Returns the entries of a Hash, with braces or without.
    pub fn pairs(&self) -> &[HashPair] {
        match &self.kind {
            RubyNodeKind::Hash(pairs) => pairs,
            _ => &[],
        }
    }

    /// Returns where the text of a String begins; of a heredoc that is below the rest of it.
    pub fn text_start(&self) -> usize {
        match (self.call(), self.parts()) {
            (Some(RubyCall { receiver: Some(inner), .. }), _) => inner.text_start(),
            (Some(call), _) => call.args.first().map_or(self.start, Self::text_start),
            (None, Some([TextPart::Text { at, .. }, ..])) => *at,
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
        let written: String = self.parts()?.iter().map(TextPart::raw).collect();
        if written.contains('\n') { Some(written) } else { self.literal() }
    }
}

impl TextPart {
    fn statements(&self) -> &[RubyNode] {
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

impl HashPair {
    fn nodes(&self) -> impl Iterator<Item = &RubyNode> {
        let (first, second) = match self {
            Self::Entry(key, value) => (Some(key), value.as_ref()),
            Self::Splat(value) => (value.as_ref(), None),
        };
        first.into_iter().chain(second)
    }
}

impl RubyCall {
    fn children(&self) -> Vec<&RubyNode> {
        let block = self.block.iter().flat_map(|block| block.children());
        self.receiver.iter().chain(&self.args).chain(&self.passed_block).chain(block).collect()
    }

    /// Returns true if the receiver is a constant with one of these paths.
    pub fn is_of(&self, paths: &[&str]) -> bool {
        self.receiver.as_ref().and_then(RubyNode::constant).is_some_and(|path| paths.contains(&path))
    }
}

impl RubyBlock {
    /// Returns the defaults of the parameters and the statements of the body.
    pub fn children(&self) -> impl Iterator<Item = &RubyNode> {
        self.parameters.defaults().chain(&self.body)
    }
}

impl RubyIf {
    fn children(&self) -> Vec<&RubyNode> {
        [&self.condition].into_iter().chain(&self.statements).chain(&self.otherwise).collect()
    }
}

impl RubyCase {
    fn children(&self) -> Vec<&RubyNode> {
        let branches =
            self.branches.iter().flat_map(|(patterns, statements)| patterns.iter().chain(statements));
        self.subject.iter().chain(branches).chain(&self.otherwise).collect()
    }

    /// Returns the same choice as statements of `if`: a pattern becomes a condition by `===`.
    pub fn as_conditions(&self) -> Vec<RubyNode> {
        let otherwise = self.otherwise.clone();
        self.branches.iter().rev().fold(otherwise, |otherwise, (patterns, statements)| {
            let conditions = patterns.iter().map(|pattern| self.condition(pattern));
            let Some(condition) = conditions.reduce(|one, other| joined(one, "||", other)) else {
                return otherwise;
            };
            let (start, end) = (condition.start, condition.end);
            let kind = RubyNodeKind::If(Box::new(RubyIf {
                negated: false,
                is_single: otherwise.is_empty(),
                condition,
                statements: statements.clone(),
                otherwise,
            }));
            vec![RubyNode { start, end, kind }]
        })
    }

    fn condition(&self, pattern: &RubyNode) -> RubyNode {
        match &self.subject {
            Some(subject) => joined(pattern.clone(), "===", subject.clone()),
            None => pattern.clone(),
        }
    }
}

fn joined(one: RubyNode, operator: &str, other: RubyNode) -> RubyNode {
    let (start, end) = (one.start, other.end);
    let kind = RubyNodeKind::Binary(Box::new(one), operator.to_owned(), Box::new(other));
    RubyNode { start, end, kind }
}

impl RubyParameters {
    fn defaults(&self) -> impl Iterator<Item = &RubyNode> {
        self.optional.iter().chain(&self.keywords).filter_map(|one| one.default.as_ref())
    }
}
