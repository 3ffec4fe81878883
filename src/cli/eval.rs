//! `puppetfn eval`.

use std::io::Write;
use std::sync::Arc;

use super::args::Eval;
use super::call::tell;
use super::{Failure, Host, Options, Outcome};
use crate::eval::{Logs, Runtime};
use crate::limits::Limits;
use crate::loader::{Loader, StdFileSystem};
use crate::value::Value;

pub(super) fn run(
    eval: &Eval,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let options = eval.settings.options()?;
    tell(host.evaluate(&options, &eval.code), eval.json, out, err)
}

/// Evaluates code without functions of a host.
pub(super) fn evaluate(options: &Options, code: &str) -> Outcome {
    let logs = Logs::default();
    let (modulepath, environment) = (options.modulepath.clone(), options.environment.clone());
    let loader = Loader::new(Arc::new(StdFileSystem), modulepath, environment, Limits::DEFAULT);
    let mut runtime = Runtime::builder().types(Arc::new(loader)).host(logs.clone()).build();
    runtime.set_variable("facts", Value::Hash(Arc::new(options.facts.clone())));
    let result = runtime.evaluate(code, None);
    Outcome { result, log: logs.take() }
}
