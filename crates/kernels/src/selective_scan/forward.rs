//! The scan, token by token.

use graph::{DType, TensorType};

use super::spread::Spread;
use super::tile::{CHANNELS, GROUPS, Tile, Tokens};
use super::token::{Arrays, Own, OwnPlaces, SharedPlaces, step};
use super::{SEGMENT, SelectiveScan};
use crate::{Builder, Code, Kernel, KernelError, Launch, Value};

/// Tokens of a turn of the loop.
const TURN: usize = 16;

/// Turns that are computed or on their way at once. Memory is asked for the tokens of the one after the next while this one is computed with: loads into registers the
/// compiler would let wait until shortly before what needs them.
const STAGES: usize = 3;

pub(super) fn launch(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, position, inner, state] = scan.axes();
    Ok(Launch {
        kernel: kernel(scan)?,
        grid: [scan.inner.div_ceil(CHANNELS), scan.batch, 1],
        code: Code::Triton { warps: 1, stages: 1 },
        results: vec![
            TensorType::new(scan.dtype, &[batch, position, inner]),
            TensorType::new(DType::F32, &[batch, inner, state]),
            TensorType::new(DType::F32, &[batch, scan.segments(), inner, state]),
        ],
        in_place: Vec::new(),
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
    let shared = SharedPlaces::new(tile, &arrays);
    let forward = Forward { k, scan, tile, own, shared, y: tile.tokens(y), kept };
    let behind = forward.all(tile.load(tile.states(h, 1, 0)));
    tile.store(tile.states(last, 1, 0), behind);
}

impl<'k> Forward<'k> {
    /// From the state before the first token to that behind the last.
    fn all(&self, h: Value<'k>) -> Value<'k> {
        let turns = self.scan.positions.div_ceil(TURN);
        let results = self.k.for_range_ahead(0, turns, STAGES, &[h], |turn, h| {
            self.keep(h[0], turn);
            vec![self.turn(h[0], turn * TURN)]
        });
        results[0]
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

    /// Goes through the tokens of a turn, writes what they give, and gives the state behind them. Those that are none leave it as it is.
    fn turn(&self, h: Value<'k>, first: Value<'k>) -> Value<'k> {
        let is_ragged = !self.scan.positions.is_multiple_of(TURN);
        let tokens = |first, count| Tokens::new(self.k, self.scan, first, count, is_ragged);
        let turn = tokens(first, TURN);
        let all: Vec<_> = Own::of(self.own.read(turn)).into_iter().zip(self.shared.read(turn)).collect();
        // All of them before the first is used: the special units take long to answer.
        let decays: Vec<_> = all.iter().map(|(own, shared)| self.own.decay(own, shared)).collect();
        let mut results = Spread::over(self.k, 0);
        all.iter().zip(decays).enumerate().fold(h, |h, (i, ((own, shared), decay))| {
            let h = step(h, decay, own, shared);
            if let Some(results) = results.push(i, (h * shared.c.expand(2)).sum(0)) {
                self.tile.store_tokens(self.y, tokens(first + (i + 1 - GROUPS), GROUPS), results);
            }
            h
        })
    }
}
