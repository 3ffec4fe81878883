//! `format`: `String.new(value, format)`.

use puppetfn::convert::create::create;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::types::Type;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::{Failure, Outcome};
use crate::host::NoHost;
use crate::world::World;

#[derive(Deserialize)]
pub struct Case {
    value: String,
    format: String,
    string: Option<String>,
    #[serde(flatten)]
    failure: Failure,
}

impl Case {
    pub fn run(&self, world: &World) -> Outcome {
        self.failure.or_result(self.string.as_ref(), self.formatted(world))
    }

    fn formatted(&self, world: &World) -> Result<String, Error> {
        let arguments = [world.evaluate(&self.value)?, world.evaluate(&self.format)?];
        match create(&Type::STRING, &arguments, &NoHost)? {
            Value::String(text) => Ok(text.to_string()),
            other => Err(Error::new(ErrorKind::Internal, format!("not a string: {other:?}"))),
        }
    }
}
