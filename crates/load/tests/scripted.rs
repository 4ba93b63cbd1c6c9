//! A load against servers that do what a script says, at known times.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use load::{Arrivals, Endpoint, Load, Options, Outcome, Prompt, Prompts, Record, Summary};
use serde_json::{Value, json};

#[path = "support/asking.rs"]
mod asking;

/// A request, as a server has read it.
#[derive(Clone, Debug)]
struct Asked {
    path: String,
    key: String,
    body: Value,
    /// The number of the connection.
    connection: usize,
}

type Answer = dyn Fn(&Asked, &mut TcpStream) + Send + Sync;

/// A server, what it was asked, and its address.
struct Script {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Script {
    /// Answers completions as `answer` does, counts a word as a token with two around it, and has three models.
    fn new(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Script {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (all, answer): (_, Arc<Answer>) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (all, answer) = (Arc::clone(&all), Arc::clone(&answer));
                thread::spawn(move || serve(number, stream.unwrap(), &all, &*answer));
            }
        });
        Script { url, asked }
    }

    /// The requests for completions, but for the first, which asks what is understood.
    fn completions(&self) -> Vec<Asked> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|asked| asked.path.ends_with("completions")).skip(1).cloned().collect()
    }

    fn options(&self) -> Options {
        asking::options(&self.url, &["base"], 5)
    }
}

fn serve(connection: usize, stream: TcpStream, all: &Mutex<Vec<Asked>>, answer: &Answer) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(asked) = read(connection, &mut reader) {
        all.lock().unwrap().push(asked.clone());
        match &*asked.path {
            "/tokenize" => {
                let texts = asked.body["prompt"].as_str().or(asked.body["messages"][0]["content"].as_str()).unwrap();
                let count = texts.split(' ').count() + 2;
                whole(&mut writer, 200, &json!({"count": count, "max_model_len": 40}));
            }
            "/v1/models" => {
                let models = ["base", "poet", "clerk"].map(|id| json!({"id": id}));
                whole(&mut writer, 200, &json!({"object": "list", "data": models}));
            }
            _ => answer(&asked, &mut writer),
        }
    }
}

/// A request; `None` behind the last.
fn read(connection: usize, reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        // A client that gives up resets its connection.
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let header = |name: &str| {
        let line = lines.iter().find(|line| line.to_lowercase().starts_with(name));
        line.map(|line| line[name.len()..].trim().to_owned()).unwrap_or_default()
    };
    let mut body = vec![0; header("content-length:").parse().unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let path = lines[0].split(' ').nth(1).unwrap().to_owned();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Asked { path, key: header("authorization:"), body, connection })
}

/// An answer that is no stream.
fn whole(writer: &mut TcpStream, status: u16, body: &Value) {
    let body = body.to_string();
    let head =
        format!("HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    // Whoever gave up does not read it.
    let _ = writer.write_all(format!("{head}{body}").as_bytes());
}

fn begin(writer: &mut TcpStream) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let _ = writer.write_all(head.as_bytes());
}

fn send(writer: &mut TcpStream, text: &str) {
    let _ = writer.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes());
}

fn piece(text: &str, finish: Option<&str>) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "text": text, "finish_reason": finish}]}))
}

/// The end of a stream that had so many tokens.
fn end(writer: &mut TcpStream, tokens: usize) {
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": tokens}});
    send(writer, &format!("data: {usage}\n\ndata: [DONE]\n\n"));
    let _ = writer.write_all(b"0\r\n\r\n");
}

/// Four tokens, the first after 100 ms, the others 50 ms apart.
fn timed(_: &Asked, writer: &mut TcpStream) {
    let start = Instant::now();
    let at = |ms| thread::sleep(Duration::from_millis(ms).saturating_sub(start.elapsed()));
    begin(writer);
    // What is no token counts as none.
    send(writer, ": still there\n\n");
    send(writer, &piece("", None));
    at(100);
    let text = piece("a", None);
    // In two pieces at any place, as networks have it.
    send(writer, &text[..9]);
    send(writer, &text[9..]);
    at(150);
    send(writer, &piece("b", None));
    at(200);
    send(writer, &piece("c", None));
    at(250);
    send(writer, &piece("d", Some("length")));
    end(writer, 4);
}

/// Four tokens at once.
fn at_once(_: &Asked, writer: &mut TcpStream) {
    begin(writer);
    four(writer);
}

/// Four tokens and the end of a response that has begun.
fn four(writer: &mut TcpStream) {
    ["a", "b", "c"].iter().for_each(|text| send(writer, &piece(text, None)));
    send(writer, &piece("d", Some("length")));
    end(writer, 4);
}

fn measure(options: Options) -> (Summary, Vec<Record>) {
    let load = Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap();
    let mut records = Vec::new();
    let summary = load.run(&mut Box::pin(pending::<()>()), |record| records.push(record.clone()));
    (summary, records)
}

fn refusal(options: Options) -> String {
    Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap_err().to_string()
}

/// A busy machine makes times longer; none is shorter than the script has it.
fn about(told: f64, scripted: f64) {
    assert!(told > scripted - 6.0 && told < scripted + 45.0, "{told} ms for {scripted}");
}

#[test]
fn times_are_those_of_the_script() {
    let script = Script::new(timed);
    let bounds = "ttft=2000,itl=1000,e2e=4000".parse().ok();
    let (told, records) = measure(Options { bounds, ..script.options() });
    assert_eq!((told.done, told.failed, told.output_tokens, told.input_tokens, told.pieces), (5, 0, 20, 50, 20));
    about(told.ttft_ms.unwrap().p50, 100.0);
    about(told.itl_ms.unwrap().p50, 50.0);
    about(told.tpot_ms.unwrap().p50, 50.0);
    about(told.e2e_ms.unwrap().p50, 250.0);
    assert!(told.seconds > 1.25 && told.seconds < 3.0, "{}", told.seconds);
    assert_eq!((told.goodput.unwrap().requests, told.streams_max, told.under_way_max), (5, 1, 1));
    assert!(records.iter().all(|record| record.is_done() && record.pieces_us.len() == 4));

    // The requests say what was to be asked, over one connection, the one that was there.
    let asked = script.completions();
    assert_eq!(asked.iter().map(|asked| asked.connection).collect::<BTreeSet<_>>().len(), 1);
    for asked in &asked {
        let words = asked.body["prompt"].as_str().unwrap().split(' ').count();
        assert_eq!((words, &asked.body["max_tokens"], &asked.body["ignore_eos"]), (8, &json!(4), &json!(true)));
        assert_eq!(asked.body["stream_options"], json!({"include_usage": true}));
    }
    assert_ne!(asked[0].body["prompt"], asked[1].body["prompt"], "prompts differ, so that no cache has them");

    let broken = "itl=40".parse().ok();
    assert_eq!(measure(Options { bounds: broken, ..script.options() }).0.goodput.unwrap().requests, 0);
}

#[test]
fn clients_of_a_closed_loop_ask_at_once_and_again() {
    let script = Script::new(timed);
    let arrivals = Arrivals::Closed { clients: 8, ramp: Duration::ZERO };
    let (told, _) = measure(Options { arrivals, requests: Some(24), ..script.options() });
    assert_eq!((told.done, told.streams_max, told.under_way_max), (24, 8, 8));
    assert!(told.seconds > 0.75 && told.seconds < 2.0, "{}", told.seconds);
    assert!((told.output_tokens_per_second - 96.0 / told.seconds).abs() < 1e-9);

    let (told, _) =
        measure(Options { arrivals, requests: None, time: Some(Duration::from_millis(600)), ..script.options() });
    // Three times 250 ms begin within 600 ms, and what has begun is finished; on a busy machine it may be twice.
    assert!([16, 24].contains(&told.done) && told.seconds > 0.5, "{told:?}");
}

/// A server may begin all responses at once and the answers one after the other.
#[test]
fn an_answer_that_has_not_begun_is_no_stream() {
    let turn = Mutex::new(());
    let script = Script::new(move |_, writer| {
        begin(writer);
        send(writer, &piece("", None));
        let _turn = turn.lock().unwrap();
        four(writer);
        // Until the client has seen the end.
        thread::sleep(Duration::from_millis(100));
    });
    let arrivals = Arrivals::Closed { clients: 4, ramp: Duration::ZERO };
    let (told, _) = measure(Options { arrivals, requests: Some(4), ..script.options() });
    assert_eq!((told.done, told.under_way_max, told.streams_max), (4, 4, 1));
}

/// Two measurements that are alike but for what prompts say.
#[test]
fn words_have_a_seed_of_their_own() {
    let asked = |words_seed: u64| {
        let script = Script::new(at_once);
        let lengths = "5..50".parse().unwrap();
        let options = Options { words_seed, answer: lengths, ..script.options() };
        measure(options);
        let parts = script
            .completions()
            .into_iter()
            .map(|asked| (asked.body["prompt"].as_str().unwrap().to_owned(), asked.body["max_tokens"].clone()));
        parts.unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let (first, again, other) = (asked(1), asked(1), asked(2));
    assert_eq!(first, again);
    assert_eq!(first.1, other.1, "what is asked is as long");
    assert!(first.0.iter().zip(&other.0).all(|(first, other)| first != other));
}

#[test]
fn a_poisson_load_does_not_wait_for_answers() {
    let script = Script::new(timed);
    let arrivals = Arrivals::Poisson { rate: 100.0, ramp: Duration::ZERO };
    let (told, records) = measure(Options { arrivals, requests: Some(60), ..script.options() });
    assert_eq!((told.done, told.failed), (60, 0));
    assert!(told.under_way_max > 10, "{}", told.under_way_max);
    about(told.ttft_ms.unwrap().p50, 100.0);
    // Sixty gaps of 10 ms in the mean: within three standard deviations.
    let last = records.iter().map(|record| record.due).max().unwrap().as_secs_f64();
    assert!((0.36..0.84).contains(&last), "{last}");
    assert!(told.late_ms_max < 250.0, "{}", told.late_ms_max);
}

/// What a prompt asks for, of all that can go wrong.
fn as_asked(asked: &Asked, writer: &mut TcpStream) {
    let kind = asked.body["prompt"].as_str().unwrap();
    match kind {
        "busy" => whole(writer, 429, &json!({"error": {"message": "too many wait"}})),
        "broken" => whole(writer, 500, &json!({"detail": "no"})),
        "cut" => {
            begin(writer);
            send(writer, &piece("a", None));
            writer.shutdown(std::net::Shutdown::Both).unwrap();
        }
        "unfinished" => {
            begin(writer);
            send(writer, &piece("a", None));
            writer.write_all(b"0\r\n\r\n").unwrap();
        }
        "wrong" => {
            begin(writer);
            send(writer, &piece("a", None));
            send(writer, "data: {\"error\": {\"message\": \"no more memory\"}}\n\n");
            writer.write_all(b"0\r\n\r\n").unwrap();
        }
        "garbled" => {
            begin(writer);
            send(writer, "data: {\"choices\": [\n\n");
            writer.write_all(b"0\r\n\r\n").unwrap();
        }
        "whole" => whole(writer, 200, &json!({"choices": []})),
        "late" => thread::sleep(Duration::from_secs(3)),
        "open" => {
            begin(writer);
            send(writer, &piece("a b", Some("stop")));
            send(writer, "data: [DONE]\n\n");
            thread::sleep(Duration::from_secs(3));
        }
        "bare" => {
            // No `[DONE]`, no count of tokens, no empty line, and the connection's end is the answer's.
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            let text = piece("a b", Some("stop"));
            writer.write_all(format!("{head}{}", text.trim_end()).as_bytes()).unwrap();
            writer.shutdown(std::net::Shutdown::Both).unwrap();
        }
        _ => at_once(asked, writer),
    }
}

#[test]
fn failures_are_told_by_their_kind() {
    let script = Script::new(as_asked);
    let kinds = ["fine", "busy", "broken", "cut", "unfinished", "wrong", "garbled", "whole", "late", "open", "bare"];
    let prompts = Prompts::Given(kinds.map(|kind| Prompt::Text(kind.to_owned())).to_vec());
    let arrivals = Arrivals::Closed { clients: 5, ramp: Duration::ZERO };
    let timeout = Duration::from_secs(1);
    let (told, records) = measure(Options { prompts, arrivals, timeout, requests: Some(22), ..script.options() });
    assert_eq!((told.done, told.failed), (6, 16));
    let outcome = |kind: &str| {
        let at = kinds.iter().position(|known| *known == kind).unwrap() as u64;
        let of: Vec<_> = records.iter().filter(|record| record.number % kinds.len() as u64 == at).collect();
        assert_eq!(of.len(), 2, "{kind}");
        assert_eq!(of[0].outcome, of[1].outcome);
        match &of[0].outcome {
            Outcome::Done => ("done".to_owned(), String::new()),
            Outcome::Failed { kind, message } => (kind.clone(), message.clone()),
        }
    };
    let expected = [
        ("fine", "done", ""),
        ("busy", "429 Too Many Requests", "too many wait"),
        ("broken", "500 Internal Server Error", r#"{"detail":"no"}"#),
        ("cut", "stream cut", ""),
        ("unfinished", "stream cut", "it ended before the answer did"),
        ("wrong", "error in the stream", "no more memory"),
        ("garbled", "error in the stream", "an event cannot be read"),
        ("whole", "no stream", "application/json"),
        ("late", "timeout", "in time"),
        ("open", "done", ""),
        ("bare", "done", ""),
    ];
    for (prompt, kind, message) in expected {
        let (told, said) = outcome(prompt);
        assert!(told == kind && said.contains(message), "{prompt}: {told}: {said}");
    }
    let counts: BTreeMap<_, _> = told.errors.iter().map(|failures| (&*failures.kind, failures.count)).collect();
    assert_eq!(counts["stream cut"], 4);
    assert_eq!(counts["429 Too Many Requests"], 2);
    assert_eq!(counts.values().sum::<u64>(), 16);
}

/// For whether its connection can be used again the first is waited for, and no other.
#[test]
fn a_response_that_is_left_open_holds_nobody_up() {
    let script = Script::new(|_: &Asked, writer: &mut TcpStream| {
        begin(writer);
        send(writer, &piece("a b", Some("stop")));
        send(writer, "data: [DONE]\n\n");
        thread::sleep(Duration::from_secs(3));
    });
    let told = measure(Options { requests: Some(20), ..script.options() }).0;
    assert_eq!((told.done, told.failed), (20, 0));
    assert!(told.seconds < 1.8, "{} s", told.seconds);
}

/// One response is left open. Others end in the same piece as their answers do, and are over when anybody looks.
#[test]
fn connections_whose_responses_end_at_once_are_used_again_behind_one_left_open() {
    let script = Script::new(|asked: &Asked, writer: &mut TcpStream| {
        begin(writer);
        let text = format!("{}data: [DONE]\n\n", piece("a b", Some("stop")));
        if asked.body["prompt"] == "open" {
            send(writer, &text);
            thread::sleep(Duration::from_secs(3));
            return;
        }
        let _ = writer.write_all(format!("{:x}\r\n{text}\r\n0\r\n\r\n", text.len()).as_bytes());
    });
    let mut prompts = vec![Prompt::Text("other".to_owned()); 40];
    prompts[0] = Prompt::Text("open".to_owned());
    let told = measure(Options { prompts: Prompts::Given(prompts), requests: Some(40), ..script.options() }).0;
    assert_eq!((told.done, told.failed), (40, 0));
    let connections: BTreeSet<_> = script.completions().iter().map(|asked| asked.connection).collect();
    // On a busy machine one or another is looked at too soon.
    assert!(connections.len() < 20, "{connections:?}");
}

/// A connection that is lost is no response left open: the end of others is waited for as before.
#[test]
fn a_connection_that_breaks_behind_an_answer_changes_nothing_for_others() {
    let script = Script::new(|asked: &Asked, writer: &mut TcpStream| {
        begin(writer);
        send(writer, &piece("a b", Some("stop")));
        send(writer, "data: [DONE]\n\n");
        if asked.body["prompt"] == "break" {
            writer.shutdown(std::net::Shutdown::Both).unwrap();
            return;
        }
        // Later than anybody looks who does not wait.
        thread::sleep(Duration::from_millis(20));
        let _ = writer.write_all(b"0\r\n\r\n");
    });
    let prompts = ["break", "a", "b", "c", "d", "e"].map(|text| Prompt::Text(text.to_owned()));
    let options = Options { prompts: Prompts::Given(prompts.to_vec()), requests: Some(6), ..script.options() };
    let told = measure(options).0;
    assert_eq!((told.done, told.failed), (6, 0));
    let asked = script.completions();
    let connections: BTreeSet<_> = asked.iter().skip(1).map(|asked| asked.connection).collect();
    // On a busy machine the end of one may come too late.
    assert!(connections.len() < 4, "{connections:?}");
}

/// Servers differ in what they understand; a refused request is written otherwise.
#[test]
fn requests_are_written_as_the_server_understands_them() {
    let refusing = |words: &'static [&'static str]| {
        Script::new(move |asked: &Asked, writer: &mut TcpStream| {
            let unknown = words.iter().find(|word| asked.body.get(**word).is_some());
            match unknown {
                Some(word) => whole(writer, 400, &json!({"error": {"message": format!("unknown {word}")}})),
                None => at_once(asked, writer),
            }
        })
    };
    for (words, kept, notes) in [
        (&["ignore_eos"][..], "max_tokens", 1),
        (&["ignore_eos", "max_tokens"], "max_completion_tokens", 1),
        (&["ignore_eos", "stream_options"], "max_tokens", 2),
    ] {
        let script = refusing(words);
        let load = Load::prepare(script.options(), &mut Box::pin(pending::<()>())).unwrap();
        assert_eq!(load.notes().len(), notes, "{:?}", load.notes());
        let told = load.run(&mut Box::pin(pending::<()>()), |_| ());
        assert_eq!((told.done, told.failed), (5, 0));
        assert!(script.completions().iter().any(|asked| asked.body[kept] == json!(4)));
    }
    let error = refusal(refusing(&["prompt"]).options());
    assert_eq!(error, "/v1/completions of the server does not answer: unknown prompt");
}

#[test]
fn chats_models_and_keys_are_asked_for() {
    let script = Script::new(|asked, writer| match &*asked.path {
        "/v1/chat/completions" if asked.key.starts_with("Bearer key-") => {
            begin(writer);
            send(writer, "data: {\"choices\": [{\"delta\": {\"role\": \"assistant\", \"content\": \"\"}}]}\n\n");
            let chunk = json!({"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]});
            send(writer, &format!("data: {chunk}\n\n"));
            end(writer, 1);
        }
        _ => whole(writer, 401, &json!({"error": {"message": "who are you?"}})),
    });
    let keys = ["key-a", "key-b"].map(str::to_owned).to_vec();
    let arrivals = Arrivals::Closed { clients: 4, ramp: Duration::from_millis(20) };
    let options = Options {
        endpoint: Endpoint::Chat,
        models: Vec::new(),
        all_models: true,
        zipf: 1.0,
        arrivals,
        keys: keys.clone(),
        requests: Some(200),
        ..script.options()
    };
    let (told, records) = measure(options.clone());
    assert_eq!((told.done, told.failed, told.short_answers), (200, 0, 200));
    assert!(records.iter().all(|record| record.pieces_us.len() == 1), "a role is no token");
    let models = told.models.unwrap();
    assert_eq!((models.asked, &*models.done.most_of), (3, "base"));
    assert_eq!(told.keys.unwrap().asked, 2);
    // With weights 1, 1/2 and 1/3 the first has 109 of 200, give or take three standard deviations.
    let count = |model: &str| script.completions().iter().filter(|asked| asked.body["model"] == model).count();
    assert!((88..130).contains(&count("base")), "{}", count("base"));
    assert_eq!(count("base") as f64, models.done.most);
    let words = script.completions()[0].body["messages"][0]["content"].as_str().unwrap().split(' ').count();
    assert_eq!(words, 8);

    let (again, _) = measure(options.clone());
    assert_eq!(again.models.unwrap().done, models.done, "the same seed asks the same");
    let first = Options { all_models: false, requests: Some(3), ..options.clone() };
    assert!(measure(first).0.models.is_none());
    for (keys, models, what) in [
        (vec!["other".to_owned()], Vec::new(), "does not take the key"),
        (Vec::new(), Vec::new(), "wants a key"),
        (Vec::new(), vec!["base".to_owned()], "wants a key"),
    ] {
        let error = refusal(Options { keys, models, ..options.clone() });
        let told = "(401 Unauthorized: who are you?): give one that it takes in OPENAI_API_KEY, or in a file by --api-key-file";
        assert!(error.ends_with(&format!(" {what} {told}")), "{error}");
    }
    let error = refusal(Options { keys: vec!["a\nb".to_owned()], ..options });
    assert!(error.contains("key 1 has characters"), "{error}");
}

/// The context is 40: prompts of up to 60 tokens and answers of 30 are made to fit.
#[test]
fn lengths_fit_the_context() {
    let script = Script::new(at_once);
    let prompts = Prompts::Made("1..60".parse().unwrap());
    measure(Options { prompts, answer: "30".parse().unwrap(), requests: Some(40), ..script.options() });
    let lengths: Vec<usize> = script
        .completions()
        .iter()
        .map(|asked| asked.body["prompt"].as_str().unwrap().split(' ').count() + 2)
        .collect();
    assert!(lengths.iter().all(|tokens| (3..=10).contains(tokens)), "{lengths:?}");
    assert!(lengths.iter().filter(|tokens| **tokens == 10).count() > 20, "{lengths:?}");
}

/// One that takes the question and says nothing.
#[test]
fn a_server_that_does_not_count_in_time_is_measured_all_the_same() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || {
                let mut writer = stream.unwrap();
                let mut reader = BufReader::new(writer.try_clone().unwrap());
                while let Some(asked) = read(0, &mut reader) {
                    if asked.path != "/tokenize" {
                        at_once(&asked, &mut writer);
                    }
                }
            });
        }
    });
    let options = Options { timeout: Duration::from_secs(1), ..asking::options(&url, &["base"], 1) };
    let load = Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap();
    let note = "a word of a prompt is taken for a token, which is nearly so: the server's /tokenize does not count: there was no end of it in time";
    assert!(load.notes().iter().any(|told| told == note), "{:?}", load.notes());
}

#[test]
fn slow_readers_are_left_behind() {
    let script = Script::new(timed);
    let arrivals = Arrivals::Closed { clients: 4, ramp: Duration::ZERO };
    let (told, _) = measure(Options { arrivals, slow_readers: 0.5, requests: Some(12), ..script.options() });
    let slow = told.slow_readers.unwrap();
    assert_eq!((slow.sent, slow.done, slow.failed, slow.still_reading), (2, 0, 0, 2));
    assert_eq!((told.done, told.failed), (10, 0));
    about(told.ttft_ms.unwrap().p50, 100.0);
}

/// A connection that is read slowly would make an ordinary reader's times long.
#[test]
fn nobody_takes_the_connection_of_a_slow_reader_that_was_refused() {
    let script = Script::new(|asked: &Asked, writer: &mut TcpStream| {
        let _ = if asked.key == "Bearer slow" {
            // Short, because a slow reader takes a second for eight bytes of it.
            writer.write_all(b"HTTP/1.1 429\r\nContent-Length: 0\r\n\r\n")
        } else {
            // The connection ends with the answer, so that each request looks for another.
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            let text = piece("a", Some("stop"));
            thread::sleep(Duration::from_millis(50));
            let written = writer.write_all(format!("{head}{text}data: [DONE]\n\n").as_bytes());
            written.and_then(|()| writer.shutdown(std::net::Shutdown::Both))
        };
    });
    let options = Options {
        arrivals: Arrivals::Closed { clients: 2, ramp: Duration::ZERO },
        keys: ["ordinary", "slow"].map(str::to_owned).to_vec(),
        slow_readers: 0.5,
        requests: None,
        time: Some(Duration::from_secs(60)),
        ..script.options()
    };
    let load = Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap();
    let (sender, mut receiver) = tokio::sync::oneshot::channel::<()>();
    let (mut sender, mut is_refused, mut later) = (Some(sender), false, 0);
    load.run(&mut receiver, |record| {
        is_refused |= record.is_slow && !record.is_done();
        later += u32::from(is_refused && !record.is_slow);
        // The first may have been sent before.
        if later == 3 {
            sender.take().unwrap().send(()).unwrap();
        }
    });
    assert_eq!(later.min(3), 3, "the slow reader was refused, and others asked behind that");
    let asked = script.completions();
    let slow: BTreeSet<_> = asked.iter().filter(|asked| asked.key == "Bearer slow").map(|one| one.connection).collect();
    let mixed: Vec<_> = asked.iter().filter(|one| one.key != "Bearer slow" && slow.contains(&one.connection)).collect();
    assert!(!slow.is_empty() && mixed.is_empty(), "{mixed:?}");
}

#[test]
fn what_was_measured_until_it_is_stopped_is_told() {
    let script = Script::new(timed);
    let arrivals = Arrivals::Closed { clients: 2, ramp: Duration::ZERO };
    let options = Options { arrivals, requests: None, time: Some(Duration::from_secs(60)), ..script.options() };
    let load = Load::prepare(options, &mut Box::pin(pending::<()>())).unwrap();
    let (sender, mut receiver) = tokio::sync::oneshot::channel::<()>();
    let mut sender = Some(sender);
    let told = load.run(&mut receiver, |record| {
        if record.number == 3 {
            sender.take().unwrap().send(()).unwrap();
        }
    });
    assert!((3..=5).contains(&told.done) && told.stopped >= 1 && told.failed == 0, "{told:?}");
    // Requests have come until then.
    let window = told.window.unwrap();
    assert!(window.seconds < 20.0 && window.seconds > 0.4, "{told:?}");

    let (sender, mut receiver) = tokio::sync::oneshot::channel::<()>();
    drop(sender);
    let error = Load::prepare(script.options(), &mut receiver).unwrap_err();
    // Whichever is first: a server that answers at once may have done so.
    assert_eq!(error.to_string(), "stopped before anything was measured");
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_reason() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let script = Script::new(at_once);
    let error = refusal(Options { target: format!("http://{closed}").parse().unwrap(), ..script.options() });
    assert!(error.starts_with(&format!("there is no server at {closed}")), "{error}");
    let conversation = vec![Prompt::Messages(vec![json!({"role": "user", "content": "a"})])];
    let error = refusal(Options { prompts: Prompts::Given(conversation), ..script.options() });
    assert_eq!(error, "prompt 1 is a conversation, which only the chat endpoint takes");
    let error = refusal(Options { prompts: Prompts::Given(Vec::new()), ..script.options() });
    assert_eq!(error, "there is no prompt");

    // A server without the extras: a word is taken for a token, and it is said.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut writer = stream.unwrap();
            let mut reader = BufReader::new(writer.try_clone().unwrap());
            thread::spawn(move || {
                while let Some(asked) = read(0, &mut reader) {
                    match &*asked.path {
                        "/v1/completions" => at_once(&asked, &mut writer),
                        _ => whole(&mut writer, 404, &json!({"message": "not here"})),
                    }
                }
            });
        }
    });
    let options = Options { target: url.parse().unwrap(), ..script.options() };
    let load = Load::prepare(options.clone(), &mut Box::pin(pending::<()>())).unwrap();
    assert!(load.notes()[0].contains("not here"), "{:?}", load.notes());
    assert_eq!(load.run(&mut Box::pin(pending::<()>()), |_| ()).done, 5);
    let error = refusal(Options { models: Vec::new(), ..options });
    let authority = url.strip_prefix("http://").unwrap();
    assert_eq!(error, listless(authority, "404 Not Found: not here"));
}

fn listless(authority: &str, reason: &str) -> String {
    format!("the server at {authority} does not list its models ({reason}): name one by --model")
}

/// Of a server of something else, the whole page of which would be in the message.
#[test]
fn a_page_is_no_list_of_models() {
    let script = Script::new(at_once);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let authority = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut writer = stream.unwrap();
            let mut reader = BufReader::new(writer.try_clone().unwrap());
            thread::spawn(move || {
                while read(0, &mut reader).is_some() {
                    let page = format!(
                        "
<!DOCTYPE html>{}
<html>
</html>
",
                        "x".repeat(1000)
                    );
                    write!(
                        writer,
                        "HTTP/1.1 404 Not Found
Content-Length: {}

{page}",
                        page.len()
                    )
                    .unwrap();
                }
            });
        }
    });
    let error = refusal(Options {
        models: Vec::new(),
        target: format!("http://{authority}").parse().unwrap(),
        ..script.options()
    });
    let line = format!("404 Not Found: <!DOCTYPE html>{}…", "x".repeat(200 - "<!DOCTYPE html>".len()));
    assert_eq!(error, listless(&authority, &line));
}
