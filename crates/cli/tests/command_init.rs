//! `puppetfn init`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::process::Command;

fn init(directory: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
    let output = command.arg("init").args(arguments).current_dir(directory).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// A module in the root of a Git repository.
fn module() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    fs::write(root.path().join("metadata.json"), "{}").unwrap();
    root
}

#[test]
fn files_are_written_once() {
    let root = module();
    let names = ["puppetfn.toml", ".gitlab-ci.yml", ".pre-commit-config.yaml", ".vscode/settings.json"];
    fs::write(root.path().join(".editorconfig"), "own\n").unwrap();
    let (out, notes, code) = init(root.path(), &["--ci", "gitlab"]);
    assert_eq!((notes.as_str(), code), ("", Some(0)));
    for name in names {
        assert!(out.contains(&format!("wrote {name}\n")), "{out}");
    }
    assert!(out.ends_with("kept .editorconfig, which exists\n"), "{out}");
    assert_eq!(fs::read_to_string(root.path().join(".editorconfig")).unwrap(), "own\n");

    let (out, _, code) = init(root.path(), &["--ci", "gitlab"]);
    assert_eq!((out.contains("wrote"), code), (false, Some(0)));
    let (out, _, code) = init(root.path(), &["--ci", "gitlab", "--force"]);
    assert_eq!((out.contains("kept"), code), (false, Some(0)));
    assert!(fs::read_to_string(root.path().join(".editorconfig")).unwrap().contains("indent_size = 2"));
}

#[test]
fn a_dry_run_prints_the_files() {
    let root = module();
    fs::write(root.path().join("puppetfn.toml"), "").unwrap();
    let (out, notes, code) = init(root.path(), &["--dry-run"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("# puppetfn.toml (exists)\n"), "{out}");
    assert!(out.contains("\n# .vscode/extensions.json\n{\n"), "{out}");
    assert!(notes.contains("`--ci github` or `--ci gitlab`"), "{notes}");
    assert!(!root.path().join(".vscode").exists());
}

#[test]
fn a_link_to_nowhere_is_kept() {
    let root = module();
    std::os::unix::fs::symlink("/nowhere/settings", root.path().join("puppetfn.toml")).unwrap();
    let (out, _, code) = init(root.path(), &["--ci", "none"]);
    assert!(out.starts_with("kept puppetfn.toml"), "{out}");
    assert_eq!(code, Some(0));
}

#[test]
fn a_directory_below_the_repository_has_no_jobs() {
    let root = module();
    let below = root.path().join("modules/own");
    fs::create_dir_all(&below).unwrap();
    let (out, notes, _) = init(&below, &["--ci", "github"]);
    assert!(!out.contains("workflows") && notes.contains("belong in the root"), "{out}{notes}");
    let (_, error, code) = init(root.path(), &["missing"]);
    assert!(error.starts_with("error: missing: "), "{error}");
    assert_eq!(code, Some(2));
}
