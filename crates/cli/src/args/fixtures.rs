//! The arguments of `puppetfn fixtures`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const EXAMPLES: &str = "\
Examples:
  puppetfn fixtures && puppetfn test
  puppetfn fixtures --update
  puppetfn fixtures --forge https://forge.example.com ../control-repo

Reads .fixtures.yml, and installs into spec/fixtures/modules; without it, the Puppetfile, and installs into its moduledir.
Repositories are checked out with git. Releases of the Forge are verified by their SHA-256. Directories that something else
created are left as they are.

puppetfn.lock keeps the commits and releases, so that the next installation has the same code. Commit it to share them.

Exit codes: 0 all modules are there, 1 some cannot be installed, 2 the arguments are invalid";

/// Install the modules that specs and environments need, from .fixtures.yml or a Puppetfile
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FixturesArgs {
    /// Directory of the module or control repository
    #[arg(value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,

    /// Address of the Forge [default: the Puppetfile's, or https://forgeapi.puppet.com]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub forge: Option<String>,

    /// Number of modules to install at a time
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub jobs: usize,

    /// Install the newest commits and releases that the files allow, and lock these
    #[arg(long)]
    pub update: bool,
}
