//! The definitions of a text, as a tree.
#![allow(clippy::wildcard_enum_match_arm, reason = "only named definitions are shown")]

use super::names::name_span;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, Parameter, Program, ResourceExpr};

/// A named element of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// The name.
    pub name: String,
    /// A detail, such as the type of a parameter.
    pub detail: String,
    /// The kind.
    pub kind: OutlineKind,
    /// The span of the whole element.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The elements within this one.
    pub children: Vec<Outline>,
}

/// The kinds of named elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OutlineKind {
    Class,
    DefinedType,
    Function,
    Plan,
    TypeAlias,
    Node,
    Resource,
    Parameter,
    Variable,
}

/// Returns the definitions of a text, in its order. Conditions and the like have no level of their own.
pub fn outline(program: &Program<'_>) -> Vec<Outline> {
    let mut found = Vec::new();
    program.statements.iter().for_each(|statement| add(program.text, statement, &mut found));
    found
}

fn add(text: &str, expr: &Expr<'_>, found: &mut Vec<Outline>) {
    let (kind, name, parameters): (_, &str, &[Parameter<'_>]) = match &expr.kind {
        ExprKind::Class(class) => (OutlineKind::Class, &class.name, &class.parameters),
        ExprKind::ResourceType(define) => (OutlineKind::DefinedType, &define.name, &define.parameters),
        ExprKind::Function(function) => (OutlineKind::Function, &function.name, &function.parameters),
        ExprKind::Plan(plan) => (OutlineKind::Plan, &plan.name, &plan.parameters),
        ExprKind::TypeAlias(alias) => (OutlineKind::TypeAlias, alias.name, &[]),
        ExprKind::TypeDefinition(definition) => (OutlineKind::TypeAlias, definition.name, &[]),
        ExprKind::Node(_) => (OutlineKind::Node, name_span(text, expr).unwrap_or_default().text(text), &[]),
        ExprKind::Resource(resource) => return resources(text, resource, expr.span, found),
        ExprKind::Binary(binary) => {
            if let (ExprKind::Variable(name), puppetfn_syntax::ast::BinaryOp::Assign) =
                (&binary.left.kind, binary.op)
            {
                found.push(leaf(OutlineKind::Variable, format!("${name}"), expr.span, binary.left.span));
            }
            return expr.for_each_child(&mut |child| add(text, child, found));
        }
        _ => return expr.for_each_child(&mut |child| add(text, child, found)),
    };
    let mut children: Vec<_> = parameters.iter().map(|one| parameter(text, one)).collect();
    expr.for_each_child(&mut |child| add(text, child, &mut children));
    let name_span = name_span(text, expr).unwrap_or(expr.span);
    found.push(Outline {
        name: name.to_owned(),
        detail: String::new(),
        kind,
        span: expr.span,
        name_span,
        children,
    });
}

fn leaf(kind: OutlineKind, name: String, span: Span, name_span: Span) -> Outline {
    Outline { name, detail: String::new(), kind, span, name_span, children: Vec::new() }
}

fn parameter(text: &str, parameter: &Parameter<'_>) -> Outline {
    let name_span = Span::of_part(text, parameter.name).unwrap_or(parameter.span);
    let t = parameter.type_expr.as_ref();
    let detail = t.map(|t| t.span.text(text).split_whitespace().collect::<Vec<_>>().join(" "));
    let parts = [t.map(|t| t.span), parameter.default.as_ref().map(|default| default.span)];
    let span = parts.into_iter().flatten().fold(parameter.span, Span::to);
    let leaf = leaf(OutlineKind::Parameter, format!("${}", parameter.name), span, name_span);
    Outline { detail: detail.unwrap_or_default(), ..leaf }
}

fn resources(text: &str, resource: &ResourceExpr<'_>, span: Span, found: &mut Vec<Outline>) {
    let type_name = resource.type_name.span.text(text);
    for body in &resource.bodies {
        let title = body.title.span;
        let end = body.operations.last().map_or(title, |last| title.to(last.span));
        let whole = if resource.bodies.len() == 1 { span } else { end };
        let name = format!(
            "{type_name} {{ {} }}",
            title.text(text).split_whitespace().collect::<Vec<_>>().join(" ")
        );
        found.push(leaf(OutlineKind::Resource, name, whole, title));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;
    use puppetfn_syntax::parse;

    fn show(outline: &[Outline], depth: usize, shown: &mut String) {
        for one in outline {
            *shown += &format!("{}{:?} {} {}", "  ".repeat(depth), one.kind, one.name, one.detail);
            *shown = format!("{}\n", shown.trim_end());
            show(&one.children, depth + 1, shown);
        }
    }

    #[test]
    fn definitions_have_what_is_in_them() {
        let text = "class m(Array[ Integer ] $x = [1]) {\n  if $x { file { ['/a', '/b']: } }\n  $y = 1\n}\n\
            type M::T = Integer\nfunction m::f($a) { $a }\nnode 'x', /y/ { user { 'a':; 'b': } }";
        let mut shown = String::new();
        show(&outline(&parse(text, &Limits::DEFAULT).unwrap()), 0, &mut shown);
        assert_eq!(
            shown,
            "Class m\n  Parameter $x Array[ Integer ]\n  Resource file { ['/a', '/b'] }\n  Variable $y\n\
             TypeAlias M::T\nFunction m::f\n  Parameter $a\nNode 'x', /y/\n  Resource user { 'a' }\n  Resource user { 'b' }\n"
        );
    }
}
