//! What differs between platforms: the process's variables, how a client is set up, and which XLA flags programs get.

use pjrt::{CompileOptions, FlagValue, OptionValue};

use crate::SessionOptions;
use crate::plugins::Platform;

/// Environment variables with which a process that uses a platform should have started.
///
/// They are read before `main`, or by a plugin's initialisers, so a program that lacks them starts itself again.
///
/// - XLA logs its progress to the standard error output unless told otherwise.
/// - The CPU plugin takes a program's temporaries and outputs from `malloc` at every run, and glibc gets such blocks from
///   the kernel as fresh zeroed pages. Huge pages make that cheap: `exp` over 65 million f32 takes 100 ms in place of 390
///   on two cores of a virtual machine. Keeping freed memory instead (`M_MMAP_MAX=0`) is faster still once it settles,
///   but until glibc 2.38 `posix_memalign` does not find its own freed blocks again, and the heap grows.
pub fn process_variables(platform: Platform) -> &'static [(&'static str, &'static str)] {
    const QUIET: (&str, &str) = ("TF_CPP_MIN_LOG_LEVEL", "1");
    match platform {
        Platform::Cpu => &[QUIET, ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")],
        Platform::Cuda | Platform::Rocm => &[QUIET],
    }
}

/// The options with which a platform's client starts.
pub(crate) fn client_options(options: &SessionOptions) -> Vec<(&'static str, OptionValue)> {
    match options.platform {
        Platform::Cpu => {
            options.cpu_device_count.map(|count| ("cpu_device_count", i64::from(count).into())).into_iter().collect()
        }
        Platform::Cuda | Platform::Rocm => vec![
            ("platform_name", options.platform.name().into()),
            // Best fit with coalescing: XLA's own allocator over one reserved region.
            ("allocator", "bfc".into()),
            ("memory_fraction", options.memory_fraction.into()),
            ("preallocate", options.preallocate.into()),
        ],
    }
}

/// XLA's flags for a platform, under those that the caller has set.
pub(crate) fn with_platform_flags(platform: Platform, mut options: CompileOptions) -> CompileOptions {
    for (name, value) in xla_flags(platform) {
        options.flags.entry((*name).to_owned()).or_insert_with(|| value.clone());
    }
    options
}

fn xla_flags(platform: Platform) -> &'static [(&'static str, FlagValue)] {
    match platform {
        // Fast math, fast min/max, XNNPACK, oneDNN, vector width and fusion emitters: none gave more than noise.
        Platform::Cpu => &[],
        Platform::Cuda | Platform::Rocm => &[],
    }
}
