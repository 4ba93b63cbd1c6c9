//! Language models as graphs: layers, LoRA, and the zoo. No IO, no device, no sharding.
//!
//! Axes, throughout: `batch`, `position` (of queries), `key_position`, `embed`, `vocab`, `layers`, `kv_heads`, `groups` (query heads
//! that share one key/value head), `head_dim`, `mlp`, `rank` (of an adapter); of state spaces `inner` (channels), `state` (of a channel),
//! `state_groups` and `group_heads` (heads that share what reads and writes their states).

mod activation;
mod attention;
mod config;
mod decoder;
mod device_part;
mod experts;
mod families;
mod family;
mod few_vectors;
mod float8;
mod heads;
mod host;
mod journal;
mod language_model;
mod layer_loop;
mod layers;
mod lora;
mod loss;
mod part;
mod pass;
mod presets;
mod ragged;
mod rope;
mod scope;
mod served;
mod state_space;
mod summary;

pub use attention::{AttentionKernels, Cudnn, DocumentsError, blocks_support, check_documents, cudnn_supports};
pub use config::ConfigError;
pub use experts::grouped_products_support;
pub use family::{Beyond, FamilyInfo, Head, Sizes, known_families};
pub use float8::Float8Part;
pub use journal::{Anatomy, AttentionModule, Gates, LinearModule, StateSpaceModule};
pub use kernels::{Gpu, PackedKeys, PackedWeight};
pub use language_model::{Held, LanguageModel, Outputs, PackedParam, TokenKernels};
pub use layer_loop::LayerLoop;
pub use layers::products_kept;
pub use lora::{Lora, LoraError, LoraModule, divisor, row_norms, stretch};
pub use loss::{LossChunk, LossForm, Losses, next_token_loss, target_log_probabilities};
pub use pass::Tokens;
pub use presets::{ModelPreset, presets};
pub use ragged::{RaggedPart, StateSize};
pub use scope::{Precision, Products, Scope};
pub use served::{AdapterPool, Pooled, RowAdapters};
pub use state_space::{convolution_supports, scan_supports};
pub use summary::Summary;
