//! Call hierarchies with functions in Ruby, type hierarchies, and the changes of semantic tokens.

use serde_json::{Value as Json, json};

use crate::editor::{EditorFiles, TestEditor, uri};

const BASE: &str = "class app::base {\n  notice(app::size(1))\n}\n";
const DERIVED: &str = "class app::derived inherits app::base {\n  $x = Deferred('app::size', [2])\n}\n";
const ADD: &str = "function app::add($n) {\n  $n\n}\n";
const SIZE: &str = "Puppet::Functions.create_function(:'app::size') do\n  def size(n)\n    call_function('app::add', n)\n  end\nend\n";

fn files(name: &str) -> EditorFiles {
    EditorFiles::new(
        name,
        &[
            ("app/manifests/init.pp", "class app { }\n"),
            ("app/manifests/base.pp", BASE),
            ("app/manifests/derived.pp", DERIVED),
            ("app/functions/add.pp", ADD),
            ("app/lib/puppet/functions/app/size.rb", SIZE),
        ],
    )
}

fn at(files: &EditorFiles, file: &str, line: u32, character: u32) -> Json {
    json!({"textDocument": {"uri": uri(&files.path(file))}, "position": {"line": line, "character": character}})
}

fn names(found: &Json, part: &str) -> Vec<String> {
    let items = found.as_array().unwrap().iter();
    let name = |item: &Json| if part.is_empty() { item["name"].clone() } else { item[part]["name"].clone() };
    items.map(|item| name(item).as_str().unwrap().to_owned()).collect()
}

#[test]
fn calls_go_through_functions_in_ruby() {
    let files = files("ruby-calls");
    let mut editor = TestEditor::start(&[&files.path("app")]);
    let found = editor.ask("textDocument/prepareCallHierarchy", at(&files, "app/manifests/base.pp", 1, 12));
    assert_eq!(names(&found, ""), ["app::size"]);
    let item = found[0].clone();
    assert_eq!(item["uri"], uri(&files.path("app/lib/puppet/functions/app/size.rb")));
    let callers = editor.ask("callHierarchy/incomingCalls", json!({"item": item}));
    assert_eq!(names(&callers, "from"), ["app::base", "app::derived"]);
    let callees = editor.ask("callHierarchy/outgoingCalls", json!({"item": item}));
    assert_eq!(names(&callees, "to"), ["app::add"]);
    assert_eq!(callees[0]["fromRanges"][0]["start"], json!({"line": 2, "character": 19}));
    let callers = editor.ask("callHierarchy/incomingCalls", json!({"item": callees[0]["to"]}));
    assert_eq!(names(&callers, "from"), ["app::size"]);
    assert_eq!(callers[0]["fromRanges"][0]["start"], json!({"line": 2, "character": 19}));
    assert_eq!(editor.end(), 0);
}

#[test]
fn classes_have_base_and_derived_classes() {
    let files = files("classes");
    let mut editor = TestEditor::start(&[&files.path("app")]);
    let found =
        editor.ask("textDocument/prepareTypeHierarchy", at(&files, "app/manifests/derived.pp", 0, 33));
    assert_eq!(names(&found, ""), ["app::base"]);
    let derived = editor.ask("typeHierarchy/subtypes", json!({"item": found[0]}));
    assert_eq!(names(&derived, ""), ["app::derived"]);
    let bases = editor.ask("typeHierarchy/supertypes", json!({"item": derived[0]}));
    assert_eq!(names(&bases, ""), ["app::base"]);
    assert_eq!(bases[0]["uri"], uri(&files.path("app/manifests/base.pp")));
    assert_eq!(editor.ask("typeHierarchy/supertypes", json!({"item": bases[0]})), json!([]));
    let none = editor.ask("textDocument/prepareTypeHierarchy", at(&files, "app/manifests/base.pp", 1, 12));
    assert_eq!(none, Json::Null);
    assert_eq!(editor.end(), 0);
}

#[test]
fn only_changed_tokens_are_sent() {
    let files = files("tokens");
    let mut editor = TestEditor::start(&[&files.path("app")]);
    let path = files.path("app/manifests/base.pp");
    editor.open(&path, BASE);
    let document = json!({"uri": uri(&path)});
    let full = editor.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    let insert = json!({"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "  $x = 1\n"});
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri(&path), "version": 2}, "contentChanges": [insert]}),
    );
    let since = |id: &Json| json!({"textDocument": document, "previousResultId": id});
    let delta = editor.ask("textDocument/semanticTokens/full/delta", since(&full["resultId"]));
    let edit = &delta["edits"][0];
    let mut data: Vec<Json> = full["data"].as_array().unwrap().clone();
    let start = edit["start"].as_u64().unwrap() as usize;
    let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
    data.splice(start..end, edit["data"].as_array().unwrap().clone());
    let again = editor.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    assert_eq!(Json::from(data), again["data"]);
    assert!(edit["data"].as_array().unwrap().len() < again["data"].as_array().unwrap().len());
    let unchanged = editor.ask("textDocument/semanticTokens/full/delta", since(&again["resultId"]));
    assert_eq!(unchanged["edits"], json!([]));
    let unknown = editor.ask("textDocument/semanticTokens/full/delta", since(&json!("x")));
    assert_eq!(unknown["data"], again["data"]);
    assert_eq!(editor.end(), 0);
}
