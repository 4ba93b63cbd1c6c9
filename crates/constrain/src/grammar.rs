//! Forms that output is held to, as the library is given them.

use llguidance::api::TopLevelGrammar;
use llguidance::derivre::RegexBuilder;
use llguidance::regex_to_lark;
use regex_syntax::ast;
use serde::Serialize;
use serde_json::{Value, json};

use crate::advice::{advised, advised_behind, shortened_place, shown};
use crate::brackets::as_ecma;
use crate::expression::traits;
use crate::lark;
use crate::repetitions::{self, Ahead};
use crate::schema::{self, Narrowing, Work};
use crate::tools::{Tool, Tools};
use crate::vocabulary::Vocabulary;

/// Bytes of a grammar's text.
pub(crate) const TEXT_BYTES_MAX: usize = 1 << 20;
/// Texts of a choice.
const CHOICES_MAX: usize = 10_000;
/// Bounds what is spent on finding whether a regular expression matches anything.
const FUEL: u64 = 500_000;

/// A form that output is held to. Two that are written alike are the same: [`PartialEq`] takes no notice of the order of properties, by which they are told apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Grammar {
    /// Any JSON object.
    JsonObject,
    /// JSON that is valid by a schema of draft 2020-12, or of an older one as far as they agree.
    ///
    /// Of the spellings that JSON has for the same value these are written: properties in the schema's order, and additional ones behind
    /// them; whole numbers without a fraction, bounded ones without exponent, fractions without zeros at their ends; of a string's escapes
    /// the short ones (`\n`, not `\u000a`), and so no control characters that have none; between marks nothing, a space, or a new line with its
    /// indentation. Some formats are narrower than their standards (no leap seconds), and bounds that exclude do so by 1e-9. A number's
    /// length and exponent have no limit, as in JSON.
    JsonSchema(Value),
    /// The same, narrowed.
    NarrowJson(Value, Narrowing),
    /// Text that a regular expression matches as a whole.
    Regex(String),
    /// One of some texts.
    Choice(Vec<String>),
    /// What a grammar in Lark's notation derives from `start`.
    Lark(String),
    /// Calls of tools, with or without text before them.
    Tools(Tools),
}

impl Grammar {
    /// Bytes of the text that it is made of, which say what compiling it and holding texts to it may take.
    pub fn bytes(&self) -> usize {
        let json = |value: &Value| Counted::of(value);
        match self {
            Grammar::JsonObject => 0,
            Grammar::JsonSchema(schema) | Grammar::NarrowJson(schema, _) => json(schema),
            Grammar::Regex(text) | Grammar::Lark(text) => text.len(),
            Grammar::Choice(choices) => choices.iter().map(String::len).sum(),
            Grammar::Tools(tools) => {
                let one = |tool: &Tool| tool.name.len() + tool.parameters.as_ref().map_or(0, json);
                tools.tools.iter().map(one).sum()
            }
        }
    }

    /// How many counts its expressions keep at a time together, as one of `([a-z]{1,30} ?){1,49}` keeps 1,470: what computing a mask may take of time goes with them. Nothing is
    /// compiled for that, and what is not told in some milliseconds, or is more than one expression may have, is as many as that.
    pub fn counts(&self) -> u64 {
        let mut ahead = Ahead::default();
        match self {
            Grammar::JsonObject | Grammar::Choice(_) => {}
            Grammar::JsonSchema(schema) | Grammar::NarrowJson(schema, _) => schema::add_counts(schema, &mut ahead),
            // They are refused.
            Grammar::Regex(text) | Grammar::Lark(text) if text.len() > TEXT_BYTES_MAX => {}
            Grammar::Regex(pattern) => {
                let read = readable(pattern).map(|pattern| regex_to_lark(&pattern, "dw"));
                read.iter().for_each(|read| ahead.add(read, false));
            }
            Grammar::Lark(text) => lark::add_counts(text, &mut ahead),
            Grammar::Tools(tools) => {
                let schemas = tools.tools.iter().filter_map(|tool| tool.parameters.as_ref());
                schemas.for_each(|schema| schema::add_counts(schema, &mut ahead));
            }
        }
        ahead.counts(schema::SEVERAL_WEIGHT)
    }
}

/// What an expression becomes where it cannot be read as it stands, if it does then.
fn readable(pattern: &str) -> Option<String> {
    match ast::parse::Parser::new().parse(pattern) {
        Ok(_) => Some(pattern.to_owned()),
        Err(_) => as_ecma(pattern),
    }
}

/// Counts what is written, and keeps none of it.
struct Counted(usize);

impl Counted {
    /// Bytes of a value as it is written.
    fn of(value: &Value) -> usize {
        let mut counted = Counted(0);
        // Texts and numbers are JSON, and counting does not fail.
        let _ = serde_json::to_writer(&mut counted, value);
        counted.0
    }
}

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why a grammar is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// A schema has what is not supported, or what cannot be.
    #[error("{what}{}: {reason}", if .at.is_empty() { String::new() } else { format!(", at `{}`", shortened_place(at)) })]
    Schema {
        /// Whose schema it is.
        what: String,
        /// A JSON pointer to the place; empty at the top.
        at: String,
        /// What is wrong.
        reason: String,
    },
    /// A regular expression cannot be used.
    #[error("the regular expression `{}` {reason}", shown(pattern))]
    Regex {
        /// The expression.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// A choice cannot be made.
    #[error("the choice {0}")]
    Choice(String),
    /// A grammar cannot be read.
    #[error("the grammar cannot be used: {0}")]
    Lark(String),
    /// Tools cannot be called.
    #[error("{0}")]
    Tools(String),
    /// Nothing is of that form.
    #[error("no text at all is of the form that {what} asks for")]
    Impossible {
        /// What asks for it.
        what: &'static str,
    },
    /// The library fails.
    #[error("the form cannot be compiled: {0}")]
    Library(String),
}

impl Grammar {
    /// What a user calls it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Grammar::JsonObject => "the JSON object",
            Grammar::JsonSchema(_) | Grammar::NarrowJson(..) => "the JSON schema",
            Grammar::Regex(_) => "the regular expression",
            Grammar::Choice(_) => "the choice",
            Grammar::Lark(_) => "the grammar",
            Grammar::Tools(_) => "the tools",
        }
    }

    /// The grammar in the library's terms, with everything refused that the library would pass over.
    pub(crate) fn lower(&self, vocabulary: &Vocabulary) -> Result<TopLevelGrammar, GrammarError> {
        match self {
            Grammar::JsonObject => self.lower_json(&json!({"type": "object"}), Narrowing::default()),
            Grammar::JsonSchema(schema) => self.lower_json(schema, Narrowing::default()),
            Grammar::NarrowJson(schema, narrowing) => self.lower_json(schema, *narrowing),
            Grammar::Regex(pattern) => lower_regex(pattern),
            Grammar::Choice(choices) => lower_choice(choices),
            Grammar::Lark(text) => lark::lower(text).map_err(GrammarError::Lark),
            Grammar::Tools(tools) => tools.lark(vocabulary).map(TopLevelGrammar::from_lark),
        }
    }

    fn lower_json(&self, schema: &Value, narrowing: Narrowing) -> Result<TopLevelGrammar, GrammarError> {
        let schema = lower_schema(self.name(), schema, narrowing, &mut Work::default())?;
        Ok(TopLevelGrammar::from_json_schema(schema))
    }
}

impl GrammarError {
    /// What the library says of a grammar that it refuses.
    pub(crate) fn refused(grammar: &Grammar, error: &dyn ToString) -> GrammarError {
        let text = error.to_string();
        let reason = advised(text.lines().next().unwrap_or_default());
        match grammar {
            Grammar::JsonObject | Grammar::JsonSchema(_) | Grammar::NarrowJson(..) => {
                let reason = if reason.starts_with("oneOf constraints") {
                    "`oneOf` is supported where its branches are seen to exclude each other, by their types or by constants; write `anyOf`".to_owned()
                } else {
                    reason
                };
                GrammarError::Schema { what: grammar.name().to_owned(), at: String::new(), reason }
            }
            Grammar::Regex(pattern) => {
                GrammarError::Regex { pattern: pattern.clone(), reason: format!("cannot be used: {reason}") }
            }
            Grammar::Choice(_) => GrammarError::Choice(format!("cannot be used: {reason}")),
            // Where the grammar is wrong stands on the lines that follow. Who comes from llama.cpp writes in its notation.
            Grammar::Lark(lark) if lark.contains("::=") => GrammarError::Lark(format!(
                "it should be in Lark's syntax as llguidance has it, which is not GBNF: {text}"
            )),
            Grammar::Lark(_) => GrammarError::Lark(advised_behind(&text)),
            Grammar::Tools(_) => GrammarError::Tools(format!("the tools cannot be called: {reason}")),
        }
    }
}

impl GrammarError {
    /// A text of the form could be begun that cannot be ended.
    pub(crate) fn leading_nowhere(grammar: &Grammar) -> GrammarError {
        let of_schemas = "an answer could begin what cannot be ended: somewhere no name of a property is left beside those that are named, as where `required` has all that `patternProperties` or `propertyNames` let through, or no value fits all that is said of it; name such properties in `properties` beside `\"additionalProperties\": false`, and say in one schema what is said of one value";
        match grammar {
            Grammar::JsonObject | Grammar::JsonSchema(_) | Grammar::NarrowJson(..) => GrammarError::Schema {
                what: grammar.name().to_owned(),
                at: String::new(),
                reason: of_schemas.to_owned(),
            },
            Grammar::Tools(_) => GrammarError::Tools(format!("the tools cannot be called: {of_schemas}")),
            Grammar::Regex(_) | Grammar::Choice(_) | Grammar::Lark(_) => GrammarError::Lark(
                "a text could be begun that cannot be ended: something stands in front of a terminal that matches nothing, as one that is put together with `&` and `~` may; leave that rule out".to_owned(),
            ),
        }
    }
}

/// A schema in its normal form; `work` is what compiling takes, all of one form's.
pub(crate) fn lower_schema(
    what: &str,
    schema: &Value,
    narrowing: Narrowing,
    work: &mut Work,
) -> Result<Value, GrammarError> {
    let refused = |refusal: schema::Refusal| GrammarError::Schema {
        what: what.to_owned(),
        at: refusal.at,
        reason: refusal.reason,
    };
    schema::normalise(schema, narrowing, work).map_err(refused)
}

fn lower_regex(pattern: &str) -> Result<TopLevelGrammar, GrammarError> {
    let refuse = |reason: String| GrammarError::Regex { pattern: pattern.to_owned(), reason };
    if pattern.len() > TEXT_BYTES_MAX {
        return Err(refuse(format!("is longer than {TEXT_BYTES_MAX} bytes")));
    }
    let unread = |text: String| {
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        refuse(format!("cannot be used: {}", advised(last)))
    };
    // As it stands, since what it becomes could be read where it could not.
    let pattern = match regex_syntax::parse(pattern) {
        Ok(_) => pattern.to_owned(),
        Err(error) => {
            let pattern = as_ecma(pattern).ok_or_else(|| unread(error.to_string()))?;
            regex_syntax::parse(&pattern).map_err(|error| unread(error.to_string()))?;
            pattern
        }
    };
    let traits = traits(&pattern);
    if traits.has_stop_group {
        return Err(refuse("has a group named `stop`, which is not supported: name it otherwise".to_owned()));
    }
    if traits.ignores_space && pattern.contains(['\n', '\r', '\t']) {
        return Err(refuse(
            "has a tab or more than one line, and the flag `x`: write it on one line, with spaces".to_owned(),
        ));
    }
    // Digits and letters of words are ASCII's, as they are to the library in a schema's `pattern`.
    let read = regex_to_lark(&pattern, "dw");
    let mut builder = RegexBuilder::new();
    let expression = builder.mk_regex(&read).map_err(|error| unread(error.to_string()))?;
    if let Err(rule) = repetitions::check(&read, &pattern, false) {
        return Err(refuse(rule));
    }
    match builder.to_regex_limited(expression, FUEL).map(|mut regex| regex.always_empty()) {
        Ok(false) => Ok(TopLevelGrammar::from_regex(&read)),
        Ok(true) => Err(refuse("matches nothing".to_owned())),
        Err(_) => Err(refuse("is too complex".to_owned())),
    }
}

fn lower_choice(choices: &[String]) -> Result<TopLevelGrammar, GrammarError> {
    if choices.is_empty() {
        return Err(GrammarError::Choice("has no texts to choose from".to_owned()));
    }
    if choices.len() > CHOICES_MAX || choices.iter().map(String::len).sum::<usize>() > TEXT_BYTES_MAX {
        return Err(GrammarError::Choice(format!("has more than {CHOICES_MAX} texts, or {TEXT_BYTES_MAX} bytes")));
    }
    let quoted: Vec<String> = choices.iter().map(|choice| quote(choice)).collect();
    Ok(TopLevelGrammar::from_lark(format!("start: CHOICE\nCHOICE: {}\n", quoted.join(" | "))))
}

/// A text as a string of Lark's notation.
pub(crate) fn quote(text: &str) -> String {
    // JSON has it as it is, and Lark's notation has not.
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
