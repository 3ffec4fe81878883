//! Metadata and contents of files.

use std::io::Read;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::try_unfold;
use puppetfn_fileserver::{FileContent, FileError, FileMetadata, FileRequest, FileServer, query_options};
use puppetfn_project::Environment;
use tokio::task::spawn_blocking;

use super::log::write_messages;
use super::request::AgentRequest;
use super::{AgentState, environment, environment_name, json_answer, server_error};
use crate::api::error_answer;

/// The size of a part of a file that is sent at once, in bytes.
const PART: usize = 64 << 10;

pub(super) async fn metadata(state: &Arc<AgentState>, request: &AgentRequest, key: &str) -> Response {
    let found = with_files(state, request, key, |files, environment, request| {
        files.metadata(environment, request).map(|metadata| vec![metadata])
    });
    match found.await {
        Ok(found) => match found.first().map(FileMetadata::to_json) {
            Some(Ok(json)) => json_answer(json),
            Some(Err(error)) => server_error(&error.to_string()),
            None => server_error("the file has no metadata"),
        },
        Err(response) => response,
    }
}

pub(super) async fn metadatas(state: &Arc<AgentState>, request: &AgentRequest, key: &str) -> Response {
    let found =
        with_files(state, request, key, |files, environment, request| files.metadatas(environment, request));
    match found.await {
        Ok(found) => match serde_json::to_vec(&found) {
            Ok(json) => json_answer(json),
            Err(error) => server_error(&error.to_string()),
        },
        Err(response) => response,
    }
}

pub(super) async fn content(state: &Arc<AgentState>, request: &AgentRequest, key: &str) -> Response {
    let found =
        with_files(state, request, key, |files, environment, request| files.content(environment, request));
    match found.await {
        Ok(file) => binary(file),
        Err(response) => response,
    }
}

/// Returns an answer with a file.
pub(super) fn binary(file: FileContent) -> Response {
    let headers =
        [(CONTENT_TYPE, "application/octet-stream".to_owned()), (CONTENT_LENGTH, file.length().to_string())];
    (headers, Body::from_stream(parts(file))).into_response()
}

/// Calls the file server in a thread that may wait for the disk.
async fn with_files<T: Send + 'static>(
    state: &Arc<AgentState>,
    request: &AgentRequest,
    key: &str,
    find: impl FnOnce(&FileServer, &Environment, &FileRequest) -> Result<T, FileError> + Send + 'static,
) -> Result<T, Response> {
    let name = environment_name(request)?.to_owned();
    let parameters = request.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = query_options(parameters);
    let (key, node) = (key.to_owned(), request.client.as_ref().map(|client| client.name.clone()));
    let state = Arc::clone(state);
    let found = spawn_blocking(move || {
        let environment = environment(&state, &name)?;
        let request = FileRequest { key, node, options: options.map_err(|error| file_error(&error))? };
        let found = find(&state.files, &environment, &request);
        write_messages(&state.files.take_log());
        found.map_err(|error| file_error(&error))
    });
    found.await.unwrap_or_else(|error| Err(server_error(&error.to_string())))
}

pub(super) fn file_error(error: &FileError) -> Response {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    error_answer(status, error.issue_kind(), &error.to_string())
}

/// Returns the parts of a file.
fn parts(file: FileContent) -> impl Stream<Item = std::io::Result<Bytes>> {
    try_unfold(file, |mut file| async move {
        let read = spawn_blocking(move || {
            let mut part = vec![0; PART];
            let length = file.read(&mut part)?;
            part.truncate(length);
            Ok::<_, std::io::Error>((part, file))
        });
        let (part, file) = read.await.map_err(std::io::Error::other)??;
        Ok((!part.is_empty()).then(|| (Bytes::from(part), file)))
    })
}
