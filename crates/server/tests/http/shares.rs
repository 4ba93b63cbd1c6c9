//! What requests share and are counted by: states of prompts that begin alike, places to wait, and allowances.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::{KeyEntry, KeyFile, KeyScope, Keys, Limits, NewKey, PrefixSharing};

use crate::client::Client;
use crate::double::{NEVER_EMBEDDED, SLOWLY_EMBEDDED, Script, Seen};
use crate::setup::{CONTEXT, MODEL, Setup, hello, saying, sentence_piece, with};

const CHAT: &str = "/v1/chat/completions";
const COMPLETIONS: &str = "/v1/completions";
const EMBEDDINGS: &str = "/v1/embeddings";

/// So many keys, each changed by `change`, with their secrets.
fn keys<const N: usize>(change: impl Fn(&mut KeyEntry)) -> (Keys, [String; N]) {
    let mut file = KeyFile::default();
    let secrets = std::array::from_fn(|index| {
        let NewKey { secret, mut entry } = NewKey::random(&format!("key {index}"), &[KeyScope::Infer]).unwrap();
        change(&mut entry);
        file.add(entry).unwrap();
        secret
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    std::fs::write(&path, file.text()).unwrap();
    (Keys::read(&path).unwrap(), secrets)
}

/// The salts of which the engine hears, of each key without and with one.
fn salts(prefix_sharing: PrefixSharing) -> [Option<String>; 4] {
    let (keys, secrets) = keys::<2>(|_| {});
    let server = Setup { keys, prefix_sharing, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
    let ask = |key: usize, more: &Value| {
        let response = server.client().key(&secrets[key]).post(CHAT, &hello(more));
        assert_eq!(response.status, 200, "{}", response.text());
        server.next_request().cache_salt
    };
    let salted = json!({"cache_salt": "s"});
    [ask(0, &json!({})), ask(1, &json!({})), ask(0, &salted), ask(1, &salted)]
}

#[test]
fn keys_find_nothing_of_each_other_and_salts_keep_requests_apart() {
    let [first, second, first_salted, second_salted] = salts(PrefixSharing::Key);
    let all = [&first, &second, &first_salted, &second_salted];
    for (index, salt) in all.iter().enumerate() {
        assert!(salt.is_some() && !all[..index].contains(salt), "{all:?}");
    }
    let [first, second, first_salted, second_salted] = salts(PrefixSharing::All);
    assert_eq!((&first, &second), (&None, &None));
    assert!(first_salted.is_some() && first_salted == second_salted);
    let refused = saying("yes").client().post(CHAT, &hello(&json!({"cache_salt": ""})));
    assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("cache_salt")));
}

/// What is told of a page that agrees in part would tell another's text token by token.
#[test]
fn whole_pages_are_told() {
    for (found, told) in [(0, 0), (7, 0), (8, 8), (15, 8)] {
        let setup = Setup { page_tokens: 8, ..Setup::default() };
        let server = setup.run(move |_| Script::Cached(found, vec![70]));
        let usage = server.client().post(CHAT, &hello(&json!({"max_tokens": 1}))).json()["usage"].clone();
        assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], told, "{found}");
    }
}

#[test]
fn who_is_refused_has_used_no_tokens() {
    let (keys, [secret]) = keys(|entry| entry.tokens_per_minute = Some(100_000));
    let server = Setup { keys, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
    let client = server.client().key(&secret);
    let ask = |prompt: &[u32]| {
        let response = client.post(COMPLETIONS, &json!({"model": MODEL, "prompt": [prompt, prompt]}));
        let left: u64 = response.header("x-ratelimit-remaining-tokens").unwrap().parse().unwrap();
        (response.status, left)
    };
    assert_eq!(ask(&[5; 2 * CONTEXT]), (400, 100_000));
    let (status, left) = ask(&[5; CONTEXT / 2]);
    assert_eq!(status, 200);
    assert!(left < 100_000 - CONTEXT as u64 / 2, "{left}");
}

#[test]
fn texts_for_a_model_that_is_not_there_have_used_no_tokens() {
    let (keys, [secret]) = keys(|entry| entry.tokens_per_minute = Some(100_000));
    let server = Setup { keys, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
    let ask = |path: &str, model: &str| {
        let field = if path == EMBEDDINGS { "input" } else { "prompt" };
        let body = json!({"model": model, field: vec![vec![5; 200]; 64], "max_tokens": 1});
        let body = if path == EMBEDDINGS { json!({"model": model, field: vec![vec![5; 200]; 64]}) } else { body };
        let response = server.client().key(&secret).post(path, &body);
        assert_eq!(response.status, if model == MODEL { 200 } else { 404 }, "{path}: {}", response.text());
        response.header("x-ratelimit-remaining-tokens").unwrap().parse::<u64>().unwrap()
    };
    assert_eq!([EMBEDDINGS, COMPLETIONS].map(|path| ask(path, "nobody")), [100_000; 2]);
    let left = ask(EMBEDDINGS, MODEL);
    assert!(left < 100_000 - 12_000, "{left}");
}

#[test]
fn embeddings_share_their_room() {
    let limits = Limits { embeddings_bytes: 8 << 10, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = |texts: Vec<Vec<u32>>| json!({"model": MODEL, "input": texts});
    let ask = |texts: usize| server.client().post(EMBEDDINGS, &body(vec![vec![5; 200]; texts]));
    // Some 850 bytes each.
    let mut held = vec![vec![5; 200]; 8];
    held.push(vec![NEVER_EMBEDDED]);
    server.client().send_and_leave(EMBEDDINGS, body(held).to_string().as_bytes(), || {
        assert!(matches!(server.next_seen(), Seen::Embed));
        let refused = ask(4);
        assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")));
        assert_eq!((refused.header("x-should-retry"), refused.header("retry-after")), (Some("true"), Some("1")));
        assert_eq!(ask(1).status, 200, "a small one has room");
        let refused = ask(16);
        assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("input")));
    });
    let again = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ask(4).status == 200
    });
    assert!(again, "what a client leaves is free again");
    assert!((0..20).all(|_| ask(8).status == 200), "and what it was sent");
}

/// A key that asks for all that there is leaves some to others: of vectors, and of large bodies.
#[test]
fn no_key_holds_all() {
    let (keys, secrets) = keys::<2>(|_| {});
    let pause = Duration::from_secs(60);
    let limits = Limits { embeddings_bytes: 8 << 10, all_bodies_bytes: 400_000, pause, ..Limits::default() };
    let server = Setup { keys, limits, ..Setup::default() }.run(|_| Script::Silence);
    let [first, second] = secrets.each_ref().map(|secret| server.client().key(secret));
    // Some 850 bytes each.
    let mut held = vec![vec![5; 200]; 4];
    held.push(vec![NEVER_EMBEDDED]);
    let held = json!({"model": MODEL, "input": held}).to_string();
    first.send_and_leave(EMBEDDINGS, held.as_bytes(), || {
        assert!(matches!(server.next_seen(), Seen::Embed));
        let ask = |client: &Client, texts: usize| {
            client.post(EMBEDDINGS, &json!({"model": MODEL, "input": vec![vec![5; 200]; texts]}))
        };
        let refused = ask(&first, 1);
        assert_eq!((refused.status, ask(&second, 1).status), (429, 200));
        assert!(refused.text().contains("of your key") && refused.text().contains("room for vectors"));
        // It would be told to try again for as long as others ask for anything.
        let refused = ask(&second, 5);
        assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("input")), "more than half");
    });
    // What has room is answered at once.
    let large = |bytes: usize| hello(&json!({"model": "nobody", "user": "x".repeat(bytes)})).to_string();
    let ask = |client: &Client, bytes: usize| client.open("POST", CHAT, large(bytes).as_bytes()).whole();
    // Of 390 units it has 110, beside any part of the 150 that tell whether it has been read: they have no room then.
    let begun = first.begin(CHAT, large(112_000).as_bytes(), 1);
    let began = Instant::now();
    while ask(&second, 153_000).status == 404 {
        assert!(began.elapsed() < Duration::from_secs(20), "what has been sent is read");
    }
    let refused = ask(&first, 112_000);
    assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")), "a key has half of the room");
    assert!(refused.text().contains("of your key") && refused.text().contains("large requests"));
    assert_eq!(ask(&second, 80_000).status, 404);
    drop(begun);
}

#[test]
fn the_only_key_of_a_file_may_have_all_the_room_for_vectors() {
    let (keys, [secret]) = keys(|_| {});
    let limits = Limits { embeddings_bytes: 8 << 10, ..Limits::default() };
    let server = Setup { keys, limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = json!({"model": MODEL, "input": vec![vec![5; 200]; 8]});
    assert_eq!(server.client().key(&secret).post(EMBEDDINGS, &body).status, 200);
}

/// As few as two places.
#[test]
fn each_key_has_a_place_for_a_request_for_vectors() {
    let (keys, secrets) = keys::<2>(|_| {});
    let server = Setup { keys, queue: 2, ..Setup::default() }.run(|_| Script::Silence);
    let [first, second] = secrets.each_ref().map(|secret| server.client().key(secret));
    let ask = |token: u32| json!({"model": MODEL, "input": [token]}).to_string().into_bytes();
    first.send_and_leave(EMBEDDINGS, &ask(NEVER_EMBEDDED), || {
        assert!(matches!(server.next_seen(), Seen::Embed));
        let refused = first.open("POST", EMBEDDINGS, &ask(5)).whole();
        assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")));
        assert!(refused.text().contains("of your key") && refused.text().contains("2 places for vectors"));
        assert_eq!(second.open("POST", EMBEDDINGS, &ask(5)).whole().status, 200);
    });
}

/// A text that goes on alone would have an hour of its own.
#[test]
fn all_vectors_of_a_request_have_one_time() {
    let limits = Limits { answer: Duration::from_millis(500), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let ask = |texts: usize| {
        server.client().post(EMBEDDINGS, &json!({"model": MODEL, "input": vec![[SLOWLY_EMBEDDED]; texts]}))
    };
    assert_eq!(ask(16).status, 200);
    let late = ask(2048);
    assert_eq!((late.status, &late.error()["code"]), (504, &json!("answer_timeout")));
}

/// A 429 would be tried again for ever.
#[test]
fn more_answers_at_once_than_may_ever_wait_are_refused_for_good() {
    let server = Setup { queue: 4, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
    let ask = |prompts: usize, n: usize| {
        server.client().post(COMPLETIONS, &json!({"model": MODEL, "prompt": vec!["a"; prompts], "n": n}))
    };
    for (prompts, n, param) in [(1, 5, "n"), (5, 1, "prompt"), (2, 3, "prompt")] {
        let response = ask(prompts, n);
        assert_eq!((response.status, &response.error()["param"]), (400, &json!(param)), "{prompts} x {n}");
        assert_eq!(response.header("x-should-retry"), Some("false"));
    }
    assert_eq!(ask(2, 2).status, 200);
}

#[test]
fn vectors_of_another_size_are_refused_before_any_is_computed() {
    let server = saying("yes");
    let ask = |size: usize| {
        server.client().post(EMBEDDINGS, &json!({"model": MODEL, "input": ["a", "b"], "dimensions": size}))
    };
    let refused = ask(7);
    assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("dimensions")));
    assert!(server.seen.try_recv().is_err(), "the engine was asked");
    assert_eq!(ask(3).status, 200);
}

#[test]
fn as_many_embeddings_wait_as_other_requests() {
    let server = Setup { queue: 1, ..Setup::default() }.run(|_| Script::Silence);
    let ask = |token: u32| json!({"model": MODEL, "input": [token]}).to_string().into_bytes();
    server.client().send_and_leave(EMBEDDINGS, &ask(NEVER_EMBEDDED), || {
        assert!(matches!(server.next_seen(), Seen::Embed));
        let refused = server.client().open("POST", EMBEDDINGS, &ask(5)).whole();
        assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")));
        assert_eq!(refused.header("x-should-retry"), Some("true"));
    });
    let again = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        server.client().open("POST", EMBEDDINGS, &ask(5)).whole().status == 200
    });
    assert!(again, "a client that left waits no more");
}

#[test]
fn a_limit_beyond_the_context_counts_as_the_context() {
    let server = saying("yes");
    for _ in 0..3 {
        let response = server.client().post(CHAT, &hello(&json!({"max_tokens": 1_u64 << 60})));
        assert_eq!(response.status, 200, "{}", response.text());
    }
    let metrics = server.client().get("/metrics").text();
    let line = metrics.lines().find(|line| line.starts_with("vllm:request_params_max_tokens_sum")).unwrap();
    assert!(line.ends_with(&format!(" {}", 3 * CONTEXT)), "{line}");
}

#[test]
fn the_chosen_token_is_among_the_likeliest_that_are_told() {
    let server = saying("yes");
    let ask = |count: usize| {
        let body = json!({"model": MODEL, "prompt": "a", "logprobs": count, "max_tokens": 2});
        server.client().post(COMPLETIONS, &body).json()["choices"][0]["logprobs"].clone()
    };
    // The double has a token's neighbours, and with 0 none.
    for (count, told) in [(0, 1), (1, 1), (3, 3)] {
        let logprobs = ask(count);
        let chosen = logprobs["tokens"].as_array().unwrap().iter().map(|token| token.as_str().unwrap());
        let tops: Vec<&Value> = logprobs["top_logprobs"].as_array().unwrap().iter().collect();
        assert!(chosen.zip(&tops).all(|(chosen, top)| top.get(chosen).is_some()), "{logprobs}");
        assert!(tops.iter().all(|top| top.as_object().unwrap().len() == told), "{logprobs}");
    }
}

/// Few bytes could ask for gigabytes of them, which are kept until all answers are there; a stream keeps none.
#[test]
fn log_probabilities_of_whole_answers_are_bounded() {
    let limits = Limits { answer_logprobs: 2000, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![70; 100]));
    let chat = |n: usize| hello(&json!({"n": n, "max_tokens": 50, "logprobs": true, "top_logprobs": 19}));
    let completion =
        |n: usize| json!({"model": MODEL, "prompt": "a", "n": n, "max_tokens": 50, "logprobs": 19, "ignore_eos": true});
    for (path, body) in [(CHAT, &chat as &dyn Fn(usize) -> Value), (COMPLETIONS, &completion)] {
        let whole = server.client().post(path, &body(2));
        assert_eq!(whole.status, 200, "2 times 50 times 20: {}", whole.text());
        let refused = server.client().post(path, &body(3));
        assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("logprobs")), "{path}");
        let mut streamed = body(3);
        streamed["stream"] = json!(true);
        let events = server.client().stream(path, &streamed).events();
        assert!(events.iter().all(|event| event["error"].is_null()) && events.len() > 100, "{path}");
    }
}

/// Without log-probabilities, too: tokens may be long, and a client may take an hour to read many.
#[test]
fn texts_of_whole_answers_are_bounded() {
    let word = format!("▁{}", "a".repeat(200));
    let tokenizer = sentence_piece(&[&word]);
    let (long, tokenizer) = (tokenizer.token_to_id(&word).unwrap(), Some(tokenizer));
    // 256 KiB, where each answer has 20.
    let limits = Limits { all_logprobs: 4 << 10, ..Limits::default() };
    let server = Setup { limits, tokenizer, ..Setup::default() }.run(move |_| Script::Tokens(vec![long; 100]));
    let cases: [(&str, &dyn Fn(usize) -> Value); 3] = [
        (CHAT, &|n| hello(&json!({"n": n, "max_tokens": 100}))),
        (COMPLETIONS, &|n| json!({"model": MODEL, "prompt": "a", "n": n, "max_tokens": 100})),
        ("/lamini/v1/completions", &|n| json!({"model_name": MODEL, "prompt": vec!["a"; n], "max_tokens": 100})),
    ];
    for (path, asked) in cases {
        let whole = server.client().post(path, &asked(12));
        assert!(whole.status == 200 && whole.body.len() > 240_000, "{path}: {}", whole.text());
        let refused = server.client().post(path, &asked(16));
        assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")), "{path}");
        let may_stream = path != "/lamini/v1/completions";
        let message = refused.error()["message"].to_string();
        assert_eq!(message.contains("set `stream` to true"), may_stream, "{path}: {message}");
        if may_stream {
            let events = server.client().stream(path, &with(asked(16), &json!({"stream": true}))).events();
            assert!(events.len() > 1600, "{path}");
        }
    }
}

#[test]
fn a_path_that_is_not_there_is_counted_and_has_an_id() {
    let server = saying("yes");
    let response = server.client().with("X-Request-Id", "mine-2").get("/v1/nothing");
    assert_eq!((response.status, response.header("x-request-id")), (404, Some("mine-2")));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    let metrics = server.client().get("/metrics").text();
    let counted =
        metrics.lines().any(|line| line.contains("finery_responses_total") && line.ends_with("status=\"4xx\"} 1"));
    assert!(counted, "{metrics}");
}
