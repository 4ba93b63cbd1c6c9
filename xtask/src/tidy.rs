//! `cargo xtask tidy`: the part of STYLE.md that a machine can enforce.
//!
//! Each rule is a function from the [`Tree`] of files to the [`Violation`]s it finds, with tests on small bad trees
//! beside it. A file that a tool wrote says [`GENERATED`] in its first lines, and is exempt from the rules about how
//! code is written.

mod code;
mod dead_files;
mod layout;
mod prose;
mod tokens;
mod workspace;

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The marker of a generated file, looked for in its first [`MARKER_LINES`] lines.
const GENERATED: &str = "Generated: do not edit.";
const MARKER_LINES: usize = 5;

/// A rule: its name, which each of its violations carries, and its check.
type Rule = (&'static str, fn(&Tree, &mut Findings));

const RULES: &[Rule] = &[
    ("function-length", code::function_length),
    ("left-open", code::left_open),
    ("lint-switched-off", code::lint_switched_off),
    ("panicking-call", code::panicking_call),
    ("nan-blind", code::nan_blind),
    ("unsafe", code::unsafe_place),
    ("banned-name", code::banned_item_name),
    ("banned-name", layout::banned_file_name),
    ("file-length", layout::file_length),
    ("file-size", layout::file_size),
    ("fixture-script", layout::fixture_script),
    ("dead-file", dead_files::dead_file),
    ("banned-word", prose::banned_word),
    ("emoji", prose::emoji),
    ("machine-path", prose::machine_path),
    ("registry-host", prose::registry_host),
    ("dependency-direction", workspace::dependency_direction),
];

/// Checks the repository at `root` and prints what it finds; true if that is nothing.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let tree = Tree::load(root)?;
    let violations = check(&tree, RULES);
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => println!("tidy: {} files, {} rules, nothing to mend", tree.files.len(), RULES.len()),
        count => println!("tidy: {count} to mend; STYLE.md says why each rule is there"),
    }
    Ok(violations.is_empty())
}

fn check(tree: &Tree, rules: &[Rule]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (rule, find) in rules {
        let mut findings = Findings::default();
        find(tree, &mut findings);
        violations.extend(findings.0.into_iter().map(|(path, line, message)| Violation { path, line, rule, message }));
    }
    violations.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    violations
}

/// What a rule has found: path, line counted from 1 (0 for the file as a whole), message.
#[derive(Default)]
struct Findings(Vec<(String, usize, String)>);

impl Findings {
    fn add(&mut self, file: &File, line: usize, message: impl Into<String>) {
        self.0.push((file.path.clone(), line, message.into()));
    }
}

struct Violation {
    path: String,
    line: usize,
    rule: &'static str,
    message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, message } = self;
        match line {
            0 => write!(f, "{path}: [{rule}] {message}"),
            line => write!(f, "{path}:{line}: [{rule}] {message}"),
        }
    }
}

/// The files that git tracks, or would if they were added.
struct Tree {
    files: Vec<File>,
}

struct File {
    /// Relative to the root, with `/`.
    path: String,
    bytes: u64,
    /// None where the content is not UTF-8.
    text: Option<String>,
    /// Rust files only.
    rust: Option<tokens::Source>,
    generated: bool,
}

impl Tree {
    fn load(root: &Path) -> Result<Self> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
        let listing = git.output().context("listing the files: git cannot be started")?;
        ensure!(
            listing.status.success(),
            "listing the files: git failed: {}",
            String::from_utf8_lossy(&listing.stderr)
        );
        let names = String::from_utf8(listing.stdout).context("listing the files: a file name is not UTF-8")?;
        let mut files = Vec::new();
        for name in names.split_terminator('\0') {
            let path = root.join(name);
            if path.is_file() {
                let content = std::fs::read(&path).with_context(|| format!("reading {name}"))?;
                files.push(File::new(name, content));
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(Self { files })
    }

    fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Rust files that a person wrote, with their tokens.
    fn rust(&self) -> impl Iterator<Item = (&File, &tokens::Source)> {
        let written = self.files.iter().filter(|file| !file.generated);
        written.filter_map(|file| file.rust.as_ref().map(|rust| (file, rust)))
    }
}

impl File {
    fn new(path: &str, content: Vec<u8>) -> Self {
        let bytes = content.len() as u64;
        let text = String::from_utf8(content).ok();
        let rust = text.as_deref().filter(|_| path.ends_with(".rs")).map(tokens::Source::read);
        let generated =
            text.as_deref().is_some_and(|text| text.lines().take(MARKER_LINES).any(|line| line.contains(GENERATED)));
        Self { path: path.to_owned(), bytes, text, rust, generated }
    }

    /// The lines with their numbers from 1; none where the content is not text.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.iter().flat_map(|text| text.lines()).enumerate().map(|(index, line)| (index + 1, line))
    }

    fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
    }
}

/// What a rule finds in a tree of these paths and texts, one line each.
#[cfg(test)]
fn findings_in(find: fn(&Tree, &mut Findings), files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(path, text)| File::new(path, text.as_bytes().to_vec())).collect();
    let violations = check(&Tree { files }, &[("rule", find)]);
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
fn assert_finds(find: fn(&Tree, &mut Findings), files: &[(&str, &str)], expected: &expect_test::Expect) {
    expected.assert_eq(&findings_in(find, files));
}
