//! The language server, as editors talk to it.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{env, fs, thread};

use serde_json::{Value as Json, json};

/// An editor, and the server that it has started.
struct EditorProcess {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Json>,
    last: i64,
    /// The latest diagnostics of each file.
    diagnostics: BTreeMap<String, Vec<Json>>,
}

const PATIENCE: Duration = Duration::from_secs(60);

impl EditorProcess {
    fn start(root: &Path) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
        let mut server = server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Self { server, input, messages, last: 0, diagnostics: BTreeMap::new() };
        let capabilities = json!({
            "textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                "completion": {"completionItem": {"snippetSupport": true}},
            },
            "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}},
        });
        let folders = json!([{"uri": uri(root), "name": "it"}]);
        let params = json!({"processId": std::process::id(), "capabilities": capabilities, "workspaceFolders": folders});
        let result = editor.ask("initialize", params);
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Json) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Json) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Returns the whole answer to a request.
    fn response(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.note(message);
        }
    }

    fn ask(&mut self, method: &str, params: Json) -> Json {
        let response = self.response(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    fn note(&mut self, message: Json) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let found = message["params"]["diagnostics"].as_array().unwrap().clone();
            self.diagnostics.insert(message["params"]["uri"].as_str().unwrap().to_owned(), found);
        }
    }

    /// Waits until all that was told has been looked at.
    fn settle(&mut self) {
        self.ask("workspace/symbol", json!({"query": "no such name"}));
        // Diagnostics are published when no other message waits.
        loop {
            match self.messages.recv_timeout(Duration::from_millis(150)) {
                Ok(message) => self.note(message),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
            }
        }
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "puppet", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Ends the server as editors do. Returns its exit code.
    fn end(mut self) -> i32 {
        self.ask("shutdown", Json::Null);
        self.tell("exit", Json::Null);
        self.server.wait().unwrap().code().unwrap()
    }
}

/// Returns the next message, if there is one.
fn read(output: &mut impl BufRead) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

const METADATA: &str = r#"{"name": "a-web", "version": "1.0.0", "summary": "a", "source": "", "author": "a", "license": "", "dependencies": []}"#;
const INIT: &str = "# Serves pages.\n#\n# @param port where it listens\nclass web(\n  Integer $port = 80,\n) {\n  $next = web::add($port)\n  web::site { 'a':\n    root => '/srv',\n  }\n  notify { 'é': message => epp('web/a.epp', {'x' => $next}) }\n}\n";
const SITE: &str = "define web::site(String $root) {\n  file { $root: ensure => directory }\n}\n";
const ADD: &str = "# Adds one.\nfunction web::add(Integer $n) >> Integer {\n  $n + 1\n}\n";

/// A module in a directory of its own.
struct LspModule(PathBuf);

impl LspModule {
    fn new(name: &str) -> Self {
        let root = env::temp_dir().join(format!("puppetfn-lsp-{name}-{}", std::process::id())).join("web");
        let files = [
            ("metadata.json", METADATA),
            ("manifests/init.pp", INIT),
            ("manifests/site.pp", SITE),
            ("functions/add.pp", ADD),
            ("templates/a.epp", "<%- | Integer $x | -%>\n<%= $x %>\n"),
            ("data/common.yaml", "web::port: 'eighty'\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ];
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(root)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for LspModule {
    fn drop(&mut self) {
        fs::remove_dir_all(self.0.parent().unwrap()).unwrap();
    }
}

#[test]
fn each_request_is_answered() {
    let module = LspModule::new("requests");
    let mut editor = EditorProcess::start(&module.0);
    let init = module.file("manifests/init.pp");
    editor.open(&init, INIT);
    let document = json!({"uri": uri(&init)});
    let at = |line: u32, character: u32| json!({"textDocument": document, "position": {"line": line, "character": character}});
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 12, "character": 0}});

    let hover = editor.ask("textDocument/hover", at(6, 13));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Adds one."), "{hover}");
    let completion = editor.ask("textDocument/completion", at(6, 21));
    assert!(
        completion["items"].as_array().unwrap().iter().any(|item| item["label"] == "port"),
        "{completion}"
    );
    let help = editor.ask("textDocument/signatureHelp", at(6, 19));
    assert_eq!(help["signatures"][0]["label"], "web::add(Integer n) >> Integer");
    let definition = editor.ask("textDocument/definition", at(7, 5));
    assert_eq!(definition[0]["uri"], uri(&module.file("manifests/site.pp")));
    assert_eq!(editor.ask("textDocument/typeDefinition", at(4, 12)), json!([]));
    let mut references = at(4, 12);
    references["context"] = json!({"includeDeclaration": true});
    // In the class twice, and in the data.
    assert_eq!(editor.ask("textDocument/references", references).as_array().unwrap().len(), 3);
    assert_eq!(editor.ask("textDocument/documentHighlight", at(6, 4)).as_array().unwrap().len(), 2);
    assert_eq!(editor.ask("textDocument/prepareRename", at(6, 4))["start"]["character"], 3);
    let mut rename = at(6, 13);
    rename["newName"] = "web::plus".into();
    let changes = editor.ask("textDocument/rename", rename)["documentChanges"].clone();
    assert!(changes.as_array().unwrap().iter().any(|change| change["kind"] == "rename"), "{changes}");
    let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": document}));
    assert_eq!(symbols[0]["name"], "web");
    let found = editor.ask("workspace/symbol", json!({"query": "wsite"}));
    assert_eq!(found[0]["name"], "web::site");
    assert!(
        editor.ask("textDocument/foldingRange", json!({"textDocument": document})).as_array().unwrap().len()
            > 2
    );
    let selections = json!({"textDocument": document, "positions": [{"line": 6, "character": 21}]});
    assert!(editor.ask("textDocument/selectionRange", selections)[0]["parent"].is_object());
    let tokens = editor.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    assert!(tokens["data"].as_array().unwrap().len() > 50);
    let part = json!({"textDocument": document, "range": {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 0}}});
    let some = editor.ask("textDocument/semanticTokens/range", part);
    assert!(some["data"].as_array().unwrap().len() < tokens["data"].as_array().unwrap().len());
    let in_range = json!({"textDocument": document, "range": whole});
    assert_eq!(editor.ask("textDocument/inlayHint", in_range)[0]["label"], ": Integer");
    let links = editor.ask("textDocument/documentLink", json!({"textDocument": document}));
    assert_eq!(links[0]["target"], uri(&module.file("templates/a.epp")));
    let site = json!({"uri": uri(&module.file("manifests/site.pp"))});
    assert_eq!(
        editor.ask("textDocument/codeLens", json!({"textDocument": site}))[0]["command"]["title"],
        "used once"
    );
    let action = json!({"textDocument": site, "range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 8}}, "context": {"diagnostics": []}});
    assert_eq!(editor.ask("textDocument/codeAction", action)[0]["title"], "Document 'web::site'");
    let items = editor.ask("textDocument/prepareCallHierarchy", at(6, 13));
    let callers = editor.ask("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(callers[0]["from"]["name"], "web");
    let callees = editor.ask("callHierarchy/outgoingCalls", json!({"item": callers[0]["from"]}));
    assert_eq!(callees.as_array().unwrap().len(), 2);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let laid_out =
        editor.ask("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert_eq!(laid_out[0]["newText"], "class web (\n");
    let range = json!({"textDocument": document, "range": whole, "options": options});
    assert_eq!(editor.ask("textDocument/rangeFormatting", range), laid_out);
    let mut typed = at(7, 0);
    (typed["ch"], typed["options"]) = ("\n".into(), options);
    assert!(editor.ask("textDocument/onTypeFormatting", typed).is_array());

    let unknown = editor.response("textDocument/nothing", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let wrong = editor.response("textDocument/hover", json!({"textDocument": 1}));
    assert_eq!(wrong["error"]["code"], -32602);
    let refused = editor.response(
        "textDocument/rename",
        json!({"textDocument": document, "position": {"line": 6, "character": 4}, "newName": "1"}),
    );
    assert!(
        refused["error"]["message"].as_str().unwrap().starts_with("'1' is not a valid name"),
        "{refused}"
    );
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_is_wrong_is_said_as_one_types() {
    let module = LspModule::new("diagnostics");
    let mut editor = EditorProcess::start(&module.0);
    editor.settle();
    let data = uri(&module.file("data/common.yaml"));
    assert_eq!(editor.diagnostics[&data][0]["code"], "data-value");

    let site = module.file("manifests/site.pp");
    editor.open(&site, SITE);
    let change = json!({"range": {"start": {"line": 1, "character": 24}, "end": {"line": 1, "character": 30}}, "text": "ensur😀"});
    let changes = json!({"textDocument": {"uri": uri(&site), "version": 2}, "contentChanges": [change]});
    editor.tell("textDocument/didChange", changes);
    editor.settle();
    let found = &editor.diagnostics[&uri(&site)];
    assert_eq!(found[0]["code"], "syntax", "{found:?}");
    let change = json!({"text": "define web::site(String $root, $mode) { file { $root: ensre => file } }"});
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri(&site), "version": 3}, "contentChanges": [change]}),
    );
    editor.settle();
    let found = &editor.diagnostics[&uri(&site)];
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"unknown-parameter".into(), &1.into()));
    assert!(found[0]["codeDescription"]["href"].as_str().unwrap().ends_with("#unknown-parameter"));

    // Diagnostics of one document depend on another document.
    let init = module.file("manifests/init.pp");
    editor.open(&init, INIT);
    editor.settle();
    let found = &editor.diagnostics[&uri(&init)];
    assert_eq!(found[0]["code"], "missing-parameter", "{found:?}");
    assert_eq!(found[0]["relatedInformation"][0]["location"]["uri"], uri(&site));
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(&site)}}));
    editor.settle();
    assert_eq!(editor.diagnostics[&uri(&init)], Vec::<Json>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn all_findings_of_a_document_are_fixed_at_once() {
    let module = LspModule::new("fix-all");
    fs::write(module.file("puppetfn.toml"), "[check]\nselect = ['default', 'style']\n").unwrap();
    let path = module.file("manifests/fixed.pp");
    let mut editor = EditorProcess::start(&module.0);
    editor.open(&path, "class web::fixed {\n  notify { \"a\":\n    message => $::osfamily,\n  }\n}\n");
    editor.settle();
    let start = json!({"line": 0, "character": 0});
    let mut titles = |only: Json| {
        let context = json!({"diagnostics": [], "only": only});
        let document = json!({"uri": uri(&path)});
        let range = json!({"start": start, "end": start});
        editor.ask(
            "textDocument/codeAction",
            json!({"textDocument": document, "range": range, "context": context}),
        )
    };
    assert_eq!(titles(json!(["quickfix"])), json!([]));
    for kind in ["source", "source.fixAll", "source.fixAll.puppetfn"] {
        let actions = titles(json!([kind]));
        assert_eq!(actions[0]["kind"], "source.fixAll.puppetfn");
        let edits = actions[0]["edit"]["changes"][uri(&path)].as_array().unwrap().clone();
        let texts: Vec<_> = edits.iter().map(|edit| edit["newText"].as_str().unwrap()).collect();
        assert_eq!(texts, ["'a'", "$facts['os']['family']"]);
    }
    editor.end();
}

#[test]
fn files_that_change_are_read_again() {
    let module = LspModule::new("files");
    let mut editor = EditorProcess::start(&module.0);
    editor.settle();
    let site = module.file("manifests/site.pp");
    fs::write(&site, "define web::site(Integer $root) { }").unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri(&site), "type": 2}]}));
    editor.settle();
    assert_eq!(editor.diagnostics[&uri(&module.file("manifests/init.pp"))][0]["code"], "parameter-type");
    fs::remove_file(&site).unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri(&site), "type": 3}]}));
    editor.settle();
    assert_eq!(
        editor.diagnostics[&uri(&module.file("manifests/init.pp"))][0]["code"],
        "unknown-resource-type"
    );
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_server_without_an_editor_ends() {
    let module = LspModule::new("gone");
    let mut editor = EditorProcess::start(&module.0);
    editor.settle();
    drop(editor.input.take());
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
}

#[test]
fn requests_can_be_called_off() {
    let module = LspModule::new("cancel");
    let mut editor = EditorProcess::start(&module.0);
    let document = json!({"uri": uri(&module.file("manifests/init.pp"))});
    // Both come while the project is still being read, so that the second is known before the first is answered.
    editor.send(&json!({"jsonrpc": "2.0", "id": 900, "method": "textDocument/codeLens", "params": {"textDocument": document}}));
    editor.tell("$/cancelRequest", json!({"id": 900}));
    let answer = loop {
        let message = editor.messages.recv_timeout(PATIENCE).unwrap();
        if message["id"] == 900 {
            break message;
        }
    };
    let code = answer["error"]["code"].as_i64();
    assert!(code.is_none_or(|code| code == -32800), "{answer}");
    assert_eq!(editor.end(), 0);
}

/// Numbers that are the same each time.
struct EditRandom(u64);

impl EditRandom {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

const WORDS: [&str; 24] = [
    "\n",
    " ",
    "$x",
    "$port",
    "{",
    "}",
    "=>",
    "'",
    "\"",
    "${",
    "web::site { 'b': root => 'x' }\n",
    "notice($port)\n",
    "1 + 'a'",
    "[",
    "]",
    "é",
    "😀",
    "if $x { ",
    "# c\n",
    "include web\n",
    ",",
    "web::add('a')",
    "class web::b { }\n",
    "@(E)\n",
];

/// Returns the findings of `puppetfn check` in a module: the file, the line, the column, the rule.
fn checked(root: &Path) -> Vec<(String, u64, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_puppetfn"))
        .args(["check", "--format", "json"])
        .arg(root)
        .output()
        .unwrap();
    let found: Json = serde_json::from_slice(&output.stdout).unwrap();
    let mut found: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let rule = one["rule"].as_str().unwrap().to_owned();
            (one["file"].as_str().unwrap().to_owned(), one["line"].as_u64().unwrap(), rule)
        })
        .collect();
    found.sort();
    found
}

/// After any edits, the server knows the text, its diagnostics are the findings of a fresh check, and each request has
/// an answer. PUPPETFN_EDITS=5000 cargo test -p puppetfn-cli --test command_lsp
#[test]
fn a_session_of_random_edits_is_followed() {
    let edits: usize = env::var("PUPPETFN_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(120);
    let module = LspModule::new("edits");
    let mut editor = EditorProcess::start(&module.0);
    let path = module.file("manifests/init.pp");
    let mut text = INIT.to_owned();
    editor.open(&path, &text);
    let mut random = EditRandom(7);
    for edit in 0..edits {
        if edit % 40 == 0 {
            text = INIT.to_owned();
        }
        let boundary = |text: &str, at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let start = boundary(&text, random.below(text.len() + 1));
        let length = if random.below(3) == 0 { random.below(12) } else { 0 };
        let end = boundary(&text, (start + length).min(text.len())).max(start);
        let word = WORDS[random.below(WORDS.len())];
        let position = |at: usize| {
            let before = &text[..at];
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
            json!({"line": line, "character": column})
        };
        let range = json!({"start": position(start), "end": position(end)});
        let changes = if edit % 40 == 0 {
            json!([{"text": text}, {"range": range, "text": word}])
        } else {
            json!([{"range": range, "text": word}])
        };
        text.replace_range(start..end, word);
        let version = edit + 2;
        editor.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri(&path), "version": version}, "contentChanges": changes}),
        );
        let method =
            ["completion", "hover", "definition", "signatureHelp", "documentHighlight", "prepareRename"]
                [random.below(6)];
        let at = json!({"line": random.below(15), "character": random.below(30)});
        editor.ask(
            &format!("textDocument/{method}"),
            json!({"textDocument": {"uri": uri(&path)}, "position": at}),
        );
        if edit % 10 == 9 {
            compare(&mut editor, &module, &path, &text);
        }
    }
    assert_eq!(editor.end(), 0);
}

fn compare(editor: &mut EditorProcess, module: &LspModule, path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    editor.tell("textDocument/didSave", json!({"textDocument": {"uri": uri(path)}}));
    editor.settle();
    let mut said: Vec<_> = editor
        .diagnostics
        .iter()
        .flat_map(|(uri, found)| {
            found.iter().map(move |one| {
                let file = uri.strip_prefix("file://").unwrap().to_owned();
                let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
                (file, line, one["code"].as_str().unwrap().to_owned())
            })
        })
        .collect();
    said.sort();
    assert_eq!(said, checked(&module.0), "{text}");
}
