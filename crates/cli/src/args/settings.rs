//! The options about modules, the environment, facts and Puppet's settings, which most subcommands have.
#![allow(clippy::disallowed_methods, reason = "the working directory is the user's project")]

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_compile::{
    CompileFailure, CompileOptions, Configuration, FactSource, RunMode as CompileRunMode,
};
use puppetfn_fleet::facts_in;
use puppetfn_project::{ProjectConfig, ProjectPlaces};
use puppetfn_runtime::settings;
use puppetfn_types::types::ops::describe::most_similar;

use crate::CommandFailure;

/// How much may be used.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArgs {
    /// Change a limit, for example `fuel`; errors name the limit that was reached
    #[arg(long = "limit", value_name = "NAME=NUMBER", value_parser = change)]
    changes: Vec<(String, u64)>,
}

impl LimitArgs {
    /// The limits that hold.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::DEFAULT;
        for (name, value) in &self.changes {
            // It was tried as the arguments were read.
            let _ = limits.set(name, *value);
        }
        limits
    }
}

fn change(text: &str) -> Result<(String, u64), String> {
    let parts = text.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
    let (name, value) = parts.ok_or("expected a name and a number, as in fuel=1000")?;
    Limits::default().set(name, value)?;
    Ok((name.to_owned(), value))
}

/// The code and data around files that are checked or changed.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ProjectArgs {
    /// Directories with modules, in order of preference
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    /// Directory of the environment
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub environment: Option<PathBuf>,

    /// hiera.yaml of the global layer, which belongs to the files, too
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub hiera_config: Option<PathBuf>,
}

/// The levels of the option `--strict`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum StrictLevel {
    /// Ignore
    Off,
    /// Warn
    Warning,
    /// Fail
    #[default]
    Error,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Settings {
    #[command(flatten)]
    pub bounds: LimitArgs,

    /// Directories with modules, in order of preference [default: the project's, without --environment]
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    /// Directory of the environment [default: the control repository around the working directory, without --modulepath]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub environment: Option<PathBuf>,

    /// File with the node's facts: JSON or YAML of Facter, `puppet facts` or PuppetDB [default: the node's file in `facts` of the
    /// environment]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub facts: Option<PathBuf>,

    /// hiera.yaml of the global layer
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub hiera_config: Option<PathBuf>,

    /// JSON or YAML file with the node's trusted facts (`$trusted`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub trusted: Option<PathBuf>,

    /// Severity of probable mistakes, such as arithmetic on strings [default: error]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub strict: Option<StrictLevel>,

    /// Treat unset variables as undef, as far as --strict allows
    #[arg(long)]
    pub no_strict_variables: bool,

    /// Release to behave like [default: the project's, or puppet8]
    #[arg(long, value_enum, value_name = "RELEASE")]
    pub target: Option<TargetChoice>,

    /// Run no Ruby of modules and the environment: functions, ERB templates, types and providers
    #[arg(long)]
    pub no_ruby: bool,

    /// Restrict file reads of code and data to modules, the environment and the directory of the --hiera-config
    #[arg(long)]
    pub no_outside_files: bool,

    /// Grant a permission that is off by default: `exec` lets functions run programs
    #[arg(long, value_enum, value_name = "PERMISSION[,PERMISSION]", value_delimiter = ',')]
    pub allow: Vec<PermissionChoice>,

    /// Decrypt nothing: use placeholders for encrypted hiera-eyaml data and for results of node_encrypt's functions
    #[arg(long)]
    pub no_secrets: bool,

    /// Set one of Puppet's settings, which code reads as `$settings::NAME` and Ruby as `Puppet[:NAME]`
    #[arg(long = "setting", value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,

    /// puppet.conf to read Puppet's settings from
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,

    /// Section of puppet.conf to read besides `main`
    #[arg(long, value_enum, default_value_t, value_name = "MODE", requires = "config")]
    pub run_mode: RunModeChoice,
}

/// The directory of an environment with the facts of its nodes.
pub(crate) const FACTS: &str = "facts";

impl Settings {
    /// Returns the configuration of the options. If they name neither an environment nor modules, these are of the project that the
    /// working directory is in.
    ///
    /// # Errors
    /// Fails if the settings of the project cannot be used.
    pub fn configuration(&self) -> Result<Configuration, CompileFailure> {
        let stated = self.stated_configuration();
        if stated.environment.is_some() || !stated.modulepath.is_empty() {
            return Ok(stated);
        }
        let config = ProjectConfig::of(None, None, &stated.limits)?;
        let ProjectPlaces { environment, modulepath, .. } =
            ProjectPlaces::around(Path::new("."), &config, &stated.limits)?;
        Ok(Configuration { environment, modulepath, ..stated })
    }

    /// Returns the configuration of the options alone.
    pub fn stated_configuration(&self) -> Configuration {
        Configuration {
            environment: self.environment.clone(),
            modulepath: directories(&self.modulepath),
            hiera_config: self.hiera_config.clone(),
            trusted: self.trusted.clone(),
            strict: self.strict.map(StrictLevel::level),
            no_strict_variables: self.no_strict_variables,
            target: self.target.map(TargetChoice::target),
            no_ruby: self.no_ruby,
            no_outside_files: self.no_outside_files,
            may_execute: self.allow.contains(&PermissionChoice::Exec),
            no_secrets: self.no_secrets,
            settings: self.set.clone(),
            puppet_conf: self.config.clone(),
            run_mode: match self.run_mode {
                RunModeChoice::Server => CompileRunMode::Server,
                RunModeChoice::User => CompileRunMode::User,
            },
            limits: self.bounds.limits(),
            ..Configuration::default()
        }
    }

    /// Returns the facts of the option `--facts`, or else of the node's file in the directory `facts` of the environment.
    pub fn facts(&self, configuration: &Configuration, node: &str) -> FactSource {
        let found = || facts_in(&configuration.environment.as_ref()?.join(FACTS), node);
        self.facts.clone().or_else(found).map_or(FactSource::None, FactSource::File)
    }

    /// Returns the options of an evaluation without a catalog, with the facts and settings from their files.
    pub fn options(&self) -> Result<CompileOptions, CommandFailure> {
        Ok(self.configuration()?.options(&FactSource::of_file(self.facts.as_deref()))?)
    }
}

impl StrictLevel {
    fn level(self) -> Strict {
        match self {
            Self::Off => Strict::Off,
            Self::Warning => Strict::Warning,
            Self::Error => Strict::Error,
        }
    }
}

/// Returns the directories of an option.
pub(crate) fn directories(given: &[OsString]) -> Vec<PathBuf> {
    given.iter().flat_map(env::split_paths).filter(|directory| !directory.as_os_str().is_empty()).collect()
}

/// The values of the option `--target`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "lower")]
pub(crate) enum TargetChoice {
    /// Puppet 8.11
    Puppet8,
    /// OpenVox 8.28
    OpenVox8,
    /// OpenVox 9
    OpenVox9,
}

impl TargetChoice {
    pub fn target(self) -> Target {
        match self {
            Self::Puppet8 => Target::Puppet8,
            Self::OpenVox8 => Target::OpenVox8,
            Self::OpenVox9 => Target::OpenVox9,
        }
    }
}

/// Permissions of functions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PermissionChoice {
    /// Run programs: `generate`, `Puppet::Util::Execution`
    Exec,
}

/// The run modes of Puppet that compile catalogs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum RunModeChoice {
    /// Puppet server
    #[default]
    Server,
    /// `puppet apply`
    User,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected a name and a value, as in storeconfigs=true")?;
    if settings::is_known(name, Target::default()) {
        return Ok((name.to_owned(), value.to_owned()));
    }
    let meant = most_similar(name, settings::names(Target::default()));
    let meant = meant.first().map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    Err(format!("Puppet has no setting '{name}'{meant}"))
}
