//! `finery eval`: how well a model answers.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use clap::Subcommand;
use data::{Form, JsonLines, Record};
use engine::{FinishReason, GenerateOptions, Generation, Generator, Sampling};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::model_args::{ModelArgs, ModelFiles};
use crate::output_file::OutputFile;
use crate::progress::{ProgressMode, Task, Unit};

/// Room for an answer that is longer than any expected one, so that a wrong answer can be read.
const TOKENS_BEYOND_EXPECTED: usize = 8;
/// How many misses `-v` shows.
const MISSES_SHOWN_MAX: usize = 10;

/// Measure how well a model answers
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    metric: Metric,
}

#[derive(Clone, Debug, Subcommand)]
enum Metric {
    /// Count the answers that are exactly the expected ones
    ///
    /// Each line of the input is {"messages": […]}, where the last message is the expected answer, or {"prompt", "completion"}. The
    /// model answers with the likeliest token at each place. An answer counts when, apart from white space around it, it is the
    /// expected one and the model then ends its turn.
    #[command(after_help = "Example:\n  \
        finery eval exact-match --model quickstart/base --adapter quickstart/lora --input examples/quickstart/qa_test.jsonl")]
    ExactMatch(ExactMatchArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct ExactMatchArgs {
    /// Questions with the expected answers: JSONL, plain, .gz or .zst
    #[arg(long, value_name = "FILE")]
    input: PathBuf,

    /// Tokens of an answer, the one that ends it included [default: 8 more than the longest expected answer needs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,

    /// File for the answers, one JSON object a line
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,
}

/// Runs `finery eval …`.
///
/// # Errors
/// The input or the model cannot be read, the output cannot be written, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    match args.metric {
        Metric::ExactMatch(args) => exact_match(&args, progress),
    }
}

/// A line of the input.
struct Question {
    /// Number of its line, from 1.
    line: u64,
    prompt: Vec<u32>,
    expected: String,
    /// Tokens of the expected answer and the one that ends it.
    tokens: usize,
}

/// A line of the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// Number of the input's line, from 1.
    pub(crate) line: u64,
    /// What should be answered, without white space around it.
    pub(crate) expected: String,
    /// What is answered, as it is.
    pub(crate) answer: String,
    /// `stop` if the model ended its turn, `length` if it was cut off.
    pub(crate) finish_reason: String,
    /// Whether it counts.
    #[serde(rename = "match")]
    pub(crate) is_match: bool,
}

impl Answer {
    fn new(question: &Question, generation: Generation) -> Answer {
        let ended = generation.finish == FinishReason::Stop;
        Answer {
            line: question.line,
            is_match: ended && generation.text.trim() == question.expected,
            expected: question.expected.clone(),
            answer: generation.text,
            finish_reason: generation.finish.name().to_owned(),
        }
    }
}

fn exact_match(args: &ExactMatchArgs, progress: ProgressMode) -> anyhow::Result<()> {
    // All that can be wrong with files is found before a device is started.
    let files = args.model.files()?;
    let questions = read_questions(&args.input, &files)?;
    let longest = questions.iter().map(|question| question.tokens).max().unwrap_or_default();
    let max_tokens = args.max_tokens.map_or(longest + TOKENS_BEYOND_EXPECTED, |tokens| tokens as usize);
    let too_long = questions.iter().filter(|question| question.tokens > max_tokens).count();
    if too_long > 0 {
        tracing::warn!("{too_long} expected answers are longer than --max-tokens {max_tokens}, and cannot be matched");
    }
    let writing = |path: &Path| format!("cannot write the answers to {}", path.display());
    let create = |path| OutputFile::create(path, &args.input).with_context(|| writing(path));
    let output = args.output.as_deref().map(create).transpose()?;

    let session = args.model.device.open(progress)?;
    let model = args.model.load(&session, &files, progress)?;
    let mut generator = Generator::new(&model, &files.tokenizer, None)?;
    let options = GenerateOptions { max_tokens, sampling: Sampling::GREEDY, stop: Vec::new() };
    let started = Instant::now();
    let task = Task::bar(progress, "answering", questions.len() as u64, Unit::Items);
    let mut answers = Vec::with_capacity(questions.len());
    for question in &questions {
        let generation = generator
            .generate(&question.prompt, &options, &mut |_| ControlFlow::Continue(()))
            .with_context(|| format!("answering {}, line {}", args.input.display(), question.line))?;
        answers.push(Answer::new(question, generation));
        task.advance(1);
    }
    task.finish();
    if let (Some(file), Some(path)) = (output, &args.output) {
        write_answers(file, &answers).with_context(|| writing(path))?;
    }
    for miss in answers.iter().filter(|answer| !answer.is_match).take(MISSES_SHOWN_MAX) {
        let Answer { line, expected, answer, finish_reason, .. } = miss;
        tracing::debug!("line {line}: expected {expected:?}, got {answer:?} ({finish_reason})");
    }
    let text = report(&answers, started.elapsed().as_secs_f64(), args.json);
    io::stdout().write_all(text.as_bytes()).context("printing the result")
}

/// Reads and tokenises a file; it holds one question at least.
fn read_questions(path: &Path, files: &ModelFiles) -> anyhow::Result<Vec<Question>> {
    let at = |line: u64, reason: &dyn std::fmt::Display| anyhow!("{}, line {line}: {reason}", path.display());
    let mut questions = Vec::new();
    for object in JsonLines::open(path)? {
        let (line, object) = object.map_err(|error| match error {
            // Its own sentence speaks of options that this command does not have.
            data::Error::Line { line, reason, .. } => at(line, &reason),
            other => other.into(),
        })?;
        let (prompt, expected) = parse(&object, files).map_err(|error| at(line, &error))?;
        let tokens = files.tokenizer.encode(&expected, false)?.len() + 1;
        questions.push(Question { line, prompt, expected, tokens });
    }
    if questions.is_empty() {
        bail!("there is no question in {}: give a file with one JSON object a line", path.display());
    }
    Ok(questions)
}

/// The tokens to go on from, and what should follow them without white space around it.
fn parse(object: &Map<String, Value>, files: &ModelFiles) -> anyhow::Result<(Vec<u32>, String)> {
    let form = Form::detect(object).filter(|form| *form != Form::Text);
    let form = form.context("there is no expected answer; write \"messages\", or \"prompt\" and \"completion\"")?;
    let (prompt, expected) = match Record::parse(form, object).map_err(anyhow::Error::msg)? {
        Record::Text(_) => unreachable!("the form is none of texts"),
        Record::Completion { prompt, completion } => (files.tokenizer.encode(&prompt, true)?, completion),
        Record::Chat { mut messages, tools } => {
            let expected = messages.pop().as_ref().and_then(assistant_text).map(str::to_owned);
            let expected =
                expected.context("the last message is not the assistant's text, which would be the expected answer")?;
            (files.encode_chat(&messages, tools.as_ref())?, expected)
        }
    };
    if expected.trim().is_empty() {
        bail!("the expected answer is empty");
    }
    Ok((prompt, expected.trim().to_owned()))
}

fn assistant_text(message: &Value) -> Option<&str> {
    message.get("content").filter(|_| message["role"] == "assistant")?.as_str()
}

fn write_answers(mut out: OutputFile, answers: &[Answer]) -> io::Result<()> {
    for answer in answers {
        serde_json::to_writer(&mut out, answer)?;
        out.write_all(b"\n")?;
    }
    out.finish()
}

fn report(answers: &[Answer], seconds: f64, as_json: bool) -> String {
    let (total, matched) = (answers.len(), answers.iter().filter(|answer| answer.is_match).count());
    let share = matched as f64 / total as f64;
    if as_json {
        let result = json!({"exact_match": share, "matched": matched, "total": total, "seconds": seconds});
        return format!("{result}\n");
    }
    format!("exact match: {matched} of {total} answers, {:.1} %\n", 100.0 * share)
}
