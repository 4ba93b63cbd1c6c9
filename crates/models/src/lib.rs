//! Language models as graphs: layers, LoRA, and the zoo. No IO, no device, no sharding.
//!
//! Axes, throughout: `batch`, `position` (of queries), `key_position`, `embed`, `vocab`, `layers`, `kv_heads`, `groups` (query heads
//! that share one key/value head), `head_dim`, `mlp`, `rank` (of an adapter).

mod attention;
mod layer_loop;
mod layers;
pub mod llama;
mod lora;
mod loss;
mod rope;
mod scope;

pub use attention::{AttentionKernel, DocumentsError, KvCache, check_documents, cudnn_supports};
pub use layer_loop::LayerLoop;
pub use layers::products_kept;
pub use llama::{Llama, LlamaConfig};
pub use lora::{Lora, LoraError, LoraModule};
pub use loss::{next_token_loss, target_log_probabilities};
pub use scope::{Precision, Scope};
