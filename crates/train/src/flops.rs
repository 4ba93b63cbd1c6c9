//! How much a training step computes, and how much of a device's peak that is.
//!
//! Model FLOPs are those that the mathematics asks for (Chowdhery et al. 2022, "PaLM", appendix B), whatever is computed again in
//! the backward pass. For a token:
//!
//! - each trained weight that is multiplied with costs 6: 2 in the forward pass, 2 for the gradient of the input, 2 for its own;
//! - each frozen one 4, because it gets no gradient;
//! - each frozen one that nothing trained lies before 2, because no gradient goes through it: those of the layers below the first that has
//!   something trained, unless the embedding is;
//! - attention `12 * layers * heads * head_dim * sequence_len` (PaLM's `12 L H Q T`): every position with every other, as
//!   LLM Foundry counts it too, or half of that where only the causal half is counted; a third where no gradient goes through it.
//!
//! The weights that are multiplied with are those of the linear layers and of adapters; of experts, as many as a token is sent to. Under a
//! window a position sees as many others as that is wide, and where only what is before it counts, as many of these as there are. A recurrence counts three products a channel and state. Tokens are those of
//! the data, without padding. Of a plan alone rows that hold several documents count as if they held one; of a batch attention counts within each document.

use data::Batch;
use graph::{GraphError, ParamSpec, Stack};
use models::{Anatomy, LinearModule};

use crate::StepPlan;

/// FLOPs of one token, forward and backward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelFlops {
    products: f64,
    attention: f64,
    causal_attention: f64,
}

impl ModelFlops {
    /// Those of a step whose rows are a document each.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn of(plan: &StepPlan) -> Result<ModelFlops, GraphError> {
        ModelFlops::of_documents(plan, &[plan.batch.positions])
    }

    /// Those of a step on a batch, as the mean over its tokens that are not padding: attention stays within a document.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn of_batch(plan: &StepPlan, batch: &Batch) -> Result<ModelFlops, GraphError> {
        let rows = batch.segment_ids.chunks(batch.sequence_len.max(1));
        let documents = rows.flat_map(|row| row.chunk_by(|a, b| a == b)).filter(|document| document[0] != PADDING);
        ModelFlops::of_documents(plan, &documents.map(<[i32]>::len).collect::<Vec<_>>())
    }

    /// The mean over the tokens of documents of these lengths.
    fn of_documents(plan: &StepPlan, lengths: &[usize]) -> Result<ModelFlops, GraphError> {
        let anatomy = plan.anatomy()?;
        let reached = Reached::new(plan, &anatomy);
        let is_trained = |module: &LinearModule| {
            let is_weight = |spec: &&ParamSpec| spec.name == module.weight && spec.stack == module.stack;
            anatomy.params.iter().find(is_weight).is_some_and(|spec| plan.is_trained(spec))
        };
        let weights = anatomy.linear.iter().map(|module| {
            let elements = (module.count() * module.input.size * module.output.size) as f64 * module.share;
            let through = if module.is_head { reached.head } else { reached.part(&module.stack) };
            elements * (2.0 + 2.0 * through + if is_trained(module) { 2.0 } else { 0.0 })
        });
        let is_added = |spec: &ParamSpec| plan.lora.as_ref().is_some_and(|lora| lora.adds(spec));
        let of_adapters = anatomy.params.iter().filter(|spec| is_added(spec) && spec.axes.len() >= 2);
        let share = |spec: &ParamSpec| {
            let is_its = |module: &&LinearModule| spec.name.starts_with(&format!("{}.lora_", module.path));
            anatomy.linear.iter().find(is_its).map_or(1.0, |module| module.share)
        };
        let adapters = of_adapters.map(|spec: &ParamSpec| spec.element_count() as f64 * share(spec) * 6.0);
        // Each state of a recurrence is carried on, added to and read: as three weights that nobody trains.
        let states = anatomy.state_space.iter().map(|one| {
            let states = (one.layers() * one.channels * one.state_size) as f64;
            3.0 * states * (2.0 + 4.0 * reached.part(&one.stack))
        });
        let (mut attention, mut causal_attention) = (0.0, 0.0);
        for module in &anatomy.attention {
            let of_one = (module.layers() * module.heads * module.head_dim) as f64;
            let of_one = of_one * (4.0 + 8.0 * reached.part(&module.stack));
            let [all, before] = seen(lengths, module.window);
            attention += of_one * all;
            causal_attention += of_one * before;
        }
        Ok(ModelFlops { products: weights.chain(adapters).chain(states).sum(), attention, causal_attention })
    }

    /// With every position attending to every other.
    pub fn full(&self) -> f64 {
        self.products + self.attention
    }

    /// With attention to what is before a position only: the causal half, where there is no window.
    pub fn causal(&self) -> f64 {
        self.products + self.causal_attention
    }
}

/// The number of what is no document's in [`Batch::segment_ids`].
const PADDING: i32 = 0;

/// How many positions a token of documents of these lengths sees on average: with those behind it, and those up to it alone.
fn seen(lengths: &[usize], window: Option<usize>) -> [f64; 2] {
    let (mut all, mut before) = (0.0, 0.0);
    for length in lengths {
        let seen = window.map_or(*length, |window| window.min(*length)) as f64;
        all += seen * *length as f64;
        // The window's first positions see half of it on average, all others all of it.
        before += seen * *length as f64 - seen * seen / 2.0;
    }
    let tokens = lengths.iter().sum::<usize>().max(1) as f64;
    [all / tokens, before / tokens]
}

/// What a gradient goes through.
struct Reached {
    /// The number of the first such layer.
    first: usize,
    /// 1 if one goes through the head to what is before it, else 0.
    head: f64,
}

impl Reached {
    fn new(plan: &StepPlan, anatomy: &Anatomy) -> Reached {
        let Anatomy { params, linear, .. } = anatomy;
        // In order of use: the embedding, the layers, what is behind them.
        let layers = params.iter().position(|spec| !spec.stack.is_empty()).unwrap_or(params.len());
        let trained = |specs: &[ParamSpec]| specs.iter().any(|spec| plan.is_trained(spec));
        let numbers = params.iter().filter(|spec| plan.is_trained(spec)).filter_map(|spec| spec.stack.first());
        let first = if trained(&params[..layers]) { Some(0) } else { numbers.map(|stack| stack.first).min() };
        let heads: Vec<&str> =
            linear.iter().filter(|module| module.is_head).map(|module| module.path.as_str()).collect();
        let is_heads = |spec: &ParamSpec| heads.iter().any(|path| spec.name.starts_with(&format!("{path}.")));
        let before_head = params.iter().any(|spec| plan.is_trained(spec) && !is_heads(spec));
        Reached { first: first.unwrap_or(usize::MAX), head: if before_head { 1.0 } else { 0.0 } }
    }

    /// Which part of layers that are stacked like this.
    fn part(&self, stack: &[Stack]) -> f64 {
        let Some(layers) = stack.first() else { return 1.0 };
        let reached = (0..layers.axis.size).filter(|index| layers.number(*index) >= self.first).count();
        reached as f64 / layers.axis.size as f64
    }
}

/// Peak rates of dense bf16 matrix products in FLOP/s, by words that the name of a device holds; the first that fits counts. They are the
/// vendors': half of what NVIDIA's A100, H100, H200, GH200 and B200 data sheets state with sparsity, and the "peak bfloat16" of AMD's data sheets,
/// of which one of the MI250's two dies, which is a device of its own, has half.
const BF16_PEAKS: [(&str, f64); 12] = [
    ("B200", 2250.0e12),
    ("H200 NVL", 835.5e12),
    ("H200", 989.4e12),
    ("GH200", 989.4e12),
    ("H100 PCIe", 756.5e12),
    ("H100 NVL", 835.5e12),
    ("H100", 989.4e12),
    ("A100", 312.0e12),
    ("MI300X", 1307.4e12),
    ("MI325X", 1307.4e12),
    ("MI250X", 191.5e12),
    ("MI250", 181.0e12),
];

/// The peak of a device in bf16, by the name that its plugin gives it; `None` where it is not known.
pub fn bf16_peak(device: &str) -> Option<f64> {
    // Of `A100-SXM4-80GB` the model is a word; in `A1000` another model begins like it.
    fn words(name: &str) -> Vec<&str> {
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect()
    }
    let device = words(device);
    let has = |name: &str| {
        let name = words(name);
        device.windows(name.len()).any(|some| some == name)
    };
    BF16_PEAKS.iter().find(|(name, _)| has(name)).map(|(_, peak)| *peak)
}

#[cfg(test)]
mod tests {
    use checkpoint::LoraConfig;

    use super::*;
    use crate::Preset;

    fn flops(preset: &str) -> ModelFlops {
        let preset = Preset::ALL.into_iter().find(|other| other.name() == preset).expect("a preset");
        let plan = preset.plan();
        ModelFlops::of(&plan).expect("it traces")
    }

    /// 24 layers, width 2048, inner width 5504, 32000 tokens, rows of 2048: counted by hand.
    #[test]
    fn a_whole_models_weights_count_six_times() {
        let layer = 4 * 2048 * 2048_u64 + 3 * 2048 * 5504;
        let products = 6.0 * (24 * layer + 32000 * 2048) as f64;
        let attention = (12 * 24 * 2048 * 2048_u64) as f64;
        let flops = flops("llama-1.3b");
        assert_eq!((flops.full(), flops.causal()), (products + attention, products + attention / 2.0));
    }

    /// 8 layers, width 2048, 4 key heads of 128, 32000 tokens, rows of 2048; of eight experts with an inner width of 7168 two.
    #[test]
    fn of_experts_those_count_that_a_token_is_sent_to() {
        let layer = 2 * 2048 * (2048 + 4 * 128) + 8 * 2048 + 2 * 3 * 2048 * 7168_u64;
        let products = 6.0 * (8 * layer + 32000 * 2048) as f64;
        assert_eq!(flops("mixtral-3b").full(), products + (12 * 8 * 2048 * 2048_u64) as f64);
    }

    /// The 7B shape with rank 8 on all seven matrices: 32 layers, width 4096, inner width 11008.
    #[test]
    fn frozen_weights_count_four_times() {
        let layer = 4 * 4096 * 4096_u64 + 3 * 4096 * 11008;
        let adapters = 8 * (4 * (4096 + 4096) + 3 * (4096 + 11008));
        let products = (4 * (32 * layer + 32000 * 4096) + 6 * 32 * adapters) as f64;
        assert_eq!(flops("llama-7b-lora").full(), products + (12 * 32 * 4096 * 2048_u64) as f64);
    }

    /// The 7B shape with rank 8 on what `config` selects, counted by hand in forward passes of a layer's 4 x 4096^2 + 3 x 4096 x 11008 weights and
    /// its attention, of the output layer, and of adapters.
    #[test]
    fn what_lies_before_the_first_trained_layer_counts_forward_only() {
        let preset = Preset::ALL.into_iter().find(|preset| preset.name() == "llama-7b-lora").expect("a preset");
        let (layer, attention, head) = (4 * 4096 * 4096_u64 + 3 * 4096 * 11008, 2 * 4096 * 2048_u64, 32000 * 4096_u64);
        let count = |config: LoraConfig| {
            let plan = preset.plan();
            let lora = peft::lora(&config, &plan.model).expect("it fits the model");
            let plan = StepPlan { model: plan.model.beside(Some(&lora)), lora: Some(lora), ..plan };
            ModelFlops::of(&plan).expect("it traces").full()
        };
        let of_query = |layers: Vec<usize>| LoraConfig {
            target_modules: Some(checkpoint::TargetModules::Names(vec!["q_proj".to_owned()])),
            layers_to_transform: Some(checkpoint::OneOrMany::Many(layers)),
            ..LoraConfig::default()
        };
        let saving =
            |config: LoraConfig, module: &str| LoraConfig { modules_to_save: Some(vec![module.to_owned()]), ..config };
        let adapter = 6 * 8 * (4096 + 4096);
        let both = |layers: u64| layers * (4 * layer + 6 * attention);
        let forward = |layers: u64| layers * (2 * layer + 2 * attention);
        let upper = forward(24) + both(8) + 2 * adapter + 4 * head;
        assert_eq!(count(of_query(vec![24, 30])), upper as f64);
        assert_eq!(count(saving(of_query(vec![24, 30]), "lm_head")), (upper + 2 * head) as f64);
        assert_eq!(count(saving(of_query(vec![24, 30]), "embed_tokens")), (both(32) + 2 * adapter + 4 * head) as f64);
        let of_head = LoraConfig {
            target_modules: Some(checkpoint::TargetModules::Names(vec!["lm_head".to_owned()])),
            ..LoraConfig::default()
        };
        assert_eq!(count(of_head), (forward(32) + 2 * head + 6 * 8 * (4096 + 32000)) as f64);
    }

    /// Windows of 512 in rows of 2048: the first 512 positions see 256 on average, the others 512.
    #[test]
    fn a_window_is_not_halved() {
        let preset = Preset::ALL.into_iter().find(|preset| preset.name() == "llama-1.3b").expect("a preset");
        let mut config = preset.plan().model.to_json();
        (config["model_type"], config["sliding_window"]) = ("mistral".into(), 512.into());
        let model = models::LanguageModel::from_json(&config).expect("a Mistral");
        let flops = ModelFlops::of(&StepPlan { model, ..preset.plan() }).expect("it traces");
        let of_keys = |keys: u64| (12 * 24 * 2048 * keys) as f64;
        assert_eq!(flops.full() - flops.causal(), of_keys(512) - of_keys((512 * 256 + 1536 * 512) / 2048));
    }

    /// Rows of 8: documents of 4 and 3 with a token of padding between them, and one of 8 with the number of the one before it.
    #[test]
    fn attention_counts_within_documents_and_padding_as_nothing() {
        let preset = Preset::ALL.into_iter().find(|preset| preset.name() == "llama-1.3b").expect("a preset");
        let plan = preset.plan();
        let of_rows = |rows: [[i32; 8]; 2]| {
            let (segment_ids, zeros) = (rows.concat(), vec![0; 16]);
            let batch = Batch {
                rows: 2,
                sequence_len: 8,
                tokens: zeros.clone(),
                targets: zeros.clone(),
                loss_mask: vec![1.0; 16],
                positions: zeros,
                segment_ids,
            };
            ModelFlops::of_batch(&plan, &batch).expect("it traces")
        };
        let whole = of_rows([[1; 8], [1; 8]]);
        let packed = of_rows([[1, 1, 1, 1, 0, 2, 2, 2], [2; 8]]);
        let of_keys = |keys: f64| (12 * 24 * 2048) as f64 * keys;
        assert_eq!((whole.attention, whole.causal_attention), (of_keys(8.0), of_keys(4.0)));
        let squares = f64::from(4 * 4 + 3 * 3 + 8 * 8) / 15.0;
        assert_eq!((packed.attention, packed.causal_attention), (of_keys(squares), of_keys(squares / 2.0)));
        assert_eq!(whole.products, packed.products);
        // As the presets' packed rows are drawn.
        let plan = StepPlan { batch: crate::BatchShape { packed: true, ..plan.batch }, ..plan };
        let packed = ModelFlops::of_batch(&plan, &crate::random_batch(&plan)).expect("it traces");
        let parts = packed.causal() / ModelFlops::of(&plan).expect("it traces").causal();
        assert!((0.93..0.97).contains(&parts), "{parts}");
    }

    #[test]
    fn devices_are_known_by_their_names() {
        let peak = |name| bf16_peak(name).map(|peak| peak / 1e12);
        assert_eq!(peak("NVIDIA H200"), Some(989.4));
        assert_eq!(peak("NVIDIA H200 NVL"), Some(835.5));
        assert_eq!(peak("NVIDIA H100 80GB HBM3"), Some(989.4));
        assert_eq!(peak("NVIDIA H100 PCIe"), Some(756.5));
        assert_eq!(peak("NVIDIA A100-SXM4-80GB"), Some(312.0));
        assert_eq!(peak("AMD Instinct MI300X"), Some(1307.4));
        assert_eq!(peak("AMD Instinct MI250X"), Some(191.5));
        assert_eq!(peak("AMD Instinct MI250X / MI250"), Some(191.5));
        for other in ["cpu", "NVIDIA RTX A1000", "NVIDIA RTX A1000 Laptop GPU", "NVIDIA GB200", "AMD Instinct MI300A"] {
            assert_eq!(peak(other), None, "{other}");
        }
    }
}
