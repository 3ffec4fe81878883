//! The input of a console and its output: standard output for results, standard error for messages.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_compile::LogEntry;
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

    /// Prints an error, which counts as a failure.
    pub fn fail(&mut self, error: &Error) -> io::Result<()> {
        let explanation = error.explanation().filter(|explanation| !explanation.restates_message());
        let explanation = explanation.map(ToString::to_string).filter(|text| !text.is_empty());
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
