//! Installing a bundle of pinned wheels into the cache.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::discover::installed_versions;
use super::error::io_error;
use super::fetch::{Fetched, fetch};
use super::pins::{Build, Bundle, Wheel};
use super::{Environment, Error, Result, wheel};

/// How far an installation is, for whoever draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// An installation starts.
    Start {
        /// Name of the bundle.
        name: &'static str,
        /// Pinned version.
        version: &'static str,
        /// Bytes that will be fetched; 0 when the wheels are files already.
        fetch_bytes: u64,
    },
    /// A wheel is being worked on.
    Wheel {
        /// Its package name.
        package: &'static str,
        /// What is done to it.
        stage: Stage,
        /// Bytes done.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
}

/// The stages that each wheel goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// pip or uv fetches it.
    Fetch,
    /// It is compared with its pin.
    Verify,
    /// Its files are written.
    Unpack,
}

/// What [`install`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    /// The bundle was there, in this folder.
    Already(PathBuf),
    /// The bundle is now there, in this folder.
    Now(PathBuf),
}

impl Installed {
    /// The bundle's folder.
    pub fn dir(&self) -> &Path {
        match self {
            Installed::Already(dir) | Installed::Now(dir) => dir,
        }
    }
}

/// Installs a bundle from wheel files (`from`), or, when that is empty, through the user's pip or uv.
///
/// The wheels are unpacked in a temporary folder beside the final one, which is renamed when complete, so that no
/// interruption leaves half a plugin where it would be found. `arguments` is what a user types after
/// `finery plugin install` for this bundle.
///
/// # Errors
/// Whatever [`Error`] says about pins, archives, fetching and files. Nothing is left behind then.
pub(super) fn install(
    environment: &Environment,
    bundle: &Bundle,
    arguments: &str,
    from: &[PathBuf],
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed> {
    if let Some((_, dir)) =
        installed_versions(environment, bundle).into_iter().find(|(version, _)| version == bundle.version)
    {
        return Ok(Installed::Already(dir));
    }
    let builds =
        bundle.wheels.iter().map(|wheel| build_for(wheel, environment.arch)).collect::<Result<Vec<&Build>>>()?;
    if from.is_empty() && environment.offline {
        let what = format!("{} {}", bundle.name, bundle.version);
        return Err(Error::Offline { what, arguments: arguments.to_owned() });
    }
    let plugins = environment.plugins_dir().ok_or(Error::NoCache)?;
    fs::create_dir_all(&plugins).map_err(io_error("creating", &plugins))?;
    sweep(&plugins);
    let staging = tempfile::Builder::new()
        .prefix(STAGING_PREFIX)
        .tempdir_in(&plugins)
        .map_err(io_error("creating a folder in", &plugins))?;
    let fetch_bytes = if from.is_empty() { builds.iter().map(|build| build.size_bytes).sum() } else { 0 };
    progress(Progress::Start { name: bundle.name, version: bundle.version, fetch_bytes });

    let unpacked = staging.path().join("bundle");
    fs::create_dir_all(&unpacked).map_err(io_error("creating", &unpacked))?;
    for (wheel, build) in bundle.wheels.iter().zip(builds) {
        let mut job = Job { environment, bundle, wheel, build, progress: &mut *progress };
        match from {
            [] => job.fetch_and_unpack(staging.path(), &unpacked)?,
            files => job.verify_and_unpack(file_of(bundle, wheel, files)?, &unpacked)?,
        }
    }
    if !unpacked.join(bundle.key_file).is_file() {
        let what = format!("{} {}", bundle.name, bundle.version);
        return Err(Error::KeyFile { what, key_file: bundle.key_file });
    }
    publish(&unpacked, plugins.join(format!("{}-{}-{}", bundle.name, bundle.version, environment.arch)), bundle)
}

const STAGING_PREFIX: &str = ".staging-";

/// One wheel of an installation under way.
struct Job<'a> {
    environment: &'a Environment,
    bundle: &'a Bundle,
    wheel: &'a Wheel,
    build: &'a Build,
    progress: &'a mut dyn FnMut(Progress),
}

impl Job<'_> {
    fn fetch_and_unpack(&mut self, staging: &Path, dir: &Path) -> Result<()> {
        let total = self.build.size_bytes;
        self.report(Stage::Fetch, 0, total);
        let (environment, wheel, version, build) = (self.environment, self.wheel, self.bundle.version, self.build);
        let mut arrived = |done: u64| self.report(Stage::Fetch, done.min(total), total);
        match fetch(environment, wheel, version, build, staging, &mut arrived)? {
            Fetched::File(path) => self.verify_and_unpack(&path, dir),
            Fetched::Unpacked(content) => merge(&content, dir),
        }
    }

    fn verify_and_unpack(&mut self, path: &Path, dir: &Path) -> Result<()> {
        let total = self.build.size_bytes;
        let (wheel, build) = (self.wheel, self.build);
        wheel::verify(path, wheel, build, &mut |done| self.report(Stage::Verify, done, total))?;
        let total = wheel::unpacked_bytes(path)?;
        wheel::unpack(path, dir, &mut |done| self.report(Stage::Unpack, done, total))
    }

    fn report(&mut self, stage: Stage, done: u64, total: u64) {
        (self.progress)(Progress::Wheel { package: self.wheel.package, stage, done, total });
    }
}

fn build_for<'a>(wheel: &'a Wheel, arch: &'static str) -> Result<&'a Build> {
    wheel.build_for(arch).ok_or_else(|| Error::NoBuild {
        package: wheel.package,
        arch,
        available: wheel.builds.iter().map(|build| build.arch).collect::<Vec<_>>().join(", "),
    })
}

/// The file for a wheel. A bundle of one wheel takes the one file whatever it is called; more are told apart by name.
fn file_of<'a>(bundle: &Bundle, wheel: &Wheel, files: &'a [PathBuf]) -> Result<&'a Path> {
    if let ([_], [file]) = (bundle.wheels, files) {
        return Ok(file);
    }
    let expected = format!("{}-{}", wheel.package.replace('-', "_"), bundle.version);
    let is_it = |file: &&PathBuf| {
        file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&format!("{expected}-")))
    };
    match files.iter().find(is_it) {
        Some(file) => Ok(file),
        None => Err(Error::FileMissing { package: wheel.package, version: bundle.version, expected }),
    }
}

/// Moves the files of one folder into another on the same file system.
fn merge(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(io_error("creating", to))?;
    for entry in fs::read_dir(from).map_err(io_error("reading", from))? {
        let entry = entry.map_err(io_error("reading", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if target.is_dir() {
            merge(&source, &target)?;
        } else {
            fs::rename(&source, &target).map_err(io_error("moving", &source))?;
        }
    }
    Ok(())
}

/// Renames the complete folder to its final name.
///
/// Another process may have done the same meanwhile: its folder is complete too, and stays. A folder without its key
/// file is what someone left after deleting from it, and makes room.
fn publish(unpacked: &Path, target: PathBuf, bundle: &Bundle) -> Result<Installed> {
    if target.exists() && !target.join(bundle.key_file).is_file() {
        fs::remove_dir_all(&target).map_err(io_error("removing", &target))?;
    }
    match fs::rename(unpacked, &target) {
        Ok(()) => Ok(Installed::Now(target)),
        Err(error) if is_occupied(&error) => Ok(Installed::Already(target)),
        Err(error) => Err(io_error("renaming to", target)(error)),
    }
}

fn is_occupied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists)
}

/// Removes what installations that were killed left behind. A day is longer than any that is still running.
fn sweep(plugins: &Path) {
    const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
    let Ok(entries) = fs::read_dir(plugins) else { return };
    for entry in entries.flatten() {
        let is_staging = entry.file_name().to_string_lossy().starts_with(STAGING_PREFIX);
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
        if is_staging && age.is_some_and(|age| age > ABANDONED_AFTER) {
            let removed = fs::remove_dir_all(entry.path());
            tracing::debug!(path = %entry.path().display(), ?removed, "removed an abandoned installation");
        }
    }
}
