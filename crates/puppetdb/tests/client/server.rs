//! A server over TLS that asks for the client's certificate, and the authority that signs all certificates.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, IsCa, KeyIdMethod,
    KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber, date_time_ymd,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

/// The serial number of the certificate that is revoked.
const REVOKED: u64 = 13;

/// An authority that signs certificates.
pub struct TestAuthority(CertifiedIssuer<'static, KeyPair>);

/// The files that a client has.
pub struct ClientFiles(TempDir);

impl ClientFiles {
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl TestAuthority {
    pub fn new() -> Self {
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Self(CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap())
    }

    /// Returns a certificate for `localhost` and its key.
    fn signed(&self, serial: u64) -> (rcgen::Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        parameters.serial_number = Some(SerialNumber::from(serial));
        (parameters.signed_by(&key, &self.0).unwrap(), key)
    }

    /// Writes the files of a client: the authority's certificate and list of revoked certificates, a certificate and its key.
    pub fn files(&self) -> ClientFiles {
        let files = ClientFiles(tempfile::tempdir().unwrap());
        let (certificate, key) = self.signed(1);
        let revoked = RevokedCertParams {
            serial_number: SerialNumber::from(REVOKED),
            revocation_time: date_time_ymd(2024, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2024, 1, 1),
            next_update: date_time_ymd(2099, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: vec![revoked],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let list = list.signed_by(&self.0).unwrap();
        for (name, pem) in [
            ("ca.pem", self.0.pem()),
            ("crl.pem", list.pem().unwrap()),
            ("cert.pem", certificate.pem()),
            ("key.pem", key.serialize_pem()),
        ] {
            std::fs::write(files.path(name), pem).unwrap();
        }
        files
    }

    fn config(&self, serial: u64) -> ServerConfig {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .build()
            .unwrap();
        let (certificate, key) = self.signed(serial);
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )
            .unwrap()
    }
}

/// A server, whose thread ends with the process.
pub struct TestServer {
    pub port: u16,
}

impl TestServer {
    pub fn start(authority: &TestAuthority, handle: impl Fn(&str) -> String + Send + 'static) -> Self {
        Self::with(authority.config(2), handle)
    }

    /// Starts a server whose certificate is revoked.
    pub fn revoked(authority: &TestAuthority, handle: impl Fn(&str) -> String + Send + 'static) -> Self {
        Self::with(authority.config(REVOKED), handle)
    }

    fn with(config: ServerConfig, handle: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let config = Arc::new(config);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                let mut tls = StreamOwned::new(connection, stream.unwrap());
                if let Some(request) = request(&mut tls) {
                    _ = tls.write_all(handle(&request).as_bytes());
                    tls.conn.send_close_notify();
                    _ = tls.flush();
                }
            }
        });
        Self { port }
    }

    pub fn url(&self) -> String {
        format!("https://localhost:{}", self.port)
    }
}

/// Reads a request; `None` if the client ends the connection before.
fn request(tls: &mut impl Read) -> Option<String> {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        let count = tls.read(&mut buffer).ok().filter(|count| *count > 0)?;
        text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            return Some(text);
        }
    }
}

/// Returns an answer after which the connection ends.
pub fn answer(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}
