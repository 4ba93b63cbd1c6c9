//! The generator against its authors' vectors, and its counter where numbers do not fit 32 bits.

use runtime::CompileOptions;
use runtime::plugins::{Environment, Platform};

use super::*;

/// The u32 tensors of a program without arguments.
fn run(graph: &Graph, outputs: &[(&str, Tensor<'_>)]) -> Vec<Vec<u32>> {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let text = graph.lower("words", outputs, &[]).unwrap().text;
    let program = session.compile("words", &text, &CompileOptions::default()).unwrap();
    let outputs = program.execute(&[]).unwrap();
    outputs.iter().map(|buffer| session.download(buffer).unwrap().to_vec::<u32>().unwrap()).collect()
}

/// Random123's kat_vectors of `threefry2x32 20`: counter, key, result.
const KNOWN_ANSWERS: [[u32; 6]; 3] = [
    [0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x6b20_0159, 0x99ba_4efe],
    [0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0x1cb9_96fc, 0xbb00_2be7],
    [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344, 0xc492_3a9c, 0x483d_f7a0],
];

#[test]
fn threefry_gives_the_published_words() {
    let graph = Graph::new();
    for known in KNOWN_ANSWERS {
        let [x0, x1, high, low] = std::array::from_fn(|i| graph.constant(f64::from(known[i]), DType::U32));
        let (first, second) = threefry(RandomKey { high, low }, x0, x1);
        assert_eq!(run(&graph, &[("first", first), ("second", second)]).concat(), known[4..], "{known:x?}");
    }
}

/// 2^33 and more elements, of which four are computed: those on either side of 2^32, and of twice that.
#[test]
fn the_counter_has_64_bits() {
    let axes = [Axis::new("rows", 1_500_000), Axis::new("columns", 6_000)];
    let shown = Axis::new("shown", 4);
    for first in [(1u64 << 32) - 2, (1 << 33) - 3, 0, 1_500_000 * 6_000 - 4] {
        let graph = Graph::new();
        let at = |i: u64| [(first + i) / 6_000, (first + i) % 6_000];
        let index = |axis: Axis, dtype| {
            let place = if axis.name == "rows" { 0 } else { 1 };
            let parts = (0..4).map(|i| graph.full(at(i)[place] as f64, dtype, &[Axis::new("shown", 1)]));
            Tensor::concat(&parts.collect::<Vec<_>>(), "shown")
        };
        let (high, low) = counter(&graph, &axes, &[shown], index);
        let words = run(&graph, &[("high", high), ("low", low)]);
        let found: Vec<u64> =
            words[0].iter().zip(&words[1]).map(|(h, l)| u64::from(*h) << 32 | u64::from(*l)).collect();
        assert_eq!(found, [first, first + 1, first + 2, first + 3]);
    }
}

/// Numbers are those that there were before the counter had an upper half.
#[test]
fn small_tensors_count_in_32_bits() {
    let graph = Graph::new();
    let axes = [Axis::new("rows", 1 << 20), Axis::new("columns", 1 << 12)];
    let bits = RandomKey::new(graph.constant(5.0, DType::U32)).bits(&axes);
    let text = graph.lower("small", &[("bits", bits)], &[]).unwrap().text;
    assert!(!text.contains("i64>"), "{text}");
    let large = [axes[0], Axis::new("columns", (1 << 12) + 1)];
    let bits = RandomKey::new(graph.constant(5.0, DType::U32)).bits(&large);
    assert!(graph.lower("large", &[("bits", bits)], &[]).unwrap().text.contains("i64>"));
}
