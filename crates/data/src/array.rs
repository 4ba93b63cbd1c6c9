//! The items of a JSON array, one at a time: files of hundreds of megabytes are one array.

use crate::error::{Error, Place, Result};
use crate::input::Input;
use crate::lines::{RECORD_BYTES_MAX, Raw};

/// Divides an array into its items by brackets and quotes alone. Whether an item is well-formed is seen when it is parsed,
/// so that a bad one does not spoil those behind it.
pub(crate) struct Items {
    input: Input,
    /// The line at hand, from 1.
    line: u64,
    /// Items begun.
    items: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the opening bracket.
    Before,
    /// After the opening bracket.
    First,
    /// After an item.
    Between,
    /// After the closing bracket.
    After,
}

impl Items {
    pub(crate) fn new(input: Input) -> Self {
        Items { input, line: 1, items: 0, state: State::Before }
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// The next item.
    pub(crate) fn next_item(&mut self) -> Result<Option<Raw>> {
        loop {
            let byte = self.skip_white_space()?;
            match (self.state, byte) {
                (State::Before, Some(b'[')) => self.state = State::First,
                (State::First | State::Between, Some(b']')) => self.state = State::After,
                (State::First, Some(_)) => return self.item().map(Some),
                (State::Between, Some(b',')) => {
                    self.input.consume(1);
                    self.skip_white_space()?;
                    return self.item().map(Some);
                }
                (State::After, None) => return Ok(None),
                (State::After, Some(_)) => return Err(self.refuse("there is more behind the end of the array")),
                (_, None) => return Err(self.refuse("the array does not end: the file is cut off")),
                (State::Between, Some(_)) => return Err(self.refuse("expected a comma or the end of the array")),
                (State::Before, Some(_)) => return Err(self.refuse("expected an array")),
            }
            self.input.consume(1);
        }
    }

    /// The byte after white space, which is left.
    fn skip_white_space(&mut self) -> Result<Option<u8>> {
        loop {
            let buffer = self.input.buffered()?;
            let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let lines = buffer[..blank].iter().filter(|&&byte| byte == b'\n').count();
            let next = buffer.get(blank).copied();
            let is_end = buffer.is_empty();
            self.line += lines as u64;
            self.input.consume(blank);
            if next.is_some() || is_end {
                return Ok(next);
            }
        }
    }

    /// The bytes up to the comma or bracket that ends the item.
    fn item(&mut self) -> Result<Raw> {
        self.items += 1;
        let place = Place { line: self.line, item: Some(self.items) };
        let mut bytes = Some(Vec::new());
        let mut scan = Scan::default();
        loop {
            let buffer = self.input.buffered()?;
            if buffer.is_empty() {
                return Err(self.refuse("the array does not end: the file is cut off"));
            }
            let end = buffer.iter().position(|&byte| scan.ends_before(byte));
            let part = &buffer[..end.unwrap_or(buffer.len())];
            bytes = bytes.filter(|bytes| bytes.len() + part.len() <= RECORD_BYTES_MAX);
            if let Some(bytes) = &mut bytes {
                bytes.extend_from_slice(part);
            }
            self.line += part.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let length = part.len();
            self.input.consume(length);
            if end.is_some() {
                self.state = State::Between;
                if let Some(bytes) = &mut bytes {
                    bytes.truncate(bytes.trim_ascii_end().len());
                }
                return Ok(Raw::new(place, bytes));
            }
        }
    }

    fn refuse(&self, reason: &str) -> Error {
        let place = Place { line: self.line, item: Some(self.items).filter(|&items| items > 0) };
        Error::Records { path: self.input.path().to_path_buf(), place, reason: reason.to_owned() }
    }
}

/// How deep in brackets and whether in a string.
#[derive(Default)]
struct Scan {
    depth: u32,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Takes the next byte, and says whether it stands behind the item.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b',' | b']' if self.depth == 0 => return true,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        false
    }
}
