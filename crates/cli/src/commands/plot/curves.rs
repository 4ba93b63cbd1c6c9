//! Metrics records as a figure: what is drawn, over which x, how smooth.

use std::collections::BTreeSet;

use clap::ValueEnum;
use plot::{Curve, Figure, Panel, Scale};
use sensors::Device;
use train::metrics::{HardwareRecord, MetricsRecord, StepRecord};

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Metric {
    Loss,
    LearningRate,
    TokensPerSecond,
    GradNorm,
    Memory,
    Utilisation,
    Power,
    Temperature,
    Throttled,
}

/// What `--hardware` draws.
pub(crate) const HARDWARE: [Metric; 5] =
    [Metric::Memory, Metric::Utilisation, Metric::Power, Metric::Temperature, Metric::Throttled];

impl Metric {
    fn title(self) -> &'static str {
        match self {
            Self::Loss => "Loss",
            Self::LearningRate => "Learning rate",
            Self::TokensPerSecond => "Throughput (tokens/s)",
            Self::GradNorm => "Gradient norm",
            Self::Memory => "Memory taken (GB)",
            Self::Utilisation => "Utilisation (%)",
            Self::Power => "Power (W)",
            Self::Temperature => "Temperature, highest (°C)",
            Self::Throttled => "Throttled (% of the time)",
        }
    }

    /// Quantities whose zero has a meaning that the eye should see.
    fn starts_at_zero(self) -> bool {
        !matches!(self, Self::Loss | Self::Temperature)
    }

    /// A learning rate has no noise to smooth.
    fn is_noisy(self) -> bool {
        self != Self::LearningRate
    }

    /// Its value in a step's record; `None` for what sensors tell.
    fn of_step(self, record: &StepRecord) -> Option<f64> {
        match self {
            Self::Loss => Some(record.loss),
            Self::LearningRate => Some(record.learning_rate),
            Self::TokensPerSecond => Some(record.tokens_per_second),
            Self::GradNorm => Some(record.grad_norm),
            Self::Memory | Self::Utilisation | Self::Power | Self::Temperature | Self::Throttled => None,
        }
    }

    /// Its value in the record of a device's sensors, where the device tells it; `None` for what is of the run.
    fn of_device(self, record: &HardwareRecord) -> Option<f64> {
        match self {
            Self::Memory => record.memory_used_bytes_max.map(|bytes| bytes as f64 / 1e9),
            Self::Utilisation => record.utilisation_percent_mean,
            Self::Power => record.power_watts_mean,
            Self::Temperature => record.temperature_celsius_max,
            Self::Throttled => record.throttled.map(|part| part * 100.0),
            Self::Loss | Self::LearningRate | Self::TokensPerSecond | Self::GradNorm => None,
        }
    }

    fn is_of_devices(self) -> bool {
        self.of_step(&StepRecord::default()).is_none()
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

/// Whose curve it is: a run's, or that of a device in it.
#[derive(Debug, Clone, Copy)]
struct Owner<'r> {
    run: &'r Run,
    device: Option<Device>,
}

impl Run {
    /// The devices that tell any of these metrics, in order.
    fn devices(&self, metrics: &[Metric]) -> BTreeSet<Device> {
        let told = |record: &MetricsRecord| match record {
            MetricsRecord::Hardware(record) if metrics.iter().any(|metric| metric.of_device(record).is_some()) => {
                Some(record.device)
            }
            _ => None,
        };
        self.records.iter().filter_map(told).collect()
    }

    /// Whether there is something to draw.
    pub(crate) fn has_any(&self, metrics: &[Metric]) -> bool {
        metrics.iter().any(|metric| !metric.is_of_devices()) || !self.devices(metrics).is_empty()
    }
}

/// Runs have curves where something of theirs is drawn, and their devices where something of them is.
fn owners<'r>(runs: &'r [Run], metrics: &[Metric]) -> Vec<Owner<'r>> {
    let has_run = metrics.iter().any(|metric| !metric.is_of_devices());
    let of_run = |run: &'r Run| {
        let devices = run.devices(metrics).into_iter().map(Some);
        has_run.then_some(None).into_iter().chain(devices).map(move |device| Owner { run, device })
    };
    runs.iter().flat_map(of_run).collect()
}

/// The figure of `runs`: a panel for each metric, a curve for each run or, of what sensors tell, for each device of each run.
pub(crate) fn figure(runs: &[Run], options: &Options) -> Figure {
    let owners = owners(runs, &options.metrics);
    let name = |owner: &Owner<'_>| match owner.device {
        None => owner.run.name.clone(),
        Some(device) if runs.len() == 1 => device.to_string(),
        Some(device) => format!("{} {device}", owner.run.name),
    };
    let mut panels: Vec<Panel> = options.metrics.iter().map(|&metric| panel(&owners, metric, options)).collect();
    let (unit, x_title) = x_unit(options.x, &panels);
    for curve in panels.iter_mut().flat_map(|panel| &mut panel.curves) {
        curve.points.iter_mut().chain(&mut curve.marks).for_each(|point| point[0] /= unit);
    }
    Figure {
        names: owners.iter().map(name).collect(),
        panels,
        x_title: x_title.to_owned(),
        x_is_whole: options.x == XAxis::Step,
        mark_name: "evaluation".to_owned(),
    }
}

fn panel(owners: &[Owner<'_>], metric: Metric, options: &Options) -> Panel {
    let may_be_log = matches!(metric, Metric::Loss | Metric::GradNorm);
    Panel {
        title: metric.title().to_owned(),
        curves: owners.iter().map(|owner| curve(owner, metric, options)).collect(),
        y_scale: if options.log && may_be_log { Scale::Log } else { Scale::Linear },
        from_zero: metric.starts_at_zero(),
    }
}

fn curve(&Owner { run, device }: &Owner<'_>, metric: Metric, options: &Options) -> Curve {
    let started = run.records.first().map_or(0.0, MetricsRecord::time);
    let x = |step, tokens, time: f64| x_value(options.x, step, tokens, time - started);
    let (mut points, mut marks) = (Vec::new(), Vec::new());
    for record in &run.records {
        match record {
            MetricsRecord::Step(step) if device.is_none() => {
                points.extend(metric.of_step(step).map(|value| [x(step.step, step.tokens, step.time), value]));
            }
            MetricsRecord::Eval(eval) if device.is_none() && metric == Metric::Loss => {
                marks.push([x(eval.step, eval.tokens, eval.time), eval.eval_loss]);
            }
            MetricsRecord::Hardware(told) if device == Some(told.device) => {
                points.extend(metric.of_device(told).map(|value| [x(told.step, told.tokens, told.time), value]));
            }
            MetricsRecord::Step(_) | MetricsRecord::Eval(_) | MetricsRecord::Save(_) | MetricsRecord::Hardware(_) => {}
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

fn x_value(x: XAxis, step: u64, tokens: u64, elapsed: f64) -> f64 {
    match x {
        XAxis::Step => step as f64,
        XAxis::Tokens => tokens as f64,
        XAxis::Time => elapsed,
    }
}
