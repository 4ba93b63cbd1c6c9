//! Who may do what: keys, their scopes and limits, and what is told of them.

use api::{ENDPOINTS, Method, Scope};
use engine::{AdapterFault, Failure, Refusal};
use serde_json::json;
use server::{Address, KeyEntry, KeyFile, KeyScope, Keys, Limits, NewKey, Server, StartError};

use crate::client::{Client, Response};
use crate::double::{Script, UNLOADED_LATE};
use crate::setup::{CONTEXT, MODEL, Running, Setup, config, hello, tokenizer, tokens};

const PATH: &str = "/v1/chat/completions";

/// A file with a key for each scope; each is called as its scope, and changed by `change`.
fn keys(change: impl Fn(&mut KeyEntry)) -> (Keys, Vec<(Scope, String)>) {
    let scopes =
        [(Scope::Infer, KeyScope::Infer), (Scope::Adapters, KeyScope::Adapters), (Scope::Metrics, KeyScope::Metrics)];
    let mut file = KeyFile::default();
    let secrets = scopes.map(|(scope, of_key)| {
        let NewKey { secret, mut entry } = NewKey::random(of_key.name(), &[of_key]).unwrap();
        change(&mut entry);
        file.add(entry).unwrap();
        (scope, secret)
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    std::fs::write(&path, file.text()).unwrap();
    (Keys::read(&path).unwrap(), secrets.into())
}

fn guarded(change: impl Fn(&mut KeyEntry)) -> (Running, Vec<(Scope, String)>) {
    let (keys, secrets) = keys(change);
    let tokens = tokens("yes");
    (Setup { keys, ..Setup::default() }.run(move |_| Script::Tokens(tokens.clone())), secrets)
}

fn secret(secrets: &[(Scope, String)], wanted: impl Fn(Scope) -> bool) -> &str {
    &secrets.iter().find(|(scope, _)| wanted(*scope)).unwrap().1
}

/// What each endpoint is asked in the walk through the list.
fn call(client: &Client, method: Method, path: &str) -> Response {
    let path = path.replace("{id}", "org/small").replace("{file}", "chat.js");
    match method {
        Method::Get => client.get(&path),
        Method::Post => client.post(&path, &json!({})),
    }
}

#[test]
fn every_endpoint_has_its_gate() {
    let (server, secrets) = guarded(|_| {});
    for endpoint in ENDPOINTS {
        let path = endpoint.path;
        let status = |client: &Client| call(client, endpoint.method, path).status;
        let without = status(&server.client());
        if endpoint.scope == Scope::Public {
            assert_eq!(without, 200, "{path} is for everyone");
            continue;
        }
        assert_eq!(without, 401, "{path} without a key");
        assert_eq!(status(&server.client().key("fk-none")), 401, "{path} with a key that nobody has");
        let other = secret(&secrets, |scope| scope != endpoint.scope);
        assert_eq!(status(&server.client().key(other)), 403, "{path} with a key of another scope");
        let own = secret(&secrets, |scope| scope == endpoint.scope);
        let status = status(&server.client().key(own));
        assert!([200, 400].contains(&status), "{path} with a key of its scope: {status}");
    }
}

#[test]
fn what_the_gate_says() {
    let (server, secrets) = guarded(|_| {});
    let response = server.client().post(PATH, &hello(&json!({})));
    assert_eq!((response.status, &response.error()["type"]), (401, &json!("authentication_error")));
    assert_eq!(response.error()["code"], "invalid_api_key");
    assert_eq!(response.header("www-authenticate"), Some("Bearer"));
    assert_eq!(response.header("x-should-retry"), Some("false"));
    let metrics = server.client().key(secret(&secrets, |scope| scope == Scope::Metrics));
    let response = metrics.post(PATH, &hello(&json!({})));
    assert_eq!((response.status, &response.error()["type"]), (403, &json!("permission_error")));
    let said =
        "the key `metrics` has the scope `metrics`, and /v1/chat/completions needs `infer`: ask with one that has it";
    assert_eq!(response.error()["message"], said);
    let infer = secret(&secrets, |scope| scope == Scope::Infer);
    let ask = |header: &str, value: &str| server.client().with(header, value).post(PATH, &hello(&json!({})));
    assert_eq!(ask("Authorization", &format!("bearer {infer}")).status, 200);
    let not_so = "the header `Authorization` is there, and not as `Bearer` and the key, with a space between them: send `Authorization: Bearer …`";
    for (header, value, message) in [
        ("Authorization", format!("Basic {infer}"), not_so),
        ("Authorization", infer.to_owned(), not_so),
        ("Authorization", "Bearer ".to_owned(), not_so),
        ("Authorization", format!("Bearer {infer}x"), "the key is not known to this server"),
        (
            "API-Key",
            infer.to_owned(),
            "the header `api-key` is there, from which no key is read: send it as `Authorization: Bearer …`",
        ),
        (
            "x-api-key",
            infer.to_owned(),
            "the header `x-api-key` is there, from which no key is read: send it as `Authorization: Bearer …`",
        ),
        ("Cookie", infer.to_owned(), "no key was given: send it as `Authorization: Bearer …`"),
    ] {
        let response = ask(header, &value);
        assert_eq!((response.status, &response.error()["message"]), (401, &json!(message)), "{header}: {value:?}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let (server, _) = guarded(|_| {});
    for path in ["/v1/nothing", "/v1", "/metrics/", "/health/../metrics", "/V1/models"] {
        assert_eq!(server.client().get(path).status, 404, "{path}");
    }
    let (open, _) = (Setup::default().run(|_| Script::Silence), ());
    let response = open.client().get(PATH);
    assert_eq!((response.status, &response.error()["code"]), (405, &json!("method_not_allowed")));
    assert_eq!(server.client().get(PATH).status, 401, "another method is behind the same gate");
}

#[test]
fn limits_of_a_key() {
    let (server, secrets) = guarded(|entry| {
        entry.requests_per_minute = Some(2);
        entry.tokens_per_minute = Some(1000);
    });
    let client = server.client().key(secret(&secrets, |scope| scope == Scope::Infer));
    for left in ["1", "0"] {
        let response = client.post(PATH, &hello(&json!({})));
        assert_eq!(response.status, 200);
        assert_eq!(response.header("x-ratelimit-limit-requests"), Some("2"));
        assert_eq!(response.header("x-ratelimit-remaining-requests"), Some(left));
        assert!(response.header("x-ratelimit-reset-requests").unwrap().ends_with("ms"));
        assert_eq!(response.header("x-ratelimit-limit-tokens"), Some("1000"));
    }
    let response = client.post(PATH, &hello(&json!({})));
    assert_eq!((response.status, &response.error()["type"]), (429, &json!("rate_limit_error")));
    let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((25..=30).contains(&wait), "{wait} s");
    assert_eq!(response.header("x-should-retry"), Some("true"));
    for path in ["/v1/models", "/v1/models/tuned"] {
        assert_eq!(client.get(path).status, 429, "who asks which models there are asks");
    }
    let tokens: u64 = client.get("/v1/models").header("x-ratelimit-remaining-tokens").unwrap().parse().unwrap();
    assert!(tokens < 990, "prompt and answer are charged: {tokens}");
}

#[test]
fn a_key_may_not_pass_all_others() {
    let (server, secrets) = guarded(|_| {});
    let client = server.client().key(secret(&secrets, |scope| scope == Scope::Infer));
    let response = client.post(PATH, &hello(&json!({"priority": -1})));
    assert_eq!((response.status, &response.error()["param"]), (403, &json!("priority")));
    assert_eq!(client.post(PATH, &hello(&json!({"priority": 1}))).status, 200);
    assert_eq!(server.next_request().priority, 1, "the first was not asked");
}

#[test]
fn requests_at_the_same_time() {
    let (keys, secrets) = keys(|entry| entry.concurrency = Some(1));
    let server = Setup { keys, ..Setup::default() }.run(|_| Script::Endless(70, std::time::Duration::from_millis(5)));
    let client = server.client().key(secret(&secrets, |scope| scope == Scope::Infer));
    let mut first = client.stream(PATH, &hello(&json!({"stream": true})));
    first.frame().unwrap();
    assert_eq!(client.post(PATH, &hello(&json!({}))).status, 429);
    drop(first);
    let again = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        client.post(PATH, &hello(&json!({"max_tokens": 1}))).status == 200
    });
    assert!(again, "a client that left has its place again");
}

/// Whoever has put an adapter there, and while that key is one.
#[test]
fn an_adapter_is_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let scopes = [KeyScope::Infer, KeyScope::Adapters];
    let [first, second] = ["first", "second"].map(|name| NewKey::random(name, &scopes).unwrap());
    let reader = NewKey::random("reader", &[KeyScope::Infer]).unwrap();
    let write = |entries: &[&KeyEntry]| {
        let mut file = KeyFile::default();
        entries.iter().for_each(|entry| file.add((*entry).clone()).unwrap());
        std::fs::write(folder.path().join("new"), file.text()).unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
    };
    write(&[&first.entry, &second.entry, &reader.entry]);
    let said = tokens("yes");
    let setup = Setup { keys: Keys::read(&path).unwrap(), ..Setup::default() };
    let server = setup.run(move |_| Script::Tokens(said.clone()));
    let load = |key: &NewKey, name: &str| {
        let body = json!({"lora_name": name, "lora_path": "adapters/new"});
        server.client().key(&key.secret).post("/v1/load_lora_adapter", &body)
    };
    let unload = |key: &NewKey, name: &str| {
        server.client().key(&key.secret).post("/v1/unload_lora_adapter", &json!({"lora_name": name})).status
    };
    assert_eq!((load(&first, "mine").status, load(&first, "mine").status), (200, 200));
    let refused = load(&second, "mine");
    assert_eq!((refused.status, &refused.error()["param"]), (403, &json!("lora_name")));
    assert_eq!((unload(&second, "mine"), unload(&first, "mine"), unload(&second, "mine")), (403, 200, 404));
    // Of a name that is free again, and of an adapter that was nobody's.
    assert_eq!((load(&second, "mine").status, unload(&first, "mine")), (200, 403));
    assert_eq!((load(&first, "tuned").status, unload(&second, "tuned")), (200, 403));
    // Where an adapter lies is told to who may load them.
    let root = |key: &NewKey, name: &str| {
        server.client().key(&key.secret).get(&format!("/v1/models/{name}")).json()["root"].clone()
    };
    assert_eq!((root(&first, "mine"), root(&reader, "mine")), (json!("adapters/new"), json!("mine")));
    assert_eq!((root(&first, MODEL), root(&reader, MODEL)), (json!("models/small"), json!(MODEL)));
    let listed = server.client().key(&reader.secret).get("/v1/models").json();
    assert!(listed["data"].as_array().unwrap().iter().all(|model| model["root"] == model["id"]), "{listed}");
    write(&[&first.entry, &reader.entry]);
    let is_gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        server.client().key(&second.secret).get("/v1/models").status == 401
    });
    assert!(is_gone);
    assert_eq!(unload(&first, "mine"), 200, "its key is none any more");
}

/// The engine may have taken an adapter away though its key was told that this took too long.
#[test]
fn an_adapter_that_is_gone_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let [first, second] = ["first", "second"].map(|name| NewKey::random(name, &[KeyScope::Adapters]).unwrap());
    let mut file = KeyFile::default();
    [&first, &second].into_iter().for_each(|key| file.add(key.entry.clone()).unwrap());
    std::fs::write(&path, file.text()).unwrap();
    let limits = Limits { look: std::time::Duration::from_millis(500), ..Limits::default() };
    let server = Setup { keys: Keys::read(&path).unwrap(), limits, ..Setup::default() }.run(|_| Script::Silence);
    let load = |key: &NewKey| {
        let body = json!({"lora_name": UNLOADED_LATE, "lora_path": "adapters/new"});
        server.client().key(&key.secret).post("/v1/load_lora_adapter", &body).status
    };
    let unload = |key: &NewKey| {
        server.client().key(&key.secret).post("/v1/unload_lora_adapter", &json!({"lora_name": UNLOADED_LATE})).status
    };
    assert_eq!((load(&first), load(&second), unload(&second)), (200, 403, 403));
    assert_eq!(unload(&first), 503);
    assert_eq!((load(&second), load(&first)), (200, 403));
}

#[test]
fn what_is_wrong_with_an_adapter_is_told_to_who_may_load_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let reader = NewKey::random("reader", &[KeyScope::Infer]).unwrap();
    let owner = NewKey::random("owner", &[KeyScope::Infer, KeyScope::Adapters]).unwrap();
    let mut file = KeyFile::default();
    [&reader, &owner].into_iter().for_each(|key| file.add(key.entry.clone()).unwrap());
    std::fs::write(&path, file.text()).unwrap();
    let (name, reason) = ("tuned".to_owned(), "cannot read /srv/adapters/tuned".to_owned());
    let of = |fault| Failure::Adapter { name: name.clone(), reason: reason.clone(), fault };
    let failures = [
        (400, json!("model"), of(AdapterFault::Files)),
        (400, json!("model"), Failure::Refused(Refusal::Adapter { name: name.clone(), reason: reason.clone() })),
        (500, json!(null), of(AdapterFault::Engine)),
    ];
    for (status, param, failure) in failures {
        let setup = Setup { keys: Keys::read(&path).unwrap(), ..Setup::default() };
        let server = setup.run(move |_| Script::Fail(Vec::new(), failure.clone()));
        for stream in [false, true] {
            let told = |key: &NewKey| {
                let asked = hello(&json!({"model": "tuned", "stream": stream}));
                let response = server.client().key(&key.secret).post(PATH, &asked);
                let error = response.error();
                assert_eq!((response.status, &error["code"]), (status, &json!("unusable_adapter")));
                assert_eq!((&error["param"], response.header("x-should-retry")), (&param, Some("false")));
                error["message"].as_str().unwrap().to_owned()
            };
            let hidden = told(&reader);
            assert!(!hidden.contains("/srv") && hidden.contains("the adapter `tuned` cannot be served"), "{hidden}");
            assert!(told(&owner).contains("/srv/adapters/tuned"));
        }
    }
}

/// Nothing is wrong with it, and whoever may unload others has to do so.
#[test]
fn an_adapter_without_room_is_no_fault_of_the_servers() {
    let reason = "it has 16 ranks, and pinned adapters leave 0 of the device's 32".to_owned();
    let name = "tuned".to_owned();
    let failures = [
        Failure::Adapter { name: name.clone(), reason: reason.clone(), fault: AdapterFault::Room },
        Failure::Refused(Refusal::NoRoomForAdapter { name, reason }),
    ];
    for failure in failures {
        let server = Setup::default().run(move |_| Script::Fail(Vec::new(), failure.clone()));
        let response = server.client().post(PATH, &hello(&json!({"model": "tuned"})));
        let error = response.error();
        assert_eq!((response.status, &error["code"]), (503, &json!("no_room_for_adapter")), "{error}");
        assert_eq!((&error["param"], response.header("x-should-retry")), (&json!("model"), Some("false")));
        assert!(error["message"].as_str().unwrap().ends_with("leave 0 of the device's 32"), "{error}");
    }
}

#[test]
fn a_file_of_keys_that_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let [mut first, mut second] = ["first", "second"].map(|name| NewKey::random(name, &[KeyScope::Infer]).unwrap());
    let write = |entries: &[&KeyEntry]| {
        let mut file = KeyFile::default();
        entries.iter().for_each(|entry| file.add((*entry).clone()).unwrap());
        std::fs::write(folder.path().join("new"), file.text()).unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
    };
    write(&[&first.entry]);
    let server = Setup { keys: Keys::read(&path).unwrap(), ..Setup::default() }.run(|_| Script::Silence);
    let becomes = |key: &NewKey, status: u16| {
        (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            server.client().key(&key.secret).get("/v1/models").status == status
        })
    };
    assert!(becomes(&first, 200) && becomes(&second, 401));
    write(&[&first.entry, &second.entry]);
    assert!(becomes(&second, 200), "a key was added");
    second.entry.expires = Some(1);
    first.entry.scopes = vec![KeyScope::Metrics];
    write(&[&first.entry, &second.entry]);
    assert!(becomes(&second, 401) && becomes(&first, 403), "a key has expired, and one may do something else");
    std::fs::write(&path, "{\"keys\": [").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(becomes(&first, 403), "of a file that is damaged nothing is taken");
    std::fs::remove_file(&path).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(becomes(&first, 403), "nor of one that is gone");
    write(&[]);
    assert!(becomes(&first, 401), "all are revoked");
}

#[test]
fn one_key_for_everything() {
    let setup = Setup { keys: Keys::one("secret").unwrap(), ..Setup::default() };
    let server = setup.run(|_| Script::Tokens(vec![1]));
    assert_eq!(server.client().get("/metrics").status, 401);
    for path in ["/metrics", "/v1/models"] {
        assert_eq!(server.client().key("secret").get(path).status, 200, "{path}");
    }
}

#[test]
fn a_public_address_needs_keys() {
    let take = |address: [u8; 4], keys: &Keys| Address::take((address, 0).into(), keys);
    let refused = take([0, 0, 0, 0], &Keys::open()).unwrap_err();
    assert!(matches!(refused, StartError::Open(_)), "{refused}");
    assert!(refused.to_string().contains("can be reached from other machines"));
    assert!(take([127, 0, 0, 1], &Keys::open()).is_ok());
    let address = take([0, 0, 0, 0], &Keys::one("secret").unwrap()).unwrap();
    // Nor may the server have others than its address was taken for.
    let tokenizer = tokenizer();
    let (service, _inbox) = crate::setup::service(&tokenizer, CONTEXT, 1);
    let refused = Server::listen(address, config(&tokenizer, Keys::open(), Limits::default()), service).unwrap_err();
    assert!(matches!(refused, StartError::Open(_)), "{refused}");
}

/// Who asks a server that loads its model is refused, as before it was started, and does not wait; who wants its port is told at once.
#[test]
fn an_address_that_is_taken() {
    let tokenizer = tokenizer();
    let keys = Keys::open();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = Address::take(free, &keys).unwrap();
    let refused = std::net::TcpStream::connect(free).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    let (service, _inbox) = crate::setup::service(&tokenizer, CONTEXT, 1);
    let server = Server::listen(address, config(&tokenizer, keys, Limits::default()), service).unwrap();
    assert_eq!(server.address(), free);
    assert!(std::net::TcpStream::connect(free).is_ok());
    let refused = Address::take(free, &Keys::open()).unwrap_err();
    assert_eq!(refused.to_string(), format!("cannot listen at {free}"));
}

#[test]
fn a_server_without_keys_answers_to_this_machine_alone() {
    let server = Setup::default().run(|_| Script::Tokens(vec![1]));
    let status = |host: &str| server.client().with("Host", host).get("/v1/models").status;
    for (host, expected) in [
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("example.com", 403),
        ("localhost.example.com", 403),
    ] {
        assert_eq!(status(host), expected, "{host}");
    }
    let both = server.client().with("Host", "localhost").with("Host", "example.com");
    assert_eq!(both.get("/v1/models").status, 403);
    let error = server.client().with("Host", "example.com").get("/v1/models").error();
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with("or start it with keys (--api-key, --api-keys)"), "{message}");
    let with_keys = Setup { keys: Keys::one("secret").unwrap(), ..Setup::default() }.run(|_| Script::Silence);
    let response = with_keys.client().key("secret").with("Host", "models.example.com").get("/v1/models");
    assert_eq!(response.status, 200);
}

#[test]
fn headers_of_every_answer() {
    let server = Setup::default().run(|_| Script::Tokens(vec![1]));
    let response = server.client().with("X-Request-Id", "mine-1").post(PATH, &hello(&json!({})));
    assert_eq!(response.header("x-request-id"), Some("mine-1"));
    assert!(response.header("openai-processing-ms").unwrap().parse::<u64>().is_ok());
    let response = server.client().with("X-Request-Id", "two words").get("/health");
    assert!(response.header("x-request-id").unwrap().starts_with("req-"));
}
