//! How requests end that are not just answered: clients that leave or do not read, an engine that fails or is full, a server that stops.

use std::io::Read as _;
use std::time::{Duration, Instant};

use engine::Failure;
use serde_json::json;
use server::{Ended, Limits};

use crate::double::{SLOWLY_EMBEDDED, Script, Seen};
use crate::setup::{CONTEXT, MODEL, Setup, hello, tokens};

const PATH: &str = "/v1/chat/completions";
const SOON: Duration = Duration::from_millis(2);

#[test]
fn a_client_that_leaves_cancels_its_answers() {
    for stream in [true, false] {
        let server = Setup::default().run(|_| Script::Endless(70, SOON));
        let body = hello(&json!({"stream": stream, "n": 2, "max_tokens": 200})).to_string();
        match stream {
            true => {
                let mut stream = server.client().open("POST", PATH, body.as_bytes());
                assert!(stream.frame().is_some());
            }
            false => server.client().send_and_leave(PATH, body.as_bytes(), || {
                assert!(matches!(server.next_seen(), Seen::Request(..)));
            }),
        }
        let mut cancelled = Vec::new();
        while cancelled.len() < 2 {
            if let Seen::Cancel(id) = server.next_seen() {
                cancelled.push(id);
            }
        }
        cancelled.sort_unstable();
        assert_eq!(cancelled, [0, 1], "stream: {stream}");
    }
}

#[test]
fn a_client_that_does_not_read_holds_nobody_up() {
    let server = Setup { queue: 1024, ..Setup::default() }.run(|_| Script::Endless(70, Duration::ZERO));
    let request = hello(&json!({"stream": true, "n": 32, "max_tokens": 200}));
    let slow: Vec<_> = (0..4).map(|_| server.client().stream(PATH, &request)).collect();
    let started = Instant::now();
    assert_eq!(server.client().post(PATH, &hello(&json!({"max_tokens": 5}))).status, 200);
    assert!(started.elapsed() < Duration::from_secs(5));
    for stream in slow {
        let ends = stream.events().iter().filter(|event| event["choices"][0]["finish_reason"] == "length").count();
        assert_eq!(ends, 32, "what was not read at once is all there");
    }
}

#[test]
fn a_client_that_reads_nothing_is_left_after_a_while() {
    let limits = Limits { unread: Duration::from_millis(300), ..Limits::default() };
    let pause = Duration::from_millis(20);
    let server = Setup { queue: 1024, limits, ..Setup::default() }.run(move |_| Script::Endless(70, pause));
    // Some 70 MB of chunks in four seconds, far more than sockets hold.
    let settings = json!({"stream": true, "n": 128, "max_tokens": 200, "logprobs": true, "top_logprobs": 20});
    let _unread = server.client().send_and_wait(PATH, hello(&settings).to_string().as_bytes());
    let cancelled = (0..256).any(|_| matches!(server.next_seen(), Seen::Cancel(_)));
    assert!(cancelled, "its answers go on");
}

/// Few bytes could have the server keep gigabytes for as long as an answer may take.
#[test]
fn a_stream_is_cut_where_there_is_no_room_for_what_its_client_does_not_read() {
    let limits = Limits { all_logprobs: 64 << 10, ..Limits::default() };
    let pause = Duration::from_millis(20);
    let server = Setup { queue: 1024, limits, ..Setup::default() }.run(move |_| Script::Endless(70, pause));
    // Some 540,000 in four seconds.
    let settings = json!({"stream": true, "n": 128, "max_tokens": 200, "logprobs": true, "top_logprobs": 20});
    let unread = server.client().send_and_wait(PATH, hello(&settings).to_string().as_bytes());
    // It is counted, too, with what it tells of its prompt.
    let scored = json!({"model": MODEL, "prompt": vec![70; 100], "echo": true, "logprobs": 20, "n": 2, "max_tokens": 150, "stream": true});
    let events = server.client().stream("/v1/completions", &scored).events();
    let ends = events.iter().filter(|event| event["choices"][0]["finish_reason"] == "length").count();
    assert_eq!(ends, 2, "one that reads has all");
    let cancelled = (0..512).any(|_| matches!(server.next_seen(), Seen::Cancel(_)));
    assert!(cancelled, "its answers go on");
    let last = last_of(unread);
    assert_eq!(last["error"]["code"], "slow_reader", "{last}");
}

/// What its prompts told is written, and in memory until its connection is gone.
#[test]
fn what_a_stream_that_is_cut_has_told_of_its_prompts_counts_until_it_is_over() {
    let limits = Limits { all_logprobs: 16 << 10, ..Limits::default() };
    let pause = Duration::from_millis(20);
    let server = Setup { queue: 1024, limits, context: 1024, ..Setup::default() }.run(move |request| match request {
        request if request.max_tokens > 1 => Script::Endless(70, pause),
        _ => Script::Tokens(vec![70]),
    });
    let scored = |tokens: usize, more: &serde_json::Value| {
        let asked = json!({"model": MODEL, "prompt": vec![70; tokens], "echo": true, "logprobs": 20});
        crate::setup::with(asked, more)
    };
    // Of each answer some 300 kB, more than sockets hold of all.
    let settings = scored(240, &json!({"stream": true, "n": 128, "max_tokens": 500}));
    let ask = || server.client().post("/v1/completions", &scored(550, &json!({"max_tokens": 1})));
    let unread = server.client().send_and_wait("/v1/completions", settings.to_string().as_bytes());
    assert!((0..512).any(|_| matches!(server.next_seen(), Seen::Cancel(_))), "its answers go on");
    // Until all of them are left.
    std::thread::sleep(Duration::from_millis(300));
    let refused = ask();
    assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")));
    drop(unread);
    let is_free = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ask().status == 200
    });
    assert!(is_free, "what is over holds nothing");
}

/// There is always something for a client that is behind.
#[test]
fn what_was_not_read_yet_is_cut_with_the_rest() {
    let limits = Limits { drain: Duration::from_millis(100), ..Limits::default() };
    let mut server = Setup { queue: 1024, limits, ..Setup::default() }.run(|_| Script::Endless(70, Duration::ZERO));
    let settings = json!({"stream": true, "n": 128, "max_tokens": 200, "logprobs": true, "top_logprobs": 20});
    let unread = server.client().send_and_wait(PATH, hello(&settings).to_string().as_bytes());
    std::thread::sleep(Duration::from_millis(500));
    server.stop();
    std::thread::sleep(Duration::from_millis(500));
    let last = last_of(unread);
    assert_eq!(last["error"]["code"], "stopping", "{last}");
    assert_eq!(server.ended(), Ended::Cut);
}

/// The last event of a stream that was not read until now.
fn last_of(mut unread: std::net::TcpStream) -> serde_json::Value {
    unread.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut whole = Vec::new();
    unread.read_to_end(&mut whole).unwrap();
    let whole = String::from_utf8_lossy(&whole);
    let (_, last) = whole.rsplit_once("data: ").unwrap();
    let last = last.lines().next().unwrap();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

#[test]
fn failures_have_a_status_before_the_first_token_and_a_frame_behind_it() {
    let failure = || Failure::Device("lost".to_owned());
    let server = Setup::default().run(move |request| match request.max_tokens {
        1 => Script::Fail(Vec::new(), failure()),
        _ => Script::Fail(tokens("one two three"), failure()),
    });
    for stream in [false, true] {
        let response = server.client().post(PATH, &hello(&json!({"stream": stream, "max_tokens": 1})));
        let error = response.error();
        assert_eq!((response.status, &error["code"]), (500, &json!("device_failed")), "{error}");
    }
    let mut stream = server.client().stream(PATH, &hello(&json!({"stream": true})));
    assert_eq!(stream.status, 200);
    let mut frames = Vec::new();
    while let Some(frame) = stream.frame() {
        frames.push(frame);
    }
    let last: serde_json::Value = serde_json::from_str(frames.last().unwrap()).unwrap();
    assert_eq!(last["error"]["code"], "device_failed");
    assert!(frames.iter().all(|frame| frame != "[DONE]"), "a stream that was cut is not done");
}

#[test]
fn what_fails_again_is_not_to_be_tried_again() {
    let failure = Failure::NotFinite { tokens: 3, dtype: "f16".to_owned() };
    let server = Setup::default().run(move |_| Script::Fail(Vec::new(), failure.clone()));
    let response = server.client().post(PATH, &hello(&json!({})));
    assert_eq!((response.status, response.header("x-should-retry")), (500, Some("false")));
}

#[test]
fn a_full_queue_is_told_with_a_time() {
    // Nobody takes messages from this one.
    let tokenizer = crate::setup::tokenizer();
    let (service, inbox) = crate::setup::service(&tokenizer, CONTEXT, 1);
    let _first = service.submit(vec![crate::setup::request(vec![5])]).unwrap();
    let config = crate::setup::config(&tokenizer, server::Keys::open(), Limits::default());
    let server = crate::setup::listen(config, service);
    let client = crate::client::Client::new(server.address());
    let thread = std::thread::spawn(move || server.run(std::future::pending()).unwrap());
    let response = client.post(PATH, &hello(&json!({})));
    let error = response.error();
    assert_eq!((response.status, &error["code"]), (429, &json!("queue_full")));
    assert_eq!(response.header("x-should-retry"), Some("true"));
    assert_eq!(response.header("retry-after"), Some("1"));
    assert_eq!(client.get("/ready").status, 503, "the programs are not there");
    drop(inbox);
    assert_eq!(thread.join().unwrap(), Ended::Drained);
}

/// Nobody looks at what is asked before the programs are made, so that who asks would wait, and fill the queue.
#[test]
fn a_server_that_starts() {
    let tokenizer = crate::setup::tokenizer();
    let (service, inbox) = crate::setup::service(&tokenizer, CONTEXT, 1);
    let config = crate::setup::config(&tokenizer, server::Keys::open(), Limits::default());
    let server = crate::setup::listen(config, service);
    let client = crate::client::Client::new(server.address());
    let thread = std::thread::spawn(move || server.run(std::future::pending()).unwrap());
    for _ in 0..100 {
        let response = client.get("/v1/models");
        assert_eq!((response.status, &response.error()["code"]), (503, &json!("starting")));
        assert_eq!(response.header("x-should-retry"), Some("true"));
    }
    let load = json!({"lora_name": "new", "lora_path": "adapters/new"});
    for (path, body) in [("/v1/load_lora_adapter", load), ("/v1/unload_lora_adapter", json!({"lora_name": "new"}))] {
        let response = client.post(path, &body);
        assert_eq!((response.status, &response.error()["code"]), (503, &json!("starting")), "{path}");
    }
    assert_eq!(client.get("/health").status, 200);
    assert_eq!(inbox.messages.len(), 0, "the engine has nothing to catch up on");
    drop(inbox);
    thread.join().unwrap();
}

#[test]
fn an_answer_that_takes_too_long() {
    let limits = Limits { answer: Duration::from_millis(50), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    for stream in [false, true] {
        let response = server.client().post(PATH, &hello(&json!({"stream": stream})));
        let error = response.error();
        assert_eq!((response.status, &error["code"]), (504, &json!("answer_timeout")));
        assert_eq!(response.header("x-should-retry"), Some("false"));
    }
}

#[test]
fn a_server_that_stops_finishes_what_is_under_way() {
    let limits = Limits { drain: Duration::from_secs(20), ..Limits::default() };
    let mut server = Setup { limits, ..Setup::default() }.run(|_| Script::Endless(70, SOON));
    let mut stream = server.client().stream(PATH, &hello(&json!({"stream": true, "max_tokens": 100})));
    stream.frame().unwrap();
    server.stop();
    let events = stream.events();
    assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "length");
    assert_eq!(server.ended(), Ended::Drained);
    while !matches!(server.next_seen(), Seen::Drain) {}
    assert!(std::net::TcpStream::connect(server.address).is_err(), "nobody listens any more");
}

#[test]
fn a_server_that_stops_cuts_what_takes_too_long() {
    let limits = Limits { drain: Duration::from_millis(100), ..Limits::default() };
    let mut server = Setup { limits, ..Setup::default() }.run(|_| Script::Endless(70, Duration::from_millis(200)));
    let mut stream = server.client().stream(PATH, &hello(&json!({"stream": true})));
    stream.frame().unwrap();
    server.stop();
    let mut last = String::new();
    while let Some(frame) = stream.frame() {
        last = frame;
    }
    let last: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!(last["error"]["code"], "stopping");
    assert_eq!(server.ended(), Ended::Cut);
}

#[test]
fn requests_during_the_drain() {
    let limits = Limits { drain: Duration::from_secs(20), ..Limits::default() };
    let mut server = Setup { limits, ..Setup::default() }.run(|_| Script::Endless(70, SOON));
    let mut open = server.client().stream(PATH, &hello(&json!({"stream": true, "max_tokens": 200})));
    open.frame().unwrap();
    let body = hello(&json!({"max_tokens": 3})).to_string();
    let in_body = server.client().begin(PATH, body.as_bytes(), 1);
    let in_head = server.client().begin(PATH, body.as_bytes(), body.len() + 10);
    std::thread::sleep(Duration::from_millis(50));
    server.stop();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(in_body.finish().unwrap().status, 200, "it was let in before");
    assert!(in_head.finish().is_none_or(|response| response.status == 503), "it had not been let in");
    drop(open);
    assert_eq!(server.ended(), Ended::Drained);
}

/// Of many texts the engine has few at a time, so that it is sent most of them after the server is told to stop.
#[test]
fn texts_that_were_let_in_have_their_vectors_though_the_server_stops() {
    let limits = Limits { drain: Duration::from_secs(20), ..Limits::default() };
    let mut server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = json!({"model": MODEL, "input": vec![vec![SLOWLY_EMBEDDED]; 100]});
    let client = server.client();
    let asking = std::thread::spawn(move || client.post("/v1/embeddings", &body));
    assert!(matches!(server.next_seen(), Seen::Embed));
    server.stop();
    let response = asking.join().unwrap();
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(server.ended(), Ended::Drained);
    // The engine is told when nobody is left, and refuses what comes then.
    while !matches!(server.next_seen(), Seen::Drain) {}
}

#[test]
fn a_server_ends_with_its_engine() {
    let tokenizer = crate::setup::tokenizer();
    let (service, mut inbox) = crate::setup::service(&tokenizer, CONTEXT, 4);
    let config = crate::setup::config(&tokenizer, server::Keys::open(), Limits::default());
    let server = crate::setup::listen(config, service);
    let client = crate::client::Client::new(server.address());
    let thread = std::thread::spawn(move || server.run(std::future::pending()).unwrap());
    assert_eq!(client.get("/health").json()["status"], "starting");
    let asking = std::thread::spawn(move || client.post(PATH, &hello(&json!({}))));
    let message = inbox.messages.blocking_recv();
    drop((message, inbox));
    let response = asking.join().unwrap();
    assert_eq!((response.status, &response.error()["code"]), (503, &json!("stopping")));
    assert_eq!(thread.join().unwrap(), Ended::Drained);
}

/// As from a client that has died, or who looks which ports are open.
#[test]
fn a_request_that_never_comes_whole_holds_up_no_end() {
    let limits = Limits { drain: Duration::from_secs(20), rest: Duration::from_millis(100), ..Limits::default() };
    let mut server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = hello(&json!({})).to_string();
    let _in_head = server.client().begin(PATH, body.as_bytes(), body.len() + 10);
    let in_body = server.client().begin(PATH, body.as_bytes(), 1);
    std::thread::sleep(Duration::from_millis(50));
    let stopped = Instant::now();
    server.stop();
    assert_eq!(server.ended(), Ended::Drained);
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    let response = in_body.finish_by(1, Duration::ZERO).unwrap();
    assert_eq!((response.status, &response.error()["code"]), (503, &json!("stopping")));
}
