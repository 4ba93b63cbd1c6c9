//! The list of endpoints, from which the server's router, the OpenAPI description and their tests are made.

/// How an endpoint is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// To read.
    Get,
    /// With a body.
    Post,
}

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everyone: it tells nothing that differs from one copy of this program to the next, or only how it is.
    Public,
    /// Keys that may ask the model.
    Infer,
    /// Keys that may load and unload adapters.
    Adapters,
    /// Keys that may read metrics.
    Metrics,
}

impl Scope {
    /// As files of keys have it; `Public` is none of theirs.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Public => "public",
            Scope::Infer => "infer",
            Scope::Adapters => "adapters",
            Scope::Metrics => "metrics",
        }
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Continue a conversation.
    ChatCompletions,
    /// Continue texts.
    Completions,
    /// Continue texts, as Lamini's platform does.
    LaminiCompletions,
    /// Turn texts into vectors.
    Embeddings,
    /// List models.
    Models,
    /// Describe one.
    Model,
    /// Text to tokens.
    Tokenize,
    /// Tokens to text.
    Detokenize,
    /// Register an adapter.
    LoadAdapter,
    /// Forget an adapter.
    UnloadAdapter,
    /// Whether the engine works.
    Health,
    /// Whether requests are taken.
    Ready,
    /// What is counted.
    Metrics,
    /// Which version.
    Version,
    /// A page that describes all this.
    Docs,
    /// The description for programs.
    OpenApi,
    /// The chat page.
    Chat,
    /// A file that pages are made of.
    Asset,
}

/// An endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// What is done.
    pub operation: Operation,
    /// How it is called.
    pub method: Method,
    /// Its path; `{…}` stands for a part.
    pub path: &'static str,
    /// Who may call it.
    pub scope: Scope,
    /// A line on it.
    pub summary: &'static str,
}

const fn get(operation: Operation, path: &'static str, scope: Scope, summary: &'static str) -> Endpoint {
    Endpoint { operation, method: Method::Get, path, scope, summary }
}

const fn post(operation: Operation, path: &'static str, scope: Scope, summary: &'static str) -> Endpoint {
    Endpoint { operation, method: Method::Post, path, scope, summary }
}

/// All endpoints. There are no others: what is not here does not exist and needs no key to be refused.
pub const ENDPOINTS: &[Endpoint] = &[
    post(Operation::ChatCompletions, "/v1/chat/completions", Scope::Infer, "Continue a conversation"),
    post(Operation::Completions, "/v1/completions", Scope::Infer, "Continue texts"),
    post(
        Operation::LaminiCompletions,
        "/lamini/v1/completions",
        Scope::Infer,
        "Continue texts, as Lamini's platform does: each answer is an object",
    ),
    post(Operation::Embeddings, "/v1/embeddings", Scope::Infer, "Turn texts into vectors"),
    get(Operation::Models, "/v1/models", Scope::Infer, "List the models that can be asked"),
    get(Operation::Model, "/v1/models/{id}", Scope::Infer, "Describe a model"),
    post(Operation::Tokenize, "/tokenize", Scope::Infer, "Turn a text or a conversation into tokens"),
    post(Operation::Detokenize, "/detokenize", Scope::Infer, "Turn tokens into text"),
    post(Operation::LoadAdapter, "/v1/load_lora_adapter", Scope::Adapters, "Register an adapter"),
    post(Operation::UnloadAdapter, "/v1/unload_lora_adapter", Scope::Adapters, "Forget an adapter"),
    get(Operation::Health, "/health", Scope::Public, "Whether the engine works"),
    get(Operation::Ready, "/ready", Scope::Public, "Whether requests are taken"),
    get(Operation::Metrics, "/metrics", Scope::Metrics, "What is counted, as Prometheus reads it"),
    get(Operation::Version, "/version", Scope::Public, "Which version this is"),
    get(Operation::Docs, "/docs", Scope::Public, "A page that describes the endpoints"),
    get(Operation::OpenApi, "/openapi.json", Scope::Public, "The endpoints as OpenAPI describes them"),
    get(Operation::Chat, "/", Scope::Public, "A page to try the model by hand"),
    get(Operation::Asset, "/assets/{file}", Scope::Public, "A file that the pages are made of"),
];
