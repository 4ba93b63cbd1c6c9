//! `finery quickstart`: the tour that a new user takes, each step of it a command that is shown before it runs.

mod child;
mod examples;
mod tour;

use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, anyhow, bail};
use checkpoint::{FolderLock, LockError, Owner};
use console::style;
use data::JsonLines;
use serde_json::Value;

use super::devices::DeviceArgs;
use super::eval::Answer;
use crate::progress::clock;
use crate::{processes, usage};
use child::{Children, Outcome};
use tour::{Command, Layout, Step};

/// What a run must show: that the questions cannot be answered before fine-tuning, and can be after it.
const SHARE_BEFORE_MAX: f64 = 0.10;
const SHARE_AFTER_MIN: f64 = 0.90;

/// Tells a folder that a tour made from any other.
const MARKER: &str = ".finery-quickstart";
const MARKER_TEXT: &str = "Made by `finery quickstart`, which replaces what it put here when it runs again.\n";

/// Train a small model, fine-tune it and ask it questions, step by step, with each command shown
///
/// A tokenizer and a Llama of two million parameters learn the writings of an invented iron town, then answer questions about it: at first
/// without, then with a LoRA adapter. It takes a few minutes on two cores. What it leaves behind is a model folder for the other
/// commands.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder for what the steps write
    #[arg(long, default_value = "quickstart")]
    dir: String,

    /// Folder with data and configurations of your own in place of those in finery, which it writes to examples/ in its folder
    #[arg(long, value_name = "DIR")]
    examples: Option<String>,

    /// Seed of the weights and of the order of the data, in both trainings [default: that of the configurations]
    #[arg(long, value_name = "N", value_parser = usage::seed)]
    seed: Option<u64>,

    /// Take the tour anew where a finished one lies, or examples that were changed: what it wrote there is removed
    #[arg(long)]
    overwrite: bool,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Runs `finery quickstart`.
///
/// # Errors
/// The examples are not there, the folder is somebody else's, a step fails, or the model does not answer as it should.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    processes::require_one()?;
    let layout = Layout::new(&args.dir, args.examples.as_deref());
    layout.check_examples()?;
    let lock = prepare(&layout, args.overwrite)?;
    // A step outlives a tour that is killed, if only to save.
    lock.pass_on().with_context(|| format!("keeping {} for the steps", layout.dir().display()))?;
    layout.write_examples()?;
    let steps = layout.steps(&device_words(&args.device), args.seed)?;
    say(introduction(&layout, steps.len()))?;

    let started = Instant::now();
    let mut children = Children::new()?;
    let mut times = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        say(format_args!("\n{}", style(format!("{} of {}  {}", index + 1, steps.len(), step.title)).bold()))?;
        say(format_args!("  {}\n", style(format!("$ {}", step.command)).cyan()))?;
        let step_started = Instant::now();
        match children.run(&step.command)? {
            Outcome::Done => times.push(step_started.elapsed()),
            Outcome::Interrupted(code) => {
                tracing::warn!("interrupted in step {}; {}", index + 1, way_on(step));
                return Ok(ExitCode::from(code));
            }
            Outcome::Failed(status) => bail!(
                "step {} of the quickstart failed with {status}: `{}`; its own message stands above",
                index + 1,
                step.command
            ),
        }
        say(style(format!("({})", clock(times[index].as_secs_f64()))).dim())?;
    }

    let before = Score::read(&layout.answers_before())?;
    let after = Score::read(&layout.answers_after())?;
    let next = layout.next_commands()?;
    say(summary(&steps, &times, started.elapsed(), [before, after]))?;
    say(outlook(&layout, &next))?;
    judge(before, after)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a line, or several.
fn say(line: impl fmt::Display) -> anyhow::Result<()> {
    io::stdout().write_all(format!("{line}\n").as_bytes()).context("printing how far the quickstart is")
}

/// The options that choose a device, for the steps that use one.
fn device_words(device: &DeviceArgs) -> Vec<String> {
    let platform = device.device.iter().flat_map(|platform| ["--device".to_owned(), platform.name().to_owned()]);
    platform.chain(device.offline.then(|| "--offline".to_owned())).collect()
}

/// What can be done when a step was interrupted: the tour cannot go on, but a training that was saved can.
fn way_on(step: &Step) -> String {
    let anew = "the same command takes the tour anew";
    let is_saved = |run: &String| checkpoint::latest_unverified(run).is_ok_and(|newest| newest.is_some());
    match &step.run {
        Some(run) if is_saved(run) => {
            let resumed = step.command.resumed();
            format!("{anew} and removes what is saved; `{resumed}` goes on with this training alone")
        }
        _ => anew.to_owned(),
    }
}

/// Makes the folder, or takes out of it what an earlier tour put there, and keeps it for this tour. What else is in it stays.
fn prepare(layout: &Layout, overwrite: bool) -> anyhow::Result<FolderLock> {
    let dir = layout.dir();
    let marker = dir.join(MARKER);
    let is_new = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot use {} as the folder of the quickstart", dir.display()));
        }
    };
    if !is_new && !marker.exists() {
        bail!(
            "{} is there already and no earlier quickstart made it, so nothing in it is touched: \
             name another folder with --dir, or remove it",
            dir.display()
        );
    }
    let made = fs::create_dir_all(dir).and_then(|()| fs::write(&marker, MARKER_TEXT));
    made.with_context(|| format!("cannot make the folder {}", dir.display()))?;
    let lock = FolderLock::take(dir, &Owner::this_process(SystemTime::now())).map_err(in_words_of_lock)?;
    if !overwrite {
        refuse_loss(layout)?;
    }
    for path in layout.outputs() {
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error)
                    .with_context(|| format!("cannot remove {} of an earlier quickstart", path.display()));
            }
            _ => {}
        }
    }
    Ok(lock)
}

/// Why a tour cannot have its folder to itself.
fn in_words_of_lock(error: LockError) -> anyhow::Error {
    match error {
        LockError::Held { path, holder } => {
            let holder = holder.map_or_else(String::new, |holder| format!(" ({holder})"));
            anyhow!(
                "another quickstart is writing to {}{holder}: wait for its end, or name another folder with --dir",
                path.display()
            )
        }
        unwritable @ LockError::Unwritable { .. } => unwritable.into(),
    }
}

/// Refuses to remove what an earlier tour has finished, and what somebody has made of its examples.
fn refuse_loss(layout: &Layout) -> anyhow::Result<()> {
    if let Some(path) = layout.changed_example() {
        bail!(
            "{} is not as the quickstart wrote it, and would be replaced: take the examples elsewhere and give that folder as \
             --examples, name another folder with --dir, or give --overwrite",
            path.display()
        );
    }
    if layout.answers_after().exists() {
        bail!(
            "{} holds a finished quickstart: give --overwrite to take the tour anew, which removes its models, or name another \
             folder with --dir",
            layout.dir().display()
        );
    }
    Ok(())
}

fn introduction(layout: &Layout, steps: usize) -> String {
    let mut text = format!(
        "This tour trains a small Llama from nothing on the writings of an invented iron town, then fine-tunes it to\n\
         answer questions about that town. It has {steps} steps, each a finery command that is shown before it runs,\n\
         takes a few minutes on two cores, and writes to {}.",
        layout.dir().display()
    );
    if let Some(path) = Command::program_path() {
        let _ = write!(text, "\n`finery` stands for {path}.");
    }
    text
}

/// Answers that count, of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Score {
    matched: usize,
    total: usize,
}

impl Score {
    /// Counts the answers in a file that `finery eval exact-match` wrote.
    fn read(path: &Path) -> anyhow::Result<Score> {
        let mut score = Score { matched: 0, total: 0 };
        for object in JsonLines::open(path)? {
            let (line, object) = object?;
            let answer: Answer = serde_json::from_value(Value::Object(object))
                .with_context(|| format!("{}, line {line}: not an answer of `finery eval`", path.display()))?;
            score.matched += usize::from(answer.is_match);
            score.total += 1;
        }
        Ok(score)
    }

    fn share(self) -> f64 {
        self.matched as f64 / self.total.max(1) as f64
    }
}

/// Time by step, and what was measured.
fn summary(steps: &[Step], times: &[Duration], total: Duration, [before, after]: [Score; 2]) -> String {
    let mut text = format!("\n{}\n", style("Summary").bold());
    for (step, time) in steps.iter().zip(times) {
        let _ = writeln!(text, "  {:>6}  {}", clock(time.as_secs_f64()), step.title);
    }
    let _ = writeln!(text, "  {:>6}  in all\n", clock(total.as_secs_f64()));
    for (when, score) in [("before", before), ("after", after)] {
        let Score { matched, total } = score;
        let percent = 100.0 * score.share();
        let _ = writeln!(text, "  exact match {when:<6} fine-tuning  {percent:5.1} %  {matched} of {total}");
    }
    text
}

/// What is there now, and what can be done with it.
fn outlook(layout: &Layout, next: &[Command]) -> String {
    let mut text = format!("In {}, for all other commands:\n", layout.dir().display());
    for (name, what) in [("tokenizer", "the tokenizer"), ("base", "the pre-trained model"), ("lora", "the adapter")] {
        let _ = writeln!(text, "  {name:<9}  {what}");
    }
    text += "\nTo try next:";
    for command in next {
        let _ = write!(text, "\n  {}", style(format!("$ {command}")).cyan());
    }
    text
}

/// Whether the tour has shown what it is there to show.
fn judge(before: Score, after: Score) -> anyhow::Result<()> {
    if before.share() >= SHARE_BEFORE_MAX {
        bail!(
            "before fine-tuning {:.1} % of the answers match, where fewer than {:.0} % should: this build or this machine trains \
             another model than ours",
            100.0 * before.share(),
            100.0 * SHARE_BEFORE_MAX
        );
    }
    if after.share() <= SHARE_AFTER_MIN {
        bail!(
            "after fine-tuning {:.1} % of the answers match, where more than {:.0} % should: this build or this machine trains \
             another model than ours",
            100.0 * after.share(),
            100.0 * SHARE_AFTER_MIN
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_tour_that_teaches_nothing_fails() {
        let cases = [
            ((0, 256), (250, 256), None),
            ((25, 256), (231, 256), None),
            ((26, 256), (250, 256), Some("before fine-tuning 10.2 %")),
            ((0, 256), (230, 256), Some("after fine-tuning 89.8 %")),
            ((0, 10), (9, 10), Some("after fine-tuning 90.0 %")),
        ];
        for ((matched_before, total), (matched_after, _), problem) in cases {
            let before = Score { matched: matched_before, total };
            let after = Score { matched: matched_after, total };
            let message = judge(before, after).err().map(|error| error.to_string());
            match (message, problem) {
                (None, None) => {}
                (Some(message), Some(start)) => assert!(message.starts_with(start), "{message}"),
                (message, _) => panic!("{before:?} {after:?}: {message:?}"),
            }
        }
    }

    #[test]
    fn the_end_tells_times_scores_and_what_to_do_next() {
        let layout = Layout::new("tour", Some("../../examples/quickstart"));
        let steps = [("Train", "train"), ("Ask", "eval")];
        let steps = steps.map(|(title, word)| Step { title, command: Command::new([word]), run: None });
        let times = [Duration::from_secs(83), Duration::from_millis(8300)];
        let scores = [Score { matched: 3, total: 256 }, Score { matched: 254, total: 256 }];
        let summary = summary(&steps, &times, Duration::from_secs(92), scores);
        let text = format!("{summary}\n{}", outlook(&layout, &[Command::new(["chat"])]));
        expect![[r#"

            Summary
                1:23  Train
                8.3s  Ask
                1:32  in all

              exact match before fine-tuning    1.2 %  3 of 256
              exact match after  fine-tuning   99.2 %  254 of 256

            In tour, for all other commands:
              tokenizer  the tokenizer
              base       the pre-trained model
              lora       the adapter

            To try next:
              $ finery chat"#]]
        .assert_eq(&console::strip_ansi_codes(&text));
    }

    #[test]
    fn only_what_a_tour_made_is_replaced() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("tour");
        let layout = Layout::new(dir.to_str().unwrap(), None);

        prepare(&layout, false).unwrap();
        layout.write_examples().unwrap();
        assert!(dir.join("examples/qa_test.jsonl").is_file());
        fs::create_dir_all(dir.join("base/checkpoints")).unwrap();
        fs::write(dir.join("before.jsonl"), "{}").unwrap();
        fs::write(dir.join("mine.txt"), "kept").unwrap();
        drop(prepare(&layout, false).unwrap());
        let mut left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [MARKER, "mine.txt"]);

        fs::remove_file(dir.join(MARKER)).unwrap();
        let message = prepare(&layout, false).unwrap_err().to_string();
        assert!(message.contains("no earlier quickstart made it"), "{message}");
        assert!(dir.join("mine.txt").exists());
    }
}
