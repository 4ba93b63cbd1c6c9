//! Messages on standard error: as text for people or as JSON lines for machines.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{Directive, LevelFilter};
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
            (2.., _) => format!("error,{ASKED}=info"),
            (1, _) => format!("warn,{ASKED}=info"),
            (0, 0) => with_own_level("info"),
            (0, 1) => with_own_level("debug"),
            (0, 2..) => "trace".to_owned(),
        }
    }
}

/// What somebody asked for, or cannot know otherwise: it is told also to those who want no news.
pub(crate) const ASKED: &str = "finery::asked";

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
/// `EnvFilter`, as in `finery=debug,train=trace`). Gives what is to be warned of.
///
/// # Errors
/// `FINERY_LOG` holds no valid filter, which messages can tell then, or they are set up already.
pub(crate) fn init(args: &LogArgs) -> anyhow::Result<Option<anyhow::Error>> {
    let default = args.default_filter(processes::is_follower());
    let from_environment = ["FINERY_LOG", "RUST_LOG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (name, value)));
    let (filter, problem) = match &from_environment {
        Some((name, value)) => match with_directives(&default, value) {
            Ok(filter) => (filter, None),
            Err(error) => (default, Some((*name, error.context(format!("{name}={value}"))))),
        },
        None => (default, None),
    };
    set_up(args.log_format, &filter)?;
    match problem {
        Some(("FINERY_LOG", error)) => Err(error),
        // Another program's, maybe.
        Some((_, error)) => Ok(Some(error.context("what is logged is as without RUST_LOG"))),
        None => Ok(None),
    }
}

/// The default filter with directives of the user's behind it, of which the last for a target counts: others keep their level, so that a
/// filter for another program hides no errors. A level without a target is for all.
fn with_directives(default: &str, value: &str) -> anyhow::Result<String> {
    let directives: Vec<&str> = value.split(',').map(str::trim).filter(|directive| !directive.is_empty()).collect();
    if let Some(wrong) = directives.iter().find(|directive| directive.parse::<Directive>().is_err()) {
        bail!(
            "`{wrong}` is no part of a log filter: give off, error, warn, info, debug or trace, or a crate with one of them, as in finery=debug"
        );
    }
    let for_all = directives.iter().filter_map(|directive| directive.parse::<LevelFilter>().ok()).next_back();
    // What is asked for is told whatever news is wanted.
    let asked = format!("{ASKED}=info");
    let default = match for_all {
        None => Some(default),
        Some(LevelFilter::OFF) => None,
        Some(_) => Some(&asked[..]),
    };
    Ok(default.into_iter().chain(directives).collect::<Vec<_>>().join(","))
}

fn set_up(format: LogFormat, filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter).context("cannot set up messages")?;
    let color = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A terminal that is gone, as after SIGHUP, is no reason to fail while a checkpoint is being saved.
    let builder = tracing_subscriber::fmt().log_internal_errors(false);
    let builder = builder.with_ansi(color).with_env_filter(filter).with_writer(AboveBars);
    let result = match format {
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
            let rest = told.strip_suffix(",finery::asked=info");
            assert_eq!(rest.is_some(), words.iter().any(|word| word.starts_with("-q")), "{told}");
            let filter = EnvFilter::try_new(rest.unwrap_or(&told)).unwrap();
            assert_eq!(filter.max_level_hint().unwrap().to_string(), expected, "{words:?}, {is_follower}");
        }
        assert!(Command::try_parse_from(["finery", "-v", "-q"]).is_err());
    }

    #[test]
    fn a_filter_leaves_what_it_does_not_name_as_it_is() {
        let cases = [
            ("hyper=info", "error,finery::asked=info,hyper=info"),
            ("train=debug, mycrate", "error,finery::asked=info,train=debug,mycrate"),
            ("[request{key}]=trace,", "error,finery::asked=info,[request{key}]=trace"),
            ("mycrate=debug,off", "mycrate=debug,off"),
            ("WARN", "finery::asked=info,WARN"),
            ("off,debug", "finery::asked=info,off,debug"),
            (",", "error,finery::asked=info"),
        ];
        let default = Command::parse_from(["finery", "-qq"]).log.default_filter(false);
        for (value, expected) in cases {
            let filter = with_directives(&default, value).unwrap();
            assert_eq!(filter, expected);
            EnvFilter::try_new(filter).unwrap();
        }
        for value in ["finery=verbose", "debug,finery=verbose"] {
            let error = with_directives(&default, value).unwrap_err().to_string();
            assert!(
                error.starts_with("`finery=verbose` is no part of a log filter: give off, error, warn,"),
                "{error}"
            );
        }
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
