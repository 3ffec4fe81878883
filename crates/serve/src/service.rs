//! The service as a whole: socket, workers and signals.

use std::collections::BTreeMap;
use std::fmt;
use std::future::ready;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;
use axum::{Extension, Router};
use puppetfn_authorization::AuthorizationRules;
use puppetfn_compile::service::ServiceJob;
use puppetfn_compile::{Configuration, NodeStore};
use puppetfn_fileserver::{FileLimits, FileServer, FileServerSettings};
use sd_notify::NotifyState;
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tracing::{info, warn};

use crate::agent::{
    self, AgentAuthority, AgentIdentity, AgentState, AuthorityClient, FactStore, FileBucket, OidNames, Peer,
    ReportProcessor, ReportProcessors, TlsFiles, TlsSource, TrialAuthority, VersionedCode,
};
use crate::api::{self, ServiceState};
use crate::body::BodyMemory;
use crate::connection::{ConnectionLimits, serve};
use crate::log::LogFormat;
use crate::metrics::Metrics;
use crate::pool::{WorkerLimits, WorkerPool};
use crate::socket::ServiceSocket;

/// The threads of the service itself: catalogs are compiled in processes.
const THREADS: usize = 2;
/// The time in which workers are killed at the end.
const KILL_TIME: Duration = Duration::from_secs(2);

/// The configuration of a service.
#[derive(Clone, Debug)]
pub struct ServiceConfiguration {
    /// The path of the socket; `None` for the socket of the service manager, if it has opened one.
    pub socket: Option<PathBuf>,
    /// The mode of the socket.
    pub socket_mode: u32,
    /// The listener for agents.
    pub listener: Option<AgentListener>,
    /// The job of the workers.
    pub job: ServiceJob,
    /// Limits of the workers.
    pub workers: WorkerLimits,
    /// Limits of the connections.
    pub connections: ConnectionLimits,
    /// The time that requests have to end when the service stops.
    pub stop: Duration,
    /// The format of the log.
    pub log: LogFormat,
}

/// A listener for agents, with TLS.
#[derive(Clone, Debug)]
pub struct AgentListener {
    /// The address.
    pub address: SocketAddr,
    /// The name of the server: Puppet's setting `certname`.
    pub name: String,
    /// The certificates and their authority.
    pub certificates: Certificates,
    /// The rules for requests.
    pub authorization: AuthorizationRules,
    /// The short names of object identifiers that a site has defined, by the numbers.
    pub oid_names: BTreeMap<String, String>,
    /// The processors of reports.
    pub reports: Vec<ReportProcessor>,
    /// The PuppetDB for reports and facts, if one is configured.
    pub store: Option<Arc<NodeStore>>,
    /// The directory of facts that agents upload, if no PuppetDB stores them.
    pub facts: PathBuf,
    /// The commands that know the versions of code.
    pub code: Option<VersionedCode>,
    /// The directory of the file bucket.
    pub bucket: PathBuf,
    /// The settings of the file server.
    pub files: FileServerSettings,
}

/// The certificates of a listener.
#[derive(Clone, Debug)]
pub enum Certificates {
    /// Certificates of an existing authority.
    Existing {
        /// The files.
        files: TlsFiles,
        /// The address of the authority, which gets requests for `/puppet-ca/v1`.
        url: Option<String>,
    },
    /// The directory of an authority for trying, which signs every certificate request.
    Trial(PathBuf),
}

/// Why a service cannot start.
#[derive(Debug)]
pub enum ServiceFailure {
    /// The socket cannot be opened.
    Socket(PathBuf, io::Error),
    /// The listener for agents cannot be opened.
    Listener(SocketAddr, io::Error),
    /// No socket and no listener is named, and the service manager has opened none.
    NoSocket,
    /// The system refuses something else.
    System(io::Error),
}

impl fmt::Display for ServiceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path, error) => write!(f, "--socket {}: {error}", path.display()),
            Self::Listener(address, error) => write!(f, "--listen {address}: {error}"),
            Self::NoSocket => f.write_str("expected --socket, --listen, or a socket of the service manager"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServiceFailure {}

impl From<io::Error> for ServiceFailure {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Answers requests until the process gets SIGTERM or SIGINT. `worker` returns the command of a worker process, one that calls
/// [`puppetfn_compile::service::answer_requests`].
///
/// # Errors
/// Fails if the socket cannot be opened or a worker cannot be started.
pub fn run(
    configuration: ServiceConfiguration,
    worker: Box<dyn Fn() -> Command + Send + Sync>,
) -> Result<(), ServiceFailure> {
    configuration.log.start();
    let socket = match (&configuration.socket, ServiceSocket::of_service_manager()?) {
        (None, socket) => socket,
        (Some(path), _) => Some(
            ServiceSocket::bind(path, configuration.socket_mode)
                .map_err(|error| ServiceFailure::Socket(path.clone(), error))?,
        ),
    };
    if socket.is_none() && configuration.listener.is_none() {
        return Err(ServiceFailure::NoSocket);
    }
    let runtime = Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
    let served = runtime.block_on(serve_all(configuration, socket, worker));
    // A worker that still compiles is killed with its children.
    runtime.shutdown_timeout(KILL_TIME);
    served
}

async fn serve_all(
    configuration: ServiceConfiguration,
    socket: Option<ServiceSocket>,
    worker: Box<dyn Fn() -> Command + Send + Sync>,
) -> Result<(), ServiceFailure> {
    let ServiceConfiguration { job, workers, connections, stop, listener, .. } = configuration;
    let metrics = Arc::new(Metrics::new());
    let pool = WorkerPool::new(worker, &job, workers, Arc::clone(&metrics))?;
    let bodies = BodyMemory::new(connections.body_memory);
    let state = ServiceState { pool, metrics, environments: job.environments, limits: connections, bodies };
    let state = Arc::new(state);
    let mut served = JoinSet::new();
    let (stopping, _) = watch::channel(());
    let stopped = |mut stopped: watch::Receiver<()>| async move { _ = stopped.changed().await };
    let receiver = stopping.subscribe();
    if let Some(listener) = listener {
        let address = listener.address;
        let agents = AgentConnections::new(&listener, &job.configuration, Arc::clone(&state));
        let agents = Arc::new(agents.map_err(|error| ServiceFailure::Listener(address, error))?);
        let bound =
            TcpListener::bind(address).await.map_err(|error| ServiceFailure::Listener(address, error))?;
        info!(address = %bound.local_addr()?, "listening for agents");
        let open = move |stream| Arc::clone(&agents).open(stream);
        served.spawn(serve(bound, open, connections, stopped(receiver.clone())));
    }
    if let Some(socket) = &socket {
        let bound = UnixListener::from_std(socket.listener()?)?;
        let router = api::router(Arc::clone(&state));
        let open = move |stream| ready(Ok((stream, router.clone())));
        served.spawn(serve(bound, open, connections, stopped(receiver.clone())));
    }
    state.pool.start()?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    notify(NotifyState::Ready);
    info!(workers = workers.processes, "serving");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    info!("stopping");
    notify(NotifyState::Stopping);
    // Clients see at once that nobody answers them any more.
    drop(socket);
    drop((stopping, receiver));
    if timeout(stop, served.join_all()).await.is_err() {
        warn!("requests were cut off after {} more seconds", stop.as_secs_f64());
    }
    Ok(())
}

/// The connections of agents.
struct AgentConnections {
    tls: TlsSource,
    oid_names: OidNames,
    router: Router,
}

impl AgentConnections {
    fn new(
        listener: &AgentListener,
        configuration: &Configuration,
        service: Arc<ServiceState>,
    ) -> io::Result<Self> {
        let (tls, authority) = agent_authority(&listener.certificates)?;
        let (limits, store) = (configuration.limits, listener.store.clone());
        let facts_store = store.clone().filter(|_| configuration.stores);
        let algorithm = listener.files.digest_algorithm.clone();
        let state = AgentState {
            name: HeaderValue::try_from(&listener.name).ok(),
            service,
            target: configuration.effective_target().map_err(io::Error::other)?,
            configuration: configuration.clone(),
            authorization: listener.authorization.clone(),
            files: Arc::new(FileServer::new(listener.files.clone(), FileLimits::new(limits))),
            reports: ReportProcessors { all: listener.reports.clone(), store, tls: tls.clone(), limits },
            facts: FactStore::new(facts_store, listener.facts.clone(), limits),
            code: listener.code.clone(),
            bucket: Arc::new(FileBucket::new(listener.bucket.clone(), algorithm)),
            authority,
        };
        Ok(Self {
            tls: TlsSource::new(tls)?,
            oid_names: listener.oid_names.clone(),
            router: agent::router(Arc::new(state)),
        })
    }

    /// Shakes hands with a client, and returns the router that knows who it is.
    async fn open(self: Arc<Self>, stream: TcpStream) -> io::Result<(TlsStream<TcpStream>, Router)> {
        stream.set_nodelay(true)?;
        let address = stream.peer_addr()?.ip().to_string();
        let refused = |problem: &dyn fmt::Display| io::Error::other(format!("client {address}: {problem}"));
        let accepted = TlsAcceptor::from(self.tls.config()).accept(stream).await;
        let stream = accepted.map_err(|error| refused(&error))?;
        let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        let client = certificate.map(|certificate| AgentIdentity::of_der(certificate, &self.oid_names));
        let client = client.transpose().map_err(|error| refused(&error))?;
        let router = self.router.clone().layer(Extension(Peer { address, client: client.map(Arc::new) }));
        Ok((stream, router))
    }
}

/// Returns the files of the server's certificates, and the authority of agents.
fn agent_authority(certificates: &Certificates) -> io::Result<(TlsFiles, AgentAuthority)> {
    Ok(match certificates {
        Certificates::Existing { files, url: None } => (files.clone(), AgentAuthority::None),
        Certificates::Existing { files, url: Some(url) } => {
            (files.clone(), AgentAuthority::Remote(AuthorityClient::new(url, files.clone())?))
        }
        Certificates::Trial(directory) => {
            let authority = TrialAuthority::open(directory)?;
            (authority.files(), AgentAuthority::Trial(authority))
        }
    })
}

/// Tells the service manager the state of the service, if there is one: see `sd_notify(3)`.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        warn!(%error, "cannot notify the service manager");
    }
}
