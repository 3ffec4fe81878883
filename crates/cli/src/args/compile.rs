//! The arguments of `puppetfn compile`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_compile::{CompileFailure, CompileOptions, Configuration, LogEntry, NodePlan, Request};
use puppetfn_runtime::settings;
use puppetfn_types::value::Value;

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

Exit codes: 0 the catalog was compiled, 1 the compilation failed, 2 the arguments are invalid";

/// Compile the catalogs of one or many nodes, as a Puppet server does
///
/// The environment has the main manifest, modules and data in `manifests`, `modules` and `hiera.yaml`, unless its `environment.conf` names
/// others.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompileArgs {
    /// Name of the node
    #[arg(required_unless_present = "nodes", conflicts_with = "nodes")]
    pub node: Option<String>,

    #[command(flatten)]
    pub given: CompileInputArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", conflicts_with = "nodes")]
    pub format: CatalogFormat,

    /// Directory for the catalogs of many nodes; it is created if missing
    #[arg(long, value_name = "DIR", requires = "nodes", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,

    /// Store facts and catalogs in the live PuppetDB, as a server does
    #[arg(long, requires = "puppetdb")]
    pub store: bool,

    #[command(flatten)]
    pub many: NodeSelectionArgs,
}

impl CompileArgs {
    /// Returns the configuration of the options.
    pub fn configuration(&self) -> Result<Configuration, CompileFailure> {
        Ok(Configuration { stores: self.store, ..self.given.configuration()? })
    }
}

/// What catalogs are compiled of.
#[derive(Args, Clone, Debug)]
pub(crate) struct CompileInputArgs {
    /// Name of the environment [default: the name of its directory]
    #[arg(long, value_name = "NAME")]
    pub environment_name: Option<String>,

    /// Main manifest: a file, or a directory of files [default: the environment's]
    #[arg(long, value_name = "PATH")]
    pub manifest: Option<PathBuf>,

    /// Classes to declare, besides the classes that the code includes
    #[arg(long, value_name = "CLASS[,CLASS]", value_delimiter = ',')]
    pub classes: Vec<String>,

    /// Node classifier: a program that gets the name of the node as its argument, or a file with the YAML output of one
    #[arg(long, value_name = "FILE|PROGRAM")]
    pub enc: Option<OsString>,

    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub settings: Settings,
}

impl CompileInputArgs {
    /// Returns the configuration of the options, in the project that the working directory is in.
    ///
    /// # Errors
    /// The same errors as [`Settings::configuration`].
    pub fn configuration(&self) -> Result<Configuration, CompileFailure> {
        Ok(self.with_options(self.settings.configuration()?))
    }

    /// Returns the configuration of the options alone.
    pub fn stated_configuration(&self) -> Configuration {
        self.with_options(self.settings.stated_configuration())
    }

    fn with_options(&self, settings: Configuration) -> Configuration {
        Configuration {
            environment_name: self.environment_name.clone(),
            manifest: self.manifest.clone(),
            classes: self.classes.clone(),
            enc: self.enc.as_ref().map(PathBuf::from),
            ..self.server.configured(settings)
        }
    }

    /// Returns the options with the facts and trusted data of a node, and the inputs of its catalog: all of them if it is to be
    /// compiled, otherwise the inputs of a catalog without code. Without a name, it is the node that the command runs on.
    ///
    /// # Errors
    /// Fails if the inputs cannot be read, and for options that only a compilation has.
    pub fn subject(
        &self,
        node: Option<&str>,
        compiles: bool,
        log: &mut Vec<LogEntry>,
    ) -> Result<(CompileOptions, Request), CompileFailure> {
        let configuration = self.configuration()?;
        let node = match node {
            Some(node) => node.to_owned(),
            None => certname(&configuration)?,
        };
        let facts = self.settings.facts(&configuration, &node);
        if compiles {
            let NodePlan { options, request, .. } = configuration.checked_plan(&node, &facts, log)?;
            return Ok((options, request));
        }
        let of_catalogs = [
            ("--manifest", self.manifest.is_some()),
            ("--classes", !self.classes.is_empty()),
            ("--enc", self.enc.is_some()),
        ];
        match of_catalogs.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                let problem = format!("{option} needs --compile, which compiles the catalog");
                Err(CompileFailure::setting("", problem))
            }
            None => configuration.codeless_plan(&node, &facts),
        }
    }
}

/// Returns the name of the node that the command runs on.
fn certname(configuration: &Configuration) -> Result<String, CompileFailure> {
    let resolved = settings::resolve(&configuration.puppet_settings()?)?;
    match resolved.get_str("certname") {
        Some(Value::String(name)) => Ok(name.to_string()),
        _ => Ok("localhost".to_owned()),
    }
}

/// How catalogs are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CatalogFormat {
    /// JSON, as agents receive it
    #[default]
    Json,
    /// YAML with the same content
    Yaml,
    /// Resources as Puppet code
    Text,
    /// Graphviz graph of containment and dependencies
    Dot,
    /// Number of resources by type, and compile times
    Summary,
}
