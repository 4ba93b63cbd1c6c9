//! Lamini's `output_type`.

use serde_json::{Map, Value, json};

/// Properties with their types, in order: `{"answer": "str", "score": "int", "sure": "bool", "colour": ["red", "blue"]}`.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputType(Vec<(String, Property)>);

#[derive(Clone, Debug, PartialEq)]
enum Property {
    Str,
    Int,
    Float,
    Bool,
    OneOf(Vec<String>),
}

/// Why an `output_type` is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputTypeError {
    /// It names no property.
    #[error("output_type has to be an object with at least one property")]
    Empty,
    /// A property's type is unknown.
    #[error("output_type says that `{name}` is {found}; the types are str, int, float, bool, and an array of strings")]
    Type {
        /// The property.
        name: String,
        /// What stands there.
        found: String,
    },
}

impl OutputType {
    /// Reads it.
    ///
    /// # Errors
    /// It is not an object with properties, or has a type that does not exist.
    pub fn new(value: &Value) -> Result<OutputType, OutputTypeError> {
        let properties = value.as_object().filter(|properties| !properties.is_empty()).ok_or(OutputTypeError::Empty)?;
        let read = |(name, found): (&String, &Value)| {
            let unknown = || OutputTypeError::Type { name: name.clone(), found: found.to_string() };
            Ok((name.clone(), Property::new(found).ok_or_else(unknown)?))
        };
        properties.iter().map(read).collect::<Result<_, _>>().map(OutputType)
    }

    /// The same as a JSON schema: all properties, in order, and no others.
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> = self.0.iter().map(|(name, kind)| (name.clone(), kind.schema())).collect();
        let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
    }
}

impl Property {
    fn new(value: &Value) -> Option<Property> {
        match value {
            Value::String(name) => match name.as_str() {
                "str" | "string" => Some(Property::Str),
                "int" => Some(Property::Int),
                "float" => Some(Property::Float),
                "bool" => Some(Property::Bool),
                _ => None,
            },
            Value::Array(values) if !values.is_empty() => {
                let values = values.iter().map(|value| value.as_str().map(str::to_owned));
                values.collect::<Option<_>>().map(Property::OneOf)
            }
            _ => None,
        }
    }

    fn schema(&self) -> Value {
        match self {
            Property::Str => json!({"type": "string"}),
            Property::Int => json!({"type": "integer"}),
            Property::Float => json!({"type": "number"}),
            Property::Bool => json!({"type": "boolean"}),
            Property::OneOf(values) => json!({"enum": values}),
        }
    }
}
