//! Each kernel against its reference in f64: through the interpreter on any machine, and on a GPU where there is one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use gpu::gpu;
use graph::{DType, Graph, HostTensor};
use kernels::{Argument, Array, Attention, Gpu, Interpreter, Operation, PagedAttention, filled};
use runtime::plugins::{Environment, Platform};
use runtime::{CompileOptions, Executable, Session};

#[path = "../../../runtime/tests/support/gpu.rs"]
mod gpu;
mod segments;

fn cpu() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("the CPU plugin starts")
    })
}

/// Another one each time, or `FINERY_TEST_SEED`.
fn seed() -> u64 {
    let given = std::env::var("FINERY_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| RandomState::new().build_hasher().finish())
}

/// The type in which the reference is computed.
fn wide(dtype: DType) -> DType {
    if dtype.is_float() || dtype.is_float8() { DType::F64 } else { dtype }
}

/// What `trace` makes of the arguments, given as `dtype` says.
fn compile(
    session: &Session,
    arguments: &[Argument],
    dtype: fn(DType) -> DType,
    trace: impl for<'g> Fn(&'g Graph, &[graph::Tensor<'g>]) -> Vec<graph::Tensor<'g>>,
) -> Executable {
    let graph = Graph::new();
    let tensors: Vec<_> =
        arguments.iter().map(|given| graph.input(given.name, dtype(given.ty.dtype), &given.ty.axes)).collect();
    let results = trace(&graph, &tensors);
    // As f64, so that nothing is rounded once more.
    let names: Vec<_> = (0..results.len()).map(|i| format!("result{i}")).collect();
    let results: Vec<_> =
        names.iter().zip(results).map(|(name, result)| (name.as_str(), result.cast(DType::F64))).collect();
    let program = graph.lower("agreement", &results, &[]).unwrap();
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default());
    executable.unwrap_or_else(|error| panic!("{error}\n{}", program.text))
}

fn execute(
    session: &Session,
    executable: &Executable,
    arguments: &[Argument],
    dtype: fn(DType) -> DType,
    inputs: &[Array],
) -> Vec<Vec<f64>> {
    let hosts: Vec<HostTensor<'_>> = arguments
        .iter()
        .zip(inputs)
        .map(|(given, array)| array.to_host(dtype(given.ty.dtype), &given.ty.shape()).unwrap())
        .collect();
    let buffers: Vec<_> = hosts.iter().map(|tensor| session.upload(tensor).unwrap()).collect();
    let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
    results.iter().map(|buffer| session.download(buffer).unwrap().to_vec::<f64>().unwrap()).collect()
}

/// The norm of what is off, and of what is expected. NaN and infinities have to stand in the same places.
fn norms(found: &[f64], expected: &[f64]) -> [f64; 2] {
    assert_eq!(found.len(), expected.len());
    let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
    let pairs = || found.iter().zip(expected).filter(|pair| !same(*pair));
    let off: f64 = pairs().map(|(a, b)| (a - b) * (a - b)).sum();
    let norm: f64 = expected.iter().filter(|x| x.is_finite()).map(|x| x * x).sum();
    [off.sqrt(), norm.sqrt()]
}

/// How far `found` is off, as a part of the norm of what is expected.
fn distance(found: &[f64], expected: &[f64]) -> f64 {
    let [off, norm] = norms(found, expected);
    if off == 0.0 { 0.0 } else { off / norm }
}

/// The norm of each vector of so many elements, and the root of the mean of their squares.
fn norms_of_vectors(numbers: &[f64], width: usize) -> (Vec<f64>, f64) {
    let norm = |numbers: &[f64]| norms(numbers, numbers)[1];
    let all: Vec<_> = numbers.chunks(width).map(norm).collect();
    let typical = norm(numbers) / (all.len() as f64).sqrt();
    (all, typical)
}

/// The most that a vector is off, as a part of its own norm and of its floor.
fn distance_of_vectors(found: &[f64], expected: &[f64], width: usize, floors: &[f64]) -> f64 {
    let of_vector = |((found, expected), floor): ((&[f64], &[f64]), &f64)| {
        let [off, norm] = norms(found, expected);
        // NaN is the greatest, whatever its sign.
        if off == 0.0 { 0.0 } else { (off / (norm + floor)).abs() }
    };
    let pairs = found.chunks(width).zip(expected.chunks(width));
    pairs.zip(floors).map(of_vector).max_by(f64::total_cmp).unwrap_or(0.0)
}

/// Of those results of attention that are made of heads' vectors how long these are, and what is small beside a vector's norm, for each. Of
/// causal rows the last keys are seen by few queries, and the norm of all hides whether their gradients are there.
fn vectors(operation: &Operation, expected: &[Vec<f64>]) -> Vec<(usize, Vec<f64>)> {
    // A tenth of a typical norm: a vector of few elements may be that short by chance, of sums that are rounded as others are.
    let small = |result: &[f64], width: usize| {
        let (norms, typical) = norms_of_vectors(result, width);
        (width, vec![typical / 10.0; norms.len()])
    };
    match (operation, expected) {
        (Operation::Attention(Attention { head_dim, .. }), [out, ..])
        | (Operation::PagedAttention(PagedAttention { head_dim, .. }), [out]) => vec![small(out, *head_dim)],
        (Operation::AttentionGradient(Attention { head_dim, .. }), [dq, dk, dv]) => {
            // Of queries and keys what their scores' cotangents are off a mean is summed up, and may be nothing but the mean's rounding: for
            // queries of few keys, which have the greatest gradients, and for keys as much as they are weighed, which the gradients of their
            // values tell.
            let [(queries, _), (_, of_key), (values, of_value)] =
                [dq, dk, dv].map(|gradient| norms_of_vectors(gradient, *head_dim));
            let greatest = queries.iter().copied().max_by(f64::total_cmp).unwrap();
            let of_keys = values.iter().map(|norm| norm * of_key / of_value).collect();
            vec![(*head_dim, vec![greatest; queries.len()]), (*head_dim, of_keys), small(dv, *head_dim)]
        }
        _ => Vec::new(),
    }
}

/// How much further than all together, as parts of their norms, the worst vector may be off. By bf16's roundings alone, in f64 but for these,
/// the worst of 10,000 draws of heads of 5 elements, (1, 70, 2, 1, 5), is off by 3.4 times the bound in the result, by 2.5, 2.0 and 3.3 times in
/// the gradients; of 200 draws of heads of 64 elements, by 1.0.
const VECTORS: f64 = 4.0;

/// Gives what is further off than `bound`, as said of the operation by a road.
fn check(operation: &Operation, said: &str, bound: f64, found: &[Vec<f64>], expected: &[Vec<f64>]) -> Vec<String> {
    assert_eq!(found.len(), expected.len(), "{said}: a different number of results");
    let mut off = Vec::new();
    let mut hold = |said: String, distance: f64, bound: f64| {
        println!("{said}: off by {distance:.1e}");
        // NaN is off.
        if !matches!(distance.partial_cmp(&bound), Some(order) if order.is_le()) {
            off.push(format!("{said}: off by {distance:.1e}, bound {bound:.1e}"));
        }
    };
    let vectors = vectors(operation, expected);
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        hold(format!("{said}, result {i}"), distance(found, expected), bound);
        if let Some((width, floors)) = vectors.get(i) {
            let distance = distance_of_vectors(found, expected, *width, floors);
            hold(format!("{said}, a vector of result {i}"), distance, VECTORS * bound);
        }
    }
    off
}

/// The last key of a causal row, which one query sees, has gradients that are a thousandth of the norm of all.
#[test]
fn a_vector_that_is_missing_is_found() {
    let op = Attention::causal(1, 197, [1, 1], 64, Gpu::Hopper);
    let operation = Operation::AttentionGradient(op);
    let arguments = operation.arguments();
    let inputs = filled(&arguments, 1);
    let reference = compile(cpu(), &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
    let expected = execute(cpu(), &reference, &arguments, wide, &inputs);
    let bound = operation.tolerance();
    assert_eq!(check(&operation, "the same", bound, &expected, &expected), [""; 0]);
    for gradient in [1, 2] {
        for wrong in [0.0, f64::NAN, -f64::NAN, f64::INFINITY] {
            let mut found = expected.clone();
            found[gradient][196 * 64..].fill(wrong);
            let off = check(&operation, "the last key", bound, &found, &expected);
            let is_of_vector = |off: &String| off.contains(&format!("a vector of result {gradient}"));
            assert!(off.iter().any(is_of_vector), "{wrong}: {off:?}");
            // What the norm of all is there for, it does not see.
            assert_eq!(off.len() == 1, wrong == 0.0, "{wrong}: {off:?}");
        }
    }
}

/// What an operation's kernels give in the interpreter.
fn interpreted(operation: &Operation, inputs: &[Array]) -> Vec<Vec<f64>> {
    let interpreter = Interpreter::default();
    let results = operation.run(&&interpreter, inputs).unwrap();
    interpreter.finish().unwrap_or_else(|fault| panic!("{operation}: {fault}"));
    results.iter().map(|result| result.numbers().to_vec()).collect()
}

/// How the interpreter's results are off those of the reference, in f64 by XLA.
fn interpreted_is_off(operation: &Operation, inputs: &[Array], said: &str) -> Vec<String> {
    let arguments = operation.arguments();
    let reference = compile(cpu(), &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
    let expected = execute(cpu(), &reference, &arguments, wide, inputs);
    check(operation, said, operation.tolerance(), &interpreted(operation, inputs), &expected)
}

#[test]
fn interpreted_kernels_agree_with_their_references() {
    let mut off = Vec::new();
    for operation in Operation::tried() {
        let seed = seed();
        let inputs = filled(&operation.arguments(), seed);
        off.extend(interpreted_is_off(&operation, &inputs, &format!("{operation}, interpreted, seed {seed}")));
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// A kind of inputs at which kernels go wrong sooner than at those that are drawn.
#[derive(Clone, Copy, Debug)]
enum Extreme {
    /// Of large vectors: their products with weights of 0.02, and those of two such products, stay within f16's range.
    Large,
    /// Of vectors of zeros, or none of whose scores is greater than another.
    Zeros,
    /// With this infinity in a vector.
    Infinity(f64),
    /// With scores that leave nearly nothing to any key but one.
    LargeScores,
    /// Keys with minus infinity in an element, which is positive in all queries, have scores of minus infinity: they weigh nothing, or as little as a cap
    /// leaves them. They are not the first of their row, or of their page, which would see nothing else.
    KeysOfMinusInfinity,
    /// A state that is kept for good.
    Kept,
    /// A state that is forgotten within a few tokens: the exponents of decays are far below what f32 holds, and those of tokens that a scan hides far
    /// above.
    Forgotten,
    /// The same, of which gradients are rounding errors of sums in place of next to nothing, but numbers.
    ForgottenInGradients,
}

/// What an operation is tried at besides.
fn extremes(operation: &Operation) -> Vec<Extreme> {
    use Extreme::*;
    let infinities = [Infinity(f64::INFINITY), Infinity(f64::NEG_INFINITY)];
    match operation {
        // None in cotangents: references of derivatives multiply them with zeros, and add up infinities of both signs.
        Operation::VectorProduct(_)
        | Operation::NarrowProduct(_)
        | Operation::RowNorm(_)
        | Operation::GroupedProduct(_)
        | Operation::GroupedProductBackward(_)
        | Operation::Convolution(_)
        | Operation::ConvolutionBackward(_) => [&[Large, Zeros][..], &infinities].concat(),
        // No infinities in scans: one stays in its state, where it is infinite for as long as decays do not round to zero, which they do sooner in f32.
        // In sums of exponents of some thousands the last bit of f32 is 2e-4.
        Operation::DualScan(op) if op.dtype == DType::F32 => vec![Large, Zeros, Kept],
        Operation::SelectiveScan(_) | Operation::DualScan(_) => vec![Large, Zeros, Kept, Forgotten],
        Operation::SelectiveScanBackward(_) | Operation::DualScanBackward(_) => {
            vec![Large, Zeros, Kept, ForgottenInGradients]
        }
        // Packed, the key could be the first of its document.
        Operation::Attention(op) if op.documents => vec![Zeros, LargeScores],
        Operation::Attention(_) => vec![Zeros, LargeScores, KeysOfMinusInfinity],
        // Where scores are large there is no choice, and no gradient but rounding: tests/attention.rs knows how much.
        Operation::AttentionGradient(_) => vec![Zeros],
        // A page of one token has no other key, and an E4M3 no infinity.
        Operation::PagedAttention(op) if op.page_tokens == 1 || op.held.is_float8() => vec![Zeros, LargeScores],
        Operation::PagedAttention(_) => vec![Zeros, LargeScores, KeysOfMinusInfinity],
    }
}

impl Extreme {
    /// The numbers of an argument, where they are others than those that were drawn.
    fn change(self, argument: &Argument, x: &[f64]) -> Option<Vec<f64>> {
        let times = |factor: f64| Some(x.iter().map(|x| x * factor).collect());
        match (self, argument.name) {
            (Extreme::Large, "x") | (Extreme::LargeScores, "q") => times(64.0),
            (Extreme::Zeros, "x" | "h" | "q") | (Extreme::Kept, "widths") => Some(vec![0.0; x.len()]),
            (Extreme::Infinity(infinity), "x") => Some(with_infinities(x, [x.len() / 2], infinity)),
            (Extreme::KeysOfMinusInfinity, "q") => Some(x.iter().map(|x| x.abs()).collect()),
            (Extreme::KeysOfMinusInfinity, "k") => {
                let size = |name: &str| argument.ty.axes.iter().find(|axis| axis.name == name).map(|axis| axis.size);
                // Of the first head of each page the second key, which every text of two tokens sees.
                let page =
                    size("page_token").map(|tokens| size("kv_heads").unwrap() * tokens * size("head_dim").unwrap());
                Some(match page {
                    Some(page) => {
                        with_infinities(x, (size("head_dim").unwrap()..x.len()).step_by(page), f64::NEG_INFINITY)
                    }
                    None => with_infinities(x, [x.len() * 3 / 4], f64::NEG_INFINITY),
                })
            }
            (Extreme::Forgotten | Extreme::ForgottenInGradients, "widths") => times(1e2),
            _ => None,
        }
    }
}

/// With infinities in place of the numbers at these places.
fn with_infinities(x: &[f64], places: impl IntoIterator<Item = usize>, infinity: f64) -> Vec<f64> {
    let mut x = x.to_vec();
    places.into_iter().for_each(|place| x[place] = infinity);
    x
}

/// What is wrong with an operation at its extremes.
fn off_at_extremes(operation: &Operation) -> Vec<String> {
    let (arguments, seed) = (operation.arguments(), seed());
    let reference = compile(cpu(), &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
    let at = |extreme: Extreme| {
        let mut inputs = filled(&arguments, seed);
        for (argument, input) in arguments.iter().zip(&mut inputs) {
            if let Some(numbers) = extreme.change(argument, input.numbers()) {
                *input = Array::new(argument.ty.dtype, numbers);
            }
        }
        let said = format!("{operation}, {extreme:?}, seed {seed}");
        let found = interpreted(operation, &inputs);
        if let Extreme::ForgottenInGradients = extreme {
            let is_finite = found.iter().flatten().all(|x| x.is_finite());
            return if is_finite { Vec::new() } else { vec![format!("{said}: there are infinities")] };
        }
        let expected = execute(cpu(), &reference, &arguments, wide, &inputs);
        check(operation, &said, operation.tolerance(), &found, &expected)
    };
    extremes(operation).into_iter().flat_map(at).collect()
}

/// What is wrong with operations, so many of which are looked at side by side where there are processors for them.
fn off_of_each(
    operations: Vec<Operation>,
    at_once: usize,
    off_of: impl Fn(&Operation) -> Vec<String> + Sync,
) -> Vec<String> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from).min(at_once);
    let (next, off) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(operation) = operations.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = off_of(operation);
                    off.lock().unwrap().extend(found);
                }
            });
        }
    });
    off.into_inner().unwrap()
}

#[test]
fn kernels_agree_with_their_references_at_extremes() {
    let off = off_of_each(Operation::tried(), usize::MAX, off_at_extremes);
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn kernels_agree_with_their_references_on_a_gpu() {
    agree_on_a_gpu(Operation::tried(), 8);
}

#[test]
fn kernels_of_the_sizes_that_are_timed_agree_on_a_gpu() {
    // Some references need half of the device's memory in one piece.
    agree_on_a_gpu(Operation::timed(), 1);
}

/// Compiling is nearly all of the time, and takes one core: some operations are compiled side by side, and run in turn.
fn agree_on_a_gpu(operations: Vec<Operation>, at_once: usize) {
    let Some(session) = &gpu() else { return };
    let turn = Mutex::new(());
    let off = off_of_each(operations, at_once, |operation| {
        let (arguments, seed) = (operation.arguments(), seed());
        let of_kernels =
            compile(session, &arguments, |dtype| dtype, |graph, tensors| operation.run(&graph, tensors).unwrap());
        let of_reference = compile(session, &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
        let inputs = filled(&arguments, seed);
        let _turn = turn.lock().unwrap();
        let found = execute(session, &of_kernels, &arguments, |dtype| dtype, &inputs);
        let expected = execute(session, &of_reference, &arguments, wide, &inputs);
        let said = format!("{operation}, on the GPU, seed {seed}");
        check(operation, &said, operation.tolerance_on_gpus(), &found, &expected)
    });
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn results_have_the_types_that_the_reference_has() {
    for operation in Operation::tried().into_iter().chain(Operation::timed()) {
        let graph = Graph::new();
        let arguments = operation.arguments();
        let inputs: Vec<_> =
            arguments.iter().map(|given| graph.input(given.name, given.ty.dtype, &given.ty.axes)).collect();
        let results = operation.run(&&graph, &inputs).unwrap();
        let types: Vec<_> = results.iter().map(|result| result.ty()).collect();
        assert_eq!(types, operation.results(), "{operation}");
    }
}
