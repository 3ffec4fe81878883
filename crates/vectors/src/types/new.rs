//! `new`: values that types make of arguments.

use puppetfn::convert::create::create;
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::types::ops::infer_set;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{CaseResult, ExpectedFailure};
use crate::world::{CaseWorld, program_text, shown};
use puppetfn::function::NoHost;

#[derive(Deserialize)]
pub struct NewCase {
    #[serde(rename = "type")]
    t: String,
    args: Vec<String>,
    value: Option<String>,
    #[serde(default)]
    form: ValueForm,
    result_type: Option<String>,
    #[serde(flatten)]
    failure: ExpectedFailure,
}

/// Format in which `value` was recorded.
#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum ValueForm {
    /// In the format `%p`.
    #[default]
    Program,
    /// As rendered within its type: `%p` has no form for time values.
    Literal,
}

impl NewCase {
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
        let expected = self.value.clone().zip(self.result_type.clone());
        self.failure.or_result(expected.as_ref(), self.answer(world))
    }

    /// Returns the value and its type, as text.
    fn answer(&self, world: &CaseWorld) -> Result<(String, String), Error> {
        let value = self.made(world)?;
        let t = shown(&infer_set(&value, &Limits::DEFAULT)?);
        let text = match self.form {
            ValueForm::Program => program_text(&value)?,
            ValueForm::Literal => value.to_literal(),
        };
        Ok((text, t))
    }

    fn made(&self, world: &CaseWorld) -> Result<Value, Error> {
        let t = world.parse(&self.t)?;
        let arguments = self.args.iter().map(|arg| world.evaluate(arg)).collect::<Result<Vec<_>, _>>()?;
        create(&t, &arguments, &NoHost)
    }
}
