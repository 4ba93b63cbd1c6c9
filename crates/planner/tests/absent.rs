//! Plans for GPUs that are not here, with the plugins of theirs that are installed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use planner::{Cluster, Compiler, Plan, Proposal, Search, SearchError};
use runtime::plugins::{Environment, Platform, Purpose, cuda_toolchain, locate};
use train::config::TrainConfig;

/// A layer with heads of 64, whose attention cuDNN has.
const CONFIG: &str = "model_config: {model_type: llama, vocab_size: 512, hidden_size: 256, intermediate_size: 512, num_hidden_layers: 1, \
    num_attention_heads: 4, num_key_value_heads: 4, max_position_embeddings: 512}\ntokenizer: nowhere\n\
    datasets: [{path: nowhere.jsonl}]\nsequence_len: 512\nsample_packing: false\nmicro_batch_size: 8\ngradient_checkpointing: none\n\
    learning_rate: 1.0e-3\n";

const WEIGHTS: f64 = (4 * 256 * 256 + 3 * 256 * 512 + 512 * 256) as f64;
const TOKENS: f64 = (8 * 512) as f64;

fn config(changes: &[&str]) -> TrainConfig {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    TrainConfig::parse(CONFIG, Path::new("config.yaml"), &changes).unwrap()
}

/// The compiler of a platform; `None` where the machine lacks it, unless `FINERY_REQUIRE_PLUGINS` is set, as `.ci/run` sets it.
///
/// It keeps nothing, and so compiles each program.
fn compiler(platform: Platform) -> Option<Compiler> {
    let mut environment = Environment::from_process();
    // It names the CPU's plugin where tests are run.
    environment.plugin = None;
    match locate(&environment, platform).and_then(|located| located.load(&environment, Purpose::Compile)) {
        Ok(plugin) => {
            let toolchain = cuda_toolchain(&environment);
            environment.cache = None;
            Some(Compiler::Absent { plugin, toolchain, environment })
        }
        Err(error) => {
            assert!(std::env::var_os("FINERY_REQUIRE_PLUGINS").is_none(), "FINERY_REQUIRE_PLUGINS is set, but {error}");
            eprintln!("not tested: {error}; run `cargo xtask aot-setup`");
            None
        }
    }
}

fn plan(config: &TrainConfig, target: &str, compiler: &Compiler) -> Plan {
    let cluster: Cluster = target.parse().unwrap();
    Plan::of_config(config, &cluster, compiler, &mut |_| {}).unwrap()
}

/// Six for each weight and token, and of attention's scores below the diagonal two products forward and five backward, where the mathematics
/// needs four.
#[test]
fn products_are_counted_in_triton_fusions_and_in_calls_of_cudnn() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let plan = plan(&config(&[]), "h200", &compiler);
    assert!(plan.attention.starts_with("fused attention (cuDNN"), "{}", plan.attention);
    let attention = |products: f64| products * 2.0 * 256.0 * 512.0 / 2.0 * TOKENS;
    let products = 6.0 * WEIGHTS * TOKENS;
    assert_eq!(plan.model_flops, products + attention(6.0));
    let off = plan.device_flops / (products + attention(7.0)) - 1.0;
    assert!(off.abs() < 0.01, "{} FLOPs, {off} off", plan.device_flops);
    let (estimate, rates) = (plan.estimate.unwrap(), plan.rates.unwrap());
    assert!(estimate.step >= plan.device_flops / rates.product_flops && estimate.exchanges == 0.0, "{estimate:?}");
}

/// As many as of cuDNN's and two more, because the gradients of queries and those of keys each compute the scores again, and their cotangents.
#[test]
fn products_are_counted_in_calls_of_our_own_kernels() {
    let Some(compiler) = compiler(Platform::Rocm) else { return };
    let attention = |products: f64| products * 2.0 * 256.0 * 512.0 / 2.0 * TOKENS;
    let expected = 6.0 * WEIGHTS * TOKENS + attention(9.0);
    // Of two devices each has half of the heads.
    for (target, changes, devices) in [("mi300x", &[][..], 1.0), ("mi300x:2", &["mesh.mp=2"], 2.0)] {
        let plan = plan(&config(changes), target, &compiler);
        assert_eq!(plan.attention, "fused attention (Finery's kernels)");
        let off = devices * plan.device_flops / expected - 1.0;
        assert!(off.abs() < 0.01, "{target}: {} FLOPs, {off} off", plan.device_flops);
    }
}

/// Seconds of exchanges besides those of their bytes.
fn of_themselves(plan: &Plan) -> f64 {
    let count: u64 = plan.exchanges.iter().map(|exchange| exchange.count).sum();
    count as f64 * plan.rates.unwrap().exchange_seconds
}

#[test]
fn machines_are_joined_by_slower_links() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let config = config(&["mesh.dp=8"]);
    let [one, two] = ["h200:8", "h200:4x2"].map(|target| plan(&config, target, &compiler));
    let sent = |plan: &Plan| plan.exchanges.iter().map(|exchange| exchange.sent_bytes).sum::<u64>();
    // Gradients of all parameters in f32, seven eighths of them twice.
    assert!(sent(&one) as f64 > 4.0 * WEIGHTS * 1.75 && sent(&one) == sent(&two), "{} and {}", sent(&one), sent(&two));
    let of_bytes = |plan: Plan| plan.estimate.unwrap().exchanges - of_themselves(&plan);
    let [near, far] = [one, two].map(of_bytes);
    // Four devices of each machine have a link to the other one.
    assert!((far / near / (450.0 / (4.0 * 50.0)) - 1.0).abs() < 1e-6, "{near} and {far} s");
}

/// Gradients of products with weights, where they are added up in bf16; the embedding's, which is no product, stays f32, and so do norms.
#[test]
fn gradients_in_bf16_are_half_the_bytes() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let scattered = |changes: &[&str]| {
        let plan = plan(&config(&[&["mesh.fsdp=2"], changes].concat()), "h200:2", &compiler);
        plan.exchanges.iter().find(|exchange| exchange.kind == "reduce-scatter").unwrap().bytes as f64
    };
    let [wide, narrow] = [scattered(&[]), scattered(&["mesh.reduce_dtype=bf16"])];
    assert!(((wide - narrow) / (2.0 * WEIGHTS) - 1.0).abs() < 0.01, "{wide} and {narrow} bytes of {WEIGHTS} weights");
    // What is computed in f32 stays f32.
    let [wide, narrow] = [scattered(&["dtype=f32"]), scattered(&["dtype=f32", "mesh.reduce_dtype=bf16"])];
    assert_eq!(wide, narrow);
}

/// What was compiled once is not compiled again, and says the same; for other devices it is.
#[test]
fn what_is_told_of_a_program_is_kept() {
    let Some(mut compiler) = compiler(Platform::Cuda) else { return };
    let folder = tempfile::tempdir().unwrap();
    if let Compiler::Absent { environment, .. } = &mut compiler {
        environment.cache = Some(folder.path().to_path_buf());
    }
    let [first, again, other] = ["h200", "h200", "h100"].map(|target| plan(&config(&[]), target, &compiler));
    assert!(first.compile_seconds.is_some() && other.compile_seconds.is_some());
    assert_eq!(again.compile_seconds, None);
    let told = |plan: &Plan| {
        let mut told = serde_json::to_value(plan).unwrap();
        told.as_object_mut().unwrap().remove("compile_seconds");
        told
    };
    assert_eq!(told(&first), told(&again));
}

/// Parts of weights are gathered among the four that hold them, which stand in one machine: their plugin's way to list groups is read.
#[test]
fn groups_are_those_of_the_mesh() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let plan = plan(&config(&["mesh.dp=2", "mesh.fsdp=4"]), "h200:4x2", &compiler);
    let gathered = plan.exchanges.iter().find(|exchange| exchange.kind == "all-gather").unwrap();
    assert!(gathered.bytes as f64 > 2.0 * WEIGHTS, "{gathered:?}");
    assert!((gathered.sent_bytes as f64 / gathered.bytes as f64 - 0.75).abs() < 1e-6, "{gathered:?}");
    // Gradients are summed by pairs, each on both machines, of an eighth of them: a device's part has one card to go by.
    let (rates, exchanges) = (plan.rates.unwrap(), plan.estimate.unwrap().exchanges);
    let within = |bytes: u64| bytes as f64 / (rates.link_within * rates.link_share);
    let between = |bytes: u64| bytes as f64 / (rates.link_between * rates.link_share);
    let of_bytes: f64 = plan
        .exchanges
        .iter()
        .map(|one| if one.kind == "all-reduce" { between(one.sent_bytes) } else { within(one.sent_bytes) })
        .sum();
    let least = of_bytes + of_themselves(&plan);
    println!("{:?}: {least} of {exchanges} s", plan.exchanges);
    assert!((exchanges / least - 1.0).abs() < 0.05, "{least} of {exchanges} s: {:?}", plan.exchanges);
}

/// All experts of a layer, once forward and once backward, and not for each block of rows: in bf16, as they are computed with.
#[test]
fn experts_are_gathered_once_a_pass() {
    let text = CONFIG.replace("model_type: llama", "model_type: mixtral, num_local_experts: 8, num_experts_per_tok: 2");
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    for layers in ["scan_layers=true", "scan_layers=false"] {
        let changes = [layers, "mesh.fsdp=8", "model_config.num_hidden_layers=2"].map(str::to_owned);
        let config = TrainConfig::parse(&text, Path::new("config.yaml"), &changes).unwrap();
        let plan = plan(&config, "h200:8", &compiler);
        let gathered = plan.exchanges.iter().find(|exchange| exchange.kind == "all-gather").unwrap();
        let weights = 2 * (4 * 256 * 256 + 8 * 3 * 256 * 512) + 512 * 256;
        let passes = gathered.bytes as f64 / f64::from(2 * weights);
        // Norms, in f32, are the rest.
        assert!((2.0..2.01).contains(&passes), "{layers}: {passes} times the weights");
        assert_eq!(plan.experts.as_deref(), Some("fused products with experts (Finery's kernels)"));
    }
}

/// By which a profile knows the kernels of experts.
#[test]
fn calls_of_our_own_kernels_keep_their_names() {
    let text = CONFIG.replace("model_type: llama", "model_type: mixtral, num_local_experts: 8, num_experts_per_tok: 2");
    let config = TrainConfig::parse(&text, Path::new("config.yaml"), &[]).unwrap();
    for (platform, target) in [(Platform::Cuda, "h200"), (Platform::Rocm, "mi300x")] {
        let Some(compiler) = compiler(platform) else { continue };
        let cluster: Cluster = target.parse().unwrap();
        let program = Plan::shapes(&config, &cluster).unwrap().plan.train_program().unwrap().program;
        let module = compiler.compile(&cluster, &program).unwrap().module;
        let instructions = || module.computations().flat_map(|computation| &computation.instructions);
        let count = |name: &str| instructions().filter(|call| call.kernel_name() == Some(name)).count();
        // Gate, up and down, once each way.
        let names = ["grouped_product", "grouped_product_of_rows", "grouped_product_of_weights"];
        assert_eq!(names.map(count), [3; 3], "{target}");
        assert!(count("expert_segments") > 0, "{target}");
    }
}

#[test]
fn a_search_proposes_what_fits() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let cluster: Cluster = "h200:2".parse().unwrap();
    let open = Search::run(&config(&["micro_batch_size=auto"]), &cluster, &compiler, 1, &mut |_, _| {});
    assert!(matches!(open, Err(SearchError::NoRows)), "{open:?}");
    let mut tried = 0;
    let search =
        Search::run(&config(&["gradient_checkpointing=auto"]), &cluster, &compiler, 2, &mut |_, _| tried += 1).unwrap();
    assert!((1..=2).contains(&tried) && search.found.len() == tried && search.too_large == 0, "{search:?}");
    let speeds: Vec<f64> = search.found.iter().map(|found| found.plan.tokens_per_second.unwrap()).collect();
    assert!(speeds.is_sorted_by(|one, other| one >= other), "{speeds:?}");
    for Proposal { plan, seconds_at_least, .. } in &search.found {
        let seconds = plan.estimate.unwrap().step;
        assert!(
            *seconds_at_least > 0.0 && *seconds_at_least <= seconds,
            "{seconds_at_least} and {seconds} s: {:?}",
            plan.mesh
        );
    }
    // The lines mean what was planned.
    let best = &search.found[0];
    let text = format!(
        "{}\n{}\n",
        CONFIG.replace("micro_batch_size: 8\ngradient_checkpointing: none\n", ""),
        best.config_lines()
    );
    let again = plan(&TrainConfig::parse(&text, Path::new("config.yaml"), &[]).unwrap(), "h200:2", &compiler);
    assert_eq!(
        (again.mesh, again.memory.total, again.tokens),
        (best.plan.mesh, best.plan.memory.total, TOKENS as usize)
    );
}

/// Of a layer that takes longer for its products than for its memory, on each mesh.
#[test]
fn no_step_in_8_bits_is_faster_than_the_least() {
    let Some(compiler) = compiler(Platform::Cuda) else { return };
    let config = config(&[
        "dtype=fp8",
        "model_config.hidden_size=4096",
        "model_config.intermediate_size=16384",
        "model_config.num_attention_heads=32",
        "model_config.num_key_value_heads=32",
        "micro_batch_size=32",
    ]);
    let search = Search::run(&config, &"h200:2".parse().unwrap(), &compiler, 3, &mut |_, _| {}).unwrap();
    for Proposal { plan, seconds_at_least, .. } in &search.found {
        let step = plan.estimate.unwrap().step;
        println!("{:?}: {seconds_at_least} of {step} s", plan.mesh);
        assert!(*seconds_at_least <= step, "{seconds_at_least} of {step} s: {:?}", plan.mesh);
    }
}
