//! What programs for CPUs call instead of plain operations, in generation: weights that meet few vectors, and attention to keys and values in pages.
//!
//! A step of generation is bound by memory: each weight and each key and value is read once. XLA's product of a matrix with a few vectors takes
//! three times as long as reading the matrix, and what it attends to in pages it gathers first, which writes and reads it once more.
//!
//! Numbers are f32 and arrays row-major. A result depends on its own vector or text alone and not on what is computed beside it, nor on the number of
//! threads: whatever a text is batched with, it is the same as long as that calls the kernel.

mod paged_attention;
mod product;
mod simd;
mod threads;

pub use paged_attention::{PagedAttention, Pages, attend};
pub use product::{VECTORS_MAX, multiply};
pub use simd::has_wide_registers;

/// The name under which programs call [`multiply`], with the matrix and the vectors: they give (output, vector).
pub const MULTIPLY: &str = "finery_multiply";

/// The name under which programs call [`attend`], with q, keys, values, table, start and count, and the numbers `scale`, `window` and `softcap`; these are 0
/// where there is none.
pub const ATTEND: &str = "finery_attend";
