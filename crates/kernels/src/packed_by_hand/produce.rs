//! The warpgroup that fills the stages.

use super::{BARRIER, BLOCK_BYTES, PRODUCERS, ROW_BYTES, STAGES, Writer};
use crate::ptx::{Kind, Register, ptx};

/// Rows that its threads copy a piece of 16 bytes of each at once.
const ROWS_AT_ONCE: usize = PRODUCERS / 8;

/// A stage that is filled.
struct Stage {
    number: Register,
    /// The barrier of who waits until it is full.
    full: Register,
    /// Where it lies in shared memory.
    place: Register,
}

/// The weights on their way.
struct Weights {
    /// The thread that asks for them.
    elected: Register,
    /// Bytes of a stage's, with those of vectors that come in one piece.
    expected: Register,
    /// Of each group of consumers: where the block is that comes next, that many bytes behind the register, and whether the group has a tile.
    sources: Vec<(Register, usize, Register)>,
    policy: Register,
}

/// The vectors on their way. Of rows of a stage that are none nobody writes what they become, whatever lies there.
enum Vectors {
    /// In one piece, whose next block is there.
    Laid(Register),
    /// Row by row: the piece that a thread copies of its first row, and where that belongs in a stage; and whether its last row is a vector, if some are none.
    Rows { from: Register, to: Register, is_last: Option<Register> },
}

impl Writer<'_> {
    pub(super) fn produce(&mut self) {
        let ptx = &mut self.ptx;
        let (thread, elected) = (ptx.register(Kind::Word), ptx.register(Kind::Truth));
        ptx!(ptx, "sub.u32 {thread}, {}, {}", self.thread, self.tiling.consumers());
        ptx!(ptx, "setp.eq.u32 {elected}, {thread}, 0");
        self.set_barriers(elected);
        if self.product.laid.given {
            // Who asks for weights asks for vectors, too.
            ptx!(self.ptx, "@!{elected} bra FILLED");
        }
        let weights = self.weights(elected);
        let vectors = if self.product.laid.given { self.laid() } else { self.rows(thread) };
        let [number, phase, left, full, empty, place] = self.ptx.registers(Kind::Word);
        let stage = Stage { number, full, place };
        let is_more = self.ptx.register(Kind::Truth);
        ptx!(self.ptx, "mov.b32 {number}, 0");
        // A barrier lets pass at first who waits for the phase before its own.
        ptx!(self.ptx, "mov.b32 {phase}, 1");
        ptx!(self.ptx, "mov.b32 {left}, {}", self.count);
        self.ptx.label("FILL");
        self.at(&stage);
        ptx!(self.ptx, "add.u32 {empty}, {full}, {}", STAGES * BARRIER);
        self.wait(empty, phase);
        self.ask_for_weights(&stage, &weights);
        match vectors {
            Vectors::Laid(from) => self.ask_for_vectors(&stage, from),
            Vectors::Rows { from, to, is_last } => self.copy_vectors(&stage, [from, to], is_last),
        }
        self.advance(number, phase);
        ptx!(self.ptx, "sub.u32 {left}, {left}, 1");
        ptx!(self.ptx, "setp.ne.u32 {is_more}, {left}, 0");
        ptx!(self.ptx, "@{is_more} bra FILL");
        self.ptx.label("FILLED");
        if self.tiling.are_joined {
            // As often as those who multiply do.
            for _ in 0..2 {
                self.wait_for_cluster();
            }
        }
    }

    /// Full ones wait for who asks for weights and each thread that copies vectors, empty ones for each warp that multiplies.
    fn set_barriers(&mut self, elected: Register) {
        let copying = if self.product.laid.given { 0 } else { PRODUCERS };
        let (ptx, barriers) = (&mut self.ptx, self.barriers);
        ptx!(ptx, "@!{elected} bra READY");
        for stage in 0..STAGES {
            let [full, empty] = [stage, STAGES + stage].map(|number| BARRIER * number);
            ptx!(ptx, "mbarrier.init.shared::cta.b64 [{barriers}+{full}], {}", copying + 1);
            ptx!(ptx, "mbarrier.init.shared::cta.b64 [{barriers}+{empty}], {}", 4 * self.tiling.groups);
        }
        ptx!(ptx, "fence.mbarrier_init.release.cluster");
        ptx!(ptx, "fence.proxy.async.shared::cta");
        ptx.label("READY");
        ptx!(ptx, "bar.warp.sync 0xffffffff");
        ptx!(ptx, "bar.sync 0");
    }

    /// A block of each tile a stage. The last program may have fewer tiles.
    fn weights(&mut self, elected: Register) -> Weights {
        let (groups, tiles, blocks) = (self.tiling.groups, self.product.tiles(), self.product.blocks());
        let ptx = &mut self.ptx;
        let [tile, have, expected] = ptx.registers(Kind::Word);
        ptx!(ptx, "mul.lo.u32 {tile}, {}, {groups}", self.group);
        ptx!(ptx, "sub.u32 {have}, {tiles}, {tile}");
        ptx!(ptx, "min.u32 {have}, {have}, {groups}");
        ptx!(ptx, "mul.lo.u32 {expected}, {have}, {BLOCK_BYTES}");
        if self.product.laid.given {
            ptx!(ptx, "add.u32 {expected}, {expected}, {}", self.product.rows * ROW_BYTES);
        }
        let from = if self.matrices.len() == 1 {
            let from = self.block_of(tile, self.matrices[0].words);
            (0..groups).map(|group| (from, group * blocks * BLOCK_BYTES)).collect()
        } else {
            let own = |group| (self.words_of(tile, group), 0);
            (0..groups).map(own).collect::<Vec<_>>()
        };
        let ptx = &mut self.ptx;
        let policy = ptx.register(Kind::Wide);
        ptx!(ptx, "createpolicy.fractional.L2::evict_first.b64 {policy}, 1.0");
        let mut sources = Vec::new();
        for (group, (from, offset)) in from.into_iter().enumerate() {
            let mut has_tile = elected;
            if group > 0 && !tiles.is_multiple_of(groups) {
                has_tile = ptx.register(Kind::Truth);
                ptx!(ptx, "setp.gt.u32 {has_tile}, {have}, {group}");
                ptx!(ptx, "and.pred {has_tile}, {has_tile}, {elected}");
            }
            sources.push((from, offset, has_tile));
        }
        Weights { elected, expected, sources, policy }
    }

    /// Where the part's first block of a tile is.
    fn block_of(&mut self, tile: Register, words: Register) -> Register {
        let ptx = &mut self.ptx;
        let from = ptx.register(Kind::Wide);
        ptx!(ptx, "mad.lo.u32 {tile}, {tile}, {}, {}", self.product.blocks(), self.first);
        ptx!(ptx, "mul.wide.u32 {from}, {tile}, {BLOCK_BYTES}");
        ptx!(ptx, "add.u64 {from}, {from}, {words}");
        from
    }

    /// The same for a group of consumers, where each tile may be of another matrix.
    fn words_of(&mut self, first: Register, group: usize) -> Register {
        let tile = self.ptx.register(Kind::Word);
        ptx!(self.ptx, "add.u32 {tile}, {first}, {group}");
        let (words, number) = self.chosen(tile, |matrix| matrix.words);
        self.block_of(number, words)
    }

    /// The part's first block.
    fn laid(&mut self) -> Vectors {
        let from = self.ptx.register(Kind::Wide);
        ptx!(self.ptx, "mad.wide.u32 {from}, {}, {}, {}", self.first, self.product.rows * ROW_BYTES, self.x);
        Vectors::Laid(from)
    }

    fn ask_for_vectors(&mut self, stage: &Stage, from: Register) {
        const COPY: &str = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
        let (ptx, Stage { full, place, .. }, bytes) = (&mut self.ptx, stage, self.product.rows * ROW_BYTES);
        ptx!(ptx, "{COPY} [{place}], [{from}], {bytes}, [{full}]");
        ptx!(ptx, "add.u64 {from}, {from}, {bytes}");
    }

    /// Thread c + 8 r copies the 16-byte piece c of rows r, r + 16, …, to where the swizzle of 128 bytes has it.
    fn rows(&mut self, thread: Register) -> Vectors {
        let (rows, row_bytes) = (self.product.rows, 2 * self.product.inputs);
        let ptx = &mut self.ptx;
        let (from, to) = (ptx.register(Kind::Wide), ptx.register(Kind::Word));
        let [piece, row] = ptx.registers(Kind::Word);
        ptx!(ptx, "and.b32 {piece}, {thread}, 7");
        ptx!(ptx, "shr.u32 {row}, {thread}, 3");
        ptx!(ptx, "and.b32 {to}, {row}, 7");
        ptx!(ptx, "xor.b32 {to}, {to}, {piece}");
        ptx!(ptx, "shl.b32 {to}, {to}, 4");
        ptx!(ptx, "mad.lo.u32 {to}, {row}, {ROW_BYTES}, {to}");
        ptx!(ptx, "shl.b32 {piece}, {piece}, 4");
        ptx!(ptx, "mad.lo.u32 {piece}, {}, {ROW_BYTES}, {piece}", self.first);
        ptx!(ptx, "mad.lo.u32 {piece}, {row}, {row_bytes}, {piece}");
        ptx!(ptx, "cvt.u64.u32 {from}, {piece}");
        ptx!(ptx, "add.u64 {from}, {from}, {}", self.x);
        let others = rows % ROWS_AT_ONCE;
        let is_last = (others > 0).then(|| {
            let is_last = ptx.register(Kind::Truth);
            ptx!(ptx, "setp.lt.u32 {is_last}, {row}, {others}");
            is_last
        });
        Vectors::Rows { from, to, is_last }
    }

    /// Points at the stage of that number.
    fn at(&mut self, stage: &Stage) {
        let Stage { number, full, place } = stage;
        ptx!(self.ptx, "mad.lo.u32 {full}, {number}, {BARRIER}, {}", self.barriers);
        ptx!(self.ptx, "mad.lo.u32 {place}, {number}, {}, {}", self.stage(), self.stages);
    }

    fn ask_for_weights(&mut self, stage: &Stage, weights: &Weights) {
        const COPY: &str = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint";
        let (ptx, Stage { full, place, .. }) = (&mut self.ptx, stage);
        let Weights { elected, expected, sources, policy } = weights;
        ptx!(ptx, "@{elected} mbarrier.arrive.expect_tx.shared::cta.b64 _, [{full}], {expected}");
        for (group, (from, offset, has_tile)) in sources.iter().enumerate() {
            let (at, block) = (ptx.register(Kind::Word), ptx.register(Kind::Wide));
            ptx!(ptx, "add.u32 {at}, {place}, {}", self.product.vector_bytes() + group * BLOCK_BYTES);
            ptx!(ptx, "add.u64 {block}, {from}, {offset}");
            ptx!(ptx, "@{has_tile} {COPY} [{at}], [{block}], {BLOCK_BYTES}, [{full}], {policy}");
        }
        let mut each: Vec<_> = sources.iter().map(|(from, ..)| from).collect();
        each.dedup();
        for from in each {
            ptx!(ptx, "add.u64 {from}, {from}, {BLOCK_BYTES}");
        }
    }

    fn copy_vectors(&mut self, stage: &Stage, [from, to]: [Register; 2], is_last: Option<Register>) {
        let (ptx, Stage { full, place, .. }) = (&mut self.ptx, stage);
        let at = ptx.register(Kind::Word);
        ptx!(ptx, "add.u32 {at}, {place}, {to}");
        let turns = self.product.rows.div_ceil(ROWS_AT_ONCE);
        for turn in 0..turns {
            let piece = ptx.register(Kind::Wide);
            ptx!(ptx, "add.u64 {piece}, {from}, {}", turn * ROWS_AT_ONCE * 2 * self.product.inputs);
            let only = is_last.filter(|_| turn + 1 == turns).map_or(String::new(), |is_last| format!("@{is_last} "));
            ptx!(ptx, "{only}cp.async.cg.shared.global [{at}+{}], [{piece}], 16", turn * ROWS_AT_ONCE * ROW_BYTES);
        }
        ptx!(ptx, "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{full}]");
        ptx!(ptx, "add.u64 {from}, {from}, {ROW_BYTES}");
    }
}
