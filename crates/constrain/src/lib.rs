//! Output that is held to a form: which tokens may come next.

use serde_json::Value;

/// A form that output is held to.
#[derive(Clone, Debug, PartialEq)]
pub enum Grammar {
    /// Any JSON object.
    JsonObject,
    /// JSON that is valid by a schema.
    JsonSchema(Value),
    /// Text that a regular expression matches as a whole.
    Regex(String),
    /// One of some texts.
    Choice(Vec<String>),
    /// What a grammar in Lark's notation derives from `start`.
    Lark(String),
}

/// Why a grammar is refused.
#[derive(Debug, thiserror::Error)]
pub enum GrammarError {}

/// Where a text stands that is held to a grammar.
#[derive(Debug)]
pub struct Constraint {}
