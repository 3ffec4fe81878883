//! Lambdas, and definitions of everything that has a name.

use std::borrow::Cow;

use super::{Block, Expr};
use puppetfn_base::source::Span;

/// `|parameters| >> Type { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda<'s> {
    /// The parameters.
    pub parameters: Vec<Parameter<'s>>,
    /// The type of the result.
    pub return_type: Option<Expr<'s>>,
    /// The body.
    pub body: Block<'s>,
    /// All of its text.
    pub span: Span,
}

/// `Type *$name = default`, or `Type &$name`.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter<'s> {
    /// The name, without the `$`.
    pub name: &'s str,
    /// The type.
    pub type_expr: Option<Expr<'s>>,
    /// Whether it takes all arguments that are left.
    pub captures_rest: bool,
    /// Whether it receives the call's block. Beyond Puppet, the last parameter of a function can.
    pub is_block: bool,
    /// The value if no argument is given.
    pub default: Option<Expr<'s>>,
    /// Span of the name, with the `$`; Puppet reports it as the parameter's position.
    pub span: Span,
}

/// `function name(parameters) >> Type { body }`, or a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDefinition<'s> {
    /// The name; a plan's is qualified with the names of the enclosing plans and classes.
    pub name: Cow<'s, str>,
    /// The parameters.
    pub parameters: Vec<Parameter<'s>>,
    /// The type of the result; a plan has none.
    pub return_type: Option<Expr<'s>>,
    /// The body.
    pub body: Block<'s>,
}

/// `class name(parameters) inherits parent { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassDefinition<'s> {
    /// The name, qualified with the names of the enclosing classes.
    pub name: Cow<'s, str>,
    /// The parameters.
    pub parameters: Vec<Parameter<'s>>,
    /// The class that it inherits.
    pub parent: Option<&'s str>,
    /// The body.
    pub body: Block<'s>,
}

/// `define name(parameters) { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct DefinedType<'s> {
    /// The name, qualified with the names of the enclosing classes.
    pub name: Cow<'s, str>,
    /// The parameters.
    pub parameters: Vec<Parameter<'s>>,
    /// The body.
    pub body: Block<'s>,
}

/// `node matches inherits parent { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeDefinition<'s> {
    /// The patterns of node names: strings, regular expressions and `default`; at least one.
    pub matches: Vec<Expr<'s>>,
    /// The node that it inherits. Puppet parses it but does not allow it.
    pub parent: Option<Expr<'s>>,
    /// The body.
    pub body: Block<'s>,
}

/// `type name = value`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeAlias<'s> {
    /// The name.
    pub name: &'s str,
    /// Span of the name, which Puppet reports as the alias's position.
    pub name_span: Span,
    /// The aliased type. For `type A = {...}` it is `Object[{...}]`.
    pub value: Expr<'s>,
}

/// `type type_expr = value`, where the first is not a plain name.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeMapping<'s> {
    /// The foreign type, as in `Runtime[ruby, 'A::B']`.
    pub type_expr: Expr<'s>,
    /// The Puppet type, or the pattern and replacement of its name.
    pub value: Expr<'s>,
}

/// `type name inherits parent { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDefinition<'s> {
    /// The name.
    pub name: &'s str,
    /// The parent type.
    pub parent: Option<&'s str>,
    /// The body between the braces.
    pub body: TypeBody<'s>,
}

impl<'s> TypeDefinition<'s> {
    /// Returns the members, unless the body consists of statements.
    pub fn members(&self) -> Option<&[TypeMember<'s>]> {
        match &self.body {
            TypeBody::Members(members) => Some(members),
            TypeBody::Statements(_) => None,
        }
    }
}

/// Body of a type definition.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeBody<'s> {
    /// Members, as in Puppet's ARM-7.
    Members(Vec<TypeMember<'s>>),
    /// Statements. Puppet parses them but does not allow them.
    Statements(Block<'s>),
}

/// A member of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeMember<'s> {
    /// `attr name, Type { settings }`.
    Attribute(Feature<'s>),
    /// `has name, Type { settings }`.
    Reference(Feature<'s>),
    /// `invariant "message" { body }`.
    Invariant(Invariant<'s>),
    /// `abstract`: the type has no instances of its own.
    Abstract(Span),
}

/// An attribute or a reference.
#[derive(Clone, PartialEq, Debug)]
pub struct Feature<'s> {
    /// The name.
    pub name: &'s str,
    /// Span of the name.
    pub name_span: Span,
    /// The type; `enum[a, b]` is an access of a name.
    pub type_expr: Option<Expr<'s>>,
    /// The settings in braces.
    pub settings: Vec<FeatureSetting<'s>>,
    /// Span of the whole definition.
    pub span: Span,
}

/// `name => value` of an attribute or a reference.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureSetting<'s> {
    /// The name.
    pub name: &'s str,
    /// Span of the name.
    pub name_span: Span,
    /// The value.
    pub value: SettingValue<'s>,
}

/// Value of a setting.
#[derive(Clone, PartialEq, Debug)]
pub enum SettingValue<'s> {
    /// A value, or a condition.
    Expr(Expr<'s>),
    /// `{ statements }`.
    Block(Block<'s>),
    /// `|$x| { statements }`.
    Lambda(Lambda<'s>),
}

/// An invariant: a condition that all instances of a type meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Invariant<'s> {
    /// The message if an instance violates the invariant.
    pub message: Option<Expr<'s>>,
    /// The condition: a block or a lambda.
    pub condition: SettingValue<'s>,
    /// Span of the whole definition.
    pub span: Span,
}
