//! Sums over a dimension whose elements are spread over lanes, of as many blocks as it has elements.
//!
//! To add up over n lanes takes log n exchanges, after which all of them have the sum. Of n blocks each lane needs the sum of one alone. So two blocks
//! are added up over neighbours, of which one keeps the first's sum and one the second's, and half as many blocks go on: that is 2 (n - 1) exchanges
//! instead of n log n, and what follows is done once instead of by all lanes alike.

use crate::{Builder, Value};

/// Sums of blocks that come one after the other, from the first or from the last.
pub(super) struct Spread<'k> {
    k: &'k Builder,
    /// The dimension.
    dim: usize,
    /// Those that wait for their neighbour, each a sum of more blocks than the one behind it.
    pending: Vec<Joined<'k>>,
}

/// The sums of `2^bits` blocks that are neighbours.
struct Joined<'k> {
    bits: usize,
    /// Which of those that have as many blocks.
    number: usize,
    sums: Value<'k>,
}

impl<'k> Spread<'k> {
    /// Over the dimension `dim`, whose size is a power of two.
    pub(super) fn over(k: &'k Builder, dim: usize) -> Spread<'k> {
        Spread { k, dim, pending: Vec::new() }
    }

    /// Takes block `number`, counted round the dimension's size. Gives the sums of a round when it has all of that: of each block at the place of its number.
    pub(super) fn push(&mut self, number: usize, block: Value<'k>) -> Option<Value<'k>> {
        let size = block.shape()[self.dim];
        let mut last = Joined { bits: 0, number: number % size, sums: block };
        while let Some(other) = self.pending.pop_if(|other| (other.bits, other.number) == (last.bits, last.number ^ 1))
        {
            let pair = if last.number.is_multiple_of(2) { [last.sums, other.sums] } else { [other.sums, last.sums] };
            last = Joined { bits: last.bits + 1, number: last.number / 2, sums: self.join(last.bits, pair) };
        }
        if size == 1 << last.bits {
            return Some(last.sums);
        }
        self.pending.push(last);
        None
    }

    /// Adds each of two blocks up over places whose numbers differ in a bit, and keeps the first's sum where that is 0, else the second's.
    fn join(&self, bit: usize, pair: [Value<'k>; 2]) -> Value<'k> {
        let shape = pair[0].shape();
        let low = 1 << bit;
        // The bit as a dimension of its own.
        let bits = self.dim + 1;
        let split = [&shape[..self.dim], &[shape[self.dim] / low / 2, 2, low], &shape[bits..]].concat();
        let [first, second] = pair.map(|block| block.reshape(&split).sum(bits).expand(bits));
        let alone: Vec<_> = (0..split.len()).map(|dim| if dim == bits { 2 } else { 1 }).collect();
        self.k.range(2).reshape(&alone).equals(1).select(second, first).reshape(&shape)
    }
}
