//! Mamba-2 (Dao and Gu 2024, "Transformers are SSMs"), as in Hugging Face's `Mamba2ForCausalLM`.

use graph::{Axis, Init, Tensor};
use serde_json::{Value, json};

use crate::Scope;
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result};
use crate::family::Entry;
use crate::journal::StateSpaceModule;
use crate::layers::{linear, wide, widen};
use crate::pass::LayerPass;
use crate::state_space::backbone::{Backbone, MixerFamily, Mixers};
use crate::state_space::dual::Dual;
use crate::state_space::{StepWidths, decay_rates};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mamba2",
    architecture: "Mamba2ForCausalLM",
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
        "num_heads",
        "head_dim",
        "n_groups",
        "state_size",
        "num_hidden_layers",
        "chunk_size",
        "conv_kernel",
        "hidden_act",
        "use_bias",
        "use_conv_bias",
        "time_step_min",
        "time_step_max",
        "time_step_floor",
        "time_step_limit",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "norm_before_gate",
        "rms_norm",
        "layer_norm_epsilon",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &[],
    read: |fields| Ok(Box::new(Mixers(Mamba2::read(fields)?))),
};

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Mamba2 {
    backbone: Backbone,
    /// Channels of the state space: heads that share B and C, those that do not, and the channels of a head.
    n_groups: usize,
    heads_per_group: usize,
    head_dim: usize,
    state_size: usize,
    chunk_size: usize,
    step_widths: StepWidths,
}

/// Tokens of a chunk: attention within it costs as much as the states between chunks where it is about as long as a state is large.
const CHUNK: usize = 64;

impl Mamba2 {
    fn read(fields: &Fields<'_>) -> Result<Mamba2> {
        let backbone = Backbone::read(fields, false)?;
        // Mamba-Codestral says true, and gates first all the same, as transformers makes any do.
        fields.flag("norm_before_gate")?;
        let inner = backbone.inner;
        let num_heads = fields.size_or("num_heads", COUNT_MAX, 128)?;
        let head_dim = fields.size_or("head_dim", COUNT_MAX, 64)?;
        if num_heads * head_dim != inner {
            let rule = format!("times `head_dim`, {head_dim}, it should be `expand` times `hidden_size`, {inner}");
            return Err(fields.wrong("num_heads", &num_heads.into(), &rule));
        }
        let n_groups = fields.size_or("n_groups", COUNT_MAX, 8)?;
        if num_heads % n_groups != 0 {
            let rule = format!("it should divide `num_heads`, {num_heads}");
            return Err(fields.wrong("n_groups", &n_groups.into(), &rule));
        }
        Ok(Mamba2 {
            backbone,
            n_groups,
            heads_per_group: num_heads / n_groups,
            head_dim,
            state_size: fields.size_or("state_size", COUNT_MAX, 128)?,
            chunk_size: fields.size_or("chunk_size", POSITIONS_MAX, 256)?.min(CHUNK),
            step_widths: StepWidths::read(fields, limits(fields)?)?,
        })
    }

    /// Heads that share B and C, those that do not, and the channels of a head.
    fn heads(&self) -> [Axis; 3] {
        let groups = Axis::new("state_groups", self.n_groups);
        [groups, Axis::new("group_heads", self.heads_per_group), Axis::new("head_dim", self.head_dim)]
    }

    /// The scan over x, B and C, which stand side by side, and the skip connection D.
    fn state_space<'g>(
        &self,
        scope: &Scope<'g>,
        convolved: Tensor<'g>,
        widths: Tensor<'g>,
        pass: &mut LayerPass<'_, 'g>,
    ) -> Tensor<'g> {
        let axes @ [groups, group_heads, head_dim] = self.heads();
        let state = Axis::new("state", self.state_size);
        let (inner, shared) = (widths.axis("heads").size * head_dim.size, groups.size * state.size);
        scope.journal().state_space(StateSpaceModule {
            stack: scope.stack().to_vec(),
            channels: inner,
            state_size: state.size,
            head_dim: Some(head_dim.size),
        });
        let part = |start, size, axes: &[Axis]| convolved.slice("convolved", start, size).split("convolved", axes);
        let by_head = |x: Tensor<'g>| x.split("heads", &[groups, group_heads]);
        let x = part(0, inner, &axes);
        let dual = Dual {
            x,
            widths: by_head(widths),
            rates: by_head(decay_rates(scope, &[widths.axis("heads")])),
            b: part(inner, shared, &[groups, state]),
            c: part(inner + shared, shared, &[groups, state]),
            segments: pass.tokens().segments,
        };
        let h = pass.carried("recurrent", wide(x.dtype()), &[groups, group_heads, head_dim, state]);
        let (y, h) = dual.scan(h, self.chunk_size, pass.state_space());
        pass.carry(h);
        widen(y) + widen(x) * by_head(scope.wide_param("D", &[widths.axis("heads")], Init::Ones))
    }

    /// Root mean square normalisation of the channels of each group.
    fn group_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let inner = x.axis("inner");
        let groups = [Axis::new("state_groups", self.n_groups), Axis::new("channel", inner.size / self.n_groups)];
        let x = x.split("inner", &groups);
        let normal = x * ((x * x).mean(&["channel"]) + self.backbone.layer_norm_epsilon).rsqrt();
        normal.merge(&groups.map(|axis| axis.name), "inner") * scope.wide_param("weight", &[inner], Init::Ones)
    }
}

/// `time_step_limit`: bounds of a step's width. JSON has no infinity; transformers writes an object in its place.
fn limits(fields: &Fields<'_>) -> Result<(f64, f64)> {
    let Some(value) = fields.get("time_step_limit") else { return Ok((0.0, f64::INFINITY)) };
    let number = |value: &Value| match value == &json!({"__float__": "Infinity"}) {
        true => Some(f64::INFINITY),
        false => value.as_f64(),
    };
    match value.as_array().map(|list| list.iter().map(number).collect::<Vec<_>>()).as_deref() {
        Some([Some(low), Some(high)]) if 0.0 <= *low && low < high => Ok((*low, *high)),
        _ => Err(fields.wrong("time_step_limit", value, "it should be two numbers from 0 on, the greater one last")),
    }
}

impl MixerFamily for Mamba2 {
    fn backbone(&self) -> &Backbone {
        &self.backbone
    }

    /// Section 7: one projection gives all that the scan takes, and a norm follows the gate.
    fn mix<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let Backbone { convolution, output_init, use_bias, inner, .. } = self.backbone;
        let embed = x.axis("embed");
        let heads = Axis::new("heads", self.n_groups * self.heads_per_group);
        let shared = 2 * self.n_groups * self.state_size;
        let all = Axis::new("projected", 2 * inner + shared + heads.size);
        let all = linear(&scope.child("in_proj"), x, embed, all, use_bias, self.backbone.init());
        let part = |start, size, name| all.slice("projected", start, size).rename("projected", name);
        let gate = widen(part(0, inner, "inner"));
        let convolved = part(inner, inner + shared, "convolved");
        let bias = scope.wide_param("dt_bias", &[heads], self.step_widths.init);
        let y = pass.by_rows(&[convolved, part(2 * inner + shared, heads.size, heads.name)], |pass, own| {
            let convolved = convolution.apply(&scope.child("conv1d"), own[0], "convolved", pass);
            let widths = self.step_widths.apply(own[1], bias, pass);
            self.state_space(scope, convolved, widths, pass).merge(&self.heads().map(|axis| axis.name), "inner")
        });
        let y = self.group_norm(&scope.child("norm"), y * gate.silu()).cast(x.dtype());
        linear(&scope.child("out_proj"), y, y.axis("inner"), embed, use_bias, output_init)
    }
}
