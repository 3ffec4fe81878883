//! Signatures that do not fit the methods of a function.

use super::LintReport;
use crate::dispatch::{Arity, DispatchCall};
use crate::function::FunctionDeclaration;
use crate::tree::{RubyNode, RubyNodeKind, RubyParameters};

/// Calls after which a function may have methods that are not seen in its block.
const INCLUDING: [&str; 7] =
    ["include", "extend", "prepend", "define_method", "alias_method", "class_eval", "instance_eval"];

pub fn check(declaration: &FunctionDeclaration<'_>, report: &mut LintReport<'_>) {
    if declaration.dispatches().is_empty() {
        required_after_optional(declaration, report);
    }
    late_local_types(declaration, report);
    for dispatch in declaration.handlers() {
        method_of(declaration, &dispatch, report);
    }
}

fn required_after_optional(declaration: &FunctionDeclaration<'_>, report: &mut LintReport<'_>) {
    let Some((node, method)) = declaration.default_method() else { return };
    let Some(first) = method.code.parameters.trailing.first() else { return };
    let name = first.name.as_deref().unwrap_or("that is taken apart");
    let message = format!(
        "the mandatory parameter {name} follows optional ones, so that arguments are ambiguous; put it before them"
    );
    report.add(declaration.source.line(node.start), "required_after_optional", message);
}

fn late_local_types(declaration: &FunctionDeclaration<'_>, report: &mut LintReport<'_>) {
    let body = &declaration.block.body;
    let is = |node: &RubyNode, name: &str| node.call().is_some_and(|call| call.name == name);
    let dispatch = body.iter().position(|node| is(node, "dispatch"));
    let late = body.iter().rposition(|node| is(node, "local_types"));
    let (Some(dispatch), Some(late)) = (dispatch, late) else { return };
    let (Some(first), Some(node)) = (declaration.dispatches().into_iter().next(), body.get(late)) else {
        return;
    };
    if late > dispatch {
        let message = format!(
            "the dispatch in line {} does not know these types; put local_types before all dispatches",
            first.line
        );
        report.add(declaration.source.line(node.start), "late_local_types", message);
    }
}

fn method_of(
    declaration: &FunctionDeclaration<'_>,
    dispatch: &DispatchCall<'_>,
    report: &mut LintReport<'_>,
) {
    let Some(name) = &dispatch.method_name else { return };
    if let Some((_, method)) = declaration.method_named(name) {
        arity(name, dispatch, &method.code.parameters, report);
    } else if has_known_methods(declaration) {
        let message =
            format!("there is no method {name} for this dispatch to call; define it, or name another");
        report.add(dispatch.line, "missing_method", message);
    }
}

/// Returns true if a function has no methods besides the ones in its block.
pub fn has_known_methods(declaration: &FunctionDeclaration<'_>) -> bool {
    let adds = |node: &RubyNode| match &node.kind {
        RubyNodeKind::Alias(..) => true,
        RubyNodeKind::Call(call) => INCLUDING.contains(&&*call.name),
        _ => false,
    };
    !declaration.has_base() && !declaration.block.body.iter().any(adds)
}

/// Returns how many positional arguments a method takes.
pub fn positional_arity(parameters: &RubyParameters) -> Arity {
    let required = parameters.leading.len() + parameters.trailing.len();
    let is_endless = parameters.rest.is_some() || parameters.forwards;
    Arity { least: required, most: (!is_endless).then(|| required + parameters.optional.len()) }
}

fn arity(name: &str, dispatch: &DispatchCall<'_>, parameters: &RubyParameters, report: &mut LintReport<'_>) {
    let (given, taken) = (dispatch.arity(), positional_arity(parameters));
    let is_positional = parameters.keywords.iter().all(|one| one.default.is_some());
    if given.is_within(taken) && is_positional {
        return;
    }
    let what = if is_positional {
        format!("takes {}", taken.in_words())
    } else {
        "needs keywords, which it is never given".to_owned()
    };
    let message = format!(
        "this dispatch calls {name} with {}, but the method {what}; make them agree",
        given.in_words()
    );
    report.add(dispatch.line, "wrong_method", message);
}
