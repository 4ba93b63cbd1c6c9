//! What the model goes on from: conversations and texts as tokens.

use api::{Message, Prompt, Tool};
use data::ChatInput;
use engine::Refusal;
use serde_json::{Map, Value};

use crate::app::App;
use crate::error::Error;

/// What a conversation is rendered with.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) variables: Map<String, Value>,
    /// Whether the text ends with the header of the assistant's turn.
    pub(crate) opens_answer: bool,
    /// Whether the tokenizer adds its special tokens.
    pub(crate) add_special_tokens: bool,
}

/// The tokens of a conversation.
///
/// # Errors
/// There is no message, or too many; the model has no chat template, or it refuses the conversation.
pub(crate) fn conversation(app: &App, conversation: Conversation) -> Result<Vec<u32>, Error> {
    let Conversation { messages, tools, variables, opens_answer, add_special_tokens } = conversation;
    if messages.is_empty() {
        return Err(Error::field("messages", "`messages` is empty: say something"));
    }
    // Each has a token at least.
    let most = app.limits.messages.min(app.service.context());
    if messages.len() > most {
        return Err(Error::many_messages(messages.len(), most, app));
    }
    if tools.len() > app.limits.tools {
        return Err(Error::field("tools", format!("`tools` should have at most {}", app.limits.tools)));
    }
    let template = app.tokenizer.chat_template(!tools.is_empty()).ok_or_else(Error::no_chat_template)?;
    let in_template = |(index, message): (usize, Message)| {
        data::canonical_message(message.into_fields())
            .map_err(|error| Error::field(format!("messages[{index}].{}", error.field), error.to_string()))
    };
    let messages = messages.into_iter().enumerate().map(in_template).collect::<Result<Vec<Value>, _>>()?;
    let tools = tools.iter().map(|tool| serde_json::to_value(tool).map(data::canonical_tool));
    let tools = tools.collect::<Result<Value, _>>().map_err(Error::internal)?;
    let input = ChatInput {
        messages: &messages,
        tools: tools.as_array().is_some_and(|tools| !tools.is_empty()).then_some(&tools),
        add_generation_prompt: opens_answer,
        variables: (!variables.is_empty()).then_some(&variables),
        ..ChatInput::default()
    };
    let text = template.render(&input)?.text;
    check_length("messages", &text, app)?;
    Ok(app.tokenizer.encode(&text, add_special_tokens)?)
}

/// Warns where the chat template cannot be used for a conversation of one message: it does not render it, or not what the user says. The model may be one for
/// completions alone, so that the server starts.
pub(crate) fn warn_of_unusable_template(app: &App) {
    const SAID: &str = "Which is it, yes or no?";
    let Some(template) = app.tokenizer.chat_template(false) else { return };
    let messages = [serde_json::json!({"role": "user", "content": SAID})];
    let input = ChatInput { messages: &messages, add_generation_prompt: true, ..ChatInput::default() };
    match template.render(&input) {
        Err(error) => tracing::warn!(
            reason = error.to_string(),
            "the chat template does not render a conversation of one message of the user, so that chats like it will fail; completions work without it"
        ),
        Ok(rendered) if !rendered.text.contains(SAID) => tracing::warn!(
            "the chat template leaves out what the user says, so that answers in chats have nothing to do with it; completions work without it"
        ),
        Ok(_) => {}
    }
}

/// A prompt with its text, where it was given as one.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) tokens: Vec<u32>,
    pub(crate) text: Option<String>,
}

/// Checks by a text's bytes whether it may fit the context: tokenising takes some hundred times as long as counting.
///
/// # Errors
/// It is longer than any that fits.
pub(crate) fn check_length(field: impl Into<String>, text: &str, app: &App) -> Result<(), Error> {
    if text.len() > app.text_bytes_max { Err(Error::too_long(field, text.len(), app)) } else { Ok(()) }
}

/// The text of a prompt that was given as tokens.
///
/// # Errors
/// The context has no room for them, so that their text may be of any length.
pub(crate) fn text(app: &App, tokens: &[u32], skip_special_tokens: bool) -> Result<String, Error> {
    let (context, count) = (app.service.context(), tokens.len());
    if count > context {
        return Err(Error::of_refusal(Refusal::TooLong { tokens: count, context, is_answered: false }, app));
    }
    Ok(app.tokenizer.decode(tokens, skip_special_tokens)?)
}

/// Which special tokens the tokenizer adds to a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Affixes {
    /// None.
    None,
    /// Those before it: an answer goes on behind it.
    Before,
    /// Those on both sides: it is whole, and a vector may be that of its end.
    Around,
}

/// The tokens of texts.
///
/// # Errors
/// There are none, or with `n` answers to each more than `most` answers, or one is too long.
pub(crate) fn texts(
    app: &App,
    (field, prompt): (&'static str, Prompt),
    affixes: Affixes,
    (most, n): (usize, usize),
) -> Result<Vec<Given>, Error> {
    let text = |text: String| {
        let tokens = match affixes {
            Affixes::None => app.tokenizer.encode(&text, false),
            Affixes::Before => app.tokenizer.encode_prompt(&text),
            Affixes::Around => app.tokenizer.encode(&text, true),
        };
        Ok::<_, Error>(Given { tokens: tokens?, text: Some(text) })
    };
    let tokens = |tokens| Given { tokens, text: None };
    let check = |count: usize| match count {
        0 => Err(Error::field(field, format!("`{field}` is empty: give a text"))),
        count if count > most / n => {
            let message = match n {
                1 => format!("`{field}` has {count} texts, and a request may have {most}: send fewer at a time"),
                n => format!(
                    "`{field}` has {count} texts and `n` is {n}, and a request may have {most} answers, texts times `n`: send at most {} texts at a time, \
                     or ask for a smaller `n`",
                    most / n
                ),
            };
            Err(Error::field(field, message))
        }
        _ => Ok(()),
    };
    match prompt {
        Prompt::Text(one) => {
            check_length(field, &one, app)?;
            Ok(vec![text(one)?])
        }
        Prompt::Tokens(ids) => {
            check(ids.len().min(1))?;
            Ok(vec![tokens(ids)])
        }
        Prompt::Texts(all) => {
            check(all.len())?;
            all.iter().enumerate().try_for_each(|(at, text)| check_length(format!("{field}[{at}]"), text, app))?;
            all.into_iter().map(text).collect()
        }
        Prompt::TokenLists(all) => {
            check(all.len())?;
            Ok(all.into_iter().map(tokens).collect())
        }
    }
}
