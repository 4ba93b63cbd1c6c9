//! How requests are written, of which servers know more or less.

use std::fmt;

use serde_json::json;

use crate::prompts::Prompt;

/// Which endpoint is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// `/v1/chat/completions`.
    Chat,
    /// `/v1/completions`.
    Completions,
}

impl Endpoint {
    /// Behind the server's address.
    pub fn path(self) -> &'static str {
        match self {
            Endpoint::Chat => "/v1/chat/completions",
            Endpoint::Completions => "/v1/completions",
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())
    }
}

/// What a server knows beside the endpoint's least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// vLLM's way to have answers of the length that is asked for.
    pub(crate) ignores_eos: bool,
    /// Whether a stream's last chunk counts tokens.
    pub(crate) counts_tokens: bool,
    /// What the limit of an answer's tokens is called.
    max_tokens: &'static str,
}

impl Dialect {
    /// All, those that give more first.
    pub(crate) const ALL: [Dialect; 4] = [
        Dialect { ignores_eos: true, counts_tokens: true, max_tokens: "max_tokens" },
        Dialect { ignores_eos: false, counts_tokens: true, max_tokens: "max_tokens" },
        Dialect { ignores_eos: false, counts_tokens: true, max_tokens: "max_completion_tokens" },
        Dialect { ignores_eos: false, counts_tokens: false, max_tokens: "max_tokens" },
    ];

    /// A request's body.
    pub(crate) fn body(self, endpoint: Endpoint, model: &str, prompt: &Prompt, tokens: usize) -> Vec<u8> {
        let mut body = json!({"model": model, "stream": true});
        match prompt {
            // To completions none is sent: that is refused before a run begins.
            Prompt::Messages(messages) => body["messages"] = json!(messages),
            Prompt::Text(text) if endpoint == Endpoint::Chat => {
                body["messages"] = json!([{"role": "user", "content": text}]);
            }
            Prompt::Text(text) => body["prompt"] = json!(text),
        }
        body[self.max_tokens] = json!(tokens);
        // Servers draw unless they are told not to, which takes some longer than others; models that know the other name of the length alone refuse it.
        if self.max_tokens == "max_tokens" {
            body["temperature"] = json!(0);
        }
        if self.ignores_eos {
            body["ignore_eos"] = json!(true);
        }
        if self.counts_tokens {
            body["stream_options"] = json!({"include_usage": true});
        }
        body.to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn bodies_say_what_the_server_knows() {
        let body = |dialect: Dialect, endpoint| -> Value {
            serde_json::from_slice(&dialect.body(endpoint, "m", &Prompt::Text("a".to_owned()), 5)).unwrap()
        };
        let expected = json!({"model": "m", "stream": true, "prompt": "a", "max_tokens": 5, "temperature": 0, "ignore_eos": true,
            "stream_options": {"include_usage": true}});
        assert_eq!(body(Dialect::ALL[0], Endpoint::Completions), expected);
        let messages = json!([{"role": "user", "content": "a"}]);
        let expected = json!({"model": "m", "stream": true, "messages": messages, "max_completion_tokens": 5,
            "stream_options": {"include_usage": true}});
        assert_eq!(body(Dialect::ALL[2], Endpoint::Chat), expected);
        assert_eq!(
            body(Dialect::ALL[3], Endpoint::Chat),
            json!({"model": "m", "stream": true, "messages": messages, "max_tokens": 5, "temperature": 0})
        );
    }
}
