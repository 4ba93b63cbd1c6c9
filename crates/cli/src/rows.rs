//! The rows of an input file, all checked before any of them costs time on a device.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use data::JsonLines;
use serde_json::{Map, Value};

/// How many bad rows are described; the others are counted.
const BAD_SHOWN_MAX: usize = 5;

/// Which rows a command reads.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RowArgs {
    /// The input: JSONL, plain, .gz or .zst; - is standard input
    #[arg(long, value_name = "FILE", value_parser = input_parser())]
    pub(crate) input: PathBuf,

    /// Leave out rows that cannot be used, and count them, instead of refusing the file
    #[arg(long)]
    skip_bad: bool,
}

/// The name by which standard input is opened, and compared with the output.
const STDIN: &str = "/dev/stdin";

fn input_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| if path == Path::new("-") { STDIN.into() } else { path })
}

/// A row that can be used.
pub(crate) struct Row<T> {
    /// Number of its line, from 1.
    pub(crate) line: u64,
    pub(crate) content: T,
}

/// What can be used of a file.
pub(crate) struct Rows<T> {
    /// In the order of the file; there is at least one.
    pub(crate) rows: Vec<Row<T>>,
    /// How many were left out.
    pub(crate) skipped: usize,
}

impl RowArgs {
    /// The input as messages call it.
    pub(crate) fn name(&self) -> String {
        if self.input == Path::new(STDIN) { "standard input".to_owned() } else { self.input.display().to_string() }
    }

    /// Reads the file. `parse` says of a row what it holds, or why it cannot be used; `verb` says what cannot be done then, as in `scored`.
    ///
    /// # Errors
    /// The file cannot be read, there are bad rows and they are not to be skipped, or no row is left.
    pub(crate) fn read<T>(
        &self,
        verb: &str,
        mut parse: impl FnMut(&Map<String, Value>) -> anyhow::Result<T>,
    ) -> anyhow::Result<Rows<T>> {
        let (mut rows, mut bad) = (Vec::new(), BadRows::default());
        for object in JsonLines::open(&self.input)? {
            match object {
                Ok((line, object)) => match parse(&object) {
                    Ok(content) => rows.push(Row { line, content }),
                    Err(error) => bad.add(line, &format!("{error:#}")),
                },
                Err(data::Error::Line { place, reason, .. }) => bad.add(place.line, &reason),
                Err(error) => return Err(error.into()),
            }
        }
        let total = rows.len() + bad.count;
        if bad.count > 0 {
            let which = bad.describe(&self.name(), total);
            if !self.skip_bad {
                bail!("{which}; nothing is {verb}: correct the file, or leave such rows out with --skip-bad");
            }
            if !rows.is_empty() {
                tracing::warn!("left out {which}");
            } else {
                bail!("nothing can be {verb}: {which}");
            }
        }
        if rows.is_empty() {
            bail!("there is no row in {}: give a file with one JSON object a line", self.name());
        }
        Ok(Rows { rows, skipped: bad.count })
    }

    /// A mistake that is that of one row, found while it is computed.
    pub(crate) fn error_at(&self, line: u64, reason: impl Display) -> anyhow::Error {
        anyhow!("{}, line {line}: {reason}", self.name())
    }
}

#[derive(Default)]
struct BadRows {
    count: usize,
    shown: Vec<String>,
}

impl BadRows {
    fn add(&mut self, line: u64, reason: &str) {
        self.count += 1;
        if self.shown.len() < BAD_SHOWN_MAX {
            self.shown.push(format!("line {line}: {reason}"));
        }
    }

    /// `a.jsonl, line 3: …` or `7 of 12 rows of a.jsonl: line 3: …; …; and 2 more`.
    fn describe(&self, input: &str, total: usize) -> String {
        let shown = self.shown.join("; ");
        if self.count == 1 {
            return format!("{input}, {shown}");
        }
        let more = match self.count - self.shown.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        format!("{} of {total} rows of {input}: {shown}{more}", self.count)
    }
}
