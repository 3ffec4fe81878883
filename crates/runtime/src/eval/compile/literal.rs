//! Literals: constants, strings with interpolation, arrays and hashes.

use std::sync::{Arc, OnceLock};

use super::{ProgramCompiler, fail};
use crate::eval::code::{HeredocCode, ItemCode, Node, Once, Op, StringPart};
use puppetfn_base::error::Error;
use puppetfn_syntax::ast::{self, Expr, ExprKind, KeyedEntry, StringSegment, UnaryOp};
use puppetfn_types::value::{Regex, Value};

/// Compiles an integer.
pub(super) fn integer(number: u64) -> Op {
    match i64::try_from(number) {
        Ok(number) => Op::Constant(Value::Integer(number)),
        Err(_) => fail(format!(
            "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+{number:#x}'"
        )),
    }
}

/// Compiles a regular expression.
pub(super) fn regexp(source: &str) -> Op {
    match Regex::new(source) {
        Ok(regex) => Op::Constant(Value::Regexp(regex)),
        Err(error) => fail(error.message().to_owned()),
    }
}

/// Code that is run once at most.
pub(super) fn once(code: Node) -> Op {
    Op::Once(Box::new(Once { code, value: OnceLock::new() }))
}

impl<'s> ProgramCompiler<'_, 's> {
    pub(super) fn regexp(&mut self, source: &str) -> Op {
        let op = regexp(source);
        self.has_wrong_regexp |= matches!(op, Op::Fail(_));
        op
    }

    pub(super) fn text(&mut self, segments: &[StringSegment<'s>]) -> Result<Op, Error> {
        let parts = segments.iter().map(|segment| {
            Ok(match segment {
                StringSegment::Text(text, _) => StringPart::Text((**text).into()),
                StringSegment::Expr(expr) => StringPart::Code(self.expr(expr)?),
            })
        });
        Ok(Op::Text(parts.collect::<Result<_, Error>>()?))
    }

    /// Compiles a heredoc. One without code in it was checked with the whole text.
    /// Its offset is the tag's.
    pub(super) fn heredoc(&mut self, heredoc: &ast::Heredoc<'s>, stands_at: u32) -> Result<Node, Error> {
        let text = self.heredoc_text(&heredoc.text)?;
        match (heredoc.syntax, text.as_constant()) {
            (Some(syntax), None) => {
                let at = heredoc.text.span.start;
                let op = Op::Heredoc(Box::new(HeredocCode { text, syntax: syntax.into() }));
                Ok(Node { op, at, stands_at })
            }
            _ => Ok(Node { stands_at, ..text }),
        }
    }

    fn heredoc_text(&mut self, text: &Expr<'s>) -> Result<Node, Error> {
        if let ExprKind::String(literal) = &text.kind {
            // Puppet does not freeze the text of a heredoc.
            let at = text.anchor();
            return Ok(Node::new(Op::Constant(Value::from(&**literal)), at));
        }
        self.expr(text)
    }

    /// Compiles `-operand`, a number where the operand is one.
    pub(super) fn minus(&mut self, operand: &Expr<'s>) -> Result<Op, Error> {
        if let ExprKind::Integer(magnitude) = operand.kind
            && let Ok(number) = i64::try_from(magnitude)
        {
            return Ok(Op::Constant(Value::Integer(-number)));
        }
        if let ExprKind::Float(number) = operand.kind {
            return Ok(Op::Constant(Value::Float(-number)));
        }
        Ok(Op::Minus(Box::new(self.expr(operand)?)))
    }

    pub(super) fn array(&mut self, exprs: &[Expr<'s>]) -> Result<Op, Error> {
        let items = self.items(exprs)?;
        let constants = items.iter().map(|item| item.code.as_constant().filter(|_| !item.splat).cloned());
        if let Some(values) = constants.collect::<Option<Vec<_>>>() {
            return Ok(Op::Literal(values.into()));
        }
        let is_fixed = items.iter().all(|item| item.code.is_fixed());
        let op = Op::Array(items);
        Ok(if is_fixed { once(Node::new(op, 0)) } else { op })
    }

    pub(super) fn hash(&mut self, entries: &[KeyedEntry<'s>]) -> Result<Op, Error> {
        let entries = entries.iter().map(|entry| Ok((self.expr(&entry.key)?, self.expr(&entry.value)?)));
        let entries = entries.collect::<Result<Box<[_]>, Error>>()?;
        let constants = entries.iter().map(|(key, value)| Some((key.as_constant()?, value.as_constant()?)));
        if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
            let hash = constants.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            return Ok(Op::Literal(Value::Hash(Arc::new(hash))));
        }
        let is_fixed = entries.iter().all(|(key, value)| key.is_fixed() && value.is_fixed());
        let op = Op::Hash(entries);
        Ok(if is_fixed { once(Node::new(op, 0)) } else { op })
    }

    /// Compiles elements of an array, or arguments.
    pub(super) fn items(&mut self, exprs: &[Expr<'s>]) -> Result<Box<[ItemCode]>, Error> {
        exprs.iter().map(|expr| self.item(expr)).collect()
    }

    pub(super) fn item(&mut self, expr: &Expr<'s>) -> Result<ItemCode, Error> {
        let splat = matches!(expr.without_parentheses().kind, ExprKind::Unary(UnaryOp::Splat, _));
        Ok(ItemCode { code: self.expr(expr)?, splat })
    }
}
