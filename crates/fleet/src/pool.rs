//! Processes that compile one node after the other.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Answer, Failure, Node, Outcome, Problem, Profile, Result};

/// How often whoever takes the answers is asked whether to go on, while there are none.
const POLL: Duration = Duration::from_millis(100);
/// How long a process may take to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Processes that are each given their job in a first line, then the name of a node and where its facts are, in a line of JSON, and
/// answer with an [`Answer`] in another. When there are no more, it may say in a last line where the time went: a [`Profile`]. A process that ends early costs
/// the node that it was compiling, and no other.
#[derive(Debug)]
pub struct Pool {
    processes: usize,
}

/// A process.
struct Worker {
    /// Which of all that are started it is.
    number: usize,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// How many nodes it has compiled.
    done: usize,
}

impl Pool {
    /// Returns a pool of as many processes, at least one.
    pub fn new(processes: usize) -> Self {
        Self { processes: processes.max(1) }
    }

    /// Has all nodes compiled by processes that the command starts for a job, and hands over what came of each as soon as that is known, with
    /// the number of the process. While nothing is known, `take` is called with nothing from time to time: an error of it ends the work
    /// after the nodes that are being compiled. Returns where the time went.
    ///
    /// # Errors
    /// When a process cannot be started, or ends before it has compiled anything; and what `take` fails with.
    pub fn run(
        &self,
        command: &(dyn Fn() -> Command + Sync),
        job: &str,
        nodes: &[Node],
        take: &mut dyn FnMut(Option<(usize, Answer)>) -> Result<()>,
    ) -> Result<Profile> {
        let profile = Mutex::new(Profile::default());
        let (next, started, is_over) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.processes.min(nodes.len()) {
                let (sender, next, started, is_over, profile) =
                    (sender.clone(), &next, &started, &is_over, &profile);
                let start = move || Worker::start(command(), job, started.fetch_add(1, Ordering::Relaxed));
                scope.spawn(move || {
                    match work(&start, nodes, next, is_over, &sender) {
                        Ok(own) => profile.lock().unwrap_or_else(PoisonError::into_inner).merge(own),
                        // Whoever receives it has the others stopped.
                        Err(failure) => _ = sender.send(Err(failure)),
                    }
                });
            }
            drop(sender);
            let taken = loop {
                let taken = match receiver.recv_timeout(POLL) {
                    Ok(answer) => answer.and_then(|answer| take(Some(answer))),
                    Err(mpsc::RecvTimeoutError::Timeout) => take(None),
                    Err(mpsc::RecvTimeoutError::Disconnected) => break Ok(()),
                };
                if taken.is_err() {
                    break taken;
                }
            };
            is_over.store(true, Ordering::Relaxed);
            taken
        })?;
        Ok(profile.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Has nodes compiled by one process after the other until there are no more.
fn work(
    start: &dyn Fn() -> Result<Worker>,
    nodes: &[Node],
    next: &AtomicUsize,
    is_over: &AtomicBool,
    sender: &mpsc::Sender<Result<(usize, Answer)>>,
) -> Result<Profile> {
    let mut worker: Option<Worker> = None;
    while !is_over.load(Ordering::Relaxed) {
        let Some(node) = nodes.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
        let mut current = match worker.take() {
            Some(worker) => worker,
            None => start()?,
        };
        let number = current.number;
        let started = Instant::now();
        let answer = match current.ask(node) {
            Ok(answer) => {
                worker = Some(current);
                answer
            }
            Err(problem) => {
                let outcome = current.lost(node, started.elapsed().as_secs_f64(), &problem)?;
                Answer { outcome, asked: Vec::new() }
            }
        };
        if sender.send(Ok((number, answer))).is_err() {
            break;
        }
    }
    Ok(worker.map(|worker| worker.end().1).unwrap_or_default())
}

impl Worker {
    fn start(mut command: Command, job: &str, number: usize) -> Result<Self> {
        let failure = |error: io::Error, command: &Command| {
            Failure::new(format!("{} cannot be started: {error}", command.get_program().to_string_lossy()))
        };
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| failure(error, &command))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(mut input), Some(output)) => {
                // A process that ends before it reads this is noticed when it is asked for the first time.
                _ = input.write_all(format!("{job}\n").as_bytes());
                Ok(Self { number, child, input, output: BufReader::new(output), done: 0 })
            }
            _ => Err(failure(io::ErrorKind::BrokenPipe.into(), &command)),
        }
    }

    fn ask(&mut self, node: &Node) -> std::result::Result<Answer, String> {
        let question = serde_json::to_string(node).map_err(|error| error.to_string())?;
        self.input.write_all(format!("{question}\n").as_bytes()).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        let answer = serde_json::from_str(&answer).map_err(|_| "it gave no answer".to_owned())?;
        self.done += 1;
        Ok(answer)
    }

    /// Returns what is known of a node whose process gave no answer.
    fn lost(self, node: &Node, seconds: f64, problem: &str) -> Result<Outcome> {
        let done = self.done;
        let (ended, _) = self.end();
        let is_signal = ended.is_none_or(|status| status.code().is_none());
        let ended =
            ended.map_or_else(|| "stopped, as it did not end".to_owned(), |status| status.to_string());
        let message = format!("the process that compiled the node ended ({ended}): {problem}");
        // What goes wrong before anything is compiled goes wrong for each node.
        if done == 0 && !is_signal {
            return Err(Failure::new(format!("{}: {message}", node.name)));
        }
        Ok(Outcome::failed(&*node.name, seconds, Problem { message }))
    }

    /// Waits for the end of the process, which comes when there is no more input; stops it if that takes long. Returns what it
    /// ended with, and its last line.
    fn end(mut self) -> (Option<ExitStatus>, Profile) {
        drop(self.input);
        let mut last = String::new();
        // One that hangs is stopped below: its output ends with it.
        let read = if self.done > 0 { self.output.read_line(&mut last).is_ok() } else { false };
        let profile = if read { serde_json::from_str(&last).unwrap_or_default() } else { Profile::default() };
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            match self.child.try_wait() {
                Ok(Some(status)) => return (Some(status), profile),
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(_) => break,
            }
        }
        _ = self.child.kill();
        _ = self.child.wait();
        (None, profile)
    }
}
