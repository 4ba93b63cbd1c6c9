//! Random and damaged bodies: each has an answer that clients can read, and none makes the server fail. They begin with the corpus of `fuzz/`, which libFuzzer begins with
//! too.

use std::path::{Path, PathBuf};

use engine::Request;
use serde_json::{Value, json};

use crate::double::Script;
use crate::fuzzed::{Fuzzed, TEMPLATE as HERMES};
use crate::setup::{MODEL, Setup, tokens};

const ROUNDS: u64 = 1500;
const THREADS: u64 = 4;

/// What stock clients send, by path.
fn seeds() -> Vec<(&'static str, Value)> {
    let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"type": "text", "text": "né 猫"}]}]);
    let tool = json!({"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}}});
    let mut seeds = corpus("chat", "/v1/chat/completions");
    seeds.extend(corpus("completion", "/v1/completions"));
    seeds.extend([
        (
            "/lamini/v1/completions",
            json!({"model_name": MODEL, "prompt": ["a"], "output_type": {"a": "str"}, "max_tokens": 90, "max_new_tokens": 3}),
        ),
        (
            "/v1/embeddings",
            json!({"model": MODEL, "input": ["a", "b"], "encoding_format": "base64", "dimensions": 3, "pooling": "mean"}),
        ),
        (
            "/tokenize",
            json!({"model": MODEL, "messages": messages, "tools": [tool], "add_special_tokens": false, "return_token_strs": true}),
        ),
        ("/detokenize", json!({"model": MODEL, "tokens": [1, 2, 3]})),
        ("/v1/load_lora_adapter", json!({"lora_name": "new", "lora_path": "adapters/new", "load_inplace": true, "pin": null})),
        ("/v1/unload_lora_adapter", json!({"lora_name": "new", "lora_int_id": 5})),
    ]);
    seeds
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The bodies that fuzzing begins with.
fn corpus(target: &str, path: &'static str) -> Vec<(&'static str, Value)> {
    let folder = repository().join("fuzz/corpus").join(target);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    // What libFuzzer has found has no such ending.
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    assert!(files.len() > 4, "{target}: {files:?}");
    files.iter().map(|file| (path, serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())).collect()
}

/// Values at which something may go wrong.
fn values() -> Vec<Value> {
    let mut deep = json!(1);
    (0..100).for_each(|level| deep = if level % 2 == 0 { json!([deep]) } else { json!({"a": deep}) });
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1e308),
        json!(-0.0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(4_294_967_296_u64),
        json!(""),
        json!("\u{0}"),
        json!("\u{feff}"),
        json!("a\r\n\u{2028}"),
        json!("x".repeat(3000)),
        json!(" ".repeat(3000)),
        json!("(((((a+)+)+)+)+)+$"),
        json!("{{ 1 / 0 }}"),
        json!("start: start"),
        json!([]),
        json!({}),
        json!([null]),
        json!({"": {}}),
        json!([[[]]]),
        json!({"$ref": "#"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#"}}}),
        json!(vec![1; 2000]),
        json!(vec!["a"; 300]),
        deep,
    ]
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// Puts another value somewhere in a body.
fn change(body: &mut Value, random: &mut Random) {
    let mut place = body;
    loop {
        let count = match &*place {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        // On the way down it may stop anywhere.
        if count == 0 || random.below(3) == 0 {
            break;
        }
        let at = random.below(count);
        place = match place {
            Value::Array(items) => &mut items[at],
            Value::Object(fields) => fields.values_mut().nth(at).unwrap(),
            _ => unreachable!("others have no parts"),
        };
    }
    let all = values();
    *place = all[random.below(all.len())].clone();
}

/// Damages the text of a body.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => bytes[at] = random.next() as u8,
        2 => _ = bytes.splice(at..at, b"{}[]\",:\\u\xff0e-"[..1 + random.below(12)].iter().copied()),
        _ => {
            let end = at + random.below(bytes.len() - at);
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

/// One of the bodies, with changes that follow from `round`.
fn changed(seeds: &[(&'static str, Value)], round: u64) -> (&'static str, Vec<u8>) {
    let mut random = Random(round);
    let (path, mut body) = seeds[random.below(seeds.len())].clone();
    (0..=random.below(3)).for_each(|_| change(&mut body, &mut random));
    let mut bytes = body.to_string().into_bytes();
    if random.below(3) == 0 {
        (0..=random.below(2)).for_each(|_| damage(&mut bytes, &mut random));
    }
    (path, bytes)
}

/// What the fuzz targets do, without libFuzzer.
#[test]
fn what_is_fuzzed_holds_for_the_corpus_and_random_changes_of_it() {
    let fuzzed = Fuzzed::new(&repository());
    for (target, read) in [("chat", Fuzzed::chat as fn(&Fuzzed, &[u8]) -> bool), ("completion", Fuzzed::completion)] {
        let seeds = corpus(target, target);
        let taken = seeds.iter().filter(|(_, body)| read(&fuzzed, body.to_string().as_bytes())).count();
        assert!(taken + 2 >= seeds.len(), "{target}: {taken} of {} are taken", seeds.len());
        let all = (0..ROUNDS).map(|round| read(&fuzzed, &changed(&seeds, round).1));
        let taken = all.filter(|is_taken| *is_taken).count() as u64;
        // Both ways are gone often.
        assert!((ROUNDS / 100..ROUNDS).contains(&taken), "{target}: {taken} of {ROUNDS}");
    }
}

#[test]
fn each_has_an_answer() {
    let said = tokens("yes");
    // What is held to a form is cut at once: the double knows no forms.
    let script = move |request: &Request| match request.constraint {
        None => Script::Tokens(said.clone()),
        Some(_) => Script::Tokens(Vec::new()),
    };
    let server = Setup { template: HERMES, queue: 4096, ..Setup::default() }.run(script);
    let (seeds, client) = (seeds(), server.client());
    for (path, body) in &seeds {
        let response = client.post(path, body);
        assert!(response.status < 500, "{path} {body}: {}", response.text());
    }
    let check = |round: u64| {
        let (path, bytes) = changed(&seeds, round);
        let response = client.open("POST", path, &bytes).whole();
        let shown = || format!("round {round}, {path} {}: {}", String::from_utf8_lossy(&bytes), response.text());
        assert!((200..300).contains(&response.status) || (400..500).contains(&response.status), "{}", shown());
        match response.header("content-type") {
            Some("application/json") if response.status >= 400 => _ = response.error(),
            Some("application/json") => _ = response.json(),
            Some(kind) if kind.starts_with("text/event-stream") => {
                assert!(!response.text().contains("server_error"), "{}", shown())
            }
            Some(kind) => assert!(kind.starts_with("text/plain") && path.contains("lora"), "{}", shown()),
            None => panic!("{}", shown()),
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || (thread..ROUNDS).step_by(THREADS as usize).for_each(check));
        }
    });
    assert_eq!(client.get("/health").status, 200);
}
