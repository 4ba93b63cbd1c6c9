//! Models against references: transformers and peft, and their own f32.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bf16;
mod float8;
mod generation;
mod long_rows;
mod parity;
mod subject;
mod zoo;
