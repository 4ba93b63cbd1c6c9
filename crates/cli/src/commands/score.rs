//! `finery score`: how likely a model finds text.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use engine::Scorer;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::model_args::{ModelArgs, ModelFiles};
use crate::output_file::OutputFile;
use crate::progress::ProgressMode;
use crate::rows::RowArgs;
use crate::scoring::{WindowArgs, check_tokens, score_rows};

/// Give the log-probability of each token of texts
///
/// Each line of the input is {"text": …} or {"tokens": […]}. Each line of the output is {"line", "tokens", "logprobs", "sum"}: the number
/// of the input's line, the tokens, the natural logarithm of each token's probability given those before it, from the second token on,
/// and their sum. What the tokenizer puts before every text, such as <s>, is part of the tokens.
///
/// A text that is longer than the model's context is refused, or with --stride scored in overlapping windows.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery score --model quickstart/base --input texts.jsonl --output scores.jsonl\n  \
    finery score --model models/llama --input books.jsonl --stride 512 --output scores.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    rows: RowArgs,

    /// File for the scores [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    windows: WindowArgs,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,
}

/// A line of the output.
#[derive(Serialize)]
struct Score<'r> {
    line: u64,
    tokens: &'r [u32],
    /// One fewer than tokens.
    logprobs: &'r [f32],
    sum: f64,
}

/// Runs `finery score`.
///
/// # Errors
/// The model or a row of the input cannot be read, a row does not fit into the model's context, a score is no number, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    // All that can be wrong with files is found before a device is started.
    let files = args.model.files()?;
    let windows = args.windows.windows(&files)?;
    let rows = args.rows.read("scored", |object| {
        let tokens = tokens_of(object, &files)?;
        check_tokens(&tokens, windows, &files).map(|()| tokens)
    })?;
    let writing = || match &args.output {
        Some(path) => format!("cannot write the scores to {}", path.display()),
        None => "printing the scores".to_owned(),
    };
    let create = |path: &PathBuf| OutputFile::create(path, &args.rows.input).with_context(writing);
    let mut file = args.output.as_ref().map(create).transpose()?;
    let session = args.model.open(progress)?;
    let model = args.model.load_for_scores(&session, &files, progress)?;
    let mut stdout = io::stdout().lock();
    let mut write = |score: &Score<'_>| {
        let out: &mut dyn Write = match &mut file {
            Some(file) => file,
            None => &mut stdout,
        };
        let line = serde_json::to_string(score)?;
        writeln!(out, "{line}")
    };
    let tokens = Vec::as_slice;
    score_rows(&mut Scorer::new(&model), &rows.rows, tokens, windows, &args.rows, progress, |row, logprobs| {
        // The sum of no numbers is -0.0.
        let sum = logprobs.iter().copied().map(f64::from).sum::<f64>() + 0.0;
        write(&Score { line: row.line, tokens: &row.content, logprobs, sum }).with_context(writing)
    })?;
    stdout.flush().and_then(|()| file.map_or(Ok(()), OutputFile::finish)).with_context(writing)
}

/// The tokens of a row.
fn tokens_of(object: &Map<String, Value>, files: &ModelFiles) -> anyhow::Result<Vec<u32>> {
    // Tables that are written as JSON have a null in each empty cell.
    let given = |name: &str| object.get(name).filter(|value| !value.is_null());
    match (given("tokens"), given("text")) {
        (Some(_), Some(_)) => bail!("there are both \"text\" and \"tokens\": leave one of them out"),
        (Some(tokens), None) => {
            serde_json::from_value(tokens.clone()).context("\"tokens\" should be a list of token ids")
        }
        (None, Some(Value::String(text))) => Ok(files.tokenizer()?.encode(text, true)?),
        (None, Some(_)) => bail!("\"text\" should be a string"),
        (None, None) => bail!("there is neither \"text\" nor \"tokens\""),
    }
}
