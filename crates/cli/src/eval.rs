//! `puppetfn eval`.

use std::io::Write;

use super::args::EvalArgs;
use super::call::tell;
use super::{CommandFailure, CommandHost, advice};

pub(super) fn run(
    eval: &EvalArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let options = eval.settings.options()?;
    tell(host.evaluate(&options, &eval.code), eval.json, &options.limits, out, err)
        .map_err(|failure| failure.advised(advice::of_eval(eval)))
}
