//! Requests of agents, decoded once.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use puppetfn_authorization::AuthorizationRequest;
use tracing::warn;

use super::AgentState;
use super::identity::AgentIdentity;
use crate::api::{ServiceState, error_answer, unread_body};
use crate::body::RequestBody;

/// The media type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// A request of an agent.
pub(super) struct AgentRequest {
    pub method: Method,
    /// The path, decoded.
    pub path: String,
    /// The parameters of the query and of a form, decoded.
    pub parameters: Vec<(String, String)>,
    pub client: Option<Arc<AgentIdentity>>,
    /// The media types that the client accepts, in its order.
    accepted: Vec<String>,
    pub parts: Parts,
    pub body: RequestBody,
}

impl AgentRequest {
    /// Reads and decodes a request, or returns the answer to one that cannot be decoded.
    pub async fn read(request: Request, state: &AgentState) -> Result<Self, Response> {
        let path = decoded_path(request.uri().path())?;
        let peer = request.extensions().get::<Peer>().cloned().unwrap_or_default();
        let client = peer.client;
        let query: Vec<(String, String)> =
            decoded_pairs(request.uri().query().unwrap_or_default().as_bytes()).collect();
        let authorized = state.authorization.authorize(&AuthorizationRequest {
            method: &request.method().as_str().to_ascii_lowercase(),
            path: &path,
            query: &query,
            client: client.as_ref().map(|client| &client.subject),
            address: &peer.address,
        });
        if let Err(denial) = authorized {
            warn!("{}", denial.log);
            let media_type = [(CONTENT_TYPE, "text/plain; charset=utf-8")];
            return Err((StatusCode::FORBIDDEN, media_type, denial.message).into_response());
        }
        let (parts, body) = request.into_parts();
        let ServiceState { bodies, limits, .. } = &*state.service;
        let body =
            bodies.read(&parts.headers, body, limits).await.map_err(|problem| unread_body(&problem))?;
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let form = if header("content-type").split(';').next().map(str::trim) == Some(FORM) {
            &body[..]
        } else {
            &[]
        };
        let parameters = query.into_iter().chain(decoded_pairs(form)).collect();
        let accepted = header("accept").split(',').filter_map(|range| range.split(';').next());
        let accepted = accepted.map(|range| range.trim().to_ascii_lowercase()).collect();
        Ok(Self { method: parts.method.clone(), path, parameters, client, accepted, parts, body })
    }

    /// Returns the last value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if the client accepts a media type. One that names none accepts all.
    pub fn accepts(&self, media_type: &str) -> bool {
        let is_all = |range: &String| range.is_empty() || range == "*/*";
        self.accepted.iter().all(String::is_empty)
            || self.accepted.iter().any(|range| range == media_type || is_all(range))
    }
}

/// The other end of a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer {
    /// Its address, for the log.
    pub address: String,
    /// The client, if it has a certificate.
    pub client: Option<Arc<AgentIdentity>>,
}

/// Decodes the parameters of a query or a form.
fn decoded_pairs(text: &[u8]) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(text).map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// Decodes a path. Separators, `..` and null characters that are encoded could mean another path to somebody else.
fn decoded_path(path: &str) -> Result<String, Response> {
    let bad = |problem| {
        Err(error_answer(StatusCode::BAD_REQUEST, "RUNTIME_ERROR", &format!("Bad Request: {problem}")))
    };
    let lower = path.to_ascii_lowercase();
    if ["%2f", "%5c", "%00"].iter().any(|encoded| lower.contains(encoded)) {
        return bad("the path has an encoded separator or null character");
    }
    let Ok(decoded) = percent_decode_str(path).decode_utf8() else {
        return bad("the path is not UTF-8");
    };
    if decoded.split('/').any(|segment| matches!(segment, "." | "..")) {
        return bad("the path has a segment . or ..");
    }
    Ok(decoded.into_owned())
}
