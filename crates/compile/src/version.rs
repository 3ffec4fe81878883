//! Versions of catalogs.
#![allow(clippy::disallowed_methods, reason = "the environment names the program")]

use std::process::Command;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::Identity;
use puppetfn_project::Environment;
use puppetfn_types::value::Value;

use crate::classifier::output;

/// Returns the version of the code: the output of the environment's `config_version`, or else the time.
pub(crate) fn version(environment: &Environment, may_execute: bool) -> Result<Value, Error> {
    let command = environment.config_version.as_deref().filter(|command| may_execute && !command.is_empty());
    let Some(command) = command else {
        return Ok(Identity::current_version());
    };
    let printed = output(Command::new("sh").arg("-c").arg(command));
    printed.map(|version| version.trim().into()).map_err(|problem| {
        let message = format!("Execution of config_version command `{command}` failed: {problem}");
        Error::new(ErrorKind::Evaluation, message)
    })
}
