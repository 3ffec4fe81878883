//! Functions and types of Bolt, which plans can use.

use std::ops::Range;

use super::Ide;
use super::completion::{Completion, CompletionKind};
use super::signature::SignatureText;
use puppetfn_base::source::Span;
use puppetfn_index::Symbol;

/// The signatures of the functions of Bolt 3 and 4, each with a tab and its description.
const FUNCTIONS: &str = include_str!("bolt_functions.txt");

/// The data types of Bolt.
const TYPES: [(&str, &str); 9] = [
    ("ApplyResult", "The result of a block of `apply` on a target."),
    ("ContainerResult", "The result of a container."),
    ("Future", "A block that runs beside the plan."),
    ("PlanResult", "A value that a plan can return."),
    ("ResourceInstance", "A resource of a target, with its state and the desired state."),
    ("Result", "The result of an action on a target."),
    ("ResultSet", "The results of an action on several targets."),
    ("Target", "A target: a device that Bolt connects to."),
    ("TargetSpec", "Names, URIs and groups of targets, targets, or arrays of these."),
];

/// Returns the signatures of a function, with their descriptions.
fn described(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = FUNCTIONS.lines().filter_map(|line| line.split_once('\t'));
    lines.filter(move |(signature, _)| name_of(signature) == name)
}

fn name_of(signature: &str) -> &str {
    signature.split('(').next().unwrap_or_default()
}

/// Returns the signatures and the description of a function.
pub(crate) fn function(name: &str) -> Option<(Vec<String>, String)> {
    let (_, doc) = described(name).next()?;
    Some((described(name).map(|(signature, _)| signature.to_owned()).collect(), doc.to_owned()))
}

/// Returns the name and the description of a data type by its name, which is matched without regard to case.
pub(crate) fn data_type(name: &str) -> Option<(String, String)> {
    let short = name.strip_prefix("boltlib::").unwrap_or(name);
    let (name, doc) = TYPES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(short))?;
    Some((format!("type {name}"), doc.to_owned()))
}

/// Returns the signatures of a function for signature help.
pub(crate) fn signature_texts(name: &str) -> Vec<SignatureText> {
    let text = |(signature, doc): (&str, &str)| SignatureText {
        label: signature.to_owned(),
        parameters: parameters(signature),
        documentation: doc.to_owned(),
    };
    described(name).map(text).collect()
}

/// Returns the ranges of the parameters of a signature.
fn parameters(signature: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in signature.char_indices() {
        match c {
            '(' if depth == 0 => (depth, start) = (1, at + 1),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' | ')' if depth == 1 => {
                found.push(start..at);
                start = at + 2;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the completions of functions or types, for the start of an expression in a plan.
pub(crate) fn completions(word: &str, span: Span) -> Vec<Completion> {
    if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        let types = TYPES.into_iter();
        return types
            .map(|(name, doc)| Completion::new(CompletionKind::Type, name, span).documented(doc.to_owned()))
            .collect();
    }
    let signatures = FUNCTIONS.lines().filter_map(|line| line.split_once('\t'));
    let completion = |(signature, doc): (&str, &str)| {
        let name = name_of(signature);
        Completion::new(CompletionKind::Function, name, span)
            .detail(signature)
            .documented(doc.to_owned())
            .snippet(format!("{name}($0)"))
    };
    signatures.map(completion).collect()
}

impl Ide {
    /// Returns the plans of the project, for the first argument of `run_plan`.
    pub(crate) fn plans(&self, span: Span) -> Vec<Completion> {
        let plans = self.index.get().symbols().filter(|symbol| matches!(symbol, Symbol::Plan(_)));
        plans.map(|plan| Completion::new(CompletionKind::Value, plan.name(), span)).collect()
    }

    /// Returns the tasks of the modules, for the first argument of `run_task`.
    pub(crate) fn tasks(&self, span: Span) -> Vec<Completion> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_have_their_parameters() {
        let shown = |name: &str| {
            let texts = signature_texts(name).into_iter();
            texts
                .map(|text| {
                    text.parameters.iter().map(|range| text.label[range.clone()].to_owned()).collect()
                })
                .collect::<Vec<Vec<String>>>()
        };
        assert_eq!(shown("add_to_group"), [["TargetSpec targets".to_owned(), "String[1] group".to_owned()]]);
        assert_eq!(shown("fail_plan")[1], ["Error error"]);
        assert_eq!(shown("wait")[0].len(), 3);
        assert_eq!(data_type("boltlib::targetspec").unwrap().0, "type TargetSpec");
        assert_eq!(function("nosuch"), None);
    }

    #[test]
    fn every_line_has_a_signature_and_a_description() {
        for line in FUNCTIONS.lines() {
            let (signature, doc) = line.split_once('\t').unwrap();
            assert!(doc.ends_with('.'), "{line}");
            assert_eq!(signature.matches('[').count(), signature.matches(']').count(), "{line}");
            assert!(
                parameters(signature).iter().all(|range| signature[range.clone()].contains(' ')),
                "{line}"
            );
        }
    }
}
