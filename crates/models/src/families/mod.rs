//! The zoo: a family a file, which reads like its paper.

pub(crate) mod falcon;
pub(crate) mod gemma2;
pub(crate) mod gemma3_text;
pub(crate) mod gpt2;
pub(crate) mod gpt_neox;
pub(crate) mod llama;
pub(crate) mod mamba;
pub(crate) mod mamba2;
pub(crate) mod mistral;
pub(crate) mod mixtral;
pub(crate) mod mpt;
pub(crate) mod olmo2;
pub(crate) mod phi3;
pub(crate) mod qwen2;
pub(crate) mod qwen3;
pub(crate) mod qwen3_moe;
pub(crate) mod starcoder2;
