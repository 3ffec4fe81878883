//! Rules of style, and their fixes.
#![allow(clippy::disallowed_methods, reason = "the command mends files")]

use std::fs;
use std::sync::Arc;

use super::command::{Files, command, modules};
use puppetfn::check::{Finding, Fix, Rule, RuleExample, Selection, TextOrigin, World, same_meaning};
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::{Mode, Tree};
use puppetfn_cli::{FAILED, OK, USAGE};

/// Returns the findings of a rule in a manifest of the module `app`.
fn found(rule: Rule, text: &str) -> Vec<Finding> {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules()], None, Limits::DEFAULT);
    let mut selection = Selection::nothing();
    selection.add([rule]);
    let world = World::new(Arc::new(loader), Limits::DEFAULT).selecting(selection);
    let file = Some("modules/app/manifests/init.pp".into());
    let tree = Tree::recover(text, file, Mode::default(), &Limits::DEFAULT);
    world.check(&tree, &TextOrigin::default())
}

/// Applies the fixes of a rule until it has none.
fn fixed(rule: Rule, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..5 {
        let mut fixes: Vec<Fix> = found(rule, &text).into_iter().filter_map(|finding| finding.fix).collect();
        fixes.sort_by_key(|fix| fix.span.start);
        for Fix { span, text: with } in fixes.iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, with);
        }
    }
    text
}

#[test]
fn each_rule_is_shown_by_code_that_breaks_it_and_code_that_does_not() {
    for rule in Rule::ALL.into_iter().filter(|rule| rule.is_style() || rule.has_fix()) {
        for &RuleExample { is_reported, code, fixed: expected, .. } in rule.explanation().examples {
            let code = format!("{code}\n");
            let findings = found(rule, &code);
            assert!(
                findings.iter().all(|finding| finding.rule == rule),
                "{}: {code}{findings:#?}",
                rule.name()
            );
            assert_eq!(!findings.is_empty(), is_reported, "{}: {code}{findings:#?}", rule.name());
            let is_fixed = findings.iter().any(|finding| finding.fix.is_some());
            assert_eq!(is_fixed, expected.is_some(), "{}: {code}", rule.name());
            if let Some(expected) = expected {
                let fixed = fixed(rule, &code);
                assert_eq!(fixed, format!("{expected}\n"), "{}", rule.name());
                assert_eq!(found(rule, &fixed), [], "{}", rule.name());
                // Another function takes the place of the called one.
                let replaces_calls = rule == Rule::DeprecatedFunction;
                assert!(
                    replaces_calls || same_meaning(&code, &fixed, Mode::default(), &Limits::DEFAULT),
                    "{}: {code}",
                    rule.name()
                );
            }
        }
    }
}

/// Returns the lines on which a rule reports something.
fn lines(rule: Rule, text: &str) -> Vec<u32> {
    let tree = Tree::recover(text, None, Mode::default(), &Limits::DEFAULT);
    found(rule, text).iter().map(|finding| tree.lines().position(text, finding.span.start).0).collect()
}

#[test]
fn strings_are_looked_into() {
    let enclosed = |text: &str| fixed(Rule::VariablesNotEnclosed, text);
    assert_eq!(enclosed("notice(\"$a-b $::c $d::e\")"), "notice(\"${a}-b ${::c} ${d::e}\")");
    assert_eq!(enclosed("$a = @(\"X\")\n  at $b\n  | X\n"), "$a = @(\"X\")\n  at ${b}\n  | X\n");
    assert_eq!(enclosed("notice(\"\\$a ${b} ${c[1]}\")"), "notice(\"\\$a ${b} ${c[1]}\")");
    assert_eq!(lines(Rule::OnlyVariableString, "$a = { \"${b}\" => 1 }\n$c = \"${b} \""), [0_u32; 0]);
    assert_eq!(lines(Rule::SingleQuoteStringWithVariables, "inline_template('${a}')\nnotice('${a}')"), [2]);
    assert_eq!(
        lines(Rule::PuppetUrlWithoutModules, "$a = \"puppet:///${b}/c\"\n$d = \"puppet:///x/${b}\""),
        [2]
    );
}

#[test]
fn resources_are_reordered_unless_a_comment_is_between() {
    let text = "file { 'a':\n  mode => '0644', # why\n  ensure => file,\n}\n";
    assert_eq!(
        (fixed(Rule::EnsureFirstParam, text).as_str(), lines(Rule::EnsureFirstParam, text)),
        (text, vec![3])
    );
    let text = "file { 'a': b => 1, c => 2; 'd': e => [1,\n  2], f => 3, ensure => file }";
    assert_eq!(
        fixed(Rule::EnsureFirstParam, text),
        "file { 'a': b => 1, c => 2; 'd': ensure => file, e => [1,\n  2], f => 3 }"
    );
}

#[test]
fn arrows_that_declare_resources_are_not_turned() {
    for text in [
        "file { 'a': } <- file { 'b': }",
        "File['a'] <- File['b'] <- File['c']",
        "File['a'] # x\n<- File['b']",
    ] {
        assert_eq!(fixed(Rule::RightToLeftRelationship, text), text);
        assert!(!lines(Rule::RightToLeftRelationship, text).is_empty(), "{text}");
    }
}

const MANIFEST: &str = "# Serves.\nclass app (String $path) {\n  file { $path :\n    mode => '644',\n    ensure => present\n  }\n\
                        \tinclude ::app::b\n  notice(\"${path}\", \"at $path\", 'true') # lint:ignore:quoted_booleans\n}\n";

#[test]
fn style_is_checked_where_it_is_selected() {
    let files = Files::new("style", &[("app/manifests/init.pp", MANIFEST)]);
    let path = files.path("app");
    let names = |arguments: &[&str]| -> Vec<String> {
        let arguments: Vec<&str> =
            [&path, "--format", "json"].iter().copied().chain(arguments.iter().copied()).collect();
        let (_, out, err) = command(&arguments);
        let found: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        found.as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!names(&[]).iter().any(|name| name == "file-mode"));
    assert_eq!(names(&["--select", "file_mode,only-variable-string"]), ["file-mode", "only-variable-string"]);
    let style = names(&["--select", "style"]);
    for rule in ["file-mode", "ensure-first-param", "hard-tabs", "trailing-comma", "variables-not-enclosed"] {
        assert!(style.iter().any(|name| name == rule), "{rule}: {style:?}");
    }
    assert_eq!(names(&["--select", "quoted_booleans"]), [""; 0]);
    let left = names(&["--select", "style", "--ignore", "file_mode"]);
    assert_eq!(left.len() + 1, style.len());
    let (code, _, err) = command(&[&path, "--select", "file_mod"]);
    assert_eq!(
        (code, err.as_str()),
        (USAGE, "error: there is no rule `file_mod`; did you mean `file-mode`?\n")
    );
    fs::write(files.path(".puppet-lint.rc"), "--no-file_mode-check\n--fail-on-warnings\n").unwrap();
    fs::write(files.path("puppetfn.toml"), "[check]\nselect = [\"default\", \"style\"]\n").unwrap();
    assert_eq!(names(&["--ignore", "unknown-class"]).len() + 1, style.len());
    assert_eq!(command(&[&path]).0, FAILED);
    let (_, out, _) = command(&[&path, "--statistics", "--select", "file-mode"]);
    assert_eq!(out, "     1  file-mode\n");
    let (_, out, _) = command(&[&path, "--format", "gitlab", "--select", "file-mode"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&found[0]["check_name"], &found[0]["location"]["lines"]["begin"]),
        (&"file-mode".into(), &4.into())
    );
}

#[test]
fn style_is_mended_without_another_catalog() {
    let files = Files::new("mended_style", &[("app/manifests/init.pp", MANIFEST)]);
    let path = files.path("app/manifests/init.pp");
    let (code, _, err) = command(&[&path, "--select", "style", "--fix"]);
    let mended = fs::read_to_string(&path).unwrap();
    assert_eq!(
        mended,
        "# Serves.\nclass app (String $path) {\n  file { $path:\n    ensure => present,\n    mode   => '644',\n  }\n\
         \x20 include app::b\n  notice($path, \"at ${path}\", 'true') # lint:ignore:quoted_booleans\n}\n"
    );
    assert!(err.contains("fixed in 1 file"), "{err}");
    assert_eq!(code, OK);
    let (_, _, err) = command(&[&path, "--select", "style", "--fix"]);
    assert!(err.contains("note: 0 findings fixed in 0 files"), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), mended);
}

#[test]
fn fixes_of_all_rules_settle_in_one_run() {
    let code = "# App\nclass app {\n  $path = '/etc/app'\n  $text = \"at $app::paht\"\n  file { \"${path}/b\": mode => '0755', ensrue => file }\n}\n";
    let files = Files::new("fixes_settle", &[("app/manifests/init.pp", code)]);
    let path = files.path("app/manifests/init.pp");
    command(&[&path, "--select", "default,style", "--fix"]);
    let fixed = fs::read_to_string(&path).unwrap();
    let title = "\"${path}/b\"";
    assert_eq!(
        fixed,
        format!(
            "# App\nclass app {{\n  $path = '/etc/app'\n  $text = \"at ${{app::path}}\"\n  file {{ {title}: ensure => file, mode => '0755' }}\n}}\n"
        )
    );
    command(&[&path, "--select", "default,style", "--fix"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), fixed);
}

#[test]
fn a_closing_bracket_on_the_line_of_the_last_element_needs_no_comma() {
    let body = "class app {\n  file { '/a':\n    ensure => file,\n    mode   => '0644' }\n}\n";
    let files = Files::new("inline_closer", &[("app/manifests/init.pp", body)]);
    let path = files.path("app/manifests/init.pp");
    command(&[&path, "--select", "trailing-comma", "--fix"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), body);
    command(&[&path, "--select", "trailing-comma,line-breaks", "--fix"]);
    assert!(fs::read_to_string(&path).unwrap().contains("'0644',\n  }\n"));
}
