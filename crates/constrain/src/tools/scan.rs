//! Reading what has come only in part.

use std::ops::Range;

use super::{SPACE, mistral};

/// What a text is, as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// It may become a call's beginning.
    More,
    /// It is none.
    No,
    /// It is one, up to the byte at which the arguments begin.
    Begins { name: String, arguments_at: usize },
}

/// How far a header has been read, so that what follows is read from there: it comes in small pieces, and its strings have no greatest length.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    /// What the steps found that are done.
    done: Vec<Range<usize>>,
    /// Where the next step begins.
    at: usize,
    part: Part,
    /// The name, once it is there.
    name: Option<String>,
}

/// What a step has read of a string or a word whose end has not come.
#[derive(Clone, Debug, Default)]
struct Part {
    length: usize,
    /// Whether a backslash stands before what follows.
    escaped: bool,
}

/// A cursor over a text that may go on. Each step gives `Err(Header::More)` where the text ends too early, and `Err(Header::No)` where
/// something else stands. The same steps are taken each time; those that are done only tell what they found.
struct Cursor<'t, 'p> {
    text: &'t str,
    steps: usize,
    progress: &'p mut Progress,
}

type Step<T> = Result<T, Header>;

impl<'t> Cursor<'t, '_> {
    fn new<'p>(text: &'t str, progress: &'p mut Progress) -> Cursor<'t, 'p> {
        Cursor { text, steps: 0, progress }
    }

    /// What stands behind white space, as long as `length` finds it.
    fn step(&mut self, length: impl FnOnce(&str, &mut Part) -> Step<usize>) -> Step<&'t str> {
        let progress = &mut *self.progress;
        if progress.done.len() == self.steps {
            let rest = self.text[progress.at..].trim_start_matches(SPACE);
            progress.at = self.text.len() - rest.len();
            let end = progress.at + length(rest, &mut progress.part)?;
            progress.done.push(progress.at..end);
            progress.at = end;
            progress.part = Part::default();
        }
        let found = &self.text[progress.done[self.steps].clone()];
        self.steps += 1;
        Ok(found)
    }

    fn expect(&mut self, wanted: &'static str) -> Step<()> {
        self.one_of(&[wanted]).map(drop)
    }

    /// A bracket that may be left out.
    fn bracket(&mut self) -> Step<()> {
        let length = |rest: &str, _: &mut Part| match rest.is_empty() {
            true => Err(Header::More),
            false => Ok(usize::from(rest.starts_with('['))),
        };
        self.step(length).map(drop)
    }

    /// A string as it stands, with its quotation marks.
    fn string(&mut self) -> Step<&'t str> {
        self.step(|rest, part| {
            if !rest.is_empty() && !rest.starts_with('"') {
                return Err(Header::No);
            }
            for (at, byte) in rest.bytes().enumerate().skip(part.length.max(1)) {
                match byte {
                    _ if part.escaped => part.escaped = false,
                    b'\\' => part.escaped = true,
                    b'"' => return Ok(at + 1),
                    _ => {}
                }
            }
            part.length = rest.len();
            Err(Header::More)
        })
    }

    /// A string that is one of these, as far as it has come.
    fn one_of(&mut self, strings: &[&'static str]) -> Step<&'t str> {
        self.step(|rest, _| match strings.iter().find(|string| rest.starts_with(**string)) {
            Some(string) => Ok(string.len()),
            None if strings.iter().any(|string| string.starts_with(rest)) => Err(Header::More),
            None => Err(Header::No),
        })
    }

    /// Letters and digits of ASCII, and of `others`, so many at the most.
    fn word(&mut self, others: &str, length_max: usize) -> Step<&'t str> {
        let is_part = |character: char| character.is_ascii_alphanumeric() || others.contains(character);
        self.step(|rest, part| {
            let more = rest.bytes().take(length_max).skip(part.length);
            part.length += more.take_while(|&byte| is_part(byte.into())).count();
            match part.length {
                length if length == rest.len() => Err(Header::More),
                0 => Err(Header::No),
                length => Ok(length),
            }
        })
    }

    /// A string that is a name.
    fn name(&mut self) -> Step<()> {
        let string = self.string()?;
        if self.progress.name.is_none() {
            self.progress.name = Some(serde_json::from_str(string).map_err(|_| Header::No)?);
        }
        Ok(())
    }
}

/// What has been read, where the last step found the arguments' first bracket.
fn begins(read: Step<()>, progress: &mut Progress) -> Header {
    match read {
        Ok(()) => match progress.name.take() {
            Some(name) => Header::Begins { name, arguments_at: progress.at - 1 },
            None => Header::No,
        },
        Err(header) => header,
    }
}

/// `{"name": "f", "arguments": {`, with `parameters` for `arguments` and `"type": "function"` before it if need be, and `[` before all where it
/// may begin a list. A key that is spelled with escapes is another one: a grammar's text excludes these letters alone. Of what `may_be_text` it is
/// told as soon as no such key can come that it is no call: it may be as long as an answer, and who reads it waits for it.
pub(super) fn object_header(text: &str, begins_list: bool, may_be_text: bool, progress: &mut Progress) -> Header {
    let key_among = |cursor: &mut Cursor<'_, '_>, keys: &[&'static str]| -> Step<usize> {
        let key = if may_be_text { cursor.one_of(keys)? } else { cursor.string()? };
        keys.iter().position(|known| *known == key).ok_or(Header::No)
    };
    let read = |cursor: &mut Cursor<'_, '_>| -> Step<()> {
        if begins_list {
            cursor.bracket()?;
        }
        cursor.expect("{")?;
        if key_among(cursor, &[r#""name""#, r#""type""#])? == 1 {
            cursor.expect(":")?;
            cursor.expect("\"function\"")?;
            cursor.expect(",")?;
            key_among(cursor, &[r#""name""#])?;
        }
        cursor.expect(":")?;
        cursor.name()?;
        cursor.expect(",")?;
        key_among(cursor, &[r#""arguments""#, r#""parameters""#])?;
        cursor.expect(":")?;
        cursor.expect("{")
    };
    let read = read(&mut Cursor::new(text, progress));
    begins(read, progress)
}

/// `f[ARGS]{`, or `f[CALL_ID]id[ARGS]{`.
pub(super) fn args_header(text: &str, has_id: bool, progress: &mut Progress) -> Header {
    let read = |cursor: &mut Cursor<'_, '_>| -> Step<()> {
        let name = cursor.word("_-.", usize::MAX)?;
        if has_id {
            cursor.expect(mistral::ID_MARK)?;
            cursor.word("", mistral::ID_LENGTH)?;
        }
        cursor.expect(mistral::ARGS_MARK)?;
        cursor.expect("{")?;
        cursor.progress.name = Some(name.to_owned());
        Ok(())
    };
    let read = read(&mut Cursor::new(text, progress));
    begins(read, progress)
}

/// Finds the end of a JSON value that begins with a bracket. It counts brackets outside of strings; whether the value is JSON is for whoever
/// reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Value {
    /// Takes more of it; the length up to its end, if that is there.
    pub(super) fn take(&mut self, text: &str) -> Option<usize> {
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Such a value in a text that is kept and grows, of which each byte is read once.
#[derive(Clone, Debug, Default)]
pub(super) struct Growing {
    value: Value,
    read: usize,
}

impl Growing {
    /// One whose first bracket is taken already.
    pub(super) fn opened() -> Growing {
        Growing { value: Value { depth: 1, ..Value::default() }, read: 0 }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.read > 0
    }

    /// Where it ends in the text, if its end is there.
    pub(super) fn end(&mut self, text: &str) -> Option<usize> {
        let from = std::mem::replace(&mut self.read, text.len());
        self.value.take(&text[from..]).map(|length| from + length)
    }
}

/// How many bytes at the end of a text may be the beginning of `mark`.
pub(super) fn held_back(text: &str, mark: &str) -> usize {
    let longest = mark.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|&length| text.is_char_boundary(text.len() - length) && mark.starts_with(&text[text.len() - length..]))
        .unwrap_or(0)
}
