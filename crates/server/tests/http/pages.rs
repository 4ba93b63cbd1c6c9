//! The chat page and what it is made of, as a browser gets it. What it does in one is tried by scripts/clients/chat_page.py.

use std::fs;
use std::path::Path;

use crate::setup::saying;

/// The files beside the pages with their texts.
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let read =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap());
    let all = fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap()));
    all.filter(|(name, _)| !name.ends_with(".html")).collect()
}

/// What stands between `before` and `"` in a text, each time.
fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    text.split(before).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn pages_load_what_is_beside_them_and_nothing_else() {
    let server = saying("yes");
    let files = files();
    let mut wanted = Vec::new();
    for path in ["/", "/docs"] {
        let page = server.client().get(path);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let text = page.text();
        for source in quoted(&text, " src=\"").into_iter().chain(quoted(&text, "<link rel=\"")) {
            assert!(!source.contains("//"), "{path} loads {source}");
        }
        wanted.extend(quoted(&text, "\"assets/").into_iter().map(str::to_owned));
        for inline in ["<style", "<script>", " style=", " onclick=", "javascript:"] {
            assert!(!text.contains(inline), "{path} has {inline}, which its policy forbids");
        }
    }
    for (name, text) in &files {
        assert!(!text.contains("@import") && !text.contains("url("), "{name} loads something");
        let is_icon = |line: &&str| !line.contains("www.w3.org/2000/svg");
        assert!(!text.lines().filter(is_icon).any(|line| line.contains("://")), "{name} knows an address");
        wanted.extend(quoted(text, " from \"./").into_iter().map(str::to_owned));
        let response = server.client().get(&format!("/assets/{name}"));
        assert_eq!((response.status, &response.text()), (200, text), "{name}");
        let kind = match name.rsplit_once('.').unwrap().1 {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("no page has files of the kind {other}"),
        };
        assert_eq!(response.header("content-type"), Some(kind), "{name}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    }
    let mut known: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let mut wanted: Vec<&String> = wanted.iter().collect();
    for names in [&mut known, &mut wanted] {
        names.sort_unstable();
        names.dedup();
    }
    assert_eq!(wanted, known, "what is wanted and what is there");
}

#[test]
fn what_a_model_says_is_no_markup() {
    let server = saying("yes");
    for path in ["/", "/docs", "/assets/chat.js"] {
        let response = server.client().get(path);
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    }
    for (name, text) in files() {
        for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!text.contains(sink), "{name} has {sink}");
        }
    }
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let server = saying("yes");
    let client = server.client();
    for path in ["/", "/docs", "/assets/chat.css"] {
        let whole = client.get(path);
        assert_eq!(whole.header("cache-control"), Some("no-cache"));
        let tag = whole.header("etag").unwrap();
        let again = |tags: &str| client.clone().with("If-None-Match", tags).get(path);
        for known in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let response = again(&known);
            assert_eq!((response.status, response.body.len()), (304, 0), "{path} {known}");
            assert_eq!(response.header("etag"), Some(tag));
        }
        assert_eq!(again("\"other\"").body, whole.body);
    }
    assert_ne!(client.get("/").header("etag"), client.get("/docs").header("etag"));
}

#[test]
fn other_files_are_not_there() {
    let server = saying("yes");
    for path in ["nothing.js", "", "chat.html", "docs_head.html", "../Cargo.toml", "..%2fCargo.toml", "chat.js/", "%ff"]
    {
        let status = server.client().get(&format!("/assets/{path}")).status;
        assert!([400, 404].contains(&status), "{path}: {status}");
    }
}
