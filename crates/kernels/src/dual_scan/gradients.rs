//! The cotangents of x, widths, rates, and of the products of B and C, of a chunk: from its tokens, the state before it, and the cotangents of
//! what they give and of the state behind it.
//!
//! Tokens that are seen are rows here, and those that see columns, so that products over those that see take weights as they lie.
//!
//! A decay between two tokens is one of the token behind the first and of all up to the second. So the cotangent of a token's exponent is the
//! sum over all pairs that it lies between of the pair's score, decayed, times its cotangent; of what tokens from it on see of the state before the
//! chunk; of what tokens in front of it put into the state behind; and of the one state in the other. All terms are added as they are: the
//! difference of sums over rows and over columns would be the same, but for what cancels.

use graph::{Axis, DType, TensorType};

use super::chunk::{Chunk, Row, Sight, States};
use super::outputs::Heads;
use super::tiles::Pass;
use super::{DualScan, f32};
use crate::mask::load;
use crate::{Builder, Code, KernelError, Launch, Value};

const PASS: Pass = Pass::Backward;

pub(super) fn flops(scan: &DualScan) -> f64 {
    let chunk = scan.tiles(PASS).chunk as f64;
    let tokens = 2.0 * (scan.batch * scan.chunks(PASS) * scan.groups) as f64 * chunk;
    let (heads, splits) = (scan.group_heads as f64, scan.splits(PASS) as f64);
    let (head_dim, state) = (scan.head_dim as f64, scan.state as f64);
    tokens * (splits * chunk * state + heads * (chunk * (chunk + 2.0 * head_dim) + 2.0 * head_dim * state))
}

/// The type of the cotangents of the products of B and C, of each program's heads.
pub(super) fn scores(scan: &DualScan) -> TensorType {
    let [batch, _, groups, ..] = scan.axes();
    let (part, chunk) = (Axis::new("part", scan.splits(PASS)), Axis::new("chunk", scan.chunks(PASS)));
    let [seen, sees] = ["seen", "sees"].map(|name| Axis::new(name, scan.tiles(PASS).chunk));
    TensorType::new(scan.dtype, &[part, batch, chunk, groups, seen, sees])
}

/// Of x, the sums and widths of [`super::exponents`], rates, B, C, the states before and their cotangents behind each chunk, dy, and perhaps
/// documents: the cotangents of x and widths, of rates those of each row and chunk, and [`scores`].
pub(super) fn launch(scan: &DualScan) -> Result<Launch, KernelError> {
    let [batch, position, groups, group_heads, ..] = scan.axes();
    let k = Builder::new("dual_scan_gradients");
    k.counts(flops(scan));
    write(&k, *scan);
    let tiles = scan.tiles(PASS);
    let chunk = Axis::new("chunk", scan.chunks(PASS));
    Ok(Launch {
        kernel: k.finish()?,
        grid: [chunk.size, scan.groups * scan.splits(PASS), scan.batch],
        code: Code::Triton { warps: tiles.warps, stages: tiles.stages },
        results: vec![
            scan.channels(),
            f32(&[batch, position, groups, group_heads]),
            f32(&[batch, chunk, groups, group_heads]),
            scores(scan),
        ],
        in_place: Vec::new(),
    })
}

/// What all heads of a program have in common.
struct Program<'k> {
    k: &'k Builder,
    scan: DualScan,
    row: Row<'k>,
    chunk: Chunk<'k>,
    sight: Sight<'k>,
    parts: Vec<States<'k>>,
    b: Vec<Value<'k>>,
    c: Vec<Value<'k>>,
    /// The products of B and C.
    scores: Value<'k>,
    /// 1 where a row is no token before the column's, else 0.
    is_behind: Value<'k>,
}

/// The arrays that have something of each head.
#[derive(Clone, Copy)]
struct Arrays<'k> {
    x: Value<'k>,
    sums: Value<'k>,
    widths: Value<'k>,
    rates: Value<'k>,
    before: Value<'k>,
    behind: Value<'k>,
    dy: Value<'k>,
    dx: Value<'k>,
    dwidths: Value<'k>,
    drates: Value<'k>,
}

fn write(k: &Builder, scan: DualScan) {
    let x = k.input("x", scan.dtype);
    let [sums, widths, rates] = ["sums", "widths", "rates"].map(|name| k.input(name, DType::F32));
    let [b, c, before, behind, dy] = ["b", "c", "before", "behind", "dy"].map(|name| k.input(name, scan.dtype));
    let documents = scan.documents.then(|| k.input("documents", DType::I32));
    let dx = k.output("dx", scan.dtype);
    let [dwidths, drates] = ["dwidths", "drates"].map(|name| k.output(name, DType::F32));
    let dscores = k.output("dscores", scan.dtype);

    let row = Row::new(k, scan);
    let chunk = Chunk::new(k, scan, PASS, k.program_id(0));
    let heads = Heads::new(k, scan, PASS);
    let sight = Sight::new(scan, documents.map(|documents| chunk.documents(row.of_tokens(documents, 1))));
    let [x, dy, dx] = [x, dy, dx].map(|array| row.of_tokens(array, scan.heads() * scan.head_dim));
    let dwidths = row.of_tokens(dwidths, scan.heads());
    let arrays = Arrays { x, sums, widths, rates, before, behind, dy, dx, dwidths, drates };
    let parts = States::all(k, scan, scan.part());
    let [b, c] = [b, c].map(|array| -> Vec<_> {
        let array = row.of_tokens(array, scan.groups * scan.state);
        parts.iter().map(|states| chunk.shared(array, heads.group, *states)).collect()
    });
    let none = k.zeros(&[chunk.size; 2]);
    let scores = b.iter().zip(&c).fold(none, |scores, (b, c)| b.dot_add(c.t(), scores));
    let tokens = k.range(chunk.size);
    let is_behind = tokens.column().greater_equal(tokens.row()).cast(DType::F32).cast(scan.dtype);
    let program = Program { k, scan, row, chunk, sight, parts, b, c, scores, is_behind };
    let [sum] = k.for_range(heads.first, heads.end, 1, [none], |head, [sum]| [sum + program.one_head(&arrays, head)]);
    row.scores(dscores, &heads, chunk).store(sum);
}

impl<'k> Program<'k> {
    /// Writes what a head gives, and gives the cotangents of the products of B and C.
    fn one_head(&self, arrays: &Arrays<'k>, head: Value<'k>) -> Value<'k> {
        let Program { scan, row, chunk, sight, scores, .. } = self;
        let sums = row.of_head(arrays.sums, head);
        let (own_sums, last) = (chunk.near_numbers(sums), chunk.last_number(sums));
        let widths = chunk.numbers(row.of_head(arrays.widths, head));
        let [x, dy] = [arrays.x, arrays.dy].map(|array| chunk.channels(array, head));
        let [wide_x, wide_dy] = [x, dy].map(|x| x.cast(DType::F32));
        let Outside { from_behind, seen, meets } = self.outside(arrays, head);
        let seen_before = (wide_dy * seen).sum(1) * sight.entering(own_sums);
        let from_behind = from_behind * sight.leaving(own_sums, last).column();
        let put_behind = (wide_x * from_behind).sum(1) * widths;

        let decays = sight.within(own_sums, false);
        // Of what a token puts into its states.
        let inputs = (*scores * decays).cast(scan.dtype).dot_add(dy, from_behind);
        chunk.store_channels(arrays.dx, head, inputs * widths.column());
        let of_widths = (wide_x * inputs).sum(1);

        let dscores = x.dot(dy.t()) * decays * widths.column();
        let between = (dscores * *scores).cast(scan.dtype).dot(self.is_behind);
        let tokens = self.k.range(chunk.size);
        let is_before = tokens.column().less(tokens.row());
        let pairs = is_before.select(between + put_behind.column(), seen_before.column().broadcast(&[chunk.size; 2]));
        let exponents = pairs.sum(0) + meets * sight.through(last);
        let rate = (arrays.rates + head).load();
        chunk.store_of_head(arrays.dwidths, head, of_widths + exponents * rate);
        row.of_chunk(arrays.drates, [chunk.number, head], scan.chunks(PASS)).store((exponents * widths).sum(0));
        dscores
    }

    /// What follows from the state before the chunk and the cotangent of that behind it.
    fn outside(&self, arrays: &Arrays<'k>, head: Value<'k>) -> Outside<'k> {
        let Program { k, scan, row, chunk, parts, .. } = self;
        let none = k.zeros(&[chunk.size, scan.head_dim]);
        let begin = Outside { from_behind: none, seen: none, meets: k.float(0.0) };
        parts.iter().zip(self.b.iter().zip(&self.c)).fold(begin, |outside, (states, (b, c))| {
            let [before, behind] = [arrays.before, arrays.behind].map(|array| {
                let (places, mask) = row.states(array, scan.chunks(PASS), [chunk.number, head], *states);
                load(places, mask)
            });
            let products = before.cast(DType::F32) * behind.cast(DType::F32);
            Outside {
                from_behind: b.dot_add(behind, outside.from_behind),
                seen: c.dot_add(before, outside.seen),
                meets: outside.meets + products.sum(1).sum(0),
            }
        })
    }
}

/// What a head has of the states around a chunk.
struct Outside<'k> {
    /// The cotangent of what each token puts into the state behind the chunk, but for its decay on the way.
    from_behind: Value<'k>,
    /// What each token sees of the state before the chunk, but for its decay on the way.
    seen: Value<'k>,
    /// The state before the chunk times the cotangent of that behind it.
    meets: Value<'k>,
}
