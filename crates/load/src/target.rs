//! Where the server is.

use std::fmt;
use std::str::FromStr;

use hyper::Uri;
use rustls::pki_types::ServerName;

/// Where the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As it was given.
    url: String,
    /// A name or an address, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Whether connections are encrypted.
    pub(crate) is_encrypted: bool,
    /// Whose certificate is wanted, if a certificate can have that name; of an encrypted one it can.
    pub(crate) name: Option<ServerName<'static>>,
    /// As the `Host` header has it.
    pub(crate) authority: String,
    /// What stands before `/v1/…`, without a slash at its end.
    pub(crate) prefix: String,
}

/// Why a text is no address of a server that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoTarget(&'static str);

impl FromStr for Target {
    type Err = NoTarget;

    /// Reads `http://host:port/prefix`, or the same with `https`; `/v1` at its end, as clients' `base_url` has it, is left out.
    fn from_str(url: &str) -> Result<Target, NoTarget> {
        let with_scheme = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let uri: Uri = with_scheme.parse().map_err(|_| NoTarget("it is no URL: give one as http://127.0.0.1:8000"))?;
        let is_encrypted = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(NoTarget("it should begin with http:// or https://")),
        };
        let authority =
            uri.authority().filter(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'));
        let authority = authority.ok_or(NoTarget("it should have a host and no user"))?;
        // What stands behind the host, without a colon that has no port.
        let port = authority.as_str().strip_prefix(authority.host()).unwrap_or_default().trim_start_matches(':');
        if !port.is_empty() && authority.port_u16().is_none_or(|port| port == 0) {
            return Err(NoTarget("its port should be a number from 1 to 65535"));
        }
        if uri.query().is_some() {
            return Err(NoTarget("it should have no query"));
        }
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host.clone()).ok();
        if is_encrypted && name.is_none() {
            return Err(NoTarget("no certificate can have its host"));
        }
        let prefix = uri.path().trim_end_matches('/');
        Ok(Target {
            url: url.to_owned(),
            host,
            port: authority.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 }),
            is_encrypted,
            name,
            authority: authority.to_string(),
            prefix: prefix.strip_suffix("/v1").unwrap_or(prefix).to_owned(),
        })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl Target {
    /// Whether connections are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// The address at the same port of a server that encrypts where this one does not, or the other way round.
    pub(crate) fn otherwise(&self) -> String {
        let Target { host, port, prefix, .. } = self;
        let (scheme, usual) = if self.is_encrypted { ("http", 80) } else { ("https", 443) };
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        let port = if *port == usual { String::new() } else { format!(":{port}") };
        format!("{scheme}://{host}{port}{prefix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_read_as_clients_have_them() {
        for (url, host, port, prefix) in [
            ("http://127.0.0.1:8000", "127.0.0.1", 8000, ""),
            ("localhost:81/", "localhost", 81, ""),
            ("http://a.example/v1/", "a.example", 80, ""),
            ("http://[::1]:9/engine/v1", "::1", 9, "/engine"),
            ("https://a.example/v1", "a.example", 443, ""),
            ("https://a.example:8443", "a.example", 8443, ""),
            ("HTTPS://a.example", "a.example", 443, ""),
        ] {
            let target: Target = url.parse().unwrap();
            assert_eq!((&*target.host, target.port, &*target.prefix), (host, port, prefix), "{url}");
            assert_eq!(target.is_encrypted, url.to_lowercase().starts_with("https"), "{url}");
            assert_eq!(target.to_string(), url);
        }
    }

    #[test]
    fn other_urls_are_refused_with_a_reason() {
        for (url, reason) in [
            ("ftp://a.example", "http:// or https://"),
            ("http://", "no URL"),
            ("a b", "no URL"),
            ("http://user:secret@a.example", "no user"),
            ("http://a.example/?x=1", "no query"),
            ("http://127.0.0.1:99999", "its port should be a number from 1 to 65535"),
            ("127.0.0.1:0", "its port should be a number from 1 to 65535"),
            ("http://[::1]:65536/v1", "its port should be a number from 1 to 65535"),
            ("https://a..example", "no certificate can have its host"),
        ] {
            let error = url.parse::<Target>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn the_other_scheme_is_that_of_the_same_port() {
        for (url, otherwise) in [
            ("http://127.0.0.1:8000/v1", "https://127.0.0.1:8000"),
            ("a.example", "https://a.example:80"),
            ("http://[::1]:443/engine", "https://[::1]/engine"),
            ("https://a.example", "http://a.example:443"),
            ("https://a.example:80", "http://a.example"),
        ] {
            assert_eq!(url.parse::<Target>().unwrap().otherwise(), otherwise, "{url}");
        }
    }
}
