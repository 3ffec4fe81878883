//! `callable` and `callable_args`: whether a callable accepts arguments.

use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::callable_with;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::world::World;

#[derive(Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    t: String,
    args: Vec<String>,
    block: Option<String>,
    result: Option<bool>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.result.as_ref(), self.accepts(world))
    }

    fn accepts(&self, world: &World) -> Result<bool, Error> {
        let t = world.parse(&self.t)?;
        let Type::Callable(callable) = &t else {
            return Err(Error::new(ErrorKind::Evaluation, format!("{t} is no Callable")));
        };
        let args = self.args.iter().map(|arg| world.evaluate(arg)).collect::<Result<Vec<Value>, _>>()?;
        let args: Vec<&Value> = args.iter().collect();
        let block = self.block.as_ref().map(|block| world.lambda(block)).transpose()?;
        let verdict = callable_with(callable, &args, block.as_ref(), &Limits::DEFAULT)?;
        Ok(verdict == Verdict::Yes)
    }
}

#[derive(Deserialize)]
pub struct ArgsCase {
    #[serde(rename = "type")]
    t: String,
    args_type: String,
    result: Option<bool>,
    #[serde(flatten)]
    failure: Failure,
}

impl ArgsCase {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.result.as_ref(), self.accepts(world))
    }

    fn accepts(&self, world: &World) -> Result<bool, Error> {
        world.parse(&self.t)?.callable(&world.parse(&self.args_type)?)
    }
}
