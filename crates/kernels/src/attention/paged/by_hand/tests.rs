use expect_test::expect_file;
use graph::TensorType;

use super::*;
use crate::ptx::warp::{Memory, Program};
use crate::{Array, Code, Interpreter, Launch, Operation, Road, filled};

fn bytes(array: &Array) -> Vec<u8> {
    let numbers = array.numbers().iter();
    match array.dtype() {
        DType::BF16 => numbers.flat_map(|number| half::bf16::from_f64(*number).to_le_bytes()).collect(),
        DType::I32 => numbers.flat_map(|number| (*number as i32).to_le_bytes()).collect(),
        _ => numbers.flat_map(|number| (*number as f32).to_le_bytes()).collect(),
    }
}

fn array(dtype: DType, bytes: &[u8]) -> Array {
    let numbers = match dtype {
        DType::BF16 => bytes.as_chunks().0.iter().map(|word| half::bf16::from_le_bytes(*word).to_f64()).collect(),
        _ => bytes.as_chunks().0.iter().map(|word| f64::from(f32::from_le_bytes(*word))).collect(),
    };
    Array::new(dtype, numbers)
}

/// Runs code by hand by warps, and other launches by the interpreter. What is not written is no number.
struct Warps;

impl Road for &Warps {
    type Array = Array;

    fn run(&self, launch: &Launch, inputs: &[Array]) -> Vec<Array> {
        let Code::ByHand(code) = &launch.code else { return (&Interpreter::default()).run(launch, inputs) };
        let mut memory = Memory::default();
        let read: Vec<u64> = inputs.iter().map(|input| memory.put(bytes(input))).collect();
        let place =
            |(number, ty): (usize, &TensorType)| match launch.in_place.iter().find(|(result, _)| *result == number) {
                Some((_, input)) => read[*input],
                None => memory.put(vec![0xff; ty.element_count() * ty.dtype.size()]),
            };
        let written: Vec<u64> = launch.results.iter().enumerate().map(place).collect();
        let program = Program::new(&code.text);
        for number in 0..code.programs {
            program.run(number, &mut memory, &[&read[..], &written].concat());
        }
        let results = launch.results.iter().zip(written);
        results.map(|(ty, place)| array(ty.dtype, memory.get(place))).collect()
    }
}

/// Of one part, and of several.
fn tried() -> Vec<PagedAttention> {
    let plain = PagedAttention {
        batch: 33,
        positions: 1,
        kv_heads: 16,
        groups: 1,
        head_dim: WIDTH,
        pages: 33 * 3,
        page_tokens: 32,
        seen_pages: 3,
        dtype: DType::BF16,
        held: DType::BF16,
        scale: 0.088,
        window: None,
        softcap: None,
        rotates: None,
        gpu: Gpu::Hopper,
    };
    let all = [
        plain,
        PagedAttention { groups: 2, page_tokens: 16, scale: 1.5, ..plain },
        PagedAttention { rotates: Some(WIDTH), ..plain },
        PagedAttention { rotates: Some(0), groups: 2, page_tokens: 48, ..plain },
        PagedAttention { rotates: Some(WIDTH), batch: 521, kv_heads: 1, pages: 521, seen_pages: 1, ..plain },
        PagedAttention {
            rotates: Some(WIDTH),
            groups: 2,
            batch: 3,
            kv_heads: 2,
            pages: 30,
            page_tokens: 64,
            seen_pages: 10,
            ..plain
        },
        PagedAttention { batch: 2, kv_heads: 3, pages: 20, page_tokens: 112, seen_pages: 10, ..plain },
    ];
    all.to_vec()
}

/// Inputs in which all that no row sees is no number, or infinite; with rows that see nothing, whose tables and starts mean nothing, and with some whose tokens stand at ends.
fn inputs(op: &PagedAttention, seed: u64) -> Vec<Array> {
    let filled = filled(&Operation::PagedAttention(*op).arguments(), seed);
    let mut numbers: Vec<Vec<f64>> = filled.iter().map(|array| array.numbers().to_vec()).collect();
    let visible = op.visible();
    let ends = [0, 1, 15, 16, 17, 31, 32, 33, 64, visible - 17, visible - 16, visible - 1, visible, visible + 3];
    // Each row has pages of its own.
    for (row, table) in numbers[3].chunks_mut(op.seen_pages).enumerate() {
        for (number, page) in table.iter_mut().enumerate() {
            *page = ((row * op.seen_pages + number) * 7 % op.pages) as f64;
        }
    }
    for row in 0..op.batch {
        numbers[4][row] = ends[(row + seed as usize) % ends.len()] as f64;
        numbers[5][row] = 1.0;
    }
    let is_own = op.rotates.is_some();
    let head = op.page_tokens * op.head_dim;
    let mut is_seen = vec![false; op.pages * op.page_tokens];
    for row in 0..op.batch {
        let end = (numbers[4][row] as usize + usize::from(!is_own)).min(visible);
        for position in 0..end {
            let page = numbers[3][row * op.seen_pages + position / op.page_tokens] as usize;
            is_seen[page * op.page_tokens + position % op.page_tokens] = true;
        }
    }
    for array in [1, 2] {
        for (place, number) in numbers[array].iter_mut().enumerate() {
            let token = place / (head * op.kv_heads) * op.page_tokens + place % head / op.head_dim;
            if !is_seen[token] {
                *number = if seed.is_multiple_of(2) { f64::NAN } else { f64::INFINITY };
            }
        }
    }
    for row in (0..op.batch).filter(|row| (row + seed as usize) % 11 == 5) {
        numbers[5][row] = 0.0;
        numbers[4][row] = 1e9;
        numbers[3][row * op.seen_pages..(row + 1) * op.seen_pages].fill(1e9);
    }
    filled.iter().zip(numbers).map(|(array, numbers)| Array::new(array.dtype(), numbers)).collect()
}

#[test]
fn warps_give_what_the_interpreter_does() {
    for (op, seed) in
        tried().into_iter().flat_map(|op| (0..if op.parts() > 1 { 13 } else { 2 }).map(move |seed| (op, seed)))
    {
        let operation = Operation::PagedAttention(op);
        let inputs = inputs(&op, seed);
        let mut launch = op.parts_launch().expect("it can be built");
        let interpreter = Interpreter::default();
        let expected = op.joined(&&interpreter, (&interpreter).run(&launch, &inputs)).expect("it can be built");
        launch.code = Code::ByHand(op.code());
        let found = op.joined(&&Warps, (&Warps).run(&launch, &inputs)).expect("it can be built");
        interpreter.finish().expect("nothing is read that is not there");
        assert!(found[0].numbers().iter().all(|number| number.is_finite()), "{op}");
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let vectors = || found.numbers().chunks(WIDTH).zip(expected.numbers().chunks(WIDTH));
            for (found, expected) in vectors() {
                let norm =
                    |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|number| number * number).sum::<f64>().sqrt();
                let off = norm(&mut found.iter().zip(expected).map(|(a, b)| a - b));
                let is_same = found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
                let is_near = off <= 2.0 * operation.tolerance() * norm(&mut expected.iter().copied());
                assert!(is_same || is_near, "{op}: a vector of result {number} is off by {off}");
            }
            // Keys are rotated, and else nothing is rounded that is written.
            let changed = vectors()
                .filter(|(found, expected)| found.iter().zip(*expected).any(|(a, b)| a.to_bits() != b.to_bits()));
            assert!(number == 0 || changed.count() <= if number == 1 { op.batch * op.kv_heads } else { 0 }, "{op}");
        }
    }
}

#[test]
fn many_texts_are_by_hand_and_no_others() {
    let many = PagedAttention { kv_heads: 32, ..tried()[0] };
    assert!(many.by_hand().is_some());
    for one in PagedAttention::tried_by_hand(many) {
        assert!(one.by_hand().is_some(), "{one}");
    }
    for other in [
        PagedAttention { batch: 31, ..many },
        PagedAttention { window: Some(20), ..many },
        PagedAttention { softcap: Some(5.0), ..many },
        PagedAttention { groups: 3, ..many },
        PagedAttention { page_tokens: 24, ..many },
        PagedAttention { rotates: Some(64), ..many },
        PagedAttention { dtype: DType::F16, held: DType::F16, ..many },
        PagedAttention { gpu: Gpu::Nvidia, ..many },
        PagedAttention { head_dim: 64, ..many },
        PagedAttention { positions: 2, ..many },
        PagedAttention { held: DType::F8E4M3FN, ..many },
    ] {
        assert!(other.by_hand().is_none(), "{other}");
    }
}

#[test]
fn text_of_the_kernels() {
    let [one_part, several] = [tried()[2], tried()[5]];
    expect_file!["../../../../tests/golden/paged_attention_by_hand.ptx"].assert_eq(&one_part.code().text);
    expect_file!["../../../../tests/golden/paged_attention_by_hand_in_parts.ptx"].assert_eq(&several.code().text);
}
