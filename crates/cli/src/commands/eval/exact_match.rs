//! `finery eval exact-match`: how many answers are exactly the expected ones.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use data::{Fields, Form, Record};
use engine::{FinishReason, GenerateOptions, Generation, Generator, Sampling};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::model_args::{ModelArgs, ModelFiles};
use crate::output_file::OutputFile;
use crate::plural::counted;
use crate::progress::{ProgressMode, Task, Unit};
use crate::rows::{Row, RowArgs, Rows};
use crate::usage;

/// Room for an answer that is longer than any expected one, so that a wrong answer can be read.
const TOKENS_BEYOND_EXPECTED: usize = 8;
/// Answers that are generated at once.
const ROWS: usize = 16;
/// How many misses `-v` shows.
const MISSES_SHOWN_MAX: usize = 10;

/// Arguments of `finery eval exact-match`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rows: RowArgs,

    /// Tokens of an answer, the one that ends it included [default: 8 more than the longest expected answer needs]
    #[arg(long, value_name = "N", value_parser = usage::whole::<u32>(1..=u64::MAX))]
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

/// What a row asks.
struct Question {
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
    fn new(line: u64, question: &Question, generation: Generation) -> Answer {
        let ended = generation.finish == FinishReason::Stop;
        Answer {
            line,
            is_match: ended && generation.text.trim() == question.expected,
            expected: question.expected.clone(),
            answer: generation.text,
            finish_reason: generation.finish.name().to_owned(),
        }
    }
}

/// Runs `finery eval exact-match`.
///
/// # Errors
/// The input or the model cannot be read, the output cannot be written, or the device fails.
pub(crate) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<()> {
    // All that can be wrong with files is found before a device is started.
    let files = args.model.files()?;
    let Rows { rows, skipped } = args.rows.read("answered", |object| question(object, &files))?;
    let longest = rows.iter().map(|row| row.content.tokens).max().unwrap_or_default();
    let max_tokens = args.max_tokens.map_or(longest + TOKENS_BEYOND_EXPECTED, |tokens| tokens as usize);
    let too_long = rows.iter().filter(|row| row.content.tokens > max_tokens).count();
    if too_long > 0 {
        tracing::warn!("{too_long} expected answers are longer than --max-tokens {max_tokens}, and cannot be matched");
    }
    let writing = |path: &Path| format!("cannot write the answers to {}", path.display());
    let create = |path| OutputFile::create(path, &args.rows.input).with_context(|| writing(path));
    let output = args.output.as_deref().map(create).transpose()?;

    let session = args.model.open(progress)?;
    let model = args.model.load(&session, &files, progress)?;
    let mut generator = Generator::new(&model, files.tokenizer()?, None)?.with_rows(ROWS);
    let options = GenerateOptions { max_tokens, sampling: Sampling::GREEDY, stop: Vec::new() };
    let started = Instant::now();
    let task = Task::bar(progress, "answering", rows.len() as u64, Unit::Items);
    let prompts: Vec<&[u32]> = rows.iter().map(|row| row.content.prompt.as_slice()).collect();
    let mut answers: Vec<Option<Answer>> = rows.iter().map(|_| None).collect();
    let answered = generator.generate_all(&prompts, &options, &mut |number, generation| {
        let Row { line, content: question } = &rows[number];
        answers[number] = Some(Answer::new(*line, question, generation));
        task.advance(1);
    });
    answered.map_err(|(number, error)| args.rows.error_at(rows[number].line, *error))?;
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    task.finish();
    if let (Some(file), Some(path)) = (output, &args.output) {
        write_answers(file, &answers).with_context(|| writing(path))?;
    }
    for miss in answers.iter().filter(|answer| !answer.is_match).take(MISSES_SHOWN_MAX) {
        let Answer { line, expected, answer, finish_reason, .. } = miss;
        tracing::debug!("line {line}: expected {expected:?}, got {answer:?} ({finish_reason})");
    }
    let text = report(&answers, skipped, started.elapsed().as_secs_f64(), args.json);
    io::stdout().write_all(text.as_bytes()).context("printing the result")
}

/// What a row asks, if the model has room for it and for the expected answer.
fn question(object: &Map<String, Value>, files: &ModelFiles) -> anyhow::Result<Question> {
    let (prompt, expected) = parse(object, files)?;
    let tokens = files.tokenizer()?.encode(&expected, false)?.len() + 1;
    let needed = prompt.len() + tokens;
    if let Some(context) = files.model.context().filter(|context| needed > *context) {
        bail!("prompt and expected answer take {needed} tokens, and the model's context holds {context}: shorten them");
    }
    Ok(Question { prompt, expected, tokens })
}

/// The tokens to go on from, and what should follow them without white space around it.
fn parse(object: &Map<String, Value>, files: &ModelFiles) -> anyhow::Result<(Vec<u32>, String)> {
    let form = Form::detect(object).filter(|form| !matches!(form, Form::Text | Form::InputOutput));
    let form = form.context("there is no expected answer; write \"messages\", or \"prompt\" and \"completion\"")?;
    let record = Record::parse(form, object).map_err(anyhow::Error::msg)?;
    record.check_roles(files.tokenizer()?, &Fields::default()).map_err(anyhow::Error::msg)?;
    let (prompt, expected) = match record {
        Record::Text(_) | Record::Pieces(_) => unreachable!("the form is none of texts"),
        Record::Completion { prompt, completion } => (files.tokenizer()?.encode_prompt(&prompt)?, completion),
        Record::Chat { mut messages, tools, .. } => {
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

fn report(answers: &[Answer], skipped: usize, seconds: f64, as_json: bool) -> String {
    let (total, matched) = (answers.len(), answers.iter().filter(|answer| answer.is_match).count());
    let share = matched as f64 / total as f64;
    if as_json {
        let result =
            json!({"exact_match": share, "matched": matched, "total": total, "skipped": skipped, "seconds": seconds});
        return format!("{result}\n");
    }
    format!("exact match: {matched} of {}, {:.1} %\n", counted(total as u64, "answer"), 100.0 * share)
}
