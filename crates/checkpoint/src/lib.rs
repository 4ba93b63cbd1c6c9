//! Files that hold models: safetensors in and out, Hugging Face model folders, PEFT adapters and training checkpoints.
//!
//! Everything read here came from outside and is checked before it is believed: a header that parses describes every
//! byte of its file. Reading maps files into memory and lends out [`graph::HostTensor`]s, or reads one tensor at a time
//! of files that others may write meanwhile; writing asks the caller for one tensor at a time. Neither way is a whole
//! model held in host memory.
//!
//! Whatever is written appears under its name only when it is complete: bytes go to a temporary name in the same
//! folder, are flushed to the disk, and are renamed.

mod adapter;
mod adapter_config;
mod atomic;
mod checkpoint_folder;
mod checkpoints;
mod consolidate;
mod convert;
mod differences;
mod error;
mod expert_factors;
mod export;
mod folder_lock;
mod header;
mod manifest;
mod model_folder;
mod model_source;
mod module_match;
mod newest;
mod owner;
mod python_json;
mod safetensors_file;
mod safetensors_write;
mod stored;
mod targets;
mod tensor_files;
mod tensor_part;
mod trained;
mod training_state;
mod writers;

pub use adapter::{AdapterFolder, MAGNITUDE, write_adapter};
pub use adapter_config::{Bias, LoraConfig, OneOrMany, PatternTable, Scaling, TargetModules};
pub use atomic::{write_file, write_json, write_together};
pub use checkpoint_folder::{Checkpoint, parse_step};
pub use checkpoints::{CHECKPOINTS, Checkpoints, ModelFile};
pub use consolidate::consolidate;
pub use convert::{NotFloat, cast};
pub use differences::{Differences, WrongShape, nearest_name};
pub use error::{Error, SourceError};
pub use export::{CHAT_TEMPLATE, MAX_SHARD_BYTES, copy_side_files, copy_tokenizer, read_side_files, write_model};
pub use folder_lock::{FolderLock, LockError};
pub use header::HeaderError;
pub use model_folder::{ModelFolder, read_json};
pub use model_source::{ModelSource, base_of, result_folder};
pub use module_match::BadPattern;
pub use newest::{latest, latest_unverified, of_newest};
pub use owner::{Claim, Owner};
pub use python_json::read_config;
pub use safetensors_file::SafetensorsFile;
pub use safetensors_write::{TensorSpec, write_safetensors};
pub use targets::{SelectError, Targets};
pub use tensor_files::TensorFiles;
pub use tensor_part::TensorPart;
pub use trained::Trained;
pub use training_state::is_moment;
pub use writers::{Alone, Writers};
