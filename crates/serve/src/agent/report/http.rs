//! The report processor `http`.
#![allow(clippy::disallowed_methods, reason = "Puppet's settings name the certificates")]

use std::fmt;
use std::fs;
use std::io;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::tls::CertificateRevocationList;
use reqwest::{Certificate, Client, Identity, Url};

use crate::agent::TlsFiles;

/// The media type of reports. See Puppet's `reports/http.rb`.
const YAML: &str = "application/x-yaml";
/// The time that the other server has to answer.
const TIME: Duration = Duration::from_secs(30);

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
pub(super) async fn send(address: &ReportAddress, tls: &TlsFiles, yaml: String) -> Result<(), String> {
    let failed = |error: reqwest::Error| reason(&error.without_url());
    let client = client(address, tls).map_err(|error| error.to_string())?;
    let request = client.post(address.url.clone()).header(CONTENT_TYPE, YAML).body(yaml);
    let response = request.send().await.map_err(failed)?;
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    let reason = status.canonical_reason().unwrap_or_default();
    Err(format!("Unable to submit report to {address} [{}] {reason}", status.as_str()))
}

/// Returns a client with the certificates as the files have them now.
fn client(address: &ReportAddress, tls: &TlsFiles) -> io::Result<Client> {
    // A second call finds the provider that the first has installed.
    _ = rustls::crypto::ring::default_provider().install_default();
    let mut client = Client::builder().no_proxy().timeout(TIME).redirect(Policy::none());
    if address.url.scheme() == "https" {
        let of = |error: reqwest::Error| io::Error::other(reason(&error));
        let trusted = Certificate::from_pem_bundle(&fs::read(&tls.authority)?).map_err(of)?;
        client = if address.system_store {
            client.tls_certs_merge(trusted)
        } else {
            client.tls_certs_only(trusted)
        };
        if let (Ok(lists), false) = (fs::read(&tls.revocations), address.system_store) {
            client = client.tls_crls_only(CertificateRevocationList::from_pem_bundle(&lists).map_err(of)?);
        }
        let mut identity = fs::read(&tls.key)?;
        identity.push(b'\n');
        identity.extend(fs::read(&tls.certificate)?);
        client = client.identity(Identity::from_pem(&identity).map_err(of)?);
    }
    client.build().map_err(|error| io::Error::other(reason(&error)))
}

/// Returns the innermost cause of an error, which says more than the error itself.
fn reason(error: &(dyn std::error::Error + 'static)) -> String {
    std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error).to_string()
}
