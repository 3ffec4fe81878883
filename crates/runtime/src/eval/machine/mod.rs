//! Running resolved programs.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "code asks for one kind of value, or of error, and treats all others alike"
)]

mod assign;
mod call;
mod catalog;
mod control;
mod debug;
mod deviation;
mod entity;
mod expr;
mod fold;
mod host;
mod links;
mod machines;
mod matching;
mod routine;
mod template;
mod waiting;

pub(super) use catalog::{LentCompiler, replace_changed};
pub use debug::{Debugger, PausePoint, PausedEvaluation, StackFrame, break_function};
pub(super) use host::{call_waiting, landed};
pub(super) use machines::Machines;
pub(super) use waiting::{
    HostCall, WaitingCaller, caller_places, caller_variable, caller_variables, has_caller_local, in_scope,
    is_caller_local, set_caller_variable,
};

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use self::links::FunctionLinks;
use self::template::TemplateOutput;
use self::waiting::{group_named, is_match_variable};
use super::code::{CompilationUnit, GlobalId, Node, ProgramCode, Routine};
use super::inference::UnknownCall;
use super::operators;
use super::shared::{FunctionTarget, slot};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_base::limits::Limits;
use puppetfn_base::limits::MemoryGuard;
use puppetfn_base::stack::StackGuard;
use puppetfn_catalog::ScopeId;
use puppetfn_hiera::is_of_data;
use puppetfn_types::function::{OngoingLookup, Signature, possible_result};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::instance;
use puppetfn_types::types::parse::named;
use puppetfn_types::value::{FrameRef, Value};

/// An evaluator of code. A runtime has several while several threads call it, or while a function of the host calls
/// back.
pub(super) struct Machine {
    /// The number that distinguishes the machine from all others.
    pub id: u32,
    shared: Arc<Machines>,
    pub limits: Limits,
    /// The variables that were used, as they were at `generation`.
    globals: Vec<Option<Value>>,
    generation: u64,
    links: Arc<FunctionLinks>,
    guard: StackGuard,
    memory: MemoryGuard,
    /// The slots of all frames, one after the other, and arguments that are being evaluated.
    stack: Vec<Option<Value>>,
    /// The calls that have a frame.
    calls: Vec<FrameActivation>,
    next_serial: u64,
    /// The depth of nested calls of functions and blocks.
    depth: u32,
    /// The scope in the catalog of the running code.
    scope: ScopeId,
    /// The number of calls since the evaluation began.
    count: u64,
    /// After how many calls `pause` is called.
    pause_at: u64,
    /// The groups of the last match that is in sight.
    groups: Option<MatchGroups>,
    /// The place of the running declaration.
    declaring: Option<WaitingCaller>,
    /// The calls that led to the classes that are being evaluated.
    declared_by: Vec<WaitingCaller>,
    /// The texts that are being evaluated.
    programs: Vec<Arc<CompilationUnit>>,
    /// The reusable buffer in which texts are built.
    text: String,
    /// The argument of `next` or `return`, while the jump is on its way.
    jump: Value,
    /// The frame of the function that `return` is on its way to.
    return_to: usize,
    /// The output of the templates that are being evaluated.
    renderings: Vec<TemplateOutput>,
    /// The lookup that code gives data for.
    pub lookup: Option<OngoingLookup>,
}

/// The frame that code runs in: the beginning of its slots, and its context. It is two words wide, since each
/// expression is given one.
#[derive(Clone, Copy)]
pub(super) struct Frame<'c> {
    base: usize,
    context: &'c FrameContext<'c>,
}

/// The context of the code in a frame.
#[derive(Clone, Copy)]
pub(super) struct FrameContext<'c> {
    /// The index of the call.
    index: usize,
    /// The text that the code is from.
    unit: &'c Arc<CompilationUnit>,
    /// The targets of the functions that the code calls.
    links: &'c FunctionLinks,
    /// The call of the function or lambda, if code of the same machine made it.
    caller: Option<&'c CallSite<'c>>,
}

/// The place in a text where a function is called.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'c> {
    frame: Frame<'c>,
    at: u32,
}

/// A call that has a frame.
#[derive(Clone, Copy)]
struct FrameActivation {
    serial: u64,
    scope: ScopeId,
}

type EvalResult = Result<Value, Error>;

/// The groups of a match.
type MatchGroups = Arc<[Option<Arc<str>>]>;

impl Machine {
    pub fn new(shared: &Arc<Machines>) -> Self {
        static NEXT_ID: AtomicU32 = AtomicU32::new(0);
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            shared: Arc::clone(shared),
            limits: shared.limits,
            globals: Vec::new(),
            generation: shared.generation(),
            links: Arc::default(),
            guard: StackGuard::new(&shared.limits),
            memory: MemoryGuard::default(),
            stack: Vec::new(),
            calls: Vec::new(),
            next_serial: 0,
            depth: 0,
            scope: shared.scope(),
            count: 0,
            pause_at: 0,
            groups: None,
            declaring: None,
            declared_by: Vec::new(),
            programs: Vec::new(),
            text: String::new(),
            jump: Value::Undef,
            return_to: 0,
            renderings: Vec::new(),
            lookup: None,
        }
    }

    /// Runs a text.
    pub fn run(&mut self, program: &ProgramCode) -> EvalResult {
        self.run_from(program, None)
    }

    fn run_from(&mut self, program: &ProgramCode, groups: Option<MatchGroups>) -> EvalResult {
        self.begin();
        let base = self.stack.len();
        let groups = std::mem::replace(&mut self.groups, groups);
        self.programs.push(Arc::clone(&program.unit));
        let result = self.in_frame(base, program.frame_size, &program.unit, |machine, frame| {
            machine.eval(&program.body, frame)
        });
        self.programs.pop();
        let left = std::mem::replace(&mut self.groups, groups);
        self.shared.set_groups(self.scope, left);
        self.stack.truncate(base);
        result
    }

    /// Runs a main manifest, whose matches outside of blocks are in sight of all that is evaluated later.
    pub fn run_manifest(&mut self, program: &ProgramCode) -> EvalResult {
        self.run_from(program, self.shared.groups(ScopeId::TOP))
    }

    /// Returns the variables of all frames.
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.stack.iter_mut().flatten()
    }

    /// Returns true if nothing runs in it.
    pub fn is_idle(&self) -> bool {
        self.calls.is_empty() && self.stack.is_empty()
    }

    /// Begins an evaluation, unless one is running.
    fn begin(&mut self) {
        if self.calls.is_empty() {
            self.guard = StackGuard::new(&self.shared.limits_here());
            self.memory = MemoryGuard::default();
            self.scope = self.shared.scope();
            self.count = 0;
            self.pause_at = 0;
        }
    }

    /// Calls a function by its name.
    pub fn call_named(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Value>,
        site: Option<CallSite<'_>>,
    ) -> EvalResult {
        self.begin();
        match self.target_named(name)? {
            Some(FunctionTarget::Routine(routine)) => {
                if let Some(result) = self.result_of_unknown(&routine, arguments, block)? {
                    return Ok(result);
                }
                let base = self.stack.len();
                self.stack.extend(arguments.iter().cloned().map(Some));
                let links = self.links();
                self.call_routine(&routine, &links, base, block, site.as_ref())
            }
            Some(FunctionTarget::Function(function)) => self.call_function(&function, arguments, block, site),
            Some(FunctionTarget::Jump(function, signal)) => {
                Err(self.jump(&function, &signal, arguments, block, site))
            }
            None => {
                let error = Error::new(ErrorKind::NotFound, format!("Unknown function '{name}'"));
                Err(self.hinted(error, name, None))
            }
        }
    }

    /// Adds a suggestion to the error of a call to a missing function.
    #[cold]
    fn hinted(&self, error: Error, name: &str, module: Option<&str>) -> Error {
        match self.shared.lookup.hint(name, module) {
            Some(hint) => error.explained(hint),
            None => error,
        }
    }

    /// Returns the signatures of a function; `None` if there is no function of this name.
    pub fn signatures(&mut self, name: &str) -> Result<Option<Vec<Signature>>, Error> {
        self.begin();
        Ok(match self.target_named(name)? {
            None => None,
            Some(FunctionTarget::Function(function) | FunctionTarget::Jump(function, _)) => {
                let called = function.signatures().iter().filter(|signature| !signature.handles_mismatch());
                Some(called.cloned().collect())
            }
            Some(FunctionTarget::Routine(routine)) => Some(vec![self.signature_of(&routine)?]),
        })
    }

    fn signature_of(&mut self, routine: &Arc<Routine>) -> Result<Signature, Error> {
        let base = self.stack.len();
        let signature = self.in_frame(base, routine.frame_size, &routine.unit, |machine, frame| {
            Ok(machine.signature(routine, frame)?.into_owned())
        });
        self.stack.truncate(base);
        signature
    }

    /// Infers the result of a function for arguments that it may accept; `None` if no argument is unknown.
    fn result_of_unknown(
        &mut self,
        routine: &Arc<Routine>,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Option<Value>, Error> {
        if !arguments.iter().any(Value::contains_unknown) {
            return Ok(None);
        }
        let signature = self.signature_of(routine)?;
        let references: Vec<&Value> = arguments.iter().collect();
        let stated = possible_result(&[signature], &references, block, &self.limits)?;
        let Some(stated) = stated else { return Ok(None) };
        let inferred = if block.is_none() { self.inferred_result(routine, arguments) } else { None };
        let inferred = inferred.filter(|result| instance(&stated, result, &self.limits) == Ok(Verdict::Yes));
        Ok(Some(inferred.unwrap_or_else(|| Value::unknown(stated))))
    }

    /// Infers the result from the code of a function; `None` where texts count as numbers, because results differ then.
    fn inferred_result(&self, routine: &Routine, arguments: &[Value]) -> Option<Value> {
        if self.shared.strict != Strict::Error {
            return None;
        }
        self.shared.inference.infer_result(&UnknownCall {
            name: &routine.name,
            text: routine.unit.text(),
            arguments,
            is_redefined: &|name| self.shared.defined_function(name).is_some(),
        })
    }

    /// Returns the value of a variable, as the code at a place sees it.
    fn variable_named(&self, name: &str, site: Option<CallSite<'_>>) -> Result<Option<Value>, Error> {
        let caller = if site.is_none() { self.host_caller() } else { None };
        if is_match_variable(name) {
            let groups = match &caller {
                Some(caller) => self.groups_of(caller),
                None => self.groups.clone(),
            };
            let groups = groups.or_else(|| self.shared.outer_groups(self.scope));
            return Ok(groups.map(|groups| group_named(&groups, name)));
        }
        let local = match site {
            Some(site) => self.local_named(name, site.frame, site.at),
            None => caller.and_then(|caller| caller.local(Some(self), &self.shared, name)),
        };
        let value = match local {
            Some(local) => Some(local),
            None => self.shared.variable_in(Some(self), self.scope, name)?,
        };
        Ok(value.or_else(|| Some(self.shared.variables.get(name)?.value)))
    }

    /// Returns the value of a variable of the functions and lambdas around a place.
    fn local_named(&self, name: &str, frame: Frame<'_>, at: u32) -> Option<Value> {
        let slots = &mut frame.context.unit.slots_in_sight(name, at);
        slots.find_map(|slot| self.stack.get(frame.base.saturating_add(slot as usize)).cloned().flatten())
    }

    /// Runs code in a frame that begins with the values on the stack from `base`.
    fn in_frame<R>(
        &mut self,
        base: usize,
        size: u32,
        unit: &Arc<CompilationUnit>,
        run: impl FnOnce(&mut Self, Frame<'_>) -> R,
    ) -> R {
        self.in_called_frame(base, size, unit, None, run)
    }

    /// Runs code of a call in a frame whose first slots are the values on the stack from `base`.
    fn in_called_frame<R>(
        &mut self,
        base: usize,
        size: u32,
        unit: &Arc<CompilationUnit>,
        caller: Option<&CallSite<'_>>,
        run: impl FnOnce(&mut Self, Frame<'_>) -> R,
    ) -> R {
        let links = self.links();
        let index = self.open_frame(base, size);
        let result = run(self, Frame { base, context: &FrameContext { index, unit, links: &links, caller } });
        self.calls.truncate(index);
        result
    }

    /// Notes one more call that has a frame, and returns its index.
    #[inline(always)]
    fn open_frame(&mut self, base: usize, size: u32) -> usize {
        let end = base.saturating_add(size as usize);
        if self.stack.len() < end {
            self.stack.resize(end, None);
        }
        let index = self.calls.len();
        self.calls.push(FrameActivation { serial: self.next_serial, scope: self.scope });
        self.next_serial = self.next_serial.wrapping_add(1);
        index
    }

    /// Returns how a block that is made in a frame finds it again.
    fn reference(&self, frame: Frame<'_>) -> FrameRef {
        let serial = self.calls.get(frame.context.index).map(|call| call.serial).unwrap_or_default();
        FrameRef { machine: self.id, base: frame.base, index: frame.context.index, serial }
    }

    /// Drops cached variables if they are stale.
    fn refresh(&mut self) {
        let generation = self.shared.generation();
        if generation != self.generation {
            self.generation = generation;
            self.globals.clear();
        }
    }

    /// Returns the variable of the top scope, if it has a value.
    fn global(&mut self, id: GlobalId) -> Option<Value> {
        self.refresh();
        if let Some(Some(value)) = self.globals.get(id.0 as usize) {
            return Some(value.clone());
        }
        let value = self.shared.variables.value(id)?;
        *slot(&mut self.globals, id.0) = Some(value.clone());
        Some(value)
    }

    /// Returns the type of a name.
    fn type_named(&mut self, name: &str, node: &Node, frame: Frame<'_>) -> EvalResult {
        match named(name, &self.shared.types).map_err(|error| during(error, "a Type-Name", node.at, frame))? {
            Type::Reference(name) => match self.resource_type(&name)? {
                Some(t) => Ok(t.into()),
                None => Err(failure(node, frame, format!("Resource type not found: {name}"))),
            },
            t => Ok(t.into()),
        }
    }
}

/// Returns an error of evaluation, placed at a node.
#[cold]
fn failure(node: &Node, frame: Frame<'_>, message: impl std::fmt::Display) -> Error {
    Error::of_evaluation(ErrorKind::Evaluation, message).at(frame.context.unit.place(node.at))
}

/// Returns an error of evaluation for which an operand is to blame.
#[cold]
fn misuse(operand: &Node, frame: Frame<'_>, message: impl std::fmt::Display) -> Error {
    let place = frame.context.unit.place(operand.stands_at);
    Error::of_evaluation(ErrorKind::Evaluation, message).at(place)
}

/// An error without a place becomes one of the expression during which it came up.
#[cold]
fn during(error: Error, expression: &str, at: u32, frame: Frame<'_>) -> Error {
    if error.place().is_some() {
        return error;
    }
    match error.as_signal() {
        Some(Signal::Next | Signal::Return | Signal::Break) => return error.at(frame.context.unit.call(at)),
        Some(Signal::Unevaluated | Signal::NoSuchKey) => return error,
        _ => {}
    }
    if matches!(error.kind(), ErrorKind::Host(_)) || is_of_data(&error) {
        return error;
    }
    let message = format!("Error while evaluating {expression}, {}", error.message());
    let placed = error.restated_by_evaluation(message).at(frame.context.unit.place(at));
    match error.explanation() {
        Some(explanation) => placed.explained(explanation.clone()),
        None => placed,
    }
}

/// Returns true if a value counts as true.
fn is_true(value: &Value) -> bool {
    operators::is_true(value)
}
