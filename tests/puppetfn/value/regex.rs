//! Matches of Ruby's regular expressions: every case of `spec/vectors/regex/ruby.jsonl`.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::value::Regex;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    regex: String,
    text: String,
    /// None where the regular expression is not valid.
    matches: Option<bool>,
}

#[test]
fn regular_expressions_match_as_in_ruby() {
    let mut failures = Vec::new();
    for line in include_str!("../../../spec/vectors/regex/ruby.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let regex = Regex::new(&case.regex);
        let matches = regex.as_ref().ok().map(|regex| regex.is_match(&case.text).unwrap());
        if matches != case.matches {
            failures.push(format!(
                "{:?} on {:?}: expected {:?}, got {matches:?} {}",
                case.regex,
                case.text,
                case.matches,
                regex.err().map(|error| error.to_string()).unwrap_or_default()
            ));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
}
