//! Each kernel against sums in f64, on random numbers of odd sizes, and against itself beside others.

use std::hash::{BuildHasher, Hasher, RandomState};

use host_kernels::{PagedAttention, Pages, attend, multiply};

/// Numbers that differ in each run; a failing test says the seed.
struct Random(u64);

impl Random {
    fn new() -> Random {
        let given = std::env::var("FINERY_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        println!("FINERY_TEST_SEED={seed}");
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
    }
}

/// Of the sums' own size, which is what f32 rounds by.
fn assert_near(found: &[f32], expected: &[f64], size: f64) {
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = (f64::from(*found) - expected).abs();
        assert!(off <= 1e-6 * size, "number {i} is {found} and not {expected}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn products_are_sums_of_products() {
    let mut random = Random::new();
    for (outputs, vectors, width) in
        [(1, 1, 1), (7, 3, 5), (64, 16, 768), (129, 17, 75), (3, 64, 300), (500, 2, 33), (4096, 5, 16), (6, 9, 8)]
    {
        let (matrix, x) = (random.numbers(outputs * width), random.numbers(vectors * width));
        // What is not written stays what it is.
        let mut y = vec![f32::NAN; outputs * vectors];
        multiply(&matrix, &x, width, &mut y).unwrap();
        let sum = |o: usize, v: usize| -> f64 {
            (0..width).map(|i| f64::from(matrix[o * width + i]) * f64::from(x[v * width + i])).sum()
        };
        let expected: Vec<f64> =
            (0..outputs).flat_map(|o| (0..vectors).map(move |v| (o, v))).map(|(o, v)| sum(o, v)).collect();
        assert_near(&y, &expected, 1.0 + width as f64 / 4.0);
    }
}

#[test]
fn a_vector_has_the_same_product_whatever_is_beside_it() {
    let mut random = Random::new();
    let (outputs, vectors, width) = (37, 13, 203);
    let (matrix, x) = (random.numbers(outputs * width), random.numbers(vectors * width));
    let mut all = vec![0.0; outputs * vectors];
    multiply(&matrix, &x, width, &mut all).unwrap();
    for (vector, x) in x.chunks(width).enumerate() {
        let mut alone = vec![0.0; outputs];
        multiply(&matrix, x, width, &mut alone).unwrap();
        let beside: Vec<u32> = all.iter().skip(vector).step_by(vectors).map(|x| x.to_bits()).collect();
        assert_eq!(alone.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), beside);
    }
}

#[test]
fn what_is_no_product_is_refused() {
    let mut y = [0.0; 4];
    assert!(multiply(&[0.0; 6], &[0.0; 4], 3, &mut y).is_err());
    assert!(multiply(&[0.0; 6], &[0.0; 6], 3, &mut y[..3]).is_err());
    assert!(multiply(&[0.0; 6], &[0.0; 6], 0, &mut y).is_err());
    multiply(&[], &[], 3, &mut []).unwrap();
}

/// Infinity and what is no number come out where they go in, and nowhere else.
#[test]
fn what_is_no_number_stays_where_it_is() {
    let (outputs, vectors, width) = (9, 6, 21);
    let mut matrix = vec![1.0; outputs * width];
    let mut x = vec![1.0; vectors * width];
    matrix[3 * width + 20] = f32::INFINITY;
    x[2 * width] = f32::NAN;
    let mut y = vec![0.0; outputs * vectors];
    multiply(&matrix, &x, width, &mut y).unwrap();
    for (i, y) in y.iter().enumerate() {
        match (i / vectors, i % vectors) {
            (_, 2) => assert!(y.is_nan()),
            (3, _) => assert_eq!(*y, f32::INFINITY),
            _ => assert_eq!(*y, width as f32),
        }
    }
}

/// A case of attention, with what it is of.
struct Case {
    op: PagedAttention,
    q: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    table: Vec<i32>,
    start: Vec<i32>,
    count: Vec<i32>,
}

impl Case {
    /// Texts of any lengths, one of them without a token, in pages in any order. What no text has is no number.
    fn new(random: &mut Random, op: PagedAttention, texts: usize, seen: usize) -> Case {
        let there = texts * seen + 3;
        let page = op.kv_heads * op.page_tokens * op.head_dim;
        let mut order: Vec<i32> = (0..there as i32).collect();
        (1..there).rev().for_each(|i| order.swap(i, random.below(i + 1)));
        let table = order[..texts * seen].to_vec();
        let start: Vec<i32> = (0..texts).map(|_| random.below(seen * op.page_tokens) as i32).collect();
        let count: Vec<i32> = (0..texts).map(|text| i32::from(text != 1)).collect();
        let [mut keys, mut values] = [vec![f32::NAN; there * page], vec![f32::NAN; there * page]];
        for text in 0..texts {
            for token in 0..=start[text] as usize {
                for head in 0..op.kv_heads {
                    let place = table[text * seen + token / op.page_tokens] as usize * page
                        + (head * op.page_tokens + token % op.page_tokens) * op.head_dim;
                    keys[place..place + op.head_dim].copy_from_slice(&random.numbers(op.head_dim));
                    values[place..place + op.head_dim].copy_from_slice(&random.numbers(op.head_dim));
                }
            }
        }
        let q = random.numbers(texts * op.kv_heads * op.groups * op.head_dim);
        Case { op, q, keys, values, table, start, count }
    }

    fn pages(&self) -> Pages<'_> {
        Pages { keys: &self.keys, values: &self.values, table: &self.table, start: &self.start, count: &self.count }
    }

    fn expected(&self) -> Vec<f64> {
        let Case { op, q, keys, values, table, start, count } = self;
        let seen = table.len() / start.len();
        let queries = op.kv_heads * op.groups;
        let of_query = |(number, q): (usize, &[f32])| {
            let (text, head) = (number / queries, number % queries / op.groups);
            let end = if count[text] > 0 { start[text] as usize + 1 } else { 0 };
            let first = op.window.map_or(0, |window| end.saturating_sub(window));
            let place = |token: usize| {
                let page = table[text * seen + token / op.page_tokens] as usize;
                ((page * op.kv_heads + head) * op.page_tokens + token % op.page_tokens) * op.head_dim
            };
            let score = |token: usize| {
                let key = &keys[place(token)..place(token) + op.head_dim];
                let product: f64 = q.iter().zip(key).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                let product = product * f64::from(op.scale);
                op.softcap.map_or(product, |cap| f64::from(cap) * (product / f64::from(cap)).tanh())
            };
            let weights: Vec<f64> = (first..end).map(|token| score(token).exp()).collect();
            let total: f64 = weights.iter().sum();
            let at = |i: usize| -> f64 {
                let all = (first..end).zip(&weights);
                all.map(|(token, weight)| weight / total * f64::from(values[place(token) + i])).sum()
            };
            (0..op.head_dim).map(at).collect::<Vec<f64>>()
        };
        q.chunks(op.head_dim).enumerate().flat_map(of_query).collect()
    }
}

const PLAIN: PagedAttention =
    PagedAttention { kv_heads: 2, groups: 1, head_dim: 16, page_tokens: 4, scale: 0.25, window: None, softcap: None };

#[test]
fn attention_is_a_softmax_over_what_a_text_has() {
    let mut random = Random::new();
    for op in [
        PLAIN,
        PagedAttention { groups: 3, head_dim: 80, page_tokens: 7, ..PLAIN },
        PagedAttention { kv_heads: 1, groups: 8, head_dim: 5, window: Some(3), ..PLAIN },
        PagedAttention { softcap: Some(0.5), window: Some(1), page_tokens: 1, ..PLAIN },
        PagedAttention { softcap: Some(30.0), scale: 8.0, head_dim: 128, ..PLAIN },
    ] {
        for (texts, seen) in [(1, 1), (3, 5), (5, 2)] {
            let case = Case::new(&mut random, op, texts, seen);
            let mut out = vec![f32::NAN; case.q.len()];
            attend(&op, &case.q, case.pages(), &mut out).unwrap();
            assert_near(&out, &case.expected(), 4.0);
        }
    }
}

#[test]
fn a_text_attends_alike_whatever_is_beside_it() {
    let mut random = Random::new();
    let op = PagedAttention { groups: 2, head_dim: 33, ..PLAIN };
    let (texts, seen) = (4, 6);
    let case = Case::new(&mut random, op, texts, seen);
    let mut all = vec![0.0; case.q.len()];
    attend(&op, &case.q, case.pages(), &mut all).unwrap();
    let own = case.q.len() / texts;
    for text in 0..texts {
        let mut alone = vec![0.0; own];
        let pages = Pages {
            table: &case.table[text * seen..(text + 1) * seen],
            start: &case.start[text..=text],
            count: &case.count[text..=text],
            ..case.pages()
        };
        attend(&op, &case.q[text * own..(text + 1) * own], pages, &mut alone).unwrap();
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&alone), bits(&all[text * own..(text + 1) * own]), "text {text}");
    }
}

/// Scores so large that their exponentials are infinite, and all alike.
#[test]
fn large_scores_are_weighed() {
    let mut random = Random::new();
    let op = PagedAttention { scale: 1e6, ..PLAIN };
    let mut case = Case::new(&mut random, op, 1, 2);
    case.keys.fill(1.0);
    case.q.fill(1.0);
    let mut out = vec![0.0; case.q.len()];
    attend(&op, &case.q, case.pages(), &mut out).unwrap();
    let mean = Case { op: PagedAttention { scale: 0.0, ..op }, ..case };
    assert_near(&out, &mean.expected(), 4.0);
}

#[test]
fn pages_that_are_not_there_are_refused() {
    let mut random = Random::new();
    let mut case = Case::new(&mut random, PLAIN, 1, 1);
    let mut out = vec![0.0; case.q.len()];
    for page in [-1, case.keys.len() as i32] {
        case.table[0] = page;
        let refused = attend(&case.op, &case.q, case.pages(), &mut out).unwrap_err();
        assert!(refused.contains(&format!("page {page}")), "{refused}");
    }
    assert!(attend(&case.op, &case.q[1..], case.pages(), &mut out).is_err());
}
