//! How long masks take, one after the other and side by side: `cargo bench -p constrain -- FOLDER`, with a folder that has the `tokenizer.json` of a model.
#![expect(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use constrain::{Constraint, Grammar, MaskThreads, Vocabulary};
use data::Tokenizer;
use serde_json::{Value, json};

const ROWS: usize = 64;

/// Forms with a text of each.
fn forms() -> Vec<(&'static str, Grammar, String)> {
    let text = "The quick brown fox jumps over the lazy dog, and was not seen again until winter.";
    let item = json!({"type": "object", "additionalProperties": false, "required": ["sku", "count", "price"], "properties": {
        "sku": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4,8}$"}, "count": {"type": "integer", "minimum": 1, "maximum": 500},
        "price": {"type": "number", "minimum": 0}, "note": {"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}]}}});
    let order = json!({"type": "object", "additionalProperties": false, "required": ["id", "customer", "items", "status"],
    "$defs": {"item": item, "address": {"type": "object", "additionalProperties": false, "required": ["street", "city"],
        "properties": {"street": {"type": "string"}, "city": {"type": "string"}, "zip": {"type": "string", "maxLength": 10}}}},
    "properties": {"id": {"type": "string", "format": "uuid"}, "placed": {"type": "string", "format": "date-time"},
        "customer": {"type": "object", "additionalProperties": false, "required": ["name", "email"], "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 100}, "email": {"type": "string", "format": "email"},
            "billing": {"$ref": "#/$defs/address"}, "shipping": {"$ref": "#/$defs/address"}}},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}, "minItems": 1, "maxItems": 50},
        "status": {"enum": ["open", "paid", "sent", "returned"]}, "comment": {"type": "string"}}});
    let address = json!({"street": "12 Long Street", "city": "Springfield", "zip": "12345"});
    let items = json!([{"sku": "ABC-12345", "count": 12, "price": 9.5, "note": text}, {"sku": "XYZ-9999", "count": 1, "price": 120, "note": null}]);
    let ordered: Value = json!({"id": "123e4567-e89b-12d3-a456-426614174000", "placed": "2024-02-29T12:30:00Z",
        "customer": {"name": "Jane Doe", "email": "jane.doe@example.com", "billing": address, "shipping": address},
        "items": items, "status": "paid", "comment": text});
    vec![
        ("an order", Grammar::JsonSchema(order), ordered.to_string()),
        ("any object", Grammar::JsonObject, ordered.to_string()),
        (
            "bounded strings",
            Grammar::JsonSchema(json!({"type": "array", "items": {"type": "string", "maxLength": 300}})),
            json!([text, text]).to_string(),
        ),
        (
            "an expression",
            Grammar::Regex("(?:[A-Z][a-z]+(?: [a-z,]+)*[.] ?){1,40}".to_owned()),
            format!("{text} {text}"),
        ),
    ]
}

fn micros(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    let [median, most] = [times.len() / 2, times.len() - 1].map(|at| times[at].as_micros());
    format!("{:7} mean, {median:7} median, {most:7} longest", mean.as_micros())
}

/// Follows the text in all rows, each some tokens behind the one before.
fn measure(first: &Constraint, tokens: &[u32], mut masks: impl FnMut(&mut [Constraint])) -> [Vec<Duration>; 2] {
    let mut texts: Vec<_> = (0..ROWS).map(|_| first.clone()).collect();
    let mut places = vec![0; ROWS];
    for (row, (text, place)) in texts.iter_mut().zip(&mut places).enumerate() {
        *place = row * 7 % tokens.len();
        tokens[..*place].iter().for_each(|token| text.accept(*token).unwrap());
    }
    let (mut computing, mut taking) = (Vec::new(), Vec::new());
    for _ in 0..tokens.len() {
        let started = Instant::now();
        masks(&mut texts);
        computing.push(started.elapsed());
        let started = Instant::now();
        for (text, place) in texts.iter_mut().zip(&mut places) {
            text.accept(tokens[*place]).unwrap();
            *place += 1;
        }
        taking.push(started.elapsed());
        for (text, place) in texts.iter_mut().zip(&mut places).filter(|(_, place)| **place == tokens.len()) {
            (*text, *place) = (first.clone(), 0);
        }
    }
    [computing, taking]
}

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let folder =
        folder.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../data/tests/fixtures/chat").to_owned());
    let tokenizer = Tokenizer::from_dir(&folder).unwrap();
    let end = tokenizer.token_to_id("</s>").or_else(|| tokenizer.token_to_id("<|endoftext|>")).unwrap();
    let vocabulary: Arc<Vocabulary> = Vocabulary::new(&tokenizer, tokenizer.vocab_size(), &[end]).unwrap();
    println!("{ROWS} texts, {} tokens, times of a step in microseconds", vocabulary.vocab_size());
    for (name, grammar, text) in forms() {
        let started = Instant::now();
        let first = Constraint::new(&vocabulary, &grammar).unwrap();
        println!("{name}: compiled in {} microseconds", started.elapsed().as_micros());
        let tokens = tokenizer.encode(&text, false).unwrap();
        let alone = |texts: &mut [Constraint]| texts.iter_mut().for_each(|text| assert!(text.mask().is_ok()));
        let [mut computing, mut taking] = measure(&first, &tokens, alone);
        println!("  tokens taken       {}", micros(&mut taking));
        println!("  masks alone        {}", micros(&mut computing));
        let mut threads = MaskThreads::new(ROWS);
        let [mut computing, _] = measure(&first, &tokens, |texts| threads.compute(texts.iter_mut().collect()));
        println!("  masks side by side {}", micros(&mut computing));
    }
}
