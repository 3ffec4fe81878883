//! What Puppet makes of type texts: every case of `spec/vectors/types/parse.jsonl`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::parse;
use serde::Deserialize;
use support::{MISSING, Prelude, missing_type};

/// Cases that are answered differently, each with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    ("types/parse/0117", "integers have 64 bits"),
    ("types/parse/0121", "integers have 64 bits"),
    ("types/parse/0131", "the bounds of an Integer are integers"),
    ("types/parse/0691", "titles are strings"),
    ("types/parse/0704", "titles are strings"),
    ("types/parse/1063", "heredocs are not parsed yet"),
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

fn shown(text: &str, lookup: &Prelude) -> Result<String, String> {
    match parse(text, lookup, &Limits::default()) {
        Ok(t @ Type::Alias(_)) => Ok(t.to_expanded_string()),
        Ok(t) => Ok(t.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn types_parse_and_print_as_in_puppet() {
    let prelude = Prelude::load();
    let mut failures = Vec::new();
    let mut unused_missing: BTreeSet<&str> = MISSING.iter().copied().collect();
    let mut unused_deviations: BTreeMap<&str, &str> = DEVIATIONS.iter().copied().collect();
    for line in include_str!("../spec/vectors/types/parse.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let actual = shown(&case.text, &prelude);
        let expected = case.string.clone().ok_or_else(|| case.error.clone().unwrap_or_default());
        if actual == expected || case.error_internal {
            continue;
        }
        if let Some(missing) = missing_type(&case.text) {
            unused_missing.remove(missing);
        } else if unused_deviations.remove(&*case.id).is_none() {
            failures
                .push(format!("{} {:?}\n  expected {expected:?}\n  got      {actual:?}", case.id, case.text));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
    assert!(unused_missing.is_empty(), "no longer missing: {unused_missing:?}");
    assert!(unused_deviations.is_empty(), "no longer deviations: {unused_deviations:?}");
}
