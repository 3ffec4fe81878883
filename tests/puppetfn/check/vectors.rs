//! The static checker on the code of the recorded cases: what Puppet evaluates has no errors, and most of what Puppet
//! refuses or fails with has.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    missing_docs,
    reason = "a test reads files of its own, and may take the short way"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use puppetfn::check::{Finding, Origin, World};
use puppetfn::diagnostic::Severity;
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::Mode;
use serde_json::Value as Json;

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

/// Cases whose errors are in a function, or a default value, that the case does not reach.
const NOT_REACHED: [&str; 3] = ["functions/basic/057", "functions/defaults/005", "functions/return_type/038"];

/// Cases with a resource that fails when it is made, after the catalog.
const NOT_MADE: [&str; 1] = ["resources/basic/042"];

fn errors(code: &str, mode: Mode) -> Vec<Finding> {
    let loader = Loader::new(Arc::new(StdFileSystem), Vec::new(), None, Limits::DEFAULT);
    let mut world = World::new(Arc::new(loader), Limits::DEFAULT);
    let definitions = world.declarations(code, mode);
    world.add(definitions);
    let found = world.check(code, mode, &Origin::default());
    found.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

#[test]
fn what_puppet_evaluates_has_no_errors() {
    let (mut failing, mut found, mut wrong) = (0, 0, Vec::new());
    for file in FILES {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("spec/vectors/lang/{file}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let Some(code) = case["code"].as_str() else { continue };
            let errors = errors(code, Mode::default());
            if case["error"].is_null() {
                let id = case["id"].as_str().unwrap();
                if !errors.is_empty() && !NOT_REACHED.contains(&id) && !NOT_MADE.contains(&id) {
                    wrong.push(format!("{}: {code}\n  {errors:?}", case["id"]));
                }
            } else {
                failing += 1;
                found += usize::from(!errors.is_empty());
            }
        }
    }
    println!("{found} of {failing} failing cases have errors");
    assert!(found * 100 >= failing * 80, "{found} of {failing} failing cases have errors");
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}
