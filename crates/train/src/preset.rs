//! Shapes that speed is measured on.

use graph::DType;
use models::{LanguageModel, LayerLoop, Lora, LoraModule, LossForm, ModelPreset, products_kept};

use crate::{AdamW, BatchShape, Optimizer, StepPlan, Trained};

/// A training step whose speed is worth comparing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// 15M parameters, f32, 8 x 256 tokens: for CPUs.
    Cpu15m,
    /// 1.3B parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Llama1b,
    /// LoRA of rank 8 on all linear layers of a 7B model in bf16, 4 x 2048 tokens.
    Llama7bLora,
    /// MPT with 1.3B parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Mpt1b,
    /// Mamba with 370M parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Mamba370m,
    /// Mamba with 1.6B parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Mamba1600m,
    /// Mamba-2 with 1.3B parameters, bf16 over f32 masters, 8 x 2048 tokens.
    Mamba2Of1300m,
    /// Mixtral with 3.0B parameters, of which a token meets 0.9B, bf16 over f32 masters, 8 x 2048 tokens.
    Mixtral3b,
    /// LoRA of rank 8 on all linear layers of Mixtral 8x7B but its experts, in bf16, 1 x 2048 tokens.
    Mixtral8x7bLora,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 9] = [
        Preset::Cpu15m,
        Preset::Llama1b,
        Preset::Llama7bLora,
        Preset::Mpt1b,
        Preset::Mamba370m,
        Preset::Mamba1600m,
        Preset::Mamba2Of1300m,
        Preset::Mixtral3b,
        Preset::Mixtral8x7bLora,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Cpu15m => "cpu-15m",
            Preset::Llama1b => "llama-1.3b",
            Preset::Llama7bLora => "llama-7b-lora",
            Preset::Mpt1b => "mpt-1b",
            Preset::Mamba370m => "mamba-370m",
            Preset::Mamba1600m => "mamba-1.6b",
            Preset::Mamba2Of1300m => "mamba2-1.3b",
            Preset::Mixtral3b => "mixtral-3b",
            Preset::Mixtral8x7bLora => "mixtral-8x7b-lora",
        }
    }

    /// The step, with plain attention; [`AttentionChoice`](crate::AttentionChoice) may know a better one.
    pub fn plan(self) -> StepPlan {
        let (model, trained, compute, rows, positions) = match self {
            Preset::Cpu15m => ("llama-15m", Trained::All, DType::F32, 8, 256),
            Preset::Llama1b => ("llama-1.3b", Trained::All, DType::BF16, 8, 2048),
            Preset::Llama7bLora => ("llama-7b", Trained::Adapters, DType::BF16, 4, 2048),
            Preset::Mpt1b => ("mpt-1b", Trained::All, DType::BF16, 8, 2048),
            Preset::Mamba370m => ("mamba-370m", Trained::All, DType::BF16, 8, 2048),
            Preset::Mamba1600m => ("mamba-1.6b", Trained::All, DType::BF16, 8, 2048),
            Preset::Mamba2Of1300m => ("mamba2-1.3b", Trained::All, DType::BF16, 8, 2048),
            Preset::Mixtral3b => ("mixtral-3b", Trained::All, DType::BF16, 8, 2048),
            Preset::Mixtral8x7bLora => ("mixtral-8x7b", Trained::Adapters, DType::BF16, 1, 2048),
        };
        let preset = ModelPreset::find(model).expect("a preset of that name");
        let model = LanguageModel::from_json(&preset.config).expect("a preset describes a model");
        let lora = match trained {
            Trained::All => None,
            Trained::Adapters => {
                // Experts are the greater part of a mixture, and each sees few tokens.
                let mut linear = model.linear_modules().expect("a preset can be traced");
                linear.retain(|module| module.share == 1.0);
                Some(Lora::of_each(&linear, LoraModule { rank: 8, scale: 2.0 }, 0.0))
            }
        };
        StepPlan {
            // On CPUs, too: fresh memory is dear there, and keeping all costs more in zeroed pages than computing it again.
            model: model.keeping(products_kept()),
            compute,
            products: None,
            lora,
            trained,
            optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1 }),
            max_grad_norm: None,
            batch: BatchShape { accumulation: 1, rows, positions, packed: false },
            layers: LayerLoop::Unrolled,
            loss: LossForm::default(),
            partition: None,
        }
    }
}
