//! A certificate authority for trying the service on this machine: it signs the certificate of everybody who asks.
#![allow(clippy::disallowed_methods, reason = "the authority stores its certificates in its own directory")]

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, SerialNumber, SubjectPublicKeyInfo,
};
use x509_parser::certification_request::X509CertificationRequest;
use x509_parser::prelude::FromDer;

use super::request::AgentRequest;
use super::tls::TlsFiles;
use super::{bad_request, server_error};
use crate::api::error_answer;

/// The lifetime of the certificates.
const LIFETIME: Duration = Duration::from_secs(5 * 365 * 24 * 60 * 60);
/// The names of the server: agents on this machine reach it by one of them.
const SERVER_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A certificate authority in a directory that only its owner can read.
#[derive(Clone, Debug)]
pub(crate) struct TrialAuthority {
    directory: PathBuf,
}

impl TrialAuthority {
    /// Opens the authority of a directory, which is made with its certificates if it does not exist.
    ///
    /// # Errors
    /// Fails if the directory cannot be written or a certificate cannot be made.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let authority = Self { directory: directory.to_owned() };
        if !authority.files().revocations.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(directory.join("signed"))?;
            authority.create().map_err(io::Error::other)?;
        }
        Ok(authority)
    }

    /// Returns the files of the server's certificates.
    pub fn files(&self) -> TlsFiles {
        let file = |name| self.directory.join(name);
        TlsFiles {
            certificate: file("server.pem"),
            key: file("server_key.pem"),
            authority: file("ca.pem"),
            revocations: file("crl.pem"),
        }
    }

    /// Makes all certificates. The list of revoked certificates, which is empty, is written last.
    fn create(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let key = KeyPair::generate()?;
        let mut params = params("puppetfn serve, for trying", &[])?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.extended_key_usages.clear();
        let certificate = params.self_signed(&key)?;
        self.write("ca_key.pem", &key.serialize_pem())?;
        self.write("ca.pem", &certificate.pem())?;
        let issuer = Issuer::new(params, key);
        let server_key = KeyPair::generate()?;
        let server = self::params("localhost", &SERVER_NAMES)?.signed_by(&server_key, &issuer)?;
        self.write("server_key.pem", &server_key.serialize_pem())?;
        self.write("server.pem", &server.pem())?;
        let now = SystemTime::now();
        let revocations = CertificateRevocationListParams {
            this_update: now.into(),
            next_update: (now + LIFETIME).into(),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: Vec::new(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        self.write("crl.pem", &revocations.signed_by(&issuer)?.pem()?)?;
        Ok(())
    }

    /// Answers a request of an agent. See <https://www.puppet.com/docs/puppet/8/server/http_api_index.html>.
    pub(super) fn answer(&self, request: &AgentRequest) -> Response {
        let path = request.path.strip_prefix("/puppet-ca/v1/").unwrap_or_default();
        match (&request.method, path.split_once('/')) {
            (&Method::GET, Some(("certificate", "ca"))) => self.file("ca.pem"),
            (&Method::GET, Some(("certificate_revocation_list", "ca"))) => self.file("crl.pem"),
            (&Method::GET, Some(("certificate", name))) if is_file_name(name) => {
                self.file(&format!("signed/{name}.pem"))
            }
            (&Method::PUT, Some(("certificate_request", name))) if is_file_name(name) => {
                match self.sign(name, &request.body) {
                    Ok(()) => StatusCode::OK.into_response(),
                    Err(problem) => bad_request(&format!("the certificate request: {problem}")),
                }
            }
            _ => error_answer(
                StatusCode::NOT_FOUND,
                "RESOURCE_NOT_FOUND",
                "Not Found: the trial authority has no such path",
            ),
        }
    }

    /// Signs the request of an agent, in PEM.
    fn sign(&self, name: &str, request: &[u8]) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (_, pem) = x509_parser::pem::parse_x509_pem(request)?;
        let (_, request) = X509CertificationRequest::from_der(&pem.contents)?;
        request.verify_signature()?;
        let request = &request.certification_request_info;
        let common = request.subject.iter_common_name().next().and_then(|common| common.as_str().ok());
        if common != Some(name) {
            return Err(format!("expected the common name {name}").into());
        }
        let key = SubjectPublicKeyInfo::from_der(request.subject_pki.raw)?;
        let issuer_key = KeyPair::from_pem(&self.read("ca_key.pem")?)?;
        let issuer = Issuer::from_ca_cert_pem(&self.read("ca.pem")?, issuer_key)?;
        let certificate = params(name, &[])?.signed_by(&key, &issuer)?;
        self.write(&format!("signed/{name}.pem"), &certificate.pem())?;
        Ok(())
    }

    fn file(&self, name: &str) -> Response {
        match self.read(name) {
            Ok(text) => ([(CONTENT_TYPE, "text/plain")], text).into_response(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => error_answer(
                StatusCode::NOT_FOUND,
                "RESOURCE_NOT_FOUND",
                "Not Found: there is no such certificate",
            ),
            Err(error) => server_error(&error.to_string()),
        }
    }

    fn read(&self, name: &str) -> io::Result<String> {
        fs::read_to_string(self.directory.join(name))
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.directory.join(name);
        let unfinished = path.with_extension("new");
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        file.write_all(text.as_bytes())?;
        fs::rename(&unfinished, &path)
    }
}

/// Returns the parameters of a certificate for servers and clients.
fn params(common_name: &str, names: &[&str]) -> Result<CertificateParams, rcgen::Error> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names)?;
    let now = SystemTime::now();
    // The clocks of machines differ.
    params.not_before = (now - Duration::from_secs(24 * 60 * 60)).into();
    params.not_after = (now + LIFETIME).into();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, common_name);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyEncipherment];
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    Ok(params)
}

fn is_file_name(name: &str) -> bool {
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !name.starts_with('.') && !name.is_empty() && name.bytes().all(is_valid)
}
