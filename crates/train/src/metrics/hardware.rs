//! What sensors told over some seconds of a run.

use std::borrow::Cow;

use sensors::{Device, Reading};
use serde::{Deserialize, Serialize};

/// Means and maxima of what the sensors of one device told since the record before; a line for each device. What a device does not tell is
/// absent. Times of evaluations and checkpoints are in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HardwareRecord {
    /// Optimizer steps done when it was written.
    pub step: u64,
    /// Tokens trained on by then.
    pub tokens: u64,
    /// `host`, or `gpu0`, `gpu1` and so on, in the numbers that the vendor's runtime has in this process; those of several processes have
    /// their places among the devices of all.
    pub device: Device,
    /// Seconds that it is of.
    pub seconds: f64,
    /// Readings that it is made of.
    pub samples: u64,
    /// The most memory that was taken, by whomever. Training reserves nearly all of a GPU's when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_used_bytes_max: Option<u64>,
    /// Memory that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_total_bytes: Option<u64>,
    /// Host: the most memory of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_memory_bytes_max: Option<u64>,
    /// Part of the time in which the device was at work, from 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilisation_percent_mean: Option<f64>,
    /// The most of it in a reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilisation_percent_max: Option<f64>,
    /// Power drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_watts_mean: Option<f64>,
    /// The most power in a reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_watts_max: Option<f64>,
    /// Power at which clocks are lowered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_limit_watts: Option<f64>,
    /// Temperature of the chip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature_celsius_mean: Option<f64>,
    /// The highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature_celsius_max: Option<f64>,
    /// The highest temperature of the device's memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_temperature_celsius_max: Option<f64>,
    /// Host: processes that run or wait to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_mean: Option<f64>,
    /// Part of the readings, from 0 to 1, in which something held the clocks down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled: Option<f64>,
    /// … in which it was the limit of power.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_power: Option<f64>,
    /// … the temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_temperature: Option<f64>,
    /// … the electrical current.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_current: Option<f64>,
    /// … a signal from outside the chip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_hardware: Option<f64>,
    /// When it was written: seconds since the Unix epoch.
    pub time: f64,
}

/// What the line says of the run, and not of the device.
const NO_SCALARS: [&str; 5] = ["step", "tokens", "seconds", "samples", "time"];

impl HardwareRecord {
    /// TensorBoard tags and values: the keys of the line.
    pub(super) fn scalars(&self) -> Vec<(Cow<'static, str>, f64)> {
        let line = serde_json::to_value(self).expect("it has strings for keys");
        let scalars = line.as_object().into_iter().flatten().filter(|(key, _)| !NO_SCALARS.contains(&key.as_str()));
        let tag = |key: &str| Cow::Owned(format!("hardware/{}/{key}", self.device));
        scalars.filter_map(|(key, value)| Some((tag(key), value.as_f64()?))).collect()
    }
}

/// Where a run stands when records are written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// Optimizer steps done.
    pub(crate) step: u64,
    /// Tokens trained on.
    pub(crate) tokens: u64,
    /// Seconds since the Unix epoch.
    pub(crate) time: f64,
}

/// Readings of one device, as far as a record needs them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Readings {
    samples: u64,
    newest: Reading,
    memory_used: Quantity,
    process_memory: Quantity,
    utilisation: Quantity,
    power: Quantity,
    temperature: Quantity,
    memory_temperature: Quantity,
    load: Quantity,
    throttled: Quantity,
    throttled_power: Quantity,
    throttled_temperature: Quantity,
    throttled_current: Quantity,
    throttled_hardware: Quantity,
}

impl Readings {
    pub(crate) fn add(&mut self, reading: &Reading) {
        self.samples += 1;
        self.newest = *reading;
        let bytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64);
        self.memory_used.add(bytes(reading.memory_used_bytes));
        self.process_memory.add(bytes(reading.process_memory_bytes));
        self.utilisation.add(reading.utilisation_percent);
        self.power.add(reading.power_watts);
        self.temperature.add(reading.temperature_celsius);
        self.memory_temperature.add(reading.memory_temperature_celsius);
        self.load.add(reading.load);
        let limits = reading.throttling;
        let holds = |holds: bool| f64::from(u8::from(holds));
        self.throttled.add(limits.map(|limits| holds(limits.any())));
        self.throttled_power.add(limits.map(|limits| holds(limits.power)));
        self.throttled_temperature.add(limits.map(|limits| holds(limits.temperature)));
        self.throttled_current.add(limits.map(|limits| holds(limits.current)));
        self.throttled_hardware.add(limits.map(|limits| holds(limits.hardware)));
    }

    /// Their record, of a device over so many seconds.
    pub(crate) fn record(&self, device: Device, seconds: f64, Place { step, tokens, time }: Place) -> HardwareRecord {
        let bytes = |quantity: &Quantity| quantity.max.map(|bytes| bytes as u64);
        HardwareRecord {
            step,
            tokens,
            device,
            seconds,
            samples: self.samples,
            memory_used_bytes_max: bytes(&self.memory_used),
            memory_total_bytes: self.newest.memory_total_bytes,
            process_memory_bytes_max: bytes(&self.process_memory),
            utilisation_percent_mean: self.utilisation.mean(),
            utilisation_percent_max: self.utilisation.max,
            power_watts_mean: self.power.mean(),
            power_watts_max: self.power.max,
            power_limit_watts: self.newest.power_limit_watts,
            temperature_celsius_mean: self.temperature.mean(),
            temperature_celsius_max: self.temperature.max,
            memory_temperature_celsius_max: self.memory_temperature.max,
            load_mean: self.load.mean(),
            throttled: self.throttled.mean(),
            throttled_power: self.throttled_power.mean(),
            throttled_temperature: self.throttled_temperature.mean(),
            throttled_current: self.throttled_current.mean(),
            throttled_hardware: self.throttled_hardware.mean(),
            time,
        }
    }
}

/// Mean and maximum of what is told at times.
#[derive(Debug, Clone, Copy, Default)]
struct Quantity {
    sum: f64,
    count: u64,
    max: Option<f64>,
}

impl Quantity {
    fn add(&mut self, value: Option<f64>) {
        let Some(value) = value else { return };
        self.sum += value;
        self.count += 1;
        self.max = self.max.into_iter().chain([value]).max_by(f64::total_cmp);
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use sensors::Throttling;

    use super::*;

    #[test]
    fn a_record_has_means_and_maxima_of_what_was_told() {
        let throttling = |temperature| Some(Throttling { temperature, ..Throttling::default() });
        let reading = |power_watts, temperature_celsius, throttling| Reading {
            memory_used_bytes: Some(7),
            memory_total_bytes: Some(9),
            power_watts: Some(power_watts),
            temperature_celsius,
            throttling,
            ..Reading::default()
        };
        let mut readings = Readings::default();
        for reading in [
            reading(100.0, Some(60.0), None),
            reading(300.0, Some(70.0), throttling(true)),
            reading(200.0, None, throttling(false)),
        ] {
            readings.add(&reading);
        }
        let record = readings.record(Device::Gpu(1), 6.0, Place::default());
        assert_eq!((record.samples, record.memory_used_bytes_max, record.memory_total_bytes), (3, Some(7), Some(9)));
        assert_eq!((record.power_watts_mean, record.power_watts_max), (Some(200.0), Some(300.0)));
        assert_eq!((record.temperature_celsius_mean, record.temperature_celsius_max), (Some(65.0), Some(70.0)));
        assert_eq!((record.throttled, record.throttled_temperature), (Some(0.5), Some(0.5)));
        assert_eq!((record.throttled_power, record.load_mean), (Some(0.0), None));

        let tags: Vec<String> = record.scalars().into_iter().map(|(tag, value)| format!("{tag} {value}")).collect();
        assert_eq!(tags[0], "hardware/gpu1/memory_used_bytes_max 7");
        assert!(tags.contains(&"hardware/gpu1/power_watts_mean 200".to_owned()), "{tags:?}");
        assert!(!tags.iter().any(|tag| tag.contains("seconds") || tag.contains("load")), "{tags:?}");
    }
}
