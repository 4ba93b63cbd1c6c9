//! The form that an answer is held to.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// OpenAI's `response_format`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResponseFormat {
    /// Any text.
    Text {
        /// Nothing: some clients write what they leave out.
        #[serde(default)]
        json_schema: Option<()>,
    },
    /// Any JSON object.
    JsonObject {
        /// A schema that it is valid by, which is one of objects, whether it says so or not.
        #[serde(default)]
        schema: Option<Value>,
        /// Nothing: some clients write what they leave out.
        #[serde(default)]
        json_schema: Option<()>,
    },
    /// JSON that is valid by a schema.
    JsonSchema {
        /// The schema with its name.
        json_schema: JsonSchemaFormat,
    },
}

/// A schema with its name.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonSchemaFormat {
    /// Its name.
    pub name: String,
    /// What it is for; the model does not see it.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON schema; without one, any JSON object is valid.
    #[serde(default)]
    pub schema: Option<Value>,
    /// Answers always follow the schema, so that this changes nothing.
    #[serde(default)]
    pub strict: Option<bool>,
}

/// vLLM's `structured_outputs`: one of the keys.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructuredOutputs {
    /// A JSON schema, as an object or as its text.
    #[serde(default)]
    pub json: Option<Value>,
    /// A regular expression that the whole answer matches.
    #[serde(default)]
    pub regex: Option<String>,
    /// Texts, one of which is the answer.
    #[serde(default)]
    pub choice: Option<Vec<String>>,
    /// A grammar in Lark's notation.
    #[serde(default)]
    pub grammar: Option<String>,
    /// Any JSON object.
    #[serde(default)]
    pub json_object: Option<bool>,
    /// Whether JSON is written with nothing between its marks.
    #[serde(default)]
    pub disable_any_whitespace: Option<bool>,
    /// Whether objects have no properties but those that the schema names, unless it says what others are.
    #[serde(default)]
    pub disable_additional_properties: Option<bool>,
    /// Forms are always held to in the same way, so that this changes nothing.
    #[serde(default)]
    pub disable_fallback: Option<bool>,
}
