//! What packing a weight keeps of it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor, Tensor};
use half::bf16;
use kernels::PackedWeight;
use runtime::CompileOptions;
use runtime::plugins::{Environment, Platform};

const OUTPUTS: usize = 64;
const INPUTS: usize = 512;

/// A weight by its numbers.
struct Packed {
    words: Vec<u16>,
    scales: Vec<f32>,
    loss: f32,
    restored: Vec<f32>,
}

/// What becomes of a weight (`OUTPUTS`, `INPUTS`).
fn packed(weight: &[bf16]) -> Packed {
    let graph = Graph::new();
    let axes = [Axis::new("output", OUTPUTS), Axis::new("input", INPUTS)];
    let given = graph.input("weight", DType::BF16, &axes);
    let (words, scales) = (PackedWeight::words(given), PackedWeight::scales(given));
    let restored = PackedWeight { words, scales }.restored();
    let outputs: [(&str, Tensor<'_>); 4] =
        [("words", words), ("scales", scales), ("loss", PackedWeight::loss(given)), ("restored", restored)];
    let program = graph.lower("pack", &outputs, &[]).unwrap();
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
    let weight = session.upload(&HostTensor::from_slice(&[OUTPUTS, INPUTS], weight).unwrap()).unwrap();
    let results = executable.execute(&[&weight]).unwrap();
    let [words, scales, loss, restored] = [0, 1, 2, 3].map(|place| session.download(&results[place]).unwrap());
    Packed {
        words: words.to_vec().unwrap(),
        scales: scales.to_vec().unwrap(),
        loss: loss.to_vec().unwrap()[0],
        restored: restored.to_vec().unwrap(),
    }
}

/// Normal numbers of this deviation, the same each time.
fn normal(deviation: f64) -> Vec<bf16> {
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let one = |_| bf16::from_f64(deviation * (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos());
    (0..OUTPUTS * INPUTS).map(one).collect()
}

/// The four elements of three words, by the bits that each has.
fn elements([first, second, third]: [u16; 3]) -> [f64; 4] {
    let of = |sign: u16, exponent: u16, mantissa: u16| {
        let magnitude = match exponent {
            0 => f64::from(mantissa) * 2_f64.powi(-21),
            _ => (1.0 + f64::from(mantissa) / 128.0) * 2_f64.powi(i32::from(exponent) - 15),
        };
        if sign == 0 { magnitude } else { -magnitude }
    };
    let own = |word: u16| of(word >> 15, word >> 7 & 15, word & 127);
    let spare = |word: u16| word >> 11 & 15;
    let last = spare(third);
    [own(first), own(second), own(third), of(last & 1, spare(first), spare(second) << 3 | last >> 1)]
}

#[test]
fn elements_are_kept_bit_by_bit_down_to_a_part_of_their_rows_largest() {
    let mut weight = normal(0.02);
    // Rows of all kinds: with zeros of both signs, an outlier, what is tiny, and nothing.
    weight[7] = bf16::from_f32(0.0);
    weight[8] = bf16::from_f32(-0.0);
    weight[INPUTS + 3] = bf16::from_f32(-900.0);
    weight[2 * INPUTS..3 * INPUTS].fill(bf16::from_f32(0.0));
    weight[3 * INPUTS..4 * INPUTS].iter_mut().for_each(|x| *x = bf16::from_f64(x.to_f64() * 1e-30));
    weight[4 * INPUTS] = bf16::from_f64(1e-7);
    let Packed { words, scales, restored, .. } = packed(&weight);
    assert_eq!(words.len(), OUTPUTS * INPUTS / 4 * 3);
    let mut cut = 0;
    for (row, elements) in weight.chunks(INPUTS).enumerate() {
        let largest = elements.iter().map(|x| x.to_f64().abs()).max_by(f64::total_cmp).unwrap();
        let scale = if largest == 0.0 { 0.0 } else { largest.log2().floor().exp2() };
        assert_eq!(f64::from(scales[row]), scale, "row {row}");
        for (place, (x, kept)) in elements.iter().zip(&restored[row * INPUTS..]).enumerate() {
            let (x, kept) = (x.to_f64(), f64::from(*kept));
            if x.abs() >= scale * 2_f64.powi(-14) {
                assert_eq!(kept, x, "row {row}, input {place}");
            } else {
                let off = x.abs() - kept.abs();
                assert!(
                    off >= 0.0 && off < scale * 2_f64.powi(-21) && kept * x >= 0.0,
                    "{row}, {place}: {kept} of {x}"
                );
                cut += usize::from(off > 0.0);
            }
        }
    }
    assert!(cut > 0, "nothing was small");
}

/// As the format says, without the code that restores: thread by thread, of each the eight elements of each step.
#[test]
fn words_lie_as_threads_multiply_them() {
    let weight = normal(0.02);
    let Packed { words, scales, restored, .. } = packed(&weight);
    for (block, words) in words.chunks(3072).enumerate() {
        let [tile, block] = [block / (INPUTS / 64), block % (INPUTS / 64)];
        for (thread, step, which) in (0..128).flat_map(|thread| (0..8).map(move |x| (thread, x / 2, x % 2))) {
            let [warp, pair, quad] = [thread / 32, thread % 32 / 4, thread % 4];
            let (output, input) = (tile * 64 + warp * 16 + pair * 2, block * 64 + step * 16 + quad * 2 + which);
            let four = elements([0, 1, 2].map(|part| {
                let register = step * 3 + part;
                words[register / 4 * 1024 + thread * 8 + register % 4 * 2 + which]
            }));
            let places = [(output, input), (output + 1, input), (output, input + 8), (output + 1, input + 8)];
            for (element, (output, input)) in four.into_iter().zip(places) {
                let found = element * f64::from(scales[output]);
                assert_eq!(found, f64::from(restored[output * INPUTS + input]), "{output}, {input}");
            }
        }
    }
}

#[test]
fn what_gates_and_what_is_gated_come_in_turn() {
    let graph = Graph::new();
    let of = |name: &str, output| graph.input(name, DType::F32, &[Axis::new(output, 2), Axis::new("input", 3)]);
    let both = PackedWeight::in_turn([of("gate", "gates"), of("up", "ups")]);
    let program = graph.lower("both", &[("both", both)], &[]).unwrap();
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
    let upload = |numbers: [f32; 6]| session.upload(&HostTensor::from_slice(&[2, 3], &numbers).unwrap()).unwrap();
    let given = [upload([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), upload([-1.0, -2.0, -3.0, -4.0, -5.0, -6.0])];
    let results = executable.execute(&given.each_ref()).unwrap();
    let both: Vec<f32> = session.download(&results[0]).unwrap().to_vec().unwrap();
    assert_eq!(both, [1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 4.0, 5.0, 6.0, -4.0, -5.0, -6.0]);
}

#[test]
fn what_is_lost_is_told() {
    let mut weight = normal(0.02);
    let loss = packed(&weight).loss;
    assert!(loss > 0.0 && loss < 2_f32.powi(-28), "{loss}");
    // Beside an outlier that is 2^18 times as large as the others these keep four bits or fewer, and beside one of 2^40 times none.
    let before = weight[5];
    for (times, least) in [(2_f32.powi(18), 2_f32.powi(-12)), (2_f32.powi(40), 0.99)] {
        weight[5] = bf16::from_f32(0.02 * times);
        let Packed { loss, restored, .. } = packed(&weight);
        let row = weight[..INPUTS].iter().zip(&restored);
        let lost: f64 = row.map(|(x, kept)| (x.to_f64() - f64::from(*kept)).abs()).sum();
        let others: f64 = weight[..INPUTS].iter().map(|x| x.to_f64().abs()).sum::<f64>() - weight[5].to_f64();
        assert!((f64::from(loss) - lost / others).abs() < 1e-3 * lost / others, "{loss}, {}", lost / others);
        assert!(loss > least, "{loss}");
    }
    weight[5] = before;
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        weight[9] = bf16::from_f32(wrong);
        assert_eq!(packed(&weight).loss, f32::INFINITY, "{wrong}");
    }
    weight[9] = before;
    // A row of next to nothing loses all of it, which is nothing to the others.
    weight[INPUTS..2 * INPUTS].fill(bf16::from_bits(3));
    let loss = packed(&weight).loss;
    assert!(loss < 2_f32.powi(-28), "{loss}");
    assert_eq!(packed(&vec![bf16::ZERO; OUTPUTS * INPUTS]).loss, 0.0);
}
