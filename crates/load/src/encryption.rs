//! Encrypted connections.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, pem};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::Error;
use crate::target::Target;

/// How connections to a server are encrypted.
#[derive(Clone)]
pub(crate) struct Encryption {
    connector: TlsConnector,
    /// Whose certificate is wanted.
    name: ServerName<'static>,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Encryption").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Encryption {
    /// For a server that the certificates of a file vouch for, in PEM; of none, the system's.
    ///
    /// # Errors
    /// There are no certificates, the file has one that is none, or the server's name is none that a certificate can have.
    pub(crate) fn new(target: &Target, certificates: Option<&Path>) -> Result<Encryption, Error> {
        let roots = certificates.map_or_else(of_system, of_file)?;
        let name = ServerName::try_from(target.host.clone());
        let name = name.map_err(|_| Error::Url {
            url: target.authority.clone(),
            reason: "no certificate can have its host".to_owned(),
        })?;
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|reason| Error::Untrusted { authority: target.authority.clone(), reason: reason.to_string() })?;
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Encryption { connector: TlsConnector::from(Arc::new(config)), name })
    }

    /// The same connection, encrypted.
    pub(crate) async fn over(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        self.connector.connect(self.name.clone(), stream).await
    }
}

/// The certificates of a file in PEM.
///
/// # Errors
/// It cannot be read, has none, or one of them is none.
fn of_file(path: &Path) -> Result<RootCertStore, Error> {
    let unread = |reason| Error::CertificateFile { path: path.to_path_buf(), reason };
    let found = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found = found.map_err(|error| match error {
        pem::Error::Io(error) => unread(error.to_string()),
        other => unread(other.to_string()),
    })?;
    let mut roots = RootCertStore::empty();
    for (certificate, number) in found.into_iter().zip(1..) {
        roots.add(certificate).map_err(|error| unread(format!("number {number} of them is none: {error}")))?;
    }
    if roots.is_empty() {
        return Err(Error::NoCertificates { whose: path.display().to_string(), reason: String::new() });
    }
    Ok(roots)
}

/// The system's certificates.
///
/// # Errors
/// It has none.
fn of_system() -> Result<RootCertStore, Error> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    // Some may be of a kind that is not known.
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let reason = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
        return Err(Error::NoCertificates { whose: "the system".to_owned(), reason });
    }
    Ok(roots)
}
