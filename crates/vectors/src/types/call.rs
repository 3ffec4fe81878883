//! `call`: the value of a source, or the error that its evaluation fails with.

use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::world::{World, program_text};

#[derive(Deserialize)]
pub struct Case {
    source: String,
    value: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        let value = world.evaluate(&self.source).and_then(|value| program_text(&value));
        self.failure.or_result(self.value.as_ref(), value)
    }
}
