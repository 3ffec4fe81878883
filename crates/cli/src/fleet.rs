//! `puppetfn fleet`.

use std::io::Write;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_fleet::{Folder, merge};

use super::args::fleet::{Fleet, FleetCommand, FleetMergeArgs};
use super::{CommandFailure, FAILED, OK};

pub(super) fn run(fleet: &Fleet, out: &mut dyn Write) -> Result<i32, CommandFailure> {
    match &fleet.command {
        FleetCommand::Merge(asked) => merged(asked, out),
    }
}

fn merged(asked: &FleetMergeArgs, out: &mut dyn Write) -> Result<i32, CommandFailure> {
    let summary = match merge(&Folder::open(&asked.directory)?) {
        Ok(summary) => summary,
        Err(failure) => {
            return Err(CommandFailure::Function(Error::new(ErrorKind::Load, failure.to_string())));
        }
    };
    if asked.json {
        writeln!(out, "{:#}", summary.to_json())?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(if summary.failed == 0 { OK } else { FAILED })
}
