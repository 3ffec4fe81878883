//! Resources, collectors, defaults and overrides.
//!
//! See Puppet's `pops/parser/egrammar.ra` and `pops/model/factory.rb`.

use std::borrow::Cow;

use super::Parser;
use super::expression::{Precedence, can_start_operand};
use super::statement;
use crate::ast::{
    ArrowOp, AttributeOperation, BinaryOp, Collector, CollectorQuery, Expr, ExprKind, KeyedEntry,
    OperationAttribute, ResourceBody, ResourceDefaults, ResourceExpr, ResourceForm, ResourceOverride,
};
use crate::token::{Keyword, TokenKind};
use puppetfn_base::error::Error;
use puppetfn_base::source::Span;

impl<'s> Parser<'s> {
    /// Parses a resource from the brace after its type on: a declaration, defaults or an override.
    pub(super) fn resource(&mut self, left: Expr<'s>) -> Result<Expr<'s>, Error> {
        let brace = self.advance()?;
        if self.at_attribute() || matches!(self.token.kind, TokenKind::Comma | TokenKind::RightBrace) {
            let operations = self.attribute_operations()?;
            let end = self.closing(left.span, &TokenKind::RightBrace)?;
            return self.without_title(left, operations, brace, end);
        }
        let start = left.span;
        let bodies = self.resource_bodies()?;
        let resource = ResourceExpr { form: ResourceForm::Regular, type_name: left, bodies };
        self.close(start, &TokenKind::RightBrace, ExprKind::Resource(Box::new(resource)))
    }

    /// Parses `class { 'a': }` from its brace on.
    pub(super) fn class_resource(&mut self, start: Span) -> Result<Expr<'s>, Error> {
        self.advance()?;
        let type_name = Expr { kind: ExprKind::Name("class"), span: start };
        let bodies = self.resource_bodies()?;
        let resource = ResourceExpr { form: ResourceForm::Regular, type_name, bodies };
        self.close(start, &TokenKind::RightBrace, ExprKind::Resource(Box::new(resource)))
    }

    pub(super) fn virtual_resource(&mut self) -> Result<Expr<'s>, Error> {
        self.token.kind = TokenKind::At;
        self.with_form(ResourceForm::Virtual, "Virtual (@)")
    }

    pub(super) fn exported_resource(&mut self) -> Result<Expr<'s>, Error> {
        self.token.kind = TokenKind::AtAt;
        self.with_form(ResourceForm::Exported, "Exported (@@)")
    }

    fn with_form(&mut self, form: ResourceForm, name: &str) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let mut expr = self.expression(Precedence::Resource)?;
        match &mut expr.kind {
            ExprKind::Resource(resource) => resource.form = form,
            ExprKind::ResourceDefaults(defaults) => defaults.form = form,
            ExprKind::ResourceOverride(overrides) => overrides.form = form,
            _ => {
                let error = self.error(start, format!("{name} can only be applied to a Resource Expression"));
                self.note(error)?;
                let span = start.to(expr.span);
                return Ok(Expr { kind: ExprKind::Error(vec![expr]), span });
            }
        }
        expr.span = start.to(expr.span);
        Ok(expr)
    }

    fn without_title(
        &self,
        left: Expr<'s>,
        operations: Vec<AttributeOperation<'s>>,
        brace: Span,
        end: Span,
    ) -> Result<Expr<'s>, Error> {
        let span = left.span.to(end);
        let form = ResourceForm::Regular;
        let kind = match left.kind {
            ExprKind::Reference(_) => {
                ExprKind::ResourceDefaults(Box::new(ResourceDefaults { form, type_ref: left, operations }))
            }
            ExprKind::Access(_) => {
                ExprKind::ResourceOverride(Box::new(ResourceOverride { form, resources: left, operations }))
            }
            // It looks like a resource, but is a name and a hash.
            ExprKind::Name(_) => {
                let hash = self.hash_of_attributes(operations, brace, end)?;
                let mut function = left;
                if statement::is_statement_function(&function) {
                    statement::call(&mut function, vec![hash]);
                    return Ok(function);
                }
                ExprKind::Block(vec![function, hash])
            }
            _ => {
                let at = Span::new(left.anchor(), left.span.end);
                return Err(self.error(
                    at,
                    "Expression is not valid as a resource, resource-default, or resource-override",
                ));
            }
        };
        Ok(Expr { kind, span })
    }

    fn hash_of_attributes(
        &self,
        operations: Vec<AttributeOperation<'s>>,
        brace: Span,
        end: Span,
    ) -> Result<Expr<'s>, Error> {
        let mut entries = Vec::with_capacity(operations.len());
        for AttributeOperation { attribute, value, span } in operations {
            let OperationAttribute::Named(name, ArrowOp::Set) = attribute else {
                return Err(self.error(brace, "Syntax error resource body without title or hash with +>"));
            };
            let span = Span::new(span.start, span.start + name.len() as u32);
            let key = Expr { kind: ExprKind::String(Cow::Borrowed(name)), span };
            entries.push(KeyedEntry { key, value, arrow: brace.start });
        }
        Ok(Expr { kind: ExprKind::Hash(entries), span: brace.to(end) })
    }

    /// Titles with attributes and semicolons between, maybe one after the last.
    fn resource_bodies(&mut self) -> Result<Vec<ResourceBody<'s>>, Error> {
        let mut bodies = vec![self.resource_body()?];
        while self.accept(&TokenKind::Semicolon)? && self.token.kind != TokenKind::RightBrace {
            bodies.push(self.resource_body()?);
        }
        Ok(bodies)
    }

    fn resource_body(&mut self) -> Result<ResourceBody<'s>, Error> {
        let title = self.expression(Precedence::EXPRESSION)?;
        if !self.is_at(&TokenKind::Colon) {
            self.missing()?;
            return Ok(ResourceBody { title, operations: Vec::new() });
        }
        self.advance()?;
        let operations = self.attribute_operations()?;
        Ok(ResourceBody { title, operations })
    }

    /// Attributes with commas between, maybe one after the last.
    fn attribute_operations(&mut self) -> Result<Vec<AttributeOperation<'s>>, Error> {
        let mut operations = Vec::new();
        if !matches!(self.token.kind, TokenKind::Comma | TokenKind::Semicolon | TokenKind::RightBrace) {
            operations.extend(self.attribute_operation()?);
        }
        while self.attribute_comma()?
            && !matches!(self.token.kind, TokenKind::Semicolon | TokenKind::RightBrace)
        {
            operations.extend(self.attribute_operation()?);
        }
        operations.shrink_to_fit();
        Ok(operations)
    }

    /// Consumes a comma between attributes, which may be missing where errors are noted.
    fn attribute_comma(&mut self) -> Result<bool, Error> {
        if self.recovery.is_none() || !is_attribute_name(&self.token.kind) || !self.lexer.arrow_follows() {
            return self.accept(&TokenKind::Comma);
        }
        self.missing().map(|_| true)
    }

    /// Parses an attribute; `None` if there is none, which has been recorded as an error.
    fn attribute_operation(&mut self) -> Result<Option<AttributeOperation<'s>>, Error> {
        let start = self.token.span;
        let name = if self.token.kind == TokenKind::Operator(BinaryOp::Multiply) {
            None
        } else if is_attribute_name(&self.token.kind) {
            Some(start.text(self.lexer.source()))
        } else {
            return self.missing().map(|_| None);
        };
        self.advance()?;
        let attribute = match (name, &self.token.kind) {
            (Some(name), TokenKind::FatArrow) => OperationAttribute::Named(name, ArrowOp::Set),
            (Some(name), TokenKind::PlusArrow) => OperationAttribute::Named(name, ArrowOp::Append),
            (None, TokenKind::FatArrow) => OperationAttribute::All,
            (name, _) => {
                let value = self.missing()?;
                let attribute = name
                    .map_or(OperationAttribute::All, |name| OperationAttribute::Named(name, ArrowOp::Set));
                return Ok(Some(AttributeOperation { attribute, value, span: start }));
            }
        };
        self.advance()?;
        let value = self.expression(Precedence::EXPRESSION)?;
        let span = start.to(value.span);
        Ok(Some(AttributeOperation { attribute, value, span }))
    }

    /// Returns true if an attribute comes next, not a title.
    fn at_attribute(&self) -> bool {
        let token = &self.token.kind;
        if is_attribute_name(token) {
            !can_start_operand(token) || self.lexer.arrow_follows()
        } else {
            *token == TokenKind::Operator(BinaryOp::Multiply) && self.lexer.arrow_follows()
        }
    }

    /// Parses `type_expr <| condition |> { operations }`.
    pub(super) fn collector(&mut self, type_expr: Expr<'s>, exported: bool) -> Result<Expr<'s>, Error> {
        let start = self.advance()?;
        let end = TokenKind::CollectEnd { exported };
        let condition =
            if self.token.kind == end { None } else { Some(self.expression(Precedence::EXPRESSION)?) };
        let span = start.to(self.expect(&end)?);
        let query = CollectorQuery { exported, condition, span };
        let mut whole = type_expr.span.to(span);
        let mut operations = Vec::new();
        if self.accept(&TokenKind::LeftBrace)? {
            operations = self.attribute_operations()?;
            whole = whole.to(self.expect(&TokenKind::RightBrace)?);
        }
        let collector = Collector { type_expr, query, operations };
        Ok(Expr { kind: ExprKind::Collector(Box::new(collector)), span: whole })
    }
}

/// Names and most keywords can be names of attributes.
fn is_attribute_name(token: &TokenKind<'_>) -> bool {
    match token {
        TokenKind::Name(_) | TokenKind::Operator(BinaryOp::And | BinaryOp::Or | BinaryOp::In) => true,
        TokenKind::Keyword(keyword) => !matches!(keyword, Keyword::True | Keyword::False),
        _ => false,
    }
}
