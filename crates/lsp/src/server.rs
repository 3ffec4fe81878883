//! The conversation with the editor.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{Notification as _, Progress, ShowMessage};
use lsp_types::request::{RegisterCapability, Request as _, WorkDoneProgressCreate};
use lsp_types::{
    Diagnostic, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams,
    InitializeResult, MessageType, NumberOrString, ProgressParams, ProgressParamsValue, Registration,
    RegistrationParams, ServerInfo, ShowMessageParams, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::Value as Json;

use super::Workspace;
use super::capabilities::capabilities;
use super::client::{Client, Process};
use super::uri::path;
use puppetfn_ide::Ide;

/// How often the program is asked whether it is to end.
const PATIENCE: Duration = Duration::from_millis(500);

/// How the conversation has ended.
type End = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Talks to the editor at standard input and output until it has enough. Returns the exit code: 0 after it has said so,
/// 1 when it was gone.
///
/// # Errors
/// When standard output cannot be written to.
pub fn serve(workspace: &mut dyn Workspace) -> Result<i32, Box<dyn std::error::Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    let code = Server::run(connection, workspace)?;
    // The reader waits for more until the editor closes its end, which nobody has to wait for.
    drop(threads);
    Ok(code)
}

/// A conversation with an editor.
pub struct Server<'w> {
    connection: Connection,
    pub(crate) workspace: &'w mut dyn Workspace,
    pub(crate) ide: Ide,
    pub(crate) client: Client,
    pub(crate) roots: Vec<PathBuf>,
    /// The versions of the documents that are open, and the texts of those that are no code.
    pub(crate) open: HashMap<PathBuf, i32>,
    pub(crate) others: HashMap<PathBuf, String>,
    /// The documents that were changed since they were checked.
    pub(crate) changed: HashSet<PathBuf>,
    /// What code could use when documents were checked.
    pub(crate) checked_at: u64,
    /// What the editor shows of each file.
    pub(crate) published: HashMap<PathBuf, Vec<Diagnostic>>,
    /// What has come and was not looked at yet.
    waiting: VecDeque<Message>,
    requests: i32,
    has_shut_down: bool,
    editor: Process,
}

impl<'w> Server<'w> {
    /// Talks to an editor at any connection until it has enough. Returns the exit code, as [`serve`] does.
    ///
    /// # Errors
    /// When the connection cannot be written to.
    pub fn run(
        connection: Connection,
        workspace: &'w mut dyn Workspace,
    ) -> Result<i32, Box<dyn std::error::Error + Send + Sync>> {
        let Ok((id, params)) = connection.initialize_start() else { return Ok(1) };
        let params: InitializeParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => {
                let code = ErrorCode::InvalidParams as i32;
                connection.sender.send(Response::new_err(id, code, error.to_string()).into())?;
                return Ok(1);
            }
        };
        let client = Client::new(&params);
        let info =
            ServerInfo { name: "puppetfn".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
        let result =
            InitializeResult { capabilities: capabilities(client.encoding), server_info: Some(info) };
        if connection.initialize_finish(id, serde_json::to_value(result)?).is_err() {
            return Ok(1);
        }
        // What is asked before the project was read waits.
        let ide = workspace.open(&[], &mut |_, _| {})?;
        let mut server = Self {
            connection,
            workspace,
            ide,
            client,
            roots: roots(&params),
            open: HashMap::new(),
            others: HashMap::new(),
            changed: HashSet::new(),
            checked_at: 0,
            published: HashMap::new(),
            waiting: VecDeque::new(),
            requests: 0,
            has_shut_down: false,
            editor: Process::new(params.process_id),
        };
        server.watch_files()?;
        server.load()?;
        server.talk()?;
        Ok(if server.has_shut_down { 0 } else { 1 })
    }

    /// Reads the projects, and says what is wrong with them.
    pub(crate) fn load(&mut self) -> End {
        let token = NumberOrString::String("puppetfn/load".to_owned());
        if self.client.shows_progress {
            let params = WorkDoneProgressCreateParams { token: token.clone() };
            self.ask(WorkDoneProgressCreate::METHOD, &params)?;
            let begin = WorkDoneProgressBegin {
                title: "Reading Puppet code".to_owned(),
                percentage: Some(0),
                ..WorkDoneProgressBegin::default()
            };
            self.progress(&token, WorkDoneProgress::Begin(begin))?;
        }
        let sender = self.connection.sender.clone();
        let (shows, step) = (self.client.shows_progress, token.clone());
        let mut progress = |done: usize, all: usize| {
            if !shows || !done.is_multiple_of(100) {
                return;
            }
            let report = WorkDoneProgressReport {
                message: Some(format!("{done} of {all} files")),
                percentage: Some((done * 100 / all.max(1)) as u32),
                ..WorkDoneProgressReport::default()
            };
            let value = ProgressParamsValue::WorkDone(WorkDoneProgress::Report(report));
            let params = ProgressParams { token: step.clone(), value };
            // An editor that is gone is noticed where the next message is read.
            _ = sender.send(Notification::new(Progress::METHOD.to_owned(), params).into());
        };
        match self.workspace.open(&self.roots, &mut progress) {
            Ok(ide) => self.ide = ide,
            Err(message) => self.show(&message)?,
        }
        self.workspace.learn(&mut self.ide);
        if self.client.shows_progress {
            self.progress(&token, WorkDoneProgress::End(WorkDoneProgressEnd::default()))?;
        }
        self.publish_all()
    }

    fn progress(&self, token: &NumberOrString, progress: WorkDoneProgress) -> End {
        let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(progress) };
        self.tell(Progress::METHOD, &params)
    }

    /// Has the editor show a message.
    fn show(&self, message: &str) -> End {
        let params = ShowMessageParams { typ: MessageType::ERROR, message: message.to_owned() };
        self.tell(ShowMessage::METHOD, &params)
    }

    /// Asks the editor to say when files change, if it can.
    fn watch_files(&mut self) -> End {
        if !self.client.watches_files {
            return Ok(());
        }
        let watcher = |pattern: &str| FileSystemWatcher {
            glob_pattern: GlobPattern::String(pattern.to_owned()),
            kind: None,
        };
        let patterns =
            ["**/*.{pp,epp,rb}", "**/*.{yaml,yml,json,eyaml}", "**/environment.conf", "**/puppetfn.toml"];
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: patterns.into_iter().map(watcher).collect(),
        };
        let registration = Registration {
            id: "puppetfn/files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(serde_json::to_value(options)?),
        };
        self.ask(RegisterCapability::METHOD, &RegistrationParams { registrations: vec![registration] })
    }

    /// Tells the editor something.
    pub(crate) fn tell(&self, method: &str, params: &impl serde::Serialize) -> End {
        let params = serde_json::to_value(params)?;
        Ok(self.connection.sender.send(Notification { method: method.to_owned(), params }.into())?)
    }

    /// Asks the editor for something whose answer says nothing.
    fn ask(&mut self, method: &str, params: &impl serde::Serialize) -> End {
        self.requests += 1;
        let (id, params) = (RequestId::from(self.requests), serde_json::to_value(params)?);
        Ok(self.connection.sender.send(Request { id, method: method.to_owned(), params }.into())?)
    }

    /// Answers until the editor has enough, or is gone.
    fn talk(&mut self) -> End {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.take(message)?;
            }
            match self.waiting.pop_front() {
                Some(Message::Request(request)) => {
                    let response = self.answer(request);
                    self.connection.sender.send(response.into())?;
                }
                Some(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                Some(Message::Notification(notification)) => self.notice(notification)?,
                Some(Message::Response(_)) => {}
                None => {
                    self.publish_changed()?;
                    match self.connection.receiver.recv_timeout(PATIENCE) {
                        Ok(message) => self.take(message)?,
                        Err(error) if error.is_timeout() && !self.is_to_end() => {}
                        Err(_) => return Ok(()),
                    }
                }
            }
        }
    }

    fn is_to_end(&mut self) -> bool {
        self.editor.is_gone() || self.workspace.is_interrupted()
    }

    /// Puts a message to those that wait; one that calls off a request takes that from them.
    fn take(&mut self, message: Message) -> End {
        if let Message::Notification(notification) = &message
            && notification.method == "$/cancelRequest"
        {
            let id = match notification.params.get("id") {
                Some(Json::Number(number)) => {
                    number.as_i64().and_then(|id| i32::try_from(id).ok()).map(RequestId::from)
                }
                Some(Json::String(id)) => Some(RequestId::from(id.clone())),
                _ => None,
            };
            let is_it = |waiting: &Message| matches!(waiting, Message::Request(request) if Some(&request.id) == id.as_ref());
            if let Some(at) = self.waiting.iter().position(is_it)
                && let Some(Message::Request(request)) = self.waiting.remove(at)
            {
                let code = ErrorCode::RequestCanceled as i32;
                let response = Response::new_err(request.id, code, "called off".to_owned());
                self.connection.sender.send(response.into())?;
            }
            return Ok(());
        }
        self.waiting.push_back(message);
        Ok(())
    }

    pub(crate) fn shut_down(&mut self) {
        self.has_shut_down = true;
    }

    pub(crate) fn has_shut_down(&self) -> bool {
        self.has_shut_down
    }
}

/// Returns the directories that the editor has open.
#[allow(deprecated, reason = "editors of before folders say only this")]
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    let mut roots: Vec<_> = folders.iter().filter_map(|folder| path(&folder.uri)).collect();
    if roots.is_empty() {
        let uri = params.root_uri.as_ref().and_then(path);
        roots.extend(uri.or_else(|| params.root_path.as_ref().map(PathBuf::from)));
    }
    roots
}
