//! The processes that write a checkpoint together.

use crate::error::SourceError;

/// The processes that write a checkpoint together. All call the same functions of [`Checkpoints`](crate::Checkpoints) in the same order;
/// rank 0 removes, renames, and writes what is not a tensor.
pub trait Writers: Send + Sync {
    /// The number of this one, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// How many of them, with this one, share the memory of its machine.
    fn count_here(&self) -> usize;

    /// Gives each process what all of them brought, in the order of their ranks, once the last has come. `what` says what they are doing.
    ///
    /// # Errors
    /// One of them is lost, or does not come in time.
    fn gather(&self, what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError>;
}

/// The only process of a run.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Writers for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn count_here(&self) -> usize {
        1
    }

    fn gather(&self, _what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
        Ok(vec![bytes])
    }
}
