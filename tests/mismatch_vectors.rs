//! What Puppet says of values and types that do not match: every case of
//! `spec/vectors/types/mismatch.jsonl` and `mismatch_type.jsonl`.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::collections::BTreeMap;

use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::describe::{assertion_message, assignability_message};
use puppetfn::types::ops::{infer_set, instance};
use puppetfn::types::parse::parse;
use serde::Deserialize;
use support::{Prelude, literal, missing_type};

#[derive(Deserialize)]
struct Case {
    id: String,
    name: String,
    expected: String,
    /// The source of a value, or of a type that is given where another is expected.
    #[serde(alias = "actual")]
    value: String,
    message: Option<String>,
    #[serde(default)]
    error_internal: bool,
}

/// Runs cases and tells what fails. `answer` gives none for cases that are not understood.
fn run(cases: &str, deviations: &[(&str, &str)], answer: impl Fn(&Case) -> Option<Option<String>>) {
    let mut failures = Vec::new();
    let mut unused_deviations: BTreeMap<&str, &str> = deviations.iter().copied().collect();
    let mut passed = 0;
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let actual = answer(&case);
        if case.error_internal {
            continue;
        }
        if actual.as_ref() == Some(&case.message) {
            passed += 1;
        } else if missing_type(&case.expected).or_else(|| missing_type(&case.value)).is_none()
            && unused_deviations.remove(&*case.id).is_none()
        {
            failures.push(format!(
                "{} {} <- {}\n  expected {:?}\n  got      {actual:?}",
                case.id, case.expected, case.value, case.message
            ));
        }
    }
    assert!(failures.is_empty(), "{passed} pass, {} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(unused_deviations.is_empty(), "no longer deviations: {unused_deviations:?}");
}

fn type_of(text: &str, prelude: &Prelude) -> Option<Type> {
    parse(text, prelude, &Limits::DEFAULT).ok()
}

#[test]
fn values_are_described_as_in_puppet() {
    const DEVIATIONS: &[(&str, &str)] = &[
        ("types/mismatch/0534", "calls are not evaluated yet"),
        ("types/mismatch/0538", "arithmetic is not evaluated yet"),
        ("types/mismatch/0573", "calls are not evaluated yet"),
        ("types/mismatch/0724", "methods are not evaluated yet"),
        ("types/mismatch/0798", "methods are not evaluated yet"),
        ("types/mismatch/0911", "methods are not evaluated yet"),
        ("types/mismatch/0916", "arithmetic is not evaluated yet"),
    ];
    let prelude = Prelude::load();
    run(include_str!("../spec/vectors/types/mismatch.jsonl"), DEVIATIONS, |case| {
        let expected = type_of(&case.expected, &prelude)?;
        let value = literal(&case.value, &prelude)?;
        Some(match instance(&expected, &value, &Limits::DEFAULT).ok()? {
            Verdict::Yes => None,
            Verdict::Maybe | Verdict::No => {
                let actual = infer_set(&value, &Limits::DEFAULT).ok()?;
                Some(assertion_message(&case.name, &expected, &actual))
            }
        })
    });
}

#[test]
fn types_are_described_as_in_puppet() {
    const DEVIATIONS: &[(&str, &str)] = &[];
    let prelude = Prelude::load();
    run(include_str!("../spec/vectors/types/mismatch_type.jsonl"), DEVIATIONS, |case| {
        let expected = type_of(&case.expected, &prelude)?;
        let actual = type_of(&case.value, &prelude)?;
        Some((!expected.assignable(&actual)).then(|| assignability_message(&case.name, &expected, &actual)))
    });
}
