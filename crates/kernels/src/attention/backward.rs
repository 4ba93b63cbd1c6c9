//! The gradients of attention. The weights are computed again from the log-sum-exp of the rows: once for each block of queries, whose gradient is
//! a sum over keys, and once for each block of keys, whose gradients are sums over queries. So each sum has one program, and one order.

use std::f64::consts::LOG2_E;

use graph::DType;

use super::scores::{Exponents, Inputs, Matrix, Places, parts, product};
use super::sight::Sight;
use super::{Attention, Pass};
use crate::mask::load;
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

impl Attention {
    /// The gradients of queries, keys and values. `inputs` are those of [`Attention::forward`], whose result and log-sum-exps come then, and the
    /// cotangent of the result.
    ///
    /// # Errors
    /// The kernels cannot be built for these sizes.
    pub fn backward<R: Road>(
        &self,
        road: &R,
        inputs: &[R::Array],
        [out, rows, ct]: [&R::Array; 3],
    ) -> Result<Vec<R::Array>, KernelError> {
        let launch = |pass: Pass, kernel, heads, results| {
            let tiles = self.tiles(pass);
            let grid = self.grid(pass, heads);
            Launch {
                kernel,
                grid,
                code: Code::Triton { warps: tiles.warps, stages: tiles.stages },
                results,
                in_place: Vec::new(),
            }
        };
        let queries = launch(Pass::Queries, self.queries_kernel()?, self.heads(), vec![self.queries(), self.rows()]);
        let keys = launch(Pass::Keys, self.keys_kernel()?, self.kv_heads, vec![self.keys(), self.keys()]);
        let saved = [rows.clone(), ct.clone()];
        let results = road.run(&queries, &[inputs, &saved, std::slice::from_ref(out)].concat());
        let [dq, means] = [results[0].clone(), results[1].clone()];
        let results = road.run(&keys, &[inputs, &saved, &[means]].concat());
        Ok([vec![dq], results].concat())
    }

    /// The gradient of a block of queries, and of each query what the keys' kernel subtracts: the mean of its weights' cotangents, which is the product
    /// of the result and its cotangent.
    pub(super) fn queries_kernel(&self) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new("attention_backward_queries");
        k.counts(self.flops(3.0));
        let inputs = Inputs::declare(&k, self);
        let rows = k.input("rows", DType::F32);
        let [ct, out] = ["ct", "out"].map(|name| k.input(name, self.dtype));
        let dq = k.output("dq", self.dtype);
        let means = k.output("means", DType::F32);
        let tiles = self.tiles(Pass::Queries);

        let [head, block] = [0, 1].map(|dimension| k.program_id(dimension));
        let start = (k.int(self.blocks(Pass::Queries) - 1) - block) * tiles.queries;
        let kv_head = if self.groups == 1 { head } else { head / self.groups };
        let sight = Sight::new(&k, self, Pass::Queries, start, inputs.spans);
        let of_keys = |row| Matrix::new(self, row, self.kv_heads, kv_head);
        let (keys, values) = (of_keys(inputs.k), of_keys(inputs.v));
        let of_queries = |array| Matrix::new(self, array, self.heads(), head);
        let [q, ct, out] = [inputs.q, inputs.of_row(self, ct), inputs.of_row(self, out)]
            .map(|array| of_queries(array).load(start, tiles.queries, true));
        let queries = (start + k.range(tiles.queries)).column();
        let is_query = queries.less(self.positions);
        let row = (inputs.of_head(self, rows, head) + queries).load_where(is_query, 0.0) * LOG2_E;
        let products = ct.iter().zip(&out).map(|(ct, out)| (ct.cast(DType::F32) * out.cast(DType::F32)).sum(1));
        let mean = products.reduce(|sum, part| sum + part).expect("a head has elements").column();
        (inputs.of_head(self, means, head) + queries).store_where(mean, is_query);

        let query_starts = inputs.starts(self, queries);
        let slope = inputs.slope(head);
        let sums = parts(self.head_dim).map(|part| k.zeros(&[tiles.queries, part.size])).collect();
        let sums = sight.go_through(tiles.keys, 1, sums, |_, start, looks, sums| {
            let places = (start + k.range(tiles.keys)).row();
            let block = keys.load(start, tiles.keys, looks);
            let products = product(&q, &transposed(&block));
            let key_starts = inputs.starts(self, places);
            let exponents = self.exponents(products, Places { queries, keys: places, query_starts, key_starts }, slope);
            let weights = exponents.powers(row);
            let weights = if looks { sight.meets(places).select(weights, 0.0) } else { weights };
            let cts = product(&ct, &values.load_transposed(start, tiles.keys, looks));
            let d_scores = exponents.cotangent(weights, cts - mean).cast(self.dtype);
            sums.iter().zip(block).map(|(sum, keys)| d_scores.dot_add(keys, *sum)).collect()
        });
        let sums: Vec<_> = sums.into_iter().map(|sum| sum * self.scale).collect();
        of_queries(inputs.of_row(self, dq)).store(start, &sums);
        k.finish()
    }

    /// The gradients of a block of keys and of its values, over all query heads of theirs. Keys are rows here, and queries columns, so that both
    /// products over queries take weights as they lie.
    pub(super) fn keys_kernel(&self) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new("attention_backward_keys");
        k.counts(self.flops(4.0));
        let inputs = Inputs::declare(&k, self);
        let rows = k.input("rows", DType::F32);
        let ct = k.input("ct", self.dtype);
        let means = k.input("means", DType::F32);
        let [dk, dv] = ["dk", "dv"].map(|name| k.output(name, self.dtype));
        let tiles = self.tiles(Pass::Keys);

        // Of causal rows the first keys are seen most: they begin first.
        let [kv_head, block] = [0, 1].map(|dimension| k.program_id(dimension));
        let start = block * tiles.keys;
        let sight = Sight::new(&k, self, Pass::Keys, start, inputs.spans);
        let of_keys = |row| Matrix::new(self, row, self.kv_heads, kv_head);
        let [keys, values] = [inputs.k, inputs.v].map(|row| of_keys(row).load(start, tiles.keys, true));
        let ct = inputs.of_row(self, ct);
        let key_places = (start + k.range(tiles.keys)).column();
        let key_starts = inputs.starts(self, key_places);

        let widths: Vec<_> = parts(self.head_dim).map(|part| part.size).collect();
        let sums = widths.iter().chain(&widths).map(|part| k.zeros(&[tiles.keys, *part])).collect();
        let sums = sight.go_through(tiles.queries, self.groups, sums, |group, start, looks, sums| {
            let head = kv_head * self.groups + group;
            let places = (start + k.range(tiles.queries)).row();
            let of_queries = |array| Matrix::new(self, array, self.heads(), head).load(start, tiles.queries, looks);
            let of_rows = |array| {
                let pointers = inputs.of_head(self, array, head) + places;
                let may_end = looks && !self.positions.is_multiple_of(tiles.queries);
                load(pointers, may_end.then(|| places.less(self.positions)))
            };
            let q = of_queries(inputs.q);
            let products = product(&keys, &transposed(&q));
            let query_starts = inputs.starts(self, places);
            let places_of = Places { queries: places, keys: key_places, query_starts, key_starts };
            let exponents = self.exponents(products, places_of, inputs.slope(head));
            let weights = exponents.powers(of_rows(rows) * LOG2_E);
            let weights = if looks { sight.meets(places).select(weights, 0.0) } else { weights };
            let ct = of_queries(ct);
            let (d_keys, d_values) = sums.split_at(widths.len());
            let rounded = weights.cast(self.dtype);
            let d_values = d_values.iter().zip(&ct).map(|(sum, ct)| rounded.dot_add(*ct, *sum)).collect::<Vec<_>>();
            let cts = product(&values, &transposed(&ct));
            let d_scores = exponents.cotangent(weights, cts - of_rows(means)).cast(self.dtype);
            let d_keys = d_keys.iter().zip(&q).map(|(sum, q)| d_scores.dot_add(*q, *sum)).collect::<Vec<_>>();
            [d_keys, d_values].concat()
        });
        let (d_keys, d_values) = sums.split_at(widths.len());
        let d_keys: Vec<_> = d_keys.iter().map(|sum| *sum * self.scale).collect();
        of_keys(inputs.of_key_row(self, dk)).store(start, &d_keys);
        of_keys(inputs.of_key_row(self, dv)).store(start, d_values);
        k.finish()
    }
}

fn transposed<'k>(parts: &[Value<'k>]) -> Vec<Value<'k>> {
    parts.iter().map(|part| part.t()).collect()
}

impl<'k> Exponents<'k> {
    /// The cotangent of the products of queries and keys but for their scale, of weights and of what their cotangents are off their mean.
    fn cotangent(&self, weights: Value<'k>, off: Value<'k>) -> Value<'k> {
        let d_scores = weights * off;
        match self.tanh {
            Some(tanh) => d_scores * (tanh.like(1.0) - tanh * tanh),
            None => d_scores,
        }
    }
}
