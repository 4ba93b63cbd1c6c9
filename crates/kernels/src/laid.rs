//! Vectors as packed products copy them in one piece: blocks of 64 elements of all vectors, as they stand in shared memory.

use graph::{Axis, HostTensor, Tensor};

use crate::Value;
use crate::packed_weight::BLOCK_INPUTS;

/// Where elements of so many vectors of such a length are when they are laid out: a block of 64 elements of each of them behind the one before, and of each vector eight
/// pieces of eight elements, the piece p of the row r in the place p ^ (r % 8), which is the swizzle of 128 bytes that `wgmma` reads.
#[derive(Clone, Copy)]
pub(crate) struct Laid {
    pub(crate) rows: usize,
    /// Elements of each, a multiple of 64.
    pub(crate) inputs: usize,
}

/// Elements of a piece, pieces of a row of a block, and rows until pieces are in the same places again.
const PIECE: usize = 8;
const PIECES: usize = BLOCK_INPUTS / PIECE;
const TURN: usize = 8;

impl Laid {
    /// The fewest rows that are worth it: with vectors for gate and up and for down laid out, whole layers of 7B over and over took an H200 218.4 us in place of 218.6 for
    /// 64 texts, and 352.8 in place of 355.3 for 128 (2026-11-30); between these nothing was timed.
    const ROWS_MIN: usize = 65;

    /// Whether such vectors are laid out where they can be.
    pub(crate) fn serves(self) -> bool {
        self.rows >= Laid::ROWS_MIN && self.inputs.is_multiple_of(BLOCK_INPUTS)
    }

    /// With `rows` in place of the axes that they are over.
    pub(crate) fn axes(self, rows: &[Axis]) -> Vec<Axis> {
        let (block, element) = (Axis::new("block", self.inputs / BLOCK_INPUTS), Axis::new("element", BLOCK_INPUTS));
        std::iter::once(block).chain(rows.iter().copied()).chain([element]).collect()
    }

    /// The place of an element of its row and its number in the vector, whose shapes broadcast.
    pub(crate) fn place<'k>(self, row: Value<'k>, input: Value<'k>) -> Value<'k> {
        let (block, within) = (input / BLOCK_INPUTS, input % BLOCK_INPUTS);
        let piece = (row % TURN).xor(within / PIECE);
        (block * self.rows + row) * BLOCK_INPUTS + piece * PIECE + within % PIECE
    }

    /// The same vectors (row, input) laid out.
    pub(crate) fn lay<'g>(self, x: Tensor<'g>) -> Tensor<'g> {
        let [block, piece, within] = self.parts();
        let x = x.split("input", &[block, piece, within]);
        self.exchanged(x).transpose(&["block", "row", "piece", "within"]).merge(&["piece", "within"], "element")
    }

    /// (row, input) of vectors that are laid out.
    pub(crate) fn plain<'g>(self, laid: Tensor<'g>) -> Tensor<'g> {
        let [_, piece, within] = self.parts();
        let x = laid.split("element", &[piece, within]);
        self.exchanged(x).transpose(&["row", "block", "piece", "within"]).merge(&["block", "piece", "within"], "input")
    }

    fn parts(self) -> [Axis; 3] {
        [("block", self.inputs / BLOCK_INPUTS), ("piece", PIECES), ("within", PIECE)]
            .map(|(name, size)| Axis::new(name, size))
    }

    /// Each row's pieces in each other's places: what is done twice is undone.
    fn exchanged<'g>(self, x: Tensor<'g>) -> Tensor<'g> {
        let places =
            (0..self.rows).flat_map(|row| (0..PIECES).map(move |piece| ((row % TURN) ^ piece) as i32)).collect();
        let places = HostTensor::from_vec(&[self.rows, PIECES], places).expect("a place for each piece");
        let axes = [Axis::new("row", self.rows), Axis::new("place", PIECES)];
        x.take("piece", x.graph().literal(&places, &axes)).rename("place", "piece")
    }
}
