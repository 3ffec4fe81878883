//! Variables and parameters that nothing reads.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest makes no scope, and renders no template")]

use std::collections::HashSet;
use std::sync::Arc;

use super::super::rule::Rule;
use super::super::words::counts;
use super::Style;
use puppetfn_syntax::ast::{BinaryOp, Expr, ExprKind, StringSegment};

/// Functions that read variables of the scope by names in data.
const LOOKUPS: [&str; 6] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include", "getvar"];

/// The code that can read the variables of a definition, besides its own text.
#[derive(Default)]
struct Readers {
    /// The words in the templates that it renders, and in the other templates of its module.
    words: Vec<Arc<HashSet<String>>>,
    /// Whether it may be any code.
    is_any: bool,
}

/// Reports the unused variables and parameters of a class, a defined type or a function.
pub(super) fn check(style: &mut Style<'_, '_>, definition: &Expr<'_>) {
    let (name, is_class, is_function) = match &definition.kind {
        ExprKind::Class(class) => (&class.name, true, false),
        ExprKind::ResourceType(defined) => (&defined.name, false, false),
        ExprKind::Function(function) => (&function.name, false, true),
        _ => return,
    };
    let rules = [Rule::UnusedVariable, Rule::UnusedParameter];
    if !rules.into_iter().any(|rule| style.selection().has(rule)) || style.tree.mode().template {
        return;
    }
    if is_class && style.world.is_inherited(name) {
        return;
    }
    let text = definition.span.text(style.text);
    let mut candidates = Vec::new();
    if !is_function {
        for parameter in definition.kind.parameters().unwrap_or_default() {
            candidates.push((Rule::UnusedParameter, parameter.name, parameter.span));
        }
    }
    assignments(definition, &mut |name, span| candidates.push((Rule::UnusedVariable, name, span)));
    let counts = counts(text);
    candidates.retain(|(_, variable, _)| !variable.starts_with('_') && counts.get(variable) == Some(&1));
    if is_class {
        candidates.retain(|(_, variable, _)| !style.world.reads_variable(name, variable));
    }
    if candidates.is_empty() {
        return;
    }
    let readers = readers(style, definition);
    candidates.retain(|(_, variable, _)| {
        !readers.is_any && !readers.words.iter().any(|words| words.contains(*variable))
    });
    for (rule, variable, span) in candidates {
        let kind = if rule == Rule::UnusedParameter { "parameter" } else { "variable" };
        style.report(rule, span, format!("Nothing reads the {kind} '{variable}'"));
    }
}

/// Calls a function with each variable that is assigned in an expression by its own name.
fn assignments<'e>(expr: &'e Expr<'_>, found: &mut impl FnMut(&'e str, puppetfn_base::source::Span)) {
    if let ExprKind::Binary(binary) = &expr.kind
        && binary.op == BinaryOp::Assign
        && let ExprKind::Variable(name) = &binary.left.kind
        && !name.contains("::")
    {
        found(name, binary.left.span);
    }
    expr.for_each_child(&mut |child| assignments(child, found));
    if let Some(lambda) = expr.kind.lambda() {
        lambda.body.statements.iter().for_each(|child| assignments(child, found));
    }
}

/// Returns the code that can read the variables of a definition.
fn readers(style: &Style<'_, '_>, definition: &Expr<'_>) -> Readers {
    let mut readers = Readers::default();
    match &style.origin.module {
        Some(module) => add_module(style, module, &mut readers),
        // The templates of a module that is not known may read the variables.
        None => readers.is_any = has_template(definition),
    }
    calls(definition, &mut |name, arguments| match name {
        "template" | "epp" => arguments.iter().for_each(|file| match template_module(file) {
            Some(module) => add_module(style, module, &mut readers),
            None => readers.is_any |= !is_own_template(file),
        }),
        _ if LOOKUPS.contains(&name) => readers.is_any = true,
        _ => {}
    });
    readers
}

fn has_template(definition: &Expr<'_>) -> bool {
    let mut found = false;
    calls(definition, &mut |name, _| found |= matches!(name, "template" | "epp"));
    found
}

fn add_module(style: &Style<'_, '_>, module: &str, readers: &mut Readers) {
    match style.world.template_words(module) {
        Some(words) => readers.words.push(words),
        None => readers.is_any = true,
    }
}

/// Returns the module in the name of a template: `m/t.erb`. The other argument of `epp` is a hash.
fn template_module<'e>(file: &'e Expr<'_>) -> Option<&'e str> {
    file.kind.as_constant_string()?.split_once('/').map(|(module, _)| module)
}

/// Returns true for an argument that names a template of the module itself, or that names none.
fn is_own_template(file: &Expr<'_>) -> bool {
    match &file.kind {
        ExprKind::Hash(_) => true,
        ExprKind::Interpolation(parts) => matches!(
            parts.as_slice(),
            [StringSegment::Expr(Expr { kind: ExprKind::Variable("module_name"), .. }), ..]
        ),
        _ => false,
    }
}

/// Calls a function with the name and the arguments of each call in an expression.
fn calls<'e, 's>(expr: &'e Expr<'s>, found: &mut impl FnMut(&'e str, &'e [Expr<'s>])) {
    match &expr.kind {
        ExprKind::Call(call) => {
            if let Some(name) = call.function.kind.as_constant_string() {
                found(name, &call.arguments);
            }
        }
        ExprKind::Method(method) => found(method.name, std::slice::from_ref(&method.receiver)),
        _ => {}
    }
    expr.for_each_child(&mut |child| calls(child, found));
    if let Some(lambda) = expr.kind.lambda() {
        lambda.body.statements.iter().for_each(|child| calls(child, found));
    }
}
