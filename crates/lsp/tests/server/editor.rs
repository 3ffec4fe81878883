//! An editor for tests, and files for it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use puppetfn_base::limits::Limits;
use puppetfn_cli::Standalone;
use puppetfn_doc::ReadRuby;
use serde_json::{Value as Json, json};

const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a server at the other end of a connection.
pub fn serve(connection: Connection) -> JoinHandle<i32> {
    serve_with(connection, Standalone)
}

/// Starts a server with a reader of Ruby.
pub fn serve_with(connection: Connection, mut ruby: impl ReadRuby + Send + 'static) -> JoinHandle<i32> {
    thread::spawn(move || puppetfn_lsp::run(connection, &mut ruby, Limits::DEFAULT).unwrap())
}

pub fn request(id: i32, method: &str, params: Json) -> Message {
    Request { id: RequestId::from(id), method: method.to_owned(), params }.into()
}

pub fn notification(method: &str, params: Json) -> Message {
    Notification { method: method.to_owned(), params }.into()
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub fn opened(path: &Path, text: &str) -> Json {
    let language = match path.extension().and_then(|end| end.to_str()) {
        Some("yaml") => "yaml",
        Some("erb") => "eruby",
        Some("json") => "json",
        None if path.ends_with("Puppetfile") => "ruby",
        _ => "puppet",
    };
    json!({"textDocument": {"uri": uri(path), "languageId": language, "version": 1, "text": text}})
}

/// An editor that counts columns in UTF-16.
pub struct TestEditor {
    connection: Option<Connection>,
    server: Option<JoinHandle<i32>>,
    last: i32,
    probes: usize,
    /// The diagnostics of each file.
    pub diagnostics: BTreeMap<String, Vec<Json>>,
    /// All other messages of the server.
    pub messages: Vec<(String, Json)>,
}

impl TestEditor {
    pub fn start(folders: &[&Path]) -> Self {
        Self::with(folders, json!({}))
    }

    pub fn with(folders: &[&Path], capabilities: Json) -> Self {
        Self::initialized(folders, capabilities, json!({}))
    }

    /// Starts a server with the editor's settings of projects.
    pub fn configured(folders: &[&Path], settings: Json) -> Self {
        Self::initialized(folders, json!({}), json!({"settings": settings}))
    }

    fn initialized(folders: &[&Path], capabilities: Json, options: Json) -> Self {
        let (connection, theirs) = Connection::memory();
        let server = Some(serve(theirs));
        let (diagnostics, messages) = (BTreeMap::new(), Vec::new());
        let mut editor =
            Self { connection: Some(connection), server, last: 0, probes: 0, diagnostics, messages };
        let folders: Vec<Json> = folders.iter().map(|root| json!({"uri": uri(root), "name": "it"})).collect();
        let params = json!({
            "processId": null,
            "capabilities": capabilities,
            "workspaceFolders": folders,
            "initializationOptions": options,
        });
        editor.ask("initialize", params);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&self, message: Message) {
        self.connection.as_ref().unwrap().sender.send(message).unwrap();
    }

    pub fn tell(&self, method: &str, params: Json) {
        self.send(notification(method, params));
    }

    /// Returns the whole response to a request.
    pub fn response(&mut self, method: &str, params: Json) -> Response {
        self.last += 1;
        self.send(request(self.last, method, params));
        loop {
            match self.receive(PATIENCE).unwrap_or_else(|| panic!("no answer to {method}")) {
                Message::Response(response) => {
                    assert_eq!(response.id, RequestId::from(self.last));
                    return response;
                }
                other => self.note(other),
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        let response = self.response(method, params);
        assert!(response.error.is_none(), "{method}: {response:?}");
        response.result.unwrap()
    }

    fn receive(&self, patience: Duration) -> Option<Message> {
        self.connection.as_ref().unwrap().receiver.recv_timeout(patience).ok()
    }

    fn note(&mut self, message: Message) {
        match message {
            Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => {
                let found = told.params["diagnostics"].as_array().unwrap().clone();
                self.diagnostics.insert(told.params["uri"].as_str().unwrap().to_owned(), found);
            }
            Message::Notification(told) => self.messages.push((told.method, told.params)),
            Message::Request(asked) => {
                self.send(Response::new_ok(asked.id, Json::Null).into());
                self.messages.push((asked.method, asked.params));
            }
            Message::Response(response) => panic!("nobody has asked for {response:?}"),
        }
    }

    /// Waits until the server has checked all open documents. A document without a file comes last.
    pub fn settle(&mut self) {
        self.probes += 1;
        let probe = format!("untitled:probe-{}", self.probes);
        let document = json!({"uri": probe, "languageId": "puppet", "version": 1, "text": "$"});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        while !self.diagnostics.contains_key(&probe) {
            let message = self.receive(PATIENCE).expect("nothing is said of a document");
            self.note(message);
        }
        self.tell("textDocument/didClose", json!({"textDocument": {"uri": probe}}));
        while !self.diagnostics[&probe].is_empty() {
            let message = self.receive(PATIENCE).expect("nothing is said of a document that was closed");
            self.note(message);
        }
        self.diagnostics.remove(&probe);
    }

    /// Waits until the server has checked all files.
    pub fn settle_all(&mut self) {
        self.settle();
        while let Some(message) = self.receive(Duration::from_millis(200)) {
            self.note(message);
        }
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        self.tell("textDocument/didOpen", opened(path, text));
    }

    pub fn change(&mut self, path: &Path, version: usize, changes: Json) {
        let document = json!({"uri": uri(path), "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    pub fn close(&mut self, path: &Path) {
        self.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(path)}}));
    }

    /// Returns the rules of a file's diagnostics.
    pub fn rules(&self, path: &Path) -> Vec<&str> {
        let found = self.diagnostics.get(&uri(path)).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(|one| one["code"].as_str().unwrap()).collect()
    }

    /// Shuts the server down as editors do. Returns its exit code.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Json::Null);
        self.tell("exit", Json::Null);
        self.server.take().unwrap().join().unwrap()
    }

    /// Closes the connection without notice. Returns the server's exit code.
    pub fn vanish(mut self) -> i32 {
        self.connection.take();
        self.server.take().unwrap().join().unwrap()
    }
}

/// A temporary directory with files, for one test.
pub struct EditorFiles(pub PathBuf);

impl EditorFiles {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("server").join(name);
        _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        let found = Self(root);
        files.iter().for_each(|(path, text)| found.write(path, text));
        found
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the findings of `puppetfn check` in a file of a directory: line, column, severity, rule and message.
    pub fn checked(&self, root: &str, file: &str) -> Vec<PublishedDiagnostic> {
        let arguments = ["puppetfn", "check", "--format", "json"].map(OsString::from);
        let arguments = arguments.into_iter().chain([self.path(root).into_os_string()]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        puppetfn_cli::run(arguments, &mut Standalone, &mut out, &mut err);
        let found: Vec<Json> =
            serde_json::from_slice(&out).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&err)));
        let path = self.path(file);
        let mut found: Vec<PublishedDiagnostic> = found
            .iter()
            .filter(|one| Path::new(one["file"].as_str().unwrap()) == path)
            .map(|one| {
                let text = |name: &str| one[name].as_str().unwrap().to_owned();
                let number = |name: &str| one[name].as_u64().unwrap();
                (number("line"), number("column"), text("severity"), text("rule"), text("message"))
            })
            .collect();
        found.sort();
        found
    }
}

pub type PublishedDiagnostic = (u64, u64, String, String, String);

/// Returns the published diagnostics of a file, in the form of `puppetfn check`.
pub fn said(editor: &TestEditor, path: &Path, text: &str) -> Vec<PublishedDiagnostic> {
    let told = editor.diagnostics.get(&uri(path)).map(Vec::as_slice).unwrap_or_default();
    let mut said: Vec<PublishedDiagnostic> = told
        .iter()
        .map(|one| {
            let start = &one["range"]["start"];
            let (line, column) = (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap());
            let units = text.split('\n').nth(line as usize).unwrap().encode_utf16();
            let before: Vec<u16> = units.take(column as usize).collect();
            let column = String::from_utf16(&before).unwrap().chars().count() as u64;
            let severity = ["error", "warning"][one["severity"].as_u64().unwrap() as usize - 1];
            let text = |name: &str| one[name].as_str().unwrap().to_owned();
            (line + 1, column + 1, severity.to_owned(), text("code"), text("message"))
        })
        .collect();
    said.sort();
    said
}
