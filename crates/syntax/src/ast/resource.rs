//! Expressions that add or change resources of a catalog.

use super::{Block, Expr};
use puppetfn_base::source::Span;

/// Form of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceForm {
    /// `a { }`.
    Regular,
    /// `@a { }`.
    Virtual,
    /// `@@a { }`.
    Exported,
}

/// `type_name { bodies }`.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceExpr<'s> {
    /// The form.
    pub form: ResourceForm,
    /// The type, mostly a name. Of `class { }`, it is the name `class`.
    pub type_name: Expr<'s>,
    /// The resources; at least one.
    pub bodies: Vec<ResourceBody<'s>>,
}

/// `title: operations`.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceBody<'s> {
    /// The title, or the titles.
    pub title: Expr<'s>,
    /// The attributes.
    pub operations: Vec<AttributeOperation<'s>>,
}

/// `name => value`, `name +> value` or `* => value`.
#[derive(Clone, PartialEq, Debug)]
pub struct AttributeOperation<'s> {
    /// Which attributes are set.
    pub attribute: OperationAttribute<'s>,
    /// The value.
    pub value: Expr<'s>,
    /// All of its text.
    pub span: Span,
}

/// The attributes that an operation sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationAttribute<'s> {
    /// One by its name.
    Named(&'s str, ArrowOp),
    /// `*`: all that the value, a hash, has.
    All,
}

/// The operators between an attribute and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowOp {
    /// `=>`
    Set,
    /// `+>`
    Append,
}

/// `type_ref { operations }`.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceDefaults<'s> {
    /// The form. Puppet parses the virtual and exported forms but does not allow them.
    pub form: ResourceForm,
    /// The type of the resources.
    pub type_ref: Expr<'s>,
    /// The attributes.
    pub operations: Vec<AttributeOperation<'s>>,
}

/// `resources { operations }`.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceOverride<'s> {
    /// The form. Puppet parses the virtual and exported forms but does not allow them.
    pub form: ResourceForm,
    /// The resources: an access.
    pub resources: Expr<'s>,
    /// The attributes.
    pub operations: Vec<AttributeOperation<'s>>,
}

/// `type_expr <| query |> { operations }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Collector<'s> {
    /// The type of the resources.
    pub type_expr: Expr<'s>,
    /// Which of them are collected.
    pub query: CollectorQuery<'s>,
    /// The attributes that are changed.
    pub operations: Vec<AttributeOperation<'s>>,
}

/// `<| condition |>` or `<<| condition |>>`.
#[derive(Clone, PartialEq, Debug)]
pub struct CollectorQuery<'s> {
    /// Whether exported resources are collected, not virtual ones.
    pub exported: bool,
    /// The condition; all resources are collected if there is none.
    pub condition: Option<Expr<'s>>,
    /// All of its text.
    pub span: Span,
}

/// `apply(arguments) { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Apply<'s> {
    /// The arguments.
    pub arguments: Vec<Expr<'s>>,
    /// The body.
    pub body: Block<'s>,
}
