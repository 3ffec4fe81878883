//! The call stack of a paused evaluation, and the variables of its frames.

use std::sync::{Arc, MutexGuard};

use super::PausedEvaluation;
use crate::eval::code::CompilationUnit;
use crate::eval::declaration::NODE;
use crate::eval::machine::waiting::{CallPlace, RunningCounts, WaitingCaller};
use crate::eval::machine::{CallSite, Machine};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_catalog::{Compilation, Reference, ScopeId};
use puppetfn_types::value::{Hash, Value};

/// A frame of the call stack: code that is being evaluated, or the place where the resource of such code is declared.
#[derive(Clone, Debug)]
pub struct StackFrame {
    code: Option<FrameCode>,
    place: SourceLocation,
    pub(super) scope: ScopeId,
    container: Option<Reference>,
}

/// The code of a frame, and its slots.
#[derive(Clone, Debug)]
struct FrameCode {
    unit: Arc<CompilationUnit>,
    at: u32,
    machine: u32,
    base: usize,
}

impl StackFrame {
    /// Returns the place of the code.
    pub fn place(&self) -> &SourceLocation {
        &self.place
    }

    /// Returns the text of the code and the offset in it; `None` for a declaration whose code has ended.
    pub fn code(&self) -> Option<(&str, u32)> {
        self.code.as_ref().map(|code| (code.unit.text(), code.at))
    }

    /// Returns true for code of a function or lambda.
    pub fn is_local(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.unit.is_local(code.at))
    }

    /// Returns the class, node or resource whose scope it is.
    pub fn container(&self) -> Option<&Reference> {
        self.container.as_ref()
    }
}

/// Returns the names of the variables with slots that the code sees, sorted.
fn names_in_sight(code: &FrameCode) -> Vec<&str> {
    let mut names: Vec<&str> = code.unit.names_in_sight(code.at).collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl PausedEvaluation<'_> {
    /// Returns the number of nested calls and bodies, which tells an inner statement from the next one.
    pub fn depth(&self) -> usize {
        self.machine.calls.len().saturating_add(self.outer_calls())
    }

    /// Returns the number of calls in the machines that wait for this one.
    fn outer_calls(&self) -> usize {
        let shared = &self.machine.shared;
        let mut machines = vec![self.machine.id];
        let mut count = 0_usize;
        let mut caller = WaitingCaller::current(shared).map(Arc::new);
        while let Some(waiting) = caller {
            if !machines.contains(&waiting.machine) {
                machines.push(waiting.machine);
                let calls = shared.with_waiting(waiting.machine, |machine| machine.calls.len());
                count = count.saturating_add(calls.unwrap_or_default());
            }
            caller = waiting.outer.clone();
        }
        count
    }

    /// Looks at a machine: this one, or one that waits for the host.
    fn with_machine<R>(&self, id: u32, look: impl FnOnce(&Machine) -> R) -> Option<R> {
        if id == self.machine.id {
            Some(look(self.machine))
        } else {
            self.machine.shared.with_waiting(id, look)
        }
    }

    /// Returns the frames, the innermost first.
    pub fn frames(&self) -> Vec<StackFrame> {
        let site = CallSite { frame: self.frame, at: self.at };
        let calls = std::iter::successors(Some(site), |call| call.frame.context.caller.copied());
        let mut frames: Vec<StackFrame> =
            calls.map(|call| self.machine.frame_at(&CallPlace::of(call))).collect();
        let mut caller = WaitingCaller::current(&self.machine.shared).map(Arc::new);
        let known = |caller: &Option<Arc<WaitingCaller>>, machine: u32| {
            caller
                .as_ref()
                .filter(|outer| outer.machine == machine)
                .map(|outer| outer.around)
                .unwrap_or_default()
        };
        let running = self.machine.surroundings();
        frames.extend(self.machine.declaring_frames(known(&caller, self.machine.id), running));
        while let Some(waiting) = caller {
            caller = waiting.outer.clone();
            let outer = known(&caller, waiting.machine);
            let found = self.with_machine(waiting.machine, |machine| {
                let mut found: Vec<StackFrame> = machine.frames_of(&waiting).collect();
                found.extend(machine.declaring_frames(outer, waiting.around));
                found
            });
            frames.extend(found.into_iter().flatten());
        }
        if let Some(last) = frames.last() {
            let declared = self.machine.declaration_frames(last.scope);
            frames.extend(declared);
        }
        frames
    }

    /// Returns the variables of functions, lambdas and defined types that a frame sees, by their names.
    pub fn locals(&self, frame: &StackFrame) -> Vec<(Arc<str>, Value)> {
        let Some(code) = &frame.code else { return Vec::new() };
        let value = |name: &str| self.with_machine(code.machine, |machine| machine.local_in(code, name))?;
        names_in_sight(code).into_iter().filter_map(|name| Some((name.into(), value(name)?))).collect()
    }

    /// Returns the variables of the class of a frame and of the classes that it inherits from, by their names.
    pub fn class_variables(&self, frame: &StackFrame) -> Vec<(Arc<str>, Value)> {
        let is_class = self.machine.compilation_if_any().is_some_and(|compilation| {
            frame.scope != ScopeId::TOP && compilation.scopes.named(NODE) != Some(frame.scope)
        });
        if !is_class {
            return Vec::new();
        }
        let mut variables = self.machine.shared.own_variables_in(frame.scope);
        // The last of each name hides the others.
        variables.reverse();
        variables.sort_by(|(one, _), (other, _)| one.cmp(other));
        variables.dedup_by(|(one, _), (other, _)| one == other);
        variables
    }

    /// Returns the variables of the node, by their names.
    pub fn node_variables(&self) -> Vec<(Arc<str>, Value)> {
        self.machine.shared.variables.of_class(NODE)
    }

    /// Returns the default parameters of resources that a frame declares, by the types of the resources; `None` if there are none.
    pub fn resource_defaults(&self, frame: &StackFrame) -> Option<Value> {
        let compilation = self.machine.compilation_if_any()?;
        let types = compilation.scopes.types_with_defaults(frame.scope);
        let by_type = types.into_iter().map(|type_name| {
            let parameters = compilation.scopes.defaults(frame.scope, &type_name);
            let values = parameters.into_iter().map(|(name, given)| (Value::from(&*name), given.value));
            (Value::from(&*type_name), Value::from(values.collect::<Hash>()))
        });
        let by_type: Hash = by_type.collect();
        (!by_type.is_empty()).then(|| by_type.into())
    }

    /// Returns the variables of the top scope, facts among them, by their names.
    pub fn top_variables(&self) -> Vec<(Arc<str>, Value)> {
        let variables = self.machine.shared.variables.of_top();
        let mut variables: Vec<_> =
            variables.into_iter().map(|(name, variable)| (name, variable.value)).collect();
        variables.sort_by(|(one, _), (other, _)| one.cmp(other));
        variables
    }

    /// Replaces the value of a variable that a frame sees. Assignments in code are checked as if it had been assigned before.
    ///
    /// # Errors
    /// Fails if the frame sees no such variable, or if it is one of the code that waits for a function of the host.
    pub fn set(&mut self, frame: &StackFrame, name: &str, value: Value) -> Result<(), Error> {
        if let Some(code) = &frame.code
            && let Some(slot) = self.slot_of(code, name)
        {
            if code.machine != self.machine.id {
                let message = format!("${name} cannot be set while its code waits for a function in Ruby");
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
            if let Some(place) = self.machine.stack.get_mut(slot) {
                *place = Some(value);
            }
            return Ok(());
        }
        let shared = &self.machine.shared;
        let owner = self.container_prefix(frame);
        let qualified = owner.map(|owner| format!("{owner}::{name}"));
        let known = qualified.filter(|name| shared.variables.has(name));
        let Some(name) = known.or_else(|| shared.variables.has(name).then(|| name.to_owned())) else {
            return Err(Error::new(ErrorKind::Evaluation, format!("there is no variable ${name} here")));
        };
        shared.variables.set(&name, value, None);
        shared.outdate();
        Ok(())
    }

    /// Returns the index of the slot that holds a variable.
    fn slot_of(&self, code: &FrameCode, name: &str) -> Option<usize> {
        let is_set = |machine: &Machine| {
            let slots = &mut code.unit.slots_in_sight(name, code.at);
            slots
                .map(|slot| code.base.saturating_add(slot as usize))
                .find(|slot| machine.stack.get(*slot).is_some_and(Option::is_some))
        };
        self.with_machine(code.machine, is_set)?
    }

    /// Returns the prefix of the variables of a frame's class or node.
    fn container_prefix(&self, frame: &StackFrame) -> Option<Arc<str>> {
        let compilation = self.machine.compilation_if_any()?;
        if frame.scope == ScopeId::TOP {
            return None;
        }
        if compilation.scopes.named(NODE) == Some(frame.scope) {
            return Some(NODE.into());
        }
        Some(Arc::clone(&compilation.scopes.source(compilation.source(frame.scope)).name))
    }
}

impl Machine {
    /// Returns the value of a variable in the slots of a frame.
    fn local_in(&self, code: &FrameCode, name: &str) -> Option<Value> {
        let slots = &mut code.unit.slots_in_sight(name, code.at);
        slots.find_map(|slot| self.stack.get(code.base.saturating_add(slot as usize))?.clone())
    }

    fn frame_at(&self, place: &CallPlace) -> StackFrame {
        let scope = self.calls.get(place.index).map_or(ScopeId::TOP, |call| call.scope);
        StackFrame {
            place: place.unit.place(place.at),
            code: Some(FrameCode {
                unit: Arc::clone(&place.unit),
                at: place.at,
                machine: self.id,
                base: place.base,
            }),
            scope,
            container: self.container_of(scope),
        }
    }

    /// Returns the catalog; `None` for a script, which makes none.
    fn compilation_if_any(&self) -> Option<MutexGuard<'_, Compilation>> {
        (!self.shared.is_script).then(|| self.compilation())
    }

    fn container_of(&self, scope: ScopeId) -> Option<Reference> {
        Some(self.compilation_if_any()?.container(scope)?.reference().clone())
    }

    /// Returns the frames of a call and of the calls around it in this machine.
    fn frames_of<'w>(&'w self, waiting: &'w WaitingCaller) -> impl Iterator<Item = StackFrame> + 'w {
        waiting.call_places().map(|place| self.frame_at(&place))
    }

    /// Returns the frames of the calls that led to the classes that it began to evaluate between two calls.
    fn declaring_frames(&self, outer: RunningCounts, inner: RunningCounts) -> Vec<StackFrame> {
        let declarations = self.declared_by.iter().take(inner.declarations).skip(outer.declarations).rev();
        declarations.flat_map(|waiting| self.frames_of(waiting)).collect()
    }

    /// Returns a frame for each place where the resource of a scope, and of the scopes around it, is declared.
    fn declaration_frames(&self, scope: ScopeId) -> Vec<StackFrame> {
        let Some(compilation) = self.compilation_if_any() else { return Vec::new() };
        let around = std::iter::successors(Some(scope), |scope| compilation.scopes.get(*scope).parent);
        let inner = around.take_while(|scope| *scope != ScopeId::TOP);
        inner
            .filter_map(|scope| {
                let place = compilation.container(scope)?.place()?.clone();
                let parent = compilation.scopes.get(scope).parent?;
                let container = compilation.container(parent).map(|resource| resource.reference().clone());
                Some(StackFrame { code: None, place, scope: parent, container })
            })
            .collect()
    }
}
