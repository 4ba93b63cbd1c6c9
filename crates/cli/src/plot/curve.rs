//! Curves out of metrics records: what is drawn, over which x, how smooth.

use clap::ValueEnum;
use train::metrics::{Record, StepRecord};

use super::axis::Scale;

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Metric {
    Loss,
    LearningRate,
    TokensPerSecond,
    GradNorm,
}

impl Metric {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Loss => "Loss",
            Self::LearningRate => "Learning rate",
            Self::TokensPerSecond => "Throughput (tokens/s)",
            Self::GradNorm => "Gradient norm",
        }
    }

    /// Quantities whose zero has a meaning that the eye should see.
    pub(crate) fn starts_at_zero(self) -> bool {
        self != Self::Loss
    }

    /// A learning rate has no noise to smooth.
    fn is_noisy(self) -> bool {
        self != Self::LearningRate
    }

    fn value(self, record: &StepRecord) -> f64 {
        match self {
            Self::Loss => record.loss,
            Self::LearningRate => record.learning_rate,
            Self::TokensPerSecond => record.tokens_per_second,
            Self::GradNorm => record.grad_norm,
        }
    }
}

/// What the x axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum XAxis {
    /// Optimizer steps
    Step,
    /// Tokens trained on
    Tokens,
    /// Wall time since the first record
    Time,
}

/// What to draw, apart from the runs.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) metrics: Vec<Metric>,
    pub(crate) x: XAxis,
    /// Weight of the past in the moving average, 0 (none) to 1.
    pub(crate) smoothing: f64,
    /// Logarithmic y axes for the loss and the gradient norm.
    pub(crate) log: bool,
}

impl Options {
    pub(crate) fn y_scale(&self, metric: Metric) -> Scale {
        let may_be_log = matches!(metric, Metric::Loss | Metric::GradNorm);
        if self.log && may_be_log { Scale::Log } else { Scale::Linear }
    }
}

/// One run of a figure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) records: Vec<Record>,
}

/// The curves of each metric, one for each run, in one unit of x.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curves {
    pub(crate) metrics: Vec<(Metric, Vec<Curve>)>,
    /// What the x axis counts, with its unit.
    pub(crate) x_title: &'static str,
}

impl Curves {
    pub(crate) fn new(runs: &[Run], options: &Options) -> Self {
        let curves = |metric| runs.iter().map(|run| Curve::new(run, metric, options)).collect();
        let mut metrics: Vec<(Metric, Vec<Curve>)> =
            options.metrics.iter().map(|&metric| (metric, curves(metric))).collect();
        let (unit, x_title) = x_unit(options.x, metrics.iter().flat_map(|(_, curves)| curves));
        metrics.iter_mut().flat_map(|(_, curves)| curves).for_each(|curve| curve.divide_x(unit));
        Self { metrics, x_title }
    }
}

/// One metric of one run, as points `[x, y]` with finite values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub(crate) raw: Vec<[f64; 2]>,
    /// As long as `raw`; absent without smoothing.
    pub(crate) smooth: Option<Vec<[f64; 2]>>,
    /// The same metric on the evaluation split.
    pub(crate) evaluations: Vec<[f64; 2]>,
}

impl Curve {
    fn new(run: &Run, metric: Metric, options: &Options) -> Self {
        let Options { x, smoothing, .. } = *options;
        let started = run.records.first().map_or(0.0, time);
        let (mut raw, mut evaluations) = (Vec::new(), Vec::new());
        for record in &run.records {
            match record {
                Record::Step(step) => {
                    raw.push([x_value(x, step.step, step.tokens, step.time - started), metric.value(step)]);
                }
                Record::Eval(eval) if metric == Metric::Loss => {
                    evaluations.push([x_value(x, eval.step, eval.tokens, eval.time - started), eval.eval_loss]);
                }
                Record::Eval(_) => {}
            }
        }
        for points in [&mut raw, &mut evaluations] {
            points.retain(|point| point.iter().all(|value| value.is_finite()));
            if options.y_scale(metric) == Scale::Log {
                points.retain(|point| point[1] > 0.0);
            }
        }
        let smooth = (smoothing > 0.0 && metric.is_noisy()).then(|| smoothed(&raw, smoothing));
        Self { raw, smooth, evaluations }
    }

    fn divide_x(&mut self, unit: f64) {
        let lines = [Some(&mut self.raw), self.smooth.as_mut(), Some(&mut self.evaluations)];
        lines.into_iter().flatten().flatten().for_each(|point| point[0] /= unit);
    }

    /// All that is drawn, in no order.
    pub(crate) fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.raw.iter().chain(&self.evaluations)
    }
}

/// The unit that suits the x values, in theirs, and the title of the axis.
fn x_unit<'a>(x: XAxis, curves: impl Iterator<Item = &'a Curve>) -> (f64, &'static str) {
    const MINUTE_S: f64 = 60.0;
    const HOUR_S: f64 = 60.0 * MINUTE_S;
    let largest = curves.flat_map(Curve::points).fold(0f64, |largest, point| largest.max(point[0]));
    match x {
        XAxis::Step => (1.0, "Step"),
        XAxis::Tokens => (1.0, "Tokens"),
        XAxis::Time if largest > 3.0 * HOUR_S => (HOUR_S, "Time (h)"),
        XAxis::Time if largest > 3.0 * MINUTE_S => (MINUTE_S, "Time (min)"),
        XAxis::Time => (1.0, "Time (s)"),
    }
}

fn time(record: &Record) -> f64 {
    match record {
        Record::Step(step) => step.time,
        Record::Eval(eval) => eval.time,
    }
}

fn x_value(x: XAxis, step: u64, tokens: u64, elapsed: f64) -> f64 {
    match x {
        XAxis::Step => step as f64,
        XAxis::Tokens => tokens as f64,
        XAxis::Time => elapsed,
    }
}

/// Exponential moving average without the pull of its start towards 0, as TensorBoard smooths.
fn smoothed(points: &[[f64; 2]], weight: f64) -> Vec<[f64; 2]> {
    let (mut average, mut total_weight) = (0.0, 0.0);
    let smooth = |&[x, y]: &[f64; 2]| {
        average = weight * average + (1.0 - weight) * y;
        total_weight = weight * total_weight + (1.0 - weight);
        [x, average / total_weight]
    };
    points.iter().map(smooth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_a_constant_and_averages_the_rest() {
        let constant = [[0.0, 3.0], [1.0, 3.0], [2.0, 3.0]];
        for (point, expected) in smoothed(&constant, 0.9).iter().zip(constant) {
            assert!((point[1] - expected[1]).abs() < 1e-12 && point[0] == expected[0]);
        }
        // Weights 1/4, 1/2 and 1 over 7/4.
        let values = smoothed(&[[0.0, 7.0], [1.0, 0.0], [2.0, 14.0]], 0.5);
        assert!((values[2][1] - (7.0 * 0.25 + 14.0) / 1.75).abs() < 1e-12, "{values:?}");
    }
}
