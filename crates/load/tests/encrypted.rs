//! Servers that encrypt and servers that do not, and what is said where one is taken for the other or shows a certificate that is refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::future::pending;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use load::{Load, Options};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, KeyPair,
    NameConstraints, PKCS_ED25519, date_time_ymd,
};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ServerConfig, ServerConnection, Stream};

#[path = "support/asking.rs"]
mod asking;

const REFUSAL: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// The text by which nginx and Go's servers refuse what is not encrypted.
const WANTS_TLS: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";
/// What is said where both sides understand each other.
const UNDERSTOOD: &str = "does not list its models (404 Not Found: nothing more was said): name one by --model";

/// A server each of whose connections is served so.
fn server(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (serve, stream) = (Arc::clone(&serve), stream.unwrap());
            thread::spawn(move || serve(stream));
        }
    });
    address
}

/// A certificate and its key.
struct Certified {
    pem: String,
    certificate: CertificateDer<'static>,
    key: KeyPair,
    params: CertificateParams,
}

/// One that has issued itself.
fn certified(names: &[&str], change: impl Fn(&mut CertificateParams)) -> Certified {
    let (params, key) = prepared(names, change);
    let made = params.self_signed(&key).unwrap();
    Certified { pem: made.pem(), certificate: made.der().clone(), key, params }
}

fn prepared(names: &[&str], change: impl Fn(&mut CertificateParams)) -> (CertificateParams, KeyPair) {
    let mut params = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    params.distinguished_name.push(DnType::CommonName, *names.first().unwrap_or(&"nobody"));
    change(&mut params);
    (params, KeyPair::generate().unwrap())
}

/// One that an authority has issued.
fn issued(by: &Certified, names: &[&str], change: impl Fn(&mut CertificateParams)) -> Certified {
    let (params, key) = prepared(names, change);
    let issuer = rcgen::Issuer::from_params(&by.params, &by.key);
    let made = params.signed_by(&key, &issuer).unwrap();
    Certified { pem: made.pem(), certificate: made.der().clone(), key, params }
}

fn authority(params: &mut CertificateParams) {
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
}

/// A server with a certificate, which answers what is not encrypted with `plain`.
fn encrypting(own: &Certified, plain: &'static [u8]) -> SocketAddr {
    let provider = ring::default_provider();
    let key = PrivateKeyDer::try_from(own.key.serialize_der()).unwrap();
    let key = provider.key_provider.load_private_key(key).unwrap();
    // Whether they belong together is not looked at.
    let shown = SingleCertAndKey::from(CertifiedKey::new(vec![own.certificate.clone()], key));
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(shown));
    let config = Arc::new(config);
    server(move |mut stream| {
        let mut first = [0];
        // A handshake begins so.
        if stream.peek(&mut first).is_ok() && first == [0x16] || plain.is_empty() {
            let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = Stream::new(&mut connection, &mut stream);
            answer(&mut stream, REFUSAL);
        } else {
            answer(&mut stream, plain);
        }
    })
}

fn answer(stream: &mut (impl std::io::Read + std::io::Write), text: &[u8]) {
    // Whoever refuses the certificate asks nothing.
    if stream.read(&mut [0; 4096]).is_ok() {
        let _ = stream.write_all(text);
    }
}

fn options(url: &str, model: Option<&str>, certificates: Option<PathBuf>) -> Options {
    Options { certificates, ..asking::options(url, model.as_slice(), 1) }
}

fn refusal(options: Options) -> String {
    Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap_err().to_string()
}

/// What is said where a server shows one certificate, and the user names a file with another.
fn told(shown: &Certified, named: &Certified, host: &str) -> String {
    told_of_all(shown, &[named], host)
}

/// As [`told`], of a file with several.
fn told_of_all(shown: &Certified, named: &[&Certified], host: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, named.iter().map(|named| named.pem.as_str()).collect::<String>()).unwrap();
    let port = encrypting(shown, b"").port();
    let error = refusal(options(&format!("https://{host}:{port}/v1"), None, Some(file)));
    error.replace(&format!("{}/", folder.path().display()), "")
}

/// One of version 1: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -subj /CN=localhost | openssl x509 -req -signkey privkey.pem -days 36500`
/// of OpenSSL 3.0. Its key is another's, which nobody who refuses it looks at.
const OF_VERSION_1: &str = "-----BEGIN CERTIFICATE-----
MIIBIzCBywIUJoqlKkqMJoqelN8t555lnNZVLZ4wCgYIKoZIzj0EAwIwFDESMBAG
A1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjIzMzgwMVoYDzIxMjYxMTAyMjMzODAx
WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQ0bbusEImCUlMCb1RLW+QHwnYSjydFqScQ68/5h1/X6W6L8m5f5rtA+AiK6bYX
/1xcQDKz5CCf8aSuLebHWJ7aMAoGCCqGSM49BAMCA0cAMEQCIFFgFfAJ/RC1OhyJ
hL8BidqAHqTRtl36UBM23nbTyrt5AiB1GF5j8yECTSkxDIGvxF34DECzTacgwS7b
cc3ZcZ49zQ==
-----END CERTIFICATE-----
";

fn of_version_1() -> Certified {
    let (params, key) = prepared(&["localhost"], usual);
    let certificate = CertificateDer::from_pem_slice(OF_VERSION_1.as_bytes()).unwrap();
    Certified { pem: OF_VERSION_1.to_owned(), certificate, key, params }
}

fn usual(_: &mut CertificateParams) {}

fn expired(params: &mut CertificateParams) {
    params.not_after = date_time_ymd(2020, 1, 1);
}

fn clients_only(params: &mut CertificateParams) {
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
}

#[test]
fn who_vouches_is_what_the_user_names() {
    let root = certified(&["root.example"], authority);
    let own = certified(&["localhost"], usual);
    let own_authority = certified(&["localhost"], authority);
    let old_authority = certified(&["localhost"], |params| {
        authority(params);
        expired(params);
    });
    for (case, shown, named, host, said) in [
        ("issued itself", &own, &own, "localhost", UNDERSTOOD),
        ("issued by an authority", &issued(&root, &["localhost"], usual), &root, "localhost", UNDERSTOOD),
        ("an authority's own, named", &own_authority, &own_authority, "localhost", UNDERSTOOD),
        (
            "an authority's own, with another name",
            &own_authority,
            &own_authority,
            "127.0.0.1",
            "the server's certificate is for localhost, and not for 127.0.0.1: ask for the server by a name that it has, or give it another: make",
        ),
        (
            "an authority's own, expired",
            &old_authority,
            &old_authority,
            "localhost",
            "the server's certificate expired ",
        ),
        (
            "an authority's own, that another has issued",
            &issued(&root, &["localhost"], authority),
            &root,
            "localhost",
            "is one of an authority (CA:TRUE), which vouches for servers and is none's: name the file of that very certificate by --ca-file, or make one by",
        ),
        (
            "of nobody that is known",
            &own,
            &root,
            "localhost",
            "none of the certificates in ca.pem vouches for the server's: name by --ca-file a file with that of who issued it",
        ),
        (
            "of an authority that has another key now",
            &issued(&certified(&["root.example"], authority), &["localhost"], usual),
            &root,
            "localhost",
            "one of the certificates in ca.pem has the name of who issued the server's certificate, and another key",
        ),
    ] {
        let error = told(shown, named, host);
        assert!(error.contains(said), "{case}: {error}");
    }
}

/// Whoever has issued it.
#[test]
fn a_certificate_that_is_named_itself_is_taken() {
    let root = certified(&["root.example"], authority);
    let leaf = issued(&root, &["localhost"], usual);
    let old_leaf = issued(&root, &["localhost"], expired);
    let of_clients = issued(&root, &["localhost"], clients_only);
    for (case, shown, named, host, said) in [
        ("the server's own", &leaf, &leaf, "localhost", UNDERSTOOD),
        (
            "with another name",
            &leaf,
            &leaf,
            "127.0.0.1",
            "the server's certificate is for localhost, and not for 127.0.0.1",
        ),
        ("expired", &old_leaf, &old_leaf, "localhost", "the server's certificate expired "),
        ("of clients", &of_clients, &of_clients, "localhost", "says that it is for something other than servers"),
        (
            "another of its authority",
            &leaf,
            &issued(&root, &["localhost"], usual),
            "localhost",
            "none of the certificates in ca.pem vouches for the server's",
        ),
    ] {
        let error = told(shown, named, host);
        assert!(error.contains(said), "{case}: {error}");
    }
}

/// Whatever is said of it by others in the file that have the name of who issued it: an authority whose key was made anew, of the same kind or another, or that
/// is for other names alone.
#[test]
fn a_certificate_that_is_named_is_taken_beside_authorities() {
    let root = certified(&["root.example"], authority);
    let elsewhere = certified(&["root.example"], |params| {
        authority(params);
        let others = vec![GeneralSubtree::DnsName("elsewhere.example".to_owned())];
        params.name_constraints = Some(NameConstraints { permitted_subtrees: others, excluded_subtrees: Vec::new() });
    });
    let anew = certified(&["root.example"], authority);
    let of_another_kind = {
        let (params, _) = prepared(&["root.example"], authority);
        let key = KeyPair::generate_for(&PKCS_ED25519).unwrap();
        let made = params.self_signed(&key).unwrap();
        Certified { pem: made.pem(), certificate: made.der().clone(), key, params }
    };
    let leaf = issued(&root, &["localhost"], usual);
    for (case, shown, other, host, said) in [
        ("of its own authority", &leaf, &root, "localhost", UNDERSTOOD),
        ("whose authority has another key", &leaf, &anew, "localhost", UNDERSTOOD),
        ("whose authority has a key of another kind", &leaf, &of_another_kind, "localhost", UNDERSTOOD),
        (
            "whose authority is for other names",
            &issued(&elsewhere, &["localhost"], usual),
            &elsewhere,
            "localhost",
            UNDERSTOOD,
        ),
        ("an authority's own", &issued(&root, &["localhost"], authority), &anew, "localhost", UNDERSTOOD),
        ("with another name", &leaf, &anew, "127.0.0.1", "certificate is for localhost, and not for 127.0.0.1"),
        ("expired", &issued(&root, &["localhost"], expired), &anew, "localhost", "the server's certificate expired "),
        (
            "of clients",
            &issued(&root, &["localhost"], clients_only),
            &anew,
            "localhost",
            "says that it is for something other than servers",
        ),
    ] {
        for named in [[shown, other], [other, shown]] {
            let error = told_of_all(shown, &named, host);
            assert!(error.contains(said), "{case}: {error}");
        }
    }
    // What another has that is named does not go for it.
    let error = told_of_all(&leaf, &[&issued(&root, &["localhost"], usual), &anew], "localhost");
    assert!(error.contains("has the name of who issued the server's certificate, and another key"), "{error}");
}

/// Not in the words of the types by which it is found.
#[test]
fn what_is_wrong_with_a_certificate_is_said_with_what_to_do() {
    let root = certified(&["root.example"], authority);
    let to_come = |params: &mut CertificateParams| params.not_before = date_time_ymd(2999, 1, 1);
    let making = "make one by `openssl req -x509 -newkey rsa:2048 -noenc -days 365 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
    for (shown, said) in [
        (issued(&root, &["localhost"], expired), "days ago: it needs a new one".to_owned()),
        (issued(&root, &["localhost"], to_come), "is the clock of this machine right".to_owned()),
        (
            issued(&root, &["a.example", "10.0.0.7"], usual),
            format!(
                "the server's certificate is for a.example and 10.0.0.7, and not for localhost: ask for the server by a name that it has, or give it another: {making}"
            ),
        ),
        (issued(&root, &[], usual), format!("is for no name, and should be for localhost: {making}")),
        (
            issued(&root, &["localhost"], clients_only),
            format!("says that it is for something other than servers: {making}"),
        ),
        (
            of_version_1(),
            format!(
                "the server's certificate is of version 1 of X.509, which has no place for the server's name: {making}"
            ),
        ),
    ] {
        let error = told(&shown, &root, "localhost");
        assert!(error.contains(&said), "{said}: {error}");
    }
}

#[test]
fn the_other_scheme_is_told_of() {
    let own = certified(&["localhost"], |_| ());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.pem");
    std::fs::write(&file, &own.pem).unwrap();
    for plain in [&b""[..], WANTS_TLS] {
        let address = encrypting(&own, plain);
        for model in [None, Some("base")] {
            let error = refusal(options(&format!("http://{address}/engine/v1"), model, None));
            let expected = format!(
                "the server at {address} encrypts its connections: give its address as https://{address}/engine"
            );
            assert_eq!(error, expected);
        }
    }
    let until_a_line = |mut stream: TcpStream| {
        let mut read = Vec::new();
        while !read.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match stream.read(&mut byte) {
                Ok(1) => read.extend(byte),
                _ => return,
            }
        }
        let _ = stream.write_all(REFUSAL);
    };
    let at_once = |mut stream: TcpStream| answer(&mut stream, REFUSAL);
    for address in [server(at_once), server(until_a_line)] {
        let error = refusal(options(&format!("https://{address}"), None, Some(file.clone())));
        let expected =
            format!("the server at {address} does not encrypt its connections: give its address as http://{address}");
        assert_eq!(error, expected);
    }
    // Neither.
    let address = server(drop);
    let error = refusal(options(&format!("https://{address}"), None, Some(file)));
    assert!(error.starts_with(&format!("no encrypted connection to {address}: ")), "{error}");
    let error = refusal(options(&format!("http://{address}"), None, None));
    assert!(error.contains("does not list its models"), "{error}");
}
