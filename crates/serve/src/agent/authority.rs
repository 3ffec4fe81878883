//! Requests that go on to the certificate authority.

use std::io;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use reqwest::{Certificate, Client, Url};
use tracing::error;

use super::request::AgentRequest;
use crate::api::failure;

/// The time that the authority has to answer.
const TIME: Duration = Duration::from_secs(30);

/// A client of the certificate authority.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    http: Client,
    url: Url,
}

impl Authority {
    /// Creates a client of the authority at an address, whose certificate must come from an authority in a file in PEM.
    ///
    /// # Errors
    /// Fails if the address or the file cannot be used.
    #[allow(clippy::disallowed_methods, reason = "Puppet's settings name the certificate")]
    pub fn new(url: &str, certificates: &Path) -> io::Result<Self> {
        // A second call finds the provider that the first has installed.
        _ = rustls::crypto::ring::default_provider().install_default();
        let of_url = |problem: &dyn std::fmt::Display| io::Error::other(format!("{url}: {problem}"));
        let parsed = Url::parse(url).map_err(|error| of_url(&error))?;
        if parsed.scheme() != "https" {
            return Err(of_url(&"expected https://HOST:PORT"));
        }
        let of_file = |problem: &dyn std::fmt::Display| {
            io::Error::other(format!("{}: {problem}", certificates.display()))
        };
        let pem = std::fs::read(certificates).map_err(|error| of_file(&error))?;
        let trusted = Certificate::from_pem_bundle(&pem).map_err(|error| of_file(&error))?;
        let http = Client::builder().no_proxy().timeout(TIME).tls_certs_only(trusted).build();
        Ok(Self { http: http.map_err(|error| of_url(&error))?, url: parsed })
    }

    /// Passes a request on, and the answer back. The authority does not see the client's certificate.
    pub(super) async fn forward(&self, request: AgentRequest) -> Response {
        let Self { http, url } = self;
        let mut url = url.clone();
        url.set_path(&request.path);
        url.set_query(request.parts.uri.query());
        let mut sent = http.request(request.method.clone(), url).body(request.body.clone());
        for name in [ACCEPT, CONTENT_TYPE] {
            if let Some(value) = request.parts.headers.get(&name) {
                sent = sent.header(name, value);
            }
        }
        let passed_on = async {
            let answer = sent.send().await?;
            let (status, media_type) = (answer.status(), answer.headers().get(CONTENT_TYPE).cloned());
            Ok::<_, reqwest::Error>((status, media_type, answer.bytes().await?))
        };
        match passed_on.await {
            Ok((status, media_type, body)) => {
                let mut response = (status, Body::from(body)).into_response();
                match media_type {
                    Some(media_type) => response.headers_mut().insert(CONTENT_TYPE, media_type),
                    None => response.headers_mut().remove(CONTENT_TYPE),
                };
                response
            }
            Err(problem) => {
                error!(%problem, "the certificate authority");
                failure(StatusCode::BAD_GATEWAY, "RUNTIME_ERROR", "the certificate authority does not answer")
            }
        }
    }
}
