//! How Puppet reads code: every case of `spec/vectors/lang/pn.jsonl` and `parse_errors.jsonl`.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use puppetfn::diagnostic::{Diagnostic, Severity, logged, refuse_errors};
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::validate::{Rules, validate};
use serde::Deserialize;
use support::report::Report;

/// Trees that are noted differently, each with the reason.
const OTHER_TREES: &[(&str, &str)] = &[
    ("pn/calls/010", "parameters that take the rest are noted; Puppet fails"),
    ("pn/calls/011", "parameters that take the rest are noted; Puppet fails"),
    ("pn/statements/018", "parameters that take the rest are noted; Puppet fails"),
];

/// Errors that are worded differently, each with the reason.
const OTHER_ERRORS: &[(&str, &str)] =
    &[("parse_errors/bytes/001", "errors name the file, where there is one")];

#[derive(Deserialize)]
struct Case {
    id: String,
    code: String,
    pn: Option<String>,
    #[serde(default)]
    ok: bool,
    error: Option<String>,
    /// The words of the error are Ruby's.
    #[serde(default)]
    host_error: bool,
    #[serde(default)]
    logs: Vec<(String, String)>,
}

#[test]
fn trees_are_noted_as_in_puppet() {
    check(include_str!("../spec/vectors/lang/pn.jsonl"), OTHER_TREES);
}

#[test]
fn errors_are_found_and_placed_as_in_puppet() {
    check(include_str!("../spec/vectors/lang/parse_errors.jsonl"), OTHER_ERRORS);
}

fn check(cases: &str, deviations: &[(&'static str, &'static str)]) {
    let mut report = Report::new(deviations);
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let mut logs = Vec::new();
        let mut actual = read(&case.code, &mut logs).map_err(|error| error.in_file("/test.pp"));
        if case.ok {
            actual = actual.map(|_| "ok".to_owned());
        }
        if case.host_error {
            actual = actual.or_else(|_| Ok("an error".to_owned()));
        }
        let expected = match (case.pn, case.error) {
            (Some(pn), _) => pn,
            (None, Some(_)) if case.host_error => "an error".to_owned(),
            (None, Some(error)) => format!("error: {error}"),
            (None, None) => "ok".to_owned(),
        };
        report.check(&case.id, expected, actual);
        assert_eq!(logs, case.logs, "{}", case.id);
    }
    report.finish();
}

/// What code is in Puppet Notation, if it is valid, and what is logged.
fn read(code: &str, logs: &mut Vec<(String, String)>) -> Result<String, Error> {
    let mut log = |diagnostic: &Diagnostic| {
        let level = if diagnostic.severity == Severity::Error { "err" } else { "warning" };
        logs.push((level.to_owned(), diagnostic.message.clone()));
    };
    let program = syntax::parse(code, &Limits::DEFAULT)?;
    program.warnings.iter().for_each(&mut log);
    let found = validate(&program, Rules::default());
    logged(&found).for_each(log);
    refuse_errors(&found, code)?;
    Ok(syntax::to_pn(&program, false))
}
