//! Encrypted connections.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem};
use rustls::server::ServerConfig;
use tokio_rustls::TlsAcceptor;

use crate::follow::Watched;

/// What a server proves with who it is: a chain of certificates and the key of the first, which it reads again when the files change.
#[derive(Debug)]
pub struct Tls {
    /// Both files as they were before they were read.
    certificate: Watched,
    key: Watched,
    config: RwLock<Arc<ServerConfig>>,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {} as {what} in PEM: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
        /// Why.
        reason: pem::Error,
    },
    /// A key is encrypted, for which there is no password.
    #[error(
        "the private key {} is encrypted, and nobody is asked for its password: write a copy that is not by `openssl pkey -in {} -out KEY.pem`, keep it \
         where only the server reads it, and give that one",
        .0.display(), .0.display()
    )]
    Encrypted(PathBuf),
    /// There is no certificate.
    #[error("{} has no certificate: it should have the server's own in PEM, followed by those that vouch for it", .0.display())]
    Empty(PathBuf),
    /// They do not belong together, or are of a kind that is not supported.
    #[error("cannot use the certificate {} with the key {}: {reason}", certificate.display(), key.display())]
    Refused {
        /// The file of the certificate.
        certificate: PathBuf,
        /// That of the key.
        key: PathBuf,
        /// Why.
        reason: rustls::Error,
    },
}

impl Tls {
    /// Reads both files, in PEM: the server's certificate, followed by those that vouch for it, and its key.
    ///
    /// # Errors
    /// One cannot be read, or they do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Tls, TlsError> {
        let watched = [certificate, key].map(Watched::new);
        let config = RwLock::new(Arc::new(config(certificate, key)?));
        let [certificate, key] = watched;
        Ok(Tls { certificate, key, config })
    }

    /// The files.
    pub(crate) fn files(&self) -> [&Watched; 2] {
        [&self.certificate, &self.key]
    }

    /// Reads the files again, for connections to come.
    ///
    /// # Errors
    /// They cannot be used, as while one of them is new and the other not: what there is stays.
    pub(crate) fn reload(&self) -> Result<(), TlsError> {
        let config = Arc::new(config(self.certificate.path(), self.key.path())?);
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Whether a file has a key as PKCS #8 encrypts it, or as OpenSSL did before (RFC 1421).
fn is_encrypted(key: &Path) -> bool {
    const MARKS: [&str; 2] = ["-----BEGIN ENCRYPTED PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED"];
    std::fs::read(key).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        MARKS.iter().any(|mark| text.contains(mark))
    })
}

fn config(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let unread = |path: &Path, what| {
        let path = path.to_path_buf();
        move |reason| TlsError::Read { path, what, reason }
    };
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
    let chain: Vec<CertificateDer<'static>> = chain.map_err(unread(certificate, "certificates"))?;
    if chain.is_empty() {
        return Err(TlsError::Empty(certificate.to_path_buf()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|reason| match is_encrypted(key) {
        true => TlsError::Encrypted(key.to_path_buf()),
        false => unread(key, "a private key")(reason),
    })?;
    let refused = |reason| TlsError::Refused { certificate: certificate.to_path_buf(), key: key.to_path_buf(), reason };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(refused)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
