//! Weights in 12 bits where bf16 takes 16: what generation takes is reading them, and of eight bits of exponent those of a row use few.
//!
//! An element of a row whose largest exponent is t has its sign, seven bits of mantissa, and four of exponent: 1 to 15 stand for t - 14 to t, and 0 for what is
//! smaller, as in a float of its own: a multiple of 2^-21 of the row's scale, 2^t. So an element of at least 2^-14 of its row's largest power of two is kept as it
//! is, bit by bit, and of a smaller one what is below 2^-21 is lost: [`PackedWeight::loss`] says how much that is of a row.
//!
//! Three words of 16 bits hold four elements: one each, at its bf16's places for sign, last four bits of exponent, and mantissa; and in the places of the other four
//! bits of exponent those of the fourth: its exponent, then four bits of mantissa, then the other three and its sign. They lie in blocks of 32 outputs and 128 inputs:
//! three planes, one for each of the three words, of a row of 32 for each output. Word j of plane p is of the block's input 32 p + j, and the fourth is input 96 + j.

use graph::{Axis, DType, Tensor};

/// Outputs of a block.
pub(crate) const BLOCK_OUTPUTS: usize = 32;

/// Inputs of a block.
pub(crate) const BLOCK_INPUTS: usize = 128;

/// Words of an output in a plane of a block.
pub(crate) const ROW: usize = BLOCK_INPUTS / 4;

/// Words of a plane of a block, and of a block.
pub(crate) const PLANE: usize = BLOCK_OUTPUTS * ROW;
pub(crate) const BLOCK: usize = 3 * PLANE;

/// An element, as a multiple of its row's scale: of one word its own, of three the fourth that they share.
pub(crate) fn unpacked(words: &[u16]) -> f64 {
    let bits = match words {
        [first, second, third] => {
            (first >> 4 & 0x0780) | (second >> 8 & 0x0078) | (third >> 12 & 0x0007) | (third << 4 & 0x8000)
        }
        words => words[0] & OWN,
    };
    let (exponent, mantissa) = (i32::from(bits >> 7 & 15), f64::from(bits & 127));
    let magnitude = match exponent {
        0 => mantissa * (-SMALLEST).exp2(),
        exponent => (1.0 + mantissa / 128.0) * f64::from(exponent - 15).exp2(),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// The same by instructions of NVIDIA's, of two elements at once.
pub(crate) fn ptx(words: usize) -> String {
    // With exponents from 0 on, times 2^112 and minus 0: exact, whose numbers below the normal ones are none any more.
    const TO_SCALE: &str = "mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z;";
    if words == 1 {
        return format!("{{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; {TO_SCALE} }}");
    }
    // A bit of the result is that of the first and the second, or of the third.
    let and_or = |mask: &str| format!("lop3.b32 t, u, {mask}, t, 0xea;");
    format!(
        "{{ .reg .b32 t, u, c, z; shr.b32 t, $1, 4; and.b32 t, t, 0x07800780; shr.b32 u, $2, 8; {} shr.b32 u, $3, 12; {} shl.b32 u, $3, 4; {} {TO_SCALE} }}",
        and_or("0x00780078"),
        and_or("0x00070007"),
        and_or("0x80008000")
    )
}

/// Where a word has its own element's sign, exponent and mantissa.
pub(crate) const OWN: u16 = 0x87ff;

/// How often 2 goes into the unit of the smallest elements, with a row's scale as 1.
const SMALLEST: f64 = 21.0;

/// A weight (output, input), packed.
#[derive(Clone, Copy)]
pub struct PackedWeight<'g> {
    /// U16 (tile, word): the blocks, those of 32 outputs one behind the other.
    pub words: Tensor<'g>,
    /// f32 (output): what a row's elements are multiples of.
    pub scales: Tensor<'g>,
}

/// A weight (output, input), and perhaps the same packed.
#[derive(Clone, Copy)]
pub struct Weight<'g> {
    /// As it is.
    pub plain: Tensor<'g>,
    /// In twelve bits.
    pub packed: Option<PackedWeight<'g>>,
}

impl<'g> From<Tensor<'g>> for Weight<'g> {
    fn from(plain: Tensor<'g>) -> Weight<'g> {
        Weight { plain, packed: None }
    }
}

impl PackedWeight<'_> {
    /// The most vectors with which products of packed weights are faster than those of others.
    pub const VECTORS_MAX: usize = 16;

    /// Whether a weight of such sizes can be packed: in whole blocks.
    pub fn holds(output: usize, input: usize, dtype: DType) -> bool {
        dtype == DType::BF16 && output.is_multiple_of(BLOCK_OUTPUTS) && input.is_multiple_of(BLOCK_INPUTS)
    }

    /// The axes of the words of a weight.
    pub fn axes(output: usize, input: usize) -> [Axis; 2] {
        [Axis::new("tile", output / BLOCK_OUTPUTS), Axis::new("word", input / BLOCK_INPUTS * BLOCK)]
    }

    /// The words of a weight (output, input), whatever its axes are called.
    pub fn words<'g>(weight: Tensor<'g>) -> Tensor<'g> {
        let Elements { sign, exponent, kept, .. } = Elements::of(weight);
        let bits = sign.or(exponent.shift_left(7.0)).or(kept);
        let [output, input] = [OUTPUT, INPUT].map(|name| bits.axis(name).size);
        let blocks = Axis::new("block", input / BLOCK_INPUTS);
        let bits = bits.split(INPUT, &[blocks, Axis::new("plane", 4), Axis::new("place", ROW)]);
        let own = bits.slice("plane", 0, 3);
        let fourth = bits.slice("plane", 3, 1);
        let parts = [
            fourth.and(f64::from(0x0780)).shift_left(4.0),
            fourth.and(f64::from(0x0078)).shift_left(8.0),
            fourth.and(f64::from(0x0007)).shift_left(12.0).or(fourth.and(f64::from(0x8000)).shift_right(4.0)),
        ];
        let words = own.or(Tensor::concat(&parts, "plane"));
        let [tile, word] = PackedWeight::axes(output, input);
        let words = words.split(OUTPUT, &[tile, Axis::new("own", BLOCK_OUTPUTS)]);
        let words = words.transpose(&[tile.name, "block", "plane", "own", "place"]);
        words.merge(&["block", "plane", "own", "place"], word.name).cast(DType::U16)
    }

    /// What the elements of each row of a weight (output, input) are multiples of.
    pub fn scales<'g>(weight: Tensor<'g>) -> Tensor<'g> {
        // A row of zeros has 0 here, whose f32 is 0 too.
        Elements::of(weight).top.cast(DType::U32).shift_left(23.0).bitcast(DType::F32)
    }

    /// The largest part that is lost of the sum of a row's absolute values but for the greatest, whose input may be 0: f32 without axes, infinite or NaN if an element is no number. A row whose sum
    /// is less than 2^-12 of the largest row's counts as having that.
    pub fn loss<'g>(weight: Tensor<'g>) -> Tensor<'g> {
        let Elements { top, lost, magnitude, .. } = Elements::of(weight);
        let is_greatest = magnitude.equals(magnitude.max(&[INPUT]));
        let others = (!is_greatest).select(magnitude, 0.0);
        let [lost, others] = [lost, others].map(|x| x.sum(&[INPUT]));
        let least = others.max(&[OUTPUT]) * 0.5_f64.powi(12);
        // Where nothing is lost there may be nothing.
        let part = lost.equals(0.0).select(lost, lost / others.maximum(least));
        let is_number = top.less(255.0);
        is_number.select(part, f64::INFINITY).max(&[OUTPUT])
    }
}

impl<'g> PackedWeight<'g> {
    /// The weight as the words and scales say, f32 (output, input).
    pub fn restored(self) -> Tensor<'g> {
        let tile = self.words.axes()[0];
        let blocks = Axis::new("block", self.words.axes()[1].size / BLOCK);
        let inner = [Axis::new("plane", 3), Axis::new("own", BLOCK_OUTPUTS), Axis::new("place", ROW)];
        let words = self.words.cast(DType::I32).split("word", &[&[blocks], &inner[..]].concat());
        let own = words.and(f64::from(OWN));
        let plane = |number| words.slice("plane", number, 1);
        let fourth = plane(0).shift_right(4.0).and(f64::from(0x0780));
        let fourth = fourth.or(plane(1).shift_right(8.0).and(f64::from(0x0078)));
        let fourth = fourth.or(plane(2).shift_right(12.0).and(f64::from(0x0007)));
        let fourth = fourth.or(plane(2).shift_left(4.0).and(f64::from(0x8000)));
        let bits = Tensor::concat(&[own, fourth], "plane").transpose(&[tile.name, "own", "block", "plane", "place"]);
        let bits = bits.merge(&[tile.name, "own"], OUTPUT).merge(&["block", "plane", "place"], INPUT);
        let (exponent, mantissa) = (bits.shift_right(7.0).and(15.0), bits.and(127.0));
        let normal = (exponent + 112.0).shift_left(23.0).or(mantissa.shift_left(16.0)).bitcast(DType::F32);
        let small = mantissa.cast(DType::F32) * 0.5_f64.powf(SMALLEST);
        let magnitude = exponent.equals(0.0).select(small, normal);
        let is_negative = bits.and(f64::from(0x8000)).not_equals(0.0);
        let scales = self.scales.rename(self.scales.axes()[0].name, OUTPUT);
        is_negative.select(-magnitude, magnitude) * scales
    }
}

/// A weight's elements in parts, i32 (output, input) but for what is lost, and their magnitudes, in f32.
struct Elements<'g> {
    /// At its place in bf16.
    sign: Tensor<'g>,
    /// Four bits.
    exponent: Tensor<'g>,
    /// Seven bits of mantissa.
    kept: Tensor<'g>,
    /// The largest exponent of each row, as bf16 has it.
    top: Tensor<'g>,
    lost: Tensor<'g>,
    magnitude: Tensor<'g>,
}

impl<'g> Elements<'g> {
    fn of(weight: Tensor<'g>) -> Elements<'g> {
        let [output, input] = [0, 1].map(|place| weight.axes()[place].name);
        let weight = weight.rename(output, OUTPUT).rename(input, INPUT);
        let bits = weight.bitcast(DType::U16).cast(DType::I32);
        let sign = bits.and(f64::from(0x8000));
        let own = bits.shift_right(7.0).and(255.0);
        let mantissa = bits.and(127.0);
        let top = own.max(&[INPUT]);
        let exponent = own - top + 15.0;
        let is_small = exponent.less_equal(0.0);
        // By more than eight places nothing is left.
        let places = (exponent.minimum(1.0) * -1.0 + 1.0).minimum(8.0);
        let whole = mantissa + 128.0;
        let cut = whole.shift_right(places);
        // bf16's own smallest numbers, below 2^-126, are as nothing.
        let is_nothing = own.equals(0.0);
        let kept = is_nothing.select(own, is_small.select(cut, mantissa));
        let exponent = is_nothing.select(own, exponent.maximum(0.0));
        let magnitude = weight.cast(DType::F32).abs();
        let part = (whole - cut.shift_left(places)).cast(DType::F32) / whole.cast(DType::F32);
        let lost = is_small.select(magnitude * part, 0.0);
        let lost = is_nothing.select(magnitude, lost);
        Elements { sign, exponent, kept, top, lost, magnitude }
    }
}

const OUTPUT: &str = "packed_output";
const INPUT: &str = "packed_input";
