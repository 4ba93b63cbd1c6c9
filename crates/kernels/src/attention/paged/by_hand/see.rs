//! What is made of keys and values.

use std::f64::consts::LOG2_E;

use super::{ABOVE, BETWEEN, KEYS, OWN, PIECE, ROW, SET, SETS, WORDS, Writer, bits};
use crate::attention::scores::HIDDEN;
use crate::ptx::{Kind, Ptx, Register, listed, ptx};

/// What the loop over keys keeps.
pub(super) struct Turn {
    /// Which keys are scored and added.
    position: Register,
    /// Those that are asked for: where they stand in the text and in their page, where that page's number stands, and it; and bytes in front of them in all pages.
    pub(super) next: Register,
    pub(super) token: Register,
    at: Register,
    pub(super) page: Register,
    pub(super) place: Register,
    /// Bytes in front of the thread's pieces of the first key and value of all pages.
    of_keys: Register,
    of_values: Register,
    /// Where keys end, counted from where the thread's own begin: of those that it has parts of, and values of, and the scores of.
    keys_end: Register,
    values_end: Register,
    pub(super) scored_end: Register,
    more: Register,
}

impl Writer<'_> {
    /// Goes through the keys in front of the token. The next ones are asked for where these are scored, and the next values where these are added.
    pub(super) fn see_all(&mut self, turn: &Turn) {
        let Turn { position, more, .. } = *turn;
        let (again, seen) = (self.ptx.fresh("SEE"), self.ptx.fresh("SEEN_ALL"));
        ptx!(self.ptx, "setp.lt.s32 {more}, {position}, {}", self.to);
        ptx!(self.ptx, "@!{more} bra {seen}");
        self.ptx.label(&again);
        let keys = self.keys.clone();
        let sets = keys.chunks(keys.len() / SETS).map(|set| set.split_at(set.len() / OWN));
        let scores: Vec<_> = sets.map(|(first, second)| self.score([first, second])).collect();
        self.scale_scores(&scores);
        let are_there: [Register; SETS] = self.are_below(position, turn.scored_end, SET);
        self.ask_for_keys(turn);
        let of_weights = self.of_weights();
        let weights = self.weights(&scores, &are_there, &of_weights);
        let values = self.values.clone();
        self.add(&weights, &values);
        self.ask_for_values(turn);
        self.ask_for_scales(turn);
        self.advance(turn);
        ptx!(self.ptx, "setp.lt.s32 {more}, {position}, {}", self.to);
        ptx!(self.ptx, "@{more} bra {again}");
        self.ptx.label(&seen);
    }

    /// Asks for the first keys.
    pub(super) fn first_turn(&mut self) -> Turn {
        let ptx = &mut self.ptx;
        let [position, next, page] = ptx.registers(Kind::Word);
        let [keys_end, values_end, scored_end] = [self.key, self.quarter, self.scored].map(|first| {
            let end = ptx.register(Kind::Word);
            ptx!(ptx, "sub.u32 {end}, {}, {first}", self.to);
            end
        });
        let (place, [of_keys, of_values]) = (ptx.register(Kind::Wide), ptx.registers(Kind::Word));
        let more = ptx.register(Kind::Truth);
        for (of_all, piece, row) in [(of_keys, self.key_piece, self.key), (of_values, self.eighth, self.quarter)] {
            if self.op.packed {
                ptx!(ptx, "mul.lo.u32 {of_all}, {}, {PIECE}", self.lane);
            } else {
                ptx!(ptx, "mul.lo.u32 {of_all}, {piece}, {PIECE}");
                ptx!(ptx, "mad.lo.u32 {of_all}, {row}, {ROW}, {of_all}");
            }
        }
        ptx!(ptx, "mov.b32 {next}, {}", self.from);
        let (at, token) = self.in_table(self.from);
        ptx!(self.ptx, "setp.lt.s32 {more}, {}, {}", self.from, self.to);
        ptx!(self.ptx, "@{more} ld.global.u32 {page}, [{at}]");
        let turn =
            Turn { position, next, token, at, page, place, of_keys, of_values, keys_end, values_end, scored_end, more };
        self.ask_for_keys(&turn);
        self.ask_for_scales(&turn);
        turn
    }

    /// What was asked for is what is scored and added next, and what is behind it is asked for: in the page behind, if that ends.
    pub(super) fn advance(&mut self, turn: &Turn) {
        let Turn { position, next, token, at, page, .. } = *turn;
        let ptx = &mut self.ptx;
        let is_new = ptx.register(Kind::Truth);
        ptx!(ptx, "mov.b32 {position}, {next}");
        ptx!(ptx, "add.u32 {next}, {next}, {KEYS}");
        ptx!(ptx, "add.u32 {token}, {token}, {KEYS}");
        ptx!(ptx, "setp.eq.u32 {is_new}, {token}, {}", self.op.page_tokens);
        ptx!(ptx, "@{is_new} mov.b32 {token}, 0");
        ptx!(ptx, "@{is_new} add.u64 {at}, {at}, 4");
        ptx!(ptx, "setp.lt.and.s32 {is_new}, {next}, {}, {is_new}", self.to);
        ptx!(ptx, "@{is_new} ld.global.u32 {page}, [{at}]");
    }

    /// Keys, which may be behind all; their place in the page is for the values, too.
    fn ask_for_keys(&mut self, turn: &Turn) {
        let Turn { token, page, place, .. } = *turn;
        self.place_in_page(place, page, token);
        let keys = self.keys.clone();
        self.ask_for_each(turn, [self.arrays.keys, turn.of_keys], turn.keys_end, &keys);
        // Else the assembler asks for them behind the vote on weights.
        ptx!(self.ptx, "bar.warp.sync 0xffffffff");
    }

    /// Their values.
    pub(super) fn ask_for_values(&mut self, turn: &Turn) {
        let values = self.values.clone();
        self.ask_for_each(turn, [self.arrays.values, turn.of_values], turn.values_end, &values);
    }

    /// The thread's pieces of keys or values that are there.
    fn ask_for_each(&mut self, turn: &Turn, [all, own]: [Register; 2], end: Register, words: &[Register]) {
        let [first, at] = self.ptx.registers(Kind::Wide);
        ptx!(self.ptx, "add.u64 {first}, {all}, {}", turn.place);
        ptx!(self.ptx, "cvt.u64.u32 {at}, {own}");
        ptx!(self.ptx, "add.u64 {at}, {at}, {first}");
        if self.op.packed {
            return self.ask_for_packed(turn, at, words);
        }
        let are_there: [Register; SETS * OWN] = self.are_below(turn.next, end, BETWEEN);
        for (number, (words, is_there)) in words.chunks(WORDS).zip(are_there).enumerate() {
            self.load(at, number * BETWEEN * ROW, words, Some(is_there));
        }
    }

    /// Of places that are so far behind each other, whether they are in front of an end.
    pub(super) fn are_below<const N: usize>(
        &mut self,
        first: Register,
        end: Register,
        between: usize,
    ) -> [Register; N] {
        let are: [Register; N] = self.ptx.registers(Kind::Truth);
        let ptx = &mut self.ptx;
        for (number, is_below) in are.iter().enumerate() {
            let place = ptx.register(Kind::Word);
            ptx!(ptx, "add.u32 {place}, {first}, {}", number * between);
            ptx!(ptx, "setp.lt.s32 {is_below}, {place}, {end}");
        }
        are
    }

    /// The score of one key of a set, of which the thread has a part of two: of the first, if its row is even, or of the second.
    pub(super) fn score(&mut self, keys: [&[Register]; OWN]) -> Register {
        let parts = keys.map(|key| self.part_of_score(key));
        let [own, given, other, sum, score] = self.ptx.registers(Kind::Float);
        let ptx = &mut self.ptx;
        ptx!(ptx, "selp.f32 {own}, {}, {}, {}", parts[0], parts[1], self.is_even);
        ptx!(ptx, "selp.f32 {given}, {}, {}, {}", parts[1], parts[0], self.is_even);
        ptx!(ptx, "shfl.sync.bfly.b32 {other}, {given}, 5, 31, 0xffffffff");
        ptx!(ptx, "add.f32 {sum}, {own}, {other}");
        ptx!(ptx, "shfl.sync.idx.b32 {score}, {sum}, {}, 31, 0xffffffff", self.scored_by);
        score
    }

    /// What the pieces of a key that the thread's row has add to its score, if the thread's columns are of such pieces.
    fn part_of_score(&mut self, key: &[Register]) -> Register {
        let (sums, part) = (self.ptx.row(Kind::Float, 4), self.ptx.register(Kind::Float));
        for sum in &sums {
            ptx!(self.ptx, "mov.f32 {sum}, {}", bits(0.0));
        }
        for (piece, right) in key.chunks(key.len() / 2).zip(self.q) {
            let piece = self.unpacked(piece);
            multiply(&mut self.ptx, &sums, &piece, right);
        }
        ptx!(self.ptx, "add.f32 {part}, {}, {}", sums[0], sums[3]);
        part
    }

    /// Makes weights of the scores of keys that are there, adds them up, and gives them, times factors if there are some, as right factors of the values of the keys t and t + 4 of each set.
    pub(super) fn weights(
        &mut self,
        scores: &[Register],
        are_there: &[Register],
        factors: &[Vec<String>],
    ) -> Vec<[Register; 2]> {
        let factor = self.op.scale * LOG2_E * self.of_scores();
        let (ptx, greatest) = (&mut self.ptx, self.greatest);
        let show = |(score, is_there): (&Register, &Register)| {
            let shown = ptx.register(Kind::Float);
            ptx!(ptx, "selp.f32 {shown}, {score}, {}, {is_there}", bits(HIDDEN / factor));
            shown
        };
        let shown: Vec<_> = scores.iter().zip(are_there).map(show).collect();
        let [most, limit] = ptx.registers(Kind::Float);
        let [is_above, are_above] = ptx.registers(Kind::Truth);
        let stays = ptx.fresh("STAYS");
        ptx!(ptx, "mov.f32 {most}, {}", shown[0]);
        for score in &shown[1..] {
            ptx!(ptx, "max.f32 {most}, {most}, {score}");
        }
        ptx!(ptx, "mul.f32 {most}, {most}, {}", bits(factor));
        ptx!(ptx, "add.f32 {limit}, {greatest}, {}", bits(ABOVE));
        ptx!(ptx, "setp.gt.f32 {is_above}, {most}, {limit}");
        ptx!(ptx, "vote.sync.any.pred {are_above}, {is_above}, 0xffffffff");
        ptx!(ptx, "@!{are_above} bra {stays}");
        self.raise(most);
        self.ptx.label(&stays);
        let ptx = &mut self.ptx;
        let minus = ptx.register(Kind::Float);
        ptx!(ptx, "neg.f32 {minus}, {greatest}");
        let mut weights = Vec::new();
        for (score, factors) in shown.into_iter().zip(factors) {
            let [weight, pair, turned] = [Kind::Float, Kind::Word, Kind::Word].map(|kind| ptx.register(kind));
            ptx!(ptx, "fma.rn.f32 {weight}, {score}, {}, {minus}", bits(factor));
            ptx!(ptx, "ex2.approx.ftz.f32 {weight}, {weight}");
            ptx!(ptx, "add.f32 {}, {}, {weight}", self.total, self.total);
            for times in factors {
                ptx!(ptx, "mul.f32 {weight}, {weight}, {times}");
            }
            ptx!(ptx, "cvt.rn.bf16x2.f32 {pair}, {weight}, {weight}");
            ptx!(ptx, "movmatrix.sync.aligned.m8n8.trans.b16 {turned}, {pair}");
            // The first of two keys' weights is below.
            let second = ptx.register(Kind::Word);
            ptx!(ptx, "shr.u32 {second}, {turned}, 16");
            for weight in [turned, second] {
                weights.push(self.choices.map(|choice| {
                    let chosen = ptx.register(Kind::Word);
                    ptx!(ptx, "prmt.b32 {chosen}, {weight}, 0, {choice}");
                    chosen
                }));
            }
        }
        weights
    }

    /// Takes the greatest exponent of all keys of these columns, and makes what was seen smaller by that.
    fn raise(&mut self, most: Register) {
        let ptx = &mut self.ptx;
        let (other, shrink, greatest) = (ptx.register(Kind::Float), ptx.register(Kind::Float), self.greatest);
        ptx!(ptx, "max.f32 {most}, {most}, {greatest}");
        for distance in [4, 8, 16] {
            ptx!(ptx, "shfl.sync.bfly.b32 {other}, {most}, {distance}, 31, 0xffffffff");
            ptx!(ptx, "max.f32 {most}, {most}, {other}");
        }
        ptx!(ptx, "sub.f32 {shrink}, {greatest}, {most}");
        ptx!(ptx, "ex2.approx.ftz.f32 {shrink}, {shrink}");
        ptx!(ptx, "mov.f32 {greatest}, {most}");
        for sum in self.sums.iter().chain([&self.total]) {
            ptx!(ptx, "mul.f32 {sum}, {sum}, {shrink}");
        }
    }

    /// Adds values, two pieces of a key for each right factor.
    pub(super) fn add(&mut self, weights: &[[Register; 2]], values: &[Register]) {
        let (sums, of_key) = (self.sums.clone(), values.len() / weights.len());
        for (right, value) in weights.iter().zip(values.chunks(of_key)) {
            for (sums, piece) in sums.chunks(4).zip(value.chunks(of_key / 2)) {
                let piece = self.unpacked(piece);
                multiply(&mut self.ptx, sums, &piece, *right);
            }
        }
    }
}

fn multiply(ptx: &mut Ptx, sums: &[Register], left: &[Register], right: [Register; 2]) {
    let sums = listed(sums);
    let (left, right) = (listed(left), listed(&right));
    ptx!(ptx, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {sums}, {left}, {right}, {sums}");
}
