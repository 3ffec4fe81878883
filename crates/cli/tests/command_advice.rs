//! Advice of the program without Ruby about its limits.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::process::Command;
use std::{env, fs};

/// Runs the command: its exit code, and its output with its complaints.
fn run(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_puppetfn")).args(args).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn what_needs_ruby_names_the_command_that_has_it() {
    let modules = env::temp_dir().join(format!("puppetfn-advice-{}", std::process::id()));
    let functions = modules.join("mod/lib/puppet/functions/mod");
    fs::create_dir_all(&functions).unwrap();
    fs::write(functions.join("f.rb"), "Puppet::Functions.create_function(:'mod::f') { def f = 1 }").unwrap();
    let path = modules.to_str().unwrap();
    let help = "help: the command `puppetfn` of the gem puppetfn runs Ruby code, too\n";

    for subcommand in [["call", "mod::f"], ["eval", "mod::f()"]] {
        let (code, text) = run(&[&subcommand[..], &["--modulepath", path]].concat());
        assert!(code == 1 && text.contains("is written in Ruby"), "{text}");
        assert!(text.ends_with(help), "{text}");
    }
    fs::remove_dir_all(&modules).unwrap();

    assert_eq!(
        run(&["test"]),
        (2, "error: `test` needs Ruby and RSpec: use the command of the gem puppetfn\n".to_owned())
    );
}

#[test]
fn the_program_completes_and_documents_itself() {
    let (code, script) = run(&["completions", "bash"]);
    assert!(code == 0 && script.contains("--modulepath"), "{script}");
    let directory = env::temp_dir().join(format!("puppetfn-man-{}", std::process::id()));
    let (code, files) = run(&["man", directory.to_str().unwrap()]);
    assert_eq!(code, 0, "{files}");
    let page = fs::read_to_string(directory.join("puppetfn-check.1")).unwrap();
    assert!(page.contains("\\-\\-fail\\-on\\-warnings"), "{page}");
    fs::remove_dir_all(&directory).unwrap();
}
