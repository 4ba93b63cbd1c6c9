//! The tokens of a chunk: where what belongs to them stands, and how they see each other.

use graph::DType;

use super::DualScan;
use super::outputs::Heads;
use super::tiles::Pass;
use crate::mask::{both, load, parts, store};
use crate::{Builder, Value};

/// Some of the states of each channel, side by side.
#[derive(Clone, Copy)]
pub(super) struct States<'k> {
    /// Their numbers.
    numbers: Value<'k>,
    /// `None`: all of them are there.
    is_state: Option<Value<'k>>,
}

impl<'k> States<'k> {
    /// So many from `first` on; `reaches` says whether some may not be there.
    pub(super) fn new(scan: DualScan, first: Value<'k>, count: usize, reaches: bool) -> States<'k> {
        let numbers = first + first.builder.range(count);
        States { numbers, is_state: reaches.then(|| numbers.less(scan.state)) }
    }

    pub(super) fn count(&self) -> usize {
        self.numbers.shape()[0]
    }

    /// All, in blocks of no more than `most`.
    pub(super) fn all(k: &'k Builder, scan: DualScan, most: usize) -> Vec<States<'k>> {
        parts(scan.state, most).map(|part| States::new(scan, k.int(part.first), part.size, part.is_cut)).collect()
    }
}

/// The program's row.
#[derive(Clone, Copy)]
pub(super) struct Row<'k> {
    k: &'k Builder,
    scan: DualScan,
    /// i64
    number: Value<'k>,
}

impl<'k> Row<'k> {
    /// The row is the program's number along the last dimension of the grid.
    pub(super) fn new(k: &'k Builder, scan: DualScan) -> Row<'k> {
        Row { k, scan, number: k.program_id(2).cast(DType::I64) }
    }

    /// Where the row begins in an array (batch, position, `size`).
    pub(super) fn of_tokens(&self, array: Value<'k>, size: usize) -> Value<'k> {
        array + self.number * (self.scan.positions * size)
    }

    /// Where a head of the row begins in an array (batch, heads, position).
    pub(super) fn of_head(&self, array: Value<'k>, head: Value<'k>) -> Value<'k> {
        array + (self.number * self.scan.heads() + head.cast(DType::I64)) * self.scan.positions
    }

    /// The place of a head's number in an array (batch, `chunks`, heads).
    pub(super) fn of_chunk(&self, array: Value<'k>, [chunk, head]: [Value<'k>; 2], chunks: usize) -> Value<'k> {
        let heads = self.scan.heads();
        array + self.number * (chunks * heads) + (chunk * heads + head)
    }

    /// Places of the tokens' products, (seen, sees), in [`super::gradients::scores`].
    pub(super) fn scores(&self, array: Value<'k>, heads: &Heads<'k>, chunk: Chunk<'k>) -> Value<'k> {
        let DualScan { batch, groups, .. } = self.scan;
        let row = heads.split.cast(DType::I64) * batch + self.number;
        let place = (row * self.scan.chunks(Pass::Backward) + chunk.number.cast(DType::I64)) * groups;
        let tokens = self.k.range(chunk.size);
        let first = (place + heads.group.cast(DType::I64)) * (chunk.size * chunk.size);
        array + first + (tokens.column() * chunk.size + tokens.row())
    }

    /// Places of some states of a head in an array (batch, `chunks`, heads, state, head_dim), (states, head_dim), and which are there.
    pub(super) fn states(
        &self,
        array: Value<'k>,
        chunks: usize,
        [chunk, head]: [Value<'k>; 2],
        states: States<'k>,
    ) -> (Value<'k>, Option<Value<'k>>) {
        let DualScan { head_dim, state, .. } = self.scan;
        let heads = self.scan.heads();
        let row = array + self.number * (chunks * heads * state * head_dim);
        let first = (chunk * heads + head) * (state * head_dim);
        let within = states.numbers.column() * head_dim + self.k.range(head_dim).row();
        (row + first + within, states.is_state.map(|is_state| is_state.column()))
    }

    /// The same in an array (batch, heads, head_dim, state), (head_dim, states).
    pub(super) fn outer_states(
        &self,
        array: Value<'k>,
        head: Value<'k>,
        states: States<'k>,
    ) -> (Value<'k>, Option<Value<'k>>) {
        let DualScan { head_dim, state, .. } = self.scan;
        let size = state * head_dim;
        let first = (self.number * self.scan.heads() + head.cast(DType::I64)) * size;
        let within = self.k.range(head_dim).column() * state + states.numbers.row();
        (array + first + within, states.is_state.map(|is_state| is_state.row()))
    }
}

/// A chunk of the program's row.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'k> {
    k: &'k Builder,
    scan: DualScan,
    pub(super) size: usize,
    pub(super) number: Value<'k>,
    first: Value<'k>,
    /// Numbers of its tokens.
    places: Value<'k>,
    /// `None`: all of them are there.
    is_token: Option<Value<'k>>,
    /// The number of the last that is there.
    last: Value<'k>,
}

impl<'k> Chunk<'k> {
    pub(super) fn new(k: &'k Builder, scan: DualScan, pass: Pass, number: Value<'k>) -> Chunk<'k> {
        let size = scan.tiles(pass).chunk;
        let first = number * size;
        let places = first + k.range(size);
        let is_cut = !scan.positions.is_multiple_of(size);
        let last = first + (size - 1);
        let last = if is_cut { last.minimum(scan.positions - 1) } else { last };
        let is_token = is_cut.then(|| places.less(scan.positions));
        Chunk { k, scan, size, number, first, places, is_token, last }
    }

    /// Behind the row's end its last token, whose number is as good as any.
    fn near(&self) -> Value<'k> {
        if self.is_token.is_some() { self.places.minimum(self.scan.positions - 1) } else { self.places }
    }

    /// Vectors of `head_dim` of the tokens of a head: `row` is where the row begins in (batch, position, heads, head_dim). Behind its end 0.
    pub(super) fn channels(&self, row: Value<'k>, head: Value<'k>) -> Value<'k> {
        load(self.channel_places(row, head), self.is_token.map(Value::column))
    }

    pub(super) fn store_channels(&self, row: Value<'k>, head: Value<'k>, channels: Value<'k>) {
        store(self.channel_places(row, head), channels, self.is_token.map(Value::column));
    }

    fn channel_places(&self, row: Value<'k>, head: Value<'k>) -> Value<'k> {
        let DualScan { head_dim, .. } = self.scan;
        let stride = self.scan.heads() * head_dim;
        let first = row + self.first * stride + head * head_dim;
        first + (self.k.range(self.size).column() * stride + self.k.range(head_dim).row())
    }

    /// B or C of the tokens, (size, states): `row` is where the row begins in (batch, position, groups, state). Behind its end 0.
    pub(super) fn shared(&self, row: Value<'k>, group: Value<'k>, states: States<'k>) -> Value<'k> {
        let (places, mask) = self.shared_places(row, group, states);
        load(places, mask)
    }

    pub(super) fn store_shared(&self, row: Value<'k>, group: Value<'k>, states: States<'k>, shared: Value<'k>) {
        let (places, mask) = self.shared_places(row, group, states);
        store(places, shared, mask);
    }

    fn shared_places(&self, row: Value<'k>, group: Value<'k>, states: States<'k>) -> (Value<'k>, Option<Value<'k>>) {
        let DualScan { groups, state, .. } = self.scan;
        let first = row + self.first * (groups * state) + group * state;
        let within = self.k.range(self.size).column() * (groups * state) + states.numbers.row();
        (first + within, both(self.is_token.map(Value::column), states.is_state.map(Value::row)))
    }

    /// One number of each token of a head: `row` is where they begin. Behind the row's end 0.
    pub(super) fn numbers(&self, row: Value<'k>) -> Value<'k> {
        load(row + self.places, self.is_token)
    }

    /// [`Chunk::numbers`], but behind the row's end those of its last token: decays to there are finite, and no load has a mask.
    pub(super) fn near_numbers(&self, row: Value<'k>) -> Value<'k> {
        (row + self.near()).load()
    }

    /// Writes one number of each token of a head: `row` is where the row begins in (batch, position, heads).
    pub(super) fn store_of_head(&self, row: Value<'k>, head: Value<'k>, numbers: Value<'k>) {
        store(row + (self.places * self.scan.heads() + head), numbers, self.is_token);
    }

    /// What the last token that is there has.
    pub(super) fn last_number(&self, row: Value<'k>) -> Value<'k> {
        (row + self.last).load()
    }

    /// The numbers of the documents; `row` is where the row begins in them.
    pub(super) fn documents(&self, row: Value<'k>) -> Documents<'k> {
        let own = (row + self.first).load();
        let before = (row + (self.first - 1)).load_where(self.first.greater(0), 0);
        // No document has this number.
        let entering = own.equals(before).select(own, self.k.int(0) - 1);
        Documents { of_tokens: self.near_numbers(row), entering, last: self.last_number(row) }
    }
}

/// To which documents a chunk's tokens belong.
#[derive(Clone, Copy)]
pub(super) struct Documents<'k> {
    of_tokens: Value<'k>,
    /// That of the token before the chunk, if it goes on in the chunk.
    entering: Value<'k>,
    last: Value<'k>,
}

/// How what is before a chunk, behind it and in it is seen.
#[derive(Clone, Copy)]
pub(super) struct Sight<'k> {
    scan: DualScan,
    documents: Option<Documents<'k>>,
}

impl<'k> Sight<'k> {
    pub(super) fn new(scan: DualScan, documents: Option<Documents<'k>>) -> Sight<'k> {
        Sight { scan, documents }
    }

    fn exp2(&self, exponents: Value<'k>, is_seen: Option<Value<'k>>) -> Value<'k> {
        // Before the exponential, which would be infinite for what is not seen.
        let exponents = is_seen.map_or(exponents, |is_seen| is_seen.select(exponents, f64::NEG_INFINITY));
        self.scan.gpu.exp2(exponents)
    }

    /// From before the chunk to each token, of their sums.
    pub(super) fn entering(&self, sums: Value<'k>) -> Value<'k> {
        self.exp2(sums, self.documents.map(|documents| documents.of_tokens.equals(documents.entering)))
    }

    /// From each token to behind the chunk, of their sums and the last one's.
    pub(super) fn leaving(&self, sums: Value<'k>, last: Value<'k>) -> Value<'k> {
        let is_seen = self.documents.map(|documents| documents.of_tokens.equals(documents.last));
        self.exp2(last.broadcast(&sums.shape()) - sums, is_seen)
    }

    /// From before the chunk to behind it, of the last token's sum.
    pub(super) fn through(&self, last: Value<'k>) -> Value<'k> {
        let is_seen = self.documents.map(|documents| documents.entering.equals(documents.last));
        let decay = last.exp2();
        is_seen.map_or(decay, |is_seen| is_seen.select(decay, 0.0))
    }

    /// Between the tokens of a chunk, those that are seen as rows and those that see as columns, or with `is_turned` the other way round.
    pub(super) fn within(&self, sums: Value<'k>, is_turned: bool) -> Value<'k> {
        let size = sums.shape()[0];
        let numbers = sums.builder.range(size);
        let pair = |numbers: Value<'k>| match is_turned {
            true => (numbers.row(), numbers.column()),
            false => (numbers.column(), numbers.row()),
        };
        let (seen, sees) = pair(numbers);
        let (from, to) = pair(sums);
        let is_seen = seen.less_equal(sees);
        let is_seen = self.documents.map_or(is_seen, |documents| {
            let (seen, sees) = pair(documents.of_tokens);
            is_seen.and(seen.equals(sees))
        });
        self.exp2(to - from, Some(is_seen))
    }
}
