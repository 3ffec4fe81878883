//! References in relationships: their targets must be in the catalog.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::declare::named;
use super::super::rule::Rule;
use super::Walk;
use puppetfn_catalog::RELATIONSHIPS;
use puppetfn_syntax::ast::{AttributeOperation, Expr, ExprKind};

impl<'s> Walk<'_, 's> {
    /// Looks for the classes that relationships of a resource name.
    pub(super) fn related(&mut self, operations: &[AttributeOperation<'s>]) {
        for operation in operations {
            if named(operation.attribute).is_some_and(|name| RELATIONSHIPS.contains(&name)) {
                self.referred(&operation.value);
            }
        }
    }

    /// Looks for the classes that references in an expression name. No catalog can have one that is not defined.
    pub(super) fn referred(&mut self, expr: &Expr<'s>) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.referred(inner),
            ExprKind::Array(items) => items.iter().for_each(|item| self.referred(item)),
            ExprKind::Access(access) => {
                if let ExprKind::Reference(name) = access.operand.kind
                    && name.eq_ignore_ascii_case("class")
                {
                    access.keys.iter().for_each(|key| self.referred_class(key));
                }
            }
            _ => {}
        }
    }

    fn referred_class(&mut self, key: &Expr<'s>) {
        let name = match &key.kind {
            ExprKind::Reference(name) => *name,
            kind => match kind.as_constant_string() {
                Some(name) => name,
                None => return,
            },
        };
        let message = format!("No catalog can have Class[{name}]: there is no such class");
        match self.world.class(name) {
            Ok(_) => {}
            Err(false) => {
                self.report(Rule::UnknownClass, key.diagnostic_span(), message);
            }
            Err(true) => self.probably(
                Rule::UnknownClass,
                &message,
                self.world.class_meant(name),
                key.diagnostic_span(),
            ),
        }
    }
}
