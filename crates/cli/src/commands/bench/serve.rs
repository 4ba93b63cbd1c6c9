//! How a server answers under load.

use std::cell::Cell;
use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use load::{Arrivals, Bounds, Endpoint, Lengths, Load, Options, Prompts, Target};

use super::show;
use crate::output_file::OutputFile;
use crate::progress::{ProgressMode, Task, Unit};
use crate::usage::{self, Misuse};
use crate::{open_files, signals};

mod prompt_file;
mod report;

use report::Report;

/// Time to first token, time between tokens, throughput and goodput of a server with OpenAI's API, ours or another's
///
/// Requests stream their answers, and none is sent again. In a closed loop (--concurrency) each client asks again when it is answered; with --rate requests come
/// at random, whatever the server keeps up with. Times count from when a request should have been sent. Prompts are random words, of a length that the
/// server's /tokenize counts, where it has one. Ctrl-C ends with what was measured until then.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery bench serve --concurrency 64 --requests 1000 --prompt-tokens 512 --output-tokens 128\n  \
    finery bench serve http://10.0.0.7:8000 --rate 20 --seconds 300 --ramp 30 --prompt-tokens lognormal:400,0.9 --output-tokens 16..256 \
    --goodput ttft=500,itl=50\n  \
    finery bench serve --models-from-server --zipf 1 --concurrency 256 --seconds 60")]
pub(super) struct Args {
    /// Where the server is, as clients' base_url has it, with or without /v1
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8000")]
    url: Target,

    /// Clients, each of which asks again when it is answered [default: 16, without --rate]
    #[arg(long, value_name = "N", conflicts_with = "rate", value_parser = usage::whole::<usize>(1..=1_000_000))]
    concurrency: Option<usize>,

    /// Requests a second, as a Poisson process
    #[arg(long, value_name = "R", value_parser = positive)]
    rate: Option<f64>,

    /// Seconds over which clients begin, or the rate grows
    #[arg(long, value_name = "S", default_value = "0", value_parser = seconds)]
    ramp: Duration,

    /// Requests in all [default, without --seconds: 100, or one of each client where they are more]
    #[arg(long, value_name = "N", value_parser = usage::count)]
    requests: Option<u64>,

    /// Seconds in which requests begin; those under way then are finished
    #[arg(long, value_name = "S", value_parser = some_seconds)]
    seconds: Option<Duration>,

    /// Seconds that a request may take
    #[arg(long, value_name = "S", default_value = "3600", value_parser = some_seconds)]
    timeout: Duration,

    /// What is asked
    #[arg(long, value_enum, default_value_t = EndpointName::Chat, help_heading = "Requests")]
    endpoint: EndpointName,

    /// Model or adapter that is asked for; may be given several times, the most frequent first [default: the first that the server lists]
    #[arg(long, value_name = "NAME", help_heading = "Requests")]
    model: Vec<String>,

    /// Ask for all models and adapters that the server lists
    #[arg(long, conflicts_with = "model", help_heading = "Requests")]
    models_from_server: bool,

    /// Exponent of Zipf's law, by which the first of several models is asked for more often than the others; 0 asks for all alike
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = zipf, help_heading = "Requests")]
    zipf: f64,

    /// Tokens of prompts: 512, 128..1024, or lognormal:MEDIAN,SIGMA with a longest one behind it if you like
    #[arg(long, value_name = "DIST", default_value = "128", conflicts_with = "prompts", help_heading = "Requests")]
    prompt_tokens: Lengths,

    /// File of prompts, one after the other: {"prompt"}, {"messages"} and the forms of training data, as JSONL or a JSON array, plain, .gz or .zst
    #[arg(long, value_name = "FILE", help_heading = "Requests")]
    prompts: Option<PathBuf>,

    /// Tokens of answers, as those of prompts
    #[arg(long, value_name = "DIST", default_value = "64", help_heading = "Requests")]
    output_tokens: Lengths,

    /// What decides what is random [default: 0, with other words in each measurement, since a server answers sooner what it was asked before]
    #[arg(long, value_name = "N", value_parser = usage::seed, help_heading = "Requests")]
    seed: Option<u64>,

    /// File of keys, one a line; clients share them out [default: OPENAI_API_KEY, if it is set]
    #[arg(long, value_name = "FILE", help_heading = "Requests")]
    api_key_file: Option<PathBuf>,

    /// File of the certificates that vouch for a server of https://, in PEM [default: the system's]
    #[arg(long, value_name = "FILE", help_heading = "Requests")]
    ca_file: Option<PathBuf>,

    /// Part of the readers that take 8 bytes a second; they are counted in a line of their own, and times and rates are of the others alone
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, help_heading = "Requests")]
    slow_readers: f64,

    /// Milliseconds that a request may take to count as good: ttft (to the first token), itl (the longest time between two), tpot (from the first to the end, a
    /// token behind it), e2e (in all), as in ttft=500,itl=50
    #[arg(long, value_name = "BOUNDS")]
    goodput: Option<Bounds>,

    /// File for each request with the times of its tokens, one JSON object a line
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EndpointName {
    /// /v1/chat/completions
    Chat,
    /// /v1/completions
    Completions,
}

fn number(text: &str, is_taken: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite() && is_taken(*number)).ok_or_else(|| what.to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |rate| rate > 0.0 && rate <= 1e6, "it should be a number above 0, up to a million")
}

fn seconds(text: &str) -> Result<Duration, String> {
    number(text, |seconds| (0.0..=1e7).contains(&seconds), "it should be a number of seconds, from 0 to ten million")
        .map(Duration::from_secs_f64)
}

/// In none nothing is answered.
fn some_seconds(text: &str) -> Result<Duration, String> {
    seconds(text)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "it should be a number of seconds above 0, up to ten million".to_owned())
}

fn zipf(text: &str) -> Result<f64, String> {
    number(text, |exponent| (0.0..=10.0).contains(&exponent), "it should be a number from 0 to 10")
}

fn fraction(text: &str) -> Result<f64, String> {
    number(text, |part| (0.0..1.0).contains(&part), "it should be a number from 0 to below 1")
}

/// The environment variable that OpenAI's clients take their key from.
const KEY_VARIABLE: &str = "OPENAI_API_KEY";
const CLIENTS: usize = 16;
const REQUESTS: u64 = 100;
/// Files that are open beside connections.
const OTHER_FILES: u64 = 64;

/// Prints the measurement. It is an error if no request was answered.
pub(super) fn run(args: &Args, json: bool, progress: ProgressMode) -> anyhow::Result<ExitCode> {
    let options = args.options()?;
    let stop = signals::first("stopping; what was measured follows")?;
    let stopped = Cell::new(None);
    let mut stop = Box::pin(async {
        match stop.await {
            Ok(code) => stopped.set(Some(code)),
            // Without handlers nobody is there to send it, and nothing stops the measurement.
            Err(_) => std::future::pending::<()>().await,
        }
    });
    warn_of_open_files(&options);
    let asking = Task::spinner(progress, format!("asking {} what it knows", args.url));
    let load = match (Load::prepare(options.clone(), &mut stop), stopped.get()) {
        (Err(error @ load::Error::Stopped), Some(code)) => {
            drop(asking);
            tracing::error!("{error}");
            return Ok(ExitCode::from(code));
        }
        (load, _) => load?,
    };
    asking.finish();
    let mut report = Report::new(&options, &load);
    let mut saving = args.save.as_deref().map(|path| saving(path, args)).transpose()?.map(Ok);
    let models = load.models().to_vec();
    let task = match options.requests {
        Some(requests) => Task::bar(progress, "requests", requests, Unit::Items),
        None => Task::spinner(progress, format!("requests for {} s", options.time.unwrap_or_default().as_secs_f64())),
    };
    let summary = load.run(&mut stop, |record| {
        task.advance(1);
        // What is measured is worth more than its file.
        if let Some(Ok(file)) = &mut saving
            && let Err(error) = writeln!(file, "{}", record.to_json(&models))
        {
            saving = Some(Err(error));
        }
    });
    task.finish();
    let (done, failed) = (summary.done, summary.failed);
    report.complete(summary);
    show(&report, json)?;
    if let (Some(saved), Some(path)) = (saving, &args.save) {
        let written = saved.and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        written.and_then(OutputFile::finish).with_context(|| format!("writing {}", path.display()))?;
    }
    if done == 0 && failed > 0 {
        bail!("none of {failed} requests was answered");
    }
    Ok(stopped.get().map_or(ExitCode::SUCCESS, ExitCode::from))
}

fn saving(path: &Path, args: &Args) -> anyhow::Result<io::BufWriter<OutputFile>> {
    let input = args.prompts.as_deref().unwrap_or(Path::new(""));
    let file = OutputFile::create(path, input).with_context(|| format!("cannot write to {}", path.display()))?;
    Ok(io::BufWriter::new(file))
}

/// Each connection is an open file.
fn warn_of_open_files(options: &Options) {
    let limit = open_files::raise();
    if let (Arrivals::Closed { clients, .. }, Some(limit)) = (options.arrivals, limit) {
        let needed = clients as u64 + OTHER_FILES;
        if needed > limit {
            tracing::warn!(
                "{clients} clients need {needed} open files, and no more than {limit} are allowed: raise the hard limit, as `ulimit -Hn` shows it"
            );
        }
    }
}

/// A number that another measurement hardly has.
fn fresh() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

impl Args {
    /// Those that ask something: more than there are requests have nothing to ask.
    fn clients(&self) -> usize {
        let asking = self.requests.and_then(|requests| usize::try_from(requests).ok()).unwrap_or(usize::MAX);
        self.concurrency.unwrap_or(CLIENTS).min(asking)
    }

    fn check_models(&self) -> Result<(), Misuse> {
        if self.zipf > 0.0 && self.model.len() < 2 && !self.models_from_server {
            let said = "--zipf is about several models: give --models-from-server, or --model several times";
            return Err(Misuse(said.to_owned()));
        }
        let mut names = self.model.iter().enumerate();
        match names.find(|(at, name)| self.model[..*at].contains(name)) {
            Some((_, name)) => Err(Misuse(format!(
                "--model {name} is given twice: name each model once; --zipf asks for the first of them more often"
            ))),
            None => Ok(()),
        }
    }

    fn options(&self) -> anyhow::Result<Options> {
        let arrivals = match self.rate {
            Some(rate) => Arrivals::Poisson { rate, ramp: self.ramp },
            None => Arrivals::Closed { clients: self.clients(), ramp: self.ramp },
        };
        let requests = match (self.requests, self.seconds, arrivals) {
            (None, None, Arrivals::Closed { clients, .. }) => Some(REQUESTS.max(clients as u64)),
            (None, None, Arrivals::Poisson { .. }) => Some(REQUESTS),
            (requests, _, _) => requests,
        };
        self.check_models()?;
        if self.ca_file.is_some() && !self.url.is_encrypted() {
            return Err(Misuse("--ca-file is about encrypted connections: give an https:// address".to_owned()).into());
        }
        Ok(Options {
            target: self.url.clone(),
            endpoint: match self.endpoint {
                EndpointName::Chat => Endpoint::Chat,
                EndpointName::Completions => Endpoint::Completions,
            },
            models: self.model.clone(),
            all_models: self.models_from_server,
            zipf: self.zipf,
            arrivals,
            requests,
            time: self.seconds,
            prompts: match &self.prompts {
                None => Prompts::Made(self.prompt_tokens),
                Some(path) => Prompts::Given(prompt_file::read(path)?),
            },
            answer: self.output_tokens,
            keys: self.keys()?,
            certificates: self.ca_file.clone(),
            slow_readers: self.slow_readers,
            timeout: self.timeout,
            seed: self.seed.unwrap_or(0),
            words_seed: self.seed.unwrap_or_else(fresh),
            bounds: self.goodput,
        })
    }

    fn keys(&self) -> anyhow::Result<Vec<String>> {
        let Some(path) = &self.api_key_file else {
            return Ok(std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty()).into_iter().collect());
        };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read the keys in {}", path.display()))?;
        let keys: Vec<String> = text.lines().map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect();
        if keys.is_empty() {
            bail!("{} has no key: write one a line", path.display());
        }
        Ok(keys)
    }
}
