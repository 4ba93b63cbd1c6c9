//! What the choice of kernels depends on.

use pjrt::{Device, OptionValue};

use crate::plugins::Platform;

/// A kind of device, as far as it decides which kernels a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// Whose compiler makes the program.
    pub platform: Platform,
    /// NVIDIA's number for what the device can do, e.g. `(9, 0)` for Hopper; `None` on other platforms, and where it is not told.
    pub compute_capability: Option<(u32, u32)>,
}

impl Hardware {
    pub(crate) fn of(device: &Device, platform: Platform) -> pjrt::Result<Hardware> {
        let attributes = device.attributes()?;
        let text = attributes.iter().find_map(|(name, value)| match value {
            OptionValue::String(text) if name == "compute_capability" => Some(text.as_str()),
            _ => None,
        });
        Ok(Hardware { platform, compute_capability: text.and_then(parse) })
    }
}

/// `9.0`; a letter may follow, as in `9.0a`.
fn parse(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.trim_end_matches(char::is_alphabetic).parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compute_capabilities() {
        let cases =
            [("9.0", Some((9, 0))), ("12.1", Some((12, 1))), ("10.0a", Some((10, 0))), ("9", None), ("gfx942", None)];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
