//! The convolution and the scans by kernels of our own, over whole sequences.

use graph::{DType, Graph, Tensor};
use kernels::{Convolution, DualScan, Gpu, SelectiveScan};

use crate::StateSpaceModule;
use crate::device_part::part_sizes;

/// The name, for a rematerialisation policy, of what the backward pass needs of a scan's results.
pub(crate) const SCAN: &str = "scan";

/// Whether our kernels take the scan of such layers over so many rows and positions in this element type. Of several devices each computes for its
/// own rows and channels: they are what is asked about.
pub fn scan_supports(layer: &StateSpaceModule, dtype: DType, [batch, positions]: [usize; 2], gpu: Gpu) -> bool {
    let StateSpaceModule { channels, state_size: state, .. } = *layer;
    let documents = true;
    match layer.head_dim {
        None => SelectiveScan { batch, positions, inner: channels, state, dtype, documents, gpu }.check().is_ok(),
        Some(head_dim) => {
            let (groups, group_heads) = (1, channels / head_dim);
            DualScan { batch, positions, groups, group_heads, head_dim, state, dtype, documents, gpu }.check().is_ok()
        }
    }
}

/// Whether our kernels take a convolution of so many channels with `taps`, asked about as in [`scan_supports`].
pub fn convolution_supports(channels: usize, taps: usize, dtype: DType, [batch, positions]: [usize; 2]) -> bool {
    Convolution { batch, positions, channels, taps, dtype, documents: true }.check().is_ok()
}

/// Rows and channels know nothing of each other.
const APART: [&str; 2] = ["batch", "inner"];

/// The scan of each device's part of `x` (batch, position, inner) by the kernels for `gpu`; `None` where they do not take it.
pub(super) fn selective_scan(gpu: Gpu, x: Tensor<'_>, state: usize, documents: bool) -> Option<SelectiveScan> {
    let size = part_sizes(x, &APART);
    let (batch, positions, inner) = (size("batch"), size("position"), size("inner"));
    let scan = SelectiveScan { batch, positions, inner, state, dtype: x.dtype(), documents, gpu };
    scan.check().is_ok().then_some(scan)
}

/// Of x, widths, rates, B, C, perhaps documents, and the state before the first token (batch, inner, state): y and the state behind the last.
pub(super) fn scan<'g>(graph: &'g Graph, scan: SelectiveScan, inputs: &[Tensor<'g>]) -> [Tensor<'g>; 2] {
    // What one device has.
    let part = |own: &[Tensor<'g>]| {
        let size = |name| own[0].axis(name).size;
        SelectiveScan { batch: size("batch"), inner: size("inner"), ..scan }
    };
    let results = graph.custom_vjp(
        inputs,
        |inputs| {
            let results = graph.per_shard(&APART, inputs, |own| {
                part(own).forward(&graph, own).expect("a part of what was checked can be computed")
            });
            let [y, kept] = [0, 2].map(|place: usize| results[place].checkpoint_name(SCAN));
            (vec![y, results[1]], [inputs, &[kept]].concat())
        },
        |residuals, cotangents| {
            let given = [residuals, cotangents].concat();
            let gradients = graph.per_shard(&APART, &given, |own| {
                let (inputs, rest) = own.split_at(residuals.len() - 1);
                let gradients = part(inputs).backward(&graph, inputs, &rest[0], [&rest[1], &rest[2]]);
                gradients.expect("a part of what was checked can be computed")
            });
            let mut gradients = gradients.into_iter();
            residuals[..residuals.len() - 1]
                .iter()
                .map(|input| if input.dtype().is_float() { gradients.next() } else { None })
                .collect()
        },
    );
    [results[0], results[1]]
}

/// Rows know nothing of each other, nor do groups and the heads of a group: what these share they do not change.
const HEADS_APART: [&str; 3] = ["batch", "state_groups", "group_heads"];

/// The scan of each device's part of `x` (batch, position, state_groups, group_heads, head_dim) by the kernels for `gpu`; `None` where they do not
/// take it.
pub(super) fn dual_scan(gpu: Gpu, x: Tensor<'_>, state: usize, documents: bool) -> Option<DualScan> {
    let size = part_sizes(x, &HEADS_APART);
    let (batch, positions, head_dim) = (size("batch"), size("position"), size("head_dim"));
    let (groups, group_heads, dtype) = (size("state_groups"), size("group_heads"), x.dtype());
    let scan = DualScan { batch, positions, groups, group_heads, head_dim, state, dtype, documents, gpu };
    scan.check().is_ok().then_some(scan)
}

/// Of x, widths, rates, B, C, perhaps documents, and the state before the first token (batch, state_groups, group_heads, head_dim, state): y and
/// the state behind the last. The backward pass needs nothing but these; y is what comes behind needs of it.
pub(super) fn scan_dual<'g>(graph: &'g Graph, scan: DualScan, inputs: &[Tensor<'g>]) -> [Tensor<'g>; 2] {
    // What one device has.
    let part = |own: &[Tensor<'g>]| {
        let size = |name| own[0].axis(name).size;
        DualScan { batch: size("batch"), groups: size("state_groups"), group_heads: size("group_heads"), ..scan }
    };
    let results = graph.custom_vjp(
        inputs,
        |inputs| {
            let results = graph.per_shard(&HEADS_APART, inputs, |own| {
                part(own).forward(&graph, own).expect("a part of what was checked can be computed")
            });
            (vec![results[0].checkpoint_name(SCAN), results[1]], inputs.to_vec())
        },
        |inputs, cotangents| {
            let given = [inputs, cotangents].concat();
            let gradients = graph.per_shard(&HEADS_APART, &given, |own| {
                let (own, cotangents) = own.split_at(inputs.len());
                let gradients = part(own).backward(&graph, own, [&cotangents[0], &cotangents[1]]);
                gradients.expect("a part of what was checked can be computed")
            });
            let mut gradients = gradients.into_iter();
            inputs.iter().map(|input| if input.dtype().is_float() { gradients.next() } else { None }).collect()
        },
    );
    [results[0], results[1]]
}

/// The convolution of each device's part of `x` (batch, position, channel) with `taps` by our kernels; `None` where they do not take it.
pub(super) fn convolution(x: Tensor<'_>, channels: &'static str, taps: usize, documents: bool) -> Option<Convolution> {
    let size = part_sizes(x, &["batch", channels]);
    let (batch, positions, channels) = (size("batch"), size("position"), size(channels));
    let convolution = Convolution { batch, positions, channels, taps, dtype: x.dtype(), documents };
    convolution.check().is_ok().then_some(convolution)
}

/// Of x, the taps' weights (tap, channel), a bias, and perhaps documents: the convolution with SiLU, as x.
pub(super) fn convolve<'g>(
    graph: &'g Graph,
    convolution: Convolution,
    channels: &'static str,
    inputs: &[Tensor<'g>],
) -> Tensor<'g> {
    let apart = ["batch", channels];
    // What one device has, as the kernels name it.
    let part = |own: &[Tensor<'g>]| {
        let size = |name| own[0].axis(name).size;
        let convolution = Convolution { batch: size("batch"), channels: size(channels), ..convolution };
        let named = |tensor: &Tensor<'g>| match tensor.axes().iter().any(|axis| axis.name == channels) {
            true => tensor.rename(channels, "channel"),
            false => *tensor,
        };
        (convolution, own.iter().map(named).collect::<Vec<_>>())
    };
    let ours =
        |results: Vec<Tensor<'g>>| results.into_iter().map(|result| result.rename("channel", channels)).collect();
    let results = graph.custom_vjp(
        inputs,
        |inputs| {
            let results = graph.per_shard(&apart, inputs, |own| {
                let (convolution, own) = part(own);
                ours(convolution.forward(&graph, &own).expect("a part of what was checked can be computed"))
            });
            (results, inputs.to_vec())
        },
        |inputs, cotangents| {
            let gradients = graph.per_shard(&apart, &[inputs, cotangents].concat(), |own| {
                let (convolution, own) = part(own);
                ours(convolution.backward(&graph, &own).expect("a part of what was checked can be computed"))
            });
            gradients.into_iter().map(Some).chain(inputs[3..].iter().map(|_| None)).collect()
        },
    );
    results[0]
}
