//! A session on a node.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::path::Path;
use std::rc::Rc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::Reference;
use puppetfn_compile::{CompileFailure, CompileOptions, Compiler, Request, Session};
use puppetfn_runtime::eval::Runtime;
use puppetfn_types::convert::json;
use puppetfn_types::function::LookupQuery;
use puppetfn_types::value::Value;

use crate::breakpoint::{self, PREDEFINED, lookup_arguments};
use crate::commands::{self, CommandPlace, ConsoleCommand};
use crate::frontend::{ConsoleEntry, ConsoleInput, Frontend, complain, report, say};
use crate::listing;
use crate::origins::{self, AssigningText};

/// Reads the options of a session and the inputs of its catalog, also for `:reload`.
pub type SessionPlan<'p> = dyn FnMut() -> Result<(CompileOptions, Request), CompileFailure> + 'p;

/// Runs a console until its input ends. Returns true unless a statement or command has failed.
///
/// # Errors
/// Fails if the plan cannot be read, if the host cannot make a runtime, or if the input or output cannot be used.
pub fn run(
    plan: &mut SessionPlan<'_>,
    compiler: &mut dyn Compiler,
    input: Box<dyn ConsoleInput>,
) -> Result<bool, CompileFailure> {
    let mut inputs = plan()?;
    let frontend = Frontend::new(input, inputs.0.limits);
    Frontend::enter(&frontend);
    let _leaving = LeavingFrontend;
    loop {
        let (options, request) = &inputs;
        let mut ended = Ok(Ending::Quit);
        compiler.session(options, request, &mut |session| {
            let frontend = Rc::clone(&frontend);
            ended = NodeSession { session, frontend, plan: &mut *plan, options, request, texts: Vec::new() }
                .converse();
        })?;
        match ended.map_err(CompileFailure::Io)? {
            Ending::Quit => return Ok(!frontend.borrow().has_failed),
            Ending::Reload(next) => inputs = *next,
        }
    }
}

struct LeavingFrontend;

impl Drop for LeavingFrontend {
    fn drop(&mut self) {
        Frontend::leave();
    }
}

/// Why a session ended.
enum Ending {
    Quit,
    Reload(Box<(CompileOptions, Request)>),
}

struct NodeSession<'s, 'p> {
    session: &'s mut dyn Session,
    frontend: Rc<RefCell<Frontend>>,
    plan: &'s mut SessionPlan<'p>,
    options: &'s CompileOptions,
    request: &'s Request,
    /// The evaluated texts, and the lines at which they begin.
    texts: Vec<(String, u32)>,
}

impl NodeSession<'_, '_> {
    fn converse(mut self) -> io::Result<Ending> {
        self.begin()?;
        loop {
            let entry = self.frontend.borrow_mut().input.read("puppetfn")?;
            match entry {
                ConsoleEntry::Code { text, line } => self.evaluate(text, line)?,
                ConsoleEntry::End => return Ok(Ending::Quit),
                ConsoleEntry::Command(line) => match commands::parse(&line, CommandPlace::Session) {
                    Ok((ConsoleCommand::Quit, _)) => return Ok(Ending::Quit),
                    Ok((ConsoleCommand::Reload, _)) => match (self.plan)() {
                        Ok(plan) => return Ok(Ending::Reload(Box::new(plan))),
                        Err(failure) => self.frontend.borrow_mut().fail_with(&failure.to_string())?,
                    },
                    Ok((command, arguments)) => self.execute(command, arguments)?,
                    Err(message) => self.frontend.borrow_mut().fail_with(&message)?,
                },
            }
            if self.frontend.borrow().has_quit {
                return Ok(Ending::Quit);
            }
        }
    }

    /// Compiles the catalog of the node. The console goes on with what was evaluated if that fails.
    fn begin(&mut self) -> io::Result<()> {
        self.frontend.borrow_mut().input.begin(self.options);
        let begun = self.session.run(&mut |runtime| {
            runtime.keep_origins();
            breakpoint::offer(runtime)
        });
        let compiled = begun.and_then(|()| self.session.compile());
        self.finish(compiled)
    }

    /// Reports the log and the error of an evaluation.
    fn finish(&mut self, ended: Result<(), Error>) -> io::Result<()> {
        report(&self.session.take_log())?;
        self.list_variables();
        let mut frontend = self.frontend.borrow_mut();
        match ended {
            Err(_) if frontend.has_quit => Ok(()),
            Err(error) => frontend.fail(&error),
            Ok(()) => Ok(()),
        }
    }

    /// Tells the input the names of the variables of the top scope.
    fn list_variables(&mut self) {
        if !self.frontend.borrow().input.is_interactive() {
            return;
        }
        let names =
            self.with_runtime(|runtime| Ok(runtime.variables().into_iter().map(|(name, _)| name).collect()));
        self.frontend.borrow_mut().input.set_variables(names.unwrap_or_default());
    }

    /// Uses the runtime, and returns a result of it.
    fn with_runtime<T>(&mut self, work: impl Fn(&Runtime) -> Result<T, Error>) -> Result<T, Error> {
        let mut result = None;
        self.session.run(&mut |runtime| {
            result = Some(work(runtime)?);
            Ok(())
        })?;
        result.ok_or_else(|| Error::new(ErrorKind::Internal, "the session has no runtime"))
    }

    fn evaluate(&mut self, text: String, line: u32) -> io::Result<()> {
        let name = self.frontend.borrow().input.name();
        // Positions count the lines of the whole input.
        let padded = "\n".repeat(line.saturating_sub(1) as usize) + &text;
        self.frontend.borrow_mut().input.evaluated(&text);
        self.texts.push((text, line));
        let evaluated = self.with_runtime(|runtime| runtime.evaluate(&padded, Some(name)));
        self.show(evaluated)
    }

    /// Prints the log, and then a value or an error.
    fn show(&mut self, evaluated: Result<Value, Error>) -> io::Result<()> {
        let limits = self.options.limits;
        self.print(evaluated.and_then(|value| listing::printed(&value, &limits)))
    }

    /// Prints the log, and then a text or an error.
    fn print(&mut self, shown: Result<Option<String>, Error>) -> io::Result<()> {
        let (text, ended) = match shown {
            Ok(text) => (text, Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.finish(ended)?;
        text.map_or(Ok(()), |text| say(&text))
    }

    fn execute(&mut self, command: ConsoleCommand, arguments: &str) -> io::Result<()> {
        match command {
            ConsoleCommand::Help => say(&commands::help(CommandPlace::Session)),
            ConsoleCommand::Ls => {
                let listed = self.list();
                self.print(listed)
            }
            ConsoleCommand::Type => {
                let limits = self.options.limits;
                let evaluated = self.with_runtime(|runtime| runtime.evaluate(arguments, None));
                self.print(evaluated.and_then(|value| Ok(Some(value.inferred_set(&limits)?.to_string()))))
            }
            ConsoleCommand::Facts => {
                let facts = &self.options.facts;
                let found = if arguments.is_empty() {
                    Ok(Value::from(facts.clone()))
                } else {
                    listing::value_at(facts, arguments)
                };
                self.show(found)
            }
            ConsoleCommand::Lookup => self.look_up(arguments),
            ConsoleCommand::Why => {
                let explained = self.why(arguments);
                self.print(explained.map(Some))
            }
            ConsoleCommand::Catalog => self.catalog(arguments),
            ConsoleCommand::Edit => {
                let last = self.texts.last().map(|(text, _)| text.as_str()).unwrap_or_default();
                let edited = self.frontend.borrow_mut().edit(arguments, last)?;
                edited.map_or(Ok(()), |text| self.evaluate(text, 1))
            }
            ConsoleCommand::Reload
            | ConsoleCommand::Quit
            | ConsoleCommand::Where
            | ConsoleCommand::Frame
            | ConsoleCommand::Continue => Ok(()),
        }
    }

    fn list(&mut self) -> Result<Option<String>, Error> {
        let (options, limits) = (self.options, self.options.limits);
        let main = self.request.main.iter().map(|manifest| manifest.text.as_str());
        let texts = main.chain(self.texts.iter().map(|(text, _)| text.as_str()));
        let types: BTreeSet<String> = texts.flat_map(|text| origins::types_in(text, &limits)).collect();
        let listed = self.with_runtime(|runtime| {
            let mut variables = runtime.variables();
            variables
                .retain(|(name, _)| options.facts.get_str(name).is_none() && !PREDEFINED.contains(&&**name));
            let mut functions = Vec::new();
            for name in runtime.loaded_functions() {
                let signatures = runtime.signatures(&name)?.unwrap_or_default();
                functions.extend(signatures.iter().map(|signature| format!("{name}{signature}")));
            }
            functions.sort();
            Ok(listing::variables("variables", &variables, &limits)
                + &listing::section("functions", functions)
                + &listing::section("types", types.iter().cloned().collect())
                + &runtime.with_catalog(listing::resources))
        })?;
        Ok(Some(listed).filter(|listed| !listed.is_empty()))
    }

    fn look_up(&mut self, arguments: &str) -> io::Result<()> {
        let (key, explains) = lookup_arguments(arguments);
        if key.is_empty() {
            return self
                .frontend
                .borrow_mut()
                .fail_with("expected a key, as in :lookup ntp::servers --explain");
        }
        let key = Value::from(key);
        if explains {
            let explained =
                self.with_runtime(|runtime| runtime.explain_lookup(&LookupQuery::new(&key), false));
            return self.print(explained.map(|explained| Some(explained.text)));
        }
        let found = self.with_runtime(|runtime| runtime.call("lookup", std::slice::from_ref(&key), None));
        self.show(found)
    }

    fn why(&mut self, subject: &str) -> Result<String, Error> {
        let (options, request) = (self.options, self.request);
        if subject.starts_with('$') {
            let name = self.frontend.borrow().input.name();
            let texts = mem::take(&mut self.texts);
            let main = request.main.iter().map(|manifest| AssigningText {
                text: &manifest.text,
                name: manifest.file.as_deref().unwrap_or("the main manifest"),
                line: 1,
            });
            let own = texts.iter().map(|(text, line)| AssigningText { text, name, line: *line });
            let assigning: Vec<_> = main.chain(own).collect();
            let explained =
                self.with_runtime(|runtime| origins::explain(subject, runtime, options, request, &assigning));
            drop(assigning);
            self.texts = texts;
            return explained;
        }
        let Some(resource) = Reference::of_value(&Value::from(subject)) else {
            let message =
                format!("expected a resource such as File[/etc/motd], or a variable, got '{subject}'");
            return Err(Error::new(ErrorKind::Evaluation, message));
        };
        self.with_runtime(|runtime| {
            runtime.why(&resource)?.to_text(options.environment.as_deref(), &options.limits)
        })
    }

    /// Evaluates the pending parts of the catalog, and prints it or writes it to a file.
    fn catalog(&mut self, path: &str) -> io::Result<()> {
        let options = self.options;
        let written = self.with_runtime(|runtime| {
            runtime.complete_catalog()?;
            if path.is_empty() {
                return runtime
                    .with_catalog(|draft| draft.to_code(&options.limits))
                    .map(|code| (code, Vec::new()));
            }
            let (catalog, log) = runtime.with_catalog(|draft| options.finish(draft))?;
            Ok((format!("{:#}\n", json::to_json(&catalog.to_value(), &options.limits)?), log))
        });
        let (text, log) = match written {
            Ok(written) => written,
            Err(error) => return self.finish(Err(error)),
        };
        self.finish(Ok(()))?;
        report(&log)?;
        if path.is_empty() {
            return if text.is_empty() { complain("no resources") } else { say(&text) };
        }
        match write_file(Path::new(path), &text) {
            Ok(()) => Ok(()),
            Err(error) => self.frontend.borrow_mut().fail_with(&format!("{path}: {error}")),
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "the user names the file")]
fn write_file(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text)
}
