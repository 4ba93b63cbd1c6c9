//! Mixtures of experts (Shazeer et al. 2017), where a token costs what the few experts cost that it is sent to.
//!
//! As in MegaBlocks (Gale et al. 2022) nothing is dropped, and there is no capacity to exceed: tokens are put in the order of their experts,
//! each expert's filled up to whole blocks, and a loop over the blocks multiplies each with the weights of its own expert. How many blocks
//! there can be follows from the numbers of tokens and experts alone.
//!
//! Rows that lie on several devices are put in order apart, those of each device: along an axis `shard` in front of all that is said of tokens
//! and rows. What an expert's weights are for is as it was; in one order, each device would have to see all tokens.
//!
//! Axes: `token`, `choice` (of a token's experts), `pair` (of a token and a choice), `blocks`, `row` (of a block), `slot` (a row of any
//! block), `experts`, `expert_mlp`.

use graph::{Axis, DType, Init, Remat, Tensor};

use crate::activation::Activation;
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::Emitted;
use crate::journal::LinearModule;
use crate::layers::{wide, wide_dot, widen};
use crate::lora::Frozen;
use crate::pass::LayerPass;
use crate::{Scope, lora, part};

/// The name, for a rematerialisation policy, of products with experts' weights.
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
    /// By the keys that Mixtral and its kin have in common, `width` that of the experts' width.
    pub(crate) fn read(fields: &Fields<'_>, width: &str, usual: Mixed, init: Init) -> Result<Experts> {
        let count = count(fields)?.unwrap_or(usual.count);
        let chosen = fields.size_or("num_experts_per_tok", COUNT_MAX, usual.chosen)?;
        if chosen > count {
            let rule = format!("there are {count} experts that a token could be sent to");
            return Err(fields.wrong("num_experts_per_tok", &chosen.into(), &rule));
        }
        Ok(Experts {
            count,
            chosen,
            intermediate_size: fields.size(width, WIDTH_MAX)?,
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
        let grouping = Grouping::of(experts, self.axis());
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
        let chosen = order.slice("experts", 0, self.chosen).rename("experts", "choice");
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
    LinearModule {
        path: scope.path().to_owned(),
        stack: scope.stack().to_vec(),
        inputs: input.size,
        outputs: output.size,
        share,
        weight: format!("{}.weight", scope.path()),
        transposed: false,
        is_head: false,
    }
}

/// Where the tokens stand once they are in the order of their experts: in rows of blocks that are one expert's each. All are i32.
#[derive(Clone, Copy)]
struct Grouping<'g> {
    /// The row, counted through all blocks, of each (token, choice).
    slots: Tensor<'g>,
    /// The pair, `token * choices + choice`, that stands in each (blocks, row), and any in rows that hold none.
    pairs: Tensor<'g>,
    /// Whether there is one, a Bool.
    is_used: Tensor<'g>,
    /// The expert of each of the blocks.
    experts: Tensor<'g>,
}

impl<'g> Grouping<'g> {
    /// Groups the tokens that are sent to the experts `chosen`, i32 (token, choice), those of each shard by themselves.
    fn of(chosen: Tensor<'g>, experts: Axis) -> Grouping<'g> {
        let graph = chosen.graph();
        let count = |axis: Axis| graph.iota(axis, DType::I32);
        let (token, choice) = (chosen.axis("token"), chosen.axis("choice"));
        let expert = chosen.merge(&["token", "choice"], "pair");
        let pair = expert.axis("pair");
        let row = Axis::new("row", block_rows(pair.size, experts.size));
        let blocks = Axis::new("blocks", blocks_most(pair.size, experts.size, row.size));

        let pairs_of = expert.equals(count(experts)).cast(DType::I32).sum(&["pair"]);
        let blocks_of = (pairs_of + (row.size - 1) as f64) / row.size as f64;
        let (first_pair, first_block) = (sum_before(pairs_of), sum_before(blocks_of));

        let sorted = expert.argsort("pair").rename("pair", "sorted");
        let numbers = count(sorted.axis("sorted")).broadcast(&sorted.axes());
        let places = graph.full(0.0, DType::I32, &expert.axes()).scatter_add("pair", sorted, numbers);
        let of_pair = |table: Tensor<'g>| table.take("experts", expert);
        let slots = of_pair(first_block) * row.size as f64 + places - of_pair(first_pair);

        let is_past = (first_block + blocks_of).less_equal(count(blocks)).cast(DType::I32);
        // Blocks behind those of all experts are empty, whosever they are.
        let own = is_past.sum(&["experts"]).minimum((experts.size - 1) as f64);
        let own = own.transpose(&in_blocks(own));
        let of_block = |table: Tensor<'g>| table.take("experts", own);
        let rank = (count(blocks) - of_block(first_block)) * row.size as f64 + count(row);
        Grouping {
            slots: slots.split("pair", &[token, choice]),
            pairs: sorted.take("sorted", of_block(first_pair) + rank),
            is_used: rank.less(of_block(pairs_of)),
            experts: own,
        }
    }

    /// Each token (token, embed) in the rows of its pairs: (blocks, row, embed).
    fn dispatch(&self, tokens: Tensor<'g>) -> Tensor<'g> {
        let rows = tokens.graph().custom_vjp(
            &[tokens, self.slots, self.pairs],
            |inputs| (vec![rows_of(inputs[0], inputs[1], inputs[2])], inputs[1..].to_vec()),
            |residuals, cts| vec![Some(pairs_of(cts[0], residuals[0]).sum(&["choice"])), None, None],
        );
        rows[0]
    }

    /// The sum of each token's rows, (blocks, row, embed) by `weights` (token, choice): (token, embed).
    ///
    /// Like [`Grouping::dispatch`] it takes rows one way and takes them back the other way for the derivative, so nothing is scattered.
    fn combine(&self, rows: Tensor<'g>, weights: Tensor<'g>) -> Tensor<'g> {
        let sums = rows.graph().custom_vjp(
            &[rows, weights, self.slots, self.pairs, self.is_used],
            |inputs| {
                let sums = (widen(pairs_of(inputs[0], inputs[2])) * inputs[1]).sum(&["choice"]);
                (vec![sums.cast(inputs[0].dtype())], inputs.to_vec())
            },
            |residuals, cts| {
                let [rows, weights, slots, pairs, is_used] = residuals else { unreachable!("the five inputs") };
                let of_rows = weights.merge(&["token", "choice"], "pair").take("pair", *pairs);
                let ct = widen(rows_of(cts[0], *slots, *pairs));
                let d_rows = (ct * is_used.select(of_rows, 0.0)).cast(rows.dtype());
                let d_weights = pairs_of((ct * widen(*rows)).sum(&["embed"]), *slots);
                vec![Some(d_rows), Some(d_weights), None, None, None]
            },
        );
        sums[0]
    }

    /// Multiplies rows (blocks, row, `input`) with their experts' weights, of `weight` (experts, output, `input`): (blocks, row, output).
    fn product(&self, rows: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Tensor<'g> {
        let output = weight.axes()[1].name;
        let product = rows.graph().custom_vjp(
            &[rows, weight, self.experts],
            |inputs| (vec![block_products(inputs[0], inputs[1], inputs[2], input)], inputs.to_vec()),
            |residuals, cts| {
                let [rows, weight, experts] = residuals else { unreachable!("the three inputs") };
                let d_rows = block_products(cts[0], *weight, *experts, output);
                vec![Some(d_rows), Some(expert_sums(cts[0], *rows, *experts, *weight)), None]
            },
        );
        product[0]
    }
}

/// The token of each (blocks, row).
fn rows_of<'g>(tokens: Tensor<'g>, slots: Tensor<'g>, pairs: Tensor<'g>) -> Tensor<'g> {
    tokens.take("token", pairs / slots.axis("choice").size as f64)
}

/// The row of each (token, choice).
fn pairs_of<'g>(rows: Tensor<'g>, slots: Tensor<'g>) -> Tensor<'g> {
    rows.merge(&["blocks", "row"], "slot").take("slot", slots)
}

/// Each block of `rows` by the weights of its expert, summed over `contract`.
fn block_products<'g>(rows: Tensor<'g>, weight: Tensor<'g>, experts: Tensor<'g>, contract: &'static str) -> Tensor<'g> {
    let output = weight.axes()[1].name;
    let (_, products) = rows.graph().scan(rows.axis("blocks"), &[], &[rows, experts], Remat::none(), |step| {
        let own = match step.slices[1].axes().as_slice() {
            [] => weight.dynamic_slice(&[("experts", step.slices[1], 1)]).merge(&["experts", output], output),
            _ => weight.take("experts", step.slices[1]),
        };
        (vec![], vec![step.slices[0].dot(own, &[contract])])
    });
    products[0]
}

/// The cotangent of `weight` (experts, output, input): for each expert the sum of its blocks' products of `ct` (blocks, row, output) and
/// `rows` (blocks, row, input). A single array is added to, in place.
fn expert_sums<'g>(ct: Tensor<'g>, rows: Tensor<'g>, experts: Tensor<'g>, weight: Tensor<'g>) -> Tensor<'g> {
    let graph = rows.graph();
    let apart: Vec<Axis> = rows.axes().into_iter().filter(|axis| axis.name == "shard").collect();
    let zeros = graph.full(0.0, wide(weight.dtype()), &[apart.clone(), weight.axes()].concat());
    let (sums, _) = graph.scan(rows.axis("blocks"), &[zeros], &[ct, rows, experts], Remat::none(), |step| {
        let (sums, expert) = (step.carry[0], step.slices[2]);
        let more = wide_dot(step.slices[0], step.slices[1], &["row"]);
        if !apart.is_empty() {
            return (vec![sums.scatter_add("experts", expert, more)], vec![]);
        }
        let own = sums.dynamic_slice(&[("experts", expert, 1)]);
        (vec![sums.dynamic_update(own + more, &[("experts", expert)])], vec![])
    });
    let sums = if apart.is_empty() { sums[0] } else { sums[0].sum(&["shard"]) };
    sums.cast(weight.dtype())
}

/// The axes of what is said of each block, the blocks outermost, as loops over them take it.
fn in_blocks(each: Tensor<'_>) -> Vec<&'static str> {
    let others = each.axes().into_iter().map(|axis| axis.name).filter(|name| *name != "blocks");
    std::iter::once("blocks").chain(others).collect()
}

/// The sum of all numbers before each, along `experts`.
fn sum_before(numbers: Tensor<'_>) -> Tensor<'_> {
    let graph = numbers.graph();
    let others = numbers.rename("experts", "others");
    let places = [others.axis("others"), numbers.axis("experts")].map(|axis| graph.iota(axis, DType::I32));
    places[0].less(places[1]).select(others, 0.0).sum(&["others"])
}

/// As how many rows of a block it counts that an expert's weights are read for it.
const READING_ROWS: usize = 32;

/// The rows of a block that make `pairs` cost least: with many, experts' last blocks are emptier; with few, weights are read more often.
fn block_rows(pairs: usize, experts: usize) -> usize {
    let sizes = std::iter::successors(Some(1), |rows| Some(2 * rows)).take_while(|rows| *rows < 2 * pairs);
    let cost = |rows: &usize| blocks_most(pairs, experts, *rows) * (rows + READING_ROWS);
    sizes.min_by_key(cost).unwrap_or(1)
}

/// The most blocks of so many rows that `pairs` fill: all experts that have any may have a last one with a single row.
fn blocks_most(pairs: usize, experts: usize, rows: usize) -> usize {
    (pairs + experts.min(pairs) * (rows - 1)) / rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For as many pairs of a token and an expert, among so many experts: rows of a block, and blocks.
    #[test]
    fn blocks_are_few_and_hardly_longer_than_the_tokens() {
        let cases = [
            // Generation: a row for each choice, and no other expert's weights.
            ((2, 8), (1, 2)),
            ((8, 128), (1, 8)),
            // Generation in a batch, and a short prompt: most experts' weights are read once.
            ((16, 8), (4, 10)),
            ((256, 8), (32, 15)),
            // 8192 tokens of Mixtral's, and of Qwen3's.
            ((16384, 8), (256, 71)),
            ((65536, 128), (128, 639)),
        ];
        for ((pairs, experts), expected) in cases {
            let rows = block_rows(pairs, experts);
            assert_eq!((rows, blocks_most(pairs, experts, rows)), expected, "{pairs} pairs, {experts} experts");
        }
    }
}
