//! `finery generate`: one answer.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use engine::{GenerateOptions, Generation, Generator};
use serde_json::json;

use crate::draft_args::{DraftArgs, LoadedDraft};
use crate::model_args::{ModelArgs, ModelFiles};
use crate::progress::{ProgressMode, Task};
use crate::sampling_args::SamplingArgs;

mod messages;

use messages::Conversation;

/// Answer a prompt or a conversation
///
/// The answer is printed as it is generated; its length and speed go to standard error.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery generate --model quickstart/base --adapter quickstart/lora --prompt 'What colour is the door of the schoolroom?'\n  \
    finery generate --model models/llama --raw --prompt 'Once upon a time' --temperature 0.8 --seed 1\n  \
    git diff | finery generate --model models/llama --prompt-file -")]
pub(crate) struct Args {
    #[command(flatten)]
    asked: Asked,

    /// Continue the prompt as it is, though the model has a chat template
    #[arg(long, conflicts_with = "messages")]
    raw: bool,

    /// Print one JSON object at the end, with text, tokens, finish_reason, seed and speed
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sampling: SamplingArgs,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,

    #[command(flatten, next_help_heading = "Speculative decoding")]
    draft: DraftArgs,
}

#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Asked {
    /// Text to answer: a user's message if the model has a chat template, else the text to be continued
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,

    /// File with the text to answer, without its last line end; - is standard input
    #[arg(long, value_name = "FILE")]
    prompt_file: Option<PathBuf>,

    /// JSON file with a conversation, - for standard input: a list of {"role", "content"}, or an object with "messages" and perhaps "tools"
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
}

/// Runs `finery generate`.
///
/// # Errors
/// The model or the messages cannot be read, the prompt does not fit into the context, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let files = args.model.files()?;
    let prompt = prompt(&args, &files)?;
    let options = args.sampling.options(&files)?;
    args.sampling.check_room(prompt.len(), &files)?;
    let draft = args.draft.asked().map(|draft| draft.files(&args.model, &files)).transpose()?;
    let session = args.model.open(progress)?;
    let model = args.model.load(&session, &files, progress)?;
    let draft = draft.map(|draft| draft.load(&session, progress)).transpose()?;
    // Programs are made on the way to it.
    let mut waiting = Some(Task::spinner(progress, "making the first token"));
    let generator = Generator::new(&model, files.tokenizer()?, args.sampling.context)?;
    let mut generator = generator.with_draft(draft.as_ref().map(LoadedDraft::draft));
    let mut written = Ok(());
    let generation = generator.generate(&prompt, &options, &mut |text| {
        waiting = None;
        if !args.json {
            written = print(text);
        }
        // A closed pipe (`| head`) ends the answer.
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    drop(waiting);
    let last = if args.json { to_json(&generation, &options) } else { String::new() };
    match written.and_then(|()| print(&format!("{last}\n"))) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error).context("printing the answer"),
        _ => {}
    }
    args.sampling.warn_if_cut(&generation, &options, &files);
    let seed = seed(&options).map(|seed| format!(", seed {seed}")).unwrap_or_default();
    tracing::info!("{}{seed}", speed(&generation));
    Ok(())
}

/// The seed, if it has decided something.
pub(super) fn seed(options: &GenerateOptions) -> Option<u64> {
    options.sampling.draws().then(|| options.sampling.seed())
}

/// Prints a piece at once.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// `12 tokens after a prompt of 30, 45.2 tok/s, first after 0.31 s`.
pub(super) fn speed(generation: &Generation) -> String {
    let rate = generation.tokens_per_second().map(|rate| format!("{rate:.1} tok/s, ")).unwrap_or_default();
    let kept = match generation.cached_tokens {
        0 => String::new(),
        kept => format!(" ({kept} of them kept from before)"),
    };
    let first = generation.first_token.as_secs_f64();
    let (tokens, prompt) = (generation.tokens.len(), generation.prompt_tokens);
    let unit = if tokens == 1 { "token" } else { "tokens" };
    format!("{tokens} {unit} after a prompt of {prompt}{kept}, {rate}first after {first:.2} s")
}

fn to_json(generation: &Generation, options: &GenerateOptions) -> String {
    json!({
        "text": generation.text,
        "tokens": generation.tokens,
        "finish_reason": generation.finish.name(),
        "seed": seed(options),
        "prompt_tokens": generation.prompt_tokens,
        "tokens_per_second": generation.tokens_per_second(),
        "first_token_seconds": generation.first_token.as_secs_f64(),
    })
    .to_string()
}

fn prompt(args: &Args, files: &ModelFiles) -> anyhow::Result<Vec<u32>> {
    let Asked { prompt, prompt_file, messages } = &args.asked;
    if let Some(path) = messages {
        let using = || format!("cannot use the messages of {}", shown(path));
        let conversation = read_text(path).map_err(anyhow::Error::from).and_then(|text| Conversation::parse(&text));
        let Conversation { messages, tools } = conversation.with_context(using)?;
        let encoded = files.encode_chat(&messages, tools.as_ref()).map_err(|error| match error.downcast_ref() {
            Some(data::Error::TemplateRender(_)) => error.context(using()),
            // The template or the tokenizer is at fault.
            _ => error,
        })?;
        if tools.is_some() && files.encode_chat(&messages, None).is_ok_and(|without| without == encoded) {
            return Err(anyhow!(
                "the model's chat template shows no tools to it: leave \"tools\" out, or take a model whose template has them"
            )
            .context(using()));
        }
        return Ok(encoded);
    }
    let text = match (prompt, prompt_file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => {
            let text = read_text(path).with_context(|| format!("cannot read the prompt from {}", shown(path)))?;
            let line = text.strip_suffix('\n').unwrap_or(&text);
            line.strip_suffix('\r').unwrap_or(line).to_owned()
        }
        (None, None) => unreachable!("the group of arguments requires one of them"),
    };
    if args.raw || files.tokenizer()?.chat_template(false).is_none() {
        return Ok(files.tokenizer()?.encode_prompt(&text)?);
    }
    files.encode_chat(&[json!({"role": "user", "content": text})], None)
}

const STDIN: &str = "-";

fn shown(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The text of a file or of standard input.
fn read_text(path: &Path) -> io::Result<String> {
    if path == Path::new(STDIN) { data::read_all(io::stdin().lock()) } else { data::read_text(path) }
}
