//! TLS with certificates of Puppet's authority.
#![allow(clippy::disallowed_methods, reason = "Puppet's settings name the certificates")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use puppetfn_base::file_stamp::FileStamp;
use puppetfn_https::ClientCertificates;
use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::{NoServerSessionStorage, ServerConfig, WebPkiClientVerifier};
use tracing::{error, info};

/// The files of a server's certificates, in PEM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsFiles {
    /// The certificate of the server.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The certificates of the authorities that clients' certificates must come from.
    pub authority: PathBuf,
    /// The revoked certificates. If the file does not exist, none are revoked.
    pub revocations: PathBuf,
}

/// The TLS configuration of a server, which follows changes of its files.
#[derive(Debug)]
pub(crate) struct TlsSource {
    files: TlsFiles,
    current: Mutex<LoadedTlsConfig>,
}

#[derive(Debug)]
struct LoadedTlsConfig {
    /// The stamps of the files, as far as they exist.
    stamps: Vec<Option<FileStamp>>,
    config: Arc<ServerConfig>,
}

impl TlsSource {
    /// Reads the files.
    ///
    /// # Errors
    /// Fails if one cannot be used. The message names it.
    pub fn new(files: TlsFiles) -> io::Result<Self> {
        let stamps = files.stamps();
        let config = Arc::new(files.read()?);
        Ok(Self { files, current: Mutex::new(LoadedTlsConfig { stamps, config }) })
    }

    /// Returns the configuration of a new connection. After a change the files are read again; while they cannot be used, as in the
    /// middle of a change, the last configuration counts.
    pub fn config(&self) -> Arc<ServerConfig> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = self.files.stamps();
        if stamps != current.stamps {
            match self.files.read() {
                Ok(config) => {
                    info!("changed certificates are in use");
                    *current = LoadedTlsConfig { stamps, config: Arc::new(config) };
                }
                Err(error) => {
                    error!(%error, "the changed certificates are invalid: the service keeps the previous ones")
                }
            }
        }
        Arc::clone(&current.config)
    }
}

impl TlsFiles {
    /// Returns the certificates with which this server asks other servers.
    pub(super) fn client_certificates(&self) -> ClientCertificates<'_> {
        ClientCertificates {
            authorities: Some(&self.authority),
            includes_system_store: false,
            revocations: Some(&self.revocations),
            identity: Some((&self.certificate, &self.key)),
        }
    }

    fn stamps(&self) -> Vec<Option<FileStamp>> {
        let stamp = |path: &PathBuf| fs::metadata(path).ok().map(|found| FileStamp::new(&found));
        [&self.certificate, &self.key, &self.authority, &self.revocations].into_iter().map(stamp).collect()
    }

    fn read(&self) -> io::Result<ServerConfig> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(&self.authority)? {
            roots.add(certificate).map_err(|error| of_file(&self.authority, &error))?;
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        // The certificate authority is for clients that have no certificate yet.
        let verifier = verifier.allow_unauthenticated();
        let verifier = match fs::read(&self.revocations) {
            Ok(pem) => {
                let lists: Result<Vec<_>, _> = CertificateRevocationListDer::pem_slice_iter(&pem).collect();
                verifier.with_crls(lists.map_err(|error| of_file(&self.revocations, &error))?)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => verifier,
            Err(error) => return Err(of_file(&self.revocations, &error)),
        };
        let verifier = verifier.build().map_err(|error| of_file(&self.authority, &error))?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| of_file(&self.key, &error))?;
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = config
            .map_err(io::Error::other)?
            .with_client_cert_verifier(verifier)
            .with_single_cert(certificates(&self.certificate)?, key)
            .map_err(|error| of_file(&self.certificate, &error))?;
        // A resumed session would not be asked whether its certificate was revoked.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        Ok(config)
    }
}

fn certificates(path: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let found = CertificateDer::pem_file_iter(path).map_err(|error| of_file(path, &error))?;
    let found: Vec<_> = found.collect::<Result<_, _>>().map_err(|error| of_file(path, &error))?;
    if found.is_empty() {
        return Err(of_file(path, &"there is no certificate in PEM"));
    }
    Ok(found)
}

fn of_file(path: &Path, problem: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {problem}", path.display()))
}
