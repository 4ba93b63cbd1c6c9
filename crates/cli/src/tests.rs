//! What the command says of itself is so: help for every command, and no advice to give an option that is not there.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use super::*;

/// Each command below `command` with the words that lead to it.
fn walk(command: &clap::Command, words: &[String], found: &mut Vec<(Vec<String>, clap::Command)>) {
    found.push((words.to_vec(), command.clone()));
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        walk(inner, &[words, &[inner.get_name().to_owned()]].concat(), found);
    }
}

/// All commands, groups included, as they are parsed: with the options that every command has.
fn all_commands() -> Vec<(Vec<String>, clap::Command)> {
    let mut root = Cli::command();
    root.build();
    let mut found = Vec::new();
    walk(&root, &[], &mut found);
    found
}

fn output(words: &[&str]) -> clap::Error {
    Cli::command().try_get_matches_from([&["finery"], words].concat()).expect_err("help is no command to run")
}

#[test]
fn help_names_a_command_or_follows_it() {
    for (words, _) in all_commands().iter().filter(|(words, _)| !words.is_empty()) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let before = output(&[&["help"], &words[..]].concat());
        let after = output(&[&words[..], &["--help"]].concat());
        assert_eq!(before.kind(), ErrorKind::DisplayHelp);
        assert_eq!(before.to_string(), after.to_string(), "{words:?}");
    }
    let unknown = output(&["help", "trian"]);
    assert!(unknown.to_string().contains("unrecognized subcommand 'trian'"), "{unknown}");
}

#[test]
fn every_command_and_option_is_explained() {
    for (words, command) in all_commands() {
        assert!(command.get_about().is_some(), "{words:?} is not explained");
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{words:?} does not explain {}", argument.get_id());
        }
    }
}

/// Which commands print what a library says: an option that a message names must be one of each.
const SPEAKERS: &[(&str, &[&str])] = &[
    ("crates/train/src/error.rs", &["train", "config check", "data inspect"]),
    ("crates/train/src", &["train", "config check"]),
    (
        "crates/data/src",
        &["train", "config check", "data inspect", "tokenizer train", "eval exact-match", "eval loss", "score"],
    ),
    ("crates/runtime/src", &["train", "generate", "devices", "quickstart", "bench train", "plugin install"]),
    ("crates/checkpoint/src", &["train", "generate", "merge", "export"]),
    ("crates/engine/src/adapters", &["serve"]),
    ("crates/engine/src", &["generate", "chat", "score", "merge", "export"]),
    ("crates/models/src", &["train", "generate"]),
    ("crates/server/src", &["serve"]),
    ("crates/cli/src/commands/serve.rs", &["serve"]),
    ("crates/cli/src/vllm_flags.rs", &["serve"]),
    ("crates/cli/src/commands/train.rs", &["train"]),
    ("crates/cli/src/commands/bench.rs", &["bench kernels", "bench decode"]),
    ("crates/cli/src/commands/bench/decode.rs", &["bench decode"]),
    ("crates/cli/src/commands/bench/kernels.rs", &["bench kernels"]),
    ("crates/cli/src/commands/bench/train.rs", &["bench train"]),
    ("crates/cli/src/commands/bench/serve", &["bench serve"]),
    ("crates/load/src", &["bench serve"]),
    ("crates/cli/src/commands/devices.rs", &["devices"]),
    ("crates/cli/src/commands/plot", &["plot"]),
    ("crates/cli/src/commands/generate.rs", &["generate"]),
    ("crates/cli/src/commands/chat.rs", &["chat"]),
    ("crates/cli/src/commands/score.rs", &["score"]),
    ("crates/cli/src/commands/merge.rs", &["merge"]),
    ("crates/cli/src/commands/export.rs", &["export"]),
    ("crates/cli/src/commands/keys.rs", &["keys add", "keys revoke"]),
    ("crates/cli/src/commands/eval.rs", &["eval exact-match", "eval loss"]),
    ("crates/cli/src/commands/eval/exact_match.rs", &["eval exact-match"]),
    ("crates/cli/src/commands/eval/loss.rs", &["eval loss"]),
    ("crates/cli/src/commands/quickstart", &["quickstart"]),
    ("crates/cli/src/commands/tokenizer.rs", &["tokenizer train"]),
    ("crates/cli/src/commands/config.rs", &["config convert"]),
    ("crates/cli/src/commands/inspect.rs", &["inspect"]),
    ("crates/cli/src/commands/data.rs", &["data inspect"]),
    ("crates/cli/src/commands/mesh.rs", &["mesh show"]),
    ("crates/cli/src/commands/plan", &["plan"]),
    ("crates/planner/src", &["plan"]),
    ("crates/cli/src/commands/plugin.rs", &["plugin install"]),
    ("crates/cli/src/model_args.rs", &["generate", "chat", "score", "eval exact-match", "eval loss"]),
    ("crates/cli/src/sampling_args.rs", &["generate", "chat"]),
    ("crates/cli/src/rows.rs", &["score", "eval exact-match", "eval loss"]),
    ("crates/cli/src/scoring.rs", &["score", "eval loss"]),
];

#[test]
fn advice_names_commands_and_options_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "docs", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "BENCHMARKS.md"].map(|name| root.join(name)));
    let commands = all_commands();
    let mut wrong = Vec::new();
    for path in files {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let texts = match name.ends_with(".rs") {
            true => sentences(&text, name.starts_with("crates/cli/")),
            false => text.lines().map(str::to_owned).collect(),
        };
        for text in texts {
            let mut complain = |what: String| wrong.push(format!("{name}: {what} in {text:?}"));
            let rest = check_snippets(&commands, &text, &mut complain);
            let speakers = speakers(&name);
            for option in options(&rest) {
                if speakers.is_empty() && name.starts_with("crates/") && name.ends_with(".rs") {
                    complain(format!("`{option}`, with no entry in SPEAKERS"));
                }
                for speaker in speakers.iter().filter(|speaker| !has_option(find(&commands, speaker), option)) {
                    complain(format!("`{option}`, which `{speaker}` lacks,"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Source files, save tests, which may name what is refused.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if entry.is_dir() && !["tests", "target", "fixtures"].contains(&&*name) {
            collect(&entry, files);
        } else if [".rs", ".md", ".yaml"].iter().any(|end| name.ends_with(end)) && name != "tests.rs" {
            files.push(entry);
        }
    }
}

/// The texts in string literals of a Rust file, and with `documented` what is written over items, of which clap makes help.
/// The tests at its end are left out, and what is no sentence: the arguments of other programs.
fn sentences(source: &str, documented: bool) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let joined = source.split("\\\n").map(str::trim_start).collect::<Vec<_>>().concat();
    let mut found = Vec::new();
    for line in joined.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            found.extend(documented.then(|| text.trim().to_owned()));
        } else if !line.starts_with("//") {
            // Every second part stands between quotes.
            let literals = line.replace("\\\"", "'");
            let texts = literals.split('"').skip(1).step_by(2).flat_map(|text| text.split("\\n"));
            found.extend(texts.map(|text| text.trim().to_owned()).filter(|text| text.split(' ').count() > 2));
        }
    }
    found
}

/// Checks each `finery …` in `text`, and gives the rest of it.
fn check_snippets(commands: &[(Vec<String>, clap::Command)], text: &str, complain: &mut impl FnMut(String)) -> String {
    let mut rest = String::new();
    let mut parts = text.split("finery ");
    rest.extend(parts.next());
    let mut before = rest.chars().last();
    for part in parts {
        let end = part.find(['`', '#', '|', ';', '"']).unwrap_or(part.len());
        let (snippet, after) = part.split_at(end);
        let is_code =
            before.is_none_or(|character| "`$".contains(character)) || text.trim_start().starts_with("finery ");
        before = after.chars().last().or(snippet.chars().last());
        rest.push_str(after);
        let mut words = snippet.split_whitespace().peekable();
        let mut path = Vec::new();
        while let Some(word) = words.next_if(|word| find_in(commands, &path, word)) {
            path.push(word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned());
        }
        if path.is_empty() {
            let is_name =
                |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
            if let Some(word) = words.next().filter(|word| is_code && *word != "help" && is_name(word)) {
                complain(format!("`finery {word}`"));
            }
            continue;
        }
        let command = commands.iter().find(|(words, _)| *words == path).map(|(_, command)| command);
        for option in options(snippet) {
            if !has_option(command, option) {
                complain(format!("`finery {} {option}`", path.join(" ")));
            }
        }
    }
    rest
}

fn find_in(commands: &[(Vec<String>, clap::Command)], path: &[String], word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    commands.iter().any(|(words, _)| words.split_last().is_some_and(|(last, rest)| rest == path && last == word))
}

/// The long options that a text names.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-';
    let words = text.split_whitespace().map(|word| word.trim_start_matches(['(', '`', '[']));
    words.filter_map(move |word| {
        // Three and more are no option, as those around PEM.
        let name = word.strip_prefix("--").filter(|name| !name.starts_with('-'))?;
        let name = &name[..name.find(is_end).unwrap_or(name.len())];
        (!name.is_empty()).then(|| &word[..2 + name.len()])
    })
}

fn has_option(command: Option<&clap::Command>, option: &str) -> bool {
    let builtin = ["--help", "--version"].contains(&option);
    builtin || command.is_some_and(|command| command.get_arguments().any(|a| a.get_long() == Some(&option[2..])))
}

fn find<'a>(commands: &'a [(Vec<String>, clap::Command)], words: &str) -> Option<&'a clap::Command> {
    commands.iter().find(|(found, _)| found.join(" ") == words).map(|(_, command)| command)
}

/// The commands that print what stands in the file `name`; none where a text is not a message of one.
fn speakers(name: &str) -> &'static [&'static str] {
    SPEAKERS.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(&[], |(_, speakers)| speakers)
}
