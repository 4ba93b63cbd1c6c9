//! Where a run stands in its steps and in its data, and the steps from there to its end.

use std::ops::Range;

use crate::schedule::Schedule;

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// Updates done.
    pub(crate) step: u64,
    /// Rows of the data trained on, counted through all passes.
    pub(crate) rows: u64,
}

/// Where a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// After so many steps.
    Step(u64),
    /// After so many rows.
    Row(u64),
}

impl End {
    /// Whether it lies before `at`.
    pub(crate) fn is_before(self, at: Position) -> bool {
        match self {
            End::Step(last) => last < at.step,
            End::Row(last) => last < at.rows,
        }
    }
}

/// The steps of a run.
///
/// A run may go on with other batches than it began with. Its position in the data is a row, from which the larger or smaller
/// steps are taken, so that none is skipped and none comes twice. The learning rate goes on along the same curve: a run whose
/// length is given in steps follows it by the step, any other by the row, in the steps that it began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Course {
    /// Rows of a step.
    pub(crate) step_rows: u64,
    /// Where it ends.
    pub(crate) end: End,
    /// Rows of a step when the run began.
    pub(crate) first_step_rows: u64,
}

impl Course {
    /// The rows of the step after `at`; `None` at the end. The last step may have fewer than the others.
    pub(crate) fn next(&self, at: Position) -> Option<Range<u64>> {
        let full = at.rows.saturating_add(self.step_rows);
        match self.end {
            End::Step(last) => (at.step < last).then_some(at.rows..full),
            End::Row(last) => (at.rows < last).then_some(at.rows..full.min(last)),
        }
    }

    /// The steps of the whole run, those before `at` included.
    pub(crate) fn total_steps(&self, at: Position) -> u64 {
        match self.end {
            End::Step(last) => last,
            End::Row(last) => at.step + last.saturating_sub(at.rows).div_ceil(self.step_rows),
        }
    }

    /// The steps that a learning-rate schedule of this run goes over.
    pub(crate) fn schedule_steps(&self) -> u64 {
        match self.end {
            End::Step(last) => last,
            End::Row(last) => last.div_ceil(self.first_step_rows),
        }
    }

    /// The learning rate of the update after `at`.
    pub(crate) fn learning_rate(&self, schedule: &Schedule, at: Position) -> f64 {
        match self.end {
            End::Step(_) => schedule.learning_rate(at.step),
            End::Row(_) => schedule.learning_rate_at(at.rows as f64 / self.first_step_rows as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::ScheduleKind;

    fn steps(course: Course, at: &mut Position, most: usize) -> Vec<Range<u64>> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(rows) = course.next(*at)
        {
            *at = Position { step: at.step + 1, rows: rows.end };
            taken.push(rows);
        }
        taken
    }

    /// Whatever the sizes of the steps before and after, and wherever the change comes, each row comes once, in order.
    #[test]
    fn a_change_of_batch_skips_no_row_and_repeats_none() {
        for total in [1_u64, 7, 64, 68] {
            for (before, after) in [(2, 2), (2, 4), (4, 2), (3, 5), (8, 1), (1, 100)] {
                for change in 0..=total.div_ceil(before) {
                    let course = Course { step_rows: before, end: End::Row(total), first_step_rows: before };
                    let mut at = Position::default();
                    let mut taken = steps(course, &mut at, change as usize);
                    let course = Course { step_rows: after, ..course };
                    assert!(!course.end.is_before(at));
                    let total_steps = course.total_steps(at);
                    taken.extend(steps(course, &mut at, usize::MAX));
                    let rows: Vec<u64> = taken.iter().cloned().flatten().collect();
                    assert_eq!(rows, (0..total).collect::<Vec<_>>(), "{before} rows, then {after} from step {change}");
                    assert_eq!((at.step, at.rows), (total_steps, total));
                }
            }
        }
    }

    #[test]
    fn a_run_of_steps_ends_by_them() {
        let course = Course { step_rows: 4, end: End::Step(5), first_step_rows: 2 };
        let mut at = Position { step: 3, rows: 6 };
        assert_eq!(steps(course, &mut at, 9), [6..10, 10..14]);
        assert_eq!((at.step, course.total_steps(at)), (5, 5));
        assert!(course.end.is_before(Position { step: 6, rows: 0 }) && !course.end.is_before(at));
    }

    /// The rate of a row does not depend on the size of the steps that led to it.
    #[test]
    fn the_learning_rate_goes_on_along_its_curve() {
        let schedule = |steps| Schedule::new(ScheduleKind::Cosine, 1.0, 4, steps, 0.1);
        let whole = Course { step_rows: 2, end: End::Row(64), first_step_rows: 2 };
        let changed = Course { step_rows: 8, ..whole };
        assert_eq!(changed.schedule_steps(), 32);
        for rows in (0..64).step_by(8) {
            let before = whole.learning_rate(&schedule(32), Position { step: rows / 2, rows });
            let after = changed.learning_rate(&schedule(32), Position { step: 7, rows });
            assert_eq!(before.to_bits(), after.to_bits());
            assert_eq!(before.to_bits(), schedule(32).learning_rate(rows / 2).to_bits());
        }
        let by_step = Course { step_rows: 8, end: End::Step(32), first_step_rows: 2 };
        let at = Position { step: 11, rows: 22 };
        assert_eq!(by_step.learning_rate(&schedule(32), at), schedule(32).learning_rate(11));
    }
}
