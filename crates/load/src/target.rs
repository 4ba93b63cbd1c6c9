//! Where the server is.

use hyper::Uri;

use crate::Error;

/// Where the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// A name or an address, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Whether connections are encrypted.
    pub(crate) is_encrypted: bool,
    /// As the `Host` header has it.
    pub(crate) authority: String,
    /// What stands before `/v1/…`, without a slash at its end.
    pub(crate) prefix: String,
}

impl Target {
    /// Reads `http://host:port/prefix`, or the same with `https`; `/v1` at its end, as clients' `base_url` has it, is left out.
    pub(crate) fn parse(url: &str) -> Result<Target, Error> {
        let refused = |reason: &str| Error::Url { url: url.to_owned(), reason: reason.to_owned() };
        let with_scheme = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let uri: Uri = with_scheme.parse().map_err(|_| refused("it is no URL"))?;
        let is_encrypted = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(refused("it should begin with http:// or https://")),
        };
        let authority =
            uri.authority().filter(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'));
        let authority = authority.ok_or_else(|| refused("it should have a host and no user"))?;
        if uri.query().is_some() {
            return Err(refused("it should have no query"));
        }
        let prefix = uri.path().trim_end_matches('/');
        Ok(Target {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 }),
            is_encrypted,
            authority: authority.to_string(),
            prefix: prefix.strip_suffix("/v1").unwrap_or(prefix).to_owned(),
        })
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
            let target = Target::parse(url).unwrap();
            assert_eq!((&*target.host, target.port, &*target.prefix), (host, port, prefix), "{url}");
            assert_eq!(target.is_encrypted, url.to_lowercase().starts_with("https"), "{url}");
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
        ] {
            let error = Target::parse(url).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
