//! Processes that compile one node after the other.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::{FleetFailure, FleetNode, FleetResult, NodeOutcome, NodeProblem, TimeProfile, WorkerResponse};

/// The interval at which the receiver of the answers may cancel the work while there are none.
const POLL: Duration = Duration::from_millis(100);
/// Time that a process may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Worker processes. Each is given its job in a first line, then a node in a line of JSON, and answers with an [`WorkerResponse`] in another line. After
/// the last node it may write a [`TimeProfile`]. A process that ends early costs the node that it was compiling, and no other.
#[derive(Debug)]
pub struct ProcessPool {
    processes: usize,
}

/// The state that the threads of a pool share. Each thread has one process at a time.
struct PoolState<'a> {
    command: &'a (dyn Fn() -> Command + Sync),
    job: &'a str,
    nodes: &'a [FleetNode],
    /// The index of the next node.
    next: AtomicUsize,
    /// The number of processes started so far.
    started: AtomicUsize,
    is_cancelled: AtomicBool,
    profile: Mutex<TimeProfile>,
}

/// A process of a thread, to be killed when the work is cancelled.
type ProcessSlot = Mutex<Option<Child>>;

/// A running process.
struct PoolWorker<'a> {
    /// Its number among all processes of the pool, in the order of their start.
    number: usize,
    slot: &'a ProcessSlot,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The number of nodes it has compiled.
    done: usize,
}

impl ProcessPool {
    /// Creates a pool of this number of processes, at least one.
    pub fn new(processes: usize) -> Self {
        Self { processes: processes.max(1) }
    }

    /// Compiles all nodes in processes of the command, and passes each answer to `take` with the number of its process. While there are no
    /// answers, `take` is called with `None` about ten times a second. An error of `take` cancels the work: the processes are killed.
    /// Returns the times of all processes.
    ///
    /// # Errors
    /// Fails if a process cannot be started or ends before it has compiled anything; otherwise as `take`.
    pub fn run(
        &self,
        command: &(dyn Fn() -> Command + Sync),
        job: &str,
        nodes: &[FleetNode],
        take: &mut dyn FnMut(Option<(usize, WorkerResponse)>) -> FleetResult<()>,
    ) -> FleetResult<TimeProfile> {
        let shared = PoolState {
            command,
            job,
            nodes,
            next: AtomicUsize::new(0),
            started: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
            profile: Mutex::default(),
        };
        let slots: Vec<ProcessSlot> =
            (0..self.processes.min(nodes.len())).map(|_| ProcessSlot::default()).collect();
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for slot in &slots {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || {
                    if let Err(failure) = shared.work(slot, &sender) {
                        // The receiver cancels the work of the others.
                        _ = sender.send(Err(failure));
                    }
                });
            }
            drop(sender);
            let taken = receive(&receiver, take);
            if taken.is_err() {
                shared.cancel(&slots);
            }
            taken
        })?;
        Ok(shared.profile.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Takes answers until all threads have ended, or one of them or `take` fails.
fn receive(
    receiver: &mpsc::Receiver<FleetResult<(usize, WorkerResponse)>>,
    take: &mut dyn FnMut(Option<(usize, WorkerResponse)>) -> FleetResult<()>,
) -> FleetResult<()> {
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(answer) => take(Some(answer?))?,
            Err(mpsc::RecvTimeoutError::Timeout) => take(None)?,
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

impl PoolState<'_> {
    /// Compiles nodes in one process after the other until there are no more.
    fn work(
        &self,
        slot: &ProcessSlot,
        sender: &mpsc::Sender<FleetResult<(usize, WorkerResponse)>>,
    ) -> FleetResult<()> {
        let mut worker: Option<PoolWorker<'_>> = None;
        while !self.is_cancelled.load(Ordering::Relaxed) {
            let Some(node) = self.nodes.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let current = match worker.take() {
                Some(worker) => Some(worker),
                None => self.start(slot)?,
            };
            let Some(mut current) = current else { break };
            let number = current.number;
            let started = Instant::now();
            let answer = match current.ask(node) {
                Ok(answer) => {
                    worker = Some(current);
                    answer
                }
                Err(problem) => {
                    let outcome = current.lost(node, started.elapsed().as_secs_f64(), &problem)?;
                    WorkerResponse { outcome, asked: Vec::new() }
                }
            };
            if sender.send(Ok((number, answer))).is_err() {
                break;
            }
        }
        if let Some(worker) = worker {
            let (_, profile) = worker.end();
            lock(&self.profile).merge(profile);
        }
        Ok(())
    }

    /// Starts a process, unless the work is cancelled.
    fn start<'s>(&self, slot: &'s ProcessSlot) -> FleetResult<Option<PoolWorker<'s>>> {
        let mut command = (self.command)();
        let failure = |error: io::Error, command: &Command| {
            FleetFailure::new(format!(
                "{} cannot be started: {error}",
                command.get_program().to_string_lossy()
            ))
        };
        let (mut input, output) = {
            let mut slot = lock(slot);
            // The work is cancelled before the slots are locked: either that is seen here, or the process is there to be killed.
            if self.is_cancelled.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            let child = slot.insert(spawned.map_err(|error| failure(error, &command))?);
            let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
                return Err(failure(io::ErrorKind::BrokenPipe.into(), &command));
            };
            (input, output)
        };
        // A process that ends before it reads this is noticed at its first node.
        _ = input.write_all(format!("{}\n", self.job).as_bytes());
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        Ok(Some(PoolWorker { number, slot, input, output: BufReader::new(output), done: 0 }))
    }

    /// Kills the processes. The threads end when they have noticed it.
    fn cancel(&self, slots: &[ProcessSlot]) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        for slot in slots {
            if let Some(child) = &mut *lock(slot) {
                // One that has ended already is as good as killed.
                _ = child.kill();
            }
        }
    }
}

impl PoolWorker<'_> {
    /// Compiles a node. Fails with the problem if the process gives no answer.
    fn ask(&mut self, node: &FleetNode) -> std::result::Result<WorkerResponse, String> {
        let question = serde_json::to_string(node).map_err(|error| error.to_string())?;
        self.input.write_all(format!("{question}\n").as_bytes()).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        let answer = serde_json::from_str(&answer).map_err(|_| "no answer".to_owned())?;
        self.done += 1;
        Ok(answer)
    }

    /// Returns the outcome of a node whose process gave no answer.
    fn lost(self, node: &FleetNode, seconds: f64, problem: &str) -> FleetResult<NodeOutcome> {
        let done = self.done;
        let (ended, _) = self.end();
        let is_signal = ended.is_none_or(|status| status.code().is_none());
        let ended =
            ended.map_or_else(|| "killed, as it did not exit".to_owned(), |status| status.to_string());
        let message = format!("the process that compiled the node ended ({ended}): {problem}");
        // A problem before the first catalog is one of every node.
        if done == 0 && !is_signal {
            return Err(FleetFailure::new(format!("{}: {message}", node.name)));
        }
        Ok(NodeOutcome::failed(&*node.name, seconds, NodeProblem { message }))
    }

    /// Closes the input of the process, at which it ends, and kills it if that takes too long. Returns its exit status, and the profile in
    /// its last line.
    fn end(self) -> (Option<ExitStatus>, TimeProfile) {
        let Self { slot, input, mut output, .. } = self;
        drop(input);
        thread::scope(|scope| {
            let last = scope.spawn(move || {
                let mut last = String::new();
                output.read_line(&mut last).map(|_| last).unwrap_or_default()
            });
            let status = wait_or_kill(slot);
            let profile = last.join().ok().and_then(|last| serde_json::from_str(&last).ok());
            (status, profile.unwrap_or_default())
        })
    }
}

/// Returns the exit status of a process; `None` if it had to be killed.
fn wait_or_kill(slot: &ProcessSlot) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let status = lock(slot).as_mut().map(Child::try_wait);
        match status {
            Some(Ok(Some(status))) => return Some(status),
            Some(Ok(None)) => thread::sleep(Duration::from_millis(1)),
            Some(Err(_)) | None => break,
        }
    }
    if let Some(mut child) = lock(slot).take() {
        _ = child.kill();
        _ = child.wait();
    }
    None
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
