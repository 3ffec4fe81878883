//! `puppetfn fixtures`. The tests of the crate `puppetfn-fixtures` install from a Forge and from Git.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::process::Command;

fn fixtures(directory: &Path) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_puppetfn"))
        .args(["fixtures", "--forge", "http://127.0.0.1:1"])
        .current_dir(directory)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn modules_are_listed_with_their_states() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("beside")).unwrap();
    fs::write(root.path().join("metadata.json"), r#"{"name": "me-own"}"#).unwrap();
    fs::write(root.path().join(".fixtures.yml"), "fixtures: {symlinks: {beside: beside}}").unwrap();
    let states = |state: &str| (format!("beside: {state}\nown: {state}\n"), String::new(), Some(0));
    assert_eq!(fixtures(root.path()), states("linked"));
    assert_eq!(fixtures(root.path()), states("up to date"));
    assert!(!root.path().join("puppetfn.lock").exists());
}

#[test]
fn problems_are_reported_for_each_module() {
    let root = tempfile::tempdir().unwrap();
    let (_, message, code) = fixtures(root.path());
    let missing = "error: there is neither a .fixtures.yml nor a Puppetfile in or above .; write one that lists the modules to install\n";
    assert_eq!((message.as_str(), code), (missing, Some(2)));

    fs::write(root.path().join("Puppetfile"), "mod 'a/x', '1.0.0'\nmod 'b/y'\n").unwrap();
    let (out, message, code) = fixtures(root.path());
    assert_eq!((out.as_str(), code), ("", Some(1)));
    let starts: Vec<_> = message.lines().map(|line| line.split("http:").next().unwrap()).collect();
    assert_eq!(starts, ["error: x: ", "error: y: "]);
}
