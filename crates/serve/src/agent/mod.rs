//! The HTTP API for agents: catalogs, nodes, files, reports, environments, and a proxy to the certificate authority.
#![allow(clippy::result_large_err, reason = "the answer to a wrong request is its error, and is seldom made")]

mod authority;
mod bucket;
mod catalog;
mod code;
mod environment;
mod facts;
mod files;
mod identity;
mod log;
mod replace;
mod report;
mod request;
mod tls;
mod trial;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use puppetfn_authorization::AuthorizationRules;
use puppetfn_base::target::Target;
use puppetfn_compile::Configuration;
use puppetfn_compile::service::{is_environment_name, read_environment};
use puppetfn_fileserver::FileServer;
use puppetfn_project::Environment;
use serde_json::{Map, Value as Json, json};
use tokio::task::spawn_blocking;

pub(crate) use self::authority::AuthorityClient;
pub(crate) use self::bucket::FileBucket;
pub use self::code::VersionedCode;
pub(crate) use self::facts::FactStore;
pub(crate) use self::identity::{AgentIdentity, OidNames};
pub(crate) use self::report::ReportProcessors;
pub use self::report::{ReportAddress, ReportProcessor};
use self::request::AgentRequest;
pub(crate) use self::request::Peer;
pub use self::tls::TlsFiles;
pub(crate) use self::tls::TlsSource;
pub(crate) use self::trial::TrialAuthority;
use crate::api::{ServiceState, error_answer};

/// The header by which agents know the version of the server.
const VERSION: &str = "x-puppet-version";

/// The state that all requests of agents share.
pub(crate) struct AgentState {
    /// The name of the server, if a header can have it.
    pub name: Option<HeaderValue>,
    pub service: Arc<ServiceState>,
    pub configuration: Configuration,
    /// The release whose version agents are told.
    pub target: Target,
    pub authorization: AuthorizationRules,
    pub files: Arc<FileServer>,
    pub reports: ReportProcessors,
    pub facts: FactStore,
    pub code: Option<VersionedCode>,
    pub bucket: Arc<FileBucket>,
    pub authority: AgentAuthority,
}

/// The certificate authority of agents.
pub(crate) enum AgentAuthority {
    /// There is none here.
    None,
    /// Requests go on to another server.
    Remote(AuthorityClient),
    /// The service has one for trying.
    Trial(TrialAuthority),
}

/// Returns the router of agents' requests.
pub(crate) fn router(state: Arc<AgentState>) -> Router {
    // Paths are decoded and checked in one place, before anything depends on them.
    Router::new().fallback(answer).with_state(state)
}

async fn answer(State(state): State<Arc<AgentState>>, request: Request) -> Response {
    let mut response = match AgentRequest::read(request, &state).await {
        Ok(request) => {
            let (endpoint, response) = dispatch(&state, request).await;
            state.service.metrics.answered(endpoint, response.status().as_u16());
            response
        }
        Err(response) => {
            state.service.metrics.answered("refused", response.status().as_u16());
            response
        }
    };
    response.headers_mut().insert(VERSION, HeaderValue::from_static(state.target.version()));
    response
}

/// Returns the name of the endpoint, for metrics, and its answer.
async fn dispatch(state: &Arc<AgentState>, request: AgentRequest) -> (&'static str, Response) {
    let path = request.path.clone();
    if path.starts_with("/puppet-ca/v1/") {
        return ("puppet-ca", certificate_authority(state, request).await);
    }
    let segments: Vec<&str> = path.splitn(5, '/').skip(1).collect();
    match (&request.method, &*segments) {
        (_, ["puppet", "v3", endpoint, key @ ..]) => {
            puppet(state, &request, endpoint, key.first().copied()).await
        }
        (&Method::GET, ["status", "v1", "simple"] | ["status", "v1", "simple", "server" | "master"]) => {
            ("status", ([(CONTENT_TYPE, "text/plain; charset=utf-8")], "running").into_response())
        }
        (&Method::GET, ["status", "v1", "services"]) => ("status", services()),
        (&Method::DELETE, ["puppet-admin-api", "v1", "environment-cache"]) => {
            ("environment-cache", flush(state, &request))
        }
        _ => no_route(&request),
    }
}

async fn certificate_authority(state: &AgentState, request: AgentRequest) -> Response {
    match &state.authority {
        AgentAuthority::Remote(authority) => authority.forward(request).await,
        AgentAuthority::Trial(authority) => {
            let authority = authority.clone();
            blocking(move || authority.answer(&request)).await
        }
        AgentAuthority::None => {
            let message = "Not Found: this server has no certificate authority; set one with --ca-url";
            error_answer(StatusCode::NOT_FOUND, "HANDLER_NOT_FOUND", message)
        }
    }
}

/// Answers a request to `/puppet/v3/ENDPOINT/KEY`.
async fn puppet(
    state: &Arc<AgentState>,
    request: &AgentRequest,
    endpoint: &str,
    key: Option<&str>,
) -> (&'static str, Response) {
    match (&request.method, endpoint, key) {
        (&Method::GET | &Method::POST, "catalog", Some(name)) => {
            ("catalog", catalog::catalog(state, request, name).await)
        }
        (&Method::GET, "node", Some(name)) => ("node", catalog::node(state, request, name).await),
        (&Method::GET, "file_metadata", Some(key)) => {
            ("file_metadata", files::metadata(state, request, key).await)
        }
        (&Method::GET, "file_metadatas", Some(key)) => {
            ("file_metadatas", files::metadatas(state, request, key).await)
        }
        (&Method::GET, "file_content", Some(key)) => {
            ("file_content", files::content(state, request, key).await)
        }
        (&Method::PUT, "report", Some(name)) => ("report", report::process(state, request, name).await),
        (&Method::PUT, "facts", Some(name)) => ("facts", facts::upload(state, request, name).await),
        (&Method::GET | &Method::HEAD | &Method::PUT, "file_bucket_file", Some(key)) => {
            ("file_bucket_file", bucket::answer(state, request, key).await)
        }
        (&Method::GET, "static_file_content", path) => {
            let path = path.unwrap_or_default();
            ("static_file_content", code::static_file_content(state, request, path).await)
        }
        (&Method::GET, "environment_classes", None) => {
            ("environment_classes", environment::classes(state, request).await)
        }
        (&Method::GET, "environment_modules", None) => {
            ("environment_modules", environment::modules(state, request).await)
        }
        (&Method::GET, "environments", None) => {
            let state = Arc::clone(state);
            ("environments", blocking(move || environments(&state)).await)
        }
        _ => no_route(request),
    }
}

fn no_route(request: &AgentRequest) -> (&'static str, Response) {
    let message = format!("Not Found: No route for {} {}", request.method, request.path);
    ("unknown", error_answer(StatusCode::NOT_FOUND, "HANDLER_NOT_FOUND", &message))
}

/// Returns an answer that waits for the disk, from a thread that may.
async fn blocking(answer: impl FnOnce() -> Response + Send + 'static) -> Response {
    spawn_blocking(answer).await.unwrap_or_else(|problem| server_error(&problem.to_string()))
}

/// Returns an answer in JSON.
fn json_answer(body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, "application/json")], body.into()).into_response()
}

/// Returns an error of the server, as Puppet's `HTTPServerError` words it.
fn server_error(message: &str) -> Response {
    let message = format!("Server Error: {message}");
    error_answer(StatusCode::INTERNAL_SERVER_ERROR, "RUNTIME_ERROR", &message)
}

fn bad_request(message: &str) -> Response {
    error_answer(StatusCode::BAD_REQUEST, "RUNTIME_ERROR", &format!("Bad Request: {message}"))
}

/// Returns the name of the environment that a request names, in the order and the words of Puppet's `indirected_routes.rb`.
fn environment_name(request: &AgentRequest) -> Result<&str, Response> {
    let name = request
        .parameter("environment")
        .ok_or_else(|| bad_request("An environment parameter must be specified"))?;
    if !is_environment_name(name) {
        let message = format!("The environment must be purely alphanumeric, not '{}'", name.escape_debug());
        return Err(bad_request(&message));
    }
    Ok(name)
}

/// Returns the name of the environment that a request names, if there is one.
fn existing_environment<'r>(state: &AgentState, request: &'r AgentRequest) -> Result<&'r str, Response> {
    let name = environment_name(request)?;
    if state.service.environments.directory(name).is_none() {
        return Err(no_environment(name));
    }
    Ok(name)
}

fn no_environment(name: &str) -> Response {
    let message = format!("Not Found: Could not find environment '{name}'");
    error_answer(StatusCode::NOT_FOUND, "RUNTIME_ERROR", &message)
}

/// Returns the environment of a name. It waits for the disk.
fn environment(state: &AgentState, name: &str) -> Result<Environment, Response> {
    match read_environment(&state.configuration, &state.service.environments, name) {
        Ok(Some(environment)) => Ok(environment),
        Ok(None) => Err(no_environment(name)),
        Err(failure) => Err(server_error(&failure.to_string())),
    }
}

/// Returns all environments. It waits for the disk. See Puppet's `network/http/api/server/v3/environments.rb`.
fn environments(state: &AgentState) -> Response {
    let mut found = Map::new();
    for (name, directory) in state.service.environments.all() {
        let read = read_environment(&state.configuration, &state.service.environments, &name);
        let Ok(Some(environment)) = read else { continue };
        let text = |path: &std::path::Path| Json::from(path.to_string_lossy());
        let modulepath: Vec<Json> = environment.modulepath.iter().map(|path| text(path)).collect();
        let manifest = environment.manifest.unwrap_or_else(|| directory.join("manifests"));
        let settings = json!({
            "modulepath": modulepath,
            "manifest": text(&manifest),
            // Changes are noticed at once.
            "environment_timeout": 0,
            "config_version": environment.config_version.unwrap_or_default(),
        });
        found.insert(name, json!({"settings": settings}));
    }
    let paths = state.service.environments.search_paths();
    let paths: Vec<_> = paths.iter().map(|path| format!("file://{}", path.display())).collect();
    json_answer(json!({"search_paths": paths, "environments": found}).to_string())
}

fn services() -> Response {
    let status = json!({
        "server": {
            "service_version": env!("CARGO_PKG_VERSION"),
            "service_status_version": 1,
            "detail_level": "info",
            "state": "running",
            "status": {},
            "active_alerts": [],
        }
    });
    json_answer(status.to_string())
}

fn flush(state: &AgentState, request: &AgentRequest) -> Response {
    state.service.flush(request.parameter("environment"));
    StatusCode::NO_CONTENT.into_response()
}
