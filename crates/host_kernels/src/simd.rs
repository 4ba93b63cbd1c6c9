//! Numbers in the widest registers that the processor has.

use std::sync::LazyLock;

use pulp::{Arch, Simd, WithSimd};

/// The instructions that this processor is found to have.
static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);

/// Computes `op` with them.
pub(crate) fn best<Op: WithSimd>(op: Op) -> Op::Output {
    ARCH.dispatch(op)
}

/// Whether this processor multiplies and adds up several numbers in one instruction. Without, kernels are right, and many times slower than plain operations.
pub fn has_wide_registers() -> bool {
    !matches!(*ARCH, Arch::Scalar)
}

/// Numbers one behind the other: in whole registers, and in a last one that is filled up with zeros.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'a, S: Simd> {
    pub(crate) body: &'a [S::f32s],
    pub(crate) tail: S::f32s,
}

impl<'a, S: Simd> Lanes<'a, S> {
    #[inline(always)]
    pub(crate) fn of(simd: S, numbers: &'a [f32]) -> Lanes<'a, S> {
        let (body, tail) = S::as_simd_f32s(numbers);
        Lanes { body, tail: simd.partial_load_f32s(tail) }
    }

    /// The sum of products with others of the same length.
    #[inline(always)]
    pub(crate) fn dot(self, simd: S, other: Lanes<'_, S>) -> f32 {
        let mut sum = simd.splat_f32s(0.0);
        for (a, b) in self.body.iter().zip(other.body) {
            sum = simd.mul_add_f32s(*a, *b, sum);
        }
        simd.reduce_sum_f32s(simd.mul_add_f32s(self.tail, other.tail, sum))
    }
}
