//! Diagnostics for editors that ask for them.

use serde_json::{Value as Json, json};

use crate::editor::{EditorFiles, TestEditor, uri};

const METADATA: &str = r#"{"name": "me-app", "version": "1.0.0", "source": "", "author": "me", "license": "MIT", "summary": "x", "dependencies": []}"#;
const WRONG: &str = "$x = 1 + 'a'\n";

/// Starts a server for an editor that asks for diagnostics.
fn pulling(files: &EditorFiles) -> TestEditor {
    let capabilities = json!({
        "textDocument": {"diagnostic": {"dynamicRegistration": true}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    TestEditor::with(&[&files.0], capabilities)
}

/// Asks for the diagnostics of a document.
fn pull(editor: &mut TestEditor, files: &EditorFiles, file: &str, previous: Option<&Json>) -> Json {
    let mut params = json!({"textDocument": {"uri": uri(&files.path(file))}});
    if let Some(previous) = previous {
        params["previousResultId"] = previous.clone();
    }
    editor.ask("textDocument/diagnostic", params)
}

/// Asks for the diagnostics of all files, and returns the reports as `file: kind rules`, with the ids that the editor has then.
fn pull_all(editor: &mut TestEditor, files: &EditorFiles, ids: &[Json]) -> (Vec<String>, Vec<Json>) {
    let report = editor.ask("workspace/diagnostic", json!({"previousResultIds": ids}));
    let items = report["items"].as_array().unwrap();
    let root = uri(&files.0) + "/";
    let shown = |item: &Json| {
        let name = item["uri"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
        let rules = item["items"].as_array().into_iter().flatten().map(|one| one["code"].as_str().unwrap());
        let rules: Vec<&str> = rules.collect();
        format!("{name}: {} {}", item["kind"].as_str().unwrap(), rules.join(" ")).trim_end().to_owned()
    };
    let id = |item: &Json| json!({"uri": item["uri"], "value": item["resultId"]});
    (items.iter().map(shown).collect(), items.iter().map(id).collect())
}

fn rules(report: &Json) -> Vec<&str> {
    report["items"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect()
}

#[test]
fn diagnostics_of_a_document_are_sent_once() {
    let files = EditorFiles::new("pulls/document", &[("a.pp", "$x = 1\n"), ("b.pp", WRONG)]);
    let mut editor = pulling(&files);
    let path = files.path("a.pp");
    editor.open(&path, WRONG);
    let report = pull(&mut editor, &files, "a.pp", None);
    assert_eq!(rules(&report), ["arithmetic"]);
    let again = pull(&mut editor, &files, "a.pp", Some(&report["resultId"]));
    assert_eq!(again, json!({"kind": "unchanged", "resultId": report["resultId"]}));
    editor.change(&path, 2, json!([{"text": "$x = 1\n"}]));
    let right = pull(&mut editor, &files, "a.pp", Some(&report["resultId"]));
    assert_eq!((&right["kind"], rules(&right)), (&json!("full"), vec![]));
    // Closed files have diagnostics, too.
    assert_eq!(rules(&pull(&mut editor, &files, "b.pp", None)), ["arithmetic"]);
    assert_eq!(rules(&pull(&mut editor, &files, "none.pp", None)), [""; 0]);
    pull_all(&mut editor, &files, &[]);
    assert!(editor.diagnostics.is_empty(), "{:?}", editor.diagnostics);
    assert_eq!(editor.messages, []);
    assert_eq!(editor.end(), 0);
}

#[test]
fn diagnostics_of_all_files_are_sent_when_they_change() {
    let metadata = METADATA.replace("\"version\": \"1.0.0\", ", "");
    let files = EditorFiles::new(
        "pulls/workspace",
        &[("metadata.json", &metadata), ("manifests/a.pp", WRONG), ("manifests/b.pp", "$x = 1\n")],
    );
    let mut editor = pulling(&files);
    let (shown, ids) = pull_all(&mut editor, &files, &[]);
    assert_eq!(shown, ["manifests/a.pp: full arithmetic", "metadata.json: full metadata"]);
    let (shown, ids) = pull_all(&mut editor, &files, &ids);
    assert_eq!(shown, ["manifests/a.pp: unchanged", "metadata.json: unchanged"]);
    files.write("manifests/a.pp", "$x = 1\n");
    files.write("metadata.json", METADATA);
    let changes = ["manifests/a.pp", "metadata.json"];
    let changes = changes.map(|name| json!({"uri": uri(&files.path(name)), "type": 2}));
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    let (shown, ids) = pull_all(&mut editor, &files, &ids);
    assert_eq!(shown, ["manifests/a.pp: full", "metadata.json: full"]);
    // A file that the server does not know has none.
    let gone = json!({"uri": uri(&files.path("gone.pp")), "value": "7"});
    let (shown, _) = pull_all(&mut editor, &files, &[ids, vec![gone]].concat());
    assert_eq!(shown, ["manifests/a.pp: unchanged", "metadata.json: unchanged", "gone.pp: full"]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn the_editor_asks_again_if_an_edit_changes_the_diagnostics_of_other_documents() {
    let add = "function add(Integer $n) { $n }\n";
    let files = EditorFiles::new("pulls/refresh", &[("a.pp", "add('x')\n"), ("add.pp", add)]);
    let mut editor = pulling(&files);
    editor.open(&files.path("a.pp"), "add('x')\n");
    editor.open(&files.path("add.pp"), add);
    assert_eq!(rules(&pull(&mut editor, &files, "a.pp", None)), ["argument-mismatch"]);
    editor.change(&files.path("add.pp"), 2, json!([{"text": "function add(Integer $n) { $n + 'a' }\n"}]));
    let found = pull(&mut editor, &files, "add.pp", None);
    assert!(rules(&found).contains(&"arithmetic"), "{found}");
    pull_all(&mut editor, &files, &[]);
    assert_eq!(editor.messages, []);
    editor.change(&files.path("add.pp"), 3, json!([{"text": "function add(String $n) { $n }\n"}]));
    pull(&mut editor, &files, "add.pp", None);
    pull_all(&mut editor, &files, &[]);
    assert_eq!(editor.messages, [("workspace/diagnostic/refresh".to_owned(), Json::Null)]);
    assert_eq!(rules(&pull(&mut editor, &files, "a.pp", None)), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn diagnostics_are_published_for_editors_that_cannot_be_told_to_ask_again() {
    let files = EditorFiles::new("pulls/published", &[("a.pp", WRONG)]);
    let mut editor = TestEditor::with(&[&files.0], json!({"textDocument": {"diagnostic": {}}}));
    editor.open(&files.path("a.pp"), WRONG);
    editor.settle();
    assert_eq!(editor.rules(&files.path("a.pp")), ["arithmetic"]);
    assert_eq!(editor.end(), 0);
}
