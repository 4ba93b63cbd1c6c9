//! Messages in the form of [`crate::canonical_message`], from messages as people write them.

use serde_json::{Map, Value, json};

use crate::canonical::canonical_message;
use crate::fields::Fields;
use crate::python;
use crate::record::kind;
use crate::unique_keys::UniqueKeys;

/// ShareGPT's names of roles.
const SHAREGPT_ROLES: [(&str, &[&str]); 4] = [
    ("user", &["human", "user"]),
    ("assistant", &["gpt", "assistant", "chatgpt", "bing", "bard", "model"]),
    ("system", &["system"]),
    ("tool", &["tool", "observation", "function_response"]),
];

/// The roles that templates know, which are those that a request to a server has. [`canonical_message`] makes a system's of a developer's.
pub(crate) const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// The messages under the key `of`, in ShareGPT's names or in those of templates, each with the keys that templates read and what it says of whether the loss counts
/// it. Keys that have no other name here (`name`, `tool_calls`, …) are kept as they are.
pub(crate) fn normal(
    of: &str,
    messages: Vec<Value>,
    sharegpt: bool,
    fields: &Fields,
) -> Result<Vec<(Value, Option<bool>)>, String> {
    let normal = messages.into_iter().enumerate().map(|(index, message)| {
        let at = format!("{of}[{index}]");
        let Value::Object(mut message) = message else {
            return Err(format!("{at} must be an object with a role, not {}", kind(&message)));
        };
        rename(&at, &mut message, fields, sharegpt)?;
        let train = train(&at, &message, fields)?;
        check_parts(&at, &message)?;
        check_argument_keys(&at, &message)?;
        let message = canonical_message(message).map_err(|error| format!("{at}.{}: {error}", error.field))?;
        Ok((message, train))
    });
    normal.collect()
}

/// The messages of a record behind what its system says, where they do not begin with a message of the system's.
///
/// # Errors
/// They do with other words, and `fields` name the key.
pub(crate) fn with_system(
    mut messages: Vec<(Value, Option<bool>)>,
    record: &mut Map<String, Value>,
    fields: &Fields,
) -> Result<Vec<(Value, Option<bool>)>, String> {
    let Some(system) = fields.take_system(record)? else { return Ok(messages) };
    match (messages.first().filter(|(message, _)| message["role"] == "system"), &fields.system) {
        (None, _) => messages.insert(0, (json!({"role": "system", "content": system}), None)),
        (Some((message, _)), Some(key)) if texts(message) != [&system] => {
            return Err(format!("{key:?} is not what the system's message says: leave out one of them"));
        }
        (Some(_), _) => {}
    }
    Ok(messages)
}

/// Gives keys and role the names that templates know.
fn rename(at: &str, message: &mut Map<String, Value>, fields: &Fields, sharegpt: bool) -> Result<(), String> {
    for (name, key) in &fields.message {
        if let Some(value) = message.shift_remove(key) {
            message.insert(name.clone(), value);
        }
    }
    let own_names = message.get("role").is_none_or(Value::is_null) && (sharegpt || message.contains_key("from"));
    if own_names {
        for (name, key) in [("role", "from"), ("content", "value")] {
            let value = message.shift_remove(key).filter(Value::is_string);
            message.insert(name.to_owned(), value.ok_or_else(|| format!("{at} has no {key:?}"))?);
        }
    }
    // A key of another name that is never there is a mistake in the name; but a message that calls tools may have no text.
    if let Some(key) = fields.message.get("content").filter(|key| *key != "content")
        && !message.contains_key("content")
        && !message.contains_key("tool_calls")
    {
        return Err(format!("{at} has no {key:?}, which message_property_mappings names for its content"));
    }
    let Some(role) = message.get("role").and_then(Value::as_str) else {
        let key = fields.message.get("role").map_or("role", String::as_str);
        return Err(format!("{at} has no {key:?}"));
    };
    let meant = match fields.role(role) {
        None if own_names && fields.roles.is_empty() => {
            let unknown = || format!("{at} is from {role:?}: expected human, gpt, system or tool");
            Some(usual_role(role).ok_or_else(unknown)?)
        }
        // As in Axolotl, roles take the place of the usual names. With none of them the answers would not be learned, and nobody be told.
        None if own_names && !ROLES.contains(&role) => {
            let listed = fields.roles.values().flatten().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!(
                "{at} is from {role:?}, which is none of the names that `roles` list ({listed}): they take the place of the \
                 usual ones, such as human and gpt"
            ));
        }
        meant => meant,
    };
    if let Some(meant) = meant.map(Value::from) {
        message.insert("role".to_owned(), meant);
    }
    Ok(())
}

/// Refuses a role of which nobody says that it is one: the answers of an `Assistant` would be laid out, and not be learned. A template may know others than
/// [`ROLES`], and has their names in it then, such as Llama's `ipython`; one that prints whatever there is can have them named in `roles`.
///
/// # Errors
/// A clause that names the role, and what to do.
pub(crate) fn check_roles(messages: &[Value], fields: &Fields, template: Option<&str>) -> Result<(), String> {
    let is_in_template = |role: &str| {
        template.is_none_or(|source| ["'", "\""].iter().any(|quote| source.contains(&[quote, role, quote].concat())))
    };
    let roles = messages.iter().filter_map(|message| message.get("role")?.as_str());
    // By such a name as Gemma's `model` a template lays answers out, and they would not be learned.
    let is_answers = |role: &str| usual_role(role) == Some("assistant");
    let is_known = |role: &str| {
        ROLES.contains(&role) || fields.roles.contains_key(role) || (is_in_template(role) && !is_answers(role))
    };
    let Some(unknown) = roles.into_iter().find(|role| !is_known(role)) else { return Ok(()) };
    let name = unknown.to_lowercase();
    let own = ROLES.into_iter().find(|role| *role == name);
    // What is taken for an answer is learned.
    let of_tools = ["function", "ipython", "environment", "context"].contains(&name.as_str()).then_some("tool");
    let meant = own.or_else(|| usual_role(&name)).or(of_tools).unwrap_or("assistant");
    Err(format!(
        "a message has the role {unknown:?}, which the chat template does not name: expected system, developer, user, assistant \
         or tool; `roles` of a data set says which of them other names mean, as in {{{meant}: [{unknown:?}]}}"
    ))
}

/// The role that ShareGPT has a name for.
fn usual_role(name: &str) -> Option<&'static str> {
    SHAREGPT_ROLES.iter().find(|(_, names)| names.contains(&name)).map(|(role, _)| *role)
}

/// What a message says of whether the loss counts it: Axolotl's `"train": false`, OpenAI's `"weight": 0`.
fn train(at: &str, message: &Map<String, Value>, fields: &Fields) -> Result<Option<bool>, String> {
    let key = Fields::key(&fields.train, "train");
    let train = match message.get(key) {
        None | Some(Value::Null) => None,
        Some(Value::Bool(train)) => Some(*train),
        Some(other) => return Err(format!("{at}: {key:?} must be true or false, not {}", kind(other))),
    };
    let weight = match message.get("weight").map(|weight| (weight, weight.as_f64())) {
        None | Some((Value::Null, _)) => None,
        Some((_, Some(0.0))) => Some(false),
        Some((_, Some(1.0))) => Some(true),
        Some((other, _)) => return Err(format!("{at}: \"weight\" must be 0 or 1, not {other}")),
    };
    if message.get("train_detail").is_some_and(|detail| !detail.is_null()) {
        return Err(format!("{at}: \"train_detail\" is not supported yet; use \"train\" for the whole message"));
    }
    match (train, weight) {
        (Some(train), Some(weight)) if train != weight => {
            Err(format!("{at}: {key:?} is {train}, which contradicts its weight"))
        }
        // A weight of 1 is what every message has, users' as well; it says no more than the role.
        (None, Some(true)) => Ok(None),
        (train, weight) => Ok(train.or(weight)),
    }
}

/// Refuses content that is neither text nor a refusal. A list of parts may have other keys (`cache_control`), which templates ignore.
fn check_parts(at: &str, message: &Map<String, Value>) -> Result<(), String> {
    match message.get("content") {
        None | Some(Value::Null | Value::String(_)) => Ok(()),
        Some(Value::Array(parts)) => {
            for (index, part) in parts.iter().enumerate() {
                let kind = part.get("type").and_then(Value::as_str).unwrap_or("unknown");
                if !matches!(kind, "text" | "refusal") || !part.get(kind).is_some_and(Value::is_string) {
                    return Err(format!(
                        "{at}: content[{index}] is a part of type {kind:?}; only parts of type \"text\", with a \
                         \"text\", or \"refusal\", with a \"refusal\", can be trained on"
                    ));
                }
            }
            Ok(())
        }
        Some(other) => Err(format!("{at}: \"content\" must be a text or a list of parts, not {}", kind(other))),
    }
}

/// Refuses arguments of calls, as OpenAI's records have them as text, in which an object has a key twice: such a line is refused, too.
fn check_argument_keys(at: &str, message: &Map<String, Value>) -> Result<(), String> {
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for (number, call) in calls.into_iter().flatten().enumerate() {
        let Some(arguments) = call.pointer("/function/arguments").and_then(Value::as_str) else { continue };
        if let Err(error) = serde_json::from_str::<UniqueKeys>(arguments)
            && error.is_data()
        {
            return Err(format!("{at}.tool_calls[{number}].function.arguments: {error}"));
        }
    }
    Ok(())
}

/// The texts of a message.
pub(crate) fn texts(message: &Value) -> Vec<&str> {
    match message.get("content") {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// The message with its parts as one text, a line each, for templates that know texts only.
pub(crate) fn flat(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(content @ Value::Array(_)) = message.get("content") {
        let text = content.as_array().into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
        message["content"] = Value::from(text.collect::<Vec<_>>().join("\n"));
    }
    message
}

/// Whether a message calls tools with arguments that are objects.
pub(crate) fn calls_with_objects(message: &Value) -> bool {
    let calls = message.get("tool_calls").and_then(Value::as_array);
    calls
        .is_some_and(|calls| calls.iter().any(|call| call.pointer("/function/arguments").is_some_and(Value::is_object)))
}

/// The message with the arguments of its calls as the text of their JSON, for templates that know texts only.
pub(crate) fn with_arguments_as_text(message: &Value) -> Value {
    let mut message = message.clone();
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    for call in calls.into_iter().flatten() {
        if let Some(arguments @ Value::Object(_)) = call.pointer_mut("/function/arguments") {
            *arguments = Value::from(python::dumps(arguments));
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(message: Value) -> Result<(Value, Option<bool>), String> {
        normal("messages", vec![message], false, &Fields::default()).map(|mut messages| messages.remove(0))
    }

    #[test]
    fn messages_say_whether_they_are_learned() {
        let cases = [
            (json!({}), None),
            (json!({"train": false}), Some(false)),
            (json!({"train": true}), Some(true)),
            (json!({"train": null, "weight": null}), None),
            (json!({"weight": 0}), Some(false)),
            (json!({"weight": 0.0, "train": false}), Some(false)),
            (json!({"weight": 1}), None),
        ];
        for (mut message, expected) in cases {
            message["role"] = json!("assistant");
            message["content"] = json!("yes");
            assert_eq!(parsed(message.clone()), Ok((message.clone(), expected)), "{message}");
        }
        let refused = [
            (json!({"weight": 0.5}), "messages[0]: \"weight\" must be 0 or 1, not 0.5"),
            (json!({"train": "no"}), "messages[0]: \"train\" must be true or false, not a string"),
            (json!({"train": true, "weight": 0}), "messages[0]: \"train\" is true, which contradicts its weight"),
            (
                json!({"train_detail": []}),
                "messages[0]: \"train_detail\" is not supported yet; use \"train\" for the whole message",
            ),
        ];
        for (mut message, expected) in refused {
            message["role"] = json!("assistant");
            assert_eq!(parsed(message), Err(expected.to_owned()));
        }
    }

    /// Tables have every column in each row.
    #[test]
    fn keys_that_are_null_are_not_there() {
        let row = json!({"role": null, "content": null, "from": "gpt", "value": "yes", "train_detail": null});
        let expected = json!({"role": "assistant", "content": "yes", "train_detail": null});
        assert_eq!(parsed(row), Ok((expected, None)));
    }

    /// As a request with the same messages is shown.
    #[test]
    fn messages_have_the_form_of_requests() {
        let said = parsed(json!({"role": "developer", "content": "Be short."}));
        assert_eq!(said, Ok((json!({"role": "system", "content": "Be short."}), None)));
        let parts = parsed(json!({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}));
        let expected = json!({"role": "assistant", "content": [{"type": "text", "text": "No."}]});
        assert_eq!(parts, Ok((expected, None)));
        let refusal = parsed(json!({"role": "assistant", "content": null, "refusal": "No."}));
        assert_eq!(refusal.map(|(message, _)| message["content"].clone()), Ok(json!("No.")));
        let called = |arguments: Value| json!({"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": arguments}}]});
        let float = json!({"a": 1e30});
        assert_eq!(parsed(called(json!(float.to_string()))), Ok((called(float), None)));
        let large: Value = serde_json::from_str(r#"{"id": 12345678901234567890123}"#).expect("JSON");
        for (broken, rule) in [
            (json!("[]"), "the arguments of a call are no JSON object"),
            (json!([1]), "the arguments of a call are no JSON object"),
            (large, "the arguments of a call have the number 1.2345678901234568e+22, "),
            (json!(r#"{"a": 1, "a": 2}"#), "the key \"a\" is there twice at line 1 column 12"),
        ] {
            let refusal = parsed(called(broken)).expect_err(rule);
            assert!(refusal.starts_with(&format!("messages[0].tool_calls[0].function.arguments: {rule}")), "{refusal}");
        }
    }

    #[test]
    fn parts_must_be_texts() {
        let parts = json!({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]});
        assert_eq!(parsed(parts.clone()), Ok((parts.clone(), None)));
        assert_eq!(texts(&parts), ["a", "b"]);
        assert_eq!(flat(&parts), json!({"role": "user", "content": "a\nb"}));
        let image = json!({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]});
        let message = parsed(image).expect_err("no text");
        assert!(
            message.starts_with("messages[0]: content[0] is a part of type \"image_url\"; only parts"),
            "{message}"
        );
        let number = parsed(json!({"role": "user", "content": 3}));
        assert_eq!(number, Err("messages[0]: \"content\" must be a text or a list of parts, not a number".to_owned()));
    }

    #[test]
    fn a_key_that_stands_for_the_content_must_be_there() {
        let message = [("role".to_owned(), "who".to_owned()), ("content".to_owned(), "text".to_owned())].into();
        let fields = Fields { message, ..Fields::default() };
        let read = |message| normal("messages", vec![message], false, &fields);
        let expected = "messages[0] has no \"text\", which message_property_mappings names for its content";
        assert_eq!(read(json!({"who": "user", "says": "hi"})), Err(expected.to_owned()));
        assert!(read(json!({"who": "user", "text": "hi"})).is_ok());
        assert!(read(json!({"who": "assistant", "tool_calls": []})).is_ok());
    }

    /// As Axolotl's configurations often say it.
    #[test]
    fn a_key_that_stands_for_itself_asks_for_nothing_more() {
        let message = ["role", "content"].map(|key| (key.to_owned(), key.to_owned())).into();
        let fields = Fields { message, ..Fields::default() };
        let read = |message| {
            let messages = normal("messages", vec![message], false, &fields);
            messages.map(|mut messages| messages.remove(0).0)
        };
        let said = json!({"role": "user", "content": "hi"});
        assert_eq!(read(json!({"from": "human", "value": "hi"})), Ok(said.clone()));
        assert_eq!(read(said.clone()), Ok(said));
        for key in ["function_call", "reasoning_content"] {
            let message = json!({"role": "assistant", key: "f"});
            assert_eq!(read(message.clone()), Ok(message));
        }
    }

    #[test]
    fn keys_and_roles_get_the_names_of_templates() {
        let fields = Fields {
            message: [("role", "who"), ("content", "says")].map(|(to, from)| (to.into(), from.into())).into(),
            roles: [("assistant".to_owned(), vec!["bot".to_owned()])].into(),
            ..Fields::default()
        };
        let messages = vec![json!({"who": "bot", "says": "hi", "name": "Al"}), json!({"who": "user", "says": "ho"})];
        let expected =
            [json!({"role": "assistant", "content": "hi", "name": "Al"}), json!({"role": "user", "content": "ho"})];
        let normal = normal("messages", messages, false, &fields).expect("messages");
        assert_eq!(normal.into_iter().map(|(message, _)| message).collect::<Vec<_>>(), expected);
    }

    /// Answers whose role nobody knows would not be learned.
    #[test]
    fn roles_take_the_place_of_the_usual_names() {
        let roles = [("assistant".to_owned(), vec!["function_call".to_owned(), "bot".to_owned()])].into();
        let fields = Fields { roles, ..Fields::default() };
        for sharegpt in [true, false] {
            let role = |from: &str| {
                let read = normal("conversations", vec![json!({"from": from, "value": "x"})], sharegpt, &fields);
                read.map(|messages| messages[0].0["role"].as_str().unwrap_or_default().to_owned())
            };
            for (from, expected) in [
                ("bot", "assistant"),
                ("function_call", "assistant"),
                ("user", "user"),
                ("developer", "system"),
                ("tool", "tool"),
            ] {
                assert_eq!(role(from), Ok(expected.to_owned()));
            }
            for from in ["human", "gpt", "User"] {
                let expected = format!(
                    "conversations[0] is from {from:?}, which is none of the names that `roles` list (\"function_call\", \"bot\"): \
                     they take the place of the usual ones, such as human and gpt"
                );
                assert_eq!(role(from), Err(expected));
            }
        }
    }

    #[test]
    fn a_role_is_known_by_templates_or_by_whoever_names_it() {
        let chatml = "<|im_start|>{{ message['role'] }}";
        let llama = "{% if message.role == \"ipython\" or message.role == 'critic' %}";
        let named = Fields { roles: [("narrator".to_owned(), vec!["voice".to_owned()])].into(), ..Fields::default() };
        let is_known = |role: &str, fields: &Fields, template| {
            let messages = [json!({"role": "user"}), json!({"role": role})];
            check_roles(&messages, fields, template)
        };
        for role in ROLES {
            assert_eq!(is_known(role, &Fields::default(), Some(chatml)), Ok(()));
        }
        for (role, fields, template, expected) in [
            ("ipython", &Fields::default(), llama, true),
            ("critic", &Fields::default(), llama, true),
            ("model", &Fields::default(), "{% set role = 'model' %}", false),
            ("ipython", &Fields::default(), chatml, false),
            ("User", &Fields::default(), chatml, false),
            ("gpt", &Fields::default(), llama, false),
            ("narrator", &named, chatml, true),
            ("voice", &named, chatml, false),
        ] {
            assert_eq!(is_known(role, fields, Some(template)).is_ok(), expected, "{role}, {template}");
        }
        for (role, meant) in [
            ("User", "user"),
            ("human", "user"),
            ("gpt", "assistant"),
            ("bot", "assistant"),
            ("Tool", "tool"),
            ("ipython", "tool"),
        ] {
            let refusal = is_known(role, &Fields::default(), Some(chatml)).expect_err("a role that nobody knows");
            assert_eq!(
                refusal,
                format!(
                    "a message has the role {role:?}, which the chat template does not name: expected system, developer, user, \
                     assistant or tool; `roles` of a data set says which of them other names mean, as in {{{meant}: [{role:?}]}}"
                )
            );
        }
    }

    #[test]
    fn sharegpt_keeps_what_else_a_turn_says() {
        let turn = json!({"from": "gpt", "value": "hi", "weight": 0});
        let normal = normal("conversations", vec![turn], true, &Fields::default());
        let expected = json!({"role": "assistant", "content": "hi", "weight": 0});
        assert_eq!(normal, Ok(vec![(expected, Some(false))]));
    }
}
