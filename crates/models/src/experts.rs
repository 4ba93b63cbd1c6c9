//! Mixtures of experts (Shazeer et al. 2017), where a token costs what the few experts cost that it is sent to.
//!
//! As in MegaBlocks (Gale et al. 2022) nothing is dropped, and there is no capacity to exceed: tokens are put in the order of their experts,
//! each expert's filled up to whole blocks, and each block is multiplied with the weights of its own expert: on GPUs by kernels of our own, else in
//! a loop over the blocks. How many blocks there can be follows from the numbers of tokens and experts alone.
//!
//! Rows that lie on several devices are put in order apart, those of each device: along an axis `shard` in front of all that is said of tokens
//! and rows. What an expert's weights are for is as it was; in one order, each device would have to see all tokens.
//!
//! Axes: `token`, `choice` (of a token's experts), `pair` (of a token and a choice), `blocks`, `row` (of a block), `slot` (a row of any
//! block), `experts`, `expert_mlp`.

mod block_loop;
mod fused;
mod grouping;

use graph::{Axis, DType, Init, Tensor};
use kernels::GroupedProduct;

use crate::activation::Activation;
use crate::config::{COUNT_MAX, EXPERTS_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Emitted, Sizes};
use crate::journal::LinearModule;
use crate::layers::{wide_dot, widen};
use crate::lora::Frozen;
use crate::pass::LayerPass;
use crate::{Scope, lora, part};
use grouping::Grouping;

/// The name, for a rematerialisation policy, of products with experts' weights, and of where tokens stand for them: sorting them again would take
/// longer than reading the few numbers.
pub(crate) const EXPERTS: &str = "experts";

/// An MLP of many, of which a router chooses some for each token.
#[derive(Clone, Debug)]
pub(crate) struct Experts {
    /// How many there are.
    pub(crate) count: usize,
    /// How many a token is sent to.
    pub(crate) chosen: usize,
    /// Width of each.
    pub(crate) intermediate_size: usize,
    /// What the gate goes through.
    pub(crate) activation: Activation,
    /// The names of an expert's projections: gate, up and down.
    pub(crate) projections: [&'static str; 3],
    /// Whether the weights of a token's experts are scaled to a sum of 1.
    pub(crate) norm_topk_prob: bool,
    /// What the router's loss is multiplied with.
    pub(crate) router_aux_loss_coef: f64,
    /// How weights are drawn.
    pub(crate) init: Init,
}

/// Whether our kernels multiply with experts in this element type.
pub fn grouped_products_support(dtype: DType) -> bool {
    GroupedProduct::takes(dtype)
}

/// What a family takes for said where `config.json` does not say it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixed {
    /// How many experts there are.
    pub(crate) count: usize,
    /// How many a token is sent to.
    pub(crate) chosen: usize,
}

/// What layers emit for the router's loss, each f32 (experts), as means over the tokens.
const LOAD: &str = "router_load";
const PROBABILITY: &str = "router_probability";

impl Experts {
    /// By the keys that Mixtral and its kin have in common, `width` that of the experts' width, in a model of these `sizes`.
    pub(crate) fn read(fields: &Fields<'_>, sizes: Sizes, width: &str, usual: Mixed, init: Init) -> Result<Experts> {
        let count = count(fields)?.unwrap_or(usual.count);
        let chosen = fields.size_or("num_experts_per_tok", COUNT_MAX, usual.chosen)?;
        if chosen > count {
            let rule = format!("there are {count} experts that a token could be sent to");
            return Err(fields.wrong("num_experts_per_tok", &chosen.into(), &rule));
        }
        let intermediate_size = fields.size(width, WIDTH_MAX)?;
        let Sizes { num_hidden_layers: layers, hidden_size, .. } = sizes;
        let most = EXPERTS_MAX / [layers, count, hidden_size].map(|size| size as u64).iter().product::<u64>();
        if intermediate_size as u64 > most {
            let rule = format!(
                "of {count} experts in {layers} layers over {hidden_size} elements it should be at most {most}"
            );
            return Err(fields.wrong(width, &intermediate_size.into(), &rule));
        }
        Ok(Experts {
            count,
            chosen,
            intermediate_size,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            projections: ["gate_proj", "up_proj", "down_proj"],
            norm_topk_prob: true,
            router_aux_loss_coef: fields.number_from_0_or("router_aux_loss_coef", 0.001)?,
            init,
        })
    }

    /// The weighted sum of what its experts make of each token: (batch, position, embed) both ways.
    pub(crate) fn apply<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let _named = scope.named(part::EXPERTS);
        let (batch, position, embed) = (x.axis("batch"), x.axis("position"), x.axis("embed"));
        let (weights, experts) = self.route(scope, x, pass);
        let apart = shards(scope, batch);
        let [tokens, weights, experts] = [x, weights, experts].map(|x| {
            let x = apart.map_or(x, |apart| x.split("batch", &apart));
            x.merge(&["batch", "position"], "token")
        });
        let gpu = pass.grouped_products().filter(|_| GroupedProduct::takes(x.dtype()));
        let grouping = Grouping::of(experts, self.axis(), gpu);
        let rows = grouping.dispatch(tokens);
        let mlp = Axis::new("expert_mlp", self.intermediate_size);
        let each = scope.child("experts").all(self.axis());
        let linear = |name, x, input, output| self.linear(&each.child(name), &grouping, x, input, output);
        let [gate, up, down] = self.projections;
        let hidden = self.activation.apply(linear(gate, rows, embed, mlp)) * linear(up, rows, embed, mlp);
        let sums = grouping.combine(linear(down, hidden, mlp, embed), weights);
        match apart {
            Some([_, own]) => sums.split("token", &[own, position]).merge(&["shard", "batch"], "batch"),
            None => sums.split("token", &[batch, position]),
        }
    }

    fn axis(&self) -> Axis {
        Axis::new("experts", self.count)
    }

    /// The weights (batch, position, choice), f32 at least, and the numbers, i32, of each token's experts.
    fn route<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> (Tensor<'g>, Tensor<'g>) {
        let probabilities = self.gate(&scope.child("gate"), x).softmax("experts");
        let order = (-probabilities.stop_gradient()).argsort("experts");
        let chosen = order.slice("experts", 0, self.chosen).rename("experts", "choice").checkpoint_name(EXPERTS);
        self.emit_use(probabilities, chosen, pass);
        let weights = probabilities.take("experts", chosen);
        let weights = if self.norm_topk_prob { weights / weights.sum(&["choice"]) } else { weights };
        (weights, chosen)
    }

    /// The router's logits (batch, position, experts), not rounded to the type of `x`: in bf16 many would be equal.
    fn gate<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let (embed, experts) = (x.axis("embed"), self.axis());
        scope.journal().linear(module(scope, embed, experts, 1.0));
        let weight = scope.param("weight", &[experts, embed], self.init);
        let logits = wide_dot(x, weight, &["embed"]);
        let router = Frozen { weight: Some(weight), input: embed, output: experts, x, product: logits };
        match lora::adapter(scope, router) {
            Some(change) => logits + widen(change),
            None => logits,
        }
    }

    /// Emits what part of the tokens each expert gets, and how probable it is for them.
    fn emit_use<'g>(&self, probabilities: Tensor<'g>, chosen: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) {
        if self.router_aux_loss_coef == 0.0 {
            return;
        }
        let experts = chosen.graph().iota(self.axis(), DType::I32);
        let sent = chosen.equals(experts).cast(probabilities.dtype()).sum(&["choice"]);
        let counted = pass.tokens().present().map(|present| present.cast(probabilities.dtype()));
        for (name, each) in [(LOAD, sent), (PROBABILITY, probabilities)] {
            let mean = match counted {
                Some(counted) => (each * counted).sum(&["batch", "position"]) / counted.sum_all().maximum(1.0),
                None => each.mean(&["batch", "position"]),
            };
            pass.emit(name, mean);
        }
    }

    /// What makes routers send as many tokens to each expert (Fedus et al. 2021, "Switch Transformers", equation 4), over all layers at once.
    pub(crate) fn auxiliary_loss<'g>(&self, emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        let [load, probability] = [LOAD, PROBABILITY].map(|name| emitted.get(name).map(|each| each.mean(&["layers"])));
        Some((load? * probability?).sum_all() * (self.count as f64 * self.router_aux_loss_coef))
    }

    /// [`crate::layers::linear`] for rows that are grouped by expert, `scope` that of all experts' modules of a name.
    fn linear<'g>(
        &self,
        scope: &Scope<'g>,
        grouping: &Grouping<'g>,
        x: Tensor<'g>,
        input: Axis,
        output: Axis,
    ) -> Tensor<'g> {
        scope.journal().linear(module(scope, input, output, self.chosen as f64 / self.count as f64));
        let weight = scope.param("weight", &[output, input], self.init);
        let y = grouping.product(x, weight, input.name);
        let y = match lora::adapter_by(scope, x, input, output, |x, factor, axis| grouping.product(x, factor, axis)) {
            Some(change) => y + change,
            None => y,
        };
        y.checkpoint_name(EXPERTS)
    }
}

/// The rows of a batch by the devices that they lie on; `None` where all are put in order together: on one device, and where dropout draws
/// for each row of a block, which is to be the same on any mesh.
fn shards(scope: &Scope<'_>, batch: Axis) -> Option<[Axis; 2]> {
    let parts = scope.graph().parts(batch);
    let is_split = parts > 1 && scope.dropout_key().is_none();
    is_split.then(|| [Axis::new("shard", parts), Axis::new("batch", batch.size / parts)])
}

/// How many experts there are. transformers has two names for it, and writes the first.
fn count(fields: &Fields<'_>) -> Result<Option<usize>> {
    let [first, second] = ["num_local_experts", "num_experts"];
    match (fields.optional_size(first, COUNT_MAX)?, fields.optional_size(second, COUNT_MAX)?) {
        (Some(count), Some(other)) if count != other => {
            Err(fields.wrong(second, &other.into(), &format!("it should be that of `{first}`, {count}")))
        }
        (count, other) => Ok(count.or(other)),
    }
}

fn module(scope: &Scope<'_>, input: Axis, output: Axis, share: f64) -> LinearModule {
    let by_kernels = false;
    LinearModule {
        by_kernels,
        path: scope.path().to_owned(),
        stack: scope.stack().to_vec(),
        input,
        output,
        share,
        weight: format!("{}.weight", scope.path()),
        transposed: false,
        is_head: false,
    }
}
