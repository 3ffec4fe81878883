//! `case` and selectors.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::{EvalResult, Frame, Machine, during, misuse};
use crate::eval::code::{CaseCode, CaseOptionCode};
use crate::eval::operators::match_option;
use puppetfn_base::error::Error;
use puppetfn_types::value::Value;

impl Machine {
    #[inline(never)]
    pub(super) fn case(&mut self, case: &CaseCode, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(&case.test, frame)?;
        match self.option(case, &value, frame)? {
            Some(option) => self.eval(&option.then, frame),
            None => Ok(Value::Undef),
        }
    }

    #[inline(never)]
    pub(super) fn select(&mut self, case: &CaseCode, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(&case.test, frame)?;
        match self.option(case, &value, frame)? {
            Some(option) => self.eval(&option.then, frame),
            None => {
                let shown = value.ruby_to_s(&self.limits)?;
                let message = format!("No matching entry for selector parameter with value '{shown}'");
                Err(misuse(&case.test, frame, message))
            }
        }
    }

    /// Returns the first option that matches, or the one for all other values.
    fn option<'c>(
        &mut self,
        case: &'c CaseCode,
        value: &Value,
        frame: Frame<'_>,
    ) -> Result<Option<&'c CaseOptionCode>, Error> {
        let limits = self.limits;
        for option in &case.options {
            for item in &option.values {
                let expected = self.eval(&item.code, frame)?;
                let matched = match &expected {
                    Value::Array(elements) if item.splat => self.matches_any(elements, value),
                    expected => match_option(expected, value, self, &limits),
                };
                if matched.map_err(|error| during(error, "a Case Option", item.code.at, frame))? {
                    return Ok(Some(option));
                }
            }
        }
        Ok(case.default.and_then(|index| case.options.get(index)))
    }

    fn matches_any(&mut self, options: &[Value], value: &Value) -> Result<bool, Error> {
        let limits = self.limits;
        for option in options {
            if match_option(option, value, self, &limits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
