//! `instance` and `instance_row`: values that are instances of a type.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::instance;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure, check_row};
use crate::world::CaseWorld;

#[derive(Deserialize)]
pub struct InstanceCase {
    #[serde(rename = "type")]
    t: String,
    value: String,
    result: Option<bool>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl InstanceCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.result.as_ref(), is_instance(world, &self.t, &self.value))
    }
}

#[derive(Deserialize)]
pub struct InstanceRow {
    #[serde(rename = "type")]
    t: String,
    values: Vec<String>,
    result: String,
}

impl InstanceRow {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        check_row(&self.result, &self.values, |value| is_instance(world, &self.t, value))
    }
}

fn is_instance(world: &CaseWorld, t: &str, value: &str) -> Result<bool, Error> {
    let verdict = instance(&world.parse(t)?, &world.evaluate(value)?, &Limits::DEFAULT)?;
    Ok(verdict == Verdict::Yes)
}
