//! The start, the course and the end of a session.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lsp_server::{Connection, Message, RequestId, Response};
use puppetfn_base::error::Error;
use puppetfn_doc::{ReadRuby, RubyFile};
use serde_json::{Value as Json, json};

use crate::editor::{EditorFiles, TestEditor, notification, opened, request, serve, serve_with, uri};

const PATIENCE: Duration = Duration::from_secs(20);

fn code(response: &Response) -> Option<i32> {
    response.error.as_ref().map(|error| error.code)
}

fn initialize(process: Option<u32>) -> Json {
    json!({"processId": process, "capabilities": {}})
}

/// Runs a server on these messages. Returns its messages and its exit code.
fn conversation(messages: Vec<Message>) -> (Vec<Message>, i32) {
    let (connection, theirs) = Connection::memory();
    messages.into_iter().for_each(|message| connection.sender.send(message).unwrap());
    let code = serve(theirs).join().unwrap();
    (connection.receiver.iter().collect(), code)
}

fn responses(messages: &[Message]) -> Vec<(&RequestId, Option<i32>)> {
    let responses = messages.iter().filter_map(|message| match message {
        Message::Response(response) => Some((&response.id, code(response))),
        _ => None,
    });
    responses.collect()
}

#[test]
fn it_begins_and_ends_as_the_protocol_has_it() {
    let ids: Vec<RequestId> = (0..8).map(RequestId::from).collect();
    let (said, code) = conversation(vec![
        request(0, "textDocument/hover", json!({})),
        notification("textDocument/didOpen", json!({})),
        request(1, "initialize", json!(1)),
        request(2, "initialize", initialize(None)),
        // A request may come before the notification `initialized`.
        request(3, "workspace/symbol", json!({"query": ""})),
        notification("initialized", json!({})),
        request(4, "initialize", initialize(None)),
        request(5, "nothing/known", json!({})),
        notification("nothing/known", json!({})),
        notification("$/setTrace", json!({"value": "off"})),
        notification("textDocument/didOpen", json!("no document")),
        request(6, "shutdown", Json::Null),
        request(7, "workspace/symbol", json!({"query": ""})),
        notification("exit", Json::Null),
    ]);
    let expected = [Some(-32002), Some(-32602), None, None, Some(-32600), Some(-32601), None, Some(-32600)];
    assert_eq!(responses(&said), ids.iter().zip(expected).collect::<Vec<_>>());
    assert_eq!(code, 0);
}

#[test]
fn an_end_that_nobody_has_asked_for_is_a_failure() {
    assert_eq!(conversation(vec![notification("exit", Json::Null)]).1, 1);
    let begun = || vec![request(1, "initialize", initialize(None)), notification("initialized", json!({}))];
    let mut exits = begun();
    exits.push(notification("exit", Json::Null));
    assert_eq!(conversation(exits).1, 1);
    let editor = TestEditor::start(&[]);
    assert_eq!(editor.vanish(), 1);
}

#[test]
fn it_ends_with_the_process_of_the_editor() {
    let mut process = Command::new("sleep").arg("600").spawn().unwrap();
    let (connection, theirs) = Connection::memory();
    connection.sender.send(request(1, "initialize", initialize(Some(process.id())))).unwrap();
    let server = serve(theirs);
    assert!(matches!(connection.receiver.recv_timeout(PATIENCE), Ok(Message::Response(_))));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!server.is_finished());
    process.kill().unwrap();
    // Nobody has collected the exit code yet.
    assert_eq!(server.join().unwrap(), 1);
    process.wait().unwrap();
}

#[test]
fn requests_that_wait_can_be_called_off() {
    let (said, _) = conversation(vec![
        request(1, "initialize", initialize(None)),
        request(2, "workspace/symbol", json!({"query": ""})),
        request(3, "workspace/symbol", json!({"query": ""})),
        notification("$/cancelRequest", json!({"id": 3})),
        notification("$/cancelRequest", json!({"id": "none"})),
        notification("$/cancelRequest", json!({})),
        request(4, "shutdown", Json::Null),
        notification("exit", Json::Null),
    ]);
    let mut answered = responses(&said);
    answered.sort_by_key(|(id, _)| id.to_string());
    let found: Vec<_> = answered.into_iter().map(|(_, code)| code).collect();
    assert_eq!(found, [None, None, Some(-32800), None]);
}

#[test]
fn changes_that_wait_are_all_known_before_a_text_is_checked() {
    let files = EditorFiles::new("waiting", &[("a.pp", "")]);
    let path = files.path("a.pp");
    let (connection, theirs) = Connection::memory();
    let send = |message| connection.sender.send(message).unwrap();
    send(request(1, "initialize", initialize(None)));
    send(notification("textDocument/didOpen", opened(&path, "$x = 1 + 'a'\n")));
    for version in 2..=50 {
        let start = json!({"line": 0, "character": 0});
        let change = json!({"range": {"start": start, "end": start}, "text": "# c\n"});
        let document = json!({"uri": uri(&path), "version": version});
        send(notification(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        ));
    }
    let server = serve(theirs);
    let told = connection.receiver.iter().find_map(|message| match message {
        Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => Some(told.params),
        _ => None,
    });
    let told = told.unwrap();
    assert_eq!(told["version"], 50);
    assert_eq!(told["diagnostics"][0]["range"]["start"], json!({"line": 49, "character": 7}));
    drop(connection);
    server.join().unwrap();
}

#[test]
fn the_editor_is_asked_to_watch_files_and_shows_progress_if_it_can() {
    let files = EditorFiles::new("progress", &[("a.pp", "notice(1)\n")]);
    let capabilities = json!({
        "window": {"workDoneProgress": true},
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
    });
    let mut editor = TestEditor::with(&[&files.0], capabilities);
    editor.settle();
    let methods: Vec<&str> = editor.messages.iter().map(|(method, _)| method.as_str()).collect();
    assert!(methods.contains(&"client/registerCapability"), "{methods:?}");
    assert!(methods.contains(&"window/workDoneProgress/create"), "{methods:?}");
    let of_files = editor.messages.iter().filter(|(method, _)| method == "$/progress");
    let mut kinds: Vec<&str> =
        of_files.map(|(_, params)| params["value"]["kind"].as_str().unwrap()).collect();
    // A document outside of all folders may have been read together with the folder.
    kinds.dedup();
    assert_eq!(kinds[..3], ["begin", "report", "end"]);
    assert_eq!(editor.end(), 0);

    let mut editor = TestEditor::start(&[&files.0]);
    editor.settle();
    assert_eq!(editor.messages, []);
    assert_eq!(editor.end(), 0);
}

/// A Ruby reader that always panics.
struct PanickingReader;

impl ReadRuby for PanickingReader {
    fn read_ruby(&mut self, path: &Path, _: &str) -> Result<RubyFile, Error> {
        panic!("{}", path.display())
    }
}

#[test]
fn a_failure_of_the_program_is_an_answer_and_not_the_end() {
    let ruby = "Puppet::Functions.create_function(:'app::f') { def f; end }\n";
    let files = EditorFiles::new(
        "panics/app",
        &[("manifests/init.pp", "class app { app::f() }\n"), ("lib/puppet/functions/app/f.rb", ruby)],
    );
    let (connection, theirs) = Connection::memory();
    let mut begin = initialize(None);
    begin["rootUri"] = uri(&files.0).into();
    let ask = |id| request(id, "workspace/symbol", json!({"query": "app"}));
    for message in [request(1, "initialize", begin), ask(2), ask(3), request(4, "shutdown", Json::Null)] {
        connection.sender.send(message).unwrap();
    }
    connection.sender.send(notification("exit", Json::Null)).unwrap();
    assert_eq!(serve_with(theirs, PanickingReader).join().unwrap(), 0);
    let said: Vec<Message> = connection.receiver.iter().collect();
    let codes: Vec<_> = responses(&said).into_iter().map(|(_, code)| code).collect();
    assert_eq!(codes, [None, Some(-32603), None, None]);
}

#[test]
fn columns_are_counted_as_the_editor_wants() {
    let files = EditorFiles::new("encodings", &[("a.pp", "")]);
    let path = files.path("a.pp");
    for (encodings, column) in [(json!(["utf-16", "utf-8"]), 18), (json!(["utf-16"]), 15), (json!(null), 15)]
    {
        let capabilities = json!({"general": {"positionEncodings": encodings}});
        let mut editor = TestEditor::with(&[&files.0], capabilities);
        editor.open(&path, "$x = ['é😀', 1 + 'a']\n");
        editor.settle();
        let found = &editor.diagnostics[&uri(&path)][0];
        assert_eq!(found["range"]["start"]["character"], column, "{found}");
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn ranges_end_where_the_code_does() {
    let files = EditorFiles::new("ranges", &[("a.pp", "")]);
    let path = files.path("a.pp");
    let mut editor = TestEditor::with(&[&files.0], json!({"general": {"positionEncodings": ["utf-8"]}}));
    // Texts, and their underlined spans.
    let texts = [
        ("$x = 1 + 'a b'", "+ 'a b'"),
        ("$x = -'a b'", "-'a b'"),
        ("$x = nosuch('a', [1, 2])", "nosuch"),
        ("$x = [1, 2].join(3, 4)", "(3, 4)"),
        ("$x = ['a'].each |$i, $x, $y| {\n 1 }", ".each"),
        ("file { '/a':\n  mode => 0644,\n}", "mode => 0644"),
        ("file { \"/b\": nosuch => {\n  1 => 2 } }", "nosuch => {\n  1 => 2 }"),
        ("$x = Integer[1, 'x']", "'x'"),
        ("if true {\n  class a ( $x = 1 )\n  {\n  }\n}", "class a ( $x = 1 )"),
        ("$a::b = [1,\n 2]", "$a::b"),
        ("$x = { 'a' => 1, 'a' => [2,\n 3] }", "=> [2,\n 3]"),
        ("fail('x')\nnotice('never')\nnotice('y')", "notice('never')"),
        ("$x = 'a' }", "}"),
        ("notice('a\n", "a"),
        ("class a {", ""),
        ("$x = 1 # puppetfn:ignore access", "access"),
    ];
    for (text, expected) in texts {
        editor.open(&path, text);
        editor.settle();
        let found = &editor.diagnostics[&uri(&path)];
        assert!(!found.is_empty(), "{text}");
        let positions: Vec<usize> = [&found[0]["range"]["start"], &found[0]["range"]["end"]]
            .map(|position| {
                let line = position["line"].as_u64().unwrap() as usize;
                let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
                before + position["character"].as_u64().unwrap() as usize
            })
            .into();
        assert_eq!(&text[positions[0]..positions[1]], expected, "{text}\n{found:#?}");
    }
    assert_eq!(editor.end(), 0);
}
