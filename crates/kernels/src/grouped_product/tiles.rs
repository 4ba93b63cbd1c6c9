//! In which tiles grouped products are computed, for each kind of GPU, and in which order.

use graph::DType;

use super::GroupedProduct;
use crate::{Builder, Gpu, Value};

/// What a program computes: a block of the result, as a sum over so many terms at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) down: usize,
    pub(super) across: usize,
    pub(super) depth: usize,
    pub(super) warps: usize,
    pub(super) stages: usize,
}

const fn tile(down: usize, across: usize, depth: usize, warps: usize, stages: usize) -> Tile {
    Tile { down, across, depth, warps, stages }
}

/// How many tiles, one below the other, are gone through before the next column. Some 130 programs run at a time, with tiles twice as
/// wide as high: 16 by 8 of them read the least of both factors, and what they read stays in the second cache while the columns go by.
const NEAR: usize = 16;

impl GroupedProduct {
    /// How many rows a block has best: as many as a tile. With more there would be more rows that hold nothing, with less a tile's products would be
    /// for nothing.
    pub fn block_rows(gpu: Gpu) -> usize {
        widest(gpu, DType::BF16).down
    }

    /// The tile for a result of so many columns, and so many rows where they are a matrix's and no block's, summed over so many terms. No dimension
    /// is longer than it has to be; products have at least 16 terms.
    pub(super) fn tile(&self, [down, across, depth]: [usize; 3]) -> Tile {
        let Tile { down: most_down, across: most_across, depth: most_depth, warps, stages } =
            widest(self.gpu, self.dtype);
        let fit = |most: usize, size: usize| size.clamp(16, most).next_power_of_two();
        tile(fit(most_down, down), fit(most_across, across), fit(most_depth, depth), warps, stages)
    }
}

/// Each stage holds a tile of both factors, in shared memory: on Hopper 48 KB, four times 192 of 227 KB; on others of NVIDIA's 16 KB, four times 64 of
/// 99 KB; on AMD's, where one of two stages is in registers, 48 of 64 KB. Sums take 128 registers of a lane on NVIDIA's, 64 on AMD's, whose
/// waves have twice as many lanes. Larger tiles do more with a byte, and spill.
const fn widest(gpu: Gpu, dtype: DType) -> Tile {
    match (gpu, dtype) {
        // NVIDIA's matrix units do not multiply these as they are, and models leave them to plain operations.
        (_, DType::F32) => tile(64, 64, 32, 4, 1),
        (Gpu::Hopper, _) => tile(128, 256, 64, 8, 4),
        (Gpu::Nvidia, _) => tile(128, 128, 32, 4, 4),
        (Gpu::Amd, _) => tile(128, 256, 64, 8, 2),
    }
}

/// Where the tile of a program stands in a result of so many tiles.
pub(super) fn place<'k>(k: &'k Builder, program: Value<'k>, [down, across]: [usize; 2]) -> [Value<'k>; 2] {
    let first = program / (NEAR * across) * NEAR;
    let height = (k.int(down) - first).minimum(NEAR);
    let within = program % (NEAR * across);
    [first + within % height, within / height]
}
