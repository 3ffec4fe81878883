//! Catalogs and nodes.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use puppetfn_compile::service::{Call, Outcome};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use tracing::{error, info, warn};

use super::request::AgentRequest;
use super::{AgentState, bad_request, environment_name, json_answer, server_error};
use crate::api::failure;
use crate::pool::PoolFailure;

/// The media type of JSON with Puppet's rich data.
const RICH_JSON: &str = "application/vnd.puppet.rich+json";
const JSON: &str = "application/json";

/// The answer of a worker.
#[derive(Deserialize)]
struct Compiled<'a> {
    #[serde(borrow)]
    catalog: &'a RawValue,
    log: Vec<LogLine>,
}

/// The error of a worker.
#[derive(Deserialize)]
struct Failed {
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
    let body = match catalog_request(request, name) {
        Ok(body) => body,
        Err(response) => return response,
    };
    let body = match ask(state, Call::Catalog, body).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let Ok(Compiled { catalog, log }) = serde_json::from_slice(&body) else {
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
        return failure(StatusCode::NOT_ACCEPTABLE, "UNSUPPORTED_FORMAT", &message);
    };
    ([(CONTENT_TYPE, media_type)], Body::from(catalog.get().to_owned())).into_response()
}

/// Returns a node as its classifier describes it.
pub(super) async fn node(state: &AgentState, request: &AgentRequest, name: &str) -> Response {
    let environment = match environment_name(request) {
        Ok(environment) => environment,
        Err(response) => return response,
    };
    let body = json!({"node": name, "environment": environment, "classify": true});
    match ask(state, Call::Node, body).await {
        Ok(body) => json_answer(body),
        Err(response) => response,
    }
}

/// Returns the request for a worker.
fn catalog_request(request: &AgentRequest, name: &str) -> Result<Json, Response> {
    let environment = environment_name(request)?;
    let flag = |name| request.parameter(name) == Some("true");
    let facts = match request.parameter("facts") {
        Some(text) => facts(request, name, text)?,
        None => Json::Null,
    };
    Ok(json!({
        "node": name,
        "environment": environment,
        "facts": facts,
        "trusted": request.client.as_ref().map(|client| client.trusted()),
        "transaction_uuid": request.parameter("transaction_uuid"),
        "classify": true,
        "check_environment": flag("check_environment"),
    }))
}

/// Returns the facts of a request. See `extract_facts_from_request` in Puppet's `indirector/catalog/compiler.rb`.
fn facts(request: &AgentRequest, name: &str, text: &str) -> Result<Json, Response> {
    match request.parameter("facts_format") {
        Some(JSON | "pson") => {}
        Some(_) => return Err(server_error("Unsupported facts format")),
        None => return Err(server_error(&format!("Facts but no fact format provided for {name}"))),
    }
    // Agents encode facts for a form, and then the form.
    let text = text.replace('+', " ");
    let text = percent_decode_str(&text).decode_utf8();
    let text = text.map_err(|_| bad_request("the facts are not UTF-8"))?;
    let mut facts: Json = serde_json::from_str(&text)
        .map_err(|error| bad_request(&format!("the facts are not JSON: {error}")))?;
    let owner = facts.get("name").and_then(Json::as_str).unwrap_or_default();
    if owner != name {
        let message = format!(
            "Catalog for {name:?} was requested with fact definition for the wrong node ({owner:?})."
        );
        return Err(server_error(&message));
    }
    Ok(facts.get_mut("values").map(Json::take).unwrap_or_default())
}

/// Returns the body of a worker's answer, or the answer for its error.
async fn ask(state: &AgentState, call: Call, body: Json) -> Result<Vec<u8>, Response> {
    let member = |name| body.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let (node, environment) = (member("node"), member("environment"));
    let body = body.to_string();
    let (answer, body) = state.service.pool.ask(&call, body.as_bytes()).await.map_err(|refused| {
        error!(failure = ?refused, node, environment, "request");
        match refused {
            PoolFailure::Busy => failure(
                StatusCode::SERVICE_UNAVAILABLE,
                "RUNTIME_ERROR",
                "Too many requests wait for a worker",
            ),
            PoolFailure::TimedOut(time) => {
                server_error(&format!("the request took longer than {} seconds", time.as_secs_f64()))
            }
            PoolFailure::Lost(problem) => server_error(&problem),
            PoolFailure::NoWorker(error) => server_error(&format!("no worker can be started: {error}")),
        }
    })?;
    if call == Call::Catalog {
        state.service.metrics.compiled(answer.seconds, answer.attempts);
    }
    if answer.outcome == Outcome::Compiled {
        let (seconds, attempts) = (answer.seconds, answer.attempts);
        info!(node = answer.node, environment = answer.environment, seconds, attempts, ?call, "answered");
        return Ok(body);
    }
    let failed = serde_json::from_slice(&body);
    let Failed { message, log } =
        failed.unwrap_or_else(|error| Failed { message: error.to_string(), log: Vec::new() });
    write_log(&answer.node, &log);
    error!(node = answer.node, environment = answer.environment, "{message}");
    Err(match answer.outcome {
        Outcome::BadRequest => bad_request(&message),
        Outcome::NoEnvironment => {
            failure(StatusCode::NOT_FOUND, "RUNTIME_ERROR", &format!("Not Found: {message}"))
        }
        Outcome::Unsettled | Outcome::Outdated => {
            failure(StatusCode::SERVICE_UNAVAILABLE, "RUNTIME_ERROR", &message)
        }
        Outcome::Compiled
        | Outcome::Failed
        | Outcome::Declined
        | Outcome::Misconfigured
        | Outcome::Flushed => server_error(&message),
    })
}

fn write_log(node: &str, log: &[LogLine]) {
    for LogLine { level, source, message } in log {
        let source = source.as_deref();
        match &**level {
            "debug" => tracing::debug!(node, source, "{message}"),
            "info" | "notice" => info!(node, source, "{message}"),
            "warning" => warn!(node, source, "{message}"),
            _ => error!(node, source, "{message}"),
        }
    }
}
