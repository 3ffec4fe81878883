//! `generalize`, `normalize` and `common`: types derived from types.

use puppetfn::error::Error;
use puppetfn::types::Type;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, shown};

#[derive(Deserialize)]
pub struct ChangeCase {
    #[serde(rename = "type")]
    t: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl ChangeCase {
    pub fn run(&self, world: &CaseWorld, change: fn(&Type) -> Type) -> CaseResult {
        let changed = world.parse(&self.t).map(|t| shown(&change(&t)));
        self.failure.or_result(self.string.as_ref(), changed)
    }
}

#[derive(Deserialize)]
pub struct CommonCase {
    a: String,
    b: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl CommonCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.string.as_ref(), self.common(world))
    }

    fn common(&self, world: &CaseWorld) -> Result<String, Error> {
        Ok(shown(&world.parse(&self.a)?.common(&world.parse(&self.b)?)))
    }
}
