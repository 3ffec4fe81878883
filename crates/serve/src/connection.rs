//! Connections of clients, with limits of time.

use std::future::Future;
use std::io::{self, ErrorKind::TimedOut};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, info, warn};

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The number of connections at a time.
    pub connections: usize,
    /// The time in which a client sends the head of a request.
    pub head: Duration,
    /// The time in which a client sends the body of a request.
    pub body: Duration,
    /// The time in which a client takes some bytes of an answer.
    pub write: Duration,
    /// The size of a request's body, in bytes.
    pub body_size: usize,
    /// The size of the bodies of all requests together, in bytes.
    pub body_memory: usize,
}

/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;
/// The time before the next connection is accepted when none can be.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A listener of any kind.
pub(crate) trait AnyListener: Send + 'static {
    /// A connection before it is opened.
    type Stream: Send + 'static;

    /// Accepts a connection.
    fn accept(&self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

impl AnyListener for UnixListener {
    type Stream = UnixStream;

    async fn accept(&self) -> io::Result<UnixStream> {
        Self::accept(self).await.map(|(stream, _)| stream)
    }
}

impl AnyListener for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<TcpStream> {
        Self::accept(self).await.map(|(stream, _)| stream)
    }
}

/// Accepts connections until `stop` is ready, and returns when all of them have ended. `open` prepares a connection, with a handshake
/// for example, and returns the router of its requests.
pub(crate) async fn serve<L, S, F>(
    listener: L,
    open: impl Fn(L::Stream) -> F,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) where
    L: AnyListener,
    S: AsyncRead + AsyncWrite + Send + 'static,
    F: Future<Output = io::Result<(S, Router)>> + Send + 'static,
{
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(limits.connections));
    let mut stop = pin!(stop);
    loop {
        let accept = async {
            let permit = Arc::clone(&free).acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok(stream) => {
                let (opening, watcher) = (open(stream), graceful.watcher());
                tokio::spawn(async move {
                    let _permit = permit;
                    let opened = timeout(limits.head, opening)
                        .await
                        .unwrap_or_else(|_| Err(io::Error::from(TimedOut)));
                    match opened {
                        Ok((stream, router)) => {
                            if let Err(error) = watcher.watch(connection(stream, router, limits)).await {
                                debug!(%error, "connection");
                            }
                        }
                        Err(error) => info!(%error, "a connection was refused"),
                    }
                });
            }
            // Without free descriptors for files.
            Err(error) => {
                warn!(%error, "no connection can be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

/// A connection that answers requests.
type Connection<S> = http1::Connection<TokioIo<Pin<Box<TimeoutStream<S>>>>, TowerToHyperService<Router>>;

fn connection<S: AsyncRead + AsyncWrite>(
    stream: S,
    router: Router,
    limits: ConnectionLimits,
) -> Connection<S> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router))
}
