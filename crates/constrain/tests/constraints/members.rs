//! Random small schemas whose members speak of one value: whatever the masks let through is valid by the `jsonschema` crate and can be ended, and what is valid is let through.

use constrain::{Constraint, Grammar};
use serde_json::{Map, Value, json};

use crate::vocabularies::{Random, SPECIAL, allowed, tokenizer, vocabulary_of};

const SCHEMAS: u64 = 250;
const WALKS: usize = 3;
const TOKENS_MAX: usize = 300;
const NAMES: [&str; 4] = ["a", "b", "ab", "x"];
const PATTERNS: [&str; 6] = ["^[ab]$", "^a", "^(a|ab)$", "^.$", "b$", "^x?$"];

struct Schemas(Random);

impl Schemas {
    fn some(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        match self.0.below(3) {
            0 => self.numbers(&mut schema),
            1 => self.objects(&mut schema, depth),
            _ => drop(schema.insert("type".into(), json!(["integer", "string"]))),
        }
        let members = |schemas: &mut Self| (0..2).map(|_| schemas.some(depth - 1)).collect::<Value>();
        match self.0.below(5) {
            0 if depth > 0 => drop(schema.insert("allOf".into(), members(self))),
            1 if depth > 0 => drop(schema.insert("anyOf".into(), members(self))),
            2 if depth > 0 => drop(schema.insert("$ref".into(), "#/$defs/other".into())),
            _ => {}
        }
        Value::Object(schema)
    }

    fn numbers(&mut self, schema: &mut Map<String, Value>) {
        if self.0.chance(70) {
            schema.insert("type".into(), self.0.choose(&[json!("number"), json!("integer")]).clone());
        }
        for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if self.0.chance(25) {
                schema.insert(name.into(), json!((self.0.below(160) as f64 - 80.0) / 40.0));
            }
        }
        if self.0.chance(60) {
            schema.insert("multipleOf".into(), json!(*self.0.choose(&[0.1, 0.25, 0.5, 0.01, 0.05, 1.5, 0.7, 2.0])));
        }
    }

    fn objects(&mut self, schema: &mut Map<String, Value>, depth: usize) {
        schema.insert("type".into(), "object".into());
        let depth = depth.saturating_sub(1);
        let name = |random: &mut Random| (*random.choose(&NAMES)).to_owned();
        if self.0.chance(50) {
            let properties: Map<_, _> = (0..2).map(|_| (name(&mut self.0), self.some(depth))).collect();
            schema.insert("properties".into(), properties.into());
        }
        if self.0.chance(60) {
            let first = self.0.below(NAMES.len() - 1);
            schema.insert("required".into(), json!(NAMES[first..first + 1 + self.0.below(2)]));
        }
        let pattern = (*self.0.choose(&PATTERNS)).to_owned();
        match self.0.below(4) {
            0 => drop(schema.insert("patternProperties".into(), json!({pattern: self.some(depth)}))),
            1 => drop(schema.insert("propertyNames".into(), json!({"pattern": pattern}))),
            2 => drop(schema.insert("propertyNames".into(), json!({"enum": [name(&mut self.0), name(&mut self.0)]}))),
            _ => {}
        }
        if self.0.chance(60) {
            schema.insert("additionalProperties".into(), Value::Bool(false));
        }
        if self.0.chance(15) {
            schema.insert("minProperties".into(), json!(self.0.below(3)));
        }
    }

    /// A value that one of them may let through.
    fn value(&mut self, depth: usize) -> Value {
        let members = if depth == 0 { 0 } else { self.0.below(4) };
        match self.0.below(6) {
            0 => json!(self.0.below(21) as i64 - 10),
            1 => match self.0.below(201) as i64 - 100 {
                // With a fraction of zero it is spelled otherwise.
                whole if whole % 50 == 0 => json!(whole / 50),
                fiftieths => json!(fiftieths as f64 / 50.0),
            },
            2 => json!(*self.0.choose(&NAMES)),
            _ => {
                let member = |_| ((*self.0.choose(&NAMES)).to_owned(), self.value(depth.saturating_sub(1)));
                Value::Object((0..members).map(member).collect())
            }
        }
    }
}

/// An object's properties in any order, of which a schema has one.
fn spellings(value: &Value) -> Vec<String> {
    let Value::Object(members) = value else { return vec![value.to_string()] };
    let mut orders: Vec<Vec<String>> = vec![Vec::new()];
    for (name, value) in members {
        let spelled = spellings(value);
        let placed = |order: &Vec<String>| {
            let places = (0..=order.len()).flat_map(|at| spelled.iter().map(move |value| (at, value)));
            let put = |(at, value): (usize, &String)| {
                let mut order = order.clone();
                order.insert(at, format!("{}:{value}", json!(name)));
                order
            };
            places.map(put).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(placed).collect();
    }
    orders.into_iter().map(|order| format!("{{{}}}", order.join(","))).collect()
}

#[test]
fn members_that_speak_of_one_value() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let (mut compiled, mut taken, mut ended) = (0, 0, 0);
    for seed in 0..SCHEMAS {
        let mut schemas = Schemas(Random(seed.wrapping_mul(0x5851_F42D_4C95_7F2D)));
        let mut schema = schemas.some(2);
        schema["$defs"] = json!({"other": schemas.some(0)});
        let judge = jsonschema::validator_for(&schema).unwrap();
        let Ok(beginning) = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())) else { continue };
        compiled += 1;
        for _ in 0..60 {
            let value = schemas.value(2);
            let is_valid = judge.is_valid(&value);
            let is_taken = spellings(&value).into_iter().any(|text| beginning.clone().allows_whole(&text));
            assert_eq!(is_taken, is_valid, "seed {seed}: {value} by {schema}");
            taken += usize::from(is_taken);
        }
        for _ in 0..WALKS {
            let (mut place, mut text) = (beginning.clone(), Vec::new());
            for _ in 0..TOKENS_MAX {
                let mask = place.mask().unwrap_or_else(|error| {
                    panic!("seed {seed}: {error} behind {} by {schema}", String::from_utf8_lossy(&text))
                });
                let ids = allowed(mask);
                let closing = ids.iter().position(|id| *id == u32::from(b'"') || *id == u32::from(b'}'));
                let id = match closing.filter(|_| schemas.0.chance(50)) {
                    Some(position) => ids[position],
                    None => *schemas.0.choose(&ids),
                };
                place.accept(id).unwrap();
                if vocabulary.end_ids().contains(&id) {
                    match serde_json::from_slice(&text) {
                        Ok(value) => assert!(judge.is_valid(&value), "seed {seed}: {value} by {schema}"),
                        Err(error) => assert!(error.to_string().starts_with("number out of range"), "{error}"),
                    }
                    ended += 1;
                    break;
                }
                text.extend(tokenizer.token_bytes(id).unwrap().unwrap());
            }
        }
    }
    println!("{compiled} compiled, {taken} taken, {ended} ended");
    assert!(compiled > 100 && taken > 1_000 && ended > 100, "{compiled} compiled, {taken} taken, {ended} ended");
}
