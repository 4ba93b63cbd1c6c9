//! Pieces of a text that stand end to end, each tokenised behind those before it.
//!
//! A token such as `</s>` is looked for in the text before anything else is done with it, and what stands before and behind it is tokenised
//! apart. So what stands before it is not tokenised again with each piece: a record with such a token in each turn takes time in
//! proportion to its length, and not to its square.

use std::sync::atomic::Ordering;

use crate::encode::continuation;
use crate::error::{Error, Result};
use crate::long_text::Encoder;
use crate::tokenizer::Encoded;

/// Pieces, as far as they are tokenised.
pub(crate) struct EndToEnd<'a> {
    encoder: Encoder<'a>,
    /// Their text, from the token on that it was cut at last.
    text: String,
    /// How many of their tokens stand before the cut. They say what the text before it says.
    first: usize,
    /// Whether they are the tokens that the text as a whole has there, and no others that say the same.
    is_whole: bool,
}

impl<'a> EndToEnd<'a> {
    pub(crate) fn new(encoder: Encoder<'a>) -> Self {
        EndToEnd { encoder, text: String::new(), first: 0, is_whole: true }
    }

    /// Puts the tokens of the next piece behind those of the pieces before it.
    pub(crate) fn push(&mut self, piece: &str, tokens: &mut Vec<u32>) -> Result<()> {
        if self.encoder.stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        self.text.push_str(piece);
        let whole = self.encoder.with_offsets(&self.text)?;
        let own = &tokens[self.first..];
        let added = match whole.ids.strip_prefix(own).filter(|_| self.is_whole) {
            Some(rest) => rest.to_vec(),
            None => continuation(self.encoder, own, &whole.ids, piece)?,
        };
        tokens.extend(added);
        self.cut(&tokens[self.first..], &whole)
    }

    /// Cuts the text, whose tokens are `own` as its pieces have them, as far behind as nothing that follows changes `whole`. It stays as it is
    /// where the pieces' tokens before that place say something else, which has to be compared again with the next piece.
    fn cut(&mut self, own: &[u32], whole: &Encoded) -> Result<()> {
        let tokenizer = self.encoder.tokenizer;
        let Some((at, byte)) = self.last_border(whole) else { return Ok(()) };
        let is_border = |id: &u32| tokenizer.border(*id).is_some();
        let later = whole.ids[at + 1..].iter().filter(|id| is_border(id)).count();
        let mut borders = own.iter().enumerate().rev().filter(|(_, id)| is_border(id));
        let Some((own_at, _)) = borders.nth(later).filter(|(_, id)| **id == whole.ids[at]) else { return Ok(()) };
        let (own, whole) = (&own[..own_at], &whole.ids[..at]);
        if own != whole && tokenizer.decode(own, false)? != tokenizer.decode(whole, false)? {
            return Ok(());
        }
        self.is_whole &= own == whole;
        self.first += own_at;
        self.text.drain(..byte);
        Ok(())
    }

    /// The last token at which the text can be cut whatever follows it, but for its first, and the byte where that begins.
    fn last_border(&self, whole: &Encoded) -> Option<(usize, usize)> {
        let tokenizer = self.encoder.tokenizer;
        // Behind that a longer one may begin, which is complete only with the next piece.
        let settled = self.text.len().checked_sub(tokenizer.longest_added_bytes())?;
        let mut chars = self.text.char_indices().map(|(byte, _)| byte).enumerate();
        let mut last = None;
        for (at, (id, (start, _))) in whole.ids.iter().zip(&whole.char_offsets).enumerate().skip(1) {
            let Some(border) = tokenizer.border(*id) else { continue };
            let (_, byte) = chars.find(|(char, _)| char == start)?;
            if byte > settled {
                break;
            }
            if self.text[byte..].starts_with(border) {
                last = Some((at, byte));
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::order::mix;
    use crate::test_tokenizers;
    use crate::tokenizer::Tokenizer;

    const END: &str = "<|im_end|>";

    /// The tokenizers of the tests, as they are and with each setting of added tokens that has them look at their neighbours.
    fn tokenizers() -> Vec<(String, Tokenizer)> {
        const CHAT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/chat");
        let of_tests = test_tokenizers::folders();
        let folders = of_tests.iter().map(|(name, folder)| (*name, folder.path())).chain([("chat", Path::new(CHAT))]);
        let mut all = Vec::new();
        for (name, folder) in folders {
            let text = fs::read_to_string(folder.join("tokenizer.json")).expect("it is there");
            for setting in ["", "single_word", "lstrip", "rstrip", "normalized", "longer"] {
                let mut json: Value = serde_json::from_str(&text).expect("it is JSON");
                let tokens = json["added_tokens"].as_array_mut().expect("there are some");
                let token = tokens.iter_mut().find(|token| token["content"] == END).expect("all have it");
                match setting {
                    "" => {}
                    "longer" => {
                        let mut longer = token.clone();
                        longer["id"] = 5000.into();
                        longer["content"] = format!("the{END} cat").into();
                        tokens.push(longer);
                    }
                    flag => token[flag] = true.into(),
                }
                let changed = tempfile::tempdir().expect("a temporary folder");
                fs::write(changed.path().join("tokenizer.json"), json.to_string()).expect("it is written");
                let tokenizer = Tokenizer::from_dir(changed.path()).expect("the tokenizer loads");
                all.push((format!("{name} {setting}"), tokenizer));
            }
        }
        all
    }

    /// What stands before each piece tokenised anew with it, as a whole.
    fn anew(tokenizer: &Tokenizer, pieces: &[&str]) -> Vec<u32> {
        let encoder = Encoder::uninterrupted(tokenizer);
        let (mut text, mut tokens) = (String::new(), Vec::new());
        for piece in pieces {
            text.push_str(piece);
            let whole = encoder.ids(&text, false).expect("it is tokenised");
            let added = match whole.strip_prefix(tokens.as_slice()) {
                Some(rest) => rest.to_vec(),
                None => continuation(encoder, &tokens, &whole, piece).expect("it is tokenised"),
            };
            tokens.extend(added);
        }
        tokens
    }

    fn end_to_end(tokenizer: &Tokenizer, pieces: &[&str]) -> (Vec<u32>, usize) {
        let mut pushed = EndToEnd::new(Encoder::uninterrupted(tokenizer));
        let (mut tokens, mut longest) = (Vec::new(), 0);
        for piece in pieces {
            pushed.push(piece, &mut tokens).expect("it is tokenised");
            longest = longest.max(pushed.text.len());
        }
        (tokens, longest)
    }

    /// Pieces of words, white space and characters of all lengths that begin and end anywhere, in special tokens too.
    #[test]
    fn pieces_have_the_tokens_that_they_have_where_all_is_tokenised_anew() {
        const PARTS: [&str; 28] = [
            END,
            END,
            END,
            "the<|im_end|>",
            "</s>",
            "<|im_end|>\n",
            "<|im_start|>",
            "<|im_",
            "end|>",
            "</",
            "s>",
            "the",
            "the ",
            " cat",
            " cat",
            "red",
            "?",
            "? ",
            " ",
            "  ",
            "\n",
            "aaaa",
            "12",
            "é",
            "e\u{301}",
            "猫",
            "🐈\u{200D}⬛",
            "",
        ];
        for (name, tokenizer) in tokenizers() {
            for record in 0..100_u64 {
                let draw = |index: u64| mix(mix(record) ^ index) as usize;
                let count = 2 + draw(0) % 24;
                let pieces: Vec<String> = (0..count as u64)
                    .map(|piece| {
                        (0..1 + draw(8 * piece) as u64 % 4)
                            .map(|part| PARTS[draw(8 * piece + part + 1) % PARTS.len()])
                            .collect()
                    })
                    .collect();
                let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
                assert_eq!(end_to_end(&tokenizer, &pieces).0, anew(&tokenizer, &pieces), "{name}: {pieces:?}");
            }
        }
    }

    /// Also where a token would span two pieces, from which on the tokens are not those of the text as a whole. Where that has a space behind
    /// each special token, as Llama 2's first form, the pieces then say something else than it.
    #[test]
    fn what_is_tokenised_with_a_piece_does_not_grow_with_those_before_it() {
        let clean = ["the cat", " sat", END, "\nthe cat sat on the mat"];
        let spanned = ["red or blue? ", "red", END, "\nthe cat sat on the mat"];
        for (name, tokenizer) in tokenizers().into_iter().step_by(6) {
            for turn in [clean, spanned].into_iter().filter(|turn| *turn == clean || name != "legacy ") {
                let pieces = turn.repeat(50);
                let (tokens, longest) = end_to_end(&tokenizer, &pieces);
                assert!(longest < 100, "{name}: {longest} bytes of {turn:?}");
                assert_eq!(tokens, anew(&tokenizer, &pieces), "{name}: {turn:?}");
            }
        }
    }

    #[test]
    fn a_stop_ends_it_between_two_pieces() {
        let all = test_tokenizers::all();
        let stop = std::sync::atomic::AtomicBool::new(true);
        let mut pushed = EndToEnd::new(Encoder { tokenizer: &all[0].1, stop: &stop });
        assert!(matches!(pushed.push("red", &mut Vec::new()), Err(Error::Stopped)));
    }
}
