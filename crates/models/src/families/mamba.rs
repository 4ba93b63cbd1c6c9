//! Mamba (Gu and Dao 2023, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces"), as in Hugging Face's `MambaForCausalLM`.

use graph::{Axis, Init, Tensor};

use crate::Scope;
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::Entry;
use crate::journal::StateSpaceModule;
use crate::layers::{linear, widen};
use crate::pass::LayerPass;
use crate::state_space::backbone::{Backbone, MixerFamily, Mixers};
use crate::state_space::selective::Selective;
use crate::state_space::{StepWidths, decay_rates};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mamba",
    architecture: "MambaForCausalLM",
    restrictions: &[
        "hidden_act other than silu",
        "intermediate_size other than expand * hidden_size",
        "rms_norm: false",
    ],
    keys: &[
        "vocab_size",
        "hidden_size",
        "intermediate_size",
        "expand",
        "state_size",
        "num_hidden_layers",
        "conv_kernel",
        "hidden_act",
        "use_bias",
        "use_conv_bias",
        "time_step_rank",
        "time_step_scale",
        "time_step_min",
        "time_step_max",
        "time_step_floor",
        "time_step_init_scheme",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "rms_norm",
        "layer_norm_epsilon",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &[],
    read: |fields| Ok(Box::new(Mixers(Mamba::read(fields)?))),
};

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Mamba {
    backbone: Backbone,
    state_size: usize,
    time_step_rank: usize,
    step_widths: StepWidths,
    /// Of the weight that makes widths of ranks.
    time_step_init: Init,
}

impl Mamba {
    fn read(fields: &Fields<'_>) -> Result<Mamba> {
        let backbone = Backbone::read(fields, true)?;
        let usual_rank = backbone.sizes.hidden_size.div_ceil(16);
        let time_step_rank = match fields.get("time_step_rank").and_then(|value| value.as_str()) {
            Some("auto") => usual_rank,
            _ => fields.size_or("time_step_rank", WIDTH_MAX, usual_rank)?,
        };
        let bound = fields.number_or("time_step_scale", 1.0)? / (time_step_rank as f64).sqrt();
        let schemes = [("random", Init::Uniform(bound)), ("constant", Init::Constant(bound))];
        Ok(Mamba {
            backbone,
            state_size: fields.size_or("state_size", COUNT_MAX, 16)?,
            time_step_rank,
            step_widths: StepWidths::read(fields, (0.0, f64::INFINITY))?,
            time_step_init: fields.choice("time_step_init_scheme", &schemes, schemes[0].1)?,
        })
    }

    /// Algorithm 2, and the skip connection D. In f32 at least.
    fn state_space<'g>(&self, scope: &Scope<'g>, u: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let (inner, rank) = (u.axis("inner"), self.time_step_rank);
        let state = Axis::new("state", self.state_size);
        let stack = scope.stack().to_vec();
        let (channels, state_size) = (inner.size, state.size);
        scope.journal().state_space(StateSpaceModule { stack, channels, state_size, head_dim: None });
        let selected = Axis::new("selected", rank + 2 * state.size);
        let selected = linear(&scope.child("x_proj"), u, inner, selected, false, self.backbone.init());
        let part = |start, axis: Axis| selected.slice("selected", start, axis.size).rename("selected", axis.name);
        let ranks = Axis::new("time_step_rank", rank);
        let dt_proj = scope.child("dt_proj");
        let widths = linear(&dt_proj, part(0, ranks), ranks, inner, false, self.time_step_init);
        let bias = dt_proj.wide_param("bias", &[inner], self.step_widths.init);
        let x = widen(u);
        let selective = Selective {
            x: u,
            widths: self.step_widths.apply(widths, bias, pass),
            rates: decay_rates(scope, &[inner, state]),
            b: widen(part(rank, state)),
            c: widen(part(rank + state.size, state)),
            segments: pass.tokens().segments,
        };
        let h = pass.carried("recurrent", x.dtype(), &[state, inner]);
        let (y, h) = selective.scan(h, pass.state_space());
        pass.carry(h);
        widen(y) + x * scope.wide_param("D", &[inner], Init::Ones)
    }
}

impl MixerFamily for Mamba {
    fn backbone(&self) -> &Backbone {
        &self.backbone
    }

    /// Section 3.4: the selective state space between two projections, gated by a second branch.
    fn mix<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let Backbone { convolution, output_init, use_bias, .. } = self.backbone;
        let inner = Axis::new("inner", self.backbone.inner);
        let branches = Axis::new("branches", 2 * inner.size);
        let both = linear(&scope.child("in_proj"), x, x.axis("embed"), branches, use_bias, self.backbone.init());
        let [u, gate] =
            [0, inner.size].map(|start| both.slice("branches", start, inner.size).rename("branches", "inner"));
        let y = pass.by_rows(&[u], |pass, own| {
            let u = convolution.apply(&scope.child("conv1d"), own[0], "inner", pass);
            self.state_space(scope, u, pass)
        });
        let y = y * widen(gate).silu();
        linear(&scope.child("out_proj"), y.cast(x.dtype()), inner, x.axis("embed"), use_bias, output_init)
    }
}
