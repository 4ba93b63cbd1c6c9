//! Records to tokens with the mask that says which of them are learned.

use std::ops::Range;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::record::Record;
use crate::template::{ChatInput, ChatTemplate};
use crate::tokenizer::{Encoded, Tokenizer};

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

    fn all(tokens: Vec<u32>) -> Self {
        let targets = vec![true; tokens.len()];
        Sample { tokens, targets }
    }

    fn end_with(&mut self, eos: Option<u32>) {
        if let Some(eos) = eos.filter(|&eos| self.tokens.last() != Some(&eos)) {
            self.tokens.push(eos);
            self.targets.push(true);
        }
    }
}

/// Tokenises a record. The loss counts
/// - every token of a document,
/// - what the assistant says in a conversation, its end-of-turn token included,
/// - the completion of a prompt,
///
/// or everything with `train_on_inputs`. Documents and completions end with the end-of-document token; conversations
/// end as their template ends them.
pub fn encode(tokenizer: &Tokenizer, record: &Record, train_on_inputs: bool) -> Result<Sample> {
    match record {
        Record::Text(text) => {
            let mut sample = Sample::all(tokenizer.encode(text, true)?);
            sample.end_with(tokenizer.eos_id());
            Ok(sample)
        }
        Record::Completion { prompt, completion } => {
            // Tokenised in one piece, as the model will see it; a token that spans the border belongs to the completion.
            let border = prompt.chars().count();
            let encoded = tokenizer.encode_with_offsets(&format!("{prompt}{completion}"), true)?;
            let first = encoded.char_offsets.iter().position(|&(_, end)| end > border).unwrap_or(usize::MAX);
            let targets = (0..encoded.ids.len()).map(|index| train_on_inputs || index >= first).collect();
            let mut sample = Sample { tokens: encoded.ids, targets };
            sample.end_with(tokenizer.eos_id());
            Ok(sample)
        }
        Record::Chat { messages, tools } => {
            let template = tokenizer.chat_template(tools.is_some()).ok_or(Error::NoTemplate)?;
            encode_chat(tokenizer, template, messages, tools.as_ref(), train_on_inputs)
        }
    }
}

fn encode_chat(
    tokenizer: &Tokenizer,
    template: &ChatTemplate,
    messages: &[Value],
    tools: Option<&Value>,
    train_on_inputs: bool,
) -> Result<Sample> {
    let rendered = template.render(&ChatInput { messages, tools, ..ChatInput::default() })?;
    if train_on_inputs {
        return Ok(Sample::all(tokenizer.encode(&rendered.text, false)?));
    }
    let spans = if template.marks_generation() {
        rendered.generated
    } else {
        assistant_spans(tokenizer, template, messages, tools, &rendered.text)?
    };
    let encoded = tokenizer.encode_with_offsets(&rendered.text, false)?;
    let targets = target_mask(&encoded, &char_ranges(&rendered.text, &spans));
    Ok(Sample { tokens: encoded.ids, targets })
}

/// Byte ranges of what the assistant says, for a template that does not mark it: what a message adds to the
/// conversation before it when that ends with the header of an assistant's turn.
fn assistant_spans(
    tokenizer: &Tokenizer,
    template: &ChatTemplate,
    messages: &[Value],
    tools: Option<&Value>,
    whole: &str,
) -> Result<Vec<Range<usize>>> {
    let render = |messages, add_generation_prompt| {
        let input = ChatInput { messages, tools, add_generation_prompt, ..ChatInput::default() };
        Ok::<_, Error>(template.render(&input)?.text)
    };
    let mut spans = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if message.get("role").and_then(Value::as_str) != Some("assistant") {
            continue;
        }
        let before = render(&messages[..index], true)?;
        let after = render(&messages[..=index], false)?;
        if !after.starts_with(&before) || !whole.starts_with(&after) {
            return Err(Error::NotAPrefix { message: index });
        }
        // The white space that a template puts after the end-of-turn token is never generated.
        let trimmed = after.trim_end();
        let end = if tokenizer.ends_with_special(trimmed) { trimmed.len() } else { after.len() };
        spans.push(before.len()..end.max(before.len()));
    }
    Ok(spans)
}

/// Byte ranges to ranges of characters; `spans` are sorted and do not overlap.
fn char_ranges(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut bytes = 0;
    let mut chars = 0;
    let mut seek = |to: usize| {
        chars += text[bytes..to].chars().count();
        bytes = to;
        chars
    };
    spans.iter().map(|span| seek(span.start)..seek(span.end)).collect()
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
