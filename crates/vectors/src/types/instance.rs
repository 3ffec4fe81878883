//! `instance` and `instance_row`: values that are instances of a type.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::instance;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome, check_row};
use crate::world::World;

#[derive(Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    t: String,
    value: String,
    result: Option<bool>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.result.as_ref(), is_instance(world, &self.t, &self.value))
    }
}

#[derive(Deserialize)]
pub struct Row {
    #[serde(rename = "type")]
    t: String,
    values: Vec<String>,
    result: String,
}

impl Row {
    pub fn run(&self, world: &World) -> Outcome {
        check_row(&self.result, &self.values, |value| is_instance(world, &self.t, value))
    }
}

fn is_instance(world: &World, t: &str, value: &str) -> Result<bool, Error> {
    let verdict = instance(&world.parse(t)?, &world.evaluate(value)?, &Limits::DEFAULT)?;
    Ok(verdict == Verdict::Yes)
}
