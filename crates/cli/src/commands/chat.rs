//! `finery chat`: a conversation in the terminal.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::iter::Enumerate;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use engine::{GenerateOptions, Generation, Generator};
use rustyline::error::ReadlineError;
use serde_json::{Value, json};
use signal_hook::consts::SIGINT;

use super::generate::{print, seed, speed};
use crate::draft_args::{DraftArgs, LoadedDraft};
use crate::logging;
use crate::model_args::{ModelArgs, ModelFiles};
use crate::progress::{ProgressMode, Task};
use crate::sampling_args::SamplingArgs;

const HELP: &str = "\
/reset   forget the conversation
/exit    leave, as Ctrl-D
/help    show this
Ctrl-C   stop an answer";

/// Of the context this part is kept free for an answer, unless --max-tokens is less: a quarter.
const ROOM_FOR_ANSWER: usize = 4;

/// Talk with a model in the terminal
///
/// Where the context is full the oldest turns are forgotten, never the system message. Ctrl-C stops an answer, Ctrl-D or /exit leaves, /reset forgets the conversation and /help lists the commands. Without a terminal each
/// line of standard input is a message or a command, and where one was not answered the exit code is 1.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  finery chat --model quickstart/base --adapter quickstart/lora")]
pub(crate) struct Args {
    /// The system message with which each conversation begins
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,

    #[command(flatten)]
    sampling: SamplingArgs,

    #[command(flatten, next_help_heading = "Model")]
    model: ModelArgs,

    #[command(flatten, next_help_heading = "Speculative decoding")]
    draft: DraftArgs,
}

/// Runs `finery chat`.
///
/// # Errors
/// The model cannot be read or has no chat template, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<ExitCode> {
    let files = args.model.files()?;
    let opening: Vec<Value> = args.system.iter().map(|text| json!({"role": "system", "content": text})).collect();
    // Says that there is no chat template before the model is loaded; some templates refuse a conversation without a user.
    let shortest = files.encode_chat(&[&opening[..], &[user("Hello")]].concat(), None)?;
    if args.system.is_some() {
        check_system(shortest.len(), &args.sampling, &files)?;
    }
    let options = args.sampling.options(&files)?;
    let draft = args.draft.asked().map(|draft| draft.files(&args.model, &files)).transpose()?;
    let session = args.model.open(progress)?;
    let model = args.model.load(&session, &files, progress)?;
    let draft = draft.map(|draft| draft.load(&session, progress)).transpose()?;
    let generator = Generator::new(&model, files.tokenizer()?, args.sampling.context)?;
    let mut generator = generator.with_draft(draft.as_ref().map(LoadedDraft::draft));
    let mut input = Input::open()?;
    let interrupt = Interrupt::install()?;
    if let Some(seed) = seed(&options) {
        tracing::info!("seed {seed}");
    }
    let mut code = ExitCode::SUCCESS;
    // Programs are made on the way to the first answer.
    let mut first = Some("making the first token");
    let mut conversation = Conversation { files: &files, opening: opening.len(), messages: opening };
    while let Some(line) = input.next()? {
        match line.trim() {
            "" => continue,
            "/exit" => break,
            "/help" => tracing::info!(target: logging::ASKED, "{HELP}"),
            "/reset" => {
                conversation.forget();
                tracing::info!(target: logging::ASKED, "the conversation is forgotten");
            }
            command if command.starts_with('/') => code = input.refuse(command),
            text => {
                conversation.messages.push(user(text));
                let prompt = conversation.fit(generator.context(), &options)?;
                let waiting = first.take().map(|title| Task::spinner(progress, title));
                let (answer, has_begun) = answer(&mut generator, &prompt, &options, &interrupt, waiting);
                match answer {
                    Ok(generation) => {
                        print("\n").context("printing the answer")?;
                        args.sampling.warn_if_cut(&generation, &options, &files);
                        tracing::debug!("{}", speed(&generation));
                        conversation.messages.push(json!({"role": "assistant", "content": generation.text}));
                    }
                    Err(error) => {
                        if has_begun {
                            print("\n").context("printing the answer")?;
                        }
                        if !input.outlives(&error) {
                            return Err(error.into());
                        }
                        conversation.messages.pop();
                        code = input.code_of_silence();
                        tracing::warn!("{}", args.sampling.in_words(&error, &files));
                    }
                }
            }
        }
    }
    Ok(code)
}

/// Prints an answer as it comes, until Ctrl-C, with `waiting` before it. Gives the answer and whether anything of it was printed.
fn answer(
    generator: &mut Generator<'_, '_>,
    prompt: &[u32],
    options: &GenerateOptions,
    interrupt: &Interrupt,
    mut waiting: Option<Task>,
) -> (engine::Result<Generation>, bool) {
    let during = interrupt.begin();
    let mut has_begun = false;
    let answer = generator.generate(prompt, options, &mut |piece| {
        waiting = None;
        has_begun |= !piece.is_empty();
        match print(piece) {
            Ok(()) if !during.came() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    (answer, has_begun)
}

/// Refuses a system message after which no question has an answer: it is never forgotten.
fn check_system(tokens: usize, sampling: &SamplingArgs, files: &ModelFiles) -> anyhow::Result<()> {
    match sampling.context.or(files.model.context()) {
        Some(context) if tokens >= context => bail!(
            "--system: the system message and a question of one word take {tokens} tokens, which fill the context of {context}, so that nothing can be \
             answered: shorten it{}",
            sampling.longer(tokens, files)
        ),
        _ => Ok(()),
    }
}

/// What has been said and is still known.
struct Conversation<'f> {
    files: &'f ModelFiles,
    /// How many messages each conversation begins with, which are never forgotten.
    opening: usize,
    messages: Vec<Value>,
}

impl Conversation<'_> {
    fn forget(&mut self) {
        self.messages.truncate(self.opening);
    }

    /// The tokens to answer. Where the context has no room for them and an answer, the oldest turns are forgotten, and it is said; a
    /// message that does not even fit alone makes nothing be forgotten.
    fn fit(&mut self, context: usize, options: &GenerateOptions) -> anyhow::Result<Vec<u32>> {
        let room = options.max_tokens.min(context / ROOM_FOR_ANSWER);
        let whole = self.files.encode_chat(&self.messages, None)?;
        if whole.len() + room <= context {
            return Ok(whole);
        }
        let mut shorter = self.messages.clone();
        let mut turns = 0;
        while let Some(next) = self.next_turn(&shorter) {
            shorter.drain(self.opening..next);
            turns += 1;
            let prompt = self.files.encode_chat(&shorter, None)?;
            let is_last = self.next_turn(&shorter).is_none();
            if prompt.len() + room <= context || (is_last && prompt.len() < context) {
                self.messages = shorter;
                let forgotten =
                    if turns == 1 { "oldest turn is".to_owned() } else { format!("{turns} oldest turns are") };
                tracing::warn!("the context of {context} tokens is full, so the {forgotten} forgotten");
                return Ok(prompt);
            }
        }
        Ok(whole)
    }

    /// Where the second turn begins: at a message of the user that has others before it.
    fn next_turn(&self, messages: &[Value]) -> Option<usize> {
        (self.opening + 1..messages.len()).find(|at| messages[*at]["role"] == "user")
    }
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

/// Where messages come from.
enum Input {
    /// With editing and the history of this conversation.
    Terminal(Box<rustyline::DefaultEditor>),
    Lines(Enumerate<io::Lines<io::StdinLock<'static>>>),
}

impl Input {
    fn open() -> anyhow::Result<Input> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let editor = rustyline::DefaultEditor::new().context("setting up the terminal")?;
            tracing::info!("/help lists the commands, Ctrl-D leaves");
            return Ok(Input::Terminal(Box::new(editor)));
        }
        Ok(Input::Lines(io::stdin().lock().lines().enumerate()))
    }

    /// Whether the conversation goes on after an answer that failed so, without the message. Where the memory is full, someone has to be there
    /// to see it and say less.
    fn outlives(&self, error: &engine::Error) -> bool {
        match error {
            engine::Error::NoRoom { .. } | engine::Error::Context { .. } => true,
            engine::Error::TooLarge { .. } => matches!(self, Input::Terminal(_)),
            _ => false,
        }
    }

    /// Says that there is no such command; the exit code.
    fn refuse(&self, command: &str) -> ExitCode {
        tracing::warn!("there is no command {command}; /help lists them");
        self.code_of_silence()
    }

    /// The exit code where a line was not answered: without a terminal nobody has seen the warning and asked otherwise.
    fn code_of_silence(&self) -> ExitCode {
        match self {
            Input::Terminal(_) => ExitCode::SUCCESS,
            Input::Lines(_) => ExitCode::FAILURE,
        }
    }

    /// The next line; `None` at the end.
    fn next(&mut self) -> anyhow::Result<Option<String>> {
        match self {
            Input::Lines(lines) => {
                let Some((index, line)) = lines.next() else { return Ok(None) };
                line.map(Some).with_context(|| format!("reading line {} of standard input", index + 1))
            }
            Input::Terminal(editor) => match editor.readline("> ") {
                Ok(line) => {
                    editor.add_history_entry(&line).context("keeping the history")?;
                    Ok(Some(line))
                }
                // As a shell does: the line is given up, not the conversation.
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(ReadlineError::Eof) => Ok(None),
                Err(error) => Err(error).context("reading from the terminal"),
            },
        }
    }
}

/// Ctrl-C: stops an answer while there is one, else ends the program.
struct Interrupt {
    came: Arc<AtomicBool>,
    idle: Arc<AtomicBool>,
}

impl Interrupt {
    fn install() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt { came: Arc::default(), idle: Arc::new(AtomicBool::new(true)) };
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&interrupt.idle))
            .and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(&interrupt.came)))
            .context("taking Ctrl-C")?;
        Ok(interrupt)
    }

    fn begin(&self) -> Answering<'_> {
        self.came.store(false, Ordering::SeqCst);
        self.idle.store(false, Ordering::SeqCst);
        Answering(self)
    }
}

/// While an answer is under way.
struct Answering<'i>(&'i Interrupt);

impl Answering<'_> {
    fn came(&self) -> bool {
        self.0.came.load(Ordering::SeqCst)
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.0.idle.store(true, Ordering::SeqCst);
    }
}
