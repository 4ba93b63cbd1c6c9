//! What becomes of the sums.

use super::packed::OF_SUMS;
use super::{HALVES, PIECE, ROW, WIDTH, Writer, bits};
use crate::ptx::{Kind, Register, listed, ptx};

impl Writer<'_> {
    /// A thread has four elements of its query's piece g, the first ones or, if t is odd, the others, and four of the piece g + 8.
    pub(super) fn finish(&mut self) {
        let groups = self.op.groups;
        let (ptx, total) = (&mut self.ptx, self.total);
        let other = ptx.register(Kind::Float);
        for distance in [4, 8, 16] {
            ptx!(ptx, "shfl.sync.bfly.b32 {other}, {total}, {distance}, 31, 0xffffffff");
            ptx!(ptx, "add.f32 {total}, {total}, {other}");
        }
        let (is_query, is_odd) = (ptx.register(Kind::Truth), ptx.register(Kind::Truth));
        let [query, of_query, place] = ptx.registers(Kind::Word);
        ptx!(ptx, "shr.u32 {query}, {}, 1", self.quarter);
        ptx!(ptx, "setp.lt.u32 {is_query}, {query}, {groups}");
        ptx!(ptx, "mad.lo.u32 {of_query}, {}, {}, {}", self.head, self.op.parts(), self.part);
        ptx!(ptx, "mad.lo.u32 {of_query}, {of_query}, {groups}, {query}");
        // In halves of pieces.
        ptx!(ptx, "and.b32 {place}, {}, 1", self.quarter);
        ptx!(ptx, "setp.ne.u32 {is_odd}, {place}, 0");
        ptx!(ptx, "mad.lo.u32 {place}, {}, 2, {place}", self.eighth);
        match self.arrays.results[..] {
            [out] => self.write(out, [of_query, place], is_query),
            _ => self.write_part([of_query, place], [is_query, is_odd]),
        }
    }

    fn write(&mut self, out: Register, [of_query, place]: [Register; 2], is_query: Register) {
        let ptx = &mut self.ptx;
        let (sees, at, factor) = (ptx.register(Kind::Truth), ptx.register(Kind::Wide), ptx.register(Kind::Float));
        ptx!(ptx, "setp.neu.f32 {sees}, {}, {}", self.total, bits(0.0));
        ptx!(ptx, "selp.f32 {factor}, {}, {}, {sees}", self.total, bits(1.0));
        ptx!(ptx, "rcp.approx.ftz.f32 {factor}, {factor}");
        if self.op.packed {
            ptx!(ptx, "mul.f32 {factor}, {factor}, {}", bits(OF_SUMS));
        }
        ptx!(ptx, "mad.wide.u32 {at}, {of_query}, {ROW}, {out}");
        ptx!(ptx, "mad.wide.u32 {at}, {place}, {}, {at}", PIECE / 2);
        for (distance, sums) in HALVES.into_iter().zip(self.sums.chunks(4)) {
            let words: [Register; 2] = ptx.registers(Kind::Word);
            for (word, pair) in words.iter().zip(sums.chunks(2)) {
                for sum in pair {
                    ptx!(ptx, "mul.f32 {sum}, {sum}, {factor}");
                }
                ptx!(ptx, "cvt.rn.bf16x2.f32 {word}, {}, {}", pair[1], pair[0]);
            }
            ptx!(ptx, "@{is_query} st.global.v2.b32 [{at}+{distance}], {}", listed(&words));
        }
    }

    fn write_part(&mut self, [of_query, place]: [Register; 2], [is_query, is_odd]: [Register; 2]) {
        let [sums, greatest, totals] = [0, 1, 2].map(|number| self.arrays.results[number]);
        let ptx = &mut self.ptx;
        let (at, is_first) = (ptx.register(Kind::Wide), ptx.register(Kind::Truth));
        ptx!(ptx, "mad.wide.u32 {at}, {of_query}, {}, {sums}", 4 * WIDTH);
        ptx!(ptx, "mad.wide.u32 {at}, {place}, {PIECE}, {at}");
        if self.op.packed {
            for sum in &self.sums {
                ptx!(ptx, "mul.f32 {sum}, {sum}, {}", bits(OF_SUMS));
            }
        }
        for (distance, sums) in HALVES.into_iter().zip(self.sums.chunks(4)) {
            ptx!(ptx, "@{is_query} st.global.v4.f32 [{at}+{}], {}", 2 * distance, listed(sums));
        }
        ptx!(ptx, "setp.eq.and.u32 {is_first}, {}, 0, {is_query}", self.eighth);
        ptx!(ptx, "@{is_odd} setp.ne.u32 {is_first}, 0, 0");
        for (array, number) in [(greatest, self.greatest), (totals, self.total)] {
            ptx!(ptx, "mad.wide.u32 {at}, {of_query}, 4, {array}");
            ptx!(ptx, "@{is_first} st.global.f32 [{at}], {number}");
        }
    }
}
