//! Progress on standard error: a bar in a terminal, now and then a line where there is none, an event for each record of a run's
//! metrics under `--log-format json`. Lines and events go through `tracing`, so that `-q` silences them and their order is that of
//! the messages around them.

use std::io::{self, IsTerminal as _};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use console::{Term, measure_text_width};
use indicatif::{HumanBytes, HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use sensors::Device;
use train::metrics::{HardwareRecord, StepRecord};

use crate::logging::{LogArgs, LogFormat};
use crate::screen::{self, Screen};
use plot::si;

/// The terminal is one, and messages must not tear its bars, so they share this.
static BARS: LazyLock<MultiProgress> = LazyLock::new(|| {
    MultiProgress::with_draw_target(match io::stderr().is_terminal() {
        true => ProgressDrawTarget::term_like_with_hz(Box::new(Screen::new(Term::buffered_stderr())), DRAWN_PER_SECOND),
        false => ProgressDrawTarget::hidden(),
    })
});
const DRAWN_PER_SECOND: u8 = 10;

/// At most one plain line in this time.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
const TICK_INTERVAL: Duration = Duration::from_millis(100);
/// Where a title, counts and a bar do not stand in one line.
const NARROW_COLUMNS: u16 = 80;

/// Runs `write` while no bar is on the screen.
pub(crate) fn above_bars<R>(write: impl FnOnce() -> R) -> R {
    BARS.suspend(write)
}

/// Takes the bars off the screen, before the process ends where it stands.
pub(crate) fn clear() {
    let _ = BARS.clear();
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgressMode {
    /// A bar that is drawn again and again.
    Bar,
    /// A line now and then.
    Lines,
    /// A structured event for each record.
    Events,
}

impl ProgressMode {
    /// What suits the options and standard error.
    pub(crate) fn detect(args: &LogArgs) -> Self {
        match args.log_format {
            LogFormat::Json => Self::Events,
            LogFormat::Text if args.quiet == 0 && io::stderr().is_terminal() => Self::Bar,
            LogFormat::Text => Self::Lines,
        }
    }
}

/// Progress of a training run.
#[derive(Debug)]
pub(crate) struct TrainProgress {
    display: Display,
    step: u64,
    total_steps: u64,
    pace: Pace,
    started: Instant,
    last_line: Option<Duration>,
    /// Of the last step of all.
    loss: Option<f64>,
    /// Of the last evaluation.
    eval_loss: Option<f64>,
    /// What the sensors told last.
    hardware: Option<String>,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    Lines,
    Events,
}

impl TrainProgress {
    /// Progress of a run that has done `first_step` of `total_steps` when it starts.
    pub(crate) fn new(kind: ProgressMode, first_step: u64, total_steps: u64) -> Self {
        let display = match kind {
            ProgressMode::Bar => {
                let bar = BARS.add(ProgressBar::new(total_steps).with_position(first_step));
                bar.set_style(style("{pos}/{len}  {msg}  {wide_bar}"));
                bar.set_message("compiling and running the first step");
                Display::Bar(bar)
            }
            ProgressMode::Lines => Display::Lines,
            ProgressMode::Events => Display::Events,
        };
        let (pace, started) = (Pace::default(), Instant::now());
        let (last_line, loss, eval_loss, hardware) = (None, None, None, None);
        Self { display, step: first_step, total_steps, pace, started, last_line, loss, eval_loss, hardware }
    }

    /// Shows a finished step, with its own loss.
    pub(crate) fn step(&mut self, record: &StepRecord) {
        let StepRecord { step, loss, .. } = *record;
        (self.step, self.loss) = (step, Some(loss));
        let now = self.started.elapsed();
        let left = self.pace.seconds_left(now, step, self.total_steps);
        match &self.display {
            Display::Bar(bar) => {
                let room = usize::from(screen::columns()).saturating_sub(2 * digits(self.total_steps) + 4);
                bar.set_message(describe(record, left, self.hardware.as_deref(), room));
                bar.set_position(step);
            }
            Display::Lines => {
                if self.is_line_due(now, step) {
                    let described = describe(record, left, self.hardware.as_deref(), usize::MAX);
                    tracing::info!("step {step}/{}  {described}", self.total_steps);
                }
            }
            Display::Events => {}
        }
    }

    /// Tells of a record that was written to the run's metrics.
    pub(crate) fn recorded(&mut self, record: &StepRecord) {
        if !matches!(self.display, Display::Events) {
            return;
        }
        let StepRecord { step, epoch, tokens, loss, learning_rate, grad_norm, tokens_per_second, step_ms, .. } =
            *record;
        let StepRecord {
            z_loss,
            router_aux_loss,
            model_tflops,
            model_tflops_causal,
            mfu,
            mfu_causal,
            peak_memory_bytes,
            ..
        } = *record;
        let total_steps = self.total_steps;
        let seconds_left = self.pace.seconds_left(self.started.elapsed(), step, total_steps);
        tracing::info!(
            step,
            total_steps,
            epoch,
            tokens,
            loss,
            learning_rate,
            grad_norm,
            z_loss,
            router_aux_loss,
            tokens_per_second,
            step_ms,
            model_tflops,
            model_tflops_causal,
            mfu,
            mfu_causal,
            peak_memory_bytes,
            seconds_left,
            "train step"
        );
    }

    /// Takes what the sensors told, to be shown with the next steps.
    pub(crate) fn hardware(&mut self, records: &[HardwareRecord]) {
        self.hardware = describe_hardware(records);
        if !matches!(self.display, Display::Events) {
            return;
        }
        for record in records {
            let HardwareRecord { step, device, seconds, samples, .. } = *record;
            let HardwareRecord { memory_used_bytes_max, memory_total_bytes, process_memory_bytes_max, .. } = *record;
            let HardwareRecord { utilisation_percent_mean, power_watts_mean, power_watts_max, .. } = *record;
            let HardwareRecord { power_limit_watts, temperature_celsius_max, throttled, load_mean, .. } = *record;
            tracing::info!(
                step,
                %device,
                seconds,
                samples,
                memory_used_bytes_max,
                memory_total_bytes,
                process_memory_bytes_max,
                utilisation_percent_mean,
                power_watts_mean,
                power_watts_max,
                power_limit_watts,
                temperature_celsius_max,
                load_mean,
                throttled,
                "hardware"
            );
        }
    }

    /// Shows the result of an evaluation after `step` steps.
    pub(crate) fn eval(&mut self, step: u64, loss: f64, perplexity: f64) {
        self.eval_loss = Some(loss);
        match self.display {
            Display::Bar(_) | Display::Lines => {
                tracing::info!(
                    "step {step}/{}  evaluation loss {loss:.4}, perplexity {perplexity:.2}",
                    self.total_steps
                );
            }
            Display::Events => tracing::info!(step, eval_loss = loss, eval_perplexity = perplexity, "evaluation"),
        }
    }

    /// Shows a message above the bar.
    pub(crate) fn message(&self, message: &str) {
        tracing::info!("{message}");
    }

    /// Removes the bar and says how far training came, how long it took, and the last losses, which the bar took along.
    pub(crate) fn finish(self) {
        self.clear();
        tracing::info!("{}", self.summary(self.started.elapsed()));
    }

    fn summary(&self, took: Duration) -> String {
        let Self { step, total_steps, .. } = self;
        let losses = [("loss", self.loss), ("evaluation loss", self.eval_loss)];
        let told = losses.into_iter().filter_map(|(name, loss)| Some(format!("; last {name} {:.4}", loss?)));
        let told: String = told.collect();
        format!("trained to step {step} of {total_steps} in {}{told}", clock(took.as_secs_f64()))
    }

    fn clear(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }

    /// The first step, the last, and one in [`LINE_INTERVAL`] between.
    fn is_line_due(&mut self, now: Duration, step: u64) -> bool {
        let is_due = self.last_line.is_none_or(|last| now - last >= LINE_INTERVAL) || step >= self.total_steps;
        if is_due {
            self.last_line = Some(now);
        }
        is_due
    }
}

impl Drop for TrainProgress {
    /// Also when training fails, so that the error stands on a line of its own.
    fn drop(&mut self) {
        self.clear();
    }
}

/// Time a step takes, as a moving average. The first step is left out: it holds the compilation.
#[derive(Debug, Default)]
struct Pace {
    last: Option<(Duration, u64)>,
    step_seconds: Option<f64>,
}

impl Pace {
    /// Seconds until `total_steps`, at the pace of the last steps; unknown at the first step.
    fn seconds_left(&mut self, now: Duration, step: u64, total_steps: u64) -> Option<f64> {
        const WEIGHT_OF_PAST: f64 = 0.95;
        if let Some((last_time, last_step)) = self.last
            && step > last_step
        {
            let latest = (now.saturating_sub(last_time)).as_secs_f64() / (step - last_step) as f64;
            let past = self.step_seconds.unwrap_or(latest);
            self.step_seconds = Some(WEIGHT_OF_PAST * past + (1.0 - WEIGHT_OF_PAST) * latest);
        }
        self.last = Some((now, step));
        self.step_seconds.map(|seconds| seconds * total_steps.saturating_sub(step) as f64)
    }
}

/// A step in as many of its parts as there is room for; the last ones go first.
fn describe(record: &StepRecord, seconds_left: Option<f64>, hardware: Option<&str>, room: usize) -> String {
    let two = |full: Option<f64>, causal: Option<f64>, scale: f64, digits: usize| {
        Some(format!("{:.digits$}/{:.digits$}", full? * scale, causal? * scale))
    };
    let tflops = two(record.model_tflops, record.model_tflops_causal, 1.0, decimals(record.model_tflops));
    let parts = [
        Some(format!("loss {:.4}", record.loss)),
        seconds_left.map(|seconds| format!("{} left", clock(seconds))),
        Some(format!("{} tok/s", si(record.tokens_per_second, 3))),
        Some(format!("lr {:.2e}", record.learning_rate)),
        two(record.mfu, record.mfu_causal, 100.0, 1).map(|mfu| format!("MFU {mfu} %")),
        tflops.map(|tflops| format!("{tflops} TFLOP/s")),
        record.peak_memory_bytes.map(|bytes| format!("{}B", si(bytes as f64, 3))),
        hardware.map(str::to_owned),
    ];
    let mut line = String::new();
    for part in parts.into_iter().flatten() {
        let gap = if line.is_empty() { 0 } else { 2 };
        if measure_text_width(&line) + gap + measure_text_width(&part) > room {
            break;
        }
        line.extend(std::iter::repeat_n(' ', gap));
        line.push_str(&part);
    }
    line
}

/// The power of all GPUs together and the temperature of the hottest, or those of the host where no GPU is read; what is told of them.
fn describe_hardware(records: &[HardwareRecord]) -> Option<String> {
    let on_gpus = records.iter().any(|record| record.device != Device::Host);
    let shown = || records.iter().filter(|record| !on_gpus || record.device != Device::Host);
    let watts = shown().filter_map(|record| record.power_watts_mean).reduce(|sum, watts| sum + watts);
    let celsius = shown().filter_map(|record| record.temperature_celsius_max).max_by(f64::total_cmp);
    let parts = [watts.map(|watts| format!("{watts:.0} W")), celsius.map(|celsius| format!("{celsius:.0} °C"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("  "))
}

/// Decimals that leave about three digits.
fn decimals(number: Option<f64>) -> usize {
    match number {
        Some(number) if number >= 100.0 => 0,
        Some(number) if number >= 1.0 => 1,
        _ => 3,
    }
}

fn digits(number: u64) -> usize {
    number.to_string().len()
}

/// `8.3s`, `1:05` or `2:03:04`.
pub(crate) fn clock(seconds: f64) -> String {
    if seconds < 59.95 {
        return format!("{seconds:.1}s");
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
}

/// What a [`Task`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Items,
}

/// Progress of one long thing: compiling, loading, tokenising.
#[derive(Debug)]
pub(crate) struct Task {
    bar: Option<ProgressBar>,
    title: String,
    started: Instant,
    /// What it is done with, of how much there is if that is known.
    done: AtomicU64,
    all: Option<(u64, Unit)>,
    /// When a line last said how far it is, where there is no bar: milliseconds after it started.
    told_ms: AtomicU64,
}

impl Task {
    /// A task of unknown length, titled by what is being done, as in `compiling the training step`.
    pub(crate) fn spinner(kind: ProgressMode, title: impl Into<String>) -> Self {
        let spinner = || ProgressBar::new_spinner().with_style(style("{spinner} {msg}  {elapsed}"));
        Self::new(kind, title.into(), None, spinner)
    }

    /// A task that is done when [`Task::advance`] has been told of `total` units.
    pub(crate) fn bar(kind: ProgressMode, title: impl Into<String>, total: u64, unit: Unit) -> Self {
        // On one line, whatever its length: a terminal that is too narrow for a bar has the title cut.
        let is_narrow = screen::columns() < NARROW_COLUMNS;
        let template = match unit {
            Unit::Bytes if is_narrow => "{wide_msg}  {bytes}/{total_bytes}",
            Unit::Items if is_narrow => "{wide_msg}  {human_pos}/{human_len}",
            Unit::Bytes => "{msg}  {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left  {wide_bar}",
            Unit::Items => "{msg}  {human_pos}/{human_len}  {per_sec}  {eta} left  {wide_bar}",
        };
        Self::new(kind, title.into(), Some((total, unit)), || ProgressBar::new(total).with_style(style(template)))
    }

    fn new(kind: ProgressMode, title: String, all: Option<(u64, Unit)>, bar: impl FnOnce() -> ProgressBar) -> Self {
        let bar = (kind == ProgressMode::Bar).then(|| {
            let bar = BARS.add(bar().with_message(title.clone()));
            bar.enable_steady_tick(TICK_INTERVAL);
            bar
        });
        if bar.is_none() {
            tracing::info!("{title}");
        }
        Self { bar, title, started: Instant::now(), done: AtomicU64::new(0), all, told_ms: AtomicU64::new(0) }
    }

    /// Counts `units` more.
    pub(crate) fn advance(&self, units: u64) {
        match &self.bar {
            Some(bar) => bar.inc(units),
            None => _ = self.tell(units, self.started.elapsed()),
        }
    }

    /// Says now and then in a line how far it is, where there is no bar to see it by. Gives whether it did.
    fn tell(&self, units: u64, elapsed: Duration) -> bool {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        let now = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let told = self.told_ms.load(Ordering::Relaxed);
        let Some((all, unit)) =
            self.all.filter(|(all, _)| done < *all && now >= told + LINE_INTERVAL.as_millis() as u64)
        else {
            return false;
        };
        // Of several threads one says it.
        if self.told_ms.compare_exchange(told, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return false;
        }
        match unit {
            Unit::Bytes => tracing::info!("{}: {} of {}", self.title, HumanBytes(done), HumanBytes(all)),
            Unit::Items => tracing::info!("{}: {} of {}", self.title, HumanCount(done), HumanCount(all)),
        }
        true
    }

    /// Removes the bar and says how long the task took.
    pub(crate) fn finish(self) {
        self.clear();
        tracing::info!("{}: {}", self.title, clock(self.started.elapsed().as_secs_f64()));
    }

    /// The same of a task that was left before its end.
    pub(crate) fn stop(self) {
        self.clear();
        tracing::info!("{}: stopped after {}", self.title, clock(self.started.elapsed().as_secs_f64()));
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Task {
    /// Also when the task fails, so that the error stands on a line of its own.
    fn drop(&mut self) {
        self.clear();
    }
}

/// A style of ours, which cannot be malformed but in development.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("━╸─")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const RECORD: StepRecord = StepRecord {
        step: 12,
        epoch: 0.5,
        tokens: 1000,
        loss: 2.345_67,
        learning_rate: 3e-4,
        grad_norm: 1.0,
        z_loss: None,
        router_aux_loss: None,
        tokens_per_second: 57_612.0,
        step_ms: 284.0,
        model_tflops: Some(512.3),
        model_tflops_causal: Some(475.9),
        mfu: Some(0.5178),
        mfu_causal: Some(0.481),
        peak_memory_bytes: Some(41_600_000_000),
        time: 0.0,
    };

    #[test]
    fn a_task_without_a_bar_tells_now_and_then_how_far_it_is() {
        let task = Task::bar(ProgressMode::Lines, "scoring", 100, Unit::Items);
        let told: Vec<_> = (1..=100).filter(|second| task.tell(1, *second * SECOND)).collect();
        assert_eq!(told, [10, 20, 30, 40, 50, 60, 70, 80, 90], "and its end, which `finish` tells, is not among them");
        assert!(!Task::spinner(ProgressMode::Lines, "compiling").tell(1, 60 * SECOND));
    }

    #[test]
    fn time_left_leaves_the_first_step_out() {
        let mut pace = Pace::default();
        assert_eq!(pace.seconds_left(60 * SECOND, 1, 100), None);
        assert_eq!(pace.seconds_left(62 * SECOND, 2, 100), Some(196.0));
        assert_eq!(pace.seconds_left(66 * SECOND, 4, 100), Some(192.0));
        assert_eq!(pace.seconds_left(68 * SECOND, 100, 100), Some(0.0));
    }

    #[test]
    fn time_left_follows_a_change_of_pace() {
        let mut pace = Pace::default();
        for step in 0..200 {
            pace.seconds_left(Duration::from_secs(step), step, 1000);
        }
        let left = (200..400).map(|step| pace.seconds_left(Duration::from_secs(2 * step - 200), step, 1000)).last();
        assert!((left.flatten().unwrap() - 1202.0).abs() < 1.0, "{left:?}");
    }

    #[test]
    fn lines_come_at_the_ends_and_every_ten_seconds() {
        let mut progress = TrainProgress::new(ProgressMode::Lines, 0, 30);
        let due: Vec<u64> = (1..=30).filter(|&step| progress.is_line_due(Duration::from_secs(step), step)).collect();
        assert_eq!(due, [1, 11, 21, 30]);
    }

    #[test]
    fn the_end_tells_what_the_bar_took_along() {
        let mut progress = TrainProgress::new(ProgressMode::Lines, 0, 30);
        let took = Duration::from_millis(2_100);
        assert_eq!(progress.summary(took), "trained to step 0 of 30 in 2.1s");
        progress.step(&StepRecord { loss: 3.5, step: 29, ..RECORD });
        progress.step(&StepRecord { step: 30, ..RECORD });
        assert_eq!(progress.summary(took), "trained to step 30 of 30 in 2.1s; last loss 2.3457");
        progress.eval(30, 2.5, 12.2);
        let told = "trained to step 30 of 30 in 2.1s; last loss 2.3457; last evaluation loss 2.5000";
        assert_eq!(progress.summary(took), told);
    }

    /// What fits is shown, the more important first.
    #[test]
    fn a_step_reads_well_in_any_width() {
        let record = RECORD;
        let whole = "loss 2.3457  1:23 left  57.6k tok/s  lr 3.00e-4  MFU 51.8/48.1 %  512/476 TFLOP/s  41.6GB";
        let hardware = Some("612 W  71 °C");
        let with_hardware = format!("{whole}  612 W  71 °C");
        assert_eq!(describe(&record, Some(83.2), hardware, with_hardware.chars().count()), with_hardware);
        assert_eq!(describe(&record, Some(83.2), hardware, with_hardware.chars().count() - 1), whole);
        assert_eq!(describe(&record, Some(83.2), None, usize::MAX), whole);
        assert_eq!(describe(&record, Some(83.2), hardware, whole.len() - 1), whole.strip_suffix("  41.6GB").unwrap());
        assert_eq!(describe(&record, Some(83.2), None, 36), "loss 2.3457  1:23 left  57.6k tok/s");
        assert_eq!(describe(&record, None, None, 5), "");
        let bare = StepRecord { mfu: None, model_tflops: Some(0.0123), model_tflops_causal: Some(0.011), ..record };
        let expected = "loss 2.3457  57.6k tok/s  lr 3.00e-4  0.012/0.011 TFLOP/s  41.6GB";
        assert_eq!(describe(&bare, None, None, usize::MAX), expected);
    }

    #[test]
    fn the_power_of_all_gpus_is_shown_and_the_temperature_of_the_hottest() {
        let record = |device: &str, rest: &str| -> HardwareRecord {
            let line =
                format!(r#"{{"step":1,"tokens":1,"device":"{device}","seconds":10,"samples":5,"time":0{rest}}}"#);
            serde_json::from_str(&line).unwrap()
        };
        let host = record("host", r#","power_watts_mean":90.0,"temperature_celsius_max":99.0"#);
        let gpu = |number, rest| record(&format!("gpu{number}"), rest);
        let first = gpu(0, r#","power_watts_mean":600.4,"temperature_celsius_max":61.0"#);
        let second = gpu(1, r#","power_watts_mean":650.4,"temperature_celsius_max":70.6"#);
        assert_eq!(describe_hardware(&[first, second, host]).as_deref(), Some("1251 W  71 °C"));
        assert_eq!(describe_hardware(&[host]).as_deref(), Some("90 W  99 °C"));
        assert_eq!(describe_hardware(&[gpu(0, ""), host]), None, "the host's are not the GPU's");
        assert_eq!(describe_hardware(&[gpu(0, r#","power_watts_mean":70.0"#)]).as_deref(), Some("70 W"));
    }

    #[test]
    fn durations_have_at_most_three_parts() {
        let cases =
            [(0.0, "0.0s"), (8.34, "8.3s"), (59.94, "59.9s"), (59.96, "1:00"), (65.0, "1:05"), (7384.4, "2:03:04")];
        for (seconds, expected) in cases {
            assert_eq!(clock(seconds), expected);
        }
    }
}
