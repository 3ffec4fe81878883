//! Strings, and the variables in them.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no string")]

use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, KeyedEntry, StringSegment};

/// The functions whose argument is code, in which variables are not the caller's.
const TEMPLATES: [&str; 2] = ["inline_epp", "inline_template"];

pub(super) fn check(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    match &expr.kind {
        ExprKind::Hash(entries) => exempt_keys(style, entries),
        ExprKind::Selector(selector) => exempt_keys(style, &selector.entries),
        ExprKind::Call(call)
            if call.function.kind.as_constant_string().is_some_and(|name| TEMPLATES.contains(&name)) =>
        {
            style.exempt.extend(call.arguments.iter().map(|argument| argument.span));
        }
        ExprKind::String(text) => constant(style, expr, text),
        ExprKind::Interpolation(segments) => interpolation(style, expr, segments),
        _ => {}
    }
}

/// Exempts keys: there, quotes around a variable change the syntax tree.
fn exempt_keys(style: &mut Style<'_, '_>, entries: &[KeyedEntry<'_>]) {
    style.exempt.extend(entries.iter().map(|entry| entry.key.span));
}

fn constant(style: &mut Style<'_, '_>, expr: &Expr<'_>, text: &str) {
    let written = style.written(expr);
    if !written.starts_with(['\'', '"']) {
        return;
    }
    if matches!(text, "true" | "false") {
        style.report(Rule::QuotedBooleans, expr.span, "The boolean is in quotes, which make it a string");
    }
    if written.starts_with('\'') && text.contains("${") && !style.exempt.contains(&expr.span) {
        let message = "The string has single quotes, so that its variables are plain text";
        style.report(Rule::SingleQuoteStringWithVariables, expr.span, message);
    }
    url(style, expr.span, text, true);
}

/// Reports a URL of a file in a module that does not say so.
fn url(style: &mut Style<'_, '_>, span: Span, text: &str, is_whole: bool) {
    let path = text.strip_prefix("puppet://").and_then(|rest| rest.split_once('/')).map(|(_, path)| path);
    let is_elsewhere = path.is_some_and(|path| {
        let is_start = !is_whole && "modules/".starts_with(path);
        !path.starts_with("modules/") && !is_start
    });
    if is_elsewhere {
        let message = "The path of the URL does not begin with `modules/`";
        style.report(Rule::PuppetUrlWithoutModules, span, message);
    }
}

fn interpolation(style: &mut Style<'_, '_>, expr: &Expr<'_>, segments: &[StringSegment<'_>]) {
    for segment in segments {
        if let StringSegment::Expr(code) = segment {
            enclosure(style, code);
        }
    }
    match segments {
        [StringSegment::Expr(only)] if is_needless(style, expr, only) => {
            only_variable(style, expr.span, only)
        }
        [StringSegment::Text(text, _), ..] => url(style, expr.span, text, false),
        _ => {}
    }
}

/// Returns true if a string could be its only variable.
fn is_needless(style: &Style<'_, '_>, expr: &Expr<'_>, only: &Expr<'_>) -> bool {
    is_variable(only) && style.written(expr).starts_with('"') && !style.exempt.contains(&expr.span)
}

/// Reports a string that only has a variable. Without the quotes, the value is not changed if it is a string anyway.
fn only_variable(style: &mut Style<'_, '_>, span: Span, only: &Expr<'_>) {
    let written = style.written(only);
    let code = if written.starts_with('$') { written.to_owned() } else { format!("${written}") };
    let fix = style.is_string(only).then(|| replaced(span, code)).flatten();
    style.report_with(Rule::OnlyVariableString, span, "The string has nothing but a variable", fix);
}

/// Returns true for a variable, or a part of one.
fn is_variable(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Access(access) => is_variable(&access.operand),
        _ => false,
    }
}

/// Reports a variable without braces in a string.
fn enclosure(style: &mut Style<'_, '_>, code: &Expr<'_>) {
    let before = style.text.get(..code.span.start as usize).unwrap_or_default();
    let written = style.written(code);
    let Some(inner) = written.strip_prefix('$').filter(|_| !before.ends_with("${")) else { return };
    if !inner.starts_with('{') {
        style.bare.insert(code.span);
        let fix = replaced(code.span, format!("${{{inner}}}"));
        style.report_with(Rule::VariablesNotEnclosed, code.span, "The variable has no braces", fix);
    }
}
