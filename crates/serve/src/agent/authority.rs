//! Requests that go on to the certificate authority.

use std::fmt;
use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderName, IF_MODIFIED_SINCE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use puppetfn_base::error::Error;
use puppetfn_https::{ClientCertificates, innermost_cause};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};
use tokio::task::spawn_blocking;
use tracing::{error, warn};
use x509_parser::pem::parse_x509_pem;
use x509_parser::prelude::{FromDer, X509Certificate};

use super::identity::AgentIdentity;
use super::request::AgentRequest;
use super::tls::TlsFiles;
use crate::api::error_answer;

/// The time that the authority has to answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The largest answer of the authority, in bytes. Lists of revoked certificates are the largest.
const LARGEST_ANSWER: usize = 64 << 20;

/// The path of requests for a new certificate with the key and name of the old one.
const RENEWAL: &str = "/puppet-ca/v1/certificate_renewal";

/// The header with the certificate of the client for which another server asks: see `request->cert` of puppetserver's
/// `certificate_authority_core.clj`.
const CLIENT_CERTIFICATE: HeaderName = HeaderName::from_static("x-client-cert");

/// A client of the certificate authority.
#[derive(Clone, Debug)]
pub(crate) struct AuthorityClient {
    url: Url,
    files: TlsFiles,
}

impl AuthorityClient {
    /// Creates a client of the authority at an address. Its certificate must come from the authority of the service's own files, and must
    /// not be revoked.
    ///
    /// # Errors
    /// Fails if the address is malformed or a file cannot be used.
    pub fn new(url: &str, files: TlsFiles) -> io::Result<Self> {
        let of_url = |problem: &dyn fmt::Display| io::Error::other(format!("{url}: {problem}"));
        let parsed = Url::parse(url).map_err(|error| of_url(&error))?;
        if parsed.scheme() != "https" {
            return Err(of_url(&"expected https://HOST:PORT"));
        }
        http_client(&files, false).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { url: parsed, files })
    }

    /// Passes a request on, and the answer back. The authority does not see the certificate of the client, except to renew it.
    pub(super) async fn forward(&self, request: AgentRequest) -> Response {
        let renewed =
            (request.method == Method::POST && request.path == RENEWAL).then(|| request.client.clone());
        if let Some(client) = renewed.flatten() {
            return self.renew(&request, &client).await;
        }
        match self.ask(&request, None).await {
            Ok(answer) => answer.into_response(),
            Err(problem) => no_answer(&problem),
        }
    }

    /// Has the certificate of a client renewed. The service asks with its own certificate, which it shows for nothing else, and names the
    /// client's in a header. An authority that does not read the header would renew the service's own certificate.
    async fn renew(&self, request: &AgentRequest, client: &AgentIdentity) -> Response {
        let header = utf8_percent_encode(&pem(&client.certificate), NON_ALPHANUMERIC).to_string();
        let answer = match self.ask(request, Some(header)).await {
            Ok(answer) => answer,
            Err(problem) => return no_answer(&problem),
        };
        if answer.status != StatusCode::OK {
            warn!(
                client = client.name,
                status = answer.status.as_u16(),
                "the certificate authority renews certificates for this service only if its infra_inventory.txt has the service's name"
            );
        } else if !is_renewal(&answer.body, &client.certificate) {
            let problem = "the certificate authority renews no certificates for other servers";
            error!(client = client.name, "{problem}");
            return error_answer(StatusCode::BAD_GATEWAY, "RUNTIME_ERROR", problem);
        }
        answer.into_response()
    }

    /// Asks the authority, for a client whose certificate is in a header if it is not `None`. The files are read for each request, as agents
    /// seldom have any and the list of revoked certificates changes.
    async fn ask(
        &self,
        request: &AgentRequest,
        certificate: Option<String>,
    ) -> Result<AuthorityAnswer, String> {
        let (files, shows_own) = (self.files.clone(), certificate.is_some());
        let http = spawn_blocking(move || http_client(&files, shows_own));
        let http = http.await.map_err(|problem| problem.to_string())?.map_err(|error| error.to_string())?;
        let mut url = self.url.clone();
        url.set_path(&request.path);
        url.set_query(request.parts.uri.query());
        let headers = &request.parts.headers;
        let passed_on = [ACCEPT, CONTENT_TYPE, IF_MODIFIED_SINCE];
        let passed_on =
            passed_on.into_iter().filter_map(|name| Some((name.clone(), headers.get(&name)?.clone())));
        let mut sent = http.request(request.method.clone(), url).headers(passed_on.collect());
        if let Some(certificate) = certificate {
            sent = sent.header(CLIENT_CERTIFICATE, certificate);
        }
        answer(sent.body(request.body.clone())).await
    }
}

struct AuthorityAnswer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl IntoResponse for AuthorityAnswer {
    fn into_response(self) -> Response {
        let mut response = (self.status, Body::from(self.body)).into_response();
        *response.headers_mut() = self.headers;
        response
    }
}

async fn answer(request: RequestBuilder) -> Result<AuthorityAnswer, String> {
    let failed = |error: reqwest::Error| innermost_cause(&error);
    let mut answer = request.send().await.map_err(failed)?;
    let media_type = answer.headers().get(CONTENT_TYPE).map(|value| (CONTENT_TYPE, value.clone()));
    let (status, headers) = (answer.status(), media_type.into_iter().collect());
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(failed)? {
        if body.len().saturating_add(part.len()) > LARGEST_ANSWER {
            return Err(format!("its answer is larger than {} MiB", LARGEST_ANSWER >> 20));
        }
        body.extend_from_slice(&part);
    }
    Ok(AuthorityAnswer { status, headers, body })
}

fn no_answer(problem: &str) -> Response {
    error!(problem, "the certificate authority");
    error_answer(StatusCode::BAD_GATEWAY, "RUNTIME_ERROR", "the certificate authority does not answer")
}

/// Returns a client of the authority, as the files are now. It waits for the disk.
fn http_client(files: &TlsFiles, shows_own: bool) -> Result<Client, Error> {
    let certificates = files.client_certificates();
    let identity = certificates.identity.filter(|_| shows_own);
    let certificates = ClientCertificates { identity, ..certificates };
    // No other server gets requests, or sees the certificate.
    let client = certificates.http_client()?.timeout(TIMEOUT).redirect(Policy::none());
    client.build().map_err(|error| certificates.unusable(&error))
}

/// Returns a certificate in PEM.
fn pem(der: &[u8]) -> String {
    // A line has 64 characters.
    let lines: String = der.chunks(48).map(|line| STANDARD.encode(line) + "\n").collect();
    format!("-----BEGIN CERTIFICATE-----\n{lines}-----END CERTIFICATE-----\n")
}

/// Returns true if a certificate in PEM has the name and the key of another.
fn is_renewal(renewed: &[u8], der: &[u8]) -> bool {
    let Ok((_, renewed)) = parse_x509_pem(renewed) else { return false };
    let parsed = (X509Certificate::from_der(&renewed.contents), X509Certificate::from_der(der));
    let (Ok((_, renewed)), Ok((_, old))) = parsed else { return false };
    renewed.subject().as_raw() == old.subject().as_raw() && renewed.public_key().raw == old.public_key().raw
}
