//! Metrics records as a figure: what is drawn, over which x, how smooth.

use clap::ValueEnum;
use plot::{Curve, Figure, Panel, Scale};
use train::metrics::{MetricsRecord, StepRecord};

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
    fn title(self) -> &'static str {
        match self {
            Self::Loss => "Loss",
            Self::LearningRate => "Learning rate",
            Self::TokensPerSecond => "Throughput (tokens/s)",
            Self::GradNorm => "Gradient norm",
        }
    }

    /// Quantities whose zero has a meaning that the eye should see.
    fn starts_at_zero(self) -> bool {
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
    /// Weight of the past in the moving average, 0 (none) to below 1.
    pub(crate) smoothing: f64,
    /// Logarithmic y axes for the loss and the gradient norm.
    pub(crate) log: bool,
}

/// One run of a figure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) records: Vec<MetricsRecord>,
}

/// The figure of `runs`: a panel for each metric, a curve for each run.
pub(crate) fn figure(runs: &[Run], options: &Options) -> Figure {
    let mut panels: Vec<Panel> = options.metrics.iter().map(|&metric| panel(runs, metric, options)).collect();
    let (unit, x_title) = x_unit(options.x, &panels);
    for curve in panels.iter_mut().flat_map(|panel| &mut panel.curves) {
        curve.points.iter_mut().chain(&mut curve.marks).for_each(|point| point[0] /= unit);
    }
    Figure {
        names: runs.iter().map(|run| run.name.clone()).collect(),
        panels,
        x_title: x_title.to_owned(),
        mark_name: "evaluation".to_owned(),
    }
}

fn panel(runs: &[Run], metric: Metric, options: &Options) -> Panel {
    let may_be_log = matches!(metric, Metric::Loss | Metric::GradNorm);
    Panel {
        title: metric.title().to_owned(),
        curves: runs.iter().map(|run| curve(run, metric, options)).collect(),
        y_scale: if options.log && may_be_log { Scale::Log } else { Scale::Linear },
        from_zero: metric.starts_at_zero(),
    }
}

fn curve(run: &Run, metric: Metric, options: &Options) -> Curve {
    let started = run.records.first().map_or(0.0, time);
    let x = |step, tokens, time: f64| x_value(options.x, step, tokens, time - started);
    let (mut points, mut marks) = (Vec::new(), Vec::new());
    for record in &run.records {
        match record {
            MetricsRecord::Step(step) => points.push([x(step.step, step.tokens, step.time), metric.value(step)]),
            MetricsRecord::Eval(eval) if metric == Metric::Loss => {
                marks.push([x(eval.step, eval.tokens, eval.time), eval.eval_loss]);
            }
            MetricsRecord::Eval(_) => {}
        }
    }
    Curve { points, marks, smoothing: if metric.is_noisy() { options.smoothing } else { 0.0 } }
}

/// The unit that suits the x values, in theirs, and the title of the axis.
fn x_unit(x: XAxis, panels: &[Panel]) -> (f64, &'static str) {
    const MINUTE_S: f64 = 60.0;
    const HOUR_S: f64 = 60.0 * MINUTE_S;
    let curves = panels.iter().flat_map(|panel| &panel.curves);
    let points = curves.flat_map(|curve| curve.points.iter().chain(&curve.marks));
    let largest = points.map(|point| point[0]).max_by(f64::total_cmp).unwrap_or(0.0);
    match x {
        XAxis::Step => (1.0, "Step"),
        XAxis::Tokens => (1.0, "Tokens"),
        XAxis::Time if largest > 3.0 * HOUR_S => (HOUR_S, "Time (h)"),
        XAxis::Time if largest > 3.0 * MINUTE_S => (MINUTE_S, "Time (min)"),
        XAxis::Time => (1.0, "Time (s)"),
    }
}

fn time(record: &MetricsRecord) -> f64 {
    match record {
        MetricsRecord::Step(step) => step.time,
        MetricsRecord::Eval(eval) => eval.time,
    }
}

fn x_value(x: XAxis, step: u64, tokens: u64, elapsed: f64) -> f64 {
    match x {
        XAxis::Step => step as f64,
        XAxis::Tokens => tokens as f64,
        XAxis::Time => elapsed,
    }
}
