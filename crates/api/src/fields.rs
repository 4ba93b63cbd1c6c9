//! Fields that no request type reads.

/// How a field stands that a body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is read.
    Read,
    /// It changes no answer here: what it asks for is not done elsewhere either, or is always so.
    Harmless,
    /// It would change the answer.
    Unsupported {
        /// Values, as JSON, with which it changes nothing.
        idle: &'static [&'static str],
        /// Why, or what to do.
        reason: &'static str,
    },
}

/// What stock clients send and what decides about storing, billing, caching and routing at other services.
const HARMLESS: &[&str] = &[
    "cache_salt",
    "guided_decoding_backend",
    "metadata",
    "prediction",
    "prompt_cache_key",
    "prompt_cache_retention",
    "request_id",
    "safety_identifier",
    "service_tier",
    "spaces_between_special_tokens",
    "store",
    "user",
    "verbosity",
];

type Unsupported = (&'static str, &'static [&'static str], &'static str);

/// Field, values with which it changes nothing, and what to do.
const UNSUPPORTED: &[Unsupported] = &[
    ("allowed_token_ids", &[], "use `logit_bias`, or a form by `structured_outputs`"),
    ("audio", &[], "answers are text"),
    ("bad_words", &["[]"], "use `logit_bias`"),
    ("chat_template", &[], "the model's own is used; render the text yourself and send it to /v1/completions"),
    ("continue_final_message", &["false"], "render the text yourself and send it to /v1/completions"),
    ("documents", &["[]"], "put them into a message"),
    ("early_stopping", &["false"], "there is no beam search"),
    ("function_call", &["\"none\"", "\"auto\""], "use `tool_choice`"),
    ("functions", &["[]"], "use `tools`"),
    ("guided_whitespace_pattern", &[], "use `disable_any_whitespace` of `structured_outputs`"),
    ("include_stop_str_in_output", &["false"], "the stop string is never part of the answer"),
    ("kv_transfer_params", &[], "this server holds its keys and values itself"),
    ("length_penalty", &["1", "1.0"], "there is no beam search"),
    ("logits_processors", &["[]"], "code does not come in requests"),
    ("mm_processor_kwargs", &["{}"], "the model takes text"),
    ("modalities", &["[\"text\"]"], "answers are text"),
    ("return_token_ids", &["false"], "ask for `logprobs`, or for the tokens at /tokenize"),
    ("return_tokens_as_token_ids", &["false"], "ask for the tokens at /tokenize"),
    ("suffix", &["\"\""], "text is continued at its end"),
    ("truncate_prompt_tokens", &[], "shorten the prompt: what is cut off should be chosen"),
    ("use_beam_search", &["false"], "use `n`"),
    ("web_search_options", &[], "the server asks nobody"),
];

/// How a field stands; `None` if nobody knows it.
pub(crate) fn standing(name: &str) -> Option<Standing> {
    if HARMLESS.contains(&name) {
        return Some(Standing::Harmless);
    }
    let (_, idle, reason) = UNSUPPORTED.iter().find(|(known, ..)| *known == name)?;
    Some(Standing::Unsupported { idle, reason })
}

/// What a number may be, where that differs from what its kind may.
pub(crate) fn range(name: &str) -> Option<&'static str> {
    match name {
        "max_tokens" | "max_completion_tokens" => Some("from 1 on, or 0 where the prompt alone is asked for"),
        "max_new_tokens" => Some("from 1 on"),
        _ => None,
    }
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    HARMLESS.iter().copied().chain(UNSUPPORTED.iter().map(|(name, ..)| *name))
}

/// The names of those that are accepted and change nothing.
pub(crate) fn harmless() -> &'static [&'static str] {
    HARMLESS
}
