//! What can go wrong between asking for a platform and holding its plugin.
//!
//! Each message is the whole sentence, cause included, so no error here has a `source`: it would be printed twice.

use std::io;
use std::path::PathBuf;

use super::{Damage, Platform, Source};

/// A plugin could not be found, installed or loaded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No plugin for the platform anywhere, and none may be installed unasked.
    #[error(
        "no {platform} plugin found in FINERY_PLUGIN, Finery's cache or a Python environment: run `finery plugin install {platform}`"
    )]
    NotFound {
        /// What was asked for.
        platform: Platform,
    },
    /// Something would have to be fetched, which the user has ruled out.
    #[error(
        "{what} is not installed and --offline (or FINERY_OFFLINE) forbids fetching it: install it from a file with `finery plugin install {arguments} --from FILE.whl`"
    )]
    Offline {
        /// Name and version of the bundle.
        what: String,
        /// What follows `finery plugin install`.
        arguments: String,
    },
    /// What is installed is damaged, and it would have to be fetched again, which the user has ruled out.
    #[error(
        "{what} is damaged ({damage}) and --offline (or FINERY_OFFLINE) forbids fetching it: install it again from a file with `finery plugin install {arguments} --from FILE.whl`"
    )]
    DamagedOffline {
        /// Name and version of the bundle.
        what: String,
        /// What is wrong with it.
        damage: Damage,
        /// What follows `finery plugin install`.
        arguments: String,
    },
    /// Neither HOME nor a variable says where the cache is.
    #[error("there is no cache folder to install plugins into: set FINERY_CACHE to a folder, or set HOME")]
    NoCache,
    /// The publisher made no wheel for this processor.
    #[error("{package} is not published for {arch}: it exists for {available}")]
    NoBuild {
        /// Package name.
        package: &'static str,
        /// The host's architecture.
        arch: &'static str,
        /// Architectures that have a wheel.
        available: String,
    },
    /// There is no program that could fetch a wheel.
    #[error(
        "neither pip nor uv is on PATH to fetch {package} {version}: install one, or fetch the wheel elsewhere and run `finery plugin install PLATFORM --from FILE.whl`"
    )]
    NoInstaller {
        /// Package name.
        package: &'static str,
        /// Pinned version.
        version: &'static str,
    },
    /// pip or uv ran and failed.
    #[error("fetching {package} {version} failed: {attempts}")]
    Fetch {
        /// Package name.
        package: &'static str,
        /// Pinned version.
        version: &'static str,
        /// Each program with the reason that it gave.
        attempts: String,
    },
    /// The number or names of the files after `--from` do not fit the wheels wanted.
    #[error(
        "`finery plugin install --from` must name the wheel of {package} {version}, but no file given is called {expected}-*.whl"
    )]
    FileMissing {
        /// Package name.
        package: &'static str,
        /// Pinned version.
        version: &'static str,
        /// How the file name begins.
        expected: String,
    },
    /// A wheel is not the pinned one, seen by its size.
    #[error(
        "{} is not the pinned wheel of {package}: it has {found} bytes and must have {expected}, so it is truncated or another version",
        path.display()
    )]
    Size {
        /// The wheel.
        path: PathBuf,
        /// Package name.
        package: &'static str,
        /// Pinned size in bytes.
        expected: u64,
        /// Size in bytes on disk.
        found: u64,
    },
    /// A wheel is not the pinned one, seen by its content.
    #[error(
        "{} is not the pinned wheel of {package}: its SHA-256 is {found} and must be {expected}, so it is damaged or another version",
        path.display()
    )]
    Hash {
        /// The wheel.
        path: PathBuf,
        /// Package name.
        package: &'static str,
        /// Pinned SHA-256.
        expected: &'static str,
        /// SHA-256 of the file.
        found: String,
    },
    /// A wheel has the right bytes, or none were pinned, and is still no archive.
    #[error("{} cannot be unpacked: {reason}", path.display())]
    Archive {
        /// The wheel.
        path: PathBuf,
        /// The rule that it breaks.
        reason: String,
    },
    /// The wheels were unpacked and the plugin is not among the files.
    #[error("{what} was unpacked and holds no {key_file}: the wheel is not what its pin says")]
    KeyFile {
        /// Name and version of the bundle.
        what: String,
        /// The file that must be there.
        key_file: &'static str,
    },
    /// A file operation failed.
    #[error("{doing} {} failed: {error}", path.display())]
    Io {
        /// What was being done, as in "writing".
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// What was installed has been damaged since.
    #[error("{what} is damaged: {damage}; run `{command}`, which installs it again")]
    Damaged {
        /// The plugin or the toolchain.
        what: String,
        /// What is wrong with it.
        damage: Damage,
        /// What repairs it.
        command: String,
    },
    /// The plugin's vendor libraries are not on this machine.
    #[error("the {platform} plugin {} needs libraries that were not found: {missing}; {advice}", plugin.display())]
    MissingLibraries {
        /// The plugin's platform.
        platform: Platform,
        /// The plugin.
        plugin: PathBuf,
        /// Their names, separated by commas.
        missing: String,
        /// How to get them.
        advice: String,
    },
    /// The CUDA plugin calls `ptxas` to make machine code, and there is none.
    #[error(
        "the cuda plugin compiles with ptxas and libdevice, which are not here: run `finery plugin install cuda --toolchain`"
    )]
    NoToolchain,
    /// Where no ROCm is, its plugin compiles by way of stubs of ROCm's libraries.
    #[error(
        "the rocm plugin compiles without ROCm by way of stubs of its libraries, which cannot be made ({reason}): install a C compiler, \
         as `cc` on PATH, or ROCm 7"
    )]
    Stubs {
        /// What failed.
        reason: String,
    },
    /// The library is there and does not load as a plugin.
    #[error("the {platform} plugin from {} cannot be used: {error}", source_rule.name())]
    Load {
        /// The platform it should serve.
        platform: Platform,
        /// The rule that found it.
        source_rule: Source,
        /// What the binding says; it names the file.
        error: pjrt::Error,
    },
    /// `FINERY_PLUGIN` names nothing.
    #[error("FINERY_PLUGIN names {}, which is not a file: set it to the plugin's .so, or unset it", path.display())]
    VariableNamesNothing {
        /// The value.
        path: PathBuf,
    },
}

/// Result of looking for, installing or loading a plugin.
pub type Result<T> = std::result::Result<T, Error>;

/// Turns an [`io::Error`] into an [`Error::Io`] that names the file and what was being done.
pub(super) fn io_error(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
    let path = path.into();
    move |error| Error::Io { doing, path, error }
}
