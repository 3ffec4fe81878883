//! `parse`: the results of the type parser and of the evaluator for the same text.

use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::world::{World, shown};

#[derive(Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    text: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: Failure,
    eval_string: Option<String>,
    eval_error: Option<String>,
    #[serde(default)]
    eval_error_internal: bool,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        let parsed = world.parse(&self.text).map(|t| shown(&t));
        self.failure.or_result(self.string.as_ref(), parsed)?;
        if self.eval_string.is_none() && self.eval_error.is_none() {
            return Ok(());
        }
        let evaluated = world
            .evaluate(&self.text)
            .map(|value| if let Value::Type(t) = value { shown(&t) } else { format!("no type: {value:?}") });
        let failure = Failure::new(self.eval_error.clone(), self.eval_error_internal);
        failure
            .or_result(self.eval_string.as_ref(), evaluated)
            .map_err(|outcome| format!("evaluated: {outcome}"))
    }
}
