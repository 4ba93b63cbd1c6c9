//! Attention forward: a program has a block of queries and goes through the keys, keeping the greatest exponent and the sum of its rows.

use std::f64::consts::LN_2;

use graph::DType;

use super::scores::{BLIND, Inputs, Matrix, Orientation, Places, parts, product};
use super::sight::Sight;
use super::{Attention, Pass};
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

impl Attention {
    /// Gives the result, as the queries, and the log-sum-exp of each row of scores, f32 (batch, kv_heads, groups, position). Queries that see
    /// nothing have zeros in both. Inputs: queries, keys and values; with biases slopes; with documents what [`super::Spans::of`] gives.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn forward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let tiles = self.tiles(Pass::Forward);
        let launch = Launch {
            kernel: self.forward_kernel()?,
            grid: self.grid(Pass::Forward, self.heads()),
            code: Code::Triton { warps: tiles.warps, stages: tiles.stages },
            results: vec![self.queries(), self.rows()],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, inputs))
    }

    pub(super) fn forward_kernel(&self) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new("attention_forward");
        k.counts(self.flops(2.0));
        let inputs = Inputs::declare(&k, self);
        let out = k.output("out", self.dtype);
        let rows = k.output("rows", DType::F32);
        let tiles = self.tiles(Pass::Forward);

        // Of causal rows the last blocks see most: they begin first.
        let [head, block] = [0, 1].map(|dimension| k.program_id(dimension));
        let start = (k.int(self.blocks(Pass::Forward) - 1) - block) * tiles.queries;
        let kv_head = if self.groups == 1 { head } else { head / self.groups };
        let sight = Sight::new(&k, self, Pass::Forward, start, inputs.spans);
        let of_keys = |row| Matrix::new(self, row, self.kv_heads, kv_head);
        let (keys, values) = (of_keys(inputs.k), of_keys(inputs.v));
        let q = Matrix::new(self, inputs.q, self.heads(), head).load(start, tiles.queries, true);
        let queries = (start + k.range(tiles.queries)).column();
        let query_starts = inputs.starts(self, queries);
        let slope = inputs.slope(head);

        let nothing = [k.full(2.0 * BLIND, DType::F32, &[tiles.queries]), k.zeros(&[tiles.queries])];
        let sums = parts(self.head_dim).map(|part| k.zeros(&[tiles.queries, part.size]));
        let carried = nothing.into_iter().chain(sums).collect();
        let results = sight.go_through(tiles.keys, 1, carried, |_, start, looks, carried| {
            let places = (start + k.range(tiles.keys)).row();
            let products = product(&q, &keys.load_transposed(start, tiles.keys, looks));
            let key_starts = inputs.starts(self, places);
            let places = Places { queries, keys: places, query_starts, key_starts };
            let exponents = self.exponents(products, places, slope);
            let exponents = if looks { exponents.hide(sight.meets(places.keys)) } else { exponents };
            exponents.add_to(carried, self.dtype, Orientation::QueryRows, || values.load(start, tiles.keys, looks))
        });
        self.finish_forward(&k, &inputs, [out, rows], [start, head], &results);
        k.finish()
    }

    fn finish_forward<'k>(
        &self,
        k: &'k Builder,
        inputs: &Inputs<'k>,
        [out, rows]: [Value<'k>; 2],
        [start, head]: [Value<'k>; 2],
        results: &[Value<'k>],
    ) {
        let queries = start + k.range(self.tiles(Pass::Forward).queries);
        let (greatest, total) = (results[0], results[1]);
        let log_sum = (greatest + total.log2()) * LN_2;
        // Padding sees nothing.
        let is_blind = self.documents.then(|| greatest.less(BLIND));
        let log_sum = is_blind.map_or(log_sum, |is_blind| is_blind.select(log_sum.like(0.0), log_sum));
        let over_total = total.like(1.0) / total;
        let over_total = is_blind.map_or(over_total, |is_blind| is_blind.select(total.like(0.0), over_total));
        let means: Vec<_> = results[2..].iter().map(|sum| *sum * over_total.column()).collect();
        Matrix::new(self, inputs.of_row(self, out), self.heads(), head).store(start, &means);
        let rows = inputs.of_head(self, rows, head) + queries;
        rows.store_where(log_sum, queries.less(self.positions));
    }
}
