//! Records to tokens with the mask that says which of them are learned.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::long_text::Encoder;
use crate::pieces::EndToEnd;
use crate::record::Record;
use crate::tokenizer::{Encoded, Tokenizer};
use crate::turns::{Mismatch, Turns};

/// A tokenised sample: `[tokens]` and, for each, whether it is a target of the loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Whether the loss counts this token, as what the tokens before it should predict.
    pub targets: Vec<bool>,
}

impl Sample {
    /// Whether anything is learned. The first token of a sample is never predicted, so it does not count.
    pub fn has_target(&self) -> bool {
        self.targets.iter().skip(1).any(|&target| target)
    }

    fn push(&mut self, tokens: impl IntoIterator<Item = u32>, target: bool) {
        self.tokens.extend(tokens);
        self.targets.resize(self.tokens.len(), target);
    }

    fn end_with(&mut self, eos: Option<u32>) {
        self.push(eos.filter(|&eos| self.tokens.last() != Some(&eos)), true);
    }
}

/// Tokenises a record. The loss counts
/// - every token of a document,
/// - what the assistant says in a conversation, its end-of-turn token included, unless its message says otherwise,
/// - the completion of a prompt,
/// - the pieces that are labelled so,
///
/// or everything with `train_on_inputs`, save the messages that say otherwise. Documents and completions end with the
/// end-of-document token; conversations end as their template ends them, and pieces as their last one does.
///
/// # Errors
/// The tokenizer or the chat template refuses the text, or the template does not tell the assistant's part apart.
pub fn encode(tokenizer: &Tokenizer, record: &Record, train_on_inputs: bool) -> Result<Sample> {
    Ok(encode_and_compare(Encoder::uninterrupted(tokenizer), record, train_on_inputs)?.0)
}

/// As [`encode`], and what generation would see in place of a conversation's beginning, where that is something else.
pub(crate) fn encode_and_compare(
    encoder: Encoder<'_>,
    record: &Record,
    train_on_inputs: bool,
) -> Result<(Sample, Option<Mismatch>)> {
    let tokenizer = encoder.tokenizer;
    let mut sample = Sample::default();
    match record {
        Record::Text(text) => {
            sample.push(encoder.ids(text, true)?, true);
            sample.end_with(tokenizer.eos_id());
        }
        Record::Completion { prompt, completion } => {
            sample.push(encoder.prompt(prompt)?, train_on_inputs);
            let whole = encoder.prompt(&[prompt.as_str(), completion].concat())?;
            let continuation = match whole.strip_prefix(sample.tokens.as_slice()) {
                Some(rest) => rest.to_vec(),
                None => continuation(encoder, &sample.tokens, &whole, completion)?,
            };
            sample.push(continuation, true);
            sample.end_with(tokenizer.eos_id());
        }
        Record::Pieces(pieces) => {
            let mut end_to_end = EndToEnd::new(encoder);
            for piece in pieces {
                end_to_end.push(&piece.text, &mut sample.tokens)?;
                sample.targets.resize(sample.tokens.len(), piece.train || train_on_inputs);
            }
        }
        Record::Chat { messages, tools, train, given } => {
            let template = tokenizer.chat_template(tools.is_some()).ok_or(Error::NoTemplate)?;
            let turns = Turns { encoder, template, messages, tools: tools.as_ref(), train, given: *given };
            return encode_chat(&turns, train_on_inputs);
        }
    }
    Ok((sample, None))
}

fn encode_chat(turns: &Turns<'_>, train_on_inputs: bool) -> Result<(Sample, Option<Mismatch>)> {
    let rendered = turns.render(turns.messages.len(), false)?;
    let encoded = turns.encoder.with_offsets(&rendered.text)?;
    let mask = |spans: &[Range<usize>]| target_mask(&encoded, &char_ranges(&rendered.text, spans));
    if train_on_inputs {
        let targets = mask(&turns.silenced(&rendered.text)?).into_iter().map(|silenced| !silenced).collect();
        return Ok((Sample { tokens: encoded.ids, targets }, None));
    }
    let targets = mask(&turns.learned(&rendered)?);
    let mismatch = turns.mismatch(&rendered.text, &encoded)?;
    Ok((Sample { tokens: encoded.ids, targets }, mismatch))
}

/// What a text is tokenised behind, to see how it is written where a token begins with it: a line break is a border for
/// nearly all tokenizers, the others are for texts that would merge with it. No special token is among them, because
/// SentencePiece begins a word after those.
const ANCHORS: [&str; 4] = ["\n", "a", "1", "."];

/// The tokens of a text as they can follow `before`, where a token of `whole`, which is both as one text, spans the border.
///
/// Generation is given the prompt's tokens and nothing that spans the prompt's end: after `red or blue?␠` it cannot
/// emit `␠red`, the one token that the text as a whole would have there.
pub(crate) fn continuation(encoder: Encoder<'_>, before: &[u32], whole: &[u32], text: &str) -> Result<Vec<u32>> {
    let expected = encoder.tokenizer.decode(whole, false)?;
    let mut any = None;
    for anchor in ANCHORS {
        let Some(tokens) = behind(encoder, anchor, text)? else { continue };
        if encoder.tokenizer.decode(&[before, &tokens].concat(), false)? == expected {
            return Ok(tokens);
        }
        any.get_or_insert(tokens);
    }
    // The tokenizer changes the text (lower case, composed characters), so that the border cannot be seen in it.
    any.map_or_else(|| encoder.ids(text, false), Ok)
}

/// The tokens of a text behind `anchor`, if one of them begins with the text.
fn behind(encoder: Encoder<'_>, anchor: &str, text: &str) -> Result<Option<Vec<u32>>> {
    let encoded = encoder.with_offsets(&[anchor, text].concat())?;
    let border = anchor.chars().count();
    let first = encoded.char_offsets.iter().position(|&(_, end)| end > border).unwrap_or(encoded.ids.len());
    let begins = encoded.char_offsets.get(first).is_none_or(|&(start, _)| start >= border);
    Ok(begins.then(|| encoded.ids[first..].to_vec()))
}

/// Byte ranges to ranges of characters; `spans` are sorted, and what two of them have in common is the first one's.
fn char_ranges(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut bytes = 0;
    let mut chars = 0;
    let mut seek = |to: usize| {
        chars += text[bytes..to].chars().count();
        bytes = to;
        chars
    };
    let mut behind = 0;
    let mut own = |span: &Range<usize>| {
        let start = span.start.max(behind);
        behind = span.end.max(start);
        seek(start)..seek(behind)
    };
    spans.iter().map(&mut own).collect()
}

/// The tokens from the one that holds a span's first character to the one that holds its last, which is how
/// transformers computes `assistant_masks`: of the tokens that share one character, the first counts as its holder.
///
/// Where no token holds the character (white space that the tokenizer drops), transformers gives the mask up from
/// there on; here the next token inside the span is taken.
fn target_mask(encoded: &Encoded, spans: &[Range<usize>]) -> Vec<bool> {
    let offsets = &encoded.char_offsets;
    let mut targets = vec![false; offsets.len()];
    let mut token = 0;
    for span in spans.iter().filter(|span| !span.is_empty()) {
        while token < offsets.len() && offsets[token].1 <= span.start {
            token += 1;
        }
        let last_char = span.end - 1;
        while token < offsets.len() && offsets[token].0 <= last_char {
            targets[token] = true;
            if offsets[token].1 > last_char {
                break;
            }
            token += 1;
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_tokenizers;

    /// Prompts that end in white space, in the beginning of a longer token and in nothing of the kind.
    const PAIRS: [(&str, &str); 10] = [
        ("red or blue? ", "red"),
        ("red or blue?", " red"),
        ("red or blue?\n", "red"),
        ("red or blue?\n", "\nred"),
        ("red or blue?  ", "  red"),
        ("the c", "at sat"),
        ("12", "12"),
        ("猫が座った", "。"),
        ("", "the cat"),
        (" ", "the cat"),
    ];

    #[test]
    fn a_completion_follows_the_tokens_that_generation_is_given() {
        for (name, tokenizer) in test_tokenizers::all() {
            for (prompt, completion) in PAIRS {
                let record = Record::Completion { prompt: prompt.to_owned(), completion: completion.to_owned() };
                let sample = encode(&tokenizer, &record, false).expect("it is tokenised");
                let what = format!("{name}: {prompt:?} + {completion:?}: {:?}", sample.tokens);
                let given = tokenizer.encode_prompt(prompt).expect("it is tokenised");
                let (before, after) = sample.tokens.split_at(given.len());
                assert_eq!(before, given, "{what}");
                assert!(sample.targets[..given.len()].iter().all(|target| !target), "{what}");
                assert!(sample.targets[given.len()..].iter().all(|&target| target), "{what}");
                let (eos, after) = after.split_last().expect("a completion has tokens");
                assert_eq!(Some(*eos), tokenizer.eos_id(), "{what}");
                // What a model that has learned it would be read to say.
                let said = |tokens: &[u32]| tokenizer.decode(tokens, true).expect("it is decoded");
                let whole = tokenizer.encode_prompt(&[prompt, completion].concat()).expect("it is tokenised");
                assert_eq!(said(&[&given, after].concat()), said(&whole), "{what}");
            }
        }
    }

    /// Where no token spans the border, nothing changes against the text as a whole.
    #[test]
    fn a_clean_border_leaves_the_text_as_it_is() {
        for (name, tokenizer) in test_tokenizers::all() {
            let (prompt, completion) = ("the cat sat", " on the mat, red or blue");
            let record = Record::Completion { prompt: prompt.to_owned(), completion: completion.to_owned() };
            let mut tokens = encode(&tokenizer, &record, false).expect("it is tokenised").tokens;
            tokens.pop();
            assert_eq!(
                tokens,
                tokenizer.encode(&[prompt, completion].concat(), true).expect("it is tokenised"),
                "{name}"
            );
        }
    }

    #[test]
    fn pieces_are_texts_end_to_end() {
        let piece = |text: &str, train| crate::Piece { text: text.to_owned(), train };
        for (name, tokenizer) in test_tokenizers::all() {
            let record = Record::Pieces(vec![piece("the cat? ", false), piece("red", true), piece(" or blue", false)]);
            let sample = encode(&tokenizer, &record, false).expect("it is tokenised");
            let learned = sample.tokens.iter().zip(&sample.targets).filter(|(_, target)| **target);
            let learned: Vec<u32> = learned.map(|(token, _)| *token).collect();
            assert_eq!(tokenizer.decode(&learned, false).expect("it is decoded"), "red", "{name}");
            let given = tokenizer.encode("the cat? ", false).expect("it is tokenised");
            assert_eq!(sample.tokens[..given.len()], given, "{name}");
        }
    }
}
