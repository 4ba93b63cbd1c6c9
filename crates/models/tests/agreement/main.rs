//! Models against references: transformers and peft, and their own f32.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bf16;
mod float8;
mod generation;
#[path = "../../../runtime/tests/support/gpu.rs"]
mod gpu;
mod long_rows;
mod parity;
mod subject;
mod zoo;
