//! Expressions that make or change entries of a catalog.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are compiled alike")]

use std::sync::Arc;

use super::ProgramCompiler;
use crate::eval::code::{Node, Op};
use crate::eval::declaration::{
    BodyCode, ChangesCode, CollectorCode, ConditionCode, DeclareCode, OperationCode, RelationshipCode,
    ResourcesCode, TypeName,
};
use crate::eval::text::with_article;
use puppetfn_base::error::Error;
use puppetfn_catalog::RelationshipKind;
use puppetfn_syntax::ast::{self, ArrowOp, BinaryOp, Expr, ExprKind, OperationAttribute};

pub(super) fn declare(what: DeclareCode) -> Op {
    Op::Declare(Box::new(what))
}

impl<'s> ProgramCompiler<'_, 's> {
    pub(super) fn resources(&mut self, resource: &ast::ResourceExpr<'s>) -> Result<Op, Error> {
        let type_name = match &resource.type_name.kind {
            ExprKind::Name(name) => TypeName::Known((*name).into()),
            ExprKind::Reference(_) => TypeName::Code(self.expr(&resource.type_name)?, true),
            ExprKind::Access(access) => {
                let is_type = matches!(access.operand.kind, ExprKind::Reference(_));
                TypeName::Code(self.expr(&resource.type_name)?, is_type)
            }
            _ => TypeName::Code(self.expr(&resource.type_name)?, false),
        };
        let mut bodies = Vec::with_capacity(resource.bodies.len());
        for body in &resource.bodies {
            let title = self.expr(&body.title)?;
            bodies.push(BodyCode { title, operations: self.operations(&body.operations)? });
        }
        Ok(declare(DeclareCode::Resources(ResourcesCode {
            form: resource.form,
            type_name,
            bodies: bodies.into(),
        })))
    }

    pub(super) fn resource_defaults(&mut self, defaults: &ast::ResourceDefaults<'s>) -> Result<Op, Error> {
        let (subject, operations) = (self.expr(&defaults.type_ref)?, self.operations(&defaults.operations)?);
        Ok(declare(DeclareCode::Defaults(ChangesCode { subject, operations })))
    }

    pub(super) fn resource_override(&mut self, overrides: &ast::ResourceOverride<'s>) -> Result<Op, Error> {
        let (subject, operations) =
            (self.expr(&overrides.resources)?, self.operations(&overrides.operations)?);
        Ok(declare(DeclareCode::Override(ChangesCode { subject, operations })))
    }

    fn operations(
        &mut self,
        operations: &[ast::AttributeOperation<'s>],
    ) -> Result<Box<[OperationCode]>, Error> {
        let operation = |operation: &ast::AttributeOperation<'s>| {
            let (name, is_added) = match operation.attribute {
                OperationAttribute::Named(name, arrow) => (Some(Arc::from(name)), arrow == ArrowOp::Append),
                OperationAttribute::All => (None, false),
            };
            let value = self.expr(&operation.value)?;
            Ok(OperationCode { name, is_added, value, at: operation.span.start })
        };
        operations.iter().map(operation).collect()
    }

    pub(super) fn collector(&mut self, collector: &ast::Collector<'s>) -> Result<Op, Error> {
        let ExprKind::Reference(type_name) = collector.type_expr.kind else {
            let label = with_article(&collector.type_expr.kind.label());
            return Ok(Op::Illegal(format!("{label} is no type of resources to collect").into()));
        };
        let condition = collector.query.condition.as_ref();
        let condition = match condition.map(|condition| self.condition(condition)).transpose()? {
            Some(None) => return Ok(Op::Illegal("Illegal query of a collector".into())),
            Some(condition) => condition,
            None => None,
        };
        Ok(declare(DeclareCode::Collector(CollectorCode {
            type_name: type_name.into(),
            is_exported: collector.query.exported,
            condition,
            operations: self.operations(&collector.operations)?,
        })))
    }

    /// Compiles a condition; `None` if the expression is not one, which no text that was checked has.
    fn condition(&mut self, expr: &Expr<'s>) -> Result<Option<ConditionCode>, Error> {
        self.stack.check()?;
        let ExprKind::Binary(binary) = &expr.without_parentheses().kind else { return Ok(None) };
        let condition = match binary.op {
            BinaryOp::And | BinaryOp::Or => {
                let (left, right) = (self.condition(&binary.left)?, self.condition(&binary.right)?);
                let Some(sides) = left.zip(right).map(|(left, right)| Box::new([left, right])) else {
                    return Ok(None);
                };
                if binary.op == BinaryOp::And { ConditionCode::And(sides) } else { ConditionCode::Or(sides) }
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let name = self.expr(&binary.left)?;
                match binary.right.without_parentheses().kind.untransformable() {
                    Some(class) => ConditionCode::Untransformable(Box::new(name), class),
                    None => {
                        let sides = Box::new([name, self.expr(&binary.right)?]);
                        ConditionCode::Compare(binary.op == BinaryOp::Equal, sides)
                    }
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(condition))
    }

    pub(super) fn relationship(&mut self, binary: &ast::BinaryExpr<'s>) -> Result<Op, Error> {
        let sides: Box<[Node; 2]> = Box::new([self.expr(&binary.left)?, self.expr(&binary.right)?]);
        let relation = match binary.op {
            BinaryOp::Notify | BinaryOp::Subscribe => RelationshipKind::Notify,
            _ => RelationshipKind::Before,
        };
        let is_reversed = matches!(binary.op, BinaryOp::After | BinaryOp::Subscribe);
        let symbol = binary.op.symbol();
        Ok(declare(DeclareCode::Relationship(RelationshipCode { sides, relation, is_reversed, symbol })))
    }
}
