//! A worker process, which compiles one catalog at a time.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::process::Stdio;
use std::time::Duration;

use puppetfn_compile::service::{Answer, Call, FrameLengths, LENGTHS, frame_head};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, sleep_until};

use crate::memory::resident;

/// The interval at which the memory of a busy worker is measured.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);
/// The largest answer of a worker, in bytes.
const LARGEST_ANSWER: usize = 1 << 30;

/// A running worker process. It is killed with its children when it is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
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

impl Worker {
    /// Starts a process of a command, and sends it its job: a frame.
    pub fn start(command: std::process::Command, job: &[u8]) -> io::Result<Self> {
        let (mut own, other) = StdStream::pair()?;
        let mut command = Command::from(command);
        command.stdin(Stdio::from(OwnedFd::from(other)));
        // Code that prints must not disturb anybody.
        command.stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?));
        // With its children, so that all of them can be killed.
        command.process_group(0).kill_on_drop(true);
        let child = command.spawn()?;
        // The process reads this once it has started; the buffer of the socket is larger.
        own.write_all(job)?;
        own.set_nonblocking(true)?;
        let stream = UnixStream::from_std(own)?;
        Ok(Self { child, stream, answered: 0 })
    }

    /// Returns the number of requests it has answered.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    /// Returns true if the process has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns the resident memory of the process, in bytes; `None` if that is not known.
    pub fn memory(&self) -> Option<u64> {
        resident(self.child.id()?)
    }

    /// Sends a request and returns the answer, which may take until `deadline` and `most_memory` bytes.
    pub async fn ask(
        &mut self,
        call: &Call,
        body: &[u8],
        deadline: Instant,
        most_memory: u64,
    ) -> Result<(Answer, Vec<u8>), WorkerFailure> {
        let process = self.child.id();
        let exchange = exchange(&mut self.stream, call, body);
        let memory = async {
            loop {
                sleep(MEMORY_INTERVAL).await;
                if let Some(used) = process.and_then(resident).filter(|used| *used > most_memory) {
                    return used;
                }
            }
        };
        let outcome = tokio::select! {
            answer = exchange => match answer {
                Ok(answer) => {
                    self.answered += 1;
                    return Ok(answer);
                }
                Err(error) => Err(error),
            },
            used = memory => return Err(WorkerFailure::OutOfMemory(used)),
            () = sleep_until(deadline) => return Err(WorkerFailure::TimedOut),
        };
        outcome.map_err(|error: io::Error| WorkerFailure::Ended(error.to_string()))
    }

    /// Returns how the process ended, after [`WorkerFailure::Ended`].
    pub async fn ending(&mut self) -> String {
        let ended = tokio::time::timeout(Duration::from_secs(1), self.child.wait()).await;
        match ended {
            Ok(Ok(status)) => status.to_string(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "still running".to_owned(),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let group = self.child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(group) = group {
            // A group without processes is as good as killed.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Sends a frame and reads another.
async fn exchange(stream: &mut UnixStream, call: &Call, body: &[u8]) -> io::Result<(Answer, Vec<u8>)> {
    stream.write_all(&frame_head(call, body)?).await?;
    stream.write_all(body).await?;
    let mut lengths = [0; LENGTHS];
    stream.read_exact(&mut lengths).await?;
    let FrameLengths { header, body } = FrameLengths::of_bytes(lengths);
    if header.saturating_add(body) > LARGEST_ANSWER {
        return Err(io::Error::other("the answer is too large"));
    }
    let header = serde_json::from_slice(&exactly(stream, header).await?)?;
    Ok((header, exactly(stream, body).await?))
}

async fn exactly(stream: &mut UnixStream, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}
