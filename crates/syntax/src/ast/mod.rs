//! Syntax trees. They borrow from the text they were parsed from.
//!
//! An [`Expr`] has the [`Span`] of all of its text. Puppet's messages often report another position: see [`Expr::anchor`].

mod classify;
mod control;
mod definition;
mod doc;
mod resource;
mod walk;

use std::borrow::Cow;

pub use self::classify::OperatorFamily;
pub use self::control::{Block, Case, CaseOption, If, IfBranch, Selector, Unless};
pub use self::definition::{
    ClassDefinition, DefinedType, Feature, FeatureSetting, FunctionDefinition, Invariant, Lambda,
    NodeDefinition, Parameter, SettingValue, TypeAlias, TypeBody, TypeDefinition, TypeMapping, TypeMember,
};
pub use self::doc::DocComment;
pub use self::resource::{
    Apply, ArrowOp, AttributeOperation, Collector, CollectorQuery, OperationAttribute, ResourceBody,
    ResourceDefaults, ResourceExpr, ResourceForm, ResourceOverride,
};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::source::Span;

/// A whole text.
#[derive(Clone, PartialEq, Debug)]
pub struct Program<'s> {
    /// The text.
    pub text: &'s str,
    /// The statements, in order.
    pub statements: Vec<Expr<'s>>,
    /// Warnings of the lexer and parser, as of unrecognized escapes.
    pub warnings: Vec<Diagnostic>,
}

/// An expression with its span.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr<'s> {
    /// The kind, with the operands.
    pub kind: ExprKind<'s>,
    /// Span of the whole expression.
    pub span: Span,
}

/// The kinds of expressions.
#[repr(u64)] // as for tokens
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind<'s> {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer. Literals have no sign; 2^63 is useful only after a minus.
    Integer(u64),
    /// A float.
    Float(f64),
    /// A string without interpolation, or a bare word that is not a name.
    String(Cow<'s, str>),
    /// A string with interpolation.
    Interpolation(Vec<StringSegment<'s>>),
    /// `@(END)` and the text below it.
    Heredoc(Box<Heredoc<'s>>),
    /// A regular expression: the pattern between the slashes.
    Regexp(Cow<'s, str>),
    /// A name in lower case, maybe qualified: `a::b`.
    Name(&'s str),
    /// A name in upper case, maybe qualified: `A::B`.
    Reference(&'s str),
    /// A variable's name, without the `$`.
    Variable(&'s str),
    /// A word that is reserved for later versions of the language.
    Reserved(&'s str),
    /// Text that is not Puppet, with the expressions that could be parsed in it. Only [`Tree::recover`](crate::Tree::recover) makes it.
    Error(Vec<Expr<'s>>),
    /// `[a, b]`.
    Array(Vec<Expr<'s>>),
    /// `{a => b}`, or the same without braces at the end of a list.
    Hash(Vec<KeyedEntry<'s>>),
    /// `a[b, c]`.
    Access(Box<Access<'s>>),
    /// `a(b, c)`, or `include b, c`.
    Call(Box<FunctionCall<'s>>),
    /// `a.b(c)`.
    Method(Box<MethodCall<'s>>),
    /// `(a)`.
    Paren(Box<Expr<'s>>),
    /// An operator before its operand.
    Unary(UnaryOp, Box<Expr<'s>>),
    /// An operator between its operands, assignments and relationships among them.
    Binary(Box<BinaryExpr<'s>>),
    /// `a ? { b => c }`.
    Selector(Box<Selector<'s>>),
    /// `if a { } elsif b { } else { }`.
    If(Box<If<'s>>),
    /// `unless a { } else { }`.
    Unless(Box<Unless<'s>>),
    /// `case a { b, c: { } }`.
    Case(Box<Case<'s>>),
    /// Statements where one expression is expected, as in `<%= { a; b } %>`. The braces of
    /// conditions, functions and the like hold a [`Block`] instead.
    Block(Vec<Expr<'s>>),
    /// `function a($b) >> C { }`.
    Function(Box<FunctionDefinition<'s>>),
    /// `plan a($b) { }`.
    Plan(Box<FunctionDefinition<'s>>),
    /// `type A = b`.
    TypeAlias(Box<TypeAlias<'s>>),
    /// `type A[b] = c`.
    TypeMapping(Box<TypeMapping<'s>>),
    /// `type A inherits B { }`.
    TypeDefinition(Box<TypeDefinition<'s>>),
    /// `class a($b) inherits c { }`.
    Class(Box<ClassDefinition<'s>>),
    /// `define a($b) { }`.
    ResourceType(Box<DefinedType<'s>>),
    /// `node a, /b/ { }`.
    Node(Box<NodeDefinition<'s>>),
    /// `a { b: c => d }`.
    Resource(Box<ResourceExpr<'s>>),
    /// `A { b => c }`.
    ResourceDefaults(Box<ResourceDefaults<'s>>),
    /// `A[b] { c => d }`.
    ResourceOverride(Box<ResourceOverride<'s>>),
    /// `A <| b == c |>`.
    Collector(Box<Collector<'s>>),
    /// `apply(a) { }`.
    Apply(Box<Apply<'s>>),
    /// A whole template.
    Template(Box<TemplateExpr<'s>>),
    /// The text between the tags of a template.
    RenderText(Cow<'s, str>),
    /// `<%= a %>`.
    Render(Box<Expr<'s>>),
}

/// A part of a string with interpolation.
#[derive(Clone, PartialEq, Debug)]
pub enum StringSegment<'s> {
    /// Plain text, and its span as reported by Puppet: with the quotes, `${` and `}` around it.
    Text(Cow<'s, str>, Span),
    /// `$x` or `${x}`.
    Expr(Expr<'s>),
}

/// A heredoc: a text below the line that uses it.
#[derive(Clone, PartialEq, Debug)]
pub struct Heredoc<'s> {
    /// Name of the text's syntax, as in `@(END:json)`.
    pub syntax: Option<&'s str>,
    /// The indentation that is removed from the lines which have it.
    pub margin: &'s str,
    /// The text: an [`ExprKind::String`] or an [`ExprKind::Interpolation`].
    pub text: Expr<'s>,
}

/// An entry of a hash, or of a selector.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyedEntry<'s> {
    /// The key.
    pub key: Expr<'s>,
    /// The value.
    pub value: Expr<'s>,
    /// Offset of the arrow, which Puppet reports as the position of the entry.
    pub arrow: u32,
}

/// `operand[keys]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Access<'s> {
    /// The receiver.
    pub operand: Expr<'s>,
    /// The keys in brackets; at least one.
    pub keys: Vec<Expr<'s>>,
}

/// `function(arguments) |$x| { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCall<'s> {
    /// The callee, usually a name.
    pub function: Expr<'s>,
    /// The arguments.
    pub arguments: Vec<Expr<'s>>,
    /// The block after the arguments.
    pub lambda: Option<Lambda<'s>>,
    /// Whether the call is a statement of its own, so that it needs no value.
    pub is_statement: bool,
}

/// `receiver.name(arguments) |$x| { }`.
#[derive(Clone, PartialEq, Debug)]
pub struct MethodCall<'s> {
    /// The first argument.
    pub receiver: Expr<'s>,
    /// The name of the function.
    pub name: &'s str,
    /// Span of the name.
    pub name_span: Span,
    /// The other arguments.
    pub arguments: Vec<Expr<'s>>,
    /// The block after the arguments.
    pub lambda: Option<Lambda<'s>>,
    /// Offset of the parenthesis, or of the dot if there is none, which Puppet reports as the call's position.
    pub at: u32,
}

/// `left op right`.
#[derive(Clone, PartialEq, Debug)]
pub struct BinaryExpr<'s> {
    /// The operator.
    pub op: BinaryOp,
    /// Offset of the operator, which Puppet reports as the expression's position.
    pub at: u32,
    /// The left operand.
    pub left: Expr<'s>,
    /// The right operand.
    pub right: Expr<'s>,
}

/// An EPP template.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateExpr<'s> {
    /// The parameters in `<%- | $x | -%>`; `None` if it does not say.
    pub parameters: Option<Vec<Parameter<'s>>>,
    /// The texts, the expressions and the code between them.
    pub body: Vec<Expr<'s>>,
}

/// The prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `*`
    Splat,
}

/// The infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Assign,
    Append,
    Delete,
    Before,
    Notify,
    After,
    Subscribe,
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Match,
    NotMatch,
    In,
}

impl Expr<'_> {
    /// Returns the offset at which Puppet's messages place the expression. For operators it is the
    /// operator's, for method calls the parenthesis, for aliases the name, for others the start.
    pub fn anchor(&self) -> u32 {
        match &self.kind {
            ExprKind::Binary(binary) => binary.at,
            ExprKind::Method(method) => method.at,
            ExprKind::Access(access) => access.operand.anchor(),
            ExprKind::Call(call) => call.function.anchor(),
            ExprKind::Selector(selector) => selector.operand.anchor(),
            ExprKind::Collector(collector) => collector.type_expr.anchor(),
            ExprKind::TypeAlias(alias) => alias.name_span.start,
            ExprKind::TypeMapping(mapping) => mapping.type_expr.anchor(),
            ExprKind::Resource(resource) if resource.form == ResourceForm::Regular => {
                resource.type_name.anchor()
            }
            ExprKind::ResourceDefaults(defaults) if defaults.form == ResourceForm::Regular => {
                defaults.type_ref.anchor()
            }
            ExprKind::ResourceOverride(overrides) if overrides.form == ResourceForm::Regular => {
                overrides.resources.anchor()
            }
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Interpolation(_)
            | ExprKind::Heredoc(_)
            | ExprKind::Regexp(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::Error(_)
            | ExprKind::Array(_)
            | ExprKind::Hash(_)
            | ExprKind::Paren(_)
            | ExprKind::Unary(..)
            | ExprKind::If(_)
            | ExprKind::Unless(_)
            | ExprKind::Case(_)
            | ExprKind::Block(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_)
            | ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Apply(_)
            | ExprKind::Template(_)
            | ExprKind::RenderText(_)
            | ExprKind::Render(_) => self.span.start,
        }
    }

    /// Returns the part of the text that a diagnostic about the expression shows: from the anchor to the end of the
    /// expression, or to the body of a definition, with the space before that.
    pub fn diagnostic_span(&self) -> Span {
        let start = self.anchor();
        let end = self.kind.body().map_or(self.span.end, |body| body.span.start);
        Span::new(start, end.max(start))
    }
}
