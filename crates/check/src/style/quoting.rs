//! Words that should be strings in quotes.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest has no such words")]

use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_syntax::ast::{Access, Expr, ExprKind};
use puppetfn_types::types::parse::is_basic;

pub(super) fn check(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    match &expr.kind {
        ExprKind::Resource(resource) => {
            for body in &resource.bodies {
                title(style, &body.title);
            }
        }
        ExprKind::Node(node) => {
            for name in &node.matches {
                word(style, name, Rule::UnquotedNodeName, "The name of the node has no quotes");
            }
        }
        ExprKind::Case(case) => {
            for value in case.options.iter().flat_map(|option| &option.values) {
                word(style, value, Rule::UnquotedStringInCase, "The string has no quotes");
            }
        }
        ExprKind::Selector(selector) => {
            for entry in &selector.entries {
                word(style, &entry.key, Rule::UnquotedStringInSelector, "The string has no quotes");
            }
        }
        ExprKind::Access(access) => reference(style, access),
        _ => {}
    }
}

fn title(style: &mut Style<'_, '_>, title: &Expr<'_>) {
    let message = "The title has no quotes";
    match &title.kind {
        ExprKind::Array(titles) => {
            for title in titles {
                word(style, title, Rule::UnquotedResourceTitle, message);
            }
        }
        _ => word(style, title, Rule::UnquotedResourceTitle, message),
    }
}

/// Reports a string without quotes.
fn word(style: &mut Style<'_, '_>, expr: &Expr<'_>, rule: Rule, message: &str) {
    let written = style.written(expr);
    let is_word = expr.kind.as_constant_string() == Some(written);
    if is_word {
        style.report_with(rule, expr.span, message, replaced(expr.span, format!("'{written}'")));
    }
}

/// Reports titles without quotes in a reference to resources: `File[a]`.
fn reference(style: &mut Style<'_, '_>, access: &Access<'_>) {
    let ExprKind::Reference(name) = access.operand.kind else { return };
    if is_basic(name) && name != "Class" {
        return;
    }
    for key in &access.keys {
        if matches!(key.kind, ExprKind::Reference(_)) {
            style.report(Rule::UnquotedReferenceTitle, key.span, "The title is written as a type is");
        } else {
            word(style, key, Rule::UnquotedReferenceTitle, "The title has no quotes");
        }
    }
}
