//! A server with a double of the engine behind it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use data::Tokenizer;
use engine::{Counters, Inbox, Request, SamplingOptions, Service};
use serde_json::{Value, json};
use server::{Address, Ended, Keys, Limits, PrefixSharing, Server, ServerConfig, Tls};
use tokio::sync::oneshot;

use crate::client::Client;
use crate::double::{self, Script, Seen};

pub(crate) const CONTEXT: usize = 256;
pub(crate) const MODEL: &str = "org/small";
/// ChatML.
pub(crate) const TEMPLATE: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
                        {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// A byte-level tokenizer with ChatML's template.
pub(crate) fn tokenizer() -> Arc<Tokenizer> {
    with_template(TEMPLATE)
}

fn with_template(template: &str) -> Arc<Tokenizer> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/fixtures/chat/tokenizer.json");
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(fixture, folder.path().join("tokenizer.json")).unwrap();
    let template = if template.is_empty() { Value::Null } else { Value::from(template) };
    let config = json!({"bos_token": "<s>", "eos_token": "</s>", "chat_template": template});
    std::fs::write(folder.path().join("tokenizer_config.json"), config.to_string()).unwrap();
    Arc::new(Tokenizer::from_dir(folder.path()).unwrap())
}

/// One that puts `<s>` before each text and `</s>` behind it, as models for vectors of texts have it.
pub(crate) fn with_ends() -> Arc<Tokenizer> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/fixtures/chat/tokenizer.json");
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(fixture).unwrap()).unwrap();
    let plain = tokenizer();
    let special = |token: &str| json!({"SpecialToken": {"id": token, "type_id": 0}});
    let named = |token: &str| json!({"id": token, "ids": [plain.token_to_id(token).unwrap()], "tokens": [token]});
    let text = |id: &str| json!({"Sequence": {"id": id, "type_id": 0}});
    file["post_processor"] = json!({
        "type": "TemplateProcessing",
        "single": [special("<s>"), text("A"), special("</s>")],
        "pair": [special("<s>"), text("A"), text("B"), special("</s>")],
        "special_tokens": {"<s>": named("<s>"), "</s>": named("</s>")},
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).unwrap();
    std::fs::write(folder.path().join("tokenizer_config.json"), "{}").unwrap();
    Arc::new(Tokenizer::from_dir(folder.path()).unwrap())
}

/// A SentencePiece tokenizer as Llama 2 has one: a text's first space is dropped when it is decoded. These words stand behind `<unk>`, `<s>`, `</s>` and the
/// bytes.
pub(crate) fn sentence_piece(words: &[&str]) -> Arc<Tokenizer> {
    let special = |id: u32, content: &str| {
        json!({"id": id, "content": content, "special": true, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false})
    };
    let names = ["<unk>", "<s>", "</s>"];
    let bytes = (0..256).map(|byte| format!("<0x{byte:02X}>"));
    let vocab = names.map(str::to_owned).into_iter().chain(bytes).chain(words.iter().map(ToString::to_string));
    let vocab: Vec<_> = vocab.map(|token| json!([token, 0.0])).collect();
    let decoders = json!([
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]);
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "post_processor": null,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "added_tokens": [special(0, names[0]), special(1, names[1]), special(2, names[2])],
        "pre_tokenizer": null,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": true},
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).unwrap();
    let template = "{% for message in messages %}{{ message.content }}{% endfor %}";
    let config = json!({"bos_token": "<s>", "eos_token": "</s>", "chat_template": template});
    std::fs::write(folder.path().join("tokenizer_config.json"), config.to_string()).unwrap();
    Arc::new(Tokenizer::from_dir(folder.path()).unwrap())
}

/// A server under way; it ends when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Receiver<Seen>,
    pub(crate) service: Service,
    pub(crate) tokenizer: Arc<Tokenizer>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Ended>>,
}

/// The way to an engine of texts of up to `context` tokens, where up to `waiting` requests wait.
pub(crate) fn service(tokenizer: &Tokenizer, context: usize, waiting: usize) -> (Service, Inbox) {
    Service::new(context, tokenizer.vocab_size(), waiting, Arc::new(Counters::new(Instant::now())))
}

/// What a test changes of a server.
pub(crate) struct Setup {
    pub(crate) keys: Keys,
    pub(crate) limits: Limits,
    /// Tokens of a text.
    pub(crate) context: usize,
    /// Requests that may wait.
    pub(crate) queue: usize,
    /// Empty: the model has none.
    pub(crate) template: &'static str,
    /// In place of the byte-level one, with a template of its own.
    pub(crate) tokenizer: Option<Arc<Tokenizer>>,
    pub(crate) log_content: bool,
    pub(crate) tls: Option<Tls>,
    pub(crate) prefix_sharing: PrefixSharing,
    /// Tokens of a page of keys and values.
    pub(crate) page_tokens: u64,
    /// What would have the server take longer texts.
    pub(crate) longer_context: Option<String>,
}

impl Default for Setup {
    fn default() -> Setup {
        let limits = Limits { drain: Duration::from_millis(500), ..Limits::default() };
        Setup {
            keys: Keys::open(),
            limits,
            context: CONTEXT,
            queue: 64,
            template: TEMPLATE,
            tokenizer: None,
            log_content: false,
            tls: None,
            prefix_sharing: PrefixSharing::Key,
            page_tokens: 0,
            longer_context: None,
        }
    }
}

/// The configuration of a server.
pub(crate) fn config(tokenizer: &Arc<Tokenizer>, keys: Keys, limits: Limits) -> ServerConfig {
    ServerConfig {
        tokenizer: Arc::clone(tokenizer),
        model_names: vec![MODEL.to_owned(), "small".to_owned()],
        model_root: "models/small".to_owned(),
        longer_context: None,
        end_ids: tokenizer.stop_ids(),
        sampling: SamplingOptions { temperature: 1.0, ..SamplingOptions::default() },
        keys,
        prefix_sharing: PrefixSharing::Key,
        vector_size: 3,
        tls: None,
        limits,
        log_content: false,
    }
}

/// A server at any port of this machine.
pub(crate) fn listen(config: ServerConfig, service: Service) -> Server {
    let address = Address::take(([127, 0, 0, 1], 0).into(), &config.keys).unwrap();
    Server::listen(address, config, service).unwrap()
}

impl Setup {
    /// Starts it. The double answers as `script` says.
    pub(crate) fn run(self, script: impl Fn(&Request) -> Script + Send + 'static) -> Running {
        let tokenizer = self.tokenizer.unwrap_or_else(|| with_template(self.template));
        let (service, inbox) = service(&tokenizer, self.context, self.queue);
        inbox.counters.page_tokens.store(self.page_tokens, Ordering::Relaxed);
        inbox.counters.adapters_max.store(4, Ordering::Relaxed);
        let seen = double::run(inbox, script);
        let config = ServerConfig {
            log_content: self.log_content,
            tls: self.tls,
            prefix_sharing: self.prefix_sharing,
            longer_context: self.longer_context,
            ..config(&tokenizer, self.keys, self.limits)
        };
        let server = listen(config, service.clone());
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let stopped = async {
                let _ = stopped.await;
            };
            server.run(stopped).unwrap()
        });
        Running { address, seen, service, tokenizer, stop: Some(stop), thread: Some(thread) }
    }
}

/// The tokens of a text and of its end.
pub(crate) fn tokens(text: &str) -> Vec<u32> {
    let tokenizer = tokenizer();
    let mut tokens = tokenizer.encode(text, false).unwrap();
    tokens.extend(tokenizer.eos_id());
    tokens
}

/// A server whose engine answers each request with this text and the end.
pub(crate) fn saying(text: &str) -> Running {
    let tokens = tokens(text);
    Setup::default().run(move |_| Script::Tokens(tokens.clone()))
}

/// `{"model", "messages": [Hello]}` with further fields.
pub(crate) fn hello(more: &Value) -> Value {
    with(json!({"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]}), more)
}

/// An object with further fields, which win.
pub(crate) fn with(mut object: Value, more: &Value) -> Value {
    for (key, value) in more.as_object().unwrap() {
        object[key] = value.clone();
    }
    object
}

impl Running {
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits for the server's end.
    pub(crate) fn ended(&mut self) -> Ended {
        self.thread.take().unwrap().join().unwrap()
    }

    /// What the engine sees next.
    pub(crate) fn next_seen(&self) -> Seen {
        self.seen.recv_timeout(Duration::from_secs(20)).expect("the engine is told something")
    }

    /// The next request that the engine sees.
    pub(crate) fn next_request(&self) -> Request {
        match self.next_seen() {
            Seen::Request(request) => *request,
            other => panic!("{other:?} is no request"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What nobody asks in particular.
pub(crate) fn request(prompt: Vec<u32>) -> Request {
    Request {
        prompt: prompt.into(),
        adapter: None,
        sampling: engine::Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens: 1,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}
