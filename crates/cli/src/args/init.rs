//! The arguments of `puppetfn init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

const EXAMPLES: &str = "\
Examples:
  puppetfn init
  puppetfn init --dry-run
  puppetfn init --ci gitlab modules/mymodule

Writes puppetfn.toml, jobs of continuous integration, hooks of pre-commit, and settings of editors, fit for a module or a
control repository. Existing files stay.

Exit codes: 0 all files exist, 1 one cannot be written, 2 the arguments are invalid";

/// Write the settings of a module or a control repository: puppetfn.toml, CI, hooks and editors
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Directory of the module or control repository
    #[arg(value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,

    /// Service to write jobs for [default: the services that the repository uses, by its files and remotes]
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub ci: Option<CiChoice>,

    /// Write nothing; print the files
    #[arg(long)]
    pub dry_run: bool,

    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// Services for continuous integration.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "lower")]
pub(crate) enum CiChoice {
    /// GitHub Actions
    GitHub,
    /// GitLab CI
    GitLab,
    /// No service
    None,
}
