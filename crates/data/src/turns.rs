//! Which part of a rendered conversation each message is, and what generation would see in its place.

use std::ops::Range;

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::long_text::Encoder;
use crate::marks::Sentinels;
use crate::template::{ChatInput, ChatTemplate, Rendered};
use crate::tokenizer::Encoded;

/// Tokens that a [`Mismatch`] shows of either side.
const SHOWN_TOKENS: usize = 4;
/// Characters that it shows where the texts differ already.
const SHOWN_CHARS: usize = 24;

/// A conversation with what lays it out and what tokenises it.
#[derive(Clone, Copy)]
pub(crate) struct Turns<'a> {
    pub(crate) encoder: Encoder<'a>,
    pub(crate) template: &'a ChatTemplate,
    pub(crate) messages: &'a [Value],
    pub(crate) tools: Option<&'a Value>,
    /// As in [`crate::Record::Chat`].
    pub(crate) train: &'a [Option<bool>],
    /// As in [`crate::Record::Chat`].
    pub(crate) given: usize,
}

/// A message that is learned behind other tokens than generation would be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Index of the message, from 0.
    pub(crate) message: usize,
    /// A clause that shows both sides.
    pub(crate) difference: String,
}

impl Turns<'_> {
    /// Renders the first `count` messages.
    pub(crate) fn render(&self, count: usize, add_generation_prompt: bool) -> Result<Rendered> {
        self.render_all(&self.messages[..count], add_generation_prompt)
    }

    fn render_all(&self, messages: &[Value], add_generation_prompt: bool) -> Result<Rendered> {
        self.template.render(&ChatInput { messages, tools: self.tools, add_generation_prompt, ..ChatInput::default() })
    }

    fn is_assistant(&self, message: usize) -> bool {
        self.messages[message].get("role").and_then(Value::as_str) == Some("assistant")
    }

    /// What the message says of itself, else what its role says, which in a prompt is nothing.
    fn is_learned(&self, message: usize) -> bool {
        self.train[message].unwrap_or_else(|| message >= self.given && self.is_assistant(message))
    }

    /// Byte ranges of what is learned, in order.
    pub(crate) fn learned(&self, whole: &Rendered) -> Result<Vec<Range<usize>>> {
        let marked = self.template.marks_generation();
        if marked && self.given == 0 && self.train.iter().all(Option::is_none) {
            return Ok(whole.generated.clone());
        }
        let mut spans = if marked { self.learned_marks(whole)? } else { Vec::new() };
        for message in (0..self.messages.len()).filter(|&message| self.is_learned(message)) {
            if !(marked && self.is_assistant(message)) {
                spans.push(self.span(message, &whole.text)?);
            }
        }
        spans.sort_unstable_by_key(|span| span.start);
        Ok(spans)
    }

    /// Byte ranges of the messages that say that they are not to be learned.
    pub(crate) fn silenced(&self, whole: &str) -> Result<Vec<Range<usize>>> {
        let silenced = (0..self.messages.len()).filter(|&message| self.train[message] == Some(false));
        silenced.map(|message| self.span(message, whole)).collect()
    }

    /// The template's marks that belong to messages which are learned: as many to each message as it adds to the
    /// conversation before it. Not their places are compared, because templates leave out of earlier turns what they
    /// show of the last.
    fn learned_marks(&self, whole: &Rendered) -> Result<Vec<Range<usize>>> {
        let mut spans = Vec::new();
        let mut before = 0;
        for message in 0..self.messages.len() {
            let after = self.render(message + 1, false)?.generated.len();
            let added = whole.generated.get(before..after).ok_or(Error::NotAPrefix { message })?;
            if self.is_learned(message) {
                spans.extend_from_slice(added);
            }
            before = after;
        }
        Ok(spans)
    }

    /// Bytes of a message in the whole text, from behind the header of its turn to what ends it.
    fn span(&self, message: usize, whole: &str) -> Result<Range<usize>> {
        let span = match self.added(message, whole)? {
            Some(span) => Some(span),
            None => self.found(message, whole)?,
        };
        span.ok_or(Error::NotAPrefix { message })
    }

    /// A message's span where the whole text begins with the conversation up to it: what it adds to the conversation before it when that ends with
    /// the header of an assistant's turn. Of others' messages it is what they say without their header, and what ends it.
    fn added(&self, message: usize, whole: &str) -> Result<Option<Range<usize>>> {
        let Some(before) = self.before(message, whole)? else { return Ok(None) };
        let after = self.render(message + 1, false)?.text;
        let Some((before, after)) = self.shared(&before, whole).zip(self.shared(&after, whole)) else {
            return Ok(None);
        };
        if !after.starts_with(before) {
            return Ok(None);
        }
        let header = match self.is_assistant(message) {
            true => Some(0),
            false => self.header_len(message, before, after, whole),
        };
        let Some(header) = header else { return Ok(None) };
        let end = self.end_of_turn(message, after, whole)?;
        Ok(Some((before.len() + header).min(end)..end))
    }

    /// The messages before one, and the header of an answer's turn.
    fn before(&self, message: usize, whole: &str) -> Result<Option<String>> {
        match (self.render(message, self.is_assistant(message)), self.is_assistant(message)) {
            // Templates may refuse a conversation of no message, as those do that look at its first.
            (Err(_), false) if message == 0 => Ok(Some(String::new())),
            (Err(_), true) if message == 0 => {
                let content = self.content(message, whole)?;
                let begins = content.and_then(|(content, _)| self.behind_header(whole, content.start));
                Ok(begins.map(|at| whole[..at].to_owned()))
            }
            (before, _) => Ok(Some(before?.text)),
        }
    }

    /// Where an answer begins whose content stands at `content`, where the template refuses what generation would be given for it: behind the header that it
    /// puts before others.
    fn behind_header(&self, whole: &str, content: usize) -> Option<usize> {
        let text = |count: usize, is_prompt: bool| Some(self.render(count, is_prompt).ok()?.text);
        let header = (1..=self.messages.len()).find_map(|count| {
            let prompt = text(count, true)?;
            prompt.strip_prefix(&text(count, false)?).filter(|header| !header.is_empty()).map(str::to_owned)
        })?;
        let behind = |header: &str| Some(whole[..content].rfind(header)? + header.len());
        behind(&header).or_else(|| without_tag(&header).filter(|header| !header.is_empty()).and_then(behind))
    }

    /// Where a turn ends in a text that ends with it. The white space that a template puts after the end-of-turn token is never generated, nor is a token
    /// that it puts behind whatever is whole.
    fn end_of_turn(&self, message: usize, text: &str, whole: &str) -> Result<usize> {
        let trimmed = text.trim_end();
        if message + 1 == self.messages.len()
            && let Some(closing) = self.closing(whole)?
            && let Some(turns) = trimmed.strip_suffix(&closing)
        {
            return Ok(turns.trim_end().len());
        }
        let ends = self.encoder.tokenizer.special_at_end(trimmed).is_some();
        Ok(if ends { trimmed.len() } else { text.len() })
    }

    /// A token that the template puts behind the whole text: a conversation goes on where the turn before it ended, and white space parts the two.
    fn closing(&self, whole: &str) -> Result<Option<String>> {
        let special_at_end = |text: &str| self.encoder.tokenizer.special_at_end(text);
        let trimmed = whole.trim_end();
        let Some(last) = special_at_end(trimmed) else { return Ok(None) };
        let turns = &trimmed[..trimmed.len() - last.len()];
        if turns.trim_end() == turns || special_at_end(turns.trim_end()).is_none() {
            return Ok(None);
        }
        // A template may refuse a prompt behind an answer.
        let Ok(prompt) = self.render(self.messages.len(), true) else { return Ok(None) };
        let goes_on = prompt.text.starts_with(turns) && !prompt.text.starts_with(trimmed);
        Ok(goes_on.then_some(last))
    }

    /// What the text of some first messages has in common with the whole one, where that begins with it: all, but for a special token that the template
    /// puts behind whatever is whole, as Phi-3's does, and that follows the end of a turn.
    fn shared<'t>(&self, text: &'t str, whole: &str) -> Option<&'t str> {
        if whole.starts_with(text) {
            return Some(text);
        }
        let special_at_end = |text: &str| self.encoder.tokenizer.special_at_end(text.trim_end());
        let (turns, closing) = text.split_at(text.trim_end().len() - special_at_end(text)?.len());
        let is_of_turns = turns.is_empty() || special_at_end(turns).is_some();
        (is_of_turns && whole.starts_with(turns) && whole.ends_with(closing)).then_some(turns)
    }

    /// A message's span where the conversation up to it looks otherwise in the whole text: Qwen3's template shows the reasoning of the last answer
    /// alone, and Mistral's moves what the system says to the last question. An answer begins where the text before what it says ends most like
    /// what generation is given, and any message ends with what stands behind it in the conversation that ends with it.
    fn found(&self, message: usize, whole: &str) -> Result<Option<Range<usize>>> {
        let Some((content, shown)) = self.content(message, whole)? else { return Ok(None) };
        // In the conversation that ends with it, the same stands behind.
        let other = Sentinels::absent_from(&[whole]).open;
        let ending =
            shown.by(self, message, other, message + 1).and_then(|messages| self.render_all(&messages, false).ok());
        let Some((_, behind)) = ending.as_ref().and_then(|ending| ending.text.split_once(other)) else {
            return Ok(None);
        };
        let behind = &behind[..self.end_of_turn(message, behind, whole)?];
        if self.encoder.tokenizer.special_at_end(behind).is_none() || !whole[content.end..].starts_with(behind) {
            return Ok(None);
        }
        let end = content.end + behind.len();
        // The end of another's turn: the last one's may differ from others', and several results of tools may be one turn.
        if message + 1 < self.messages.len()
            && self.content(message + 1, whole)?.is_none_or(|(behind, _)| behind.start < end)
        {
            return Ok(None);
        }
        let start = match self.is_assistant(message) {
            true => self.beginning(message, whole, content.start)?,
            false => Some(content.start),
        };
        Ok(start.map(|start| start..end))
    }

    /// Where generation would begin with an answer whose content stands at `content`: behind the header of its turn. Where generation is given the first tag
    /// of its reasoning too (`<think>`), which the text lacks, before that.
    fn beginning(&self, message: usize, whole: &str, content: usize) -> Result<Option<usize>> {
        let prompt = match self.render(message, true) {
            Err(_) if message == 0 => return Ok(self.behind_header(whole, content)),
            prompt => prompt?.text,
        };
        let without_header = self.render(message, false)?.text.len();
        let earliest = match message.checked_sub(1) {
            Some(before) => self.content(before, whole)?.map_or(0, |(before, _)| before.end),
            None => 0,
        };
        let likest = |prompt: &str| {
            let header = prompt.len().saturating_sub(without_header).max(1);
            let places = (earliest..=content).filter(|&at| whole.is_char_boundary(at));
            let likeness = |at: usize| common_suffix(&whole[..at], prompt);
            places.max_by_key(|&at| likeness(at)).filter(|&at| likeness(at) >= header)
        };
        let before_reasoning = || without_tag(&prompt).filter(|prompt| prompt.len() > without_header);
        Ok(likest(&prompt).or_else(|| before_reasoning().and_then(likest)))
    }

    /// Where what a message shows stands in the whole text: what changes with it.
    fn content(&self, message: usize, whole: &str) -> Result<Option<(Range<usize>, Shown)>> {
        let found = |shown: Shown| Some((self.content_by(shown, message, whole)?, shown));
        // Templates break the line between what is said and a tool's call, where something is said.
        let ways = match self.says_nothing(message) {
            true => [Shown::Call, Shown::Content],
            false => [Shown::Content, Shown::Call],
        };
        Ok(ways.into_iter().find_map(found))
    }

    fn content_by(&self, shown: Shown, message: usize, whole: &str) -> Option<Range<usize>> {
        let other = Sentinels::absent_from(&[whole]).open;
        // A template may refuse it, as where a tool's answer has to be JSON.
        let rendered = self.render_all(&shown.by(self, message, other, self.messages.len())?, false).ok()?;
        let (before, behind) = rendered.text.split_once(other)?;
        if !whole.starts_with(before) || behind.contains(other) {
            return None;
        }
        let rest = &whole[before.len()..];
        let common = common_suffix(rest, behind);
        let is_whole = common == behind.len() || (self.says_nothing(message) && common == rest.len());
        is_whole.then(|| before.len()..whole.len() - common)
    }

    fn says_nothing(&self, message: usize) -> bool {
        let is_nothing = |content: &Value| content.is_null() || content.as_str() == Some("");
        self.messages[message].get("content").is_none_or(is_nothing)
    }

    /// The first `count` messages, where one says nothing but `other`.
    fn saying(&self, message: usize, other: char, count: usize) -> Vec<Value> {
        let mut messages = self.messages[..count].to_vec();
        let content = &mut messages[message]["content"];
        *content = match content {
            Value::Array(_) => json!([{"type": "text", "text": other.to_string()}]),
            _ => Value::from(other.to_string()),
        };
        messages
    }

    /// Bytes that the template puts before what a message says, in the conversation that ends with it: where another content would stand. What it
    /// says may occur in its header as well. 0 where the content decides how the header looks, all where the template shows it nowhere, and `None` where it does
    /// with a later message.
    fn header_len(&self, message: usize, before: &str, after: &str, whole: &str) -> Option<usize> {
        let other = Sentinels::absent_from(&[whole]).open;
        let text = |count: usize| Some(self.render_all(&self.saying(message, other, count), false).ok()?.text);
        let Some(ending) = text(message + 1) else { return Some(0) };
        if !ending.contains(other) {
            let is_shown_later = text(self.messages.len()).is_none_or(|text| text.contains(other));
            return (!is_shown_later).then_some(after.len() - before.len());
        }
        let begins = ending.find(other).filter(|&at| after.starts_with(&ending[..at]));
        Some(begins.map_or(0, |at| at.saturating_sub(before.len())))
    }

    /// The first message of the assistant's that is learned behind other tokens than generation would be given, which
    /// are those of the messages before it and of the header of its turn.
    pub(crate) fn mismatch(&self, text: &str, whole: &Encoded) -> Result<Option<Mismatch>> {
        for message in
            (0..self.messages.len()).filter(|&message| self.is_assistant(message) && self.is_learned(message))
        {
            // A template may refuse what nobody would generate from, such as no message at all.
            let Ok(prompt) = self.render(message, true) else { continue };
            if let Some(difference) = self.difference(&prompt.text, text, whole)? {
                return Ok(Some(Mismatch { message, difference }));
            }
        }
        Ok(None)
    }

    fn difference(&self, prompt: &str, text: &str, whole: &Encoded) -> Result<Option<String>> {
        if !text.starts_with(prompt) {
            let common = prompt.char_indices().zip(text.chars()).find(|((_, a), b)| a != b);
            let at = common.map_or(text.len().min(prompt.len()), |((at, _), _)| at);
            let shown = |text: &str| text[at..].chars().take(SHOWN_CHARS).collect::<String>();
            let (generated, trained) = (shown(prompt), shown(text));
            return Ok(Some(format!("the template shows generation {generated:?} where training has {trained:?}")));
        }
        let border = prompt.chars().count();
        let reaches_in = |&(start, end): &(usize, usize)| end > border || (start >= border && end > start);
        let trained = whole.char_offsets.iter().position(reaches_in).unwrap_or(whole.ids.len());
        // A special token is a border of its own, so that what stands before the last one cannot differ.
        let last_special =
            whole.ids[..trained].iter().rposition(|&id| self.encoder.tokenizer.is_special(id)).unwrap_or(0);
        let from = whole.char_offsets.get(last_special).map_or(0, |&(start, _)| start);
        let tail = &prompt[char_to_byte(prompt, from)..];
        let generated = self.encoder.ids(tail, false)?;
        if whole.ids[last_special..trained] == generated[..] {
            return Ok(None);
        }
        let spans = whole.char_offsets.get(trained).is_some_and(|&(start, _)| start < border);
        let trained = &whole.ids[last_special..trained + usize::from(spans)];
        let (generated, trained) = (self.shown(&generated), self.shown(trained));
        Ok(Some(format!("generation begins after the tokens {generated}, where training has {trained}")))
    }

    /// The last tokens, as the vocabulary writes them.
    fn shown(&self, ids: &[u32]) -> String {
        let last = &ids[ids.len().saturating_sub(SHOWN_TOKENS)..];
        let name = |&id: &u32| format!("`{}`", self.encoder.tokenizer.id_to_token(id).unwrap_or_default());
        last.iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

/// What tells the place of a message: what it says, or, where that is not shown, the name of the first tool that it calls.
#[derive(Clone, Copy)]
enum Shown {
    Content,
    Call,
}

impl Shown {
    /// The first `count` messages, where one shows nothing but `other`. `None`: it calls no tool.
    fn by(self, turns: &Turns<'_>, message: usize, other: char, count: usize) -> Option<Vec<Value>> {
        if let Shown::Content = self {
            return Some(turns.saying(message, other, count));
        }
        const NAME: &str = "/tool_calls/0/function/name";
        turns.messages[message].pointer(NAME)?;
        let mut messages = turns.messages[..count].to_vec();
        *messages[message].pointer_mut(NAME)? = Value::from(other.to_string());
        Some(messages)
    }
}

/// A text without a tag of letters, such as `<think>`, that it ends with.
fn without_tag(text: &str) -> Option<&str> {
    let (before, tag) = text.trim_end().strip_suffix('>')?.rsplit_once('<')?;
    (!tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(before)
}

/// Bytes that two texts end with alike, of whole characters.
fn common_suffix(a: &str, b: &str) -> usize {
    let alike = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b);
    alike.map(|(c, _)| c.len_utf8()).sum()
}

fn char_to_byte(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}
