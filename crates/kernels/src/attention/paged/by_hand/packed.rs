//! Keys and values of twelve bits an element, as [`crate::packed_keys`] says. They are unpacked where they are multiplied, too small by 2^112 and their rows' scales, by which scores and
//! weights make up for it.

use super::own::OwnToken;
use super::see::Turn;
use super::{PIECE, SETS, Writer, bits};
use crate::packed_keys::piece::{self, THIRD};
use crate::packed_keys::{SCALES, SET, UNIT, WIDTH};
use crate::ptx::{Kind, Register, listed, ptx};

// Sets of keys and heads are as large as those that are packed.
const _: () = assert!(super::SET == SET && super::WIDTH == WIDTH);

/// What weights are multiplied with, beside scales: so that sums are normal numbers.
const LIFT: f64 = (1_u64 << 60) as f64;

/// What sums are to be multiplied with.
pub(super) const OF_SUMS: f64 = UNIT / LIFT;

impl Writer<'_> {
    /// What scores are to be multiplied with, beside scales.
    pub(super) fn of_scores(&self) -> f64 {
        if self.op.packed { UNIT } else { 1.0 }
    }

    /// Scores of each set, by the scales of their keys.
    pub(super) fn scale_scores(&mut self, scores: &[Register]) {
        for (score, scales) in scores.iter().zip(self.scales.chunks(SCALES)) {
            ptx!(self.ptx, "mul.f32 {score}, {score}, {}", scales[0]);
        }
    }

    /// What the weights of each set are to be multiplied with, one after the other, by which values count: a weight of 0 stays that.
    pub(super) fn of_weights(&self) -> Vec<Vec<String>> {
        if !self.op.packed {
            return vec![Vec::new(); SETS];
        }
        self.scales.chunks(SCALES).map(|scales| vec![scales[1].to_string(), bits(LIFT)]).collect()
    }

    /// Makes the score of the token's own key, which is not packed, as small as others; gives what its weight is to be multiplied with.
    pub(super) fn shrink_own(&mut self, score: Register) -> Vec<String> {
        if !self.op.packed {
            return Vec::new();
        }
        ptx!(self.ptx, "mul.f32 {score}, {score}, {}", bits(1.0 / UNIT));
        vec![bits(1.0 / OF_SUMS)]
    }

    /// Asks for a thread's words of each set that has some in front of `self.to`.
    pub(super) fn ask_for_packed(&mut self, turn: &Turn, at: Register, words: &[Register]) {
        let are_there: [Register; SETS] = self.are_below(turn.next, self.to, SET);
        for (number, (words, is_there)) in words.chunks(piece::WORDS).zip(are_there).enumerate() {
            for (third, words) in words.chunks(4).enumerate() {
                let distance = number * SET * piece::ROW + third * THIRD;
                ptx!(self.ptx, "@{is_there} ld.global.v4.b32 {}, [{at}+{distance}]", listed(words));
            }
        }
    }

    /// Asks for the scales of the keys and values that the thread has scores of. Of those that are not there others stay, of keys and values in front, or zeros.
    pub(super) fn ask_for_scales(&mut self, turn: &Turn) {
        let Some(array) = self.arrays.scales else { return };
        let are_there: [Register; SETS] = self.are_below(turn.next, turn.scored_end, SET);
        let (token, at) = (self.ptx.register(Kind::Word), self.ptx.register(Kind::Wide));
        ptx!(self.ptx, "add.u32 {token}, {}, {}", turn.token, self.scored);
        self.place_of_scales(at, array, [turn.page, token]);
        for (number, (scales, is_there)) in self.scales.chunks(SCALES).zip(are_there).enumerate() {
            let distance = number * SET * SCALES * 4;
            ptx!(self.ptx, "@{is_there} ld.global.v2.f32 {}, [{at}+{distance}]", listed(scales));
        }
    }

    /// Where the scales of a token of a page stand.
    fn place_of_scales(&mut self, at: Register, array: Register, [page, token]: [Register; 2]) {
        let ptx = &mut self.ptx;
        let row = ptx.register(Kind::Word);
        ptx!(ptx, "mad.lo.u32 {row}, {page}, {}, {}", self.op.kv_heads, self.kv_head);
        ptx!(ptx, "mad.lo.u32 {row}, {row}, {}, {token}", self.op.page_tokens);
        ptx!(ptx, "mad.wide.u32 {at}, {row}, {}, {array}", 4 * SCALES);
    }

    /// The four words of a piece, which are given or three packed ones.
    pub(super) fn unpacked(&mut self, given: &[Register]) -> [Register; 4] {
        match *given {
            [first, second, third] => piece::unpack(&mut self.ptx, [first, second, third]),
            [first, second, third, fourth] => [first, second, third, fourth],
            _ => unreachable!("a piece has three words or four"),
        }
    }

    /// Writes the token's own key and value where they belong.
    pub(super) fn write_own_packed(&mut self, own: &OwnToken, [keys, values]: [Register; 2], scales: Register) {
        let [set, of_set, row] = self.ptx.registers(Kind::Word);
        let (place, is_later) = (self.ptx.register(Kind::Wide), self.ptx.register(Kind::Truth));
        ptx!(self.ptx, "and.b32 {of_set}, {}, {}", own.token, SET - 1);
        ptx!(self.ptx, "sub.u32 {set}, {}, {of_set}", own.token);
        self.place_in_page(place, own.page, set);
        // Of the two tokens of a set that a thread has, it is the second.
        ptx!(self.ptx, "and.b32 {row}, {of_set}, {}", SET / 2 - 1);
        ptx!(self.ptx, "setp.ne.u32 {is_later}, {row}, {of_set}");
        let mut tops = Vec::new();
        for (array, own_row, words, distances) in
            [(keys, self.key, &own.key, [1, 2, 4]), (values, self.quarter, &own.value, [4, 8, 16])]
        {
            let top = piece::scale(&mut self.ptx, words, distances);
            let packed = piece::pack(&mut self.ptx, words, top);
            let ptx = &mut self.ptx;
            let at = ptx.register(Kind::Wide);
            ptx!(ptx, "add.u64 {at}, {array}, {place}");
            ptx!(ptx, "mad.wide.u32 {at}, {}, {PIECE}, {at}", self.lane);
            let [is_own, writes_first, writes_second] = ptx.registers(Kind::Truth);
            ptx!(ptx, "setp.eq.u32 {is_own}, {own_row}, {row}");
            ptx!(ptx, "setp.eq.and.u32 {writes_first}, {row}, {of_set}, {is_own}");
            ptx!(ptx, "and.pred {writes_second}, {is_later}, {is_own}");
            ptx!(ptx, "@{writes_first} st.global.v4.b32 [{at}+0], {}", listed(&packed[..4]));
            ptx!(ptx, "@{writes_first} st.global.v2.b32 [{at}+{THIRD}], {}", listed(&packed[4..]));
            ptx!(ptx, "@{writes_second} st.global.v2.b32 [{at}+{}], {}", THIRD + PIECE / 2, listed(&packed[..2]));
            ptx!(ptx, "@{writes_second} st.global.v4.b32 [{at}+{}], {}", 2 * THIRD, listed(&packed[2..]));
            tops.push(top);
        }
        let (at, is_first) = (self.ptx.register(Kind::Wide), self.ptx.register(Kind::Truth));
        self.place_of_scales(at, scales, [own.page, own.token]);
        ptx!(self.ptx, "setp.eq.u32 {is_first}, {}, 0", self.lane);
        ptx!(self.ptx, "@{is_first} st.global.v2.b32 [{at}+0], {}", listed(&tops));
    }
}
