//! Which rows of a step a process makes: those of which its own devices take a part.

use std::ops::Range;

use data::Batch;
use runtime::Session;

use crate::Error;
use crate::step::StepProgram;
use crate::trainer::TOKENS;

/// A process's share of each batch of a step.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// What its devices hold.
    held: Vec<Block>,
    /// Those of them that no device of another process holds before: all processes' together are the batch, each token once.
    own: Vec<Block>,
}

/// A part of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    micro_batches: Range<usize>,
    rows: Range<usize>,
    /// In a micro-batch.
    rows_of_all: usize,
    positions: Range<usize>,
}

/// Tokens of a batch, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Without the padding.
    pub(crate) tokens: u64,
    /// Those whose prediction the loss counts.
    pub(crate) targets: u64,
}

impl Share {
    /// Of the batches that a program takes.
    pub(crate) fn of(session: &Session, program: &StepProgram) -> Result<Share, Error> {
        let input = program.program.inputs.iter().find(|input| input.name == TOKENS);
        let input = input.expect("a step takes tokens");
        let shape = input.ty.shape();
        let Some(sharding) = &input.sharding else {
            let all = vec![Block::new(&shape, shape.iter().map(|size| 0..*size).collect())];
            return Ok(Share { held: all.clone(), own: all });
        };
        let places = session.places(sharding.mesh().device_count())?;
        let block = |place: &usize| Block::new(&shape, sharding.part(&shape, *place));
        let own = places.iter().filter(|place| sharding.first_with_part_of(**place) == **place);
        Ok(Share { held: places.iter().map(block).collect(), own: own.map(block).collect() })
    }

    /// Whether it holds something of a row, counted through all micro-batches.
    pub(crate) fn holds(&self, row: usize) -> bool {
        self.held.iter().any(|block| block.has(row))
    }

    /// What is counted here of a batch: all processes' together are the batch's.
    pub(crate) fn count(&self, batch: &Batch) -> Counts {
        let mut counts = Counts::default();
        for block in &self.own {
            for row in (0..batch.rows).filter(|row| block.has(*row)) {
                let cells = |positions: &Range<usize>| {
                    row * batch.sequence_len + positions.start..row * batch.sequence_len + positions.end
                };
                let cells = cells(&block.positions);
                counts.tokens +=
                    batch.segment_ids[cells.clone()].iter().filter(|segment| **segment != 0).count() as u64;
                counts.targets += batch.loss_mask[cells].iter().filter(|mask| **mask != 0.0).count() as u64;
            }
        }
        counts
    }
}

impl Block {
    fn new(shape: &[usize], ranges: Vec<Range<usize>>) -> Block {
        let [micro_batches, rows, positions] = ranges.try_into().expect("a batch has three axes");
        Block { micro_batches, rows, rows_of_all: shape[1], positions }
    }

    fn has(&self, row: usize) -> bool {
        self.micro_batches.contains(&(row / self.rows_of_all)) && self.rows.contains(&(row % self.rows_of_all))
    }
}
