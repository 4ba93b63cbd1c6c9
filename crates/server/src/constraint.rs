//! From the form that a request asks for to the engine's constraints: the one place that knows both.

use std::sync::Arc;

use api::{ChatRequest, ResponseFormat, Settings, StructuredOutputs};
use constrain::{Constraint, Grammar, Narrowing, OutputType, ToolFormat, Tools, Vocabulary, is_schema_type};
use serde_json::{Value, json};

use crate::app::{App, shown};
use crate::budget::Part;
use crate::compiled::FormId;
use crate::error::Error;

/// Bytes of the forms of all requests under way together, each as often as it has answers. An answer that is held to a form takes up to some hundred times its
/// bytes of memory, and three times that where it had to be read on.
pub(crate) const ALL_BYTES: usize = 8 << 20;
/// Those of a request.
const BYTES_MAX: usize = 2 << 20;
/// What a smaller form counts as in each answer: a few bytes may make as many lexer states as thousands do. So there is room for 2,048 answers of small forms, more
/// than usually run and wait together, and for as many of a request as it may ask for.
const LEAST_BYTES: usize = 4 << 10;
/// What each count that a form keeps ([`Grammar::counts`]) adds up to in each answer. A mask of as many as there may be was seen to take 0.1 s, and its text to have tables of
/// a hundred megabytes: a request may have 17 answers of such a form, whose masks are computed side by side.
const COUNT_BYTES: usize = 80;
/// Those of a form that is hashed at once, which takes a third of a millisecond. Others' tokens would wait for one of 2 MiB for twenty.
const HASHED_BYTES_MAX: usize = 64 << 10;

/// A form that answers are held to.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The field that asks for it.
    field: &'static str,
    pub(crate) grammar: Grammar,
    bytes: usize,
    counts: usize,
}

impl Form {
    fn new(field: &'static str, grammar: Grammar) -> Form {
        let (bytes, counts) = (grammar.bytes(), grammar.counts() as usize);
        Form { field, grammar, bytes, counts }
    }

    /// The place of so many answers of the form among those of all requests, for the key of that number ([`crate::keys::Pass::number`]).
    ///
    /// # Errors
    /// It is too large or too costly for so many, or there is none now.
    pub(crate) fn place(&self, app: &App, key: u64, answers: usize) -> Result<Part, Error> {
        let of_counts = self.counts * COUNT_BYTES;
        let bytes = self.bytes.max(LEAST_BYTES).max(of_counts).saturating_mul(answers);
        if bytes > BYTES_MAX {
            let Form { field, bytes, counts, .. } = self;
            let message = match of_counts > *bytes {
                true => format!(
                    "`{field}` asks for a form that takes {counts} counts at a time in each of {answers} answers: all of them together may take {}; repeat with `+` or `*`, put a sign between \
                     what repeats, lower the numbers, or ask for fewer answers",
                    BYTES_MAX / COUNT_BYTES
                ),
                false => format!(
                    "`{field}` asks for a form of {bytes} bytes in each of {answers} answers: all of them together may have {BYTES_MAX}"
                ),
            };
            return Err(Error::field(*field, message));
        }
        app.forms.take(key, bytes).map_err(Error::many_forms)
    }

    /// By what it is found again by requests that share what is computed.
    pub(crate) fn id(&self, sharing: Option<&str>) -> FormId {
        FormId::new(&self.grammar, sharing)
    }

    /// The same, if it is known in no time.
    pub(crate) fn id_at_once(&self, sharing: Option<&str>) -> Option<FormId> {
        (self.bytes <= HASHED_BYTES_MAX).then(|| self.id(sharing))
    }

    /// Whether it is that of calls, which are judged as they are read.
    pub(crate) fn is_calls(&self) -> bool {
        matches!(self.grammar, Grammar::Tools(_))
    }
}

/// The form that the settings ask for; `None` is free text.
///
/// # Errors
/// They ask for more than one, or for none in a place that should have one.
pub(crate) fn form(settings: &Settings) -> Result<Option<Form>, Error> {
    let schema = |field, schema: &Value| Ok::<_, Error>(Grammar::JsonSchema(schema_of(field, schema)?));
    let mut forms = Vec::new();
    match &settings.response_format {
        None | Some(ResponseFormat::Text { .. }) => {}
        Some(ResponseFormat::JsonObject { schema, .. }) => {
            forms.push(("response_format", object_of("response_format", schema.as_ref())?));
        }
        Some(ResponseFormat::JsonSchema { json_schema }) => {
            let grammar = match &json_schema.schema {
                Some(given) => schema("response_format", given)?,
                None => Grammar::JsonObject,
            };
            forms.push(("response_format", grammar));
        }
    }
    if let Some(outputs) = &settings.structured_outputs {
        forms.push(("structured_outputs", structured(outputs)?));
    }
    if let Some(json) = &settings.guided_json {
        forms.push(("guided_json", schema("guided_json", json)?));
    }
    if let Some(properties) = &settings.output_type {
        let output_type = OutputType::new(&Value::Object(properties.clone()));
        let output_type = output_type.map_err(|error| Error::field("output_type", error.to_string()))?;
        forms.push(("output_type", Grammar::JsonSchema(output_type.schema())));
    }
    forms.extend(settings.guided_regex.clone().map(|regex| ("guided_regex", Grammar::Regex(regex))));
    forms.extend(settings.guided_choice.clone().map(|choice| ("guided_choice", Grammar::Choice(choice))));
    forms.extend(settings.guided_grammar.clone().map(|text| ("guided_grammar", Grammar::Lark(text))));
    one(forms, |first, second| {
        Error::field(second, format!("`{first}` and `{second}` ask for a form each: an answer has one"))
    })
}

/// A JSON object, valid by a schema if there is one.
fn object_of(field: &'static str, schema: Option<&Value>) -> Result<Grammar, Error> {
    let Some(schema) = schema else { return Ok(Grammar::JsonObject) };
    let mut schema = schema_of(field, schema)?;
    match &mut schema {
        Value::Bool(true) => return Ok(Grammar::JsonObject),
        Value::Object(keywords) => match keywords.get("type") {
            None => drop(keywords.insert("type".to_owned(), json!("object"))),
            Some(named) if named == "object" => {}
            // What is no type is told where schemas are read.
            Some(Value::Array(named)) if named.contains(&json!("object")) => {
                if named.iter().all(|named| named.as_str().is_some_and(is_schema_type)) {
                    keywords.insert("type".to_owned(), json!("object"));
                }
            }
            Some(named) => {
                let named = named.to_string();
                let rule = format!(
                    "`json_object` asks for an object, and its `schema` for the type {}: write `json_schema`",
                    shown(&named)
                );
                return Err(Error::field(field, rule));
            }
        },
        _ => {}
    }
    Ok(Grammar::JsonSchema(schema))
}

fn one(
    forms: Vec<(&'static str, Grammar)>,
    both: impl FnOnce(&'static str, &'static str) -> Error,
) -> Result<Option<Form>, Error> {
    let mut forms = forms.into_iter();
    let Some((field, grammar)) = forms.next() else { return Ok(None) };
    match forms.next() {
        Some((second, _)) => Err(both(field, second)),
        None => Ok(Some(Form::new(field, grammar))),
    }
}

fn structured(outputs: &StructuredOutputs) -> Result<Grammar, Error> {
    const FIELD: &str = "structured_outputs";
    let mut forms = Vec::new();
    let narrowing = Narrowing {
        compact: outputs.disable_any_whitespace == Some(true),
        closed: outputs.disable_additional_properties == Some(true),
    };
    if let Some(schema) = &outputs.json {
        forms.push((FIELD, Grammar::NarrowJson(schema_of(FIELD, schema)?, narrowing)));
    }
    forms.extend(outputs.regex.clone().map(|regex| (FIELD, Grammar::Regex(regex))));
    forms.extend(outputs.choice.clone().map(|choice| (FIELD, Grammar::Choice(choice))));
    forms.extend(outputs.grammar.clone().map(|text| (FIELD, Grammar::Lark(text))));
    let object = match narrowing.compact {
        true => Grammar::NarrowJson(json!({"type": "object"}), narrowing),
        // It names no properties, so that there is nothing to close.
        false => Grammar::JsonObject,
    };
    forms.extend(outputs.json_object.filter(|wanted| *wanted).map(|_| (FIELD, object)));
    let rule =
        || Error::field(FIELD, "`structured_outputs` should have one of json, regex, choice, grammar and json_object");
    let form = one(forms, |_, _| rule())?;
    form.map(|form| form.grammar).ok_or_else(rule)
}

/// vLLM takes a schema's text too.
fn schema_of(field: &'static str, schema: &Value) -> Result<Value, Error> {
    match schema {
        Value::String(text) => serde_json::from_str(text)
            .map_err(|error| Error::field(field, format!("`{field}` is a text that is no JSON: {error}"))),
        other => Ok(other.clone()),
    }
}

/// The calls that a chat may answer with, and how they are written; `None` where it has no tools, or may not call them.
///
/// # Errors
/// There is a choice without tools, or the model's way to write calls is not known.
pub(crate) fn tools(app: &App, request: &ChatRequest) -> Result<Option<Tools>, Error> {
    let given = request.chat.tools.as_deref().unwrap_or_default();
    let choice = request.chat.tool_choice.clone().unwrap_or_default();
    let choice = match choice {
        api::ToolChoice::None => return Ok(None),
        api::ToolChoice::Auto if given.is_empty() => return Ok(None),
        _ if given.is_empty() => {
            return Err(Error::field("tool_choice", "`tool_choice` asks for a call, and there are no `tools`"));
        }
        api::ToolChoice::Auto => constrain::ToolChoice::Auto,
        api::ToolChoice::Required => constrain::ToolChoice::Required,
        api::ToolChoice::Function(name) => {
            check_choice(&name, given)?;
            constrain::ToolChoice::Function(name)
        }
    };
    let template = app.tokenizer.chat_template(true).ok_or_else(Error::no_chat_template)?;
    let format = ToolFormat::of_template(template.source()).ok_or_else(|| {
        let message = "the model's chat template writes no calls of tools, or none as Hermes, Llama 3 or Mistral do, which are known here: leave out `tools`, or \
                       serve a model that has one";
        Error::field("tools", message)
    })?;
    let tool = |api::Tool::Function { function }: &api::Tool| constrain::Tool {
        name: function.name.clone(),
        parameters: function.parameters.clone(),
    };
    // An answer that its model could not be told again would be the conversation's last.
    let parallel = request.chat.parallel_tool_calls.unwrap_or(true) && template.takes_several_calls();
    Ok(Some(Tools { format, tools: given.iter().map(tool).collect(), choice, parallel }))
}

/// Checks that the function that is to be called is there.
///
/// # Errors
/// It is not among the tools.
fn check_choice(name: &str, given: &[api::Tool]) -> Result<(), Error> {
    let names: Vec<_> = given.iter().map(|api::Tool::Function { function }| function.name.as_str()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let (name, known) = (shown(name), names.join("`, `"));
    let message = format!("`tool_choice` names `{name}`, and `tools` has `{}`: name one that is there", shown(&known));
    Err(Error::field("tool_choice", message))
}

/// The form of calls. Where there has to be one there is nothing else that another form could hold.
///
/// # Errors
/// An answer may be calls or text, and the settings ask for a form of the text.
pub(crate) fn with_tools(form: Option<Form>, tools: Option<&Tools>) -> Result<Option<Form>, Error> {
    let Some(tools) = tools else { return Ok(form) };
    if let Some(Form { field, .. }) = form.filter(|_| tools.choice == constrain::ToolChoice::Auto) {
        let message = format!(
            "`{field}` with `tools` that may or may not be called is not supported, since a text of a form can look like a call: set \
             `tool_choice` to none to have the form, or to required to have calls"
        );
        return Err(Error::field(field, message));
    }
    Ok(Some(Form::new("tools", Grammar::Tools(tools.clone()))))
}

/// The beginning of an answer of a form, which each answer clones. May take long, unless it is remembered: call it where that holds nobody up.
///
/// # Errors
/// The form is impossible, too large or not supported, or the tokenizer does not allow any.
pub(crate) fn compile(app: &App, form: &Form, id: FormId) -> Result<Arc<Constraint>, Error> {
    // Another may have compiled it while this one waited for its turn.
    if let Some(first) = app.compiled.get(id) {
        return Ok(first);
    }
    let vocabulary = vocabulary(app).map_err(|error| Error::field(form.field, error))?;
    let first = Constraint::new(&vocabulary, &form.grammar);
    let first = Arc::new(first.map_err(|error| Error::field(form.field, error.to_string()))?);
    app.compiled.keep(id, form.bytes, Arc::clone(&first));
    Ok(first)
}

/// The model's vocabulary; the first call makes it.
pub(crate) fn vocabulary(app: &App) -> Result<Arc<Vocabulary>, String> {
    let made = app.vocabulary.get_or_init(|| {
        let made = Vocabulary::new(&app.tokenizer, app.service.vocab_size(), &app.end_ids);
        made.map_err(|error| format!("answers of this model cannot be held to a form: {error}"))
    });
    made.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::tests::app;

    /// A step waits for the masks of all answers, and each has tables of its own.
    #[test]
    fn costly_forms_are_for_few_answers() {
        let (app, _inbox) = app(4);
        let of = |settings: Settings| form(&settings).unwrap().unwrap();
        let regex = |text: &str| of(Settings { guided_regex: Some(text.to_owned()), ..Settings::default() });
        let schema = |value: Value| of(Settings { guided_json: Some(value), ..Settings::default() });
        let costly = "([a-z]{1,30} ?){1,49}";
        let written = format!("start: /{costly}/");
        let grammar = of(Settings { guided_grammar: Some(written), ..Settings::default() });
        let pattern = json!({"type": "object", "properties": {"a": {"pattern": format!("^{costly}$")}}});
        for (costly, field) in
            [(regex(costly), "guided_regex"), (schema(pattern), "guided_json"), (grammar, "guided_grammar")]
        {
            assert!(costly.place(&app, 0, 17).is_ok(), "{field}");
            let told = format!("{:?}", costly.place(&app, 0, 18).unwrap_err());
            let start =
                format!("`{field}` asks for a form that takes 1470 counts at a time in each of 18 answers: all");
            assert!(told.contains(&start), "{told}");
        }
        for cheap in [
            regex("[a-z]{1,5000}"),
            regex(r"(?i)(yes|no), [\w.]+@[\w.]+"),
            schema(
                json!({"type": "object", "properties": {"a": {"pattern": "^[A-Z]{3}-[0-9]{4,8}$"}, "b": {"maxLength": 200}}}),
            ),
            schema(json!({"type": "string", "pattern": "[a-z]{1,50}$"})),
        ] {
            assert!(cheap.place(&app, 0, 256).is_ok(), "{cheap:?}");
        }
    }

    /// A connection's thread has others' tokens to send.
    #[test]
    fn large_forms_are_not_hashed_at_once() {
        let of = |bytes: usize| {
            let settings = Settings { guided_choice: Some(vec!["a".repeat(bytes)]), ..Settings::default() };
            form(&settings).unwrap().unwrap()
        };
        let [small, large] = [HASHED_BYTES_MAX, HASHED_BYTES_MAX + 1].map(of);
        assert_eq!(small.id_at_once(Some("1:")), Some(small.id(Some("1:"))));
        assert_eq!(large.id_at_once(Some("1:")), None);
    }

    /// What is compiled of it is everybody's, and errors call it so.
    #[test]
    fn any_object_is_the_same_wherever_it_is_asked_for() {
        let of = |compact, closed| {
            let outputs = StructuredOutputs {
                json_object: Some(true),
                disable_any_whitespace: compact,
                disable_additional_properties: closed,
                ..StructuredOutputs::default()
            };
            form(&Settings { structured_outputs: Some(outputs), ..Settings::default() }).unwrap().unwrap().grammar
        };
        for (compact, closed) in [(None, None), (Some(false), Some(false)), (None, Some(true))] {
            assert_eq!(of(compact, closed), Grammar::JsonObject, "{compact:?}, {closed:?}");
        }
        let narrowing = Narrowing { compact: true, closed: false };
        assert_eq!(of(Some(true), None), Grammar::NarrowJson(json!({"type": "object"}), narrowing));
    }

    /// Other servers' way to write a schema is obeyed, and what nobody knows is refused.
    #[test]
    fn what_stands_in_a_response_format_is_obeyed_or_refused() {
        let read = |format: Value| serde_json::from_value::<Settings>(json!({"response_format": format}));
        let object = |schema: Value| form(&read(json!({"type": "json_object", "schema": schema})).unwrap());
        let schema = json!({"type": "object", "properties": {"a": {"type": "boolean"}}});
        for (written, meant) in [
            (schema.clone(), Grammar::JsonSchema(schema.clone())),
            (json!({"properties": schema["properties"]}), Grammar::JsonSchema(schema.clone())),
            (json!({}), Grammar::JsonSchema(json!({"type": "object"}))),
            (json!({"type": ["null", "object"]}), Grammar::JsonSchema(json!({"type": "object"}))),
            (json!({"type": ["object", "objekt"]}), Grammar::JsonSchema(json!({"type": ["object", "objekt"]}))),
            (json!(true), Grammar::JsonObject),
            (json!(null), Grammar::JsonObject),
        ] {
            assert_eq!(object(written.clone()).unwrap().unwrap().grammar, meant, "{written}");
        }
        let refused = |schema: Value| object(schema).err().unwrap().body().error.message;
        assert!(refused(json!({"type": "array"})).contains("for the type \"array\""));
        assert!(refused(json!({"type": "a".repeat(1 << 20)})).len() < 1_000);
        assert!(form(&read(json!({"type": "text", "json_schema": null})).unwrap()).unwrap().is_none());
        let nothing = read(json!({"type": "json_object", "json_schema": null})).unwrap();
        assert_eq!(form(&nothing).unwrap().unwrap().grammar, Grammar::JsonObject);
        let named = read(json!({"type": "json_schema", "json_schema": {"name": "n"}})).unwrap();
        assert_eq!(form(&named).unwrap().unwrap().grammar, Grammar::JsonObject);
        for format in [
            json!({"type": "text", "schema": schema}),
            json!({"type": "json_object", "json_schema": {"name": "n", "schema": schema}}),
            json!({"type": "json_schema", "json_schema": {"name": "n", "schema": schema}, "foo": 1}),
        ] {
            let error = read(format.clone()).unwrap_err().to_string();
            assert!(error.contains("unknown field") || error.contains("expected unit"), "{format}: {error}");
        }
    }

    #[test]
    fn small_forms_count_in_each_answer() {
        let (app, _inbox) = app(4);
        let object = ResponseFormat::JsonObject { schema: None, json_schema: None };
        let object = Settings { response_format: Some(object), ..Settings::default() };
        let object = form(&object).unwrap().unwrap();
        let most = app.limits.choices;
        let places: Vec<_> = std::iter::from_fn(|| object.place(&app, 0, most).ok()).collect();
        assert_eq!(places.len() * most, 2048);
        assert_eq!(object.place(&app, 0, 1).unwrap_err().body().error.code.as_deref(), Some("queue_full"));
        drop(places);
        assert_eq!(app.forms.free(), ALL_BYTES);
    }
}
