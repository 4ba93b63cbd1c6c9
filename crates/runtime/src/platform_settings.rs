//! What differs between platforms: how a client is set up, and which XLA flags programs get.

use pjrt::{CompileOptions, FlagValue, OptionValue};

use crate::SessionOptions;
use crate::plugins::Platform;

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
        Platform::Cpu => &[],
        Platform::Cuda | Platform::Rocm => &[],
    }
}
