//! Commands in the documentation and in the pre-commit hook.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::fs;
use std::path::PathBuf;

use super::command::{Files, command};
use puppetfn::limits::Limits;
use puppetfn::value::Value;
use puppetfn_cli::{FAILED, OK};

fn own_file(path: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the commands of the documentation that check a whole project, without pipes.
fn commands() -> Vec<Vec<String>> {
    let text = own_file("docs/checking-projects.md");
    let commands = text.lines().filter_map(|line| line.split_once("puppetfn check . "));
    let words = |rest: &str| rest.split('>').next().unwrap().split_whitespace().map(str::to_owned).collect();
    commands.map(|(_, rest)| words(rest)).collect()
}

#[test]
fn the_documented_commands_find_what_they_are_for() {
    let files = Files::new("automation", &[("manifests/site.pp", "notice(1 + 'a')\n")]);
    let (path, baseline) = (files.path(""), files.path("puppetfn-baseline.json"));
    let commands = commands();
    assert!(commands.len() >= 5, "{commands:?}");
    for command_line in commands {
        let words = command_line.iter().map(|word| if word.ends_with(".json") { &baseline } else { word });
        let words: Vec<&str> = std::iter::once(&*path).chain(words.map(String::as_str)).collect();
        let (code, _, err) = command(&words);
        let is_clean = words.contains(&"--baseline") || words.contains(&"--data-only");
        assert_eq!(code, if is_clean { OK } else { FAILED }, "{words:?}: {err}");
    }
}

#[test]
fn the_hook_runs_the_command() {
    let hooks = puppetfn::convert::yaml::parse(&own_file(".pre-commit-hooks.yaml"), &Limits::DEFAULT)
        .unwrap()
        .unwrap();
    let Value::Array(hooks) = hooks else { unreachable!("{hooks:?}") };
    let Some(Value::Hash(hook)) = hooks.first() else { unreachable!("{hooks:?}") };
    assert_eq!(hook.get_str("entry"), Some(&Value::from("puppetfn check")));
    assert_eq!(hook.get_str("args"), Some(&Value::from(vec![Value::from(".")])));
    let Some(Value::String(files)) = hook.get_str("files") else { unreachable!("{hook:?}") };
    let pattern = regex::Regex::new(files).unwrap();
    for (path, is_checked) in [
        ("manifests/init.pp", true),
        ("templates/a.epp", true),
        ("modules/a/data/os/Debian.yaml", true),
        ("environments/x/data/common.json", true),
        ("hiera.yaml", true),
        ("puppetfn.toml", true),
        ("README.md", false),
        (".fixtures.yml", false),
    ] {
        assert_eq!(pattern.is_match(path), is_checked, "{path}");
    }
}
