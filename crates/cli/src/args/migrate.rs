//! The arguments of `puppetfn migrate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CheckArgs, CheckFormat, LanguageOptions, LimitArgs};

const EXAMPLES: &str = "\
Examples:
  puppetfn migrate
  puppetfn migrate --write modules/mymodule
  puppetfn migrate --check
  puppetfn migrate --hiera-config /etc/puppetlabs/puppet/hiera.yaml .

Prints a diff, and changes nothing without --write. A change keeps the catalog; places without a certain replacement are listed
with advice.

Exit codes: 0 success, 1 with --check: something is left to migrate, 2 the arguments are invalid";

/// Move code and data to Puppet 8: legacy facts, removed functions, hiera.yaml of version 3
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

    /// Directories with modules, in order of preference
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    /// Directory of the environment
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub environment: Option<PathBuf>,

    /// hiera.yaml of the global layer, which is migrated, too
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub hiera_config: Option<PathBuf>,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

impl MigrateArgs {
    /// Returns the arguments of the check that finds the places.
    pub fn check(&self) -> CheckArgs {
        CheckArgs {
            paths: self.paths.clone(),
            explain: None,
            list: false,
            select: Vec::new(),
            ignore: Vec::new(),
            statistics: false,
            modulepath: self.modulepath.clone(),
            environment: self.environment.clone(),
            hiera_config: self.hiera_config.clone(),
            target: None,
            format: CheckFormat::Human,
            fail_on_warnings: false,
            markdown: false,
            all: false,
            data_only: false,
            watch: false,
            fix: false,
            add_ignore: false,
            config: None,
            baseline: None,
            write_baseline: false,
            language: LanguageOptions { tasks: false, epp: false },
            bounds: self.bounds.clone(),
        }
    }
}
