//! Running resolved programs.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "code asks for one kind of value, or of error, and treats all others alike"
)]

mod assign;
mod call;
mod control;
mod expr;
mod host;
mod routine;

use std::collections::HashMap;
use std::sync::Arc;

use super::code::{FunctionId, Node, Program, Routine, Unit};
use super::operators::{self, Matcher};
use super::stack::StackGuard;
use super::symbols::Symbols;
use super::text::EVALUATION;
use crate::error::{Error, ErrorKind};
use crate::function::{Function, Host, LogLevel};
use crate::limits::Limits;
use crate::types::Type;
use crate::types::parse::{TypeLookup, named};
use crate::value::{FrameRef, Regex, Value};

/// Finds the functions that no text has defined.
pub trait FunctionLookup {
    /// The function of this name, which is without a leading `::`.
    ///
    /// # Errors
    /// Those of loading it.
    fn find(&self, name: &str) -> Result<Option<Arc<Function>>, Error>;
}

/// What runs programs, with all that they define.
pub(super) struct Machine {
    pub symbols: Symbols,
    /// The variables of the top scope, by their index; none where there is no value.
    globals: Vec<Option<Value>>,
    /// The functions that were called or defined, by their index.
    functions: Vec<Option<Target>>,
    pub types: Types,
    lookup: Box<dyn FunctionLookup>,
    host: Box<dyn Host>,
    pub limits: Limits,
    guard: StackGuard,
    /// The slots of all frames, one after the other, and arguments that are being evaluated.
    stack: Vec<Option<Value>>,
    /// The calls that have a frame, by their serial numbers.
    calls: Vec<u64>,
    next_serial: u64,
    /// How deep calls of functions and blocks are nested.
    depth: u32,
    /// The groups of the last match that is in sight.
    groups: Option<Arc<[Option<Arc<str>>]>>,
    /// What `next` or `return` was given, while it is on its way.
    jump: Value,
}

/// What a name of a function stands for.
#[derive(Clone)]
enum Target {
    Routine(Arc<Routine>),
    Function(Arc<Function>),
    /// `next`, `return` or `break`.
    Jump(Arc<Function>, ErrorKind),
}

/// The named types that texts define, and those around them.
pub(super) struct Types {
    pub defined: HashMap<String, Type>,
    pub outer: Arc<dyn TypeLookup>,
}

impl TypeLookup for Types {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        match self.defined.get(&name.to_lowercase()) {
            Some(t) => Ok(Some(t.clone())),
            None => self.outer.find(name),
        }
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.defined.get(&name.to_lowercase()).cloned())
    }
}

/// The frame that code runs in, and the text that it is from.
#[derive(Clone, Copy)]
pub(super) struct Frame<'c> {
    base: usize,
    index: usize,
    unit: &'c Unit,
}

/// Where in a text a function is called.
#[derive(Clone, Copy)]
pub(super) struct Site<'c> {
    frame: Frame<'c>,
    at: u32,
}

type Eval = Result<Value, Error>;

impl Machine {
    pub fn new(
        lookup: Box<dyn FunctionLookup>,
        types: Arc<dyn TypeLookup>,
        host: Box<dyn Host>,
        limits: Limits,
    ) -> Self {
        Self {
            symbols: Symbols::default(),
            globals: Vec::new(),
            functions: Vec::new(),
            types: Types { defined: HashMap::new(), outer: types },
            lookup,
            host,
            limits,
            guard: StackGuard::new(&limits),
            stack: Vec::new(),
            calls: Vec::new(),
            next_serial: 0,
            depth: 0,
            groups: None,
            jump: Value::Undef,
        }
    }

    /// Runs a text.
    pub fn run(&mut self, program: &Program) -> Eval {
        if self.calls.is_empty() {
            self.guard = StackGuard::new(&self.limits);
        }
        let base = self.stack.len();
        let groups = self.groups.take();
        let result = self.in_frame(base, program.frame_size, &program.unit, |machine, frame| {
            machine.eval(&program.body, frame)
        });
        self.groups = groups;
        self.stack.truncate(base);
        result
    }

    pub fn define(&mut self, routine: Arc<Routine>) {
        let id = self.symbols.function(&routine.name);
        *slot(&mut self.functions, id.0) = Some(Target::Routine(routine));
    }

    pub fn log(&self, level: LogLevel, message: &str) {
        self.host.log(level, message);
    }

    /// Sets a variable of the top scope.
    pub fn set_global(&mut self, name: &str, value: Value) {
        let id = self.symbols.global(name);
        *slot(&mut self.globals, id.0) = Some(value);
    }

    /// Calls a function by its name.
    pub fn call_named(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        site: Option<Site<'_>>,
    ) -> Eval {
        if self.calls.is_empty() {
            self.guard = StackGuard::new(&self.limits);
        }
        let id = self.symbols.function(name);
        match self.target(id)? {
            Some(Target::Routine(routine)) => {
                let base = self.stack.len();
                self.stack.extend(arguments.iter().cloned().map(Some));
                self.call_routine(&routine, base, block)
            }
            Some(Target::Function(function)) => self.call_function(&function, arguments, block, site),
            Some(Target::Jump(function, kind)) => Err(self.jump(&function, kind, arguments, block, site)),
            None => Err(Error::new(ErrorKind::UnknownFunction, format!("Unknown function '{name}'"))),
        }
    }

    /// The value of a variable, as the code at a place sees it.
    fn variable_named(&self, name: &str, site: Option<Site<'_>>) -> Result<Option<Value>, Error> {
        if let Some(Site { frame, at }) = site {
            for slot in frame.unit.slots_in_sight(name, at) {
                if let Some(Some(value)) = self.stack.get(frame.base.saturating_add(slot as usize)) {
                    return Ok(Some(value.clone()));
                }
            }
        }
        match self.symbols.find_global(name) {
            Some(id) => Ok(self.globals.get(id.0 as usize).cloned().flatten()),
            None => Ok(None),
        }
    }

    /// Gives code a frame to run in.
    fn in_frame<'c, R>(
        &mut self,
        base: usize,
        size: u32,
        unit: &'c Unit,
        run: impl FnOnce(&mut Self, Frame<'c>) -> R,
    ) -> R {
        self.stack.resize(base.saturating_add(size as usize).max(self.stack.len()), None);
        let index = self.calls.len();
        self.calls.push(self.next_serial);
        self.next_serial = self.next_serial.wrapping_add(1);
        let result = run(self, Frame { base, index, unit });
        self.calls.truncate(index);
        result
    }

    /// How a block that is made in a frame finds it again.
    fn reference(&self, frame: Frame<'_>) -> FrameRef {
        let serial = self.calls.get(frame.index).copied().unwrap_or_default();
        FrameRef { base: frame.base, index: frame.index, serial }
    }

    /// What a function's name stands for; none if nothing.
    fn target(&mut self, id: FunctionId) -> Result<Option<Target>, Error> {
        if let Some(Some(target)) = self.functions.get(id.0 as usize) {
            return Ok(Some(target.clone()));
        }
        let Some(function) = self.lookup.find(&self.symbols.function_name(id))? else { return Ok(None) };
        let target = match function.name() {
            "next" => Target::Jump(function, ErrorKind::Next),
            "return" => Target::Jump(function, ErrorKind::Return),
            "break" => Target::Jump(function, ErrorKind::Break),
            _ => Target::Function(function),
        };
        *slot(&mut self.functions, id.0) = Some(target.clone());
        Ok(Some(target))
    }

    /// The type of a name.
    fn type_named(&self, name: &str, node: &Node, frame: Frame<'_>) -> Eval {
        match named(name, &self.types)? {
            Type::Reference(name) => Err(failure(node, frame, format!("Resource type not found: {name}"))),
            t => Ok(t.into()),
        }
    }
}

/// An element of a table that grows as needed.
fn slot<T>(table: &mut Vec<Option<T>>, index: u32) -> &mut Option<T> {
    let index = index as usize;
    if table.len() <= index {
        table.resize_with(index.saturating_add(1), || None);
    }
    // It has just been made long enough; an element that is dropped does no harm.
    match table.get_mut(index) {
        Some(slot) => slot,
        None => Box::leak(Box::new(None)),
    }
}

/// An error of evaluation, placed at a node.
#[cold]
fn failure(node: &Node, frame: Frame<'_>, message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Evaluation, format!("{EVALUATION} {message}")).at(frame.unit.place(node.at))
}

/// An error without a place becomes one of the expression during which it came up.
#[cold]
fn during(error: Error, expression: &str, at: u32, frame: Frame<'_>) -> Error {
    if error.place().is_some() || matches!(error.kind(), ErrorKind::Host(_)) {
        return error;
    }
    let message = format!("{EVALUATION} Error while evaluating {expression}, {}", error.message());
    Error::new(error.kind().clone(), message).at(frame.unit.place(at))
}

impl Matcher for Machine {
    fn match_text(&mut self, regex: &Regex, text: &str) -> Result<bool, Error> {
        let Some(groups) = regex.captures(text)? else { return Ok(false) };
        self.groups = Some(groups.into_iter().map(|group| group.map(Arc::from)).collect());
        Ok(true)
    }
}

/// Tells if a value counts as true.
fn is_true(value: &Value) -> bool {
    operators::is_true(value)
}
