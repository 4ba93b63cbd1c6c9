//! Tokens in the order of their experts, in blocks that are one expert's each, and back.

use graph::{Axis, DType, Tensor};
use kernels::{Gpu, GroupedProduct};

use super::{EXPERTS, block_loop, fused};
use crate::layers::widen;

/// Where the tokens stand once they are in the order of their experts: in rows of blocks that are one expert's each. All are i32.
#[derive(Clone, Copy)]
pub(super) struct Grouping<'g> {
    /// The row, counted through all blocks, of each (token, choice).
    slots: Tensor<'g>,
    /// The pair, `token * choices + choice`, that stands in each (blocks, row), and any in rows that hold none.
    pairs: Tensor<'g>,
    /// Whether there is one, a Bool.
    is_used: Tensor<'g>,
    /// The expert of each of the blocks; of those behind all experts' their number.
    owners: Tensor<'g>,
    /// The kind of GPU by whose kernels blocks are multiplied; `None`: in a loop.
    gpu: Option<Gpu>,
}

impl<'g> Grouping<'g> {
    /// Groups the tokens that are sent to the experts `chosen`, i32 (token, choice), those of each shard by themselves, in blocks as the kernels for
    /// `gpu` want them, or a loop does.
    pub(super) fn of(chosen: Tensor<'g>, experts: Axis, gpu: Option<Gpu>) -> Grouping<'g> {
        let graph = chosen.graph();
        let count = |axis: Axis| graph.iota(axis, DType::I32);
        let (token, choice) = (chosen.axis("token"), chosen.axis("choice"));
        let expert = chosen.merge(&["token", "choice"], "pair");
        let pair = expert.axis("pair");
        let rows = gpu.map_or_else(|| block_rows(pair.size, experts.size), GroupedProduct::block_rows);
        let row = Axis::new("row", rows);
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
        let owners = is_past.sum(&["experts"]);
        let owners = owners.transpose(&in_blocks(owners));
        // Blocks behind those of all experts are empty, whosever they are.
        let own = owners.minimum((experts.size - 1) as f64);
        let of_block = |table: Tensor<'g>| table.take("experts", own);
        let rank = (count(blocks) - of_block(first_block)) * row.size as f64 + count(row);
        let kept = |tensor: Tensor<'g>| tensor.checkpoint_name(EXPERTS);
        Grouping {
            slots: kept(slots.split("pair", &[token, choice])),
            pairs: kept(sorted.take("sorted", of_block(first_pair) + rank)),
            is_used: kept(rank.less(of_block(pairs_of))),
            owners: kept(owners),
            gpu,
        }
    }

    /// Each token (token, embed) in the rows of its pairs: (blocks, row, embed).
    pub(super) fn dispatch(&self, tokens: Tensor<'g>) -> Tensor<'g> {
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
    pub(super) fn combine(&self, rows: Tensor<'g>, weights: Tensor<'g>) -> Tensor<'g> {
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
    pub(super) fn product(&self, rows: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Tensor<'g> {
        let by_kernels = self.gpu.and_then(|gpu| fused::product(gpu, rows, weight, self.owners, input));
        by_kernels.unwrap_or_else(|| {
            let last = weight.axis("experts").size - 1;
            block_loop::product(rows, weight, self.owners.minimum(last as f64), input)
        })
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
