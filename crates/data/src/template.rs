//! Chat templates: messages to text, as transformers' `apply_chat_template` renders them.
//!
//! Three differences are known: minijinja has no tuples, so a template that prints one (`{{ mapping.items() }}`) prints it
//! with the brackets of a list; content in parts comes as one text to a template that knows nothing of parts, and
//! would print them as Python writes a list; and the arguments of a call come as the text of their JSON to a template that
//! joins them to other texts, which fails with an object, or would print them as Python writes a dictionary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use minijinja::value::{Kwargs, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, State};

use crate::error::{Error, Result};
use crate::marks::{self, Sentinels};
use crate::{messages, python};

/// Name of the template, and of the function that the generation tags call, inside the environment.
const TEMPLATE: &str = "chat_template";
const MARK: &str = "__mark_generation";

/// Names under which a message's reasoning is passed; the first is the one that templates read.
const REASONING_FIELDS: [&str; 3] = ["reasoning_content", "thinking", "reasoning"];

/// What `strftime_now` reads in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// The time of the machine in its own time zone, as transformers does.
    System,
    /// A fixed instant in seconds since 1970, shown in UTC: what a run that must be repeatable uses.
    At(i64),
}

impl Clock {
    /// The present second, fixed.
    pub fn now() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Clock::At(i64::try_from(seconds).unwrap_or(0))
    }

    /// The day that it shows, for caches: a template that prints the time of day is not worth a new copy each second.
    pub(crate) fn date(self) -> String {
        self.zoned().map_or_else(|_| String::new(), |now| now.date().to_string())
    }

    fn zoned(self) -> Result<Zoned, jiff::Error> {
        match self {
            Clock::System => Ok(Zoned::now()),
            Clock::At(seconds) => Ok(Timestamp::from_second(seconds)?.to_zoned(TimeZone::UTC)),
        }
    }
}

/// What a template is rendered from.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChatInput<'a> {
    /// Messages, each an object with `role` and, mostly, `content`.
    pub messages: &'a [serde_json::Value],
    /// JSON schemas of the tools that the model may call.
    pub tools: Option<&'a serde_json::Value>,
    /// Documents for retrieval-augmented templates.
    pub documents: Option<&'a serde_json::Value>,
    /// Whether to end with the header of an assistant's turn, for the model to go on from.
    pub add_generation_prompt: bool,
    /// Further variables, e.g. `enable_thinking`; they win over the special tokens of the same name.
    pub variables: Option<&'a serde_json::Map<String, serde_json::Value>>,
}

/// A rendered conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt.
    pub text: String,
    /// Byte ranges of `text` inside `{% generation %}` blocks, in order. Empty where the template has none.
    pub generated: Vec<Range<usize>>,
}

/// A compiled chat template.
#[derive(Debug)]
pub struct ChatTemplate {
    source: String,
    environment: Environment<'static>,
    sentinels: Sentinels,
    marked: bool,
    special_tokens: BTreeMap<String, String>,
    clock: Clock,
    /// Whether it lays out content that comes in parts.
    takes_parts: OnceLock<bool>,
    /// Whether it takes the arguments of calls as objects.
    takes_objects: OnceLock<bool>,
    /// Whether it renders a turn that calls several tools.
    takes_several_calls: OnceLock<bool>,
}

impl ChatTemplate {
    /// Compiles `source`. `special_tokens` become variables: `bos_token`, `eos_token`, ….
    pub fn new(source: &str, special_tokens: &BTreeMap<String, String>, clock: Clock) -> Result<Self> {
        let sentinels = Sentinels::absent_from(&[source]);
        let rewritten = marks::rewrite(source, MARK);
        let environment = environment(rewritten.as_deref().unwrap_or(source), sentinels, clock)?;
        Ok(ChatTemplate {
            source: source.to_owned(),
            environment,
            sentinels,
            marked: rewritten.is_some(),
            special_tokens: special_tokens.clone(),
            clock,
            takes_parts: OnceLock::new(),
            takes_objects: OnceLock::new(),
            takes_several_calls: OnceLock::new(),
        })
    }

    /// The template's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the template marks the assistant's text with `{% generation %}`.
    pub fn marks_generation(&self) -> bool {
        self.marked
    }

    /// Whether the rendering depends on the clock, which is then part of what identifies it.
    pub fn reads_clock(&self) -> bool {
        self.source.contains("strftime_now")
    }

    /// What `strftime_now` reads.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Renders a conversation. Like transformers, keys of messages that are null are left out, and reasoning is
    /// passed under every name that templates read it by.
    pub fn render(&self, input: &ChatInput<'_>) -> Result<Rendered> {
        let in_parts = |message: &serde_json::Value| message.get("content").is_some_and(serde_json::Value::is_array);
        let mut given = Cow::Borrowed(input.messages);
        if given.iter().any(in_parts) && !*self.takes_parts.get_or_init(|| self.lays_out_parts()) {
            given = given.iter().map(messages::flat).collect();
        }
        if given.iter().any(messages::calls_with_objects) && !*self.takes_objects.get_or_init(|| self.shows_objects()) {
            given = given.iter().map(messages::with_arguments_as_text).collect();
        }
        self.render_as_given(&ChatInput { messages: &given, ..*input })
    }

    /// Whether a message in parts comes out as its text, and not as the list that holds it.
    fn lays_out_parts(&self) -> bool {
        const TEXT: &str = "Which is it?";
        let messages = [serde_json::json!({"role": "user", "content": [{"type": "text", "text": TEXT}]})];
        let rendered = self.render_as_given(&ChatInput { messages: &messages, ..ChatInput::default() });
        rendered.is_ok_and(|rendered| rendered.text.contains(TEXT) && !rendered.text.contains("'type'"))
    }

    /// Whether arguments of calls come out, as JSON or by their names, where they are an object, or where they are its text no better. DeepSeek's templates join
    /// them to other texts, and some print an object as Python does.
    fn shows_objects(&self) -> bool {
        const NAME: &str = "whereabouts";
        let shows = |arguments: &serde_json::Value| {
            // Some templates pass over calls beside a content, and others read a content wherever there are calls.
            [serde_json::json!(""), serde_json::Value::Null].into_iter().any(|content| {
                let (messages, tools) = calling(1, arguments, &content);
                let input = ChatInput { messages: &messages, tools: Some(&tools), ..ChatInput::default() };
                let shown = |text: &str| text.contains(NAME) && !text.contains(&format!("'{NAME}'"));
                self.render_as_given(&input).is_ok_and(|rendered| shown(&rendered.text))
            })
        };
        let object = serde_json::json!({NAME: "north"});
        shows(&object) || !shows(&python::dumps(&object).into())
    }

    /// Whether a turn may call several tools at once. Llama's templates refuse such a turn when it comes back, with all that is said behind it.
    pub fn takes_several_calls(&self) -> bool {
        // What refuses one call as well is no rule about several.
        *self.takes_several_calls.get_or_init(|| self.renders_calls(2) || !self.renders_calls(1))
    }

    fn renders_calls(&self, count: usize) -> bool {
        let (messages, tools) = calling(count, &serde_json::json!({}), &serde_json::json!(""));
        self.render(&ChatInput { messages: &messages, tools: Some(&tools), ..ChatInput::default() }).is_ok()
    }

    fn render_as_given(&self, input: &ChatInput<'_>) -> Result<Rendered> {
        let messages: Vec<serde_json::Value> = input.messages.iter().map(normalise).collect();
        let context = self.context(input, &messages);
        if !self.marked {
            let text = render(&self.environment, &context)?;
            return Ok(Rendered { text, generated: Vec::new() });
        }
        let strings = [messages.iter().map(ToString::to_string).collect(), json(input.tools), json(input.documents)];
        let strings: Vec<&str> = strings.iter().map(String::as_str).chain([self.source.as_str()]).collect();
        let is_taken = |c: char| strings.iter().any(|text| text.contains(c));
        let (rendered, sentinels) = if is_taken(self.sentinels.open) || is_taken(self.sentinels.close) {
            let sentinels = Sentinels::absent_from(&strings);
            let rewritten = marks::rewrite(&self.source, MARK).unwrap_or_default();
            (render(&environment(&rewritten, sentinels, self.clock)?, &context)?, sentinels)
        } else {
            (render(&self.environment, &context)?, self.sentinels)
        };
        let (text, generated) = marks::take_spans(&rendered, sentinels);
        Ok(Rendered { text, generated })
    }

    fn context(&self, input: &ChatInput<'_>, messages: &[serde_json::Value]) -> BTreeMap<String, Value> {
        let mut context: BTreeMap<String, Value> =
            self.special_tokens.iter().map(|(name, token)| (name.clone(), Value::from(token.as_str()))).collect();
        for (name, value) in input.variables.into_iter().flatten() {
            context.insert(name.clone(), Value::from_serialize(value));
        }
        let optional = |value: Option<&serde_json::Value>| value.map_or(Value::from(()), Value::from_serialize);
        context.insert("messages".to_owned(), Value::from_serialize(messages));
        context.insert("tools".to_owned(), optional(input.tools));
        context.insert("documents".to_owned(), optional(input.documents));
        context.insert("add_generation_prompt".to_owned(), Value::from(input.add_generation_prompt));
        context
    }
}

/// A conversation whose answer has this content and calls a tool so many times with these arguments, and its tools.
fn calling(
    count: usize,
    arguments: &serde_json::Value,
    content: &serde_json::Value,
) -> (Vec<serde_json::Value>, serde_json::Value) {
    // As Mistral's templates want ids to be.
    let id = |at: usize| format!("call0000{at}");
    let call = |at| {
        let function = serde_json::json!({"name": "look", "arguments": arguments});
        serde_json::json!({"id": id(at), "type": "function", "function": function})
    };
    let calls: Vec<_> = (0..count).map(call).collect();
    let question = serde_json::json!({"role": "user", "content": "What is there?"});
    let asked = serde_json::json!({"role": "assistant", "content": content, "tool_calls": calls});
    let result = |at| serde_json::json!({"role": "tool", "tool_call_id": id(at), "name": "look", "content": "."});
    let messages = [question, asked].into_iter().chain((0..count).map(result)).collect();
    let parameters = serde_json::json!({"type": "object", "properties": {}});
    let tool = serde_json::json!({"name": "look", "description": "Looks.", "parameters": parameters});
    (messages, serde_json::json!([{"type": "function", "function": tool}]))
}

fn json(value: Option<&serde_json::Value>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}

fn render(environment: &Environment<'static>, context: &BTreeMap<String, Value>) -> Result<String> {
    let refused = |error: minijinja::Error| Error::TemplateRender(sentence(&error));
    let template = environment.get_template(TEMPLATE).map_err(refused)?;
    template.render(context).map_err(|error| {
        // The tokenizer lacks it, whatever the messages are.
        let is_missing = |name: &String| name.ends_with("_token") && !context.contains_key(name);
        let missing = template.undeclared_variables(false).into_iter().filter(is_missing).min();
        let reason = sentence(&error);
        match missing.filter(|_| error.kind() == ErrorKind::UndefinedError || reason.contains("undefined")) {
            Some(name) => Error::TemplateToken { name, reason },
            None => refused(error),
        }
    })
}

/// The error's own words with the template's line; minijinja's `Display` puts the kind before them.
fn sentence(error: &minijinja::Error) -> String {
    let words = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.line() {
        Some(line) => format!("{words} (line {line} of the template)"),
        None => words,
    }
}

/// An environment set up as transformers sets up Jinja2 for chat templates.
fn environment(source: &str, sentinels: Sentinels, clock: Clock) -> Result<Environment<'static>> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.set_formatter(|out, _, value| Ok(out.write_str(&python::str(value))?));
    environment.add_filter("tojson", |value: Value, ascii: Option<bool>, indent: Option<Value>, kwargs: Kwargs| {
        python::tojson(&value, ascii, indent, kwargs)
    });
    environment.add_filter("string", |value: Value| python::str(&value));
    environment.add_function("raise_exception", |message: String| -> Result<Value, minijinja::Error> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, message))
    });
    environment.add_function("strftime_now", move |format: &str| -> Result<String, minijinja::Error> {
        let formatted = clock.zoned().and_then(|now| jiff::fmt::strtime::format(format, &now));
        formatted.map_err(|error| minijinja::Error::new(ErrorKind::InvalidOperation, format!("strftime_now: {error}")))
    });
    environment.add_function(MARK, move |state: &State<'_, '_>, kwargs: Kwargs| -> Result<String, minijinja::Error> {
        let body: Value = kwargs.get("caller")?;
        Ok(format!("{}{}{}", sentinels.open, body.call(state, &[])?, sentinels.close))
    });
    environment
        .add_template_owned(TEMPLATE, source.to_owned())
        .map_err(|error| Error::TemplateSyntax(sentence(&error)))?;
    Ok(environment)
}

/// A message as transformers hands it to templates.
fn normalise(message: &serde_json::Value) -> serde_json::Value {
    let Some(fields) = message.as_object() else { return message.clone() };
    let present = fields.iter().filter(|(_, value)| !value.is_null());
    let reasoning = REASONING_FIELDS.iter().find_map(|name| fields.get(*name).filter(|value| !value.is_null()));
    let mut normal = serde_json::Map::new();
    if let Some(reasoning) = reasoning {
        normal.insert("thinking".to_owned(), reasoning.clone());
    }
    normal.extend(present.map(|(key, value)| (key.clone(), value.clone())));
    if let Some(reasoning) = reasoning {
        normal.insert("reasoning_content".to_owned(), reasoning.clone());
    }
    serde_json::Value::Object(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(source: &str) -> ChatTemplate {
        ChatTemplate::new(source, &BTreeMap::new(), Clock::At(1_700_000_000)).expect("the template compiles")
    }

    fn render(source: &str, messages: serde_json::Value) -> Result<Rendered> {
        let messages = messages.as_array().cloned().unwrap_or_default();
        template(source).render(&ChatInput { messages: &messages, ..ChatInput::default() })
    }

    #[test]
    fn raise_exception_becomes_the_error() {
        let error = render("{{ raise_exception('roles must alternate') }}", serde_json::json!([]));
        let message = error.expect_err("the template raises").to_string();
        assert_eq!(
            message,
            "the chat template cannot render these messages: roles must alternate (line 1 of the template)"
        );
    }

    #[test]
    fn a_template_that_does_not_parse_is_refused() {
        let error = ChatTemplate::new("{% if %}", &BTreeMap::new(), Clock::System).expect_err("bad syntax");
        assert!(error.to_string().starts_with("the chat template does not parse: "), "{error}");
    }

    #[test]
    fn the_clock_is_injected() {
        let text = render("{{ strftime_now('%d %b %Y, %H:%M:%S') }}", serde_json::json!([])).expect("renders").text;
        assert_eq!(text, "14 Nov 2023, 22:13:20");
        render("{{ strftime_now('%') }}", serde_json::json!([])).expect_err("an incomplete format");
    }

    #[test]
    fn messages_that_hold_a_sentinel_keep_it() {
        let source = "{% for m in messages %}<{% generation %}{{ m.content }}{% endgeneration %}>{% endfor %}";
        let rendered = render(source, serde_json::json!([{"role": "assistant", "content": "a\u{F0000}b"}]));
        let rendered = rendered.expect("renders");
        assert_eq!(rendered.text, "<a\u{F0000}b>");
        assert_eq!(rendered.generated, vec![1..7]);
    }

    /// DeepSeek's templates join arguments to other texts, which fails with an object. What shows an object as JSON, or goes through it, is given one.
    #[test]
    fn arguments_come_as_templates_take_them() {
        let turns = |shown: &str| {
            format!(
                "{{% for m in messages %}}{{% if m.tool_calls %}}{{% for call in m.tool_calls %}}{shown}{{% endfor %}}\
                 {{% else %}}{{{{ m.content }}}}{{% endif %}}{{% endfor %}}"
            )
        };
        let arguments = serde_json::json!({"place": "Z\u{fc}rich", "days": [1, 2.0]});
        let written = "{\"place\": \"Z\u{fc}rich\", \"days\": [1, 2.0]}";
        for (shown, expected) in [
            ("{{ '<call>' + call.function.arguments + '</call>' }}", format!("<call>{written}</call>")),
            ("{{ call.function.arguments }}", written.to_owned()),
            ("{{ call.function.arguments | tojson }}", written.to_owned()),
            ("{{ call.function | tojson }}", format!("{{\"name\": \"look\", \"arguments\": {written}}}")),
            (
                "{% for name, value in call.function.arguments.items() %}{{ name }}={{ value }};{% endfor %}",
                "place=Z\u{fc}rich;days=[1, 2.0];".to_owned(),
            ),
            ("{{ call.function.name }}", "look".to_owned()),
        ] {
            // Beside a content, without one, and where the template has other ideas of that.
            for rule in [
                "",
                "{% if m.content is undefined %}{{ raise_exception('content') }}{% endif %}",
                "{% if m.content is defined %}{{ raise_exception('no content') }}{% endif %}",
            ] {
                let content = if rule.contains("'no") { serde_json::Value::Null } else { serde_json::json!("") };
                let (messages, _) = calling(1, &arguments, &content);
                let rendered = template(&turns(&format!("{rule}{shown}")))
                    .render(&ChatInput { messages: &messages, ..ChatInput::default() });
                let text = rendered.unwrap_or_else(|error| panic!("{shown}, {rule}: {error}")).text;
                assert_eq!(text, format!("What is there?{expected}."), "{shown}, {rule}");
            }
        }
    }
}
