//! Shapes that speed is measured on.

use std::collections::BTreeMap;

use graph::DType;
use models::llama::RopeScaling;
use models::{AttentionKernel, LayerLoop, Llama, LlamaConfig, Lora, LoraModule, products_kept};

use crate::{AdamW, BatchShape, Optimizer, StepPlan, Trained};

/// A model whose speed is worth comparing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPreset {
    /// 15M parameters in f32: for CPUs.
    Cpu15m,
    /// 1.3B parameters, computed with in bf16.
    Llama1b,
    /// The shape of Llama 2 7B, in bf16.
    Llama7b,
}

impl ModelPreset {
    /// All presets.
    pub const ALL: [ModelPreset; 3] = [ModelPreset::Cpu15m, ModelPreset::Llama1b, ModelPreset::Llama7b];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ModelPreset::Cpu15m => "cpu-15m",
            ModelPreset::Llama1b => "llama-1.3b",
            ModelPreset::Llama7b => "llama-7b",
        }
    }

    /// Sizes and constants.
    pub fn config(self) -> LlamaConfig {
        match self {
            ModelPreset::Cpu15m => llama(288, 768, 6, 6, true),
            ModelPreset::Llama1b => llama(2048, 5504, 24, 16, false),
            ModelPreset::Llama7b => llama(4096, 11008, 32, 32, false),
        }
    }

    /// The element type of its computation.
    pub fn dtype(self) -> DType {
        match self {
            ModelPreset::Cpu15m => DType::F32,
            ModelPreset::Llama1b | ModelPreset::Llama7b => DType::BF16,
        }
    }
}

/// A training step whose speed is worth comparing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// 15M parameters, f32, 8 x 256 tokens: for CPUs.
    Cpu15m,
    /// 1.3B parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Llama1b,
    /// LoRA of rank 8 on all linear layers of a 7B model in bf16, 4 x 2048 tokens.
    Llama7bLora,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 3] = [Preset::Cpu15m, Preset::Llama1b, Preset::Llama7bLora];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Cpu15m => "cpu-15m",
            Preset::Llama1b => "llama-1.3b",
            Preset::Llama7bLora => "llama-7b-lora",
        }
    }

    /// The step, with plain attention; [`AttentionChoice`](crate::AttentionChoice) may know a better one.
    pub fn plan(self) -> StepPlan {
        let (model, trained, compute, rows, positions) = match self {
            Preset::Cpu15m => (ModelPreset::Cpu15m, Trained::All, DType::F32, 8, 256),
            Preset::Llama1b => (ModelPreset::Llama1b, Trained::All, DType::BF16, 8, 2048),
            Preset::Llama7bLora => (ModelPreset::Llama7b, Trained::Adapters, DType::BF16, 4, 2048),
        };
        let config = model.config();
        let lora = match trained {
            Trained::All => None,
            Trained::Adapters => Some(Lora { modules: rank_8(&config.linear_modules()), dropout: 0.0 }),
        };
        StepPlan {
            // On CPUs, too: fresh memory is dear there, and keeping all costs more in zeroed pages than computing it again.
            model: Llama { config, attention: AttentionKernel::Plain, remat: products_kept() },
            compute,
            lora,
            trained,
            optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1 }),
            max_grad_norm: None,
            batch: BatchShape { accumulation: 1, rows, positions, packed: false },
            layers: LayerLoop::Unrolled,
        }
    }
}

fn rank_8(modules: &[String]) -> BTreeMap<String, LoraModule> {
    modules.iter().map(|path| (path.clone(), LoraModule { rank: 8, scale: 2.0 })).collect()
}

/// A Llama 2 with a vocabulary of 32,000.
fn llama(hidden_size: usize, intermediate_size: usize, layers: usize, heads: usize, tied: bool) -> LlamaConfig {
    LlamaConfig {
        vocab_size: 32_000,
        hidden_size,
        intermediate_size,
        num_hidden_layers: layers,
        num_attention_heads: heads,
        num_key_value_heads: heads,
        head_dim: hidden_size / heads,
        max_position_embeddings: 4096,
        rms_norm_eps: 1e-5,
        rope_theta: 10_000.0,
        rope_scaling: RopeScaling::None,
        tie_word_embeddings: tied,
        attention_bias: false,
        mlp_bias: false,
        initializer_range: 0.02,
    }
}
