//! The server through real HTTP, over a scripted engine: its double takes messages as the engine does and answers with given tokens.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bodies;
mod chat;
mod client;
mod completion;
mod double;
mod endpoints;
mod ends;
mod form;
#[expect(unreachable_pub, reason = "the fuzz targets have it as a library")]
#[path = "../../../../fuzz/src/lib.rs"]
mod fuzzed;
mod gate;
mod lamini;
mod pages;
mod refusals;
mod setup;
mod shares;
mod tls;
