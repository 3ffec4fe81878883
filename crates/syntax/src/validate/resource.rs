//! Expressions that add or change resources of a catalog.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "only expressions for catalogs are validated")]

use super::{Checker, ContainerKind};
use crate::ast::{
    Apply, ArrowOp, AttributeOperation, Collector, Expr, ExprKind, OperationAttribute, ResourceBody,
    ResourceExpr, ResourceForm,
};
use crate::label::a;

impl<'a> Checker<'a> {
    pub(super) fn catalog(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Resource(resource) => self.resource(resource, expr),
            ExprKind::ResourceDefaults(defaults) => {
                self.check_regular(defaults.form, expr);
                self.within(ContainerKind::Other, |checker| {
                    checker.expr(&defaults.type_ref);
                    checker.operations(&defaults.operations, Some(&expr.kind.label()));
                });
            }
            ExprKind::ResourceOverride(overrides) => {
                self.check_regular(overrides.form, expr);
                self.within(ContainerKind::Other, |checker| {
                    checker.expr(&overrides.resources);
                    checker.operations(&overrides.operations, None);
                });
            }
            ExprKind::Collector(collector) => self.collector(collector, expr),
            ExprKind::Apply(apply) => self.apply(apply, expr),
            _ => {}
        }
    }

    fn resource(&mut self, resource: &'a ResourceExpr<'_>, expr: &'a Expr<'_>) {
        if self.check_for_catalog(expr, true)
            && resource.form != ResourceForm::Regular
            && matches!(resource.type_name.kind, ExprKind::Name("class"))
        {
            self.error("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable", expr.diagnostic_span());
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&resource.type_name);
            for body in &resource.bodies {
                checker.resource_body(body);
            }
        });
    }

    fn resource_body(&mut self, body: &'a ResourceBody<'_>) {
        let splats =
            body.operations.iter().filter(|operation| operation.attribute == OperationAttribute::All);
        for splat in splats.skip(1) {
            self.error(
                "MULTIPLE_ATTRIBUTES_UNFOLD",
                "Unfolding of attributes from Hash can only be used once per resource body",
                splat.span,
            );
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&body.title);
            checker.operations(&body.operations, Some("Resource Instance Definition"));
        });
    }

    /// Checks that resource defaults are neither virtual nor exported.
    fn check_regular(&mut self, form: ResourceForm, expr: &'a Expr<'_>) {
        if self.check_for_catalog(expr, true) && form != ResourceForm::Regular {
            self.error(
                "NOT_VIRTUALIZEABLE",
                "Resource Defaults are not virtualizable",
                expr.diagnostic_span(),
            );
        }
    }

    /// Checks attributes. In some places, which have a label, values cannot be added.
    fn operations(&mut self, operations: &'a [AttributeOperation<'_>], sets_only: Option<&str>) {
        for AttributeOperation { attribute, value, span } in operations {
            if let (OperationAttribute::Named(name, ArrowOp::Append), Some(container)) =
                (attribute, sets_only)
            {
                self.error(
                    "ILLEGAL_ATTRIBUTE_APPEND",
                    format!(
                        "Illegal +> operation on attribute {name}. This operator can not be used in {}",
                        a(container)
                    ),
                    *span,
                );
            }
            self.check_value(value);
            self.within(ContainerKind::Other, |checker| checker.expr(value));
        }
    }

    fn collector(&mut self, collector: &'a Collector<'_>, expr: &'a Expr<'_>) {
        if self.rules.tasks && collector.query.exported && self.in_apply() {
            self.check_not_in_apply(expr);
        } else if self.check_for_catalog(expr, true)
            && !matches!(collector.type_expr.kind, ExprKind::Reference(_))
        {
            self.illegal_expression(&collector.type_expr, "type name", &expr.kind.label());
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&collector.type_expr);
            if let Some(condition) = &collector.query.condition {
                checker.check_query(condition);
                checker.within(ContainerKind::Other, |checker| checker.expr(condition));
            }
            checker.operations(&collector.operations, None);
        });
    }

    fn apply(&mut self, apply: &'a Apply<'_>, expr: &'a Expr<'_>) {
        if self.in_apply() {
            self.check_not_in_apply(expr);
        }
        self.within(ContainerKind::Apply, |checker| {
            checker.exprs(&apply.arguments);
            checker.check_block(&apply.body.statements, expr.diagnostic_span());
            checker.within(ContainerKind::ApplyBlock, |checker| checker.exprs(&apply.body.statements));
        });
    }
}
