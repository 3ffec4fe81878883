//! A service that compiles the catalogs of nodes for Puppet servers.
//!
//! [`run`] answers requests on a Unix socket. Catalogs are compiled by worker processes, each of which holds environments in memory and
//! compiles one catalog at a time: a crash, a hang or a leak hurts one request at most.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod agent;
mod api;
mod body;
mod connection;
mod log;
mod memory;
mod metrics;
mod pool;
mod service;
mod socket;
mod worker;

pub use agent::{ReportAddress, ReportProcessor, TlsFiles, VersionedCode};
pub use connection::ConnectionLimits;
pub use log::LogFormat;
pub use pool::WorkerLimits;
pub use puppetfn_authorization::AuthorizationRules;
pub use puppetfn_fileserver::FileServerSettings;
pub use service::{AgentListener, Certificates, ServiceConfiguration, ServiceFailure, run};
