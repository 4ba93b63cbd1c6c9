//! What the choice of kernels depends on.

use graph::Float8;
use pjrt::{Device, OptionValue};

use crate::plugins::Platform;

/// A kind of device, as far as it decides which kernels a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// Whose compiler makes the program.
    pub platform: Platform,
    /// NVIDIA's number for what the device can do, e.g. `(9, 0)` for Hopper; `None` on other platforms, and where it is not told.
    pub compute_capability: Option<(u32, u32)>,
    /// AMD's number for its instructions, in hexadecimal: `0x942` of gfx942; `None` on other platforms, and where it is not told.
    pub gfx: Option<u32>,
}

/// Why a device multiplies no 8-bit floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFloat8 {
    /// An NVIDIA GPU that is too old.
    #[error("the GPU has compute capability {}.{}, and 8-bit floats need 8.9 or above (Ada, Hopper, Blackwell)", .0.0, .0.1)]
    Capability((u32, u32)),
    /// An AMD GPU without them.
    #[error("gfx{0:x} has no 8-bit floats; gfx942 (MI300) and gfx950 (MI350) have")]
    Gfx(u32),
    /// A GPU that does not tell.
    #[error("the GPU does not tell whether it has 8-bit floats: neither compute capability nor gfx number")]
    Untold,
}

impl Hardware {
    /// The processor.
    pub const CPU: Hardware = Hardware { platform: Platform::Cpu, compute_capability: None, gfx: None };

    /// The least compute capability that XLA compiles Triton's kernels for, as which ours reach a GPU.
    pub const TRITON: (u32, u32) = (8, 0);

    /// Whether kernels for GPUs run there. AMD's GPUs that Triton does not compile for have no plugin.
    pub fn runs_gpu_kernels(self) -> bool {
        match self.platform {
            Platform::Cpu => false,
            Platform::Cuda => self.compute_capability.is_some_and(|found| found >= Hardware::TRITON),
            Platform::Rocm => true,
        }
    }

    /// The 8-bit floats that its matrix units multiply. A processor has none: its compiler computes OCP's by way of wider types, with the same
    /// result and no gain.
    ///
    /// # Errors
    /// It is a GPU that has none.
    pub fn float8(self) -> Result<Float8, NoFloat8> {
        match (self.platform, self.compute_capability, self.gfx) {
            (Platform::Cpu, ..) => Ok(Float8::Ocp),
            (Platform::Cuda, Some(found), _) if found >= (8, 9) => Ok(Float8::Ocp),
            (Platform::Cuda, Some(found), _) => Err(NoFloat8::Capability(found)),
            (Platform::Rocm, _, Some(0x940..=0x942)) => Ok(Float8::Fnuz),
            (Platform::Rocm, _, Some(0x950)) => Ok(Float8::Ocp),
            (Platform::Rocm, _, Some(gfx)) => Err(NoFloat8::Gfx(gfx)),
            (Platform::Cuda | Platform::Rocm, ..) => Err(NoFloat8::Untold),
        }
    }

    pub(crate) fn of(device: &Device, platform: Platform) -> pjrt::Result<Hardware> {
        let attributes = device.attributes()?;
        let text = attributes.iter().find_map(|(name, value)| match value {
            OptionValue::String(text) if name == "compute_capability" => Some(text.as_str()),
            _ => None,
        });
        Ok(Hardware { platform, compute_capability: text.and_then(parse), gfx: text.and_then(gfx) })
    }
}

/// `9.0`; a letter may follow, as in `9.0a`.
fn parse(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.trim_end_matches(char::is_alphabetic).parse().ok()?))
}

/// `gfx942:sramecc+:xnack-`.
pub(crate) fn gfx(text: &str) -> Option<u32> {
    let name = text.split(':').next()?.strip_prefix("gfx")?;
    u32::from_str_radix(name, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gfx_numbers() {
        let cases = [
            ("gfx942:sramecc+:xnack-", Some(0x942)),
            ("gfx90a", Some(0x90a)),
            ("gfx950", Some(0x950)),
            ("9.0", None),
            ("gfx", None),
            ("gfxxx", None),
        ];
        for (text, expected) in cases {
            assert_eq!(gfx(text), expected, "{text}");
        }
    }

    #[test]
    fn kernels_run_where_triton_is_compiled() {
        let runs =
            |platform, compute_capability| Hardware { platform, compute_capability, gfx: None }.runs_gpu_kernels();
        let found = [Some((7, 5)), Some((8, 0)), Some((9, 0)), None].map(|capability| runs(Platform::Cuda, capability));
        assert_eq!(found, [false, true, true, false]);
        assert!(runs(Platform::Rocm, None) && !Hardware::CPU.runs_gpu_kernels());
    }

    #[test]
    fn each_device_has_its_own_8_bit_floats_or_a_reason() {
        let of = |platform, compute_capability, gfx| Hardware { platform, compute_capability, gfx }.float8();
        assert_eq!(Hardware::CPU.float8(), Ok(Float8::Ocp));
        for (capability, expected) in [
            ((8, 0), Err(NoFloat8::Capability((8, 0)))),
            ((8, 9), Ok(Float8::Ocp)),
            ((9, 0), Ok(Float8::Ocp)),
            ((12, 0), Ok(Float8::Ocp)),
        ] {
            assert_eq!(of(Platform::Cuda, Some(capability), None), expected, "{capability:?}");
        }
        for (gfx, expected) in [
            (0x90a, Err(NoFloat8::Gfx(0x90a))),
            (0x942, Ok(Float8::Fnuz)),
            (0x950, Ok(Float8::Ocp)),
            (0x1100, Err(NoFloat8::Gfx(0x1100))),
        ] {
            assert_eq!(of(Platform::Rocm, None, Some(gfx)), expected, "gfx{gfx:x}");
        }
        assert_eq!(of(Platform::Rocm, None, None), Err(NoFloat8::Untold));
        assert_eq!(
            NoFloat8::Gfx(0x90a).to_string(),
            "gfx90a has no 8-bit floats; gfx942 (MI300) and gfx950 (MI350) have"
        );
    }

    #[test]
    fn compute_capabilities() {
        let cases =
            [("9.0", Some((9, 0))), ("12.1", Some((12, 1))), ("10.0a", Some((10, 0))), ("9", None), ("gfx942", None)];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
