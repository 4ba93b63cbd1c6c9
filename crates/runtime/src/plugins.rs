//! PJRT plugins: found where a machine has them, installed where it has none, loaded with what they need.
//!
//! ```no_run
//! use runtime::plugins::{self, Environment, Purpose};
//!
//! let environment = Environment::from_process();
//! let platform = plugins::default_platform(&environment);
//! let located = plugins::ensure(&environment, platform, &mut |_| {})?;
//! let plugin = located.load(&environment, Purpose::Run)?;
//! # Ok::<(), plugins::Error>(())
//! ```
//!
//! Nothing here opens a connection. Wheels are fetched by the user's pip or uv ([`install`]), and only for a command
//! that needs the CPU plugin or was told to install one.

mod discover;
mod environment;
mod error;
mod fetch;
mod install;
mod libraries;
mod pins;
mod platform;
mod record;
mod rocm_stubs;
mod stored;
mod wheel;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Once;

pub use discover::{Located, Source, discover, locate};
pub use environment::Environment;
pub use error::{Error, Result};
pub use install::{Installed, Progress, Stage};
pub(crate) use libraries::loaded_libraries;
pub use libraries::{Purpose, cuda_toolchain};
pub use platform::{Platform, UnknownPlatform};
pub use record::Damage;
pub use stored::{Stored, remove_stored, stored};

impl Located {
    /// Loads the plugin, after the vendor libraries that the purpose needs.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::MissingLibraries`], and [`Error::Load`] when the file is no plugin or is too old.
    pub fn load(&self, environment: &Environment, purpose: Purpose) -> Result<pjrt::Plugin> {
        self.check()?;
        libraries::preload(environment, self, purpose)?;
        let (platform, source_rule) = (self.platform, self.source);
        pjrt::Plugin::load(&self.library).map_err(|error| Error::Load { platform, source_rule, error })
    }
}

impl Located {
    /// Whether the plugin is as it was installed, as far as a look at it tells: loading half a library ends the process.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn check(&self) -> Result<()> {
        let package = pins::plugin(self.platform).name;
        let command = match self.source {
            // Where a file that the user has named comes from is not known.
            Source::Variable => return Ok(()),
            Source::Python => format!("pip install --force-reinstall {package}"),
            Source::Cache => format!("finery plugin install {}", self.platform),
        };
        record::check_file(self.root(), package, &self.library).map_err(|damage| Error::Damaged {
            what: format!("the {} plugin", self.platform),
            damage,
            command,
        })
    }

    /// The folder that its wheel is unpacked in, if it came in one.
    fn root(&self) -> &Path {
        self.library.ancestors().nth(3).unwrap_or(Path::new("/"))
    }
}

/// The platform to use when the user names none: that of `FINERY_PLUGIN` if its file name tells, else that of a GPU
/// whose driver is loaded and whose plugin is found, else the CPU.
pub fn default_platform(environment: &Environment) -> Platform {
    let named = environment.plugin.as_ref().and_then(|path| path.file_name()?.to_str());
    if let Some(platform) = named.and_then(Platform::of_file_name) {
        return platform;
    }
    gpus_present(environment).into_iter().find(|&gpu| locate(environment, gpu).is_ok()).unwrap_or(Platform::Cpu)
}

/// The platform of a GPU that this machine has, judged by its kernel driver, whether or not a plugin is there. NVIDIA's, if it has several.
pub fn gpu_present(environment: &Environment) -> Option<Platform> {
    gpus_present(environment).first().copied()
}

fn gpus_present(environment: &Environment) -> Vec<Platform> {
    // /dev/dxg is the GPU of a Windows host, seen from its Linux subsystem.
    let nvidia = ["nvidiactl", "nvidia0", "dxg"].iter().any(|node| environment.dev.join(node).exists())
        || environment.proc.join("driver/nvidia/version").exists();
    let amd = environment.dev.join("kfd").exists();
    [nvidia.then_some(Platform::Cuda), amd.then_some(Platform::Rocm)].into_iter().flatten().collect()
}

/// The plugin that a platform gets; the CPU's is installed when there is none.
///
/// `progress` is called only when something is installed, first with [`Progress::Start`], so that a command can say so. A plugin in the
/// cache that is not the pinned one is used, with a warning.
/// The plugins of GPUs are never installed unasked: their libraries and driver are the user's to choose.
///
/// # Errors
/// [`Error::NotFound`] for a GPU without a plugin, [`Error::VariableNamesNothing`], [`Error::Offline`], and all that
/// [`install_plugin`] can meet.
pub fn ensure(environment: &Environment, platform: Platform, progress: &mut dyn FnMut(Progress)) -> Result<Located> {
    let located = match locate(environment, platform) {
        Err(Error::NotFound { platform: Platform::Cpu }) => {
            install_plugin(environment, Platform::Cpu, &[], progress)?;
            locate(environment, platform)
        }
        found => found,
    }?;
    if let Some(warning) = discover::not_pinned(&located) {
        static SAID: Once = Once::new();
        SAID.call_once(|| tracing::warn!("{warning}"));
    }
    Ok(located)
}

/// Installs a platform's pinned plugin into the cache, from a wheel file (`from`) or else through the user's pip or uv.
///
/// # Errors
/// Offline without a file, no pip and no uv, a failed fetch, a wheel that is not the pinned one, a full disk.
pub fn install_plugin(
    environment: &Environment,
    platform: Platform,
    from: &[PathBuf],
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed> {
    install::install(environment, pins::plugin(platform), platform.name(), from, progress)
}

/// Installs the pinned CUDA toolchain, with which the CUDA plugin compiles where no CUDA is (see [`cuda_toolchain`]).
///
/// # Errors
/// As [`install_plugin`].
pub fn install_cuda_toolchain(
    environment: &Environment,
    from: &[PathBuf],
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed> {
    install::install(environment, &pins::CUDA_TOOLCHAIN, "cuda --toolchain", from, progress)
}

/// Name and version of the wheels that `finery plugin install` would install for a platform.
pub fn pinned(platform: Platform) -> (&'static str, &'static str) {
    let bundle = pins::plugin(platform);
    (bundle.name, bundle.version)
}
