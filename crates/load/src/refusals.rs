//! Why a connection is not encrypted, in words that say what to do.

use std::path::Path;

use rustls::pki_types::{ServerName, UnixTime};
use rustls::{CertificateError, Error};

/// What rustls's error means for a server of this name, whose certificate those of `file` vouch for, or the system's. rustls's own texts are those of its types.
pub(crate) fn in_words(error: &Error, name: &ServerName<'_>, file: Option<&Path>) -> String {
    match error {
        Error::InvalidCertificate(error) => of_certificate(error, name, file),
        Error::InvalidMessage(_) => "it answers with what is not TLS".to_owned(),
        Error::AlertReceived(_) => {
            "the server refuses it: its log says why, as where it wants a certificate of its clients, which there is no way to give here".to_owned()
        }
        Error::PeerIncompatible(_) => {
            "the server speaks no TLS that is spoken here: it should take TLS 1.2 or 1.3, with ECDHE".to_owned()
        }
        _ => "the server breaks TLS: is there something between it and here that changes what is sent?".to_owned(),
    }
}

fn of_certificate(error: &CertificateError, name: &ServerName<'_>, file: Option<&Path>) -> String {
    let own = name.to_str();
    let whose =
        file.map_or("the system's certificates".to_owned(), |file| format!("the certificates in {}", file.display()));
    match error {
        CertificateError::UnknownIssuer => format!(
            "none of {whose} vouches for the server's: name by --ca-file a file with that of who issued it, or with the server's own"
        ),
        CertificateError::ExpiredContext { time, not_after } => {
            format!("the server's certificate expired {} ago: it needs a new one", span(*not_after, *time))
        }
        CertificateError::Expired => "the server's certificate has expired: it needs a new one".to_owned(),
        CertificateError::NotValidYetContext { time, not_before } => format!(
            "the server's certificate is valid only in {}: is the clock of this machine right, and that of who issued it?",
            span(*time, *not_before)
        ),
        CertificateError::NotValidForNameContext { presented, .. } => match &presented[..] {
            [] => format!("the server's certificate is for no name, and should be for {own}: {}", making(name)),
            names => {
                let names: Vec<_> = names.iter().map(|name| bare(name)).collect();
                format!(
                    "the server's certificate is for {}, and not for {own}: ask for the server by a name that it has, or give it another: {}",
                    names.join(" and "),
                    making(name)
                )
            }
        },
        CertificateError::BadSignature => format!(
            "one of {whose} has the name of who issued the server's certificate, and another key: was that made anew since? name the file of the present one by --ca-file"
        ),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            format!("the server's certificate says that it is for something other than servers: {}", making(name))
        }
        error if is_of_authority(error) => format!(
            "the server's certificate is one of an authority (CA:TRUE), which vouches for servers and is none's: name the file of that very certificate by --ca-file, or {}",
            making(name)
        ),
        error if of_webpki(error) == Some(&webpki::Error::UnsupportedCertVersion) => format!(
            "the server's certificate is of version 1 of X.509, which has no place for the server's name: {}",
            making(name)
        ),
        _ => format!("the server's certificate cannot be used, as it breaks a rule of X.509: {}", making(name)),
    }
}

/// Whether a certificate was refused because it is one of an authority.
pub(crate) fn is_of_authority(error: &CertificateError) -> bool {
    of_webpki(error) == Some(&webpki::Error::CaUsedAsEndEntity)
}

/// What rustls has no name for.
fn of_webpki(error: &CertificateError) -> Option<&webpki::Error> {
    match error {
        CertificateError::Other(error) => error.0.downcast_ref(),
        _ => None,
    }
}

/// How a certificate is made that nothing is wrong with.
fn making(name: &ServerName<'_>) -> String {
    let own = name.to_str();
    let kind = if matches!(name, ServerName::IpAddress(_)) { "IP" } else { "DNS" };
    format!(
        "make one by `openssl req -x509 -newkey rsa:2048 -noenc -days 365 -subj /CN={own} -addext subjectAltName={kind}:{own} \
         -addext basicConstraints=critical,CA:FALSE -keyout key.pem -out cert.pem`"
    )
}

/// A name as webpki shows it, `DnsName("a.example")` or `IpAddress(127.0.0.1)`, without what it is.
fn bare(name: &str) -> &str {
    let inside = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inside.map_or(name, |inside| inside.trim_matches('"'))
}

/// The time from one to the other, as people say it.
fn span(from: UnixTime, to: UnixTime) -> String {
    let seconds = to.as_secs().saturating_sub(from.as_secs());
    let (count, unit) = match seconds {
        0..7200 => (seconds.div_ceil(60), "minute"),
        7200..172_800 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    if count == 1 { format!("{count} {unit}") } else { format!("{count} {unit}s") }
}
