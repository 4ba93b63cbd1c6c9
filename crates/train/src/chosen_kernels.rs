//! Which kernels a training step uses, and why: those of attention, and our own of state spaces and experts.

use std::fmt;

use graph::Axis;
use models::{Anatomy, Gpu, StateSpaceModule, convolution_supports, grouped_products_support, scan_supports};
use runtime::Hardware;

use crate::attention::{Hindrance, own_gpu};
use crate::config::KernelChoice;
use crate::{AttentionChoice, StepPlan};

/// The kernels of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenKernels {
    /// Those of attention.
    pub attention: AttentionChoice,
    /// Those of the layers with a state space; `None` where there are none.
    pub state_spaces: Option<OwnKernels>,
    /// Those of the layers with experts; `None` where there are none.
    pub experts: Option<OwnKernels>,
}

/// Our kernels for layers of a kind, or plain operations with the reason for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnKernels {
    what: &'static str,
    hindrance: Option<Hindrance>,
    /// What stays in plain operations beside kernels, if something does.
    beside: Option<(&'static str, Hindrance)>,
}

impl OwnKernels {
    /// Whether they are kernels.
    pub fn are_kernels(&self) -> bool {
        self.hindrance.is_none()
    }
}

impl ChosenKernels {
    /// The fastest among the `asked` kernels that compute the step `plan` on `hardware`. `documents` is the most that a packed row holds.
    pub(crate) fn new(plan: &StepPlan, asked: KernelChoice, hardware: Hardware, documents: usize) -> ChosenKernels {
        let attention = AttentionChoice::new(plan, asked, hardware, documents);
        // A plan that cannot be traced says so where its step is.
        let anatomy = plan.anatomy().unwrap_or_default();
        let has_experts = anatomy.linear.iter().any(|module| module.is_of_experts());
        let own = |what, find: fn(&StepPlan, &Anatomy, Hardware) -> Option<Hindrance>| OwnKernels {
            what,
            hindrance: match asked {
                KernelChoice::None => Some(Hindrance::Asked),
                KernelChoice::Auto | KernelChoice::Finery => find(plan, &anatomy, hardware),
            },
            beside: None,
        };
        let state_spaces = || OwnKernels {
            beside: no_convolution(plan, &anatomy).map(|hindrance| ("convolution", hindrance)),
            ..own("scan of state spaces", no_scan)
        };
        ChosenKernels {
            attention,
            state_spaces: (!anatomy.state_space.is_empty()).then(state_spaces),
            experts: has_experts.then(|| own("products with experts", no_grouped_products)),
        }
    }

    /// A sentence for each kind of layer that there is besides attention.
    pub(crate) fn own(&self) -> impl Iterator<Item = OwnKernels> {
        [self.state_spaces, self.experts].into_iter().flatten()
    }
}

/// Which blocks our kernels go in on a device.
///
/// # Errors
/// They do not run there, for this reason.
pub fn gpu_or_reason(hardware: Hardware) -> Result<Gpu, String> {
    own_gpu(hardware).map_err(|hindrance| hindrance.of("Finery's kernel"))
}

fn no_scan(plan: &StepPlan, anatomy: &Anatomy, hardware: Hardware) -> Option<Hindrance> {
    let gpu = match own_gpu(hardware) {
        Ok(gpu) => gpu,
        Err(hindrance) => return Some(hindrance),
    };
    let parts: Vec<_> = anatomy.state_space.iter().map(|layer| part_of_device(layer, plan)).collect();
    let refused = |sizes: fn(usize, usize) -> [usize; 2]| {
        let refused = |(rows, layer): &&_| !scan_supports(layer, plan.compute, sizes(*rows, plan.batch.positions), gpu);
        parts.iter().find(refused).map(|(_, layer)| layer)
    };
    if let Some(layer) = refused(|_, _| [1, 1]) {
        return Some(match *layer {
            StateSpaceModule { head_dim: Some(head_dim), state_size: states, .. } => {
                Hindrance::Heads { head_dim, states }
            }
            StateSpaceModule { head_dim: None, .. } => Hindrance::Type(plan.compute),
        });
    }
    let of_a_row = refused(|_, positions| [1, positions]).map(|_| Hindrance::Row);
    of_a_row.or_else(|| refused(|rows, positions| [rows, positions]).map(|_| Hindrance::Launch))
}

/// What keeps the convolution of layers with a state space from our kernels where these run.
fn no_convolution(plan: &StepPlan, anatomy: &Anatomy) -> Option<Hindrance> {
    let positions = plan.batch.positions;
    anatomy.params.iter().find_map(|weight| {
        // (channels, 1, kernel)
        let [channels, _, kernel] = weight.axes[..] else { return None };
        if kernel.name != "kernel" {
            return None;
        }
        let [rows, channels] = plan.rows_of_device(channels);
        let supports = |taps, sizes| convolution_supports(channels, taps, plan.compute, sizes);
        match (supports(kernel.size, [1, 1]), supports(kernel.size, [1, positions])) {
            (true, true) => (!supports(kernel.size, [rows, positions])).then_some(Hindrance::Launch),
            (true, false) => Some(Hindrance::Row),
            (false, _) if supports(2, [1, 1]) => Some(Hindrance::Taps(kernel.size)),
            (false, _) => Some(Hindrance::Type(plan.compute)),
        }
    })
}

/// What each device computes of a layer: so many rows, with its part of the channels.
fn part_of_device(layer: &StateSpaceModule, plan: &StepPlan) -> (usize, StateSpaceModule) {
    let (name, channels) = match layer.head_dim {
        None => ("inner", 1),
        Some(head_dim) => ("group_heads", head_dim),
    };
    let [rows, parts] = plan.rows_of_device(Axis::new(name, layer.channels / channels));
    (rows, StateSpaceModule { channels: parts * channels, ..layer.clone() })
}

fn no_grouped_products(plan: &StepPlan, _: &Anatomy, hardware: Hardware) -> Option<Hindrance> {
    let hindrance = own_gpu(hardware).err();
    hindrance.or_else(|| (!grouped_products_support(plan.compute)).then_some(Hindrance::Type(plan.compute)))
}

impl fmt::Display for OwnKernels {
    /// `fused products with experts (Finery's kernels)`, or `plain products with experts: ` and why. Also what is plain beside kernels.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what;
        match self.hindrance {
            None => write!(f, "fused {what} (Finery's kernels)")?,
            Some(hindrance) => return write!(f, "plain {what}: {}", hindrance.of("Finery's kernel")),
        }
        match self.beside {
            None => Ok(()),
            Some((what, hindrance)) => write!(f, "; plain {what}: {}", hindrance.of("Finery's kernel")),
        }
    }
}

#[cfg(test)]
mod tests {
    use graph::DType;
    use mesh::{MeshShape, Rules};
    use models::LanguageModel;
    use runtime::plugins::Platform;

    use super::*;
    use crate::Preset;
    use crate::config::GradientCheckpointing;

    const HOPPER: Hardware = Hardware { platform: Platform::Cuda, compute_capability: Some((9, 0)), gfx: None };
    const VOLTA: Hardware = Hardware { compute_capability: Some((7, 0)), ..HOPPER };

    /// What is said of state spaces and of experts.
    fn check(plan: &StepPlan, asked: KernelChoice, hardware: Hardware, expected: [Option<&str>; 2]) {
        let ChosenKernels { state_spaces, experts, .. } = ChosenKernels::new(plan, asked, hardware, 12);
        let said = [state_spaces, experts].map(|own| own.map(|own| own.to_string()));
        assert_eq!(said.each_ref().map(Option::as_deref), expected);
    }

    #[test]
    fn what_is_chosen_and_why() {
        let (mamba, mixture) = (Preset::Mamba370m.plan(), Preset::Mixtral3b.plan());
        let auto = KernelChoice::Auto;
        let scan = |why: &str| format!("plain scan of state spaces: {why}");
        let products = |why: &str| format!("plain products with experts: {why}");
        check(&Preset::Llama1b.plan(), auto, HOPPER, [None, None]);
        for (asked, hardware, why) in [
            (KernelChoice::None, HOPPER, "as asked for"),
            (auto, Hardware::CPU, "there is no fused kernel for cpu"),
            (auto, VOLTA, "Finery's kernel needs compute capability 8.0, and the GPU has 7.0"),
        ] {
            check(&mamba, asked, hardware, [Some(&scan(why)), None]);
            check(&mixture, asked, hardware, [None, Some(&products(why))]);
        }
        for asked in [auto, KernelChoice::Finery] {
            check(&mamba, asked, HOPPER, [Some("fused scan of state spaces (Finery's kernels)"), None]);
            check(&mixture, asked, HOPPER, [None, Some("fused products with experts (Finery's kernels)")]);
        }
        // Scans take f32, and matrix units do not.
        let in_f32 = |plan: &StepPlan| StepPlan { compute: DType::F32, ..plan.clone() };
        check(&in_f32(&mamba), auto, HOPPER, [Some("fused scan of state spaces (Finery's kernels)"), None]);
        let expected = products("Finery's kernel takes bf16 and not f32");
        check(&in_f32(&mixture), auto, HOPPER, [None, Some(&expected)]);
    }

    #[test]
    fn scans_that_our_kernels_do_not_take_are_plain() {
        let mut plan = Preset::Mamba2Of1300m.plan();
        check(&plan, KernelChoice::Auto, HOPPER, [Some("fused scan of state spaces (Finery's kernels)"), None]);
        plan.batch.positions = 1 << 20;
        let expected = "plain scan of state spaces: Finery's kernel counts elements in 32 bits, and a row has more";
        check(&plan, KernelChoice::Auto, HOPPER, [Some(expected), None]);
        let mut config = plan.model.to_json();
        (config["head_dim"], config["num_heads"]) = (256.into(), 16.into());
        plan.model = LanguageModel::from_json(&config).expect("a Mamba-2 with wider heads");
        let expected = "plain scan of state spaces: Finery's kernel takes heads of 16, 32, 64 or 128 channels with up to 256 states and not of 256 \
                        with 128";
        check(&plan, KernelChoice::Auto, HOPPER, [Some(expected), None]);
    }

    #[test]
    fn a_convolution_that_our_kernels_do_not_take_is_told() {
        for preset in [Preset::Mamba370m, Preset::Mamba2Of1300m] {
            for (taps, convolution) in
                [(8, ""), (9, "; plain convolution: Finery's kernel takes up to 8 taps and not 9")]
            {
                let mut plan = preset.plan();
                let mut config = plan.model.to_json();
                config["conv_kernel"] = taps.into();
                plan.model = LanguageModel::from_json(&config).expect("a Mamba with more taps");
                let expected = format!("fused scan of state spaces (Finery's kernels){convolution}");
                check(&plan, KernelChoice::Auto, HOPPER, [Some(&expected), None]);
            }
        }
        let mut plan = Preset::Mamba370m.plan();
        let mut config = plan.model.to_json();
        config["conv_kernel"] = 16.into();
        plan.model = LanguageModel::from_json(&config).expect("a Mamba with more taps");
        check(&plan, KernelChoice::None, HOPPER, [Some("plain scan of state spaces: as asked for"), None]);
    }

    /// The most rows that a launch has places for, which are those of one device, and the longest row, of its own channels.
    #[test]
    fn what_is_told_of_many_rows_is_what_is_traced() {
        let mamba = serde_json::json!({
            "model_type": "mamba", "vocab_size": 64, "hidden_size": 16, "state_size": 4, "num_hidden_layers": 2, "conv_kernel": 4,
            "time_step_rank": 2, "expand": 2,
        });
        let mamba2 = serde_json::json!({
            "model_type": "mamba2", "vocab_size": 64, "hidden_size": 16, "state_size": 16, "num_hidden_layers": 2, "conv_kernel": 4,
            "expand": 2, "head_dim": 16, "num_heads": 2, "n_groups": 1, "chunk_size": 16,
        });
        let crowded = "plain scan of state spaces: Finery's kernel takes up to 65535 rows of a device, and a micro-batch has more";
        let fused = "fused scan of state spaces (Finery's kernels)";
        for (config, kernel) in [(mamba, "public @selective_scan"), (mamba2, "public @dual_scan")] {
            for (rows, fsdp, expected) in
                [(65_535, 1, fused), (65_536, 1, crowded), (65_536, 8, fused), (8 * 65_536, 8, crowded)]
            {
                let mut plan = Preset::Mamba370m.plan();
                plan.model = LanguageModel::from_json(&config).expect("a small Mamba");
                (plan.batch.rows, plan.batch.positions) = (rows, 16);
                plan.partition = Rules::default().partition(MeshShape { dp: 1, fsdp, mp: 1 }, plan.optimizer.slots());
                check(&plan, KernelChoice::Auto, HOPPER, [Some(expected), None]);
                plan.choose_kernels(KernelChoice::Auto, GradientCheckpointing::Auto, HOPPER, 2);
                let text = plan.train_program().expect("the step can be traced").program.text;
                assert_eq!(text.contains(kernel), expected == fused, "{kernel}: {rows} rows, {fsdp} devices");
            }
        }
    }
}
