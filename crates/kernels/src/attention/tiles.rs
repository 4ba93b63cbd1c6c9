//! In which blocks attention is computed, for each kind of GPU.

use super::{Attention, Pass};

/// Kinds of GPUs that want different blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpu {
    /// NVIDIA's of compute capability 9.0: 227 KB of shared memory for a program.
    Hopper,
    /// Any other of NVIDIA's: 99 KB.
    Nvidia,
    /// AMD's with matrix units (CDNA): 64 KB.
    Amd,
}

impl Gpu {
    /// NVIDIA's of this compute capability.
    pub fn nvidia(compute_capability: (u32, u32)) -> Gpu {
        if compute_capability.0 == 9 { Gpu::Hopper } else { Gpu::Nvidia }
    }
}

/// No grid counts blocks of fewer queries, or of fewer keys.
pub(super) const SMALLEST_BLOCK: usize = 32;

/// The blocks of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiles {
    /// Queries of a block.
    pub(crate) queries: usize,
    /// Keys of a block.
    pub(crate) keys: usize,
    pub(crate) warps: usize,
    pub(crate) stages: usize,
}

const fn tiles(queries: usize, keys: usize, warps: usize, stages: usize) -> Tiles {
    Tiles { queries, keys, warps, stages }
}

impl Attention {
    /// Hopper's were found on an H200 by a grid of sizes: at (8, 2048, 16, 128) the forward pass takes 0.340 ms, 0.350 in blocks of 64 by 64 and 0.367 in
    /// those of 128 by 128, and the backward pass 1.06 ms (2026-11-26). With 4 warps and two stages two programs share a multiprocessor, and one multiplies
    /// while the other takes exponentials; a third stage leaves room for one alone. Documents make many small blocks, which smaller ones fit
    /// better: 0.191 ms instead of 0.238. The others' fit into shared memory and registers (no spills), and no such GPU has run them.
    pub(crate) fn tiles(&self, pass: Pass) -> Tiles {
        match (self.gpu, pass, self.head_dim) {
            (Gpu::Hopper, Pass::Forward, ..=128) if self.documents => tiles(64, 64, 4, 3),
            (Gpu::Hopper, Pass::Forward, ..=128) => tiles(128, 64, 4, 2),
            (Gpu::Hopper, Pass::Forward, _) => tiles(128, 64, 8, 2),
            (Gpu::Hopper, Pass::Queries, ..=128) => tiles(64, 64, 4, 2),
            (Gpu::Hopper, Pass::Queries, _) => tiles(64, 32, 4, 1),
            (Gpu::Hopper, Pass::Keys, ..=128) => tiles(64, 64, 4, 2),
            (Gpu::Hopper, Pass::Keys, _) => tiles(64, 64, 8, 1),
            (Gpu::Nvidia, Pass::Forward, ..=128) => tiles(64, 32, 4, 2),
            (Gpu::Nvidia, _, ..=128) => tiles(32, 64, 4, 2),
            (Gpu::Nvidia, ..) => tiles(32, 32, 4, 1),
            (Gpu::Amd, Pass::Forward, ..=128) => tiles(128, 64, 4, 2),
            (Gpu::Amd, Pass::Forward, _) => tiles(64, 32, 4, 1),
            (Gpu::Amd, Pass::Queries, ..=128) => tiles(64, 32, 4, 1),
            (Gpu::Amd, Pass::Keys, ..=128) => tiles(32, 64, 4, 1),
            (Gpu::Amd, Pass::Keys, _) => tiles(16, 32, 4, 1),
            (Gpu::Amd, Pass::Queries, _) => tiles(32, 32, 4, 1),
        }
    }
}
