//! XLA's description of a device, a `GpuTargetConfigProto` in text form, as far as it is read here.

use std::collections::HashMap;
use std::str::FromStr;

use crate::hardware::{Hardware, gfx};
use crate::plugins::Platform;

/// A device as compilers are told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The platform whose plugin compiles for it.
    pub platform: Platform,
    /// The vendor's name for it, e.g. `NVIDIA H200`.
    pub kind: String,
    /// NVIDIA's number for what it can do, e.g. `(9, 0)`.
    pub compute_capability: Option<(u32, u32)>,
    /// AMD's number for its instructions, in hexadecimal: `0x942` of gfx942.
    pub gfx: Option<u32>,
    /// Its memory in bytes, before the driver's share.
    pub memory_bytes: u64,
    /// Bytes that its memory moves in a second at the most.
    pub memory_bandwidth: f64,
    text: String,
}

/// What XLA's compilers divide by.
const COUNTS: [&str; 4] = ["threads_per_block_limit", "threads_per_warp", "threads_per_core_limit", "core_count"];

/// The least that the CUDA toolchain's assembler and the kernels here are for: Ampere.
const COMPUTE_CAPABILITY_MIN: (u32, u32) = (8, 0);

/// A text describes no device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// A line is none of the text form.
    #[error(
        "line {line} ({found:?}) is none of a GpuTargetConfigProto in text form, which has lines such as `memory_bandwidth: 4800000000000` and \
         `gpu_device_info {{`"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The line.
        found: String,
    },
    /// The device is too old for the compiler.
    #[error(
        "its cuda_compute_capability is {}.{}, and programs are made for {}.{} and above: give a newer GPU's description", found.0, found.1,
        COMPUTE_CAPABILITY_MIN.0, COMPUTE_CAPABILITY_MIN.1
    )]
    TooOld {
        /// What it says.
        found: (u32, u32),
    },
    /// A field is not there or has no such value.
    #[error("it has no {field}, which must be {accepted}: XLA's tools write one for a GPU that they see")]
    Field {
        /// Its path.
        field: &'static str,
        /// What it may be.
        accepted: &'static str,
    },
}

impl Description {
    /// The kind of device, for the choice of kernels.
    pub fn hardware(&self) -> Hardware {
        Hardware { platform: self.platform, compute_capability: self.compute_capability, gfx: self.gfx }
    }

    /// The whole description.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl FromStr for Description {
    type Err = DescriptionError;

    fn from_str(text: &str) -> Result<Description, DescriptionError> {
        let fields = fields(text)?;
        let platform = match fields.get("platform_name").map(String::as_str) {
            Some("CUDA") => Platform::Cuda,
            Some("ROCM") => Platform::Rocm,
            _ => return Err(DescriptionError::Field { field: "platform_name", accepted: "\"CUDA\" or \"ROCM\"" }),
        };
        let number = |field: &'static str, accepted: &'static str| {
            let found = fields.get(&format!("gpu_device_info.{field}")).and_then(|value| value.parse::<u64>().ok());
            found.filter(|number| *number > 0).ok_or(DescriptionError::Field { field, accepted })
        };
        let bytes = |field| number(field, "a number of bytes above 0");
        // A number that is 0 is left out of the text.
        let part = |name: &str| {
            let path = format!("gpu_device_info.cuda_compute_capability.{name}");
            fields.get(&path).map_or(Some(0), |value| value.parse().ok())
        };
        let compute_capability = match (platform, part("major"), part("minor")) {
            (Platform::Cuda, Some(major @ 1..), Some(minor)) if (major, minor) < COMPUTE_CAPABILITY_MIN => {
                return Err(DescriptionError::TooOld { found: (major, minor) });
            }
            (Platform::Cuda, Some(major @ 1..), Some(minor)) => Some((major, minor)),
            (Platform::Cuda, ..) => {
                let field = "cuda_compute_capability";
                return Err(DescriptionError::Field { field, accepted: "a map with `major` and `minor`" });
            }
            _ => None,
        };
        // Without them the compiler would end the process.
        for field in COUNTS {
            number(field, "a number above 0")?;
        }
        Ok(Description {
            platform,
            kind: fields.get("device_description_str").cloned().unwrap_or_else(|| "GPU".to_owned()),
            compute_capability,
            gfx: fields.get("gpu_device_info.rocm_compute_capability.gcn_arch_name").and_then(|name| gfx(name)),
            memory_bytes: bytes("device_memory_size")?,
            memory_bandwidth: bytes("memory_bandwidth")? as f64,
            text: text.to_owned(),
        })
    }
}

/// Each field's value by its path, without quotes.
fn fields(text: &str) -> Result<HashMap<String, String>, DescriptionError> {
    let (mut fields, mut path) = (HashMap::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let error = || DescriptionError::Line { line: index + 1, found: line.chars().take(40).collect() };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
        } else if line == "}" {
            path.pop().ok_or_else(error)?;
        } else if let Some(name) = line.strip_suffix('{') {
            path.push(name.trim().trim_end_matches(':'));
        } else {
            let (name, value) = line.split_once(':').ok_or_else(error)?;
            let path: Vec<&str> = path.iter().copied().chain([name.trim()]).collect();
            fields.insert(path.join("."), value.trim().trim_matches('"').to_owned());
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aot::Target;

    #[test]
    fn the_targets_are_described() {
        let of = |target: Target| target.description();
        assert_eq!(
            (of(Target::H200).memory_bytes, of(Target::H200).compute_capability),
            (150_754_820_096, Some((9, 0)))
        );
        assert_eq!((of(Target::Mi300x).memory_bytes, of(Target::Mi300x).platform), (270_566_162_432, Platform::Rocm));
        assert_eq!(
            [Target::Mi300x, Target::Mi250, Target::H200].map(|target| of(target).gfx),
            [Some(0x942), Some(0x90a), None]
        );
        assert_eq!(of(Target::Mi250).memory_bytes, 68_702_699_520);
        assert_eq!(of(Target::H100).kind, "NVIDIA H100 80GB HBM3");
    }

    #[test]
    fn what_describes_no_device_is_refused_with_its_line_or_field() {
        let whole = include_str!("../../targets/h200.txtpb");
        let error = |text: &str| text.parse::<Description>().expect_err("it is refused").to_string();
        assert!(error("").starts_with("it has no platform_name, which must be \"CUDA\""), "{}", error(""));
        let message = error("\u{7f}ELF\0\0");
        assert!(message.starts_with("line 1 (\"\\u{7f}ELF"), "{message}");
        assert!(error("}").starts_with("line 1"));
        let without = |name: &str| {
            whole.lines().filter(|line| !line.contains(name)).map(|line| format!("{line}\n")).collect::<String>()
        };
        for name in ["device_memory_size", "memory_bandwidth"] {
            let message = error(&without(name));
            assert!(message.starts_with(&format!("it has no {name}, which must be a number of bytes")), "{message}");
        }
        for name in COUNTS {
            let message = error(&without(name));
            assert!(message.starts_with(&format!("it has no {name}, which must be a number above 0")), "{message}");
        }
        assert!(error(&without("major")).contains("cuda_compute_capability"));
        let message = error(&whole.replace("major: 9\n  }", "major: 7\n    minor: 5\n  }"));
        assert!(message.starts_with("its cuda_compute_capability is 7.5, and programs are made for 8.0"), "{message}");
        assert!(error(&whole.replace("4800000000000", "-4")).contains("memory_bandwidth"));
    }
}
