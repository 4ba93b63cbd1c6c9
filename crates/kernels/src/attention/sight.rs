//! Who sees whom: of a block that a program holds, and of those that it goes through.

use graph::DType;

use super::{Attention, Pass};
use crate::{Builder, Value};

/// What a program holds: a block of queries, or of keys, at `places` (a column), and of each other token's place from where it is seen and
/// up to where, which is left out; `None`: all are. Bounds of the whole block go with them.
pub(super) struct Sight<'k> {
    builder: &'k Builder,
    /// Of each place the first that it meets.
    low: Option<Value<'k>>,
    /// Of each place the one behind the last that it meets.
    high: Option<Value<'k>>,
    /// Where the first block to go through begins, where what all meet begins and ends, and where the last one ends.
    bounds: [Value<'k>; 4],
}

/// Bounds of a block from where it stands, or from what is known of its tokens.
#[derive(Clone, Copy)]
struct Bound<'k> {
    each: Value<'k>,
    least: Value<'k>,
    greatest: Value<'k>,
}

impl<'k> Bound<'k> {
    /// The places themselves, from the first to the last.
    fn own(places: Value<'k>, [first, last]: [Value<'k>; 2]) -> Bound<'k> {
        Bound { each: places, least: first, greatest: last }
    }

    fn map(self, change: impl Fn(Value<'k>) -> Value<'k>) -> Bound<'k> {
        Bound { each: change(self.each), least: change(self.least), greatest: change(self.greatest) }
    }

    fn of(each: Value<'k>) -> Bound<'k> {
        let builder = each.builder;
        let extreme = |is_least: bool| {
            let combine = |a: Value<'k>, b: Value<'k>| if is_least { a.minimum(b) } else { a.maximum(b) };
            let rows = builder.reduce([each], 1, |[a], [b]| [combine(a, b)])[0];
            builder.reduce([rows], 0, |[a], [b]| [combine(a, b)])[0]
        };
        Bound { each, least: extreme(true), greatest: extreme(false) }
    }

    fn combine(self, other: Option<Bound<'k>>, combine: impl Fn(Value<'k>, Value<'k>) -> Value<'k>) -> Bound<'k> {
        let Some(other) = other else { return self };
        Bound {
            each: combine(self.each, other.each),
            least: combine(self.least, other.least),
            greatest: combine(self.greatest, other.greatest),
        }
    }
}

/// Pointers to where each token's document begins and ends, of the program's row.
#[derive(Clone, Copy)]
pub(super) struct SpanPointers<'k> {
    pub(super) first: Value<'k>,
    pub(super) end: Value<'k>,
}

impl<'k> Sight<'k> {
    /// Of the `held` places from `start` on, against blocks of `step`.
    pub(super) fn new(
        builder: &'k Builder,
        op: &Attention,
        pass: Pass,
        start: Value<'k>,
        spans: Option<SpanPointers<'k>>,
    ) -> Sight<'k> {
        let tiles = op.tiles(pass);
        let holds_keys = pass == Pass::Keys;
        let (held, step) = if holds_keys { (tiles.keys, tiles.queries) } else { (tiles.queries, tiles.keys) };
        let places = (start + builder.range(held)).column();
        let ends = [start, start + (held - 1)];
        let is_token = places.less(op.positions);
        // Behind the row as in padding: nobody is met.
        let first = spans.map(|spans| Bound::of((spans.first + places).load_where(is_token, op.positions)));
        let end = spans.map(|spans| Bound::of((spans.end + places).load_where(is_token, 0)));
        let own = Bound::own(places, ends);
        // A longer one hides nothing either, and places and it together may be beyond 32 bits.
        let window = op.window.map(|window| window.min(op.positions));
        let (low, high) = match holds_keys {
            false => {
                let window = window.map(|window| own.map(|place| place - (window - 1)));
                let low = join(first, window, |a, b| a.maximum(b));
                (low, if op.causal { Some(own.map(|place| place + 1)) } else { end })
            }
            true => {
                let window = window.map(|window| own.map(|place| place + window));
                let high = join(end, window, |a, b| a.minimum(b));
                (if op.causal { Some(own) } else { first }, high)
            }
        };
        let zero = builder.int(0);
        let row = builder.int(op.positions);
        // Of a row's last block some of the tokens are not there.
        let has_tail = !op.positions.is_multiple_of(step);
        let everything = Bound { each: row, least: row, greatest: row };
        let high = high.or(has_tail.then_some(everything));
        let (from, full_from) = low.map_or((zero, zero), |low| (low.least.maximum(0), low.greatest.maximum(0)));
        let (full_to, to) = high.map_or((row, row), |high| (high.least.minimum(row), high.greatest.minimum(row)));
        let full_from = (full_from + (step - 1)) / step * step;
        let full_to = full_to.maximum(0) / step * step;
        let bounds = [from / step * step, full_from, full_to.maximum(full_from), to];
        Sight { builder, low: low.map(|low| low.each), high: high.map(|high| high.each), bounds }
    }

    /// Whether the places of a row (1, size) are met.
    pub(super) fn meets(&self, places: Value<'k>) -> Value<'k> {
        let low = self.low.map(|low| places.greater_equal(low));
        let high = self.high.map(|high| places.less(high));
        match (low, high) {
            (Some(low), Some(high)) => low.and(high),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => places.greater_equal(0),
        }
    }

    /// Goes through the blocks of others, for each of `groups`: those of which all are met, without looking, and in front of them and behind
    /// them those of which some may be. `body` gets the group, the block's start and whether to look.
    pub(super) fn go_through(
        &self,
        step: usize,
        groups: usize,
        carried: Vec<Value<'k>>,
        body: impl Fn(Value<'k>, Value<'k>, bool, &[Value<'k>]) -> Vec<Value<'k>>,
    ) -> Vec<Value<'k>> {
        let [from, full_from, full_to, to] = self.bounds;
        let phases = [
            (from, full_from.minimum(to), true, self.low.is_some()),
            (full_from, full_to, false, true),
            (full_to, to, true, self.high.is_some()),
        ];
        phases.into_iter().filter(|phase| phase.3).fold(carried, |carried, (from, to, looks, _)| {
            let zero = self.builder.int(0);
            if groups == 1 {
                let body = |start, carried: &[Value<'k>]| body(zero, start, looks, carried);
                return self.builder.for_range_of(from, to, step, &carried, body);
            }
            // One loop for all groups: of nested loops none would load ahead across the inner one's end.
            let blocks = ((to - from + (step - 1)) / step).maximum(1);
            let is_some = from.less(to).cast(DType::I32);
            let body = |number: Value<'k>, carried: &[Value<'k>]| {
                body(number / blocks, from + number % blocks * step, looks, carried)
            };
            self.builder.for_range_of(zero, blocks * is_some * groups, 1, &carried, body)
        })
    }
}

/// Both where there are both, else the one that is there.
fn join<'k>(
    a: Option<Bound<'k>>,
    b: Option<Bound<'k>>,
    combine: impl Fn(Value<'k>, Value<'k>) -> Value<'k>,
) -> Option<Bound<'k>> {
    match a {
        Some(a) => Some(a.combine(b, combine)),
        None => b,
    }
}
