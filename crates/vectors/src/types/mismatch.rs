//! `mismatch` and `mismatch_type`: error messages for values and types that do not match.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::describe::{assertion_message, assignability_message};
use puppetfn::types::ops::{infer_set, instance};
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::CaseWorld;

#[derive(Deserialize)]
pub struct MismatchCase {
    name: String,
    expected: String,
    value: String,
    message: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl MismatchCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(Some(&self.message), self.described(world))
    }

    fn described(&self, world: &CaseWorld) -> Result<Option<String>, Error> {
        let expected = world.parse(&self.expected)?;
        let value = world.evaluate(&self.value)?;
        match instance(&expected, &value, &Limits::DEFAULT)? {
            Verdict::Yes => Ok(None),
            Verdict::Maybe | Verdict::No => {
                let actual = infer_set(&value, &Limits::DEFAULT)?;
                Ok(Some(assertion_message(&self.name, &expected, &actual)))
            }
        }
    }
}

#[derive(Deserialize)]
pub struct TypeCase {
    name: String,
    expected: String,
    actual: String,
    message: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl TypeCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        self.failure.or_result(Some(&self.message), self.described(world))
    }

    fn described(&self, world: &CaseWorld) -> Result<Option<String>, Error> {
        let expected = world.parse(&self.expected)?;
        let actual = world.parse(&self.actual)?;
        let matches = expected.try_assignable(&actual, &Limits::DEFAULT)?;
        Ok((!matches).then(|| assignability_message(&self.name, &expected, &actual)))
    }
}
