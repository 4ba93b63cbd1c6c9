//! Batches as the scripts that make fixtures record them.

use std::path::Path;

use checkpoint::SafetensorsFile;
use data::Batch;

/// A batch from rows of ids and labels as transformers has them: unshifted, -100 for no target.
pub(crate) fn batch(ids: &[i32], labels: &[i32], positions: usize) -> Batch {
    let rows = ids.len() / positions;
    let mut batch = Batch {
        rows,
        sequence_len: positions,
        tokens: ids.to_vec(),
        targets: vec![0; ids.len()],
        loss_mask: vec![0.0; ids.len()],
        positions: (0..ids.len()).map(|i| (i % positions) as i32).collect(),
        segment_ids: vec![1; ids.len()],
    };
    for i in (0..ids.len()).filter(|i| i % positions + 1 < positions && labels[i + 1] != -100) {
        batch.targets[i] = labels[i + 1];
        batch.loss_mask[i] = 1.0;
    }
    batch
}

/// The batches of a file with `input_ids` and `labels`, one for each step, of so many rows.
pub(crate) fn batches(path: &Path, rows: usize, positions: usize) -> Vec<Batch> {
    let file = SafetensorsFile::open(path).unwrap();
    let all = |name: &str| file.tensor(name).unwrap().to_vec::<i32>().unwrap();
    let (ids, labels) = (all("input_ids"), all("labels"));
    let steps = ids.chunks(rows * positions).zip(labels.chunks(rows * positions));
    steps.map(|(ids, labels)| batch(ids, labels, positions)).collect()
}
