//! A pool of worker processes.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use puppetfn_compile::service::{RequestHeader, RequestOutcome, ResponseHeader, ServiceJob, frame_head};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tracing::{error, warn};

use crate::memory::resident;
use crate::metrics::{Metrics, ReplacementReason};
use crate::worker::{WorkerFailure, WorkerProcess};

/// The number of workers that a request may outdate or lose before it fails, besides all that were idle.
const MOST_TRIES: usize = 2;
/// The time in which a worker forgets an environment.
const FLUSH_TIME: Duration = Duration::from_secs(10);
/// The time in which a process ends that was killed before it got its request.
const IMMEDIATE_END: Duration = Duration::from_millis(100);

/// Limits of the workers.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// The number of processes.
    pub processes: usize,
    /// The number of catalogs after which a process is replaced.
    pub catalogs: u64,
    /// The memory in bytes above which a process is replaced after its catalog. At twice as much it is killed.
    pub memory: u64,
    /// The time of a request, with the time that it waits for a process.
    pub time: Duration,
    /// The number of requests that may wait for a process.
    pub queue: usize,
}

/// Worker processes, as many as there may be, and the requests that wait for one.
pub(crate) struct WorkerPool {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    job: Vec<u8>,
    limits: WorkerLimits,
    idle: Mutex<Vec<PooledWorker>>,
    processes: Arc<ProcessTable>,
    free: Semaphore,
    waiting: AtomicUsize,
    flushes: Mutex<EnvironmentFlushes>,
    metrics: Arc<Metrics>,
}

/// A worker, and the number of flushes that it knows of.
struct PooledWorker {
    worker: WorkerProcess,
    flushes: u64,
    _process: TabledProcess,
}

/// The processes of all workers, idle or busy.
#[derive(Default)]
struct ProcessTable(Mutex<BTreeSet<u32>>);

/// A process that is in the table until it is dropped.
struct TabledProcess {
    id: Option<u32>,
    table: Arc<ProcessTable>,
}

impl TabledProcess {
    fn new(id: Option<u32>, table: &Arc<ProcessTable>) -> Self {
        lock(&table.0).extend(id);
        Self { id, table: Arc::clone(table) }
    }
}

impl Drop for TabledProcess {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            lock(&self.table.0).remove(&id);
        }
    }
}

/// The flushes of environments.
#[derive(Default)]
struct EnvironmentFlushes {
    count: u64,
    /// The number of the last flush of an environment, or of all.
    last: HashMap<Option<String>, u64>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum PoolFailure {
    /// Too many requests wait.
    Busy,
    /// The time was up.
    TimedOut(Duration),
    /// The process ended, or was killed.
    Lost(String),
    /// No process can be started.
    NoWorker(io::Error),
}

impl fmt::Display for PoolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("more requests wait for a worker than --queue allows"),
            Self::TimedOut(time) => {
                write!(f, "the request took longer than {} seconds, the limit --timeout", time.as_secs_f64())
            }
            Self::Lost(problem) => f.write_str(problem),
            Self::NoWorker(error) => write!(f, "cannot start a worker: {error}"),
        }
    }
}

impl WorkerPool {
    /// Creates a pool whose processes are started by a command.
    ///
    /// # Errors
    /// Fails if the job cannot be serialized.
    pub fn new(
        command: Box<dyn Fn() -> Command + Send + Sync>,
        job: &ServiceJob,
        limits: WorkerLimits,
        metrics: Arc<Metrics>,
    ) -> io::Result<Self> {
        let processes = limits.processes.max(1);
        Ok(Self {
            command,
            job: frame_head(job, &[])?,
            limits: WorkerLimits { processes, ..limits },
            idle: Mutex::default(),
            processes: Arc::default(),
            free: Semaphore::new(processes),
            waiting: AtomicUsize::new(0),
            flushes: Mutex::default(),
            metrics,
        })
    }

    /// Starts all processes.
    ///
    /// # Errors
    /// Fails if one cannot be started.
    pub fn start(&self) -> io::Result<()> {
        for _ in 0..self.limits.processes {
            let worker = self.new_worker()?;
            self.put(worker);
        }
        Ok(())
    }

    /// Returns the answer of a worker to a request.
    pub async fn ask(
        &self,
        call: &RequestHeader,
        body: &[u8],
    ) -> Result<(ResponseHeader, Vec<u8>), PoolFailure> {
        let deadline = Instant::now() + self.limits.time;
        let timed_out = || PoolFailure::TimedOut(self.limits.time);
        let _waiting = WaitingRequest::begin(&self.waiting, self.limits.queue + self.limits.processes)?;
        let permit = timeout_at(deadline, self.free.acquire()).await.map_err(|_| timed_out())?;
        let _permit = permit.map_err(|_| PoolFailure::Busy)?;
        let _busy = self.metrics.begin();
        self.ask_workers(call, body, deadline).await
    }

    /// Asks a worker; replaces outdated and lost workers until one answers.
    async fn ask_workers(
        &self,
        call: &RequestHeader,
        body: &[u8],
        deadline: Instant,
    ) -> Result<(ResponseHeader, Vec<u8>), PoolFailure> {
        let mut tries = self.limits.processes + MOST_TRIES;
        let mut lost = 0;
        loop {
            tries = tries.saturating_sub(1);
            let mut worker = self.take().await?;
            let asked = Instant::now();
            match worker.worker.ask(call, body, deadline, self.limits.memory.saturating_mul(2)).await {
                Ok((answer, _)) if answer.outcome == RequestOutcome::Outdated && tries > 0 => {
                    self.metrics.replaced(ReplacementReason::CodeChanged);
                }
                Ok(answer) => {
                    self.give_back(worker);
                    return Ok(answer);
                }
                Err(WorkerFailure::Ended(problem)) => {
                    let was_idle = asked.elapsed() < IMMEDIATE_END;
                    let (ending, is_killed) = worker.worker.ending().await;
                    self.metrics.replaced(ReplacementReason::Ended);
                    error!(ending, problem, "a worker has ended");
                    if !(is_killed && was_idle) {
                        lost += 1;
                    }
                    if lost == MOST_TRIES || tries == 0 {
                        self.refill();
                        return Err(PoolFailure::Lost(format!("the worker process ended ({ending})")));
                    }
                }
                Err(WorkerFailure::OutOfMemory(used)) => {
                    self.replace(worker, ReplacementReason::Memory);
                    return Err(self.out_of_memory(used));
                }
                Err(WorkerFailure::TimedOut) => {
                    self.replace(worker, ReplacementReason::TimedOut);
                    return Err(PoolFailure::TimedOut(self.limits.time));
                }
            }
        }
    }

    #[cold]
    fn out_of_memory(&self, used: u64) -> PoolFailure {
        let (used, limit) = (used >> 20, self.limits.memory >> 20);
        PoolFailure::Lost(format!(
            "the worker process was killed at {used} MiB, twice its limit --worker-memory of {limit} MiB"
        ))
    }

    /// Makes all workers read an environment anew, or all of them.
    pub fn flush(&self, environment: Option<String>) {
        let mut flushes = lock(&self.flushes);
        flushes.count += 1;
        let count = flushes.count;
        if environment.is_none() {
            flushes.last.clear();
        }
        flushes.last.insert(environment, count);
    }

    /// Returns the resident memory of all workers, in bytes.
    pub fn memory(&self) -> u64 {
        let processes = lock(&self.processes.0).clone();
        processes.into_iter().filter_map(resident).sum()
    }

    /// Takes an idle worker, or starts another.
    async fn take(&self) -> Result<PooledWorker, PoolFailure> {
        loop {
            let idle = lock(&self.idle).pop();
            let Some(mut worker) = idle else { return self.new_worker().map_err(PoolFailure::NoWorker) };
            let reason = if worker.worker.is_running() {
                match self.flush_worker(&mut worker).await {
                    None => return Ok(worker),
                    Some(reason) => reason,
                }
            } else {
                ReplacementReason::Ended
            };
            if reason == ReplacementReason::Ended {
                warn!("an idle worker has ended");
            }
            self.metrics.replaced(reason);
        }
    }

    /// Tells a worker of the flushes since its last request. Returns why it has to be replaced, if it has.
    async fn flush_worker(&self, worker: &mut PooledWorker) -> Option<ReplacementReason> {
        let (count, names) = {
            let flushes = lock(&self.flushes);
            let newer = flushes.last.iter().filter(|(_, count)| **count > worker.flushes);
            (flushes.count, newer.map(|(name, _)| name.clone()).collect::<Vec<_>>())
        };
        worker.flushes = count;
        for name in names {
            let deadline = Instant::now() + FLUSH_TIME;
            match worker.worker.ask(&RequestHeader::Flush(name), &[], deadline, u64::MAX).await {
                Ok((answer, _)) if answer.outcome == RequestOutcome::Outdated => {
                    return Some(ReplacementReason::CodeChanged);
                }
                Ok(_) => {}
                Err(_) => return Some(ReplacementReason::Ended),
            }
        }
        None
    }

    fn give_back(&self, worker: PooledWorker) {
        if worker.worker.answered() >= self.limits.catalogs {
            self.replace(worker, ReplacementReason::Age);
        } else if worker.worker.memory().is_some_and(|used| used > self.limits.memory) {
            self.replace(worker, ReplacementReason::Memory);
        } else {
            self.put(worker);
        }
    }

    /// Ends a worker, and starts another.
    fn replace(&self, worker: PooledWorker, reason: ReplacementReason) {
        self.metrics.replaced(reason);
        drop(worker);
        self.refill();
    }

    /// Starts a process in place of another, so that the next request does not wait for it.
    fn refill(&self) {
        match self.new_worker() {
            Ok(worker) => self.put(worker),
            Err(error) => error!(%error, "no worker can be started"),
        }
    }

    fn put(&self, worker: PooledWorker) {
        lock(&self.idle).push(worker);
    }

    fn new_worker(&self) -> io::Result<PooledWorker> {
        let flushes = lock(&self.flushes).count;
        let worker = WorkerProcess::start((self.command)(), &self.job)?;
        let process = TabledProcess::new(worker.process(), &self.processes);
        Ok(PooledWorker { worker, flushes, _process: process })
    }
}

/// A request that waits for a worker.
struct WaitingRequest<'p>(&'p AtomicUsize);

impl<'p> WaitingRequest<'p> {
    /// Counts a request, unless there are too many.
    fn begin(count: &'p AtomicUsize, most: usize) -> Result<Self, PoolFailure> {
        let waiting = Self(count);
        if count.fetch_add(1, Ordering::Relaxed) >= most { Err(PoolFailure::Busy) } else { Ok(waiting) }
    }
}

impl Drop for WaitingRequest<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
