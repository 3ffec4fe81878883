//! The names of variables, and numbers.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is neither a variable nor a number")]

use super::super::finding::Fix;
use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind};

pub(super) fn check(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    match &expr.kind {
        ExprKind::Variable(name) => variable(style, name, expr.span),
        ExprKind::Integer(_) => number(style, expr.span),
        _ => {}
    }
    let lambda = expr.kind.lambda().map(|lambda| lambda.parameters.as_slice());
    for parameter in expr.kind.parameters().or(lambda).unwrap_or_default() {
        case(style, parameter.name, parameter.span);
    }
}

fn variable(style: &mut Style<'_, '_>, name: &str, span: Span) {
    case(style, name, span);
    let Some(rest) = name.strip_prefix("::") else { return };
    if rest.contains("::") {
        let fix = renamed(style, span, rest);
        let message = format!("The variable has a needless `::` before its name: '${rest}' is the same");
        style.report_with(Rule::TopscopeVariable, span, message, fix);
    } else if !matches!(rest, "facts" | "trusted" | "server_facts") && style.world.legacy_fact(rest).is_none()
    {
        let is_fact = style.world.facts().iter().any(|known| known == rest);
        let fix = is_fact.then(|| renamed(style, span, &format!("facts['{rest}']"))).flatten();
        let message = format!("A variable of the top scope is used as a fact: $facts['{rest}'] says so");
        style.report_with(Rule::TopScopeFacts, span, message, fix);
    }
}

/// Returns the change that gives a variable another name, and braces where it is in a string without.
fn renamed(style: &Style<'_, '_>, span: Span, name: &str) -> Option<Fix> {
    let is_bare = style.bare.contains(&span);
    // In `${x}`, the variable has no sign of its own.
    let has_sign = span.text(style.text).starts_with('$');
    replaced(
        span,
        match (is_bare, has_sign) {
            (true, _) => format!("${{{name}}}"),
            (false, true) => format!("${name}"),
            (false, false) => name.to_owned(),
        },
    )
}

fn case(style: &mut Style<'_, '_>, name: &str, span: Span) {
    if name.contains(|c: char| c.is_ascii_uppercase()) {
        let message = format!("The variable '{name}' has an upper-case letter");
        style.report(Rule::VariableIsLowercase, span, message);
    }
}

/// Reports numbers such as `0644`, which are octal.
fn number(style: &mut Style<'_, '_>, span: Span) {
    let written = span.text(style.text);
    if written.len() > 1 && written.starts_with('0') && written.chars().all(|c| c.is_ascii_digit()) {
        style.report(Rule::LeadingZero, span, "The number begins with 0, so that it is octal");
    }
}
