//! Pieces of packed rows in registers.

use crate::packed_by_hand;
use crate::ptx::{Kind, Ptx, Register, ptx};

/// Bytes of a packed key or value.
pub(crate) const ROW: usize = 2 * super::HALVES;

/// Bytes that a thread loads at once.
pub(crate) const BYTES: usize = 16;

/// Words of a set of tokens that a thread has: three for each of four pieces.
pub(crate) const WORDS: usize = 12;

/// Bytes of a third of a set: four words of each thread.
pub(crate) const THIRD: usize = 32 * BYTES;

/// By what unpacked elements are too small, in both halves of a word.
pub(crate) const UNIT: &str = "0x77807780";

/// The four words of eight elements, which are too small by [`UNIT`] and their row's scale.
pub(crate) fn unpack(ptx: &mut Ptx, packed: [Register; 3]) -> [Register; 4] {
    let words: [Register; 4] = ptx.registers(Kind::Word);
    packed_by_hand::unpack(ptx, &packed, &words);
    words
}

/// The power of two of the greatest of elements, in f32's bits, of those of all threads that are so far from each other, too.
pub(crate) fn scale(ptx: &mut Ptx, words: &[Register], distances: [usize; 3]) -> Register {
    let [scale, power] = ptx.registers(Kind::Word);
    ptx!(ptx, "mov.b32 {scale}, 0");
    for word in words {
        ptx!(ptx, "and.b32 {power}, {word}, 0x7f800000");
        ptx!(ptx, "max.u32 {scale}, {scale}, {power}");
        ptx!(ptx, "shl.b32 {power}, {word}, 16");
        ptx!(ptx, "and.b32 {power}, {power}, 0x7f800000");
        ptx!(ptx, "max.u32 {scale}, {scale}, {power}");
    }
    for distance in distances {
        let other = power;
        ptx!(ptx, "shfl.sync.bfly.b32 {other}, {scale}, {distance}, 31, 0xffffffff");
        ptx!(ptx, "max.u32 {scale}, {scale}, {other}");
    }
    scale
}

/// Pieces of a row of that scale, four words each, in three each.
pub(crate) fn pack(ptx: &mut Ptx, pieces: &[Register], scale: Register) -> Vec<Register> {
    let factors = factors(ptx, scale);
    let mut packed = Vec::new();
    for piece in pieces.chunks(4) {
        let small: Vec<_> = piece.iter().map(|word| made_small(ptx, *word, factors)).collect();
        let fourth = small[3];
        for (word, (mask, shift)) in small.iter().zip([("0x07800780", 4), ("0x00780078", 8), ("0x00070007", 12)]) {
            let part = ptx.register(Kind::Word);
            ptx!(ptx, "and.b32 {part}, {fourth}, {mask}");
            ptx!(ptx, "shl.b32 {part}, {part}, {shift}");
            ptx!(ptx, "or.b32 {word}, {word}, {part}");
        }
        let sign = ptx.register(Kind::Word);
        ptx!(ptx, "and.b32 {sign}, {fourth}, 0x80008000");
        ptx!(ptx, "shr.u32 {sign}, {sign}, 4");
        ptx!(ptx, "or.b32 {}, {}, {sign}", small[2], small[2]);
        packed.extend_from_slice(&small[..3]);
    }
    packed
}

/// What elements are multiplied with: 2^(15 - top), with top counted from the least exponent, as two normal numbers.
fn factors(ptx: &mut Ptx, scale: Register) -> [Register; 2] {
    let [power, half] = ptx.registers(Kind::Word);
    ptx!(ptx, "shr.u32 {power}, {scale}, 23");
    ptx!(ptx, "sub.u32 {power}, {power}, 15");
    ptx!(ptx, "shr.s32 {half}, {power}, 1");
    ptx!(ptx, "sub.u32 {power}, {power}, {half}");
    [half, power].map(|power| {
        let (bits, factor) = (ptx.register(Kind::Word), ptx.register(Kind::Float));
        ptx!(ptx, "sub.u32 {bits}, 127, {power}");
        ptx!(ptx, "shl.b32 {bits}, {bits}, 23");
        ptx!(ptx, "mov.b32 {factor}, {bits}");
        factor
    })
}

/// Two elements times both factors, which leaves four bits of exponent.
fn made_small(ptx: &mut Ptx, word: Register, factors: [Register; 2]) -> Register {
    let [low, high] = ptx.registers(Kind::Float);
    let [part, small] = ptx.registers(Kind::Word);
    ptx!(ptx, "shl.b32 {part}, {word}, 16");
    ptx!(ptx, "mov.b32 {low}, {part}");
    ptx!(ptx, "and.b32 {part}, {word}, 0xffff0000");
    ptx!(ptx, "mov.b32 {high}, {part}");
    for number in [low, high] {
        for factor in factors {
            ptx!(ptx, "mul.f32 {number}, {number}, {factor}");
        }
    }
    ptx!(ptx, "cvt.rn.bf16x2.f32 {small}, {high}, {low}");
    small
}
