//! `finery eval loss`: how well a model predicts what it is trained to say.

use std::io::{self, Write as _};
use std::ops::Range;
use std::time::Instant;

use anyhow::{Context as _, bail};
use data::{Fields, Form, Record, Sample, Tokenizer};
use engine::{Scorer, Windows};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};

use crate::model_args::{ModelArgs, ModelFiles};
use crate::plural::named;
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
    /// `None` for conversations and completions, where only a part is measured.
    text: Option<PredictedText>,
}

/// What a model predicts of a text, which is as much with one tokenizer as with another: without the token that ends it, and without one that has none
/// before it.
#[derive(Debug, PartialEq)]
struct PredictedText {
    tokens: Range<usize>,
    bytes: usize,
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
    /// Those of texts, and the bytes that are predicted with them.
    text_nats: f64,
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
        if let Some(text) = &row.content.text {
            let logprobs = &logprobs[text.tokens.start - 1..text.tokens.end - 1];
            totals.text_nats -= logprobs.iter().copied().map(f64::from).sum::<f64>();
            totals.bytes += text.bytes;
        }
        Ok(())
    })?;
    let all_texts = rows.iter().all(|row| row.content.text.is_some());
    let loss = totals.nats / totals.targets as f64;
    let bits_per_byte =
        (all_texts && totals.bytes > 0).then(|| totals.text_nats / totals.bytes as f64 / std::f64::consts::LN_2);
    let text = if args.json {
        let (samples, targets, seconds) = (rows.len(), totals.targets, started.elapsed().as_secs_f64());
        let result = json!({
            "loss": loss, "perplexity": loss.exp(), "target_tokens": targets, "samples": samples, "skipped": skipped,
            "bits_per_byte": bits_per_byte, "seconds": seconds,
        });
        format!("{result}\n")
    } else {
        let [target_count, sample_count] = [totals.targets, rows.len()].map(|count| count as u64);
        let (targets, samples) = (HumanCount(target_count), HumanCount(sample_count));
        let [tokens, of_samples] = [named(target_count, "token"), named(sample_count, "sample")];
        let bits = bits_per_byte.map(|bits| format!(", {bits:.4} bits per byte")).unwrap_or_default();
        format!(
            "loss {loss:.4}, perplexity {:.2}{bits}: {targets} target {tokens} of {samples} {of_samples}\n",
            loss.exp()
        )
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
        format!(
            "cannot tell the form of the data from the keys {}: expected text, messages, prompt and completion, \
             instruction and output, conversations, or segments",
            Form::shown_keys(object)
        )
    })?;
    let record = Record::parse(form, object).map_err(anyhow::Error::msg)?;
    let tokenizer = files.tokenizer()?;
    record.check_roles(tokenizer, &Fields::default()).map_err(anyhow::Error::msg)?;
    let sample = data::encode(tokenizer, &record, train_on_inputs)?;
    let text = match &record {
        Record::Text(text) => Some(predicted(text, &sample.tokens, tokenizer)?),
        Record::Chat { .. } | Record::Completion { .. } | Record::Pieces(_) => None,
    };
    check_tokens(&sample.tokens, windows, files)?;
    if !sample.has_target() {
        bail!("no token of it counts for the loss");
    }
    Ok(Measured { sample, text })
}

/// What is predicted of a text that has these tokens with what its tokenizer puts around it.
fn predicted(text: &str, tokens: &[u32], tokenizer: &Tokenizer) -> anyhow::Result<PredictedText> {
    let data::Encoded { ids, char_offsets } = tokenizer.encode_with_offsets(text)?;
    let start = (0..tokens.len()).find(|&start| tokens[start..].starts_with(&ids)).unwrap_or_default();
    let mut bytes = text.len();
    if let (0, [first, ..], [(_, end), ..]) = (start, &ids[..], &char_offsets[..]) {
        // Tokens may share a character of several bytes, or spell a space that the text has not.
        let within: usize = text.chars().take(*end).map(char::len_utf8).sum();
        let spelled = tokenizer.token_bytes(*first).ok().flatten().map_or(within, |spelled| spelled.len());
        bytes -= within.min(spelled);
    }
    Ok(PredictedText { tokens: start.max(1)..(start + ids.len()).max(1), bytes })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// With tokens before every text and behind it, and without.
    #[test]
    fn what_is_predicted_of_a_text_has_neither_end_nor_beginning() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let with_start = Tokenizer::from_dir(crates.join("engine/tests/fixtures/score/model")).unwrap();
        let without = Tokenizer::from_dir(crates.join("data/tests/fixtures/chat")).unwrap();
        for text in ["the iron glows", "é猫", " x"] {
            let all = text.len();
            let found = |tokenizer: &Tokenizer| {
                let tokens = data::encode(tokenizer, &Record::Text(text.to_owned()), false).unwrap().tokens;
                (predicted(text, &tokens, tokenizer).unwrap(), tokens)
            };
            let (predicted, tokens) = found(&with_start);
            assert_eq!(predicted, PredictedText { tokens: 1..tokens.len() - 1, bytes: all }, "{text:?}: {tokens:?}");
            let (predicted, tokens) = found(&without);
            let first = without.token_bytes(tokens[0]).unwrap().unwrap().len();
            assert_eq!(
                predicted,
                PredictedText { tokens: 1..tokens.len(), bytes: all - first },
                "{text:?}: {tokens:?}"
            );
        }
    }
}
