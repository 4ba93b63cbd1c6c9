//! The tokenizer of a model folder, with its special tokens and chat templates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::input::{read_text, without_mark};
use crate::long_text::Encoder;
use crate::stream::StreamDecoder;
use crate::template::{ChatInput, ChatTemplate, Clock};
use crate::token_bytes::token_bytes;

/// The name of the template that lays out a conversation unless another is for it.
const DEFAULT: &str = "default";

/// A tokenizer as its folder describes it: `tokenizer.json`, and what `tokenizer_config.json`,
/// `special_tokens_map.json`, `generation_config.json`, `chat_template.jinja` and `additional_chat_templates` add where they exist.
#[derive(Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    highest_id: u32,
    special_tokens: BTreeMap<String, String>,
    special_ids: BTreeSet<u32>,
    /// What is put before and after every text.
    affixes: (Vec<u32>, Vec<u32>),
    /// See [`Tokenizer::border`].
    borders: BTreeMap<u32, String>,
    longest_added_bytes: usize,
    eos_ids: Vec<u32>,
    templates: BTreeMap<String, ChatTemplate>,
    clock: Clock,
    digest: [u8; 32],
}

/// Token ids with the range of characters that each comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Token ids.
    pub ids: Vec<u32>,
    /// For each id its half-open range in Unicode scalar values of the text; empty for tokens that were added.
    pub char_offsets: Vec<(usize, usize)>,
}

impl Tokenizer {
    /// Loads the tokenizer of a model folder; templates read the time of the machine.
    pub fn from_dir(dir: impl AsRef<Path>) -> Result<Self> {
        Self::from_dir_at(dir, Clock::System)
    }

    /// Loads the tokenizer of a model folder, with the clock that `strftime_now` of its templates reads.
    pub fn from_dir_at(dir: impl AsRef<Path>, clock: Clock) -> Result<Self> {
        let dir = dir.as_ref();
        let path = dir.join("tokenizer.json");
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        let mut inner = tokenizers::Tokenizer::from_bytes(without_mark(&bytes))
            .map_err(|error| Error::Tokenizer { path: path.clone(), reason: error.to_string() })?;
        // Padding and truncation belong to a call, not to a text: transformers resets them on every call as well.
        inner.with_padding(None);
        inner
            .with_truncation(None)
            .map_err(|error| Error::Tokenizer { path: path.clone(), reason: error.to_string() })?;
        let highest_id = inner
            .get_vocab(true)
            .into_values()
            .max()
            .ok_or_else(|| Error::Tokenizer { path: path.clone(), reason: "its vocabulary is empty".to_owned() })?;

        let config = read_object(&dir.join("tokenizer_config.json"))?;
        let mut special_tokens = named_tokens(&read_object(&dir.join("special_tokens_map.json"))?);
        let configured = named_tokens(&config);
        special_tokens.extend(configured.clone());
        let special_ids = special_ids(&inner, &special_tokens);
        let affixes = affixes(&inner)?;
        let added = inner.get_added_tokens_decoder();
        let longest_added_bytes = added.values().map(|token| token.content.len()).max().unwrap_or(0);
        let borders = added.into_iter().filter(|(_, token)| is_border(token)).map(|(id, token)| (id, token.content));
        let mut digest = Sha256::new();
        digest.update(&bytes);
        let mut tokenizer = Tokenizer {
            inner,
            highest_id,
            special_tokens,
            special_ids,
            affixes,
            borders: borders.collect(),
            longest_added_bytes,
            eos_ids: Vec::new(),
            templates: BTreeMap::new(),
            clock,
            digest: [0; 32],
        };
        tokenizer.check_special_tokens(|name| {
            let is_configured = configured.contains_key(name);
            dir.join(if is_configured { "tokenizer_config.json" } else { "special_tokens_map.json" })
        })?;
        let generation_config = read_object(&dir.join("generation_config.json")).map_err(|error| match error {
            // It says how tokens are chosen; the tokenizer only looks there for ids that end a text.
            Error::Tokenizer { path, reason } => Error::GenerationConfig { path, reason },
            other => other,
        })?;
        tokenizer.eos_ids = tokenizer.find_eos_ids(&generation_config);
        for (name, source) in template_sources(dir, &config)? {
            tokenizer.set_chat_template(&name, &source)?;
        }
        digest.update(format!("{:?}{:?}", tokenizer.special_tokens, tokenizer.eos_ids));
        tokenizer.digest = digest.finalize().into();
        Ok(tokenizer)
    }

    /// Replaces the template called `name`: `default`, or `tool_use` for conversations with tools.
    pub fn set_chat_template(&mut self, name: &str, source: &str) -> Result<()> {
        let template = ChatTemplate::new(source, &self.special_tokens, self.clock)?;
        self.templates.insert(name.to_owned(), template);
        Ok(())
    }

    /// Lays all conversations out by one template, those with tools as well, for which the folder may have another.
    ///
    /// # Errors
    /// It does not parse, or is a file in JSON that holds one.
    pub fn set_only_chat_template(&mut self, source: &str) -> Result<()> {
        // As a template it would be text that it writes.
        if serde_json::from_str::<Map<String, Value>>(source).is_ok() {
            let reason = "it is an object in JSON: write the template that it holds into a file of its own";
            return Err(Error::TemplateSyntax(reason.to_owned()));
        }
        let template = ChatTemplate::new(source, &self.special_tokens, self.clock)?;
        self.templates = BTreeMap::from([(DEFAULT.to_owned(), template)]);
        Ok(())
    }

    /// The template for a conversation with or without tools, chosen as transformers does.
    pub fn chat_template(&self, with_tools: bool) -> Option<&ChatTemplate> {
        let tool_use = if with_tools { self.templates.get("tool_use") } else { None };
        tool_use.or_else(|| self.templates.get(DEFAULT))
    }

    /// The ids of a text. `add_special_tokens` adds what the tokenizer puts around every text, such as `<s>`; a text
    /// from a chat template has them already.
    pub fn encode(&self, text: &str, add_special_tokens: bool) -> Result<Vec<u32>> {
        Encoder::uninterrupted(self).ids(text, add_special_tokens)
    }

    /// The ids of a text that generation goes on from: with what the tokenizer puts before every text, and without what
    /// it puts behind.
    pub fn encode_prompt(&self, text: &str) -> Result<Vec<u32>> {
        Encoder::uninterrupted(self).prompt(text)
    }

    /// The ids of a text with the characters that each comes from, without what the tokenizer puts around every text.
    pub fn encode_with_offsets(&self, text: &str) -> Result<Encoded> {
        Encoder::uninterrupted(self).with_offsets(text)
    }

    /// As [`Tokenizer::encode_with_offsets`], in one piece.
    pub(crate) fn encode_at_once(&self, text: &str) -> Result<Encoded> {
        let encoding = self.inner.encode_char_offsets(text, false).map_err(tokenize("encode"))?;
        Ok(Encoded { ids: encoding.get_ids().to_vec(), char_offsets: encoding.get_offsets().to_vec() })
    }

    /// The ids of a text in one piece; cheaper than with their characters.
    pub(crate) fn ids_at_once(&self, text: &str) -> Result<Vec<u32>> {
        let encoding = self.inner.encode_fast(text, false).map_err(tokenize("encode"))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// What the tokenizer puts before and after every text.
    pub(crate) fn affixes(&self) -> (&[u32], &[u32]) {
        (&self.affixes.0, &self.affixes.1)
    }

    /// The text of a token that every text is cut at where it stands, before anything else is done with it: what is before it and what is
    /// behind it has the same tokens whatever is on its other side.
    pub(crate) fn border(&self, id: u32) -> Option<&str> {
        self.borders.get(&id).map(String::as_str)
    }

    /// Bytes of the longest token that is looked for in texts like this.
    pub(crate) fn longest_added_bytes(&self) -> usize {
        self.longest_added_bytes
    }

    /// The text of some ids; bytes that are not UTF-8 come out as U+FFFD.
    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
        self.inner.decode(ids, skip_special_tokens).map_err(tokenize("decode"))
    }

    /// A decoder that is given one id at a time, for printing while generating.
    pub fn stream(&self, skip_special_tokens: bool) -> StreamDecoder<&Tokenizer> {
        StreamDecoder::new(self, skip_special_tokens)
    }

    /// The id of a token given by its text.
    pub fn token_to_id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    /// The token with this id as the vocabulary writes it, e.g. `Ġthe`.
    pub fn id_to_token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// The bytes that a token stands for within a text: what [`Tokenizer::decode`] makes of it behind another token, without the
    /// replacement of bytes that are not UTF-8 by themselves. `None` for an id without a token.
    ///
    /// # Errors
    /// The tokenizer's decoder does not give each token bytes of its own: WordPiece and CTC, which look at the neighbours.
    pub fn token_bytes(&self, id: u32) -> Result<Option<Vec<u8>>> {
        let Some(token) = self.inner.id_to_token(id) else { return Ok(None) };
        token_bytes(self.inner.get_decoder(), token).map(Some)
    }

    /// At least as many bytes as a token stands for: those of the longest token as the vocabulary writes it.
    pub fn longest_token_bytes(&self) -> usize {
        (0..=self.highest_id).filter_map(|id| self.inner.id_to_token(id)).map(|token| token.len()).max().unwrap_or(1)
    }

    /// One more than the highest id, so the least `vocab_size` that a model needs.
    pub fn vocab_size(&self) -> usize {
        self.highest_id as usize + 1
    }

    /// Checks that a model with `vocab_size` rows of embeddings has one for every id. More rows are common: models
    /// round their vocabulary up.
    pub fn check_vocab(&self, vocab_size: usize) -> Result<()> {
        if self.vocab_size() > vocab_size {
            return Err(Error::Vocabulary { highest: self.highest_id, vocab_size });
        }
        Ok(())
    }

    /// The special tokens by their names: `bos_token`, `eos_token`, `pad_token`, ….
    pub fn special_tokens(&self) -> &BTreeMap<String, String> {
        &self.special_tokens
    }

    /// Whether this id is a special token, such as `</s>` or `<|im_start|>`.
    pub fn is_special(&self, id: u32) -> bool {
        self.special_ids.contains(&id)
    }

    /// The token that starts a text.
    pub fn bos_id(&self) -> Option<u32> {
        self.named_id("bos_token")
    }

    /// The token that ends a document.
    pub fn eos_id(&self) -> Option<u32> {
        self.eos_ids.first().copied()
    }

    /// The token that fills rows up; where none is named, the one that ends a document, else 0.
    pub fn pad_id(&self) -> u32 {
        self.named_id("pad_token").or_else(|| self.eos_id()).unwrap_or(0)
    }

    /// The ids at which generation stops: those that end a document (`eos_token`, and `eos_token_id` of
    /// generation_config.json), and the special token that the chat template puts after an assistant's turn, which
    /// fine-tuned models emit even where no config names it.
    pub fn stop_ids(&self) -> Vec<u32> {
        let mut ids = self.eos_ids.clone();
        ids.extend(self.end_of_turn());
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// SHA-256 over everything that decides how a text is encoded; templates are not part of it.
    pub(crate) fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The special token that a text ends with.
    pub(crate) fn special_at_end(&self, text: &str) -> Option<String> {
        let tokens = self.special_ids.iter().filter_map(|&id| self.inner.id_to_token(id));
        tokens.filter(|token| !token.is_empty() && text.ends_with(token)).max_by_key(String::len)
    }

    pub(crate) fn templates(&self) -> impl Iterator<Item = (&String, &ChatTemplate)> {
        self.templates.iter()
    }

    fn end_of_turn(&self) -> Option<u32> {
        const ANSWER: &str = "Yes-and-no-at-once";
        let messages = [
            serde_json::json!({"role": "user", "content": "Which is it?"}),
            serde_json::json!({"role": "assistant", "content": ANSWER}),
        ];
        let template = self.chat_template(false)?;
        let text = template.render(&ChatInput { messages: &messages, ..ChatInput::default() }).ok()?.text;
        let after = &text[text.rfind(ANSWER)? + ANSWER.len()..];
        let first = *self.encode(after.trim_start(), false).ok()?.first()?;
        self.is_special(first).then_some(first)
    }

    fn named_id(&self, name: &str) -> Option<u32> {
        self.inner.token_to_id(self.special_tokens.get(name)?)
    }

    fn find_eos_ids(&self, generation_config: &Map<String, Value>) -> Vec<u32> {
        let mut ids: Vec<u32> = self.named_id("eos_token").into_iter().collect();
        let listed = match generation_config.get("eos_token_id") {
            Some(Value::Array(listed)) => listed.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for id in listed.iter().filter_map(Value::as_u64).filter_map(|id| u32::try_from(id).ok()) {
            if id <= self.highest_id && !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    /// Checks that there are those that the file `of` them names.
    fn check_special_tokens(&self, of: impl Fn(&str) -> PathBuf) -> Result<()> {
        for name in ["bos_token", "eos_token", "pad_token"] {
            if let Some(token) = self.special_tokens.get(name).filter(|token| self.token_to_id(token).is_none()) {
                let reason = format!("{name} is {token:?}, which tokenizer.json does not know");
                return Err(Error::Tokenizer { path: of(name), reason });
            }
        }
        Ok(())
    }
}

/// Whether texts are cut at an added token, whatever its neighbours are. One that is normalized is looked for in what the normalizer has made of
/// the text around it. What begins with ASCII begins a character of the decoded text, whatever bytes stand before it.
fn is_border(token: &tokenizers::AddedToken) -> bool {
    let looks_at_neighbours = token.single_word || token.lstrip || token.rstrip;
    !token.normalized && !looks_at_neighbours && token.content.starts_with(|first: char| first.is_ascii())
}

/// The ids that the tokenizer puts before and after a text.
fn affixes(inner: &tokenizers::Tokenizer) -> Result<(Vec<u32>, Vec<u32>)> {
    let encoding = inner.encode_fast("a", true).map_err(tokenize("encode"))?;
    let ids = encoding.get_ids();
    let is_text = |&added: &u32| added == 0;
    let mask = encoding.get_special_tokens_mask();
    let before = mask.iter().position(is_text).unwrap_or(ids.len());
    let after = mask.iter().rposition(is_text).map_or(ids.len(), |last| last + 1);
    Ok((ids[..before].to_vec(), ids[after..].to_vec()))
}

fn tokenize(action: &'static str) -> impl FnOnce(tokenizers::Error) -> Error {
    move |error| Error::Tokenize { action, reason: error.to_string() }
}

/// A JSON object, empty where the file does not exist.
fn read_object(path: &Path) -> Result<Map<String, Value>> {
    let Some(text) = read_optional(path)? else { return Ok(Map::new()) };
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::Tokenizer { path: path.to_path_buf(), reason: "it is not a JSON object".to_owned() }),
        Err(error) => Err(Error::Tokenizer { path: path.to_path_buf(), reason: format!("it is not JSON: {error}") }),
    }
}

fn read_optional(path: &Path) -> Result<Option<String>> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// `bos_token: "<s>"` or `bos_token: {"content": "<s>", …}`, for every key that ends in `_token`, and the mapping
/// `extra_special_tokens`.
fn named_tokens(config: &Map<String, Value>) -> BTreeMap<String, String> {
    let extra = config.get("extra_special_tokens").and_then(Value::as_object);
    let named = config.iter().filter(|(key, _)| key.ends_with("_token"));
    named
        .chain(extra.into_iter().flatten())
        .filter_map(|(key, value)| {
            let content = value.as_str().or_else(|| value.get("content").and_then(Value::as_str))?;
            Some((key.clone(), content.to_owned()))
        })
        .collect()
}

fn special_ids(inner: &tokenizers::Tokenizer, named: &BTreeMap<String, String>) -> BTreeSet<u32> {
    let added = inner.get_added_tokens_decoder();
    let marked = added.into_iter().filter(|(_, token)| token.special).map(|(id, _)| id);
    marked.chain(named.values().filter_map(|token| inner.token_to_id(token))).collect()
}

/// The template by which a folder has conversations laid out; `None` where it has none.
///
/// # Errors
/// A file is damaged.
pub fn chat_template_source(dir: &Path) -> Result<Option<String>> {
    let config = read_object(&dir.join("tokenizer_config.json"))?;
    Ok(template_sources(dir, &config)?.remove(DEFAULT))
}

/// The templates of a folder by name: those in files, or without any those of tokenizer_config.json, as in transformers.
fn template_sources(dir: &Path, config: &Map<String, Value>) -> Result<BTreeMap<String, String>> {
    let mut sources = BTreeMap::new();
    if let Some(source) = read_optional(&dir.join("chat_template.jinja"))? {
        sources.insert(DEFAULT.to_owned(), source);
    }
    for path in additional_templates(&dir.join("additional_chat_templates"))? {
        if let (Some(stem), Some(source)) = (path.file_stem(), read_optional(&path)?) {
            sources.insert(stem.to_string_lossy().into_owned(), source);
        }
    }
    Ok(if sources.is_empty() { configured_templates(config) } else { sources })
}

/// The templates in tokenizer_config.json: one, or several with names.
fn configured_templates(config: &Map<String, Value>) -> BTreeMap<String, String> {
    let named = |entry: &Value| {
        let field = |key| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        field("name").zip(field("template"))
    };
    match config.get("chat_template") {
        Some(Value::String(source)) => BTreeMap::from([(DEFAULT.to_owned(), source.clone())]),
        Some(Value::Array(entries)) => entries.iter().filter_map(named).collect(),
        _ => BTreeMap::new(),
    }
}

fn additional_templates(dir: &Path) -> Result<Vec<PathBuf>> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(dir).map_err(Error::io("read", dir))?;
    let paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "jinja")).collect())
}
