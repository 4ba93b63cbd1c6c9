//! Learning rates equal those of transformers (`scripts/fixtures/optim.py`).

use serde::Deserialize;
use train::schedule::{Schedule, ScheduleKind};

#[derive(Debug, Deserialize)]
struct Case {
    schedule: ScheduleKind,
    warmup_steps: u64,
    total_steps: u64,
    min_lr_ratio: f64,
    /// Factor of the peak at steps 0, 1, …
    multipliers: Vec<f64>,
}

/// Both compute in f64; only the order of the operations differs.
const TOLERANCE: f64 = 1e-14;

#[test]
fn schedules_equal_those_of_transformers() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fixtures/optim/schedules.json")).expect("valid fixture");
    for kind in [ScheduleKind::Constant, ScheduleKind::Linear, ScheduleKind::Cosine] {
        assert!(cases.iter().any(|case| case.schedule == kind && case.warmup_steps > 0), "{kind:?} with warm-up");
    }
    for case in &cases {
        let Case { schedule: kind, warmup_steps, total_steps, min_lr_ratio, multipliers } = case;
        let schedule = Schedule::new(*kind, 3e-4, *warmup_steps, *total_steps, *min_lr_ratio);
        for (step, multiplier) in (0..=*total_steps).zip(multipliers) {
            let difference = (schedule.learning_rate(step) / 3e-4 - multiplier).abs();
            assert!(difference < TOLERANCE, "{kind:?} at step {step} of {total_steps}: off by {difference:e}");
        }
    }
}
