//! The state before each chunk, by a walk along the row with some of a head's states in registers, each channel's: what a chunk adds is one
//! product. The cotangent of the state behind each chunk is the same walk from the row's end.

use graph::{Axis, DType, TensorType};

use super::DualScan;
use super::chunk::{Chunk, Row, Sight, States};
use super::tiles::Pass;
use crate::mask::{load, store};
use crate::{Builder, Code, KernelError, Launch, Value};

/// What is walked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// States: each token adds what it puts in.
    States,
    /// Cotangents of states: each token adds what its output asks for.
    Cotangents,
}

/// In how many stages the walk's loads are done ahead of their use.
const STAGES: usize = 3;

pub(super) fn flops(scan: &DualScan) -> f64 {
    let sizes = [scan.batch, scan.positions, scan.heads(), scan.head_dim, scan.state];
    sizes.into_iter().fold(2.0, |flops, size| flops * size as f64)
}

/// States: of x, the sums and widths of [`super::exponents`], B, the state before the first token, and perhaps documents: the state before each
/// chunk (batch, chunk, state_groups, group_heads, state, head_dim), and that behind the last token. Cotangents: of dy, the sums, C, the
/// cotangent of the last state, and perhaps documents: those of the states behind the chunks, and that of the state before the first token.
pub(super) fn launch(scan: &DualScan, pass: Pass, walk: Walk) -> Result<Launch, KernelError> {
    let [batch, _, groups, group_heads, head_dim, state] = scan.axes();
    let k = Builder::new(match walk {
        Walk::States => "dual_scan_states",
        Walk::Cotangents => "dual_scan_cotangents",
    });
    k.counts(flops(scan));
    write(&k, *scan, pass, walk);
    let chunk = Axis::new("chunk", scan.chunks(pass));
    let of_chunks = TensorType::new(scan.dtype, &[batch, chunk, groups, group_heads, state, head_dim]);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [scan.state.div_ceil(scan.walked()), scan.heads(), scan.batch],
        code: Code::Triton { warps: 4, stages: if scan.dtype == DType::F32 { 1 } else { STAGES } },
        results: vec![of_chunks, scan.outer_state()],
        in_place: Vec::new(),
    })
}

fn write(k: &Builder, scan: DualScan, pass: Pass, walk: Walk) {
    let given = k.input("given", scan.dtype);
    let sums = k.input("sums", DType::F32);
    let widths = (walk == Walk::States).then(|| k.input("widths", DType::F32));
    let shared = k.input("shared", scan.dtype);
    let begin = k.input("begin", DType::F32);
    let documents = scan.documents.then(|| k.input("documents", DType::I32));
    let states = k.output("states", scan.dtype);
    let end = k.output("end", DType::F32);

    let row = Row::new(k, scan);
    let head = k.program_id(1);
    let group = if scan.group_heads == 1 { head } else { head / scan.group_heads };
    let walked = scan.walked();
    let own = States::new(scan, k.program_id(0) * walked, walked, !scan.state.is_multiple_of(walked));
    let given = row.of_tokens(given, scan.heads() * scan.head_dim);
    let shared = row.of_tokens(shared, scan.groups * scan.state);
    let sums = row.of_head(sums, head);
    let widths = widths.map(|widths| row.of_head(widths, head));
    let documents = documents.map(|documents| row.of_tokens(documents, 1));

    let chunks = scan.chunks(pass);
    let (places, mask) = row.outer_states(begin, head, own);
    let begin = load(places, mask).t();
    let [last] = k.for_range(0, chunks, 1, [begin], |i, [carried]| {
        let number = if walk == Walk::States { i } else { k.int(chunks - 1) - i };
        let chunk = Chunk::new(k, scan, pass, number);
        let (places, mask) = row.states(states, chunks, [number, head], own);
        store(places, carried, mask);
        let sight = Sight::new(scan, documents.map(|documents| chunk.documents(documents)));
        let (own_sums, last) = (chunk.near_numbers(sums), chunk.last_number(sums));
        let factors = match widths {
            Some(widths) => sight.leaving(own_sums, last) * chunk.numbers(widths),
            None => sight.entering(own_sums),
        };
        let added = (chunk.channels(given, head).cast(DType::F32) * factors.column()).cast(scan.dtype);
        let shared: Value<'_> = chunk.shared(shared, group, own).t();
        [shared.dot_add(added, carried * sight.through(last))]
    });
    let (places, mask) = row.outer_states(end, head, own);
    store(places, last.t(), mask);
}
