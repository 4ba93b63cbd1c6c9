//! Attention where its numbers are extreme, against sums in f64 that are written down plainly, and where documents begin and end.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::DType;
use kernels::{Array, Attention, Gpu, Interpreter, PagedAttention, Spans};

/// One row, one key head with its queries, tokens' vectors one behind the other.
struct Case {
    operation: Attention,
    q: Vec<f64>,
    k: Vec<f64>,
    v: Vec<f64>,
    ct: Vec<f64>,
    documents: Vec<f64>,
}

const POSITIONS: usize = 70;
const WIDTH: usize = 16;

impl Case {
    /// With scores of about `size` in magnitude.
    fn new(size: f64, documents: Option<Vec<f64>>) -> Case {
        let operation = Attention::causal(1, POSITIONS, [1, 1], WIDTH, Gpu::Amd);
        let scale = (size / operation.scale).sqrt() / (WIDTH as f64).powf(0.25);
        let numbers = |seed: usize, scale: f64| -> Vec<f64> {
            let number = |i: usize| ((i * 7919 + seed * 104_729) % 1009) as f64 / 504.0 - 1.0;
            (0..POSITIONS * WIDTH).map(|i| half::bf16::from_f64(scale * number(i)).to_f64()).collect()
        };
        let [q, k] = [1, 2].map(|seed| numbers(seed, scale));
        let [v, ct] = [3, 4].map(|seed| numbers(seed, 1.0));
        let operation = Attention { documents: documents.is_some(), ..operation };
        Case { operation, q, k, v, ct, documents: documents.unwrap_or_else(|| vec![1.0; POSITIONS]) }
    }

    /// The result, log-sum-exps, and the gradients of queries, keys and values by the kernels.
    fn found(&self) -> [Vec<f64>; 5] {
        let interpreter = Interpreter::default();
        let road = &&interpreter;
        let array = |numbers: &[f64]| Array::new(DType::BF16, numbers.to_vec());
        let mut inputs = [&self.q, &self.k, &self.v].map(|numbers| array(numbers)).to_vec();
        if self.operation.documents {
            let documents = Array::new(DType::I32, self.documents.clone());
            inputs.extend(Spans { batch: 1, positions: POSITIONS }.of(road, &documents).unwrap());
        }
        let results = self.operation.forward(road, &inputs).unwrap();
        let gradients = self.operation.backward(road, &inputs, [&results[0], &results[1], &array(&self.ct)]).unwrap();
        interpreter.finish().unwrap();
        let all: Vec<_> = results.iter().chain(&gradients).map(|array| array.numbers().to_vec()).collect();
        all.try_into().unwrap()
    }

    /// Each query with each key that it sees, and of each query the log-sum-exp of its scores.
    fn pairs(&self) -> (Vec<Pair>, Vec<f64>) {
        let dot = |a: &[f64], i: usize, b: &[f64], j: usize| -> f64 {
            (0..WIDTH).map(|n| a[i * WIDTH + n] * b[j * WIDTH + n]).sum()
        };
        let sees = |i: usize, j: usize| j <= i && self.documents[i] == self.documents[j] && self.documents[i] != 0.0;
        let (mut pairs, mut rows) = (Vec::new(), vec![0.0; POSITIONS]);
        for i in (0..POSITIONS).filter(|i| sees(*i, *i)) {
            let seen: Vec<usize> = (0..POSITIONS).filter(|j| sees(i, *j)).collect();
            let scores: Vec<f64> = seen.iter().map(|j| self.operation.scale * dot(&self.q, i, &self.k, *j)).collect();
            let largest = scores.iter().copied().max_by(f64::total_cmp).expect("a token sees itself");
            let total: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
            let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp() / total).collect();
            let cts: Vec<f64> = seen.iter().map(|j| dot(&self.ct, i, &self.v, *j)).collect();
            let mean: f64 = weights.iter().zip(&cts).map(|(weight, ct)| weight * ct).sum();
            rows[i] = largest + total.ln();
            let pair = |((key, weight), ct)| Pair { query: i, key, weight, off_mean: ct - mean };
            pairs.extend(seen.into_iter().zip(weights).zip(cts).map(pair));
        }
        (pairs, rows)
    }

    /// The same as [`Case::found`] by sums over all pairs.
    fn expected(&self) -> [Vec<f64>; 5] {
        let (pairs, rows) = self.pairs();
        let [mut out, mut dq, mut dk, mut dv] =
            [const { Vec::new() }; 4].map(|_: Vec<f64>| vec![0.0; POSITIONS * WIDTH]);
        for Pair { query, key, weight, off_mean } in pairs {
            let d_score = weight * off_mean * self.operation.scale;
            for (i, j) in (query * WIDTH..).zip(key * WIDTH..).take(WIDTH) {
                out[i] += weight * self.v[j];
                dv[j] += weight * self.ct[i];
                dq[i] += d_score * self.k[j];
                dk[j] += d_score * self.q[i];
            }
        }
        [out, rows, dq, dk, dv]
    }

    /// How far roundings may move an element of each query's gradient and of each key's. A mean of cotangents is off by what the result is rounded by, and
    /// each weighed difference from it is rounded, as is what they add up to; where scores are large, weights are off by as much as f32 leaves of these,
    /// and those that it cannot hold are 0.
    fn rounding(&self, out: &[f64]) -> [Vec<f64>; 2] {
        let half = 2f64.powi(-9);
        let mean_is_off =
            |i: usize| -> f64 { (i * WIDTH..(i + 1) * WIDTH).map(|n| half * (out[n] * self.ct[n]).abs()).sum() };
        let largest = |numbers: &[f64]| numbers.iter().map(|x| x.abs()).max_by(f64::total_cmp).unwrap();
        let (mut queries, mut keys) = (vec![0.0; POSITIONS], vec![0.0; POSITIONS]);
        for Pair { query, key, weight, off_mean } in self.pairs().0 {
            let off = weight * (mean_is_off(query) + 3.0 * half * off_mean.abs());
            let off = self.operation.scale * (off + f64::from(f32::MIN_POSITIVE) * off_mean.abs());
            queries[query] += off * largest(&self.k);
            keys[key] += off * largest(&self.q);
        }
        [queries, keys]
    }
}

/// A query and a key that it sees.
struct Pair {
    query: usize,
    key: usize,
    weight: f64,
    /// The weight's cotangent without the mean of the query's.
    off_mean: f64,
}

/// Vectors that are off by more than their bounds.
fn off_bounds(found: &[f64], expected: &[f64], bounds: &[f64]) -> Vec<usize> {
    let is_within = |place: usize| {
        let range = place * WIDTH..(place + 1) * WIDTH;
        found[range.clone()].iter().zip(&expected[range]).all(|(a, b)| (a - b).abs() <= bounds[place])
    };
    (0..bounds.len()).filter(|place| !is_within(*place)).collect()
}

/// Each number within `bound` of the largest that is expected.
fn check(name: &str, found: &[f64], expected: &[f64], bound: f64) {
    check_within(name, found, expected, expected.len(), bound, 0.0);
}

/// Each number within `bound` of the largest that is expected of its vector, of so many elements, and a hundredth of the largest of all: what few queries see
/// has small gradients, and they have to be there too.
fn check_vectors(name: &str, found: &[f64], expected: &[f64], width: usize, bound: f64) {
    check_within(name, found, expected, width, bound, 0.01);
}

fn check_within(name: &str, found: &[f64], expected: &[f64], width: usize, bound: f64, floor: f64) {
    assert_eq!(found.len(), expected.len());
    let largest = |numbers: &[f64]| numbers.iter().map(|x| x.abs()).max_by(f64::total_cmp).unwrap();
    let all = floor * largest(expected);
    for (place, (found, expected)) in found.chunks(width).zip(expected.chunks(width)).enumerate() {
        let bound = bound * (largest(expected) + all);
        for (found, expected) in found.iter().zip(expected) {
            let off = (found - expected).abs();
            assert!(off <= bound, "{name}, vector {place}: {found} and not {expected}");
        }
    }
}

#[test]
#[should_panic(expected = "dv, vector 69: 0 and not")]
fn a_vector_that_is_missing_is_found() {
    let expected = Case::new(1.0, None).expected();
    let mut found = expected[4].clone();
    found[(POSITIONS - 1) * WIDTH..].fill(0.0);
    check_vectors("dv", &found, &expected[4], WIDTH, ROUNDING);
}

/// Rounding of weights, of what is multiplied with them and of results to bf16, 2^-8 each at the most.
const ROUNDING: f64 = 3.0 / 256.0;

#[test]
fn scores_of_any_size_give_numbers() {
    // Of keys whose scores are thousands apart there is no choice, and no gradient but rounding. Others' gradients have to be there: the first query's is 0.
    for (size, [queries, keys]) in [(1e-4, [69, 70]), (1.0, [69, 70]), (30.0, [15, 60]), (1e4, [0, 0])] {
        let case = Case::new(size, None);
        let (found, expected) = (case.found(), case.expected());
        check_vectors("out", &found[0], &expected[0], WIDTH, ROUNDING);
        check("rows", &found[1], &expected[1], 1e-6);
        check_vectors("dv", &found[4], &expected[4], WIDTH, ROUNDING);
        let bounds = case.rounding(&expected[0]);
        for (name, at, bounds, least) in [("dq", 2, &bounds[0], queries), ("dk", 3, &bounds[1], keys)] {
            let off = off_bounds(&found[at], &expected[at], bounds);
            assert!(off.is_empty(), "{name} with scores of {size}: vectors {off:?} are off");
            let missing = off_bounds(&vec![0.0; expected[at].len()], &expected[at], bounds).len();
            assert!(missing >= least, "{name} with scores of {size}: {missing} vectors of zeros would be found");
        }
    }
}

#[test]
fn rows_that_see_nothing_are_zeros() {
    let documents = [vec![1.0; 33], vec![2.0; 1], vec![3.0; 20], vec![0.0; 16]].concat();
    for documents in [documents, vec![0.0; POSITIONS]] {
        let case = Case::new(4.0, Some(documents.clone()));
        let (found, expected) = (case.found(), case.expected());
        for (name, at) in [("out", 0), ("rows", 1), ("dq", 2), ("dk", 3), ("dv", 4)] {
            let each = found[at].len() / POSITIONS;
            match name {
                "out" | "dv" => check_vectors(name, &found[at], &expected[at], each, ROUNDING),
                // Of numbers that nearly cancel each other out.
                _ => check(name, &found[at], &expected[at], ROUNDING),
            }
            let padding = found[at].chunks(each).zip(&documents).filter(|(_, document)| **document == 0.0);
            assert!(padding.flat_map(|(numbers, _)| numbers).all(|number| *number == 0.0), "{name} of padding");
        }
    }
}

/// Also of rows that take several blocks of the kernel.
#[test]
fn documents_begin_and_end_where_their_numbers_change() {
    for lengths in [vec![1, 2, 3], vec![5], vec![1000, 1, 1023, 1025, 7], vec![1024, 1024, 300], vec![0, 4]] {
        let padding = 9;
        let positions = lengths.iter().sum::<usize>() + padding;
        let (mut documents, mut first, mut end) = (Vec::new(), Vec::new(), Vec::new());
        for (number, length) in (1..).zip(&lengths) {
            let start = documents.len();
            documents.resize(start + length, f64::from(number));
            first.resize(start + length, start as f64);
            end.resize(start + length, (start + length) as f64);
        }
        documents.resize(positions, 0.0);
        first.resize(positions, positions as f64);
        end.resize(positions, 0.0);
        let interpreter = Interpreter::default();
        let given = Array::new(DType::I32, [documents.clone(), documents].concat());
        let found = Spans { batch: 2, positions }.of(&&interpreter, &given).unwrap();
        interpreter.finish().unwrap();
        assert_eq!(found[0].numbers(), [first.clone(), first].concat(), "{lengths:?}");
        assert_eq!(found[1].numbers(), [end.clone(), end].concat(), "{lengths:?}");
    }
}

#[test]
fn what_there_are_no_kernels_for_is_refused() {
    let fits = Attention::causal(1, 64, [1, 1], 64, Gpu::Hopper);
    assert_eq!(fits.check(), Ok(()));
    let refused = |operation: Attention| operation.check().unwrap_err().to_string();
    let name = "the kernel `attention` cannot be built: size:";
    let error = refused(Attention { dtype: DType::F32, ..fits });
    assert_eq!(error, format!("{name} heads have up to 256 elements in bf16 or f16, and not 64 in f32"));
    let error = refused(Attention { head_dim: 264, ..fits });
    assert_eq!(error, format!("{name} heads have up to 256 elements in bf16 or f16, and not 264 in bf16"));
    let error = refused(Attention { positions: 1 << 20, kv_heads: 64, ..fits });
    assert_eq!(error, format!("{name} a row has 4299161600 elements, and they are counted in 32 bits"));
    assert_eq!(refused(Attention { scale: 0.0, ..fits }), format!("{name} scale and cap are positive"));
    let nothing = format!("{name} a window of 0 keys shows a query nothing: take 1 at the least");
    assert_eq!(refused(Attention { window: Some(0), ..fits }), nothing);
    assert_eq!(Attention { window: Some(1), ..fits }.check(), Ok(()));
}

/// Also where the kernels themselves are asked for.
#[test]
fn a_window_of_nothing_is_refused() {
    let operation = Attention { window: Some(0), ..Attention::causal(1, 64, [1, 1], 16, Gpu::Hopper) };
    let road = &&Interpreter::default();
    let empty = Array::new(DType::BF16, Vec::new());
    assert!(operation.forward(road, &[empty.clone(), empty.clone(), empty.clone()]).is_err());
    let inputs = [empty.clone(), empty.clone(), empty.clone()];
    assert!(operation.backward(road, &inputs, [&empty, &empty, &empty]).is_err());
    let paged = PagedAttention { window: Some(0), ..PAGED };
    let empty: Vec<_> = (0..6).map(|_| Array::new(DType::BF16, Vec::new())).collect();
    let error = paged.run(road, &empty).unwrap_err().to_string();
    let rule = "a window of 0 keys shows a query nothing: take 1 at the least";
    assert_eq!(error, format!("the kernel `paged_attention` cannot be built: size: {rule}"));
}

/// A window that is longer than a row or a text hides nothing, however long it is.
#[test]
fn windows_of_any_length_are_counted_in_32_bits() {
    let windows = [Some(POSITIONS), Some(i32::MAX as usize), Some(usize::MAX)];
    for documents in [None, Some([vec![1.0; 33], vec![2.0; 37]].concat())] {
        let mut case = Case::new(4.0, documents);
        let whole = case.found();
        for window in windows {
            case.operation.window = window;
            assert_eq!(case.found(), whole, "{window:?}");
        }
    }
    for positions in [1, 3] {
        let op = PagedAttention { positions, ..PAGED };
        let numbers = |count: usize| (0..count).map(|i| (i * 7919 % 13) as f64 / 8.0 - 0.75).collect();
        let cache = Array::new(op.held, numbers(op.pages * op.kv_heads * op.page_tokens * op.head_dim));
        let queries = op.batch * positions * op.kv_heads * op.groups * op.head_dim;
        let rows = [vec![3.0, 1.0, 0.0, 5.0, 2.0, 4.0], vec![5.0, 0.0], vec![positions as f64, 1.0]];
        let [table, start, count] = rows.map(|numbers| Array::new(DType::I32, numbers));
        let inputs = [Array::new(op.dtype, numbers(queries)), cache.clone(), cache, table, start, count];
        let found = |window| {
            let interpreter = Interpreter::default();
            let found = PagedAttention { window, ..op }.run(&&interpreter, &inputs).unwrap();
            interpreter.finish().unwrap();
            found
        };
        let whole = found(None);
        windows.iter().for_each(|window| assert_eq!(found(*window), whole, "{window:?}"));
    }
}

const PAGED: PagedAttention = PagedAttention {
    batch: 2,
    positions: 1,
    kv_heads: 2,
    groups: 2,
    head_dim: 16,
    pages: 6,
    page_tokens: 4,
    seen_pages: 3,
    dtype: DType::BF16,
    held: DType::BF16,
    packed: false,
    scale: 0.5,
    window: None,
    softcap: None,
    rotates: None,
    gpu: Gpu::Hopper,
};

/// Of pages that are others', and of places of its own that nothing has been written to, a text reads nothing, even if there is no number.
#[test]
fn pages_are_read_as_far_as_texts_go() {
    let table = [[3.0, 1.0, 0.0], [5.0, 2.0, 4.0]];
    for (positions, page_tokens, window, starts, counts) in [
        (1, 4, None, [5.0, 0.0], [1.0, 1.0]),
        (1, 4, Some(3), [6.0, 0.0], [1.0, 0.0]),
        (3, 4, None, [4.0, 9.0], [2.0, 3.0]),
        (3, 32, Some(2), [40.0, 0.0], [3.0, 1.0]),
    ] {
        let op = PagedAttention { positions, page_tokens, window, ..PAGED };
        let tokens = op.pages * op.kv_heads * page_tokens;
        // Where a text has a token, (page, page_token).
        let is_written = |page: usize, token: usize| {
            (0..op.batch).any(|row| {
                let number = table[row].iter().position(|own| *own == page as f64);
                number.is_some_and(|number| ((number * page_tokens + token) as f64) < starts[row] + counts[row])
            })
        };
        let cache = |seed: usize| -> Vec<f64> {
            let number = |i: usize| ((i * 7919 + seed) % 13) as f64 / 8.0 - 0.75;
            let place = |at: usize| (at / op.head_dim / page_tokens / op.kv_heads, at / op.head_dim % page_tokens);
            let element = |at: usize| {
                let (page, token) = place(at);
                if is_written(page, token) { number(at) } else { f64::NAN }
            };
            (0..tokens * op.head_dim).map(element).collect()
        };
        let queries = op.batch * positions * op.kv_heads * op.groups * op.head_dim;
        let q = (0..queries).map(|i| (i % 7) as f64 / 4.0 - 0.75).collect();
        let interpreter = Interpreter::default();
        let arrays = [
            Array::new(DType::BF16, q),
            Array::new(DType::BF16, cache(1)),
            Array::new(DType::BF16, cache(2)),
            Array::new(DType::I32, table.concat()),
            Array::new(DType::I32, starts.to_vec()),
            Array::new(DType::I32, counts.to_vec()),
        ];
        let found = op.run(&&interpreter, &arrays).unwrap();
        interpreter.finish().unwrap();
        assert!(found[0].numbers().iter().all(|number| number.is_finite()), "{op}");
    }
}
