//! The scan, token by token.

use graph::{DType, TensorType};

use super::spread::Spread;
use super::tile::{CHANNELS, GROUPS, Tile, Tokens};
use super::token::{Arrays, Own, OwnPlaces, Shared, SharedPlaces, step};
use super::{SEGMENT, SelectiveScan};
use crate::{Builder, Kernel, KernelError, Launch, Value};

/// Tokens that are read ahead of those that are computed with: as many as memory takes to answer. With 4 the same took 0.78 ms, with 16 0.66, for
/// want of registers.
const AHEAD: usize = 8;

/// Tokens of a turn of the loop: two blocks, so that what is read ahead need not change its place in the registers.
const TURN: usize = 2 * AHEAD;

/// Turns ahead of what is computed with that memory is asked for what it holds. The compiler lets loads wait until shortly before what needs them, and
/// a cache answers them sooner: 0.42 ms instead of 0.46.
const FAR: usize = 2;

pub(super) fn launch(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, position, inner, state] = scan.axes();
    Ok(Launch {
        kernel: kernel(scan)?,
        grid: [scan.inner.div_ceil(CHANNELS), scan.batch, 1],
        warps: 1,
        stages: 1,
        results: vec![
            TensorType::new(scan.dtype, &[batch, position, inner]),
            TensorType::new(DType::F32, &[batch, inner, state]),
            TensorType::new(DType::F32, &[batch, scan.segments(), inner, state]),
        ],
    })
}

pub(super) fn kernel(scan: &SelectiveScan) -> Result<Kernel, KernelError> {
    let k = Builder::new("selective_scan");
    write(&k, *scan);
    k.finish()
}

struct Forward<'k> {
    k: &'k Builder,
    scan: SelectiveScan,
    tile: Tile<'k>,
    own: OwnPlaces<'k>,
    shared: SharedPlaces<'k>,
    y: Value<'k>,
    kept: Value<'k>,
}

fn write(k: &Builder, scan: SelectiveScan) {
    let arrays = Arrays::new(k, scan);
    let h = k.input("h", DType::F32);
    let y = k.output("y", scan.dtype);
    let [last, kept] = ["last", "kept"].map(|name| k.output(name, DType::F32));
    let tile = Tile::new(k, scan, [1, 0], k.program_id(1));
    let own = OwnPlaces::new(scan, tile, &arrays);
    let shared = SharedPlaces::new(k, scan, tile, &arrays);
    let forward = Forward { k, scan, tile, own, shared, y: tile.tokens(y), kept };
    let behind = forward.all(tile.load(tile.states(h, 1, 0)));
    tile.store(tile.states(last, 1, 0), behind);
}

impl<'k> Forward<'k> {
    /// From the state before the first token to that behind the last.
    fn all(&self, mut h: Value<'k>) -> Value<'k> {
        let (turns, rest) = (self.scan.positions / TURN, self.scan.positions % TURN);
        if turns > 0 {
            let carried = |h: Value<'k>, tokens: &[Token<'k>]| -> Vec<Value<'k>> {
                std::iter::once(h).chain(tokens.iter().flat_map(Token::values)).collect()
            };
            let first = self.read(self.k.int(0), AHEAD);
            let width = first[0].values().count();
            let results = self.k.for_range_of(0, turns, 1, &carried(h, &first), |turn, before| {
                let [first, second] = [turn * TURN, turn * TURN + AHEAD];
                let here: Vec<_> = before[1..].chunks(width).map(Token::of).collect();
                self.keep(before[0], turn);
                self.prefetch((turn + FAR).minimum(turns - 1) * TURN);
                let behind = self.read(second, AHEAD);
                let h = self.steps(before[0], first, &here);
                // The last turn reads something that nobody needs.
                let next = self.read((turn + 1).minimum(turns - 1) * TURN, AHEAD);
                carried(self.steps(h, second, &behind), &next)
            });
            h = results[0];
        }
        if rest > 0 {
            let first = self.k.int(turns * TURN);
            self.keep(h, self.k.int(turns));
            // Tokens that are none step over nothing, and leave the state as it is.
            let is_token: Vec<_> = (0..rest.next_multiple_of(GROUPS))
                .map(|i| (i >= rest).then(|| (first + i).less(self.scan.positions)))
                .collect();
            h = self.steps(h, first, &self.read_all(first, &is_token));
        }
        h
    }

    fn read(&self, first: Value<'k>, count: usize) -> Vec<Token<'k>> {
        self.read_all(first, &vec![None; count])
    }

    fn read_all(&self, first: Value<'k>, is_token: &[Option<Value<'k>>]) -> Vec<Token<'k>> {
        let tokens = self.own.read(first, is_token).into_iter().zip(self.shared.read(first, is_token));
        tokens.map(|(own, shared)| Token { own, shared }).collect()
    }

    /// Asks for what the turn will read that begins at `first`.
    fn prefetch(&self, first: Value<'k>) {
        self.shared.prefetch(first, TURN);
        for tokens in (0..TURN).step_by(GROUPS) {
            self.own.prefetch(first + tokens + self.k.range(GROUPS));
        }
    }

    /// Keeps the state before a turn if a segment begins there.
    fn keep(&self, h: Value<'k>, turn: Value<'k>) {
        let turns = SEGMENT / TURN;
        let places = self.tile.states(self.kept, self.scan.segments().size, turn / turns);
        let store = || {
            self.tile.store(places, h);
            []
        };
        self.k.when((turn % turns).equals(0), store, || []);
    }

    /// Goes through some tokens, in whole groups, writes what they give, and gives the state behind them.
    fn steps(&self, h: Value<'k>, first: Value<'k>, tokens: &[Token<'k>]) -> Value<'k> {
        let is_ragged = !self.scan.positions.is_multiple_of(GROUPS);
        let mut results = Spread::over(self.k, 0);
        tokens.iter().enumerate().fold(h, |h, (i, Token { own, shared })| {
            let h = step(h, self.own.decay(own, shared), own, shared);
            if let Some(results) = results.push(i, (h * shared.c.expand(2)).sum(0)) {
                let first = first + (i + 1 - GROUPS);
                self.tile.store_tokens(self.y, Tokens::new(self.k, self.scan, first, GROUPS, is_ragged), results);
            }
            h
        })
    }
}

struct Token<'k> {
    own: Own<'k>,
    shared: Shared<'k>,
}

impl<'k> Token<'k> {
    fn values(&self) -> impl Iterator<Item = Value<'k>> + use<'k> {
        let Token { own, shared } = *self;
        [own.x, own.width, shared.b, shared.c].into_iter().chain(shared.begins)
    }

    /// Of what [`Token::values`] gave.
    fn of(values: &[Value<'k>]) -> Token<'k> {
        let own = Own { x: values[0], width: values[1] };
        Token { own, shared: Shared { b: values[2], c: values[3], begins: values.get(4).copied() } }
    }
}
