//! Encrypted connections.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime, pem};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, RootCertStore, SignatureScheme, WantsVerifier,
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::Error;
use crate::refusals::{in_words, is_of_authority};

/// For both sides to agree on keys.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);

/// How connections to a server are encrypted.
#[derive(Clone)]
pub(crate) struct Encryption {
    connector: TlsConnector,
    /// Whose certificate is wanted.
    name: ServerName<'static>,
    /// The file whose certificates vouch for it, if one was named.
    file: Option<PathBuf>,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Encryption").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Why there is no encrypted connection.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct Unencrypted {
    reason: String,
    /// Whether the other side has said something that belongs to TLS.
    pub(crate) is_spoken: bool,
}

impl Encryption {
    /// For the server of a name that the certificates of a file vouch for, in PEM; of none, the system's.
    ///
    /// # Errors
    /// There are no certificates, or the file has one that is none.
    pub(crate) fn new(name: ServerName<'static>, file: Option<&Path>) -> Result<Encryption, Error> {
        let provider = Arc::new(ring::default_provider());
        let (roots, named) = file.map_or_else(of_system, of_file)?;
        let usual = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
        let usual = usual.expect("there is a certificate that vouches, and no list of revoked ones");
        let verifier = Arc::new(Verifier { usual, named });
        let config = configuring(provider).dangerous().with_custom_certificate_verifier(verifier);
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Encryption { connector: TlsConnector::from(Arc::new(config)), name, file: file.map(Path::to_path_buf) })
    }

    /// The same connection, encrypted.
    pub(crate) async fn over(&self, stream: TcpStream) -> Result<TlsStream<TcpStream>, Unencrypted> {
        let connecting = self.connector.connect(self.name.clone(), stream);
        let Ok(connected) = tokio::time::timeout(HANDSHAKE_TIME, connecting).await else {
            let reason = format!("nothing was agreed on in {} s", HANDSHAKE_TIME.as_secs());
            return Err(Unencrypted { reason, is_spoken: false });
        };
        connected.map_err(|error| match of_tls(&error) {
            Some(refused) => {
                let reason = in_words(refused, &self.name, self.file.as_deref());
                Unencrypted { reason, is_spoken: is_spoken(refused) }
            }
            None => Unencrypted { reason: error.to_string(), is_spoken: false },
        })
    }
}

/// Whether TLS is spoken at the other end, by whomever.
pub(crate) async fn is_spoken_over(stream: TcpStream, name: ServerName<'static>) -> bool {
    // Nobody vouches for anybody, so that nothing is ever said over such a connection.
    let config = configuring(Arc::new(ring::default_provider())).with_root_certificates(RootCertStore::empty());
    let connector = TlsConnector::from(Arc::new(config.with_no_client_auth()));
    match connector.connect(name, stream).await {
        Ok(_) => true,
        Err(error) => of_tls(&error).is_some_and(is_spoken),
    }
}

fn configuring(provider: Arc<CryptoProvider>) -> ConfigBuilder<ClientConfig, WantsVerifier> {
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    builder.expect("the provider has what TLS 1.2 and 1.3 need")
}

fn of_tls(error: &std::io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

fn is_spoken(error: &rustls::Error) -> bool {
    !matches!(error, rustls::Error::InvalidMessage(_))
}

/// Takes what is usually taken, and a certificate that is itself in the user's file, though nobody there has issued it, or it is an authority's and none of a server:
/// who names it trusts that very server.
#[derive(Debug)]
struct Verifier {
    usual: Arc<WebPkiServerVerifier>,
    /// The certificates of the user's file.
    named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if !self.named.contains(end_entity) {
            return self.usual.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        }
        // With nobody who could have issued it: what is wrong is wrong with itself. Of one who has its issuer's name and another key more would be said than that.
        let certificate = ParsedCertificate::try_from(end_entity)?;
        match verify_server_cert_signed_by_trust_anchor(&certificate, &RootCertStore::empty(), &[], now, &[]) {
            // Both are found behind the time until which it is valid, and before its name.
            Err(rustls::Error::InvalidCertificate(error))
                if error == CertificateError::UnknownIssuer || is_of_authority(&error) =>
            {
                verify_server_name(&certificate, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            checked => checked.map(|()| ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.usual.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.usual.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

/// Those who vouch for servers, with the certificates that the user has named.
type Trusted = (RootCertStore, Vec<CertificateDer<'static>>);

/// The certificates of a file in PEM.
///
/// # Errors
/// It cannot be read, has none, or one of them is none.
fn of_file(path: &Path) -> Result<Trusted, Error> {
    let unread = |reason| Error::CertificateFile { path: path.to_path_buf(), reason };
    let found = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found = found.map_err(|error| match error {
        pem::Error::Io(error) => unread(error.to_string()),
        other => unread(other.to_string()),
    })?;
    let mut roots = RootCertStore::empty();
    for (certificate, number) in found.iter().zip(1..) {
        let added = roots.add(certificate.clone());
        added.map_err(|_| unread(format!("number {number} of them is none, or damaged: take it out")))?;
    }
    if roots.is_empty() {
        return Err(Error::NoCertificates { whose: path.display().to_string(), reason: String::new() });
    }
    Ok((roots, found))
}

/// The system's certificates.
///
/// # Errors
/// It has none.
fn of_system() -> Result<Trusted, Error> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    // Some may be of a kind that is not known.
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let reason = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
        return Err(Error::NoCertificates { whose: "the system".to_owned(), reason });
    }
    Ok((roots, Vec::new()))
}
