//! The parameters of classes and defined types.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no call")]

use super::super::rule::Rule;
use super::Style;
use puppetfn_syntax::ast::{Expr, ExprKind, Parameter};

/// The functions that look data up.
const LOOKUPS: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

pub(super) fn check<'s>(style: &mut Style<'_, 's>, definition: &Expr<'s>) {
    let mut has_optional = false;
    for parameter in definition.kind.parameters().unwrap_or_default() {
        let Parameter { name, type_expr, default, span, .. } = parameter;
        if type_expr.is_none() {
            style.report(Rule::ParameterTypes, *span, format!("The parameter '{name}' has no type"));
        }
        let is_optional = type_expr.as_ref().is_some_and(is_optional);
        match default {
            None if is_optional => {
                let message = format!("The parameter '{name}' may be undef, but has no default value");
                style.report(Rule::OptionalDefault, *span, message);
            }
            None if has_optional => {
                let message = format!("The required parameter '{name}' comes after an optional one");
                style.report(Rule::RequiredParametersFirst, *span, message);
            }
            None => {}
            Some(default) => {
                has_optional = true;
                if is_optional && default.kind != ExprKind::Undef {
                    let message =
                        format!("The parameter '{name}' may be undef, but has another default value");
                    style.report(Rule::OptionalDefault, *span, message);
                }
                value(style, name, default);
            }
        }
    }
}

fn is_optional(expr: &Expr<'_>) -> bool {
    matches!(&expr.kind, ExprKind::Access(access) if access.operand.kind == ExprKind::Reference("Optional"))
}

fn value(style: &mut Style<'_, '_>, name: &str, default: &Expr<'_>) {
    if default.kind.as_constant_string() == Some("") {
        let message = format!("The default value of '{name}' is an empty string, not `undef`");
        style.report(Rule::ParamsEmptyString, default.span, message);
    }
    if has_lookup(default) {
        let message = format!("The default value of '{name}' is looked up, as it would be without one");
        style.report(Rule::LookupInParameter, default.span, message);
    }
}

fn has_lookup(expr: &Expr<'_>) -> bool {
    let called = match &expr.kind {
        ExprKind::Call(call) => call.function.kind.as_constant_string(),
        _ => None,
    };
    let mut found = called.is_some_and(|name| LOOKUPS.contains(&name));
    expr.for_each_child(&mut |child| found |= has_lookup(child));
    found
}
