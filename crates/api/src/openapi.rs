//! The endpoints as OpenAPI 3.1 describes them, made from the list of endpoints and the types.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::{
    ChatChunk, ChatRequest, ChatResponse, CompletionRequest, CompletionResponse, DetokenizeRequest, DetokenizeResponse,
    ENDPOINTS, EmbeddingRequest, EmbeddingResponse, Endpoint, ErrorBody, HealthResponse, LaminiRequest, LaminiResponse,
    LoadAdapter, Method, ModelEntry, ModelList, Operation, Scope, TokenizeRequest, TokenizeResponse, UnloadAdapter,
    VersionResponse, fields,
};

/// The whole description.
pub fn openapi() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for endpoint in ENDPOINTS {
        let method = match endpoint.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        paths.insert(endpoint.path.to_owned(), json!({method: operation(endpoint, &mut generator)}));
    }
    let mut schemas = generator.take_definitions(true);
    close_requests(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Finery",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "OpenAI's API with vLLM's additions.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    })
}

/// The request of an operation by the name of its schema.
fn request(operation: Operation, generator: &mut SchemaGenerator) -> Option<Value> {
    let schema = match operation {
        Operation::ChatCompletions => generator.subschema_for::<ChatRequest>(),
        Operation::Completions => generator.subschema_for::<CompletionRequest>(),
        Operation::LaminiCompletions => generator.subschema_for::<LaminiRequest>(),
        Operation::Embeddings => generator.subschema_for::<EmbeddingRequest>(),
        Operation::Tokenize => generator.subschema_for::<TokenizeRequest>(),
        Operation::Detokenize => generator.subschema_for::<DetokenizeRequest>(),
        Operation::LoadAdapter => generator.subschema_for::<LoadAdapter>(),
        Operation::UnloadAdapter => generator.subschema_for::<UnloadAdapter>(),
        Operation::Models | Operation::Model | Operation::Health | Operation::Ready => return None,
        Operation::Metrics | Operation::Version | Operation::Docs | Operation::OpenApi => return None,
        Operation::Chat | Operation::Asset => return None,
    };
    Some(schema.to_value())
}

/// The kinds of content of an answer that is no error.
fn content(operation: Operation, generator: &mut SchemaGenerator) -> Value {
    let text = |kind: &str| json!({kind: {"schema": {"type": "string"}}});
    let schema = match operation {
        Operation::ChatCompletions => {
            let whole = generator.subschema_for::<ChatResponse>();
            let chunk = generator.subschema_for::<ChatChunk>();
            return json!({"application/json": {"schema": whole}, "text/event-stream": {"schema": chunk}});
        }
        Operation::Completions => {
            let schema = generator.subschema_for::<CompletionResponse>();
            return json!({"application/json": {"schema": schema}, "text/event-stream": {"schema": schema}});
        }
        Operation::LaminiCompletions => generator.subschema_for::<LaminiResponse>(),
        Operation::Embeddings => generator.subschema_for::<EmbeddingResponse>(),
        Operation::Models => generator.subschema_for::<ModelList>(),
        Operation::Model => generator.subschema_for::<ModelEntry>(),
        Operation::Tokenize => generator.subschema_for::<TokenizeResponse>(),
        Operation::Detokenize => generator.subschema_for::<DetokenizeResponse>(),
        Operation::Health | Operation::Ready => generator.subschema_for::<HealthResponse>(),
        Operation::Version => generator.subschema_for::<VersionResponse>(),
        Operation::OpenApi => return json!({"application/json": {"schema": {"type": "object"}}}),
        Operation::Docs | Operation::Chat => return text("text/html"),
        Operation::Asset => {
            let text = json!({"schema": {"type": "string"}});
            return json!({"text/css": text, "text/javascript": text, "image/svg+xml": text});
        }
        Operation::LoadAdapter | Operation::UnloadAdapter | Operation::Metrics => return text("text/plain"),
    };
    json!({"application/json": {"schema": schema}})
}

/// The statuses of errors with what they mean.
fn errors(endpoint: &Endpoint) -> Vec<(u16, &'static str)> {
    let mut errors = Vec::new();
    if endpoint.scope != Scope::Public {
        errors.extend([(401, "No key, or one that is not known"), (403, "The key may not do this")]);
        errors.extend([(429, "Too many requests, of this key or of all"), (503, "The server does not take requests")]);
    }
    if endpoint.method == Method::Post {
        errors.extend([
            (400, "The request is wrong, or asks for what is not supported"),
            (404, "There is no such model"),
            (408, "The request took too long to arrive"),
            (413, "The request is too large"),
            (415, "The request is not JSON"),
            (500, "The engine failed"),
            (504, "The answer took too long"),
        ]);
    }
    match endpoint.operation {
        Operation::Model => errors.push((404, "There is no such model")),
        Operation::Asset => errors.push((404, "There is no such file")),
        Operation::Health => errors.push((503, "The engine does not work")),
        Operation::Ready => errors.push((503, "Requests are not taken")),
        _ => {}
    }
    errors.sort_unstable();
    errors
}

fn operation(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    responses
        .insert("200".to_owned(), json!({"description": "Done", "content": content(endpoint.operation, generator)}));
    // How it is, is told with the same fields when it is bad.
    let is_state = matches!(endpoint.operation, Operation::Health | Operation::Ready);
    for (status, description) in errors(endpoint) {
        let content = match is_state {
            true => content(endpoint.operation, generator),
            false => json!({"application/json": {"schema": generator.subschema_for::<ErrorBody>()}}),
        };
        responses.insert(status.to_string(), json!({"description": description, "content": content}));
    }
    let mut operation = json!({
        "operationId": format!("{:?}", endpoint.operation),
        "summary": endpoint.summary,
        "security": if endpoint.scope == Scope::Public { json!([]) } else { json!([{"key": []}]) },
        "responses": responses,
    });
    if let Some(schema) = request(endpoint.operation, generator) {
        operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    if let Some((_, name)) = endpoint.path.split_once('{') {
        let name = name.trim_end_matches('}');
        operation["parameters"] = json!([{"name": name, "in": "path", "required": true, "schema": {"type": "string"}}]);
    }
    operation
}

/// Says of requests that there are no further fields, but those that change nothing.
fn close_requests(schemas: &mut Map<String, Value>) {
    let requests = schemas.iter_mut().filter(|(name, _)| name.ends_with("Request") || name.ends_with("Adapter"));
    for (_, schema) in requests {
        let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { continue };
        for name in fields::harmless() {
            // Some are read by other requests.
            properties
                .entry((*name).to_owned())
                .or_insert_with(|| json!({"description": "Accepted, and changes nothing."}));
        }
        schema["additionalProperties"] = Value::Bool(false);
    }
}
