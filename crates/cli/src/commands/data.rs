//! `finery data inspect`: what a model will be trained on, before any of it is.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::{Args, Subcommand};
use data::{
    DataLoader, Dataset, DatasetOptions, ExcessLength, Form, LoaderOptions, Marks, Packing, Progress, Source, Stats,
    Tokenizer,
};
use runtime::plugins::Environment;
use train::RunData;
use train::config::{TrainConfig, parse_excess_length, parse_packing};

use crate::plural::counted;
use crate::progress::{ProgressMode, Task, Unit};
use crate::usage;

/// Look at training data.
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Subcommand, Debug)]
enum DataCommand {
    /// Print the first batch of a run with the tokens that the loss counts, and totals of the data set.
    ///
    /// Tokens that count are green on a terminal and written {+like this+} elsewhere.
    #[command(after_help = "Examples:\n  finery data inspect lora.yaml datasets.0.path=a.jsonl\n  \
        finery data inspect --tokenizer models/llama --input chats.jsonl --rows 2")]
    Inspect(InspectArgs),
}

/// Arguments of `finery data inspect`.
#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// Configuration of the run, as for `finery train`; without it, the options below say what to read
    #[arg(conflicts_with = "explicit")]
    config: Option<PathBuf>,
    /// Values that replace those of the file, such as datasets.0.path=a.jsonl
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Count and leave out records that cannot be read or have nothing to learn, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    #[command(flatten, next_help_heading = "Without a configuration")]
    explicit: ExplicitArgs,
}

/// What to read, where no configuration says it.
#[derive(Args, Debug)]
#[group(id = "explicit", multiple = true)]
struct ExplicitArgs {
    /// Model folder with tokenizer.json
    #[arg(long, value_name = "DIR", required_unless_present = "config")]
    tokenizer: Option<PathBuf>,
    /// Files or folders of JSONL or JSON arrays, plain or compressed
    #[arg(long, value_name = "FILE", required_unless_present = "config", num_args = 1..)]
    input: Vec<PathBuf>,
    /// Form of the records: completion, chat_template, prompt_completion, alpaca, sharegpt or input_output [default: told from the first]
    #[arg(long = "type", value_name = "FORM")]
    form: Option<Form>,
    /// Rows of the batch to print
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = usage::whole::<u32>(1..=u64::MAX))]
    rows: u32,
    /// Tokens in a row
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = usage::whole::<usize>(1..=u64::MAX))]
    sequence_len: usize,
    /// Samples in a row: true (several whole ones), false (one) or concatenate (cut where the row ends)
    #[arg(long, value_name = "HOW", default_value = "true", value_parser = parse_packing)]
    sample_packing: Packing,
    /// Samples longer than a row: drop, truncate or raise an error
    #[arg(long, value_name = "HOW", default_value = "drop", value_parser = parse_excess_length)]
    excess_length_strategy: ExcessLength,
    /// Count prompts and user messages in the loss too
    #[arg(long)]
    train_on_inputs: bool,
    /// Seed of the order
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = usage::seed)]
    seed: u64,
}

/// Runs `finery data …`.
///
/// # Errors
/// The configuration, the tokenizer or the data cannot be used.
pub(crate) fn run(args: DataArgs, progress: ProgressMode) -> anyhow::Result<()> {
    let mut reading = Reading::new(progress);
    let DataCommand::Inspect(InspectArgs { config, overrides, skip_bad, explicit }) = args.command;
    let batch = match (config, explicit.tokenizer) {
        (Some(config), _) => {
            let mut config = TrainConfig::load(&config, &overrides)?;
            config.skip_bad |= skip_bad;
            FirstBatch::of_run(&config, &mut reading)?
        }
        (None, Some(tokenizer)) => {
            let options = DatasetOptions {
                sources: explicit
                    .input
                    .into_iter()
                    .map(|path| Source { form: explicit.form, ..Source::new(path) })
                    .collect(),
                sequence_len: explicit.sequence_len,
                excess_length_strategy: explicit.excess_length_strategy,
                packing: explicit.sample_packing,
                train_on_inputs: explicit.train_on_inputs,
                skip_bad,
            };
            data::warn_of_unread(&options.sources);
            FirstBatch::of_files(&tokenizer, &options, explicit.rows as usize, explicit.seed, &mut reading)?
        }
        (None, None) => anyhow::bail!("name a configuration, or the data by --tokenizer and --input"),
    };
    reading.end();
    batch.print(&mut io::stdout().lock()).context("printing the rows and totals")
}

/// Progress of reading and tokenising, shown where that takes its time.
struct Reading {
    mode: ProgressMode,
    started: Instant,
    task: Option<Task>,
    /// Bytes that were shown.
    bytes: u64,
}

/// Less is read in less than a second on any machine.
const SHOWN_BYTES_MIN: u64 = 1 << 20;

impl Reading {
    fn new(mode: ProgressMode) -> Reading {
        Reading { mode, started: Instant::now(), task: None, bytes: 0 }
    }

    fn show(&mut self, progress: Progress<'_>) {
        let Progress { bytes, total_bytes, .. } = progress;
        if total_bytes < SHOWN_BYTES_MIN && self.started.elapsed() < Duration::from_secs(1) {
            return;
        }
        let mode = self.mode;
        let task = self
            .task
            .get_or_insert_with(|| Task::bar(mode, "reading and tokenising the data", total_bytes, Unit::Bytes));
        task.advance(bytes.saturating_sub(self.bytes));
        self.bytes = bytes;
    }

    fn end(&mut self) {
        if let Some(task) = self.task.take() {
            task.finish();
        }
    }
}

/// Where the first batch comes from.
struct FirstBatch {
    tokenizer: Tokenizer,
    loader: DataLoader,
    stats: Stats,
    /// Rows of the batch, without those that are padding.
    rows: u64,
}

impl FirstBatch {
    fn of_run(config: &TrainConfig, reading: &mut Reading) -> anyhow::Result<FirstBatch> {
        let cache = Environment::from_process().cache;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        let data = RunData::load(config, cache.as_deref(), now, &AtomicBool::new(false), &mut |event| {
            if let train::Event::Tokenising(progress) = event {
                reading.show(progress);
            }
        })?;
        let rows = data.total_rows.min(data.train.options().rows as u64);
        Ok(FirstBatch::of(data.tokenizer, data.train, data.stats, rows))
    }

    fn of_files(
        model: &Path,
        options: &DatasetOptions,
        rows: usize,
        seed: u64,
        reading: &mut Reading,
    ) -> anyhow::Result<FirstBatch> {
        let tokenizer = Tokenizer::from_dir(model)?;
        // A signal ends this command where it is.
        let stop = AtomicBool::new(false);
        let dataset = Dataset::load(options, &tokenizer, None, &stop, |progress| reading.show(progress));
        let dataset = Arc::new(dataset.map_err(train::Error::from)?);
        let samples = (0..dataset.len()).map(u32::try_from).collect::<Result<_, _>>().context("too many samples")?;
        let &DatasetOptions { sequence_len, packing, .. } = options;
        let loader_options = LoaderOptions { rows, sequence_len, packing, seed, pad_id: tokenizer.pad_id() };
        let stats = dataset.stats().clone();
        let loader = DataLoader::new(dataset, samples, loader_options)?;
        let rows = rows.min(loader.rows_per_epoch()) as u64;
        Ok(FirstBatch::of(tokenizer, loader, stats, rows))
    }

    /// The first `rows` rows, and no room for those that a batch could have besides.
    fn of(tokenizer: Tokenizer, loader: DataLoader, stats: Stats, rows: u64) -> FirstBatch {
        FirstBatch { tokenizer, loader: loader.with_rows(rows as usize), stats, rows }
    }

    fn print(&self, out: &mut (impl Write + IsTerminal)) -> anyhow::Result<()> {
        let batch = self.loader.batch(0..self.rows);
        let colored = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let marks = if colored { Marks::Ansi } else { Marks::Plain };
        for row in 0..self.rows as usize {
            write!(out, "{}", data::show_row(&self.tokenizer, &batch, row, marks)?)?;
        }
        print_totals(out, &self.stats, &self.loader)?;
        Ok(())
    }
}

fn print_totals(out: &mut impl Write, stats: &Stats, loader: &DataLoader) -> io::Result<()> {
    let share = 100.0 * stats.target_tokens as f64 / stats.tokens as f64;
    writeln!(out)?;
    writeln!(out, "samples        {}", stats.samples)?;
    writeln!(out, "tokens         {}", stats.tokens)?;
    writeln!(out, "target tokens  {} ({share:.1} %)", stats.target_tokens)?;
    writeln!(out, "longest        {}", counted(stats.longest, "token"))?;
    if loader.samples() as u64 != stats.samples {
        let samples = counted(loader.samples() as u64, "sample");
        writeln!(out, "in a pass      {samples}, by weight and without those held out")?;
    }
    let rows = loader.rows_per_epoch();
    writeln!(out, "rows           {rows} of {} tokens", loader.options().sequence_len)?;
    writeln!(out, "padding        {:.1} %", 100.0 * loader.padding())?;
    for (what, count, thing, more) in [
        ("skipped", stats.skipped, "bad line", ""),
        ("left out", stats.without_target, "sample", " without a token that the loss would count"),
        ("dropped", stats.dropped, "sample", " longer than a row"),
        ("truncated", stats.truncated, "sample", " longer than a row"),
    ] {
        if count > 0 {
            writeln!(out, "{what:<14} {}{more}", counted(count, thing))?;
        }
    }
    if let Some(first) = &stats.first_unlike_generation {
        writeln!(
            out,
            "unlike         {}, of what generation would see; the first:",
            counted(stats.unlike_generation, "conversation")
        )?;
        writeln!(out, "               {first}")?;
    }
    Ok(())
}
