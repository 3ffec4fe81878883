//! Matches of regular expressions, and match variables.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use std::sync::Arc;

use super::{EvalResult, Frame, Machine, during, misuse};
use crate::eval::code::Node;
use crate::eval::operators::{Matcher, in_range};
use crate::eval::text::with_article;
use puppetfn_base::error::Error;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::instance;
use puppetfn_types::value::{Regex, Value, label};

impl Machine {
    /// Evaluates `left =~ right`.
    #[inline(never)]
    pub(super) fn matches(
        &mut self,
        left: &Value,
        right: &Value,
        [left_node, right_node]: &[Node; 2],
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<bool, Error> {
        let compiled;
        let regex = match right {
            Value::Regexp(regex) => regex,
            Value::Type(t) => {
                let verdict = instance(t, left, &self.limits)
                    .map_err(|error| during(error, "a '=~' expression", node.at, frame))?;
                return Ok(verdict != Verdict::No);
            }
            Value::SemVerRange(range) => return Ok(in_range(range, left)),
            Value::String(source) => match Regex::new(source) {
                Ok(regex) => {
                    compiled = regex;
                    &compiled
                }
                Err(error) => return Err(not_a_regexp(error.message(), right_node, frame)),
            },
            other => {
                let problem = format!("no implicit conversion of {} into String", other.ruby_class());
                return Err(not_a_regexp(&problem, right_node, frame));
            }
        };
        let Value::String(text) = left else {
            let label = with_article(&label(left));
            return Err(misuse(
                left_node,
                frame,
                format_args!("Left match operand must result in a String value. Got {label}."),
            ));
        };
        self.match_text(regex, text).map_err(|error| during(error, "a '=~' expression", node.at, frame))
    }

    #[inline(never)]
    pub(super) fn guarded(&mut self, inner: &Node, frame: Frame<'_>) -> EvalResult {
        let groups = self.groups.clone();
        let result = self.eval(inner, frame);
        self.groups = groups;
        result
    }

    pub(super) fn group(&self, number: u32) -> Value {
        let group = match &self.groups {
            Some(groups) => groups.get(number as usize).cloned().flatten(),
            None => self.outer_group(number),
        };
        group.map_or(Value::Undef, Value::String)
    }
}

impl Matcher for Machine {
    fn match_text(&mut self, regex: &Regex, text: &str) -> Result<bool, Error> {
        let Some(groups) = regex.captures(text)? else { return Ok(false) };
        self.groups = Some(groups.into_iter().map(|group| group.map(Arc::from)).collect());
        Ok(true)
    }
}

#[cold]
fn not_a_regexp(problem: &str, node: &Node, frame: Frame<'_>) -> Error {
    misuse(
        node,
        frame,
        format_args!("Can not convert right match operand to a regular expression. Caused by '{problem}'."),
    )
}
