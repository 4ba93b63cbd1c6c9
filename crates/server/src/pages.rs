//! `GET /`, `/docs` and `/openapi.json`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use api::{ENDPOINTS, Endpoint, Method, Scope};
use axum::response::{IntoResponse, Response};
use hyper::HeaderMap;
use hyper::header::CONTENT_TYPE;
use serde_json::Value;

use crate::assets::Asset;

const DOCS_HEAD: &str = include_str!("../assets/docs_head.html");

pub(crate) async fn chat(headers: HeaderMap) -> Response {
    static CHAT: LazyLock<Asset> = LazyLock::new(|| Asset::page(include_str!("../assets/chat.html")));
    CHAT.respond(&headers)
}

pub(crate) async fn docs(headers: HeaderMap) -> Response {
    static DOCS: LazyLock<Asset> = LazyLock::new(|| Asset::page(described(&api::openapi())));
    DOCS.respond(&headers)
}

pub(crate) async fn openapi() -> Response {
    static OPENAPI: LazyLock<String> = LazyLock::new(|| api::openapi().to_string());
    ([(CONTENT_TYPE, "application/json")], OPENAPI.as_str()).into_response()
}

/// The endpoints with the fields of their requests, as a page.
fn described(openapi: &Value) -> String {
    let mut page = DOCS_HEAD.to_owned();
    for endpoint in ENDPOINTS {
        describe(endpoint, openapi, &mut page);
    }
    page.push_str("</main></body></html>\n");
    page
}

fn describe(endpoint: &Endpoint, openapi: &Value, page: &mut String) {
    let method = match endpoint.method {
        Method::Get => "get",
        Method::Post => "post",
    };
    let who = match endpoint.scope {
        Scope::Public => "needs no key".to_owned(),
        scope => format!("scope {}", scope.name()),
    };
    // Writing to a text does not fail.
    let _ = write!(
        page,
        "<section><h2><b>{}</b> <code>{}</code></h2><p>{} <small>({who})</small></p>",
        method.to_uppercase(),
        escaped(endpoint.path),
        escaped(endpoint.summary)
    );
    let operation = &openapi["paths"][endpoint.path][method];
    let schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
    let schema = schema.and_then(|name| openapi.pointer(name.trim_start_matches('#')));
    if let Some(fields) = schema.and_then(|schema| schema["properties"].as_object()) {
        page.push_str("<table>");
        for (name, field) in fields {
            let description = escaped(field["description"].as_str().unwrap_or_default());
            let _ = write!(page, "<tr><td><code>{}</code></td><td>{description}</td></tr>", escaped(name));
        }
        page.push_str("</table>");
    }
    page.push_str("</section>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
