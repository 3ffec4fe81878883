//! The input of a console and its output: standard output for results, standard error for messages.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_compile::{CompileOptions, INTERRUPTED, LogEntry};
use puppetfn_types::function::LogLevel;

/// A part of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsoleEntry {
    /// Statements, and the line at which they begin, from 1.
    Code {
        /// The code.
        text: String,
        /// The line.
        line: u32,
    },
    /// A command, with its colon.
    Command(String),
    /// The end of the input.
    End,
}

/// A source of statements and commands.
pub trait ConsoleInput {
    /// Reads the next entry.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    fn read(&mut self, prompt: &str) -> io::Result<ConsoleEntry>;

    /// Returns the name of the input in messages.
    fn name(&self) -> &'static str;

    /// Returns true if a person types the input.
    fn is_interactive(&self) -> bool;

    /// Receives the options of a session that begins.
    fn begin(&mut self, options: &CompileOptions) {
        let _ = options;
    }

    /// Receives evaluated code, whose definitions later code can use.
    fn evaluated(&mut self, text: &str) {
        let _ = text;
    }

    /// Receives the names of the variables that code can use.
    fn set_variables(&mut self, names: Vec<Arc<str>>) {
        let _ = names;
    }

    /// Lets the user edit a file, or a copy of the text if there is no file. Returns the edited text.
    ///
    /// # Errors
    /// Fails if no editor can be used.
    fn edit(&mut self, file: Option<&Path>, text: &str) -> io::Result<String> {
        let _ = (file, text);
        Err(io::Error::other(":edit needs a terminal"))
    }
}

/// The input and the state that consoles of the same process share: the one of a session, and those of its pauses.
pub(crate) struct Frontend {
    pub input: Box<dyn ConsoleInput>,
    pub limits: Limits,
    /// Whether a statement or a command has failed.
    pub has_failed: bool,
    /// Whether the user has ended the console.
    pub has_quit: bool,
}

thread_local! {
    /// The frontend of the evaluation in this thread, for code that pauses.
    static CURRENT: RefCell<Option<Rc<RefCell<Frontend>>>> = const { RefCell::new(None) };
}

impl Frontend {
    pub fn new(input: Box<dyn ConsoleInput>, limits: Limits) -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Self { input, limits, has_failed: false, has_quit: false }))
    }

    /// Makes a frontend the one that paused code talks to.
    pub fn enter(frontend: &Rc<RefCell<Self>>) {
        CURRENT.set(Some(Rc::clone(frontend)));
    }

    /// Returns the frontend of this thread.
    pub fn current() -> Option<Rc<RefCell<Self>>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Ends the conversation of paused code in this thread.
    pub fn leave() {
        CURRENT.set(None);
    }

    /// Lets the user edit a file, or a copy of the text if the path is empty. Returns the edited text unless it is blank.
    pub fn edit(&mut self, path: &str, text: &str) -> io::Result<Option<String>> {
        let file = Some(Path::new(path)).filter(|_| !path.is_empty());
        match self.input.edit(file, text) {
            Ok(text) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
            Err(error) => self.fail_with(&error.to_string()).map(|()| None),
        }
    }

    /// Prints an error, which counts as a failure.
    pub fn fail(&mut self, error: &Error) -> io::Result<()> {
        let explanation = error.explanation().filter(|explanation| !explanation.restates_message());
        let explanation = explanation.map(ToString::to_string).filter(|text| !text.is_empty());
        if error.message() == INTERRUPTED && self.input.is_interactive() {
            // The terminal has written `^C`.
            say("")?;
        }
        self.fail_with(&error.to_string())?;
        explanation.map_or(Ok(()), |explanation| complain(&explanation))
    }

    /// Prints an error message, which counts as a failure.
    pub fn fail_with(&mut self, message: &str) -> io::Result<()> {
        self.has_failed = true;
        complain(&LogEntry::new(LogLevel::Err, message).to_string())
    }
}

/// Prints results.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    write!(out, "{text}{line_end}").and_then(|()| out.flush())
}

/// Prints a message.
pub(crate) fn complain(message: &str) -> io::Result<()> {
    let mut err = io::stderr().lock();
    writeln!(err, "{message}").and_then(|()| err.flush())
}

/// Prints the shown messages of a log.
pub(crate) fn report(log: &[LogEntry]) -> io::Result<()> {
    log.iter().filter(|entry| entry.is_shown()).try_for_each(|entry| complain(&entry.to_string()))
}
