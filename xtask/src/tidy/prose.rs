//! Rules about what docs and comments say.

use super::{File, Findings, Tree};

/// Praise, and words that are there to sound like something. A number or a reason says more.
const BANNED_WORDS: &[&str] = &[
    "robust",
    "robustly",
    "seamless",
    "seamlessly",
    "blazing",
    "blazingly",
    "production-ready",
    "battle-tested",
    "cutting-edge",
    "state-of-the-art",
    "world-class",
    "best-in-class",
    "powerful",
    "elegant",
    "elegantly",
    "effortless",
    "effortlessly",
    "comprehensive",
    "comprehensively",
    "leverage",
    "leverages",
    "leveraging",
    "delve",
    "delves",
    "supercharge",
    "game-changing",
    "revolutionary",
    "next-generation",
    "enterprise-grade",
    "feature-rich",
];

/// Folders at the root of one developer's machine.
const MACHINE_FOLDERS: &[&str] = &["home", "root", "Users", "work"];

/// Domains of package registries by their labels: addresses of an index are the user's to set, never ours.
const REGISTRIES: &[&[&str]] = &[
    &["pypi", "org"],
    &["pythonhosted", "org"],
    &["crates", "io"],
    &["npmjs", "org"],
    &["npmjs", "com"],
    &["yarnpkg", "com"],
    &["anaconda", "org"],
    &["golang", "org"],
    &["pytorch", "org"],
];

/// Extensions of documents, which are prose throughout, and of what pages are made of, whose code has no such words either.
const DOCUMENTS: &[&str] = &["md", "txt", "html", "css", "js"];
/// Extensions of files in which `#` begins a comment.
const HASH_COMMENTS: &[&str] = &["py", "sh", "toml", "yaml", "yml"];

/// Lines that are written to be read: documents, and the comments of code.
fn prose(file: &File) -> Vec<(usize, &str)> {
    let extension = file.extension();
    let is_script =
        HASH_COMMENTS.contains(&extension) || file.lines().next().is_some_and(|(_, line)| line.starts_with("#!/"));
    match &file.rust {
        _ if file.generated || is_data(file) => Vec::new(),
        Some(source) => source.comments.iter().map(|(line, text)| (*line, text.as_str())).collect(),
        None if DOCUMENTS.contains(&extension) => file.lines().collect(),
        None if is_script => {
            file.lines().filter_map(|(line, text)| text.split_once('#').map(|(_, comment)| (line, comment))).collect()
        }
        None => Vec::new(),
    }
}

/// Text that is there to be trained on or compared with says what it must.
fn is_data(file: &File) -> bool {
    file.path.contains("/fixtures/") || file.path.starts_with("examples/") && file.extension() == "txt"
}

/// Docs state what is so.
pub(crate) fn banned_word(tree: &Tree, findings: &mut Findings) {
    for file in &tree.files {
        for (line, text) in prose(file) {
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
            for word in words.map(|word| word.trim_matches('-')) {
                if BANNED_WORDS.contains(&word.to_lowercase().as_str()) {
                    findings.add(file, line, format!("`{word}` praises or pads; say what it does, or give the number"));
                }
            }
        }
    }
}

/// No pictures in text.
pub(crate) fn emoji(tree: &Tree, findings: &mut Findings) {
    let is_emoji = |c: &char| matches!(*c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{26ff}' | '\u{fe0f}' | '\u{2705}' | '\u{2728}' | '\u{274c}' | '\u{2b50}');
    for file in &tree.files {
        for (line, text) in prose(file) {
            for character in text.chars().filter(is_emoji) {
                findings.add(file, line, format!("U+{:04X}: write it in words", u32::from(character)));
            }
        }
    }
}

/// No path of one machine, in code or text.
pub(crate) fn machine_path(tree: &Tree, findings: &mut Findings) {
    for folder in MACHINE_FOLDERS {
        let pattern = format!("/{folder}/");
        let begins_path = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || "._-}>)~*".contains(c));
        for file in tree.files.iter().filter(|file| !is_data(file)) {
            for (line, text) in file.lines() {
                if text.match_indices(&pattern).any(|(at, _)| begins_path(&text[..at])) {
                    findings.add(file, line, format!("`{pattern}…` is a path of one machine"));
                }
            }
        }
    }
}

/// No address of a package index.
pub(crate) fn registry_host(tree: &Tree, findings: &mut Findings) {
    // Lock files name the registry of each package, as their tools write them.
    let is_lock = |file: &&File| file.path.ends_with(".lock") || file.path.ends_with("package-lock.json");
    for host in REGISTRIES.iter().map(|labels| labels.join(".")) {
        for file in tree.files.iter().filter(|file| !is_lock(file)) {
            for (line, text) in file.lines().filter(|(_, text)| text.contains(&host)) {
                let ends_here = text.match_indices(&host).any(|(at, _)| {
                    let (before, after) = (&text[..at], &text[at + host.len()..]);
                    !before.ends_with(char::is_alphanumeric)
                        && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-')
                });
                if ends_here {
                    findings.add(file, line, format!("`{host}`: which package index is used is the user's setting"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::{assert_finds, findings_in};
    use super::*;

    #[test]
    fn words_of_praise() {
        let files = [
            ("a.md", "A Robust and\nbattle-tested thing, not robustness\n"),
            ("a.rs", "/// Seamless.\nfn f() { let robust = \"robust\"; }\n"),
            (".ci/run", "#!/bin/bash\n# blazing\nrobust\n"),
            ("a.toml", "robust = 1 # powerful\n"),
            ("web/a.js", "// elegant\n"),
            ("examples/corpus.txt", "robust"),
        ];
        assert_finds(
            banned_word,
            &files,
            &expect![[r#"
            .ci/run:2: [rule] `blazing` praises or pads; say what it does, or give the number
            a.md:1: [rule] `Robust` praises or pads; say what it does, or give the number
            a.md:2: [rule] `battle-tested` praises or pads; say what it does, or give the number
            a.rs:1: [rule] `Seamless` praises or pads; say what it does, or give the number
            a.toml:1: [rule] `powerful` praises or pads; say what it does, or give the number
            web/a.js:1: [rule] `elegant` praises or pads; say what it does, or give the number"#]],
        );
    }

    #[test]
    fn pictures() {
        let files = [
            ("a.md", "done \u{1f680}\n\u{2192} \u{2713}\n\u{26a0}\u{fe0f}\n"),
            ("a.rs", "// \u{2705}\nconst A: char = '\u{1f680}';\n"),
        ];
        assert_finds(
            emoji,
            &files,
            &expect![[r#"
            a.md:1: [rule] U+1F680: write it in words
            a.md:3: [rule] U+26A0: write it in words
            a.md:3: [rule] U+FE0F: write it in words
            a.rs:1: [rule] U+2705: write it in words"#]],
        );
    }

    // The expected lines of these two are put together, so that this file does not break the rules itself.
    #[test]
    fn paths_of_one_machine() {
        for folder in MACHINE_FOLDERS {
            let bad = format!("cd /{folder}/me\nhttps://a.org/{folder}/b ~/{folder}/ ${{X}}/{folder}/\n");
            let found = findings_in(machine_path, &[("a.sh", &bad), ("crates/a/tests/fixtures/a.txt", &bad)]);
            assert_eq!(found, format!("a.sh:1: [rule] `/{folder}/…` is a path of one machine"));
        }
    }

    #[test]
    fn hosts_of_registries() {
        for host in REGISTRIES.iter().map(|labels| labels.join(".")) {
            let bad = format!("https://x.{host}/simple\nmy{host} {host}-index\n");
            let found = findings_in(registry_host, &[("a.rs", &bad), ("Cargo.lock", &bad)]);
            assert_eq!(found, format!("a.rs:1: [rule] `{host}`: which package index is used is the user's setting"));
        }
    }
}
