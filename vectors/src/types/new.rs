//! `new`: values that types make of arguments.

use puppetfn::convert::create::create;
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::types::ops::infer_set;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::host::NoHost;
use crate::world::World;

#[derive(Deserialize)]
pub struct Case {
    #[serde(rename = "type")]
    t: String,
    args: Vec<String>,
    value: Option<String>,
    form: Option<Form>,
    result_type: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

/// How the value is recorded, where it is not as a literal of the language.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// As it is shown within the text of a type.
    Literal,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        let expected = self.value.clone().zip(self.result_type.clone());
        self.failure.or_result(expected.as_ref(), self.answer(world))
    }

    /// The value and its type, as text.
    fn answer(&self, world: &World) -> Result<(String, String), Error> {
        let value = self.made(world)?;
        let t = infer_set(&value, &Limits::DEFAULT)?.to_string();
        if let Some(Form::Literal) = self.form {
            return Ok((value.to_literal(), t));
        }
        // A value is recorded as the text that it has as a literal; those that have none are told
        // apart by their types.
        let recorded = self.value.clone().unwrap_or_default();
        let same = world.evaluate(&recorded).is_ok_and(|recorded| recorded == value);
        let literal = if same { recorded } else { value.ruby_inspect()? };
        Ok((literal, t))
    }

    fn made(&self, world: &World) -> Result<Value, Error> {
        let t = world.parse(&self.t)?;
        let arguments = self.args.iter().map(|arg| world.evaluate(arg)).collect::<Result<Vec<_>, _>>()?;
        create(&t, &arguments, &NoHost)
    }
}
