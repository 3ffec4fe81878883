//! The arguments of `puppetfn serve`.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use puppetfn_compile::service::{EnvironmentSource, ServiceJob};
use puppetfn_compile::{Configuration, check_directories, check_directory};
use puppetfn_runtime::settings;
use puppetfn_serve::{ConnectionLimits, LogFormat, ServiceConfiguration, WorkerLimits};
use puppetfn_types::value::Value;

use super::server::ServerOptions;
use super::settings::{Settings, directories};
use crate::Failure;

const EXAMPLES: &str = "\
Examples:
  puppetfn serve --socket /run/puppetfn/puppetfn.sock --config /etc/puppetlabs/puppet/puppet.conf
  puppetfn serve --socket puppetfn.sock --environment . --workers 1

Exit codes: 0 the service was stopped, 1 it could not start, 2 the arguments of the command are wrong";

/// The environment of agents that name none.
const PRODUCTION: &str = "production";
/// The time in which a client sends the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The time in which a client sends a body, or takes some bytes of an answer.
const TRANSFER_TIME: Duration = Duration::from_secs(30);
const MIB: u64 = 1 << 20;

/// Serve catalogs to Puppet servers
///
/// A Puppet server asks for catalogs through the catalog terminus `puppetfn`, and worker processes compile them. Code may change at any
/// time: each catalog is of the files as they are.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// The Unix socket for requests; without it, the socket of the service manager
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub socket: Option<PathBuf>,

    /// The mode of the socket: 0600, or 0660 for the group too
    #[arg(long, value_name = "MODE", default_value = "0600", value_parser = mode)]
    pub socket_mode: u32,

    /// Directories with a directory for each environment [default: Puppet's setting environmentpath]
    #[arg(long, value_name = "DIR[:DIR]", conflicts_with = "environment", value_hint = ValueHint::DirPath)]
    pub environmentpath: Vec<OsString>,

    /// The name of the --environment [default: production]
    #[arg(long, value_name = "NAME", requires = "environment")]
    pub environment_name: Option<String>,

    /// The number of worker processes [default: one for each processor]
    #[arg(long, value_name = "NUMBER")]
    pub workers: Option<NonZero<usize>>,

    /// The number of catalogs after which a worker is replaced
    #[arg(long, value_name = "NUMBER", default_value = "10000")]
    pub worker_catalogs: NonZero<u64>,

    /// The memory of a worker in MiB: above it a worker is replaced after its catalog, at twice as much it is killed
    #[arg(long, value_name = "MIB", default_value = "1024")]
    pub worker_memory: NonZero<u32>,

    /// The time of a request in seconds: at its end the worker is replaced
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    pub timeout: NonZero<u32>,

    /// The number of requests that may wait for a worker
    #[arg(long, value_name = "NUMBER", default_value = "256")]
    pub queue: usize,

    /// The size of a request in MiB
    #[arg(long, value_name = "MIB", default_value = "64")]
    pub body_limit: NonZero<u16>,

    /// The format of the log
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
    /// A JSON object a line
    Json,
}

impl Serve {
    /// Returns the configuration of the service.
    pub fn configuration(&self) -> Result<ServiceConfiguration, Failure> {
        if self.settings.facts.is_some() || self.settings.trusted.is_some() {
            let message = "--facts, --trusted: expected none, as requests have the facts of their nodes";
            return Err(Failure::Usage(message.to_owned()));
        }
        let configuration = Configuration {
            // The code of a Puppet server may run programs.
            may_execute: true,
            ..self.server.configured(self.settings.configuration())
        };
        let environments = self.environments(&configuration)?;
        let configuration = Configuration { environment: None, ..configuration };
        let processes = self.workers.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        Ok(ServiceConfiguration {
            socket: self.socket.clone(),
            socket_mode: self.socket_mode,
            job: ServiceJob { configuration, environments },
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
            },
            stop: TRANSFER_TIME,
            log: match self.log_format {
                ServiceLog::Text => LogFormat::Text,
                ServiceLog::Json => LogFormat::Json,
            },
        })
    }

    fn environments(&self, configuration: &Configuration) -> Result<EnvironmentSource, Failure> {
        if let Some(directory) = &configuration.environment {
            check_directory("environment", directory)?;
            let name = self.environment_name.clone().unwrap_or_else(|| PRODUCTION.to_owned());
            return Ok(EnvironmentSource::One { name, directory: directory.clone() });
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
                return Err(Failure::Usage(format!(
                    "there are no environments in {}: expected --environmentpath, --environment or --config",
                    shown.join(":")
                )));
            }
        }
        Ok(EnvironmentSource::Path(path))
    }
}

fn mode(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| matches!(mode, 0o600 | 0o660));
    mode.ok_or_else(|| format!("expected 0600 or 0660, got '{text}'"))
}
