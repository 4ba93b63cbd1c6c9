//! Encrypted connections.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use server::Tls;

use crate::double::Script;
use crate::setup::{Running, Setup};

/// A certificate for this machine that vouches for itself, in two files; gives it.
fn certify(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    // The key last: until then they do not belong together.
    std::fs::write(folder.join("certificate.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    made.cert.der().clone()
}

/// What a client is told that trusts this certificate alone.
fn ask(server: &Running, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
    let config = Arc::new(config.with_no_client_auth());
    let client = ClientConnection::new(config, "localhost".try_into().unwrap()).unwrap();
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut stream = StreamOwned::new(client, stream);
    stream.write_all(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn a_certificate_and_its_successor() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    let first = certify(folder.path());
    let tls = Some(Tls::read(&certificate, &key).unwrap());
    let server = Setup { tls, ..Setup::default() }.run(|_| Script::Silence);
    assert!(ask(&server, &first).unwrap().starts_with("HTTP/1.1 200"));

    let mut plain = TcpStream::connect(server.address).unwrap();
    plain.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    plain.write_all(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut told = Vec::new();
    let _ = plain.read_to_end(&mut told);
    assert!(!told.starts_with(b"HTTP"), "nothing is told that is not encrypted");

    // One who says nothing holds nobody up.
    let _silent = TcpStream::connect(server.address).unwrap();
    let second = certify(folder.path());
    let is_there = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        ask(&server, &second).is_ok()
    });
    assert!(is_there, "the new certificate is shown");
    assert!(ask(&server, &first).is_err(), "in place of the old one");
    std::fs::write(&key, "nothing").unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(ask(&server, &second).is_ok(), "of files that cannot be used nothing is taken");
}

#[test]
fn certificates_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    certify(folder.path());
    let other = tempfile::tempdir().unwrap();
    certify(other.path());
    let refused = |certificate: &Path, key: &Path| Tls::read(certificate, key).unwrap_err().to_string();
    assert!(refused(&folder.path().join("nowhere"), &key).contains("nowhere as certificates"));
    assert!(refused(&key, &key).contains("has no certificate"));
    assert!(refused(&certificate, &certificate).contains("as a private key"));
    for text in [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIBvTBXBgkq\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMIIB\n-----END RSA PRIVATE KEY-----\n",
    ] {
        let encrypted = folder.path().join("encrypted.pem");
        std::fs::write(&encrypted, text).unwrap();
        let error = refused(&certificate, &encrypted);
        assert!(error.contains("is encrypted") && error.contains("openssl pkey -in "), "{error}");
    }
    let error = refused(&certificate, &other.path().join("key.pem"));
    assert!(error.contains("cannot use the certificate"), "{error}");
}
