//! Names in plans: functions and types of Bolt, tasks and plans.

use super::{Completion, CompletionKind};
use crate::{Ide, bolt};
use puppetfn_base::source::Span;
use puppetfn_index::Symbol;

/// Returns the completions of functions or types, for the start of an expression in a plan.
pub(super) fn of_bolt(word: &str, span: Span) -> Vec<Completion> {
    if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        let types = bolt::TYPES.into_iter();
        return types
            .map(|(name, doc)| Completion::new(CompletionKind::Type, name, span).documented(doc.to_owned()))
            .collect();
    }
    let completion = |(signature, doc): (&str, &str)| {
        let name = bolt::name_of(signature);
        Completion::new(CompletionKind::Function, name, span)
            .detail(signature)
            .documented(doc.to_owned())
            .snippet(format!("{name}($0)"))
    };
    bolt::functions().map(completion).collect()
}

impl Ide {
    /// Returns the plans of the project, for the first argument of `run_plan`.
    pub(super) fn plans(&self, span: Span) -> Vec<Completion> {
        let plans = self.index.get().symbols().filter(|symbol| matches!(symbol, Symbol::Plan(_)));
        plans.map(|plan| Completion::new(CompletionKind::Value, plan.name(), span)).collect()
    }

    /// Returns the tasks of the modules, for the first argument of `run_task`.
    pub(super) fn tasks(&self, span: Span) -> Vec<Completion> {
        let mut found = Vec::new();
        for file in self.files_in("tasks", span) {
            let Some((module, file)) = file.label.split_once('/') else { continue };
            let task = file.split('.').next().unwrap_or(file);
            let name = if task == "init" { module.to_owned() } else { format!("{module}::{task}") };
            found.push(Completion::new(CompletionKind::Value, name, span));
        }
        found
    }
}
