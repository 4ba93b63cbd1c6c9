//! Which evaluation was the best, and whether the ones after it are reason to stop.

use serde::{Deserialize, Serialize};

/// The evaluation with the lowest loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The step after which it was.
    pub step: u64,
    /// Its loss, in nats per target token.
    #[serde(rename = "eval_loss_bits", with = "bits")]
    pub eval_loss: f64,
}

/// A number as its bits, because decimals are not always read back to the same one, and JSON has no infinity.
mod bits {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.to_bits().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

/// What the evaluations of a run have shown so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Improvement {
    pub(crate) best: Option<Best>,
    /// Evaluations since the last that was better by more than the threshold.
    without: u64,
    /// The step of the best one before. Not in checkpoints: one that names a best evaluation is that one's own, or was written after it.
    #[serde(skip)]
    before: Option<u64>,
}

impl Improvement {
    /// Takes an evaluation in; true if it is the best so far. As in transformers' `EarlyStoppingCallback`, patience is spent by an
    /// evaluation that is not better than the best by more than `threshold`.
    pub(crate) fn add(&mut self, step: u64, eval_loss: f64, threshold: f64) -> bool {
        let gain = self.best.map_or(f64::INFINITY, |best| best.eval_loss - eval_loss);
        self.without = if gain > threshold { 0 } else { self.without + 1 };
        // Not a number is better than nothing.
        let is_best = gain > 0.0 && !eval_loss.is_nan();
        if is_best {
            self.before = self.best.map(|best| best.step);
            self.best = Some(Best { step, eval_loss });
        }
        is_best
    }

    /// The step whose checkpoint has the best weights of those that are saved: until those of the best evaluation are, what was best before.
    pub(crate) fn best_saved(&self, is_saved: impl Fn(u64) -> bool) -> Option<u64> {
        self.best.map(|best| best.step).into_iter().chain(self.before).find(|step| is_saved(*step))
    }

    /// Whether as many evaluations as `patience` have brought nothing.
    pub(crate) fn is_over(&self, patience: Option<u64>) -> bool {
        patience.is_some_and(|patience| self.without >= patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step of the best evaluation, and that of the stop, if any.
    fn follow(losses: &[f64], patience: u64, threshold: f64) -> (Option<u64>, Option<u64>) {
        let mut improvement = Improvement::default();
        let steps = (1..).zip(losses);
        let stop = steps.map(|(step, loss)| {
            improvement.add(step, *loss, threshold);
            (step, improvement.is_over(Some(patience)))
        });
        let stop = stop.collect::<Vec<_>>().into_iter().find(|(_, over)| *over).map(|(step, _)| step);
        (improvement.best.map(|best| best.step), stop)
    }

    #[test]
    fn a_run_that_goes_on_knows_the_best_loss_to_the_bit() {
        let thirds = (1..2000_u32).map(|i| f64::from(i).sqrt() / 3.0);
        for eval_loss in thirds.chain([f64::INFINITY, f64::MIN_POSITIVE]) {
            let mut improvement = Improvement::default();
            improvement.add(7, eval_loss, 0.0);
            let text = serde_json::to_string(&improvement).unwrap();
            assert_eq!(serde_json::from_str::<Improvement>(&text).unwrap(), improvement, "{eval_loss}: {text}");
        }
    }

    /// Whoever is killed while a checkpoint is written goes on from one before it, for which the best is what was best then.
    #[test]
    fn the_best_before_is_kept_until_the_new_one_is_saved() {
        let mut improvement = Improvement::default();
        assert_eq!(improvement.best_saved(|_| true), None);
        improvement.add(2, 3.0, 0.0);
        assert_eq!(improvement.best_saved(|_| false), None);
        improvement.add(4, 5.0, 0.0);
        assert_eq!(improvement.best_saved(|step| step <= 4), Some(2));
        improvement.add(6, 2.0, 0.0);
        assert_eq!(improvement.best_saved(|step| step <= 4), Some(2));
        assert_eq!(improvement.best_saved(|step| step <= 6), Some(6));
        improvement.add(8, 1.0, 0.0);
        assert_eq!(improvement.best_saved(|step| step <= 6), Some(6));
    }

    #[test]
    fn patience_is_spent_by_evaluations_that_are_not_better() {
        assert_eq!(follow(&[3.0, 2.0, 1.0], 1, 0.0), (Some(3), None));
        assert_eq!(follow(&[3.0, 2.0, 2.0], 1, 0.0), (Some(2), Some(3)));
        assert_eq!(follow(&[3.0, 2.0, 2.5, 1.9, 2.0, 2.0], 2, 0.0), (Some(4), Some(6)));
        assert_eq!(follow(&[3.0, f64::NAN, f64::NAN], 2, 0.0), (Some(1), Some(3)));
    }

    /// A small gain makes a new best one, and spends patience all the same.
    #[test]
    fn gains_below_the_threshold_spend_patience() {
        assert_eq!(follow(&[3.0, 2.9, 2.8], 2, 0.5), (Some(3), Some(3)));
        assert_eq!(follow(&[3.0, 2.9, 2.0, 1.9], 2, 0.5), (Some(4), None));
    }
}
