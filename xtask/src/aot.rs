//! `cargo xtask aot`: compiles whole training steps and all kernels for GPUs that are not here, and checks the memory that steps take, what they call and
//! multiply in, and the registers and instructions that kernels became.
//!
//! `finery bench train --target` compiles each step in a process of its own, because plugins stay loaded for good. What
//! passes here has been compiled and never run: only a GPU shows that it runs.

mod code_objects;
mod kernels;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use code_objects::{CodeObjects, Sizes};

/// How far temporaries may be from those measured: the compiler's own choices move them by a few percent when a
/// program's order changes, while a value that is kept by mistake over 24 layers or more moves them by far more.
const TEMPORARIES_TOLERANCE: f64 = 0.10;

/// What a run may use of a device's memory; runtime's `SessionOptions` reserve as much.
const USABLE: f64 = 0.92;

/// A step that is compiled, and the memory it should take.
struct Case {
    target: &'static str,
    shape: &'static Shape,
    /// Whether rows hold several documents, which on H200 cuDNN's attention keeps apart.
    packed: bool,
    /// Whether layers multiply in 8-bit floats.
    float8: bool,
    /// Bytes of temporaries with the pinned plugins (0.11.2 for CUDA, 0.12.0 for ROCm). H200 has cuDNN's attention, and ours where
    /// that lacks what a model asks for; AMD has ours. Neither holds scores.
    temporary_bytes: f64,
}

const CASES: [Case; 26] = [
    Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.248e9 },
    Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: true, temporary_bytes: 21.475e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: false, float8: true, temporary_bytes: 35.652e9 },
    Case { target: "mi300x", shape: &LLAMA_1B, packed: false, float8: true, temporary_bytes: 21.217e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.652e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: true, float8: false, temporary_bytes: 35.853e9 },
    Case { target: "mi300x", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.033e9 },
    Case { target: "mi300x", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "mi300x", shape: &LLAMA_7B_LORA, packed: true, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "mi250", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.033e9 },
    Case { target: "mi250", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "h200", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.967e9 },
    Case { target: "h200", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.617e9 },
    Case { target: "h200", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 34.360e9 },
    Case { target: "h200", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.931e9 },
    Case { target: "h200", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.306e9 },
    Case { target: "mi300x", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.989e9 },
    Case { target: "mi300x", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.413e9 },
    Case { target: "mi300x", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 33.952e9 },
    Case { target: "mi300x", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.373e9 },
    Case { target: "mi300x", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.194e9 },
    Case { target: "mi250", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.989e9 },
    Case { target: "mi250", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.413e9 },
    Case { target: "mi250", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 33.952e9 },
    Case { target: "mi250", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.469e9 },
    Case { target: "mi250", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.177e9 },
];

/// A preset of `finery bench train`, described here once more so that the parameters which the step takes are counted
/// by hand and not by the program that is checked.
struct Shape {
    preset: &'static str,
    /// The model's own parameters.
    parameters: u64,
    layers: u64,
    /// Those of adapters, if they are trained in place of the model.
    adapters: Option<u64>,
    tokens: u64,
    /// Whether layers are lowered as a loop. The deep ones of many small ops compile much sooner so.
    scan_layers: bool,
    /// Parameters that layers multiply in 8 bits where that is asked for; 0 where no case asks.
    in_8_bits: u64,
    /// Kernels of Finery's that the step is to call on AMD's GPUs.
    kernels: &'static [&'static str],
    /// Those that it is to call on an H200, where cuDNN has plain attention.
    beside_cudnn: &'static [&'static str],
}

const ATTENTION: &[&str] = &["attention_forward", "attention_backward_queries", "attention_backward_keys"];
/// Of experts that are frozen: none of their weights has a gradient.
const FROZEN_EXPERTS: &[&str] = &[
    "attention_forward",
    "attention_backward_queries",
    "attention_backward_keys",
    "grouped_product",
    "grouped_product_of_rows",
];
/// The same without attention.
const FROZEN_PRODUCTS: &[&str] = &["grouped_product", "grouped_product_of_rows"];
const PRODUCTS: &[&str] = &["grouped_product", "grouped_product_of_rows", "grouped_product_of_weights"];
const EXPERTS: &[&str] = &[
    "attention_forward",
    "attention_backward_queries",
    "attention_backward_keys",
    "grouped_product",
    "grouped_product_of_rows",
    "grouped_product_of_weights",
];
const MAMBA: &[&str] =
    &["causal_convolution", "causal_convolution_backward", "selective_scan", "selective_scan_gradients"];
const MAMBA2: &[&str] =
    &["causal_convolution", "causal_convolution_backward", "dual_scan_outputs", "dual_scan_gradients"];

/// Tokens of a row.
const ROW: u64 = 2048;

const LLAMA_1B: Shape = Shape {
    preset: "llama-1.3b",
    layers: 24,
    parameters: llama(2048, 5504, 24),
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: false,
    in_8_bits: 24 * llama_layer(2048, 5504),
    kernels: ATTENTION,
    beside_cudnn: &[],
};

/// Rank 8 on all linear layers.
const LLAMA_7B_LORA: Shape = Shape {
    preset: "llama-7b-lora",
    layers: 32,
    parameters: llama(4096, 11_008, 32),
    // Two matrices each: (rank, inputs) and (outputs, rank). The output layer has none, as in PEFT.
    adapters: Some(32 * 8 * (4 * (4096 + 4096) + 3 * (4096 + 11_008))),
    tokens: 4 * 2048,
    scan_layers: false,
    in_8_bits: 32 * llama_layer(4096, 11_008),
    kernels: ATTENTION,
    beside_cudnn: &[],
};

/// No biases, a tied head, ALiBi; the inner width is four times 2048.
const MPT_1B: Shape = Shape {
    preset: "mpt-1b",
    layers: 24,
    parameters: 50_368 * 2048 + 24 * (12 * 2048 * 2048 + 2 * 2048) + 2048,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: ATTENTION,
    beside_cudnn: ATTENTION,
};

/// A tied head; twice the width inside, 16 states, 4 taps, rank 64 of the steps.
const MAMBA_370M: Shape = Shape {
    preset: "mamba-370m",
    layers: 48,
    parameters: 50_280 * 1024 + 48 * mamba_layer(1024, 64) + 1024,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: MAMBA,
    beside_cudnn: MAMBA,
};

/// A tied head; twice the width inside, in heads of 64 of one group with 128 states, 4 taps.
const MAMBA2_1300M: Shape = Shape {
    preset: "mamba2-1.3b",
    layers: 48,
    parameters: 50_280 * 2048 + 48 * mamba2_layer(2048) + 2048,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: MAMBA2,
    beside_cudnn: MAMBA2,
};

/// All of it in f32.
const MIXTRAL_3B: Shape = Shape {
    preset: "mixtral-3b",
    layers: 8,
    parameters: mixtral(2048, 7168, 8, 512),
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: EXPERTS,
    beside_cudnn: PRODUCTS,
};

/// Rank 8 on the attention's four matrices and the router's.
const MIXTRAL_LORA: Shape = Shape {
    preset: "mixtral-8x7b-lora",
    layers: 32,
    parameters: mixtral(4096, 14_336, 32, 1024),
    adapters: Some(32 * 8 * (2 * (4096 + 4096) + 2 * (4096 + 1024) + 4096 + 8)),
    tokens: 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: FROZEN_EXPERTS,
    beside_cudnn: FROZEN_PRODUCTS,
};

/// A Mixtral of eight experts with a vocabulary of 32,000 and an output layer of its own.
const fn mixtral(hidden: u64, intermediate: u64, layers: u64, keys: u64) -> u64 {
    let (attention, router, norms) = (2 * hidden * (hidden + keys), 8 * hidden, 2 * hidden);
    let layer = attention + router + 8 * 3 * hidden * intermediate + norms;
    2 * 32_000 * hidden + layers * layer + hidden
}

/// A Llama with as many key heads as query heads, a vocabulary of 32,000 and an output layer of its own.
const fn llama(hidden: u64, intermediate: u64, layers: u64) -> u64 {
    let norms = 2 * hidden;
    2 * 32_000 * hidden + layers * (llama_layer(hidden, intermediate) + norms) + hidden
}

/// What a layer multiplies.
const fn llama_layer(hidden: u64, intermediate: u64) -> u64 {
    4 * hidden * hidden + 3 * hidden * intermediate
}

const fn mamba_layer(hidden: u64, rank: u64) -> u64 {
    let (inner, state, taps) = (2 * hidden, 16, 4);
    let projections = 2 * inner * hidden + inner * (rank + 2 * state) + rank * inner + inner * hidden;
    let convolution = (taps + 1) * inner;
    let (step_bias, decays, skip, norm) = (inner, inner * state, inner, hidden);
    projections + convolution + step_bias + decays + skip + norm
}

const fn mamba2_layer(hidden: u64) -> u64 {
    let (inner, state, taps) = (2 * hidden, 128, 4);
    let (heads, convolved) = (inner / 64, inner + 2 * state);
    let projections = hidden * (inner + convolved + heads) + inner * hidden;
    let convolution = (taps + 1) * convolved;
    let (step_bias, decays, skip, norms) = (heads, heads, heads, inner + hidden);
    projections + convolution + step_bias + decays + skip + norms
}

impl Shape {
    /// All that the step takes: 12 bytes for a trained parameter (f32 with AdamW's two moments), 2 for a frozen one (bf16, or 8 bits
    /// twice, and 4 for the unit of each weight), 12 for a token
    /// (its id, its target, its weight in the loss) and 8 more where rows are packed (its position, its document), or 4 for a row (its length)
    /// where not, and 16 of scalars (dropout's seed, three for AdamW).
    fn argument_bytes(&self, packed: bool, float8: bool) -> u64 {
        let (trained, frozen) = match self.adapters {
            Some(adapters) => (adapters, self.parameters),
            None => (self.parameters, 0),
        };
        let data = if packed { 20 * self.tokens } else { 12 * self.tokens + 4 * (self.tokens / ROW) };
        // Of each of seven modules of a layer.
        let units = if float8 && frozen > 0 { 4 * 7 * self.layers } else { 0 };
        12 * trained + 2 * frozen + units + data + 16
    }
}

/// Rank 8 on Llama 3.1 405B's linear layers, each of them its (inputs, outputs), for 16 rows of 64 tokens: the job of "Llama3 405B Tuning
/// Experience on AMD MI300x", with weights in bf16 over the eight devices of a machine.
struct Job {
    /// What plans it.
    arguments: [&'static str; 5],
    /// Bytes of the frozen weights on each device.
    frozen: u64,
    /// Bytes of the adapters on each device, in f32.
    trained: u64,
    /// Bytes of temporaries, as in [`Case`].
    temporary_bytes: f64,
    /// What the article's run took of all devices: 77 % of 1,536 GB.
    reported_bytes: f64,
}

const LLAMA_405B: Job = {
    let (hidden, inner, keys, layers, vocab, devices) = (16_384, 53_248, 1024, 126, 128_256, 8);
    let layer = 2 * hidden * hidden + 2 * hidden * keys + 3 * hidden * inner + 2 * hidden;
    let adapters = 8 * (2 * (hidden + hidden) + 2 * (hidden + keys) + 3 * (hidden + inner));
    Job {
        arguments: ["plan", "examples/llama-405b-lora.yaml", "--target", "mi300x:8", "--json"],
        frozen: 2 * (2 * vocab * hidden + layers * layer + hidden) / devices,
        trained: 4 * layers * adapters / devices,
        temporary_bytes: 12.34e9,
        reported_bytes: 0.77 * 1.536e12,
    }
};

impl Job {
    /// Compiles it; gives back a line about it, and what is wrong with it.
    fn run(&self, finery: &Finery) -> Result<(String, Vec<String>)> {
        let report = finery.run(&self.arguments)?;
        self.check(&report).with_context(|| format!("reading what was printed for {}: {report:?}", self.arguments[1]))
    }

    fn check(&self, json: &str) -> Result<(String, Vec<String>)> {
        let plan: Value = serde_json::from_str(json)?;
        let memory = &plan["memory"];
        let bytes = |key: &str| memory[key].as_u64().with_context(|| format!("no whole number `{key}`"));
        let devices = plan["devices"].as_u64().context("no whole number `devices`")?;
        let total = (devices * bytes("total")?) as f64;
        let temporary = bytes("gradients")? + bytes("activations")?;
        let mut wrong = Vec::new();
        for (key, expected) in [("frozen", self.frozen), ("trained", self.trained), ("optimizer", 2 * self.trained)] {
            let found = bytes(key)?;
            if found != expected {
                wrong.push(format!(
                    "{}: {found} bytes are {key} on each device; by its sizes {expected}",
                    self.arguments[1]
                ));
            }
        }
        wrong.extend(temporaries_violation(self.arguments[1], temporary, self.temporary_bytes));
        if memory["fits"] != Value::Bool(true) || total > self.reported_bytes {
            wrong.push(format!(
                "{}: {total:.0} bytes on all devices; {:.0} were taken",
                self.arguments[1], self.reported_bytes
            ));
        }
        let line = format!(
            "{}: {:.0} GB on {devices} devices, {:.1} of them temporaries, where {:.0} GB are reported",
            self.arguments[1],
            total / 1e9,
            (devices * temporary) as f64 / 1e9,
            self.reported_bytes / 1e9
        );
        Ok((line, wrong))
    }
}

/// Installs the plugins for GPUs and the CUDA toolchain into Finery's cache.
///
/// # Errors
/// A plugin cannot be installed.
pub(crate) fn set_up(root: &Path) -> Result<bool> {
    install(&Finery::find(root)?)?;
    Ok(true)
}

fn install(finery: &Finery) -> Result<()> {
    for arguments in [&["plugin", "install", "cuda", "--toolchain"][..], &["plugin", "install", "rocm"]] {
        print!("{}", finery.run(arguments)?);
    }
    Ok(())
}

/// Compiles all steps and kernels and checks them, or those whose names have one of some words in them; false if one is not what it should be.
///
/// # Errors
/// As [`set_up`]; or a step does not compile.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let finery = Finery::find(root)?;
    install(&finery)?;
    let steps = CASES.iter().map(Work::Step);
    let kernels = kernels::RUNS.iter().map(Work::Kernels);
    let mut all: Vec<Work> = steps.chain([Work::Job(&LLAMA_405B)]).chain(kernels).collect();
    let has_any = |name: String| words.iter().any(|words| name.contains(words));
    let fits_none = words.iter().find(|words| !all.iter().any(|work| work.name().contains(**words)));
    ensure!(fits_none.is_none(), "nothing that is compiled has `{}` in its name", fits_none.unwrap_or(&""));
    all.retain(|work| words.is_empty() || has_any(work.name()));
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for found in at_once(&all, AT_ONCE, |work| work.run(&finery)) {
        let (lines, violations) = found?;
        rows.extend(lines);
        wrong.extend(violations);
    }
    // After the plugins' own messages, so that the table stays in one piece.
    println!("\n{HEADINGS}");
    for line in rows.iter().chain(&wrong) {
        println!("{line}");
    }
    Ok(wrong.is_empty())
}

/// Compilers at work at once: one alone leaves half of two processors idle, and each takes up to 6 GB.
const AT_ONCE: usize = 2;

/// Something to compile.
enum Work {
    Step(&'static Case),
    Job(&'static Job),
    Kernels(&'static kernels::Kernels),
}

/// Lines about what was compiled, and what is wrong with it.
type Found = Result<(Vec<String>, Vec<String>)>;

impl Work {
    fn name(&self) -> String {
        match self {
            Work::Step(case) => format!("{} for {}", case.name(), case.target),
            Work::Job(job) => format!("{} for {}", job.arguments[1], job.arguments[3]),
            Work::Kernels(kernels) => kernels.name(),
        }
    }

    fn run(&self, finery: &Finery) -> Found {
        match self {
            Work::Step(case) => {
                let compiled = case.compile(finery)?;
                Ok((vec![compiled.row(case)], compiled.violations(case)))
            }
            Work::Job(job) => {
                let (line, wrong) = job.run(finery)?;
                Ok((vec![line], wrong))
            }
            Work::Kernels(kernels) => kernels.run(finery),
        }
    }
}

/// What `run` finds of each of `all`, in their order, so many of them at once. None is begun behind one that failed.
fn at_once<T: Sync, R: Send>(all: &[T], count: usize, run: impl Fn(&T) -> Result<R> + Sync) -> Vec<Result<R>> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut found = Vec::new();
        while !has_failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = all.get(index) else { break };
            let result = run(one);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            found.push((index, result));
        }
        found
    };
    let mut found: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Above the columns of [`Compiled::row`].
const HEADINGS: &str = "target   preset                compile s arguments GiB temporaries GiB device GiB";

/// What compiling has told.
struct Compiled {
    seconds: f64,
    argument_bytes: u64,
    temporary_bytes: u64,
    program_bytes: u64,
    device_bytes: u64,
    /// FLOPs of products in 8 bits, by the types of their factors.
    float8_flops: BTreeMap<String, f64>,
    /// How often each routine of a library and each kernel of Finery's is called.
    calls: BTreeMap<String, f64>,
    /// Fusions that multiply what matrix cores take.
    products_made: BTreeSet<String>,
    /// Code objects of such fusions, where they are read.
    products_read: Option<usize>,
    /// What is wrong with the code objects.
    wrong_objects: Vec<String>,
}

impl Case {
    /// Whether the device has room for it: eight experts' weights in bf16 alone are 93 GB, and one die of an MI250 has 64.
    fn fits(&self) -> bool {
        !(self.target == "mi250" && self.shape.preset == MIXTRAL_LORA.preset)
    }

    fn name(&self) -> String {
        let [packed, float8] =
            [(self.packed, ", packed"), (self.float8, ", fp8")].map(|(is, word)| if is { word } else { "" });
        format!("{}{packed}{float8}", self.shape.preset)
    }

    fn compile(&self, finery: &Finery) -> Result<Compiled> {
        let mut arguments = vec!["bench", "train", "--json", "--preset", self.shape.preset, "--target", self.target];
        arguments.extend(self.packed.then_some("--packed"));
        if self.float8 {
            arguments.extend(["--dtype", "fp8"]);
        }
        if self.shape.scan_layers {
            arguments.extend(["--scan-layers", "true"]);
        }
        let name = format!("step-{}-{}", self.target, self.name().replace(", ", "-"));
        let path = finery.root.join(format!("target/aot-{name}.mlir"));
        let place = path.display().to_string();
        arguments.extend(["--dump", &place]);
        let is_amd = self.target != "h200";
        let objects = CodeObjects::new(&finery.root, &name)?;
        let output = finery.run_with(&objects.variables(), &arguments)?;
        let mut compiled = Compiled::parse(&output)
            .with_context(|| format!("reading what was printed for {}: {output:?}", self.target))?;
        if is_amd {
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {place}"))?;
            let (made, wanted) = (objects.read()?, code_objects::wanted(&text)?);
            compiled.wrong_objects = code_objects::violations((self.target, Sizes::Timed), &made, &wanted);
            let (read, wrong) = code_objects::violations_of_fusions(self.target, &made, &compiled.products_made);
            compiled.products_read = Some(read);
            compiled.wrong_objects.extend(wrong);
        }
        Ok(compiled)
    }

    /// What the compiled step should call and does not, or calls and should not.
    fn misses(&self, calls: &BTreeMap<String, f64>) -> Vec<String> {
        let is_amd = self.target != "h200";
        let kernels = if is_amd { self.shape.kernels } else { self.shape.beside_cudnn };
        let missing = kernels.iter().filter(|kernel| !calls.contains_key(**kernel));
        let foreign = calls.keys().filter(|name| is_amd && name.to_lowercase().contains("cudnn"));
        let missing = missing.map(|kernel| format!("does not call the kernel `{kernel}`"));
        missing.chain(foreign.map(|name| format!("calls cuDNN's `{name}`"))).collect()
    }

    /// What is wrong with the products in 8 bits: none where they are not asked for; else all of the layers', in the target's own types, of which the
    /// forward pass has one, and the backward pass two, or one of frozen weights. Those that are computed again come on top.
    fn float8_violation(&self, flops: &BTreeMap<String, f64>) -> Option<String> {
        if !self.float8 {
            return (!flops.is_empty()).then(|| format!("multiplies in 8 bits: {flops:?}"));
        }
        let types: &[&str] =
            if self.target == "h200" { &["f8e4m3fn", "f8e5m2"] } else { &["f8e4m3fnuz", "f8e5m2fnuz"] };
        let own = flops.iter().filter(|(factors, _)| factors.split(' ').all(|factor| types.contains(&factor)));
        let (found, all): (f64, f64) = (own.map(|(_, flops)| flops).sum(), flops.values().sum());
        let passes = if self.shape.adapters.is_some() { 2 } else { 3 };
        let expected = (passes * 2 * self.shape.in_8_bits * self.shape.tokens) as f64;
        // A first layer's queries, keys and values are of embeddings, which have no gradient where adapters are trained.
        let is_all = found == all && (0.99 * expected..1.5 * expected).contains(&found);
        (!is_all).then(|| format!("{expected:.3e} FLOPs of its layers are to be in {types:?}, and are {flops:?}"))
    }
}

impl Compiled {
    fn parse(json: &str) -> Result<Compiled> {
        let report: Value = serde_json::from_str(json)?;
        let bytes = |key: &str| report[key].as_u64().with_context(|| format!("no whole number `{key}`"));
        Ok(Compiled {
            seconds: report["compile_seconds"].as_f64().context("no number `compile_seconds`")?,
            argument_bytes: bytes("argument_bytes")?,
            temporary_bytes: bytes("temporary_bytes")?,
            program_bytes: bytes("program_bytes")?,
            device_bytes: bytes("device_bytes")?,
            float8_flops: numbers(&report, "float8_flops")?,
            calls: numbers(&report, "calls")?,
            products_made: names(&report, "products_made")?,
            products_read: None,
            wrong_objects: Vec::new(),
        })
    }

    /// Bytes of the device that it may use.
    fn usable(&self) -> f64 {
        self.device_bytes as f64 * USABLE
    }

    fn fits(&self) -> bool {
        self.program_bytes as f64 <= self.usable()
    }

    fn row(&self, case: &Case) -> String {
        let fits = if self.fits() { "fits" } else { "DOES NOT FIT" };
        let products = self.products_read.map(|read| {
            let all = self.products_made.len();
            format!("; of {all} fusions that multiply matrices {read} code objects are read")
        });
        format!(
            "{:<8} {:<21} {:>9.1} {:>13.2} {:>15.2} {:>10.1}  {fits}: {:.1} of {:.1} GiB that may be used{}",
            case.target,
            case.name(),
            self.seconds,
            gib(self.argument_bytes as f64),
            gib(self.temporary_bytes as f64),
            gib(self.device_bytes as f64),
            gib(self.program_bytes as f64),
            gib(self.usable()),
            products.unwrap_or_default(),
        )
    }

    fn violations(&self, case: &Case) -> Vec<String> {
        let name = format!("{} for {}", case.name(), case.target);
        let mut wrong = Vec::new();
        let expected = case.shape.argument_bytes(case.packed, case.float8);
        if self.argument_bytes != expected {
            let found = self.argument_bytes;
            wrong.push(format!("{name}: takes {found} bytes of arguments; its parameters and data are {expected}"));
        }
        wrong.extend(temporaries_violation(&name, self.temporary_bytes, case.temporary_bytes));
        if self.fits() != case.fits() {
            let (found, usable) = (gib(self.program_bytes as f64), gib(self.usable()));
            let known = if case.fits() { "should fit" } else { "is known not to" };
            wrong.push(format!("{name}: takes {found:.1} of {usable:.1} GiB that may be used, and {known}"));
        }
        let float8 = case.float8_violation(&self.float8_flops);
        let told = case.misses(&self.calls).into_iter().chain(float8).chain(self.wrong_objects.iter().cloned());
        wrong.extend(told.map(|told| format!("{name}: {told}")));
        wrong
    }
}

/// The numbers of an object in a report, by their keys.
fn numbers(report: &Value, key: &str) -> Result<BTreeMap<String, f64>> {
    let object = report[key].as_object().with_context(|| format!("no object `{key}`"))?;
    let number = |(name, value): (&String, &Value)| Some((name.clone(), value.as_f64()?));
    object.iter().map(number).collect::<Option<_>>().with_context(|| format!("`{key}` holds what is no number"))
}

/// The texts of a list in a report.
fn names(report: &Value, key: &str) -> Result<BTreeSet<String>> {
    let list = report[key].as_array().with_context(|| format!("no list `{key}`"))?;
    let name = |value: &Value| Some(value.as_str()?.to_owned());
    list.iter().map(name).collect::<Option<_>>().with_context(|| format!("`{key}` holds what is no text"))
}

fn temporaries_violation(name: &str, found: u64, expected: f64) -> Option<String> {
    let change = found as f64 / expected - 1.0;
    (change.abs() > TEMPORARIES_TOLERANCE).then(|| {
        format!(
            "{name}: {found} bytes of temporaries are {:+.0} % from the {expected:.0} in xtask/src/aot.rs; find out why, and write the new \
             number there if it is meant",
            change * 100.0
        )
    })
}

fn gib(bytes: f64) -> f64 {
    bytes / (1u64 << 30) as f64
}

/// The `finery` of this workspace, built.
struct Finery {
    /// A file of its own: others build meanwhile, and put theirs where cargo puts them.
    program: PathBuf,
    /// The repository's root, in which it is run.
    root: PathBuf,
}

impl Finery {
    /// That which `FINERY_BINARY` names, or else the one that cargo builds.
    fn find(root: &Path) -> Result<Finery> {
        let given = std::env::var_os("FINERY_BINARY").map(PathBuf::from);
        let built = given.map_or_else(|| Finery::build(root), Ok)?;
        let program = built.with_file_name(format!("finery-{}", std::process::id()));
        std::fs::copy(&built, &program).with_context(|| format!("copying {}", built.display()))?;
        Ok(Finery { program, root: root.to_path_buf() })
    }

    fn build(root: &Path) -> Result<PathBuf> {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--package", "finery", "--message-format", "json-render-diagnostics"]);
        let output = command.current_dir(root).stderr(Stdio::inherit()).output().context("running cargo")?;
        ensure!(output.status.success(), "building finery failed ({})", output.status);
        // One JSON object a line; that of the binary names the file.
        let messages = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let program =
            messages.filter_map(|message: Value| message["executable"].as_str().map(PathBuf::from)).next_back();
        program.context("cargo does not say where it put finery")
    }

    /// Gives back what it printed; its messages go to standard error.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        self.run_with(&[], arguments)
    }

    /// The same with environment variables.
    fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Result<String> {
        let line = format!("finery {}", arguments.join(" "));
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(variables.iter().copied()).current_dir(&self.root).stderr(Stdio::inherit());
        // A plugin that the user names for other work would be taken for each platform's.
        let output = command.env_remove("FINERY_PLUGIN").output().with_context(|| format!("running `{line}`"))?;
        ensure!(output.status.success(), "`{line}` failed ({})", output.status);
        String::from_utf8(output.stdout).with_context(|| format!("reading what `{line}` printed"))
    }
}

impl Drop for Finery {
    fn drop(&mut self) {
        // What is left there is in nobody's way.
        let _ = std::fs::remove_file(&self.program);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(target: &str, preset: &str) -> &'static Case {
        let is_it = |case: &&Case| case.target == target && case.shape.preset == preset && !case.packed && !case.float8;
        CASES.iter().find(is_it).expect("a case")
    }

    /// What is wrong with a step that takes so many bytes of a device of 64 GiB and is else as it should be.
    fn wrong(case: &Case, program_bytes: u64) -> Vec<String> {
        let compiled = Compiled {
            argument_bytes: case.shape.argument_bytes(case.packed, case.float8),
            temporary_bytes: case.temporary_bytes as u64,
            program_bytes,
            device_bytes: 1 << 36,
            calls: case.shape.kernels.iter().map(|name| ((*name).to_owned(), 1.0)).collect(),
            ..compiled()
        };
        compiled.violations(case)
    }

    #[test]
    fn what_no_longer_fits_is_found_and_what_fits_anew() {
        let (small, large) = (1 << 35, 1 << 36);
        let fits = case("mi250", "mixtral-3b");
        assert_eq!(wrong(fits, small), Vec::<String>::new());
        let found = "mixtral-3b for mi250: takes 64.0 of 58.9 GiB that may be used, and should fit";
        assert_eq!(wrong(fits, large), [found]);
        let does_not = case("mi250", "mixtral-8x7b-lora");
        assert_eq!(wrong(does_not, large), Vec::<String>::new());
        let found = "mixtral-8x7b-lora for mi250: takes 32.0 of 58.9 GiB that may be used, and is known not to";
        assert_eq!(wrong(does_not, small), [found]);
    }

    #[test]
    fn experts_that_are_trained_have_gradients_of_weights() {
        let of_rows = ["grouped_product", "grouped_product_of_rows"];
        let calls = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 1.0)).collect();
        let calls = calls(&[ATTENTION, &of_rows].concat());
        let missing = case("mi300x", "mixtral-3b").misses(&calls);
        assert_eq!(missing, ["does not call the kernel `grouped_product_of_weights`"]);
        assert_eq!(case("mi300x", "mixtral-8x7b-lora").misses(&calls), Vec::<String>::new());
        // On an H200 cuDNN has attention, but not MPT's.
        let products = of_rows.iter().map(|name| ((*name).to_owned(), 1.0)).collect();
        assert_eq!(case("h200", "mixtral-3b").misses(&products), missing);
        assert_eq!(case("h200", "mixtral-8x7b-lora").misses(&products), Vec::<String>::new());
        assert_eq!(case("h200", "mpt-1b").misses(&products).len(), ATTENTION.len());
    }

    #[test]
    fn what_is_found_is_in_order_and_nothing_is_begun_behind_a_failure() {
        let all: Vec<u64> = (0..40).collect();
        // The first take longest.
        let late = |number: &u64| {
            thread::sleep(std::time::Duration::from_millis(20u64.saturating_sub(*number)));
            Ok(2 * number)
        };
        let found: Vec<u64> = at_once(&all, 3, late).into_iter().map(|result| result.expect("found")).collect();
        assert_eq!(found, all.iter().map(|number| 2 * number).collect::<Vec<_>>());

        let fails = |number: &u64| {
            anyhow::ensure!(*number != 5, "five");
            thread::sleep(std::time::Duration::from_millis(20));
            Ok(*number)
        };
        let found = at_once(&all, 2, fails);
        assert!(found.len() < all.len(), "all were begun");
        assert_eq!(found[5].as_ref().expect_err("the failure").to_string(), "five");
    }

    #[test]
    fn parameters_are_those_of_the_published_models() {
        // Llama 2 7B, and what PEFT's print_trainable_parameters says of rank 8 on all its linear layers.
        assert_eq!((LLAMA_7B_LORA.parameters, LLAMA_7B_LORA.adapters), (6_738_415_616, Some(19_988_480)));
        assert_eq!(LLAMA_1B.parameters, 1_345_423_360);
        // The hub counts these.
        assert_eq!(MIXTRAL_LORA.parameters, 46_702_792_704);
        assert_eq!(MIXTRAL_3B.parameters, 3_033_696_256);
        assert_eq!(MAMBA_370M.parameters, 371_516_416);
        assert_eq!(8 * LLAMA_405B.frozen / 2, 405_853_388_800);
    }

    #[test]
    fn memory_beyond_the_window_is_a_violation() {
        let case = Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 25.0e9 };
        let wrong = |argument_bytes, temporary_bytes| {
            let (program_bytes, device_bytes) = (argument_bytes + temporary_bytes, 150_000_000_000);
            let compiled = Compiled { argument_bytes, temporary_bytes, program_bytes, device_bytes, ..compiled() };
            compiled.violations(&case).len()
        };
        let arguments = LLAMA_1B.argument_bytes(false, false);
        assert_eq!(wrong(arguments, 27_400_000_000), 0);
        assert_eq!(wrong(arguments, 22_600_000_000), 0);
        assert_eq!(wrong(arguments, 27_600_000_000), 1);
        assert_eq!(wrong(arguments - 4, 22_400_000_000), 2);
    }

    fn compiled() -> Compiled {
        Compiled {
            seconds: 13.5,
            argument_bytes: 1 << 30,
            temporary_bytes: 1 << 30,
            program_bytes: 1 << 30,
            device_bytes: 1 << 30,
            float8_flops: BTreeMap::new(),
            calls: BTreeMap::new(),
            products_made: BTreeSet::new(),
            products_read: None,
            wrong_objects: Vec::new(),
        }
    }

    #[test]
    fn a_step_for_amd_calls_its_kernels_and_nothing_of_nvidias() {
        let case = |target| Case { target, shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 1.0 };
        let calls = |more: &[&str]| -> BTreeMap<String, f64> {
            MAMBA.iter().chain(more).map(|name| ((*name).to_owned(), 24.0)).collect()
        };
        assert_eq!(case("mi300x").misses(&calls(&["__cublas$lt$matmul"])), Vec::<String>::new());
        let cudnn = calls(&["__cudnn$fmhaSoftmax"]);
        assert_eq!(case("mi250").misses(&cudnn), ["calls cuDNN's `__cudnn$fmhaSoftmax`"]);
        let mut less = calls(&["selective_scan_carry"]);
        less.remove("selective_scan");
        assert_eq!(case("mi300x").misses(&less), ["does not call the kernel `selective_scan`"]);
        assert_eq!(case("h200").misses(&calls(&["__cudnn$fmhaSoftmax"])), Vec::<String>::new());
        assert_eq!(case("h200").misses(&less), ["does not call the kernel `selective_scan`"]);
    }

    #[test]
    fn a_step_in_8_bits_multiplies_in_them() {
        let is_wrong = |target, float8, shape: &'static Shape, flops: &[(&str, f64)]| {
            let case = Case { target, shape, packed: false, float8, temporary_bytes: 1.0 };
            let flops = flops.iter().map(|(types, flops)| ((*types).to_owned(), *flops)).collect();
            case.float8_violation(&flops).is_some()
        };
        // 24 layers of 7 products, each of 16,384 tokens.
        let pass = 2.0 * 16_384.0 * 24.0 * f64::from(4 * 2048 * 2048 + 3 * 2048 * 5504);
        let ocp = [("f8e4m3fn f8e4m3fn", pass), ("f8e5m2 f8e4m3fn", 2.0 * pass)];
        let fnuz = [("f8e4m3fnuz f8e4m3fnuz", pass), ("f8e5m2fnuz f8e4m3fnuz", 2.0 * pass)];
        assert!(!is_wrong("h200", true, &LLAMA_1B, &ocp) && !is_wrong("mi300x", true, &LLAMA_1B, &fnuz));
        assert!(is_wrong("h200", true, &LLAMA_1B, &fnuz) && is_wrong("mi300x", true, &LLAMA_1B, &ocp));
        // All of them, a pass and nothing in what was asked to be in bf16 or is upcast by the compiler.
        assert!(is_wrong("h200", true, &LLAMA_1B, &[]) && is_wrong("h200", true, &LLAMA_1B, &ocp[..1]));
        assert!(is_wrong("h200", false, &LLAMA_1B, &ocp) && !is_wrong("h200", false, &LLAMA_1B, &[]));
        // Of frozen weights there is no gradient.
        let pass = 2.0 * 8192.0 * 32.0 * f64::from(4 * 4096 * 4096 + 3 * 4096 * 11_008);
        let lora = [("f8e4m3fn f8e4m3fn", pass), ("f8e5m2 f8e4m3fn", 0.995 * pass)];
        assert!(!is_wrong("h200", true, &LLAMA_7B_LORA, &lora) && is_wrong("h200", true, &LLAMA_7B_LORA, &lora[..1]));
    }

    #[test]
    fn a_job_that_takes_more_than_was_reported_is_a_violation() {
        let wrong = |frozen: u64, activations: u64, fits: bool| {
            let Job { trained, .. } = LLAMA_405B;
            let total = frozen + 3 * trained + activations;
            let json = serde_json::json!({"devices": 8, "memory": {
                "frozen": frozen, "trained": trained, "optimizer": 2 * trained, "gradients": 0, "activations": activations, "total": total,
                "fits": fits,
            }});
            LLAMA_405B.check(&json.to_string()).unwrap().1.len()
        };
        let frozen = LLAMA_405B.frozen;
        assert_eq!(wrong(frozen, 12_400_000_000, true), 0);
        assert_eq!(wrong(frozen, 12_400_000_000, false), 1);
        assert_eq!(wrong(frozen - 2, 12_400_000_000, true), 1);
        // A copy of most weights: more temporaries, and with them more than was reported.
        assert_eq!(wrong(frozen, 77_200_000_000, true), 2);
    }

    #[test]
    fn what_fits_leaves_room_for_the_driver() {
        let case = &CASES[0];
        let row = |program_bytes| Compiled { program_bytes, device_bytes: 100 << 30, ..compiled() }.row(case);
        assert!(row(92 << 30).contains("  fits: 92.0 of 92.0 GiB"), "{}", row(92 << 30));
        assert!(row((92 << 30) + 1).contains("DOES NOT FIT"));
    }

    #[test]
    fn a_report_that_lacks_a_number_says_which() {
        let error = Compiled::parse(r#"{"compile_seconds": 1.5, "argument_bytes": 1, "temporary_bytes": -2}"#);
        assert_eq!(error.err().map(|error| error.to_string()).as_deref(), Some("no whole number `temporary_bytes`"));
    }
}
