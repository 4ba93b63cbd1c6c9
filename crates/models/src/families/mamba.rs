//! Mamba (Gu and Dao 2023, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces"), as in Hugging Face's `MambaForCausalLM`.

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::Scope;
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result, WIDTH_MAX};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::layers::{LinearInit, linear, linear_drawn, rms_norm, widen};
use crate::pass::{LayerPass, Tokens};
use crate::state_space::selective::Selective;
use crate::state_space::{Convolution, StepWidths, decay_rates, inner_size};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mamba",
    architecture: "MambaForCausalLM",
    restrictions: &["hidden_act other than silu", "intermediate_size other than expand * hidden_size"],
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
    read: |fields| Ok(Box::new(Mamba::read(fields)?)),
};

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Mamba {
    sizes: Sizes,
    /// Channels of the state space.
    intermediate_size: usize,
    state_size: usize,
    convolution: Convolution,
    time_step_rank: usize,
    step_widths: StepWidths,
    /// Of the weight that makes widths of ranks, and of the one behind the scan.
    time_step_init: Init,
    output_init: Init,
    use_bias: bool,
    residual_in_fp32: bool,
    layer_norm_epsilon: f64,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

impl Mamba {
    fn read(fields: &Fields<'_>) -> Result<Mamba> {
        fields.choice("hidden_act", &[("silu", ()), ("swish", ())], ())?;
        fields.expect("rms_norm", &json!(true))?;
        let hidden_size = fields.size("hidden_size", WIDTH_MAX)?;
        let num_hidden_layers = fields.size("num_hidden_layers", COUNT_MAX)?;
        let intermediate_size = inner_size(fields, hidden_size)?;
        let time_step_rank = match fields.get("time_step_rank").and_then(|value| value.as_str()) {
            Some("auto") => hidden_size.div_ceil(16),
            _ => fields.size_or("time_step_rank", WIDTH_MAX, hidden_size.div_ceil(16))?,
        };
        let bound = fields.number_or("time_step_scale", 1.0)? / (time_step_rank as f64).sqrt();
        let schemes = [("random", Init::Uniform(bound)), ("constant", Init::Constant(bound))];
        Ok(Mamba {
            sizes: Sizes {
                vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
                hidden_size,
                num_hidden_layers,
                max_position_embeddings: POSITIONS_MAX as usize,
            },
            intermediate_size,
            state_size: fields.size_or("state_size", COUNT_MAX, 16)?,
            convolution: Convolution::read(fields)?,
            time_step_rank,
            step_widths: StepWidths::read(fields, (0.0, f64::INFINITY))?,
            time_step_init: fields.choice("time_step_init_scheme", &schemes, schemes[0].1)?,
            output_init: output_init(fields, intermediate_size, num_hidden_layers)?,
            use_bias: fields.flag("use_bias")?,
            residual_in_fp32: fields.flag_or("residual_in_fp32", true)?,
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", 1e-5)?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", true)?,
            initializer_range: fields.number_or("initializer_range", 0.1)?,
        })
    }

    /// Section 3.4: the selective state space between two projections, gated by a second branch.
    fn mixer<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let inner = Axis::new("inner", self.intermediate_size);
        let init = LinearInit { standard_deviation: self.initializer_range };
        let branches = Axis::new("inner", 2 * inner.size);
        let both = linear(&scope.child("in_proj"), x, x.axis("embed"), branches, self.use_bias, init);
        let (u, gate) = (both.slice("inner", 0, inner.size), both.slice("inner", inner.size, inner.size));
        let u = self.convolution.apply(&scope.child("conv1d"), u, pass).silu();
        let y = self.state_space(scope, u, pass) * widen(gate).silu();
        linear_drawn(
            &scope.child("out_proj"),
            y.cast(x.dtype()),
            inner,
            x.axis("embed"),
            self.use_bias,
            self.output_init,
        )
    }

    /// Algorithm 2, and the skip connection D. In f32 at least.
    fn state_space<'g>(&self, scope: &Scope<'g>, u: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let (inner, rank) = (u.axis("inner"), self.time_step_rank);
        let state = Axis::new("state", self.state_size);
        scope.journal().state_space(scope, inner.size, state.size);
        let init = LinearInit { standard_deviation: self.initializer_range };
        let selected = Axis::new("selected", rank + 2 * state.size);
        let selected = linear(&scope.child("x_proj"), u, inner, selected, false, init);
        let part = |start, axis: Axis| selected.slice("selected", start, axis.size).rename("selected", axis.name);
        let ranks = Axis::new("time_step_rank", rank);
        let dt_proj = scope.child("dt_proj");
        let widths = linear_drawn(&dt_proj, part(0, ranks), ranks, inner, false, self.time_step_init);
        let bias = dt_proj.wide_param("bias", &[inner], self.step_widths.init);
        let x = widen(u);
        let selective = Selective {
            x,
            widths: self.step_widths.apply(widths, bias, pass),
            rates: decay_rates(scope, &[inner, state]),
            b: widen(part(rank, state)),
            c: widen(part(rank + state.size, state)),
            segments: pass.tokens().segments,
        };
        let (y, h) = selective.scan(pass.carried("recurrent", x.dtype(), &[state, inner]));
        pass.carry(h);
        y + x * scope.wide_param("D", &[inner], Init::Ones)
    }
}

/// How the weight of `out_proj` is drawn: as torch draws a linear layer's, and narrower the more layers add to the residual stream if
/// `rescale_prenorm_residual` says so.
pub(super) fn output_init(fields: &Fields<'_>, inner: usize, layers: usize) -> Result<Init> {
    let summed = if fields.flag("rescale_prenorm_residual")? { layers } else { 1 };
    Ok(Init::Uniform(1.0 / ((inner * summed) as f64).sqrt()))
}

impl Family for Mamba {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("backbone.layers", self.sizes.num_hidden_layers)
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let axes = [Axis::new("vocab", self.sizes.vocab_size), Axis::new("embed", self.sizes.hidden_size)];
        let table = scope.at("backbone.embeddings").param("weight", &axes, Init::Normal(self.initializer_range));
        let x = table.take("vocab", tokens.ids);
        if self.residual_in_fp32 { widen(x) } else { x }
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let normal = rms_norm(&scope.child("norm"), x.cast(scope.compute()), self.layer_norm_epsilon);
        x + self.mixer(&scope.child("mixer"), normal, pass).cast(x.dtype())
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        rms_norm(&scope.at("backbone.norm_f"), x.cast(scope.compute()), self.layer_norm_epsilon)
    }

    fn head(&self) -> Head {
        Head::lm_head(self.tie_word_embeddings, "backbone.embeddings", self.initializer_range)
    }
}
