//! `parse`: the results of the type parser and of the evaluator for the same text.

use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, shown};

#[derive(Deserialize)]
pub struct ParseCase {
    #[serde(rename = "type")]
    text: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
    eval_string: Option<String>,
    eval_error: Option<String>,
    #[serde(default)]
    eval_error_internal: bool,
}

impl ParseCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        let parsed = world.parse(&self.text).map(|t| shown(&t));
        self.failure.or_result(self.string.as_ref(), parsed)?;
        if self.eval_string.is_none() && self.eval_error.is_none() {
            return Ok(());
        }
        let evaluated = world
            .evaluate(&self.text)
            .map(|value| if let Value::Type(t) = value { shown(&t) } else { format!("no type: {value:?}") });
        let failure = ExpectedFailure::new(self.eval_error.clone(), self.eval_error_internal);
        failure
            .or_result(self.eval_string.as_ref(), evaluated)
            .map_err(|outcome| format!("evaluated: {outcome}"))
    }
}
