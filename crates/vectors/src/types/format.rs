//! `format`: `String.new(value, format)`.

use puppetfn::error::Error;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::world::{World, formatted};

#[derive(Deserialize)]
pub struct Case {
    value: String,
    format: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.string.as_ref(), self.text(world))
    }

    fn text(&self, world: &World) -> Result<String, Error> {
        formatted(world.evaluate(&self.value)?, world.evaluate(&self.format)?)
    }
}
