//! `callable` and `callable_args`: whether a callable accepts arguments.

use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::callable_with;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::CaseWorld;

#[derive(Deserialize)]
pub struct CallableCase {
    #[serde(rename = "type")]
    t: String,
    args: Vec<String>,
    block: Option<String>,
    result: Option<bool>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl CallableCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.result.as_ref(), self.accepts(world))
    }

    fn accepts(&self, world: &CaseWorld) -> Result<bool, Error> {
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
    failure: ExpectedFailure,
}

impl ArgsCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(self.result.as_ref(), self.accepts(world))
    }

    fn accepts(&self, world: &CaseWorld) -> Result<bool, Error> {
        world.parse(&self.t)?.callable(&world.parse(&self.args_type)?)
    }
}
