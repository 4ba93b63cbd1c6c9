//! y: what each token sees of its chunk, and of the state before that.

use graph::DType;

use super::DualScan;
use super::chunk::{Chunk, Row, Sight, States};
use super::tiles::Pass;
use crate::mask::load;
use crate::{Builder, Code, KernelError, Launch, Value};

pub(super) fn flops(scan: &DualScan) -> f64 {
    let chunk = scan.tiles(Pass::Forward).chunk as f64;
    let tokens = 2.0 * (scan.batch * scan.chunks(Pass::Forward) * scan.groups) as f64 * chunk;
    let (heads, splits) = (scan.group_heads as f64, scan.splits(Pass::Forward) as f64);
    let (head_dim, state) = (scan.head_dim as f64, scan.state as f64);
    tokens * (splits * chunk * state + heads * head_dim * (chunk + state))
}

/// Of x, the sums and widths of [`super::exponents`], B, C, the state before each chunk, and perhaps documents.
pub(super) fn launch(scan: &DualScan) -> Result<Launch, KernelError> {
    let k = Builder::new("dual_scan_outputs");
    k.counts(flops(scan));
    write(&k, *scan);
    let tiles = scan.tiles(Pass::Forward);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [scan.chunks(Pass::Forward), scan.groups * scan.splits(Pass::Forward), scan.batch],
        code: Code::Triton { warps: tiles.warps, stages: tiles.stages },
        results: vec![scan.channels()],
        in_place: Vec::new(),
    })
}

/// The heads that a program goes through, by its number along the second dimension of the grid.
#[derive(Clone, Copy)]
pub(super) struct Heads<'k> {
    pub(super) group: Value<'k>,
    /// Which of the programs that share the group's heads.
    pub(super) split: Value<'k>,
    pub(super) first: Value<'k>,
    /// Behind the last.
    pub(super) end: Value<'k>,
}

impl<'k> Heads<'k> {
    pub(super) fn new(k: &'k Builder, scan: DualScan, pass: Pass) -> Heads<'k> {
        let (count, splits) = (scan.heads_of_program(pass), scan.splits(pass));
        let program = k.program_id(1);
        let (group, split) = (program / splits, program % splits);
        let [first, end] = [split * count, (split * count + count).minimum(scan.group_heads)];
        let before = group * scan.group_heads;
        Heads { group, split, first: before + first, end: before + end }
    }
}

fn write(k: &Builder, scan: DualScan) {
    let pass = Pass::Forward;
    let x = k.input("x", scan.dtype);
    let [sums, widths] = ["sums", "widths"].map(|name| k.input(name, DType::F32));
    let [b, c, before] = ["b", "c", "before"].map(|name| k.input(name, scan.dtype));
    let documents = scan.documents.then(|| k.input("documents", DType::I32));
    let y = k.output("y", scan.dtype);

    let row = Row::new(k, scan);
    let chunk = Chunk::new(k, scan, pass, k.program_id(0));
    let heads = Heads::new(k, scan, pass);
    let sight = Sight::new(scan, documents.map(|documents| chunk.documents(row.of_tokens(documents, 1))));
    let [x, y] = [x, y].map(|array| row.of_tokens(array, scan.heads() * scan.head_dim));
    let [b, c] = [b, c].map(|array| row.of_tokens(array, scan.groups * scan.state));
    let parts = States::all(k, scan, 128);
    let c: Vec<_> = parts.iter().map(|states| chunk.shared(c, heads.group, *states)).collect();
    let scores = parts.iter().zip(&c).fold(k.zeros(&[chunk.size; 2]), |scores, (states, c)| {
        c.dot_add(chunk.shared(b, heads.group, *states).t(), scores)
    });
    k.for_range(heads.first, heads.end, 1, [], |head, []| {
        let own_sums = chunk.near_numbers(row.of_head(sums, head));
        let widths = chunk.numbers(row.of_head(widths, head));
        let seen = parts.iter().zip(&c).fold(k.zeros(&[chunk.size, scan.head_dim]), |seen, (states, c)| {
            let (places, mask) = row.states(before, scan.chunks(pass), [chunk.number, head], *states);
            c.dot_add(load(places, mask), seen)
        });
        let seen = seen * sight.entering(own_sums).column();
        let weights = scores * sight.within(own_sums, true) * widths.row();
        let seen = weights.cast(scan.dtype).dot_add(chunk.channels(x, head), seen);
        chunk.store_channels(y, head, seen);
        []
    });
}
