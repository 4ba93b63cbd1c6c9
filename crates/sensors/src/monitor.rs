//! All sensors of a machine together, in the numbers that the vendor's runtime gives its devices in this process.

use std::path::PathBuf;
use std::time::Instant;

use runtime::Session;
use runtime::plugins::Platform;

use crate::amd::Amd;
use crate::host::Host;
use crate::nvidia::{self, Nvidia};
use crate::{Device, Reading, VisibleDevices};

/// Where sensors are read.
#[derive(Clone, Debug)]
pub struct Machine {
    /// `/sys`.
    pub sys: PathBuf,
    /// `/proc`.
    pub proc: PathBuf,
    /// NVIDIA's management library: a path, or a name that the dynamic linker looks for.
    pub nvml: PathBuf,
    /// Which GPUs the process may see.
    pub visible: VisibleDevices,
}

impl Machine {
    /// The machine and process that this runs in.
    pub fn this() -> Machine {
        Machine {
            sys: "/sys".into(),
            proc: "/proc".into(),
            nvml: nvidia::LIBRARY.into(),
            visible: VisibleDevices::from_process(),
        }
    }
}

/// A device of a session, as far as its sensors are found by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionDevice {
    /// Its number in the vendor's runtime.
    pub number: u32,
    /// The runtime's name of its kind.
    pub kind: String,
}

impl SessionDevice {
    /// The GPUs of a session, in its order; none on the CPU.
    ///
    /// # Errors
    /// The plugin cannot describe its devices.
    pub fn all(session: &Session) -> runtime::Result<Vec<SessionDevice>> {
        if session.platform() == Platform::Cpu {
            return Ok(Vec::new());
        }
        let mut devices = Vec::new();
        for (place, device) in (0..).zip(session.devices()) {
            let number = device.local_hardware_id()?.unwrap_or(place);
            devices.push(SessionDevice { number, kind: device.kind()? });
        }
        Ok(devices)
    }
}

/// The sensors of some devices, and of the host.
#[derive(Debug)]
pub struct Monitor {
    host: Host,
    gpus: Gpus,
    /// Those that are read.
    numbers: Vec<u32>,
}

#[derive(Debug)]
enum Gpus {
    None,
    Nvidia(Nvidia),
    Amd(Amd),
}

impl Gpus {
    fn count(&self) -> usize {
        match self {
            Gpus::None => 0,
            Gpus::Nvidia(nvidia) => nvidia.count(),
            Gpus::Amd(amd) => amd.count(),
        }
    }

    fn name(&self, number: u32) -> Option<String> {
        match self {
            Gpus::None => None,
            Gpus::Nvidia(nvidia) => nvidia.name(number as usize),
            Gpus::Amd(amd) => amd.name(number as usize),
        }
    }

    fn read(&mut self, number: u32) -> Reading {
        match self {
            Gpus::None => Reading::default(),
            Gpus::Nvidia(nvidia) => nvidia.read(number as usize),
            Gpus::Amd(amd) => amd.read(number as usize),
        }
    }
}

impl Monitor {
    /// The sensors of all GPUs of a platform that this process may see, and of the host; without a platform NVIDIA's, or AMD's if there are
    /// none. A driver that is not there is no error. NVIDIA's cards have the numbers of their places on the PCI bus where CUDA's cannot be told,
    /// because they differ and `CUDA_DEVICE_ORDER` is not `PCI_BUS_ID`.
    pub fn of_machine(machine: &Machine, platform: Option<Platform>) -> Monitor {
        Monitor::open(machine, platform, true)
    }

    fn open(machine: &Machine, platform: Option<Platform>, else_by_bus: bool) -> Monitor {
        let wants = |wanted: Platform| platform.is_none_or(|platform| platform == wanted);
        let nvidia = wants(Platform::Cuda).then(|| Nvidia::open(machine, else_by_bus)).flatten().map(Gpus::Nvidia);
        let amd = || wants(Platform::Rocm).then(|| Gpus::Amd(Amd::open(machine)));
        let gpus = nvidia.filter(|gpus| gpus.count() > 0).or_else(amd).unwrap_or(Gpus::None);
        let numbers = (0..gpus.count() as u32).collect();
        Monitor { host: Host::open(machine, Instant::now()), gpus, numbers }
    }

    /// The sensors of these devices of a session on a platform, and of the host.
    ///
    /// A GPU whose name in the driver is not what its runtime calls it is left out, so that nothing is told of the wrong one: such as a part of
    /// a GPU, which has no sensors of its own. (AMD's runtime has names of its own, and its numbers are those of the driver's topology.)
    pub fn of_devices(machine: &Machine, platform: Platform, devices: &[SessionDevice]) -> Monitor {
        let mut monitor = Monitor::open(machine, Some(platform), false);
        let is_same = |device: &&SessionDevice| match (platform, monitor.gpus.name(device.number)) {
            (_, None) | (Platform::Cpu, _) => false,
            (Platform::Cuda, Some(name)) => name == device.kind,
            (Platform::Rocm, Some(_)) => true,
        };
        monitor.numbers = devices.iter().filter(is_same).map(|device| device.number).collect();
        monitor
    }

    /// What is read, with names where the driver has them.
    pub fn devices(&self) -> Vec<(Device, Option<String>)> {
        let gpus = self.numbers.iter().map(|&number| (Device::Gpu(number), self.gpus.name(number)));
        gpus.chain([(Device::Host, None)]).collect()
    }

    /// Reads all sensors, the host's last. What is counted, such as the host's utilisation, is of the time since the reading before or, at the
    /// first, since the monitor was made.
    pub fn read(&mut self, now: Instant) -> Vec<(Device, Reading)> {
        let gpus = &mut self.gpus;
        let readings = self.numbers.iter().map(|&number| (Device::Gpu(number), gpus.read(number)));
        let mut readings: Vec<(Device, Reading)> = readings.collect();
        readings.push((Device::Host, self.host.read(now)));
        readings
    }
}
