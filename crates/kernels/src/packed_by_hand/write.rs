//! What becomes of the sums.

use graph::DType;

use super::consume::Consumer;
use super::{BLOCK_OUTPUTS, PARTS_JOINED, ROW_BYTES, WARPGROUP, Writer};
use crate::ptx::{Kind, Register, listed, ptx};

/// Bytes from row to row of gated results in shared memory: spreads eight rows over all banks.
const PITCH: usize = 80;

/// Rows that a warpgroup transposes at once.
const ROWS_AT_ONCE: usize = 32;

/// Bytes of four sums of each thread of a warpgroup.
const FOURS: usize = 16 * WARPGROUP;

impl Writer<'_> {
    /// Of two programs that have the sums of two parts, each adds up those of half of the rows: of sixteen and more, the first eights. It gets the other's by its own
    /// shared memory, whose stages nobody reads any more once both have come to the first wait.
    pub(super) fn joined(&mut self, consumer: &Consumer, sums: &[Register]) -> Vec<Register> {
        self.wait_for_cluster();
        let count = 4 * self.eights_of_one();
        let ptx = &mut self.ptx;
        let [own, others, other] = ptx.registers(Kind::Word);
        let is_second = ptx.register(Kind::Truth);
        ptx!(ptx, "mad.lo.u32 {own}, {}, {}, {}", consumer.group, count / 4 * FOURS, self.stages);
        ptx!(ptx, "mad.lo.u32 {own}, {}, 16, {own}", consumer.thread);
        ptx!(ptx, "xor.b32 {other}, {}, 1", self.part);
        ptx!(ptx, "mapa.shared::cluster.u32 {others}, {own}, {other}");
        ptx!(ptx, "setp.ne.u32 {is_second}, {}, 0", self.part);
        let (first, second) = sums.split_at(count);
        // Of an odd number of eights the second has none for the last of the first, which is not written.
        let second: Vec<_> = second.iter().chain(first).take(count).copied().collect();
        let kept = ptx.row(Kind::Float, count);
        let given = ptx.row(Kind::Float, count);
        for (place, (first, second)) in first.iter().zip(&second).enumerate() {
            ptx!(ptx, "selp.f32 {}, {second}, {first}, {is_second}", kept[place]);
            ptx!(ptx, "selp.f32 {}, {first}, {second}, {is_second}", given[place]);
        }
        for (number, four) in given.chunks(4).enumerate() {
            ptx!(ptx, "st.shared::cluster.v4.f32 [{others}+{}], {}", number * FOURS, listed(four));
        }
        self.wait_for_cluster();
        let ptx = &mut self.ptx;
        for (number, four) in kept.chunks(4).enumerate() {
            let got = ptx.row(Kind::Float, 4);
            ptx!(ptx, "ld.shared.v4.f32 {}, [{own}+{}]", listed(&got), number * FOURS);
            for (kept, got) in four.iter().zip(got) {
                ptx!(ptx, "add.f32 {kept}, {kept}, {got}");
            }
        }
        kept
    }

    /// Eights of rows whose sums one of two programs adds up.
    fn eights_of_one(&self) -> usize {
        (self.product.padded() / 8).div_ceil(PARTS_JOINED)
    }

    /// Sums 0 and 1 of each four are of two rows behind each other at one output, sums 2 and 3 at the next. Each matrix has a result of its own.
    pub(super) fn write(&mut self, consumer: &Consumer, sums: &[Register]) {
        for (place, sum) in sums.iter().enumerate() {
            ptx!(self.ptx, "mul.f32 {sum}, {sum}, {}", consumer.scales[place >> 1 & 1]);
        }
        let firsts = self.product.firsts();
        for (number, &length) in self.product.lengths.iter().enumerate() {
            let next = firsts.get(number).map(|(_, end)| {
                let (next, is_behind) = (self.ptx.fresh("NEXT"), self.ptx.register(Kind::Truth));
                ptx!(self.ptx, "setp.ge.u32 {is_behind}, {}, {end}", consumer.tile);
                ptx!(self.ptx, "@{is_behind} bra {next}");
                next
            });
            self.write_to(self.matrices[number].result, length, consumer, sums);
            if let Some(next) = next {
                ptx!(self.ptx, "bra END");
                self.ptx.label(&next);
            }
        }
    }

    fn write_to(&mut self, result: Register, length: usize, consumer: &Consumer, sums: &[Register]) {
        let dtype = self.tiling.written();
        let row_bytes = length * dtype.size();
        let [own, output] = self.ptx.registers(Kind::Word);
        let [to, offset] = self.ptx.registers(Kind::Wide);
        ptx!(self.ptx, "shl.b32 {own}, {}, 1", consumer.quad);
        let mut last = 6;
        if self.tiling.are_joined {
            let rows = 8 * self.eights_of_one();
            ptx!(self.ptx, "mad.lo.u32 {own}, {}, {rows}, {own}", self.part);
            last += rows;
        }
        let row = self.row_of_part(own);
        let ptx = &mut self.ptx;
        ptx!(ptx, "mul.lo.u32 {output}, {}, {BLOCK_OUTPUTS}", consumer.own_tile);
        ptx!(ptx, "mad.lo.u32 {output}, {}, 16, {output}", consumer.warp);
        ptx!(ptx, "mad.lo.u32 {output}, {}, 2, {output}", consumer.pair);
        ptx!(ptx, "mul.wide.u32 {to}, {row}, {row_bytes}");
        ptx!(ptx, "add.u64 {to}, {to}, {result}");
        ptx!(ptx, "mul.wide.u32 {offset}, {output}, {}", dtype.size());
        ptx!(ptx, "add.u64 {to}, {to}, {offset}");
        for (eight, four) in sums.chunks(4).enumerate() {
            for second in 0..2 {
                // Rows from `first` on in steps of two are written here; those behind the last vector are none.
                let first = 8 * eight + second;
                if first >= self.product.rows {
                    continue;
                }
                let only = (first + last >= self.product.rows).then(|| self.is_below(own, self.product.rows - first));
                let only = only.map_or(String::new(), |is_row| format!("@{is_row} "));
                let (ptx, pair) = (&mut self.ptx, [four[second], four[second + 2]]);
                let at = format!("[{to}+{}]", first * row_bytes);
                if dtype == DType::F32 {
                    ptx!(ptx, "{only}st.global.v2.f32 {at}, {}", listed(&pair));
                } else {
                    let both = ptx.register(Kind::Word);
                    ptx!(ptx, "cvt.rn.bf16x2.f32 {both}, {}, {}", pair[1], pair[0]);
                    ptx!(ptx, "{only}st.global.b32 {at}, {both}");
                }
            }
        }
    }

    fn is_below(&mut self, number: Register, end: usize) -> Register {
        let is_below = self.ptx.register(Kind::Truth);
        ptx!(self.ptx, "setp.lt.u32 {is_below}, {number}, {end}");
        is_below
    }

    /// The row among all parts' rows of one of the program's own.
    fn row_of_part(&mut self, own: Register) -> Register {
        let row = self.ptx.register(Kind::Word);
        match self.tiling.parts_left() {
            1 => ptx!(self.ptx, "mov.b32 {row}, {own}"),
            _ => ptx!(self.ptx, "mad.lo.u32 {row}, {}, {}, {own}", self.part, self.product.rows),
        }
        row
    }

    /// Sums 0 and 1 of each four are gates of two rows behind each other, sums 2 and 3 what they gate. Transposes them through the ring, so that whole lines are
    /// written.
    pub(super) fn write_gated(&mut self, consumer: &Consumer, sums: &[Register]) {
        let Consumer { group, thread, lane, warp, own_tile, scales, .. } = consumer;
        let (rows, row_bytes) = (self.product.rows, self.product.lengths[0]);
        let pairs = self.ptx.row(Kind::Word, sums.len() / 4);
        let [slope, both] = self.ptx.registers(Kind::Float);
        // By -log2(e).
        ptx!(self.ptx, "mul.f32 {slope}, {}, 0fBFB8AA3B", scales[0]);
        ptx!(self.ptx, "mul.f32 {both}, {}, {}", scales[0], scales[1]);
        if !rows.is_multiple_of(2) {
            // The row beside the last vector is none, whose sums are of whatever lay there: two rows share a reciprocal.
            let is_beside = self.ptx.register(Kind::Truth);
            ptx!(self.ptx, "setp.eq.u32 {is_beside}, {}, {}", consumer.quad, rows % 8 / 2);
            ptx!(self.ptx, "@{is_beside} mov.f32 {}, 0f00000000", sums[rows / 8 * 4 + 1]);
        }
        for (pair, four) in pairs.iter().zip(sums.chunks(4)) {
            let [first, second] = self.gated([four[0], four[1]], [four[2], four[3]], slope, both);
            ptx!(self.ptx, "cvt.rn.bf16x2.f32 {pair}, {second}, {first}");
        }
        let [own, place, barrier, row, piece] = self.ptx.registers(Kind::Word);
        let ptx = &mut self.ptx;
        let height = self.product.padded().next_multiple_of(ROWS_AT_ONCE);
        ptx!(ptx, "mad.lo.u32 {own}, {group}, {}, {}", height * PITCH, self.stages);
        // Lane l points at row l of 32, at its warp's eight outputs.
        ptx!(ptx, "mad.lo.u32 {place}, {lane}, {PITCH}, {own}");
        ptx!(ptx, "mad.lo.u32 {place}, {warp}, 16, {place}");
        for (number, four) in pairs.chunks(4).enumerate() {
            // Rows that nobody reads are written once more.
            let four: Vec<_> = four.iter().chain(std::iter::repeat(&four[0])).take(4).copied().collect();
            let at = format!("[{place}+{}]", number * ROWS_AT_ONCE * PITCH);
            ptx!(ptx, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {at}, {}", listed(&four));
        }
        ptx!(ptx, "add.u32 {barrier}, {group}, 2");
        ptx!(ptx, "bar.sync {barrier}, {WARPGROUP}");
        // Thread c + 4 r writes the 16-byte piece c of rows r, r + 32, …
        ptx!(ptx, "and.b32 {piece}, {thread}, 3");
        ptx!(ptx, "shr.u32 {row}, {thread}, 2");
        ptx!(ptx, "mad.lo.u32 {place}, {row}, {PITCH}, {own}");
        ptx!(ptx, "mad.lo.u32 {place}, {piece}, 16, {place}");
        ptx!(ptx, "mad.lo.u32 {piece}, {own_tile}, 4, {piece}");
        let (to, row_bytes) = match self.product.laid.gated {
            true => (self.laid_piece(row, piece), ROW_BYTES),
            false => (self.plain_piece(row, piece, row_bytes), row_bytes),
        };
        for first in (0..rows).step_by(ROWS_AT_ONCE) {
            let only = (first + ROWS_AT_ONCE > rows).then(|| self.is_below(row, rows - first));
            let only = only.map_or(String::new(), |is_row| format!("@{is_row} "));
            let outputs = listed(&self.ptx.row(Kind::Word, 4));
            ptx!(self.ptx, "ld.shared.v4.b32 {outputs}, [{place}+{}]", first * PITCH);
            ptx!(self.ptx, "{only}st.global.v4.b32 [{to}+{}], {outputs}", first * row_bytes);
        }
    }

    /// Where the piece of that number of a row of gated results is.
    fn plain_piece(&mut self, row: Register, piece: Register, row_bytes: usize) -> Register {
        let [to, offset] = self.ptx.registers(Kind::Wide);
        ptx!(self.ptx, "mul.wide.u32 {to}, {row}, {row_bytes}");
        ptx!(self.ptx, "add.u64 {to}, {to}, {}", self.matrices[0].result);
        ptx!(self.ptx, "mul.wide.u32 {offset}, {piece}, 16");
        ptx!(self.ptx, "add.u64 {to}, {to}, {offset}");
        to
    }

    /// The same where they are laid out, as [`crate::laid`] says.
    fn laid_piece(&mut self, row: Register, piece: Register) -> Register {
        let rows = self.product.rows;
        let ptx = &mut self.ptx;
        let ([block, place], [to, offset]) = (ptx.registers(Kind::Word), ptx.registers(Kind::Wide));
        ptx!(ptx, "shr.u32 {block}, {piece}, 3");
        ptx!(ptx, "mad.lo.u32 {block}, {block}, {rows}, {row}");
        ptx!(ptx, "xor.b32 {place}, {piece}, {row}");
        ptx!(ptx, "and.b32 {place}, {place}, 7");
        ptx!(ptx, "mad.wide.u32 {to}, {block}, {ROW_BYTES}, {}", self.matrices[0].result);
        ptx!(ptx, "mul.wide.u32 {offset}, {place}, 16");
        ptx!(ptx, "add.u64 {to}, {to}, {offset}");
        to
    }

    /// silu(gate) * up of two sums each, with one reciprocal for both.
    fn gated(&mut self, gates: [Register; 2], ups: [Register; 2], slope: Register, both: Register) -> [Register; 2] {
        let ptx = &mut self.ptx;
        let ones: [Register; 2] = ptx.registers(Kind::Float);
        for (one, gate) in ones.iter().zip(gates) {
            let is_infinite = ptx.register(Kind::Truth);
            ptx!(ptx, "mul.f32 {one}, {gate}, {slope}");
            // Minus infinity times the 0 that becomes of it is no number.
            ptx!(ptx, "setp.eq.f32 {is_infinite}, {one}, 0f7F800000");
            ptx!(ptx, "@{is_infinite} mov.f32 {gate}, 0f7FFFFFFF");
            // 60, so that the product stays finite: a gate below -41 lets through 2^-60 of itself, where silu does less.
            ptx!(ptx, "min.f32 {one}, {one}, 0f42700000");
            ptx!(ptx, "ex2.approx.ftz.f32 {one}, {one}");
            ptx!(ptx, "add.f32 {one}, {one}, 0f3F800000");
        }
        let (reciprocal, results) = (ptx.register(Kind::Float), ptx.registers(Kind::Float));
        ptx!(ptx, "mul.f32 {reciprocal}, {}, {}", ones[0], ones[1]);
        ptx!(ptx, "rcp.approx.ftz.f32 {reciprocal}, {reciprocal}");
        ptx!(ptx, "mul.f32 {reciprocal}, {reciprocal}, {both}");
        for (place, result) in results.iter().enumerate() {
            let other = ones[1 - place];
            ptx!(ptx, "mul.f32 {result}, {}, {}", gates[place], ups[place]);
            ptx!(ptx, "mul.f32 {other}, {other}, {reciprocal}");
        }
        for (place, result) in results.iter().enumerate() {
            ptx!(ptx, "mul.f32 {result}, {result}, {}", ones[1 - place]);
        }
        results
    }
}
