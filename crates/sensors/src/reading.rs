//! What is measured of a device at one moment.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a reading is of. As text `host`, `gpu0`, `gpu1` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    /// A GPU, by the number that the vendor's runtime gives it in this process: with `CUDA_VISIBLE_DEVICES=5` the only one is 0.
    Gpu(u32),
    /// The machine that the process runs on: its processors and their memory.
    Host,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `pad`, so that widths are kept.
            Device::Gpu(number) => f.pad(&format!("gpu{number}")),
            Device::Host => f.pad("host"),
        }
    }
}

/// A text that names no device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDevice;

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `host`, or `gpu` and a number")
    }
}

impl std::error::Error for UnknownDevice {}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Device, UnknownDevice> {
        match text.strip_prefix("gpu") {
            Some(number) => number.parse().map(Device::Gpu).map_err(|_| UnknownDevice),
            None if text == "host" => Ok(Device::Host),
            None => Err(UnknownDevice),
        }
    }
}

impl Serialize for Device {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Device {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Device, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What was read of one device; `None` is what it does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Reading {
    /// Memory that is taken, by whomever. A process that reserves a device's memory when it starts, as training does, has taken it all.
    pub memory_used_bytes: Option<u64>,
    /// Memory that there is; of the host, within the limits of this process's control groups.
    pub memory_total_bytes: Option<u64>,
    /// Part of the time in which the device was at work, from 0 to 100. Of the host, over all processors and since the reading before.
    pub utilisation_percent: Option<f64>,
    /// Power drawn, by the whole board or package.
    pub power_watts: Option<f64>,
    /// Power at which clocks are lowered.
    pub power_limit_watts: Option<f64>,
    /// Temperature of the chip, where it is hottest if that is told.
    pub temperature_celsius: Option<f64>,
    /// Temperature of the device's memory.
    pub memory_temperature_celsius: Option<f64>,
    /// What holds the clocks down.
    pub throttling: Option<Throttling>,
    /// Host: memory of this process.
    pub process_memory_bytes: Option<u64>,
    /// Host: processes that run or wait to run, as a mean over the last minute.
    pub load: Option<f64>,
}

/// What holds a device's clocks below what it could do; nothing, if none is set. Limits that somebody has set on the clocks themselves do
/// not count, and neither does an idle device's low clock. As JSON a list of the names, such as `["power"]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throttling {
    /// The power limit. A device that is worked hard runs at it, as it was made to.
    pub power: bool,
    /// The chip, its memory or its voltage regulators are too hot.
    pub temperature: bool,
    /// The electrical current of a part of the chip.
    pub current: bool,
    /// A signal from outside the chip, as from a power supply that is overloaded; or a slowdown without a reason told.
    pub hardware: bool,
}

impl Throttling {
    /// Names of the limits that hold.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let named = [
            ("power", self.power),
            ("temperature", self.temperature),
            ("current", self.current),
            ("hardware", self.hardware),
        ];
        named.into_iter().filter_map(|(name, holds)| holds.then_some(name))
    }

    /// Whether any limit holds.
    pub fn any(self) -> bool {
        self != Throttling::default()
    }

    /// The limits of both.
    pub(crate) fn or(self, other: Throttling) -> Throttling {
        Throttling {
            power: self.power || other.power,
            temperature: self.temperature || other.temperature,
            current: self.current || other.current,
            hardware: self.hardware || other.hardware,
        }
    }
}

impl Serialize for Throttling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_read_as_they_are_written() {
        for device in [Device::Host, Device::Gpu(0), Device::Gpu(12)] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for text in ["", "gpu", "gpu-1", "gpux", "cpu", "Host"] {
            assert_eq!(text.parse::<Device>(), Err(UnknownDevice), "{text}");
        }
    }

    #[test]
    fn a_reading_as_json_has_null_for_what_is_not_told() {
        let throttling = Some(Throttling { power: true, hardware: true, ..Throttling::default() });
        let reading = Reading { power_watts: Some(512.5), throttling, ..Reading::default() };
        let json = serde_json::to_value(reading).unwrap();
        assert_eq!(json["power_watts"], 512.5);
        assert_eq!(json["throttling"], serde_json::json!(["power", "hardware"]));
        assert!(json["temperature_celsius"].is_null() && json.as_object().unwrap().len() == 10);
    }
}
