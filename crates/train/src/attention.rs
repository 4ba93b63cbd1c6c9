//! Which attention a training step uses, and why.

use std::fmt;

use graph::Axis;
use models::{AttentionKernels, AttentionModule, Cudnn, Gpu, blocks_support, cudnn_supports};
use runtime::Hardware;
use runtime::plugins::Platform;

use crate::StepPlan;
use crate::config::KernelChoice;

/// The most documents in a row that cuDNN's attention is asked to keep apart. It launches for each as much as for a row, and keeps room for
/// a row of statistics.
const DOCUMENTS_MAX: usize = 128;

/// An implementation of attention, with the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionChoice {
    /// What to trace.
    pub kernels: AttentionKernels,
    /// What keeps cuDNN's from being used, if something does.
    no_cudnn: Option<Hindrance>,
    /// What keeps ours from being used, if something does.
    no_blocks: Option<Hindrance>,
    layers: Layers,
}

/// How many layers take which attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layers {
    all: usize,
    cudnn: usize,
    blocks: usize,
}

/// What keeps a kernel from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hindrance {
    Asked,
    Platform(Platform),
    None,
    Type(graph::DType),
    HeadDim(usize),
    Wide(usize),
    Form,
    Capability { needed: (u32, u32), found: Option<(u32, u32)> },
    Documents(usize),
    Elements,
    Heads { head_dim: usize, states: usize },
    Row,
    Launch,
    Taps(usize),
}

/// Which blocks our kernels go in on a device; `None` where they do not run.
pub fn gpu(hardware: Hardware) -> Option<Gpu> {
    match (hardware.platform, hardware.compute_capability) {
        (Platform::Rocm, _) => Some(Gpu::Amd),
        (Platform::Cuda, Some(found)) if hardware.runs_gpu_kernels() => Some(Gpu::nvidia(found)),
        (Platform::Cuda | Platform::Cpu, _) => None,
    }
}

/// As [`gpu`], with what keeps our kernels from running.
pub(crate) fn own_gpu(hardware: Hardware) -> Result<Gpu, Hindrance> {
    gpu(hardware).ok_or(match hardware.platform {
        Platform::Cuda => Hindrance::Capability { needed: Hardware::TRITON, found: hardware.compute_capability },
        platform => Hindrance::Platform(platform),
    })
}

impl AttentionChoice {
    /// The fastest attention among the `asked` kernels that computes the step `plan` on `hardware`. `documents` is the most that a packed row
    /// holds.
    pub(crate) fn new(plan: &StepPlan, asked: KernelChoice, hardware: Hardware, documents: usize) -> AttentionChoice {
        let cudnn = match plan.batch.packed {
            true => Cudnn::Packed { documents },
            false => Cudnn::Causal,
        };
        // A plan that cannot be traced says so where its step is.
        let modules = plan.anatomy().unwrap_or_default().attention;
        let [no_cudnn, no_blocks] = match asked {
            _ if modules.is_empty() => [Some(Hindrance::None); 2],
            KernelChoice::Auto => [no_cudnn(plan, &modules, hardware, documents), no_blocks(plan, &modules, hardware)],
            KernelChoice::Finery => [Some(Hindrance::Asked), no_blocks(plan, &modules, hardware)],
            KernelChoice::None => [Some(Hindrance::Asked); 2],
        };
        let count = |is_counted: &dyn Fn(&AttentionModule) -> bool| -> usize {
            modules.iter().filter(|layer| is_counted(layer)).map(|layer| layer.layers()).sum()
        };
        let takes_cudnn = |layer: &AttentionModule| no_cudnn.is_none() && is_fused(layer, plan);
        let takes_blocks = |layer: &AttentionModule| no_blocks.is_none() && has_blocks(layer, plan);
        let layers = Layers {
            all: count(&|_| true),
            cudnn: count(&takes_cudnn),
            blocks: count(&|layer| !takes_cudnn(layer) && takes_blocks(layer)),
        };
        let kernels = AttentionKernels {
            cudnn: no_cudnn.is_none().then_some(cudnn),
            // What no layer takes is not made ready for any.
            blocks: gpu(hardware).filter(|_| layers.blocks > 0),
        };
        AttentionChoice { kernels, no_cudnn, no_blocks, layers }
    }
}

/// Whether a layer computes nothing that cuDNN's kernel does not, in rows as long as the plan's.
fn is_plain(layer: &AttentionModule, plan: &StepPlan) -> bool {
    layer.is_plain && layer.window.is_none_or(|window| window >= plan.batch.positions)
}

fn is_fused(layer: &AttentionModule, plan: &StepPlan) -> bool {
    is_plain(layer, plan) && cudnn_supports(plan.compute, layer.head_dim)
}

fn has_blocks(layer: &AttentionModule, plan: &StepPlan) -> bool {
    let (rows, own) = part_of_device(layer, plan);
    blocks_support(plan.compute, [rows, plan.batch.positions], &own)
}

fn no_cudnn(plan: &StepPlan, layers: &[AttentionModule], hardware: Hardware, documents: usize) -> Option<Hindrance> {
    let (dtype, batch) = (plan.compute, plan.batch);
    let most = layers.iter().map(|layer| elements_per_device(layer, plan)).max().unwrap_or(0);
    // ROCm's compiler takes a call of cuDNN without complaint and makes of it what cannot run.
    if hardware.platform != Platform::Cuda {
        return Some(Hindrance::Platform(hardware.platform));
    }
    // Some layers are enough: the others have another attention.
    if !layers.iter().any(|layer| is_fused(layer, plan)) {
        return Some(match layers.iter().find(|layer| is_plain(layer, plan)) {
            _ if dtype.size() != 2 => Hindrance::Type(dtype),
            Some(layer) => Hindrance::HeadDim(layer.head_dim),
            None => Hindrance::Form,
        });
    }
    let found = hardware.compute_capability;
    if !batch.packed {
        let needed = (8, 0);
        return found.is_some_and(|found| found < needed).then_some(Hindrance::Capability { needed, found });
    }
    let needed = (9, 0);
    if found.is_none_or(|found| found < needed) {
        return Some(Hindrance::Capability { needed, found });
    }
    if documents > DOCUMENTS_MAX {
        return Some(Hindrance::Documents(documents));
    }
    i32::try_from(most).is_err().then_some(Hindrance::Elements)
}

fn no_blocks(plan: &StepPlan, layers: &[AttentionModule], hardware: Hardware) -> Option<Hindrance> {
    let dtype = plan.compute;
    if let Err(hindrance) = own_gpu(hardware) {
        return Some(hindrance);
    }
    if dtype.size() != 2 {
        return Some(Hindrance::Type(dtype));
    }
    // Some layers are enough: the others are in plain operations, and counted as such.
    if layers.iter().any(|layer| has_blocks(layer, plan)) {
        return None;
    }
    let takes =
        |positions| layers.iter().any(|layer| blocks_support(dtype, [1, positions], &part_of_device(layer, plan).1));
    let widest = layers.iter().map(|layer| layer.head_dim).max().unwrap_or(0);
    Some(match (takes(1), takes(plan.batch.positions)) {
        (true, true) => Hindrance::Launch,
        (true, false) => Hindrance::Row,
        (false, _) => Hindrance::Wide(widest),
    })
}

/// What each device computes of a layer: so many rows, with its part of the heads.
fn part_of_device(layer: &AttentionModule, plan: &StepPlan) -> (usize, AttentionModule) {
    let [rows, kv_heads] = plan.rows_of_device(Axis::new("kv_heads", layer.kv_heads));
    let heads = layer.heads / layer.kv_heads * kv_heads;
    (rows, AttentionModule { heads, kv_heads, ..layer.clone() })
}

/// Of a layer's queries, those of a device's own rows and heads.
fn elements_per_device(layer: &AttentionModule, plan: &StepPlan) -> usize {
    let (rows, own) = part_of_device(layer, plan);
    rows * plan.batch.positions * own.heads * own.head_dim
}

impl fmt::Display for AttentionChoice {
    /// `fused attention (cuDNN, packed rows of up to 12 documents)`, `fused attention (Finery's kernels)` with why it is not cuDNN's, or
    /// `plain attention: ` and why; then of how many layers that is not so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Layers { all, cudnn, blocks } = self.layers;
        let plain = all - cudnn - blocks;
        match (self.kernels.cudnn, self.kernels.blocks) {
            (Some(Cudnn::Causal), _) => f.write_str("fused attention (cuDNN, one document a row)"),
            (Some(Cudnn::Packed { documents }), _) => {
                write!(f, "fused attention (cuDNN, packed rows of up to {documents} documents)")
            }
            (None, Some(_)) => match self.no_cudnn {
                None | Some(Hindrance::Platform(_)) => f.write_str("fused attention (Finery's kernels)"),
                Some(hindrance) => write!(f, "fused attention (Finery's kernels: {})", hindrance.of("cuDNN's kernel")),
            },
            (None, None) => {
                return match self.no_blocks {
                    Some(Hindrance::None) => f.write_str("no attention"),
                    Some(hindrance) => write!(f, "plain attention: {}", hindrance.of("Finery's kernel")),
                    None => f.write_str("plain attention"),
                };
            }
        }?;
        if cudnn > 0 && blocks > 0 {
            write!(f, "; Finery's kernels in {blocks} of {all} layers")?;
        }
        if plain > 0 {
            write!(f, "; plain in {plain} of {all} layers")?;
        }
        Ok(())
    }
}

impl Hindrance {
    /// Why `kernel` is not used.
    pub(crate) fn of(self, kernel: &str) -> String {
        let number = |(major, minor): (u32, u32)| format!("{major}.{minor}");
        match self {
            Hindrance::Asked => "as asked for".to_owned(),
            Hindrance::None => "the model has none".to_owned(),
            Hindrance::Form => format!("{kernel} is used without windows, caps and slopes"),
            Hindrance::Platform(platform) => format!("there is no fused kernel for {platform}"),
            Hindrance::Type(dtype) => format!("{kernel} takes bf16 and not {dtype}"),
            Hindrance::HeadDim(size) => {
                format!("{kernel} takes heads of 8, 16, … up to 128 elements and not of {size}")
            }
            Hindrance::Wide(size) => format!("{kernel} takes heads of up to 256 elements and not of {size}"),
            Hindrance::Capability { needed, found: Some(found) } => {
                format!("{kernel} needs compute capability {}, and the GPU has {}", number(needed), number(found))
            }
            Hindrance::Capability { needed, found: None } => {
                let needed = number(needed);
                format!("{kernel} needs compute capability {needed}, and the GPU does not tell its own")
            }
            Hindrance::Documents(documents) => {
                format!("a row holds up to {documents} documents, and {kernel} is used up to {DOCUMENTS_MAX}")
            }
            Hindrance::Elements => {
                format!("{kernel} counts elements in 32 bits, and a device has more of a micro-batch")
            }
            Hindrance::Heads { head_dim, states } => {
                format!(
                    "{kernel} takes heads of 16, 32, 64 or 128 channels with up to 256 states and not of {head_dim} with {states}"
                )
            }
            Hindrance::Row => format!("{kernel} counts elements in 32 bits, and a row has more"),
            Hindrance::Launch => format!("{kernel} takes up to 65535 rows of a device, and a micro-batch has more"),
            Hindrance::Taps(taps) => format!("{kernel} takes up to 8 taps and not {taps}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use graph::{DType, Remat};
    use mesh::{MeshShape, Rules};
    use models::LanguageModel;
    use runtime::aot::Target;

    use super::*;
    use crate::Preset;
    use crate::config::GradientCheckpointing;

    const HOPPER: Hardware = Hardware { platform: Platform::Cuda, compute_capability: Some((9, 0)), gfx: None };

    fn check(hardware: Hardware, documents: usize, change: impl FnOnce(&mut StepPlan), expected: &str) {
        let mut plan = Preset::Llama7bLora.plan();
        plan.batch.packed = true;
        change(&mut plan);
        let choice = AttentionChoice::new(&plan, KernelChoice::Auto, hardware, documents);
        assert_eq!(choice.to_string(), expected);
        assert_eq!(choice.kernels == AttentionKernels::PLAIN, expected.starts_with("plain"), "{expected}");
    }

    #[test]
    fn what_is_chosen_and_why() {
        check(HOPPER, 12, |_| {}, "fused attention (cuDNN, packed rows of up to 12 documents)");
        check(HOPPER, 1, |plan| plan.batch.packed = false, "fused attention (cuDNN, one document a row)");
        let amd = Hardware { platform: Platform::Rocm, compute_capability: None, gfx: Some(0x942) };
        check(amd, 12, |_| {}, "fused attention (Finery's kernels)");
        let cpu = Hardware::CPU;
        check(cpu, 12, |_| {}, "plain attention: there is no fused kernel for cpu");
        let f32 = |plan: &mut StepPlan| plan.compute = DType::F32;
        check(HOPPER, 12, f32, "plain attention: Finery's kernel takes bf16 and not f32");
        check(amd, 12, f32, "plain attention: Finery's kernel takes bf16 and not f32");
        let heads = |width: usize| {
            move |plan: &mut StepPlan| {
                let mut config = plan.model.to_json();
                config["head_dim"] = width.into();
                plan.model = LanguageModel::from_json(&config).expect("a Llama with other heads");
            }
        };
        let windows = |plan: &mut StepPlan| {
            let config = serde_json::json!({
                "model_type": "gemma3_text", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 8,
                "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64, "sliding_window": 16, "max_position_embeddings": 4096,
            });
            plan.model = LanguageModel::from_json(&config).expect("a Gemma 3 with a layer in six that sees everything");
            plan.lora = None;
        };
        let expected = "fused attention (cuDNN, packed rows of up to 12 documents); Finery's kernels in 7 of 8 layers";
        check(HOPPER, 12, windows, expected);
        check(amd, 12, windows, "fused attention (Finery's kernels)");
        let slopes = |plan: &mut StepPlan| plan.model = Preset::Mpt1b.plan().model;
        let expected = "fused attention (Finery's kernels: cuDNN's kernel is used without windows, caps and slopes)";
        check(HOPPER, 12, slopes, expected);
        let expected = "fused attention (Finery's kernels: cuDNN's kernel takes heads of 8, 16, … up to 128 elements and not of 256)";
        check(HOPPER, 12, heads(256), expected);
        let expected = "plain attention: Finery's kernel takes heads of up to 256 elements and not of 320";
        check(HOPPER, 12, heads(320), expected);
        check(amd, 12, heads(320), expected);
        let ampere = Hardware { compute_capability: Some((8, 6)), ..HOPPER };
        let expected =
            "fused attention (Finery's kernels: cuDNN's kernel needs compute capability 9.0, and the GPU has 8.6)";
        check(ampere, 12, |_| {}, expected);
        check(ampere, 1, |plan| plan.batch.packed = false, "fused attention (cuDNN, one document a row)");
        let silent = Hardware { compute_capability: None, ..HOPPER };
        let turing = Hardware { compute_capability: Some((7, 5)), ..HOPPER };
        let expected = "plain attention: Finery's kernel needs compute capability 8.0, and the GPU has 7.5";
        check(turing, 12, |_| {}, expected);
        let expected =
            "plain attention: Finery's kernel needs compute capability 8.0, and the GPU does not tell its own";
        check(silent, 12, |_| {}, expected);
        let expected =
            "fused attention (Finery's kernels: a row holds up to 129 documents, and cuDNN's kernel is used up to 128)";
        check(HOPPER, 129, |_| {}, expected);
        let expected = "fused attention (Finery's kernels: cuDNN's kernel counts elements in 32 bits, and a device has more of a \
                        micro-batch)";
        check(HOPPER, 12, |plan| plan.batch.rows = 256, expected);
        // Of several devices each has its own rows, or its own heads.
        for (dp, fsdp, mp) in [(1, 2, 1), (2, 1, 1), (1, 1, 2)] {
            let spread = |plan: &mut StepPlan| {
                plan.batch.rows = 256;
                plan.partition = Rules::default().partition(MeshShape { dp, fsdp, mp }, &[]);
            };
            check(HOPPER, 12, spread, "fused attention (cuDNN, packed rows of up to 12 documents)");
        }
    }

    /// The last length of a row that the kernels count, and one more: 1024 heads of 256 elements in 2^31 places, of which 1024 tokens are beyond. Then
    /// the most rows that a launch has places for, which are those of one device.
    #[test]
    fn what_is_told_of_long_rows_is_what_is_traced() {
        let config = serde_json::json!({
            "model_type": "llama", "vocab_size": 64, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
            "num_attention_heads": 1024, "num_key_value_heads": 1, "head_dim": 256, "max_position_embeddings": 8192,
        });
        let amd = Hardware { platform: Platform::Rocm, compute_capability: None, gfx: Some(0x942) };
        let plain = "plain attention: Finery's kernel counts elements in 32 bits, and a row has more";
        let crowded = "plain attention: Finery's kernel takes up to 65535 rows of a device, and a micro-batch has more";
        let fused = "fused attention (Finery's kernels)";
        for (packed, [rows, positions], fsdp, expected) in [
            (false, [1, 7167], 1, fused),
            (false, [1, 7168], 1, plain),
            (true, [1, 7167], 1, fused),
            (true, [1, 7168], 1, plain),
            (false, [65_535, 16], 1, fused),
            (false, [65_536, 16], 1, crowded),
            (true, [65_536, 16], 1, crowded),
            (true, [65_536, 16], 8, fused),
            (false, [8 * 65_535, 16], 8, fused),
            (false, [8 * 65_536, 16], 8, crowded),
        ] {
            let mut plan = Preset::Llama1b.plan();
            plan.model = LanguageModel::from_json(&config).expect("a Llama with many heads");
            (plan.batch.rows, plan.batch.positions, plan.batch.packed) = (rows, positions, packed);
            let shape = MeshShape { dp: 1, fsdp, mp: 1 };
            plan.partition = Rules::default().partition(shape, plan.optimizer.slots());
            let choice = AttentionChoice::new(&plan, KernelChoice::Auto, amd, 2);
            assert_eq!(choice.to_string(), expected, "{rows} x {positions}");
            plan.model.attention = choice.kernels;
            let text = plan.train_program().expect("the step can be traced").program.text;
            let is_called = text.contains("@__gpu$xla.gpu.triton");
            assert_eq!(
                is_called,
                expected.starts_with("fused"),
                "{rows} x {positions}, packed {packed}, {fsdp} devices"
            );
        }
    }

    #[test]
    fn kernels_are_those_that_were_asked_for() {
        let mut plan = Preset::Llama7bLora.plan();
        let mut chosen = |asked, hardware| {
            plan.choose_kernels(asked, GradientCheckpointing::Auto, hardware, 12).attention.to_string()
        };
        assert_eq!(chosen(KernelChoice::Finery, HOPPER), "fused attention (Finery's kernels: as asked for)");
        assert_eq!(chosen(KernelChoice::None, HOPPER), "plain attention: as asked for");
        assert_eq!(chosen(KernelChoice::Finery, Hardware::CPU), "plain attention: there is no fused kernel for cpu");
        let mut mamba = Preset::Mamba370m.plan();
        for (asked, expected) in [(KernelChoice::Auto, true), (KernelChoice::Finery, true), (KernelChoice::None, false)]
        {
            let attention = mamba.choose_kernels(asked, GradientCheckpointing::Auto, HOPPER, 12).attention;
            assert_eq!((attention.to_string().as_str(), mamba.model.state_space.is_some()), ("no attention", expected));
        }
    }

    /// ROCm's compiler accepts a call of cuDNN, so that nothing but this would notice one.
    #[test]
    fn no_call_of_cudnn_is_made_for_amd_or_the_cpu() {
        let cpu = Hardware::CPU;
        let others = Target::ALL
            .map(|target| target.description().hardware())
            .into_iter()
            .filter(|hardware| hardware.platform != Platform::Cuda);
        for hardware in others.chain([cpu]) {
            for (preset, packed, remat) in [
                (Preset::Llama1b, false, models::products_kept()),
                (Preset::Llama1b, true, Remat::full()),
                (Preset::Llama7bLora, false, Remat::none()),
                (Preset::Llama7bLora, true, models::products_kept()),
            ] {
                let mut plan = preset.plan();
                (plan.batch.packed, plan.model.remat) = (packed, remat);
                plan.model.attention = AttentionChoice::new(&plan, KernelChoice::Auto, hardware, 8).kernels;
                for program in [plan.train_program(), plan.evaluation_program()] {
                    let text = program.expect("presets can be traced").program.text;
                    let calls = text.matches("custom_call").count();
                    let ours = text.matches("custom_call @__gpu$xla.gpu.triton").count();
                    assert_eq!(calls, ours, "{} on {hardware:?} calls a kernel that is not ours", preset.name());
                    assert_eq!(ours > 0, hardware.platform == Platform::Rocm, "{} on {hardware:?}", preset.name());
                }
            }
        }
    }
}
