//! The product of packed matrices with up to 128 vectors as a Hopper multiplies fastest, in PTX: what Triton makes of unpacking and multiplying keeps matrix units
//! waiting for what is unpacked.
//!
//! The weights are the left factors of `wgmma`, unpacked into registers, and the vectors the right ones, in shared memory. A warpgroup copies blocks of 64 inputs
//! into a ring of stages, weights in one piece, and vectors in another if they are laid out so ([`crate::laid`]), else row by row; some others each multiply a tile of 64
//! outputs with all vectors, and unpack a stage while the products of the one before are under way.
//!
//! By tiles and parts of the inputs of a program, microseconds for 4096 inputs to three times 4096; to 4096; to twice 11,008; and for 11,008 to 4096, of an H200,
//! 2026-11-30, where a copy of the packed bytes would take 18.2, 6.1, 32.6 and 16.3:
//!
//! | vectors | | |
//! |---|---|---|
//! | 64 | not packed, by [`crate::NarrowProduct`] | 28.0, 11.0, 46.7, 25.2 |
//! | 64 | 3 in 2; 2 in 4; 3; 2 in 4, with 8, 11, 8 and 11 stages | 21.5, 9.7, 37.6, 20.0 |
//! | 64 | the same of vectors that were laid out as stages have them | 21.3, 10.3, 37.1, 19.9 |
//! | 64 | those with six stages each | 21.2, 9.2, 35.7, 19.1 |
//! | 64 | 2 of the first, 4 of the third, in one part, as many stages as there is room for | 22.5, -, 36.6, - |
//! | 128 | not packed | 32.6, 12.5, 54.1, 27.8 |
//! | 128 | as the first, with 6, 8, 6 and 8 stages | 23.7, 10.9, 42.0, 22.2 |
//! | 128 | of vectors that were laid out, with six stages each | 23.4, 10.4, 39.0, 21.2 |
//! | 128 | 2 of the first in one part, with 8 | 25.9, -, -, - |
//!
//! What is here has six stages, and the first by 3 in 2 parts, which two programs add up. In the program, the launch and sums of parts included
//! (`finery bench kernels --only "packed product"`), it took, before sums were scaled in place of weights and with vectors as they lie, 21.1, 9.4, 34.5 and 19.4 with one vector; 22.1, 10.0, 35.5 and 20.1 with 16; 24.8, 12.1, 39.3 and 23.2 with
//! 64; and 29.0, 15.0, 48.3 and 29.3 with 128, where a loop over one of them is at the card's limit of power (26.3, 14.8, 42.8 and 26.4 in its shortest turns).
//!
//! Refused: parts of one result that a cluster adds up through its shared memory, which waits for the last of them (15.8 for 10.9 of the second with 128 vectors), while the
//! norm behind adds them on its way; vectors that a cluster shares by multicast (41.9 for the third); and weights that are asked for by several stages before the launch
//! before has ended, which gains nothing where launches do not overlap.

mod consume;
mod produce;
mod write;

use graph::DType;

use crate::packed_weight::{BLOCK, BLOCK_INPUTS, BLOCK_OUTPUTS};
use crate::ptx::{Kind, Ptx, Register, ptx};
use crate::{ByHand, LaidOut, PackedWeight};
pub(crate) use consume::unpack;

/// What a launch multiplies.
pub(crate) struct PackedByHand {
    /// For profilers.
    pub(crate) name: &'static str,
    /// Vectors.
    pub(crate) rows: usize,
    /// Length of each.
    pub(crate) inputs: usize,
    /// Outputs of each matrix. Of one that gates, gates and what they gate: each output of an even number gates the next.
    pub(crate) lengths: Vec<usize>,
    /// Whether there is one, which gates.
    pub(crate) is_gated: bool,
    /// Which vectors are laid out as stages have them.
    pub(crate) laid: LaidOut,
}

/// Who computes what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    /// Tiles of 64 outputs of a program, each by a warpgroup.
    pub(crate) groups: usize,
    /// In how many parts the inputs go.
    pub(crate) parts: usize,
    /// Whether the programs of a result's parts are a cluster, and add them up.
    pub(crate) are_joined: bool,
}

impl Tiling {
    /// In how many parts a result is written.
    pub(crate) fn parts_left(self) -> usize {
        if self.are_joined { 1 } else { self.parts }
    }

    /// The type of the results.
    fn written(self) -> DType {
        if self.parts_left() > 1 { DType::F32 } else { DType::BF16 }
    }

    /// Threads that multiply.
    fn consumers(self) -> usize {
        self.groups * WARPGROUP
    }
}

impl PackedByHand {
    /// The most rows.
    pub(crate) const ROWS_MAX: usize = PackedWeight::VECTORS_MAX;

    /// The least time, of what takes as long as few parts as there may be. The parts of one result are added up by the norm behind it; those of several would be by a
    /// launch each.
    pub(crate) fn tiling(&self) -> Tiling {
        let are_several = self.lengths.len() > 1;
        let parts_max = match (self.is_gated, are_several) {
            (true, _) => 1,
            (false, true) => PARTS_JOINED,
            (false, false) => PARTS_MAX,
        };
        let tiling = |groups, parts| Tiling { groups, parts, are_joined: are_several && parts > 1 };
        let all = (1..=parts_max.min(self.blocks())).flat_map(|parts| [3, 2].map(|groups| tiling(groups, parts)));
        all.min_by_key(|tiling| self.time(*tiling)).unwrap_or(tiling(3, 1))
    }

    /// About how long it takes, in blocks that a multiprocessor gets of the memory's rate where all of them read, or a fifth more where some have nothing to read.
    fn time(&self, Tiling { groups, parts, are_joined }: Tiling) -> usize {
        let programs = self.tiles().div_ceil(groups) * parts;
        let of_one = programs.div_ceil(MULTIPROCESSORS) * groups * self.blocks().div_ceil(parts);
        let of_each = self.tiles() * self.blocks() / MULTIPROCESSORS;
        of_each.max(of_one * 4 / 5) + if are_joined { JOIN } else { 0 }
    }

    pub(crate) fn code(&self) -> ByHand {
        let writer = Writer::new(self);
        let tiling = writer.tiling;
        ByHand {
            name: self.name.to_owned(),
            programs: self.tiles().div_ceil(tiling.groups) * tiling.parts,
            threads: tiling.consumers() + PRODUCERS,
            shared: STAGES * (writer.stage() + 2 * BARRIER),
            text: writer.text(),
        }
    }

    fn tiles(&self) -> usize {
        self.lengths.iter().sum::<usize>() / BLOCK_OUTPUTS
    }

    fn blocks(&self) -> usize {
        self.inputs / BLOCK_INPUTS
    }

    /// Rows as the matrix units take them.
    fn padded(&self) -> usize {
        self.rows.next_multiple_of(8).max(16)
    }

    /// Bytes of a block of the vectors.
    fn vector_bytes(&self) -> usize {
        self.padded() * ROW_BYTES
    }

    /// The first tile of each matrix but the first, with the matrix's number.
    fn firsts(&self) -> Vec<(usize, usize)> {
        let ends = self.lengths.iter().scan(0, |end, length| {
            *end += length / BLOCK_OUTPUTS;
            Some(*end)
        });
        (1..self.lengths.len()).zip(ends).collect()
    }
}

/// Bytes of a block of packed weights.
const BLOCK_BYTES: usize = 2 * BLOCK;

/// Blocks of weights and of vectors on their way or being multiplied.
const STAGES: usize = 6;

/// The most parts of the inputs.
const PARTS_MAX: usize = 4;

/// The parts that a cluster adds up.
const PARTS_JOINED: usize = 2;

/// How long that takes, as [`PackedByHand::time`] counts: 1 us.
const JOIN: usize = 5;

/// Of an H100 and an H200.
const MULTIPROCESSORS: usize = 132;

/// Threads of a warpgroup, and those that copy.
const WARPGROUP: usize = 128;
const PRODUCERS: usize = WARPGROUP;

/// Bytes of a row of a block of the vectors.
const ROW_BYTES: usize = BLOCK_INPUTS * 2;

/// Bytes of a barrier, of which a stage has one for who waits until it is full, and one for who waits until it is empty.
const BARRIER: usize = 8;

/// How often is asked for what is waited for before the program ends with an error, instead of never.
const TRIES: usize = 1 << 17;

/// Where the arrays of a matrix are.
#[derive(Clone, Copy)]
struct Matrix {
    words: Register,
    scales: Register,
    result: Register,
}

/// The text of a kernel as it is written.
struct Writer<'a> {
    product: &'a PackedByHand,
    tiling: Tiling,
    ptx: Ptx,
    x: Register,
    matrices: Vec<Matrix>,
    thread: Register,
    program: Register,
    /// Where the stages lie in shared memory, and behind them their barriers: those of full ones, then those of empty ones.
    stages: Register,
    barriers: Register,
    /// The program's part of the inputs, and its number among those of the part.
    part: Register,
    group: Register,
    /// The part's first block, and how many there are.
    first: Register,
    count: Register,
}

impl<'a> Writer<'a> {
    fn new(product: &'a PackedByHand) -> Writer<'a> {
        let mut ptx = Ptx::default();
        let x = ptx.register(Kind::Wide);
        let matrix = |_| {
            let [words, scales, result] = ptx.registers(Kind::Wide);
            Matrix { words, scales, result }
        };
        let matrices = product.lengths.iter().map(matrix).collect();
        let [thread, program, stages, barriers, part, group, first, count] = ptx.registers(Kind::Word);
        let tiling = product.tiling();
        Writer { product, tiling, ptx, x, matrices, thread, program, stages, barriers, part, group, first, count }
    }

    /// Bytes of a stage: whole kilobytes, as swizzled rows want.
    fn stage(&self) -> usize {
        self.product.vector_bytes() + self.tiling.groups * BLOCK_BYTES
    }

    fn text(mut self) -> String {
        let arguments = self.arguments();
        for (register, name) in &arguments {
            ptx!(self.ptx, "ld.param.u64 {register}, [{name}]");
        }
        self.place();
        // Nothing is read before what was launched before has ended, should this begin early. What is launched next is not let in: with `griddepcontrol.launch_dependents`
        // a step of 128 texts of 7B took 12.1 ms in place of 12.0.
        ptx!(self.ptx, "griddepcontrol.wait");
        let is_producer = self.ptx.register(Kind::Truth);
        ptx!(self.ptx, "setp.ge.u32 {is_producer}, {}, {}", self.thread, self.tiling.consumers());
        ptx!(self.ptx, "@{is_producer} bra PRODUCE");
        self.consume();
        ptx!(self.ptx, "bra END");
        self.ptx.label("PRODUCE");
        self.produce();
        self.ptx.label("END");
        ptx!(self.ptx, "ret");
        let parameters: Vec<_> = arguments.iter().map(|(_, name)| format!(".param .u64 {name}")).collect();
        let lines = [
            ".version 8.6",
            ".target sm_90a",
            ".address_size 64",
            ".extern .shared .align 1024 .b8 ring[];",
            &format!(".visible .entry {}({})", self.product.name, parameters.join(", ")),
            &format!(".reqntid {}, 1, 1", self.tiling.consumers() + PRODUCERS),
            ".minnctapersm 1",
        ];
        let cluster = [".explicitcluster".to_owned(), format!(".reqnctapercluster {PARTS_JOINED}, 1, 1")];
        let cluster = cluster.into_iter().filter(|_| self.tiling.are_joined);
        self.ptx.text(lines.map(str::to_owned).into_iter().chain(cluster).chain(["{".to_owned()]).collect())
    }

    /// In the launch's order: what is read, then what is written.
    fn arguments(&self) -> Vec<(Register, String)> {
        let numbered = |name: &str, number: usize| match number {
            0 => name.to_owned(),
            _ => format!("{name}{number}"),
        };
        let matrices = || self.matrices.iter().enumerate();
        let read = matrices().flat_map(|(number, matrix)| {
            [(matrix.words, numbered("w", number)), (matrix.scales, numbered("scale", number))]
        });
        let written = matrices().map(|(number, matrix)| (matrix.result, numbered("y", number)));
        std::iter::once((self.x, "x".to_owned())).chain(read).chain(written).collect()
    }

    /// Programs of the same tiles, one for each part, lie together. Part p has blocks p B / P up to (p + 1) B / P.
    fn place(&mut self) {
        let (blocks, parts, behind) = (self.product.blocks(), self.tiling.parts, STAGES * self.stage());
        let Writer { ptx, thread, program, stages, barriers, part, group, first, count, .. } = self;
        ptx!(ptx, "mov.u32 {thread}, %tid.x");
        ptx!(ptx, "mov.u32 {program}, %ctaid.x");
        ptx!(ptx, "mov.u32 {stages}, ring");
        ptx!(ptx, "add.u32 {barriers}, {stages}, {behind}");
        ptx!(ptx, "div.u32 {group}, {program}, {parts}");
        ptx!(ptx, "rem.u32 {part}, {program}, {parts}");
        ptx!(ptx, "mul.lo.u32 {first}, {part}, {blocks}");
        ptx!(ptx, "add.u32 {count}, {first}, {blocks}");
        ptx!(ptx, "div.u32 {first}, {first}, {parts}");
        ptx!(ptx, "div.u32 {count}, {count}, {parts}");
        ptx!(ptx, "sub.u32 {count}, {count}, {first}");
    }

    /// Waits until the barrier's phase of this parity has ended.
    fn wait(&mut self, barrier: Register, parity: Register) {
        let ptx = &mut self.ptx;
        let (again, done, is_done) = (ptx.fresh("TRY"), ptx.fresh("DONE"), ptx.register(Kind::Truth));
        let (tries, are_too_many) = (ptx.register(Kind::Word), ptx.register(Kind::Truth));
        ptx!(ptx, "mov.b32 {tries}, 0");
        ptx.label(&again);
        ptx!(ptx, "mbarrier.try_wait.parity.shared::cta.b64 {is_done}, [{barrier}], {parity}");
        ptx!(ptx, "@{is_done} bra {done}");
        ptx!(ptx, "add.u32 {tries}, {tries}, 1");
        ptx!(ptx, "setp.gt.u32 {are_too_many}, {tries}, {TRIES}");
        ptx!(ptx, "@{are_too_many} trap");
        ptx!(ptx, "bra {again}");
        ptx.label(&done);
    }

    /// Waits until all threads of the cluster have come here.
    fn wait_for_cluster(&mut self) {
        ptx!(self.ptx, "barrier.cluster.arrive.release");
        ptx!(self.ptx, "barrier.cluster.wait.acquire");
    }

    /// Goes on to the next stage of the ring, whose parity changes where that begins again.
    fn advance(&mut self, stage: Register, phase: Register) {
        let ptx = &mut self.ptx;
        let is_last = ptx.register(Kind::Truth);
        ptx!(ptx, "add.u32 {stage}, {stage}, 1");
        ptx!(ptx, "setp.eq.u32 {is_last}, {stage}, {STAGES}");
        ptx!(ptx, "@{is_last} mov.b32 {stage}, 0");
        ptx!(ptx, "@{is_last} xor.b32 {phase}, {phase}, 1");
    }

    /// Of several matrices the one whose tile this is: what `each` has for it, and the tile's number among the matrix's own.
    fn chosen(&mut self, tile: Register, each: impl Fn(&Matrix) -> Register) -> (Register, Register) {
        let own = each(&self.matrices[0]);
        if self.matrices.len() == 1 {
            return (own, tile);
        }
        let ptx = &mut self.ptx;
        let (chosen, number) = (ptx.register(Kind::Wide), ptx.register(Kind::Word));
        ptx!(ptx, "mov.b64 {chosen}, {own}");
        ptx!(ptx, "mov.b32 {number}, {tile}");
        for (behind, first) in self.product.firsts() {
            let (is_behind, among) = (ptx.register(Kind::Truth), ptx.register(Kind::Word));
            ptx!(ptx, "setp.ge.u32 {is_behind}, {tile}, {first}");
            ptx!(ptx, "selp.b64 {chosen}, {}, {chosen}, {is_behind}", each(&self.matrices[behind]));
            ptx!(ptx, "sub.u32 {among}, {tile}, {first}");
            ptx!(ptx, "selp.b32 {number}, {among}, {number}, {is_behind}");
        }
        (chosen, number)
    }
}

#[cfg(test)]
mod tests;
