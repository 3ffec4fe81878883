//! A worker process, which compiles one catalog at a time.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use puppetfn_compile::service::{FrameLengths, LENGTHS, RequestHeader, ResponseHeader, frame_head};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::memory::resident;

/// The interval at which the memory of a busy worker is measured.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);
/// The time in which the answer of a process arrives that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Variables with which the service manager speaks to the service alone: see `sd_listen_fds(3)` and `sd_notify(3)`.
pub(crate) const SERVICE_MANAGER_VARIABLES: [&str; 6] =
    ["LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"];
/// The largest answer of a worker, in bytes.
const LARGEST_ANSWER: usize = 1 << 30;

/// A running worker process. It is killed with its children when it is dropped.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    /// The group of the process and its children, which can outlive it.
    group: Option<Pid>,
    stream: UnixStream,
    /// The number of requests it has answered.
    answered: u64,
}

/// Why a worker gave no answer.
#[derive(Debug)]
pub(crate) enum WorkerFailure {
    /// The process ended or broke the protocol.
    Ended(String),
    /// The time was up.
    TimedOut,
    /// The process used more than its memory, in bytes.
    OutOfMemory(u64),
}

impl WorkerProcess {
    /// Starts a process of a command, and sends it its job: a frame.
    pub fn start(command: std::process::Command, job: &[u8]) -> io::Result<Self> {
        let (mut own, other) = StdStream::pair()?;
        let mut command = Command::from(command);
        command.stdin(Stdio::from(OwnedFd::from(other)));
        // Code that prints must not disturb anybody.
        command.stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?));
        // With its children, so that all of them can be killed.
        command.process_group(0).kill_on_drop(true);
        SERVICE_MANAGER_VARIABLES.iter().for_each(|name| {
            command.env_remove(name);
        });
        let child = command.spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // The process reads this once it has started; the buffer of the socket is larger.
        own.write_all(job)?;
        own.set_nonblocking(true)?;
        let stream = UnixStream::from_std(own)?;
        Ok(Self { child, group, stream, answered: 0 })
    }

    /// Returns the number of requests it has answered.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    /// Returns true if the process has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns the ID of the process, if it runs.
    pub fn process(&self) -> Option<u32> {
        self.child.id()
    }

    /// Returns the resident memory of the process, in bytes; `None` if that is not known.
    pub fn memory(&self) -> Option<u64> {
        resident(self.child.id()?)
    }

    /// Sends a request and returns the answer, which may take until `deadline` and `most_memory` bytes.
    pub async fn ask(
        &mut self,
        call: &RequestHeader,
        body: &[u8],
        deadline: Instant,
        most_memory: u64,
    ) -> Result<(ResponseHeader, Vec<u8>), WorkerFailure> {
        let process = self.child.id();
        let mut exchange = pin!(exchange(&mut self.stream, call, body));
        let memory = async {
            loop {
                sleep(MEMORY_INTERVAL).await;
                if let Some(used) = process.and_then(resident).filter(|used| *used > most_memory) {
                    return used;
                }
            }
        };
        let answer = tokio::select! {
            biased;
            answer = &mut exchange => answer,
            // Its children may hold the stream, so that it does not end.
            _ = self.child.wait() => timeout(LAST_WORDS, exchange)
                .await
                .unwrap_or_else(|_| Err(io::ErrorKind::UnexpectedEof.into())),
            used = memory => return Err(WorkerFailure::OutOfMemory(used)),
            () = sleep_until(deadline) => return Err(WorkerFailure::TimedOut),
        };
        let answer = answer.map_err(|error| WorkerFailure::Ended(error.to_string()))?;
        self.answered += 1;
        Ok(answer)
    }

    /// Returns how the process ended, after [`WorkerFailure::Ended`], and whether somebody has killed it.
    pub async fn ending(&mut self) -> (String, bool) {
        match timeout(LAST_WORDS, self.child.wait()).await {
            Ok(Ok(status)) => (status.to_string(), status.signal() == Some(Signal::KILL.as_raw())),
            Ok(Err(error)) => (error.to_string(), false),
            Err(_) => ("still running".to_owned(), false),
        }
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // A group without processes is as good as killed.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Sends a frame and reads another.
async fn exchange(
    stream: &mut UnixStream,
    call: &RequestHeader,
    body: &[u8],
) -> io::Result<(ResponseHeader, Vec<u8>)> {
    stream.write_all(&frame_head(call, body)?).await?;
    stream.write_all(body).await?;
    let mut lengths = [0; LENGTHS];
    stream.read_exact(&mut lengths).await?;
    let FrameLengths { header, body } = FrameLengths::of_bytes(lengths);
    if header.saturating_add(body) > LARGEST_ANSWER {
        let problem = format!("its answer has {header} and {body} bytes, more than {LARGEST_ANSWER}");
        return Err(io::Error::other(problem));
    }
    let header = serde_json::from_slice(&exactly(stream, header).await?)?;
    Ok((header, exactly(stream, body).await?))
}

async fn exactly(stream: &mut UnixStream, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}
