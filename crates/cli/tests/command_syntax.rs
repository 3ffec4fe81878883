//! `puppetfn parse` and `puppetfn validate`, as typed.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// A directory with files, which is gone in the end.
struct SyntaxFiles(PathBuf);

impl SyntaxFiles {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let directory = env::temp_dir().join(format!("puppetfn-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(directory)
    }

    /// Runs the command there: its exit code, output and complaints.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        run(&self.0, args, "")
    }
}

impl Drop for SyntaxFiles {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(directory: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
    command.args(args).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn trees_are_printed_on_a_line() {
    let files = SyntaxFiles::new("trees", &[("a.pp", "$x + 1"), ("b.epp", "b<%= $x %>"), ("c.pp", "1 +")]);
    assert_eq!(files.run(&["parse", "a.pp"]), (0, "(+ (var \"x\") 1)\n".into(), String::new()));
    let (code, out, err) = files.run(&["parse", "a.pp", "b.epp", "c.pp"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "--- a.pp\n(+ (var \"x\") 1)\n\
         --- b.epp\n(lambda {:body [(epp (render-s \"b\") (render (var \"x\")))]})\n"
    );
    assert!(err.starts_with("error: Syntax error at end of input\n --> c.pp:1:4\n"), "{err}");
    assert_eq!(files.run(&["parse", "--quiet", "a.pp"]), (0, String::new(), String::new()));
}

#[test]
fn trees_are_also_json_a_line_each() {
    let files = SyntaxFiles::new("json", &[("a.pp", "1"), ("b.pp", "")]);
    let (code, out, err) = files.run(&["parse", "--format", "json", "a.pp", "b.pp"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(
        out,
        "{\"version\":1,\"file\":\"a.pp\",\"lines\":[0],\"statements\":[{\"type\":\"integer\",\"span\":[0,1],\"value\":1}]}\n\
         {\"version\":1,\"file\":\"b.pp\",\"lines\":[0],\"statements\":[]}\n"
    );
}

#[test]
fn the_standard_input_is_read() {
    let here = Path::new(".");
    assert_eq!(run(here, &["parse", "-"], "[1]").1, "(array 1)\n");
    assert_eq!(run(here, &["parse", "--epp", "-"], "<%= 1 %>").0, 0);
    assert_eq!(run(here, &["validate", "-"], "notice(1)"), (0, String::new(), String::new()));
    let (code, _, err) = run(here, &["validate", "-"], "a = 1");
    assert_eq!(code, 1);
    assert!(err.contains(" --> <stdin>:1:1\n"), "{err}");
}

#[test]
fn directories_are_validated_with_all_that_is_in_them() {
    let wrong = [
        ("m/manifests/init.pp", "class m { }"),
        ("m/manifests/b/c.pp", "class m::b::d { }"),
        ("m/templates/t.epp", "<%= $x, %>"),
        ("m/templates/t.erb", "<%= x, %>"),
        ("m/.git/x.pp", "1 +"),
    ];
    let files = SyntaxFiles::new("directories", &wrong);
    let (code, out, err) = files.run(&["validate", "m"]);
    assert_eq!((code, out.as_str()), (1, ""));
    let places: Vec<&str> = err.lines().filter(|line| line.contains("-->")).collect();
    assert_eq!(places, [" --> m/templates/t.epp:1:7"], "{err}");

    // A module's file may only define the name that it stands for.
    let (code, _, err) = files.run(&["validate", "m/manifests", "--modulepath", "."]);
    assert_eq!(code, 1);
    assert!(err.contains("The name 'm::b::d' is unacceptable in file 'm/manifests/b/c.pp'"), "{err}");
}

#[test]
fn warnings_are_told_and_change_nothing() {
    let files = SyntaxFiles::new("warnings", &[("a.pp", "notice(\"\\d\")")]);
    let (code, _, err) = files.run(&["validate", "a.pp"]);
    assert_eq!(code, 0);
    assert!(err.starts_with("warning: Unrecognized escape sequence '\\d'\n --> a.pp:1:"), "{err}");
}

#[test]
fn plans_are_read_with_tasks() {
    let files = SyntaxFiles::new("tasks", &[("p.pp", "plan p() { return 1 }"), ("r.pp", "file { 'a': }")]);
    assert_eq!(files.run(&["validate", "--tasks", "p.pp"]).0, 0);
    assert_eq!(files.run(&["validate", "p.pp"]).0, 1);
    let (code, _, err) = files.run(&["validate", "--tasks", "r.pp"]);
    assert_eq!(code, 1);
    assert!(err.contains("only available when compiling a catalog"), "{err}");
}

#[test]
fn what_cannot_be_read_is_told() {
    let files = SyntaxFiles::new("unreadable", &[("d/a.pp", "1")]);
    fs::write(files.0.join("latin1.pp"), b"# \xe9\n").unwrap();
    let (code, _, err) = files.run(&["validate", "latin1.pp"]);
    assert_eq!(
        (code, err.as_str()),
        (1, "error: latin1.pp: the text is not UTF-8 after its first 2 bytes\n")
    );
    let (code, _, err) = files.run(&["parse", "missing.pp"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("error: missing.pp: No such file"), "{err}");
    assert_eq!(files.run(&["parse", "d"]), (2, String::new(), "error: d is a directory\n".into()));
}

#[test]
fn many_files_are_answered_in_their_order() {
    let names: Vec<String> = (0..600).map(|number| format!("{number:03}.pp")).collect();
    let texts: Vec<(&str, String)> = names.iter().map(|name| (&**name, format!("'{name}'"))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    let files = SyntaxFiles::new("many", &texts);
    let args: Vec<&str> = ["parse"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let expected: String = names.iter().map(|name| format!("--- {name}\n\"{name}\"\n")).collect();
    assert_eq!(files.run(&args), (0, expected, String::new()));
}
