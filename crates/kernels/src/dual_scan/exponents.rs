//! The sums of `width * rate` from the beginning of each chunk to each token, for powers of two, and the widths, by heads.

use std::f64::consts::LOG2_E;

use graph::DType;

use super::tiles::Pass;
use super::{DualScan, f32};
use crate::{Builder, Code, KernelError, Launch};

/// Heads of a program: as many as lie in a few of memory's 32 bytes.
const HEADS: usize = 16;

/// Of widths (batch, position, state_groups, group_heads) and rates (state_groups, group_heads): sums and widths (batch, state_groups,
/// group_heads, position).
pub(super) fn launch(scan: &DualScan, pass: Pass) -> Result<Launch, KernelError> {
    let [batch, position, groups, group_heads, ..] = scan.axes();
    let k = Builder::new("dual_scan_exponents");
    write(&k, *scan, pass);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [scan.chunks(pass), scan.heads().div_ceil(HEADS), scan.batch],
        code: Code::Triton { warps: 4, stages: 1 },
        results: vec![f32(&[batch, groups, group_heads, position]); 2],
        in_place: Vec::new(),
    })
}

fn write(k: &Builder, scan: DualScan, pass: Pass) {
    let [widths, rates] = ["widths", "rates"].map(|name| k.input(name, DType::F32));
    let [sums, turned] = ["sums", "turned"].map(|name| k.output(name, DType::F32));
    let (positions, heads, chunk) = (scan.positions, scan.heads(), scan.tiles(pass).chunk);
    let token = k.program_id(0) * chunk + k.range(chunk);
    let head = k.program_id(1) * HEADS + k.range(HEADS);
    let row = k.program_id(2).cast(DType::I64) * (positions * heads);
    let is_head = head.less(heads);
    let mask = token.less(positions).column().and(is_head.row());
    let widths = (widths + row + (token.column() * heads + head.row())).load_where(mask, 0.0);
    let rates = (rates + head).load_where(is_head, 0.0) * LOG2_E;
    let place = row + (head.row() * positions + token.column()).cast(DType::I64);
    (sums + place).store_where((widths * rates.row()).cumulative_sum(0), mask);
    (turned + place).store_where(widths, mask);
}
