//! What clients and server say to each other: the wire types of OpenAI's API with vLLM's additions, the list of endpoints, and their OpenAPI
//! description.
//!
//! A request is read once, by [`Request::read`], into a type whose fields have their kinds; limits that depend on the server (its context, how
//! many choices) are the server's. A field that is not known is refused with the nearest known name: one that is misspelt would otherwise
//! change nothing, and nobody would notice.

mod adapters;
mod chat;
mod completion;
mod embedding;
mod endpoints;
mod error;
mod fields;
mod form;
mod health;
mod lamini;
mod logprobs;
mod message;
mod model_list;
mod one_or_many;
mod openapi;
mod prompt;
mod request;
mod seed;
mod settings;
mod tokens;
mod tools;
mod usage;
mod whole;

pub use adapters::{LoadAdapter, UnloadAdapter};
pub use chat::{AnswerMessage, ChatChoice, ChatChunk, ChatChunkChoice, ChatDelta, ChatRequest, ChatResponse};
pub use completion::{CompletionChoice, CompletionRequest, CompletionResponse};
pub use embedding::{Embedding, EmbeddingPooling, EmbeddingRequest, EmbeddingResponse, EncodingFormat, Vector};
pub use endpoints::{ENDPOINTS, Endpoint, Method, Operation, Scope};
pub use error::{ErrorBody, ErrorDetail};
pub use form::{JsonSchemaFormat, ResponseFormat, StructuredOutputs};
pub use health::{HealthResponse, VersionResponse};
pub use lamini::{LaminiRequest, LaminiResponse};
pub use logprobs::{ChatLogprobs, CompletionLogprobs, PromptLogprobs, RankedLogprob, TokenLogprob, TopLogprob};
pub use message::Message;
pub use model_list::{ModelEntry, ModelList};
pub use one_or_many::OneOrMany;
pub use openapi::openapi;
pub use prompt::Prompt;
pub use request::{Malformed, Request};
pub use seed::Seed;
pub use settings::{Settings, StreamOptions};
pub use tokens::{DetokenizeRequest, DetokenizeResponse, TokenizeRequest, TokenizeResponse};
pub use tools::{CalledFunction, FunctionDefinition, Tool, ToolCall, ToolCallDelta, ToolCallPiece, ToolChoice};
pub use usage::{PromptTokensDetails, Usage};
