//! What the step of a token takes, and the step.

use graph::DType;

use super::SelectiveScan;
use super::tile::{Tile, Tokens, of_channels};
use crate::{Builder, Value};

/// The arrays that the scan is over.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'k> {
    x: Value<'k>,
    widths: Value<'k>,
    rates: Value<'k>,
    b: Value<'k>,
    c: Value<'k>,
    documents: Option<Value<'k>>,
}

impl<'k> Arrays<'k> {
    /// Declares them.
    pub(super) fn new(k: &'k Builder, scan: SelectiveScan) -> Arrays<'k> {
        let x = k.input("x", scan.dtype);
        let [widths, rates, b, c] = ["widths", "rates", "b", "c"].map(|name| k.input(name, DType::F32));
        let documents = scan.documents.then(|| k.input("documents", DType::I32));
        Arrays { x, widths, rates, b, c, documents }
    }
}

/// Where what belongs to a row begins that is the same for all channels.
#[derive(Clone, Copy)]
pub(super) struct SharedPlaces<'k> {
    tile: Tile<'k>,
    b: Value<'k>,
    c: Value<'k>,
    documents: Option<Value<'k>>,
}

/// What is the same for all channels of a token.
#[derive(Clone, Copy)]
pub(super) struct Shared<'k> {
    /// (registers, groups)
    pub(super) b: Value<'k>,
    /// (registers, groups)
    pub(super) c: Value<'k>,
    /// What is added to the exponents of its decay: minus infinity where a document begins, so that nothing is left of the state before.
    pub(super) begins: Option<Value<'k>>,
}

impl<'k> SharedPlaces<'k> {
    pub(super) fn new(tile: Tile<'k>, arrays: &Arrays<'k>) -> SharedPlaces<'k> {
        let [b, c] = [arrays.b, arrays.c].map(|array| tile.shared(array));
        let documents = arrays.documents.map(|documents| tile.documents(documents));
        SharedPlaces { tile, b, c, documents }
    }

    /// Of each of some tokens.
    pub(super) fn read(&self, tokens: Tokens<'k>) -> Vec<Shared<'k>> {
        let [b, c] = [self.b, self.c].map(|array| self.tile.load_shared(array, tokens));
        let begins: Vec<_> = match self.documents {
            Some(documents) => self.begins(documents, tokens).into_iter().map(Some).collect(),
            None => vec![None; b.len()],
        };
        b.into_iter().zip(c).zip(begins).map(|((b, c), begins)| Shared { b, c, begins }).collect()
    }

    fn begins(&self, documents: Value<'k>, tokens: Tokens<'k>) -> Vec<Value<'k>> {
        let Tokens { numbers, are_there } = tokens;
        let place = documents + numbers;
        let own = are_there.map_or_else(|| place.load(), |are_there| place.load_where(are_there, 0));
        // Before a row's first token there is document 0.
        let is_behind = numbers.greater(0);
        let is_behind = are_there.map_or(is_behind, |are_there| are_there.and(is_behind));
        let before = (documents + (numbers - 1)).load_where(is_behind, 0);
        let begins = own.equals(before).select(self.tile.zeros(&own.shape()), f64::NEG_INFINITY);
        begins.column().rows()
    }
}

/// Where what belongs to a tile's channels begins.
#[derive(Clone, Copy)]
pub(super) struct OwnPlaces<'k> {
    scan: SelectiveScan,
    tile: Tile<'k>,
    x: Value<'k>,
    widths: Value<'k>,
    pub(super) rates: Value<'k>,
}

/// What each channel of a tile has of a token.
#[derive(Clone, Copy)]
pub(super) struct Own<'k> {
    pub(super) x: Value<'k>,
    pub(super) width: Value<'k>,
}

impl<'k> Own<'k> {
    /// Of each of some tokens, of x and the widths (token, channel).
    pub(super) fn of([x, widths]: [Value<'k>; 2]) -> Vec<Own<'k>> {
        x.rows().into_iter().zip(widths.rows()).map(|(x, width)| Own { x, width }).collect()
    }
}

impl<'k> OwnPlaces<'k> {
    pub(super) fn new(scan: SelectiveScan, tile: Tile<'k>, arrays: &Arrays<'k>) -> OwnPlaces<'k> {
        let [x, widths] = [arrays.x, arrays.widths].map(|array| tile.tokens(array));
        OwnPlaces { scan, tile, x, widths, rates: tile.rates(arrays.rates) }
    }

    /// x and the widths of some tokens, each (token, channel).
    pub(super) fn read(&self, tokens: Tokens<'k>) -> [Value<'k>; 2] {
        [self.x, self.widths].map(|places| self.tile.load_tokens(places, tokens))
    }

    /// What is left of each state after the token's step.
    pub(super) fn decay(&self, own: &Own<'k>, shared: &Shared<'k>) -> Value<'k> {
        let exponent = of_channels(own.width) * self.rates;
        let exponent = shared.begins.map_or(exponent, |begins| exponent + of_channels(begins));
        self.scan.gpu.exp2(exponent)
    }
}

/// The state behind a token.
pub(super) fn step<'k>(h: Value<'k>, decay: Value<'k>, own: &Own<'k>, shared: &Shared<'k>) -> Value<'k> {
    decay.multiply_add(h, of_channels(own.x * own.width) * shared.b.expand(2))
}
