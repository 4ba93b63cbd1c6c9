//! Bodies of requests through all that the server does with them before it asks the engine: reading, checking, rendering, tokenising, and compiling forms. The fuzz
//! targets give it what libFuzzer finds; a test of the server gives it the corpus and random changes of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use data::Tokenizer;
use engine::{Counters, Inbox, Request, SamplingOptions, Service};
use server::{BodyReader, ErrorBody, Keys, Limits, PrefixSharing, ServerConfig};

/// ChatML with Hermes' tools.
pub const TEMPLATE: &str = "{% if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<tool_call>\n{\"name\": …, \"arguments\": …}\n</tool_call><|im_end|>\n{% endif %}\
                            {% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}\
                            {% for call in message.tool_calls %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}<|im_end|>\n\
                            {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
/// Tokens of the longest text.
const CONTEXT: usize = 256;
/// Requests that may wait.
const WAITING: usize = 64;

/// What reads bodies, for a model `org/small`.
pub struct Fuzzed {
    reader: BodyReader,
    /// Nobody looks at it.
    _inbox: Inbox,
}

impl Fuzzed {
    /// With a tokenizer of the repository's tests.
    pub fn new(repository: &Path) -> Fuzzed {
        let folder = repository.join("crates/data/tests/fixtures/chat");
        let mut tokenizer = Tokenizer::from_dir(folder).expect("the repository has the tokenizer");
        tokenizer.set_chat_template("default", TEMPLATE).expect("the template is one");
        let counters = Arc::new(Counters::new(Instant::now()));
        let (service, inbox) = Service::new(CONTEXT, tokenizer.vocab_size(), WAITING, counters);
        let config = ServerConfig {
            model_names: vec!["org/small".to_owned()],
            model_root: "models/small".to_owned(),
            longer_context: None,
            end_ids: tokenizer.token_to_id("</s>").into_iter().collect(),
            tokenizer: Arc::new(tokenizer),
            sampling: SamplingOptions { temperature: 1.0, ..SamplingOptions::default() },
            keys: Keys::open(),
            tls: None,
            prefix_sharing: PrefixSharing::Key,
            vector_size: 3,
            limits: Limits::default(),
            log_content: false,
        };
        Fuzzed { reader: BodyReader::new(config, service), _inbox: inbox }
    }

    /// A body of `/v1/chat/completions`. Gives whether it is taken.
    pub fn chat(&self, body: &[u8]) -> bool {
        check(self.reader.chat(body), false)
    }

    /// A body of `/v1/completions`. Gives whether it is taken.
    pub fn completion(&self, body: &[u8]) -> bool {
        check(self.reader.completion(body), true)
    }
}

/// What holds of any body: it is refused with a reason that is the client's to mend, or the engine can rely on what it is asked. `may_echo`: an answer may be its
/// prompt alone.
fn check(read: Result<Vec<Request>, ErrorBody>, may_echo: bool) -> bool {
    let requests = match read {
        Ok(requests) => requests,
        Err(ErrorBody { error }) => {
            assert!(!error.message.is_empty() && error.kind != "server_error", "{error:?}");
            return false;
        }
    };
    assert!((1..=Limits::default().choices).contains(&requests.len()), "{} requests", requests.len());
    // What a prompt is scored for may be all that is asked for.
    let least = usize::from(!may_echo && requests[0].prompt_logprobs.is_none());
    for request in requests {
        assert!(request.max_tokens >= request.min_tokens.max(least), "{request:?}");
        assert!(request.prompt_logprobs.is_none_or(|count| count <= Limits::default().likeliest), "{request:?}");
        assert!(request.constraint.is_none() || request.min_tokens == 0, "{request:?}");
        assert!(request.logit_bias.iter().all(|(_, bias)| bias.is_finite()), "{request:?}");
        assert!(request.cache_salt.is_some() && request.adapter.as_deref() != Some("org/small"), "{request:?}");
    }
    true
}
