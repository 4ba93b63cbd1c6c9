//! Messages on standard error: as text for people or as JSON lines for machines.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;

use crate::{processes, progress};

/// How messages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people, with progress bars in a terminal
    #[default]
    Text,
    /// One JSON object a line, progress included
    Json,
}

/// Options of every command that say what goes to standard error.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LogArgs {
    /// How messages and progress are written to standard error
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Messages")]
    pub(crate) log_format: LogFormat,

    /// Say more (-v: debug, -vv: trace)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet", help_heading = "Messages")]
    pub(crate) verbose: u8,

    /// Say less (-q: warnings and errors, -qq: errors)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Messages")]
    pub(crate) quiet: u8,
}

impl LogArgs {
    /// The filter when no environment variable gives one: our own crates at the level asked for, others at warnings, for
    /// their news is not the user's.
    fn default_filter(&self, is_follower: bool) -> String {
        match (self.quiet, self.verbose) {
            // Rank 0 speaks for all, unless somebody fails, or waits for it.
            (0, 0) if is_follower => "error,ranks=warn".to_owned(),
            (2.., _) => format!("error,{ADDRESS}=info"),
            (1, _) => format!("warn,{ADDRESS}=info"),
            (0, 0) => with_own_level("info"),
            (0, 1) => with_own_level("debug"),
            (0, 2..) => "trace".to_owned(),
        }
    }
}

/// Where it is told at which address a server is: also to those who want no news.
pub(crate) const ADDRESS: &str = "finery::address";

/// The crates of this project, whose news is the user's.
const OWN: [&str; 26] = [
    "api",
    "atomic_file",
    "checkpoint",
    "constrain",
    "data",
    "engine",
    "file_cache",
    "finery",
    "graph",
    "hlo",
    "host_kernels",
    "kernels",
    "load",
    "mesh",
    "models",
    "peft",
    "pjrt",
    "planner",
    "plot",
    "profile",
    "ranks",
    "runtime",
    "schedule",
    "sensors",
    "server",
    "train",
];

fn with_own_level(level: &str) -> String {
    OWN.iter().fold("warn".to_owned(), |filter, name| format!("{filter},{name}={level}"))
}

/// Sends messages to standard error. `FINERY_LOG`, or else `RUST_LOG`, overrides `-v` and `-q` (syntax of tracing's
/// `EnvFilter`, as in `finery=debug,train=trace`).
///
/// # Errors
/// A variable holds no valid filter, or messages are set up already.
pub(crate) fn init(args: &LogArgs) -> anyhow::Result<()> {
    let from_environment = ["FINERY_LOG", "RUST_LOG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (name, value)));
    let filter = match from_environment {
        Some((name, value)) => EnvFilter::try_new(&value)
            .with_context(|| format!("{name}={value} is no log filter; write a level, or pairs like finery=debug"))?,
        None => EnvFilter::try_new(args.default_filter(processes::is_follower())).context("cannot set up messages")?,
    };
    let color = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A terminal that is gone, as after SIGHUP, is no reason to fail while a checkpoint is being saved.
    let builder = tracing_subscriber::fmt().log_internal_errors(false);
    let builder = builder.with_ansi(color).with_env_filter(filter).with_writer(AboveBars);
    let result = match args.log_format {
        LogFormat::Text => builder.event_format(Plain).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    result.map_err(|error| anyhow::anyhow!("cannot set up messages: {error}"))
}

/// Messages as a command line tool writes them: news as it is, the rest with its level; and of a server's requests which one it is.
struct Plain;

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        match *event.metadata().level() {
            Level::ERROR => out.write_str("error: ")?,
            Level::WARN => out.write_str("warning: ")?,
            Level::INFO => {}
            Level::DEBUG => write!(out, "debug: {}: ", event.metadata().target())?,
            Level::TRACE => write!(out, "trace: {}: ", event.metadata().target())?,
        }
        for span in context.event_scope().into_iter().flat_map(|spans| spans.from_root()) {
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>().filter(|fields| !fields.is_empty()) {
                write!(out, "{}{{{fields}}}: ", span.name())?;
            }
        }
        context.format_fields(out.by_ref(), event)?;
        writeln!(out)
    }
}

/// Standard error, with progress bars moved out of the way while a message is written.
struct AboveBars;

impl MakeWriter<'_> for AboveBars {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        Self
    }
}

impl Write for AboveBars {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::above_bars(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        log: LogArgs,
    }

    #[test]
    fn flags_choose_the_level() {
        let cases = [
            (&["finery"][..], false, "info"),
            (&["finery"], true, "warn"),
            (&["finery", "-v"], true, "debug"),
            (&["finery", "-vv"], false, "trace"),
            (&["finery", "-q"], false, "warn"),
            (&["finery", "-qq"], false, "error"),
        ];
        for (words, is_follower, expected) in cases {
            let told = Command::parse_from(words).log.default_filter(is_follower);
            let rest = told.strip_suffix(",finery::address=info");
            assert_eq!(rest.is_some(), words.iter().any(|word| word.starts_with("-q")), "{told}");
            let filter = EnvFilter::try_new(rest.unwrap_or(&told)).unwrap();
            assert_eq!(filter.max_level_hint().unwrap().to_string(), expected, "{words:?}, {is_follower}");
        }
        assert!(Command::try_parse_from(["finery", "-v", "-q"]).is_err());
    }

    /// What a crate says that is not named here is nobody's news.
    #[test]
    fn all_crates_are_told_of() {
        let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let folders =
            std::fs::read_dir(crates).unwrap().map(|folder| folder.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = folders.map(|name| if name == "cli" { "finery".to_owned() } else { name }).collect();
        names.sort();
        assert_eq!(names, OWN);
    }

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn text_is_plain_and_names_levels_other_than_info() {
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let builder = tracing_subscriber::fmt().with_max_level(Level::TRACE).with_writer(move || writer.clone());
        tracing::subscriber::with_default(builder.with_ansi(false).event_format(Plain).finish(), || {
            tracing::info!("loading runs/a");
            tracing::warn!(lines = 3, "skipped bad lines");
            tracing::error!("the disk is full");
            tracing::debug!(target: "runtime", "cache hit");
            let span = tracing::info_span!("request", id = 7, key = tracing::field::Empty);
            span.record("key", "alice");
            span.in_scope(|| tracing::info!(tokens = 5, "answered"));
        });
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        let expected = "loading runs/a\nwarning: skipped bad lines lines=3\nerror: the disk is full\ndebug: runtime: cache hit\n\
             request{id=7 key=\"alice\"}: answered tokens=5\n";
        assert_eq!(text, expected);
    }
}
