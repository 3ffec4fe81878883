//! The classes and the modules of environments, for consoles.
//!
//! See `master_core.clj` of puppetserver.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::response::{IntoResponse, Response};
use puppetfn_compile::service::{RequestHeader, is_environment_name};
use puppetfn_fileserver::ContentDigest;

use super::catalog::ask_worker;
use super::request::AgentRequest;
use super::{AgentState, server_error};
use crate::api::with_retry;

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
/// The end of an entity tag whose answer a server has compressed.
const COMPRESSED: &str = "--gzip";

/// Returns the classes of an environment, unless the client has them.
pub(super) async fn classes(state: &AgentState, request: &AgentRequest) -> Response {
    let name = match requested(state, request) {
        Ok(Some(name)) => name,
        Ok(None) => {
            return text_answer(StatusCode::BAD_REQUEST, "An environment parameter must be specified");
        }
        Err(response) => return response,
    };
    let body = match ask_worker(state, RequestHeader::Classes(name.to_owned()), "", Vec::new()).await {
        Ok(body) => body,
        Err(response) => return with_retry(response),
    };
    let digest = ContentDigest::parse("sha256").map(|digest| digest.of_content(&mut &*body));
    let Some(Ok(tag)) = digest else { return server_error("the classes have no digest") };
    let known = request.parts.headers.get(IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    if known.map(|known| known.strip_suffix(COMPRESSED).unwrap_or(known)) == Some(&*tag) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    ([(CONTENT_TYPE, JSON.to_owned()), (ETAG, tag)], Body::from(body)).into_response()
}

/// Returns the modules of an environment, or of all.
pub(super) async fn modules(state: &AgentState, request: &AgentRequest) -> Response {
    let one = match requested(state, request) {
        Ok(one) => one,
        Err(response) => return response,
    };
    let names = match one {
        Some(name) => vec![name.to_owned()],
        None => state.service.environments.all().into_iter().map(|(name, _)| name).collect(),
    };
    let mut bodies = Vec::new();
    for name in names {
        match ask_worker(state, RequestHeader::Modules(name), "", Vec::new()).await {
            Ok(body) => bodies.push(body),
            Err(response) => return response,
        }
    }
    let body = bodies.join(&b',');
    let body = if one.is_some() { body } else { [b"[".as_slice(), &body, b"]"].concat() };
    ([(CONTENT_TYPE, JSON)], Body::from(body)).into_response()
}

/// Returns the environment that a request names, if it names one.
fn requested<'r>(state: &AgentState, request: &'r AgentRequest) -> Result<Option<&'r str>, Response> {
    let Some(name) = request.parameter("environment") else { return Ok(None) };
    if !is_environment_name(name) {
        let message = format!("The environment must be purely alphanumeric, not '{}'", name.escape_debug());
        return Err(text_answer(StatusCode::BAD_REQUEST, &message));
    }
    if state.service.environments.directory(name).is_none() {
        return Err(text_answer(StatusCode::NOT_FOUND, &format!("Could not find environment '{name}'")));
    }
    Ok(Some(name))
}

/// Returns an answer in text, as puppetserver's own endpoints have it.
pub(super) fn text_answer(status: StatusCode, message: &str) -> Response {
    (status, [(CONTENT_TYPE, TEXT)], message.to_owned()).into_response()
}
