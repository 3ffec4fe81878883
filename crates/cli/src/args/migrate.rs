//! The arguments of `puppetfn migrate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CheckArgs, LimitArgs, ProjectArgs};

const EXAMPLES: &str = "\
Examples:
  puppetfn migrate
  puppetfn migrate --write modules/mymodule
  puppetfn migrate --check
  puppetfn migrate --hiera-config /etc/puppetlabs/puppet/hiera.yaml .

Prints a diff, and changes nothing without --write. A change keeps the catalog, unless keys that has_key asks for differ only in case;
places without a certain replacement are listed with advice.

Exit codes: 0 success, 1 with --check: something is left to migrate, 2 the arguments are invalid";

/// Move code, data and settings to Puppet 8: legacy facts, removed functions, hiera.yaml of versions 3 and 4
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MigrateArgs {
    /// Files and directories
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Change the files instead of printing a diff
    #[arg(long)]
    pub write: bool,

    /// Fail if something is left to migrate
    #[arg(long)]
    pub check: bool,

    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

impl MigrateArgs {
    /// Returns the arguments of the check that finds the places.
    pub fn check(&self) -> CheckArgs {
        CheckArgs {
            paths: self.paths.clone(),
            project: self.project.clone(),
            bounds: self.bounds.clone(),
            ..CheckArgs::default()
        }
    }
}
