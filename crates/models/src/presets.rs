//! Shapes to train from scratch, with the sizes that their authors published.

use serde_json::{Value, json};

/// A model without weights, by a name that a configuration can give in place of a shape.
#[derive(Clone, Debug)]
pub struct ModelPreset {
    /// Its name: `mpt-125m`.
    pub name: &'static str,
    /// Where its sizes are from.
    pub source: &'static str,
    /// Its `config.json`.
    pub config: Value,
}

impl ModelPreset {
    /// The preset of that name.
    pub fn find(name: &str) -> Option<ModelPreset> {
        presets().into_iter().find(|preset| preset.name == name)
    }

    /// The name of the preset that was probably meant.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names: Vec<&'static str> = presets().iter().map(|preset| preset.name).collect();
        crate::language_model::nearest(&name.to_lowercase(), &names)
    }
}

/// All presets, smallest first within a family.
pub fn presets() -> Vec<ModelPreset> {
    let preset = |name, source, config| ModelPreset { name, source, config };
    let llama = |hidden: usize, intermediate: usize, layers: usize, heads: usize, tied: bool| {
        json!({
            "model_type": "llama", "vocab_size": 32_000, "hidden_size": hidden, "intermediate_size": intermediate,
            "num_hidden_layers": layers, "num_attention_heads": heads, "max_position_embeddings": 4096,
            "rms_norm_eps": 1e-5, "tie_word_embeddings": tied,
        })
    };
    let mpt = |d_model: usize, heads: usize, layers: usize| {
        json!({
            "model_type": "mpt", "d_model": d_model, "n_heads": heads, "n_layers": layers, "expansion_ratio": 4,
            "max_seq_len": 2048, "vocab_size": 50_368, "no_bias": true, "attn_config": {"alibi": true},
        })
    };
    // Weights of deviation 0.02, as the authors' `_init_weights` draws embeddings (and torch about as narrow ones of projections). Transformers' 0.1 is for checkpoints,
    // whose weights nobody draws: a model from scratch begins twice as far off as one that guesses, with gradients of thousands.
    let mamba = |hidden: usize, layers: usize| {
        json!({
            "model_type": "mamba", "vocab_size": 50_280, "hidden_size": hidden, "num_hidden_layers": layers,
            "state_size": 16, "conv_kernel": 4, "expand": 2, "initializer_range": 0.02,
        })
    };
    let mamba2 = |hidden: usize, layers: usize| {
        json!({
            "model_type": "mamba2", "vocab_size": 50_280, "hidden_size": hidden, "num_hidden_layers": layers,
            "state_size": 128, "conv_kernel": 4, "expand": 2, "head_dim": 64, "num_heads": 2 * hidden / 64, "n_groups": 1,
            "tie_word_embeddings": true, "initializer_range": 0.02,
        })
    };
    let (stories, foundry) = ("Llama 2's shape at the sizes of llama2.c", "LLM Foundry's configurations, with ALiBi");
    let (gu, dao) = ("Gu and Dao 2023, table 12", "Mamba-2 (Dao and Gu 2024) at Mamba's sizes");
    vec![
        preset("llama-15m", stories, llama(288, 768, 6, 6, true)),
        preset("llama-125m", "Llama 2's shape at GPT-2's size", llama(768, 2048, 12, 12, true)),
        preset("llama-1b", "Llama 3.2 1B (Meta 2024)", llama_3([2048, 8192, 16, 32, 64], 32.0, true)),
        preset("llama-1.3b", "Llama 2's shape at the size of Sheared LLaMA 1.3B", llama(2048, 5504, 24, 16, false)),
        preset("llama-7b", "Llama 2 7B (Touvron et al. 2023)", llama(4096, 11_008, 32, 32, false)),
        preset("llama-8b", "Llama 3.1 8B (Meta 2024)", llama_3([4096, 14_336, 32, 32, 128], 8.0, false)),
        preset("llama-13b", "Llama 2 13B (Touvron et al. 2023)", llama(5120, 13_824, 40, 40, false)),
        preset("llama-70b", "Llama 3.1 70B (Meta 2024)", llama_3([8192, 28_672, 80, 64, 128], 8.0, false)),
        preset("llama-405b", "Llama 3.1 405B (Meta 2024)", llama_3([16_384, 53_248, 126, 128, 128], 8.0, false)),
        preset("mpt-125m", foundry, mpt(768, 12, 12)),
        preset("mpt-350m", foundry, mpt(1024, 16, 24)),
        preset("mpt-760m", foundry, mpt(1536, 12, 24)),
        preset("mpt-1b", foundry, mpt(2048, 16, 24)),
        preset("mpt-3b", foundry, mpt(2560, 20, 32)),
        preset("mpt-7b", foundry, mpt(4096, 32, 32)),
        preset(
            "mixtral-3b",
            "Mixtral 8x7B at half its width, with a quarter of its layers",
            mixtral([2048, 7168, 8, 16, 4]),
        ),
        preset("mixtral-8x7b", "Mixtral 8x7B (Jiang et al. 2024)", mixtral([4096, 14_336, 32, 32, 8])),
        preset("mamba-130m", gu, mamba(768, 24)),
        preset("mamba-370m", gu, mamba(1024, 48)),
        preset("mamba-1.4b", gu, mamba(2048, 48)),
        preset("mamba-1.6b", "Mambaoutai's width, with as many layers as make 1.6 billion", {
            let mut config = mamba(2688, 28);
            config["vocab_size"] = json!(65_024);
            config["tie_word_embeddings"] = json!(false);
            config
        }),
        preset("mamba2-130m", dao, mamba2(768, 24)),
        preset("mamba2-1.3b", dao, mamba2(2048, 48)),
        preset("mamba2-2.7b", dao, mamba2(2560, 64)),
    ]
}

/// Of a width, an inner width of each of eight experts, so many layers, heads and key heads.
fn mixtral([hidden, intermediate, layers, heads, key_heads]: [usize; 5]) -> Value {
    json!({
        "model_type": "mixtral", "vocab_size": 32_000, "hidden_size": hidden, "intermediate_size": intermediate,
        "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": key_heads, "num_local_experts": 8,
        "num_experts_per_tok": 2, "max_position_embeddings": 32_768, "rope_theta": 1e6, "rms_norm_eps": 1e-5,
        "sliding_window": null, "router_aux_loss_coef": 0.02, "tie_word_embeddings": false,
    })
}

/// Of a width, an inner width, so many layers and heads of a size, whose rotary embeddings are stretched by a factor.
fn llama_3([hidden, intermediate, layers, heads, head_dim]: [usize; 5], factor: f64, tied: bool) -> Value {
    json!({
        "model_type": "llama", "vocab_size": 128_256, "hidden_size": hidden, "intermediate_size": intermediate,
        "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": 8, "head_dim": head_dim,
        "max_position_embeddings": 131_072, "rms_norm_eps": 1e-5, "rope_theta": 500_000.0, "tie_word_embeddings": tied,
        "rope_scaling": {
            "rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192
        },
    })
}
