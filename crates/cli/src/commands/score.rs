//! `finery score`: how likely a model finds text.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use data::{JsonLines, Tokenizer};
use engine::{Model, Scorer};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::model_args::ModelArgs;
use crate::output_file::OutputFile;
use crate::progress::{ProgressMode, Task};

/// Lines that are read before they are scored: enough to find companions of similar length for each.
const WINDOW: usize = 512;

/// Give the log-probability of each token of texts
///
/// Each line of the input is {"text": …} or {"tokens": […]}. Each line of the output is {"tokens", "logprobs", "sum"}: the natural
/// logarithm of each token's probability given those before it, from the second token on, and their sum. What the tokenizer puts
/// before every text, such as <s>, is part of the tokens.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  finery score --model quickstart/base --input texts.jsonl --output scores.jsonl")]
pub(crate) struct Args {
    /// JSONL file, plain, .gz or .zst
    #[arg(long, value_name = "FILE")]
    input: PathBuf,

    /// File for the scores [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,
}

/// A line of the output.
#[derive(Serialize)]
struct Score {
    tokens: Vec<u32>,
    /// One fewer than tokens.
    logprobs: Vec<f32>,
    sum: f64,
}

/// Runs `finery score`.
///
/// # Errors
/// The model or a line of the input cannot be read, a line does not fit into the model's context, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let files = args.model.files()?;
    let mut lines = JsonLines::open(&args.input)?;
    let writing = || match &args.output {
        Some(path) => format!("cannot write the scores to {}", path.display()),
        None => "printing the scores".to_owned(),
    };
    let create = |path: &PathBuf| OutputFile::create(path, &args.input).with_context(writing);
    let mut file = args.output.as_ref().map(create).transpose()?;
    let mut stdout = io::stdout().lock();
    let session = args.model.device.open(progress)?;
    let model = args.model.load_precise(&session, &files, progress)?;
    let mut scorer = Scorer::new(&model);
    let task = Task::spinner(progress, format!("scoring {}", args.input.display()));
    loop {
        let out: &mut dyn Write = match &mut file {
            Some(file) => file,
            None => &mut stdout,
        };
        let window = lines.by_ref().take(WINDOW);
        let sequences: Vec<Vec<u32>> =
            window.map(|line| sequence(line, &args.input, &files.tokenizer, &model)).collect::<anyhow::Result<_>>()?;
        if sequences.is_empty() {
            break;
        }
        let scores = scorer.score(&sequences)?;
        for (tokens, logprobs) in sequences.into_iter().zip(scores) {
            // The sum of no numbers is -0.0.
            let sum = logprobs.iter().copied().map(f64::from).sum::<f64>() + 0.0;
            let line = serde_json::to_string(&Score { tokens, logprobs, sum }).context("writing a score as JSON")?;
            match writeln!(out, "{line}") {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                result => result.with_context(writing)?,
            }
        }
    }
    stdout.flush().and_then(|()| file.map_or(Ok(()), OutputFile::finish)).with_context(writing)?;
    task.finish();
    Ok(())
}

/// The tokens of a line, which the model can take.
fn sequence(
    line: data::Result<(u64, Map<String, Value>)>,
    path: &Path,
    tokenizer: &Tokenizer,
    model: &Model<'_>,
) -> anyhow::Result<Vec<u32>> {
    let at = |number: u64, reason: &dyn std::fmt::Display| anyhow!("{}, line {number}: {reason}", path.display());
    let (number, object) = line.map_err(|error| match error {
        // Its own sentence speaks of options that this command does not have.
        data::Error::Line { line, reason, .. } => at(line, &reason),
        other => other.into(),
    })?;
    let tokens = match (object.get("tokens"), object.get("text")) {
        (Some(tokens), _) => serde_json::from_value::<Vec<u32>>(tokens.clone())
            .map_err(|error| at(number, &format!("\"tokens\" should be a list of token ids: {error}")))?,
        (None, Some(Value::String(text))) => tokenizer.encode(text, true).map_err(|error| at(number, &error))?,
        (None, Some(_)) => return Err(at(number, &"\"text\" should be a string")),
        (None, None) => return Err(at(number, &"there is neither \"text\" nor \"tokens\"")),
    };
    model.check_tokens(&tokens).map_err(|error| at(number, &error))?;
    Ok(tokens)
}
