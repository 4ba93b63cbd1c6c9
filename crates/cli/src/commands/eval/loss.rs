//! `finery eval loss`: how well a model predicts what it is trained to say.

use std::io::{self, Write as _};
use std::time::Instant;

use anyhow::{Context as _, bail};
use data::{Form, Record, Sample};
use engine::{Scorer, Windows};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};

use crate::model_args::{ModelArgs, ModelFiles};
use crate::progress::ProgressMode;
use crate::rows::{RowArgs, Rows};
use crate::scoring::{WindowArgs, check_tokens, score_rows};

/// Arguments of `finery eval loss`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rows: RowArgs,

    /// Count prompts and users' messages too, as train_on_inputs does
    #[arg(long)]
    train_on_inputs: bool,

    /// Print the result as JSON, with loss, perplexity, target_tokens, samples, skipped, bits_per_byte and seconds
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    windows: WindowArgs,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,
}

/// A row of the input.
struct Measured {
    sample: Sample,
    /// Length of a text; `None` for conversations and completions, where only a part is measured.
    bytes: Option<usize>,
}

impl Measured {
    fn tokens(&self) -> &[u32] {
        &self.sample.tokens
    }
}

/// Sums over rows.
#[derive(Default)]
struct Totals {
    nats: f64,
    targets: usize,
    bytes: usize,
}

/// Runs `finery eval loss`.
///
/// # Errors
/// The input or the model cannot be read, a row does not fit, a score is no number, or the device fails.
pub(crate) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<()> {
    // All that can be wrong with files is found before a device is started.
    let files = args.model.files()?;
    let windows = args.windows.windows(&files)?;
    let Rows { rows, skipped } =
        args.rows.read("measured", |object| measured(object, &files, windows, args.train_on_inputs))?;
    let session = args.model.open(progress)?;
    let model = args.model.load_for_scores(&session, &files, progress)?;
    let started = Instant::now();
    let mut totals = Totals::default();
    score_rows(&mut Scorer::new(&model), &rows, Measured::tokens, windows, &args.rows, progress, |row, logprobs| {
        // The first token is never predicted.
        for (logprob, _) in logprobs.iter().zip(&row.content.sample.targets[1..]).filter(|(_, target)| **target) {
            totals.nats -= f64::from(*logprob);
            totals.targets += 1;
        }
        totals.bytes += row.content.bytes.unwrap_or_default();
        Ok(())
    })?;
    let all_texts = rows.iter().all(|row| row.content.bytes.is_some());
    let loss = totals.nats / totals.targets as f64;
    let bits_per_byte =
        (all_texts && totals.bytes > 0).then(|| totals.nats / totals.bytes as f64 / std::f64::consts::LN_2);
    let text = if args.json {
        let (samples, targets, seconds) = (rows.len(), totals.targets, started.elapsed().as_secs_f64());
        let result = json!({
            "loss": loss, "perplexity": loss.exp(), "target_tokens": targets, "samples": samples, "skipped": skipped,
            "bits_per_byte": bits_per_byte, "seconds": seconds,
        });
        format!("{result}\n")
    } else {
        let (targets, samples) = (HumanCount(totals.targets as u64), HumanCount(rows.len() as u64));
        let bits = bits_per_byte.map(|bits| format!(", {bits:.4} bits per byte")).unwrap_or_default();
        format!("loss {loss:.4}, perplexity {:.2}{bits}: {targets} target tokens of {samples} samples\n", loss.exp())
    };
    io::stdout().write_all(text.as_bytes()).context("printing the result")
}

/// The tokens of a row and which of them count, if the model can score them.
fn measured(
    object: &Map<String, Value>,
    files: &ModelFiles,
    windows: Windows,
    train_on_inputs: bool,
) -> anyhow::Result<Measured> {
    let form = Form::detect(object).with_context(|| {
        let keys: Vec<String> = object.keys().map(|key| format!("{key:?}")).collect();
        format!(
            "cannot tell the form of the data from the keys {}: expected text, messages, prompt and completion, \
             instruction and output, conversations, or segments",
            keys.join(", ")
        )
    })?;
    let record = Record::parse(form, object).map_err(anyhow::Error::msg)?;
    let bytes = match &record {
        Record::Text(text) => Some(text.len()),
        Record::Chat { .. } | Record::Completion { .. } | Record::Pieces(_) => None,
    };
    let sample = data::encode(files.tokenizer()?, &record, train_on_inputs)?;
    check_tokens(&sample.tokens, windows, files)?;
    if !sample.has_target() {
        bail!("no token of it counts for the loss");
    }
    Ok(Measured { sample, bytes })
}
