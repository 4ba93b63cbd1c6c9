//! What mixtures of experts cost: by the programs' products, by what generation reads, and by the memory of a compiled step.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, Output, ParamSpec, Program, Remat, Tensor};
use models::{
    Gpu, LanguageModel, LayerLoop, Lora, LoraModule, Outputs, Precision, RaggedPart, Scope, StateSize, Tokens,
    next_token_loss, products_kept,
};
use runtime::plugins::{Environment, Platform};
use serde_json::{Value, json};

/// Mixtral 8x7B's layers, of which two will do, or a dense model of the same sizes.
fn mixtral(change: &Value) -> LanguageModel {
    let mut config = json!({
        "model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336,
        "num_hidden_layers": 2, "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8,
        "num_experts_per_tok": 2
    });
    for (key, value) in change.as_object().unwrap() {
        config[key] = value.clone();
    }
    LanguageModel::from_json(&config).unwrap()
}

fn dense(intermediate_size: usize) -> LanguageModel {
    mixtral(&json!({"model_type": "llama", "intermediate_size": intermediate_size}))
}

/// A training step's loss and gradients: of all parameters, or of those of adapters at `adapted` modules. In bf16 by kernels, else in f32.
fn training_step(model: &LanguageModel, batch: usize, positions: usize, adapted: &[&str]) -> Program {
    let graph = Graph::new();
    let module = LoraModule { rank: 8, scale: 2.0 };
    let mut linear = model.linear_modules().unwrap();
    linear.retain(|linear| adapted.contains(&linear.path.as_str()));
    let lora = Lora::of_each(&linear, module, 0.0);
    let model = model.clone().beside(Some(&lora));
    let precision = Precision::uniform(if model.grouped_products.is_some() { DType::BF16 } else { DType::F32 });
    let scope = Scope::root(&graph, precision, (!adapted.is_empty()).then(|| lora.clone()));
    let axes = [Axis::new("batch", batch), Axis::new("position", positions)];
    let input = |name: &str| graph.input(name, DType::I32, &axes);
    let tokens = Tokens { ids: input("ids"), positions: input("positions"), segments: None, lengths: None };
    let Outputs { logits, auxiliary_loss } = model.outputs(&scope, tokens);
    let loss = next_token_loss(logits, input("targets"), graph.full(1.0, DType::F32, &axes));
    let objective = auxiliary_loss.map_or(loss, |auxiliary| loss + auxiliary);
    let is_trained = |spec: &ParamSpec| adapted.is_empty() || lora.owns(spec);
    let (specs, trained): (Vec<ParamSpec>, Vec<Tensor<'_>>) =
        graph.params().into_iter().filter(|(spec, _)| is_trained(spec)).unzip();
    let gradients = graph.grad(objective, &trained);
    let named = specs.iter().zip(gradients);
    let named = named.map(|(spec, tensor)| Output { name: &spec.name, stack: &spec.stack, tensor });
    let outputs: Vec<Output<'_, '_>> = [("loss", loss).into()].into_iter().chain(named).collect();
    graph.lower_unrolled("step", &outputs, &[], LayerLoop::Unrolled.unrolled()).unwrap()
}

/// A step of generation, one token in each of `batch` sequences.
fn generation_step(model: &LanguageModel, batch: usize) -> Program {
    let graph = Graph::new();
    let scope = Scope::root(&graph, Precision::uniform(DType::F32), None);
    let (rows, size) = (Axis::new("batch", batch), StateSize { slots: batch + 1, pages: 8, page_tokens: 8 });
    let input = |name: &str, axes: &[Axis]| graph.input(name, DType::I32, axes);
    let ids = input("ids", &[Axis::new("batch", 1), Axis::new("position", batch)]);
    let [start, count, slot] = ["start", "count", "slot"].map(|name| input(name, &[rows]));
    let pages = Some(input("pages", &[rows, Axis::new("seen_page", 8)]));
    let part = RaggedPart { rows: batch, chunk: 1, start, count, length: None, pages, slot, ranks: None, each: false };
    let state = model.ragged_state_inputs(&scope, size);
    let (logits, _) = model.ragged_step(&scope, ids, &[part], size.page_tokens, &state, None);
    graph.lower_unrolled("generate", &[("logits", logits)], &[], LayerLoop::Unrolled.unrolled()).unwrap()
}

/// All parameters, and those that a token is multiplied with, of which there are as many as `share` says.
fn parameters(config: &Value) -> (usize, f64) {
    let anatomy = LanguageModel::from_json(config).unwrap().anatomy(Precision::uniform(DType::BF16), None).unwrap();
    let all = anatomy.params.iter().map(ParamSpec::element_count).sum();
    let experts = anatomy.linear.iter().filter(|module| module.share < 1.0);
    let idle =
        experts.map(|module| (module.count() * module.input.size * module.output.size) as f64 * (1.0 - module.share));
    (all, all as f64 - idle.sum::<f64>())
}

/// The sizes of Mixtral-8x7B-v0.1 and of Qwen3-30B-A3B, by their `config.json`, and the counts that their files and their authors tell.
#[test]
fn published_models_have_as_many_parameters_as_is_said() {
    let mixtral = json!({
        "model_type": "mixtral", "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
        "max_position_embeddings": 32768, "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32,
        "num_key_value_heads": 8, "num_local_experts": 8, "output_router_logits": false, "rms_norm_eps": 1e-05,
        "rope_theta": 1000000.0, "router_aux_loss_coef": 0.02, "sliding_window": null, "tie_word_embeddings": false,
        "vocab_size": 32000
    });
    let qwen = json!({
        "model_type": "qwen3_moe", "attention_bias": false, "decoder_sparse_step": 1, "head_dim": 128, "hidden_act": "silu",
        "hidden_size": 2048, "intermediate_size": 6144, "max_position_embeddings": 40960, "max_window_layers": 48,
        "mlp_only_layers": [], "moe_intermediate_size": 768, "norm_topk_prob": true, "num_attention_heads": 32,
        "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4,
        "output_router_logits": false, "rms_norm_eps": 1e-06, "rope_scaling": null, "rope_theta": 1000000.0,
        "router_aux_loss_coef": 0.001, "sliding_window": null, "tie_word_embeddings": false, "use_sliding_window": false,
        "vocab_size": 151936
    });
    for (config, all, active) in [(mixtral, 46_702_792_704, 12.9e9), (qwen, 30_532_122_624, 3.3e9)] {
        let found = parameters(&config);
        assert_eq!(found.0, all);
        // Rounded, or cut off.
        assert!((found.1 - active).abs() < 0.1e9, "{} parameters are active, and not {active}", found.1);
    }
}

/// The floating-point operations of a program's products, with those in loops as often as the loops run, and those that kernels tell.
fn product_flops(text: &str) -> f64 {
    let mut constants = std::collections::HashMap::new();
    // How often each of the regions that we are in runs, outermost first; and the limit that the loop counts to.
    let (mut times, mut limit) = (vec![1.0], 1.0);
    let mut total = 0.0;
    for line in text.lines().map(str::trim) {
        if let Some((name, value)) = line.split_once(" = stablehlo.constant dense<") {
            constants.insert(name.to_owned(), value.split_once('>').and_then(|(value, _)| value.parse::<f64>().ok()));
        } else if line.ends_with('{') {
            times.push(if line == "} do {" { limit } else { 1.0 });
        }
        if line.starts_with('}') {
            // `} do {` ends one region and begins another.
            let begun = line.ends_with('{').then(|| times.pop().unwrap());
            times.pop();
            times.extend(begun);
        }
        if let Some((_, operands)) = line.split_once("stablehlo.compare LT, ") {
            let second = operands.split([',', ' ', ':']).filter(|part| !part.is_empty()).nth(1).unwrap();
            limit = constants.get(second).copied().flatten().unwrap_or(limit);
        }
        if line.contains("stablehlo.dot_general") {
            total += times.iter().product::<f64>() * flops(line);
        }
        if let Some((_, told)) = line.split_once("backend_config = {debug = false, flops = ") {
            let told: f64 = told.split(' ').next().unwrap().parse().unwrap();
            total += times.iter().product::<f64>() * told;
        }
    }
    assert_eq!(times, [1.0], "regions that do not end");
    total
}

/// Of one product: two for each element of the result and each element summed over.
fn flops(line: &str) -> f64 {
    let shapes: Vec<Vec<f64>> = line
        .split("tensor<")
        .skip(1)
        .map(|ty| ty.split('>').next().unwrap().split('x').filter_map(|size| size.parse().ok()).collect())
        .collect();
    let (_, contracted) = line.split_once("contracting_dims = [").unwrap();
    let dims = contracted.split(']').next().unwrap().split(", ").map(|dim| dim.parse::<usize>().unwrap());
    2.0 * shapes[2].iter().product::<f64>() * dims.map(|dim| shapes[0][dim]).product::<f64>()
}

#[test]
fn products_are_counted_as_often_as_loops_run() {
    let graph = Graph::new();
    let (a, b, layers) = (Axis::new("a", 3), Axis::new("b", 5), Axis::new("layers", 7));
    let x = graph.input("x", DType::F32, &[a, b]);
    let y = graph.input("y", DType::F32, &[layers, b]);
    let (_, rows) = graph.scan(layers, &[], &[y], Remat::none(), |step| (vec![], vec![x.dot(step.slices[0], &["b"])]));
    let program = graph.lower("count", &[("rows", rows[0]), ("more", x.dot(y, &["b"]))], &[]).unwrap();
    assert_eq!(product_flops(&program.text), 2.0 * 2.0 * 3.0 * 5.0 * 7.0);
}

/// Forward and backward, whatever is trained. What is above 1 is the rest of experts' last blocks.
#[test]
fn a_training_step_costs_what_the_chosen_experts_cost() {
    let (mut mixture, chosen, all) = (mixtral(&json!({})), dense(2 * 14336), dense(8 * 14336));
    let q = "model.layers.*.self_attn.q_proj";
    let expert = "model.layers.*.block_sparse_moe.experts.*.w2";
    for kernels in [None, Some(Gpu::Hopper), Some(Gpu::Amd)] {
        mixture.grouped_products = kernels;
        for (adapted, adapted_dense) in [(vec![], vec![]), (vec![q], vec![q]), (vec![q, expert], vec![q])] {
            let [mixture, chosen, all] = [(&mixture, &adapted), (&chosen, &adapted_dense), (&all, &adapted_dense)]
                .map(|(model, adapted)| product_flops(&training_step(model, 4, 2048, adapted).text));
            let (of_chosen, of_all) = (mixture / chosen, mixture / all);
            println!("{adapted:?}, {kernels:?}: {of_chosen:.3} of two experts for all tokens, {of_all:.3} of eight");
            assert!((1.0..1.1).contains(&of_chosen), "{adapted:?}, {kernels:?}: {of_chosen}");
            assert!(of_all < 0.35, "{adapted:?}, {kernels:?}: {of_all}");
        }
    }
}

/// How many kernels of a name a program calls.
fn calls(text: &str, name: &str) -> usize {
    text.matches(&format!("name = \"{name}\"")).count()
}

/// Each of three matrices in each of two layers, and nothing of it in a loop. Weights that nobody trains have no gradients, an adapter's two factors do.
#[test]
fn kernels_take_the_place_of_loops() {
    let expert = "model.layers.*.block_sparse_moe.experts.*.w2";
    let mut model = mixtral(&json!({}));
    for (adapted, forward, of_rows, of_weights) in [(vec![], 6, 6, 6), (vec![expert], 10, 10, 4)] {
        model.grouped_products = None;
        let looped = training_step(&model, 1, 256, &adapted).text;
        assert!(looped.contains("stablehlo.while") && !looped.contains("triton"), "{adapted:?}");
        model.grouped_products = Some(Gpu::Hopper);
        let text = training_step(&model, 1, 256, &adapted).text;
        let found =
            ["grouped_product", "grouped_product_of_rows", "grouped_product_of_weights"].map(|name| calls(&text, name));
        assert_eq!(found, [forward, of_rows, of_weights], "{adapted:?}");
        assert!(!text.contains("stablehlo.while"), "{adapted:?}: a loop is left");
    }
}

/// Where the backward pass computes again what is cheap, experts' products are not among it.
#[test]
fn products_of_experts_are_kept() {
    let mut model = mixtral(&json!({}));
    for kernels in [None, Some(Gpu::Hopper)] {
        (model.grouped_products, model.remat) = (kernels, Remat::none());
        let all_kept = product_flops(&training_step(&model, 4, 2048, &[]).text);
        model.remat = products_kept();
        assert_eq!(product_flops(&training_step(&model, 4, 2048, &[]).text), all_kept, "{kernels:?}");
    }
}

/// Tokens are put in the order of their experts once: the backward pass sorts nothing.
#[test]
fn the_order_of_tokens_is_kept() {
    let mut model = mixtral(&json!({}));
    model.remat = products_kept();
    // In each of two layers the experts of a token, and all tokens by theirs.
    assert_eq!(training_step(&model, 1, 256, &[]).text.matches("stablehlo.sort").count(), 4);
}

/// To the last product, besides the router's.
#[test]
fn generation_reads_the_chosen_experts_alone() {
    let step = generation_step(&mixtral(&json!({})), 1);
    let dense = generation_step(&dense(2 * 14336), 1);
    let routers = 2.0 * 2.0 * 4096.0 * 8.0;
    assert_eq!(product_flops(&step.text), product_flops(&dense.text) + routers);
    for weights in ["tensor<8x14336x4096xf32>", "tensor<8x4096x14336xf32>"] {
        for line in step.text.lines().filter(|line| line.contains(weights)) {
            let passes = ["func.func", "stablehlo.while", "stablehlo.return", "stablehlo.dynamic_slice"];
            assert!(passes.iter().any(|op| line.contains(op)), "reads all experts: {line}");
        }
    }
}

/// No block has a copy of its expert's weights, or a gradient of its own: for the 64 blocks here either would take as much as the weights.
#[test]
fn the_memory_of_a_step_does_not_grow_with_the_blocks() {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let (experts, hidden, intermediate) = (64, 128, 256);
    let model = mixtral(&json!({
        "vocab_size": 64, "hidden_size": hidden, "intermediate_size": intermediate, "num_attention_heads": 4,
        "num_key_value_heads": 4, "num_local_experts": experts
    }));
    let program = training_step(&model, 1, 32, &[]);
    let executable = session.compile(&program.name, &program.text, &Default::default()).unwrap();
    let temporary = executable.program().memory_stats().unwrap().temp;
    let weights = 4 * 3 * experts * hidden * intermediate;
    // Gradients begin with zeros, which take as much as one of the three projections' weights.
    assert!(temporary < weights / 2, "{temporary} bytes, where a layer's experts have {weights}");
}
