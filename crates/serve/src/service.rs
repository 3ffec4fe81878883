//! The service as a whole: socket, workers and signals.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use puppetfn_compile::service::ServiceJob;
use sd_notify::NotifyState;
use tokio::net::UnixListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::{info, warn};

use crate::api::{ServiceState, router};
use crate::connection::{ConnectionLimits, serve};
use crate::log::LogFormat;
use crate::metrics::Metrics;
use crate::pool::{WorkerLimits, WorkerPool};
use crate::socket::ServiceSocket;

/// The threads of the service itself: catalogs are compiled in processes.
const THREADS: usize = 2;

/// The configuration of a service.
#[derive(Clone, Debug)]
pub struct ServiceConfiguration {
    /// The path of the socket; `None` for the socket of the service manager.
    pub socket: Option<PathBuf>,
    /// The mode of the socket.
    pub socket_mode: u32,
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

/// Why a service cannot start.
#[derive(Debug)]
pub enum Failure {
    /// The socket cannot be opened.
    Socket(PathBuf, io::Error),
    /// No socket is named, and the service manager has opened none.
    NoSocket,
    /// The system refuses something else.
    System(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path, error) => write!(f, "--socket {}: {error}", path.display()),
            Self::NoSocket => f.write_str("expected --socket, or a socket of the service manager"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
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
) -> Result<(), Failure> {
    configuration.log.start();
    let socket = match (&configuration.socket, ServiceSocket::of_service_manager()?) {
        (None, Some(socket)) => socket,
        (Some(path), _) => ServiceSocket::bind(path, configuration.socket_mode)
            .map_err(|error| Failure::Socket(path.clone(), error))?,
        (None, None) => return Err(Failure::NoSocket),
    };
    let runtime = Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
    let served = runtime.block_on(serve_socket(configuration, socket, worker));
    // A worker that still compiles is killed.
    runtime.shutdown_background();
    served
}

async fn serve_socket(
    configuration: ServiceConfiguration,
    socket: ServiceSocket,
    worker: Box<dyn Fn() -> Command + Send + Sync>,
) -> Result<(), Failure> {
    let ServiceConfiguration { job, workers, connections, stop, .. } = configuration;
    let metrics = Arc::new(Metrics::new());
    let pool = WorkerPool::new(worker, &job, workers, Arc::clone(&metrics))?;
    pool.start()?;
    let state = ServiceState { pool, metrics, environments: job.environments, limits: connections };
    let (stopping, mut stopped) = watch::channel(());
    let listener = UnixListener::from_std(socket.listener()?)?;
    let served = tokio::spawn(serve(listener, router(Arc::new(state)), connections, async move {
        _ = stopped.changed().await;
    }));
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
    drop(stopping);
    if timeout(stop, served).await.is_err() {
        warn!("requests were cut off");
    }
    Ok(())
}

/// Tells the service manager the state of the service, if there is one: see `sd_notify(3)`.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        warn!(%error, "the service manager cannot be told of the state");
    }
}
