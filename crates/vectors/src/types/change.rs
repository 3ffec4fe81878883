//! `generalize`, `normalize` and `common`: types derived from types.

use puppetfn::error::Error;
use puppetfn::types::Type;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::world::{World, shown};

#[derive(Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    t: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World, change: fn(&Type) -> Type) -> Outcome {
        let changed = world.parse(&self.t).map(|t| shown(&change(&t)));
        self.failure.or_result(self.string.as_ref(), changed)
    }
}

#[derive(Deserialize)]
pub struct Pair {
    a: String,
    b: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

impl Pair {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.string.as_ref(), self.common(world))
    }

    fn common(&self, world: &World) -> Result<String, Error> {
        Ok(shown(&world.parse(&self.a)?.common(&world.parse(&self.b)?)))
    }
}
