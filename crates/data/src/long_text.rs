//! Long texts tokenised in windows: the `tokenizers` crate needs some eighty times a text's length as working memory.
//!
//! Windows overlap, and are joined where both have the same tokens for a while. A token depends on its neighbourhood (its
//! word, the white space around it), so that what both agree on in the middle of the overlap is what the whole text
//! would have there. Where they do not agree the window grows, in the worst case to the whole text.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::tokenizer::{Encoded, Tokenizer};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Tokenises texts of any length, and can be stopped while it does.
#[derive(Clone, Copy)]
pub(crate) struct Encoder<'a> {
    pub(crate) tokenizer: &'a Tokenizer,
    /// Ends the work with [`Error::Stopped`] once it is set.
    pub(crate) stop: &'a AtomicBool,
}

impl<'a> Encoder<'a> {
    pub(crate) fn uninterrupted(tokenizer: &'a Tokenizer) -> Self {
        Encoder { tokenizer, stop: &NEVER }
    }

    /// See [`Tokenizer::encode`].
    pub(crate) fn ids(self, text: &str, add_special_tokens: bool) -> Result<Vec<u32>> {
        let (before, after) = if add_special_tokens { self.tokenizer.affixes() } else { (&[][..], &[][..]) };
        let mut ids = before.to_vec();
        if text.len() <= Windows::DEFAULT.bytes {
            ids.extend(self.tokenizer.ids_at_once(text)?);
        } else {
            self.windows(text, |some, _| ids.extend_from_slice(some))?;
        }
        ids.extend_from_slice(after);
        Ok(ids)
    }

    /// See [`Tokenizer::encode_prompt`].
    pub(crate) fn prompt(self, text: &str) -> Result<Vec<u32>> {
        let mut ids = self.ids(text, true)?;
        ids.truncate(ids.len() - self.tokenizer.affixes().1.len());
        Ok(ids)
    }

    /// See [`Tokenizer::encode_with_offsets`].
    pub(crate) fn with_offsets(self, text: &str) -> Result<Encoded> {
        if text.len() <= Windows::DEFAULT.bytes {
            return self.tokenizer.encode_at_once(text);
        }
        let mut encoded = Encoded { ids: Vec::new(), char_offsets: Vec::new() };
        self.windows(text, |ids, offsets| {
            encoded.ids.extend_from_slice(ids);
            encoded.char_offsets.extend(offsets);
        })?;
        Ok(encoded)
    }

    fn windows(self, text: &str, take: impl FnMut(&[u32], &mut dyn Iterator<Item = (usize, usize)>)) -> Result<()> {
        Windows::DEFAULT.encode(text, self.stop, |part| self.tokenizer.encode_at_once(part), take)
    }
}

/// How a text is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    /// Bytes of a window, before it grows.
    pub(crate) bytes: usize,
    /// The part of a window's characters that it shares with the next one, as 1 over this.
    pub(crate) overlap: usize,
    /// Tokens that both windows must agree on.
    pub(crate) agreeing: usize,
}

impl Windows {
    /// 128 KiB, which take some 10 MB and a few hundredths of a second.
    pub(crate) const DEFAULT: Windows = Windows { bytes: 1 << 17, overlap: 32, agreeing: 16 };

    /// The tokens of `text`, of which `encode` gives those of a part, and which are handed to `take` as they are settled.
    /// Ends early once `stop` is set.
    pub(crate) fn encode(
        self,
        text: &str,
        stop: &AtomicBool,
        encode: impl Fn(&str) -> Result<Encoded>,
        mut take: impl FnMut(&[u32], &mut dyn Iterator<Item = (usize, usize)>),
    ) -> Result<()> {
        let mut window = Window::new(text, 0, 0, self.bytes, stop, &encode)?;
        let mut first = 0;
        loop {
            let Some(border) = window.next_start(self) else {
                window.give(first, window.encoded.ids.len(), &mut take);
                return Ok(());
            };
            let next = Window::new(text, border.byte, border.char, self.bytes, stop, &encode)?;
            match window.agreement(&next, &border, self.agreeing) {
                Some((here, there)) if here >= first => {
                    window.give(first, here, &mut take);
                    (window, first) = (next, there);
                }
                _ => {
                    let bytes = 2 * (window.end - window.start);
                    window = Window::new(text, window.start, window.start_char, bytes, stop, &encode)?;
                }
            }
        }
    }
}

/// A part of a text with its tokens.
struct Window<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// `start` in characters.
    start_char: usize,
    encoded: Encoded,
}

/// The place of a token that begins the next window.
struct Border {
    token: usize,
    byte: usize,
    char: usize,
    /// Characters at the overlap's beginning and end that do not count, because there a window's end is felt.
    margin: usize,
    /// The last character of the text that does.
    end: usize,
}

impl<'t> Window<'t> {
    fn new(
        text: &'t str,
        start: usize,
        start_char: usize,
        bytes: usize,
        stop: &AtomicBool,
        encode: &impl Fn(&str) -> Result<Encoded>,
    ) -> Result<Window<'t>> {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        let end = start.saturating_add(bytes).min(text.len());
        let end = (start..=end).rfind(|&end| text.is_char_boundary(end)).unwrap_or(start);
        Ok(Window { text, start, end, start_char, encoded: encode(&text[start..end])? })
    }

    /// The first token of the overlap with the next window; `None` where the text ends.
    ///
    /// The next window begins with a token, not anywhere, so that what is counted off from the left (digits by threes, the
    /// same letter a thousand times) goes on in step.
    fn next_start(&self, windows: Windows) -> Option<Border> {
        if self.end == self.text.len() {
            return None;
        }
        let text = &self.text[self.start..self.end];
        let chars = text.chars().count();
        let overlap = (chars / windows.overlap).min(windows.bytes / 2);
        let wanted = chars - overlap;
        let token = self.encoded.char_offsets.partition_point(|&(start, _)| start < wanted);
        let char = self.encoded.char_offsets.get(token).map_or(wanted, |&(start, _)| start);
        let within = text.char_indices().nth(char).map_or(text.len(), |(at, _)| at);
        let margin = overlap / 4;
        let before = self.start_char;
        Some(Border { token, byte: self.start + within, char: before + char, margin, end: before + chars - margin })
    }

    /// Tokens of this window and of the next at which to go from the one to the other.
    fn agreement(&self, next: &Window<'_>, border: &Border, agreeing: usize) -> Option<(usize, usize)> {
        let mut there = 0;
        let mut run = 0;
        for here in border.token.. {
            let token = self.token(here).filter(|&(_, _, end)| end <= border.end)?;
            while next.token(there).is_some_and(|(_, start, _)| start < token.1) {
                there += 1;
                run = 0;
            }
            if token.1 >= border.char + border.margin && next.token(there) == Some(token) {
                there += 1;
                run += 1;
            } else {
                run = 0;
            }
            if run == agreeing {
                let later = run / 2;
                return Some((here + 1 - later, there - later));
            }
        }
        None
    }

    /// A token's id with the characters of the text that it comes from.
    fn token(&self, index: usize) -> Option<(u32, usize, usize)> {
        let (start, end) = *self.encoded.char_offsets.get(index)?;
        Some((*self.encoded.ids.get(index)?, self.start_char + start, self.start_char + end))
    }

    fn give(&self, first: usize, end: usize, take: &mut impl FnMut(&[u32], &mut dyn Iterator<Item = (usize, usize)>)) {
        let shifted = |&(start, end): &(usize, usize)| (start + self.start_char, end + self.start_char);
        take(&self.encoded.ids[first..end], &mut self.encoded.char_offsets[first..end].iter().map(shifted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, digits, white space and characters of all lengths, some of them in long runs.
    fn text() -> String {
        let mut text = String::new();
        for index in 0..4000_u64 {
            let draw = crate::order::mix(index);
            let piece = match draw % 23 {
                0 => "\n\n",
                1 => "  \t ",
                2 => "né à Noël",
                3 => "猫が座った。",
                4 => "🐈\u{200D}⬛",
                5 => "1234567",
                6 => "don't",
                7 if draw.is_multiple_of(5) => &"a".repeat(300),
                8 if draw.is_multiple_of(5) => &" ".repeat(300),
                9 => "<|im_end|>",
                _ => "the cat sat",
            };
            text.push_str(piece);
            text.push_str(if draw & (1 << 40) == 0 { " " } else { "" });
        }
        text
    }

    fn in_windows(tokenizer: &Tokenizer, text: &str, windows: Windows) -> (Encoded, usize) {
        let mut encoded = Encoded { ids: vec![], char_offsets: vec![] };
        let longest = std::cell::Cell::new(0);
        let encode = |part: &str| {
            longest.set(longest.get().max(part.len()));
            tokenizer.encode_at_once(part)
        };
        let take = |ids: &[u32], offsets: &mut dyn Iterator<Item = (usize, usize)>| {
            encoded.ids.extend_from_slice(ids);
            encoded.char_offsets.extend(offsets);
        };
        windows.encode(text, &AtomicBool::new(false), encode, take).expect("the text is tokenised");
        (encoded, longest.get())
    }

    #[test]
    fn windows_give_the_tokens_of_the_whole() {
        let text = text();
        let windows = Windows { bytes: 2000, overlap: 4, agreeing: 8 };
        for (name, tokenizer) in crate::test_tokenizers::all() {
            let (encoded, longest) = in_windows(&tokenizer, &text, windows);
            let whole = tokenizer.encode_at_once(&text).expect("the text is tokenised");
            assert!(encoded == whole, "{name}");
            assert!(longest < text.len() / 4, "{name}: a window of {longest} bytes");
        }
    }

    #[test]
    fn a_text_without_borders_is_tokenised_too() {
        let windows = Windows { bytes: 200, overlap: 4, agreeing: 8 };
        for (name, tokenizer) in crate::test_tokenizers::all() {
            for text in ["a".repeat(3001), " ".repeat(3001), "7".repeat(3001), "\n".repeat(3001)] {
                let whole = tokenizer.encode_at_once(&text).expect("the text is tokenised");
                assert!(in_windows(&tokenizer, &text, windows).0 == whole, "{name}: {:?}", &text[..5]);
            }
        }
    }

    #[test]
    fn a_stop_ends_it_between_two_windows() {
        let stop = AtomicBool::new(false);
        let encode = |part: &str| {
            stop.store(true, Ordering::Relaxed);
            crate::test_tokenizers::all()[0].1.encode_at_once(part)
        };
        let windows = Windows { bytes: 200, overlap: 4, agreeing: 8 };
        let result = windows.encode(&text(), &stop, encode, |_, _| {});
        assert!(matches!(result, Err(Error::Stopped)), "{result:?}");
    }
}
