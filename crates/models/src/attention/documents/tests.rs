//! The list that XLA computes, against the same made by hand.

use graph::{Graph, HostTensor};
use runtime::CompileOptions;
use runtime::plugins::{Environment, Platform};

use super::*;

/// Rows of documents, by their lengths; what is left of a row is padding.
type Rows = Vec<Vec<usize>>;

fn segments(rows: &Rows, positions: usize) -> Vec<i32> {
    let row = |lengths: &Vec<usize>| -> Vec<i32> {
        let numbered = (1..).zip(lengths).flat_map(|(number, length)| std::iter::repeat_n(number, *length));
        numbered.chain(std::iter::repeat(0)).take(positions).collect()
    };
    rows.iter().flat_map(row).collect()
}

/// Lengths, and starts in tokens: documents one behind the other, padding as a document of its own.
fn by_hand(rows: &Rows, positions: usize, most: usize) -> [Vec<i32>; 2] {
    let (mut lengths, mut starts) = (Vec::new(), Vec::new());
    for (row, documents) in rows.iter().enumerate() {
        let padding = positions - documents.iter().sum::<usize>();
        let mut at = row * positions;
        for length in documents.iter().chain(Some(&padding)).filter(|length| **length > 0) {
            starts.push(at as i32);
            lengths.push(*length as i32);
            at += length;
        }
    }
    lengths.resize(rows.len() * (most + 1), 0);
    starts.resize(rows.len() * (most + 2), (rows.len() * positions) as i32);
    [lengths, starts]
}

/// Random rows: full and not, with one document or as many as there may be, and empty ones.
fn random_rows(seed: u64, count: usize, positions: usize, most: usize) -> Rows {
    let mut state = seed;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    let row = |_| {
        let mut room = positions;
        let mut documents = Vec::new();
        while documents.len() < most && room > 0 && below(8) > 0 {
            let length = if below(5) == 0 { room } else { 1 + below(room.min(2 * positions / most)) };
            documents.push(length);
            room -= length;
        }
        documents
    };
    (0..count).map(row).collect()
}

#[test]
fn the_list_is_that_of_the_documents_one_behind_the_other() {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    for (rows, positions, most) in [(1, 16, 1), (1, 40, 6), (4, 64, 8), (5, 37, 37), (8, 300, 5)] {
        let graph = Graph::new();
        let axes = [Axis::new("batch", rows), Axis::new("position", positions)];
        let documents = Documents::of(graph.input("segments", DType::I32, &axes), most);
        let [lengths, _, query_starts, key_starts] = documents.operands(TokenWidths { queries: 12, keys: 4 });
        let outputs = [("lengths", lengths), ("query_starts", query_starts), ("key_starts", key_starts)];
        let program = graph.lower("documents", &outputs, &[]).unwrap();
        let program = session.compile("documents", &program.text, &CompileOptions::default()).unwrap();
        for seed in 0..40 {
            let packing = random_rows(seed, rows, positions, most);
            let segments = segments(&packing, positions);
            check_documents(&segments, positions, most).unwrap();
            let input = session.upload(&HostTensor::from_slice(&[rows, positions], &segments).unwrap()).unwrap();
            let outputs = program.execute(&[&input]).unwrap();
            let found = outputs.iter().map(|buffer| session.download(buffer).unwrap().to_vec::<i32>().unwrap());
            let [lengths, starts] = by_hand(&packing, positions, most);
            let times = |width: i32| starts.iter().map(|start| start * width).collect::<Vec<_>>();
            assert_eq!(found.collect::<Vec<_>>(), [lengths, times(12), times(4)], "{packing:?} in {positions}");
        }
    }
}

#[test]
fn rows_that_break_the_rules_are_refused() {
    let check = |segments: &[i32]| check_documents(segments, 4, 2).map_err(|error| error.to_string());
    for good in [[1, 1, 2, 2], [1, 2, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]] {
        assert_eq!(check(&[good, [1, 2, 2, 0]].concat()), Ok(()), "{good:?}");
    }
    let rule = "a row's documents are 1, 2, … and then padding, 0";
    for (bad, found, before) in
        [([2, 2, 1, 1], 2, 0), ([1, 3, 3, 3], 3, 1), ([1, 2, 1, 0], 1, 2), ([0, 1, 1, 1], 1, 0), ([1, 0, 2, 2], 2, 0)]
    {
        let expected = format!("row 1 of the batch has document {found} after {before}: {rule}");
        assert_eq!(check(&[[1, 1, 1, 1], bad].concat()), Err(expected));
    }
    let many = "row 0 of the batch holds 3 documents, but the program was compiled for rows of at most 2";
    assert_eq!(check(&[1, 2, 3, 3]), Err(many.into()));
}
