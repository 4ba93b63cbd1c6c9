//! Everything that is wrong with a configuration, each with the place where it is written.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a key or a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// The file as a whole: a key that is missing has no line.
    File,
    /// A line of the file, counted from 1.
    Line(usize),
    /// A `key=value` argument.
    CommandLine,
}

/// One sentence about one key, and where that key is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// What reading has found wrong so far. Reading goes on after a problem, so that one run reports them all.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    /// Paths of the keys that were refused or are missing, for whose values something else stands in.
    stood_in: Vec<String>,
    /// How many keys of each tool were among them.
    foreign: Vec<(&'static str, usize)>,
}

/// Tools whose files `finery config convert` reads.
const CONVERTIBLE: [&str; 2] = ["Axolotl", "LLM Foundry"];
/// Keys of one of these from which on a file is taken to be its.
const FOREIGN_KEYS_MIN: usize = 3;

impl Problems {
    pub(crate) fn add(&mut self, place: Place, message: String) {
        self.found.push(Problem { place, message });
    }

    /// Notes that the value at `path`, or its absence, is not what was meant.
    pub(crate) fn stand_in(&mut self, path: String) {
        self.stood_in.push(path);
    }

    /// Whether all values at and below `path` are those that were meant.
    pub(crate) fn is_sound(&self, path: &str) -> bool {
        let is_within =
            |bad: &String| bad.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        !self.stood_in.iter().any(is_within)
    }

    /// Whether nothing stands in for anything.
    pub(crate) fn is_all_sound(&self) -> bool {
        self.stood_in.is_empty()
    }

    /// Counts a key that `tool` has and we do not.
    pub(crate) fn count_foreign(&mut self, tool: &'static str) {
        match self.foreign.iter_mut().find(|(known, _)| *known == tool) {
            Some((_, count)) => *count += 1,
            None => self.foreign.push((tool, 1)),
        }
    }

    pub(crate) fn extend(&mut self, other: Problems) {
        self.found.extend(other.found);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn into_errors(mut self, file: &Path) -> ConfigErrors {
        in_order(&mut self.found);
        let most = self.foreign.into_iter().max_by_key(|(_, count)| *count);
        let written_for = most.filter(|(tool, count)| CONVERTIBLE.contains(tool) && *count >= FOREIGN_KEYS_MIN);
        ConfigErrors { file: file.to_path_buf(), problems: self.found, written_for: written_for.map(|(tool, _)| tool) }
    }
}

/// By their places, and each once.
fn in_order(problems: &mut Vec<Problem>) {
    problems.sort_by_key(|problem| problem.place);
    let mut told = HashSet::new();
    problems.retain(|problem| told.insert(problem.clone()));
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self { found: vec![problem], ..Self::default() }
    }
}

/// A configuration that cannot be used: all of its problems, one line each, in the form `file:line: sentence`.
///
/// A problem in a `key=value` argument says `command line` in place of `file:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors {
    file: PathBuf,
    problems: Vec<Problem>,
    /// The tool whose configuration this seems to be, if it can be converted.
    written_for: Option<&'static str>,
}

impl ConfigErrors {
    /// All problems of both, of one file.
    pub(crate) fn and(mut self, other: ConfigErrors) -> ConfigErrors {
        self.problems.extend(other.problems);
        in_order(&mut self.problems);
        self
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        for (index, Problem { place, message }) in self.problems.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            match place {
                Place::File => write!(f, "{newline}{file}: {message}")?,
                Place::Line(line) => write!(f, "{newline}{file}:{line}: {message}")?,
                Place::CommandLine => write!(f, "{newline}command line: {message}")?,
            }
        }
        match self.written_for {
            Some(tool) => {
                write!(f, "\nthe keys are those of {tool}: `finery config convert {file}` writes ours for them")
            }
            None => Ok(()),
        }
    }
}

impl std::error::Error for ConfigErrors {}
