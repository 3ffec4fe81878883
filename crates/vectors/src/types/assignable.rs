//! `assignable` and `assignable_row`: types to which other types are assignable.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure, check_row};
use crate::world::CaseWorld;

#[derive(Deserialize)]
pub struct AssignableCase {
    to: String,
    from: String,
    result: Option<bool>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl AssignableCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.result.as_ref(), is_assignable(world, &self.to, &self.from))
    }
}

#[derive(Deserialize)]
pub struct AssignableRow {
    to: String,
    from: Vec<String>,
    result: String,
}

impl AssignableRow {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        check_row(&self.result, &self.from, |from| is_assignable(world, &self.to, from))
    }
}

fn is_assignable(world: &CaseWorld, to: &str, from: &str) -> Result<bool, Error> {
    world.parse(to)?.try_assignable(&world.parse(from)?, &Limits::DEFAULT)
}
