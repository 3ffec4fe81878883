//! Consoles in paused code.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_catalog::value_code;
use puppetfn_runtime::eval::{Debugger, PausedEvaluation, Runtime, StackFrame, break_function};
use puppetfn_types::function::{LogLevel, LookupQuery};
use puppetfn_types::value::Value;

use crate::commands::{self, CommandPlace, ConsoleCommand};
use crate::frontend::{ConsoleEntry, Frontend, complain, say};
use crate::listing;

/// The number of lines that are shown before and after the line of a pause.
const LINES_AROUND: usize = 3;

/// Lets the code of a runtime call `puppetfn::break()`.
///
/// # Errors
/// None: the signature of the function is valid.
pub(crate) fn offer(runtime: &Runtime) -> Result<(), Error> {
    runtime.set_debugger(Arc::new(PauseListener));
    runtime.define(break_function()?);
    Ok(())
}

/// Opens a console at each pause.
struct PauseListener;

impl Debugger for PauseListener {
    fn observes_statements(&self) -> bool {
        false
    }

    fn reached(&self, _: &mut PausedEvaluation<'_>) {}

    fn failed(&self, _: &mut PausedEvaluation<'_>, _: &Error) {}

    fn logged(&self, _: &mut PausedEvaluation<'_>, _: LogLevel, _: &str) {}

    fn broke(&self, evaluation: &mut PausedEvaluation<'_>) -> Result<(), Error> {
        let Some(frontend) = Frontend::current() else { return Ok(()) };
        let frames = evaluation.frames();
        let limits = frontend.borrow().limits;
        let ended = Pause { evaluation, frames, selected: 0, frontend, limits }.converse();
        let ended =
            ended.map_err(|error| Error::new(ErrorKind::Load, format!("the console has ended: {error}")))?;
        if ended {
            Err(Error::new(ErrorKind::Evaluation, "the evaluation was ended where it paused"))
        } else {
            Ok(())
        }
    }
}

/// A console in paused code.
struct Pause<'p, 'm> {
    evaluation: &'p mut PausedEvaluation<'m>,
    frames: Vec<StackFrame>,
    /// The index of the frame that code is evaluated in.
    selected: usize,
    frontend: Rc<RefCell<Frontend>>,
    limits: Limits,
}

impl Pause<'_, '_> {
    /// Talks until the code is to continue. Returns true if the user ends the evaluation.
    fn converse(mut self) -> io::Result<bool> {
        complain(&self.heading())?;
        loop {
            self.list_variables();
            let entry = self.frontend.borrow_mut().input.read("break")?;
            match entry {
                ConsoleEntry::Code { text, .. } => self.evaluate(&text)?,
                ConsoleEntry::End => return Ok(false),
                ConsoleEntry::Command(line) => match commands::parse(&line, CommandPlace::Pause) {
                    Ok((ConsoleCommand::Continue, _)) => return Ok(false),
                    Ok((ConsoleCommand::Quit, _)) => {
                        self.frontend.borrow_mut().has_quit = true;
                        return Ok(true);
                    }
                    Ok((command, arguments)) => self.execute(command, arguments)?,
                    Err(message) => self.frontend.borrow_mut().fail_with(&message)?,
                },
            }
            if self.frontend.borrow().has_quit {
                return Ok(true);
            }
        }
    }

    /// Tells the input the names of the variables of the selected frame and of the top scope.
    fn list_variables(&self) {
        let locals = self.frames.get(self.selected).map(|frame| self.evaluation.locals(frame));
        let all = locals.into_iter().flatten().chain(self.evaluation.top_variables());
        let names = all.map(|(name, _)| name).collect();
        self.frontend.borrow_mut().input.set_variables(names);
    }

    /// Returns the place of the pause, with the lines around it.
    fn heading(&self) -> String {
        let Some(frame) = self.frames.get(self.selected) else { return "Paused".to_owned() };
        format!("Paused at {}\n{}", described(frame), excerpt(frame)).trim_end().to_owned()
    }

    fn execute(&mut self, command: ConsoleCommand, arguments: &str) -> io::Result<()> {
        match command {
            ConsoleCommand::Help => say(&commands::help(CommandPlace::Pause)),
            ConsoleCommand::Ls => self.list(),
            ConsoleCommand::Type => self.show_type(arguments),
            ConsoleCommand::Facts => self.show_facts(arguments),
            ConsoleCommand::Lookup => self.look_up(arguments),
            ConsoleCommand::Where => {
                let lines = self.frames.iter().enumerate().map(|(index, frame)| {
                    let mark = if index == self.selected { '>' } else { ' ' };
                    format!("{mark} {index} {}\n", described(frame))
                });
                say(&lines.collect::<String>())
            }
            ConsoleCommand::Frame => match arguments.parse::<usize>() {
                Ok(index) if index < self.frames.len() => {
                    self.selected = index;
                    complain(&self.heading())
                }
                Ok(_) | Err(_) => {
                    let last = self.frames.len().saturating_sub(1);
                    self.frontend
                        .borrow_mut()
                        .fail_with(&format!("expected the number of a frame, 0 to {last}"))
                }
            },
            ConsoleCommand::Edit => {
                let edited = self.frontend.borrow_mut().edit(arguments, "")?;
                edited.map_or(Ok(()), |text| self.evaluate(&text))
            }
            ConsoleCommand::Why
            | ConsoleCommand::Catalog
            | ConsoleCommand::Reload
            | ConsoleCommand::Continue
            | ConsoleCommand::Quit => Ok(()),
        }
    }

    fn evaluated(&mut self, text: &str) -> Result<Value, Error> {
        let Some(frame) = self.frames.get(self.selected) else { return Ok(Value::Undef) };
        self.evaluation.evaluate(frame, text)
    }

    fn evaluate(&mut self, text: &str) -> io::Result<()> {
        let shown = self.evaluated(text).and_then(|value| listing::printed(&value, &self.limits));
        self.print(shown)
    }

    fn show_type(&mut self, text: &str) -> io::Result<()> {
        let shown =
            self.evaluated(text).and_then(|value| Ok(Some(value.inferred_set(&self.limits)?.to_string())));
        self.print(shown)
    }

    fn show_facts(&mut self, path: &str) -> io::Result<()> {
        let facts = self.evaluation.top_variables().into_iter().find(|(name, _)| **name == *"facts");
        let facts = match facts {
            Some((_, Value::Hash(facts))) => facts,
            _ => Arc::default(),
        };
        let found = if path.is_empty() { Ok(Value::Hash(facts)) } else { listing::value_at(&facts, path) };
        let shown = found.and_then(|value| value_code(&value, 0, &self.limits).map(Some));
        self.print(shown)
    }

    fn look_up(&mut self, arguments: &str) -> io::Result<()> {
        let (key, explains) = lookup_arguments(arguments);
        let key = Value::from(key);
        let shown = if explains {
            self.evaluation.explain_lookup(&LookupQuery::new(&key)).map(|explained| Some(explained.text))
        } else {
            value_code(&key, 0, &self.limits)
                .and_then(|key| self.evaluated(&format!("lookup({key})")))
                .and_then(|value| value_code(&value, 0, &self.limits).map(Some))
        };
        self.print(shown)
    }

    fn list(&mut self) -> io::Result<()> {
        let Some(frame) = self.frames.get(self.selected) else { return Ok(()) };
        let limits = &self.limits;
        let is_fact = |name: &str, facts: &[(Arc<str>, Value)]| {
            let facts = facts.iter().find(|(name, _)| **name == *"facts");
            matches!(facts, Some((_, Value::Hash(facts))) if facts.get_str(name).is_some())
        };
        let mut top = self.evaluation.top_variables();
        let all = top.clone();
        top.retain(|(name, _)| !is_fact(name, &all) && !PREDEFINED.contains(&&**name));
        let listed = listing::variables("local", &self.evaluation.locals(frame), limits)
            + &listing::variables("class", &self.evaluation.class_variables(frame), limits)
            + &listing::variables("node", &self.evaluation.node_variables(), limits)
            + &listing::variables("top", &top, limits);
        if listed.is_empty() { complain("no variables") } else { say(&listed) }
    }

    fn print(&self, shown: Result<Option<String>, Error>) -> io::Result<()> {
        match shown {
            Ok(Some(text)) => say(&text),
            Ok(None) => Ok(()),
            Err(error) => self.frontend.borrow_mut().fail(&error),
        }
    }
}

/// Variables of the top scope that are always set.
pub(crate) const PREDEFINED: [&str; 11] = [
    "environment",
    "facts",
    "module_name",
    "name",
    "server_facts",
    "serverip",
    "serverip6",
    "servername",
    "serverversion",
    "title",
    "trusted",
];

/// Returns the key of `:lookup`, and whether the lookup is explained.
pub(crate) fn lookup_arguments(arguments: &str) -> (&str, bool) {
    let words = || arguments.split_whitespace();
    (words().find(|word| *word != "--explain").unwrap_or_default(), words().any(|word| word == "--explain"))
}

/// Returns the place of a frame, with the resource whose code it is.
fn described(frame: &StackFrame) -> String {
    let container = frame.container().map(|container| format!(" in {container}")).unwrap_or_default();
    format!("{}{container}", placed(frame.place()))
}

/// Returns a place as `file:line`.
pub(crate) fn placed(place: &SourceLocation) -> String {
    let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line}", place.file.as_deref().unwrap_or("code"))
}

/// Returns the lines around the code of a frame.
fn excerpt(frame: &StackFrame) -> String {
    let Some((text, offset)) = frame.code() else { return String::new() };
    let (line, _) = LineIndex::new(text).position(text, offset);
    let at = (line as usize).saturating_sub(1);
    let first = at.saturating_sub(LINES_AROUND);
    let lines =
        text.lines().enumerate().skip(first).take(at.saturating_sub(first).saturating_add(LINES_AROUND + 1));
    // Lines that were evaluated before are blank in the text of a console.
    let lines = lines.skip_while(|(index, line)| *index < at && line.trim().is_empty());
    let shown = lines.map(|(index, line)| {
        let mark = if index == at { "=>" } else { "  " };
        format!("{mark} {:>4} {line}", index.saturating_add(1)).trim_end().to_owned() + "\n"
    });
    shown.collect()
}
