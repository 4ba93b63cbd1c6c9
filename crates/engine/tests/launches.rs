//! What a step of generation consists of on GPUs: between two kernels nothing is read, so there are to be few.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{ModelPlan, decode_program};
use graph::DType;
use models::{LanguageModel, Lora, LoraModule, ModelPreset};
use runtime::plugins::Platform;

/// Kernels that a step calls, and how many of them are gated products.
fn kernels(platform: Platform, dtype: DType, adapted: Option<&str>) -> [usize; 2] {
    let preset = ModelPreset::find("llama-15m").unwrap();
    let model = LanguageModel::from_json(&preset.config).unwrap();
    let lora = adapted.map(|name| {
        let mut linear = model.linear_modules().unwrap();
        linear.retain(|module| module.path.ends_with(name));
        Lora::of_each(&linear, LoraModule { rank: 2, scale: 1.0 }, 0.0)
    });
    let model = model.beside(lora.as_ref());
    let mut plan = ModelPlan::new(model, dtype, platform);
    plan.lora = lora;
    let text = decode_program(&plan, 1, 16).unwrap().text;
    ["custom_call @__gpu$xla.gpu.triton", "tt.func public @gated_vector_product("]
        .map(|call| text.matches(call).count())
}

#[test]
fn projections_of_the_same_vector_are_one_launch() {
    // A launch each for queries, keys and values, for attention's output, for gate and up, and for down; and one for the output layer.
    let layers = 6;
    assert_eq!(kernels(Platform::Cuda, DType::BF16, None), [4 * layers + 1, layers]);
    assert_eq!(kernels(Platform::Rocm, DType::BF16, None), [4 * layers + 1, layers]);
    // What an adapter adds comes before the gate.
    assert_eq!(kernels(Platform::Cuda, DType::BF16, Some("up_proj")), [4 * layers + 1, 0]);
    assert_eq!(kernels(Platform::Cuda, DType::BF16, Some("q_proj")), [4 * layers + 1, layers]);
    // Neither for other types nor on CPUs.
    assert_eq!(kernels(Platform::Cuda, DType::F32, None), [0, 0]);
    assert_eq!(kernels(Platform::Cpu, DType::BF16, None), [0, 0]);
}
