//! `format`: `String.new(value, format)`.

use puppetfn::error::Error;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, formatted};

#[derive(Deserialize)]
pub struct FormatCase {
    value: String,
    format: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl FormatCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.string.as_ref(), self.text(world))
    }

    fn text(&self, world: &CaseWorld) -> Result<String, Error> {
        formatted(world.evaluate(&self.value)?, world.evaluate(&self.format)?)
    }
}
