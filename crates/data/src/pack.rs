//! Samples laid out over rows of a fixed length.

use serde::{Deserialize, Serialize};

use crate::order::Permutation;

/// How samples share the rows of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// One sample to a row, the rest of it padding.
    Off,
    /// Several whole samples to a row, each first into the first row with room.
    #[default]
    FirstFit,
    /// Samples end to end, cut where a row ends, no padding but in the last row: for pre-training.
    Concatenate,
}

/// Rows that are open at a time. More find better fits and take longer: each sample looks at all of them.
const WINDOW_ROWS: usize = 256;

/// Seed offset that keeps the order of packing apart from the orders of the epochs.
const PACKING_EPOCH: u64 = u64::MAX;

/// A stretch of one sample inside a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Index of the sample among those that were packed.
    pub(crate) sample: u32,
    /// First token of the sample that is in the row.
    pub(crate) start: u32,
    /// Tokens of the sample in the row.
    pub(crate) len: u32,
}

/// Which pieces each row holds: fixed for a run, so that any row is found without reading those before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    pieces: Vec<Piece>,
    /// `ends[r]` is the index of the first piece after row `r`.
    ends: Vec<usize>,
}

impl Rows {
    /// Packs samples of these lengths (each at most `row_len` unless concatenated) in an order drawn from `seed`, so
    /// that a row does not hold neighbours of the file.
    pub(crate) fn pack(lengths: &[u32], row_len: u32, packing: Packing, seed: u64) -> Rows {
        let order = Permutation::new(lengths.len() as u64, seed, PACKING_EPOCH);
        let samples = (0..lengths.len() as u64).map(|position| order.at(position) as u32);
        match packing {
            Packing::Off => Rows::from_rows(samples.map(|sample| vec![whole(sample, lengths)])),
            Packing::FirstFit => first_fit(samples, lengths, row_len),
            Packing::Concatenate => concatenate(samples, lengths, row_len),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn row(&self, index: usize) -> &[Piece] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pieces[start..self.ends[index]]
    }

    fn from_rows(rows: impl Iterator<Item = Vec<Piece>>) -> Rows {
        let mut all = Rows::default();
        rows.for_each(|row| all.push(&row));
        all
    }

    fn push(&mut self, row: &[Piece]) {
        self.pieces.extend_from_slice(row);
        self.ends.push(self.pieces.len());
    }
}

fn whole(sample: u32, lengths: &[u32]) -> Piece {
    Piece { sample, start: 0, len: lengths[sample as usize] }
}

fn first_fit(samples: impl Iterator<Item = u32>, lengths: &[u32], row_len: u32) -> Rows {
    let mut rows = Rows::default();
    let mut open: Vec<(u32, Vec<Piece>)> = Vec::new();
    for sample in samples {
        let piece = whole(sample, lengths);
        debug_assert!(piece.len <= row_len, "a sample is longer than a row");
        match open.iter_mut().position(|(room, _)| *room >= piece.len) {
            Some(index) => {
                let (room, row) = &mut open[index];
                *room -= piece.len;
                row.push(piece);
                if *room == 0 {
                    rows.push(&open.remove(index).1);
                }
            }
            None => {
                if open.len() == WINDOW_ROWS {
                    let fullest = (0..open.len()).min_by_key(|&index| open[index].0).unwrap_or(0);
                    rows.push(&open.remove(fullest).1);
                }
                open.push((row_len.saturating_sub(piece.len), vec![piece]));
            }
        }
    }
    open.iter().for_each(|(_, row)| rows.push(row));
    rows
}

fn concatenate(samples: impl Iterator<Item = u32>, lengths: &[u32], row_len: u32) -> Rows {
    let mut rows = Rows::default();
    let mut row = Vec::new();
    let mut room = row_len;
    for sample in samples {
        let mut start = 0;
        while start < lengths[sample as usize] {
            let len = room.min(lengths[sample as usize] - start);
            row.push(Piece { sample, start, len });
            start += len;
            room -= len;
            if room == 0 {
                rows.push(&row);
                row.clear();
                room = row_len;
            }
        }
    }
    if !row.is_empty() {
        rows.push(&row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(count: u64, max: u64) -> Vec<u32> {
        (0..count).map(|index| (crate::order::mix(index) % max + 1) as u32).collect()
    }

    #[test]
    fn first_fit_keeps_samples_whole_and_wastes_little() {
        let lengths = lengths(5000, 100);
        let rows = Rows::pack(&lengths, 128, Packing::FirstFit, 1);
        let mut seen = vec![0; lengths.len()];
        for index in 0..rows.len() {
            let row = rows.row(index);
            assert!(row.iter().map(|piece| piece.len).sum::<u32>() <= 128);
            for piece in row {
                assert_eq!((piece.start, piece.len), (0, lengths[piece.sample as usize]));
                seen[piece.sample as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times == 1));
        let tokens = lengths.iter().map(|&len| u64::from(len)).sum::<u64>() as f64;
        let filled = tokens / (rows.len() * 128) as f64;
        assert!(filled > 0.95, "rows are filled to {filled}");
        assert_eq!(rows, Rows::pack(&lengths, 128, Packing::FirstFit, 1));
    }

    #[test]
    fn concatenation_fills_every_row_but_the_last() {
        let lengths = lengths(100, 300);
        let rows = Rows::pack(&lengths, 64, Packing::Concatenate, 1);
        let mut next = vec![0; lengths.len()];
        for index in 0..rows.len() {
            let filled: u32 = rows.row(index).iter().map(|piece| piece.len).sum();
            assert!(filled == 64 || index + 1 == rows.len());
            for piece in rows.row(index) {
                assert_eq!(piece.start, next[piece.sample as usize], "pieces come in order");
                next[piece.sample as usize] += piece.len;
            }
        }
        assert_eq!(next, lengths);
    }

    #[test]
    fn without_packing_each_row_has_one_sample() {
        let rows = Rows::pack(&[3, 1, 2], 8, Packing::Off, 1);
        assert_eq!(rows.len(), 3);
        assert!((0..3).all(|index| rows.row(index).len() == 1));
    }
}
