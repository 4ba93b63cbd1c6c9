//! NVIDIA's GPUs, by NVML (<https://docs.nvidia.com/deploy/nvml-api/>), the library of their driver. Without it there is nothing to read.

use std::path::Path;

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::enums::device::SampleValue;
use nvml_wrapper::structs::device::FieldId;
use nvml_wrapper::{Device, Nvml};

use crate::{Machine, Reading, Throttling};

/// The dynamic linker's name of the library.
pub(crate) const LIBRARY: &str = "libnvidia-ml.so.1";

/// `NVML_FI_DEV_MEMORY_TEMP` of nvml.h.
const MEMORY_TEMPERATURE: FieldId = FieldId(82);

/// The GPUs that CUDA shows this process, by its numbers; `None` where it cannot be told which one a number is.
#[derive(Debug)]
pub(crate) struct Nvidia {
    /// Twelve kilobytes of the library's functions.
    nvml: Box<Nvml>,
    gpus: Vec<Option<Gpu>>,
}

#[derive(Debug, Clone)]
struct Gpu {
    /// NVML's own number, which no other library uses.
    index: u32,
    name: String,
    uuid: String,
    bus_id: String,
}

impl Nvidia {
    /// `None` without the library or the driver. Where CUDA's numbers are not known, the cards have those of their places on the bus, if
    /// `else_by_bus`, as `nvidia-smi` has them.
    pub(crate) fn open(machine: &Machine, else_by_bus: bool) -> Option<Nvidia> {
        let nvml = Nvml::builder().lib_path(Path::new(&machine.nvml).as_os_str()).init().ok()?;
        let gpu = |index: u32| {
            let device = nvml.device_by_index(index).ok()?;
            let [name, uuid, bus_id] = [device.name().ok()?, device.uuid().ok()?, device.pci_info().ok()?.bus_id];
            Some(Gpu { index, name, uuid, bus_id })
        };
        let mut all: Vec<Gpu> = (0..nvml.device_count().ok()?).filter_map(gpu).collect();
        all.sort_by(|a, b| a.bus_id.cmp(&b.bus_id));
        let uuids: Vec<String> = all.iter().map(|gpu| gpu.uuid.clone()).collect();
        let alike = all.windows(2).all(|pair| pair[0].name == pair[1].name);
        let places = machine.visible.cuda(&uuids, alike || else_by_bus);
        let gpus = places.into_iter().map(|place| place.map(|place| all[place].clone())).collect();
        Some(Nvidia { nvml: Box::new(nvml), gpus })
    }

    pub(crate) fn count(&self) -> usize {
        self.gpus.len()
    }

    pub(crate) fn name(&self, number: usize) -> Option<String> {
        Some(self.gpus.get(number)?.as_ref()?.name.clone())
    }

    pub(crate) fn read(&self, number: usize) -> Reading {
        let device = self.gpus.get(number).and_then(Option::as_ref).map(|gpu| self.nvml.device_by_index(gpu.index));
        match device {
            Some(Ok(device)) => read(&device),
            // It may have fallen off the bus.
            _ => Reading::default(),
        }
    }
}

/// Each question by itself: a card that does not answer one may answer the others.
fn read(device: &Device<'_>) -> Reading {
    let memory = device.memory_info().ok();
    let watts = |milliwatts: u32| f64::from(milliwatts) / 1e3;
    Reading {
        memory_used_bytes: memory.as_ref().map(|memory| memory.used),
        memory_total_bytes: memory.as_ref().map(|memory| memory.total),
        utilisation_percent: device.utilization_rates().ok().map(|rates| f64::from(rates.gpu)),
        power_watts: device.power_usage().ok().map(watts),
        power_limit_watts: device.enforced_power_limit().ok().map(watts),
        temperature_celsius: device.temperature(TemperatureSensor::Gpu).ok().map(f64::from),
        memory_temperature_celsius: memory_temperature(device),
        throttling: device.current_throttle_reasons().ok().map(throttling),
        ..Reading::default()
    }
}

/// Data-centre cards tell it.
fn memory_temperature(device: &Device<'_>) -> Option<f64> {
    let sample = device.field_values_for(&[MEMORY_TEMPERATURE]).ok()?.pop()?.ok()?;
    match sample.value.ok()? {
        SampleValue::U32(celsius) if celsius > 0 => Some(f64::from(celsius)),
        _ => None,
    }
}

/// An idle GPU's low clock, clocks that somebody has set, and waiting for slower GPUs of a group are no limits of the device.
fn throttling(reasons: ThrottleReasons) -> Throttling {
    let has = |reason| reasons.contains(reason);
    let heat = has(ThrottleReasons::HW_THERMAL_SLOWDOWN);
    let brake = has(ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN);
    Throttling {
        power: has(ThrottleReasons::SW_POWER_CAP),
        temperature: has(ThrottleReasons::SW_THERMAL_SLOWDOWN) || heat,
        current: false,
        // The general reason stands beside both particular ones.
        hardware: brake || has(ThrottleReasons::HW_SLOWDOWN) && !heat,
    }
}
