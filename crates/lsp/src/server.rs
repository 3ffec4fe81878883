//! The connection with the editor.
//!
//! Messages are processed one at a time, in the order of their arrival: a request sees the texts of all earlier
//! notifications. Background work is done only if no message is waiting.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Request, RequestId, Response};
use lsp_types::request::{Request as _, WorkspaceDiagnosticRequest};
use lsp_types::{InitializeParams, InitializeResult, ServerInfo};
use puppetfn_base::limits::Limits;
use puppetfn_doc::ReadRuby;
use serde::Deserialize;
use serde_json::Value as Json;

use super::ConnectionError;
use super::capabilities::capabilities;
use super::client::{EditorSupport, EditorWatch};
use super::sent_tokens::SentTokens;
use super::state::ServerState;
use super::uri::path;

/// The error message for a panic outside of requests.
pub(crate) const PANIC: &str = "internal error of puppetfn; please report what you did last";

/// The interval of checks whether the editor is still running.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves an editor on any connection until it closes the connection. Returns the exit code, as [`serve`](super::serve)
/// does.
///
/// # Errors
/// Fails if the editor does not accept messages.
pub fn run(connection: Connection, ruby: &mut dyn ReadRuby, limits: Limits) -> Result<i32, ConnectionError> {
    let Some((id, params, client)) = initialization(&connection)? else { return Ok(1) };
    let info =
        ServerInfo { name: "puppetfn".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    let result = InitializeResult { capabilities: capabilities(&client), server_info: Some(info) };
    let mut result = serde_json::to_value(result)?;
    // The library's capabilities do not have it.
    if let Some(capabilities) = result.get_mut("capabilities").and_then(Json::as_object_mut) {
        capabilities.insert("typeHierarchyProvider".to_owned(), Json::Bool(true));
    }
    connection.sender.send(Response::new_ok(id, result).into())?;
    let mut server = Server {
        connection,
        ruby,
        state: ServerState::new(folders(&params), limits, settings(&params)),
        client,
        waiting: VecDeque::new(),
        workspace_pulls: Vec::new(),
        has_stale_pulls: false,
        asked: 0,
        has_shut_down: false,
        sent_tokens: SentTokens::default(),
    };
    server.talk(&mut EditorWatch::of(params.process_id))?;
    Ok(if server.has_shut_down { 0 } else { 1 })
}

type Initialization = (RequestId, InitializeParams, EditorSupport);

/// Waits for the editor's `initialize` request. Returns `None` if the editor exits instead.
fn initialization(connection: &Connection) -> Result<Option<Initialization>, ConnectionError> {
    for message in &connection.receiver {
        let request = match message {
            Message::Request(request) => request,
            Message::Notification(notification) if notification.method == "exit" => return Ok(None),
            Message::Notification(_) | Message::Response(_) => continue,
        };
        let refusal = if request.method == "initialize" {
            match InitializeParams::deserialize(&request.params) {
                Ok(params) => {
                    let client = EditorSupport::new(&params, &request.params);
                    return Ok(Some((request.id, params, client)));
                }
                Err(error) => (ErrorCode::InvalidParams, error.to_string()),
            }
        } else {
            (ErrorCode::ServerNotInitialized, "the first request is `initialize`".to_owned())
        };
        connection.sender.send(Response::new_err(request.id, refusal.0 as i32, refusal.1).into())?;
    }
    Ok(None)
}

/// Returns the folders of the workspace.
#[allow(deprecated, reason = "older editors support only one")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    let mut folders: Vec<_> = folders.iter().filter_map(|folder| path(&folder.uri)).collect();
    if folders.is_empty() {
        let uri = params.root_uri.as_ref().and_then(path);
        folders.extend(uri.or_else(|| params.root_path.as_ref().map(PathBuf::from)));
    }
    folders.sort();
    folders.dedup();
    folders
}

/// Returns the editor's settings of projects, in the form of `puppetfn.toml`.
fn settings(params: &InitializeParams) -> Json {
    let options = params.initialization_options.as_ref();
    let settings =
        options.and_then(|options| options.get("settings")).filter(|settings| settings.is_object());
    settings.cloned().unwrap_or_else(|| Json::Object(serde_json::Map::new()))
}

/// A session with an editor.
pub(crate) struct Server<'r> {
    pub connection: Connection,
    pub ruby: &'r mut dyn ReadRuby,
    pub state: ServerState,
    pub client: EditorSupport,
    /// Received messages that are still to be processed.
    waiting: VecDeque<Message>,
    /// Requests for the diagnostics of all files. They are answered when all files are checked.
    workspace_pulls: Vec<Request>,
    /// Whether the editor has old diagnostics of open documents that it has not edited since.
    pub has_stale_pulls: bool,
    /// The number of requests to the editor.
    pub asked: i32,
    pub has_shut_down: bool,
    pub sent_tokens: SentTokens,
}

impl Server<'_> {
    /// Processes messages until the editor exits or disappears.
    fn talk(&mut self, watch: &mut EditorWatch) -> Result<(), ConnectionError> {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.take(message)?;
            }
            match self.waiting.pop_front() {
                Some(Message::Request(request)) if self.waits_for_checks(&request) => {
                    self.workspace_pulls.push(request);
                }
                Some(Message::Request(request)) => {
                    let response = self.answer(request);
                    self.send(response.into())?;
                }
                Some(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                Some(Message::Notification(notification)) => {
                    self.guarded(|server| server.notice(notification))?;
                }
                Some(Message::Response(_)) => {}
                None if self.has_shut_down || !self.guarded(Self::work)?.unwrap_or(false) => {
                    self.answer_workspace_pulls()?;
                    match self.connection.receiver.recv_timeout(PATIENCE) {
                        Ok(message) => self.take(message)?,
                        Err(error) if error.is_timeout() && watch.is_there() => {}
                        Err(_) => return Ok(()),
                    }
                }
                None => {}
            }
        }
    }

    fn waits_for_checks(&self, request: &Request) -> bool {
        request.method == WorkspaceDiagnosticRequest::METHOD && !self.has_shut_down
    }

    fn answer_workspace_pulls(&mut self) -> Result<(), ConnectionError> {
        for request in std::mem::take(&mut self.workspace_pulls) {
            let response = self.answer(request);
            self.send(response.into())?;
        }
        Ok(())
    }

    /// Does work outside of requests. If it panics, the editor is told and `None` is returned.
    fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, ConnectionError>,
    ) -> Result<Option<T>, ConnectionError> {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(done) => done.map(Some),
            Err(_) => {
                self.show(PANIC)?;
                Ok(None)
            }
        }
    }

    /// Queues a message. A cancellation removes its request from the queue.
    fn take(&mut self, message: Message) -> Result<(), ConnectionError> {
        let Message::Notification(notification) = &message else {
            self.waiting.push_back(message);
            return Ok(());
        };
        if notification.method != "$/cancelRequest" {
            self.waiting.push_back(message);
            return Ok(());
        }
        let id = match notification.params.get("id") {
            Some(Json::Number(number)) => {
                number.as_i64().and_then(|id| i32::try_from(id).ok()).map(RequestId::from)
            }
            Some(Json::String(id)) => Some(RequestId::from(id.clone())),
            _ => None,
        };
        let is_it = |waiting: &Message| matches!(waiting, Message::Request(request) if Some(&request.id) == id.as_ref());
        let waiting = self.waiting.iter().position(is_it).and_then(|at| self.waiting.remove(at));
        let pulls = &mut self.workspace_pulls;
        let pull = pulls.iter().position(|pull| Some(&pull.id) == id.as_ref()).map(|at| pulls.remove(at));
        if let Some(Message::Request(request)) = waiting.or(pull.map(Message::Request)) {
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Response::new_err(request.id, code, "the request was cancelled".to_owned()).into())?;
        }
        Ok(())
    }
}
