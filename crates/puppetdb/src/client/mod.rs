//! A live PuppetDB, reached by HTTP.
//!
//! See `puppet/util/puppetdb/http.rb` of PuppetDB's termini, whose messages these are.

mod settings;

use std::io::{ErrorKind as IoErrorKind, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{ExportQuery, ExportSource, ExportedResource};
use puppetfn_https::innermost_cause;
use puppetfn_types::convert::json::{from_json, to_json};
use puppetfn_types::function::QuerySource;
use puppetfn_types::value::Value;
use reqwest::blocking::{Client as HttpClient, ClientBuilder, Response};
use reqwest::{StatusCode, Url};
use serde_json::{Value as Json, json};

pub use self::settings::ClientSettings;
use crate::commands::PuppetDbCommand;
use crate::store::exported;
use crate::stored::StoredResource;

/// The end of a warning about a server.
const FAILING_OVER: &str = "Failing over to the next PuppetDB server_url in the 'server_urls' list";

/// The endpoint of resources.
const RESOURCES: &str = "/pdb/query/v4/resources";

/// The endpoint of commands.
const COMMANDS: &str = "/pdb/cmd/v1";

/// The endpoint of queries that name their entity.
const ROOT: &str = "/pdb/query/v4";

/// The characters that a query in an address escapes, apart from spaces, as `CGI.escape` does.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'*').remove(b'-').remove(b'.').remove(b'_').remove(b' ');

/// A client of PuppetDB.
#[derive(Debug)]
pub struct PuppetDbClient {
    http: HttpClient,
    servers: Vec<Url>,
    /// The servers that get commands.
    submitting: Vec<Url>,
    settings: ClientSettings,
    limits: Limits,
    /// The index of the server that was asked last.
    last: AtomicUsize,
}

/// Why a server has not answered.
enum ServerFailure {
    /// It cannot be reached, or answers with an error: a message for the user.
    Refused(String),
    TimedOut,
}

/// An answer of a server.
struct ServerResponse {
    status: StatusCode,
    body: Vec<u8>,
}

impl PuppetDbClient {
    /// Creates a client. It connects with the first request.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] if a certificate or key cannot be read, or the address of a server is malformed.
    pub fn new(settings: ClientSettings, limits: Limits) -> Result<Self, Error> {
        let servers: Vec<Url> =
            settings.server_urls.iter().map(|url| server(url)).collect::<Result<_, _>>()?;
        let others = settings.submit_only_server_urls.iter().map(|url| server(url));
        let submitting = servers.iter().cloned().map(Ok).chain(others).collect::<Result<_, _>>()?;
        let certificates = settings.certificates();
        let http = ClientBuilder::from(certificates.http_client()?).timeout(settings.timeout);
        let http = http.build().map_err(|error| certificates.unusable(&error))?;
        Ok(Self { http, servers, submitting, settings, limits, last: AtomicUsize::new(0) })
    }

    /// Returns the answer to a query: JSON of PQL's text or of an abstract syntax tree. `endpoint` is the entity of a query that names none; such a
    /// query may be null, for all rows.
    ///
    /// # Errors
    /// Fails if no server answers, or the answer is not JSON or too large.
    pub fn query(
        &self,
        query: &Json,
        endpoint: Option<&str>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Value, Error> {
        let query = match endpoint {
            None => query.clone(),
            Some(entity) => {
                let condition = Some(query.clone()).filter(|query| !query.is_null());
                ["from".into(), entity.replace('-', "_").into()].into_iter().chain(condition).collect()
            }
        };
        let answer = self.post(ROOT, &json!({ "query": query }), warn)?;
        from_json(&parsed(&answer)?, &self.limits)
    }

    /// Returns the settings.
    pub fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    fn resources(
        &self,
        query: &ExportQuery,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<StoredResource>, Error> {
        let ast = query.to_ast().to_string();
        let escaped = utf8_percent_encode(&ast, ESCAPED).to_string().replace(' ', "+");
        let route = format!("{RESOURCES}?query={escaped}");
        let get = |url: Url| self.http.get(url).header("accept", "application/json").send();
        parsed(&self.request(&route, warn, &get)?)
    }

    /// Submits a command. PuppetDB runs it later.
    ///
    /// # Errors
    /// Fails if no server accepts it.
    pub fn submit(&self, command: &PuppetDbCommand, warn: &mut dyn FnMut(String)) -> Result<(), Error> {
        let PuppetDbCommand { name, version, certname, timestamp, payload } = command;
        let escaped = |text: &str| utf8_percent_encode(text, ESCAPED).to_string().replace(' ', "+");
        let route = format!(
            "{COMMANDS}?version={version}&certname={}&command={name}&producer-timestamp={}",
            escaped(certname),
            escaped(timestamp),
        );
        let body = payload.to_string();
        self.submit_to_servers(&route, warn, &|url| self.posted(url, &body)).map_err(|error| {
            let name = name.replace('_', " ");
            let message =
                format!("Failed to submit '{name}' command for {certname} to PuppetDB: {}", error.message());
            Error::new(ErrorKind::Evaluation, message)
        })
    }

    fn post(&self, route: &str, body: &Json, warn: &mut dyn FnMut(String)) -> Result<Vec<u8>, Error> {
        let body = body.to_string();
        self.request(route, warn, &|url| self.posted(url, &body))
    }

    fn posted(&self, url: Url, body: &str) -> reqwest::Result<Response> {
        let request = self.http.post(url).header("content-type", "application/json; charset=utf-8");
        request.header("accept", "application/json").body(body.to_owned()).send()
    }

    /// Sends a command to the first server that accepts it, or to all.
    fn submit_to_servers(
        &self,
        route: &str,
        warn: &mut dyn FnMut(String),
        send: &dyn Fn(Url) -> reqwest::Result<Response>,
    ) -> Result<(), Error> {
        let (mut accepted, mut refusal) = (0, None);
        for server in &self.submitting {
            match self.answer(server, route, warn, send) {
                Some(Ok(_)) => accepted += 1,
                Some(Err(error)) => refusal = Some(error),
                None => continue,
            }
            if !self.settings.command_broadcast {
                break;
            }
        }
        if accepted > 0 && accepted >= self.settings.min_successful_submissions {
            return Ok(());
        }
        Err(refusal.unwrap_or_else(|| self.unanswered(route)))
    }

    /// Returns the first answer of a server. The server of the last request is tried first.
    fn request(
        &self,
        route: &str,
        warn: &mut dyn FnMut(String),
        send: &dyn Fn(Url) -> reqwest::Result<Response>,
    ) -> Result<Vec<u8>, Error> {
        let first = self.last.load(Ordering::Relaxed);
        for index in (first..self.servers.len()).chain(0..first) {
            let Some(server) = self.servers.get(index) else { continue };
            self.last.store(index, Ordering::Relaxed);
            if let Some(answer) = self.answer(server, route, warn, send) {
                return answer;
            }
        }
        Err(self.unanswered(route))
    }

    fn unanswered(&self, route: &str) -> Error {
        let servers: Vec<_> = self.servers.iter().map(|url| url.as_str().trim_end_matches('/')).collect();
        let message = format!(
            "Failed to execute '{route}' on at least {} of the following 'server_urls': {}",
            self.settings.min_successful_submissions,
            servers.join(", "),
        );
        Error::new(ErrorKind::Evaluation, message)
    }

    /// Returns the answer of a server, or its refusal; `None` if another has to be asked.
    fn answer(
        &self,
        server: &Url,
        route: &str,
        warn: &mut dyn FnMut(String),
        send: &dyn Fn(Url) -> reqwest::Result<Response>,
    ) -> Option<Result<Vec<u8>, Error>> {
        match self.ask(server, route, send) {
            Ok(ServerResponse { status, body }) if status.is_success() => return Some(Ok(body)),
            // Another server would say the same.
            Ok(ServerResponse { status, body })
                if status.is_client_error() && status != StatusCode::NOT_FOUND =>
            {
                let body = String::from_utf8_lossy(&body).replace(['\r', '\n'], "");
                let message = format!("[{}] {body}", shown(status));
                return Some(Err(Error::new(ErrorKind::Evaluation, message)));
            }
            Ok(ServerResponse { status, .. }) => {
                warn(refused(server, route, status.canonical_reason().unwrap_or(status.as_str())))
            }
            Err(ServerFailure::TimedOut) => warn(format!(
                "Request to {} at route {} timed out after {} seconds. {FAILING_OVER}",
                place(server),
                address(server, route),
                self.settings.timeout.as_secs_f64(),
            )),
            Err(ServerFailure::Refused(message)) => warn(refused(server, route, &message)),
        }
        None
    }

    fn ask(
        &self,
        server: &Url,
        route: &str,
        send: &dyn Fn(Url) -> reqwest::Result<Response>,
    ) -> Result<ServerResponse, ServerFailure> {
        let url =
            Url::parse(&address(server, route)).map_err(|error| ServerFailure::Refused(error.to_string()))?;
        let response = send(url).map_err(|error| failure(&error))?;
        let status = response.status();
        let mut body = Vec::new();
        // A byte more than allowed shows that there is more.
        let limit = self.settings.max_answer.saturating_add(1);
        response.take(limit).read_to_end(&mut body).map_err(|error| {
            if matches!(error.kind(), IoErrorKind::TimedOut | IoErrorKind::WouldBlock) {
                ServerFailure::TimedOut
            } else {
                ServerFailure::Refused(format!("the answer ends early: {error}"))
            }
        })?;
        if body.len() as u64 >= limit {
            return Err(ServerFailure::Refused(format!(
                "the answer has more than {} bytes",
                self.settings.max_answer
            )));
        }
        Ok(ServerResponse { status, body })
    }
}

impl ExportSource for PuppetDbClient {
    fn find(
        &self,
        query: &ExportQuery,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<ExportedResource>, Error> {
        let found = self.resources(query, warn).map_err(|error| {
            let index = self.last.load(Ordering::Relaxed);
            let server = self.servers.get(index).map(|server| server.as_str().trim_end_matches('/'));
            let message = format!(
                "Could not retrieve resources from the PuppetDB at {}: {}",
                server.unwrap_or_default(),
                error.message(),
            );
            Error::new(ErrorKind::Evaluation, message)
        })?;
        found.iter().map(|resource| exported(resource, &self.limits)).collect()
    }
}

impl QuerySource for PuppetDbClient {
    fn query(
        &self,
        query: &Value,
        endpoint: Option<&str>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Value, Error> {
        Self::query(self, &to_json(query, &self.limits)?, endpoint, warn)
    }
}

/// Parses the address of a server.
fn server(text: &str) -> Result<Url, Error> {
    let load = |message| Error::new(ErrorKind::Load, message);
    let wrong = |problem: &dyn std::fmt::Display| {
        load(format!("Error parsing URL '{text}' in PuppetDB 'server_urls', error message was '{problem}'"))
    };
    let url = Url::parse(text).map_err(|error| wrong(&error))?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(wrong(&"expected https://HOST:PORT"));
    }
    if !matches!(url.path(), "" | "/") || url.query().is_some() {
        return Err(load(format!("PuppetDB 'server_urls' cannot contain URL paths, found '{text}'")));
    }
    Ok(url)
}

fn address(server: &Url, route: &str) -> String {
    format!("{}{route}", server.as_str().trim_end_matches('/'))
}

fn place(server: &Url) -> String {
    let port = server.port_or_known_default().map(|port| port.to_string());
    format!("{} on {}", server.host_str().unwrap_or_default(), port.unwrap_or_default())
}

fn shown(status: StatusCode) -> String {
    format!("{} {}", status.as_str(), status.canonical_reason().unwrap_or_default()).trim_end().to_owned()
}

fn refused(server: &Url, route: &str, message: &str) -> String {
    format!(
        "Error connecting to {} at route {}, error message received was '{message}'. {FAILING_OVER}",
        place(server),
        address(server, route),
    )
}

fn failure(error: &reqwest::Error) -> ServerFailure {
    if error.is_timeout() { ServerFailure::TimedOut } else { ServerFailure::Refused(innermost_cause(error)) }
}

fn parsed<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        Error::new(ErrorKind::Evaluation, format!("PuppetDB's answer is malformed: {error}"))
    })
}
