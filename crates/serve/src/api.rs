//! The requests of a compile service: catalogs, the cache of environments, status and metrics.

use std::borrow::Cow;
use std::process;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use puppetfn_compile::service::{EnvironmentSource, RequestHeader, RequestOutcome, is_environment_name};
use serde::Deserialize;
use serde_json::json;
use tracing::{error, info};

use crate::body::{BodyFailure, BodyMemory};
use crate::connection::ConnectionLimits;
use crate::memory::resident;
use crate::metrics::Metrics;
use crate::pool::{PoolFailure, WorkerPool};

/// The content type of the metrics: see the OpenMetrics specification.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The time after which a client may try again, in seconds.
const RETRY: HeaderValue = HeaderValue::from_static("5");

/// The state that all requests share.
pub(crate) struct ServiceState {
    pub pool: WorkerPool,
    pub metrics: Arc<Metrics>,
    pub environments: EnvironmentSource,
    pub limits: ConnectionLimits,
    pub bodies: BodyMemory,
}

type SharedService = State<Arc<ServiceState>>;

/// Returns the router of the socket's requests.
pub(crate) fn router(state: Arc<ServiceState>) -> Router {
    Router::new()
        .route("/v1/catalog", post(catalog))
        .route("/v1/environment-cache", delete(flush))
        .route("/v1/status", get(status))
        .route("/metrics", get(metrics))
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .with_state(state)
}

async fn catalog(State(state): SharedService, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let response = match state.bodies.read(&parts.headers, body, &state.limits).await {
        Ok(body) => compiled(&state, &body).await,
        Err(problem) => unread_body(&problem),
    };
    state.metrics.answered("catalog", response.status().as_u16());
    response
}

/// Returns the answer to a request whose body is not read.
pub(crate) fn unread_body(problem: &BodyFailure) -> Response {
    let status = problem.status();
    let issue_kind = if status == StatusCode::SERVICE_UNAVAILABLE { "BUSY" } else { "BAD_REQUEST" };
    with_retry(error_answer(status, issue_kind, &problem.to_string()))
}

async fn compiled(state: &ServiceState, body: &[u8]) -> Response {
    let (answer, body) = match state.pool.ask(&RequestHeader::Catalog, body).await {
        Ok(answer) => answer,
        Err(refused) => return refusal(refused, body),
    };
    state.metrics.compiled(answer.seconds, answer.attempts);
    let status = status_of(answer.outcome);
    info!(
        node = answer.node,
        environment = answer.environment,
        status = status.as_u16(),
        seconds = answer.seconds,
        attempts = answer.attempts,
        "catalog"
    );
    with_retry((status, [(CONTENT_TYPE, "application/json")], Body::from(body)).into_response())
}

fn status_of(outcome: RequestOutcome) -> StatusCode {
    match outcome {
        RequestOutcome::Compiled => StatusCode::OK,
        RequestOutcome::Flushed => StatusCode::NO_CONTENT,
        RequestOutcome::Failed => StatusCode::UNPROCESSABLE_ENTITY,
        RequestOutcome::BadRequest => StatusCode::BAD_REQUEST,
        RequestOutcome::NoEnvironment => StatusCode::NOT_FOUND,
        RequestOutcome::Declined => StatusCode::NOT_IMPLEMENTED,
        RequestOutcome::Misconfigured => StatusCode::INTERNAL_SERVER_ERROR,
        RequestOutcome::Unsettled | RequestOutcome::Outdated => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// The names in a request, for the log.
#[derive(Deserialize, Default)]
struct RequestNames<'b> {
    #[serde(borrow, default)]
    node: Cow<'b, str>,
    #[serde(borrow, default)]
    environment: Cow<'b, str>,
}

fn refusal(refused: PoolFailure, body: &[u8]) -> Response {
    let RequestNames { node, environment } = serde_json::from_slice(body).unwrap_or_default();
    error!(node = &*node, environment = &*environment, "{refused}");
    let (status, issue_kind) = match refused {
        PoolFailure::Busy => (StatusCode::SERVICE_UNAVAILABLE, "BUSY"),
        PoolFailure::TimedOut(_) => (StatusCode::GATEWAY_TIMEOUT, "TIMED_OUT"),
        PoolFailure::Lost(_) | PoolFailure::NoWorker(_) => {
            (StatusCode::INTERNAL_SERVER_ERROR, "WORKER_ENDED")
        }
    };
    with_retry(error_answer(status, issue_kind, &refused.to_string()))
}

/// Tells clients when to try again, if the service is only busy.
pub(crate) fn with_retry(mut response: Response) -> Response {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, RETRY);
    }
    response
}

impl ServiceState {
    /// Makes all workers read an environment anew, or all of them.
    pub fn flush(&self, environment: Option<&str>) {
        // Nothing is in memory of an environment that does not exist.
        let exists = |name: &str| is_environment_name(name) && self.environments.directory(name).is_some();
        if environment.is_none_or(exists) {
            info!(environment, "flush");
            self.pool.flush(environment.map(str::to_owned));
        }
    }
}

#[derive(Deserialize)]
struct FlushQuery {
    environment: Option<String>,
}

async fn flush(State(state): SharedService, query: Result<Query<FlushQuery>, QueryRejection>) -> Response {
    let query = match query {
        Ok(Query(query)) => query,
        Err(problem) => return error_answer(StatusCode::BAD_REQUEST, "BAD_REQUEST", &problem.body_text()),
    };
    state.flush(query.environment.as_deref());
    state.metrics.answered("environment-cache", StatusCode::NO_CONTENT.as_u16());
    StatusCode::NO_CONTENT.into_response()
}

async fn status() -> Response {
    let body = json!({"state": "running", "version": env!("CARGO_PKG_VERSION")});
    ([(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

async fn metrics(State(state): SharedService) -> Response {
    let own = resident(process::id()).unwrap_or_default();
    match state.metrics.text(own + state.pool.memory()) {
        Ok(text) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => error_answer(StatusCode::INTERNAL_SERVER_ERROR, "METRICS", &error.to_string()),
    }
}

async fn not_found(uri: Uri) -> Response {
    let paths = "/v1/catalog, /v1/environment-cache, /v1/status or /metrics";
    let message = format!("unknown path {}: expected {paths}", uri.path());
    error_answer(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", &message)
}

async fn wrong_method(method: Method, uri: Uri) -> Response {
    let message = format!("{} does not answer {method}", uri.path());
    error_answer(StatusCode::METHOD_NOT_ALLOWED, "BAD_REQUEST", &message)
}

/// Returns the answer for a failure, in Puppet's form.
pub(crate) fn error_answer(status: StatusCode, issue_kind: &str, message: &str) -> Response {
    let body = json!({"message": message, "issue_kind": issue_kind});
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
