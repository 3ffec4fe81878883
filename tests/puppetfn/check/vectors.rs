//! The static checker on the code of the recorded cases: code that Puppet evaluates has no errors. Rejected or failing
//! cases without an error are recorded in `snapshots/missed_vectors.snap`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test reads files of its own, and may take the short way"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use puppetfn::check::{Finding, TextOrigin, World};
use puppetfn::diagnostic::Severity;
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::{Mode, Tree};
use serde_json::Value as Json;

use super::missed::Missed;

const FILES: [&str; 8] = [
    "builtins",
    "control",
    "functions",
    "lambdas",
    "literals_strings",
    "operators",
    "resources",
    "types_in_code",
];

/// Cases that Puppet evaluates and that have errors all the same.
const EVALUATED: [&str; 4] = [
    // The error is in a function, or a default value, that the case does not reach.
    "functions/basic/057",
    "functions/defaults/005",
    "functions/return_type/038",
    // The resource fails when it is created, after the catalog.
    "resources/basic/042",
];

/// Reasons why a case that fails in Puppet has no error. The first one whose text occurs in Puppet's message or in the code counts.
const REASONS: [(&str, &[&str], &[&str]); 10] = [
    ("Code that is right where a catalog is compiled", &["is only available when compiling a catalog"], &[]),
    ("`fail`, which is called on purpose", &[], &["fail(", "fail "]),
    ("Templates in texts, which are not read", &["inline_epp(): Invalid EPP"], &["inline_epp("]),
    (
        "Functions of the 3.x API, which do not state their parameters",
        &["Wrong number of arguments given", "no implicit conversion"],
        &["create_resources(", "file(5)", "fqdn_rand("],
    ),
    (
        "Names that are defined twice, or that Puppet keeps for itself",
        &["Attempt to redefine", "reserved variable name"],
        &[],
    ),
    (
        "Definitions of types, and what needs to know them",
        &["Error while evaluating a Type-Name"],
        &["type "],
    ),
    (
        "Variables, values, files, classes and types that are not in the code",
        &[
            "Function lookup() did not find",
            "Could not find",
            "does not exist",
            "Unknown variable",
            "not found: ",
        ],
        &[],
    ),
    (
        "Texts with a format of their own, which the types of parameters do not state",
        &[
            "was given non decimal string",
            "cannot convert given value to a floating point value",
            "end pattern with unmatched parenthesis",
            "does not start with a valid variable name",
            "Unparsable version range",
            "Bad format specifier",
            "Illegal timezone",
            "Unknown merge strategy",
            "Invalid produced text",
        ],
        &["assert_type('Integer['"],
    ),
    ("Arguments of blocks, where they do not fit the parameters", &["block parameter '"], &[]),
    (
        "Where `next`, `break` and `return` lead, and how many values they take",
        &["from context where this is illegal", "'next' expects", "'break' expects", "'return' expects"],
        &[],
    ),
];

fn check(code: &str) -> Vec<Finding> {
    let mode = Mode::default();
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
    let mut world = World::new(Arc::new(loader), Limits::DEFAULT);
    let tree = Tree::recover(code, None, mode, &Limits::DEFAULT);
    let definitions = world.declarations(&tree);
    world.add(definitions);
    world.check(&tree, &TextOrigin::default())
}

fn why(code: &str, error: &str, found: &[Finding]) -> &'static str {
    if !found.is_empty() {
        return "There is a warning, but no error";
    }
    let reason = REASONS.iter().find(|(_, errors, codes)| {
        errors.iter().any(|part| error.contains(part)) || codes.iter().any(|part| code.contains(part))
    });
    reason.map_or("No reason is known", |(reason, _, _)| reason)
}

#[test]
fn what_puppet_evaluates_has_no_errors() {
    let (mut missed, mut wrong) = (Missed::default(), Vec::new());
    for file in FILES {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("spec/vectors/lang/{file}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let Some(code) = case["code"].as_str() else { continue };
            let id = case["id"].as_str().unwrap();
            let found = check(code);
            let is_found = found.iter().any(|finding| finding.severity == Severity::Error);
            match case["error"].as_str() {
                None if is_found && !EVALUATED.contains(&id) => {
                    wrong.push(format!("{id}: {code}\n  {found:?}"))
                }
                None => assert!(is_found || !EVALUATED.contains(&id), "{id} has no errors any more"),
                Some(_) if is_found => missed.count_found(),
                Some(error) => {
                    let said = error.lines().find(|line| !line.is_empty()).unwrap_or_default();
                    missed.add(why(code, error, &found), &[id, code.trim_end(), said]);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    missed.assert("missed_vectors", "cases that fail in Puppet have errors");
}
