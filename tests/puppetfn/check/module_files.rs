//! Files of modules that are neither code nor data.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may take the short way")]

use super::command::{Files, command};
use puppetfn_cli::{FAILED, OK};
use serde_json::Value as Json;

const METADATA: &str = r#"{"name": "a-app", "version": "1.0.0", "author": "a", "license": "MIT", "summary": "s", "source": "s",
"dependencies": []}"#;

/// Returns the findings in a module: file, line, severity and rule of each.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let all: Vec<_> = [("manifests/init.pp", "class app { }\n")].iter().chain(files).copied().collect();
    let files = Files::new("module_files", &all);
    let (code, out, err) = command(&[&files.path(""), "--format", "json"]);
    let found: Vec<Json> = serde_json::from_str(&out).unwrap();
    let has_error = found.iter().any(|found| found["severity"] == "error");
    assert_eq!(code, if has_error { FAILED } else { OK }, "{err}");
    let root = files.path("");
    let shown = |found: &Json| {
        let file = found["file"].as_str().unwrap().strip_prefix(&*root).unwrap().trim_start_matches('/');
        format!(
            "{file}:{} {} {}",
            found["line"],
            found["severity"].as_str().unwrap(),
            found["rule"].as_str().unwrap()
        )
    };
    found.iter().map(shown).collect()
}

#[test]
fn broken_files_are_one_error_each() {
    for (file, text, expected) in [
        ("metadata.json", "{\n  \"name\": \"a-app\",\n", "metadata.json:3 error metadata"),
        ("metadata.json", "[]", "metadata.json:1 error metadata"),
        (
            "tasks/run.json",
            "{\"parameters\":\n {\"a\": {\"type\": \"Strin\"}}}",
            "tasks/run.json:2 error metadata",
        ),
        ("tasks/run.json", "{\"input_method\": \"pipe\"}", "tasks/run.json:1 error metadata"),
        (
            "tasks/run.json",
            "{\"implementations\": [{\"name\": \"a.sh\", \"requirements\": \"shell\"}]}",
            "tasks/run.json:1 error metadata",
        ),
        ("templates/a.erb", "a\n<% if @b -%>\nc\n", "templates/a.erb:3 error syntax"),
        ("templates/a.erb", "a\n<%= @b + %>\nc\n", "templates/a.erb:2 error syntax"),
        ("lib/facter/a.rb", "Facter.add(:a) do\n  setcode { 1\nend\n", "lib/facter/a.rb:3 error syntax"),
        ("Puppetfile", "mod 'a/b'\nmod 'c-b', '1.0.0'\n", "Puppetfile:2 error puppetfile"),
        ("plans/a.yaml", "steps: [\n", "plans/a.yaml:2 error data-syntax"),
        ("tasks/run.json", "{}", "tasks/run.json:1 error metadata"),
        (
            "tasks/run.json",
            "{\"implementations\":\n [{\"name\": \"a.sh\"}]}",
            "tasks/run.json:2 error metadata",
        ),
        ("Puppetfile", "mod 'a/b',\n", "Puppetfile:1 error syntax"),
        ("Puppetfile", "forge 'x'\nmod 'c', ref: 'x'\n", "Puppetfile:2 error puppetfile"),
        ("Puppetfile", "mod 'c', git: 'x', rfe: 'x'\n", "Puppetfile:1 warning puppetfile"),
        ("templates/a.erb", "a\n<%= fqdn %>\n", "templates/a.erb:2 error ruby-code"),
        (
            "templates/a.erb",
            "a\n<%= scope.function_nosuch([1]) %>\n",
            "templates/a.erb:2 error unknown-function",
        ),
        (
            "lib/puppet/type/app.rb",
            "Puppet::Type.newtype(:ap) do\n  newparam(:name)\nend\n",
            "lib/puppet/type/app.rb:1 warning ruby-code",
        ),
    ] {
        let files = [("metadata.json", METADATA), (file, text)];
        let files = if file == "metadata.json" { &files[1..] } else { &files };
        assert_eq!(found(files), [expected], "{text}");
    }
}

#[test]
fn files_that_are_right_have_no_findings() {
    let template = "<%# a comment\nof two lines -%>\n<% [1].each do |x| # a comment\n -%>\n  <%- if x -%>\n<%= x %> <%%\n<% end end %>\n\
                    <% case @a -%>\n<% when 1 then -%>\n<% end -%>\n";
    let files = [
        ("metadata.json", METADATA),
        ("templates/a.erb", template),
        ("lib/facter/a.rb", "Facter.add(:a) { setcode { 1 } }\n"),
        ("Puppetfile", "forge 'x'\nmod 'a/b', '1.0.0'\nmod 'c', git: 'x'\n"),
        (
            "tasks/run.json",
            "{\"description\": \"d\", \"parameters\": {\"a\": {\"type\": \"Optional[String[1]]\"}}}",
        ),
        ("tasks/run.sh", "#!/bin/sh\n"),
    ];
    assert_eq!(found(&files), [""; 0]);
}

#[test]
fn rules_of_the_forge_are_warnings() {
    for (from, to) in [
        ("\"a-app\"", "\"app\""),
        ("\"1.0.0\"", "\"1\""),
        ("[]", "[{\"name\": \"b/c\"}]"),
        ("[]", "[{\"name\": \"b/c\", \"version_requirement\": \">= 1.0.0\"}]"),
        ("[]", "[{\"name\": \"b/c\", \"version_requirement\": \"one\"}]"),
    ] {
        let found = found(&[("metadata.json", &METADATA.replace(from, to))]);
        assert!(found.len() == 1 && found[0].ends_with(" warning metadata"), "{to}: {found:?}");
    }
    let found = found(&[("metadata.json", "{\"name\": \"a-app\"}")]);
    assert_eq!(found, ["metadata.json:1 error metadata", "metadata.json:1 warning metadata"]);
}

#[test]
fn ruby_may_nest_deep_in_several_files() {
    let arrays = |depth: usize| format!("x = {}{}\n", "[".repeat(depth), "]".repeat(depth));
    let (sums, arrays, large) = (format!("x = 1{}\n", "+1".repeat(50_000)), arrays(5_000), arrays(200_000));
    let file = "lib/puppet/functions/app";
    let files = ["a", "b", "c"].map(|name| format!("{file}/{name}.rb"));
    let texts = [&*sums, &*arrays, &*large];
    let all: Vec<_> =
        files.iter().map(String::as_str).zip(texts).chain([("metadata.json", METADATA)]).collect();
    // Prism refuses code that nests deeper than it reads.
    assert_eq!(found(&all), ["lib/puppet/functions/app/c.rb:1 error syntax"]);
}
