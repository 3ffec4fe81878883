//! The arguments of `puppetfn serve`.
#![allow(clippy::disallowed_methods, reason = "the service manager and the shell set variables")]

use std::env;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_compile::service::{EnvironmentSource, ServiceJob};
use puppetfn_compile::{Configuration, NodeStore, check_directories, check_directory};
use puppetfn_project::absolute;
use puppetfn_runtime::settings;
use puppetfn_serve::{
    AgentListener, AuthorizationRules, Certificates, ConnectionLimits, LogFormat, ReportProcessor,
    ServiceConfiguration, VersionedCode, WorkerLimits,
};
use puppetfn_types::value::Value;

use super::server::ServerOptions;
use super::server_settings::ServerSettings;
use super::settings::{Settings, directories};
use crate::CommandFailure;

const EXAMPLES: &str = "\
Examples:
  puppetfn serve
  puppetfn serve --socket /run/puppetfn/puppetfn.sock --config /etc/puppetlabs/puppet/puppet.conf
  puppetfn serve --socket puppetfn.sock --environment . --workers 1
  puppetfn serve --listen 0.0.0.0:8140 --config /etc/puppetlabs/puppet/puppet.conf --ca-url https://ca.example.com:8140

Exit codes: 0 the service was stopped, 1 it could not start, 2 the arguments are invalid";

/// The address for agents of this machine that try the service.
pub(crate) const TRIAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8140);

/// The environment of agents that name none.
const PRODUCTION: &str = "production";
/// The time in which a client sends the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The time in which a client sends a body, or takes some bytes of an answer.
const TRANSFER_TIME: Duration = Duration::from_secs(30);
const MIB: u64 = 1 << 20;

/// Serve catalogs to Puppet servers and agents
///
/// Puppet servers request catalogs on a Unix socket, through the catalog terminus `puppetfn`; agents request catalogs and files over TLS.
/// Worker processes compile the catalogs. Code may change at any time: each catalog is compiled from the current files.
///
/// Without --socket and --listen, agents on this machine can try the environment in the current directory.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Unix socket for requests of Puppet servers [default: the socket of the service manager]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub socket: Option<PathBuf>,

    /// Address for agents, with TLS; Puppet's settings name the certificates
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,

    /// Certificate authority for agents' certificate requests
    #[arg(long, value_name = "URL", requires = "listen")]
    pub ca_url: Option<String>,

    /// Rules for agents' requests, in the format of puppetserver's auth.conf [default: puppetserver's default rules]
    #[arg(long, value_name = "FILE", requires = "listen", value_hint = ValueHint::FilePath)]
    pub auth_conf: Option<PathBuf>,

    /// Node classifier: a program that gets the name of the node as its argument, or a file with the YAML output of one [default: Puppet's
    /// settings node_terminus and external_nodes]
    #[arg(long, value_name = "FILE|PROGRAM", requires = "listen")]
    pub enc: Option<OsString>,

    /// Ignore reports of agents
    #[arg(long, requires = "listen")]
    pub no_reports: bool,

    /// Store facts and catalogs of agents in the live PuppetDB [default: Puppet's setting storeconfigs]
    #[arg(long, requires_all = ["listen", "puppetdb"])]
    pub store: bool,

    /// Program that prints the code ID of an environment, for static catalogs
    #[arg(long, value_name = "PROGRAM", requires_all = ["listen", "code_content_command"], value_hint = ValueHint::ExecutablePath)]
    pub code_id_command: Option<PathBuf>,

    /// Program that prints the content of a file at a code ID
    #[arg(long, value_name = "PROGRAM", requires_all = ["listen", "code_id_command"], value_hint = ValueHint::ExecutablePath)]
    pub code_content_command: Option<PathBuf>,

    /// Mode of the socket: 0600, or 0660 to admit its group
    #[arg(long, value_name = "MODE", default_value = "0600", value_parser = mode)]
    pub socket_mode: u32,

    /// Directories of environments [default: Puppet's setting environmentpath]
    #[arg(long, value_name = "DIR[:DIR]", conflicts_with = "environment", value_hint = ValueHint::DirPath)]
    pub environmentpath: Vec<OsString>,

    /// Name of the --environment [default: production]
    #[arg(long, value_name = "NAME", requires = "environment")]
    pub environment_name: Option<String>,

    /// Number of worker processes [default: one per processor]
    #[arg(long, value_name = "NUMBER")]
    pub workers: Option<NonZero<usize>>,

    /// Number of catalogs after which a worker is replaced
    #[arg(long, value_name = "NUMBER", default_value = "10000")]
    pub worker_catalogs: NonZero<u64>,

    /// Memory limit of a worker in MiB: above it, the worker is replaced after its catalog; at twice the limit, it is killed
    #[arg(long, value_name = "MIB", default_value = "1024")]
    pub worker_memory: NonZero<u32>,

    /// Time limit of a request in seconds; a worker that exceeds it is replaced
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    pub timeout: NonZero<u32>,

    /// Maximum number of requests that wait for a worker
    #[arg(long, value_name = "NUMBER", default_value = "256")]
    pub queue: usize,

    /// Maximum size of a request in MiB
    #[arg(long, value_name = "MIB", default_value = "64")]
    pub body_limit: NonZero<u16>,

    /// Maximum size of all requests together in MiB
    #[arg(long, value_name = "MIB", default_value = "256")]
    pub body_memory: NonZero<u16>,

    /// Log format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub log_format: ServiceLog,

    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub settings: Settings,
}

/// The formats of the service's log.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ServiceLog {
    /// Lines of text
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

impl Serve {
    /// Returns the configuration of the service.
    pub fn configuration(&self) -> Result<ServiceConfiguration, CommandFailure> {
        if self.settings.facts.is_some() || self.settings.trusted.is_some() {
            let message = "--facts, --trusted: expected none, as requests have the facts of their nodes";
            return Err(CommandFailure::Usage(message.to_owned()));
        }
        if self.body_memory < self.body_limit {
            let message = "--body-memory: expected at least the --body-limit";
            return Err(CommandFailure::Usage(message.to_owned()));
        }
        let configuration = Configuration {
            // The code of a Puppet server may run programs.
            may_execute: true,
            enc: self.enc.as_ref().map(PathBuf::from),
            stores: self.store,
            ..self.server.configured(self.settings.stated_configuration())
        };
        let environments = self.environments(&configuration)?;
        let mut configuration = Configuration { environment: None, ..configuration };
        let listener = match self.listen {
            Some(address) => Some(self.listener(address, &mut configuration)?),
            None if self.is_trial() => Some(trial_listener(&configuration)?),
            None => None,
        };
        let processes = self.workers.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        Ok(ServiceConfiguration {
            socket: self.socket.clone(),
            socket_mode: self.socket_mode,
            job: ServiceJob {
                configuration,
                environments,
                files: listener.as_ref().map(|listener| listener.files.clone()).unwrap_or_default(),
            },
            listener,
            workers: WorkerLimits {
                processes,
                catalogs: self.worker_catalogs.get(),
                memory: u64::from(self.worker_memory.get()) * MIB,
                time: Duration::from_secs(self.timeout.get().into()),
                queue: self.queue,
            },
            connections: ConnectionLimits {
                connections: self.queue + processes + 16,
                head: HEAD_TIME,
                body: TRANSFER_TIME,
                write: TRANSFER_TIME,
                body_size: usize::from(self.body_limit.get()) << 20,
                body_memory: usize::from(self.body_memory.get()) << 20,
            },
            stop: TRANSFER_TIME,
            log: match self.log_format {
                ServiceLog::Text => LogFormat::Text,
                ServiceLog::Json => LogFormat::Json,
            },
        })
    }

    /// Returns true if nothing says where to serve: this machine's agents can try it then.
    pub fn is_trial(&self) -> bool {
        let service_manager = env::var_os("LISTEN_FDS");
        let is_elsewhere = self.socket.is_some() || self.listen.is_some() || service_manager.is_some();
        !is_elsewhere && self.environmentpath.is_empty()
    }

    fn listener(
        &self,
        address: SocketAddr,
        configuration: &mut Configuration,
    ) -> Result<AgentListener, CommandFailure> {
        let settings = ServerSettings::new(configuration)?;
        if configuration.enc.is_none() {
            configuration.enc = settings.classifier()?;
        }
        configuration.stores = self.store || settings.stores()?;
        let reports = if self.no_reports { Vec::new() } else { settings.reports()? };
        let store = Self::node_store(&settings, &reports, configuration)?;
        Ok(AgentListener {
            address,
            name: settings.name()?,
            certificates: Certificates::Existing { files: settings.tls_files()?, url: self.ca_url.clone() },
            authorization: match &self.auth_conf {
                Some(path) => settings.authorization(path)?,
                None => AuthorizationRules::puppetserver_defaults(),
            },
            oid_names: settings.oid_names()?,
            reports,
            store,
            facts: settings.facts()?,
            bucket: settings.bucket()?,
            code: self
                .code_id_command
                .clone()
                .zip(self.code_content_command.clone())
                .map(|(id_command, content_command)| VersionedCode { id_command, content_command }),
            files: settings.file_server()?,
        })
    }

    /// Returns the PuppetDB for reports and facts, if something is stored there.
    fn node_store(
        settings: &ServerSettings,
        reports: &[ReportProcessor],
        configuration: &mut Configuration,
    ) -> Result<Option<Arc<NodeStore>>, CommandFailure> {
        if !configuration.stores && !reports.contains(&ReportProcessor::PuppetDb) {
            return Ok(None);
        }
        let mut of_store = configuration.clone();
        if of_store.puppetdb_urls.is_empty() && of_store.puppetdb_conf.is_none() {
            of_store.puppetdb_conf = Some(settings.puppetdb_conf()?);
            // Without storeconfigs, no collector asks PuppetDB.
            if configuration.stores {
                configuration.puppetdb_conf.clone_from(&of_store.puppetdb_conf);
            }
        }
        Ok(Some(Arc::new(NodeStore::new(&of_store)?)))
    }

    fn environments(&self, configuration: &Configuration) -> Result<EnvironmentSource, CommandFailure> {
        let here = Path::new(".");
        let is_here =
            self.is_trial() && self.environmentpath.is_empty() && configuration.puppet_conf.is_none();
        let found = if is_here { self.settings.configuration()?.environment } else { None };
        let around = || is_here.then_some(found.as_deref().unwrap_or(here));
        let directory = configuration.environment.as_deref().or_else(around);
        if let Some(directory) = directory {
            check_directory("environment", directory)?;
            let name = self.environment_name.clone().unwrap_or_else(|| PRODUCTION.to_owned());
            return Ok(EnvironmentSource::One { name, directory: absolute(directory) });
        }
        let mut path = directories(&self.environmentpath);
        check_directories("environmentpath", &path)?;
        if path.is_empty() {
            let resolved = settings::resolve(&configuration.puppet_settings()?)?;
            if let Some(Value::String(set)) = resolved.get_str("environmentpath") {
                path = directories(&[OsString::from(&**set)]);
            }
            let is_directory = |directory: &&PathBuf| check_directory("environmentpath", directory).is_ok();
            if path.iter().find(is_directory).is_none() {
                let shown: Vec<_> = path.iter().map(|directory| directory.display().to_string()).collect();
                return Err(CommandFailure::Usage(format!(
                    "there are no environments in {}: expected --environmentpath, --environment or --config",
                    shown.join(":")
                )));
            }
        }
        Ok(EnvironmentSource::Path(path))
    }
}

/// Returns a listener on this machine, with certificates of its own.
fn trial_listener(configuration: &Configuration) -> Result<AgentListener, CommandFailure> {
    let settings = ServerSettings::new(configuration)?;
    Ok(AgentListener {
        address: TRIAL_ADDRESS,
        name: "localhost".to_owned(),
        certificates: Certificates::Trial(trial_directory()?.join("authority")),
        authorization: AuthorizationRules::puppetserver_defaults(),
        oid_names: settings.oid_names()?,
        reports: vec![ReportProcessor::Store(trial_directory()?.join("reports"))],
        store: None,
        facts: trial_directory()?.join("facts"),
        bucket: trial_directory()?.join("bucket"),
        code: None,
        files: settings.file_server()?,
    })
}

/// Returns the directory of the certificates for trying, and of agents that use them.
pub(crate) fn trial_directory() -> Result<PathBuf, CommandFailure> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let missing =
        || CommandFailure::Usage("expected --socket or --listen, or the variable HOME for trying".to_owned());
    Ok(cache.ok_or_else(missing)?.join("puppetfn").join("serve"))
}

fn mode(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| matches!(mode, 0o600 | 0o660));
    mode.ok_or_else(|| format!("expected 0600 or 0660, got '{text}'"))
}
