//! The adapter: starts the command to debug, and connects it with the editor.

use std::io::{self, BufReader, Read, Stdout, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use puppetfn_base::framing;
use puppetfn_base::limits::Limits;
use serde_json::{Value, json};

use crate::launch::LaunchArguments;
use crate::outgoing::Outgoing;
use crate::protocol::{Request, capabilities, event, output, response};

/// The time between two checks whether the command has connected or ended.
const POLL: Duration = Duration::from_millis(10);

type Editor = Arc<Outgoing<Stdout>>;

/// The maximum length of a message of the process, in bytes.
const LONGEST_MESSAGE: usize = 256 * 1024 * 1024;

/// Serves an editor over standard input and output until it closes the connection. `program` returns the command line that starts
/// this program again, without arguments. Returns the exit code.
///
/// # Errors
/// Fails if the editor's messages cannot be read, or it does not accept messages.
pub fn serve(program: &dyn Fn() -> io::Result<Command>, limits: &Limits) -> io::Result<i32> {
    let editor = Arc::new(Outgoing::new(io::stdout()));
    let mut adapter = Adapter { editor, program, initialize: None, debuggee: None };
    let mut input = io::stdin().lock();
    let longest = longest_message(limits);
    while let Some(message) = framing::read(&mut input, longest)? {
        if adapter.answer(message)? == Conversation::Ended {
            break;
        }
    }
    adapter.stop();
    Ok(0)
}

/// Returns the maximum length of a message: little more than a text, in which each character may be escaped.
pub(crate) fn longest_message(limits: &Limits) -> usize {
    limits.file.saturating_mul(6).saturating_add(framing::LONGEST_HEADER as usize)
}

#[derive(PartialEq, Eq)]
enum Conversation {
    Open,
    Ended,
}

struct Adapter<'p> {
    editor: Editor,
    program: &'p dyn Fn() -> io::Result<Command>,
    /// The first request, which the process to debug reads, too.
    initialize: Option<Vec<u8>>,
    debuggee: Option<Debuggee>,
}

impl Adapter<'_> {
    fn answer(&mut self, message: Vec<u8>) -> io::Result<Conversation> {
        let Some(request) = Request::parse(&message) else { return Ok(Conversation::Open) };
        match &*request.command {
            "initialize" => {
                self.initialize = Some(message);
                self.editor.send(response(&request, Ok(capabilities())))?;
            }
            "launch" => self.launch(&request, message)?,
            "attach" => {
                let reply = Err("puppetfn starts the code to debug: use the request \"launch\"".to_owned());
                self.editor.send(response(&request, reply))?;
            }
            "terminate" => {
                self.stop();
                self.editor.send(response(&request, Ok(Value::Null)))?;
            }
            "disconnect" => {
                self.stop();
                self.editor.send(response(&request, Ok(Value::Null)))?;
                return Ok(Conversation::Ended);
            }
            _ => match &self.debuggee {
                Some(debuggee) if debuggee.link.pass_on(&message) => {}
                Some(_) | None => {
                    let reply = Err("no code is being debugged".to_owned());
                    self.editor.send(response(&request, reply))?;
                }
            },
        }
        Ok(Conversation::Open)
    }

    fn launch(&mut self, request: &Request, message: Vec<u8>) -> io::Result<()> {
        let reply = if self.debuggee.is_some() {
            Err("code is being debugged already".to_owned())
        } else {
            request.arguments::<LaunchArguments>().and_then(|arguments| {
                let program = (self.program)().map_err(|error| error.to_string())?;
                // The process answers the request, and asks for the breakpoints.
                let first = self.initialize.iter().cloned().chain([message]).filter(|_| !arguments.no_debug);
                let debuggee = Debuggee::start(&arguments, program, first.collect(), &self.editor)?;
                Ok((debuggee, arguments.no_debug))
            })
        };
        match reply {
            Ok((debuggee, is_plain)) => {
                self.debuggee = Some(debuggee);
                if !is_plain {
                    return Ok(());
                }
                self.editor.send(response(request, Ok(Value::Null)))?;
                self.editor.send(event("initialized", Value::Null))
            }
            Err(message) => self.editor.send(response(request, Err(message))),
        }
    }

    /// Ends the process, and waits until its last messages are written.
    fn stop(&mut self) {
        if let Some(debuggee) = self.debuggee.take() {
            _ = lock(&debuggee.child).kill();
            _ = debuggee.observer.join();
        }
    }
}

/// The process that is debugged.
struct Debuggee {
    child: Arc<Mutex<Child>>,
    link: Arc<Link>,
    observer: JoinHandle<()>,
}

impl Debuggee {
    /// Starts the process, which reads the first messages once it is connected.
    fn start(
        arguments: &LaunchArguments,
        program: Command,
        first: Vec<Vec<u8>>,
        editor: &Editor,
    ) -> Result<Self, String> {
        let prepare = || -> io::Result<_> {
            let folder = tempfile::Builder::new().prefix("puppetfn-dap").tempdir()?;
            let listener = UnixListener::bind(folder.path().join("socket"))?;
            listener.set_nonblocking(true)?;
            Ok((folder, listener))
        };
        let (folder, listener) = prepare().map_err(|error| format!("cannot create a socket: {error}"))?;
        let mut child = arguments.start(program, &folder.path().join("socket"))?;
        let outputs = [
            child.stdout.take().map(|out| show(out, "stdout", editor)),
            child.stderr.take().map(|err| show(err, "stderr", editor)),
        ];
        let child = Arc::new(Mutex::new(child));
        let link = Arc::new(Link(Mutex::new(LinkState::Pending(first))));
        let observer = {
            let (child, link, editor) = (Arc::clone(&child), Arc::clone(&link), Arc::clone(editor));
            thread::spawn(move || {
                let relay = connected(&listener, &child, &link, &editor);
                // Other processes that inherit the variable run without a debugger.
                drop(folder);
                let status = exit_status(&child);
                link.close();
                relay.into_iter().chain(outputs.into_iter().flatten()).for_each(|thread| _ = thread.join());
                let code = status.and_then(|status| status.code()).unwrap_or(1);
                _ = editor.send(event("exited", json!({"exitCode": code})));
                _ = editor.send(event("terminated", Value::Null));
            })
        };
        Ok(Self { child, link, observer })
    }
}

/// The connection with the process.
struct Link(Mutex<LinkState>);

enum LinkState {
    /// Not connected yet, with the messages that it will read first.
    Pending(Vec<Vec<u8>>),
    Connected(UnixStream),
    Closed,
}

impl Link {
    /// Passes on a message. Returns false if the process has ended.
    fn pass_on(&self, message: &[u8]) -> bool {
        let mut state = lock(&self.0);
        match &mut *state {
            LinkState::Pending(messages) => messages.push(message.to_vec()),
            LinkState::Connected(stream) => return framing::write(stream, message).is_ok(),
            LinkState::Closed => return false,
        }
        true
    }

    fn connect(&self, mut stream: UnixStream) {
        let mut state = lock(&self.0);
        if let LinkState::Pending(messages) = &*state {
            messages.iter().for_each(|message| _ = framing::write(&mut stream, message));
        }
        *state = LinkState::Connected(stream);
    }

    /// Closes the connection. Returns the messages that were not passed on.
    fn close(&self) -> Vec<Vec<u8>> {
        match std::mem::replace(&mut *lock(&self.0), LinkState::Closed) {
            LinkState::Pending(messages) => messages,
            LinkState::Connected(_) | LinkState::Closed => Vec::new(),
        }
    }
}

/// Waits until the process has connected, and relays its messages to the editor in a thread of its own; `None` if it ends before.
fn connected(
    listener: &UnixListener,
    child: &Mutex<Child>,
    link: &Link,
    editor: &Editor,
) -> Option<JoinHandle<()>> {
    loop {
        if let Ok((stream, _)) = listener.accept() {
            let incoming = stream.set_nonblocking(false).and_then(|()| stream.try_clone()).ok()?;
            link.connect(stream);
            let editor = Arc::clone(editor);
            return Some(thread::spawn(move || relay(incoming, &*editor, LONGEST_MESSAGE)));
        }
        if !matches!(lock(child).try_wait(), Ok(None)) {
            refuse(&link.close(), editor);
            return None;
        }
        thread::sleep(POLL);
    }
}

/// Answers the requests for a process that has ended before it has run any code.
fn refuse(messages: &[Vec<u8>], editor: &Editor) {
    for request in messages.iter().filter_map(|message| Request::parse(message)) {
        if request.command != "initialize" {
            let reply = Err("the command has ended before any code ran: see its output".to_owned());
            _ = editor.send(response(&request, reply));
        }
    }
}

/// Relays the messages of the process to the editor until one is no message of the protocol, or too long.
fn relay<W: Write>(incoming: impl Read, editor: &Outgoing<W>, longest: usize) {
    let mut incoming = BufReader::new(incoming);
    loop {
        let message = match framing::read(&mut incoming, longest) {
            Ok(Some(message)) => serde_json::from_slice(&message).map_err(|error| error.to_string()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
            Ok(None) | Err(_) => return,
        };
        let is_sent = match message {
            Ok(message) => editor.send(message).is_ok(),
            Err(reason) => {
                let text = format!("error: the messages of the command cannot be read any more: {reason}\n");
                _ = editor.send(output("stderr", &text));
                false
            }
        };
        if !is_sent {
            return;
        }
    }
}

fn exit_status(child: &Mutex<Child>) -> Option<ExitStatus> {
    loop {
        match lock(child).try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => {}
            Err(_) => return None,
        }
        thread::sleep(POLL);
    }
}

/// Shows the output of the process to the user.
fn show(mut pipe: impl Read + Send + 'static, category: &'static str, editor: &Editor) -> JoinHandle<()> {
    let editor = Arc::clone(editor);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        let mut rest = Vec::new();
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            rest.extend_from_slice(buffer.get(..length).unwrap_or_default());
            let text = complete_text(&mut rest);
            if !text.is_empty() && editor.send(output(category, &text)).is_err() {
                return;
            }
        }
        if !rest.is_empty() {
            _ = editor.send(output(category, &String::from_utf8_lossy(&rest)));
        }
    })
}

/// Takes the text of a buffer that may end within a character.
fn complete_text(buffer: &mut Vec<u8>) -> String {
    let end = match std::str::from_utf8(buffer) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => buffer.len(),
    };
    let rest = buffer.split_off(end);
    let text = String::from_utf8_lossy(buffer).into_owned();
    *buffer = rest;
    text
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Outgoing, complete_text, relay};

    #[test]
    fn output_is_cut_between_characters() {
        let mut buffer = "aé".as_bytes()[..2].to_vec();
        assert_eq!((complete_text(&mut buffer), buffer.len()), ("a".to_owned(), 1));
        buffer.extend([0xa9, 0xff]);
        assert_eq!((complete_text(&mut buffer), buffer.len()), ("é\u{fffd}".to_owned(), 0));
    }

    #[test]
    fn a_message_that_is_too_long_ends_the_relay() {
        let mut written = Vec::new();
        let incoming = b"Content-Length: 10\r\n\r\n{\"a\": \"b\"}Content-Length: 12\r\n\r\n{\"a\": \"long\"}";
        relay(&incoming[..], &Outgoing::new(&mut written), 10);
        let written = String::from_utf8(written).unwrap();
        assert!(written.contains(r#"{"a":"b","seq":1}"#), "{written}");
        assert!(written.contains("a message of 12 bytes, more than the maximum of 10"), "{written}");
        assert!(!written.contains("long\""), "{written}");
    }
}
