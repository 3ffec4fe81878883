//! Messages of findings: suggestions, and references to declarations.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test may take the short way"
)]

use serde_json::{Value as Json, json};

use super::command::{Files, command};

fn module(name: &str, code: &str) -> Files {
    Files::new(
        name,
        &[
            ("modules/app/metadata.json", metadata!("me-app")),
            ("modules/app/manifests/init.pp", "class app(Integer $port = 80) {\n  $config = 1\n}\n"),
            ("modules/app/manifests/site.pp", "define app::site(\n  String $root,\n) { }\n"),
            ("modules/app/functions/line.pp", "function app::line(Integer $x) { $x }\n"),
            ("modules/app/manifests/code.pp", &format!("class app::code {{ {code} }}\n")),
        ],
    )
}

/// Returns the findings as JSON.
fn found(name: &str, code: &str) -> (Files, Vec<Json>) {
    let files = module(name, code);
    let (_, out, _) = command(&[&files.path("modules/app"), "--format", "json"]);
    (files, serde_json::from_str(&out).unwrap())
}

#[test]
fn the_nearest_name_is_suggested() {
    for (code, message) in [
        (
            "app::site { 'a': root => 'a', rot => 'b' }",
            "app::site has no parameter named 'rot'; did you mean 'root'?",
        ),
        ("file { '/a': contnt => '' }", "File has no parameter named 'contnt'; did you mean 'content'?"),
        ("file { '/a': requier => [] }", "File has no parameter named 'requier'; did you mean 'require'?"),
        ("app::siet { 'a': }", "Unknown resource type: 'app::siet'; did you mean 'app::site'?"),
        ("include app::coed", "Could not find class app::coed; did you mean 'app::code'?"),
        ("$x = app::lime(1)", "Unknown function: 'app::lime'; did you mean 'app::line'?"),
        ("$x = upcsae('a')", "Unknown function: 'upcsae'; did you mean 'upcase'?"),
        ("$x = 1 =~ Integr", "Resource type not found: Integr; did you mean 'Integer'?"),
        (
            "$x = $app::confg",
            "Unknown variable: 'app::confg'. The class app never sets it; did you mean 'config'?",
        ),
        (
            "$mode = 1 $x = $mod",
            "Nothing sets $mod before this: no enclosing scope, parent class or fact; did you mean 'mode'?",
        ),
    ] {
        let (_, found) = found("meant", code);
        assert_eq!(found.len(), 1, "{code}: {found:#?}");
        assert_eq!(found[0]["message"], message, "{code}");
    }
}

#[test]
fn the_place_of_the_declaration_is_a_second_label() {
    for (code, file, message, line, column) in [
        ("app::site { 'a': root => 1 }", "manifests/site.pp", "'root' is declared here", 2, 10),
        ("app::site { 'a': }", "manifests/site.pp", "'root' is declared here", 2, 10),
        ("app::site { 'a': root => 'a', x => 1 }", "manifests/site.pp", "app::site is declared here", 1, 1),
        ("class { 'app': port => 'a' }", "manifests/init.pp", "'port' is declared here", 1, 19),
        ("$x = $app::nosuch", "manifests/init.pp", "app is declared here", 1, 1),
        ("$x = app::line('a')", "functions/line.pp", "'app::line' is declared here", 1, 1),
    ] {
        let (files, found) = found("declared", code);
        let file = files.path(&format!("modules/app/{file}"));
        let expected = json!([{"message": message, "file": file, "line": line, "column": column}]);
        assert_eq!(found[0]["related"], expected, "{code}");
    }
}

#[test]
fn all_formats_have_the_place_of_the_declaration() {
    let files = module("formats_of_labels", "app::site { 'a': root => 1 }");
    let path = files.path("modules/app");
    let site = files.path("modules/app/manifests/site.pp");
    let printed = |format: &str| command(&[&path, "--format", format]).1;
    let human = printed("human");
    let note = format!(
        "note: 'root' is declared here\n --> {site}:2:10\n  |\n2 |   String $root,\n  |          ^^^^^\n"
    );
    assert!(human.contains(&note), "{human}");
    let sarif: Json = serde_json::from_str(&printed("sarif")).unwrap();
    let related = &sarif["runs"][0]["results"][0]["relatedLocations"];
    assert_eq!(related[0]["message"]["text"], "'root' is declared here");
    assert_eq!(related[0]["physicalLocation"]["region"], json!({"startLine": 2, "startColumn": 10}));
    assert!(
        related[0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().ends_with("/site.pp")
    );
    let end = format!("%0A'root' is declared here: {site}:2:10\n");
    assert!(printed("github").ends_with(&end), "{}", printed("github"));
    assert!(printed("junit").contains("&#10;'root' is declared here: "), "{}", printed("junit"));
}
