//! Configuration of projects: `puppetfn.toml` and baselines.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::fs;

use super::command::{Files, command};
use puppetfn_cli::{FAILED, OK, USAGE};
use serde_json::Value as Json;

const CODE: &str = "$a = 1 + 'a'\nnotice($nosuch)\n";

fn project(name: &str, config: &str) -> Files {
    Files::new(
        name,
        &[
            ("puppetfn.toml", config),
            ("manifests/site.pp", CODE),
            ("old/site.pp", CODE),
            ("site/lib/manifests/init.pp", "class lib { }"),
            ("manifests/lib.pp", "include lib::nosuch\n"),
        ],
    )
}

/// Returns the findings below the directory of a project, each with its severity.
fn found(files: &Files, path: &str, options: &[&str]) -> Vec<String> {
    let path = files.path(path);
    let (code, out, err) = command(&[&[&*path, "--format", "json"], options].concat());
    assert_ne!(code, USAGE, "{err}");
    let found: Vec<Json> = serde_json::from_str(&out).unwrap();
    let text = |found: &Json, key: &str| found[key].as_str().unwrap().to_owned();
    found.iter().map(|found| format!("{} {}", text(found, "severity"), text(found, "rule"))).collect()
}

#[test]
fn rules_are_on_off_or_of_another_severity() {
    let plain = ["error arithmetic", "warning unknown-variable"];
    for (config, expected) in [
        ("", plain.to_vec()),
        ("[rules]\narithmetic = \"off\"\n", vec!["warning unknown-variable"]),
        (
            "[rules]\narithmetic = \"warning\"\nunknown-variable = \"error\"\n",
            vec!["warning arithmetic", "error unknown-variable"],
        ),
        ("[rules]\narithmetic = \"on\"\n", plain.to_vec()),
    ] {
        assert_eq!(found(&project("rules", config), "manifests/site.pp", &[]), expected, "{config}");
    }
}

#[test]
fn paths_are_left_out_and_modules_found() {
    let all = ["warning unknown-variable"].repeat(2);
    let off = "[rules]\narithmetic = \"off\"\nunknown-class = \"off\"\n";
    assert_eq!(found(&project("paths", off), "", &[]), all);
    for exclude in ["old", "old/", "**/old/*.pp", "o*"] {
        let files = project("paths", &format!("exclude = [\"{exclude}\"]\n{off}"));
        assert_eq!(found(&files, "", &[]), ["warning unknown-variable"], "{exclude}");
        assert_eq!(found(&files, "old/site.pp", &[]), [""; 0], "{exclude}");
    }
    let files = project("modules", "modulepath = [\"site\"]\n");
    assert_eq!(found(&files, "manifests/lib.pp", &[]), ["error unknown-class"]);
    assert_eq!(found(&project("modules", ""), "manifests/lib.pp", &[]), [""; 0]);
}

#[test]
fn warnings_fail_where_the_project_says_so() {
    let files = project("strict", "fail-on-warnings = true\n[rules]\narithmetic = \"off\"\n");
    assert_eq!(command(&[&files.path("manifests/site.pp")]).0, FAILED);
    let other = files.path("other.toml");
    fs::write(&other, "[rules]\narithmetic = \"off\"\n").unwrap();
    assert_eq!(command(&[&files.path("manifests/site.pp"), "--config", &other]).0, OK);
}

#[test]
fn what_is_not_understood_is_an_error() {
    for (config, message) in [
        ("ruels = 1", "unknown field `ruels`, expected one of `modulepath`"),
        ("[rules]\naccess = \"of\"", "unknown variant `of`, expected one of `on`, `off`, `warning`, `error`"),
        ("[rules]\nacess = \"off\"", "there is no rule `acess`; did you mean `access`?"),
        ("modulepath = \"a\"", "invalid type: string \"a\", expected a sequence"),
        ("modulepath = [\"nowhere\"]", "`modulepath`: "),
        ("exclude = [\"a[\"]", "the pattern 'a[' in `exclude`: "),
        ("exclude = [", "TOML parse error at line 1"),
    ] {
        let files = project("wrong", config);
        let (code, out, err) = command(&[&files.path("manifests")]);
        assert_eq!((code, &*out), (USAGE, ""), "{config}");
        assert!(err.starts_with(&format!("error: {}: ", files.path("puppetfn.toml"))), "{err}");
        assert!(err.contains(message), "{err}");
    }
    let files = project("wrong", "");
    assert_eq!(command(&[&files.path("manifests"), "--config", &files.path("none.toml")]).0, USAGE);
}

#[test]
fn findings_of_a_baseline_are_left_out_wherever_their_lines_are() {
    let files = Files::new("baseline", &[("a.pp", CODE), ("b.pp", "notice(1)\n")]);
    let (path, baseline) = (files.path(""), files.path("known.json"));
    let (code, _, err) = command(&[&path, "--baseline", &baseline]);
    assert_eq!(code, USAGE);
    assert!(err.contains("--write-baseline creates the file"), "{err}");
    let (code, out, _) = command(&[&path, "--baseline", &baseline, "--write-baseline"]);
    assert_eq!((code, out), (OK, format!("2 findings written to {baseline}\n")));
    let written = fs::read_to_string(&baseline).unwrap();
    assert!(
        written
            .contains("\"file\": \"a.pp\",\n    \"rule\": \"arithmetic\",\n    \"line\": \"$a = 1 + 'a'\""),
        "{written}"
    );
    assert_eq!(command(&[&path, "--baseline", &baseline]), (OK, String::new(), String::new()));

    // Lines are moved; one is the same as a known one, and one of the known is mended.
    fs::write(files.path("a.pp"), "# new\n\n  $a = 1 + 'a'\n[1].each |$x| {\n$a = 1 + 'a'\n}\n").unwrap();
    let (code, out, err) = command(&[&path, "--baseline", &baseline, "--format", "json"]);
    let found: Vec<Json> = serde_json::from_str(&out).unwrap();
    assert_eq!(found.iter().map(|found| found["line"].as_u64().unwrap()).collect::<Vec<_>>(), [5], "{out}");
    assert_eq!(code, FAILED);
    let note =
        format!("note: 1 finding of {baseline} no longer occurs: update the file with --write-baseline\n");
    assert_eq!(err, note);
    // Entries of the baseline for unchecked files are not reported as stale.
    assert_eq!(command(&[&files.path("b.pp"), "--baseline", &baseline]).2, "");

    fs::write(&baseline, "[{}]").unwrap();
    assert_eq!(command(&[&path, "--baseline", &baseline]).0, USAGE);
    assert_eq!(command(&[&path, "--write-baseline"]).0, USAGE);
}

#[test]
fn the_project_says_where_its_baseline_is() {
    let files = project("own_baseline", "baseline = \"known.json\"\n");
    assert_eq!(command(&[&files.path(""), "--write-baseline"]).0, OK);
    assert_eq!(command(&[&files.path("")]), (OK, String::new(), String::new()));
}
