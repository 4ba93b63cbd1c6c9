//! What becomes of each keyword of JSON Schema.

use serde_json::Value as Json;

use super::bounds::referred;

/// How a keyword is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    /// Says nothing of which values are valid.
    Annotation,
    /// Definitions, which are read where something refers to them.
    Definitions,
    /// Names the schema; one within another would change what references mean.
    Identifier,
    Type,
    /// `enum`
    Values,
    /// `const`
    Value,
    /// One schema.
    Schema,
    /// A schema for each name.
    Schemas,
    /// A schema for each pattern.
    PatternSchemas,
    /// `items`: one schema, or one for each place.
    Items,
    /// One schema for each place.
    SchemaList,
    /// `allOf`, `anyOf`, `oneOf`: schemas for the value itself.
    Branches,
    Reference,
    Required,
    Count,
    Bound,
    MultipleOf,
    Pattern,
    Format,
    UniqueItems,
    /// One schema, of names.
    PropertyNames,
    /// Known to the specification, and not supported.
    Unsupported,
}

use Keyword::{
    Annotation, Bound, Branches, Count, Definitions, Format, Identifier, Items, MultipleOf, Pattern, PatternSchemas,
    PropertyNames, Reference, Required, Schema, SchemaList, Schemas, Type, UniqueItems, Unsupported, Value, Values,
};

const KEYWORDS: &[(&str, Keyword)] = &[
    ("type", Type),
    ("enum", Values),
    ("const", Value),
    ("properties", Schemas),
    ("patternProperties", PatternSchemas),
    ("additionalProperties", Schema),
    ("propertyNames", PropertyNames),
    ("required", Required),
    ("minProperties", Count),
    ("maxProperties", Count),
    ("items", Items),
    ("prefixItems", SchemaList),
    ("additionalItems", Schema),
    ("minItems", Count),
    ("maxItems", Count),
    ("uniqueItems", UniqueItems),
    ("minLength", Count),
    ("maxLength", Count),
    ("pattern", Pattern),
    ("format", Format),
    ("minimum", Bound),
    ("maximum", Bound),
    ("exclusiveMinimum", Bound),
    ("exclusiveMaximum", Bound),
    ("multipleOf", MultipleOf),
    ("allOf", Branches),
    ("anyOf", Branches),
    ("oneOf", Branches),
    ("$ref", Reference),
    ("$defs", Definitions),
    ("definitions", Definitions),
    ("$id", Identifier),
    ("id", Identifier),
    ("$schema", Annotation),
    ("$anchor", Annotation),
    ("$comment", Annotation),
    ("$vocabulary", Annotation),
    ("title", Annotation),
    ("description", Annotation),
    ("default", Annotation),
    ("example", Annotation),
    ("examples", Annotation),
    ("deprecated", Annotation),
    ("readOnly", Annotation),
    ("writeOnly", Annotation),
    ("contentMediaType", Annotation),
    ("contentEncoding", Annotation),
    ("contentSchema", Annotation),
    // OpenAPI's: it says which property tells the branches apart, which the branches say as well.
    ("discriminator", Annotation),
    ("not", Unsupported),
    ("if", Unsupported),
    ("then", Unsupported),
    ("else", Unsupported),
    ("contains", Unsupported),
    ("minContains", Unsupported),
    ("maxContains", Unsupported),
    ("dependencies", Unsupported),
    ("dependentRequired", Unsupported),
    ("dependentSchemas", Unsupported),
    ("unevaluatedItems", Unsupported),
    ("unevaluatedProperties", Unsupported),
    ("$dynamicRef", Unsupported),
    ("$dynamicAnchor", Unsupported),
    ("$recursiveRef", Unsupported),
    ("$recursiveAnchor", Unsupported),
    ("nullable", Unsupported),
];

/// The types that values have.
pub(super) const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

impl Keyword {
    /// How a keyword of the specification is read.
    pub(super) fn known(name: &str) -> Option<Keyword> {
        KEYWORDS.iter().find(|(known, _)| *known == name).map(|(_, keyword)| *keyword)
    }

    /// How a keyword is read.
    ///
    /// # Errors
    /// It is unknown, or not supported. `x-…` is for other tools' notes.
    pub(super) fn of(name: &str) -> Result<Keyword, String> {
        if name.starts_with("x-") {
            return Ok(Annotation);
        }
        match Keyword::known(name) {
            Some(Unsupported) => Err(format!("the keyword `{name}` is not supported")),
            Some(keyword) => Ok(keyword),
            None => {
                let names = KEYWORDS.iter().filter(|(_, keyword)| *keyword != Unsupported).map(|(known, _)| *known);
                Err(format!("the keyword `{name}` is unknown{}", nearest(name, names)))
            }
        }
    }
}

/// Keywords of a schema that is looked through: it may be of any size, and many may refer to it.
const LOOKED_THROUGH_MAX: usize = 64;

/// What a schema says, but for annotations, or what the one says that is all it refers to. `None` where it is no object, or a large one.
pub(super) fn said<'a>(schema: &'a Json, root: &'a Json) -> Option<Vec<(&'a str, &'a Json)>> {
    let said = |schema: &'a Json| -> Option<Vec<(&'a str, &'a Json)>> {
        let is_said = |name: &str| !matches!(Keyword::of(name), Ok(Annotation | Definitions));
        let keywords = schema.as_object().filter(|keywords| keywords.len() <= LOOKED_THROUGH_MAX)?;
        let keywords = keywords.iter().map(|(name, value)| (name.as_str(), value));
        Some(keywords.filter(|(name, _)| is_said(name)).collect())
    };
    let keywords = said(schema)?;
    match keywords.as_slice() {
        [("$ref", Json::String(reference))] => said(referred(root, reference)?),
        _ => Some(keywords),
    }
}

/// Whether JSON Schema has a type of the name.
pub fn is_schema_type(name: &str) -> bool {
    TYPES.contains(&name)
}

/// Refuses what is not a type.
pub(super) fn check_type(name: &str) -> Result<(), String> {
    if is_schema_type(name) {
        return Ok(());
    }
    Err(format!("`{name}` is not a type; the types are {}", TYPES.join(", ")))
}

fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let lower = name.to_lowercase();
    let close = known.map(|known| (strsim::damerau_levenshtein(&lower, &known.to_lowercase()), known)).min();
    close
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, known)| format!("; did you mean `{known}`?"))
        .unwrap_or_default()
}
