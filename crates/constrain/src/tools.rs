//! Calls of tools: grammars that hold a model to them, and the reading of calls while they are written.

mod hermes;
mod llama;
mod mistral;
mod parser;
mod scan;

use serde::Serialize;
use serde_json::{Value, json};

use crate::grammar::{GrammarError, lower_schema, quote};
use crate::schema::{Narrowing, Work};
use crate::vocabulary::Vocabulary;

pub use parser::{ToolDelta, ToolEnd, ToolParser};

/// Tools of one request.
const TOOLS_MAX: usize = 256;
/// Characters of a tool's name, as in OpenAI's API.
const NAME_MAX: usize = 64;

/// JSON's white space, all that a reader of calls passes over: a grammar's text excludes what looks like a call behind no other.
const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// How a family of models writes calls. It follows from the chat template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ToolFormat {
    /// Hermes and Qwen: `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>`.
    Hermes,
    /// Llama 3: `{"name": …, "parameters": …}` in place of text, or behind `<|python_tag|>`.
    Llama,
    /// Mistral: `[TOOL_CALLS] [{"name": …, "arguments": …}, …]`.
    MistralList,
    /// Mistral's newer tokenizers: `[TOOL_CALLS]name[ARGS]{…}`.
    MistralArgs,
    /// Some of them: `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}`.
    MistralIdArgs,
}

/// A function that the model may call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tool {
    /// Its name: letters, digits, `_`, `-` and `.`, up to 64.
    pub name: String,
    /// The JSON schema of its arguments, an object; `None`: any object.
    pub parameters: Option<Value>,
}

/// Whether tools are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum ToolChoice {
    /// The model writes text, calls, or text and then calls. What begins as a call is held to the tools and their schemas.
    Auto,
    /// At least one tool is called, and nothing else is written.
    Required,
    /// This tool is called, once.
    Function(String),
}

/// What calls are allowed. Arguments are always held to the schemas, so `strict` of OpenAI's API changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tools {
    /// How calls are written.
    pub format: ToolFormat,
    /// What may be called.
    pub tools: Vec<Tool>,
    /// Whether it is.
    pub choice: ToolChoice,
    /// Whether several calls may come one after the other.
    pub parallel: bool,
}

/// A format as the grammar is put together from it, in Lark's notation.
struct Syntax {
    /// What a call, or a list of calls, begins with.
    marker: &'static str,
    /// Other special tokens that calls contain, by the names of their terminals.
    terminals: &'static [(&'static str, &'static str)],
    /// What follows the marker, with one call and with several; `call` is the rule of a call.
    one: &'static str,
    many: &'static str,
    /// Before and behind the arguments, with `NAME` for the tool's name.
    before: &'static str,
    behind: &'static str,
    /// A regular expression of texts that are read as a call without the marker, and are no text therefore.
    bare: Option<&'static str>,
}

impl ToolFormat {
    /// The format of the models that a chat template is for, from the template's source; `None` where it has none of those that are known.
    pub fn of_template(source: &str) -> Option<ToolFormat> {
        let has = |text: &str| source.contains(text);
        if has("[TOOL_CALLS]") {
            return match (has("[CALL_ID]"), has("[ARGS]")) {
                (false, false) => Some(ToolFormat::MistralList),
                (false, true) => Some(ToolFormat::MistralArgs),
                (true, true) => Some(ToolFormat::MistralIdArgs),
                (true, false) => None,
            };
        }
        // Others put a language of their own between the same marks.
        if has("<tool_call>") && !has("<function=") && !has("<arg_key>") {
            return Some(ToolFormat::Hermes);
        }
        let llama = has("<|python_tag|>") || has("<|start_header_id|>") && has(r#""parameters""#);
        llama.then_some(ToolFormat::Llama)
    }

    fn syntax(self) -> &'static Syntax {
        match self {
            ToolFormat::Hermes => &hermes::SYNTAX,
            ToolFormat::Llama => &llama::SYNTAX,
            ToolFormat::MistralList => &mistral::LIST,
            ToolFormat::MistralArgs => &mistral::ARGS,
            ToolFormat::MistralIdArgs => &mistral::ID_ARGS,
        }
    }
}

impl Tools {
    /// The grammar in Lark's notation.
    pub(crate) fn lark(&self, vocabulary: &Vocabulary) -> Result<String, GrammarError> {
        let tools = self.chosen()?;
        let syntax = self.format.syntax();
        let several = self.parallel && !matches!(self.choice, ToolChoice::Function(_));
        let calls = if several { syntax.many } else { syntax.one };
        let marker = terminal(syntax.marker, vocabulary);
        let mut lark = String::new();
        let mut rule = |name: &str, body: &str| lark.push_str(&format!("{name}: {body}\n"));
        rule("start", &start(syntax, &self.choice, vocabulary, calls));
        rule("marker", &marker);
        for (name, text) in syntax.terminals {
            rule(name, &terminal(text, vocabulary));
        }
        let names: Vec<String> = (0..tools.len()).map(|number| format!("call_{number}")).collect();
        rule("call", &names.join(" | "));
        let mut work = Work::default();
        for (number, tool) in tools.iter().enumerate() {
            let before = syntax.before.replace("NAME", &tool.name);
            rule(&format!("call_{number}"), &format!("{before} arguments_{number} {}", syntax.behind));
            rule(&format!("arguments_{number}"), &format!("%json {}", tool.schema(&mut work)?));
        }
        Ok(lark)
    }

    /// The tools that may be called.
    fn chosen(&self) -> Result<Vec<&Tool>, GrammarError> {
        let refuse = |reason: String| Err(GrammarError::Tools(reason));
        if self.tools.is_empty() || self.tools.len() > TOOLS_MAX {
            return refuse(format!("{} tools are given; 1 to {TOOLS_MAX} can be", self.tools.len()));
        }
        for (number, tool) in self.tools.iter().enumerate() {
            let allowed = |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
            if tool.name.is_empty() || tool.name.len() > NAME_MAX || !tool.name.chars().all(allowed) {
                let name = &tool.name;
                return refuse(format!(
                    "a tool is called {name:?}: a name is 1 to {NAME_MAX} letters, digits, `_`, `-` and `.`"
                ));
            }
            if self.tools[..number].iter().any(|other| other.name == tool.name) {
                return refuse(format!("two tools are called `{}`", tool.name));
            }
        }
        match &self.choice {
            ToolChoice::Auto | ToolChoice::Required => Ok(self.tools.iter().collect()),
            ToolChoice::Function(name) => match self.tools.iter().find(|tool| tool.name == *name) {
                Some(tool) => Ok(vec![tool]),
                None => refuse(format!("tool_choice names `{name}`, which is not among the tools")),
            },
        }
    }
}

impl Tool {
    /// Arguments are an object, whether or not the schema says so.
    fn schema(&self, work: &mut Work) -> Result<Value, GrammarError> {
        let what = format!("the parameters of the tool `{}`", self.name);
        let mut schema = self.parameters.clone().unwrap_or_else(|| json!({}));
        let Some(keywords) = schema.as_object_mut() else {
            return Err(GrammarError::Schema {
                what,
                at: String::new(),
                reason: "a schema is an object here".to_owned(),
            });
        };
        match keywords.get("type") {
            None => drop(keywords.shift_insert(0, "type".to_owned(), "object".into())),
            Some(kind) if kind == "object" => {}
            Some(kind) => {
                let reason = format!("`type` has to be \"object\", and is {kind}");
                return Err(GrammarError::Schema { what, at: String::new(), reason });
            }
        }
        lower_schema(&what, &schema, Narrowing::default(), work)
    }
}

/// A mark as the tokenizer has it: the special token, or its letters.
fn terminal(mark: &str, vocabulary: &Vocabulary) -> String {
    vocabulary.special_id(mark).map_or_else(|| quote(mark), |id| format!("<[{id}]>"))
}

/// What a text consists of. Free text ends where a call begins: at a special token, which text cannot contain, or at the first place where the
/// mark's letters stand. Only text without them may end the answer.
fn start(syntax: &Syntax, choice: &ToolChoice, vocabulary: &Vocabulary, calls: &str) -> String {
    let is_special = vocabulary.special_id(syntax.marker).is_some();
    if *choice != ToolChoice::Auto {
        return match syntax.bare {
            Some(_) if is_special => format!("marker? {calls}"),
            Some(_) => calls.to_owned(),
            None => format!("marker {calls}"),
        };
    }
    let mark = regex_quote(syntax.marker);
    let bare = syntax.bare.map(|bare| format!(" & ~/{bare}(?s:.*)/")).unwrap_or_default();
    let or_bare = if bare.is_empty() { String::new() } else { format!(" | {calls}") };
    let text = format!("TEXT: /(?s:.*)/ & ~/(?s:.*){mark}(?s:.*)/{bare}");
    if is_special {
        format!("TEXT | TEXT marker {calls}{or_bare}\n{text}")
    } else {
        format!("TEXT | before {calls}{or_bare}\nbefore[lazy]: BEFORE\nBEFORE: /(?s:.*){mark}/{bare}\n{text}")
    }
}

/// A mark as a regular expression between slashes.
fn regex_quote(mark: &str) -> String {
    let operator = |character: char| "\\/.*+?()[]{}|^$".contains(character);
    mark.chars().flat_map(|character| operator(character).then_some('\\').into_iter().chain([character])).collect()
}
