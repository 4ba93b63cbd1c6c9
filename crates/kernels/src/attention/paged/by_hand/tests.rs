use expect_test::expect_file;

use super::*;
use crate::packed_keys::Of;
use crate::packed_keys::host::packed;
use crate::ptx::warp::Warps;
use crate::{Array, Code, Interpreter, Launch, Operation, Road, filled};

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
        packed: false,
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

/// The same keys and values, packed.
fn packed_inputs(op: &PagedAttention, plain: &[Array]) -> Vec<Array> {
    let of = |of, place: usize| packed(of, plain[place].numbers(), op.page_tokens);
    let ((keys, of_keys), (values, of_values)) = (of(Of::Keys, 1), of(Of::Values, 2));
    let scales = of_keys.into_iter().zip(of_values).flat_map(|(key, value)| [key, value]).collect();
    let mut inputs = plain.to_vec();
    inputs[1] = Array::new(DType::U16, keys);
    inputs[2] = Array::new(DType::U16, values);
    inputs.insert(6, Array::new(DType::F32, scales));
    inputs
}

#[test]
fn packed_keys_and_values_give_what_plain_ones_do() {
    let of_tokens = |op: PagedAttention| PagedAttention { page_tokens: op.page_tokens.next_multiple_of(32), ..op };
    // Rows as many as elsewhere tell nothing more.
    let of_rows = |op: PagedAttention| PagedAttention { batch: op.batch.min(35), kv_heads: op.kv_heads.min(3), ..op };
    let tried = tried().into_iter().map(of_tokens).map(of_rows);
    for (op, seed) in tried.flat_map(|op| (0..2).map(move |seed| (op, seed))) {
        let mut plain = inputs(&op, seed);
        if seed == 1 {
            // Large values, as of what a model looks at for want of anything else: weights of keys that are not there meet scales of others.
            let large =
                plain[2].numbers().iter().enumerate().map(|(place, x)| if place % 7 == 0 { x * 2048.0 } else { *x });
            plain[2] = Array::new(DType::BF16, large.map(|x| half::bf16::from_f64(x).to_f64()).collect());
        }
        let interpreter = Interpreter::default();
        let expected = op.run(&&interpreter, &plain).expect("it can be built");
        let op = PagedAttention { packed: true, ..op };
        let inputs = packed_inputs(&op, &plain);
        let mut launch = op.parts_launch().expect("it can be built");
        let joined = |road: &dyn Fn(&Launch) -> Vec<Array>, launch: &Launch| {
            op.joined(&&Interpreter::default(), road(launch)).expect("it can be built")
        };
        let interpreted = joined(&|launch| (&interpreter).run(launch, &inputs), &launch);
        launch.code = Code::ByHand(op.code());
        let by_hand = joined(&|launch| (&Warps).run(launch, &inputs), &launch);
        interpreter.finish().expect("nothing is read that is not there");
        let tolerance = 2.0 * Operation::PagedAttention(op).tolerance();
        for (which, found) in [("interpreted", &interpreted), ("by hand", &by_hand)] {
            for (found, expected) in found[0].numbers().chunks(WIDTH).zip(expected[0].numbers().chunks(WIDTH)) {
                let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
                let off = norm(&mut found.iter().zip(expected).map(|(a, b)| a - b));
                assert!(
                    off <= tolerance * norm(&mut expected.iter().copied()),
                    "{op}: {which} off by {off}, {:?} {:?}",
                    &found[..10],
                    &expected[..10]
                );
            }
        }
        if op.rotates.is_none() {
            continue;
        }
        // What is written is what plain ones are packed to.
        let mut written = inputs.clone();
        (written[1], written[2]) = (expected[1].clone(), expected[2].clone());
        written.remove(6);
        let written = packed_inputs(&op, &written);
        for (place, expected) in [(1, &written[1]), (2, &written[2]), (3, &written[6])] {
            let differ = |found: &Array| {
                std::iter::zip(found.numbers(), expected.numbers()).filter(|(a, b)| a.to_bits() != b.to_bits()).count()
            };
            assert_eq!(differ(&interpreted[place]), 0, "{op}: result {place}");
            // Rotated keys are rounded otherwise, which changes a last bit here and there, and a power of two where that is the greatest's.
            let most = [0, op.batch * op.kv_heads * 2, 0, op.batch * op.kv_heads / 20][place];
            assert!(differ(&by_hand[place]) <= most, "{op}: {} of result {place}", differ(&by_hand[place]));
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
        PagedAttention { packed: true, page_tokens: 48, ..many },
    ] {
        assert!(other.by_hand().is_none(), "{other}");
    }
}

#[test]
fn text_of_the_kernels() {
    let [one_part, several] = [tried()[2], tried()[5]];
    expect_file!["../../../../tests/golden/paged_attention_by_hand.ptx"].assert_eq(&one_part.code().text);
    expect_file!["../../../../tests/golden/paged_attention_by_hand_in_parts.ptx"].assert_eq(&several.code().text);
    let packed = |op| PagedAttention { packed: true, ..op };
    let one_part = packed(PagedAttention { kv_heads: 64, ..one_part });
    assert_eq!(one_part.parts(), 1);
    expect_file!["../../../../tests/golden/paged_attention_packed.ptx"].assert_eq(&one_part.code().text);
    expect_file!["../../../../tests/golden/paged_attention_packed_in_parts.ptx"]
        .assert_eq(&packed(several).code().text);
}
