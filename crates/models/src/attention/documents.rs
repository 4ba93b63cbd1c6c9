//! The documents of packed rows as cuDNN's attention takes them: one list over all rows of the batch.
//!
//! A list that is wrong makes the kernel read and write where nothing of ours is, which ends the process's client. This one is right by
//! construction: lengths are counts of tokens, starts are sums of lengths, and padding is a document like any other, so that
//! every token is in one. What is there is then finite, and the gradient of what nobody reads is zero.

use graph::{Axis, DType, Tensor};

/// Elements of one token's queries and of its keys, over all heads: cuDNN counts starts in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenWidths {
    pub(crate) queries: usize,
    pub(crate) keys: usize,
}

/// Which tokens belong together, for all rows of a batch. All i32.
#[derive(Clone, Copy)]
pub(crate) struct Documents<'g> {
    /// Tokens of each document, (batch, document): those of the first row, then those of the second, and so on without gaps, then zeros.
    /// So a document seldom stands in the row of its tokens.
    lengths: Tensor<'g>,
    /// Tokens before each document, (batch, start), where `start` is one longer than `document`; behind the last document the number of all
    /// tokens.
    starts: Tensor<'g>,
}

impl<'g> Documents<'g> {
    /// From each token's document, (batch, position), as [`check_documents`] accepts them. On several devices each lists those of its rows.
    pub(crate) fn of(segments: Tensor<'g>, most: usize) -> Documents<'g> {
        let lists = segments.graph().per_shard(&["batch"], &[segments], |own| lists(own[0], most).to_vec());
        Documents { lengths: lists[0], starts: lists[1] }
    }

    /// What [`Documents::tensors`] gives.
    pub(crate) fn from_tensors([lengths, starts]: [Tensor<'g>; 2]) -> Documents<'g> {
        Documents { lengths, starts }
    }

    /// Lengths and starts.
    pub(crate) fn tensors(&self) -> [Tensor<'g>; 2] {
        [self.lengths, self.starts]
    }

    /// The most documents of a row, padding included.
    pub(crate) fn per_row(&self) -> usize {
        self.lengths.axis("document").size
    }

    /// What the kernel takes behind its tensors: lengths and starts, of queries and of keys each.
    pub(crate) fn operands(&self, widths: TokenWidths) -> [Tensor<'g>; 4] {
        let elements = |width: usize| self.starts * width as f64;
        [self.lengths, self.lengths, elements(widths.queries), elements(widths.keys)]
    }
}

/// [`Documents::tensors`] of these rows alone.
fn lists(segments: Tensor<'_>, most: usize) -> [Tensor<'_>; 2] {
    let graph = segments.graph();
    let batch = segments.axis("batch");
    let iota = |axis| graph.iota(axis, DType::I32);
    // Padding, whose number is 0, stands behind a row's documents.
    let document = Axis::new("document", most + 1);
    let number = (iota(document) + 1.0).less_equal(most as f64).select(iota(document) + 1.0, 0.0);
    let in_rows = segments.equals(number).cast(DType::I32).sum(&["position"]).merge(&["batch", "document"], "slot");

    // A document's place in the list is the number of those before it. Some hundred slots against each other are soon compared.
    let slot = in_rows.axis("slot");
    let earlier = iota(slot).rename("slot", "earlier").less(iota(slot));
    let is_document = in_rows.greater(0.0);
    let place = is_document.rename("slot", "earlier").and(earlier).cast(DType::I32).sum(&["earlier"]);
    let is_here = place.equals(iota(slot.named("place"))).and(is_document);
    let lengths = is_here.select(in_rows, 0.0).sum(&["slot"]);

    let start = Axis::new("start", most + 2);
    let starts = Axis::new("starts", batch.size * start.size);
    let is_before = iota(slot.named("place")).less(iota(starts));
    let starts = is_before.select(lengths, 0.0).sum(&["place"]).split("starts", &[batch, start]);
    [lengths.split("place", &[batch, document]), starts]
}

/// Rows that a program with [`Cudnn::Packed`](super::Cudnn::Packed) would compute wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentsError {
    /// More documents than the program is made for.
    #[error("row {row} of the batch holds {found} documents, but the program was compiled for rows of at most {most}")]
    TooMany {
        /// The row, from 0.
        row: usize,
        /// Documents in it, or the first number beyond what is possible.
        found: i32,
        /// What was compiled for.
        most: usize,
    },
    /// Numbers that do not count from 1, or padding between documents.
    #[error(
        "row {row} of the batch has document {found} after {before}: a row's documents are 1, 2, … and then padding, 0"
    )]
    Order {
        /// The row, from 0.
        row: usize,
        /// The number that is out of order.
        found: i32,
        /// The number before it; 0 at the beginning of a row.
        before: i32,
    },
}

/// Checks that `segments`, rows of `positions` each, number the documents of each row 1, 2, … up to at most `most`, each in one piece, and
/// padding behind them 0.
///
/// # Errors
/// The first row in which they do not.
pub fn check_documents(segments: &[i32], positions: usize, most: usize) -> Result<(), DocumentsError> {
    for (row, segments) in segments.chunks(positions.max(1)).enumerate() {
        let (mut before, mut documents) = (0, 0);
        for (at, &found) in segments.iter().enumerate() {
            let goes_on = at > 0 && found == before;
            let begins = found == documents + 1 && (at == 0 || before != 0);
            let ends = found == 0 && !goes_on;
            if !(goes_on || begins || ends) {
                return Err(DocumentsError::Order { row, found, before });
            }
            documents = documents.max(found);
            before = found;
        }
        if documents as usize > most {
            return Err(DocumentsError::TooMany { row, found: documents, most });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
