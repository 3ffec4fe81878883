//! The explanations of the rules, and their examples.
#![allow(clippy::unwrap_used, reason = "a test may take the short way")]

use std::collections::BTreeSet;
use std::sync::Arc;

use puppetfn::check::{DataLayer, Finding, ModuleFileKind, Rule, RuleExample, World};
use puppetfn::diagnostic::Severity;
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::source::Span;
use puppetfn_cli::{OK, USAGE};
use serde_json::Value as Json;

use super::command::{Files, check, command, modules};

/// Returns the findings in data of an environment.
fn check_data(text: &str) -> Vec<Finding> {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules()], None, Limits::DEFAULT);
    let mut world = World::new(Arc::new(loader), Limits::DEFAULT);
    let data = world.read_data(text, None, DataLayer::Environment);
    world.add_data(&data);
    world.check_data(&data)
}

/// Returns the findings in a file of a module.
fn check_module_file(kind: ModuleFileKind, text: &str) -> Vec<Finding> {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules()], None, Limits::DEFAULT);
    World::new(Arc::new(loader), Limits::DEFAULT).check_module_file(kind, text)
}

/// Returns the findings in the file of the function `app::port`.
fn check_function(text: &str) -> Vec<Finding> {
    let files = Files::new("explained_function", &[("app/lib/puppet/functions/app/port.rb", text)]);
    let (_, out, _) = command(&[&files.path("app"), "--format", "json"]);
    let found: Vec<Json> = serde_json::from_str(&out).unwrap();
    let named = |one: &Json| Rule::named(one["rule"].as_str().unwrap()).unwrap();
    found.iter().map(|one| Finding::new(named(one), one["message"].to_string(), Span::default())).collect()
}

#[test]
fn the_documentation_shows_each_rule_by_code_that_breaks_it_and_code_that_does_not() {
    let (mut broken, mut kept) = (BTreeSet::new(), BTreeSet::new());
    let all: BTreeSet<Rule> = Rule::ALL.into_iter().filter(|rule| !rule.is_style()).collect();
    for &rule in &all {
        for &RuleExample { language, is_reported, code, .. } in rule.explanation().examples {
            let found = match language {
                "yaml" => check_data(code),
                "json" => check_module_file(ModuleFileKind::Metadata, code),
                "ini" => check_module_file(ModuleFileKind::EnvironmentConf, code),
                "ruby" if rule == Rule::RubyCode => check_function(code),
                "ruby" => check_module_file(ModuleFileKind::Puppetfile, code),
                _ => check(code),
            };
            let rules: BTreeSet<Rule> = found.iter().map(|finding| finding.rule).collect();
            if is_reported {
                assert_eq!(rules, [rule].into(), "{code}\n{found:#?}");
                broken.insert(rule);
            } else {
                assert!(found.is_empty(), "{code}\n{found:#?}");
                kept.insert(rule);
            }
        }
    }
    assert_eq!(broken, all);
    assert_eq!(kept, all);
}

#[test]
fn the_documentation_says_how_bad_each_rule_is() {
    for rule in Rule::ALL {
        let word = if rule.severity() == Severity::Error { "Error" } else { "Warning" };
        let text = rule.explanation().text;
        assert!(text.starts_with(&format!("{word}: ")), "{}: {text}", rule.name());
    }
}

#[test]
fn a_rule_is_explained_as_the_documentation_does() {
    let (code, out, _) = command(&["--explain", "parameter-order"]);
    assert_eq!(code, OK);
    assert_eq!(
        out,
        "parameter-order: A default value uses a parameter that comes after it\n\n\
         Error: a default value uses a parameter that comes after it.\n\n\
         Reported:\n\n    class app($config = \"${directory}/app.conf\", $directory = '/etc') { }\n\n\
         Not reported:\n\n    class app($directory = '/etc', $config = \"${directory}/app.conf\") { }\n"
    );
    for rule in Rule::ALL {
        let (code, out, _) = command(&["--explain", rule.name()]);
        assert!(code == OK && out.contains("\nReported:\n") && out.contains("\nNot reported:\n"), "{out}");
    }
    let (code, out, _) = command(&["--list"]);
    assert_eq!((code, out.lines().count()), (OK, Rule::ALL.len()));
    assert!(
        out.contains("\ntitle                               error    default        The value cannot be the title of a resource\n"),
        "{out}"
    );
    let (code, out, _) = command(&["--explain", "quoted_booleans"]);
    assert!(
        code == OK
            && out.starts_with("quoted-booleans: ")
            && out.contains("\nIn puppet-lint: quoted_booleans\n")
    );
    let (code, _, err) = command(&["--explain", "parameter-typ"]);
    assert_eq!(code, USAGE);
    assert_eq!(err, "error: there is no rule `parameter-typ`; did you mean `parameter-type`?\n");
}
