//! Code that makes a catalog: the machine evaluates, and tells the compilation the result.

mod access;
mod changed;
mod collect;
mod deferred;
mod define;
mod functions;
mod kinds;
mod lazy;
mod node_classes;
mod redefined;
mod relate;
mod resources;
mod variables;

use std::sync::{Arc, MutexGuard};

pub(in crate::eval) use self::changed::replace_changed;
pub(in crate::eval) use self::functions::LentCompiler;
pub(in crate::eval) use self::variables::CallerLocals;
use self::variables::unevaluated;
use super::{CallSite, EvalResult, Frame, Machine, WaitingCaller, during, failure};
use crate::eval::code::Node;
use crate::eval::declaration::{AwaitedParameter, DeclareCode, ParameterVariable};
use puppetfn_base::error::SourceLocation;
use puppetfn_catalog::{Compilation, ScopeId};
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::Value;

impl Machine {
    /// Returns the catalog that is made. It is locked as long as the guard lives, so nothing may be evaluated
    /// meanwhile.
    pub(super) fn compilation(&self) -> MutexGuard<'_, Compilation> {
        self.shared.compilation()
    }

    /// Returns the source of messages that the running code logs; `None` if it is a script.
    pub(super) fn log_source(&self) -> Option<String> {
        let compilation = (!self.shared.is_script).then(|| self.compilation())?;
        compilation.container(self.scope).map(|container| format!("Scope({})", container.reference()))
    }

    /// Logs the catalog's warnings.
    pub(super) fn log_warnings(&self) {
        let warnings = std::mem::take(&mut self.compilation().warnings);
        warnings.iter().for_each(|warning| self.shared.log(LogLevel::Warning, warning));
    }

    #[inline(never)]
    pub(super) fn declare(&mut self, what: &DeclareCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        match what {
            DeclareCode::Parameter(awaited) => return self.awaited(awaited, frame),
            DeclareCode::Resources(_)
            | DeclareCode::Defaults(_)
            | DeclareCode::Override(_)
            | DeclareCode::Collector(_)
            | DeclareCode::Relationship(_) => {}
        }
        if self.shared.is_script {
            let message = format!("{} is only available when compiling a catalog", uppercase(label(what)));
            return Err(failure(node, frame, message));
        }
        self.guard.check().map_err(|error| during(error, label(what), node.at, frame))?;
        if self.scope == self.global_scope() {
            self.declaring = Some(WaitingCaller::new(self.id, CallSite { frame, at: node.at }));
        }
        let result = match what {
            DeclareCode::Resources(resources) => self.resources(resources, node, frame),
            DeclareCode::Defaults(changes) => self.resource_defaults(changes, frame),
            DeclareCode::Override(changes) => self.resource_override(changes, node, frame),
            DeclareCode::Collector(collector) => self.collector(collector, node, frame).map(|_| Value::Undef),
            DeclareCode::Relationship(relationship) => self.relationship(relationship, node, frame),
            DeclareCode::Parameter(_) => Ok(Value::Undef),
        };
        let label = match what {
            DeclareCode::Relationship(relationship) => &format!("a '{}' expression", relationship.symbol),
            other => label(other),
        };
        result.map_err(|error| during(error, label, node.at, frame))
    }

    /// Returns the value of a parameter, in the default value of one.
    fn awaited(&self, awaited: &AwaitedParameter, frame: Frame<'_>) -> EvalResult {
        let value = match awaited.variable {
            ParameterVariable::Slot(slot) => {
                self.stack.get(frame.base.saturating_add(slot as usize)).cloned().flatten()
            }
            ParameterVariable::Global(id) => self.shared.variables.value(id),
        };
        if let Some(value) = value {
            return Ok(value);
        }
        let subject = match awaited.owner {
            Some(owner) => owner.to_owned(),
            None => {
                let compilation = self.compilation();
                compilation.container(self.scope).map(|r| r.reference().to_string()).unwrap_or_default()
            }
        };
        Err(unevaluated(&subject, &awaited.name, &awaited.user, awaited.is_before))
    }

    /// Returns the class, node or defined type around.
    pub(super) fn class_around(&self) -> Arc<str> {
        let compilation = self.compilation();
        Arc::clone(&compilation.scopes.source(compilation.source(self.scope)).name)
    }

    /// Returns the global scope of the code in this scope: the scope of the node, or the top scope.
    #[inline]
    pub(super) fn global_scope(&self) -> ScopeId {
        if self.scope == ScopeId::TOP { self.scope } else { self.compilation().scopes.get(self.scope).global }
    }
}

/// Returns Puppet's name for an expression, for errors about its evaluation.
fn label(what: &DeclareCode) -> &'static str {
    match what {
        DeclareCode::Resources(_) => "a Resource Statement",
        DeclareCode::Defaults(_) => "a Resource Defaults Expression",
        DeclareCode::Override(_) => "a Resource Override",
        DeclareCode::Collector(collector) if collector.is_exported => "an Exported Query",
        DeclareCode::Collector(_) => "a Virtual Query",
        DeclareCode::Relationship(_) => "a relationship expression",
        DeclareCode::Parameter(_) => "a Variable",
    }
}

fn uppercase(label: &str) -> String {
    label.strip_prefix('a').map(|rest| format!("A{rest}")).unwrap_or_default()
}

/// Returns the line at which code is.
fn line_of(at: u32, frame: Frame<'_>) -> SourceLocation {
    frame.context.unit.line(at)
}
