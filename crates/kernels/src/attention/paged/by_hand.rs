//! Attention of one token to its keys, as a warp computes it with the fewest instructions, in PTX: steps of many texts are at a GPU's limit of power, where what Triton
//! makes of it, through shared memory, takes 463 instructions for 32 keys, and this 244 and 3 to 4 % fewer watts (BENCHMARKS.md, "Several texts at once").
//!
//! A warp has a part of the keys of a row's key head. It takes [`KEYS`] of them at once, straight from memory into the registers that `mma` multiplies, four words of a
//! thread that it loads together: a piece of 16 bytes, whose words are rows g and g + 8 of a left factor of 16 x 16, in its first eight columns and in its second; of thread
//! (g, t) of eight by four, which is the lane 4 g + t. Eight threads load a line of 128 bytes. What else of the matrices is where is free as long as both factors agree on it:
//!
//! - Scores: of a set of eight keys a thread has the pieces l % 8 and l % 8 + 8 of the keys l / 8 and l / 8 + 4, l its lane: two rows of a factor share a key. Its words are
//!   multiplied with those of a query, the first and third in the row g by one column, the second and fourth in the row g + 8 by the next; in two columns those of the pieces
//!   that even rows have, in two those that odd rows have. Of the sums the two are added up that met what is theirs.
//! - Sums: a piece is of a value, its words of two elements each, of one key: a weight stands where the first of the two counts in one column, where the second counts in the
//!   next, for the first and second word, and in two more columns for the third and fourth; elsewhere are zeros. So nothing is interleaved. A thread has the pieces g
//!   and g + 8 of the keys t and t + 4 of each set.
//!
//! So a query has four of eight columns, and the threads (g, t) have what is of the query t / 2.
//!
//! An infinity or NaN in what a row sees may make its neighbours NaN, too: they share sums with zeros in between. It never reaches another row or head.
//!
//! The greatest exponent is looked for anew only where one is more than [`ABOVE`] over what it was: weights of up to 2^8 lose nothing.

mod own;
mod packed;
mod see;
mod write;

use graph::DType;

use super::{PART_MIN, PagedAttention, block};
use crate::ByHand;
use crate::attention::Gpu;
use crate::attention::scores::BLIND;
use crate::packed_keys::{PackedKeys, SCALES, piece};
use crate::ptx::{Kind, LANES, Ptx, Register, listed, ptx};

/// For profilers.
const NAME: &str = "paged_attention_by_hand";

/// Keys that are taken at once, in sets of as many as an `mma` scores.
const KEYS: usize = SETS * SET;
const SETS: usize = 2;
const SET: usize = 8;

/// Elements of a head.
const WIDTH: usize = 128;

/// Bytes of a key or a value.
const ROW: usize = 2 * WIDTH;

/// Bytes that a thread loads at once.
const PIECE: usize = 16;

/// Of a set of keys a thread has a part of two, and as many of their values, this many behind each other.
const OWN: usize = 2;
const BETWEEN: usize = SET / OWN;

/// Words of these that a thread has: two pieces.
const WORDS: usize = 8;

/// The most query heads of a key head: each has four of eight columns.
pub(super) const GROUPS_MAX: usize = 2;

/// By how much, of exponents to base 2.
const ABOVE: f64 = 8.0;

/// Registers of a thread, so that sixteen warps run on a multiprocessor.
const REGISTERS: usize = 128;

/// From how many programs on: all loads of one wait for each other, so that many have to run at once. With 32 heads an H200 took for 17, 20, 24, 32, 48, 64 and 128 texts of 504
/// keys 39.8, 43.8, 49.8, 63.4, 93.0, 122.7 and 242.2 us, where Triton's took 38.7, 43.0, 49.5, 64.6, 107.2, 126.1 and 243.7 (2026-11-30). Two query heads, parts and
/// H100s go with them: these were not timed.
const PROGRAMS_MIN: usize = 1024;

/// So many programs of packed keys fill an H200: sixteen on each multiprocessor.
pub(super) const PROGRAMS: usize = 2048;

/// Bits of a number in f32, as PTX writes them.
fn bits(number: f64) -> String {
    format!("0f{:08X}", (number as f32).to_bits())
}

/// Which places of memory the arrays begin at.
struct Arrays {
    q: Register,
    keys: Register,
    values: Register,
    table: Register,
    start: Register,
    count: Register,
    /// Cosines and sines.
    angles: Option<[Register; 2]>,
    /// Of packed keys and values.
    scales: Option<Register>,
    /// The token's own key and value, and the keys and values that they are written among.
    own: Option<[Register; 4]>,
    /// The scales among which theirs are.
    written_scales: Option<Register>,
    /// The result; or sums, greatest exponents and totals.
    results: Vec<Register>,
}

/// The text of a kernel as it is written.
struct Writer<'a> {
    op: &'a PagedAttention,
    ptx: Ptx,
    arrays: Arrays,
    /// The thread as (g, t), its lane, and which piece of a key it has, and of which of four keys.
    eighth: Register,
    quarter: Register,
    lane: Register,
    key_piece: Register,
    key: Register,
    /// Which key of a set the thread has the score of, and the lane of its row that makes it; whether that row is even.
    scored: Register,
    scored_by: Register,
    is_even: Register,
    /// The program's part of the keys, and its row and key head as one number, and the row.
    part: Register,
    head: Register,
    row: Register,
    kv_head: Register,
    /// Where the token stands, and from where on and up to where keys are read.
    start: Register,
    from: Register,
    to: Register,
    /// Whether the part has the token's own key.
    ends_here: Register,
    /// Whether the thread's column is of the first and third words of a query's pieces, and right factors by pieces.
    is_first: Register,
    q: [[Register; 2]; 2],
    keys: Vec<Register>,
    values: Vec<Register>,
    /// Of packed ones those of the key and the value of each set that the thread has the score of.
    scales: Vec<Register>,
    sums: Vec<Register>,
    /// Of the thread's query: the greatest exponent, or nearly, and the thread's part of the sum of weights.
    greatest: Register,
    total: Register,
    /// How bytes of a weight are chosen as a right factor.
    choices: [Register; 2],
}

impl PagedAttention {
    /// Many rows of few keys. Each has pages of its own, which it may write.
    pub(super) fn tried_by_hand(long: PagedAttention) -> [PagedAttention; 6] {
        let (dtype, held) = (DType::BF16, DType::BF16);
        let many =
            PagedAttention { batch: 64, kv_heads: 16, groups: 1, dtype, held, pages: 130, seen_pages: 2, ..long };
        [
            many,
            PagedAttention { groups: 2, page_tokens: 48, ..many },
            PagedAttention { rotates: Some(WIDTH), ..many },
            PagedAttention { rotates: Some(0), groups: 2, page_tokens: 48, ..many },
            PagedAttention { packed: true, ..many },
            PagedAttention { packed: true, batch: 3, groups: 2, pages: 17, seen_pages: 5, ..many },
        ]
    }

    /// Code for it, where there is some that serves better: for many programs of few queries.
    pub(super) fn by_hand(&self) -> Option<ByHand> {
        let is_plain = self.window().is_none() && self.softcap.is_none();
        let is_wide = self.head_dim == WIDTH && self.dtype == DType::BF16 && self.held == DType::BF16;
        let rotates = self.rotates.is_none_or(|rotated| rotated == 0 || rotated == WIDTH);
        let fits = self.positions == 1 && self.groups <= GROUPS_MAX && self.page_tokens.is_multiple_of(KEYS);
        let fits = fits && (!self.packed || PackedKeys::holds(self.dtype, self.head_dim, self.page_tokens));
        // Nothing else reads packed ones.
        let is_worth = self.packed || self.programs() >= PROGRAMS_MIN;
        let serves = self.gpu == Gpu::Hopper && is_plain && is_wide && rotates && fits && is_worth;
        serves.then(|| self.code())
    }

    fn programs(&self) -> usize {
        self.parts() * self.kv_heads * self.batch
    }

    fn code(&self) -> ByHand {
        ByHand {
            name: NAME.to_owned(),
            text: Writer::new(self).text(),
            programs: self.programs(),
            threads: LANES,
            shared: 0,
        }
    }
}

impl<'a> Writer<'a> {
    fn new(op: &'a PagedAttention) -> Writer<'a> {
        let mut ptx = Ptx::default();
        let [q, keys, values, table, start, count] = ptx.registers(Kind::Wide);
        let angles = op.rotates.filter(|rotated| *rotated > 0).map(|_| ptx.registers(Kind::Wide));
        let own = op.rotates.map(|_| ptx.registers(Kind::Wide));
        let scales = op.packed.then(|| ptx.register(Kind::Wide));
        let written_scales = (op.packed && own.is_some()).then(|| ptx.register(Kind::Wide));
        let results = ptx.row(Kind::Wide, if op.parts() == 1 { 1 } else { 3 });
        let arrays = Arrays { q, keys, values, table, start, count, angles, scales, own, written_scales, results };
        let [eighth, quarter, lane, key_piece, key, scored, scored_by] = ptx.registers(Kind::Word);
        let is_even = ptx.register(Kind::Truth);
        let [part, head, row, kv_head, start, from, to] = ptx.registers(Kind::Word);
        let ends_here = ptx.register(Kind::Truth);
        let is_first = ptx.register(Kind::Truth);
        let q = [(); 2].map(|()| ptx.registers(Kind::Word));
        let of_set = if op.packed { piece::WORDS } else { OWN * WORDS };
        let keys = ptx.row(Kind::Word, SETS * of_set);
        let values = ptx.row(Kind::Word, SETS * of_set);
        let scales = ptx.row(Kind::Float, if op.packed { SETS * SCALES } else { 0 });
        let sums = ptx.row(Kind::Float, 8);
        let [greatest, total] = ptx.registers(Kind::Float);
        let choices = ptx.registers(Kind::Word);
        Writer {
            op,
            ptx,
            arrays,
            eighth,
            quarter,
            lane,
            key_piece,
            key,
            scored,
            scored_by,
            is_even,
            part,
            head,
            row,
            kv_head,
            start,
            from,
            to,
            ends_here,
            is_first,
            q,
            keys,
            values,
            scales,
            sums,
            greatest,
            total,
            choices,
        }
    }

    fn text(mut self) -> String {
        let arguments = self.arguments();
        for (register, name) in &arguments {
            ptx!(self.ptx, "ld.param.u64 {register}, [{name}]");
        }
        self.place();
        // Nothing is read before what was launched before has ended, should this begin early.
        ptx!(self.ptx, "griddepcontrol.wait");
        let asked = self.ask();
        self.range(asked.start, asked.count);
        self.begin();
        let turn = self.first_turn();
        // Angles leave their registers free for the first values.
        let own = self.take(asked);
        self.ask_for_values(&turn);
        self.advance(&turn);
        if let Some(own) = own {
            self.see_own(own);
        }
        self.see_all(&turn);
        self.finish();
        ptx!(self.ptx, "ret");
        let names = arguments.iter().map(|(_, name)| *name);
        self.ptx.warp_entry(NAME, names, Some(format!(".maxnreg {REGISTERS}")))
    }

    /// In the launch's order: what is read, then what is written.
    fn arguments(&self) -> Vec<(Register, &'static str)> {
        let Arrays { q, keys, values, table, start, count, angles, scales, own, written_scales, results } =
            &self.arrays;
        let mut all =
            vec![(*q, "q"), (*keys, "k"), (*values, "v"), (*table, "table"), (*start, "start"), (*count, "count")];
        all.extend(scales.iter().map(|scales| (*scales, "scales")));
        all.extend(angles.iter().flat_map(|[cos, sin]| [(*cos, "cos"), (*sin, "sin")]));
        all.extend(own.iter().flat_map(|own| [(own[0], "own_k"), (own[1], "own_v")]));
        all.extend(own.iter().flat_map(|own| [(own[2], "written_keys"), (own[3], "written_values")]));
        all.extend(written_scales.iter().map(|scales| (*scales, "written_scales")));
        let names: &[_] = if results.len() == 1 { &["out"] } else { &["sums", "greatest", "totals"] };
        all.into_iter().chain(results.iter().copied().zip(names.iter().copied())).collect()
    }

    /// Parts of a key head lie together, then key heads of a row.
    fn place(&mut self) {
        let (parts, kv_heads) = (self.op.parts(), self.op.kv_heads);
        let Writer { ptx, eighth, quarter, lane, key_piece, key, .. } = self;
        let program = ptx.register(Kind::Word);
        ptx!(ptx, "mov.u32 {lane}, %tid.x");
        ptx!(ptx, "mov.u32 {program}, %ctaid.x");
        ptx!(ptx, "shr.u32 {eighth}, {lane}, 2");
        ptx!(ptx, "and.b32 {quarter}, {lane}, 3");
        ptx!(ptx, "and.b32 {key_piece}, {lane}, 7");
        ptx!(ptx, "shr.u32 {key}, {lane}, 3");
        self.place_scores();
        let Writer { ptx, part, head, row, kv_head, .. } = self;
        divide(ptx, program, parts, [*head, *part]);
        divide(ptx, *head, kv_heads, [*row, *kv_head]);
    }

    /// A thread's columns are of what its row has if both are even or both are odd; there (g, t) and, of the same query, (g ^ 1, t ^ 1) have the parts of two scores.
    fn place_scores(&mut self) {
        let Writer { ptx, eighth, quarter, key, scored, scored_by, is_even, .. } = self;
        let [odd, even_column] = ptx.registers(Kind::Word);
        ptx!(ptx, "and.b32 {odd}, {eighth}, 1");
        ptx!(ptx, "setp.eq.u32 {is_even}, {odd}, 0");
        ptx!(ptx, "mad.lo.u32 {scored}, {odd}, {BETWEEN}, {key}");
        ptx!(ptx, "and.b32 {even_column}, {quarter}, 2");
        ptx!(ptx, "add.u32 {scored_by}, {even_column}, {odd}");
        ptx!(ptx, "mad.lo.u32 {scored_by}, {eighth}, 4, {scored_by}");
    }

    /// Which keys are the program's: as [`PagedAttention::part_of`] says.
    fn range(&mut self, start: Register, count: Register) {
        let (visible, parts) = (self.op.visible(), self.op.parts());
        let [end, length] = self.ptx.registers(Kind::Word);
        let [is_there, is_within] = self.ptx.registers(Kind::Truth);
        let Writer { ptx, part, from, to, ends_here, .. } = self;
        ptx!(ptx, "mov.b32 {}, {start}", self.start);
        ptx!(ptx, "add.u32 {end}, {start}, {count}");
        ptx!(ptx, "min.s32 {end}, {end}, {visible}");
        ptx!(ptx, "setp.gt.s32 {is_there}, {count}, 0");
        ptx!(ptx, "selp.b32 {end}, {end}, 0, {is_there}");
        ptx!(ptx, "mov.b32 {from}, 0");
        ptx!(ptx, "mov.b32 {to}, {end}");
        if parts > 1 {
            let all = parts * block(WIDTH);
            ptx!(ptx, "add.u32 {length}, {end}, {}", all - 1);
            ptx!(ptx, "div.u32 {length}, {length}, {all}");
            ptx!(ptx, "mul.lo.u32 {length}, {length}, {}", block(WIDTH));
            ptx!(ptx, "max.u32 {length}, {length}, {PART_MIN}");
            ptx!(ptx, "mul.lo.u32 {from}, {part}, {length}");
            ptx!(ptx, "add.u32 {to}, {from}, {length}");
            ptx!(ptx, "min.s32 {to}, {to}, {end}");
        }
        if self.arrays.own.is_some() {
            ptx!(ptx, "setp.lt.s32 {is_within}, {from}, {end}");
            ptx!(ptx, "setp.eq.and.s32 {is_within}, {to}, {end}, {is_within}");
            ptx!(ptx, "setp.lt.and.s32 {ends_here}, {start}, {visible}, {is_within}");
            ptx!(ptx, "min.s32 {to}, {to}, {start}");
        }
    }

    /// Loads a thread's two pieces of a row, so many bytes behind `from`; keeps what was there where not `is_there`.
    fn load(&mut self, from: Register, distance: usize, words: &[Register], is_there: Option<Register>) {
        let only = is_there.map_or(String::new(), |is_there| format!("@{is_there} "));
        for (half, piece) in HALVES.into_iter().zip(words.chunks(4)) {
            ptx!(self.ptx, "{only}ld.global.v4.b32 {}, [{from}+{}]", listed(piece), distance + half);
        }
    }

    /// Nothing has been seen.
    fn begin(&mut self) {
        let ptx = &mut self.ptx;
        for sum in self.sums.iter().chain([&self.total]) {
            ptx!(ptx, "mov.f32 {sum}, {}", bits(0.0));
        }
        ptx!(ptx, "mov.f32 {}, {}", self.greatest, bits(2.0 * BLIND));
        // What stands in registers for values that are not there is multiplied with 0; scores of keys that are not there are not looked at.
        for word in &self.values {
            ptx!(ptx, "mov.b32 {word}, 0");
        }
        for scale in &self.scales {
            ptx!(ptx, "mov.f32 {scale}, {}", bits(0.0));
        }
    }

    /// Where the number of a page of the row's text stands, and which of its tokens that at `position` is.
    fn in_table(&mut self, position: Register) -> (Register, Register) {
        let (at, [number, token]) = (self.ptx.register(Kind::Wide), self.ptx.registers(Kind::Word));
        let ptx = &mut self.ptx;
        divide(ptx, position, self.op.page_tokens, [number, token]);
        ptx!(ptx, "mad.lo.u32 {number}, {}, {}, {number}", self.row, self.op.seen_pages);
        ptx!(ptx, "mad.wide.u32 {at}, {number}, 4, {}", self.arrays.table);
        (at, token)
    }

    /// Bytes in front of the key of a `token` of a page.
    fn place_in_page(&mut self, place: Register, page: Register, token: Register) {
        let ptx = &mut self.ptx;
        let head = ptx.register(Kind::Word);
        ptx!(ptx, "mad.lo.u32 {head}, {page}, {}, {}", self.op.kv_heads, self.kv_head);
        let row = if self.op.packed { piece::ROW } else { ROW };
        ptx!(ptx, "mul.wide.u32 {place}, {head}, {}", self.op.page_tokens * row);
        ptx!(ptx, "mad.wide.u32 {place}, {token}, {row}, {place}");
    }
}

/// The quotient and the remainder, without a division where there need be none: the assembler makes none of them simpler.
fn divide(ptx: &mut Ptx, number: Register, by: usize, [quotient, remainder]: [Register; 2]) {
    if by.is_power_of_two() {
        ptx!(ptx, "shr.u32 {quotient}, {number}, {}", by.ilog2());
        ptx!(ptx, "and.b32 {remainder}, {number}, {}", by - 1);
    } else {
        ptx!(ptx, "div.u32 {quotient}, {number}, {by}");
        ptx!(ptx, "rem.u32 {remainder}, {number}, {by}");
    }
}

/// Bytes in front of a thread's pieces of a key or value, from its first.
const HALVES: [usize; 2] = [0, ROW / 2];

#[cfg(test)]
mod tests;
