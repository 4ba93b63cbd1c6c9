//! The three kinds of device a plugin serves.

use std::fmt;
use std::str::FromStr;

/// What a PJRT plugin compiles for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Platform {
    /// The host's processors.
    Cpu,
    /// NVIDIA GPUs, CUDA 13.
    Cuda,
    /// AMD GPUs, ROCm 7.
    Rocm,
}

impl Platform {
    /// All platforms, in the order in which they are listed to users.
    pub const ALL: [Platform; 3] = [Platform::Cpu, Platform::Cuda, Platform::Rocm];

    /// The name used on the command line: `cpu`, `cuda` or `rocm`.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Cpu => "cpu",
            Platform::Cuda => "cuda",
            Platform::Rocm => "rocm",
        }
    }

    /// The folder inside a Python environment that holds this platform's plugin.
    pub(super) fn python_package(self) -> &'static str {
        match self {
            Platform::Cpu => "xla_plugins/xla_cpu_pjrt",
            Platform::Cuda => "jax_plugins/xla_cuda13",
            Platform::Rocm => "jax_plugins/xla_rocm7",
        }
    }

    /// The plugin's file name inside [`Self::python_package`].
    pub(super) fn library_name(self) -> &'static str {
        match self {
            Platform::Cpu => "xla_cpu_pjrt.so",
            Platform::Cuda => "xla_cuda_plugin.so",
            Platform::Rocm => "xla_rocm_plugin.so",
        }
    }

    /// What a plugin's file name says about its platform, `None` when it says nothing.
    pub(super) fn of_file_name(name: &str) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| name.to_ascii_lowercase().contains(platform.name()))
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Platform {
    type Err = UnknownPlatform;

    fn from_str(name: &str) -> Result<Self, UnknownPlatform> {
        Platform::ALL
            .into_iter()
            .find(|platform| platform.name() == name)
            .ok_or_else(|| UnknownPlatform { name: name.to_owned() })
    }
}

/// A name that is not a platform's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a platform: use cpu, cuda or rocm")]
pub struct UnknownPlatform {
    name: String,
}
