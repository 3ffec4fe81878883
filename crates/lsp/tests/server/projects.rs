//! The files of a project, and its settings.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::editor::{EditorFiles, TestEditor, said, uri};

const METADATA: &str = r#"{"name": "a-app", "version": "1.0.0", "source": "", "author": "a", "license": "", "dependencies": []}"#;
const WRONG: &str = "class app { $x = 1 + 'a' }\n";

#[test]
fn a_module_uses_its_fixtures_and_does_not_check_them() {
    let files = EditorFiles::new(
        "fixtures/app",
        &[
            ("metadata.json", METADATA),
            ("manifests/init.pp", "class app { lib::thing { 'a': size => 'x' } include lib::none }\n"),
            (
                "spec/fixtures/modules/lib/manifests/thing.pp",
                "define lib::thing(Integer $size) { $x = 1 + 'a' }\n",
            ),
        ],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    editor.settle_all();
    assert_eq!(editor.rules(&files.path("manifests/init.pp")), ["parameter-type", "unknown-class"]);
    let fixture = files.path("spec/fixtures/modules/lib/manifests/thing.pp");
    assert_eq!(editor.rules(&fixture), [""; 0]);
    editor.open(&fixture, &fs::read_to_string(&fixture).unwrap());
    editor.settle();
    assert_eq!(editor.rules(&fixture), [""; 0]);
    let at = json!({"textDocument": {"uri": uri(&fixture)}, "position": {"line": 0, "character": 27}});
    assert!(editor.ask("textDocument/hover", at)["contents"]["value"].as_str().unwrap().contains("Integer"));
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_control_repository_says_where_its_modules_are() {
    let files = EditorFiles::new(
        "control",
        &[
            ("environment.conf", "modulepath = site\n"),
            ("manifests/site.pp", "node default { class { 'role': tier => 1 } }\n"),
            ("site/role/manifests/init.pp", "class role(String $tier) { }\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "role::tier: 2\n"),
        ],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    editor.settle_all();
    assert_eq!(editor.rules(&files.path("manifests/site.pp")), ["parameter-type"]);
    assert_eq!(editor.rules(&files.path("data/common.yaml")), ["data-value"]);
    files.write("data/common.yaml", "role::tier: 'two'\n");
    let changed = json!({"changes": [{"uri": uri(&files.path("data/common.yaml")), "type": 2}]});
    editor.tell("workspace/didChangeWatchedFiles", changed);
    editor.settle_all();
    assert_eq!(editor.rules(&files.path("data/common.yaml")), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn each_directory_has_its_own_settings() {
    let files = EditorFiles::new(
        "folders",
        &[
            ("a/puppetfn.toml", "exclude = ['vendor']\nrules.arithmetic = 'warning'\n"),
            ("a/a.pp", WRONG),
            ("a/vendor/b.pp", WRONG),
            ("b/puppetfn.toml", "rules.arithmetic = 'off'\n"),
            ("b/a.pp", WRONG),
            ("c/a.pp", WRONG),
        ],
    );
    let (a, b, c) = (files.path("a"), files.path("b"), files.path("c"));
    let mut editor = TestEditor::start(&[&a, &b]);
    editor.settle_all();
    assert_eq!(editor.diagnostics[&uri(&a.join("a.pp"))][0]["severity"], 2);
    for silent in [a.join("vendor/b.pp"), b.join("a.pp"), c.join("a.pp")] {
        assert_eq!(editor.rules(&silent), [""; 0]);
    }
    let folder = |path: &std::path::Path| json!([{"uri": uri(path), "name": "it"}]);
    let event = json!({"added": folder(&c), "removed": folder(&a)});
    editor.tell("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    editor.settle_all();
    assert_eq!(editor.diagnostics[&uri(&c.join("a.pp"))][0]["severity"], 1);
    assert_eq!(editor.rules(&a.join("a.pp")), [""; 0]);

    // Changed settings take effect at once; invalid ones are reported.
    files.write("c/puppetfn.toml", "rules.arithmetic = 'off'\n");
    let settings = uri(&c.join("puppetfn.toml"));
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": settings, "type": 1}]}));
    editor.settle_all();
    assert_eq!(editor.rules(&c.join("a.pp")), [""; 0]);
    files.write("c/puppetfn.toml", "rules.aritmetic = 'off'\n");
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": settings, "type": 2}]}));
    editor.settle_all();
    assert_eq!(editor.rules(&c.join("a.pp")), ["arithmetic"]);
    let told = editor.messages.iter().find(|(method, _)| method == "window/showMessage").unwrap();
    assert!(told.1["message"].as_str().unwrap().contains("did you mean `arithmetic`?"), "{told:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn settings_of_the_editor_count_in_projects_without_a_file() {
    let files = EditorFiles::new(
        "editor-settings",
        &[("a/a.pp", WRONG), ("a/vendor/b.pp", WRONG), ("b/puppetfn.toml", ""), ("b/a.pp", WRONG)],
    );
    let (a, b) = (files.path("a"), files.path("b"));
    let settings = json!({"exclude": ["vendor"], "rules": {"arithmetic": "warning"}});
    let mut editor = TestEditor::configured(&[&a, &b], settings);
    editor.settle_all();
    assert_eq!(editor.diagnostics[&uri(&a.join("a.pp"))][0]["severity"], 2);
    assert_eq!(editor.rules(&a.join("vendor/b.pp")), [""; 0]);
    assert_eq!(editor.diagnostics[&uri(&b.join("a.pp"))][0]["severity"], 1);
    assert_eq!(editor.end(), 0);

    let mut editor = TestEditor::configured(&[&a], json!({"rules": {"aritmetic": "off"}}));
    editor.settle_all();
    let (_, told) = editor.messages.iter().find(|(method, _)| method == "window/showMessage").unwrap();
    let message = told["message"].as_str().unwrap();
    assert!(message.starts_with("the editor's settings: there is no rule `aritmetic`"), "{message}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn findings_of_the_baseline_are_left_out() {
    let entry = r#"[{"file": "a.pp", "rule": "arithmetic", "line": "$x = 1 + 'a'", "message": ""}]"#;
    let files = EditorFiles::new(
        "baseline",
        &[("puppetfn.toml", "baseline = 'known.json'\n"), ("known.json", entry), ("a.pp", "$x = 1 + 'a'\n")],
    );
    let path = files.path("a.pp");
    let mut editor = TestEditor::start(&[&files.0]);
    editor.open(&path, "$x = 1 + 'a'\n");
    editor.settle();
    assert_eq!(editor.rules(&path), [""; 0]);
    editor.change(&path, 2, json!([{"text": "$x = 1 + 'a'\n$y = 1 + 'a'\n"}]));
    editor.settle();
    assert_eq!(editor.rules(&path), ["arithmetic"]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_file_that_is_no_text_is_reported_as_the_command_does() {
    let files = EditorFiles::new("bytes", &[("b.pp", "notice(1)\n")]);
    files.write("a.pp", b"$x = '\xff'\n");
    let mut editor = TestEditor::start(&[&files.0]);
    editor.settle_all();
    let checked = files.checked("", "a.pp");
    assert_eq!(checked.len(), 1);
    assert_eq!(said(&editor, &files.path("a.pp"), ""), checked);
    // In the editor it may be one.
    editor.open(&files.path("a.pp"), "$x = 'y'\n");
    editor.settle();
    assert_eq!(editor.rules(&files.path("a.pp")), [""; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn files_outside_of_all_directories_belong_to_their_module_or_to_nothing() {
    let files = EditorFiles::new(
        "loose",
        &[
            ("opened/a.pp", "notice(1)\n"),
            ("modules/app/manifests/init.pp", "class app { app::part { 'a': size => 'x' } }\n"),
            ("modules/app/manifests/part.pp", "define app::part(Integer $size) { }\n"),
            ("alone/a.pp", WRONG),
            ("alone/b.pp", "class app { }\n"),
        ],
    );
    let mut editor = TestEditor::start(&[&files.path("opened")]);
    let init = files.path("modules/app/manifests/init.pp");
    editor.open(&init, &fs::read_to_string(&init).unwrap());
    editor.settle_all();
    assert_eq!(editor.rules(&init), ["parameter-type"]);
    let part = files.path("modules/app/manifests/part.pp");
    editor.open(&part, "define app::part(String $size) { $x = 1 + 'a' }\n");
    editor.settle();
    assert_eq!((editor.rules(&init), editor.rules(&part)), (vec![], vec!["arithmetic"]));
    editor.close(&part);
    editor.close(&init);
    editor.settle_all();
    assert_eq!((editor.rules(&init), editor.rules(&part)), (vec![], vec![]));

    let alone = files.path("alone/a.pp");
    editor.open(&alone, WRONG);
    editor.settle_all();
    assert_eq!(editor.rules(&alone), ["arithmetic"]);
    assert!(!editor.diagnostics.contains_key(&uri(&files.path("alone/b.pp"))));
    let text = "$x = 1\nnotice($x)\n";
    let untitled = json!({"uri": "untitled:Untitled-1", "languageId": "puppet", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", json!({"textDocument": untitled}));
    let at = json!({"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 1, "character": 8}});
    let found = editor.ask("textDocument/definition", at);
    assert_eq!(found[0]["uri"], "untitled:Untitled-1");
    assert_eq!(editor.end(), 0);
}

#[test]
fn documents_of_other_languages_are_only_kept() {
    let files = EditorFiles::new("other", &[("a.rb", "x = 1\n")]);
    let mut editor = TestEditor::start(&[&files.0]);
    let path = files.path("a.rb");
    let document = json!({"uri": uri(&path), "languageId": "ruby", "version": 1, "text": "x = 1\n"});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    editor.change(&path, 2, json!([{"text": "y = 1\n"}]));
    editor.settle();
    assert!(!editor.diagnostics.contains_key(&uri(&path)));
    let at = json!({"textDocument": {"uri": uri(&path)}, "position": {"line": 0, "character": 0}});
    assert!(editor.ask("textDocument/hover", at).is_null());
    assert_eq!(editor.end(), 0);
}

#[test]
fn data_is_what_the_editor_has() {
    let files = EditorFiles::new(
        "data",
        &[
            ("metadata.json", METADATA),
            ("manifests/init.pp", "class app(Integer $size, Boolean $on) { notice(lookup('app::other')) }\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "app::size: 1\napp::other: 2\n"),
        ],
    );
    let data = files.path("data/common.yaml");
    // By itself, it belongs to the module around it.
    for folders in [&[&*files.0][..], &[]] {
        let mut editor = TestEditor::start(folders);
        editor.open(&data, "app::size: 'x'\napp::\n");
        editor.settle();
        assert_eq!(editor.rules(&data), ["data-value", "data-key"]);
        let at = json!({"textDocument": {"uri": uri(&data)}, "position": {"line": 1, "character": 5}});
        let found = editor.ask("textDocument/completion", at);
        assert_eq!(found["items"][0]["label"], "app::on");
        editor.change(&data, 2, json!([{"text": "app::size: 'x'\n"}]));
        editor.settle();
        assert_eq!(editor.rules(&data), ["data-value"]);
        let at = json!({"textDocument": {"uri": uri(&data)}, "position": {"line": 0, "character": 7}});
        let found = editor.ask("textDocument/definition", at);
        assert_eq!(found[0]["uri"], uri(&files.path("manifests/init.pp")));
        editor.close(&data);
        editor.settle_all();
        assert_eq!(editor.rules(&data), [""; 0]);
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn templates_in_erb_are_renamed_with_the_class() {
    let class = "class app($size) { notice(template('app/a.erb')) }\n";
    let files = EditorFiles::new(
        "erb",
        &[("metadata.json", METADATA), ("manifests/init.pp", class), ("templates/a.erb", "<%= @size %>\n")],
    );
    let mut editor = TestEditor::start(&[&files.0]);
    let (init, template) = (files.path("manifests/init.pp"), files.path("templates/a.erb"));
    editor.open(&init, class);
    editor.settle_all();
    let at = |path: &Path, character: usize| json!({"textDocument": {"uri": uri(path)}, "position": {"line": 0, "character": character}, "newName": "length"});
    let rename = editor.ask("textDocument/rename", at(&init, 12));
    assert_eq!(rename["changes"][uri(&template)][0]["range"]["start"]["character"], 5, "{rename}");
    editor.open(&template, "<% x = @size %>\n");
    let rename = editor.ask("textDocument/rename", at(&template, 9));
    assert_eq!(rename["changes"][uri(&template)][0]["range"]["start"]["character"], 8, "{rename}");
    assert_eq!(rename["changes"][uri(&init)][0]["range"]["start"]["character"], 11, "{rename}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn files_of_other_tools_say_where_modules_are() {
    let files = EditorFiles::new(
        "tools",
        &[
            ("app/metadata.json", METADATA),
            ("app/manifests/init.pp", "class app { lib::thing { 'a': size => 'x' } }\n"),
            ("app/.fixtures.yml", "fixtures:\n  symlinks:\n    lib: '#{source_dir}/../elsewhere/lib'\n"),
            ("elsewhere/lib/manifests/thing.pp", "define lib::thing(Integer $size) { }\n"),
            ("control/environment.conf", "modulepath = site\n"),
            ("control/Puppetfile", "moduledir 'external'\n"),
            ("control/manifests/site.pp", "lib::thing { 'a': size => 'x' }\n"),
            ("control/external/lib/manifests/thing.pp", "define lib::thing(Integer $size) { }\n"),
        ],
    );
    let mut editor = TestEditor::start(&[&files.path("app"), &files.path("control")]);
    editor.settle_all();
    assert_eq!(editor.rules(&files.path("app/manifests/init.pp")), ["parameter-type"]);
    assert_eq!(editor.rules(&files.path("control/manifests/site.pp")), ["parameter-type"]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn functions_of_modules_that_may_be_elsewhere_are_not_called_unknown() {
    let class = "class app { nosuch(1) }\n";
    let files = EditorFiles::new("partial", &[("modules/app/manifests/init.pp", class)]);
    let mut editor = TestEditor::start(&[&files.path("modules/app")]);
    editor.settle_all();
    let file = "modules/app/manifests/init.pp";
    assert_eq!(said(&editor, &files.path(file), class), files.checked("modules/app", file));
    assert_eq!(editor.rules(&files.path(file)), [""; 0]);
    assert_eq!(editor.end(), 0);
}
