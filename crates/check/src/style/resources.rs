//! Resources and their attributes.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no resource, or no literal")]

use std::sync::LazyLock;

use super::super::finding::Fix;
use super::super::rule::Rule;
use super::{Style, replaced, security};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{
    AttributeOperation, Expr, ExprKind, OperationAttribute, ResourceBody, ResourceExpr, StringSegment,
};
use regex::Regex;

pub(super) fn check<'s>(style: &mut Style<'_, 's>, expr: &Expr<'s>) {
    match &expr.kind {
        ExprKind::Resource(resource) => declared(style, resource, expr.span),
        ExprKind::ResourceDefaults(defaults) => {
            defaults.operations.iter().for_each(|one| selector(style, one))
        }
        ExprKind::ResourceOverride(overrides) => {
            overrides.operations.iter().for_each(|one| selector(style, one))
        }
        _ => {}
    }
}

fn declared<'s>(style: &mut Style<'_, 's>, resource: &ResourceExpr<'s>, span: Span) {
    let name = resource.type_name.kind.as_constant_string().map(|name| name.trim_start_matches("::"));
    let name = name.unwrap_or_default().to_owned();
    if name == "anchor" {
        let message = "An anchor is declared, in place of which classes are contained with `contain`";
        style.report(Rule::AnchorResource, span, message);
    }
    for body in &resource.bodies {
        body.operations.iter().for_each(|operation| selector(style, operation));
        if name != "class" {
            ensure_first(style, body);
        }
        match name.as_str() {
            "file" | "concat" => {
                mode(style, body);
                if name == "file" {
                    file(style, body);
                }
            }
            "exec" => exec(style, body),
            "package" => package(style, body),
            _ => {}
        }
        security::check(style, &name, body);
    }
}

/// Returns the operation that sets an attribute.
pub(super) fn operation<'a, 's>(
    body: &'a ResourceBody<'s>,
    wanted: &str,
) -> Option<&'a AttributeOperation<'s>> {
    let is_wanted = |operation: &&AttributeOperation<'s>| matches!(operation.attribute, OperationAttribute::Named(name, _) if name == wanted);
    body.operations.iter().find(is_wanted)
}

/// Returns true if attributes are set with a hash, which may have any.
pub(super) fn has_splat(body: &ResourceBody<'_>) -> bool {
    body.operations.iter().any(|operation| operation.attribute == OperationAttribute::All)
}

fn selector(style: &mut Style<'_, '_>, operation: &AttributeOperation<'_>) {
    if let ExprKind::Selector(_) = operation.value.without_parentheses().kind {
        let message =
            "A selector is in the resource; with a variable before it, the resource is easier to read";
        style.report(Rule::SelectorInsideResource, operation.value.span, message);
    }
}

fn ensure_first(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    let is_ensure = |operation: &AttributeOperation<'_>| {
        matches!(operation.attribute, OperationAttribute::Named("ensure", _))
    };
    let Some(index) = body.operations.iter().position(is_ensure).filter(|index| *index > 0) else { return };
    let Some(ensure) = body.operations.get(index) else { return };
    let name = Span::new(ensure.span.start, ensure.span.start + "ensure".len() as u32);
    let fix = reordered(style, &body.operations, index);
    style.report_with(Rule::EnsureFirstParam, name, "`ensure` is not the first attribute", fix);
}

/// Returns the fix that moves an attribute in front of the others. Separators stay where they are.
fn reordered(style: &Style<'_, '_>, operations: &[AttributeOperation<'_>], index: usize) -> Option<Fix> {
    let (first, moved) = (operations.first()?, operations.get(index)?);
    let all = Span::new(first.span.start, moved.span.end);
    if style.has_comment(all) || all.text(style.text).contains("@(") {
        return None;
    }
    let mut text = moved.span.text(style.text).to_owned();
    let before = operations.get(..=index)?;
    for pair in before.windows(2) {
        let [one, next] = pair else { return None };
        text.push_str(Span::new(one.span.end, next.span.start).text(style.text));
        text.push_str(one.span.text(style.text));
    }
    replaced(all, text)
}

/// Returns the start of a string, and whether that is all of it.
pub(super) fn beginning<'a>(expr: &'a Expr<'_>) -> Option<(&'a str, bool)> {
    match &expr.kind {
        ExprKind::Interpolation(segments) => match segments.first() {
            Some(StringSegment::Text(text, _)) => Some((text, false)),
            _ => None,
        },
        kind => kind.as_constant_string().map(|text| (text, true)),
    }
}

fn file(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    if let Some(ensure) = operation(body, "ensure") {
        if beginning(&ensure.value).is_some_and(|(text, _)| text.starts_with('/')) {
            let message = "`ensure` has the target of a link; `ensure => link` and `target` say so";
            style.report(Rule::EnsureNotSymlinkTarget, ensure.value.span, message);
        }
        if ensure.value.kind.as_constant_string() == Some("present") {
            let message = "`present` may be a file, a directory or a link";
            style.report(Rule::FileEnsure, ensure.value.span, message);
        }
    }
    let is_given = operation(body, "source").or_else(|| operation(body, "content"));
    if let Some(given) = is_given.filter(|_| !has_splat(body)) {
        let missing: Vec<&str> =
            ["owner", "group", "mode"].into_iter().filter(|name| operation(body, name).is_none()).collect();
        if !missing.is_empty() {
            let message =
                format!("The file does not say who may read and write it: no {}", missing.join(", "));
            style.report(Rule::FileSourceRights, given.span, message);
        }
    }
}

fn mode(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    static MODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let symbolic = "[ugoa]*[-=+][-=+rstwxXugo]*";
        Regex::new(&format!("^(?:[0-7]{{4}}|{symbolic}(?:,{symbolic})*)$")).ok()
    });
    let Some(mode) = operation(body, "mode") else { return };
    let value = &mode.value;
    let written = style.written(value);
    let is_word =
        matches!(value.kind, ExprKind::Integer(_)) || value.kind.as_constant_string() == Some(written);
    if is_word {
        style.report(Rule::UnquotedFileMode, value.span, "The mode has no quotes");
    }
    let text = match &value.kind {
        ExprKind::Integer(_) => written,
        kind => kind.as_constant_string().unwrap_or("0000"),
    };
    if MODE.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
        let message = "The mode has neither four octal digits nor symbols";
        style.report(Rule::FileMode, value.span, message);
    }
    if text.contains(|c: char| c.is_ascii_alphabetic()) {
        style.report(Rule::SymbolicFileMode, value.span, "The mode has symbols, not octal digits");
    }
}

fn exec(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    let guards = ["unless", "onlyif", "creates", "refreshonly"];
    if !has_splat(body) && !guards.iter().any(|guard| operation(body, guard).is_some()) {
        let message =
            "The command is run by each run of the agent: no unless, onlyif, creates or refreshonly";
        style.report(Rule::ExecIdempotency, body.title.span, message);
    }
}

fn package(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    if let Some(ensure) = operation(body, "ensure")
        && ensure.value.kind.as_constant_string() == Some("latest")
    {
        let message = "What `latest` installs depends on the day";
        style.report(Rule::PackageEnsure, ensure.value.span, message);
    }
}
