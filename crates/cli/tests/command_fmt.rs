//! `puppetfn fmt`, as typed.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// A module with files, which is gone in the end.
struct FmtModule(PathBuf);

impl FmtModule {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let directory = env::temp_dir().join(format!("puppetfn-fmt-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(directory)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    /// Runs the command there: its exit code, output and complaints.
    fn fmt(&self, args: &[&str]) -> (i32, String, String) {
        fmt(&self.0, args, "")
    }
}

impl Drop for FmtModule {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn fmt(directory: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
    command.arg("fmt").args(args).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const FILES: [(&str, &str); 7] = [
    ("manifests/init.pp", "class a{\n$b=1\n}\n"),
    ("manifests/right.pp", "class a::right {}\n"),
    ("plans/all.pp", "plan a::all(TargetSpec $t){ apply($t){ include a } }\n"),
    ("spec/fixtures/modules/b/manifests/init.pp", "class b{}"),
    ("templates/t.epp", "<%=$a%>"),
    ("vendor/c.pp", "$a=1"),
    ("puppetfn.toml", "exclude = ['vendor']\n"),
];

#[test]
fn the_files_of_a_module_are_formatted() {
    let module = FmtModule::new("module", &FILES);
    let names = "./manifests/init.pp\n./plans/all.pp\n";
    assert_eq!(module.fmt(&["--check"]), (1, names.into(), String::new()));
    assert_eq!(module.read("manifests/init.pp"), FILES[0].1);
    assert_eq!(module.fmt(&[]), (0, names.into(), String::new()));
    assert_eq!(module.read("manifests/init.pp"), "class a {\n  $b = 1\n}\n");
    assert_eq!(module.read("plans/all.pp"), "plan a::all (TargetSpec $t) { apply($t) { include a } }\n");
    for (path, text) in &FILES[3..] {
        assert_eq!(module.read(path), *text);
    }
    assert_eq!(module.fmt(&["--check"]), (0, String::new(), String::new()));
    assert_eq!(module.fmt(&[]), (0, String::new(), String::new()));
}

#[test]
fn a_project_sets_its_layout() {
    let settings = "[fmt]\nindent = 4\nline-width = 20\narrow-alignment = 'off'\n";
    let code = "if $a {\n  $b = { c => 1, def => 2 }\n}\n";
    let module = FmtModule::new("layout", &[("a.pp", code), ("puppetfn.toml", settings)]);
    assert_eq!(module.fmt(&[]), (0, "./a.pp\n".into(), String::new()));
    let formatted = "if $a {\n    $b = {\n        c => 1,\n        def => 2,\n    }\n}\n";
    assert_eq!(module.read("a.pp"), formatted);
    let wrong = FmtModule::new("wrong-layout", &[("puppetfn.toml", "[fmt]\narrow-alignment = 'on'\n")]);
    let (code, _, err) = wrong.fmt(&[]);
    assert_eq!(code, 2);
    assert!(err.contains("unknown variant `on`, expected one of `block`, `paragraph`, `off`"), "{err}");
}

#[test]
fn differences_are_printed() {
    let module = FmtModule::new("diff", &FILES);
    let diff = "--- manifests/init.pp\n+++ manifests/init.pp\n@@ -1,3 +1,3 @@\n-class a{\n-$b=1\n+class a {\n+  $b = 1\n }\n";
    assert_eq!(module.fmt(&["--diff", "manifests"]), (1, diff.into(), String::new()));
    assert_eq!(module.read("manifests/init.pp"), FILES[0].1);
}

#[test]
fn the_standard_input_is_formatted() {
    let module = FmtModule::new("input", &[("a", "")]);
    assert_eq!(fmt(&module.0, &["-"], "$a=1"), (0, "$a = 1\n".into(), String::new()));
    assert_eq!(fmt(&module.0, &["-"], "$a = 1\n"), (0, "$a = 1\n".into(), String::new()));
    assert_eq!(fmt(&module.0, &["--check", "-"], "$a=1"), (1, "<stdin>\n".into(), String::new()));
    assert_eq!(fmt(&module.0, &["--check", "-"], "$a = 1\n"), (0, String::new(), String::new()));
    let (code, out, err) = fmt(&module.0, &["-"], "$a=");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("error: Syntax error at end of input\n --> <stdin>:1:"), "{err}");
}

#[test]
fn what_cannot_be_formatted_is_said_and_the_rest_is() {
    let module = FmtModule::new("wrong", &[("a.pp", "$a=1"), ("b.pp", "$b="), ("c.epp", "c")]);
    fs::write(module.0.join("d.pp"), b"$d='\xff'").unwrap();
    let (code, out, err) = module.fmt(&[]);
    assert_eq!((code, out.as_str()), (1, "./a.pp\n"));
    assert!(err.starts_with("error: Syntax error at end of input\n --> ./b.pp:1:"), "{err}");
    assert!(err.ends_with("error: ./d.pp: the text is not UTF-8 after its first 4 bytes\n"), "{err}");
    assert_eq!(module.read("b.pp"), "$b=");
    let refused = "error: c.epp is a template: only manifests are formatted\n";
    assert_eq!(module.fmt(&["c.epp"]), (2, String::new(), refused.into()));
    assert_eq!(module.fmt(&["nowhere"]).0, 2);
}
