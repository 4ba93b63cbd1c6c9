//! Everything that is wrong with a configuration, each with the place where it is written.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where a key or a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// The file as a whole: a key that is missing has no line.
    File,
    /// A line of the file, counted from 1.
    Line(usize),
    /// A `key=value` argument.
    CommandLine,
}

/// One sentence about one key, and where that key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// What reading has found wrong so far. Reading goes on after a problem, so that one run reports them all.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, place: Place, message: String) {
        self.0.push(Problem { place, message });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_errors(mut self, file: &Path) -> ConfigErrors {
        self.0.sort_by_key(|problem| problem.place);
        self.0.dedup();
        ConfigErrors { file: file.to_path_buf(), problems: self.0 }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

/// A configuration that cannot be used: all of its problems, one line each, in the form `file:line: sentence`.
///
/// A problem in a `key=value` argument says `command line` in place of `file:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors {
    file: PathBuf,
    problems: Vec<Problem>,
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
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}
