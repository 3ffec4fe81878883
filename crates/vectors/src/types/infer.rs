//! `infer`: the types of values.

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::types::ops::{infer, infer_set};
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, shown};

#[derive(Deserialize)]
pub struct InferCase {
    /// The source of a value, or else of a lambda.
    value: Option<String>,
    #[serde(default)]
    lambda: String,
    /// The detailed type; lambdas have no other.
    string: Option<String>,
    reduced: Option<String>,
    generalized: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

impl InferCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        let expected = [&self.string, &self.reduced, &self.generalized];
        let expected: Vec<String> = expected.into_iter().flatten().cloned().collect();
        let actual = self.inferred(world).map(|mut types| {
            types.truncate(expected.len());
            types
        });
        self.failure.or_result(Some(&expected), actual)
    }

    fn inferred(&self, world: &CaseWorld) -> Result<Vec<String>, Error> {
        let value = match &self.value {
            Some(text) => world.evaluate(text)?,
            None => world.lambda(&self.lambda)?,
        };
        let reduced = infer(&value, &Limits::DEFAULT)?;
        let detailed = infer_set(&value, &Limits::DEFAULT)?;
        Ok(vec![shown(&detailed), shown(&reduced), shown(&reduced.generalize())])
    }
}
