//! `puppetfn why`.

use std::io::Write;

use puppetfn_catalog::Reference;
use puppetfn_types::convert::json;
use puppetfn_types::value::Value;

use super::args::why::{WhyArgs, WhyFormat};
use super::{CommandFailure, CommandHost, FAILED, OK, compile};

pub(super) fn run(
    arguments: &WhyArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let Some(resource) = Reference::of_value(&Value::from(arguments.resource.as_str())) else {
        let named = &arguments.resource;
        return Err(CommandFailure::Usage(format!(
            "expected a resource such as File[/etc/motd], got '{named}'"
        )));
    };
    let (given, mut log) = (&arguments.given, Vec::new());
    let configuration = given.configuration()?;
    let facts = given.settings.facts(&configuration, &arguments.node);
    let found = configuration.why(&arguments.node, &facts, &resource, host, &mut log);
    compile::report(&log, err);
    let (why, options) = match found? {
        Ok(found) => found,
        Err(error) => {
            compile::failed(&error, err);
            return Ok(FAILED);
        }
    };
    match arguments.format {
        WhyFormat::Json => {
            let data = why.to_data(&options.limits)?;
            writeln!(out, "{:#}", json::to_json(&data, &options.limits)?)?;
        }
        WhyFormat::Human => write!(out, "{}", why.to_text(options.environment.as_deref(), &options.limits)?)?,
    }
    Ok(OK)
}
