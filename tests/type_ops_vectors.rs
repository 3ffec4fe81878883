//! What Puppet answers about types and values: the cases of `spec/vectors/types`.
//!
//! Of the values, those are checked that are written as literals or calls of types: everything but
//! operators, methods and other calls.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod support;

use std::sync::Arc;

use puppetfn::error::Error;
use puppetfn::host::{HostId, HostRef, Released};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::{callable_with, infer, infer_set, instance};
use puppetfn::types::parse::parse;
use puppetfn::value::{Callable, Value};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use support::report::Report;
use support::{Prelude, literal};

fn cases<C: DeserializeOwned>(lines: &str) -> impl Iterator<Item = C> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// The string form of a type: of an alias, with what it stands for.
fn shown(t: &Type) -> String {
    t.ruby_to_s()
}

fn parsed(prelude: &Prelude, text: &str) -> Result<Type, Error> {
    parse(text, prelude, &Limits::DEFAULT)
}

fn is_yes(verdict: Result<Verdict, Error>) -> Result<bool, Error> {
    verdict.map(|verdict| verdict == Verdict::Yes)
}

#[derive(Deserialize)]
struct TypeCase {
    id: String,
    #[serde(rename = "type")]
    t: String,
    string: Option<String>,
}

fn changes_as_in_puppet(
    lines: &str,
    missing: &[&'static str],
    deviations: &[(&'static str, &'static str)],
    change: fn(&Type) -> Type,
) {
    let prelude = Prelude::load();
    let mut report = Report::new(missing, deviations);
    for case in cases::<TypeCase>(lines) {
        let Some(expected) = case.string else { continue };
        report.check(&case.id, &[&case.t], expected, parsed(&prelude, &case.t).map(|t| shown(&change(&t))));
    }
    report.finish();
}

#[test]
fn types_generalize_as_in_puppet() {
    let lines = include_str!("../spec/vectors/types/generalize.jsonl");
    changes_as_in_puppet(lines, &[], &[], Type::generalize);
}

#[test]
fn types_normalize_as_in_puppet() {
    let lines = include_str!("../spec/vectors/types/normalize.jsonl");
    changes_as_in_puppet(lines, &[], &[], Type::normalize);
}

#[derive(Deserialize)]
struct PairCase {
    id: String,
    a: String,
    b: String,
    string: Option<String>,
}

#[test]
fn types_have_in_common_what_they_have_in_puppet() {
    let prelude = Prelude::load();
    let mut report = Report::new(&[], &[]);
    for case in cases::<PairCase>(include_str!("../spec/vectors/types/common.jsonl")) {
        let Some(expected) = case.string else { continue };
        let both = parsed(&prelude, &case.a).and_then(|a| Ok((a, parsed(&prelude, &case.b)?)));
        report.check(&case.id, &[&case.a, &case.b], expected, both.map(|(a, b)| shown(&a.common(&b))));
    }
    report.finish();
}

#[derive(Deserialize)]
struct AssignableCase {
    id: String,
    to: String,
    from: String,
    result: Option<bool>,
}

#[derive(Deserialize)]
struct AssignableRow {
    id: String,
    to: String,
    from: Vec<String>,
    result: String,
}

#[test]
fn types_are_assignable_as_in_puppet() {
    let prelude = Prelude::load();
    let mut report = Report::new(
        &[],
        &[
            ("types/assignable/0226", "only a host knows its classes"),
            ("types/assignable_row/0099/Runtime['ruby', 'String']", "only a host knows its classes"),
        ],
    );
    let mut check = |id: &str, to: &str, from: &str, expected: bool| {
        let both = parsed(&prelude, to).and_then(|to| Ok((to, parsed(&prelude, from)?)));
        let actual = both.and_then(|(to, from)| to.try_assignable(&from, &Limits::default()));
        report.check(id, &[to, from], expected, actual);
    };
    for case in cases::<AssignableCase>(include_str!("../spec/vectors/types/assignable.jsonl")) {
        if let Some(expected) = case.result {
            check(&case.id, &case.to, &case.from, expected);
        }
    }
    for row in cases::<AssignableRow>(include_str!("../spec/vectors/types/assignable_row.jsonl")) {
        for (from, expected) in
            row.from.iter().zip(row.result.chars()).filter(|(_, expected)| *expected != 'E')
        {
            check(&format!("{}/{from}", row.id), &row.to, from, expected == '1');
        }
    }
    report.finish();
}

#[derive(Deserialize)]
struct InstanceCase {
    id: String,
    #[serde(rename = "type")]
    t: String,
    value: String,
    result: Option<bool>,
}

#[derive(Deserialize)]
struct InstanceRow {
    id: String,
    #[serde(rename = "type")]
    t: String,
    values: Vec<String>,
    result: String,
}

#[test]
fn values_are_instances_as_in_puppet() {
    let prelude = Prelude::load();
    let mut report = Report::new(&["Init"], &[]);
    let mut check = |id: &str, t: &str, value: &str, expected: bool| {
        let Some(subject) = literal(value, &prelude) else { return };
        let actual = parsed(&prelude, t).and_then(|t| instance(&t, &subject, &Limits::default()));
        report.check(id, &[t, value], expected, is_yes(actual));
    };
    for case in cases::<InstanceCase>(include_str!("../spec/vectors/types/instance.jsonl")) {
        if let Some(expected) = case.result {
            check(&case.id, &case.t, &case.value, expected);
        }
    }
    for row in cases::<InstanceRow>(include_str!("../spec/vectors/types/instance_row.jsonl")) {
        for (value, expected) in
            row.values.iter().zip(row.result.chars()).filter(|(_, expected)| *expected != 'E')
        {
            check(&format!("{}/{value}", row.id), &row.t, value, expected == '1');
        }
    }
    report.finish();
}

#[derive(Deserialize)]
struct InferCase {
    id: String,
    value: Option<String>,
    string: String,
    reduced: Option<String>,
    generalized: Option<String>,
}

#[test]
fn types_are_inferred_as_in_puppet() {
    let prelude = Prelude::load();
    let limits = Limits::default();
    let mut report = Report::new(&[], &[]);
    for case in cases::<InferCase>(include_str!("../spec/vectors/types/infer.jsonl")) {
        let Some(value) = &case.value else { continue };
        let Some(subject) = literal(value, &prelude) else { continue };
        report.check(&case.id, &[value], case.string, infer_set(&subject, &limits).map(|t| t.ruby_to_s()));
        report.check(
            &case.id,
            &[value],
            case.reduced.unwrap(),
            infer(&subject, &limits).map(|t| t.ruby_to_s()),
        );
        let general = infer(&subject, &limits).map(|t| t.generalize().ruby_to_s());
        report.check(&case.id, &[value], case.generalized.unwrap(), general);
    }
    report.finish();
}

#[derive(Deserialize)]
struct CallableCase {
    id: String,
    #[serde(rename = "type")]
    t: String,
    args: Vec<String>,
    block: Option<String>,
    result: bool,
}

/// A callable of this type.
fn callable(signature: Type) -> Value {
    let host = HostRef::new(HostId::new(0), Arc::new(Released::default()));
    Value::Callable(Arc::new(Callable::of_host(host, signature)))
}

/// The types of the lambdas that are given as blocks.
const BLOCKS: &[(&str, &str)] = &[
    ("|Integer $x| { }", "Callable[Integer]"),
    ("|String $x| { }", "Callable[String]"),
    ("|$x| { $x }", "Callable[Any]"),
    ("|$x, $y| { }", "Callable[Any, Any]"),
    ("|$x, $y = 1| { }", "Callable[Any, Any, 1, 2]"),
    ("|*$x| { }", "Callable[Any, 0, default]"),
    ("|| { }", "Callable[0, 0]"),
    ("|Integer $x| >> String { \"\" }", "Callable[[Integer], String]"),
];

#[test]
fn callables_take_the_arguments_that_they_take_in_puppet() {
    let prelude = Prelude::load();
    let mut report = Report::new(&[], &[]);
    for case in cases::<CallableCase>(include_str!("../spec/vectors/types/callable.jsonl")) {
        let Some(args) = case.args.iter().map(|arg| literal(arg, &prelude)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let args: Vec<&Value> = args.iter().collect();
        let block = case.block.as_ref().map(|block| {
            let (_, signature) = BLOCKS.iter().find(|(text, _)| text == block).expect(block);
            callable(parsed(&prelude, signature).unwrap())
        });
        let t = parsed(&prelude, &case.t).unwrap();
        let Type::Callable(t) = &t else { unreachable!("{t} is no callable") };
        let actual = callable_with(t, &args, block.as_ref(), &Limits::default());
        report.check(&case.id, &[&case.t, &case.args.join(", ")], case.result, is_yes(actual));
    }
    report.finish();
}

#[derive(Deserialize)]
struct CallableArgsCase {
    id: String,
    #[serde(rename = "type")]
    t: String,
    args_type: String,
    result: Option<bool>,
}

#[test]
fn callables_take_the_argument_types_that_they_take_in_puppet() {
    let prelude = Prelude::load();
    let mut report = Report::new(&[], &[]);
    for case in cases::<CallableArgsCase>(include_str!("../spec/vectors/types/callable_args.jsonl")) {
        let Some(expected) = case.result else { continue };
        let both = parsed(&prelude, &case.t).and_then(|t| Ok((t, parsed(&prelude, &case.args_type)?)));
        report.check(
            &case.id,
            &[&case.t, &case.args_type],
            expected,
            both.and_then(|(t, args)| t.callable(&args)),
        );
    }
    report.finish();
}
