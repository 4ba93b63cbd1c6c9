//! Queries, and the token's own key and value.

use super::{HALVES, PIECE, ROW, WIDTH, WORDS, Writer};
use crate::ptx::{Kind, Register, listed, ptx};

/// Of a word with a weight below, and a word of zeros behind it, by bytes from the lowest on: the weight below, and above; and zeros.
const LOW: &str = "0x4410";
const HIGH: &str = "0x1044";
const NOTHING: &str = "0x4444";

/// What is on its way: where the token stands, how many of the row's there are, a query, the token's own key, and angles.
pub(super) struct Asked {
    pub(super) start: Register,
    pub(super) count: Register,
    query: Vec<Register>,
    own_key: Option<Vec<Register>>,
    /// Those of the query's piece, and of the key's.
    angles: Option<[Angles; 2]>,
}

/// Cosines and sines of a piece of the first half of a head.
type Angles = [Vec<Register>; 2];

/// The token's own key and value, and where they belong.
pub(super) struct OwnToken {
    pub(super) key: Vec<Register>,
    pub(super) value: Vec<Register>,
    pub(super) page: Register,
    pub(super) token: Register,
}

impl Writer<'_> {
    /// Asks for all that depends on nothing but the program's number.
    pub(super) fn ask(&mut self) -> Asked {
        let [start, count] = self.ptx.registers(Kind::Word);
        for (word, array) in [(start, self.arrays.start), (count, self.arrays.count)] {
            let at = self.ptx.register(Kind::Wide);
            ptx!(self.ptx, "mad.wide.u32 {at}, {}, 4, {array}", self.row);
            ptx!(self.ptx, "ld.global.u32 {word}, [{at}]");
        }
        let query = self.ask_for_query();
        let own_key = self.arrays.own.map(|[key, ..]| self.ask_for_own(key, self.key_piece));
        let angles = self.arrays.angles.map(|angles| self.ask_for_angles(angles));
        Asked { start, count, query, own_key, angles }
    }

    /// Takes queries, rotated if the kernel does that; and gives the token's own key, rotated too, and value, with its page's number, if the part has it.
    pub(super) fn take(&mut self, asked: Asked) -> Option<OwnToken> {
        let Asked { query, own_key, angles, .. } = asked;
        for (row, angles) in std::iter::once(&query).chain(&own_key).zip(angles.iter().flatten()) {
            self.rotate_row(row, angles);
        }
        for (right, words) in self.q.iter().zip(query.chunks(4)) {
            for (number, right) in right.iter().enumerate() {
                ptx!(self.ptx, "selp.b32 {right}, {}, {}, {}", words[2 * number], words[2 * number + 1], self.is_first);
            }
        }
        // Once angles have left their registers free.
        let [_, value, ..] = self.arrays.own?;
        let ((at, token), page) = (self.in_table(self.start), self.ptx.register(Kind::Word));
        ptx!(self.ptx, "@{} ld.global.u32 {page}, [{at}]", self.ends_here);
        Some(OwnToken { key: own_key?, value: self.ask_for_own(value, self.eighth), page, token })
    }

    /// Writes the token's own key and value, and sees them, if the part has them.
    pub(super) fn see_own(&mut self, own: OwnToken) {
        let seen = self.ptx.fresh("SEEN");
        ptx!(self.ptx, "@!{} bra {seen}", self.ends_here);
        self.write_own(&own);
        // All eight keys are the token's own, of which the first is one.
        let score = self.score([&own.key; 2]);
        let of_weight = self.shrink_own(score);
        let [is_first, has_value] = self.ptx.registers(Kind::Truth);
        ptx!(self.ptx, "setp.eq.u32 {is_first}, {}, 0", self.eighth);
        ptx!(self.ptx, "setp.eq.u32 {has_value}, {}, 0", self.quarter);
        for word in &own.value {
            ptx!(self.ptx, "selp.b32 {word}, {word}, 0, {has_value}");
        }
        let weights = self.weights(&[score], &[is_first], &[of_weight]);
        self.add(&weights[..1], &own.value);
        self.ptx.label(&seen);
    }

    /// A thread's pieces of the token's own key or value.
    fn ask_for_own(&mut self, array: Register, piece: Register) -> Vec<Register> {
        let (at, words) = (self.ptx.register(Kind::Wide), self.ptx.row(Kind::Word, WORDS));
        ptx!(self.ptx, "mad.wide.u32 {at}, {}, {ROW}, {array}", self.head);
        ptx!(self.ptx, "mad.wide.u32 {at}, {piece}, {PIECE}, {at}");
        self.load(at, 0, &words, None);
        words
    }

    /// Writes the token's own key and value where they belong.
    fn write_own(&mut self, own: &OwnToken) {
        let Some([_, _, keys, values]) = self.arrays.own else { return };
        if let Some(scales) = self.arrays.written_scales {
            return self.write_own_packed(own, [keys, values], scales);
        }
        let place = self.ptx.register(Kind::Wide);
        self.place_in_page(place, own.page, own.token);
        for (array, piece, other, words) in
            [(keys, self.key_piece, self.key, &own.key), (values, self.eighth, self.quarter, &own.value)]
        {
            let (at, writes) = (self.ptx.register(Kind::Wide), self.ptx.register(Kind::Truth));
            ptx!(self.ptx, "setp.eq.u32 {writes}, {other}, 0");
            ptx!(self.ptx, "add.u64 {at}, {array}, {place}");
            ptx!(self.ptx, "mad.wide.u32 {at}, {piece}, {PIECE}, {at}");
            for (distance, piece) in HALVES.into_iter().zip(words.chunks(4)) {
                ptx!(self.ptx, "@{writes} st.global.v4.b32 [{at}+{distance}], {}", listed(piece));
            }
        }
    }

    /// Which piece of a query the thread's column meets: of the key's pieces those that even rows have, or odd ones.
    fn query_piece(&mut self) -> Register {
        let piece = self.ptx.register(Kind::Word);
        ptx!(self.ptx, "and.b32 {piece}, {}, 1", self.key);
        ptx!(self.ptx, "mad.lo.u32 {piece}, {piece}, 4, {}", self.quarter);
        piece
    }

    /// Asks for two pieces of a query of the thread's column: zeros where there is none.
    fn ask_for_query(&mut self) -> Vec<Register> {
        let groups = self.op.groups;
        let [query, place] = self.ptx.registers(Kind::Word);
        let (at, is_query) = (self.ptx.register(Kind::Wide), self.ptx.register(Kind::Truth));
        let (words, piece) = (self.ptx.row(Kind::Word, WORDS), self.query_piece());
        let ptx = &mut self.ptx;
        ptx!(ptx, "shr.u32 {query}, {}, 2", self.eighth);
        ptx!(ptx, "setp.lt.u32 {is_query}, {query}, {groups}");
        ptx!(ptx, "mad.lo.u32 {place}, {}, {groups}, {query}", self.head);
        ptx!(ptx, "mad.wide.u32 {at}, {place}, {ROW}, {}", self.arrays.q);
        ptx!(ptx, "mad.wide.u32 {at}, {piece}, {PIECE}, {at}");
        for word in &words {
            ptx!(ptx, "mov.b32 {word}, 0");
        }
        self.load(at, 0, &words, Some(is_query));
        self.columns(is_query);
        words
    }

    /// What a query's four columns are of: the words of a piece that they are multiplied with, and which weights stand where.
    fn columns(&mut self, is_query: Register) {
        let ptx = &mut self.ptx;
        let column = ptx.register(Kind::Word);
        ptx!(ptx, "and.b32 {column}, {}, 1", self.eighth);
        ptx!(ptx, "setp.eq.u32 {}, {column}, 0", self.is_first);
        ptx!(ptx, "and.b32 {column}, {}, 3", self.eighth);
        let is_column: [Register; 4] = ptx.registers(Kind::Truth);
        for (number, is_column) in is_column.iter().enumerate() {
            ptx!(ptx, "setp.eq.and.u32 {is_column}, {column}, {number}, {is_query}");
        }
        for (choice, columns) in self.choices.iter().zip(is_column.chunks(2)) {
            ptx!(ptx, "selp.b32 {choice}, {LOW}, {NOTHING}, {}", columns[0]);
            ptx!(ptx, "selp.b32 {choice}, {HIGH}, {choice}, {}", columns[1]);
        }
    }

    /// Cosines and sines of the row's angles.
    fn ask_for_angles(&mut self, angles: [Register; 2]) -> [Angles; 2] {
        let pieces = [self.query_piece(), self.key_piece];
        pieces.map(|piece| {
            angles.map(|array| {
                let (at, numbers) = (self.ptx.register(Kind::Wide), self.ptx.row(Kind::Float, 8));
                ptx!(self.ptx, "mad.wide.u32 {at}, {}, {}, {array}", self.row, WIDTH / 2 * 4);
                ptx!(self.ptx, "mad.wide.u32 {at}, {piece}, {}, {at}", 2 * PIECE);
                for (four, distance) in numbers.chunks(4).zip([0, PIECE]) {
                    ptx!(self.ptx, "ld.global.v4.f32 {}, [{at}+{distance}]", listed(four));
                }
                numbers
            })
        })
    }

    /// A thread's two pieces of a query or a key, of which the second is half a head behind the first.
    fn rotate_row(&mut self, row: &[Register], [cos, sin]: &Angles) {
        let (first, second) = row.split_at(4);
        for (number, words) in std::iter::zip(first, second).enumerate() {
            let halves = [0, 1].map(|half| [cos[2 * number + half], sin[2 * number + half]]);
            self.rotate([*words.0, *words.1], halves);
        }
    }

    /// Two words of two elements each, by the cosine and sine of either.
    fn rotate(&mut self, words: [Register; 2], angles: [[Register; 2]; 2]) {
        let ptx = &mut self.ptx;
        let mut turned = [[words[0]; 2]; 2];
        for (half, [cos, sin]) in angles.into_iter().enumerate() {
            let numbers = words.map(|word| {
                let (bits, number) = (ptx.register(Kind::Word), ptx.register(Kind::Float));
                match half {
                    0 => ptx!(ptx, "shl.b32 {bits}, {word}, 16"),
                    _ => ptx!(ptx, "and.b32 {bits}, {word}, 0xffff0000"),
                }
                ptx!(ptx, "mov.b32 {number}, {bits}");
                number
            });
            let [first, second]: [Register; 2] = ptx.registers(Kind::Float);
            let minus = ptx.register(Kind::Float);
            ptx!(ptx, "neg.f32 {minus}, {sin}");
            ptx!(ptx, "mul.f32 {first}, {}, {minus}", numbers[1]);
            ptx!(ptx, "fma.rn.f32 {first}, {}, {cos}, {first}", numbers[0]);
            ptx!(ptx, "mul.f32 {second}, {}, {sin}", numbers[0]);
            ptx!(ptx, "fma.rn.f32 {second}, {}, {cos}, {second}", numbers[1]);
            turned[0][half] = first;
            turned[1][half] = second;
        }
        for (word, [low, high]) in words.into_iter().zip(turned) {
            ptx!(ptx, "cvt.rn.bf16x2.f32 {word}, {high}, {low}");
        }
    }
}
