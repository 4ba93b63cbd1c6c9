//! Shapes as JSON schemas.

use serde_json::{Map, Value, json};

use super::{Property, Rest, Shape};

impl Shape {
    pub(super) fn schema(&self) -> Value {
        match self {
            Shape::Null => json!({"type": "null"}),
            Shape::Bool => json!({"type": "boolean"}),
            Shape::Integer { bounds, multiple } => {
                let mut keywords = Map::from_iter([("type".to_owned(), "integer".into())]);
                bounds.put(&mut keywords, Value::from);
                keywords.extend(multiple.map(|multiple| ("multipleOf".to_owned(), multiple.into())));
                Value::Object(keywords)
            }
            Shape::Number { bounds } => {
                let mut keywords = Map::from_iter([("type".to_owned(), "number".into())]);
                bounds.put(&mut keywords, |tenths| (tenths as f64 / 10.0).into());
                Value::Object(keywords)
            }
            Shape::Text { least, most: None } => json!({"type": "string", "minLength": least}),
            Shape::Text { least, most } => json!({"type": "string", "minLength": least, "maxLength": most}),
            Shape::Written { keyword, value, .. } => json!({"type": "string", *keyword: value}),
            Shape::Constants(values) if values.len() == 1 => json!({"const": values[0]}),
            Shape::Constants(values) => json!({"enum": values}),
            Shape::Array { items, least, most: None } => {
                json!({"type": "array", "items": items.schema(), "minItems": least})
            }
            Shape::Array { items, least, most } => {
                json!({"type": "array", "items": items.schema(), "minItems": least, "maxItems": most})
            }
            Shape::Tuple { places, rest } => {
                let rest = rest.as_ref().map_or(Value::Bool(false), |rest| rest.schema());
                let count = places.len();
                json!({"type": "array", "prefixItems": schemas(places), "items": rest, "minItems": count, "maxItems": count + 1})
            }
            Shape::Object { properties, rest } => {
                let mut schema = object(properties);
                let keywords = schema.as_object_mut().unwrap();
                match rest {
                    Rest::Open => {}
                    Rest::Closed => drop(keywords.insert("additionalProperties".into(), false.into())),
                    Rest::Of(shape) => drop(keywords.insert("additionalProperties".into(), shape.schema())),
                    Rest::Named(shape) => {
                        keywords.insert("patternProperties".into(), json!({"^x-[0-9]+$": shape.schema()}));
                        keywords.insert("additionalProperties".into(), false.into());
                    }
                }
                schema
            }
            Shape::AnyOf(shapes) => json!({"anyOf": schemas(shapes)}),
            Shape::OneOf(shapes) => json!({"oneOf": schemas(shapes)}),
            Shape::Tagged(branches) => {
                let branch = |(number, properties): (usize, &Vec<Property>)| {
                    let mut schema = object(properties);
                    let properties = schema["properties"].as_object_mut().unwrap();
                    properties.shift_insert(0, "kind".into(), json!({"const": format!("k{number}")}));
                    schema["required"].as_array_mut().unwrap().push("kind".into());
                    schema
                };
                json!({"oneOf": branches.iter().enumerate().map(branch).collect::<Vec<_>>()})
            }
            Shape::Both(first, second) => json!({"allOf": [object(first), object(second)]}),
            Shape::OrNull(shape) => json!({"anyOf": [{"type": "null"}, shape.schema()]}),
            Shape::Reference(name) => {
                json!({"$ref": format!("#/$defs/{}", name.replace('~', "~0").replace('/', "~1").replace('%', "%25").replace(' ', "%20"))})
            }
        }
    }
}

fn schemas(shapes: &[Shape]) -> Vec<Value> {
    shapes.iter().map(Shape::schema).collect()
}

fn object(properties: &[Property]) -> Value {
    let required: Vec<&str> =
        properties.iter().filter(|property| property.required).map(|property| property.name.as_str()).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|property| (property.name.clone(), property.shape.schema())).collect();
    json!({"type": "object", "properties": properties, "required": required})
}
