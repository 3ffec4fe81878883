//! Catalogs and nodes.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use puppetfn_compile::service::{RequestHeader, RequestOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use tracing::{error, info};

use super::code::code_id;
use super::facts::WireFacts;
use super::log::write_line;
use super::request::AgentRequest;
use super::{AgentState, bad_request, environment_name, json_answer, server_error};
use crate::api::{error_answer, with_retry};
use crate::pool::PoolFailure;

/// The media type of JSON with Puppet's rich data.
const RICH_JSON: &str = "application/vnd.puppet.rich+json";
const JSON: &str = "application/json";

/// The header of catalogs, by which agents of Puppet 8 know the server that compiled them: see `wrap-with-certname-as-compiler` of
/// puppetserver's `ringutils.clj`.
const COMPILER: &str = "x-puppet-compiler-name";

/// A request for a worker: see `service/request.rs` of the compiler.
#[derive(Default, Serialize)]
struct WorkerRequest<'a> {
    node: &'a str,
    environment: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Box<RawValue>>,
    store_facts: bool,
    trusted: Option<Json>,
    transaction_uuid: Option<&'a str>,
    code_id: Option<String>,
    static_catalog: bool,
    checksum_type: Option<&'a str>,
    classify: bool,
    check_environment: bool,
}

/// The answer of a worker that has compiled a catalog.
#[derive(Deserialize)]
struct CatalogAnswer<'a> {
    #[serde(borrow)]
    catalog: &'a RawValue,
    log: Vec<LogLine>,
}

/// The error of a worker.
#[derive(Deserialize)]
struct WorkerError {
    message: String,
    #[serde(default)]
    log: Vec<LogLine>,
}

#[derive(Deserialize)]
struct LogLine {
    level: String,
    #[serde(default)]
    source: Option<String>,
    message: String,
}

/// Returns the catalog of a node, compiled with the facts in the request.
pub(super) async fn catalog(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let mut response = compiled(state, request, name).await;
    if let Some(server) = state.name.clone().filter(|_| request.method == Method::POST) {
        response.headers_mut().insert(COMPILER, server);
    }
    response
}

async fn compiled(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let body = match catalog_request(state, request, name).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let body = match ask_worker(state, RequestHeader::Catalog, name, body).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let Ok(CatalogAnswer { catalog, log }) = serde_json::from_slice(&body) else {
        return server_error("the worker's answer has no catalog");
    };
    write_log(name, &log);
    let media_type = if request.accepts(RICH_JSON) {
        RICH_JSON
    } else if request.accepts(JSON) && !catalog.get().contains("\"__ptype\"") {
        JSON
    } else {
        let message =
            format!("Not Acceptable: No supported formats are acceptable (Accept: {RICH_JSON}, {JSON})");
        return error_answer(StatusCode::NOT_ACCEPTABLE, "UNSUPPORTED_FORMAT", &message);
    };
    ([(CONTENT_TYPE, media_type)], Body::from(catalog.get().to_owned())).into_response()
}

/// Returns a node as its classifier describes it.
pub(super) async fn node(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let environment = match environment_name(request) {
        Ok(environment) => environment,
        Err(response) => return response,
    };
    let request = WorkerRequest { node: name, environment, classify: true, ..WorkerRequest::default() };
    let body = match body(&request) {
        Ok(body) => body,
        Err(response) => return response,
    };
    match ask_worker(state, RequestHeader::Node, name, body).await {
        Ok(body) => json_answer(body),
        Err(response) => response,
    }
}

/// Returns the request for a worker.
async fn catalog_request(
    state: &AgentState,
    request: &AgentRequest,
    name: &str,
) -> Result<Vec<u8>, Response> {
    let environment = environment_name(request)?;
    let trusted = request.client.as_ref().map(|client| client.trusted(&state.configuration.limits));
    let trusted = trusted.transpose().map_err(|error| server_error(&error.to_string()))?;
    let stored = || async { state.facts.find(name).await.map_err(|problem| server_error(&problem)) };
    let (facts, are_new) = match request.parameter("facts") {
        Some(text) => (state.facts.keep(facts(request, name, text)?).await, true),
        None => (stored().await?, false),
    };
    body(&WorkerRequest {
        node: name,
        environment,
        facts,
        store_facts: are_new,
        trusted,
        transaction_uuid: request.parameter("transaction_uuid"),
        code_id: code_id(state, environment).await.map_err(|problem| server_error(&problem))?,
        static_catalog: request.parameter("static_catalog") == Some("true"),
        checksum_type: request.parameter("checksum_type"),
        classify: true,
        check_environment: request.parameter("check_environment") == Some("true"),
    })
}

/// Returns the facts of a request. See `extract_facts_from_request` in Puppet's `indirector/catalog/compiler.rb`.
fn facts(request: &AgentRequest, name: &str, text: &str) -> Result<WireFacts, Response> {
    match request.parameter("facts_format") {
        Some(JSON | "pson") => {}
        Some(_) => return Err(server_error("Unsupported facts format")),
        None => return Err(server_error(&format!("Facts but no fact format provided for {name}"))),
    }
    // Agents encode facts for a form, and then the form.
    let text = text.replace('+', " ");
    let text = percent_decode_str(&text).decode_utf8();
    let text = text.map_err(|_| bad_request("the facts are not UTF-8"))?;
    let facts: WireFacts = serde_json::from_str(&text)
        .map_err(|error| bad_request(&format!("the facts are not JSON: {error}")))?;
    if facts.name != name {
        let message = format!(
            "Catalog for {name:?} was requested with fact definition for the wrong node ({:?}).",
            facts.name
        );
        return Err(server_error(&message));
    }
    Ok(facts)
}

fn body(request: &WorkerRequest<'_>) -> Result<Vec<u8>, Response> {
    serde_json::to_vec(request).map_err(|error| server_error(&error.to_string()))
}

/// Returns the body of a worker's answer, or the answer for its error.
pub(super) async fn ask_worker(
    state: &AgentState,
    call: RequestHeader,
    node: &str,
    body: Vec<u8>,
) -> Result<Vec<u8>, Response> {
    let (answer, body) = state.service.pool.ask(&call, &body).await.map_err(|refused| {
        error!(node, "{refused}");
        match refused {
            PoolFailure::Busy => with_retry(error_answer(
                StatusCode::SERVICE_UNAVAILABLE,
                "RUNTIME_ERROR",
                &refused.to_string(),
            )),
            PoolFailure::TimedOut(_) | PoolFailure::Lost(_) | PoolFailure::NoWorker(_) => {
                server_error(&refused.to_string())
            }
        }
    })?;
    if call == RequestHeader::Catalog {
        state.service.metrics.compiled(answer.seconds, answer.attempts);
    }
    if answer.outcome == RequestOutcome::Compiled {
        let (seconds, attempts) = (answer.seconds, answer.attempts);
        info!(node = answer.node, environment = answer.environment, seconds, attempts, ?call, "answered");
        return Ok(body);
    }
    let failed = serde_json::from_slice(&body);
    let WorkerError { message, log } =
        failed.unwrap_or_else(|error| WorkerError { message: error.to_string(), log: Vec::new() });
    write_log(&answer.node, &log);
    error!(node = answer.node, environment = answer.environment, "{message}");
    Err(match answer.outcome {
        RequestOutcome::BadRequest => bad_request(&message),
        RequestOutcome::NoEnvironment => {
            error_answer(StatusCode::NOT_FOUND, "RUNTIME_ERROR", &format!("Not Found: {message}"))
        }
        RequestOutcome::Unsettled | RequestOutcome::Outdated => {
            with_retry(error_answer(StatusCode::SERVICE_UNAVAILABLE, "RUNTIME_ERROR", &message))
        }
        RequestOutcome::Compiled
        | RequestOutcome::Failed
        | RequestOutcome::Declined
        | RequestOutcome::Misconfigured
        | RequestOutcome::Flushed => server_error(&message),
    })
}

fn write_log(node: &str, log: &[LogLine]) {
    for LogLine { level, source, message } in log {
        write_line(node, level, source.as_deref(), message);
    }
}
