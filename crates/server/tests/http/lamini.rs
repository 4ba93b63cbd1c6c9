//! Completions in Lamini's shapes.

use serde_json::{Value, json};

use crate::setup::{MODEL, saying};

const PATH: &str = "/lamini/v1/completions";

#[test]
fn answers_are_objects() {
    let server = saying("  All is well.");
    let ask = |body: Value| server.client().post(PATH, &body).json();
    assert_eq!(ask(json!({"model_name": MODEL, "prompt": "How is it?"})), json!({"output": "  All is well."}));
    let request = server.next_request();
    assert_eq!(server.tokenizer.decode(&request.prompt, true).unwrap(), "How is it?");
    assert!(request.constraint.is_none() && !request.sampling.draws(), "it cannot ask for another temperature");
    let expected = json!([{"output": "  All is well."}, {"output": "  All is well."}]);
    assert_eq!(ask(json!({"model_name": "tuned", "prompt": ["a", "b"], "max_tokens": 90})), expected);
    assert_eq!(server.next_request().adapter.as_deref(), Some("tuned"));
    server.next_request();
    ask(json!({"model_name": MODEL, "prompt": "a", "max_tokens": 90, "max_new_tokens": 7}));
    assert_eq!(server.next_request().max_tokens, 7);
}

#[test]
fn answers_of_a_type() {
    let text = r#"{"answer": "so", "score": 4, "sure": true, "colour": "red"}"#;
    let server = saying(text);
    let output_type = json!({"answer": "str", "score": "int", "sure": "bool", "colour": ["red", "blue"]});
    let request = json!({"model_name": MODEL, "prompt": "a", "output_type": output_type});
    assert_eq!(server.client().post(PATH, &request).json(), serde_json::from_str::<Value>(text).unwrap());
    let constraint = server.next_request().constraint.expect("the engine has a constraint");
    assert!(constraint.clone().allows_whole(text));
    assert!(!constraint.allows_whole(&text.replace("red", "green")));

    for field in ["max_tokens", "max_new_tokens"] {
        let mut cut = request.clone();
        cut[field] = json!(5);
        let response = server.client().post(PATH, &cut);
        let error = response.error();
        assert_eq!((response.status, &error["param"]), (400, &json!(field)));
        assert!(error["message"].as_str().unwrap().ends_with(&format!("give a larger `{field}`")), "{error}");
    }

    // The same by OpenAI's endpoints.
    let body = json!({"model": MODEL, "prompt": "a", "output_type": output_type, "max_tokens": 90});
    assert_eq!(server.client().post("/v1/completions", &body).json()["choices"][0]["text"], text);
}

/// What no number of 64 bits holds is read by the client as it likes.
#[test]
fn numbers_are_those_that_the_model_wrote() {
    let text = r#"{"count": 1180591620717411303424, "share": 1e999, "small": 0.10000000000000000001}"#;
    let server = saying(text);
    let output_type = json!({"count": "int", "share": "float", "small": "float"});
    let ask = |prompt: Value| {
        let request = json!({"model_name": MODEL, "prompt": prompt, "output_type": output_type});
        server.client().post(PATH, &request)
    };
    let one = ask(json!("a"));
    assert_eq!((one.status, one.text()), (200, text.to_owned()));
    assert_eq!(one.header("content-type"), Some("application/json"));
    assert_eq!(ask(json!(["a", "b"])).text(), format!("[{text},{text}]"));
}

#[test]
fn wrong_requests() {
    let server = saying("yes");
    for (body, status, param) in [
        (json!({"model_name": "nobody", "prompt": "a"}), 404, json!("model")),
        (json!({"model": MODEL, "prompt": "a"}), 400, json!("model")),
        (json!({"model_name": MODEL, "prompt": []}), 400, json!("prompt")),
        (json!({"model_name": MODEL, "prompt": "a", "output_type": {}}), 400, json!("output_type")),
        (json!({"model_name": MODEL, "prompt": "a", "output_type": {"a": "list"}}), 400, json!("output_type")),
        (json!({"model_name": MODEL, "prompt": "a", "max_tokens": 0}), 400, json!("max_tokens")),
        (json!({"model_name": MODEL, "prompt": "a", "max_new_tokens": 0}), 400, json!("max_new_tokens")),
    ] {
        let response = server.client().post(PATH, &body);
        assert_eq!((response.status, &response.error()["param"]), (status, &param), "{body}");
    }
}
