//! Conditions and relationships.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no condition")]

use super::super::finding::Fix;
use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{BinaryExpr, BinaryOp, Expr, ExprKind, OperatorFamily};

pub(super) fn check(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    match &expr.kind {
        ExprKind::Case(case) => {
            let mut values = case.options.iter().flat_map(|option| &option.values);
            if !values.any(|value| value.kind == ExprKind::Default) {
                let span = Span::new(expr.span.start, case.test.span.end);
                style.report(Rule::CaseWithoutDefault, span, "The `case` has no `default`");
            }
        }
        ExprKind::Binary(binary) => operator(style, binary, expr.span),
        _ => {}
    }
}

fn operator(style: &mut Style<'_, '_>, binary: &BinaryExpr<'_>, span: Span) {
    match binary.op {
        BinaryOp::After | BinaryOp::Subscribe => {
            let arrow = Span::new(binary.at, binary.at + 2);
            let fix = turned(style, binary, span);
            style.report_with(
                Rule::RightToLeftRelationship,
                arrow,
                "The arrow points from right to left",
                fix,
            );
        }
        BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual
            if is_version(&binary.left) || is_version(&binary.right) =>
        {
            let message =
                "Versions are compared as strings or numbers; `versioncmp` compares them as versions";
            style.report(
                Rule::VersionComparison,
                Span::new(binary.left.span.start, binary.right.span.end),
                message,
            );
        }
        BinaryOp::Equal | BinaryOp::NotEqual => {
            let is_empty = |side: &Expr<'_>| side.kind.as_constant_string() == Some("");
            if is_empty(&binary.left) || is_empty(&binary.right) {
                let message = "The value is compared with an empty string";
                style.report(Rule::EmptyStringComparison, span, message);
            }
        }
        BinaryOp::Assign if binary.right.kind.as_constant_string() == Some("") => {
            let message = "An empty string is assigned, where `undef` would say that there is no value";
            style.report(Rule::EmptyStringAssignment, span, message);
        }
        _ => {}
    }
}

/// Returns true for a string that is a version or a number.
fn is_version(expr: &Expr<'_>) -> bool {
    let digits = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    matches!(&expr.kind, ExprKind::String(text) if digits(text))
}

/// Returns the change that has an arrow point to the right, if it is the only one.
fn turned(style: &Style<'_, '_>, binary: &BinaryExpr<'_>, span: Span) -> Option<Fix> {
    let is_chain = |side: &Expr<'_>| matches!(&side.kind, ExprKind::Binary(binary) if binary.op.family() == OperatorFamily::Relationship);
    // Resources are declared in the order of the text.
    let declares = |side: &Expr<'_>| {
        !matches!(side.kind, ExprKind::Access(_) | ExprKind::Variable(_) | ExprKind::Array(_))
    };
    let sides = [&binary.left, &binary.right];
    if sides.into_iter().any(|side| is_chain(side) || declares(side)) || style.has_comment(span) {
        return None;
    }
    // More arrows may follow.
    let behind = style.text.get(span.end as usize..)?.trim_start();
    if ["->", "~>", "<-", "<~"].iter().any(|arrow| behind.starts_with(arrow)) {
        return None;
    }
    let before = style.text.get(binary.left.span.end as usize..binary.at as usize)?;
    let after = style.text.get(binary.at as usize + 2..binary.right.span.start as usize)?;
    let arrow = if binary.op == BinaryOp::After { "->" } else { "~>" };
    let (left, right) = (style.written(&binary.left), style.written(&binary.right));
    replaced(span, format!("{right}{before}{arrow}{after}{left}"))
}
