//! Caches that the memory has no room for.

use std::cell::Cell;
use std::path::Path;

use checkpoint::ModelSource;
use models::{LanguageModel, Lora, LoraModule};
use runtime::plugins::Environment;
use runtime::{Memory, Session};

use super::*;

const CONTEXT: usize = 8192;

/// The fixtures' model, meant for longer texts.
fn model(session: &Session) -> Model<'_> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score/model");
    let source = ModelSource::open(fixture, None).expect("a model");
    let mut plan = ModelPlan::of(&source, DType::F32, Platform::Cpu).expect("a plan");
    let mut config = plan.model.to_json();
    config["max_position_embeddings"] = CONTEXT.into();
    plan.model = LanguageModel::from_json(&config).expect("a longer model");
    Model::load_planned(session, &source, plan, &mut |_| {}).expect("the model is loaded")
}

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("the CPU plugin starts")
}

fn tokens(count: u32) -> Vec<u32> {
    (0..count).map(|i| (i * 7919 + 13) % 320).collect()
}

/// A decoder for which so much memory is free, whatever it frees: its process keeps that.
fn decoder<'m, 's>(model: &'m Model<'s>, free: &'m Cell<u128>) -> Decoder<'m, 's> {
    let memory = || Some(Memory { total: u64::MAX, free: free.get().try_into().expect("it fits"), peak: None });
    Decoder { room: Room::told_by(memory), ..Decoder::new(model, None).expect("a decoder") }
}

fn is_too_large<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::TooLarge { .. }))
}

#[test]
fn a_cache_grows_in_the_place_of_the_old_one_if_that_is_enough() {
    let (session, free) = (session(), Cell::new(1 << 40));
    let model = model(&session);
    let mut decoder = decoder(&model, &free);
    decoder.logits(&tokens(200)).expect("there is room");
    let bytes = |slots: usize| decoder.bytes(slots);
    let (old, new, steps) = (bytes(decoder.slots), bytes(4096), 1 << 24);
    assert!(decoder.slots < 4096);

    free.set(new - old - 1);
    assert!(is_too_large(&decoder.prepare(3000, 1)) && decoder.cached(&tokens(300)) == 200);

    free.set(new - old);
    decoder.prepare(3000, 1).expect("what the old one took is free for the new one");
    assert_eq!((decoder.slots, decoder.cached(&tokens(300))), (4096, 0));

    // The pages of the old one are the new one's now, and nobody else's.
    free.set(steps);
    assert!(decoder.room.check(steps, 0, String::new).is_ok());
    assert!(decoder.room.check(steps + 1, 0, String::new).is_err());
    let expected = Decoder::new(&model, None).expect("a decoder").logits(&tokens(300));
    let found = decoder.logits(&tokens(300)).expect("there is room for a step");
    for (expected, found) in expected.expect("logits").iter().zip(found) {
        assert!((expected - found).abs() < 2e-5, "{expected} and {found}");
    }
}

/// The cache of a long message, beside which no step fits, is not kept for shorter ones.
#[test]
fn a_cache_without_room_for_its_steps_goes() {
    let (session, free) = (session(), Cell::new(0));
    let model = model(&session);
    let mut decoder = decoder(&model, &free);
    let long = decoder.bytes(CONTEXT);
    // A step of a few tokens takes less, one of a chunk over the whole cache more.
    free.set(long);
    assert!(is_too_large(&decoder.logits(&tokens(CONTEXT as u32))));
    assert_eq!((decoder.slots, decoder.has_cache, decoder.held()), (0, false, 0));

    // What it took is free for a shorter message and its steps.
    free.set(0);
    decoder.logits(&[5, 6, 7]).expect("what the long one took is free");
    assert_eq!(decoder.slots, model.plan().slots_min);
}

/// Where weights meet one vector a GPU's step calls kernels for them, one for those that meet the same, for norms and for attention; with a prompt's many
/// it does not, nor does a CPU.
#[test]
fn steps_of_one_token_multiply_by_kernels_on_gpus() {
    let config = serde_json::json!({
        "model_type": "llama", "vocab_size": 320, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": true,
    });
    // All kernels, those that gate and those that attend, and norms that are computed by none.
    let calls = |platform, dtype, chunk, adapted: Option<&str>| {
        let model = LanguageModel::from_json(&config).expect("a Llama of two layers");
        let lora = adapted.map(|name| {
            let mut linear = model.linear_modules().expect("it can be traced");
            linear.retain(|module| module.path.ends_with(name));
            Lora::of_each(&linear, LoraModule { rank: 2, scale: 1.0 }, 0.0)
        });
        let mut plan = ModelPlan::new(model.beside(lora.as_ref()), dtype, platform);
        plan.lora = lora;
        let program = step_program(&plan, StepShape { chunk, visible: 64 }, 64).expect("it can be traced");
        let said = ["@__gpu$xla.gpu.triton(", "@gated_vector_product(", "@cached_attention(", "stablehlo.rsqrt"];
        said.map(|said| program.text.matches(said).count())
    };
    // In each layer two norms; queries, keys and values; attention; its output; gate and up; down. And a norm and the tied head.
    assert_eq!(calls(Platform::Cuda, DType::BF16, 1, None), [16, 2, 2, 0]);
    assert_eq!(calls(Platform::Rocm, DType::F16, 1, None), [16, 2, 2, 0]);
    // What an adapter adds comes before the gate.
    assert_eq!(calls(Platform::Cuda, DType::BF16, 1, Some("up_proj")), [16, 0, 2, 0]);
    assert_eq!(calls(Platform::Cuda, DType::BF16, 1, Some("q_proj")), [16, 2, 2, 0]);
    // Few tokens are normalised by kernels. Of a prompt only the last meets the head.
    assert_eq!(calls(Platform::Cuda, DType::BF16, 16, None), [6, 0, 0, 0]);
    assert_eq!(calls(Platform::Cuda, DType::BF16, 32, None), [2, 0, 0, 4]);
    assert_eq!(calls(Platform::Cuda, DType::F32, 1, None), [0, 0, 0, 5]);
    assert_eq!(calls(Platform::Cpu, DType::BF16, 1, None), [0, 0, 0, 5]);
}
