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
    k: &'k Builder,
    scan: SelectiveScan,
    tile: Tile<'k>,
    arrays: Arrays<'k>,
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
    pub(super) fn new(k: &'k Builder, scan: SelectiveScan, tile: Tile<'k>, arrays: &Arrays<'k>) -> SharedPlaces<'k> {
        let [b, c] = [arrays.b, arrays.c].map(|array| tile.shared(array));
        let documents = arrays.documents.map(|documents| tile.documents(documents));
        SharedPlaces { k, scan, tile, arrays: *arrays, b, c, documents }
    }

    /// Of each of `count` tokens from `first` on.
    pub(super) fn read(&self, first: Value<'k>, is_token: &[Option<Value<'k>>]) -> Vec<Shared<'k>> {
        let [b, c] = [self.b, self.c].map(|places| places + first * self.scan.state);
        let token = |(i, is_token): (usize, &Option<Value<'k>>)| Shared {
            b: self.tile.load_shared(b + i * self.scan.state, *is_token),
            c: self.tile.load_shared(c + i * self.scan.state, *is_token),
            begins: self.documents.map(|documents| self.begins(documents, first + i, *is_token)),
        };
        is_token.iter().enumerate().map(token).collect()
    }

    /// Asks for what `count` tokens from `first` on will read.
    pub(super) fn prefetch(&self, first: Value<'k>, count: usize) {
        for array in [self.arrays.b, self.arrays.c] {
            self.tile.prefetch_shared(array, first, count);
        }
    }

    fn begins(&self, documents: Value<'k>, token: Value<'k>, is_token: Option<Value<'k>>) -> Value<'k> {
        let place = documents + token;
        let is_behind = token.greater(0);
        let (own, is_behind) = match is_token {
            Some(is_token) => (place.load_where(is_token, 0), is_behind.and(is_token)),
            None => (place.load(), is_behind),
        };
        let before = (documents + (token - 1)).load_where(is_behind, 0);
        own.equals(before).select(self.k.float(0.0), f64::NEG_INFINITY)
    }
}

/// Where what belongs to a tile's channels begins.
#[derive(Clone, Copy)]
pub(super) struct OwnPlaces<'k> {
    scan: SelectiveScan,
    tile: Tile<'k>,
    arrays: Arrays<'k>,
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

impl<'k> OwnPlaces<'k> {
    pub(super) fn new(scan: SelectiveScan, tile: Tile<'k>, arrays: &Arrays<'k>) -> OwnPlaces<'k> {
        let [x, widths] = [arrays.x, arrays.widths].map(|array| tile.tokens(array));
        OwnPlaces { scan, tile, arrays: *arrays, x, widths, rates: tile.rates(arrays.rates) }
    }

    /// Of each of `count` tokens from `first` on.
    pub(super) fn read(&self, first: Value<'k>, is_token: &[Option<Value<'k>>]) -> Vec<Own<'k>> {
        let [x, widths] = [self.x, self.widths].map(|places| places + first * self.scan.inner);
        let token = |(i, is_token): (usize, &Option<Value<'k>>)| Own {
            x: self.tile.load_token(x + i * self.scan.inner, *is_token),
            width: self.tile.load_token(widths + i * self.scan.inner, *is_token),
        };
        is_token.iter().enumerate().map(token).collect()
    }

    /// x and the widths of some tokens, each (token, channel).
    pub(super) fn read_tokens(&self, tokens: Tokens<'k>) -> [Value<'k>; 2] {
        [self.x, self.widths].map(|places| self.tile.load_tokens(places, tokens))
    }

    /// Asks for what some tokens will read.
    pub(super) fn prefetch(&self, tokens: Value<'k>) {
        for array in [self.arrays.x, self.arrays.widths] {
            self.tile.prefetch_tokens(array, tokens);
        }
    }

    /// What is left of each state after the token's step.
    pub(super) fn decay(&self, own: &Own<'k>, shared: &Shared<'k>) -> Value<'k> {
        let exponent = of_channels(own.width) * self.rates;
        let exponent = shared.begins.map_or(exponent, |begins| exponent + begins);
        self.scan.gpu.exp2(exponent)
    }
}

/// The state behind a token.
pub(super) fn step<'k>(h: Value<'k>, decay: Value<'k>, own: &Own<'k>, shared: &Shared<'k>) -> Value<'k> {
    decay.multiply_add(h, of_channels(own.x * own.width) * shared.b.expand(2))
}
