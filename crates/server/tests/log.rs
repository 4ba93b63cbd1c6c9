//! The log tells of requests, and nothing of what was said unless it is asked to.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "what other tests ask for is not asked here")]
#[path = "http/client.rs"]
mod client;
#[expect(dead_code, reason = "what other tests ask for is not asked here")]
#[path = "http/double.rs"]
mod double;
#[expect(dead_code, reason = "what other tests ask for is not asked here")]
#[path = "http/setup.rs"]
mod setup;

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::Failure;
use serde_json::json;
use server::{Keys, Limits};
use tracing_subscriber::fmt::MakeWriter;

use double::{Script, Seen};
use setup::{Setup, hello, tokens};

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Log {
    type Writer = Log;

    fn make_writer(&'w self) -> Log {
        self.clone()
    }
}

impl Log {
    /// What was logged since the last time.
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

#[test]
fn the_log_holds_what_was_said_only_if_it_is_asked_to() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false);
    subscriber.with_writer(log.clone()).init();
    for log_content in [false, true] {
        let setup = Setup { log_content, ..Setup::default() };
        let answer = tokens("the secret answer");
        let server = setup.run(move |_| Script::Tokens(answer.clone()));
        let question = json!([{"role": "user", "content": "the secret question"}]);
        for stream in [false, true] {
            let request = hello(&json!({"messages": question, "stream": stream, "user": "mine"}));
            let client = server.client().with("X-Request-Id", "req-of-the-test");
            assert_eq!(client.post("/v1/chat/completions", &request).status, 200);
        }
        for model in ["m".repeat(300), "m".repeat(100_000)] {
            let messages = json!([{"role": "user", "content": "a question to nobody"}]);
            let request = hello(&json!({"model": model, "messages": messages}));
            let unknown = server.client().post("/v1/chat/completions", &request);
            assert_eq!(unknown.status, 404);
            assert!(unknown.body.len() < 1000, "what is refused is repeated at length");
        }
        drop(server);
        let text = log.take();
        assert!(!text.contains(&"m".repeat(101)), "a name is written at length");
        let answered = text.lines().filter(|line| line.contains("answered")).collect::<Vec<_>>();
        let answered: Vec<_> = answered.into_iter().filter(|line| line.contains(r#"finish="stop""#)).collect();
        assert_eq!(answered.len(), 2, "{text}");
        for part in ["req-of-the-test", "model=\"org/small\"", "prompt_tokens=", "finish=\"stop\"", "total_ms="] {
            assert!(answered.iter().all(|line| line.contains(part)), "{part}: {answered:?}");
        }
        assert_eq!(text.contains("secret question"), log_content, "{text}");
        assert_eq!(text.contains("secret answer"), log_content, "{text}");
        assert!(!text.contains("a question to nobody"), "who has no answer fills the log: {text}");
    }
    let server = Setup::default().run(|_| Script::Silence);
    for _ in 0..100 {
        assert_eq!(server.client().post("/v1/chat/completions", &hello(&json!({"n": 0}))).status, 400);
        assert_eq!(server.client().post("/v1/chat/completions", &hello(&json!({"model": "nobody"}))).status, 404);
    }
    drop(server);
    // How many seconds it took depends on the machine, and who has no line is counted. What the engine refuses was not answered, and has one line as well.
    let text = log.take();
    assert!(!text.contains("answered"), "{text}");
    for told in
        ["status=400 code=\"invalid_request_error\" param=\"n\"", "status=404 code=\"model_not_found\" param=\"model\""]
    {
        assert!(text.contains(&format!("refused {told}")), "{told}: {text}");
    }
    let lines = text.lines().filter(|line| line.contains("refused status=4")).count();
    let counts = text.lines().filter_map(|line| line.split_once("more lines of requests")?.1.split_once("count="));
    let left_out: usize = counts.map(|(_, count)| count.parse::<usize>().unwrap()).sum();
    assert!(lines < 200 && lines + left_out == 200, "{lines} lines, and {left_out} without: {text}");
    a_cut_stream_is_told_as_its_request(&log);
    what_is_cut_is_not_told_as_answered(&log);
    a_stream_is_told_that_is_cut_since_nobody_reads_it(&log);
    a_template_that_renders_nothing_is_told_at_the_start(&log);
    who_asks_whether_it_is_ready_is_not_refused(&log);
}

/// Whoever waits for a server asks many times; what needs a server that is ready is refused until then.
fn who_asks_whether_it_is_ready_is_not_refused(log: &Log) {
    let server = Setup::default().run(|_| Script::Silence);
    while server.client().get("/ready").status != 200 {
        std::thread::sleep(Duration::from_millis(1));
    }
    server.service.counters().is_ready.store(false, Ordering::Relaxed);
    assert_eq!([(); 5].map(|()| server.client().get("/ready").status), [503; 5]);
    assert_eq!(server.client().get("/v1/models").status, 503);
    drop(server);
    let text = log.take();
    let refused: Vec<_> = text.lines().filter(|line| line.contains("refused")).collect();
    assert!(refused.len() == 1 && refused[0].contains("path=\"/v1/models\""), "{text}");
    let probes = text.lines().filter(|line| line.contains("DEBUG") && line.contains("path=\"/ready\""));
    assert!(probes.filter(|line| line.contains("responded status=503")).count() >= 5, "{text}");
}

/// Clients that leave, and a server that stops.
fn what_is_cut_is_not_told_as_answered(log: &Log) {
    for leaves in [true, false] {
        let server = Setup::default().run(|_| Script::Endless(70, Duration::from_millis(20)));
        let request = hello(&json!({"stream": true, "n": 3, "max_tokens": 200}));
        let mut stream = server.client().stream("/v1/chat/completions", &request);
        assert!(stream.frame().is_some());
        let stays = (!leaves).then_some(stream);
        drop(server);
        drop(stays);
        let text = log.take();
        let told: Vec<_> = text.lines().filter(|line| line.contains(r#"finish="abort 3""#)).collect();
        assert!(told.len() == 1 && told[0].contains(": cut "), "{text}");
        assert!(!text.contains("answered"), "{text}");
    }
}

/// Its client may never read why, nor anything else.
fn a_stream_is_told_that_is_cut_since_nobody_reads_it(log: &Log) {
    let limits = Limits { all_logprobs: 16 << 10, ..Setup::default().limits };
    let pause = Duration::from_millis(20);
    let server = Setup { queue: 256, limits, ..Setup::default() }.run(move |_| Script::Endless(70, pause));
    let question = json!([{"role": "user", "content": "the secret question"}]);
    let settings = json!({"messages": question, "stream": true, "n": 128, "max_tokens": 200, "logprobs": true, "top_logprobs": 20});
    let client = server.client().with("X-Request-Id", "req-unread");
    let unread = client.send_and_wait("/v1/chat/completions", hello(&settings).to_string().as_bytes());
    while !matches!(server.next_seen(), Seen::Cancel(_)) {}
    let began = Instant::now();
    let mut text = log.take();
    while !text.contains("a stream is cut") && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
        text += &log.take();
    }
    let told: Vec<_> = text.lines().filter(|line| line.contains("a stream is cut")).collect();
    assert!(told.len() == 1 && told[0].contains("WARN") && told[0].contains("id=\"req-unread\""), "{told:?}");
    assert!(!text.contains("secret"), "{text}");
    drop((unread, server));
    log.take();
}

fn a_template_that_renders_nothing_is_told_at_the_start(log: &Log) {
    const WARNING: &str = "the chat template does not render";
    let server = Setup { template: "{{ cls_token + messages[0].content }}", ..Setup::default() };
    let server = server.run(|_| Script::Tokens(tokens("yes")));
    let refused = server.client().post("/v1/chat/completions", &hello(&json!({})));
    let error = refused.error();
    assert_eq!((refused.status, &error["code"]), (500, &json!("unusable_chat_template")), "{error}");
    assert!(error["message"].as_str().unwrap().contains("reads cls_token"), "{error}");
    assert_eq!(server.client().post("/v1/completions", &json!({"model": "small", "prompt": "a"})).status, 200);
    drop(server);
    let text = log.take();
    let told: Vec<_> = text.lines().filter(|line| line.contains(WARNING)).collect();
    assert!(told.len() == 1 && told[0].contains("WARN") && told[0].contains("reads cls_token"), "{text}");
    const LEFT_OUT: &str = "the chat template leaves out what the user says";
    for (template, expected) in [(setup::TEMPLATE, ""), ("", ""), ("{{ bos_token }}assistant: ", LEFT_OUT)] {
        drop(Setup { template, ..Setup::default() }.run(|_| Script::Silence));
        let text = log.take();
        assert!(!text.contains(WARNING) && text.contains(expected), "{template}: {text}");
        assert_eq!(text.contains(LEFT_OUT), !expected.is_empty(), "{template}");
    }
}

/// What becomes of a stream when its response has begun.
fn a_cut_stream_is_told_as_its_request(log: &Log) {
    let keys = Keys::one("secret").unwrap();
    // As where a name that a client gives is in it.
    let failing = || Script::Fail(tokens("half an"), Failure::Constraint("a form\nwarning: of two lines".to_owned()));
    let server = Setup { keys, ..Setup::default() }.run(move |_| failing());
    let client = server.client().key("secret").with("X-Request-Id", "req-of-a-stream");
    let mut stream = client.stream("/v1/chat/completions", &hello(&json!({"stream": true})));
    while stream.frame().is_some() {}
    drop(server);
    let text = log.take();
    let cut: Vec<_> = text.lines().filter(|line| line.contains("a stream was cut")).collect();
    assert_eq!(cut.len(), 1, "{text}");
    for part in [
        "id=\"req-of-a-stream\"",
        "path=\"/v1/chat/completions\"",
        "key=\"key\"",
        "status=500",
        "code=\"unreachable_form\"",
        "a form\\nwarning: of two lines",
    ] {
        assert!(cut[0].contains(part), "{part}: {cut:?}");
    }
}
