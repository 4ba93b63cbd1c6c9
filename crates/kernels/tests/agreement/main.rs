//! Each kernel against its reference in f64: through the interpreter on any machine, and on a GPU where there is one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use gpu::gpu;
use graph::{DType, Graph, HostTensor};
use kernels::{Argument, Array, Attention, Distance, Gpu, Interpreter, Operation, filled};
use runtime::plugins::{Environment, Platform};
use runtime::{Buffer, CompileOptions, Executable, Session};

#[path = "../../../runtime/tests/support/gpu.rs"]
mod gpu;

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
    let names: Vec<_> = (0..results.len()).map(|i| format!("result{i}")).collect();
    let results: Vec<_> = names.iter().map(String::as_str).zip(results).collect();
    let program = graph.lower("agreement", &results, &[]).unwrap();
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default());
    executable.unwrap_or_else(|error| panic!("{error}\n{}", program.text))
}

fn upload(session: &Session, arguments: &[Argument], dtype: fn(DType) -> DType, inputs: &[Array]) -> Vec<Buffer> {
    let host = |(given, array): (&Argument, &Array)| array.to_host(dtype(given.ty.dtype), &given.ty.shape()).unwrap();
    let hosts = arguments.iter().zip(inputs).map(host);
    hosts.map(|tensor| session.upload(&tensor).unwrap()).collect()
}

fn execute(session: &Session, executable: &Executable, buffers: &[Buffer]) -> Vec<Vec<f64>> {
    let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
    // As kernels write them: where results were made f64 on the device, only that would write what is looked at.
    let numbers = |host: HostTensor<'_>| {
        host.to_vec::<f64>().unwrap_or_else(|| host.to_f32().into_iter().map(f64::from).collect())
    };
    results.iter().map(|buffer| numbers(session.download(buffer).unwrap())).collect()
}

/// What an operation's kernels give on a road, and its reference, of any inputs.
struct Compared<'r> {
    road: &'static str,
    tolerance: f64,
    found: &'r dyn Fn(&[Array]) -> Vec<Vec<f64>>,
    expected: &'r dyn Fn(&[Array]) -> Vec<Vec<f64>>,
}

/// Gives what is further off than `bound`, as said of the operation by a road.
fn check(operation: &Operation, said: &str, bound: f64, found: &[Vec<f64>], expected: &[Vec<f64>]) -> Vec<String> {
    assert_eq!(found.len(), expected.len(), "{said}: a different number of results");
    let mut off = Vec::new();
    for (i, distance) in operation.distances(found, expected).into_iter().enumerate() {
        let Distance { whole, vector } = distance;
        let said = format!("{said}, result {i}: off by {whole:.1e}, a vector by {vector:.1e}");
        println!("{said}");
        if !distance.is_within(bound) {
            off.push(format!("{said}, bounds {bound:.1e} and {:.1e}", Distance::VECTORS * bound));
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
    let expected = execute(cpu(), &reference, &upload(cpu(), &arguments, wide, &inputs));
    let bound = operation.tolerance();
    assert_eq!(check(&operation, "the same", bound, &expected, &expected), [""; 0]);
    for gradient in [1, 2] {
        for wrong in [0.0, f64::NAN, -f64::NAN, f64::INFINITY] {
            let mut found = expected.clone();
            found[gradient][196 * 64..].fill(wrong);
            let off = check(&operation, "the last key", bound, &found, &expected);
            assert!(off.len() == 1 && off[0].contains(&format!("result {gradient}: ")), "{wrong}: {off:?}");
            // What the norm of all is there for, it does not see.
            let whole = operation.distances(&found, &expected)[gradient].whole;
            assert_eq!(whole <= bound, wrong == 0.0, "{wrong}: {whole}");
        }
    }
}

/// Of each kind of operation, and each of its results: the vector whose norm is the middle one.
#[test]
fn a_vector_that_is_missing_is_found_in_each_result() {
    let mut kinds = HashSet::new();
    for operation in Operation::tried() {
        if !kinds.insert(std::mem::discriminant(&operation)) {
            continue;
        }
        let arguments = operation.arguments();
        let reference = compile(cpu(), &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
        let expected = execute(cpu(), &reference, &upload(cpu(), &arguments, wide, &filled(&arguments, 1)));
        for (place, ty) in operation.results().iter().enumerate() {
            let width = ty.axes.last().unwrap().size;
            let norm = |vector: &[f64]| vector.iter().map(|x| x * x).sum::<f64>();
            let mut vectors: Vec<_> = expected[place].chunks(width).map(norm).enumerate().collect();
            vectors.retain(|(_, norm)| *norm > 0.0);
            vectors.sort_by(|a, b| a.1.total_cmp(&b.1));
            let (missing, _) = vectors[vectors.len() / 2];
            let mut found = expected.clone();
            found[place][missing * width..][..width].fill(0.0);
            let bound = Distance::VECTORS * operation.tolerance_on_gpus();
            let Distance { vector, .. } = operation.distances(&found, &expected)[place];
            assert!(vector > 2.0 * bound, "{operation}, vector {missing} of result {place}: {vector}");
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

/// What is wrong with an operation in the interpreter, beside its reference in f64 by XLA.
fn interpreted_is_off(operation: &Operation, off: impl Fn(&Operation, &Compared<'_>) -> Vec<String>) -> Vec<String> {
    let arguments = operation.arguments();
    let reference = compile(cpu(), &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
    let compared = Compared {
        road: "interpreted",
        tolerance: operation.tolerance(),
        found: &|inputs| interpreted(operation, inputs),
        expected: &|inputs| execute(cpu(), &reference, &upload(cpu(), &arguments, wide, inputs)),
    };
    off(operation, &compared)
}

/// What is wrong with an operation at random inputs.
fn off_at_random(operation: &Operation, compared: &Compared<'_>) -> Vec<String> {
    let seed = seed();
    let inputs = filled(&operation.arguments(), seed);
    let said = format!("{operation}, {}, seed {seed}", compared.road);
    let found = (compared.found)(&inputs);
    check(operation, &said, compared.tolerance, &found, &(compared.expected)(&inputs))
}

/// What memory is left with shows what a kernel does not write.
#[test]
fn poison_is_no_number_of_the_results_types() {
    for operation in Operation::tried() {
        let poison = compile(cpu(), &[], wide, |graph, _| operation.poison(graph));
        let results = poison.execute(&[]).unwrap();
        let results: Vec<_> = results.iter().map(|buffer| cpu().download(buffer).unwrap()).collect();
        let types: Vec<_> = results.iter().map(|result| (result.dtype(), result.shape().to_vec())).collect();
        assert_eq!(types, operation.results().iter().map(|ty| (ty.dtype, ty.shape())).collect::<Vec<_>>());
        assert!(results.iter().flat_map(HostTensor::to_f32).all(f32::is_nan), "{operation}");
    }
}

/// A kind of inputs at which kernels go wrong sooner than at those that are drawn.
#[derive(Clone, Copy, Debug)]
enum Extreme {
    /// Of large vectors: their products with weights of 0.02, and those of two such products, stay within f16's range.
    Large,
    /// Of vectors of some 2^-20, whose sums by hand are subnormal numbers.
    Small,
    /// Of vectors of zeros, or none of whose scores is greater than another.
    Zeros,
    /// Of weights whose elements are below the normal numbers of their format.
    SmallestWeights,
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
        Operation::PackedProduct(_) => [&[Large, Small, Zeros, SmallestWeights][..], &infinities].concat(),
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
        Operation::PagedWrite(_) => vec![Zeros],
        Operation::UnpackedPages(_) => vec![],
        // Rotated queries and keys are rounded, by which scores that are large choose other keys, and have both signs.
        Operation::PagedAttention(op) if op.rotates.is_some() => vec![Zeros],
        // A page of one token has no other key, and an E4M3 no infinity, nor have packed ones.
        Operation::PagedAttention(op) if op.page_tokens == 1 || op.held.is_float8() || op.packed => {
            vec![Zeros, LargeScores]
        }
        Operation::PagedAttention(_) => vec![Zeros, LargeScores, KeysOfMinusInfinity],
    }
}

impl Extreme {
    /// The numbers of an argument, where they are others than those that were drawn.
    fn change(self, argument: &Argument, x: &[f64]) -> Option<Vec<f64>> {
        let times = |factor: f64| Some(x.iter().map(|x| x * factor).collect());
        match (self, argument.name) {
            (Extreme::Large, "x") | (Extreme::LargeScores, "q") => times(64.0),
            (Extreme::Small, "x") => times((-20.0_f64).exp2()),
            (Extreme::Zeros, "x" | "h" | "q") | (Extreme::Kept, "widths") => Some(vec![0.0; x.len()]),
            // A sign and a mantissa, and of the fourth element nothing.
            (Extreme::SmallestWeights, "words" | "second" | "third") => {
                Some(x.iter().map(|x| f64::from(*x as u16 & 0x807f)).collect())
            }
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
fn off_at_extremes(operation: &Operation, compared: &Compared<'_>) -> Vec<String> {
    let (arguments, seed) = (operation.arguments(), seed());
    let at = |extreme: Extreme| {
        let mut inputs = filled(&arguments, seed);
        for (argument, input) in arguments.iter().zip(&mut inputs) {
            if let Some(numbers) = extreme.change(argument, input.numbers()) {
                *input = Array::new(argument.ty.dtype, numbers);
            }
        }
        let said = format!("{operation}, {}, {extreme:?}, seed {seed}", compared.road);
        let found = (compared.found)(&inputs);
        if let Extreme::ForgottenInGradients = extreme {
            let is_finite = found.iter().flatten().all(|x| x.is_finite());
            return if is_finite { Vec::new() } else { vec![format!("{said}: there are infinities")] };
        }
        check(operation, &said, compared.tolerance, &found, &(compared.expected)(&inputs))
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

/// What is wrong with an operation at inputs of all kinds.
fn off_at_all(operation: &Operation, compared: &Compared<'_>) -> Vec<String> {
    [off_at_random(operation, compared), off_at_extremes(operation, compared)].concat()
}

#[test]
fn interpreted_kernels_agree_with_their_references() {
    let off_of = |operation: &Operation| interpreted_is_off(operation, off_at_all);
    let off = off_of_each(Operation::tried(), usize::MAX, off_of);
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn kernels_agree_with_their_references_on_a_gpu() {
    agree_on_a_gpu(Operation::tried(), 8, off_at_all);
}

#[test]
fn kernels_of_the_sizes_that_are_timed_agree_on_a_gpu() {
    // Some references need half of the device's memory in one piece.
    agree_on_a_gpu(Operation::timed(), 1, off_at_random);
}

/// Compiling is nearly all of the time, and takes one core: some operations are compiled side by side, and run in turn.
fn agree_on_a_gpu(
    operations: Vec<Operation>,
    at_once: usize,
    off: impl Fn(&Operation, &Compared<'_>) -> Vec<String> + Sync,
) {
    let Some(session) = &gpu() else { return };
    // Triton ends a process that compiles others than the device's.
    let float8 = session.hardware().unwrap().float8().ok();
    let gpu = match (session.platform(), session.hardware().unwrap().compute_capability) {
        (Platform::Rocm, _) => Gpu::Amd,
        (_, found) => found.map_or(Gpu::Nvidia, Gpu::nvidia),
    };
    let of_gpu = operations.into_iter().filter(|operation| operation.is_for(gpu));
    let operations = of_gpu.filter_map(|operation| operation.with_float8(float8)).collect();
    let turn = Mutex::new(());
    let off = off_of_each(operations, at_once, |operation| {
        let arguments = operation.arguments();
        let of_kernels =
            compile(session, &arguments, |dtype| dtype, |graph, tensors| operation.run(&graph, tensors).unwrap());
        let of_reference = compile(session, &arguments, wide, |graph, tensors| operation.reference(graph, tensors));
        let poison = compile(session, &[], wide, |graph, _| operation.poison(graph));
        let _turn = turn.lock().unwrap();
        let compared = Compared {
            road: "on the GPU",
            tolerance: operation.tolerance_on_gpus(),
            found: &|inputs| {
                let given = upload(session, &arguments, |dtype| dtype, inputs);
                drop(poison.execute(&[]).unwrap());
                execute(session, &of_kernels, &given)
            },
            expected: &|inputs| execute(session, &of_reference, &upload(session, &arguments, wide, inputs)),
        };
        off(operation, &compared)
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
