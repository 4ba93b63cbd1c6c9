//! The one form in which chat templates are given messages and tools, whether a training file has them or a request: a model is asked with the prompts that it
//! was trained on.

use serde_json::{Map, Number, Value, json};

/// Digits of an integer that an error has.
const DIGITS_SHOWN_MAX: usize = 40;

/// Keys of a function's definition that have a place of their own; what else is said of it stands behind them.
const FUNCTION_KEYS: [&str; 4] = ["name", "description", "parameters", "strict"];

/// Why a message's call of a tool cannot be shown to a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arguments of a call {rule}")]
pub struct UnreadableArguments {
    /// Where they stand, from the message on: `tool_calls[0].function.arguments`.
    pub field: String,
    rule: String,
}

/// A message as chat templates take it: OpenAI's `developer` is their `system`, a refusal is what was said, and the arguments of calls are objects.
///
/// # Errors
/// A call's arguments are no object, or have a number whose digits are not kept.
pub fn canonical_message(mut message: Map<String, Value>) -> Result<Value, UnreadableArguments> {
    if let Some(role) = message.get_mut("role").filter(|role| **role == "developer") {
        *role = Value::from("system");
    }
    // Of an answer that is a refusal clients send back that, and templates know `content` alone.
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|said| !said.is_empty());
    let is_empty = message.get("content").is_none_or(|content| content.is_null() || *content == json!([]));
    if let Some(said) = refusal.filter(|_| is_empty) {
        let said = Value::from(said);
        message.insert("content".to_owned(), said);
    }
    for part in message.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(said) = part.get("refusal").filter(|_| part["type"] == "refusal") {
            *part = json!({"type": "text", "text": said});
        }
    }
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    for (index, call) in calls.into_iter().flatten().enumerate() {
        let Some(arguments) = call.pointer_mut("/function/arguments") else { continue };
        *arguments = read_arguments(arguments.take())
            .map_err(|rule| UnreadableArguments { field: format!("tool_calls[{index}].function.arguments"), rule })?;
    }
    Ok(Value::Object(message))
}

/// OpenAI's clients and records have arguments as text, and templates print them as JSON or go through them by name. No text is no arguments, as vLLM has it.
fn read_arguments(given: Value) -> Result<Value, String> {
    const ADVICE: &str =
        "give the JSON of an object, as the answer that made the call has it, and leave out a call that was cut";
    let read = match given {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => {
            let read = serde_json::from_str(&text).map_err(|error| format!("are no JSON ({error}): {ADVICE}"))?;
            if let Some(digits) = large_integer(&text) {
                let shown: String = digits.chars().take(DIGITS_SHOWN_MAX).collect();
                return Err(format!("have the integer {shown}, which 64 bits do not hold: give it as a text"));
            }
            read
        }
        other => {
            if let Some(number) = large_number(&other) {
                return Err(format!(
                    "have the number {number}, and integers that 64 bits do not hold are read with other digits: give it as a text, or the arguments as the text of their JSON, where a float may be as large"
                ));
            }
            other
        }
    };
    if read.is_object() { Ok(read) } else { Err(format!("are no JSON object: {ADVICE}")) }
}

/// The first integer of a valid JSON that 64 bits do not hold: it would be read as a float, and come to the model with other digits.
fn large_integer(json: &str) -> Option<&str> {
    let (mut in_text, mut is_escaped, mut begin) = (false, false, None);
    for (at, byte) in json.bytes().chain([b' ']).enumerate() {
        if in_text {
            in_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match (byte, begin) {
            (b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E', Some(_)) => {}
            (b'0'..=b'9' | b'-', None) => begin = Some(at),
            (_, Some(first)) => {
                begin = None;
                let number = &json[first..at];
                let is_float = number.contains(['.', 'e', 'E']);
                if !is_float && number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
                    return Some(number);
                }
            }
            _ => {}
        }
        in_text = byte == b'"';
    }
    None
}

/// The first number of a value that may have been an integer which 64 bits do not hold: as a float it is what has been read of it, and the digits are gone.
fn large_number(value: &Value) -> Option<&Number> {
    const BEGIN: f64 = i64::MIN as f64;
    const END: f64 = u64::MAX as f64;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64())?;
            // Both ends are rounded to powers of 2, as are integers next to them.
            (float <= BEGIN || float >= END).then_some(number)
        }
        Value::Array(values) => values.iter().find_map(large_number),
        Value::Object(fields) => fields.values().find_map(large_number),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

/// A tool as chat templates take it, many of which print it as it is: the keys of a request's tool in one order, without those that are null. A bare definition
/// of a function, as some data sets have them, gets what is around it in requests; what no request can have is left as it is.
pub fn canonical_tool(tool: Value) -> Value {
    let Some(mut function) = function_of(&tool) else { return tool };
    let mut ordered = Map::new();
    for key in FUNCTION_KEYS {
        if let Some(value) = function.shift_remove(key).filter(|value| !value.is_null()) {
            ordered.insert(key.to_owned(), value);
        }
    }
    ordered.extend(function);
    json!({"type": "function", "function": ordered})
}

/// The definition of a tool that is a function as requests have them.
fn function_of(tool: &Value) -> Option<Map<String, Value>> {
    let is_function = tool.get("type").is_none_or(|kind| kind.is_null() || kind == "function");
    let mut function = tool.get("function").unwrap_or(tool).as_object().filter(|_| is_function)?.clone();
    if tool.get("function").is_none() {
        function.shift_remove("type");
    }
    let may_be = |key: &str, is: fn(&Value) -> bool| function.get(key).is_none_or(|value| value.is_null() || is(value));
    let is_read = function.get("name").is_some_and(Value::is_string)
        && may_be("description", Value::is_string)
        && may_be("strict", Value::is_boolean);
    is_read.then_some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(message: Value) -> Result<Value, UnreadableArguments> {
        canonical_message(message.as_object().cloned().expect("an object"))
    }

    /// The arguments as a template has them.
    fn read(arguments: &str) -> Result<String, String> {
        let call = format!(r#"{{"function": {{"name": "f", "arguments": {arguments}}}}}"#);
        let message = format!(r#"{{"role": "assistant", "tool_calls": [{call}]}}"#);
        let read = canonical_message(serde_json::from_str(&message).expect("a message"));
        let shown = |read: Value| read["tool_calls"][0]["function"]["arguments"].to_string();
        read.map(shown).map_err(|error| format!("{}: {error}", error.field))
    }

    #[test]
    fn who_sets_the_rules_is_the_system() {
        for (role, expected) in [("developer", "system"), ("system", "system"), ("user", "user"), ("critic", "critic")]
        {
            let shown = canonical(json!({"role": role, "content": "Be short."}));
            assert_eq!(shown, Ok(json!({"role": expected, "content": "Be short."})));
        }
    }

    #[test]
    fn a_refusal_is_what_was_said() {
        let told = |message: Value| canonical(message).expect("a message");
        let refused = json!({"role": "assistant", "content": "No.", "refusal": "No."});
        assert_eq!(told(json!({"role": "assistant", "content": null, "refusal": "No."})), refused);
        assert_eq!(told(json!({"role": "assistant", "refusal": "No."})), refused);
        assert_eq!(told(json!({"role": "assistant", "content": [], "refusal": "No."})), refused);
        let [told_as, sent] = [json!({"type": "text", "text": "No."}), json!({"type": "refusal", "refusal": "No."})];
        assert_eq!(told(json!({"role": "assistant", "content": [sent]}))["content"], json!([told_as]));
        for mut kept in [json!({"content": "Yes.", "refusal": "No."}), json!({"content": null, "refusal": ""})] {
            kept["role"] = json!("assistant");
            assert_eq!(told(kept.clone()), kept);
        }
    }

    #[test]
    fn arguments_are_the_object_that_they_are() {
        let object = r#"{"b":1,"a":[true,"x"]}"#;
        let in_text = Value::from(object).to_string();
        for (given, expected) in
            [(object, object), (&in_text, object), (r#""""#, "{}"), (r#"" {} ""#, "{}"), ("null", "{}")]
        {
            assert_eq!(read(given).as_deref(), Ok(expected), "{given}");
        }
        for (broken, rule) in [
            (r#""{""#, "are no JSON (EOF while parsing an object at line 1 column 1): give the JSON of an object, as"),
            (r#""[]""#, "are no JSON object: give"),
            ("[1]", "are no JSON object: give"),
            ("3", "are no JSON object: give"),
        ] {
            let said = read(broken).expect_err(broken);
            let expected = format!("tool_calls[0].function.arguments: the arguments of a call {rule}");
            assert!(said.starts_with(&expected), "{said}");
        }
    }

    #[test]
    fn no_integer_comes_to_a_model_with_other_digits() {
        for kept in ["18446744073709551615", "-9223372036854775808", "1844674407370955.5", "1e+19", "-9.2e+18"] {
            let object = format!(r#"{{"a":[{{"b":{kept}}}]}}"#);
            assert_eq!(read(&object), Ok(object.clone()));
            assert_eq!(read(&Value::from(object.clone()).to_string()), Ok(object));
        }
        for (lost, read_as) in [
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("-9223372036854775809", "-9.223372036854776e+18"),
            ("12345678901234567890123", "1.2345678901234568e+22"),
        ] {
            let object = format!(r#"{{"a":[{{"b":{lost}}}]}}"#);
            let said = read(&object).expect_err(lost);
            assert!(said.contains(&format!(": the arguments of a call have the number {read_as}, and ")), "{said}");
            let said = read(&Value::from(object).to_string()).expect_err(lost);
            assert!(said.contains(&format!(": the arguments of a call have the integer {lost}, which ")), "{said}");
        }
        assert_eq!(read(r#""{\"a\":1e+30}""#).as_deref(), Ok(r#"{"a":1e+30}"#));
    }

    /// As text, which has their order.
    #[test]
    fn a_tool_has_one_form() {
        let expected = r#"{"type":"function","function":{"name":"f","description":"d","parameters":{"b":1,"a":null},"strict":true,"return":null}}"#;
        for given in [
            expected,
            r#"{"function": {"return": null, "strict": true, "parameters": {"b": 1, "a": null}, "description": "d", "name": "f"}, "type": "function", "id": 7}"#,
            r#"{"strict": true, "name": "f", "description": "d", "parameters": {"b": 1, "a": null}, "return": null}"#,
            r#"{"type": "function", "name": "f", "description": "d", "strict": true, "parameters": {"b": 1, "a": null}, "return": null}"#,
        ] {
            let tool = serde_json::from_str(given).expect("a tool");
            assert_eq!(canonical_tool(tool).to_string(), expected, "{given}");
        }
        let bare = json!({"name": "f", "description": null, "parameters": null});
        assert_eq!(canonical_tool(bare), json!({"type": "function", "function": {"name": "f"}}));
        for kept in [
            json!({"type": "function"}),
            json!({"type": "retrieval", "name": "f"}),
            json!({"type": "function", "function": {"name": 3}}),
            json!({"type": "function", "function": {"description": ["d"], "name": "f"}}),
            json!({"description": "d", "title": "f"}),
            json!("f"),
        ] {
            assert_eq!(canonical_tool(kept.clone()), kept);
        }
    }
}
