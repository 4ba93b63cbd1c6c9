//! Proposing a mesh, a micro-batch and what the backward pass keeps: the fastest that fit, by compiling few of them.

use graph::ParamSpec;
use mesh::{MeshShape, MeshSize, StateSharding};
use runtime::Bytes;
use serde::Serialize;
use train::config::{GradientCheckpointing, MeshConfig, MicroBatch, TrainConfig};
use train::micro_batch::ROWS_MAX;
use train::{LeastMemory, ModelFlops, StepPlan, Trained};

use crate::plan::if_room;
use crate::{Cluster, Compiler, Plan, PlanError, Rates};

/// A way to run a configuration's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The mesh.
    pub shape: MeshShape,
    /// Rows of a micro-batch.
    pub rows: usize,
    /// Micro-batches of a step.
    pub accumulation: usize,
    /// What the backward pass keeps.
    pub kept: GradientCheckpointing,
    /// Seconds that a step takes at the least.
    at_least: f64,
    /// Seconds that one may be expected to take, by which candidates are tried in order.
    expected: f64,
}

/// What was proposed, and how.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// Those that fit, the fastest first.
    pub found: Vec<Proposal>,
    /// Those that were compiled and do not fit.
    pub too_large: usize,
    /// Those that were not compiled: another that was says that they do not fit or are slower.
    pub ruled_out: usize,
    /// Those that might be faster still, for which no compiling was left.
    pub untried: usize,
}

/// A way to run the step, with its plan.
#[derive(Clone, Debug, Serialize)]
pub struct Proposal {
    /// What the backward pass keeps.
    pub gradient_checkpointing: &'static str,
    /// Seconds that a step takes at the least, as it was known before compiling.
    pub seconds_at_least: f64,
    /// What it takes.
    pub plan: Plan,
    /// What a configuration says of it.
    #[serde(skip)]
    config_lines: String,
}

/// No search is possible.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// There is nothing to rank by.
    #[error(
        "searching for the fastest on {target}: its rates are not known, so that nothing could be ranked; give a target that is ({known}), or plan \
         without --search",
        known = "h200, h100, mi300x or mi250"
    )]
    NoRates {
        /// The target.
        target: String,
    },
    /// The rows of a step are open.
    #[error(
        "searching keeps the rows of a step, which micro_batch_size: auto leaves open: give global_batch_size, or a number for micro_batch_size"
    )]
    NoRows,
    /// No candidate is a step.
    #[error(
        "searching for a mesh of {devices} devices: none divides both the model's axes and the {rows} rows of a step; give other rows (micro_batch_size, \
         gradient_accumulation_steps or global_batch_size), or another number of devices{}", .example.as_ref().map(|error| format!(" ({error})")).unwrap_or_default()
    )]
    NoCandidate {
        /// All devices.
        devices: usize,
        /// Rows of a step.
        rows: u64,
        /// Why one of them is none.
        example: Option<String>,
    },
    /// Every candidate takes more than there is, before anything is compiled.
    #[error(
        "no mesh of {devices} devices fits on {target}: a step takes at least {least} of each ({state} of it weights and what the optimizer remembers), even \
         as dp {} x fsdp {} x mp {}, and {usable} may be used: it would need about {needed} such devices; give more of them, or larger ones", shape.dp, shape.fsdp, shape.mp
    )]
    NoRoom {
        /// The target.
        target: String,
        /// All devices.
        devices: usize,
        /// The mesh that takes least of each device.
        shape: MeshShape,
        /// What it takes at the least.
        least: Bytes,
        /// Of that parameters, and what the optimizer remembers.
        state: Bytes,
        /// What may be used of a device.
        usable: Bytes,
        /// Devices over which as much in all would fit, were it spread evenly.
        needed: u64,
    },
    /// Nothing that was compiled fits.
    #[error(
        "no step that was compiled for {target} fits, of {compiled}{}: {} may be used of each device; {}",
        .least.map(|least| format!(" (the smallest takes {least})")).unwrap_or_default(),
        .usable,
        if *.untried == 0 {
            "nothing else is smaller: give more devices or larger ones, or a lower sequence_len".to_owned()
        } else {
            format!("{untried} are left that may, which a higher --compiles tries")
        }
    )]
    NoneFits {
        /// The target.
        target: String,
        /// How many were compiled.
        compiled: usize,
        /// What the smallest of them takes, where its compiler says so.
        least: Option<Bytes>,
        /// What may be used of a device.
        usable: Bytes,
        /// Those that were not compiled and may fit.
        untried: usize,
    },
    /// A step cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// From what keeps most to what keeps least.
const KEPT: [GradientCheckpointing; 3] =
    [GradientCheckpointing::None, GradientCheckpointing::Dots, GradientCheckpointing::Full];

impl Candidate {
    /// The configuration's name of what is kept.
    pub fn kept_name(&self) -> &'static str {
        match self.kept {
            GradientCheckpointing::Auto => "auto",
            GradientCheckpointing::None => "none",
            GradientCheckpointing::Dots => "dots",
            GradientCheckpointing::Full => "full",
        }
    }

    fn keeps(&self) -> usize {
        KEPT.len() - KEPT.iter().position(|kept| *kept == self.kept).unwrap_or(0)
    }

    /// Whether it takes at least the memory of another.
    fn is_larger_than(&self, other: &Candidate) -> bool {
        self.shape == other.shape && self.rows >= other.rows && self.keeps() >= other.keeps()
    }

    /// The configuration that means it.
    fn config(&self, config: &TrainConfig) -> TrainConfig {
        let mut config = config.clone();
        let MeshShape { dp, fsdp, mp } = self.shape;
        (config.mesh.dp, config.mesh.fsdp, config.mesh.mp) =
            (MeshSize::Devices(dp), MeshSize::Devices(fsdp), MeshSize::Devices(mp));
        config.micro_batch_size = MicroBatch::Rows(self.rows as u64);
        config.gradient_accumulation_steps = self.accumulation as u64;
        config.global_batch_size = None;
        config.gradient_checkpointing = self.kept;
        config
    }
}

impl Search {
    /// Proposes ways to run a configuration's step on a cluster, with as many rows in a step as it says, compiling at most so many of them.
    /// `trying` is told of each before it is compiled, with its number.
    ///
    /// # Errors
    /// The device's rates are not known, no mesh divides, nothing fits, or the compiler refuses a step.
    pub fn run(
        config: &TrainConfig,
        cluster: &Cluster,
        compiler: &Compiler,
        compiles_max: usize,
        trying: &mut dyn FnMut(usize, &Candidate),
    ) -> Result<Search, SearchError> {
        let no_rates = || SearchError::NoRates { target: cluster.name.clone() };
        let rates = cluster.device.as_ref().and_then(Rates::of).ok_or_else(no_rates)?;
        let usable = compiler.usable_bytes(cluster).unwrap_or(u64::MAX);
        let all = candidates(config, cluster, &rates, usable)?;
        let (mut found, mut compiled, mut least) = (Vec::new(), 0, None::<u64>);
        let explored = explore(&all, compiles_max, |candidate| {
            compiled += 1;
            trying(compiled, candidate);
            let meant = candidate.config(config);
            let plan = Plan::of(&Plan::shapes(&meant, cluster)?, cluster, compiler);
            let Some(plan) = if_room(plan)? else { return Ok::<_, PlanError>(None) };
            least = least.into_iter().chain([plan.memory.total]).min();
            if plan.memory.total > usable {
                return Ok(None);
            }
            let seconds = plan.estimate.map(|estimate| estimate.step);
            let seconds_at_least = candidate.at_least;
            let (gradient_checkpointing, config_lines) = (candidate.kept_name(), config_lines(&meant, config));
            found.push(Proposal { gradient_checkpointing, seconds_at_least, plan, config_lines });
            Ok(seconds)
        })?;
        found.sort_by(|one, other| {
            other.plan.tokens_per_second.unwrap_or(0.0).total_cmp(&one.plan.tokens_per_second.unwrap_or(0.0))
        });
        let Explored { too_large, ruled_out, untried } = explored;
        if found.is_empty() {
            let (target, least) = (cluster.name.clone(), least.map(|least| Bytes(least.into())));
            return Err(SearchError::NoneFits { target, compiled, least, usable: Bytes(usable.into()), untried });
        }
        Ok(Search { found, too_large, ruled_out, untried })
    }
}

impl Proposal {
    /// The lines that mean it, in place of the configuration's own of these keys.
    pub fn config_lines(&self) -> &str {
        &self.config_lines
    }
}

/// What `meant` says of the mesh, the rows and what is kept; of the mesh its sizes and whatever is not usual. Rows that `wanted` gives a whole step are
/// taken back, beside which those of a micro-batch are not allowed.
fn config_lines(meant: &TrainConfig, wanted: &TrainConfig) -> String {
    let written = meant.to_yaml();
    let of_key = |key: &str| {
        let mut lines = written.lines().skip_while(|line| !line.starts_with(&format!("{key}:")));
        let first = lines.next();
        first.into_iter().chain(lines.take_while(|line| line.starts_with([' ', '-']))).map(str::to_owned).collect()
    };
    let usual = TrainConfig { mesh: MeshConfig::default(), ..meant.clone() }.to_yaml();
    let is_told = |line: &String| {
        let is_size = ["  dp:", "  fsdp:", "  mp:"].iter().any(|size| line.starts_with(size));
        is_size || !line.starts_with("  ") || usual.lines().all(|usual| usual != line)
    };
    let mut lines: Vec<String> = of_key("mesh");
    lines.retain(is_told);
    lines.extend(wanted.global_batch_size.map(|_| "global_batch_size: null".to_owned()));
    lines.extend(
        ["micro_batch_size", "gradient_accumulation_steps", "gradient_checkpointing"].into_iter().flat_map(of_key),
    );
    lines.join("\n")
}

/// All ways that divide and are not too large whatever the compiler does, those first that could be fastest.
fn candidates(
    config: &TrainConfig,
    cluster: &Cluster,
    rates: &Rates,
    usable: u64,
) -> Result<Vec<Candidate>, SearchError> {
    let rows = match (config.global_batch_size, config.micro_batch_size) {
        (Some(rows), _) => rows,
        (None, MicroBatch::Rows(rows)) => rows * config.gradient_accumulation_steps,
        (None, MicroBatch::Auto) => return Err(SearchError::NoRows),
    };
    let (mut candidates, mut example) = (Vec::new(), None);
    let mut smallest: Option<(LeastMemory, MeshShape)> = None;
    for shape in shapes(cluster) {
        let parts = shape.row_parts();
        // None, where the rows of a step do not divide.
        let on_each = if (rows as usize).is_multiple_of(parts) { rows as usize / parts } else { 0 };
        let is_allowed = |micro: &usize| *micro <= ROWS_MAX as usize && rows as usize / micro <= ROWS_MAX as usize;
        for micro in divisors(on_each).map(|divisor| parts * divisor).filter(is_allowed) {
            for kept in KEPT {
                let candidate = Candidate {
                    shape,
                    rows: micro,
                    accumulation: rows as usize / micro,
                    kept,
                    at_least: 0.0,
                    expected: 0.0,
                };
                let plan = match Plan::shapes(&candidate.config(config), cluster) {
                    Ok(shapes) => shapes.plan,
                    Err(error) => {
                        example.get_or_insert(error.to_string());
                        break;
                    }
                };
                let least = LeastMemory::of(&plan).map_err(PlanError::Graph)?;
                if smallest.is_none_or(|(smallest, _)| least.total() < smallest.total()) {
                    smallest = Some((least, shape));
                }
                if least.total() <= usable {
                    let (products, exchanges) = at_least(&plan, shape, config.mesh.sharding, rates, cluster)?;
                    // A forward pass more, or not as much: the compiler leaves out of it what nobody reads.
                    let again = if kept == GradientCheckpointing::Full { 4.0 / 3.0 } else { 1.0 };
                    let at_least = products + exchanges;
                    let expected = again * products + exchanges + model_sums(&plan, shape, rates);
                    candidates.push(Candidate { at_least, expected, ..candidate });
                }
            }
        }
    }
    let Some((least, shape)) = smallest else {
        return Err(SearchError::NoCandidate { devices: cluster.device_count(), rows, example });
    };
    if candidates.is_empty() {
        return Err(no_room(cluster, least, shape, usable));
    }
    candidates.sort_by(|one, other| {
        one.expected.total_cmp(&other.expected).then(other.rows.cmp(&one.rows)).then(other.keeps().cmp(&one.keeps()))
    });
    Ok(candidates)
}

/// Says what is missing where a step of a cluster's takes more than may be used, even on the mesh on which it takes least.
fn no_room(cluster: &Cluster, least: LeastMemory, shape: MeshShape, usable: u64) -> SearchError {
    let (devices, bytes) = (cluster.device_count(), |count: u64| Bytes(count.into()));
    SearchError::NoRoom {
        target: cluster.name.clone(),
        devices,
        shape,
        least: bytes(least.total()),
        state: bytes(least.state),
        usable: bytes(usable),
        needed: (least.total() * devices as u64).div_ceil(usable.max(1)),
    }
}

/// The meshes of a cluster; model parallelism, which exchanges in every layer, stays within a machine.
fn shapes(cluster: &Cluster) -> impl Iterator<Item = MeshShape> {
    let (all, machine) = (cluster.device_count(), cluster.nodes.devices as usize);
    let of_mp = move |mp| divisors(all / mp).map(move |fsdp| MeshShape { dp: all / mp / fsdp, fsdp, mp });
    divisors(machine).flat_map(of_mp)
}

/// All divisors of a number, in order.
fn divisors(of: usize) -> impl Iterator<Item = usize> {
    let small: Vec<usize> = (1..=of.isqrt()).filter(|part| of.is_multiple_of(*part)).collect();
    let large: Vec<usize> = small.iter().rev().map(|part| of / part).filter(|part| *part > of / part).collect();
    small.into_iter().chain(large)
}

/// Seconds that a step takes at the least for its products, and for the weights and gradients that the mesh moves.
fn at_least(
    plan: &StepPlan,
    shape: MeshShape,
    sharding: StateSharding,
    rates: &Rates,
    cluster: &Cluster,
) -> Result<(f64, f64), PlanError> {
    let flops = ModelFlops::of(plan)?.causal() * plan.batch.tokens() as f64;
    // Of attention and the head too, as if those were products in 8 bits.
    let speedup = plan.products.map_or(1.0, |_| rates.float8_speedup);
    let product_flops = rates.product_flops * rates.product_share * speedup;
    let products = flops / (cluster.device_count() as f64 * product_flops);
    // Of the layers alone: a look-up need not gather an embedding.
    let layers: Vec<_> = plan.params()?.into_iter().filter(|spec| !spec.stack.is_empty()).collect();
    let bytes = |trained: bool| -> f64 {
        let counted = layers.iter().filter(|spec| !trained || plan.is_trained(spec));
        // What is held in 8 bits is there twice, for each pass once.
        let held = |spec: &ParamSpec| if spec.dtype.is_float8() { 0.5 } else { 1.0 };
        let bytes_of = |spec: &ParamSpec| (spec.element_count() * plan.compute.size().min(spec.dtype.size())) as f64;
        counted.map(|spec| held(spec) * bytes_of(spec)).sum::<f64>() / shape.mp as f64
    };
    let others = |size: usize| (size - 1) as f64 / size as f64;
    let moved = match sharding {
        // Forward and backward, of each micro-batch; of layers below the first adapter, forward alone.
        StateSharding::Zero3 => {
            let times = if plan.trained == Trained::All { 2.0 } else { 1.0 } * plan.batch.accumulation as f64;
            let summed = others(shape.fsdp) + 2.0 * others(shape.dp) / shape.fsdp as f64;
            times * bytes(false) * others(shape.fsdp) + bytes(true) * summed
        }
        StateSharding::Zero1 | StateSharding::None => bytes(true) * others(shape.row_parts()),
    };
    Ok((products, moved * (1.0 - rates.overlap) / (rates.link_within * rates.link_share)))
}

/// Seconds that a step may be expected to take for the sums of model parallelism (Shoeybi et al. 2019, "Megatron-LM"): in each layer two forward and two
/// backward, each of a hidden state for each token of the device. No bound, because a compiler may find a way with less.
fn model_sums(plan: &StepPlan, shape: MeshShape, rates: &Rates) -> f64 {
    let others = (shape.mp - 1) as f64;
    if others == 0.0 {
        return 0.0;
    }
    let (sizes, tokens) = (plan.model.sizes(), plan.batch.tokens() / shape.row_parts());
    let hidden = (tokens * sizes.hidden_size * plan.compute.size()) as f64;
    let sent = 4.0 * sizes.num_hidden_layers as f64 * hidden * 2.0 * others / shape.mp as f64;
    let link = rates.link_within.min(rates.link_peer * others) * rates.link_share;
    sent * (1.0 - rates.overlap) / link
}

/// How many were tried and not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Explored {
    too_large: usize,
    ruled_out: usize,
    untried: usize,
}

/// Tries candidates in order, but not those of which another that was tried says enough: what takes no less memory than one that is too large, what
/// keeps less or has smaller micro-batches than one that fits, and what takes longer at the least than one does. `attempt` gives the seconds
/// of a step, `None` where it is too large.
fn explore<E>(
    all: &[Candidate],
    tries_max: usize,
    mut attempt: impl FnMut(&Candidate) -> Result<Option<f64>, E>,
) -> Result<Explored, E> {
    let (mut large, mut fit, mut best) = (Vec::<&Candidate>::new(), Vec::<&Candidate>::new(), f64::INFINITY);
    let mut explored = Explored::default();
    for candidate in all {
        let is_ruled_out = large.iter().any(|one| candidate.is_larger_than(one))
            || fit.iter().any(|one| one.is_larger_than(candidate))
            || candidate.at_least >= best;
        if is_ruled_out {
            explored.ruled_out += 1;
        } else if large.len() + fit.len() >= tries_max {
            explored.untried += 1;
        } else if let Some(seconds) = attempt(candidate)? {
            fit.push(candidate);
            best = best.min(seconds);
        } else {
            large.push(candidate);
            explored.too_large += 1;
        }
    }
    Ok(explored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(dp: usize, fsdp: usize, mp: usize) -> MeshShape {
        MeshShape { dp, fsdp, mp }
    }

    #[test]
    fn meshes_are_all_that_divide_with_models_within_a_machine() {
        let of = |target: &str| shapes(&target.parse().expect("a target")).collect::<Vec<_>>();
        assert_eq!(of("h200:2"), [shape(2, 1, 1), shape(1, 2, 1), shape(1, 1, 2)]);
        assert_eq!(of("h200:2x2").len(), 3 + 2);
        assert!(of("h200:2x2").iter().all(|shape| shape.mp <= 2 && shape.device_count() == 4));
        assert_eq!(of("mi300x:8").len(), 4 + 3 + 2 + 1);
    }

    #[test]
    fn what_a_configuration_would_refuse_is_not_proposed() {
        assert_eq!(divisors(36).collect::<Vec<_>>(), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!([0, 1, 7].map(|of| divisors(of).count()), [0, 1, 2]);
        let text = "base_model: llama-15m\ndatasets: [{path: none.jsonl}]\nsequence_len: 64\nglobal_batch_size: 262144\n\
            micro_batch_size: auto\nlearning_rate: 1.0e-4\nsample_packing: false\ndtype: bf16\n";
        let config = TrainConfig::parse(text, std::path::Path::new("run.yaml"), &[]).expect("it is valid");
        let cluster: Cluster = "h200:1".parse().expect("a target");
        let rates = cluster.device.as_ref().and_then(Rates::of).expect("they are known");
        let found = candidates(&config, &cluster, &rates, u64::MAX).expect("there are some");
        let rows = |of: fn(&Candidate) -> usize| (found.iter().map(of).min(), found.iter().map(of).max());
        let limits = (Some(4), Some(65_536));
        assert_eq!((rows(|one| one.rows), rows(|one| one.accumulation)), (limits, limits));
    }

    /// Told from shapes alone, without a plugin.
    #[test]
    fn a_model_that_no_mesh_holds_says_what_it_would_take() {
        let text = "base_model: llama-405b\nadapter: lora\ndatasets: [{path: none.jsonl}]\nsequence_len: 64\nmicro_batch_size: 16\n\
            learning_rate: 1.0e-4\nsample_packing: false\ndtype: bf16\n";
        let config = TrainConfig::parse(text, std::path::Path::new("run.yaml"), &[]).expect("it is valid");
        let of = |target: &str, usable: u64| {
            let cluster: Cluster = target.parse().expect("a target");
            let rates = cluster.device.as_ref().and_then(Rates::of).expect("they are known");
            candidates(&config, &cluster, &rates, usable)
        };
        let error = of("mi250:8", 63_000_000_000).expect_err("nothing fits").to_string();
        assert!(error.starts_with("no mesh of 8 devices fits on mi250:8: a step takes at least 10"), "{error}");
        assert!(error.contains("63.0 GB may be used: it would need about 13 such devices"), "{error}");
        // It does on sixteen.
        assert!(!of("mi250:8x2", 63_000_000_000).expect("some fit").is_empty());
    }

    /// Of a 1.3B model on eight devices: its sums are longer than what ZeRO-3 gathers, and bound nothing.
    #[test]
    fn what_model_parallelism_exchanges_is_expected() {
        let text = format!("{LINES}sequence_len: 2048\nmicro_batch_size: 64\nsample_packing: false\ndtype: bf16\n");
        let config = TrainConfig::parse(&text, std::path::Path::new("run.yaml"), &[]).expect("it is valid");
        let cluster: Cluster = "h200:8".parse().expect("a target");
        let rates = cluster.device.as_ref().and_then(Rates::of).expect("they are known");
        let all = candidates(&config, &cluster, &rates, u64::MAX).expect("some fit");
        let of = |shape: MeshShape| {
            let is_it = |one: &&Candidate| {
                one.shape == shape && one.accumulation == 1 && one.kept == GradientCheckpointing::None
            };
            all.iter().find(is_it).expect("it divides")
        };
        let (sharded, split) = (of(shape(1, 8, 1)), of(shape(1, 1, 8)));
        assert!(sharded.expected < split.expected, "{sharded:?} {split:?}");
        assert_eq!(all[0].shape.mp, 1, "{:?}", all[0]);
        // 24 layers, four sums of 64 x 2048 states of 2048 in bf16, of which seven eighths are sent twice.
        let seconds = 24.0 * 4.0 * f64::from(64 * 2048 * 2048 * 2) * 1.75 / (rates.link_within * rates.link_share);
        let products = sharded.expected - sharded.at_least;
        assert!(((split.expected - split.at_least - products) / seconds - 1.0).abs() < 1e-6, "{split:?}");
    }

    const LINES: &str =
        "base_model: llama-1.3b\ntokenizer: none\ndatasets: [{path: none.jsonl}]\nlearning_rate: 1.0e-4\n";

    /// Beside the other keys of the file, also where the mesh is unusual and where the file has the rows of a step.
    #[test]
    fn lines_of_a_proposal_mean_it() {
        let parse = |text: &str| TrainConfig::parse(text, std::path::Path::new("run.yaml"), &[]);
        let cases = [
            ("micro_batch_size: 8\n", "mesh:\n  dp: 2\n  fsdp: 1\n  mp: 4\n"),
            (
                "global_batch_size: 64\nmicro_batch_size: auto\n",
                "mesh:\n  dp: 2\n  fsdp: 1\n  mp: 4\nglobal_batch_size: null\n",
            ),
            (
                "micro_batch_size: 8\nmesh: {fsdp: 8, sharding: zero1, sequence_parallel: true, parameters: {embed_tokens: {vocab: none}}}\n",
                "mesh:\n  dp: 2\n  fsdp: 1\n  mp: 4\n  sharding: zero1\n  sequence_parallel: true\n  parameters:\n    embed_tokens:\n      vocab: none\n",
            ),
        ];
        for (wanted, mesh) in cases {
            let wanted = parse(&format!("{LINES}{wanted}")).expect("it is valid");
            let (shape, rows, accumulation, kept) = (shape(2, 1, 4), 16, 4, GradientCheckpointing::Dots);
            let meant = Candidate { shape, rows, accumulation, kept, at_least: 0.0, expected: 0.0 }.config(&wanted);
            let lines = config_lines(&meant, &wanted);
            let rows = "micro_batch_size: 16\ngradient_accumulation_steps: 4\ngradient_checkpointing: dots";
            assert_eq!(lines, format!("{mesh}{rows}"));
            assert_eq!(parse(&format!("{LINES}{lines}\n")).expect("they are valid"), meant);
        }
    }

    /// What is multiplied in 8 bits takes half as long at the least.
    #[test]
    fn products_in_8_bits_have_a_least_of_their_own() {
        let least = |dtype: &str| {
            let text =
                format!("{LINES}sequence_len: 512\nmicro_batch_size: 1\nsample_packing: false\ndtype: {dtype}\n");
            let config = TrainConfig::parse(&text, std::path::Path::new("run.yaml"), &[]).expect("it is valid");
            let cluster: Cluster = "h200".parse().expect("a target");
            let rates = cluster.device.as_ref().and_then(Rates::of).expect("they are known");
            candidates(&config, &cluster, &rates, u64::MAX).expect("some fit")[0].at_least
        };
        assert_eq!(least("bf16"), 2.0 * least("fp8"));
    }

    #[test]
    fn what_a_try_says_of_others_is_not_tried() {
        let candidate = |shape, rows, kept, at_least| {
            let expected = at_least;
            Candidate { shape, rows, accumulation: 1, kept, at_least, expected }
        };
        let (one, two) = (shape(1, 8, 1), shape(8, 1, 1));
        let [none, dots, full] = KEPT;
        let all = [
            candidate(one, 16, none, 1.0),
            candidate(one, 16, dots, 1.1),
            // Keeps more rows than the one that is too large.
            candidate(one, 32, none, 1.1),
            candidate(two, 16, dots, 1.2),
            // Fewer rows, and keeps less, than one that fits.
            candidate(one, 8, full, 1.3),
            candidate(one, 8, none, 1.35),
            // Slower at the least than the best.
            candidate(two, 8, none, 1.6),
        ];
        let mut tried = Vec::new();
        let explored = explore(&all, 10, |candidate| {
            tried.push((candidate.shape.dp, candidate.rows, candidate.kept));
            Ok::<_, ()>(match (candidate.shape.dp, candidate.kept) {
                (1, GradientCheckpointing::None) if candidate.rows == 16 => None,
                (1, _) => Some(1.5),
                _ => Some(1.7),
            })
        });
        assert_eq!(tried, [(1, 16, none), (1, 16, dots), (8, 16, dots), (1, 8, none)]);
        assert_eq!(explored, Ok(Explored { too_large: 1, ruled_out: 3, untried: 0 }));
        let few = explore(&all, 1, |_| Ok::<_, ()>(None));
        assert_eq!(few, Ok(Explored { too_large: 1, ruled_out: 1, untried: 5 }));
    }
}
