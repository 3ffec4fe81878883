//! Classes and defined types: their files, nesting and inheritance.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no definition")]

use super::super::rule::Rule;
use super::{Style, documentation, parameters};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{ClassDefinition, Expr, ExprKind};

/// Checks a statement that is in no other.
pub(super) fn top(style: &mut Style<'_, '_>, statement: &Expr<'_>) {
    if !statement.kind.is_definition() {
        let message = "The code is in no class, defined type, function or node";
        style.report(Rule::CodeOnTopScope, statement.diagnostic_span(), message);
    }
}

pub(super) fn check<'s>(style: &mut Style<'_, 's>, expr: &Expr<'s>) {
    let (kind, name) = match &expr.kind {
        ExprKind::Class(class) => ("class", &class.name),
        ExprKind::ResourceType(defined) => ("defined type", &defined.name),
        ExprKind::Function(_) => return documentation::parameters(style, expr),
        _ => return,
    };
    if style.tree.mode().template {
        return;
    }
    let head = Span::rest_of_line(style.text, expr.span.start);
    if matches!(style.definition.map(|around| &around.kind), Some(ExprKind::Class(_))) {
        style.report(Rule::NestedClassesOrDefines, head, format!("The {kind} is defined in a class"));
    }
    documentation::definition(style, expr, kind);
    documentation::parameters(style, expr);
    layout(style, head, name);
    parameters::check(style, expr);
    if let ExprKind::Class(class) = &expr.kind {
        parent(style, class, expr.span);
    }
}

/// Compares the path of a file with the name of its definition.
fn layout(style: &mut Style<'_, '_>, head: Span, name: &str) {
    let Some(file) = style.tree.file() else { return };
    let path = file.replace('\\', "/");
    let name = name.strip_prefix("::").unwrap_or(name);
    let (module, rest) = name.split_once("::").unwrap_or((name, "init"));
    let within = format!("manifests/{}.pp", rest.replace("::", "/"));
    let is_there = path.strip_suffix(&within).is_some_and(|before| {
        let directory = before.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let is_module = directory == module || style.origin.module.as_deref() == Some(module);
        is_module || style.selection().is_relative() && (before.is_empty() || before.ends_with('/'))
    });
    if !is_there {
        let message = format!("'{name}' is not in the file where it is looked for: {module}/{within}");
        style.report(Rule::AutoloaderLayout, head, message);
    }
}

fn parent(style: &mut Style<'_, '_>, class: &ClassDefinition<'_>, span: Span) {
    let Some(parent) = class.parent else { return };
    let at = Span::of_part(style.text, parent).unwrap_or(span);
    let name = parent.strip_prefix("::").unwrap_or(parent);
    let module = |name: &str| name.split("::").next().unwrap_or_default().to_owned();
    if name.ends_with("::params") {
        let message = "The class inherits from a class of parameters";
        style.report(Rule::ClassInheritsFromParamsClass, at, message);
    }
    if module(name) != module(class.name.strip_prefix("::").unwrap_or(&class.name)) {
        style.report(Rule::InheritsAcrossNamespaces, at, "The class inherits from one of another module");
    }
}
