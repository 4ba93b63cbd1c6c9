//! The warpgroups that multiply.

use super::{BARRIER, BLOCK_BYTES, BLOCK_INPUTS, BLOCK_OUTPUTS, ROW_BYTES, STAGES, WARPGROUP, Writer};
use crate::ptx::{Kind, Ptx, Register, listed, ptx};

/// How often matrix units take inputs of a block, sixteen at once.
const STEPS: usize = BLOCK_INPUTS / 16;

/// Packed words of a thread for such a step, and what it unpacks of them.
const PACKED: usize = 3;
const UNPACKED: usize = 4;

/// What sums are multiplied with, as unpacked weights' exponents count from 0 and not from 112: 2^112. Matrix units take subnormal numbers as they are, of weights and of sums;
/// of sums in f32 those below 2^-14 of a weight's scale are, which lose what is below 2^-37: of vectors of 2^-20 an H200's products are off as those of vectors of 1 are.
const TO_SCALE: &str = "0f77800000";

/// Of the descriptor of vectors in shared memory: the swizzle of 128 bytes, and 1024 bytes from eight rows to the next eight.
const SWIZZLED: u64 = 1 << 62 | 64 << 32 | 1 << 16;

/// Where a thread stands, and the scales of its two outputs of a tile.
pub(super) struct Consumer {
    /// The warpgroup.
    pub(super) group: Register,
    /// In its warpgroup.
    pub(super) thread: Register,
    pub(super) lane: Register,
    pub(super) warp: Register,
    /// Which two of its warp's sixteen outputs are its own.
    pub(super) pair: Register,
    /// Which two of each eight rows are its own.
    pub(super) quad: Register,
    /// The warpgroup's tile, among all and among its matrix's.
    pub(super) tile: Register,
    pub(super) own_tile: Register,
    pub(super) scales: [Register; 2],
}

/// What the loop over stages keeps.
struct Turn {
    sums: Vec<Register>,
    /// Unpacked weights of this stage, and of the one before, which are multiplied meanwhile.
    unpacked: [Vec<Register>; 2],
    packed: Vec<Register>,
    stage: Register,
    phase: Register,
    left: Register,
    full: Register,
    /// Where the stage's vectors and the thread's packed words are, and where these are in the first stage.
    vectors: Register,
    words: Register,
    first_words: Register,
    /// The barriers of empty stages, and that of the stage before.
    empty: Register,
    before: Register,
    /// Whether the thread frees stages for its warp, whether there was one before, and both.
    frees: Register,
    is_later: Register,
    frees_now: Register,
    is_end: Register,
}

impl Writer<'_> {
    pub(super) fn consume(&mut self) {
        let consumer = self.consumer();
        let turn = self.turn(&consumer);
        self.ptx.label("MULTIPLY");
        for unpacked in &turn.unpacked {
            self.multiply(&turn, unpacked);
        }
        ptx!(self.ptx, "bra MULTIPLY");
        self.ptx.label("MULTIPLIED");
        ptx!(self.ptx, "wgmma.wait_group.sync.aligned 0");
        for sum in &turn.sums {
            ptx!(self.ptx, "mul.f32 {sum}, {sum}, {TO_SCALE}");
        }
        let sums = if self.tiling.are_joined { self.joined(&consumer, &turn.sums) } else { turn.sums };
        if self.product.is_gated {
            // Nobody reads a stage any more.
            ptx!(self.ptx, "bar.sync 1, {}", self.tiling.consumers());
        }
        ptx!(self.ptx, "setp.ge.u32 {}, {}, {}", turn.is_end, consumer.tile, self.product.tiles());
        ptx!(self.ptx, "@{} bra END", turn.is_end);
        match self.product.is_gated {
            true => self.write_gated(&consumer, &sums),
            false => self.write(&consumer, &sums),
        }
    }

    /// Asks for the scales first, which take long to come.
    fn consumer(&mut self) -> Consumer {
        let (groups, tiles) = (self.tiling.groups, self.product.tiles());
        let [group, thread, lane, warp, pair, quad, tile] = self.ptx.registers(Kind::Word);
        let scales = self.ptx.registers(Kind::Float);
        let ptx = &mut self.ptx;
        let (output, place, is_tile) = (ptx.register(Kind::Word), ptx.register(Kind::Wide), ptx.register(Kind::Truth));
        ptx!(ptx, "shr.u32 {group}, {}, 7", self.thread);
        ptx!(ptx, "and.b32 {thread}, {}, {}", self.thread, WARPGROUP - 1);
        ptx!(ptx, "shr.u32 {warp}, {thread}, 5");
        ptx!(ptx, "and.b32 {lane}, {}, 31", self.thread);
        ptx!(ptx, "shr.u32 {pair}, {lane}, 2");
        ptx!(ptx, "and.b32 {quad}, {lane}, 3");
        ptx!(ptx, "mad.lo.u32 {tile}, {}, {groups}, {group}", self.group);
        ptx!(ptx, "setp.lt.u32 {is_tile}, {tile}, {tiles}");
        let (of_matrix, own_tile) = self.chosen(tile, |matrix| matrix.scales);
        let ptx = &mut self.ptx;
        ptx!(ptx, "mul.lo.u32 {output}, {own_tile}, {BLOCK_OUTPUTS}");
        ptx!(ptx, "mad.lo.u32 {output}, {warp}, 16, {output}");
        ptx!(ptx, "mad.lo.u32 {output}, {pair}, 2, {output}");
        ptx!(ptx, "mul.wide.u32 {place}, {output}, 4");
        ptx!(ptx, "add.u64 {place}, {place}, {of_matrix}");
        for (scale, offset) in std::iter::zip(scales, [0, 4]) {
            ptx!(ptx, "@{is_tile} ld.global.nc.f32 {scale}, [{place}+{offset}]");
        }
        // The stages' barriers are there.
        ptx!(ptx, "bar.sync 0");
        Consumer { group, thread, lane, warp, pair, quad, tile, own_tile, scales }
    }

    /// Before the first stage.
    fn turn(&mut self, consumer: &Consumer) -> Turn {
        let ptx = &mut self.ptx;
        let sums = ptx.row(Kind::Float, self.product.padded() / 2);
        let unpacked = [(); 2].map(|()| ptx.row(Kind::Word, UNPACKED * STEPS));
        let packed = ptx.row(Kind::Word, PACKED * STEPS);
        for sum in &sums {
            ptx!(ptx, "mov.f32 {sum}, 0f00000000");
        }
        let [stage, phase, left, full, vectors, words, first_words, empty, before] = ptx.registers(Kind::Word);
        ptx!(ptx, "mov.b32 {stage}, 0");
        ptx!(ptx, "mov.b32 {phase}, 0");
        ptx!(ptx, "mov.b32 {left}, {}", self.count);
        ptx!(ptx, "mad.lo.u32 {first_words}, {}, 16, {}", consumer.thread, self.stages);
        ptx!(ptx, "mad.lo.u32 {first_words}, {}, {BLOCK_BYTES}, {first_words}", consumer.group);
        ptx!(ptx, "add.u32 {first_words}, {first_words}, {}", self.product.vector_bytes());
        let [frees, is_later, frees_now, is_end] = ptx.registers(Kind::Truth);
        ptx!(ptx, "add.u32 {empty}, {}, {}", self.barriers, BARRIER * STAGES);
        ptx!(ptx, "mov.b32 {before}, {empty}");
        ptx!(ptx, "setp.eq.u32 {frees}, {}, 0", consumer.lane);
        ptx!(ptx, "setp.ne.u32 {is_later}, 0, 0");
        Turn {
            sums,
            unpacked,
            packed,
            stage,
            phase,
            left,
            full,
            vectors,
            words,
            first_words,
            empty,
            before,
            frees,
            is_later,
            frees_now,
            is_end,
        }
    }

    /// Multiplies a stage, and frees the one before once this one's products are under way and that one's are done.
    fn multiply(&mut self, turn: &Turn, unpacked: &[Register]) {
        let Turn { stage, phase, left, full, vectors, words, empty, before, .. } = turn;
        let bytes = self.stage();
        ptx!(self.ptx, "mad.lo.u32 {full}, {stage}, {BARRIER}, {}", self.barriers);
        ptx!(self.ptx, "mad.lo.u32 {vectors}, {stage}, {bytes}, {}", self.stages);
        ptx!(self.ptx, "mad.lo.u32 {words}, {stage}, {bytes}, {}", turn.first_words);
        self.wait(*full, *phase);
        let ptx = &mut self.ptx;
        ptx!(ptx, "fence.proxy.async.shared::cta");
        for (number, four) in turn.packed.chunks(4).enumerate() {
            ptx!(ptx, "ld.shared.v4.b32 {}, [{words}+{}]", listed(four), 16 * WARPGROUP * number);
        }
        for (packed, unpacked) in turn.packed.chunks(PACKED).zip(unpacked.chunks(UNPACKED)) {
            unpack(ptx, packed, unpacked);
        }
        let at = ptx.register(Kind::Word);
        let descriptors: [Register; STEPS] = ptx.registers(Kind::Wide);
        ptx!(ptx, "shr.u32 {at}, {vectors}, 4");
        ptx!(ptx, "cvt.u64.u32 {}, {at}", descriptors[0]);
        ptx!(ptx, "or.b64 {}, {}, {SWIZZLED:#x}", descriptors[0], descriptors[0]);
        for (number, descriptor) in descriptors.iter().enumerate().skip(1) {
            // Sixteen bytes count as one.
            ptx!(ptx, "add.u64 {descriptor}, {}, {}", descriptors[0], ROW_BYTES / STEPS / 16 * number);
        }
        ptx!(ptx, "wgmma.fence.sync.aligned");
        let sums = listed(&turn.sums);
        for (weights, descriptor) in unpacked.chunks(UNPACKED).zip(descriptors) {
            let shape = format!("m64n{}k16", self.product.padded());
            let weights = listed(weights);
            ptx!(ptx, "wgmma.mma_async.sync.aligned.{shape}.f32.bf16.bf16 {sums}, {weights}, {descriptor}, 1, 1, 1, 0");
        }
        ptx!(ptx, "wgmma.commit_group.sync.aligned");
        ptx!(ptx, "wgmma.wait_group.sync.aligned 1");
        ptx!(ptx, "and.pred {}, {}, {}", turn.frees_now, turn.frees, turn.is_later);
        ptx!(ptx, "@{} mbarrier.arrive.shared::cta.b64 _, [{before}]", turn.frees_now);
        ptx!(ptx, "setp.eq.u32 {}, 0, 0", turn.is_later);
        ptx!(ptx, "mad.lo.u32 {before}, {stage}, {BARRIER}, {empty}");
        self.advance(*stage, *phase);
        ptx!(self.ptx, "sub.u32 {left}, {left}, 1");
        ptx!(self.ptx, "setp.eq.u32 {}, {left}, 0", turn.is_end);
        ptx!(self.ptx, "@{} bra MULTIPLIED", turn.is_end);
    }
}

/// The four registers of a step from three packed ones: [`crate::packed_weight`] says where their bits are, here of two elements at once.
pub(crate) fn unpack(ptx: &mut Ptx, packed: &[Register], unpacked: &[Register]) {
    for (own, packed) in unpacked.iter().zip(packed) {
        ptx!(ptx, "and.b32 {own}, {packed}, 0x87ff87ff");
    }
    let [mut fourth, shifted] = ptx.registers(Kind::Word);
    ptx!(ptx, "shr.u32 {shifted}, {}, 4", packed[0]);
    ptx!(ptx, "and.b32 {fourth}, {shifted}, 0x07800780");
    let rest = [("shr.u32", 1, 8, "0x00780078"), ("shr.u32", 2, 12, "0x00070007"), ("shl.b32", 2, 4, "0x80008000")];
    for (number, (shift, from, by, mask)) in rest.into_iter().enumerate() {
        let shifted = ptx.register(Kind::Word);
        // A bit of the result is that of the first and the second, or of the third.
        let result = if number + 1 < rest.len() { ptx.register(Kind::Word) } else { unpacked[3] };
        ptx!(ptx, "{shift} {shifted}, {}, {by}", packed[from]);
        ptx!(ptx, "lop3.b32 {result}, {shifted}, {mask}, {fourth}, 0xEA");
        fourth = result;
    }
}
