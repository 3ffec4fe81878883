//! The arguments of `puppetfn compile`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_compile::Configuration;

use super::Settings;
use super::fleet::NodeSelectionArgs;
use super::server::ServerOptions;

const EXAMPLES: &str = "\
Examples:
  puppetfn compile web.example.com --environment . --facts web.json > web.catalog.json
  puppetfn compile web.example.com --environment /etc/puppetlabs/code/environments/production --enc /usr/local/bin/enc
  puppetfn compile test --modulepath modules --classes ntp,ssh --format text
  puppetfn compile test --manifest site.pp --format dot | dot -Tsvg > catalog.svg
  puppetfn compile --nodes facts --environment . --out catalogs

Exit codes: 0 there is a catalog, 1 the compilation failed, 2 the arguments of the command are wrong";

/// Compile the catalog of a node, or those of many, as a Puppet server does
///
/// The environment has the main manifest, modules and data: `manifests`, `modules`, `hiera.yaml`, or what its
/// `environment.conf` says.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompileArgs {
    /// The name of the node
    #[arg(required_unless_present = "nodes", conflicts_with = "nodes")]
    pub node: Option<String>,

    #[command(flatten)]
    pub given: CompileInputArgs,

    /// How the catalog is printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", conflicts_with = "nodes")]
    pub format: CatalogFormat,

    /// Where the catalogs of many nodes are put: a directory, which is made
    #[arg(long, value_name = "DIR", requires = "nodes", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,

    /// Store the facts and the catalogs in the live PuppetDB, as a server does
    #[arg(long, requires = "puppetdb")]
    pub store: bool,

    #[command(flatten)]
    pub many: NodeSelectionArgs,
}

impl CompileArgs {
    /// Returns the configuration of the options.
    pub fn configuration(&self) -> Configuration {
        Configuration { stores: self.store, ..self.given.configuration() }
    }
}

/// What catalogs are compiled of.
#[derive(Args, Clone, Debug)]
pub(crate) struct CompileInputArgs {
    /// What the environment is called, where that is not the name of its directory
    #[arg(long, value_name = "NAME")]
    pub environment_name: Option<String>,

    /// The main manifest instead of that of the environment: a file, or a directory of files
    #[arg(long, value_name = "PATH")]
    pub manifest: Option<PathBuf>,

    /// Classes for the node, besides those that code includes
    #[arg(long, value_name = "CLASS[,CLASS]", value_delimiter = ',')]
    pub classes: Vec<String>,

    /// The node classifier: a program that is run with the name of the node, or a file with the YAML that one prints
    #[arg(long, value_name = "FILE|PROGRAM")]
    pub enc: Option<OsString>,

    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub settings: Settings,
}

impl CompileInputArgs {
    /// Returns the configuration that these options are.
    pub fn configuration(&self) -> Configuration {
        Configuration {
            environment_name: self.environment_name.clone(),
            manifest: self.manifest.clone(),
            classes: self.classes.clone(),
            enc: self.enc.as_ref().map(PathBuf::from),
            ..self.server.configured(self.settings.configuration())
        }
    }
}

/// How catalogs are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CatalogFormat {
    /// JSON, as agents get it
    #[default]
    Json,
    /// The same as YAML
    Yaml,
    /// The resources as Puppet code
    Text,
    /// A graph for Graphviz: what contains what, and what comes before what
    Dot,
    /// How many resources there are, and how long it took
    Summary,
}
