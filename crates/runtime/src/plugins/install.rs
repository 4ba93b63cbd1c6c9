//! Installing a bundle of pinned wheels into the cache.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::io_error;
use super::fetch::{Fetched, fetch};
use super::pins::{Build, Bundle, Wheel};
use super::{Damage, Environment, Error, Result, record, wheel};

/// How far an installation is, for whoever draws it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Another process is installing into the same cache, and is waited for.
    Wait,
    /// What is installed is damaged, so it is installed again.
    Damaged(Damage),
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
    /// The bundle was there and damaged, and is now there anew.
    Again(PathBuf),
}

impl Installed {
    /// The bundle's folder.
    pub fn dir(&self) -> &Path {
        match self {
            Installed::Already(dir) | Installed::Now(dir) | Installed::Again(dir) => dir,
        }
    }
}

/// Installs a bundle from wheel files (`from`), or, when that is empty, through the user's pip or uv. One that is there and whole is
/// left as it is; one that is damaged is replaced.
///
/// The wheels are unpacked in a temporary folder beside the final one, which is renamed when complete, so that no
/// interruption leaves half a plugin where it would be found. `arguments` is what a user types after
/// `finery plugin install` for this bundle.
///
/// # Errors
/// Whatever [`Error`] says about pins, archives, fetching and files. Nothing is left behind then, and what was there stays.
pub(super) fn install(
    environment: &Environment,
    bundle: &Bundle,
    arguments: &str,
    from: &[PathBuf],
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed> {
    let plugins = environment.plugins_dir().ok_or(Error::NoCache)?;
    let target = plugins.join(format!("{}-{}-{}", bundle.name, bundle.version, environment.arch));
    // Before anything is written: the cache may be shared and not ours to write.
    let Err(damage) = bundle.check(&target) else { return Ok(Installed::Already(target)) };
    let builds =
        bundle.wheels.iter().map(|wheel| build_for(wheel, environment.arch)).collect::<Result<Vec<&Build>>>()?;
    if from.is_empty() && environment.offline {
        let what = format!("{} {}", bundle.name, bundle.version);
        return Err(match target.join(bundle.key_file).is_file() {
            true => Error::DamagedOffline { what, damage, arguments: arguments.to_owned() },
            false => Error::Offline { what, arguments: arguments.to_owned() },
        });
    }
    fs::create_dir_all(&plugins).map_err(io_error("creating", &plugins))?;
    let lock = InstallLock::take(&plugins, progress)?;
    // Whoever was waited for may have done it.
    let is_there = target.join(bundle.key_file).is_file();
    match bundle.check(&target) {
        Ok(()) => return Ok(Installed::Already(target)),
        Err(damage) if is_there => progress(Progress::Damaged(damage)),
        Err(_) => {}
    }
    lock.sweep(&plugins);
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
    publish(&unpacked, &target, staging.path())?;
    Ok(if is_there { Installed::Again(target) } else { Installed::Now(target) })
}

impl Bundle {
    /// Whether the bundle in `dir` is whole, by reading all of it.
    fn check(&self, dir: &Path) -> std::result::Result<(), Damage> {
        let key_file = dir.join(self.key_file);
        match key_file.metadata() {
            Ok(_) => record::check_all(dir),
            Err(error) => Err(Damage::Unreadable { path: key_file, reason: error.to_string() }),
        }
    }
}

/// Held by the one process that installs into a cache. The system lets go of it when the process ends, however it does.
pub(super) struct InstallLock {
    /// `None` on file systems without locks, where two processes may install at once and the later one wins.
    file: Option<File>,
}

impl InstallLock {
    pub(super) fn take(plugins: &Path, progress: &mut dyn FnMut(Progress)) -> Result<InstallLock> {
        let path = plugins.join(".lock");
        let file = File::options().create(true).append(true).open(&path).map_err(io_error("opening", &path))?;
        let taken = match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                progress(Progress::Wait);
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
            Ok(()) => Ok(()),
        };
        match taken {
            Ok(()) => Ok(InstallLock { file: Some(file) }),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(io_error("locking", path)(error)),
            Err(error) => {
                tracing::debug!(path = %path.display(), %error, "cannot lock the folder of plugins");
                Ok(InstallLock { file: None })
            }
        }
    }

    /// Removes what installations that were killed left behind. Without a lock that is what is older than any that still runs.
    pub(super) fn sweep(&self, plugins: &Path) {
        sweep(plugins, STAGING_PREFIX, self.file.is_some());
    }
}

/// Removes the folders whose names begin with `prefix`: all of them, or those that are older than any that is still being filled.
pub(super) fn sweep(folder: &Path, prefix: &str, all: bool) {
    const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
        if all || age.is_some_and(|age| age > ABANDONED_AFTER) {
            let removed = fs::remove_dir_all(entry.path());
            tracing::debug!(path = %entry.path().display(), ?removed, "removed an abandoned installation");
        }
    }
}

/// What folders are called that no installation has finished.
pub(super) const STAGING_PREFIX: &str = ".staging-";

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
        if source.is_dir() {
            merge(&source, &target)?;
        } else {
            // As files that are unpacked here.
            File::open(&source).and_then(|file| file.sync_all()).map_err(io_error("writing", &source))?;
            fs::rename(&source, &target).map_err(io_error("moving", &source))?;
        }
    }
    Ok(())
}

/// Renames the complete folder to its final name. What is there makes room: it is damaged, or someone has deleted from it.
fn publish(unpacked: &Path, target: &Path, staging: &Path) -> Result<()> {
    if target.exists() {
        fs::rename(target, staging.join("replaced")).map_err(io_error("replacing", target))?;
    }
    fs::rename(unpacked, target).map_err(io_error("renaming to", target))?;
    sync_folder(target.parent().unwrap_or(target));
    Ok(())
}

/// Brings the names in a folder to the disk, where the file system can: after a power cut the new folder is there, or none.
pub(super) fn sync_folder(folder: &Path) {
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(path = %folder.display(), %error, "cannot flush a folder");
    }
}
