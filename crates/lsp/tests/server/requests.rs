//! Requests: each has a response at any position, and responses follow the editor's capabilities.

use serde_json::{Value as Json, json};

use crate::editor::{EditorFiles, TestEditor, uri};

pub const INIT: &str = "# Serves pages.\nclass web(\n  Integer $port = 80,\n) {\n  $next = web::add($port)\n  web::site { 'a':\n    root => '/srv',\n  }\n  notify { 'é😀': message => epp('web/a.epp', {'x' => $next}) }\n}\n";
pub const SITE: &str = "define web::site(String $root) {\n  file { $root: ensure => file }\n  [1, 2].each |$n| { notice(\"${n} ${root}\") }\n}\n";
pub const ADD: &str = "# Adds one.\nfunction web::add(Integer $n) >> Integer {\n  $n + 1\n}\n";
pub const EPP: &str = "<%- | Integer $x | -%>\n<%= $x %>\n";
pub const ALIAS: &str = "type Web::Port = Integer[1, 65535]\n";

/// A module with code of each kind.
pub fn module(name: &str) -> EditorFiles {
    let files = [
        ("manifests/init.pp", INIT),
        ("manifests/site.pp", SITE),
        ("functions/add.pp", ADD),
        ("templates/a.epp", EPP),
        ("types/port.pp", ALIAS),
    ];
    let files = files.map(|(path, text)| (format!("web/{path}"), text));
    EditorFiles::new(name, &files.each_ref().map(|(path, text)| (path.as_str(), *text)))
}

/// Returns a request of each kind for a position, with its parameters.
pub fn about(file: &str, line: usize, column: usize) -> Vec<(&'static str, Json)> {
    let document = json!({"uri": file});
    let position = json!({"line": line, "character": column});
    let at = json!({"textDocument": document, "position": position});
    let with = |name: &str, value: Json| {
        let mut params = at.clone();
        params[name] = value;
        params
    };
    let range = json!({"start": position, "end": {"line": line + 3, "character": 2}});
    let within = json!({"textDocument": document, "range": range});
    let whole = json!({"textDocument": document});
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let layout = |mut params: Json| {
        params["options"] = options.clone();
        params
    };
    let mut typed = layout(at.clone());
    typed["ch"] = "\n".into();
    let mut action = within.clone();
    action["context"] = json!({"diagnostics": []});
    let item = json!({"name": "x", "kind": 12, "uri": file, "range": range, "selectionRange": range});
    vec![
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/typeDefinition", at.clone()),
        ("textDocument/references", with("context", json!({"includeDeclaration": true}))),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        ("textDocument/rename", with("newName", "web::other".into())),
        ("textDocument/documentSymbol", whole.clone()),
        ("workspace/symbol", json!({"query": "w"})),
        ("textDocument/foldingRange", whole.clone()),
        ("textDocument/selectionRange", json!({"textDocument": document, "positions": [position]})),
        ("textDocument/semanticTokens/full", whole.clone()),
        ("textDocument/semanticTokens/range", within.clone()),
        ("textDocument/inlayHint", within.clone()),
        ("textDocument/documentLink", whole.clone()),
        ("textDocument/codeAction", action),
        ("textDocument/codeLens", whole.clone()),
        ("textDocument/prepareCallHierarchy", at.clone()),
        ("textDocument/prepareTypeHierarchy", at.clone()),
        ("typeHierarchy/supertypes", json!({"item": item})),
        ("typeHierarchy/subtypes", json!({"item": item})),
        ("textDocument/semanticTokens/full/delta", with("previousResultId", "1".into())),
        ("textDocument/diagnostic", whole.clone()),
        ("workspace/diagnostic", json!({"previousResultIds": []})),
        ("callHierarchy/incomingCalls", json!({"item": item})),
        ("callHierarchy/outgoingCalls", json!({"item": item})),
        ("textDocument/formatting", layout(whole)),
        ("textDocument/rangeFormatting", layout(within)),
        ("textDocument/onTypeFormatting", typed),
    ]
}

/// Asserts that a request has a response, which may be a refusal.
pub fn is_answered(editor: &mut TestEditor, method: &str, params: Json) {
    const REQUEST_FAILED: i32 = -32803;
    let response = editor.response(method, params.clone());
    match &response.error {
        None => assert!(response.result.is_some(), "{method} {params}"),
        Some(error) => assert_eq!(error.code, REQUEST_FAILED, "{method} {params}: {error:?}"),
    }
}

#[test]
fn all_requests_are_answered_wherever_they_are_asked() {
    let files = module("everywhere");
    let mut editor = TestEditor::start(&[&files.path("web")]);
    let texts = [("manifests/init.pp", INIT), ("manifests/site.pp", SITE), ("templates/a.epp", EPP)];
    for (file, text) in texts {
        let path = uri(&files.path("web").join(file));
        for (line, content) in text.split('\n').enumerate() {
            for column in (0..=content.len() + 1).step_by(3) {
                for (method, params) in about(&path, line, column) {
                    is_answered(&mut editor, method, params);
                }
            }
        }
    }
    // Neither in a missing file nor after the end of one.
    for file in ["/nowhere.pp", "/manifests/init.pp"] {
        let file = if file == "/nowhere.pp" {
            uri(&files.path("nowhere.pp"))
        } else {
            uri(&files.path("web/manifests/init.pp"))
        };
        for (method, params) in about(&file, 4_000_000_000, 4_000_000_000) {
            is_answered(&mut editor, method, params);
        }
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn edits_are_as_the_editor_can_have_them() {
    let files = module("edits");
    let add = files.path("web/functions/add.pp");
    let rename = json!({"textDocument": {"uri": uri(&add)}, "position": {"line": 1, "character": 16}, "newName": "web::plus"});
    let mut editor = TestEditor::start(&[&files.path("web")]);
    let plain = editor.ask("textDocument/rename", rename.clone());
    assert_eq!(plain["changes"].as_object().unwrap().len(), 2, "{plain}");
    assert!(plain.get("documentChanges").is_none());
    let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&add)}}));
    assert_eq!(symbols[0]["location"]["uri"], uri(&add));
    assert_eq!(editor.end(), 0);

    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}},
        "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}},
    });
    let mut editor = TestEditor::with(&[&files.path("web")], capabilities);
    editor.open(&add, ADD);
    let full = editor.ask("textDocument/rename", rename);
    let changes = full["documentChanges"].as_array().unwrap();
    let of_add = changes.iter().find(|change| change["textDocument"]["uri"] == uri(&add)).unwrap();
    assert_eq!(of_add["textDocument"]["version"], 1);
    let moved = changes.last().unwrap();
    assert_eq!(moved["newUri"], uri(&files.path("web/functions/plus.pp")));
    let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&add)}}));
    assert_eq!(symbols[0]["children"][0]["name"], "$n");
    assert_eq!(editor.end(), 0);
}

#[test]
fn brackets_and_quotes_bring_only_the_names_that_they_lead_to() {
    let files = module("typed-characters");
    let path = files.path("web/manifests/init.pp");
    let mut editor = TestEditor::start(&[&files.path("web")]);
    let mut count = |text: &str, trigger: Option<char>| {
        let item = json!({"uri": uri(&path), "languageId": "puppet", "version": 1, "text": text});
        editor.tell("textDocument/didOpen", json!({"textDocument": item}));
        let context = trigger.map(|c| json!({"triggerKind": 2, "triggerCharacter": c}));
        let at = json!({"line": 0, "character": text.len()});
        let params = json!({"textDocument": {"uri": uri(&path)}, "position": at, "context": context.unwrap_or(json!({"triggerKind": 1}))});
        editor.ask("textDocument/completion", params)["items"].as_array().unwrap().len()
    };
    for (text, typed) in [("class a {", '{'), ("$x = [", '['), ("notice('a'", '\''), ("if 1 >", '>')] {
        assert_eq!(count(text, Some(typed)), 0, "{text}");
    }
    assert!(count("class a {", None) > 100);
    assert_eq!(count("file { '/a': force =>", Some('>')), 4);
    assert!(count("$facts['", Some('\'')) > 10);
    assert_eq!(editor.end(), 0);
}

#[test]
fn plans_know_functions_types_tasks_and_plans() {
    let files = module("bolt");
    let text = "plan web::deploy(TargetSpec $nodes) {\n  run_task('web::re', $nodes)\n  run_com\n  run_plan('web::d', $nodes)\n}\n";
    files.write("web/plans/deploy.pp", text);
    files.write("web/tasks/restart.json", "{}");
    files.write("web/tasks/restart.sh", "");
    let path = files.path("web/plans/deploy.pp");
    let mut editor = TestEditor::start(&[&files.path("web")]);
    editor.open(&path, text);
    editor.settle();
    let at = |line: usize, character: usize| json!({"textDocument": {"uri": uri(&path)}, "position": {"line": line, "character": character}});
    let hover = |editor: &mut TestEditor, line, character| {
        let hover = editor.ask("textDocument/hover", at(line, character));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let labels = |editor: &mut TestEditor, line, character| {
        let found = editor.ask("textDocument/completion", at(line, character));
        let items = found["items"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let shown = hover(&mut editor, 1, 4);
    assert!(shown.starts_with("run_task(String[1] task_name, TargetSpec targets"), "{shown}");
    assert!(hover(&mut editor, 0, 20).starts_with("type TargetSpec"));
    assert_eq!(labels(&mut editor, 1, 19), ["web::restart"]);
    assert_eq!(labels(&mut editor, 2, 9), ["run_command"]);
    assert_eq!(labels(&mut editor, 3, 18), ["web::deploy"]);
    let help = editor.ask("textDocument/signatureHelp", at(1, 23));
    assert_eq!(help["activeParameter"], 1, "{help}");
    // Manifests cannot call them.
    let manifest = files.path("web/manifests/init.pp");
    editor.open(&manifest, "class web { run_task('a') }\n");
    let at = json!({"textDocument": {"uri": uri(&manifest)}, "position": {"line": 0, "character": 15}});
    assert!(editor.ask("textDocument/hover", at).is_null());
    assert_eq!(editor.end(), 0);
}

#[test]
fn parameters_of_templates_are_completed() {
    let files = module("template-parameters");
    let path = files.path("web/manifests/init.pp");
    files.write("web/templates/b.epp", "<%- | Integer $x, Optional[String] $y = undef | -%>\n");
    let mut editor = TestEditor::start(&[&files.path("web")]);
    let mut complete = |version: usize, text: &str| {
        let document = json!({"textDocument": {"uri": uri(&path), "languageId": "puppet", "version": version, "text": text}});
        editor.tell("textDocument/didOpen", document);
        let at = json!({"line": 0, "character": text.len()});
        let found = editor
            .ask("textDocument/completion", json!({"textDocument": {"uri": uri(&path)}, "position": at}));
        let items = found["items"].as_array().unwrap().iter();
        items
            .map(|item| {
                format!(
                    "{}: {}",
                    item["textEdit"]["newText"].as_str().unwrap(),
                    item["detail"].as_str().unwrap()
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        complete(1, "epp('web/b.epp', { "),
        ["'x' => : Integer (required)", "'y' => : Optional[String]"]
    );
    assert_eq!(complete(2, "epp('web/b', {'x' => 1, '"), ["y: Optional[String]"]);
    assert_eq!(complete(3, "epp('web/none.epp', { '"), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_the_checker_proposes_is_an_action_for_the_diagnostic() {
    let files = module("actions");
    let path = files.path("web/manifests/site.pp");
    let mut editor = TestEditor::start(&[&files.path("web")]);
    let text =
        "define web::site($root) {\n  file { '/a': ensre => file }\n  file { '/b': ensre => file }\n}\n";
    editor.open(&path, text);
    editor.settle();
    let diagnostic = editor.diagnostics[&uri(&path)][0].clone();
    let ask = |editor: &mut TestEditor, only: Json| {
        let context = json!({"diagnostics": [diagnostic], "only": only});
        let params =
            json!({"textDocument": {"uri": uri(&path)}, "range": diagnostic["range"], "context": context});
        editor.ask("textDocument/codeAction", params)
    };
    let found = ask(&mut editor, json!(["quickfix"]));
    assert_eq!(found[0]["title"], "Replace 'ensre' by 'ensure'");
    assert_eq!(found[0]["diagnostics"], json!([diagnostic]));
    assert_eq!(found[0]["edit"]["changes"][uri(&path)][0]["newText"], "ensure");
    assert_eq!(found[1]["title"], "Fix all findings of unknown-parameter");
    let edits = found[1]["edit"]["changes"][uri(&path)].as_array().unwrap();
    assert_eq!(edits.iter().map(|edit| &edit["newText"]).collect::<Vec<_>>(), ["ensure", "ensure"]);
    assert_eq!(ask(&mut editor, json!(["source"]))[0]["kind"], "source.fixAll.puppetfn");
    assert_eq!(ask(&mut editor, json!(["refactor"])), json!([]));
    assert_eq!(editor.end(), 0);
}
