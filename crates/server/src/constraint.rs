//! From the form that a request asks for to the engine's constraints: the one place that knows both.

use std::sync::Arc;

use api::{ChatRequest, ResponseFormat, Settings, StructuredOutputs};
use constrain::{Constraint, Grammar, OutputType, ToolFormat, Tools, Vocabulary};
use serde_json::Value;

use crate::app::App;
use crate::error::Error;

/// A form that answers are held to.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The field that asks for it.
    field: &'static str,
    pub(crate) grammar: Grammar,
}

impl Form {
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
        None | Some(ResponseFormat::Text) => {}
        Some(ResponseFormat::JsonObject) => forms.push(("response_format", Grammar::JsonObject)),
        Some(ResponseFormat::JsonSchema { json_schema }) => {
            forms.push(("response_format", schema("response_format", &json_schema.schema)?));
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

fn one(
    forms: Vec<(&'static str, Grammar)>,
    both: impl FnOnce(&'static str, &'static str) -> Error,
) -> Result<Option<Form>, Error> {
    let mut forms = forms.into_iter();
    let Some((field, grammar)) = forms.next() else { return Ok(None) };
    match forms.next() {
        Some((second, _)) => Err(both(field, second)),
        None => Ok(Some(Form { field, grammar })),
    }
}

fn structured(outputs: &StructuredOutputs) -> Result<Grammar, Error> {
    const FIELD: &str = "structured_outputs";
    let mut forms = Vec::new();
    if let Some(json) = &outputs.json {
        forms.push((FIELD, Grammar::JsonSchema(schema_of(FIELD, json)?)));
    }
    forms.extend(outputs.regex.clone().map(|regex| (FIELD, Grammar::Regex(regex))));
    forms.extend(outputs.choice.clone().map(|choice| (FIELD, Grammar::Choice(choice))));
    forms.extend(outputs.grammar.clone().map(|text| (FIELD, Grammar::Lark(text))));
    forms.extend(outputs.json_object.filter(|wanted| *wanted).map(|_| (FIELD, Grammar::JsonObject)));
    let rule =
        || Error::field(FIELD, "`structured_outputs` should have one of json, regex, choice, grammar and json_object");
    let form = one(forms, |_, _| rule())?;
    form.map(|form| form.grammar).ok_or_else(rule)
}

/// Values of a schema, each of which takes ten times its text while it waits to be compiled.
const SCHEMA_VALUES_MAX: usize = 200_000;

/// vLLM takes a schema's text too.
fn schema_of(field: &'static str, schema: &Value) -> Result<Value, Error> {
    let too_large = || Error::field(field, format!("`{field}` has more than {SCHEMA_VALUES_MAX} values within it"));
    let checked = |schema: &Value| if has_more(schema, SCHEMA_VALUES_MAX) { Err(too_large()) } else { Ok(()) };
    match schema {
        Value::String(text) => {
            let schema = serde_json::from_str(text)
                .map_err(|error| Error::field(field, format!("`{field}` is a text that is no JSON: {error}")))?;
            checked(&schema)?;
            Ok(schema)
        }
        other => {
            checked(other)?;
            Ok(other.clone())
        }
    }
}

/// Whether a value has more than so many within it.
fn has_more(value: &Value, most: usize) -> bool {
    let mut left = vec![value];
    let mut count = 0;
    while let Some(value) = left.pop() {
        count += 1;
        match value {
            Value::Array(values) => left.extend(values),
            Value::Object(properties) => left.extend(properties.values()),
            _ => {}
        }
        if count + left.len() > most {
            return true;
        }
    }
    false
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
        api::ToolChoice::Function(name) => constrain::ToolChoice::Function(name),
    };
    let format = app.tokenizer.chat_template(true).and_then(|template| ToolFormat::of_template(template.source()));
    let format = format.ok_or_else(|| {
        Error::field("tools", "the model's chat template writes no calls of tools in a form that is known here")
    })?;
    let tool = |api::Tool::Function { function }: &api::Tool| constrain::Tool {
        name: function.name.clone(),
        parameters: function.parameters.clone(),
    };
    let parallel = request.chat.parallel_tool_calls.unwrap_or(true);
    Ok(Some(Tools { format, tools: given.iter().map(tool).collect(), choice, parallel }))
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
    Ok(Some(Form { field: "tools", grammar: Grammar::Tools(tools.clone()) }))
}

/// So many constraints of the same form. May take long: call it where that holds nobody up.
///
/// # Errors
/// The form is impossible, too large or not supported, or the tokenizer does not allow any.
pub(crate) fn compile(app: &App, form: &Form, count: usize) -> Result<Vec<Constraint>, Error> {
    let vocabulary = vocabulary(app).map_err(|error| Error::field(form.field, error))?;
    let first = Constraint::new(&vocabulary, &form.grammar);
    let first = first.map_err(|error| Error::field(form.field, error.to_string()))?;
    Ok(vec![first; count])
}

/// The model's vocabulary; the first call makes it.
pub(crate) fn vocabulary(app: &App) -> Result<Arc<Vocabulary>, String> {
    let made = app.vocabulary.get_or_init(|| {
        let made = Vocabulary::new(&app.tokenizer, app.service.vocab_size(), &app.end_ids);
        made.map_err(|error| format!("answers of this model cannot be held to a form: {error}"))
    });
    made.clone()
}
