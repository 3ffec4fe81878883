//! Local variables whose arrays, hashes and strings are changed in place.
//!
//! A change is certain only if nothing else has the object, since values here are copies: the variable is assigned new objects, and
//! is read only where its object gets no other name.

use std::collections::HashSet;

use crate::expression::{Expression, TemplateBlock, WhenPattern};
use crate::names::Method;

/// Returns true if all changes of objects in a template are certain.
pub(crate) fn is_certain(body: &Expression) -> bool {
    let mut changed = HashSet::new();
    collect(body, &mut changed);
    changed.is_empty() || owns(body, &changed, false)
}

fn collect(code: &Expression, changed: &mut HashSet<usize>) {
    if let Expression::Append(local, _) | Expression::Store(local, ..) = code {
        changed.insert(*local);
    }
    for child in children(code) {
        collect(child, changed);
    }
}

/// Checks code. `is_named` is true where a value of the code can get another name.
fn owns(code: &Expression, changed: &HashSet<usize>, is_named: bool) -> bool {
    match code {
        Expression::Local(local) => !is_named || !changed.contains(local),
        Expression::SetLocal(local, value) if changed.contains(local) => {
            !is_named && is_new(value) && owns(value, changed, true)
        }
        Expression::Output(value) | Expression::Not(value) => owns(value, changed, false),
        Expression::IsA(test) => owns(&test.value, changed, false),
        // An array is its own result.
        Expression::ToArray(value) => owns(value, changed, is_named),
        Expression::Interpolated(parts) => parts.iter().all(|part| owns(part, changed, false)),
        Expression::If(condition, statements, otherwise) => {
            owns(condition, changed, false)
                && [statements, otherwise].into_iter().all(|code| owns(code, changed, is_named))
        }
        Expression::Sequence(statements) => {
            // The value of the last statement only is used, if at all.
            let count = statements.len();
            let is_last = |index: usize| index + 1 == count;
            statements.iter().enumerate().all(|(index, code)| owns(code, changed, is_named && is_last(index)))
        }
        Expression::Call(call) => {
            let receiver = owns(&call.receiver, changed, returns_receiver(call.method) && is_named);
            let arguments = call.arguments.iter().all(|argument| owns(argument, changed, true));
            let is_used = !matches!(call.method, Method::Each | Method::EachPair | Method::EachWithIndex);
            let body = |block: &TemplateBlock| owns(&block.body, changed, is_used);
            receiver && arguments && call.block.as_ref().is_none_or(body)
        }
        code => children(code).into_iter().all(|child| owns(child, changed, true)),
    }
}

/// Returns true if a method can return its receiver, and not a new object.
fn returns_receiver(method: Method) -> bool {
    matches!(
        method,
        Method::Each
            | Method::EachPair
            | Method::EachWithIndex
            | Method::EachKey
            | Method::EachValue
            | Method::Freeze
            | Method::ToS
            | Method::ToA
            | Method::ToH
    )
}

/// Returns true if the value of an expression is an object that nothing else has.
fn is_new(value: &Expression) -> bool {
    match value {
        Expression::Literal(_) | Expression::Array(_) | Expression::Hash(_) | Expression::Interpolated(_) => {
            true
        }
        Expression::Call(call) => matches!(
            call.method,
            Method::Map | Method::Select | Method::Reject | Method::Split | Method::Keys | Method::Sort
        ),
        _ => false,
    }
}

fn children(code: &Expression) -> Vec<&Expression> {
    match code {
        Expression::Literal(_)
        | Expression::Symbol(_)
        | Expression::Regex(_)
        | Expression::Local(_)
        | Expression::Instance(_)
        | Expression::Lookup(_)
        | Expression::HasVariable(_)
        | Expression::IsDefined(_)
        | Expression::Text(_) => Vec::new(),
        Expression::Array(items) | Expression::Interpolated(items) | Expression::Sequence(items) => {
            items.iter().collect()
        }
        Expression::Hash(entries) => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
        Expression::Range(left, right, _)
        | Expression::And(left, right)
        | Expression::Or(left, right)
        | Expression::CompareVersions(left, right)
        | Expression::Store(_, left, right) => vec![left, right],
        Expression::SetLocal(_, value)
        | Expression::Not(value)
        | Expression::ToArray(value)
        | Expression::Output(value)
        | Expression::Template(value)
        | Expression::Append(_, value)
        | Expression::Next(value) => vec![value],
        Expression::IsA(test) => vec![&test.value],
        Expression::If(condition, statements, otherwise) => vec![condition, statements, otherwise],
        Expression::Case(case) => {
            let clauses = case.clauses.iter().flat_map(|(patterns, statements)| {
                let values = patterns.iter().filter_map(|pattern| match pattern {
                    WhenPattern::Value(value) => Some(value),
                    WhenPattern::Class(_) => None,
                });
                values.chain([statements])
            });
            [&case.subject, &case.otherwise].into_iter().chain(clauses).collect()
        }
        Expression::Call(call) => {
            let block = call.block.iter().map(|block| &block.body);
            [&call.receiver].into_iter().chain(&call.arguments).chain(block).collect()
        }
    }
}
