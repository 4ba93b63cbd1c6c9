//! Rows of the causal convolution that come in segments, on the road of references: as whole rows, and as sums that are written down plainly.

use graph::{Axis, DType, Graph, HostTensor, Tensor};
use kernels::{Convolution, Earlier};
use runtime::CompileOptions;

use super::cpu;

const OP: Convolution =
    Convolution { batch: 2, positions: 9, channels: 3, taps: 4, dtype: DType::F32, documents: false };

const BEFORE: usize = OP.taps - 1;

/// Of each row: one that goes on in it, and others that do not.
const DOCUMENTS: [[i32; OP.positions]; OP.batch] = [[4, 4, 5, 5, 5, 5, 6, 7, 0], [1, 2, 2, 2, 2, 2, 2, 3, 3]];
const EARLIER_DOCUMENTS: [[i32; BEFORE]; OP.batch] = [[3, 4, 4], [7, 7, 7]];

/// x, weight, bias, what came before, the cotangent of y and of what comes out.
fn arguments() -> Vec<(Vec<Axis>, Vec<f64>)> {
    let [batch, channel] = [Axis::new("batch", OP.batch), Axis::new("channel", OP.channels)];
    let (position, before) = (Axis::new("position", OP.positions), Axis::new("position", BEFORE));
    let (x, earlier) = (vec![batch, position, channel], vec![batch, before, channel]);
    let weight = vec![Axis::new("tap", OP.taps), channel];
    let axes = [x.clone(), weight, vec![channel], earlier.clone(), x, earlier];
    let numbers = |(seed, axes): (usize, Vec<Axis>)| {
        let count = axes.iter().map(|axis| axis.size).product();
        (axes, (0..count).map(|i| ((i * 7919 + (seed + 1) * 104_729) % 1009) as f64 / 504.0 - 1.0).collect())
    };
    axes.into_iter().enumerate().map(numbers).collect()
}

/// The documents of rows, and of what came before them.
fn documents(graph: &Graph) -> [Tensor<'_>; 2] {
    let batch = Axis::new("batch", OP.batch);
    let input = |name, size| graph.input(name, DType::I32, &[batch, Axis::new("position", size)]);
    [input("documents", OP.positions), input("earlier_documents", BEFORE)]
}

/// y, what comes out, and the gradients of x, weights, biases and what came before, of rows that are cut into segments of these lengths.
fn cut<'g>(
    tensors: &[Tensor<'g>],
    documents: Option<Tensor<'g>>,
    earlier: Earlier<'g>,
    lengths: &[usize],
) -> Vec<Tensor<'g>> {
    let graph = tensors[0].graph();
    let (mut start, mut so_far, mut segments) = (0, earlier, Vec::new());
    for length in lengths {
        let part = |whole: Tensor<'g>| whole.slice("position", start, *length);
        let inputs: Vec<_> =
            [part(tensors[0]), tensors[1], tensors[2]].into_iter().chain(documents.map(part)).collect();
        let op = Convolution { positions: *length, documents: documents.is_some(), ..OP };
        let convolve = |op: &Convolution, inputs: &[Tensor<'g>]| op.reference(graph, inputs)[0];
        let (y, next) = op.segment(&inputs, Some(so_far), convolve).unwrap();
        segments.push(y);
        (start, so_far) = (start + length, next);
    }
    let y = Tensor::concat(&segments, "position");
    let loss = (y * tensors[4]).sum_all() + (so_far.x * tensors[5]).sum_all();
    let gradients = graph.grad(loss, &[tensors[0], tensors[1], tensors[2], earlier.x]);
    [vec![y, so_far.x], gradients].concat()
}

/// What `trace` makes of the arguments and, if rows are packed, their documents.
fn results(
    is_packed: bool,
    trace: impl for<'g> Fn(&[Tensor<'g>], Option<[Tensor<'g>; 2]>) -> Vec<Tensor<'g>>,
) -> Vec<Vec<f64>> {
    let (graph, arguments) = (Graph::new(), arguments());
    let names: Vec<_> = (0..arguments.len()).map(|i| format!("argument{i}")).collect();
    let declare = |(name, (axes, _)): (&String, &(Vec<Axis>, Vec<f64>))| graph.input(name, DType::F64, axes);
    let tensors: Vec<_> = names.iter().zip(&arguments).map(declare).collect();
    let results = trace(&tensors, is_packed.then(|| documents(&graph)));
    let names: Vec<_> = (0..results.len()).map(|i| format!("result{i}")).collect();
    let results: Vec<_> = names.iter().map(String::as_str).zip(results).collect();
    let program = graph.lower("segments", &results, &[]).unwrap();
    let executable = cpu().compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
    let host = |(axes, numbers): &(Vec<Axis>, Vec<f64>)| {
        let shape: Vec<_> = axes.iter().map(|axis| axis.size).collect();
        HostTensor::from_vec(&shape, numbers.clone()).unwrap()
    };
    let mut hosts: Vec<_> = arguments.iter().map(host).collect();
    if is_packed {
        hosts.push(HostTensor::from_vec(&[OP.batch, OP.positions], DOCUMENTS.concat()).unwrap());
        hosts.push(HostTensor::from_vec(&[OP.batch, BEFORE], EARLIER_DOCUMENTS.concat()).unwrap());
    }
    let buffers: Vec<_> = hosts.iter().map(|tensor| cpu().upload(tensor).unwrap()).collect();
    let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
    results.iter().map(|buffer| cpu().download(buffer).unwrap().to_vec::<f64>().unwrap()).collect()
}

/// Sums of as many terms in f64 have about 1e-15 of rounding.
fn assert_alike(found: &[f64], expected: &[f64], said: &str) {
    assert_eq!(found.len(), expected.len(), "{said}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-12, "{said}, element {i}: {found} and not {expected}");
    }
}

/// y with the tokens that came before to the left, element by element.
fn with_left_context(is_packed: bool) -> Vec<f64> {
    let arguments = arguments();
    let [x, weight, bias, earlier] = [0, 1, 2, 3].map(|i| &arguments[i].1);
    let (positions, channels) = (OP.positions, OP.channels);
    let token = |row: usize, place: usize, channel: usize| match place.checked_sub(BEFORE) {
        Some(own) => x[(row * positions + own) * channels + channel],
        None => earlier[(row * BEFORE + place) * channels + channel],
    };
    let documents = |row: usize| [&EARLIER_DOCUMENTS[row][..], &DOCUMENTS[row]].concat();
    let one = |row: usize, own: usize, channel: usize| {
        let seen = (0..OP.taps).filter(|tap| !is_packed || documents(row)[own + tap] == documents(row)[own + BEFORE]);
        let terms = seen.map(|tap| weight[tap * channels + channel] * token(row, own + tap, channel));
        let sum = bias[channel] + terms.sum::<f64>();
        sum / (1.0 + (-sum).exp())
    };
    let places = (0..OP.batch).flat_map(|row| (0..positions).map(move |own| (row, own)));
    places
        .flat_map(|(row, own)| (0..channels).map(move |channel| (row, own, channel)))
        .map(|(r, o, c)| one(r, o, c))
        .collect()
}

#[test]
fn rows_that_are_cut_give_what_whole_rows_give() {
    let at_one_place = (1..OP.positions).map(|place| vec![place, OP.positions - place]);
    let several = [vec![1; OP.positions], vec![2, 1, 2, 4]];
    let cuts: Vec<_> = [vec![OP.positions]].into_iter().chain(at_one_place).chain(several).collect();
    for is_packed in [false, true] {
        let all = results(is_packed, |tensors, documents| {
            let earlier = Earlier { x: tensors[3], documents: documents.map(|[_, earlier]| earlier) };
            cuts.iter().flat_map(|lengths| cut(tensors, documents.map(|[own, _]| own), earlier, lengths)).collect()
        });
        let all: Vec<_> = all.chunks(all.len() / cuts.len()).collect();
        assert_alike(&all[0][0], &with_left_context(is_packed), "y");
        for (lengths, found) in cuts.iter().zip(&all) {
            for (i, (found, expected)) in found.iter().zip(all[0]).enumerate() {
                assert_alike(found, expected, &format!("{lengths:?}, packed: {is_packed}, result {i}"));
            }
        }
        // What comes out are the row's last tokens.
        let x = &arguments()[0].1;
        let row = OP.positions * OP.channels;
        let last: Vec<_> = x.chunks(row).flat_map(|row| &row[row.len() - BEFORE * OP.channels..]).copied().collect();
        assert_eq!(all[0][1], last);
    }
}

/// Rows that begin, and rows whose documents are told not to go on, see nothing of what came before.
#[test]
fn rows_that_do_not_go_on_see_their_own_tokens() {
    for is_packed in [false, true] {
        let all = results(is_packed, |tensors, documents| {
            let graph = tensors[0].graph();
            let op = Convolution { documents: is_packed, ..OP };
            let inputs: Vec<_> = tensors[..3].iter().copied().chain(documents.map(|[own, _]| own)).collect();
            let earlier = Earlier { x: tensors[3], documents: None };
            let of = |earlier| op.segment(&inputs, earlier, |op, inputs| op.reference(graph, inputs)[0]).unwrap().0;
            let begun = of(None);
            let apart = if is_packed { of(Some(earlier)) } else { begun };
            vec![op.reference(graph, &inputs)[0], begun, apart]
        });
        assert_alike(&all[1], &all[0], "rows that begin");
        assert_alike(&all[2], &all[0], "rows of other documents");
    }
}

fn by_kernels<'g>(op: &Convolution, inputs: &[Tensor<'g>]) -> Tensor<'g> {
    let graph = inputs[0].graph();
    let results = graph.custom_vjp(
        inputs,
        |inputs| (op.forward(&graph, inputs).unwrap(), inputs.to_vec()),
        |inputs, cotangents| {
            let gradients = op.backward(&graph, &[inputs, cotangents].concat()).unwrap();
            gradients.into_iter().map(Some).collect()
        },
    );
    results[0]
}

/// The kernels take the longer rows, and their derivative goes on to what came before.
#[test]
fn kernels_go_on_with_rows_too() {
    let graph = Graph::new();
    let inputs: Vec<_> = arguments()
        .iter()
        .zip(["x", "weight", "bias", "earlier"])
        .map(|((axes, _), name)| graph.input(name, DType::F32, axes))
        .collect();
    let earlier = Earlier { x: inputs[3], documents: None };
    let (y, next) = OP.segment(&inputs[..3], Some(earlier), by_kernels).unwrap();
    assert_eq!([y.ty(), next.x.ty()], [inputs[0].ty(), inputs[3].ty()]);
    let gradient = graph.grad(y.sum_all(), &[earlier.x])[0];
    assert_eq!(gradient.ty(), inputs[3].ty());
    let text = graph.lower("segments", &[("gradient", gradient)], &[]).unwrap().text;
    assert!(text.contains("causal_convolution_backward"), "{text}");
}

#[test]
fn a_convolution_that_sees_one_token_has_nothing_to_go_on_from() {
    let graph = Graph::new();
    let op = Convolution { taps: 1, ..OP };
    let x = graph.input("x", DType::F32, &arguments()[0].0);
    let error = op.segment(&[x], None, |_, inputs| inputs[0]).err().unwrap().to_string();
    assert!(error.ends_with("of one tap nothing goes on"), "{error}");
}
