//! The scan of Mamba-2 (Dao and Gu 2024, sections 6 and 7): `h = exp(width * rate) h + width * x B`, `y = C h`, where a head's states all have
//! one decay, and the heads of a group share B and C.
//!
//! One decay makes products of matrices of everything. Rows are cut into chunks. In a chunk a token sees those up to it as in attention, with
//! the decay between them in place of softmax; what is before the chunk it sees through the state there. In terms of L, the sums of `width *
//! rate` from a chunk's beginning, all decays are exponentials of differences that are not positive, and nothing is divided by.
//!
//! Forward, in three launches:
//!
//! 1. L of each token, and the widths beside it, by heads, so that a head's tokens stand side by side.
//! 2. The state before each chunk: a program walks along a row with a block of a head's states in registers ([`states`]).
//! 3. y, all chunks at the same time: a program has a chunk and goes through some heads of a group, for which `C B` is the same ([`outputs`]).
//!
//! Backward: the first two again, as nothing but the inputs is kept of the forward pass; the same walk from the row's end, which gives the
//! cotangent of the state behind each chunk; then, all chunks at the same time, the cotangents of x, widths and rates ([`gradients`]), and those
//! of B and C over some heads of a group ([`group_gradients`]). What programs give for their rows, chunks and heads is added up by further
//! launches.
//!
//! # Which decomposition
//!
//! A walk that computes y too, with states in registers throughout, would read and write least, x and y. It has one program for a row and a
//! head, and each step of it is four products that wait for one another: with 2 rows of 24 heads it would leave two thirds of an H200's 132
//! multiprocessors empty, for 64 steps of a row of 4096. Here the walk has one product a step, and since no element of a state knows of
//! another, a program has 64 states of a head at most: twice as many programs for Mamba-2's 128. What is longer, y and the cotangents, knows
//! of no order at all. mamba_ssm's decomposition, states of each chunk alone and then a pass over them in turn, is for that the same, but
//! writes and reads the states of all chunks once more, in f32.
//!
//! Heads stand inside of a program, not beside each other, because a group has many (80 in Mamba-2 2.7B, of one group): `C B` is computed
//! once for a program's heads, and the cotangents of B and C are added up over them in registers. Kept for each head they would be four times
//! as large as x. Refused: the cotangents of B and C in the launch of the others, which would read x, dy and the states once less (1.0 GB
//! of 3.2), but takes more registers than there are: 928 bytes of spills for each thread of an H200, 752 for each lane of an MI300X.
//!
//! # The floor
//!
//! At (8, 2048, 1 group of 80 heads of 64, state 128) in bf16 x is 168 MB and the states of chunks of 128 are as much, of 64 twice that.
//! Forward: x is read twice, y written, states written and read: 0.84 GB, 0.18 ms at 4.8 TB/s, and 69 GFLOP of products, 0.07 ms at 989 TFLOP/s.
//! (x and y alone: 0.34 GB.) Backward, in chunks of 64: 3.2 GB, 0.66 ms, and 164 GFLOP, 0.17 ms: bound by memory, so that products that are
//! computed again or of hidden pairs cost little.

mod chunk;
mod exponents;
mod gradients;
mod group_gradients;
mod outputs;
mod reference;
mod states;
mod tiles;

use graph::{Axis, DType, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::launch::GRID_MAX;
use crate::sum_parts::SumParts;
use crate::{Array, Gpu, KernelError, Road};
use group_gradients::Shared;
use states::Walk;
use tiles::Pass;

/// The most states of a channel: B, C and a head's states lie in shared memory.
const STATE_MAX: usize = 256;

/// More often positive than not: the cotangent of a rate is a sum over everything, of which else nothing but chance and rounding is left.
const MIXED: Fill = Fill::Uniform(-0.5, 1.5);

/// The scan of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualScan {
    /// Rows.
    pub batch: usize,
    /// Tokens of a row.
    pub positions: usize,
    /// Groups of heads that share B and C.
    pub groups: usize,
    /// Heads of a group.
    pub group_heads: usize,
    /// Channels of a head: 16, 32, 64 or 128.
    pub head_dim: usize,
    /// States of a channel, up to 256.
    pub state: usize,
    /// Type of x, B, C and y; everything else is f32.
    pub dtype: DType,
    /// Whether rows hold several documents, whose numbers are an argument then.
    pub documents: bool,
    /// What it is computed on.
    pub gpu: Gpu,
}

impl DualScan {
    /// At the sizes that are timed: a layer of Mamba-2 2.7B, and few rows with few heads.
    pub(crate) fn timed() -> Vec<Operation> {
        let layer = DualScan {
            batch: 8,
            positions: 2048,
            groups: 1,
            group_heads: 80,
            head_dim: 64,
            state: 128,
            dtype: DType::BF16,
            documents: false,
            gpu: Gpu::Hopper,
        };
        let all = [
            layer,
            DualScan { batch: 2, positions: 4096, ..layer },
            DualScan { batch: 2, positions: 4096, group_heads: 24, ..layer },
            DualScan { documents: true, ..layer },
        ];
        both(&all)
    }

    /// At sizes that are no multiples of any chunk, with groups, documents, few tokens, and states that no product has.
    pub(crate) fn tried() -> Vec<Operation> {
        let small = DualScan {
            batch: 2,
            positions: 75,
            groups: 2,
            group_heads: 3,
            head_dim: 16,
            state: 16,
            dtype: DType::F32,
            documents: false,
            gpu: Gpu::Hopper,
        };
        let bf16 = DualScan { dtype: DType::BF16, positions: 150, groups: 1, ..small };
        both(&[
            small,
            DualScan { documents: true, positions: 96, gpu: Gpu::Nvidia, ..small },
            DualScan { positions: 1, ..small },
            // So many programs that each goes through two heads, but for the last.
            DualScan { batch: 128, positions: 34, groups: 1, group_heads: 5, ..small },
            DualScan { positions: 33, state: 20, documents: true, gpu: Gpu::Amd, ..small },
            DualScan { batch: 1, positions: 300, head_dim: 64, state: 128, ..bf16 },
            DualScan { positions: 256, head_dim: 32, state: 64, documents: true, ..bf16 },
            DualScan { head_dim: 64, state: 96, documents: true, gpu: Gpu::Amd, ..bf16 },
            DualScan { batch: 1, group_heads: 1, positions: 70, head_dim: 128, state: 256, gpu: Gpu::Amd, ..bf16 },
            DualScan { batch: 1, group_heads: 2, positions: 130, head_dim: 128, state: 144, ..bf16 },
            DualScan { dtype: DType::F16, groups: 3, group_heads: 1, gpu: Gpu::Nvidia, documents: true, ..bf16 },
        ])
    }

    /// Its size, on a line.
    pub(crate) fn described(&self, passes: &str) -> String {
        let DualScan { batch, positions, groups, group_heads, head_dim, state, dtype, documents, gpu } = self;
        let documents = if *documents { ", packed" } else { "" };
        let size = format!("({batch}, {positions}, {groups}, {group_heads}, {head_dim}, {state})");
        format!("dual scan {passes} {size}, {dtype}{documents}, for {gpu}")
    }

    /// x (batch, position, state_groups, group_heads, head_dim), widths (batch, position, state_groups, group_heads), rates (state_groups,
    /// group_heads), B and C (batch, position, state_groups, state), perhaps the document of each token, i32 (batch, position), whose numbers do
    /// not come back in a row, and the state before the first token (batch, state_groups, group_heads, head_dim, state). A document's first
    /// token is given the state 0; before a row's first token there is document 0.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [batch, position, groups, group_heads, _, state] = self.axes();
        let shared = TensorType::new(self.dtype, &[batch, position, groups, state]);
        let of_heads = f32(&[batch, position, groups, group_heads]);
        let mut arguments = vec![
            Argument::new("x", self.channels(), MIXED),
            Argument::new("widths", of_heads, Fill::Uniform(0.001, 0.1)),
            Argument::new("rates", f32(&[groups, group_heads]), Fill::Uniform(-16.0, -0.1)),
            Argument::new("b", shared.clone(), MIXED),
            Argument::new("c", shared, MIXED),
        ];
        if self.documents {
            let documents = TensorType::new(DType::I32, &[batch, position]);
            arguments.push(Argument::new("documents", documents, Fill::Documents));
        }
        arguments.push(Argument::new("h", self.outer_state(), MIXED));
        arguments
    }

    /// [`DualScan::arguments`], and the cotangents of y and of the state behind the last token.
    pub(crate) fn backward_arguments(&self) -> Vec<Argument> {
        let mut arguments = self.arguments();
        arguments.push(Argument::new("dy", self.channels(), MIXED));
        arguments.push(Argument::new("dlast", self.outer_state(), MIXED));
        arguments
    }

    fn axes(&self) -> [Axis; 6] {
        [
            Axis::new("batch", self.batch),
            Axis::new("position", self.positions),
            Axis::new("state_groups", self.groups),
            Axis::new("group_heads", self.group_heads),
            Axis::new("head_dim", self.head_dim),
            Axis::new("state", self.state),
        ]
    }

    fn heads(&self) -> usize {
        self.groups * self.group_heads
    }

    /// The type of x, of y and of their cotangents.
    fn channels(&self) -> TensorType {
        let [batch, position, groups, group_heads, head_dim, _] = self.axes();
        TensorType::new(self.dtype, &[batch, position, groups, group_heads, head_dim])
    }

    /// The type of the state before the first token and behind the last, and of their cotangents.
    fn outer_state(&self) -> TensorType {
        let [batch, _, groups, group_heads, head_dim, state] = self.axes();
        f32(&[batch, groups, group_heads, head_dim, state])
    }

    /// Whether there are kernels for it, and for parts of it.
    ///
    /// # Errors
    /// There are none for its type, its heads or its states, a row has too many numbers, or there are too many rows, heads or chunks.
    pub fn check(&self) -> Result<(), KernelError> {
        let refuse = |rule: String| Err(KernelError { kernel: "dual_scan".to_owned(), op: self.described("of"), rule });
        if !matches!(self.dtype, DType::BF16 | DType::F16 | DType::F32) {
            return refuse(format!("x is bf16, f16 or f32 and not {}", self.dtype));
        }
        if !matches!(self.head_dim, 16 | 32 | 64 | 128) || !(1..=STATE_MAX).contains(&self.state) {
            let (head_dim, state) = (self.head_dim, self.state);
            return refuse(format!(
                "heads have 16, 32, 64 or 128 channels with up to {STATE_MAX} states, and not {head_dim} with {state}"
            ));
        }
        if [self.batch, self.positions, self.groups, self.group_heads].contains(&0) {
            return refuse("nothing is to be computed".to_owned());
        }
        let chunks = self.chunks(Pass::Forward).max(self.chunks(Pass::Backward));
        let product = |sizes: &[usize]| sizes.iter().try_fold(1, |product: usize, size| product.checked_mul(*size));
        // Some places beyond are named, and not looked at.
        let row = [
            product(&[self.positions + 256, self.heads(), self.head_dim]),
            product(&[self.positions + 256, self.groups, self.state]),
            product(&[chunks, self.heads(), self.head_dim, self.state.next_power_of_two()]),
        ];
        if row.iter().any(|row| row.and_then(|row| i32::try_from(row).ok()).is_none()) {
            return refuse("places in a row are counted in 32 bits".to_owned());
        }
        if self.batch.max(self.heads()) > GRID_MAX {
            return refuse(format!("a grid has at most {GRID_MAX} rows and heads"));
        }
        Ok(())
    }

    /// y (as x), and the state behind the last token (batch, state_groups, group_heads, head_dim, state).
    ///
    /// # Errors
    /// [`DualScan::check`].
    pub fn forward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        let [x, widths, rates, b, c, documents @ .., h] = inputs else { return self.misses("inputs") };
        let given = |arrays: &[&R::Array]| arrays.iter().copied().chain(documents).cloned().collect::<Vec<_>>();
        let exponents = road.run(&exponents::launch(self, Pass::Forward)?, &[widths.clone(), rates.clone()]);
        let [sums, widths] = &exponents[..] else { return Ok(exponents) };
        let walked = road.run(&states::launch(self, Pass::Forward, Walk::States)?, &given(&[x, sums, widths, b, h]));
        let [states, last] = &walked[..] else { return Ok(walked) };
        let y = road.run(&outputs::launch(self)?, &given(&[x, sums, widths, b, c, states]));
        Ok(y.into_iter().chain([last.clone()]).collect())
    }

    /// Of the inputs of [`DualScan::forward`] and the cotangents of y and of the last state: the cotangents of x, widths, rates, B, C and the
    /// state before the first token.
    ///
    /// # Errors
    /// [`DualScan::check`].
    pub fn backward<R: Road>(
        &self,
        road: &R,
        inputs: &[R::Array],
        [dy, dlast]: [&R::Array; 2],
    ) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        let pass = Pass::Backward;
        let [x, widths, rates, b, c, documents @ .., h] = inputs else { return self.misses("inputs") };
        let given = |arrays: &[&R::Array]| arrays.iter().copied().chain(documents).cloned().collect::<Vec<_>>();
        let exponents = road.run(&exponents::launch(self, pass)?, &[widths.clone(), rates.clone()]);
        let [sums, widths] = &exponents[..] else { return Ok(exponents) };
        let walked = road.run(&states::launch(self, pass, Walk::States)?, &given(&[x, sums, widths, b, h]));
        let [states, _] = &walked[..] else { return Ok(walked) };
        let walked = road.run(&states::launch(self, pass, Walk::Cotangents)?, &given(&[dy, sums, c, dlast]));
        let [behind, dh] = &walked[..] else { return Ok(walked) };
        let arrays = given(&[x, sums, widths, rates, b, c, states, behind, dy]);
        let gradients = road.run(&gradients::launch(self)?, &arrays);
        let [dx, dwidths, rates, dscores] = &gradients[..] else { return Ok(gradients) };
        let of_b = road.run(&group_gradients::launch(self, Shared::B)?, &given(&[x, sums, widths, behind, dscores, c]));
        let of_c = road.run(&group_gradients::launch(self, Shared::C)?, &given(&[dy, sums, states, dscores, b]));
        let [batch, position, groups, group_heads, _, state] = self.axes();
        let parts = self.batch * self.chunks(pass);
        let of_rates = SumParts { name: "rates", parts, axes: &[groups, group_heads], dtype: DType::F32 };
        let (parts, axes) = (self.splits(pass), [batch, position, groups, state]);
        let of_shared = SumParts { name: "b_and_c", parts, axes: &axes, dtype: self.dtype };
        let [db, dc] = [of_shared.run(road, &of_b[0])?, of_shared.run(road, &of_c[0])?];
        Ok(vec![dx.clone(), dwidths.clone(), of_rates.run(road, rates)?, db, dc, dh.clone()])
    }

    fn misses<T>(&self, what: &str) -> Result<T, KernelError> {
        let rule = format!("there are fewer {what} than it takes");
        Err(KernelError { kernel: "dual_scan".to_owned(), op: self.described("of"), rule })
    }

    /// The forward pass and the derivative of what [`DualScan::backward_arguments`] say.
    pub(crate) fn forward_and_backward<R: Road>(
        &self,
        road: &R,
        inputs: &[R::Array],
    ) -> Result<Vec<R::Array>, KernelError> {
        let (inputs, cotangents) = inputs.split_at(self.arguments().len());
        let gradients = self.backward(road, inputs, [&cotangents[0], &cotangents[1]])?;
        Ok([self.forward(road, inputs)?, gradients].concat())
    }

    /// FLOPs of the forward pass on what [`DualScan::arguments`] names: pairs of tokens that see each other in a chunk, what each token puts into its
    /// states, and what it sees of the state before the chunk.
    pub(crate) fn flops_of(&self, inputs: &[Array]) -> f64 {
        let products_with_states = 2 * self.tokens() * self.heads() * self.head_dim * self.state;
        // C B of a group, and with it each head's x.
        let of_pair = self.groups * self.state + self.heads() * self.head_dim;
        2.0 * (products_with_states + self.pairs(Pass::Forward, inputs) * of_pair) as f64
    }

    /// FLOPs of the derivative, without what the forward pass has computed already.
    pub(crate) fn backward_flops_of(&self, inputs: &[Array]) -> f64 {
        // What a token puts into the cotangents of states, and what those give its x, B and C.
        let products_with_states = 4 * self.tokens() * self.heads() * self.head_dim * self.state;
        // The cotangents of scores and of x, which each head has, and those of B and C.
        let of_pair = 2 * (self.heads() * self.head_dim + self.groups * self.state);
        2.0 * (products_with_states + self.pairs(Pass::Backward, inputs) * of_pair) as f64
    }

    fn tokens(&self) -> usize {
        self.batch * self.positions
    }

    /// Pairs of a token and one of those up to it, of its document and chunk.
    fn pairs(&self, pass: Pass, inputs: &[Array]) -> usize {
        let chunk = self.tiles(pass).chunk;
        let of_document = |tokens: usize| tokens * (tokens + 1) / 2;
        if !self.documents {
            let whole = self.positions / chunk * of_document(chunk);
            return self.batch * (whole + of_document(self.positions % chunk));
        }
        let chunks = inputs[5].numbers().chunks(self.positions).flat_map(|row| row.chunks(chunk));
        let documents = chunks.flat_map(|chunk| chunk.chunk_by(|a, b| a == b));
        documents.map(|document| of_document(document.len())).sum()
    }
}

/// Forward, and forward and backward.
fn both(scans: &[DualScan]) -> Vec<Operation> {
    scans.iter().flat_map(|scan| [Operation::DualScan(*scan), Operation::DualScanBackward(*scan)]).collect()
}

fn f32(axes: &[Axis]) -> TensorType {
    TensorType::new(DType::F32, axes)
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    /// As a loop over pairs counts them.
    #[test]
    fn pairs_that_a_token_does_not_see_are_not_counted() {
        let scan = DualScan {
            batch: 2,
            positions: 70,
            groups: 2,
            group_heads: 3,
            head_dim: 16,
            state: 20,
            dtype: DType::BF16,
            documents: false,
            gpu: Gpu::Nvidia,
        };
        let packed = DualScan { documents: true, ..scan };
        let documents = [vec![1.0; 33], vec![2.0; 30], vec![0.0; 7], vec![4.0; 70]].concat();
        let none = Array::new(DType::F32, Vec::new());
        let inputs = |numbers| [vec![none.clone(); 5], vec![Array::new(DType::I32, numbers), none.clone()]].concat();
        for (scan, documents) in [(scan, vec![1.0; 140]), (packed, vec![1.0; 140]), (packed, documents)] {
            let pairs = |chunk: usize| {
                let sees = |token: usize, seen: usize| token / chunk == seen / chunk;
                let of_row = |row: &[f64]| -> usize {
                    let of_token = |token: usize| {
                        (0..=token).filter(|seen| sees(token, *seen) && row[token] == row[*seen]).count()
                    };
                    (0..70).map(of_token).sum()
                };
                documents.chunks(70).map(of_row).sum::<usize>() as f64
            };
            let given = inputs(documents.clone());
            // Six heads of 16 channels with 20 states; two groups.
            let of_states = 2.0 * 140.0 * (6 * 16 * 20) as f64;
            let forward = 2.0 * of_states + pairs(64) * 2.0 * (2 * 20 + 6 * 16) as f64;
            let backward = 4.0 * of_states + pairs(32) * 2.0 * (2 * 2 * 20 + 2 * 6 * 16) as f64;
            assert_eq!([scan.flops_of(&given), scan.backward_flops_of(&given)], [forward, backward]);
        }
    }

    #[test]
    fn text_of_the_kernels() {
        let plain = DualScan {
            batch: 2,
            positions: 256,
            groups: 1,
            group_heads: 4,
            head_dim: 64,
            state: 128,
            dtype: DType::BF16,
            documents: false,
            gpu: Gpu::Hopper,
        };
        let packed =
            DualScan { positions: 150, groups: 2, group_heads: 3, state: 20, documents: true, gpu: Gpu::Amd, ..plain };
        for (scan, golden, backward) in [
            (
                plain,
                expect_file!["../tests/golden/dual_scan.mlir"],
                expect_file!["../tests/golden/dual_scan_backward.mlir"],
            ),
            (
                packed,
                expect_file!["../tests/golden/dual_scan_packed.mlir"],
                expect_file!["../tests/golden/dual_scan_backward_packed.mlir"],
            ),
        ] {
            let text = |launches: &[Result<crate::Launch, KernelError>]| -> String {
                launches.iter().map(|launch| launch.as_ref().expect("the kernel is built").text()).collect()
            };
            let forward = Pass::Forward;
            golden.assert_eq(&text(&[
                exponents::launch(&scan, forward),
                states::launch(&scan, forward, Walk::States),
                outputs::launch(&scan),
            ]));
            backward.assert_eq(&text(&[
                states::launch(&scan, Pass::Backward, Walk::Cotangents),
                gradients::launch(&scan),
                group_gradients::launch(&scan, Shared::B),
                group_gradients::launch(&scan, Shared::C),
            ]));
        }
    }
}
