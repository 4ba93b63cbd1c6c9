//! What compiled steps do on several devices: what they exchange, and what they hold.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use graph::{AxisRule, DType, Remat};
use hlo::{Computation, Instruction, Module};
use mesh::Rules;
use models::{Gpu, LayerLoop, Lora, LoraModule, LossChunk, LossForm};
use runtime::Executable;
use runtime::plugins::Platform;
use serde_json::json;
use train::{BatchShape, LeastMemory, StepPlan, Trained};

#[path = "mesh/setup.rs"]
mod setup;

use crate::setup::{ALONE, Sizes, llama, mixtral, on, plan, session};

/// A model whose weights are most of its memory.
fn deep(depth: usize, layers: LayerLoop) -> StepPlan {
    let config = json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": depth,
        "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 64
    });
    let plan = plan(&config, layers);
    let batch = BatchShape { accumulation: 1, rows: 8, positions: 8, packed: false };
    StepPlan { model: plan.model.keeping(Remat::full()), batch, ..plan }
}

/// Bytes of a layer's weights in f32.
const LAYER_BYTES: u64 = 4 * (4 * 128 * 128 + 3 * 128 * 512);

/// Bytes of the embedding and the head.
const OTHER_BYTES: u64 = 4 * 2 * 96 * 128;

/// The same, of which an adapter of the query projections is trained.
fn adapted(plan: StepPlan) -> StepPlan {
    let linear = plan.model.linear_modules().unwrap();
    let queries: Vec<_> = linear.into_iter().filter(|module| module.path.ends_with("q_proj")).collect();
    let lora = Lora::of_each(&queries, LoraModule { rank: 8, scale: 2.0 }, 0.0);
    StepPlan { lora: Some(lora), trained: Trained::Adapters, ..plan }
}

/// The step on a mesh.
fn compiled(plan: &StepPlan, mesh: Sizes) -> Executable {
    compiled_by(&Rules::default(), plan, mesh)
}

fn compiled_by(rules: &Rules, plan: &StepPlan, mesh: Sizes) -> Executable {
    let program = on(plan, rules, mesh).train_program().unwrap().program;
    session().compile_program(&program).unwrap()
}

fn instructions_of(executable: &Executable) -> Vec<Instruction> {
    let optimized = executable.program().optimized().unwrap();
    let module = Module::read(&optimized.format, &optimized.code).unwrap();
    module.computations().flat_map(|computation| computation.instructions.clone()).collect()
}

/// Of weights, gradients and moments each device has a part.
#[test]
fn what_a_device_holds_falls_with_fsdp() {
    let plan = deep(2, LayerLoop::Loop);
    let memory = |mesh| compiled(&plan, mesh).program().memory_stats().unwrap();
    let alone = memory(ALONE);
    for parts in [2, 8] {
        let shared = memory((1, parts as usize, 1));
        let [held, expected] = [shared.argument, alone.argument / parts].map(|bytes| bytes as f64);
        // Beside parameters and moments there are the step's few numbers, which all have.
        assert!((held / expected - 1.0).abs() < 1e-3, "{parts} parts: {held} of {}", alone.argument);
        // Beside temporaries that are split there are a gathered layer, a gradient before it is split, and the same of what is no layer.
        let whole = 2 * (LAYER_BYTES + OTHER_BYTES);
        assert!(shared.temp < alone.temp / parts + whole, "{parts} parts: {} of {}", shared.temp, alone.temp);
    }
}

/// What is known before compiling is no more than what the compiler takes.
#[test]
fn the_least_memory_is_what_a_step_takes_and_more() {
    let (looped, unrolled) = (deep(4, LayerLoop::Loop), deep(2, LayerLoop::Unrolled));
    let adapted = adapted(looped.clone());
    let chunked = StepPlan { loss: LossForm { chunk: LossChunk::Tokens(128), ..looped.loss }, ..looped.clone() };
    let cases = [
        (&looped, 256, ALONE),
        (&chunked, 256, ALONE),
        (&unrolled, 64, (1, 4, 2)),
        (&adapted, 64, (1, 2, 1)),
        (&chunked, 64, (1, 4, 1)),
    ];
    for (plan, rows, mesh) in cases {
        let batch = BatchShape { rows, ..plan.batch };
        let plan = on(&StepPlan { batch, ..plan.clone() }, &Rules::default(), mesh);
        let (least, taken) = (LeastMemory::of(&plan).unwrap(), compiled(&plan, mesh).program().memory_stats().unwrap());
        // Beside the state there are a step's data, and its few numbers.
        let data = taken.argument - least.state;
        assert!(data < 16 * (rows * plan.batch.positions) as u64 + 64, "{mesh:?}: {data} bytes of data");
        assert!(least.total() <= taken.total(), "{mesh:?}: {} of {}", least.total(), taken.total());
        // On one device it is not little: else it would refuse nothing.
        assert!(mesh != ALONE || taken.total() < 6 * least.total(), "{} of {}", least.total(), taken.total());
    }
}

/// Logits lie split by their vocabulary, which leaves nothing of the same devices for positions: what layers are given is split by these.
#[test]
fn the_least_memory_counts_logits_split_once() {
    let deep = deep(2, LayerLoop::Loop);
    let plan = StepPlan { batch: BatchShape { rows: 1, positions: 512, ..deep.batch }, ..deep };
    let (given, logits) = (2 * 4 * 512 * 128, 4 * 512 * 96);
    for (sequence_parallel, expected) in [(false, given + logits / 4), (true, given / 4 + logits / 4)] {
        let rules = Rules { sequence_parallel, ..Rules::default() };
        let least = LeastMemory::of(&on(&plan, &rules, (1, 1, 4))).unwrap();
        let taken = compiled_by(&rules, &plan, (1, 1, 4)).program().memory_stats().unwrap();
        assert_eq!(least.activations, expected, "{sequence_parallel}");
        assert!(least.total() <= taken.total(), "{sequence_parallel}: {} of {}", least.total(), taken.total());
    }
}

/// A deeper model takes more arguments, and hardly more on the way.
#[test]
fn one_layer_is_gathered_at_a_time() {
    for layers in [LayerLoop::Loop, LayerLoop::Unrolled] {
        // Of what all micro-batches gather, a compiler would do it once for all of them.
        let steps = [2, 5].map(|depth| {
            let plan = adapted(deep(depth, layers));
            let batch = BatchShape { accumulation: 2, ..plan.batch };
            compiled(&StepPlan { batch, ..plan }, (1, 8, 1))
        });
        let [few, many] = steps.each_ref().map(|step| step.program().memory_stats().unwrap().temp);
        let grown = many.saturating_sub(few) / 3;
        assert!(grown < LAYER_BYTES / 4, "{layers:?}: {grown} bytes more with each layer");
        // Else they would stay from the forward pass to the backward pass: the largest is gathered in both.
        let is_down = |step: &&Instruction| step.opcode == "all-gather" && step.shape.dims().ends_with(&[128, 512]);
        let gathers = instructions_of(&steps[1]).iter().filter(is_down).count();
        assert_eq!(gathers, if layers == LayerLoop::Loop { 2 } else { 10 }, "{layers:?}");
    }
}

/// Rows are summed over all that compute for them, weights are gathered from those that hold them, and over model parallel devices neither
/// moves, but what they add to the residual stream.
#[test]
fn what_devices_exchange() {
    let plan = deep(2, LayerLoop::Loop);
    // XLA's CPU compiler has no pass that makes reduce-scatters: it adds all up and takes a part.
    let cases = [((8, 1, 1), false, true), ((1, 8, 1), true, true), ((1, 1, 8), false, true)];
    for (mesh, gathers_weights, sums) in cases {
        let all = instructions_of(&compiled(&plan, mesh));
        let weights = [[128, 128], [512, 128], [128, 512]];
        let is_weight = |step: &Instruction| weights.iter().any(|dims| step.shape.dims().ends_with(dims));
        let gathered = all.iter().any(|step| step.opcode == "all-gather" && is_weight(step));
        let summed = all.iter().any(|step| ["all-reduce", "reduce-scatter"].contains(&step.opcode.as_str()));
        assert_eq!((gathered, summed), (gathers_weights, sums), "{mesh:?}");
        let kinds = |name: &str| all.iter().any(|step| step.opcode == name);
        assert!(!kinds("all-to-all") && !kinds("collective-permute"), "{mesh:?}");
    }
}

/// Each device puts its own tokens in the order of their experts, and multiplies those alone.
#[test]
fn what_goes_to_experts_stays_on_its_device() {
    let plan = plan(&mixtral(), LayerLoop::Loop);
    let tokens = (plan.batch.rows * plan.batch.positions) as u64;
    let of_all = |mesh| {
        let all = instructions_of(&compiled(&plan, mesh));
        // Two experts a token.
        all.iter().filter(|step| step.shape.dims().iter().any(|size| [tokens, 2 * tokens].contains(size))).count()
    };
    assert!(of_all(ALONE) > 0);
    assert_eq!(of_all((8, 1, 1)), 0);
}

/// A scan reads positions in turn: what devices exchanged in it they would exchange as often as a row is long.
#[test]
fn scans_of_state_spaces_exchange_nothing() {
    let mamba =
        json!({"model_type": "mamba", "vocab_size": 96, "hidden_size": 64, "num_hidden_layers": 1, "state_size": 8});
    let mamba2 = json!({
        "model_type": "mamba2", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 1, "num_heads": 4, "head_dim": 16,
        "n_groups": 2, "state_size": 8, "chunk_size": 8
    });
    for (config, mesh) in [(&mamba, (1, 8, 1)), (&mamba, (2, 2, 2)), (&mamba2, (1, 8, 1)), (&mamba2, (2, 2, 2))] {
        // Layers are no loop, so that loops are in scans.
        let [outside, inside] = exchanges(&compiled(&plan(config, LayerLoop::Unrolled), mesh));
        assert!(outside > 0 && inside == 0, "{config} on {mesh:?}: {inside} exchanges");
    }
}

/// In rows that are so long that attention in plain operations goes through their queries in a loop.
#[test]
fn attention_of_long_rows_exchanges_nothing_in_its_loop() {
    let mut long = plan(&llama(), LayerLoop::Unrolled);
    long.batch.positions = 2149;
    for mesh in [(8, 1, 1), (2, 2, 2), (1, 4, 2)] {
        let executable = compiled(&long, mesh);
        let [outside, inside] = exchanges(&executable);
        assert!(outside > 0 && inside == 0 && loops(&executable) > 0, "{mesh:?}: {inside} exchanges in loops");
    }
}

/// How many exchanges a program has outside of loops and inside.
fn exchanges(executable: &Executable) -> [usize; 2] {
    let optimized = executable.program().optimized().unwrap();
    let module = Module::read(&optimized.format, &optimized.code).unwrap();
    let is_exchange = |step: &&Instruction| {
        ["all-gather", "all-reduce", "all-to-all", "collective-permute", "reduce-scatter"]
            .contains(&step.opcode.as_str())
    };
    let count = |computation: &Computation| computation.instructions.iter().filter(is_exchange).count();
    let outside = count(module.entry());
    [outside, module.computations().map(count).sum::<usize>() - outside]
}

/// How many loops a program has.
fn loops(executable: &Executable) -> usize {
    instructions_of(executable).iter().filter(|step| step.opcode == "while").count()
}

/// Rows stay on their devices, which exchange no more for many chunks than for one; where the vocabulary is split, there are no chunks.
#[test]
fn chunks_of_the_loss_exchange_nothing() {
    let whole = plan(&llama(), LayerLoop::Unrolled);
    let chunked = StepPlan { loss: LossForm { chunk: LossChunk::Tokens(5), ..whole.loss }, ..whole.clone() };
    for mesh in [(8, 1, 1), (1, 8, 1), (2, 4, 1)] {
        let executable = compiled(&chunked, mesh);
        let [outside, inside] = exchanges(&executable);
        assert!(outside > 0 && inside == 0 && loops(&executable) == 1, "{mesh:?}: {inside} exchanges in the loop");
    }
    for mesh in [(1, 1, 8), (2, 2, 2)] {
        assert_eq!(loops(&compiled(&chunked, mesh)), 0, "{mesh:?}");
    }
    assert_eq!(loops(&compiled(&whole, ALONE)), 0);
}

/// A step that is mostly logits takes less by nearly all of them and of their gradient.
#[test]
fn chunks_of_the_loss_take_less_memory() {
    let config = json!({
        "model_type": "llama", "vocab_size": 8192, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 64
    });
    let batch = BatchShape { accumulation: 1, rows: 8, positions: 64, packed: false };
    let whole = StepPlan { batch, ..plan(&config, LayerLoop::Unrolled) };
    let chunked = StepPlan { loss: LossForm { chunk: LossChunk::Tokens(32), ..whole.loss }, ..whole.clone() };
    let logits = 4 * 8192 * 8 * 64;
    let [whole_bytes, chunk_bytes] =
        [&whole, &chunked].map(|plan| compiled(plan, ALONE).program().memory_stats().unwrap().temp);
    assert!(
        chunk_bytes + logits * 3 / 4 < whole_bytes,
        "{chunk_bytes} and {whole_bytes} bytes, of {logits} for logits"
    );
    let [whole_least, chunk_least] = [&whole, &chunked].map(|plan| LeastMemory::of(plan).unwrap().activations);
    assert_eq!(whole_least - chunk_least, logits * 15 / 16);
}

/// Of Mamba-2's groups of heads each device has its own, or of the heads of a group; rows before channels where both ask for the same devices.
#[test]
fn scans_of_state_spaces_are_split() {
    let mamba2 = |groups: usize| {
        json!({
            "model_type": "mamba2", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 1, "num_heads": 4, "head_dim": 16,
            "n_groups": groups, "state_size": 8, "chunk_size": 8
        })
    };
    let mamba =
        json!({"model_type": "mamba", "vocab_size": 96, "hidden_size": 64, "num_hidden_layers": 1, "state_size": 8});
    let over_all = Rules { activations: vec![AxisRule::new("batch", &["dp", "fsdp", "mp"])], ..Rules::default() };
    let usual = Rules::default();
    let cases = [
        (mamba2(2), &usual, "tensor<8x24x1x2x16xf32>"),
        (mamba2(1), &usual, "tensor<8x24x1x2x16xf32>"),
        (mamba.clone(), &usual, "tensor<8x24x64xf32>"),
        (mamba, &over_all, "tensor<4x24x128xf32>"),
    ];
    for (config, rules, part) in cases {
        let text = on(&plan(&config, LayerLoop::Loop), rules, (1, 1, 2)).train_program().unwrap().program.text;
        let regions = text.lines().filter(|line| line.contains("sdy.manual_computation"));
        let split = regions.filter(|line| line.contains(&format!(": {part}"))).count();
        assert!(split >= 2, "{config}: {split} regions take {part}");
    }
}

/// How many loops of a step's program take a layer's experts as they were gathered in front of them.
fn loops_over_gathered_experts(text: &str) -> usize {
    let lines = || text.lines().map(str::trim_start);
    let gathered: BTreeSet<&str> = lines()
        .filter(|line| line.contains(" = sdy.sharding_constraint ") && line.ends_with(" : tensor<8x64x64xf32>"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let begins = |line: &str| {
        let (_, inits) = line.split_once(" = stablehlo.while(")?;
        let inits = inits.split_once(')')?.0.split(", ").filter_map(|init| init.split(" = ").nth(1));
        Some(inits.filter(|init| gathered.contains(init)).count())
    };
    lines().filter_map(begins).sum()
}

/// A loop over blocks of rows takes them so where devices keep their exchanges in order, as GPUs do and those of the processor do not. A loop
/// over micro-batches does not.
#[test]
fn experts_are_gathered_once_for_all_blocks_on_gpus() {
    // Three matrices forward and backward, in each of two layers or in the loops over them.
    for (layers, loops) in [(LayerLoop::Unrolled, 12), (LayerLoop::Loop, 6)] {
        let plan = plan(&mixtral(), layers);
        let batch = BatchShape { accumulation: 2, ..plan.batch };
        for (platform, expected) in [(Platform::Cuda, loops), (Platform::Rocm, loops), (Platform::Cpu, 0)] {
            let exchanges_in_order = runtime::keeps_exchanges_in_order(platform);
            let rules = Rules { exchanges_in_order, ..Rules::default() };
            let plan = on(&StepPlan { batch, ..plan.clone() }, &rules, (1, 8, 1));
            let program = plan.train_program().unwrap().program;
            assert_eq!(loops_over_gathered_experts(&program.text), expected, "{layers:?} on {platform:?}");
        }
    }
}

/// By kernels each device multiplies its own tokens, with its own hidden units of all experts.
#[test]
fn kernels_multiply_what_a_device_has() {
    let mut plan = StepPlan { compute: DType::BF16, ..plan(&mixtral(), LayerLoop::Loop) };
    plan.model.grouped_products = Some(Gpu::Hopper);
    let text = on(&plan, &Rules::default(), (2, 2, 2)).train_program().unwrap().program.text;
    // Of 8 rows of 24 tokens a device has 2, whose 96 pairs fill at most 8 blocks. Of 64 hidden units it has 32.
    let up = "(tensor<8x128x64xbf16>, tensor<8x32x64xbf16>, tensor<8xi32>) -> (tensor<8x128x32xbf16>)";
    let down = "(tensor<8x128x32xbf16>, tensor<8x64x32xbf16>, tensor<8xi32>) -> (tensor<8x128x64xbf16>)";
    let calls = |types: &str| text.lines().filter(|line| line.contains("triton") && line.ends_with(types)).count();
    assert_eq!([up, down].map(calls), [2, 1]);
    let backward = [
        "(tensor<8x128x64xbf16>, tensor<8x64x32xbf16>, tensor<8xi32>) -> (tensor<8x128x32xbf16>)",
        "(tensor<8x128x32xbf16>, tensor<8x32x64xbf16>, tensor<8xi32>) -> (tensor<8x128x64xbf16>)",
        "(tensor<8x128x64xbf16>, tensor<8x128x32xbf16>, tensor<8xi32>, tensor<8xi32>) -> (tensor<8x64x32xf32>)",
        "(tensor<8x128x32xbf16>, tensor<8x128x64xbf16>, tensor<8xi32>, tensor<8xi32>) -> (tensor<8x32x64xf32>)",
    ];
    assert_eq!(backward.map(calls), [1, 2, 1, 2]);
}

/// What layers hand on, of which the backward pass keeps one for each.
#[test]
fn a_sequence_in_parts_takes_less_memory() {
    let deep = deep(8, LayerLoop::Loop);
    let plan = StepPlan { batch: BatchShape { rows: 1, positions: 2048, ..deep.batch }, ..deep };
    let [whole, parts] = [false, true]
        .map(|sequence_parallel| compiled_by(&Rules { sequence_parallel, ..Rules::default() }, &plan, (1, 1, 8)));
    let kept = 4 * 2048 * 128 * 8;
    let [whole_bytes, part_bytes] = [&whole, &parts].map(|step| step.program().memory_stats().unwrap().temp);
    println!("temporaries: {whole_bytes} and {part_bytes} bytes");
    assert!(part_bytes + kept * 3 / 4 < whole_bytes, "{part_bytes} and {whole_bytes} bytes");
    // The weights stay where they are.
    let weights = [[128, 128], [512, 128], [128, 512]];
    let is_weight = |step: &Instruction| weights.iter().any(|dims| step.shape.dims().ends_with(dims));
    let gathered = instructions_of(&parts).iter().filter(|step| step.opcode == "all-gather" && is_weight(step)).count();
    assert_eq!(gathered, 0);
}
