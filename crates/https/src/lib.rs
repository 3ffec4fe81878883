//! HTTPS clients whose certificates are files in PEM, as Puppet's settings name them.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![allow(clippy::disallowed_methods, reason = "the user names the files of certificates")]

use std::fmt;
use std::fs;
use std::io;
use std::iter::successors;
use std::path::Path;

use puppetfn_base::error::{Error, ErrorKind};
use reqwest::tls::CertificateRevocationList;
use reqwest::{Certificate, ClientBuilder, Identity};

/// The files with the certificates of a client, in PEM.
#[derive(Clone, Copy, Default, Debug)]
pub struct ClientCertificates<'f> {
    /// The trusted authorities of servers' certificates (Puppet's `localcacert`); `None` for the system's.
    pub authorities: Option<&'f Path>,
    /// Whether the authorities that the system trusts are accepted besides. Their lists of revoked certificates are not known, so
    /// [`Self::revocations`] are not read then: certificates without a list are refused.
    pub includes_system_store: bool,
    /// The lists of revoked certificates (Puppet's `hostcrl`). If the file does not exist, none are revoked.
    pub revocations: Option<&'f Path>,
    /// The client's own certificate and its private key (Puppet's `hostcert` and `hostprivkey`).
    pub identity: Option<(&'f Path, &'f Path)>,
}

/// Returns a client of public servers: with the authorities that the system trusts, and the proxy of the environment's variables.
pub fn public_client() -> ClientBuilder {
    // A second call finds the provider that the first has installed.
    _ = rustls::crypto::ring::default_provider().install_default();
    ClientBuilder::new()
}

impl ClientCertificates<'_> {
    /// Reads the files, and returns a client with their certificates and without a proxy. The blocking client is made of it, too.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] if a file cannot be read or has no certificate or key. The message names the file.
    pub fn http_client(&self) -> Result<ClientBuilder, Error> {
        // A second call finds the provider that the first has installed.
        _ = rustls::crypto::ring::default_provider().install_default();
        let mut client = ClientBuilder::new().no_proxy();
        if let Some(path) = self.authorities {
            let authorities = certificates(path)?;
            client = if self.includes_system_store {
                client.tls_certs_merge(authorities)
            } else {
                client.tls_certs_only(authorities)
            };
        }
        if let Some(path) = self.revocations.filter(|_| !self.includes_system_store)
            && let Some(lists) = revocations(path)?
        {
            client = client.tls_crls_only(lists);
        }
        if let Some((certificate, key)) = self.identity {
            client = client.identity(identity(certificate, key)?);
        }
        Ok(client)
    }

    /// Returns the error of a client that cannot be built: certificates are examined only then.
    #[cold]
    pub fn unusable(&self, error: &reqwest::Error) -> Error {
        let Self { authorities, revocations, identity, .. } = self;
        let files = [*authorities, *revocations, identity.map(|(certificate, _)| certificate)];
        let files: Vec<_> = files.into_iter().flatten().map(|path| path.display().to_string()).collect();
        let places = if files.is_empty() { "the system's store".to_owned() } else { files.join(", ") };
        load(format!("a certificate in {places} cannot be used: {}", innermost_cause(error)))
    }
}

/// Returns the innermost cause of an error, which says more than the error itself.
pub fn innermost_cause(error: &(dyn std::error::Error + 'static)) -> String {
    successors(Some(error), |error| error.source()).last().unwrap_or(error).to_string()
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, Error> {
    let certificates = Certificate::from_pem_bundle(&read(path)?);
    let certificates = certificates.map_err(|error| of_file(path, &innermost_cause(&error)))?;
    if certificates.is_empty() {
        return Err(of_file(path, &"there is no certificate in PEM"));
    }
    Ok(certificates)
}

fn revocations(path: &Path) -> Result<Option<Vec<CertificateRevocationList>>, Error> {
    let pem = match fs::read(path) {
        Ok(pem) => pem,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(of_file(path, &error)),
    };
    let lists = CertificateRevocationList::from_pem_bundle(&pem);
    lists.map(Some).map_err(|error| of_file(path, &innermost_cause(&error)))
}

fn identity(certificate: &Path, key: &Path) -> Result<Identity, Error> {
    let pem = [read(key)?, read(certificate)?].join(&b'\n');
    Identity::from_pem(&pem).map_err(|error| {
        load(format!(
            "{} and {}: not a certificate and its key: {}",
            certificate.display(),
            key.display(),
            innermost_cause(&error)
        ))
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| of_file(path, &error))
}

fn of_file(path: &Path, problem: &dyn fmt::Display) -> Error {
    load(format!("{}: {problem}", path.display()))
}

fn load(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use tempfile::TempDir;

    struct PemFiles(TempDir);

    impl PemFiles {
        /// Writes a certificate that signs itself, and its key.
        fn new() -> Self {
            let files = Self(tempfile::tempdir().unwrap());
            let signed = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
            files.write("cert.pem", &signed.cert.pem());
            files.write("key.pem", &signed.signing_key.serialize_pem());
            files
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn write(&self, name: &str, text: &str) -> PathBuf {
            fs::write(self.path(name), text).unwrap();
            self.path(name)
        }
    }

    fn built(certificates: &ClientCertificates<'_>) -> Result<(), String> {
        let client = certificates.http_client();
        let built = client.and_then(|client| client.build().map_err(|error| certificates.unusable(&error)));
        built.map(drop).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn certificates_come_from_files() {
        let files = PemFiles::new();
        let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"));
        let all = ClientCertificates {
            authorities: Some(&certificate),
            identity: Some((&certificate, &key)),
            ..ClientCertificates::default()
        };
        assert_eq!(built(&all), Ok(()));
        let none = files.path("crl.pem");
        assert_eq!(built(&ClientCertificates { revocations: Some(&none), ..all }), Ok(()));
    }

    #[test]
    fn errors_name_the_file() {
        let files = PemFiles::new();
        let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"));
        let (none, empty) = (files.path("none.pem"), files.write("empty.pem", "no certificate"));
        let wrong =
            files.write("wrong.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        let plain = ClientCertificates::default();
        let authorities = |path| built(&ClientCertificates { authorities: Some(path), ..plain }).unwrap_err();
        assert_eq!(authorities(&none), format!("{}: No such file or directory (os error 2)", none.display()));
        assert_eq!(authorities(&empty), format!("{}: there is no certificate in PEM", empty.display()));
        assert!(
            authorities(&wrong)
                .starts_with(&format!("a certificate in {} cannot be used: ", wrong.display()))
        );
        let directory = ClientCertificates { revocations: Some(files.0.path()), ..plain };
        assert!(built(&directory).unwrap_err().starts_with(&files.0.path().display().to_string()));
        let swapped = ClientCertificates { identity: Some((&certificate, &certificate)), ..plain };
        assert!(
            built(&swapped)
                .unwrap_err()
                .starts_with(&format!("{0} and {0}: not a certificate and its key: ", certificate.display()))
        );
        let no_key = ClientCertificates { identity: Some((&certificate, &none)), ..plain };
        assert!(built(&no_key).unwrap_err().starts_with(&none.display().to_string()));
        assert_eq!(built(&ClientCertificates { identity: Some((&certificate, &key)), ..plain }), Ok(()));
    }
}
