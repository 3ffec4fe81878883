//! The process that is debugged: answers the requests about its code.
//!
//! A thread reads the requests. It answers those that need no code, such as new breakpoints, at once, and passes the others to the
//! thread that evaluates the code, which answers them while it is paused.

mod breakpoints;
mod control;
mod paused;
mod sources;
mod variables;

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use puppetfn_base::error::Error;
use puppetfn_base::framing;
use puppetfn_base::limits::Limits;
use puppetfn_runtime::eval::{Debugger, PausedEvaluation};
use puppetfn_types::function::LogLevel;
use serde_json::{Value, json};

use self::control::{Control, Stop};
use self::sources::Sources;
use crate::SOCKET;
use crate::adapter::longest_message;
use crate::outgoing::Outgoing;
use crate::protocol::{Reply, Request, event, response};

/// Returns the debugger of this process, if an adapter has started it. It connects to the adapter at the first statement.
#[allow(
    clippy::disallowed_methods,
    reason = "the adapter starts the process with the variable and the socket"
)]
pub fn debuggee(limits: &Limits) -> Option<Arc<dyn Debugger>> {
    let socket = PathBuf::from(std::env::var_os(SOCKET)?);
    // The adapter accepts one connection: other processes of the command are not debugged.
    if !socket.exists() && SESSION.get().is_none() {
        return None;
    }
    Some(Arc::new(ProcessDebugger { socket, limits: *limits }))
}

/// The conversation of this process; `None` if the adapter accepts none.
static SESSION: OnceLock<Option<Arc<Session>>> = OnceLock::new();

/// The debugger of all runtimes of this process.
struct ProcessDebugger {
    socket: PathBuf,
    limits: Limits,
}

impl ProcessDebugger {
    fn session(&self) -> Option<&Session> {
        let connect = || Session::start(UnixStream::connect(&self.socket).ok()?, self.limits).ok();
        SESSION.get_or_init(connect).as_deref()
    }
}

impl Debugger for ProcessDebugger {
    fn reached(&self, evaluation: &mut PausedEvaluation<'_>) {
        if let Some(session) = self.session() {
            session.reached(evaluation);
        }
    }

    fn failed(&self, evaluation: &mut PausedEvaluation<'_>, error: &Error) {
        if let Some(session) = self.session() {
            session.failed(evaluation, error);
        }
    }

    fn logged(&self, evaluation: &mut PausedEvaluation<'_>, level: LogLevel, message: &str) {
        if let Some(session) = self.session() {
            session.logged(evaluation, level, message);
        }
    }
}

/// The conversation with an editor.
struct Session {
    outgoing: Outgoing<UnixStream>,
    control: Mutex<Control>,
    /// Signals that the editor has sent all breakpoints.
    configured: Condvar,
    /// The requests about paused code.
    requests: Receiver<Request>,
    sources: Sources,
    limits: Limits,
    /// Whether code of the editor is evaluated, which is not to pause.
    is_evaluating: AtomicBool,
}

impl Session {
    /// Begins a conversation, and waits until the editor has sent all breakpoints.
    fn start(stream: UnixStream, limits: Limits) -> io::Result<Arc<Self>> {
        let (to_code, requests) = unbounded();
        let incoming = BufReader::new(stream.try_clone()?);
        let session = Arc::new(Self {
            outgoing: Outgoing::new(stream),
            control: Mutex::default(),
            configured: Condvar::new(),
            requests,
            sources: Sources::new(limits),
            limits,
            is_evaluating: AtomicBool::new(false),
        });
        let reader = Arc::clone(&session);
        thread::Builder::new()
            .name("dap-reader".to_owned())
            .spawn(move || reader.read(incoming, &to_code))?;
        let waiting = session
            .configured
            .wait_while(session.control(), |control| !control.is_configured)
            .unwrap_or_else(PoisonError::into_inner);
        drop(waiting);
        Ok(session)
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut incoming: BufReader<UnixStream>, to_code: &Sender<Request>) {
        let longest = longest_message(&self.limits);
        while let Ok(Some(message)) = framing::read(&mut incoming, longest) {
            if let Some(request) = Request::parse(&message) {
                self.receive(request, to_code);
            }
        }
        // Without the editor, the code runs to its end.
        let mut control = self.control();
        *control = Control { is_configured: true, ..Control::default() };
        self.configured.notify_all();
    }

    /// Answers a request, or passes it on to the paused code.
    fn receive(&self, request: Request, to_code: &Sender<Request>) {
        let reply = match self.answer(&request) {
            Some(reply) => reply,
            None if self.control().is_paused => {
                _ = to_code.send(request);
                return;
            }
            None => {
                Err(format!("the code is running, so '{}' has no answer: pause it first", request.command))
            }
        };
        // The adapter has answered the first request.
        if request.command != "initialize" || reply.is_err() {
            self.send(response(&request, reply));
        }
        match &*request.command {
            "launch" => self.send(event("initialized", Value::Null)),
            "configurationDone" => {
                self.control().is_configured = true;
                self.configured.notify_all();
            }
            _ => {}
        }
    }

    /// Answers a request that needs no paused code; `None` for others.
    fn answer(&self, request: &Request) -> Option<Reply> {
        Some(match &*request.command {
            "initialize" => request.arguments().map(|client| {
                self.control().client = client;
                Value::Null
            }),
            "launch" => request.arguments().map(|control::Launch { stop_on_entry }| {
                self.control().stop_on_entry(stop_on_entry);
                Value::Null
            }),
            "configurationDone" => Ok(Value::Null),
            "threads" => Ok(json!({"threads": [{"id": THREAD, "name": "main"}]})),
            "setBreakpoints" => self.set_breakpoints(request),
            "setFunctionBreakpoints" => self.set_function_breakpoints(request),
            "setExceptionBreakpoints" => request.arguments().map(|filters| {
                self.control().exceptions = filters;
                json!({})
            }),
            "source" => self.source(request),
            "pause" => {
                self.control().pause();
                Ok(Value::Null)
            }
            _ => return None,
        })
    }

    /// Sends a message. If the editor is gone, the reader notices it.
    fn send(&self, message: Value) {
        _ = self.outgoing.send(message);
    }

    /// Evaluates code of the editor.
    fn evaluating<R>(&self, evaluate: impl FnOnce() -> R) -> R {
        self.is_evaluating.store(true, Ordering::Relaxed);
        let result = evaluate();
        self.is_evaluating.store(false, Ordering::Relaxed);
        result
    }

    fn is_evaluating(&self) -> bool {
        self.is_evaluating.load(Ordering::Relaxed)
    }
}

/// The number of the only thread.
const THREAD: i64 = 1;

impl Session {
    /// Pauses at a statement, if there is a reason.
    fn reached(&self, evaluation: &mut PausedEvaluation<'_>) {
        if self.is_evaluating() {
            return;
        }
        self.control().has_shown_error = false;
        if let Some(stop) = self.stop_at(evaluation) {
            self.pause(evaluation, &stop);
        }
    }

    /// Pauses where a statement has failed, if the editor wants that.
    fn failed(&self, evaluation: &mut PausedEvaluation<'_>, error: &Error) {
        let is_new = {
            let mut control = self.control();
            control.exceptions.has("errors") && !std::mem::replace(&mut control.has_shown_error, true)
        };
        if is_new && !self.is_evaluating() {
            self.pause(evaluation, &Stop::failed(error.to_string()));
        }
    }

    /// Pauses where code logs a warning or an error, if the editor wants that.
    fn logged(&self, evaluation: &mut PausedEvaluation<'_>, level: LogLevel, message: &str) {
        let is_severe = level >= LogLevel::Warning;
        if is_severe && !self.is_evaluating() && self.control().exceptions.has("warnings") {
            self.pause(evaluation, &Stop::failed(format!("{level}: {message}")));
        }
    }
}
