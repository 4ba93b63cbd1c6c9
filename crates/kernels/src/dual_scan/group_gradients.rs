//! The cotangents of B or of C, which the heads of a group share, of a chunk: what the states around it give, added up over some of the heads, and
//! what the chunk's own tokens give to each other. Both are the same but for what stands for what.

use graph::{Axis, DType};

use super::chunk::{Chunk, Row, Sight, States};
use super::outputs::Heads;
use super::tiles::Pass;
use super::{DualScan, f32};
use crate::mask::load;
use crate::{Builder, Code, KernelError, Launch, Value};

const PASS: Pass = Pass::Backward;

/// Whose cotangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Those of B: of what x puts into the state behind the chunk.
    B,
    /// Those of C: of what is seen of the state before the chunk.
    C,
}

pub(super) fn flops(scan: &DualScan) -> f64 {
    let chunk = scan.tiles(PASS).chunk as f64;
    let tokens = 2.0 * (scan.batch * scan.chunks(PASS) * scan.groups) as f64 * chunk;
    let (head_dim, heads) = (scan.head_dim as f64, scan.group_heads as f64);
    tokens * scan.state as f64 * (chunk * scan.splits(PASS) as f64 + heads * head_dim)
}

/// B: of x, the sums and widths of [`super::exponents`], the cotangents of the states behind the chunks, [`super::gradients::scores`], C, and perhaps
/// documents. C: of dy, the sums, the states before the chunks, [`super::gradients::scores`], B, and perhaps documents. Those of each program's heads.
pub(super) fn launch(scan: &DualScan, shared: Shared) -> Result<Launch, KernelError> {
    let [batch, position, groups, _, _, state] = scan.axes();
    let k = Builder::new(match shared {
        Shared::B => "dual_scan_gradient_b",
        Shared::C => "dual_scan_gradient_c",
    });
    k.counts(flops(scan));
    write(&k, *scan, shared);
    let part = Axis::new("part", scan.splits(PASS));
    Ok(Launch {
        kernel: k.finish()?,
        grid: [scan.chunks(PASS), scan.groups * scan.splits(PASS), scan.batch],
        code: Code::Triton {
            warps: if scan.is_wide() { scan.tiles(PASS).warps } else { 4 },
            stages: scan.tiles(PASS).stages,
        },
        results: vec![f32(&[part, batch, position, groups, state])],
        in_place: Vec::new(),
    })
}

fn write<'k>(k: &'k Builder, scan: DualScan, shared: Shared) {
    let given = k.input("given", scan.dtype);
    let sums = k.input("sums", DType::F32);
    let widths = (shared == Shared::B).then(|| k.input("widths", DType::F32));
    let [states, dscores, other] = ["states", "dscores", "other"].map(|name| k.input(name, scan.dtype));
    let documents = scan.documents.then(|| k.input("documents", DType::I32));
    let result = k.output("result", DType::F32);

    let row = Row::new(k, scan);
    let chunk = Chunk::new(k, scan, PASS, k.program_id(0));
    let heads = Heads::new(k, scan, PASS);
    let sight = Sight::new(scan, documents.map(|documents| chunk.documents(row.of_tokens(documents, 1))));
    let given = row.of_tokens(given, scan.heads() * scan.head_dim);
    let parts = States::all(k, scan, 128);
    let none: Vec<_> = parts.iter().map(|part| k.zeros(&[chunk.size, part.count()])).collect();
    let totals = k.for_range_of(heads.first, heads.end, 1, &none, |head, totals| {
        let sums = row.of_head(sums, head);
        let own_sums = chunk.near_numbers(sums);
        let factors = match widths {
            Some(widths) => sight.leaving(own_sums, chunk.last_number(sums)) * chunk.numbers(row.of_head(widths, head)),
            None => sight.entering(own_sums),
        };
        let given = (chunk.channels(given, head).cast(DType::F32) * factors.column()).cast(scan.dtype);
        let add = |part: States<'k>, total: Value<'k>| {
            let (places, mask) = row.states(states, scan.chunks(PASS), [chunk.number, head], part);
            given.dot_add(load(places, mask).t(), total)
        };
        parts.iter().zip(totals).map(|(part, total)| add(*part, *total)).collect()
    });
    let dscores = row.scores(dscores, &heads, chunk).load();
    let dscores = if shared == Shared::B { dscores } else { dscores.t() };
    let other = row.of_tokens(other, scan.groups * scan.state);
    let split = heads.split.cast(DType::I64) * (scan.batch * scan.positions * scan.groups * scan.state);
    let result = row.of_tokens(result + split, scan.groups * scan.state);
    for (part, total) in parts.iter().zip(totals) {
        let total = dscores.dot_add(chunk.shared(other, heads.group, *part), total);
        chunk.store_shared(result, heads.group, *part, total);
    }
}
