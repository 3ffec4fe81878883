//! Conditions: where control flow splits into branches and joins again.

use super::super::abstraction::{any, boolean, join, truth};
use super::super::rule::Rule;
use super::super::variables::VariableScope;
use super::operator::could_match;
use super::{FlowValue, Walk};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Block, Case, Expr, ExprKind, If, KeyedEntry, Selector, Unless};
use puppetfn_types::value::Value;

/// A control-flow join: the state where several branches meet.
pub(super) struct BranchJoin<'s> {
    /// The variables before the split.
    before: VariableScope<'s>,
    /// The variables where the next branch begins, narrowed by the conditions of the branches before.
    start: VariableScope<'s>,
    /// The variables and the value of the branches that end here; `None` if none does.
    met: Option<(VariableScope<'s>, Value)>,
}

impl<'s> Walk<'_, 's> {
    /// Splits the control flow.
    pub(super) fn fork(&self) -> BranchJoin<'s> {
        let before = self.variables.innermost();
        BranchJoin { start: before.clone(), before, met: None }
    }

    /// Goes through one of the branches.
    pub(super) fn branch(
        &mut self,
        join_point: &mut BranchJoin<'s>,
        go: impl FnOnce(&mut Self) -> FlowValue,
    ) {
        self.variables.restore(join_point.start.clone());
        let Some(value) = self.block_of_its_own(go) else { return };
        let scope = self.variables.innermost();
        self.spend(scope.len() as u64);
        join_point.met = Some(match join_point.met.take() {
            None => (scope, value),
            Some((other, other_value)) => {
                (other.join(scope, self.limits()), join(other_value, value, self.limits()))
            }
        });
    }

    /// Goes on after the branches.
    pub(super) fn join(&mut self, join_point: BranchJoin<'s>) -> FlowValue {
        match join_point.met {
            Some((scope, value)) => {
                self.variables.restore(scope.settled(&join_point.before, self.limits()));
                Some(value)
            }
            None => {
                self.variables.restore(join_point.start);
                None
            }
        }
    }

    pub(super) fn conditional(&mut self, conditional: &If<'s>) -> FlowValue {
        let branches: Vec<(&Expr<'s>, &Block<'s>)> =
            conditional.branches.iter().map(|branch| (&branch.test, &branch.then)).collect();
        self.branches(&branches, conditional.otherwise.as_ref())
    }

    /// Checks the branches. A later branch is only reached if the tests before it fail.
    fn branches(&mut self, branches: &[(&Expr<'s>, &Block<'s>)], otherwise: Option<&Block<'s>>) -> FlowValue {
        let Some(((test_code, then), others)) = branches.split_first() else {
            return otherwise.map_or(Some(Value::Undef), |block| self.statements(&block.statements));
        };
        let test = self.expr(test_code)?;
        match truth(&test) {
            _ if self.work == 0 => Some(any()),
            Some(true) => self.statements(&then.statements),
            Some(false) => self.branches(others, otherwise),
            None => {
                let mut join_point = self.fork();
                self.branch(&mut join_point, |walk| {
                    walk.assume(test_code, true);
                    walk.statements(&then.statements)
                });
                self.branch(&mut join_point, |walk| {
                    walk.assume(test_code, false);
                    walk.branches(others, otherwise)
                });
                self.join(join_point)
            }
        }
    }

    pub(super) fn unless(&mut self, unless: &Unless<'s>) -> FlowValue {
        let test = self.expr(&unless.test)?;
        let then = |walk: &mut Self| walk.statements(&unless.then.statements);
        let otherwise = |walk: &mut Self| match &unless.otherwise {
            Some(block) => walk.statements(&block.statements),
            None => Some(Value::Undef),
        };
        match truth(&test) {
            Some(true) => otherwise(self),
            Some(false) => then(self),
            None => {
                let mut join_point = self.fork();
                self.branch(&mut join_point, |walk| {
                    walk.assume(&unless.test, false);
                    then(walk)
                });
                self.branch(&mut join_point, |walk| {
                    walk.assume(&unless.test, true);
                    otherwise(walk)
                });
                self.join(join_point)
            }
        }
    }

    /// Checks `left and right`, or `left or right`: the right side is evaluated if the left one is `goes_on`.
    pub(super) fn logical(&mut self, left: &Expr<'s>, right: &Expr<'s>, goes_on: bool) -> FlowValue {
        let left_code = left;
        let left = self.expr(left)?;
        let right_truth = |walk: &mut Self| walk.expr(right).map(|right| boolean(truth(&right)));
        match truth(&left) {
            Some(truth) if truth == goes_on => right_truth(self),
            Some(truth) => Some(Value::Boolean(truth)),
            None => {
                let mut join_point = self.fork();
                self.branch(&mut join_point, |walk| {
                    walk.assume(left_code, !goes_on);
                    Some(Value::Boolean(!goes_on))
                });
                self.branch(&mut join_point, |walk| {
                    walk.assume(left_code, goes_on);
                    right_truth(walk)
                });
                self.join(join_point)
            }
        }
    }

    pub(super) fn case(&mut self, case: &Case<'s>) -> FlowValue {
        let mut value = self.expr(&case.test)?;
        let mut join_point = self.fork();
        let mut default = None;
        let mut is_decided = false;
        for option in &case.options {
            let mut may_match = false;
            let written: Vec<&Expr<'s>> = option.values.iter().collect();
            for item in &option.values {
                if let ExprKind::Default = item.kind {
                    default = Some(&option.then);
                    continue;
                }
                if is_decided {
                    continue;
                }
                let Some(expected) = self.expr(item) else {
                    is_decided = true;
                    break;
                };
                let matched = self.option_matches(item, &expected, &value);
                if let Some((at, message)) = self.never_chosen(item, matched, &value) {
                    self.report(Rule::AlwaysFalse, at, message);
                }
                may_match |= matched != Some(false);
                is_decided |= matched == Some(true);
            }
            join_point.start = self.variables.innermost();
            if may_match {
                self.branch(&mut join_point, |walk| {
                    walk.assume_option(&case.test, &written, true);
                    walk.statements(&option.then.statements)
                });
                let start = join_point.start.clone();
                self.variables.restore(start);
            }
            self.assume_option(&case.test, &written, false);
            join_point.start = self.variables.innermost();
            value = self.narrowed(&case.test, value);
        }
        if !is_decided {
            self.branch(&mut join_point, |walk| match default {
                Some(block) => walk.statements(&block.statements),
                None => Some(Value::Undef),
            });
        }
        self.join(join_point)
    }

    pub(super) fn selector(&mut self, selector: &Selector<'s>) -> FlowValue {
        let mut value = self.expr(&selector.operand)?;
        let mut join_point = self.fork();
        let mut default: Option<&KeyedEntry<'s>> = None;
        let (mut is_decided, mut is_possible) = (false, false);
        let mut never = Vec::new();
        for entry in &selector.entries {
            if let ExprKind::Default = entry.key.kind {
                default = Some(entry);
                continue;
            }
            if is_decided {
                continue;
            }
            let Some(expected) = self.expr(&entry.key) else {
                (is_decided, is_possible) = (true, true);
                break;
            };
            let matched = self.option_matches(&entry.key, &expected, &value);
            never.extend(self.never_chosen(&entry.key, matched, &value));
            is_decided |= matched == Some(true);
            join_point.start = self.variables.innermost();
            if matched != Some(false) {
                is_possible = true;
                self.branch(&mut join_point, |walk| {
                    walk.assume_option(&selector.operand, &[&entry.key], true);
                    walk.expr(&entry.value)
                });
                let start = join_point.start.clone();
                self.variables.restore(start);
            }
            self.assume_option(&selector.operand, &[&entry.key], false);
            join_point.start = self.variables.innermost();
            value = self.narrowed(&selector.operand, value);
        }
        match default {
            Some(entry) if !is_decided => self.branch(&mut join_point, |walk| walk.expr(&entry.value)),
            None if !is_possible => {
                let shown = value.ruby_to_s(self.limits()).ok().filter(|_| !value.contains_unknown());
                let shown = shown.map_or_else(String::new, |shown| format!(" with value '{shown}'"));
                let message = format!("No matching entry for selector parameter{shown}");
                return Some(self.report(Rule::Selector, selector.operand.diagnostic_span(), message));
            }
            Some(_) | None => {}
        }
        for (at, message) in never {
            self.report(Rule::AlwaysFalse, at, message);
        }
        self.join(join_point)
    }

    /// Returns the message about a text that is an option for no value. Other such options are often there for safety.
    fn never_chosen(&self, item: &Expr<'s>, matched: Option<bool>, value: &Value) -> Option<(Span, String)> {
        let is_text = item.kind.as_constant_string().is_some();
        if matched != Some(false) || !is_text || !value.contains_unknown() {
            return None;
        }
        let (text, shown) = (item.span.text(self.text), self.shown(value));
        Some((item.diagnostic_span(), format!("This option never matches: {shown} cannot be {text}")))
    }

    /// Returns whether an option is the one for a value; `None` if that is not known.
    fn option_matches(&self, item: &Expr<'s>, option: &Value, value: &Value) -> Option<bool> {
        if super::literal::is_splat(item) {
            let Value::Array(options) = option else { return None };
            let mut is_known = true;
            for option in options.iter() {
                match could_match(option, value, self.limits()) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => is_known = false,
                }
            }
            return is_known.then_some(false);
        }
        could_match(option, value, self.limits())
    }
}
