//! Messages that the server sends on its own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{Notification as _, Progress, ShowMessage};
use lsp_types::request::{RegisterCapability, Request as _, WorkDoneProgressCreate};
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, NumberOrString,
    ProgressParams, ProgressParamsValue, Registration, RegistrationParams, ShowMessageParams,
    WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde::Serialize;

use super::ConnectionError;
use super::server::{PANIC, Server};

/// The files that the editor is to watch.
const WATCHED: [&str; 5] = [
    "**/*.{pp,epp,erb,rb}",
    "**/*.{yaml,yml,json,eyaml}",
    "**/environment.conf",
    "**/puppetfn.toml",
    "**/Puppetfile",
];

impl Server<'_> {
    /// Sends a notification.
    pub(crate) fn tell(&self, method: &str, params: &impl Serialize) -> Result<(), ConnectionError> {
        let params = serde_json::to_value(params)?;
        self.send(Notification { method: method.to_owned(), params }.into())
    }

    /// Sends a request without waiting for its response, which has no content.
    pub(crate) fn ask(&mut self, method: &str, params: &impl Serialize) -> Result<(), ConnectionError> {
        self.asked = self.asked.wrapping_add(1);
        let (id, params) = (RequestId::from(self.asked), serde_json::to_value(params)?);
        self.send(Request { id, method: method.to_owned(), params }.into())
    }

    pub(crate) fn send(&self, message: Message) -> Result<(), ConnectionError> {
        Ok(self.connection.sender.send(message)?)
    }

    /// Shows an error in the editor.
    pub(crate) fn show(&self, message: &str) -> Result<(), ConnectionError> {
        let params = ShowMessageParams { typ: MessageType::ERROR, message: message.to_owned() };
        self.tell(ShowMessage::METHOD, &params)
    }

    /// Asks the editor to watch files, if it can.
    pub(crate) fn watch_files(&mut self) -> Result<(), ConnectionError> {
        if !self.client.watches_files {
            return Ok(());
        }
        let watcher = |pattern: &str| FileSystemWatcher {
            glob_pattern: GlobPattern::String(pattern.to_owned()),
            kind: None,
        };
        let options =
            DidChangeWatchedFilesRegistrationOptions { watchers: WATCHED.into_iter().map(watcher).collect() };
        let registration = Registration {
            id: "puppetfn/files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(serde_json::to_value(options)?),
        };
        self.ask(RegisterCapability::METHOD, &RegistrationParams { registrations: vec![registration] })
    }

    /// Reads stale projects, and reports the progress to the editor.
    pub(crate) fn read_projects(&mut self) -> Result<(), ConnectionError> {
        if !self.state.projects.iter().any(|project| project.is_stale) {
            return Ok(());
        }
        let token = NumberOrString::String(format!("puppetfn/read/{}", self.asked));
        let begin = WorkDoneProgressBegin {
            title: "Reading Puppet code".to_owned(),
            percentage: Some(0),
            ..WorkDoneProgressBegin::default()
        };
        if self.client.shows_progress {
            self.ask(WorkDoneProgressCreate::METHOD, &WorkDoneProgressCreateParams { token: token.clone() })?;
        }
        self.progress(&token, WorkDoneProgress::Begin(begin))?;
        let mut projects = std::mem::take(&mut self.state.projects);
        for project in projects.iter_mut().filter(|project| project.is_stale) {
            let mut report = |done: usize, all: usize| {
                let report = WorkDoneProgressReport {
                    message: Some(format!("{done} of {all} files")),
                    percentage: u32::try_from(done.saturating_mul(100) / all.max(1)).ok(),
                    ..WorkDoneProgressReport::default()
                };
                // A closed connection is noticed when the next message is read.
                _ = self.progress(&token, WorkDoneProgress::Report(report));
            };
            let read = AssertUnwindSafe(|| project.read(&self.state.documents, &mut report));
            match catch_unwind(read) {
                Ok(failures) => failures.iter().try_for_each(|failure| self.show(&failure.to_string()))?,
                Err(_) => self.show(PANIC)?,
            }
        }
        self.state.projects = projects;
        self.state.is_saved = true;
        self.progress(&token, WorkDoneProgress::End(WorkDoneProgressEnd::default()))
    }

    fn progress(&self, token: &NumberOrString, progress: WorkDoneProgress) -> Result<(), ConnectionError> {
        if !self.client.shows_progress {
            return Ok(());
        }
        let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(progress) };
        self.tell(Progress::METHOD, &params)
    }
}
