use std::sync::OnceLock;

use graph::{Graph, HostTensor};
use runtime::Session;
use runtime::plugins::{Environment, Platform};

use super::*;

const BATCH: Axis = Axis::new("batch", 3);
const POSITION: Axis = Axis::new("position", 5);
const EMBED: Axis = Axis::new("embed", 4);
const VOCAB: Axis = Axis::new("vocab", 7);

/// An output layer and what it gets.
#[derive(Clone)]
struct Case {
    head: Head,
    z_loss_multiplier: f64,
    hidden: Vec<f64>,
    weight: Vec<f64>,
    targets: Vec<i32>,
    weights: Vec<f32>,
}

/// Numbers in [-1, 1), all different.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + 13) % 1009) as f64 / 504.5 - 1.0).collect()
}

impl Case {
    fn new(scale: f64, softcap: Option<f64>, z_loss_multiplier: f64) -> Case {
        let tokens = BATCH.size * POSITION.size;
        Case {
            head: Head { scale, softcap, ..Head::lm_head(false, "embed", 0.02) },
            z_loss_multiplier,
            hidden: numbers(tokens * EMBED.size, 1),
            weight: numbers(VOCAB.size * EMBED.size, 2).into_iter().map(|x| 2.0 * x).collect(),
            targets: (0..tokens).map(|token| (token * 5 % VOCAB.size) as i32).collect(),
            weights: (0..tokens).map(|token| [1.0, 0.0, 1.0, 0.5][token % 4]).collect(),
        }
    }
}

/// The three sums, and the objective's gradients of hidden states and weight.
type Found = Vec<Vec<f64>>;

/// What the definition says, one token after the other.
fn expected(case: &Case) -> Found {
    let (width, vocab) = (EMBED.size, VOCAB.size);
    let mut sums = [0.0; 2];
    let (mut d_hidden, mut d_weight) = (vec![0.0; case.hidden.len()], vec![0.0; case.weight.len()]);
    for (token, hidden) in case.hidden.chunks(width).enumerate() {
        let weight = f64::from(case.weights[token]);
        if weight == 0.0 {
            continue;
        }
        let product = |row: usize| -> f64 { hidden.iter().zip(&case.weight[row * width..]).map(|(x, w)| x * w).sum() };
        let scaled: Vec<f64> = (0..vocab).map(|row| product(row) * case.head.scale).collect();
        let capped = |x: f64| case.head.softcap.map_or(x, |cap| cap * (x / cap).tanh());
        let slope = |x: f64| case.head.softcap.map_or(1.0, |cap| 1.0 - (x / cap).tanh().powi(2)) * case.head.scale;
        let logits: Vec<f64> = scaled.iter().map(|x| capped(*x)).collect();
        let largest = logits.iter().copied().max_by(f64::total_cmp).expect("there are some");
        let log_z = largest + logits.iter().map(|logit| (logit - largest).exp()).sum::<f64>().ln();
        let target = case.targets[token] as usize;
        sums[0] += weight * (log_z - logits[target]);
        sums[1] += weight * log_z * log_z;
        for row in 0..vocab {
            let probability = (logits[row] - log_z).exp();
            let is_target = if row == target { 1.0 } else { 0.0 };
            let ct = probability * (1.0 + 2.0 * case.z_loss_multiplier * log_z) - is_target;
            let ct = weight * ct * slope(scaled[row]);
            for k in 0..width {
                d_hidden[token * width + k] += ct * case.weight[row * width + k];
                d_weight[row * width + k] += ct * hidden[k];
            }
        }
    }
    let objective = sums[0] + case.z_loss_multiplier * sums[1];
    vec![vec![objective], vec![sums[0]], vec![sums[1]], d_hidden, d_weight]
}

/// What the graph computes, with logits for at most `chunk` tokens at once; `None`: of all.
fn found(case: &Case, chunk: Option<usize>) -> Found {
    let graph = Graph::new();
    let hidden = graph.input("hidden", DType::F64, &[BATCH, POSITION, EMBED]);
    let weight = graph.input("weight", DType::F64, &[VOCAB, EMBED]);
    let targets = graph.input("targets", DType::I32, &[BATCH, POSITION]);
    let weights = graph.input("weights", DType::F32, &[BATCH, POSITION]);
    let losses = match chunk {
        Some(tokens) => {
            let form = LossForm { z_loss_multiplier: case.z_loss_multiplier, chunk: LossChunk::Tokens(tokens) };
            Projection { head: case.head.clone(), weight }.by_chunks(hidden, targets, weights, form)
        }
        None => {
            let logits = case.head.finish(hidden.dot(weight, &["embed"]));
            Losses::of(logits, targets, weights, case.z_loss_multiplier)
        }
    };
    // A third of it, so that the cotangent is not 1.
    let gradients: Vec<_> =
        graph.grad(losses.objective / 3.0, &[hidden, weight]).into_iter().map(|grad| grad * 3.0).collect();
    let sums = [losses.objective, losses.cross_entropy, losses.squared_log_z];
    let outputs: Vec<_> = sums.into_iter().chain(gradients).map(|tensor| ("result", tensor)).collect();
    let program = graph.lower("loss", &outputs, &[]).expect("it can be traced");
    static SESSION: OnceLock<Session> = OnceLock::new();
    let open = || runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
    let session = SESSION.get_or_init(open);
    let executable = session.compile(&program.name, &program.text, &Default::default()).expect("it compiles");
    let f64s = |values: &[f64], shape: &[usize]| HostTensor::from_vec(shape, values.to_vec()).expect("it fits");
    let rows = [BATCH.size, POSITION.size];
    let inputs = [
        f64s(&case.hidden, &[BATCH.size, POSITION.size, EMBED.size]),
        f64s(&case.weight, &[VOCAB.size, EMBED.size]),
        HostTensor::from_vec(&rows, case.targets.clone()).expect("it fits"),
        HostTensor::from_vec(&rows, case.weights.clone()).expect("it fits"),
    ];
    let buffers: Vec<_> = inputs.iter().map(|input| session.upload(input).expect("it fits")).collect();
    let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).expect("it runs");
    results.iter().map(|result| session.download(result).expect("it fits").to_vec().expect("they are f64")).collect()
}

#[track_caller]
fn check(name: &str, case: &Case) {
    let expected = expected(case);
    assert!(expected.iter().flatten().all(|number| number.is_finite()), "{name}");
    // Of 15 tokens: one at a time, in chunks that divide and that do not, and more than there are.
    for chunk in [None, Some(1), Some(3), Some(4), Some(8), Some(100)] {
        let found = found(case, chunk);
        assert_eq!(found.len(), expected.len(), "{name}");
        for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
            // Sums of at most 15 terms in f64, in another order.
            let fits = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
            assert_eq!(found.len(), expected.len(), "{name}: result {place}");
            let is_equal = found.iter().zip(expected).all(fits);
            assert!(is_equal, "{name}, chunks of {chunk:?}, result {place}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn losses_and_gradients_are_those_of_the_definition() {
    check("plain", &Case::new(1.0, None, 0.0));
    check("scaled", &Case::new(0.3, None, 0.0));
    check("capped", &Case::new(1.0, Some(2.0), 0.0));
    check("with z-loss", &Case::new(1.0, None, 0.1));
    check("with all of it", &Case::new(1.5, Some(3.0), 0.01));
}

#[test]
fn what_is_extreme_stays_a_number() {
    let large = |x: &mut Vec<f64>| x.iter_mut().for_each(|x| *x *= 1e4);
    let mut case = Case::new(1.0, None, 1e-4);
    large(&mut case.hidden);
    check("logits of 1e4", &case);
    let mut case = Case::new(1.0, Some(30.0), 1e-4);
    large(&mut case.hidden);
    check("the same, capped", &case);
    // Tokens that can never come, one of which stands where nothing is to be learned.
    let mut case = Case::new(1.0, None, 1e-4);
    case.hidden.iter_mut().for_each(|x| *x = x.abs() + 0.5);
    case.weight[3 * EMBED.size..4 * EMBED.size].fill(f64::MIN);
    for (target, weight) in case.targets.iter_mut().zip(&case.weights) {
        *target = if *weight == 0.0 { 3 } else { *target % 3 };
    }
    check("a logit of -inf", &case);
    let mut case = Case::new(1.0, None, 1e-4);
    case.weights[..POSITION.size].fill(0.0);
    check("a row without targets", &case);
    case.weights.fill(0.0);
    check("no target at all", &case);
}

#[test]
fn chunks_divide_where_they_can_and_are_as_large_as_is_asked_for() {
    let auto = |tokens, vocab| LossChunk::Auto.tokens(tokens, [vocab, 2048], DType::BF16);
    // 8 rows of 2048 tokens: two chunks for 32,000, and 1.05 and 2.1 GB are too much at once; a small one is whole.
    assert_eq!([32_000, 50_304, 128_256, 256_000].map(|vocab| auto(16_384, vocab)), [8192, 4096, 2048, 1024]);
    assert_eq!(auto(2048, 32_000), 2048);
    assert_eq!(auto(1, 256_000), 1);
    // Of half of few tokens there are fewer logits than there are sums for a wide model's output layer, unless that is what was asked for.
    let wide = |chunk: LossChunk| chunk.tokens(2048, [256_000, 3584], DType::BF16);
    assert_eq!([LossChunk::Auto, LossChunk::Tokens(1024)].map(wide), [2048, 1024]);
    let of = |most, tokens| LossChunk::Tokens(most).tokens(tokens, [7, 100], DType::F32);
    assert_eq!(of(4, 16), 4);
    // 15 go into five of three, and of 17, which no number up to ten divides, the last chunk is filled up.
    assert_eq!(of(4, 15), 3);
    assert_eq!(of(4, 17), 4);
    assert_eq!(of(0, 5), 1);
    assert_eq!(of(100, 5), 5);
}

/// The loss alone needs neither a gradient nor what would add it up.
#[test]
fn an_evaluation_computes_one_product() {
    let text = |trained: &[&str]| {
        let graph = Graph::new();
        let hidden = graph.input("hidden", DType::F32, &[BATCH, POSITION, EMBED]);
        let weight = graph.input("weight", DType::F32, &[VOCAB, EMBED]);
        let targets = graph.input("targets", DType::I32, &[BATCH, POSITION]);
        let weights = graph.input("weights", DType::F32, &[BATCH, POSITION]);
        let form = LossForm { chunk: LossChunk::Tokens(5), ..LossForm::default() };
        let projection = Projection { head: Head::lm_head(false, "embed", 0.02), weight };
        let losses = projection.by_chunks(hidden, targets, weights, form);
        let wrt: Vec<_> =
            [("hidden", hidden), ("weight", weight)].into_iter().filter(|(n, _)| trained.contains(n)).collect();
        let gradients = graph.grad(losses.objective, &wrt.iter().map(|(_, tensor)| *tensor).collect::<Vec<_>>());
        let outputs: Vec<_> =
            std::iter::once(losses.objective).chain(gradients).map(|tensor| ("result", tensor)).collect();
        graph.lower("loss", &outputs, &[]).expect("it can be traced").text
    };
    let products = |trained: &[&str]| text(trained).matches("stablehlo.dot_general").count();
    assert_eq!(products(&[]), 1);
    assert_eq!(products(&["hidden"]), 2);
    assert_eq!(products(&["hidden", "weight"]), 3);
    // No loop carries a gradient that nobody asks for.
    assert!(!text(&["hidden"]).contains("tensor<7x4xf32>, tensor<7x4xf32>"), "{}", text(&["hidden"]));
}
