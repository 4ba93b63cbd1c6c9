//! A conversation that is to be answered, as a file has it: the messages and tools of a chat's request, which are read as the server reads them.

use anyhow::{Context as _, anyhow, bail};
use api::{Message, Tool};
use data::UniqueKeys;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// As chat templates take it.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Value>,
    /// If there are any.
    pub(super) tools: Option<Value>,
}

impl Conversation {
    /// Reads a list of messages, or an object that has one.
    ///
    /// # Errors
    /// It is not JSON, has other keys or one twice, or one of the messages or tools cannot be shown to a model.
    pub(super) fn parse(text: &str) -> anyhow::Result<Conversation> {
        let UniqueKeys(read) = serde_json::from_str(text).map_err(|error| match error.is_data() {
            // A key that is there twice.
            true => anyhow!(error),
            false => anyhow!(error).context("malformed JSON"),
        })?;
        let mut object = match read {
            Value::Array(messages) => Map::from_iter([("messages".to_owned(), Value::Array(messages))]),
            Value::Object(object) => object,
            _ => bail!("it should be a list of messages, or an object with \"messages\""),
        };
        let mut take = |key: &str| object.remove(key).filter(|value| !value.is_null());
        let (messages, tools) = (take("messages"), take("tools"));
        if let Some(key) = object.keys().next() {
            bail!(
                "nothing is made of the key {key:?}: a conversation has \"messages\" and perhaps \"tools\", and how it is answered is said by options"
            );
        }
        let messages = messages.context("it has no \"messages\": they are a list of {\"role\", \"content\"}")?;
        let messages: Vec<Message> = list("messages", messages, "{\"role\", \"content\"}")?;
        if messages.is_empty() {
            bail!("\"messages\" is empty: say something");
        }
        let form = "{\"type\": \"function\", \"function\": {\"name\", \"description\", \"parameters\"}}";
        let tools: Vec<Tool> = tools.map_or(Ok(Vec::new()), |tools| list("tools", tools, form))?;
        let tools = tools.iter().map(|tool| serde_json::to_value(tool).map(data::canonical_tool));
        let tools = tools.collect::<Result<Vec<Value>, _>>()?;
        let tools = (!tools.is_empty()).then(|| Value::from(tools));
        let in_template = |(index, message): (usize, Message)| {
            data::canonical_message(message.into_fields())
                .map_err(|error| anyhow!("messages[{index}].{}: {error}", error.field))
        };
        let messages = messages.into_iter().enumerate().map(in_template).collect::<Result<_, _>>()?;
        Ok(Conversation { messages, tools })
    }
}

/// What stands under a key: a list of things that are of that form.
fn list<T: DeserializeOwned>(key: &str, value: Value, form: &str) -> anyhow::Result<Vec<T>> {
    let Value::Array(items) = value else { bail!("{key:?} should be a list of {form}") };
    let items = items.into_iter().enumerate().map(|(index, item)| {
        if !item.is_object() {
            bail!("{key}[{index}] should be {form}");
        }
        serde_json::from_value(item).map_err(|error| anyhow!("{key}[{index}]: {error}"))
    });
    items.collect()
}
