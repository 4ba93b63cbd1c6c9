//! What the pages are made of: files in the binary, sent again only where they differ from what the client has.

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use hyper::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use hyper::{HeaderMap, StatusCode};
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::routes::OpenPart;

/// Pages load what lies beside them and talk to this server alone; what a model says cannot become a script, nor markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The files that pages ask for, by their names.
static FILES: LazyLock<[(&str, Asset); 11]> = LazyLock::new(|| {
    [
        ("chat.css", Asset::new(STYLE, include_str!("../assets/chat.css"))),
        ("chat.js", Asset::new(SCRIPT, include_str!("../assets/chat.js"))),
        ("answer.js", Asset::new(SCRIPT, include_str!("../assets/answer.js"))),
        ("card.js", Asset::new(SCRIPT, include_str!("../assets/card.js"))),
        ("keys.js", Asset::new(SCRIPT, include_str!("../assets/keys.js"))),
        ("markdown.js", Asset::new(SCRIPT, include_str!("../assets/markdown.js"))),
        ("requests.js", Asset::new(SCRIPT, include_str!("../assets/requests.js"))),
        ("settings.js", Asset::new(SCRIPT, include_str!("../assets/settings.js"))),
        ("tokens.js", Asset::new(SCRIPT, include_str!("../assets/tokens.js"))),
        ("docs.css", Asset::new(STYLE, include_str!("../assets/docs.css"))),
        ("icon.svg", Asset::new("image/svg+xml", include_str!("../assets/icon.svg"))),
    ]
});

/// A page or a part of one.
#[derive(Debug)]
pub(crate) struct Asset {
    /// Its media type.
    kind: &'static str,
    text: String,
    /// A digest of the text, as clients send it back.
    tag: String,
}

impl Asset {
    pub(crate) fn new(kind: &'static str, text: impl Into<String>) -> Asset {
        let text = text.into();
        let digest = Sha256::digest(text.as_bytes());
        let hex: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        Asset { kind, text, tag: format!("\"{hex}\"") }
    }

    pub(crate) fn page(text: impl Into<String>) -> Asset {
        Asset::new("text/html; charset=utf-8", text)
    }

    /// The text, or that the client has it.
    pub(crate) fn respond(&'static self, request: &HeaderMap) -> Response {
        let headers = [
            (CONTENT_TYPE, self.kind),
            (CONTENT_SECURITY_POLICY, POLICY),
            // Another version of the server may stand at the same address: each time is asked whether it is the same.
            (CACHE_CONTROL, "no-cache"),
            (ETAG, &self.tag),
        ];
        match self.is_known(request) {
            true => (StatusCode::NOT_MODIFIED, headers).into_response(),
            false => (headers, self.text.as_str()).into_response(),
        }
    }

    /// Whether the client says that it has this text (RFC 9110, 13.1.2).
    fn is_known(&self, request: &HeaderMap) -> bool {
        let lists = request.get_all(IF_NONE_MATCH).iter().filter_map(|list| list.to_str().ok());
        let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
        // Proxies that compress a text weaken its tag.
        tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.tag)
    }
}

/// `GET /assets/{file}`.
pub(crate) async fn asset(OpenPart(name): OpenPart, headers: HeaderMap) -> Result<Response, Error> {
    let file = FILES.iter().find(|(known, _)| *known == name);
    file.map(|(_, asset)| asset.respond(&headers)).ok_or_else(|| Error::no_such_path(&format!("/assets/{name}")))
}
