//! What a chunk of a streamed answer says, of either endpoint and of any server.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(default)]
    finish_reason: Option<IgnoredAny>,
}

/// Servers name what a model thinks `reasoning_content` or `reasoning`.
#[derive(Debug, Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    reasoning_content: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    reasoning: Option<Cow<'a, str>>,
    #[serde(default)]
    tool_calls: Option<Vec<IgnoredAny>>,
}

/// Tokens as the server counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Usage {
    #[serde(default)]
    pub(crate) prompt_tokens: Option<u64>,
    #[serde(default)]
    pub(crate) completion_tokens: Option<u64>,
    #[serde(default)]
    pub(crate) prompt_tokens_details: Option<PromptTokensDetails>,
}

/// More of a prompt's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct PromptTokensDetails {
    /// Those that were not computed.
    #[serde(default)]
    pub(crate) cached_tokens: Option<u64>,
}

impl Usage {
    pub(crate) fn cached_tokens(&self) -> Option<u64> {
        self.prompt_tokens_details.and_then(|details| details.cached_tokens)
    }
}

/// What a chunk says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// `[DONE]`.
    Over,
    /// An error in place of an answer.
    Error(String),
    /// More of the answer.
    More {
        /// Whether there is something to read, and not a role alone.
        has_text: bool,
        /// Whether the answer ends with it.
        has_ended: bool,
        usage: Option<Usage>,
    },
}

/// Reads an event's data.
pub(crate) fn read(data: &[u8]) -> Result<News, serde_json::Error> {
    if data.trim_ascii() == b"[DONE]" {
        return Ok(News::Over);
    }
    let chunk: Chunk<'_> = serde_json::from_slice(data)?;
    if let Some(error) = &chunk.error {
        return Ok(News::Error(message(error)));
    }
    let choices = chunk.choices.unwrap_or_default();
    let has_ended = choices.iter().any(|choice| choice.finish_reason.is_some());
    Ok(News::More { has_text: choices.iter().any(Choice::has_text), has_ended, usage: chunk.usage })
}

impl Choice<'_> {
    fn has_text(&self) -> bool {
        let is_something = |text: &Option<Cow<'_, str>>| text.as_ref().is_some_and(|text| !text.is_empty());
        let delta = self.delta.as_ref().is_some_and(|delta| {
            is_something(&delta.content)
                || is_something(&delta.reasoning_content)
                || is_something(&delta.reasoning)
                || delta.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty())
        });
        is_something(&self.text) || delta
    }
}

/// What an `error` of any server says.
pub(crate) fn message(error: &Value) -> String {
    let text = error.get("message").and_then(Value::as_str).or(error.as_str());
    text.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(has_text: bool, has_ended: bool) -> News {
        News::More { has_text, has_ended, usage: None }
    }

    #[test]
    fn chunks_of_both_endpoints_are_read() {
        let usage = Usage { prompt_tokens: Some(3), completion_tokens: Some(2), prompt_tokens_details: None };
        let cached = Usage { prompt_tokens_details: Some(PromptTokensDetails { cached_tokens: Some(1) }), ..usage };
        for (data, news) in [
            (r#"[DONE]"#, News::Over),
            (r#"{"choices": [{"text": "a\nb", "finish_reason": null}], "usage": null}"#, more(true, false)),
            (r#"{"choices": [{"text": "", "finish_reason": "stop"}]}"#, more(false, true)),
            (r#"{"choices": [{"delta": {"role": "assistant"}}]}"#, more(false, false)),
            (r#"{"choices": [{"delta": {"role": "assistant", "content": ""}}]}"#, more(false, false)),
            (r#"{"choices": [{"delta": {"content": "\u00e9"}, "finish_reason": "length"}]}"#, more(true, true)),
            (r#"{"choices": [{"delta": {"reasoning_content": "so"}}]}"#, more(true, false)),
            (r#"{"choices": [{"delta": {"tool_calls": [{"index": 0}]}}]}"#, more(true, false)),
            (r#"{"id": 4, "new": [{}]}"#, more(false, false)),
            (
                r#"{"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}"#,
                News::More { has_text: false, has_ended: false, usage: Some(usage) },
            ),
            (
                r#"{"usage": {"prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}}}"#,
                News::More { has_text: false, has_ended: false, usage: Some(cached) },
            ),
            (
                r#"{"usage": {"prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": null}}"#,
                News::More { has_text: false, has_ended: false, usage: Some(usage) },
            ),
            (r#"{"error": {"message": "no more memory", "code": 500}}"#, News::Error("no more memory".to_owned())),
            (r#"{"error": "gone"}"#, News::Error("gone".to_owned())),
            (r#"{"error": {"code": 5}}"#, News::Error(r#"{"code":5}"#.to_owned())),
        ] {
            assert_eq!(read(data.as_bytes()).unwrap(), news, "{data}");
        }
        for data in ["", "{", "[1]", r#"{"choices": 3}"#] {
            assert!(read(data.as_bytes()).is_err(), "{data}");
        }
    }
}
