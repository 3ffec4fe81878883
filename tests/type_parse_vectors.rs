//! What Puppet makes of type texts: every case of `spec/vectors/types/parse.jsonl`.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::parse;
use serde::Deserialize;
use support::report::Report;
use support::{MISSING, Prelude};

/// Cases that are answered differently, each with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    ("types/parse/0117", "integers have 64 bits"),
    ("types/parse/0121", "integers have 64 bits"),
    ("types/parse/0131", "the bounds of an Integer are integers"),
    ("types/parse/0691", "titles are strings"),
    ("types/parse/0704", "titles are strings"),
    ("types/parse/0818", "the fraction of a bound is shown as that of a value, without zeros at its end"),
];

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(rename = "type")]
    text: String,
    string: Option<String>,
    error: Option<String>,
    #[serde(default)]
    error_internal: bool,
}

#[test]
fn types_parse_and_print_as_in_puppet() {
    let prelude = Prelude::load();
    // The parser reads it; what is missing is what it stands for.
    let missing: Vec<&str> = MISSING.iter().copied().filter(|name| *name != "Init").collect();
    let mut report = Report::new(&missing, DEVIATIONS);
    for line in include_str!("../spec/vectors/types/parse.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        if case.error_internal {
            continue;
        }
        let expected = case.string.unwrap_or_else(|| format!("error: {}", case.error.unwrap_or_default()));
        report.check(
            &case.id,
            &[&case.text],
            expected,
            parse(&case.text, &prelude, &Limits::default()).map(shown),
        );
    }
    report.finish();
}

fn shown(t: Type) -> String {
    t.ruby_to_s()
}
