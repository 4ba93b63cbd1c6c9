//! In which chunks the scan is computed, for each kind of GPU.

use graph::DType;

use super::DualScan;
use crate::Gpu;

/// Which way the cotangents go: the backward pass may have other chunks, since nothing of a chunk is kept for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Forward,
    Backward,
}

/// How a pass is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiles {
    /// Tokens of a chunk.
    pub(super) chunk: usize,
    /// Warps of a program that has a chunk, and in how many stages its loads are done ahead.
    pub(super) warps: usize,
    pub(super) stages: usize,
}

const fn tiles(chunk: usize, warps: usize, stages: usize) -> Tiles {
    Tiles { chunk, warps, stages }
}

/// Programs that fill a GPU a few times over: chunks are shared out by heads until there are as many.
const PROGRAMS: usize = 1024;

/// The most states of a program that walks along a row.
const WALKED: usize = 64;

impl DualScan {
    /// Longer chunks have fewer states, which are what is read and written most; they are as long as registers and shared memory allow. On an H200
    /// the forward pass of (8, 2048, 1, 80, 64, 128) took 0.37 ms with these, 0.39 and 0.42 with chunks of 128 and 4 or 8 warps, and 0.43 with one stage;
    /// both passes 1.11 ms more, 1.36 with one stage, 1.68 with 8 warps, 2.31 with chunks of 32 and 4.14 with chunks of 128. No GPU has measured the
    /// others; on AMD nothing spills.
    pub(super) fn tiles(&self, pass: Pass) -> Tiles {
        let is_wide = self.is_wide();
        let found = match (self.gpu, pass, self.dtype) {
            (_, _, DType::F32) => tiles(32, 4, 1),
            (Gpu::Hopper, Pass::Forward, _) if !is_wide => tiles(64, 4, 2),
            (Gpu::Hopper, Pass::Forward, _) => tiles(64, 8, 2),
            (Gpu::Hopper, Pass::Backward, _) if !is_wide => tiles(64, 4, 2),
            (Gpu::Hopper, Pass::Backward, _) => tiles(64, 8, 1),
            (Gpu::Nvidia, Pass::Forward, _) => tiles(64, 4, 1),
            (Gpu::Nvidia, Pass::Backward, _) => tiles(32, 4, 1),
            (Gpu::Amd, Pass::Forward, _) => tiles(64, 4, 1),
            (Gpu::Amd, Pass::Backward, _) if !is_wide => tiles(64, 4, 1),
            (Gpu::Amd, Pass::Backward, _) => tiles(32, 4, 1),
        };
        // Products have at least 16 terms.
        Tiles { chunk: found.chunk.min(self.positions.next_power_of_two()).max(16), ..found }
    }

    /// Whether a chunk's products with states take more registers than Mamba-2's own sizes.
    pub(super) fn is_wide(&self) -> bool {
        self.state > 128 || self.head_dim > 64
    }

    /// How many chunks a row has.
    pub(super) fn chunks(&self, pass: Pass) -> usize {
        self.positions.div_ceil(self.tiles(pass).chunk)
    }

    /// How many heads of a group a program goes through.
    pub(super) fn heads_of_program(&self, pass: Pass) -> usize {
        let others = self.batch * self.chunks(pass) * self.groups;
        self.group_heads.div_ceil(PROGRAMS.div_ceil(others).min(self.group_heads))
    }

    /// How many programs share the heads of a group.
    pub(super) fn splits(&self, pass: Pass) -> usize {
        self.group_heads.div_ceil(self.heads_of_program(pass))
    }

    /// How many states of each channel a product of the gradients has at most. AMD's registers hold both factors: a block of a head's states is
    /// used up before the next is needed.
    pub(super) fn part(&self) -> usize {
        match self.gpu {
            Gpu::Hopper if !self.is_wide() => 128,
            Gpu::Hopper => 64,
            Gpu::Nvidia | Gpu::Amd => 32,
        }
    }

    /// How many states of each channel a program has that walks along a row.
    pub(super) fn walked(&self) -> usize {
        self.state.next_power_of_two().clamp(16, WALKED)
    }
}
