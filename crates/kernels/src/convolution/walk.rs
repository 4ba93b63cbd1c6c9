//! How a program goes along a part of a row.

use graph::DType;

use super::Convolution;
use crate::mask::{both, load, store};
use crate::{Builder, Value};

/// What a program of one warp has: so many channels, and so many tokens of a row, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) channels: usize,
    pub(super) tokens: usize,
}

/// Tokens of a turn, which are read before the first of them is needed.
const TURN: usize = 8;

/// How many programs there are: along channels, along a row, and rows.
pub(super) fn grid(op: &Convolution, part: Part) -> [usize; 3] {
    [op.channels.div_ceil(part.channels), op.positions.div_ceil(part.tokens), op.batch]
}

/// A part of a row that a program walks along.
pub(super) struct Walk<'k> {
    k: &'k Builder,
    op: Convolution,
    /// Of its tokens the program reads those that the first of them see, and what is added up over tokens it writes once.
    part: Part,
    channels: Value<'k>,
    /// `None`: all are.
    is_channel: Option<Value<'k>>,
    /// The row, i64.
    row: Value<'k>,
    x: Value<'k>,
    /// Of each tap.
    weight: Vec<Value<'k>>,
    bias: Value<'k>,
    documents: Option<Value<'k>>,
}

/// A token that the program comes to.
#[derive(Clone, Copy)]
pub(super) struct Token<'k> {
    pub(super) number: Value<'k>,
    x: Value<'k>,
}

impl<'k> Walk<'k> {
    /// Declares what both passes read first.
    pub(super) fn new(k: &'k Builder, op: Convolution, part: Part) -> Walk<'k> {
        let x = k.input("x", op.dtype);
        let [weight, bias] = ["weight", "bias"].map(|name| k.input(name, DType::F32));
        let documents = op.documents.then(|| k.input("documents", DType::I32));
        let channels = k.program_id(0) * part.channels + k.range(part.channels);
        let row = k.program_id(2).cast(DType::I64);
        let is_channel = (!op.channels.is_multiple_of(part.channels)).then(|| channels.less(op.channels));
        let load = |places: Value<'k>| load(places, is_channel);
        let weight = (0..op.taps).map(|tap| load(weight + channels + tap * op.channels)).collect();
        let bias = load(bias + channels);
        let documents = documents.map(|documents| documents + row * op.positions);
        let walk = Walk { k, op, part, channels, is_channel, row, x, weight, bias, documents };
        Walk { x: walk.tokens(x), ..walk }
    }

    /// Places of the channels at the row's first token in an array (batch, position, channel).
    pub(super) fn tokens(&self, array: Value<'k>) -> Value<'k> {
        array + self.row * (self.op.positions * self.op.channels) + self.channels.cast(DType::I64)
    }

    /// Places of the channels in an array (batch and part of a row, `count`, channel), at `place` of `count`.
    pub(super) fn part(&self, array: Value<'k>, count: usize, place: usize) -> Value<'k> {
        let part = self.k.program_id(2) * grid(&self.op, self.part)[1] + self.k.program_id(1);
        array + (part * count + place).cast(DType::I64) * self.op.channels + self.channels.cast(DType::I64)
    }

    /// The part's first token.
    fn begin(&self) -> Value<'k> {
        self.k.program_id(1) * self.part.tokens
    }

    /// How many turns the program takes.
    pub(super) fn turns(&self) -> usize {
        self.part.tokens.min(self.op.positions).div_ceil(TURN)
    }

    /// A turn's first token.
    pub(super) fn first(&self, turn: Value<'k>) -> Value<'k> {
        self.begin() + turn * TURN
    }

    /// Whether the row has a token at or behind the part's first; `None`: it has.
    pub(super) fn is_token(&self, token: Value<'k>) -> Option<Value<'k>> {
        (!self.op.positions.is_multiple_of(self.part.tokens)).then(|| token.less(self.op.positions))
    }

    /// Whether a token is one of the part's.
    pub(super) fn is_own(&self, token: Value<'k>) -> Value<'k> {
        let is_behind = token.greater_equal(self.begin());
        self.is_token(token).map_or(is_behind, |is_token| is_behind.and(is_token))
    }

    /// x of the tokens before the part, the nearest last.
    pub(super) fn seen_before(&self) -> Vec<Value<'k>> {
        let token = |back: usize| {
            let number = self.begin() - back;
            self.load(self.x + number * self.op.channels, Some(number.greater_equal(0)))
        };
        (1..self.op.taps).rev().map(token).collect()
    }

    /// The tokens of a turn.
    pub(super) fn read(&self, first: Value<'k>) -> Vec<Token<'k>> {
        (0..TURN).map(|i| self.read_one(first + i, self.is_token(first + i))).collect()
    }

    pub(super) fn read_one(&self, number: Value<'k>, is_token: Option<Value<'k>>) -> Token<'k> {
        Token { number, x: self.load(self.x + number * self.op.channels, is_token) }
    }

    /// Of a token what each tap sees and the convolution's result, before SiLU. `seen` is x of those before it, and then up to it.
    pub(super) fn sum(&self, seen: &mut Vec<Value<'k>>, token: &Token<'k>) -> (Vec<Value<'k>>, Value<'k>) {
        seen.push(token.x);
        let masked = seen.iter().enumerate().map(|(tap, x)| self.within(token.number, self.op.taps - 1 - tap, *x));
        let masked: Vec<_> = masked.collect();
        let sum = masked.iter().zip(&self.weight).fold(self.bias, |sum, (x, weight)| x.multiply_add(*weight, sum));
        seen.remove(0);
        (masked, sum)
    }

    /// `x` if the token so many places back is of the same document, else 0.
    pub(super) fn within(&self, token: Value<'k>, back: usize, x: Value<'k>) -> Value<'k> {
        let Some(documents) = self.documents.filter(|_| back > 0) else { return x };
        let document = |token: Value<'k>| {
            let is_token = token.greater_equal(0).and(token.less(self.op.positions));
            (documents + token).load_where(is_token, 0)
        };
        document(token).equals(document(token - back)).select(x, 0.0)
    }

    /// What a tap is multiplied with.
    pub(super) fn weight(&self, tap: usize) -> Value<'k> {
        self.weight[tap]
    }

    /// As f32; 0 where there is no such token.
    pub(super) fn load(&self, places: Value<'k>, is_token: Option<Value<'k>>) -> Value<'k> {
        load(places, both(self.is_channel, is_token)).cast(DType::F32)
    }

    pub(super) fn store(&self, places: Value<'k>, is_token: Option<Value<'k>>, value: Value<'k>) {
        store(places, value, both(self.is_channel, is_token));
    }
}
