//! What was measured of a server, for people and for scripts.

use std::fmt::{self, Write as _};

use load::{Arrivals, Endpoint, Fairness, Load, Options, Prompts, Range, SLOW_BYTES_PER_SECOND, Statistics, Summary};
use plot::si;
use serde::{Serialize, Serializer};

use super::super::lines;
use crate::plural::counted;

/// What was measured, as printed.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    url: String,
    #[serde(serialize_with = "path")]
    endpoint: Endpoint,
    /// The first of those that were asked for.
    model: String,
    models_asked: usize,
    load: String,
    prompt_lengths: String,
    output_lengths: String,
    seed: u64,
    words_seed: u64,
    notes: Vec<String>,
    #[serde(flatten)]
    summary: Option<Summary>,
}

impl Report {
    /// Of a measurement that is to come.
    pub(super) fn new(options: &Options, load: &Load) -> Report {
        Report {
            url: options.target.to_string(),
            endpoint: options.endpoint,
            model: load.models().first().cloned().unwrap_or_default(),
            models_asked: load.models().len(),
            load: describe(options),
            prompt_lengths: match &options.prompts {
                Prompts::Made(lengths) => lengths.to_string(),
                Prompts::Given(prompts) => format!("{} from a file", prompts.len()),
            },
            output_lengths: options.answer.to_string(),
            seed: options.seed,
            words_seed: options.words_seed,
            notes: load.notes().to_vec(),
            summary: None,
        }
    }

    /// With what was measured.
    pub(super) fn complete(&mut self, summary: Summary) {
        self.notes.extend(summary.input_excess_tokens_min.map(|excess| self.told_of_excess(excess)));
        self.summary = Some(summary);
    }

    /// Of prompts that all have so many tokens too many, or more.
    fn told_of_excess(&self, excess: u64) -> String {
        let unit = if excess == 1 { "token" } else { "tokens" };
        let reason = match self.endpoint {
            Endpoint::Chat => {
                ": the server's chat template adds its own; ask for more, or take --endpoint completions, which has no template"
            }
            Endpoint::Completions => ", as the server counts them",
        };
        format!("each prompt has {excess} {unit} or more beyond what --prompt-tokens asks for{reason}")
    }

    fn model(&self) -> String {
        match self.models_asked {
            1 => self.model.clone(),
            count => format!("{} and {} more", self.model, count - 1),
        }
    }
}

fn path<S: Serializer>(endpoint: &Endpoint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(endpoint)
}

fn describe(options: &Options) -> String {
    let (mut text, ramp) = match options.arrivals {
        Arrivals::Closed { clients, ramp } => {
            (format!("closed loop of {clients} client{}", if clients == 1 { "" } else { "s" }), ramp)
        }
        Arrivals::Poisson { rate, ramp } => (format!("Poisson arrivals, {rate} a second"), ramp),
    };
    if !ramp.is_zero() {
        let _infallible = write!(text, ", ramp of {} s", ramp.as_secs_f64());
    }
    if options.zipf > 0.0 {
        let _infallible = write!(text, ", models by Zipf's law with exponent {}", options.zipf);
    }
    if options.slow_readers > 0.0 {
        let _infallible = write!(text, ", {} % slow readers", 100.0 * options.slow_readers);
    }
    text
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![
            ("server", format!("{} at {}, {}", self.endpoint, self.url, self.model())),
            ("load", format!("{}; prompts {}, answers {}", self.load, self.prompt_lengths, self.output_lengths)),
        ];
        if let Some(summary) = &self.summary {
            measured(summary, &mut rows);
        }
        rows.extend(self.notes.iter().map(|note| ("note", note.clone())));
        lines(f, &rows)?;
        match &self.summary {
            Some(summary) => times(f, summary),
            None => Ok(()),
        }
    }
}

fn measured(summary: &Summary, rows: &mut Vec<(&'static str, String)>) {
    let Summary { done, failed, stopped, seconds, .. } = *summary;
    let mut requests =
        format!("{done} answered in {seconds:.1} s, {} a second; {failed} failed", rate(summary.requests_per_second));
    if stopped > 0 {
        let _infallible = write!(requests, ", {stopped} given up");
    }
    rows.push(("requests", requests));
    let [input, output] = [summary.input_tokens_per_second, summary.output_tokens_per_second].map(|rate| si(rate, 3));
    let mut prompts = format!("{input} tok/s, {} in all", summary.input_tokens);
    if let Some(cached) = summary.cached_tokens {
        let part = 100.0 * cached as f64 / summary.input_tokens.max(1) as f64;
        let _infallible = write!(prompts, ", {part:.1} % of them from the server's cache");
    }
    rows.push(("input", prompts));
    let mut answers = format!("{output} tok/s, {} in all", summary.output_tokens);
    if summary.pieces != summary.output_tokens {
        let _infallible = write!(answers, " in {}", counted(summary.pieces, "piece"));
    }
    if summary.short_answers > 0 {
        let short = counted(summary.short_answers, "answer");
        let are = if summary.short_answers == 1 { "is" } else { "are" };
        let _infallible = write!(answers, "; {short} {are} shorter than asked for");
    }
    rows.push(("output", answers));
    rows.extend(summary.window.map(|window| {
        let tokens = si(window.output_tokens_per_second, 3);
        let requests = rate(window.requests_per_second);
        let told = format!(
            "{tokens} tok/s and {requests} answers a second in the {} s in which requests came",
            (1e3 * window.seconds).round() / 1e3
        );
        ("meanwhile", told)
    }));
    rows.extend(summary.goodput.map(|goodput| {
        let part = 100.0 * goodput.requests as f64 / (done + failed).max(1) as f64;
        (
            "goodput",
            format!("{} requests/s, {part:.1} % of all, within {}", rate(goodput.requests_per_second), goodput.bounds),
        )
    }));
    let (requests, streams) = (counted(summary.under_way_max, "request"), counted(summary.streams_max, "stream"));
    rows.push(("at once", format!("up to {requests}, {streams}")));
    rows.push(("sent late", format!("by {:.1} ms at most", summary.late_ms_max)));
    rows.extend(summary.models.as_ref().map(|models| ("models", fairness(models))));
    rows.extend(summary.keys.as_ref().map(|keys| ("keys", fairness(keys))));
    rows.extend(summary.slow_readers.map(|slow| {
        let told = format!(
            "{} read at {SLOW_BYTES_PER_SECOND} bytes a second: {} answered, {} failed, {} still reading at the end",
            counted(slow.sent, "request"),
            slow.done,
            slow.failed,
            slow.still_reading
        );
        ("slow", told)
    }));
    rows.extend(summary.errors.iter().map(|failures| {
        ("failed", format!("{} {}: {}", counted(failures.count, "time"), failures.kind, failures.example))
    }));
}

/// About three digits.
fn rate(rate: f64) -> String {
    match rate {
        rate if rate >= 1000.0 => si(rate, 3),
        rate if rate >= 100.0 => format!("{rate:.0}"),
        rate if rate >= 10.0 => format!("{rate:.1}"),
        rate => format!("{rate:.2}"),
    }
}

fn fairness(fairness: &Fairness) -> String {
    let range = |range: &Range, unit: &str, digits: usize| {
        let Range { least, least_of, most, most_of } = range;
        format!("from {least:.digits$}{unit} ({least_of}) to {most:.digits$}{unit} ({most_of})")
    };
    let mut text = format!("{} asked; answers {}", fairness.asked, range(&fairness.done, "", 0));
    for (name, times) in [("TTFT", &fairness.ttft_ms_mean), ("E2E", &fairness.e2e_ms_mean)] {
        if let Some(times) = times {
            let _infallible = write!(text, "; mean {name} {}", range(times, " ms", 1));
        }
    }
    text
}

/// A table of times.
fn times(f: &mut fmt::Formatter<'_>, summary: &Summary) -> fmt::Result {
    let all = [("TTFT", summary.ttft_ms), ("ITL", summary.itl_ms), ("TPOT", summary.tpot_ms), ("E2E", summary.e2e_ms)];
    if all.iter().all(|(_, statistics)| statistics.is_none()) {
        return Ok(());
    }
    write!(f, "\n\n{}", table(&all))
}

/// Rows of times in milliseconds, in 80 columns: those of a quarter of an hour and more without a fraction.
fn table(all: &[(&str, Option<Statistics>)]) -> String {
    let names = ["mean", "min", "p50", "p90", "p95", "p99", "max"].map(|name| format!(" {name:>9}"));
    let mut lines = vec![format!("{:<5}{}", "ms", names.concat())];
    for (name, statistics) in all {
        let Some(Statistics { mean, min, p50, p90, p95, p99, max }) = statistics else { continue };
        let cells = [mean, min, p50, p90, p95, p99, max].map(|ms| {
            let digits = if *ms < 999_999.0 { 2 } else { 0 };
            format!(" {ms:>9.digits$}")
        });
        lines.push(format!("{name:<5}{}", cells.concat()));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn times_fit_into_eighty_columns() {
        let mean = 998_999.876;
        let long = Statistics { mean, min: 0.0, p50: 12.3, p90: 999_999.5, p95: 3_600_000.0, p99: 36e6, max: 36e7 };
        let table = table(&[("TTFT", Some(long)), ("ITL", None), ("E2E", Some(Statistics::default()))]);
        expect![[r#"
            ms         mean       min       p50       p90       p95       p99       max
            TTFT  998999.88      0.00     12.30   1000000   3600000  36000000 360000000
            E2E        0.00      0.00      0.00      0.00      0.00      0.00      0.00"#]]
        .assert_eq(&table);
        assert!(table.lines().all(|line| line.len() <= 80), "{table}");
    }
}
