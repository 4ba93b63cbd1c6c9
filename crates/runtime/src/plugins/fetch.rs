//! Getting a wheel through the user's own pip or uv.
//!
//! Index, proxy, certificates and credentials are then as the user has configured them: no address stands in this
//! code, and there is no HTTP client in it.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead as _, BufReader, PipeReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::error::io_error;
use super::pins::{Build, Wheel};
use super::{Environment, Error, Result};

/// What a fetch left in its folder.
pub(super) enum Fetched {
    /// The wheel itself, still to be verified and unpacked (pip).
    File(PathBuf),
    /// The wheel's content. uv hands out no wheel files; it was given the pin and has verified it (uv).
    Unpacked(PathBuf),
}

/// One program that can fetch wheels.
enum Installer {
    Pip { program: PathBuf, arguments: &'static [&'static str] },
    Uv { program: PathBuf },
}

impl Installer {
    fn name(&self) -> &'static str {
        match self {
            Installer::Pip { .. } => "pip",
            Installer::Uv { .. } => "uv",
        }
    }

    /// The command that puts the wheel into `dir`, which is empty.
    fn command(&self, dir: &Path, wheel: &Wheel, version: &str, build: &Build) -> Result<Command> {
        let requirement = format!("{}=={version}", wheel.package);
        match self {
            Installer::Pip { program, arguments } => {
                let mut command = Command::new(program);
                // The plugins are no Python code: the Python versions their metadata asks for do not concern us.
                command.args(*arguments).args(["download", "--no-deps", "--only-binary=:all:"]);
                command.args(["--ignore-requires-python", "--no-input", "--disable-pip-version-check", "--dest"]);
                command.arg(dir).arg(requirement);
                // pip collects the download there before it moves it, which is where progress is read from.
                command.env("TMPDIR", dir);
                Ok(command)
            }
            Installer::Uv { program } => {
                let requirements = dir.join("requirements.txt");
                fs::write(&requirements, format!("{requirement} --hash=sha256:{}\n", build.sha256))
                    .map_err(io_error("writing", &requirements))?;
                let mut command = Command::new(program);
                command.args(["pip", "install", "--no-deps", "--no-build", "--require-hashes", "--link-mode=copy"]);
                // 3.12 is the oldest Python that all pinned wheels name in their metadata.
                command.args(["--python-version", "3.12", "--target"]);
                command.arg(unpacked_dir(dir)).arg("--requirements").arg(&requirements);
                Ok(command)
            }
        }
    }

    fn result(&self, dir: &Path) -> Option<Fetched> {
        match self {
            Installer::Pip { .. } => {
                let mut entries = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
                entries.find(|path| path.extension().is_some_and(|extension| extension == "whl")).map(Fetched::File)
            }
            Installer::Uv { .. } => Some(unpacked_dir(dir)).filter(|dir| dir.is_dir()).map(Fetched::Unpacked),
        }
    }
}

fn unpacked_dir(dir: &Path) -> PathBuf {
    dir.join("unpacked")
}

/// Fetches one wheel into folders under `dir`, calling `progress` with the bytes that have arrived.
///
/// # Errors
/// [`Error::NoInstaller`] without pip and uv, [`Error::Fetch`] with the reason of each when all that exist fail.
pub(super) fn fetch(
    environment: &Environment,
    wheel: &Wheel,
    version: &'static str,
    build: &Build,
    dir: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<Fetched> {
    let installers = installers(environment);
    if installers.is_empty() {
        return Err(Error::NoInstaller { package: wheel.package, version });
    }
    let mut attempts = Vec::new();
    for installer in installers {
        let dir = dir.join(format!("{}-{}", wheel.package, installer.name()));
        fs::create_dir_all(&dir).map_err(io_error("creating", &dir))?;
        let command = installer.command(&dir, wheel, version, build)?;
        let reason = match run(command, &mut || progress(largest_file_bytes(&dir))) {
            Ok((status, _)) if status.success() => match installer.result(&dir) {
                Some(fetched) => return Ok(fetched),
                None => "it ended without an error and left no wheel".to_owned(),
            },
            Ok((status, lines)) => last_words(&lines).unwrap_or_else(|| status.to_string()),
            Err(error) => error.to_string(),
        };
        attempts.push(format!("{} says: {reason}", installer.name()));
    }
    Err(Error::Fetch { package: wheel.package, version, attempts: attempts.join("; ") })
}

/// Runs a program to its end, calling `meanwhile` until then; gives the last lines that it wrote as well. They come through a pipe: a
/// file would lack them where the program fails because the disk is full.
fn run(mut command: Command, meanwhile: &mut dyn FnMut()) -> io::Result<(ExitStatus, Vec<String>)> {
    let (output, input) = io::pipe()?;
    let mut child = command.stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input).spawn()?;
    // It holds an end of the pipe, too.
    drop(command);
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || sender.send(last_lines(output)));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        meanwhile();
        thread::sleep(Duration::from_millis(100));
    };
    // A program that it has left running may hold the pipe open.
    Ok((status, lines.recv_timeout(LINES_WAIT).unwrap_or_default()))
}

/// Lines of an output that are kept: those of a traceback and more.
const LINES_MAX: usize = 1000;
/// How long its end is waited for when the program has ended.
const LINES_WAIT: Duration = Duration::from_secs(5);

fn last_lines(output: PipeReader) -> Vec<String> {
    let mut lines = VecDeque::new();
    for line in BufReader::new(output).split(b'\n').map_while(io::Result::ok) {
        if lines.len() == LINES_MAX {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&line).into_owned());
    }
    lines.into()
}

/// pip of the active interpreter, else a `pip` on PATH; then uv.
fn installers(environment: &Environment) -> Vec<Installer> {
    const MODULE: &[&str] = &["-m", "pip"];
    let has_pip = |python: &PathBuf| {
        let mut probe = Command::new(python);
        probe.args(MODULE).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let module = environment.python.clone().filter(has_pip);
    let pip = match module {
        Some(program) => Some(Installer::Pip { program, arguments: MODULE }),
        None => environment.program("pip").map(|program| Installer::Pip { program, arguments: &[] }),
    };
    let uv = environment.program("uv").map(|program| Installer::Uv { program });
    pip.into_iter().chain(uv).collect()
}

/// Size of the largest file under a folder: the wheel, while it is arriving.
fn largest_file_bytes(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => largest_file_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.max().unwrap_or(0)
}

/// What a system says of a full disk, whatever program passes it on.
const FULL_DISK: &str = "No space left on device";

/// How pip begins to say why it asks an index again. Its errors say later that the index has nothing.
const BROKEN: &str = "connection broken by ";

/// The end of an output that says why it failed, on one line: that the disk is full, else from the first line that names an error, else the last line. Of Python's
/// tracebacks it is the end, which has the error. Why a connection broke stands before that.
fn last_words(lines: &[String]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let is_error = |line: &&str| line.to_ascii_lowercase().starts_with("error");
    if let Some(line) = lines.iter().rfind(|line| line.contains(FULL_DISK)) {
        return Some((*line).to_owned());
    }
    if lines.iter().any(|line| line.starts_with("Traceback (most recent call last)")) {
        return lines.last().map(|line| (*line).to_owned());
    }
    let first = lines.iter().position(is_error).or_else(|| lines.len().checked_sub(1))?;
    let broken = lines[..first].iter().rev().find_map(|line| line.find(BROKEN).map(|at| &line[at..]));
    Some(broken.into_iter().chain(lines[first..].iter().copied()).collect::<Vec<_>>().join(" "))
}
