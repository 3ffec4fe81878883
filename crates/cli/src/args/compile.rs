//! The arguments of `puppetfn compile`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_compile::{Configuration, ServerFacts};

use super::Settings;
use super::fleet::Many;
use super::settings::directories;

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
pub(crate) struct Compile {
    /// The name of the node
    #[arg(required_unless_present = "nodes", conflicts_with = "nodes")]
    pub node: Option<String>,

    #[command(flatten)]
    pub given: Given,

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
    pub many: Many,
}

impl Compile {
    /// Returns the configuration of the options.
    pub fn configuration(&self) -> Configuration {
        Configuration { stores: self.store, ..self.given.configuration() }
    }
}

/// What catalogs are compiled of.
#[derive(Args, Clone, Debug)]
pub(crate) struct Given {
    /// What the environment is called, where that is not the name of its directory
    #[arg(long, value_name = "NAME")]
    pub environment_name: Option<String>,

    /// The main manifest instead of that of the environment: a file, or a directory of files
    #[arg(long, value_name = "PATH")]
    pub manifest: Option<PathBuf>,

    /// What `$basemodulepath` is in environment.conf
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub basemodulepath: Vec<OsString>,

    /// Classes for the node, besides those that code includes
    #[arg(long, value_name = "CLASS[,CLASS]", value_delimiter = ',')]
    pub classes: Vec<String>,

    /// The node classifier: a program that is run with the name of the node, or a file with the YAML that one prints
    #[arg(long, value_name = "FILE|PROGRAM")]
    pub enc: Option<OsString>,

    /// Set a fact of the server: servername, serverip, serverip6 or serverversion; without a value it is left out
    #[arg(long = "server-fact", value_name = "NAME=VALUE", value_parser = server_fact)]
    pub server_facts: Vec<(String, String)>,

    /// PuppetDB's data, for collectors of exported resources and queries: a directory that `compile --nodes` has written, a directory of
    /// facts, PuppetDB's answers to /pdb/query/v4/resources and the like in JSON, or an archive of `puppet db export` (with --nodes, the
    /// default is the data of the same nodes); can be repeated
    #[arg(long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub exports: Vec<PathBuf>,

    /// A live PuppetDB with the resources that other nodes export; the next is tried where one does not answer. Puppet's settings
    /// name the certificates: --setting ssldir=DIR, or --config
    #[arg(
        long,
        value_name = "URL[,URL]",
        value_delimiter = ',',
        conflicts_with = "exports",
        group = "puppetdb"
    )]
    pub puppetdb_url: Vec<String>,

    /// The servers of a live PuppetDB as puppetdb.conf names them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "exports", group = "puppetdb")]
    pub puppetdb_conf: Option<PathBuf>,

    /// Do not run the command that environment.conf names as `config_version`
    #[arg(long)]
    pub no_config_version: bool,

    #[command(flatten)]
    pub settings: Settings,
}

fn server_fact(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or("expected a name and a value, as in servername=puppet.example.com")?;
    ServerFacts::default().set(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Given {
    fn server_facts(&self) -> ServerFacts {
        let mut facts = ServerFacts::default();
        for (name, value) in &self.server_facts {
            // It was tried as the arguments were read.
            let _ = facts.set(name, value);
        }
        facts
    }

    /// Returns the configuration that these options are.
    pub fn configuration(&self) -> Configuration {
        Configuration {
            environment_name: self.environment_name.clone(),
            manifest: self.manifest.clone(),
            basemodulepath: directories(&self.basemodulepath),
            classes: self.classes.clone(),
            enc: self.enc.as_ref().map(PathBuf::from),
            no_config_version: self.no_config_version,
            server_facts: self.server_facts(),
            exports: self.exports.clone(),
            puppetdb_urls: self.puppetdb_url.clone(),
            puppetdb_conf: self.puppetdb_conf.clone(),
            ..self.settings.configuration()
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
