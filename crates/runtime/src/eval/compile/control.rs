//! Conditions.

use super::ProgramCompiler;
use crate::coverage::ProbeRole;
use crate::eval::code::{CaseCode, CaseOptionCode, IfCode, ItemCode, Node, Op};
use puppetfn_base::error::Error;
use puppetfn_syntax::ast::{self, Expr, ExprKind, IfBranch};
use puppetfn_types::value::Value;

impl<'s> ProgramCompiler<'_, 's> {
    pub(super) fn conditional(&mut self, conditional: &ast::If<'s>) -> Result<Op, Error> {
        let before = self.matches;
        let op = self.branches(&conditional.branches, conditional.otherwise.as_ref())?.op;
        Ok(self.guarded(before, op))
    }

    /// Compiles `if`, with its further branches as `else`.
    fn branches(
        &mut self,
        branches: &[IfBranch<'s>],
        otherwise: Option<&ast::Block<'s>>,
    ) -> Result<Node, Error> {
        self.stack.check()?;
        let Some((first, rest)) = branches.split_first() else {
            return match otherwise {
                Some(block) => self.branch(block),
                None => Ok(Node::constant(Value::Undef, 0)),
            };
        };
        let test = self.expr(&first.test)?;
        let then = self.branch(&first.then)?;
        // The test of `elsif` is a part of the code that may be skipped.
        let branch = self.scope.branch();
        let node = self.branches(rest, otherwise)?;
        self.scope.join(branch);
        let otherwise = match (rest.first(), otherwise) {
            (Some(next), _) => self.counted(ProbeRole::Arm, next.span.start, node),
            (None, Some(_)) => node,
            (None, None) => self.counted(ProbeRole::NoMatch, first.then.span.start, node),
        };
        Ok(Node::new(Op::If(Box::new(IfCode { test, then, otherwise })), first.span.start))
    }

    pub(super) fn unless(&mut self, unless: &ast::Unless<'s>) -> Result<Op, Error> {
        let before = self.matches;
        let test = self.expr(&unless.test)?;
        let otherwise = self.branch(&unless.then)?;
        let then = match &unless.otherwise {
            Some(block) => self.branch(block)?,
            None => self.no_match(unless.then.span.start),
        };
        Ok(self.guarded(before, Op::If(Box::new(IfCode { test, then, otherwise }))))
    }

    pub(super) fn case(&mut self, case: &ast::Case<'s>) -> Result<Op, Error> {
        let before = self.matches;
        let test = self.expr(&case.test)?;
        let branch = self.scope.branch();
        let mut options = Vec::with_capacity(case.options.len());
        let mut default = None;
        for option in &case.options {
            let (values, has_default) = self.values(option.values.iter())?;
            if has_default {
                default = Some(options.len());
            }
            options.push(CaseOptionCode { values, then: self.branch(&option.then)? });
        }
        self.scope.join(branch);
        if default.is_none() && self.unit.counters().is_some() {
            default = Some(options.len());
            let then = self.no_match(case.test.span.start);
            options.push(CaseOptionCode { values: Box::default(), then });
        }
        let case = CaseCode { test, options: options.into(), default };
        Ok(self.guarded(before, Op::Case(Box::new(case))))
    }

    pub(super) fn selector(&mut self, selector: &ast::Selector<'s>) -> Result<Op, Error> {
        let before = self.matches;
        let test = self.expr(&selector.operand)?;
        let branch = self.scope.branch();
        let mut options = Vec::with_capacity(selector.entries.len());
        let mut default = None;
        for entry in &selector.entries {
            let (values, has_default) = self.values(std::iter::once(&entry.key))?;
            if has_default {
                default = Some(options.len());
            }
            let then = self.maybe(&entry.value)?;
            let then = self.counted(ProbeRole::Arm, entry.value.span.start, then);
            options.push(CaseOptionCode { values, then });
        }
        self.scope.join(branch);
        let case = CaseCode { test, options: options.into(), default };
        Ok(self.guarded(before, Op::Select(Box::new(case))))
    }

    /// Returns the values of an option, and whether `default` is among them.
    fn values<'e>(
        &mut self,
        exprs: impl Iterator<Item = &'e Expr<'s>>,
    ) -> Result<(Box<[ItemCode]>, bool), Error>
    where
        's: 'e,
    {
        let mut has_default = false;
        let mut items = Vec::new();
        for expr in exprs {
            if matches!(expr.without_parentheses().kind, ExprKind::Default) {
                has_default = true;
                continue;
            }
            let item = self.item(expr)?;
            if may_match(&item.code) {
                self.matches = self.matches.saturating_add(1);
            }
            items.push(item);
        }
        Ok((items.into(), has_default))
    }

    /// Returns the branch of a condition that nothing is written for.
    fn no_match(&self, at: u32) -> Node {
        self.counted(ProbeRole::NoMatch, at, Node::constant(Value::Undef, 0))
    }

    /// Guards code that sets match variables, so that they are not visible outside of it.
    fn guarded(&self, matches_before: u32, op: Op) -> Op {
        if self.matches == matches_before { op } else { Op::Guarded(Box::new(Node::new(op, 0))) }
    }
}

/// Returns true if a comparison with this value may set match variables.
fn may_match(node: &Node) -> bool {
    match node.as_constant() {
        Some(value) => matches!(value, Value::Regexp(_) | Value::Array(_) | Value::Hash(_)),
        None => !matches!(node.op, Op::Once(_)),
    }
}
