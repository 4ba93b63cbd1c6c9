//! Vocabularies, and walks through what a constraint allows.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use constrain::{Constraint, ConstraintError, Vocabulary};
use data::Tokenizer;
use serde_json::{Map, json};

/// Tokens that go across what grammars take apart, beside one for each byte.
const MERGED: &[&str] = &[
    "\":\"",
    "\":",
    "\": ",
    "\": \"",
    "\",\"",
    "\"},{\"",
    "{\"",
    "\"}",
    "}}",
    "[[",
    "]]",
    "],[",
    "\",",
    ", \"",
    "null",
    "true",
    "false",
    "},{",
    "\n  \"",
    "\n    ",
    "  ",
    " the",
    "the",
    "ab",
    "abc",
    "red",
    "blue",
    "12",
    "123",
    "1,",
    "0.5",
    "-1",
    "e5",
    ":1",
    ":12,\"",
    "\\n",
    "\\\"",
    "\\u",
    "é",
    "猫",
    "🐈",
    "<tool",
    "_call>",
    "</",
    "name",
    "\"name\"",
    "arguments",
    "{\"name\": \"",
    "get_",
    "weather",
    "\"a\":",
    "\"b\":",
    "\"}\n</tool",
];

/// The special tokens, in order, behind all others.
pub(crate) const SPECIAL: &[&str] = &["</s>", "<|eot|>", "<|python_tag|>", "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"];

/// A byte-level tokenizer of these merged tokens; `special` are those that spell nothing.
pub(crate) fn tokenizer(special: &[&str]) -> Tokenizer {
    tokenizer_of(MERGED.iter().map(|text| (*text).to_owned()), special)
}

/// As many tokens as language models have, of the scripts that they are made from: 60,000, which spell one to 64 letters.
pub(crate) fn large_tokenizer() -> Tokenizer {
    let mut random = Random(1);
    let mut words = BTreeSet::new();
    let latin: Vec<char> = ('a'..='z').collect();
    for (one, two) in latin.iter().flat_map(|one| latin.iter().map(move |two| (one, two))) {
        for three in &latin {
            words.extend([format!("{one}{two}{three}"), format!(" {one}{two}{three}")]);
        }
        words.extend([format!("{one}{two}"), format!(" {one}{two}"), format!("{}{two}", one.to_ascii_uppercase())]);
    }
    // So many words of letters from here to there, of so many letters at the most.
    for (count, first, last, letters_max) in [
        (10_000, 'a', 'z', 20),
        (2_000, 'A', 'z', 12),
        (2_000, '!', '~', 6),
        (2_000, 'à', 'ÿ', 4),
        (2_000, 'α', 'ω', 6),
        (3_000, 'а', 'я', 10),
        (1_500, 'א', 'ת', 6),
        (1_500, 'ب', 'ي', 8),
        (1_000, 'अ', 'ह', 5),
        (500, 'ก', 'ฮ', 5),
        (1_000, 'あ', 'ん', 5),
        (3_000, '一', '龥', 2),
        (1_500, '가', '힣', 2),
        (500, '🌀', '🙏', 1),
    ] {
        let letters: Vec<char> = (first..=last).collect();
        for _ in 0..count {
            let long = 1 + random.below(letters_max);
            let space = if random.chance(30) { " " } else { "" };
            words.insert(space.chars().chain((0..long).map(|_| *random.choose(&letters))).collect());
        }
    }
    for filled in [" ", "\n", "\t", "-", "=", "*", ".", "#"] {
        words.extend([2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64].map(|times| filled.repeat(times)));
    }
    words.extend((0..1_000).flat_map(|number| [format!("{number:02}"), format!("{number:03}")]));
    words.retain(|word| word.len() > 1);
    tokenizer_of(words.into_iter(), SPECIAL)
}

/// A byte-level tokenizer of single bytes and these tokens of several.
fn tokenizer_of(merged: impl Iterator<Item = String>, special: &[&str]) -> Tokenizer {
    let singles = (0..=255u8).map(|byte| letter(byte).to_string());
    let spelled = |text: String| text.bytes().map(letter).collect::<String>();
    let mut vocab: Map<_, _> =
        singles.chain(merged.map(spelled)).enumerate().map(|(id, token)| (token, json!(id))).collect();
    let mut added = Vec::new();
    for token in SPECIAL.iter().copied().chain(["<tool_call>"]) {
        let id = vocab.len();
        vocab.insert(token.into(), json!(id));
        added.push(json!({
            "id": id, "content": token, "special": special.contains(&token),
            "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
        }));
    }
    let level = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
        "added_tokens": added, "pre_tokenizer": level, "decoder": level,
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    });
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("tokenizer.json"), file.to_string()).unwrap();
    Tokenizer::from_dir(dir.path()).unwrap()
}

/// A vocabulary whose special tokens are special, with ids behind the tokenizer's.
pub(crate) fn vocabulary() -> Arc<Vocabulary> {
    vocabulary_of(&tokenizer(SPECIAL))
}

pub(crate) fn vocabulary_of(tokenizer: &Tokenizer) -> Arc<Vocabulary> {
    let ends = ["</s>", "<|eot|>"].map(|token| tokenizer.token_to_id(token).unwrap());
    Vocabulary::new(tokenizer, tokenizer.vocab_size() + 37, &ends).unwrap()
}

/// The letter by which byte-level tokenizers spell a byte (GPT-2's `bytes_to_unicode`).
fn letter(byte: u8) -> char {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    if printable(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|byte| !printable(*byte)).count();
    char::from_u32(256 + before as u32).unwrap()
}

/// Numbers that are the same for the same seed (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The ids that a mask allows.
pub(crate) fn allowed(mask: &[u32]) -> Vec<u32> {
    (0..mask.len() as u32 * 32).filter(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1).collect()
}

/// The tokens of a text, the longest first where `greedy`, else single bytes.
pub(crate) fn spell(tokenizer: &Tokenizer, text: &str, greedy: bool) -> Vec<u32> {
    let words: Vec<(u32, Vec<u8>)> = (0..tokenizer.vocab_size() as u32)
        .filter(|&id| !tokenizer.is_special(id))
        .map(|id| (id, tokenizer.token_bytes(id).unwrap().unwrap()))
        .collect();
    let mut rest = text.as_bytes();
    let mut ids = Vec::new();
    while !rest.is_empty() {
        let fits = words.iter().filter(|(_, word)| rest.starts_with(word));
        let (id, word) =
            if greedy { fits.max_by_key(|(_, word)| word.len()) } else { fits.min_by_key(|(_, word)| word.len()) }
                .unwrap();
        ids.push(*id);
        rest = &rest[word.len()..];
    }
    ids
}

/// Takes tokens one by one, each of which has to be in its mask.
pub(crate) fn follow(constraint: &mut Constraint, ids: &[u32]) -> Result<(), (usize, ConstraintError)> {
    for (at, &id) in ids.iter().enumerate() {
        let mask = constraint.mask().map_err(|error| (at, error))?;
        let in_mask = mask[id as usize / 32] >> (id % 32) & 1 == 1;
        let accepted = constraint.accept(id);
        assert_eq!(in_mask, accepted.is_ok(), "mask and acceptance of token {id} differ: {accepted:?}");
        accepted.map_err(|error| (at, error))?;
    }
    Ok(())
}

/// Whether a text is one that the constraint lets end, in long tokens and in bytes.
pub(crate) fn accepts(tokenizer: &Tokenizer, constraint: &Constraint, text: &str) -> bool {
    let both = [true, false].map(|greedy| {
        let mut constraint = constraint.clone();
        follow(&mut constraint, &spell(tokenizer, text, greedy)).is_ok() && constraint.may_end()
    });
    assert_eq!(both[0], both[1], "how {text:?} is spelled matters");
    both[0]
}
