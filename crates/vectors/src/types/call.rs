//! `call`: the value of a source, or the error that its evaluation fails with.

use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, program_text};

#[derive(Deserialize)]
pub struct CallCase {
    source: String,
    value: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl CallCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        let value = world.evaluate(&self.source).and_then(|value| program_text(&value));
        self.failure.or_result(self.value.as_ref(), value)
    }
}
