//! Commands without `--environment`, `--modulepath` and `--facts`: in subdirectories of control repositories and modules.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod support;

use std::fs;
use std::process::Command;

use support::{directory, puppetfn};
use tempfile::TempDir;

fn control_repository() -> TempDir {
    directory(&[
        ("environment.conf", "modulepath = site\n"),
        ("manifests/site.pp", "include profile\n"),
        ("site/profile/manifests/init.pp", "class profile { notify { \"on ${facts['kernel']}\": } }\n"),
        ("site/profile/functions/three.pp", "function profile::three() { 3 }\n"),
        ("hiera.yaml", "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n"),
        ("data/c.yaml", "key: \"value on %{facts.kernel}\"\n"),
        ("facts/web1.yaml", "kernel: Linux\n"),
    ])
}

#[test]
fn a_control_repository_is_found_from_its_subdirectories() {
    let root = control_repository();
    for directory in ["", "site/profile/manifests", "data"] {
        let run = |arguments: &[&str]| {
            let (out, err, code) = puppetfn(&root.path().join(directory), arguments);
            assert_eq!(code, Some(0), "{directory} {arguments:?}: {err}");
            out
        };
        assert!(
            run(&["compile", "web1", "--format", "text"]).contains("notify { 'on Linux':"),
            "{directory}"
        );
        assert_eq!(
            run(&["lookup", "key", "--node", "web1", "--render-as", "s"]),
            "value on Linux\n",
            "{directory}"
        );
        assert_eq!(run(&["eval", "profile::three()"]), "3\n");
        assert_eq!(run(&["call", "profile::three"]), "3\n");
        assert!(run(&["list", "^profile::"]).contains("profile::three"));
        assert!(run(&["doc", "profile::three"]).contains("profile::three()"));
        assert!(run(&["graph", "web1"]).contains("Notify[on Linux]"));
        assert!(run(&["why", "web1", "Notify[on Linux]"]).contains("site/profile/manifests/init.pp"));
        run(&["check"]);
        run(&["fmt", "--check"]);
    }
}

#[test]
fn options_take_precedence() {
    let root = control_repository();
    fs::write(root.path().join("other.yaml"), "kernel: Other\n").unwrap();
    let (out, _, _) =
        puppetfn(root.path(), &["compile", "web1", "--format", "text", "--facts", "other.yaml"]);
    assert!(out.contains("on Other"), "{out}");
    let (_, err, code) = puppetfn(root.path(), &["eval", "profile::three()", "--modulepath", "data"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("Unknown function"), "{err}");
    let (out, _, _) = puppetfn(root.path(), &["compile", "web1", "--format", "text", "--environment", "."]);
    assert!(out.contains("on Linux"), "{out}");
}

#[test]
fn a_module_and_settings_are_found_too() {
    let root = directory(&[
        (
            "modules/app/metadata.json",
            r#"{"name": "me-app", "version": "1.0.0", "author": "me", "source": "x", "license": "x", "dependencies": []}"#,
        ),
        ("modules/app/functions/one.pp", "function app::one() { lib::two() }\n"),
        ("modules/lib/functions/two.pp", "function lib::two() { 2 }\n"),
        ("modules/app/manifests/init.pp", "class app { }\n"),
    ]);
    let (out, err, _) = puppetfn(&root.path().join("modules/app/manifests"), &["call", "app::one"]);
    assert_eq!(out, "2\n", "{err}");
    assert_eq!(puppetfn(root.path(), &["call", "app::one"]).2, Some(1));
    fs::write(root.path().join("puppetfn.toml"), "modulepath = [\"modules\"]\n").unwrap();
    assert_eq!(puppetfn(root.path(), &["call", "app::one"]).0, "2\n");
}

#[test]
fn revisions_are_compared_in_a_subdirectory() {
    let root = directory(&[("README", "")]);
    let control = root.path().join("puppet");
    let source = control_repository();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let ran =
            Command::new("git").current_dir(root.path()).args(identity).args(arguments).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    assert!(Command::new("cp").arg("-r").arg(source.path()).arg(&control).status().unwrap().success());
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "a"]);
    fs::write(control.join("site/profile/manifests/init.pp"), "class profile { notify { 'new': } }\n")
        .unwrap();
    git(&["commit", "-qam", "b"]);
    let (out, err, code) = puppetfn(&control.join("data"), &["diff", "HEAD~1", "HEAD"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(out.contains("+ Notify[new]"), "{out}");
}

#[test]
fn a_command_without_code_says_why() {
    let root = directory(&[
        ("environment.conf", "modulepath = site:modules\n"),
        ("site/profile/manifests/init.pp", "class profile {}\n"),
        ("modules/a/checksums.json", "{}"),
        ("modules/a/manifests/init.pp", "class a{}\n"),
        ("docs/a.txt", ""),
    ]);
    let others = |verb: &str, advice: &str| {
        format!("note: nothing was {verb}: all code in modules is of others or excluded; {advice}\n")
    };
    let run = |arguments: &[&str]| puppetfn(root.path(), arguments);
    let checked = others("checked", "--all checks the code of others");
    assert_eq!(run(&["check", "modules"]), (String::new(), checked, Some(0)));
    let formatted = others("formatted", "name a module or a file to format it");
    assert_eq!(run(&["fmt", "modules"]), (String::new(), formatted, Some(0)));
    for (command, verb) in [("check", "checked"), ("fmt", "formatted")] {
        let note = format!("note: nothing was {verb}: there is no Puppet code in docs\n");
        assert_eq!(run(&[command, "docs"]), (String::new(), note, Some(0)));
        assert_eq!(run(&[command, "site"]), (String::new(), String::new(), Some(0)));
    }
    assert_eq!(run(&["fmt", "modules/a"]).0, "modules/a/manifests/init.pp\n");
}
