//! Which channels and states a program has, and how it finds what belongs to them.
//!
//! A program is one warp, and its block of states is (registers, groups, channels): a channel's states are spread over a few
//! lanes, each with some in its registers. Fewer lanes to a channel would leave most of a GPU idle, as a row has no more than some thousand
//! channels; more would spend their time on adding up y.

use graph::DType;

use super::SelectiveScan;
use crate::mask::{both, load, store};
use crate::{Builder, IntoValue, Value};

/// Channels of a tile, side by side.
pub(super) const CHANNELS: usize = 8;

/// In how many groups a channel's states are: one on each of so many lanes, of a warp of 32. With 8 the forward pass took 0.61 ms in place of 0.41.
pub(super) const GROUPS: usize = 4;

/// Some channels of a row, with all their states.
#[derive(Clone, Copy)]
pub(super) struct Tile<'k> {
    k: &'k Builder,
    scan: SelectiveScan,
    /// The row, i64.
    row: Value<'k>,
    /// Numbers of the channels.
    channels: Value<'k>,
    /// `None`: all are.
    is_channel: Option<Value<'k>>,
    /// Numbers of the states (registers, groups), those of a lane behind each other.
    states: Value<'k>,
    /// `None`: all are.
    is_state: Option<Value<'k>>,
}

impl<'k> Tile<'k> {
    /// The channels of the program in the row `row`: of a program that has several `tiles`, those of the tile `number`.
    pub(super) fn new(k: &'k Builder, scan: SelectiveScan, [tiles, number]: [usize; 2], row: Value<'k>) -> Tile<'k> {
        let of_program = CHANNELS * tiles;
        let first = k.program_id(0) * of_program + number * CHANNELS;
        let registers = scan.state.next_power_of_two().div_ceil(GROUPS);
        let channels = first + k.range(CHANNELS);
        let states = k.range(GROUPS).row() * registers + k.range(registers).column();
        Tile {
            k,
            scan,
            row: row.cast(DType::I64),
            channels,
            is_channel: (!scan.inner.is_multiple_of(of_program)).then(|| channels.less(scan.inner)),
            states,
            is_state: (registers * GROUPS != scan.state).then(|| states.less(scan.state)),
        }
    }

    /// The same number for all states of the tile.
    pub(super) fn full(self, number: f64) -> Value<'k> {
        let shape = [&self.states.shape()[..], &[CHANNELS]].concat();
        self.k.full(number, DType::F32, &shape)
    }

    /// Zeros, f32, of another shape than the tile's.
    pub(super) fn zeros(self, shape: &[usize]) -> Value<'k> {
        self.k.zeros(shape)
    }

    /// Places of the channels at the row's first token in an array (batch, position, inner).
    pub(super) fn tokens(self, array: Value<'k>) -> Value<'k> {
        array + self.row * (self.scan.positions * self.scan.inner) + self.channels.cast(DType::I64)
    }

    /// Place of the row's first token in an array (batch, position, state).
    pub(super) fn shared(self, array: Value<'k>) -> Value<'k> {
        array + self.row * (self.scan.positions * self.scan.state)
    }

    /// Place of the row's first token in the documents' numbers.
    pub(super) fn documents(self, documents: Value<'k>) -> Value<'k> {
        documents + self.row * self.scan.positions
    }

    /// Places of the tile in an array (batch, `count`, inner, state), at `place` of `count`.
    pub(super) fn states(self, array: Value<'k>, count: usize, place: impl IntoValue<'k>) -> Value<'k> {
        let place = place.into_value(self.k, DType::I32).cast(DType::I64);
        let size = self.scan.state * self.scan.inner;
        array + (self.row * count + place) * size + self.within()
    }

    /// The tile's rates, for powers of two instead of e.
    pub(super) fn rates(self, array: Value<'k>) -> Value<'k> {
        self.load(array + self.within()) * std::f64::consts::LOG2_E
    }

    /// Places of the tile in (inner, state). A lane's states stand behind each other, so that they are read at once.
    fn within(self) -> Value<'k> {
        of_channels(self.channels) * self.scan.state + self.states.expand(2)
    }

    fn mask(self) -> Option<Value<'k>> {
        both(self.is_channel.map(of_channels), self.is_state.map(|is_state| is_state.expand(2)))
    }

    /// The tile's states at these places.
    pub(super) fn load(self, places: Value<'k>) -> Value<'k> {
        load(places, self.mask())
    }

    pub(super) fn store(self, places: Value<'k>, states: Value<'k>) {
        store(places, states, self.mask());
    }

    /// One number of each channel of some tokens (token, channel), f32. `places` are the channels' at the row's first token.
    pub(super) fn load_tokens(self, places: Value<'k>, tokens: Tokens<'k>) -> Value<'k> {
        load(self.places_of(places, tokens), self.mask_of(tokens)).cast(DType::F32)
    }

    /// Writes what [`Tile::load_tokens`] reads.
    pub(super) fn store_tokens(self, places: Value<'k>, tokens: Tokens<'k>, numbers: Value<'k>) {
        store(self.places_of(places, tokens), numbers, self.mask_of(tokens));
    }

    fn places_of(self, places: Value<'k>, tokens: Tokens<'k>) -> Value<'k> {
        places.row() + tokens.numbers.column() * self.scan.inner
    }

    fn mask_of(self, tokens: Tokens<'k>) -> Option<Value<'k>> {
        both(self.is_channel.map(Value::row), tokens.are_there.map(Value::column))
    }

    /// One number of each state of each of some tokens (registers, groups); 0 where there is no such token or state.
    pub(super) fn load_shared(self, array: Value<'k>, tokens: Tokens<'k>) -> Vec<Value<'k>> {
        let [registers, groups] = [0, 1].map(|dim| self.states.shape()[dim]);
        let states = self.k.range(registers * groups);
        let is_state = self.is_state.map(|_| states.less(self.scan.state).row());
        let places = array + states.row() + tokens.numbers.column() * self.scan.state;
        let numbers = load(places, both(is_state, tokens.are_there.map(Value::column)));
        numbers.rows().into_iter().map(|numbers| numbers.reshape(&[groups, registers]).t()).collect()
    }

    /// Writes one number of each state of some tokens (registers, groups, token).
    pub(super) fn store_shared(self, array: Value<'k>, tokens: Tokens<'k>, numbers: Value<'k>) {
        let places = array + self.states.expand(2) + of_channels(tokens.numbers) * self.scan.state;
        let mask = both(self.is_state.map(|is_state| is_state.expand(2)), tokens.are_there.map(of_channels));
        store(places, numbers, mask);
    }
}

/// Some tokens of a row.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'k> {
    pub(super) numbers: Value<'k>,
    /// `None`: all are.
    pub(super) are_there: Option<Value<'k>>,
}

impl<'k> Tokens<'k> {
    /// `count` of them from `first` on, which the row may end before if it `is_ragged`.
    pub(super) fn new(
        k: &'k Builder,
        scan: SelectiveScan,
        first: Value<'k>,
        count: usize,
        is_ragged: bool,
    ) -> Tokens<'k> {
        let numbers = first + k.range(count);
        Tokens { numbers, are_there: is_ragged.then(|| numbers.less(scan.positions)) }
    }
}

/// One number of each channel as a block that meets the states.
pub(super) fn of_channels(x: Value<'_>) -> Value<'_> {
    x.row().row()
}
