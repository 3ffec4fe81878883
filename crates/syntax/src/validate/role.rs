//! Roles of expressions: targets of assignments, values, conditions of queries, names of hosts.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "each role is for few kinds of expressions")]

use super::{Checker, name};
use crate::ast::{Expr, ExprKind, OperatorFamily, StringSegment};
use crate::label::{a, a_uc};

impl<'a> Checker<'a> {
    /// Checks the left side of a `=`.
    pub(super) fn check_assigned(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Variable(name) => {
                if name::is_match_variable(name) {
                    self.error(
                        "ILLEGAL_NUMERIC_ASSIGNMENT",
                        format!(
                            "Illegal attempt to assign to the numeric match result variable '${name}'. \
                             Numeric variables are not assignable"
                        ),
                        expr.diagnostic_span(),
                    );
                }
                if name.contains("::") {
                    self.error(
                        "CROSS_SCOPE_ASSIGNMENT",
                        format!(
                            "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"
                        ),
                        expr.diagnostic_span(),
                    );
                }
            }
            ExprKind::Access(_) if self.is_settable(expr) => {}
            ExprKind::Access(_) => self.error(
                "ILLEGAL_INDEXED_ASSIGNMENT",
                "Illegal attempt to assign via [index/key]. Not an assignable reference",
                expr.diagnostic_span(),
            ),
            ExprKind::Array(elements) => {
                for element in elements {
                    self.check_assigned(element);
                }
            }
            kind => {
                let label = kind.label();
                self.error(
                    "ILLEGAL_ASSIGNMENT",
                    format!("Illegal attempt to assign to '{}'. Not an assignable reference", a(&label)),
                    expr.diagnostic_span(),
                );
            }
        }
    }

    /// Checks that an expression is one that has a value.
    pub(super) fn check_value(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) | ExprKind::Render(inner) => {
                self.check_value(inner);
            }
            kind if !kind.produces_value() => {
                let label = kind.label();
                self.error(
                    "NOT_RVALUE",
                    format!("Invalid use of expression. {} does not produce a value", a_uc(&label)),
                    expr.diagnostic_span(),
                );
            }
            _ => {}
        }
    }

    pub(super) fn check_values(&mut self, exprs: &'a [Expr<'_>]) {
        for expr in exprs {
            self.check_value(expr);
        }
    }

    /// Checks one side of a relationship.
    pub(super) fn check_related(&mut self, expr: &'a Expr<'_>) {
        if !matches!(expr.kind, ExprKind::Collector(_)) {
            self.check_value(expr);
        }
    }

    /// Checks the condition of a collector.
    pub(super) fn check_query(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Binary(binary) if binary.op.family() == OperatorFamily::Logical => {
                self.check_query(&binary.left);
                self.check_query(&binary.right);
            }
            ExprKind::Binary(binary) if binary.op.family() == OperatorFamily::Equality => {}
            ExprKind::Paren(inner) => self.check_query(inner),
            ExprKind::Variable(_)
            | ExprKind::Name(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Boolean(_) => {}
            kind => {
                let label = kind.label();
                self.error(
                    "ILLEGAL_QUERY_EXPRESSION",
                    format!("Illegal query expression. {} cannot be used in a query", a_uc(&label)),
                    expr.diagnostic_span(),
                );
            }
        }
    }

    /// Checks a pattern of node names.
    pub(super) fn check_host(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::String(name) if !name::is_host(name) => self.error(
                "ILLEGAL_HOSTNAME_CHARS",
                format!(
                    "The hostname '{name}' contains illegal characters \
                     (only letters, digits, '_', '-', and '.' are allowed)"
                ),
                expr.diagnostic_span(),
            ),
            ExprKind::String(_) | ExprKind::Regexp(_) | ExprKind::Default => {}
            ExprKind::Interpolation(segments) => {
                let code = segments.iter().find_map(|segment| match segment {
                    StringSegment::Expr(code) => Some(code.diagnostic_span()),
                    StringSegment::Text(..) => None,
                });
                self.error(
                    "ILLEGAL_HOSTNAME_INTERPOLATION",
                    "An interpolated expression is not allowed in a hostname of a node",
                    code.unwrap_or(expr.diagnostic_span()),
                );
            }
            _ => self.illegal_expression(expr, "hostname", "Node Definition"),
        }
    }
}
