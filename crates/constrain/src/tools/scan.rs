//! Reading what has come only in part.

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

/// A cursor over a text that may go on. Each step gives `Err(Header::More)` where the text ends too early, and `Err(Header::No)` where
/// something else stands.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

type Step<T> = Result<T, Header>;

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(SPACE).len();
    }

    fn expect(&mut self, wanted: &str) -> Step<()> {
        self.space();
        if self.rest().starts_with(wanted) {
            self.at += wanted.len();
            return Ok(());
        }
        Err(if wanted.starts_with(self.rest()) { Header::More } else { Header::No })
    }

    /// A string as it stands, with its quotation marks.
    fn string(&mut self) -> Step<&'t str> {
        self.space();
        if !self.rest().is_empty() && !self.rest().starts_with('"') {
            return Err(Header::No);
        }
        let mut escaped = false;
        for (at, byte) in self.rest().bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let string = &self.rest()[..=at];
                    self.at += at + 1;
                    return Ok(string);
                }
                _ => {}
            }
        }
        Err(Header::More)
    }

    /// A string that is one of these, as far as it has come.
    fn one_of(&mut self, strings: &[&'static str]) -> Step<&'static str> {
        self.space();
        if let Some(string) = strings.iter().find(|string| self.rest().starts_with(**string)) {
            self.at += string.len();
            return Ok(string);
        }
        Err(if strings.iter().any(|string| string.starts_with(self.rest())) { Header::More } else { Header::No })
    }

    /// Letters and digits of ASCII, and of `others`, so many at the most.
    fn word(&mut self, others: &str, length_max: usize) -> Step<&'t str> {
        self.space();
        let is_part = |character: char| character.is_ascii_alphanumeric() || others.contains(character);
        let length = self.rest().bytes().take(length_max).take_while(|&byte| is_part(byte.into())).count();
        if length == self.rest().len() {
            return Err(Header::More);
        }
        let word = &self.rest()[..length];
        self.at += length;
        if word.is_empty() { Err(Header::No) } else { Ok(word) }
    }
}

/// `{"name": "f", "arguments": {`, with `parameters` for `arguments` and `"type": "function"` before it if need be. A key that is spelled with
/// escapes is another one: a grammar's text excludes these letters alone. Of what `may_be_text` it is told as soon as no such key can come that it is no call: it
/// may be as long as an answer, and who reads it waits for it.
pub(super) fn object_header(text: &str, may_be_text: bool) -> Header {
    let mut cursor = Cursor { text, at: 0 };
    let key_among = |cursor: &mut Cursor<'_>, keys: &[&'static str]| match may_be_text {
        true => cursor.one_of(keys).map(str::to_owned),
        false => cursor.string().map(str::to_owned),
    };
    let read = |cursor: &mut Cursor<'_>| -> Step<String> {
        cursor.expect("{")?;
        let mut key = key_among(cursor, &[r#""type""#, r#""name""#])?;
        if key == r#""type""# {
            cursor.expect(":")?;
            cursor.expect("\"function\"")?;
            cursor.expect(",")?;
            key = key_among(cursor, &[r#""name""#])?;
        }
        if key != r#""name""# {
            return Err(Header::No);
        }
        cursor.expect(":")?;
        let name = serde_json::from_str(cursor.string()?).map_err(|_| Header::No)?;
        cursor.expect(",")?;
        let keys = [r#""arguments""#, r#""parameters""#];
        if !keys.contains(&key_among(cursor, &keys)?.as_str()) {
            return Err(Header::No);
        }
        cursor.expect(":")?;
        cursor.expect("{")?;
        Ok(name)
    };
    match read(&mut cursor) {
        Ok(name) => Header::Begins { name, arguments_at: cursor.at - 1 },
        Err(header) => header,
    }
}

/// `f[ARGS]{`, or `f[CALL_ID]id[ARGS]{`.
pub(super) fn args_header(text: &str, has_id: bool) -> Header {
    let mut cursor = Cursor { text, at: 0 };
    let read = |cursor: &mut Cursor| -> Step<String> {
        let name = cursor.word("_-.", usize::MAX)?.to_owned();
        if has_id {
            cursor.expect(mistral::ID_MARK)?;
            cursor.word("", mistral::ID_LENGTH)?;
        }
        cursor.expect(mistral::ARGS_MARK)?;
        cursor.expect("{")?;
        Ok(name)
    };
    match read(&mut cursor) {
        Ok(name) => Header::Begins { name, arguments_at: cursor.at - 1 },
        Err(header) => header,
    }
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
