//! Every Rust file is compiled: a `mod` leads to it from a crate's root, or a test that includes its text to build it.

use std::collections::HashSet;
use std::ops::Range;

use super::tokens::Token;
use super::{Findings, Tree};

/// Reports Rust files that no crate root reaches.
pub(crate) fn dead_file(tree: &Tree, findings: &mut Findings) {
    let mut reached = HashSet::new();
    for file in tree.files.iter().filter(|file| file.path.ends_with(".rs") && is_root(tree, &file.path)) {
        reach(tree, &file.path, folder(&file.path), &mut reached);
    }
    for file in tree.files.iter().filter(|file| file.path.ends_with(".rs") && !reached.contains(&file.path)) {
        findings.add(file, 0, "no `mod` leads here; add it to its parent or remove it");
    }
}

/// Whether cargo compiles this file by itself.
fn is_root(tree: &Tree, path: &str) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    match parts[..] {
        [.., "src", "lib.rs" | "main.rs"] | [.., "src", "bin", _] | [.., "src", "bin", _, "main.rs"] => true,
        [.., "tests" | "benches" | "examples" | "fuzz_targets", _] => !parts.contains(&"src"),
        [.., "tests" | "benches" | "examples", _, "main.rs"] => !parts.contains(&"src"),
        [.., "build.rs"] => tree.file(&format!("{}Cargo.toml", folder(path))).is_some(),
        _ => false,
    }
}

/// Follows the modules of `path`, whose files are in `inner` (a folder with its `/`, or empty).
fn reach(tree: &Tree, path: &str, inner: &str, reached: &mut HashSet<String>) {
    let Some(source) = tree.file(path).and_then(|file| file.rust.as_ref()) else { return };
    if reached.insert(path.to_owned()) {
        modules(tree, &source.tokens, 0..source.tokens.len(), [folder(path), inner], reached);
    }
}

/// Follows the modules declared among the tokens in `range`. `beside` is the folder of the file, to which a `#[path]`
/// is relative.
fn modules(
    tree: &Tree,
    tokens: &[Token],
    range: Range<usize>,
    [beside, inner]: [&str; 2],
    reached: &mut HashSet<String>,
) {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let literal = |at: usize| text(at).trim_matches('"').to_owned();
    let mut at = range.start;
    while at < range.end {
        match (text(at), text(at + 1), text(at + 2)) {
            ("include", "!", "(") => reach(tree, &format!("{beside}{}", literal(at + 3)), beside, reached),
            ("include_str", "!", "(") => {
                let path = joined(beside, &literal(at + 3));
                reach(tree, &path, folder(&path), reached);
            }
            ("path", "=", _) if text(at + 3) == "]" => {
                let path = joined(beside, &literal(at + 2));
                reach(tree, &path, folder(&path), reached);
            }
            ("mod", name, ";") => {
                let folder = format!("{inner}{name}/");
                reach(tree, &format!("{inner}{name}.rs"), &folder, reached);
                reach(tree, &format!("{folder}mod.rs"), &folder, reached);
            }
            ("mod", name, "{") => {
                let body = at + 3..tokens[at + 2].close;
                modules(tree, tokens, body, [beside, &format!("{inner}{name}/")], reached);
                at = tokens[at + 2].close;
            }
            _ => {}
        }
        at += 1;
    }
}

/// `path` from `folder`, which ends in `/` or is empty, without the `../` that it may begin with.
fn joined(folder: &str, path: &str) -> String {
    let mut folder = folder.trim_end_matches('/');
    let mut path = path;
    while let Some(rest) = path.strip_prefix("../") {
        folder = folder.rfind('/').map_or("", |slash| &folder[..slash]);
        path = rest;
    }
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::assert_finds;
    use super::*;

    #[test]
    fn files_that_no_module_names() {
        let files = [
            (
                "crates/a/src/lib.rs",
                "mod one;\npub mod two { mod inner; }\n#[path = \"odd name.rs\"]\nmod odd;\nmod sys { include!(\"sys.rs\"); }",
            ),
            ("crates/a/src/one.rs", "mod deep;"),
            ("crates/a/src/one/deep.rs", ""),
            ("crates/a/src/one/dead.rs", "mod deader;"),
            ("crates/a/src/one/dead/deader.rs", ""),
            ("crates/a/src/two/inner.rs", ""),
            ("crates/a/src/inner.rs", ""),
            ("crates/a/src/odd name.rs", ""),
            ("crates/a/src/sys.rs", ""),
            ("crates/a/src/folder/mod.rs", ""),
            ("crates/a/src/bin/tool.rs", ""),
            (
                "crates/a/tests/it.rs",
                "mod support;\nconst LIBRARY: &str = include_str!(\"../../b/tests/built/library.rs\");",
            ),
            ("crates/b/tests/built/library.rs", ""),
            ("crates/a/tests/large/main.rs", "#[path = \"../support/far.rs\"]\nmod far;"),
            ("crates/a/tests/support/far.rs", ""),
            ("crates/a/tests/support/mod.rs", "mod more;"),
            ("crates/a/tests/support/more.rs", ""),
            ("crates/a/tests/support/never.rs", ""),
            ("crates/a/build.rs", ""),
            ("crates/b/build.rs", ""),
            ("crates/b/Cargo.toml", ""),
        ];
        assert_finds(
            dead_file,
            &files,
            &expect![[r#"
            crates/a/build.rs: [rule] no `mod` leads here; add it to its parent or remove it
            crates/a/src/folder/mod.rs: [rule] no `mod` leads here; add it to its parent or remove it
            crates/a/src/inner.rs: [rule] no `mod` leads here; add it to its parent or remove it
            crates/a/src/one/dead.rs: [rule] no `mod` leads here; add it to its parent or remove it
            crates/a/src/one/dead/deader.rs: [rule] no `mod` leads here; add it to its parent or remove it
            crates/a/tests/support/never.rs: [rule] no `mod` leads here; add it to its parent or remove it"#]],
        );
    }
}
