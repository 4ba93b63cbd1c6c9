//! The records of a JSON file: an object to a line (JSONL), or the items of one array.

use std::path::Path;

use serde_json::{Map, Value};

use crate::array::Items;
use crate::error::{Error, Result};
use crate::input::Input;
use crate::lines::{Lines, Raw};
use crate::unique_keys::UniqueKeys;

/// Reads a file record by record. Which of the two kinds it is of is told from its first character.
pub(crate) struct Records {
    kind: Kind,
}

enum Kind {
    Lines(Lines),
    Items(Items),
}

/// Characters that an error shows of a line.
const SHOWN_CHARS: usize = 24;

impl Records {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut input = Input::open(path)?;
        let head = input.buffered()?;
        let kind = match head.trim_ascii_start().first() {
            Some(b'[') => Kind::Items(Items::new(input)),
            Some(b'{') | None => Kind::Lines(Lines::new(input)),
            Some(_) => match separated_values(head) {
                Some((what, read)) => {
                    let way = format!("pandas.{read}.to_json(…, orient=\"records\", lines=True) in Python");
                    let advice = format!("make JSON of it, one object to a line, with {way}");
                    return Err(Error::Kind { path: path.to_path_buf(), what, advice });
                }
                None => Kind::Lines(Lines::new(input)),
            },
        };
        Ok(Records { kind })
    }

    pub(crate) fn path(&self) -> &Path {
        self.input().path()
    }

    /// Bytes of the file that have been read.
    pub(crate) fn position(&self) -> u64 {
        self.input().position()
    }

    fn input(&self) -> &Input {
        match &self.kind {
            Kind::Lines(lines) => lines.input(),
            Kind::Items(items) => items.input(),
        }
    }

    /// The next record, not yet parsed.
    pub(crate) fn next(&mut self) -> Result<Option<Raw>> {
        match &mut self.kind {
            Kind::Lines(lines) => lines.next_line(),
            Kind::Items(items) => items.next_item(),
        }
    }

    /// Up to `records_max` records, fewer once they hold `bytes_max` bytes; empty at the end of the file.
    pub(crate) fn next_chunk(&mut self, records_max: usize, bytes_max: usize) -> Result<Vec<Raw>> {
        let mut chunk = Vec::new();
        let mut bytes = 0;
        while chunk.len() < records_max && bytes < bytes_max {
            let Some(raw) = self.next()? else { break };
            bytes += raw.bytes_held();
            chunk.push(raw);
        }
        Ok(chunk)
    }
}

/// What the file is, if its first two lines are values between commas, semicolons or tabs, and how pandas reads it.
fn separated_values(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
    if second.starts_with('{') {
        return None;
    }
    let kinds = [
        (',', ("a CSV file", "read_csv(…)")),
        ('\t', ("a TSV file", r#"read_csv(…, sep="\t")"#)),
        (';', ("a CSV file", r#"read_csv(…, sep=";")"#)),
    ];
    kinds.into_iter().find_map(|(separator, kind)| {
        let names: Vec<&str> = first.split(separator).map(|name| name.trim().trim_matches('"')).collect();
        let is_name = |name: &&str| !name.is_empty() && name.len() < 64 && !name.contains(['{', '}', ':']);
        let has_as_many = second.matches(separator).count() + 1 >= names.len();
        (names.len() > 1 && has_as_many && names.iter().all(is_name)).then_some(kind)
    })
}

pub(crate) fn parse_object(path: &Path, raw: &Raw) -> Result<Map<String, Value>> {
    let text = raw.text(path)?;
    let error = match serde_json::from_str(text) {
        Ok(UniqueKeys(Value::Object(object))) => return Ok(object),
        Ok(_) if raw.place.item.is_some() => {
            return Err(Error::line(path, raw.place, "it is JSON, but not an object"));
        }
        Ok(_) => return Err(Error::line(path, raw.place, "the line is JSON, but not an object")),
        Err(error) => error,
    };
    let told = error.to_string();
    // The place is always last, and a key may have the same words.
    let reason = told.rsplit_once(" at line ").map_or(told.as_str(), |(reason, _)| reason);
    let reason = match error.line() {
        // A key that is there twice.
        _ if error.is_data() => reason.to_owned(),
        // An object over several lines begins like this; what is wrong is not the bracket.
        1 if text.trim() == "{" => {
            "the line holds only the beginning of an object: write each object in one line (jq -c . FILE, or \
             jq -c '.data[]' FILE where they are a list in it), or all as one array"
                .to_owned()
        }
        _ if raw.place.item.is_some() && text.trim().is_empty() => {
            "a comma stands here without an item: there is one too many".to_owned()
        }
        1 if raw.place.item.is_none() && !text.trim_start().starts_with(['{', '[']) => {
            let begins: String = text.trim_start().chars().take(SHOWN_CHARS).collect();
            format!(
                "the line begins {begins:?} and is no JSON object: data are objects, one to a line, and a text is one as \
                 {{\"text\": \"…\"}}"
            )
        }
        1 => format!("malformed JSON at column {}: {reason}", error.column()),
        line => {
            let line = raw.place.line + line as u64 - 1;
            format!("malformed JSON at line {line}, column {}: {reason}", error.column())
        }
    };
    Err(Error::line(path, raw.place, reason))
}
