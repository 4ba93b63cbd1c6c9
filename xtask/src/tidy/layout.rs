//! Rules about files as such: their names, their length, where they come from.

use super::code::BANNED_NAMES;
use super::{Findings, Tree};

const FILE_LINES_MAX: usize = 1000;
const FILE_BYTES_MAX: u64 = 1_000_000;
/// Extensions of code that people write.
const CODE: &[&str] = &["rs", "py", "sh", "ts", "tsx", "js", "css", "html"];

/// Neither a file nor a folder of code has a name that fits anything.
pub(crate) fn banned_file_name(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| CODE.contains(&file.extension())) {
        let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
        for name in stem.split('/').filter(|name| BANNED_NAMES.contains(name)) {
            findings.add(file, 0, format!("a file or folder named `{name}` says nothing of its content"));
        }
    }
}

/// A file is about one thing.
pub(crate) fn file_length(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| CODE.contains(&file.extension()) && !file.generated) {
        let lines = file.lines().count();
        if lines > FILE_LINES_MAX {
            findings.add(file, 0, format!("{lines} lines; split it, the limit is {FILE_LINES_MAX}"));
        }
    }
}

/// A clone stays small.
pub(crate) fn file_size(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.bytes > FILE_BYTES_MAX) {
        findings.add(
            file,
            0,
            format!("{} bytes; the limit is {FILE_BYTES_MAX}, make it where it is needed", file.bytes),
        );
    }
}

/// What a test compares with comes from an independent source: a script under scripts/ names the folder or file, as what it makes
/// (scripts/fixtures/) or as what it reads with another implementation (scripts/check/).
pub(crate) fn fixture_script(tree: &Tree, findings: &mut Findings) {
    let scripts: Vec<_> = tree.files.iter().filter(|file| file.path.starts_with("scripts/")).collect();
    let mut seen = Vec::new();
    for file in &tree.files {
        let Some((before, inside)) = file.path.split_once("/tests/fixtures/") else { continue };
        let entry = format!("{before}/tests/fixtures/{}", inside.split('/').next().unwrap_or(inside));
        if seen.contains(&entry) {
            continue;
        }
        if !scripts.iter().filter_map(|script| script.text.as_deref()).any(|text| text.contains(&entry)) {
            findings.add(file, 0, format!("no script under scripts/ names `{entry}` as what it makes or checks"));
        }
        seen.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::assert_finds;
    use super::*;

    #[test]
    fn names_of_files() {
        let files = [
            "crates/core/src/lib.rs",
            "crates/a/src/utils.rs",
            "web/common/a.ts",
            "docs/common.md",
            "crates/a/src/types.rs",
        ];
        assert_finds(
            banned_file_name,
            &files.map(|path| (path, "")),
            &expect![[r#"
            crates/a/src/types.rs: [rule] a file or folder named `types` says nothing of its content
            crates/a/src/utils.rs: [rule] a file or folder named `utils` says nothing of its content
            crates/core/src/lib.rs: [rule] a file or folder named `core` says nothing of its content
            web/common/a.ts: [rule] a file or folder named `common` says nothing of its content"#]],
        );
    }

    #[test]
    fn long_and_large_files() {
        let long = "\n".repeat(1001);
        assert_finds(
            file_length,
            &[("a.py", &long), ("b.rs", &long[1..]), ("c.md", &long)],
            &expect!["a.py: [rule] 1001 lines; split it, the limit is 1000"],
        );
        let large = " ".repeat(1_000_001);
        assert_finds(
            file_size,
            &[("a.bin", &large), ("b.bin", &large[1..])],
            &expect!["a.bin: [rule] 1000001 bytes; the limit is 1000000, make it where it is needed"],
        );
    }

    #[test]
    fn fixtures_without_a_script() {
        let files = [
            ("crates/a/tests/fixtures/llama/one.json", ""),
            ("crates/a/tests/fixtures/llama/two.json", ""),
            ("crates/a/tests/fixtures/made/one.json", ""),
            ("scripts/fixtures/made.py", "OUT = ROOT / \"crates/a/tests/fixtures/made\""),
        ];
        assert_finds(
            fixture_script,
            &files,
            &expect![
                "crates/a/tests/fixtures/llama/one.json: [rule] no script under scripts/ names `crates/a/tests/fixtures/llama` as what it makes or checks"
            ],
        );
    }
}
