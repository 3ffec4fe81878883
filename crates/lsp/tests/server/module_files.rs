//! `metadata.json` and `Puppetfile` of open projects.

use serde_json::{Value as Json, json};

use crate::editor::{EditorFiles, TestEditor, uri};

const METADATA: &str = r#"{
  "name": "me-app", "version": "1.0.0", "author": "me", "license": "MIT", "source": "", "summary": "x",
  "dependencies": [
    {"name": "puppetlabs/stdlib", "version_requirement": ">= 1.0.0 < 9.0.0"},
    {"name": "me/none", "version_requirement": ""}
  ]
}
"#;
const STDLIB: &str = r#"{"name": "puppetlabs-stdlib", "version": "9.4.1", "summary": "Standard library.", "author": "p", "license": "", "source": "", "dependencies": []}"#;

fn at(files: &EditorFiles, file: &str, line: u32, character: u32) -> Json {
    json!({"textDocument": {"uri": uri(&files.path(file))}, "position": {"line": line, "character": character}})
}

fn labels(found: &Json) -> Vec<&str> {
    found["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn metadata_knows_installed_modules() {
    let files = EditorFiles::new(
        "metadata/app",
        &[
            ("metadata.json", METADATA),
            ("manifests/init.pp", "class app { }\n"),
            ("spec/fixtures/modules/stdlib/metadata.json", STDLIB),
        ],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    let path = files.path("metadata.json");
    editor.open(&path, METADATA);
    editor.settle();
    assert_eq!(editor.rules(&path), [""; 0]);
    let mut hover = |line, character| {
        let hover = editor.ask("textDocument/hover", at(&files, "metadata.json", line, character));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hover(3, 20).starts_with("**puppetlabs/stdlib** 9.4.1\n\nStandard library."), "{}", hover(3, 20));
    assert_eq!(hover(3, 65), "Installed: puppetlabs/stdlib 9.4.1, which is not in the range");
    assert_eq!(hover(4, 15), "`me/none` is not in the modulepath.");
    assert_eq!(hover(1, 12), "");
    let definition = editor.ask("textDocument/definition", at(&files, "metadata.json", 3, 20));
    assert_eq!(definition[0]["uri"], uri(&files.path("spec/fixtures/modules/stdlib/metadata.json")));
    // The text between the quotes is replaced.
    let change = |text: &str| METADATA.replace("me/none", text);
    editor.change(&path, 2, json!([{"text": change("pup")}]));
    let found = editor.ask("textDocument/completion", at(&files, "metadata.json", 4, 17));
    assert_eq!(labels(&found), ["puppetlabs/stdlib"]);
    assert_eq!(found["items"][0]["textEdit"]["range"]["start"]["character"], 14);
    editor.change(&path, 3, json!([{"text": change("puppetlabs-stdlib")}]));
    let found = editor.ask("textDocument/completion", at(&files, "metadata.json", 4, 58));
    assert_eq!(labels(&found), [">= 9.4.1 < 10.0.0"]);
    editor.change(&path, 4, json!([{"text": METADATA.replace("\"version\": \"1.0.0\",", "")}]));
    editor.settle();
    assert_eq!(editor.rules(&path), ["metadata"]);
    editor.close(&path);
    editor.settle();
    assert_eq!(editor.rules(&path), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn closed_files_that_name_modules_are_checked() {
    let files = EditorFiles::new(
        "closed",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("manifests/site.pp", "node default { }\n"),
            ("Puppetfile", "mod 'puppetlabs/stdlib', '9.4.1'\nmod 'puppetlabs-stdlib', '9.4.2'\n"),
            ("modules/app/metadata.json", "{}"),
            ("modules/app/tasks/run.json", "{"),
            ("modules/app/tasks/run.sh", ""),
            ("modules/app/vendor/other/metadata.json", "{}"),
        ],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    editor.settle_all();
    let rules = |editor: &TestEditor, file: &str| editor.rules(&files.path(file)).join(" ");
    assert_eq!(rules(&editor, "Puppetfile"), "puppetfile");
    assert!(rules(&editor, "modules/app/metadata.json").starts_with("metadata"));
    assert_eq!(rules(&editor, "modules/app/tasks/run.json"), "metadata");
    assert_eq!(rules(&editor, "modules/app/vendor/other/metadata.json"), "");
    files.write("modules/app/tasks/run.json", "{}");
    files.write("Puppetfile", "");
    let changes = ["modules/app/tasks/run.json", "Puppetfile"];
    let changes = changes.map(|name| json!({"uri": uri(&files.path(name)), "type": 2}));
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    editor.settle_all();
    assert_eq!(rules(&editor, "Puppetfile") + &rules(&editor, "modules/app/tasks/run.json"), "");
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_puppetfile_knows_installed_modules() {
    let text = "forge 'https://forge.puppet.com'\nmod 'puppetlabs/stdlib', '9.4.1'\nmod 'puppetlabs-stdlib',\n  :git => 'x'\nmod 'pup\nmod 'puppetlabs/stdlib', '\n";
    let files = EditorFiles::new(
        "puppetfile",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("manifests/site.pp", "node default { }\n"),
            ("Puppetfile", text),
            ("metadata.json", "{}"),
            ("modules/stdlib/metadata.json", STDLIB),
        ],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    let path = files.path("Puppetfile");
    editor.open(&path, text);
    // The metadata of an environment is nobody's.
    editor.open(&files.path("metadata.json"), "{}");
    editor.settle();
    assert_eq!(editor.rules(&path), ["puppetfile", "puppetfile"]);
    assert_eq!(editor.rules(&files.path("metadata.json")), [""; 0]);
    let hover = editor.ask("textDocument/hover", at(&files, "Puppetfile", 1, 10));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Standard library."), "{hover}");
    let found = editor.ask("textDocument/completion", at(&files, "Puppetfile", 4, 8));
    assert_eq!(labels(&found), ["puppetlabs/stdlib"]);
    let found = editor.ask("textDocument/completion", at(&files, "Puppetfile", 5, 26));
    assert_eq!(labels(&found), ["9.4.1"]);
    assert_eq!(editor.end(), 0);
}
