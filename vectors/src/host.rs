//! A program without functions of its own.

use puppetfn::error::{Error, ErrorKind};
use puppetfn::function::{Host, LogLevel};
use puppetfn::host::HostRef;
use puppetfn::value::Value;

/// Calls nothing, and does not log.
pub struct NoHost;

impl Host for NoHost {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::UnknownFunction, "there are no functions of a host"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Evaluation, "there are no blocks"))
    }

    fn log(&self, _: LogLevel, _: &str) {}
}
