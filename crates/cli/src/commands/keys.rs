//! `finery keys`: the file of keys that `finery serve --api-keys` reads.

use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use atomic_file::PartialFile;
use clap::ValueEnum;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use server::{KeyEntry, KeyFile, KeyScope, NewKey};

use crate::usage;

/// Make, list and revoke the keys of a server
///
/// The file holds a salted hash of each key, its name and what it may do. A server that reads it sees changes within a second,
/// all at once; requests under way go on.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery keys add alice --requests-per-minute 60 --expires 30d > alice.key\n  \
    finery keys add board --scope metrics\n  \
    finery keys list\n  \
    finery keys revoke alice\n  \
    finery serve models/llama --host 0.0.0.0 --api-keys keys.json")]
pub(crate) struct Args {
    /// File of the keys
    #[arg(long, value_name = "FILE", default_value = "keys.json", global = true)]
    file: PathBuf,

    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Make a key and print it, once: it is kept nowhere
    Add(Add),
    /// Show the keys with what each may do
    List {
        /// One JSON object a line: name, scopes, requests_per_minute, tokens_per_minute, concurrency (null: any number), priority, expires (as RFC 3339 has it,
        /// in UTC; null: never), is_expired
        #[arg(long)]
        json: bool,
    },
    /// Remove a key
    Revoke {
        /// Its name
        name: String,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct Add {
    /// Who has it; the log shows it
    name: String,

    /// What it may do; may be given several times, or with commas
    #[arg(long, value_name = "SCOPE", default_value = "infer", value_delimiter = ',')]
    scope: Vec<Scope>,

    /// Requests in a minute [default: any number]
    #[arg(long, value_name = "N", value_parser = usage::count)]
    requests_per_minute: Option<u64>,

    /// Tokens in a minute, of prompts and answers, which count once they are there: who has used them up waits [default: any number]
    #[arg(long, value_name = "N", value_parser = usage::count)]
    tokens_per_minute: Option<u64>,

    /// Requests at the same time [default: any number]
    #[arg(long, value_name = "N", value_parser = usage::count)]
    concurrency: Option<u64>,

    /// The most urgent priority that its requests may have; lower is more urgent
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true)]
    priority: i32,

    /// When it ends to be one: after a time in s, m (minutes), h or d, as in 30d or 12h, or with a day as in 2027-01-31, in UTC [default: never]
    #[arg(long, value_name = "WHEN", value_parser = expiry, allow_hyphen_values = true)]
    expires: Option<Timestamp>,
}

/// What a key may do.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scope {
    /// Ask the model
    Infer,
    /// Load and unload adapters
    Adapters,
    /// Read metrics
    Metrics,
}

impl From<Scope> for KeyScope {
    fn from(scope: Scope) -> KeyScope {
        match scope {
            Scope::Infer => KeyScope::Infer,
            Scope::Adapters => KeyScope::Adapters,
            Scope::Metrics => KeyScope::Metrics,
        }
    }
}

/// The end of a day, or of a time from now on.
fn expiry(text: &str) -> Result<Timestamp, String> {
    let now = Timestamp::now();
    let end = match (Date::strptime("%Y-%m-%d", text), seconds(text)) {
        (Ok(day), _) => {
            day.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC)).ok().map(|midnight| midnight.timestamp())
        }
        (_, Some(time)) => time
            .and_then(|time| now.as_second().checked_add(time))
            .and_then(|second| Timestamp::from_second(second).ok()),
        _ => {
            let taken = "it should be a time in s, m (minutes), h or d, as in 30d or 12h, or a day, as in 2027-01-31";
            return Err(taken.to_owned());
        }
    };
    match end {
        None => Err("it is too far away, beyond the year 9999: leave it out for a key that does not end".to_owned()),
        Some(end) if end <= now => Err("it is over already".to_owned()),
        Some(end) => Ok(end),
    }
}

/// A time in seconds, if this is one: `None` inside where it has more of them than can be counted.
fn seconds(text: &str) -> Option<Option<i64>> {
    const UNITS: [(char, i64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let (_, unit) = UNITS.into_iter().find(|(unit, _)| text.ends_with(*unit))?;
    let number = &text[..text.len() - 1];
    usage::is_whole(number).then(|| number.parse().ok().and_then(|number: i64| number.checked_mul(unit)))
}

/// Runs a `finery keys` command.
///
/// # Errors
/// The file cannot be read or written, or has no such key, or one already; or a new one cannot be shown.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let path = &linked(&args.file)?;
    match args.command {
        Subcommand::Add(new) => add(&new, path),
        Subcommand::List { json } => {
            let file = KeyFile::read(path)?;
            let now = Timestamp::now();
            let text = if json { lines_of_json(file.keys(), now)? } else { listed(file.keys(), now)? };
            io::stdout().write_all(text.as_bytes()).context("printing the keys")
        }
        Subcommand::Revoke { name } => {
            let _alone = alone(path)?;
            let mut file = KeyFile::read(path)?;
            file.revoke(&name)?;
            write(&file, path)?;
            tracing::info!("revoked `{name}` from {}", path.display());
            Ok(())
        }
    }
}

/// Adds a key and shows it. It is in force before it is shown, for one that is shown and is not would have its owner refused; where it cannot be shown nobody
/// knows it, and it is taken out again.
fn add(new: &Add, path: &Path) -> anyhow::Result<()> {
    let name = &new.name;
    if is_nowhere(&io::stdout()) {
        bail!(
            "nobody would see the key of `{name}`, as standard output is closed or {NULL}: nothing was added; see that it goes where you find the key"
        );
    }
    let _alone = alone(path)?;
    let before = if path.exists() { Some(KeyFile::read(path)?) } else { None };
    let mut scopes = Vec::new();
    for scope in new.scope.iter().copied().map(KeyScope::from) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let NewKey { secret, mut entry } = NewKey::random(name, &scopes)?;
    entry.requests_per_minute = new.requests_per_minute;
    entry.tokens_per_minute = new.tokens_per_minute;
    entry.concurrency = new.concurrency;
    entry.priority = (new.priority != 0).then_some(new.priority);
    entry.expires = new.expires.and_then(|end| u64::try_from(end.as_second()).ok());
    let mut file = before.clone().unwrap_or_default();
    file.add(entry)?;
    write(&file, path)?;
    tracing::info!("added `{name}` to {}; this is its key, which is shown once:", path.display());
    let Err(unseen) = show(&secret) else { return Ok(()) };
    let path_shown = path.display();
    let restored = match before {
        Some(before) => write(&before, path),
        None => fs::remove_file(path).with_context(|| format!("removing {path_shown}")),
    };
    // In words alone: of a closed pipe as a cause it is taken that its reader has enough.
    match restored {
        Ok(()) => bail!(
            "cannot show the key of `{name}` ({unseen}): it was taken out of {path_shown} again and is not in force; see where standard output goes, and add it again"
        ),
        Err(error) => bail!(
            "cannot show the key of `{name}` ({unseen}), nor take it out of {path_shown} again ({error:#}): it is in force, and nobody knows it; revoke `{name}`"
        ),
    }
}

fn show(secret: &str) -> io::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{secret}")?;
    output.flush()
}

const NULL: &str = "/dev/null";

/// Whether what is written there is seen by nobody: a standard stream that is closed when a process begins is [`NULL`] by the time that it writes to it.
fn is_nowhere(stream: &impl AsFd) -> bool {
    let Ok(stream) = stream.as_fd().try_clone_to_owned() else { return true };
    let device = |found: Metadata| found.file_type().is_char_device().then(|| found.rdev());
    let null = fs::metadata(NULL).ok().and_then(device);
    null.is_some() && File::from(stream).metadata().ok().and_then(device) == null
}

/// The file itself, where a link leads to it: that is what a server reads, and what a new one has to take the place of.
fn linked(path: &Path) -> anyhow::Result<PathBuf> {
    if !path.is_symlink() {
        return Ok(path.to_owned());
    }
    path.canonicalize().with_context(|| format!("following the link {} to a file of keys", path.display()))
}

/// Waits until no other process changes keys in the same folder, and keeps others waiting as long as it is held: of two that read the same file, one would undo
/// what the other did.
fn alone(path: &Path) -> anyhow::Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let locking = || format!("locking the folder {} of the keys", folder.display());
    if !folder.try_exists().with_context(locking)? {
        bail!("there is no folder {} for the keys: make it, or name another file with --file", folder.display());
    }
    let folder = File::open(folder).with_context(locking)?;
    folder.lock().with_context(locking)?;
    Ok(folder)
}

/// Writes the file as a whole, so that a server reads the old one or the new one.
fn write(file: &KeyFile, path: &Path) -> anyhow::Result<()> {
    if path.file_name().is_none() {
        bail!("{} cannot be a file of keys: it has no name", path.display());
    }
    let writing = || format!("writing the keys of {}", path.display());
    let owner = || fs::metadata(path).ok().map(|found| found.uid());
    let before = owner();
    let mut partial = PartialFile::create_private(path).with_context(writing)?;
    partial.write_all(file.text().as_bytes()).with_context(writing)?;
    partial.publish().with_context(writing)?;
    if let (Some(before), Some(now)) = (before, owner())
        && before != now
    {
        tracing::warn!(
            "{} was user {before}'s and is user {now}'s now, as only root gives files away: its group and permissions are as before, and a server that runs as user \
             {before} has to be in that group, unless all may read the file",
            path.display()
        );
    }
    Ok(())
}

/// When a key ends to be one, if it does.
fn end_of(key: &KeyEntry) -> Option<Timestamp> {
    Timestamp::from_second(key.expires?.try_into().ok()?).ok()
}

/// What is printed of a key as JSON: nothing that it could be found by.
#[derive(Serialize)]
struct ListedKey<'k> {
    name: &'k str,
    scopes: &'k [KeyScope],
    requests_per_minute: Option<u64>,
    tokens_per_minute: Option<u64>,
    concurrency: Option<u64>,
    priority: i32,
    expires: Option<String>,
    is_expired: bool,
}

/// A JSON object for each key.
fn lines_of_json(keys: &[KeyEntry], now: Timestamp) -> anyhow::Result<String> {
    let line = |key: &KeyEntry| {
        let end = end_of(key);
        let listed = ListedKey {
            name: &key.name,
            scopes: &key.scopes,
            requests_per_minute: key.requests_per_minute,
            tokens_per_minute: key.tokens_per_minute,
            concurrency: key.concurrency,
            priority: key.priority.unwrap_or_default(),
            expires: end.map(|end| end.to_string()),
            is_expired: end.is_some_and(|end| end <= now),
        };
        Ok(serde_json::to_string(&listed)? + "\n")
    };
    keys.iter().map(line).collect()
}

/// A line for each key.
fn listed(keys: &[KeyEntry], now: Timestamp) -> anyhow::Result<String> {
    let width = keys.iter().map(|key| key.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for key in keys {
        let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.name()).collect();
        write!(text, "{:width$}  {}", key.name, scopes.join(","))?;
        let limits = [
            (key.requests_per_minute, "requests a minute"),
            (key.tokens_per_minute, "tokens a minute"),
            (key.concurrency, "requests at a time"),
        ];
        for (limit, of_what) in limits {
            if let Some(limit) = limit {
                write!(text, ", {limit} {of_what}")?;
            }
        }
        if let Some(priority) = key.priority {
            write!(text, ", priority {priority}")?;
        }
        if let Some(end) = end_of(key) {
            write!(text, ", {} {end}", if end <= now { "expired" } else { "expires" })?;
        }
        text.push('\n');
    }
    Ok(text)
}
