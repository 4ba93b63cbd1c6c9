//! Which attention a training step uses, and why.

use std::fmt;

use graph::Axis;
use models::{AttentionKernel, AttentionModule, cudnn_supports};
use runtime::Hardware;
use runtime::plugins::Platform;

use crate::StepPlan;

/// The most documents in a row that cuDNN's attention is asked to keep apart. It launches for each as much as for a row, and keeps room for
/// a row of statistics.
const DOCUMENTS_MAX: usize = 128;

/// An implementation of attention, with the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionChoice {
    /// What to trace.
    pub kernel: AttentionKernel,
    /// What keeps cuDNN's from being used, if something does.
    hindrance: Option<Hindrance>,
    /// How many of how many layers have plain attention beside it: those with a window, a cap or biases.
    others: (usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hindrance {
    Asked,
    Platform(Platform),
    None,
    Type(graph::DType),
    HeadDim(usize),
    Form,
    Capability { needed: (u32, u32), found: Option<(u32, u32)> },
    Documents(usize),
    Elements,
}

impl AttentionChoice {
    /// Plain attention because someone wants it.
    pub fn plain() -> AttentionChoice {
        AttentionChoice { kernel: AttentionKernel::Plain, hindrance: Some(Hindrance::Asked), others: (0, 0) }
    }

    /// The fastest attention that computes the step `plan` on `hardware`. `documents` is the most that a packed row holds.
    pub fn new(plan: &StepPlan, hardware: Hardware, documents: usize) -> AttentionChoice {
        let kernel = match plan.batch.packed {
            true => AttentionKernel::CudnnPacked { documents },
            false => AttentionKernel::CudnnCausal,
        };
        // A plan that cannot be traced says so where its step is.
        let layers = plan.anatomy().unwrap_or_default().attention;
        let count = |is_counted: &dyn Fn(&AttentionModule) -> bool| -> usize {
            layers.iter().filter(|layer| is_counted(layer)).map(|layer| layer.layers()).sum()
        };
        let others = (count(&|layer| !is_fused(layer, plan)), count(&|_| true));
        match hindrance(plan, &layers, hardware, documents) {
            None => AttentionChoice { kernel, hindrance: None, others },
            hindrance => AttentionChoice { kernel: AttentionKernel::Plain, hindrance, others },
        }
    }
}

/// Whether a layer computes nothing that cuDNN's kernel does not, in rows as long as the plan's.
fn is_plain(layer: &AttentionModule, plan: &StepPlan) -> bool {
    layer.is_plain && layer.window.is_none_or(|window| window >= plan.batch.positions)
}

fn is_fused(layer: &AttentionModule, plan: &StepPlan) -> bool {
    is_plain(layer, plan) && cudnn_supports(plan.compute, layer.head_dim)
}

fn hindrance(plan: &StepPlan, layers: &[AttentionModule], hardware: Hardware, documents: usize) -> Option<Hindrance> {
    let (dtype, batch) = (plan.compute, plan.batch);
    let Some(most) = layers.iter().map(|layer| elements_per_device(layer, plan)).max() else {
        return Some(Hindrance::None);
    };
    // ROCm's compiler takes a call of cuDNN without complaint and makes of it what cannot run.
    if hardware.platform != Platform::Cuda {
        return Some(Hindrance::Platform(hardware.platform));
    }
    // Some layers are enough: the others have plain attention.
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

/// Of a layer's queries, those of a device's own rows and heads.
fn elements_per_device(layer: &AttentionModule, plan: &StepPlan) -> usize {
    let [_, rows, positions] = plan.batch.axes();
    let apart = [rows, Axis::new("kv_heads", layer.kv_heads)];
    let parts = plan.partition.as_ref().map_or(1, |partition| partition.of_activation(&apart).part_count());
    rows.size * positions.size * layer.heads * layer.head_dim / parts
}

impl fmt::Display for AttentionChoice {
    /// `fused attention (cuDNN, packed rows)`, or `plain attention: ` and why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kernel, self.hindrance) {
            (_, Some(Hindrance::None)) => f.write_str("no attention"),
            (_, Some(hindrance)) => write!(f, "plain attention: {hindrance}"),
            (AttentionKernel::Plain, None) => f.write_str("plain attention"),
            (AttentionKernel::CudnnCausal, None) => f.write_str("fused attention (cuDNN, one document a row)"),
            (AttentionKernel::CudnnPacked { documents }, None) => {
                write!(f, "fused attention (cuDNN, packed rows of up to {documents} documents)")
            }
        }?;
        match (self.hindrance, self.others) {
            (None, (others @ 1.., layers)) => write!(f, "; plain in {others} of {layers} layers"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |(major, minor): (u32, u32)| format!("{major}.{minor}");
        match self {
            Hindrance::Asked => f.write_str("as asked for"),
            Hindrance::None => f.write_str("the model has none"),
            Hindrance::Form => f.write_str("cuDNN's kernel is used without windows, caps and slopes"),
            Hindrance::Platform(platform) => write!(f, "there is no fused kernel for {platform}"),
            Hindrance::Type(dtype) => write!(f, "cuDNN's kernel takes bf16 and not {dtype}"),
            Hindrance::HeadDim(size) => {
                write!(f, "cuDNN's kernel takes heads of 8, 16, … up to 128 elements and not of {size}")
            }
            Hindrance::Capability { needed, found: Some(found) } => {
                let (needed, found) = (number(*needed), number(*found));
                write!(f, "cuDNN's kernel needs compute capability {needed}, and the GPU has {found}")
            }
            Hindrance::Capability { needed, found: None } => {
                write!(
                    f,
                    "cuDNN's kernel needs compute capability {}, and the GPU does not tell its own",
                    number(*needed)
                )
            }
            Hindrance::Documents(documents) => {
                write!(f, "a row holds up to {documents} documents, and cuDNN's kernel is used up to {DOCUMENTS_MAX}")
            }
            Hindrance::Elements => {
                f.write_str("cuDNN's kernel counts elements in 32 bits, and a device has more of a micro-batch")
            }
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

    const HOPPER: Hardware = Hardware { platform: Platform::Cuda, compute_capability: Some((9, 0)) };

    fn check(hardware: Hardware, documents: usize, change: impl FnOnce(&mut StepPlan), expected: &str) {
        let mut plan = Preset::Llama7bLora.plan();
        plan.batch.packed = true;
        change(&mut plan);
        let choice = AttentionChoice::new(&plan, hardware, documents);
        assert_eq!(choice.to_string(), expected);
        assert_eq!(choice.kernel == AttentionKernel::Plain, expected.starts_with("plain"), "{expected}");
    }

    #[test]
    fn what_is_chosen_and_why() {
        check(HOPPER, 12, |_| {}, "fused attention (cuDNN, packed rows of up to 12 documents)");
        check(HOPPER, 1, |plan| plan.batch.packed = false, "fused attention (cuDNN, one document a row)");
        let amd = Hardware { platform: Platform::Rocm, compute_capability: None };
        check(amd, 12, |_| {}, "plain attention: there is no fused kernel for rocm");
        let cpu = Hardware { platform: Platform::Cpu, compute_capability: None };
        check(cpu, 12, |_| {}, "plain attention: there is no fused kernel for cpu");
        let f32 = |plan: &mut StepPlan| plan.compute = DType::F32;
        check(HOPPER, 12, f32, "plain attention: cuDNN's kernel takes bf16 and not f32");
        let wide = |plan: &mut StepPlan| {
            let mut config = plan.model.to_json();
            config["head_dim"] = 256.into();
            plan.model = LanguageModel::from_json(&config).expect("a Llama with wide heads");
        };
        let windows = |plan: &mut StepPlan| {
            let config = serde_json::json!({
                "model_type": "gemma3_text", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 8,
                "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64, "sliding_window": 16, "max_position_embeddings": 4096,
            });
            plan.model = LanguageModel::from_json(&config).expect("a Gemma 3 with a layer in six that sees everything");
            plan.lora = None;
        };
        let expected = "fused attention (cuDNN, packed rows of up to 12 documents); plain in 7 of 8 layers";
        check(HOPPER, 12, windows, expected);
        let expected = "plain attention: cuDNN's kernel takes heads of 8, 16, … up to 128 elements and not of 256";
        check(HOPPER, 12, wide, expected);
        let ampere = Hardware { compute_capability: Some((8, 6)), ..HOPPER };
        let expected = "plain attention: cuDNN's kernel needs compute capability 9.0, and the GPU has 8.6";
        check(ampere, 12, |_| {}, expected);
        check(ampere, 1, |plan| plan.batch.packed = false, "fused attention (cuDNN, one document a row)");
        let silent = Hardware { compute_capability: None, ..HOPPER };
        let expected =
            "plain attention: cuDNN's kernel needs compute capability 9.0, and the GPU does not tell its own";
        check(silent, 12, |_| {}, expected);
        let expected = "plain attention: a row holds up to 129 documents, and cuDNN's kernel is used up to 128";
        check(HOPPER, 129, |_| {}, expected);
        let expected =
            "plain attention: cuDNN's kernel counts elements in 32 bits, and a device has more of a micro-batch";
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

    /// ROCm's compiler accepts a call of cuDNN, so that nothing but this would notice one.
    #[test]
    fn no_call_of_cudnn_is_made_for_amd_or_the_cpu() {
        let cpu = Hardware { platform: Platform::Cpu, compute_capability: None };
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
                plan.model.attention = AttentionChoice::new(&plan, hardware, 8).kernel;
                for program in [plan.train_program(), plan.evaluation_program()] {
                    let text = program.expect("presets can be traced").program.text;
                    assert!(!text.contains("custom_call"), "{} on {hardware:?} calls a kernel", preset.name());
                }
            }
        }
    }
}
