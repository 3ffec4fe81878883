//! The report processor `http`.

use std::fmt;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use puppetfn_base::error::Error;
use puppetfn_https::{ClientCertificates, innermost_cause};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use crate::agent::TlsFiles;

/// The media type of reports. See Puppet's `reports/http.rb`.
const YAML: &str = "application/x-yaml";
/// The time that the other server has to answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The address of a server that gets reports.
#[derive(Clone, PartialEq, Eq)]
pub struct ReportAddress {
    url: Url,
    /// Whether certificates of the authorities that the system trusts are accepted, too.
    system_store: bool,
}

impl ReportAddress {
    /// Parses the address. `system_store` is Puppet's setting `report_include_system_store`.
    ///
    /// # Errors
    /// Fails if the text is no address of HTTP. The message does not repeat it: it may have a password.
    pub fn parse(text: &str, system_store: bool) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("expected http://HOST or https://HOST".to_owned());
        }
        Ok(Self { url, system_store })
    }
}

/// The address without user and password.
impl fmt::Display for ReportAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.url.clone();
        // Only addresses without a host refuse these.
        _ = shown.set_username("");
        _ = shown.set_password(None);
        // Queries have tokens.
        shown.set_query(None);
        write!(f, "{shown}")
    }
}

impl fmt::Debug for ReportAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReportAddress({self})")
    }
}

/// Sends a report in YAML. The error has no user and no password.
pub(super) async fn send(address: &ReportAddress, client: Client, yaml: String) -> Result<(), String> {
    let failed = |error: reqwest::Error| innermost_cause(&error.without_url());
    let request = client.post(address.url.clone()).header(CONTENT_TYPE, YAML).body(yaml);
    let response = request.send().await.map_err(failed)?;
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    let reason = status.canonical_reason().unwrap_or_default();
    Err(format!("Unable to submit report to {address} [{}] {reason}", status.as_str()))
}

/// Returns a client with the certificates as the files have them now. It waits for the disk.
pub(super) fn client(address: &ReportAddress, tls: &TlsFiles) -> Result<Client, Error> {
    let certificates = if address.url.scheme() == "https" {
        ClientCertificates { includes_system_store: address.system_store, ..tls.client_certificates() }
    } else {
        ClientCertificates::default()
    };
    let client = certificates.http_client()?.timeout(TIMEOUT).redirect(Policy::none());
    client.build().map_err(|error| certificates.unusable(&error))
}
