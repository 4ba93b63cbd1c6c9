//! What installations have left in the cache, and taking it away.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::io_error;
use super::install::{InstallLock, STAGING_PREFIX};
use super::{Environment, Progress, Result, rocm_stubs};

/// A folder in the cache that an installation made: a plugin, or the CUDA toolchain; or that of the stubs by which ROCm's plugin loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The folder.
    pub path: PathBuf,
    /// The sizes of its files in all.
    pub bytes: u64,
    /// When it was installed.
    pub installed: SystemTime,
}

/// What is installed in the cache, by name, and the stubs behind it. What a killed installation left is not; the next one removes it.
///
/// # Errors
/// The folder of plugins is there and cannot be read.
pub fn stored(environment: &Environment) -> Result<Vec<Stored>> {
    let mut folders = Vec::new();
    if let Some(plugins) = environment.plugins_dir().filter(|dir| dir.is_dir()) {
        let entries = fs::read_dir(&plugins).map_err(io_error("reading", &plugins))?;
        let is_shown = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
        folders.extend(entries.flatten().filter(is_shown).map(|entry| entry.path()));
        folders.sort();
    }
    folders.extend(rocm_stubs::folder(environment));
    let stored = |path: PathBuf| {
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_dir)?;
        let installed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Stored { bytes: bytes_in(&path), path, installed })
    };
    Ok(folders.into_iter().filter_map(stored).collect())
}

fn bytes_in(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Removes all that [`stored`] tells of, and returns what that was. Processes that have loaded a plugin go on with it.
///
/// # Errors
/// The folder of plugins cannot be written.
pub fn remove_stored(environment: &Environment, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Stored>> {
    let Some(plugins) = environment.plugins_dir() else { return Ok(Vec::new()) };
    if stored(environment)?.is_empty() {
        return Ok(Vec::new());
    }
    // Of a plugin that lies elsewhere there may be stubs alone.
    fs::create_dir_all(&plugins).map_err(io_error("creating", &plugins))?;
    let lock = InstallLock::take(&plugins, progress)?;
    let found = stored(environment)?;
    let staging = tempfile::Builder::new()
        .prefix(STAGING_PREFIX)
        .tempdir_in(&plugins)
        .map_err(io_error("creating a folder in", &plugins))?;
    for (index, bundle) in found.iter().enumerate() {
        // Out of sight at once: whoever is interrupted leaves no half of a plugin.
        fs::rename(&bundle.path, staging.path().join(index.to_string())).map_err(io_error("removing", &bundle.path))?;
    }
    staging.close().map_err(io_error("removing files in", &plugins))?;
    lock.sweep(&plugins);
    Ok(found)
}
