//! Weights in 12 bits where bf16 takes 16: what generation takes is reading them, and of eight bits of exponent those of a row use few.
//!
//! An element of a row whose largest exponent is t has its sign, seven bits of mantissa, and four of exponent: 1 to 15 stand for t - 14 to t, and 0 for what is
//! smaller, as in a float of its own: a multiple of 2^-21 of the row's scale, 2^t. So an element of at least 2^-14 of its row's largest power of two is kept as it
//! is, bit by bit, and of a smaller one what is below 2^-21 is lost: [`PackedWeight::loss`] says how much that is of a row.
//!
//! Three words of 16 bits hold four elements: one each, at its bf16's places for sign, last four bits of exponent, and mantissa; and in the places of the other four
//! bits of exponent those of the fourth: its exponent, then four bits of mantissa, then the other three and its sign.
//!
//! They lie as the threads of [`crate::PackedProduct`] multiply them, in blocks of 64 outputs and 64 inputs: sixteen outputs for each of four warps, of which the pairs
//! 2 g and 2 g + 1 are those of four threads each, and four steps of sixteen inputs, of which a thread has 2 t, 2 t + 1, 2 t + 8 and 2 t + 9. So it has eight elements
//! of a step: in three registers of two words, one of each of its two inputs behind each other, those of the first output, of the second, and of the first eight inputs
//! further on, and with them the fourth, of the second output there. A block has the first four registers of each thread, then the next four, then the last.

use graph::{Axis, DType, Tensor};

/// Outputs of a block.
pub(crate) const BLOCK_OUTPUTS: usize = 64;

/// Inputs of a block.
pub(crate) const BLOCK_INPUTS: usize = 64;

/// Words of a block.
pub(crate) const BLOCK: usize = BLOCK_OUTPUTS * BLOCK_INPUTS / 4 * 3;

/// Where a word has its own element's sign, exponent and mantissa.
pub(crate) const OWN: u16 = 0x87ff;

/// How often 2 goes into the unit of the smallest elements, with a row's scale as 1.
pub(crate) const SMALLEST: f64 = 21.0;

/// A weight (output, input), packed.
#[derive(Clone, Copy)]
pub struct PackedWeight<'g> {
    /// U16 (tile, word): the blocks, those of 64 outputs one behind the other.
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
    pub const VECTORS_MAX: usize = 128;

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
        let [tile, word] = PackedWeight::axes(output, input);
        let bits = bits.split(OUTPUT, &[&[tile], &OUTPUTS[..]].concat());
        let bits = bits.split(INPUT, &[&[Axis::new("block", input / BLOCK_INPUTS)], &INPUTS[..]].concat());
        let of = |output, eight| bits.slice("output", output, 1).slice("eight", eight, 1);
        let fourth = of(1, 1);
        let parts = [
            of(0, 0).or(fourth.and(f64::from(0x0780)).shift_left(4.0)),
            of(1, 0).or(fourth.and(f64::from(0x0078)).shift_left(8.0)),
            of(0, 1)
                .or(fourth.and(f64::from(0x0007)).shift_left(12.0))
                .or(fourth.and(f64::from(0x8000)).shift_right(4.0)),
        ];
        let parts = Tensor::concat(&parts, "output");
        let registers =
            parts.transpose(&[tile.name, "block", "step", "output", "eight", "warp", "pair", "quad", "input"]);
        let registers = registers.merge(&["step", "output", "eight"], "register").split("register", &REGISTERS);
        let words = registers.transpose(&[tile.name, "block", "four", "warp", "pair", "quad", "register", "input"]);
        words.merge(&["block", "four", "warp", "pair", "quad", "register", "input"], word.name).cast(DType::U16)
    }

    /// One weight of two of which each output of the first gates the same one of the second: the outputs of both in turn.
    pub fn in_turn<'g>([gate, up]: [Tensor<'g>; 2]) -> Tensor<'g> {
        let [output, input] = [0, 1].map(|place| gate.axes()[place].name);
        let own = gate.axes()[0].size;
        let named = |weight: Tensor<'g>| {
            let [its_output, its_input] = [0, 1].map(|place| weight.axes()[place].name);
            let weight = weight.rename(its_output, "gated").rename(its_input, INPUT);
            weight.split("gated", &[Axis::new("gated", own), Axis::new("turn", 1)])
        };
        let both = Tensor::concat(&[gate, up].map(named), "turn");
        both.merge(&["gated", "turn"], OUTPUT).rename(OUTPUT, output).rename(INPUT, input)
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
        let threads = [Axis::new("warp", 4), Axis::new("pair", 8), Axis::new("quad", 4)];
        let [four, register] = REGISTERS;
        let inner = [&[blocks, four], &threads[..], &[register, Axis::new("input", 2)]].concat();
        let words = self.words.cast(DType::I32).split("word", &inner);
        let registers = words.transpose(&[tile.name, "block", "four", "register", "warp", "pair", "quad", "input"]);
        let parts =
            registers.merge(&["four", "register"], "part").split("part", &[Axis::new("step", 4), Axis::new("part", 3)]);
        let bits = four_of_three(parts).split("part", &[Axis::new("eight", 2), Axis::new("output", 2)]);
        let bits = bits.transpose(&[tile.name, "warp", "pair", "output", "block", "step", "eight", "quad", "input"]);
        let bits = bits.merge(&[tile.name, "warp", "pair", "output"], OUTPUT);
        let bits = bits.merge(&["block", "step", "eight", "quad", "input"], INPUT);
        let scales = self.scales.rename(self.scales.axes()[0].name, OUTPUT);
        multiples(bits) * scales
    }
}

/// Of each three words, i32 (…, part), those of four elements.
pub(crate) fn four_of_three(parts: Tensor<'_>) -> Tensor<'_> {
    let own = parts.and(f64::from(OWN));
    let part = |number| parts.slice("part", number, 1);
    let fourth = part(0).shift_right(4.0).and(f64::from(0x0780));
    let fourth = fourth.or(part(1).shift_right(8.0).and(f64::from(0x0078)));
    let fourth = fourth.or(part(2).shift_right(12.0).and(f64::from(0x0007)));
    let fourth = fourth.or(part(2).shift_left(4.0).and(f64::from(0x8000)));
    Tensor::concat(&[own, fourth], "part")
}

/// What multiples of a row's scale such words are, f32.
pub(crate) fn multiples(bits: Tensor<'_>) -> Tensor<'_> {
    let (exponent, mantissa) = (bits.shift_right(7.0).and(15.0), bits.and(127.0));
    let normal = (exponent + 112.0).shift_left(23.0).or(mantissa.shift_left(16.0)).bitcast(DType::F32);
    let small = mantissa.cast(DType::F32) * 0.5_f64.powf(SMALLEST);
    let magnitude = exponent.equals(0.0).select(small, normal);
    let is_negative = bits.and(f64::from(0x8000)).not_equals(0.0);
    is_negative.select(-magnitude, magnitude)
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

/// What the outputs of a tile are, and the inputs of a block.
const OUTPUTS: [Axis; 3] = [Axis::new("warp", 4), Axis::new("pair", 8), Axis::new("output", 2)];
const INPUTS: [Axis; 4] = [Axis::new("step", 4), Axis::new("eight", 2), Axis::new("quad", 4), Axis::new("input", 2)];

/// The registers of a thread, of which four lie together.
const REGISTERS: [Axis; 2] = [Axis::new("four", 3), Axis::new("register", 4)];

const OUTPUT: &str = "packed_output";
const INPUT: &str = "packed_input";
