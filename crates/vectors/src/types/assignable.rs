//! `assignable` and `assignable_row`: types to which other types are assignable.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome, check_row};
use crate::world::World;

#[derive(Deserialize)]
pub struct Case {
    to: String,
    from: String,
    result: Option<bool>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.result.as_ref(), is_assignable(world, &self.to, &self.from))
    }
}

#[derive(Deserialize)]
pub struct Row {
    to: String,
    from: Vec<String>,
    result: String,
}

impl Row {
    pub fn run(&self, world: &World) -> Outcome {
        check_row(&self.result, &self.from, |from| is_assignable(world, &self.to, from))
    }
}

fn is_assignable(world: &World, to: &str, from: &str) -> Result<bool, Error> {
    world.parse(to)?.try_assignable(&world.parse(from)?, &Limits::DEFAULT)
}
