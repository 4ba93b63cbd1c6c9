//! A configuration while it is checked: as far as it could be read, with all that is wrong with it so far.

use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::{ConfigErrors, Place, Problem, Problems};
use super::setting::{Bound, Setting};
use super::source::{Kind, Node};
use super::{TrainConfig, contradictions, foreign, interpolate, overrides, source};

/// A configuration with its mistakes, to which later checks add theirs, so that all are told at once.
pub(crate) struct Draft {
    name: PathBuf,
    tree: Node,
    /// With something else in place of what was refused ([`Draft::is_sound`]); none where the document is no map.
    config: Option<TrainConfig>,
    problems: Problems,
}

impl Draft {
    /// Reads `path` and lays `overrides` over it.
    pub(crate) fn load(path: &Path, overrides: &[String]) -> Result<Self, ConfigErrors> {
        Self::parse(&read(path)?, path, overrides)
    }

    /// As [`Draft::load`], from text; `name` stands in error messages for the file.
    pub(crate) fn parse(text: &str, name: &Path, overrides: &[String]) -> Result<Self, ConfigErrors> {
        let refuse = |problem: Problem| Problems::from(problem).into_errors(name);
        let mut problems = Problems::default();
        let mut tree = source::parse_file(text).map_err(refuse)?;
        overrides::apply(&mut tree, overrides, &mut problems);
        let tree = interpolate::without_variables(interpolate::expand(&tree, &mut problems)).map_err(refuse)?;
        let tree = foreign::without_defaults(tree);
        let config = TrainConfig::read(&tree, Bound::Any, "", &mut problems);
        contradictions::check(&tree, &mut problems);
        if let Some(config) = &config {
            contradictions::check_values(config, &tree, &mut problems);
        }
        Ok(Draft { name: name.to_path_buf(), tree, config, problems })
    }

    /// The configuration, which is only to be looked at where it [is sound](Draft::is_sound).
    pub(crate) fn config(&self) -> Option<&TrainConfig> {
        self.config.as_ref()
    }

    /// What is given, as JSON.
    pub(crate) fn to_json(&self) -> Value {
        self.tree.to_json()
    }

    /// Whether the value at `path` is the one that was meant.
    pub(crate) fn is_sound(&self, path: &str) -> bool {
        self.problems.is_sound(path)
    }

    /// Whether those at all of `paths` are.
    pub(crate) fn are_sound(&self, paths: &[&str]) -> bool {
        paths.iter().all(|path| self.is_sound(path))
    }

    /// Whether all of the configuration is.
    pub(crate) fn is_all_sound(&self) -> bool {
        self.problems.is_all_sound()
    }

    /// Whether `key` was given a value.
    pub(crate) fn is_given(&self, key: &str) -> bool {
        self.tree.entry(key).is_some_and(|entry| !entry.value.is_null())
    }

    /// Reports what is wrong with the value at `path`, on its line.
    pub(crate) fn refuse(&mut self, path: &str, problem: impl Display) {
        let problem = problem.to_string();
        // Many a sentence begins with its key.
        let names_key = problem.strip_prefix('`').unwrap_or(&problem).starts_with(path);
        let message = if names_key { problem } else { format!("`{path}`: {problem}") };
        self.problems.add(self.place(path), message);
    }

    /// Reports an error as [`Draft::refuse`] does, and passes on what else there is.
    pub(crate) fn note<T, E: Display>(&mut self, path: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.refuse(path, error)).ok()
    }

    /// Where the value at `path` was written, or the nearest map or list around it.
    fn place(&self, path: &str) -> Place {
        let mut node = &self.tree;
        let mut place = Place::File;
        for part in path.split('.') {
            let (found, at) = match &node.kind {
                Kind::Map(_) => match node.entry(part) {
                    Some(entry) => (&entry.value, entry.place),
                    None => return place,
                },
                Kind::List(items) => match part.parse::<usize>().ok().and_then(|index| items.get(index)) {
                    Some(item) => (item, item.place),
                    None => return place,
                },
                Kind::Scalar { .. } => return place,
            };
            (node, place) = (found, at);
        }
        place
    }

    /// The configuration, if nothing is wrong with it.
    pub(crate) fn finish(self) -> Result<TrainConfig, ConfigErrors> {
        match self.config {
            Some(config) if self.problems.is_empty() => Ok(config),
            _ => Err(self.problems.into_errors(&self.name)),
        }
    }
}

/// What a configuration has at most: a device may never end.
const BYTES_MAX: u64 = 16 << 20;

/// The text of a file in UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, ConfigErrors> {
    let refuse = |message| Problems::from(Problem { place: Place::File, message }).into_errors(path);
    let mut bytes = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes));
    opened.map_err(|error| refuse(format!("the configuration cannot be read: {error}")))?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(refuse("the configuration has more than 16 MiB: it is some other file".to_owned()));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(refuse("the configuration is UTF-16; save it as UTF-8".to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| refuse(format!("the configuration is not text in UTF-8: {error}")))
}
