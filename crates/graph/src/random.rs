//! Random numbers by counter: Threefry-2x32 with 20 rounds (Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3").
//!
//! A number depends on the key and on its own position alone, so the same seed gives the same numbers however the tensor is sharded.

use crate::{Axis, DType, Graph, Tensor};

/// A key: two u32 without axes. Deriving keys by [`RandomKey::fold_in`] gives independent streams.
#[derive(Clone, Copy, Debug)]
pub struct RandomKey<'g> {
    high: Tensor<'g>,
    low: Tensor<'g>,
}

impl<'g> RandomKey<'g> {
    /// A key from a u32 without axes.
    pub fn new(seed: Tensor<'g>) -> RandomKey<'g> {
        RandomKey { high: seed.graph().constant(0.0, DType::U32), low: seed.cast(DType::U32) }
    }

    /// The key for stream `number`, a u32 without axes.
    pub fn fold_in(self, number: Tensor<'g>) -> RandomKey<'g> {
        let zero = number.graph().constant(0.0, DType::U32);
        let (high, low) = threefry(self, zero, number.cast(DType::U32));
        RandomKey { high, low }
    }

    /// The key for a stream that has a name.
    pub fn fold_in_name(self, name: &str) -> RandomKey<'g> {
        // FNV-1a: any fixed hash of the name does.
        let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        self.fold_in(self.low.graph().constant(f64::from(hash), DType::U32))
    }

    /// Independent 32-bit words, u32 over `axes`.
    pub fn bits(self, axes: &[Axis]) -> Tensor<'g> {
        let (first, _) = self.words(axes);
        first
    }

    /// Uniform variates in [0, 1), f32 over `axes`, with 23 random bits.
    pub fn uniform(self, axes: &[Axis]) -> Tensor<'g> {
        unit_interval(self.bits(axes))
    }

    /// Normal variates with mean 0 and variance 1, f32 over `axes` (Box and Muller 1958).
    pub fn normal(self, axes: &[Axis]) -> Tensor<'g> {
        let (first, second) = self.words(axes);
        let radius = ((-unit_interval(first) + 1.0).log() * -2.0).sqrt();
        radius * (unit_interval(second) * std::f64::consts::TAU).cos()
    }

    /// Two words for each element, counted in row-major order.
    fn words(self, axes: &[Axis]) -> (Tensor<'g>, Tensor<'g>) {
        let graph = self.low.graph();
        let (high, low) = counter(graph, axes, axes, |axis, dtype| graph.iota(axis, dtype));
        threefry(self, high, low)
    }
}

/// The number of each element over `axes` in row-major order as two u32, the upper and the lower half of 64 bits. `index` gives the
/// position along an axis in the type that is asked for, over `shown`: all of `axes`, or a part of their elements.
fn counter<'g>(
    graph: &'g Graph,
    axes: &[Axis],
    shown: &[Axis],
    index: impl Fn(Axis, DType) -> Tensor<'g>,
) -> (Tensor<'g>, Tensor<'g>) {
    let total = axes.iter().fold(1usize, |total, axis| total.saturating_mul(axis.size));
    // Halves of a 64-bit sum are worth their price only where there is an upper one.
    let dtype = if total <= 1 << 32 { DType::U32 } else { DType::I64 };
    let mut number = graph.full(0.0, dtype, shown);
    let mut stride: usize = 1;
    for axis in axes.iter().rev() {
        let stride_here = if dtype == DType::U32 { stride % (1 << 32) } else { stride };
        number = number + index(*axis, dtype) * stride_here as f64;
        stride = stride.saturating_mul(axis.size);
    }
    if dtype == DType::U32 {
        return (graph.full(0.0, DType::U32, shown), number);
    }
    let low = number.and(f64::from(u32::MAX)).cast(DType::U32);
    (number.shift_right(32.0).cast(DType::U32), low)
}

/// The top 23 bits as the mantissa of a number in [1, 2), less 1.
fn unit_interval(bits: Tensor<'_>) -> Tensor<'_> {
    bits.shift_right(9.0).or(f64::from(0x3f80_0000_u32)).bitcast(DType::F32) - 1.0
}

fn threefry<'g>(key: RandomKey<'g>, x0: Tensor<'g>, x1: Tensor<'g>) -> (Tensor<'g>, Tensor<'g>) {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let parity = key.high.xor(key.low).xor(f64::from(0x1bd1_1bda_u32));
    let keys = [key.high, key.low, parity];
    let (mut x0, mut x1) = (x0 + keys[0], x1 + keys[1]);
    for round in 0..5 {
        for rotation in ROTATIONS[round % 2] {
            x0 = x0 + x1;
            x1 = x1.shift_left(f64::from(rotation)).or(x1.shift_right(f64::from(32 - rotation))).xor(x0);
        }
        x0 = x0 + keys[(round + 1) % 3];
        x1 = x1 + keys[(round + 2) % 3] + (round + 1) as f64;
    }
    (x0, x1)
}

#[cfg(test)]
mod tests;
