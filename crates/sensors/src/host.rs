//! The machine itself: `/proc`, the hardware monitors of processors, and their counters of energy.

use std::path::{Path, PathBuf};
use std::time::Instant;

use runtime::Memory;

use crate::{Machine, Reading, files};

/// Hardware monitors of processors, with the label of the whole package's temperature where there are others: AMD's, Intel's, Arm's.
const PROCESSOR_MONITORS: [(&str, &str); 4] =
    [("k10temp", "Tctl"), ("zenpower", "Tctl"), ("coretemp", "Package id"), ("cpu_thermal", "")];

/// The host; remembers the counters of the reading before.
#[derive(Debug)]
pub(crate) struct Host {
    sys: PathBuf,
    proc: PathBuf,
    /// Hardware monitors of processors, with the label that counts.
    monitors: Vec<(PathBuf, &'static str)>,
    /// Counters of energy, one for each package.
    energy: Vec<PathBuf>,
    before: Counters,
}

/// Counters that grow, at one moment.
#[derive(Debug, Clone)]
struct Counters {
    at: Instant,
    time: Option<ProcessorTime>,
    energy_microjoules: Option<Vec<u64>>,
}

/// Time of all processors since the machine was started, in units that do not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProcessorTime {
    busy: u64,
    whole: u64,
}

impl Host {
    pub(crate) fn open(machine: &Machine, now: Instant) -> Host {
        let (sys, proc) = (machine.sys.clone(), machine.proc.clone());
        let of_processor = |(_, folder): (u32, PathBuf)| {
            let name = files::text(folder.join("name"))?;
            let (_, label) = PROCESSOR_MONITORS.into_iter().find(|(known, _)| *known == name)?;
            Some((folder, label))
        };
        let monitors =
            files::numbered(&sys.join("class/hwmon"), "hwmon").into_iter().filter_map(of_processor).collect();
        // `intel-rapl:0:1` would be a part of the package `intel-rapl:0`. AMD's processors have the same names.
        let energy = files::numbered(&sys.join("class/powercap"), "intel-rapl:").into_iter().map(|(_, folder)| folder);
        let is_package =
            |folder: &PathBuf| files::text(folder.join("name")).is_some_and(|name| name.starts_with("package"));
        let energy = energy.filter(is_package).collect();
        let before = Counters { at: now, time: None, energy_microjoules: None };
        let mut host = Host { sys, proc, monitors, energy, before };
        host.before = host.counters(now);
        host
    }

    pub(crate) fn read(&mut self, now: Instant) -> Reading {
        let counters = self.counters(now);
        let before = std::mem::replace(&mut self.before, counters.clone());
        let memory = Memory::of(&self.proc, &self.sys.join("fs/cgroup"));
        let power_watts = self.power(&before, &counters);
        Reading {
            memory_used_bytes: memory.map(|memory| memory.total.saturating_sub(memory.free)),
            memory_total_bytes: memory.map(|memory| memory.total),
            utilisation_percent: utilisation(before.time, counters.time),
            power_watts,
            // A limit is of use beside the power only.
            power_limit_watts: power_watts.and_then(|_| self.power_limit()),
            temperature_celsius: self.temperature(),
            process_memory_bytes: process_memory(&self.proc),
            load: files::text(self.proc.join("loadavg")).and_then(|text| text.split(' ').next()?.parse().ok()),
            ..Reading::default()
        }
    }

    fn counters(&self, now: Instant) -> Counters {
        let energy: Option<Vec<u64>> =
            self.energy.iter().map(|folder| files::value(folder.join("energy_uj"))).collect();
        let energy_microjoules = energy.filter(|energy| !energy.is_empty());
        Counters { at: now, time: processor_time(&self.proc), energy_microjoules }
    }

    /// The power of all packages together. Only root may read these counters, on most machines.
    fn power(&self, before: &Counters, after: &Counters) -> Option<f64> {
        let seconds = after.at.saturating_duration_since(before.at).as_secs_f64();
        let pairs = before.energy_microjoules.iter().flatten().zip(after.energy_microjoules.iter().flatten());
        let mut microjoules = None;
        for (folder, (before, after)) in self.energy.iter().zip(pairs) {
            // A counter begins again at 0 when it is full.
            let used = match after.checked_sub(*before) {
                Some(used) => used,
                None => (files::value::<u64>(folder.join("max_energy_range_uj"))?.checked_sub(*before)?)
                    .checked_add(*after)?,
            };
            microjoules = Some(microjoules.unwrap_or(0.0) + used as f64);
        }
        microjoules.map(|microjoules| microjoules / 1e6 / seconds).filter(|watts| watts.is_finite())
    }

    fn power_limit(&self) -> Option<f64> {
        let limit = |folder: &PathBuf| files::value::<f64>(folder.join("constraint_0_power_limit_uw"));
        let limits: Option<Vec<f64>> = self.energy.iter().map(limit).collect();
        limits.map(|limits| limits.iter().sum::<f64>() / 1e6).filter(|watts| *watts > 0.0)
    }

    fn temperature(&self) -> Option<f64> {
        let of_package = |(folder, wanted): &(PathBuf, &str)| {
            let counts = |label: Option<&str>| label.unwrap_or_default().starts_with(wanted);
            let found = files::temperatures(folder).into_iter();
            files::hottest(found.filter(|(label, _)| counts(label.as_deref())).map(|(_, celsius)| celsius))
        };
        files::hottest(self.monitors.iter().filter_map(of_package))
    }
}

/// The first line of `/proc/stat` (proc(5)): `cpu user nice system idle iowait irq softirq steal …`. What follows is counted in `user` too.
fn processor_time(proc: &Path) -> Option<ProcessorTime> {
    let stat = files::text(proc.join("stat"))?;
    let times = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
    let times: Vec<u64> = times.map(|time| time.parse().ok()).collect::<Option<_>>()?;
    let [_, _, _, idle, waiting, ..] = times[..] else { return None };
    let whole: u64 = times.iter().sum();
    Some(ProcessorTime { busy: whole - idle - waiting, whole })
}

fn utilisation(before: Option<ProcessorTime>, after: Option<ProcessorTime>) -> Option<f64> {
    let (before, after) = (before?, after?);
    let whole = after.whole.checked_sub(before.whole).filter(|whole| *whole > 0)?;
    // Waiting for disks may be counted back, and then all time grows by less than that of work.
    Some((after.busy.saturating_sub(before.busy) as f64 * 100.0 / whole as f64).min(100.0))
}

fn process_memory(proc: &Path) -> Option<u64> {
    let status = files::text(proc.join("self/status"))?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix("kB")?;
    kibibytes.trim().parse::<u64>().ok()?.checked_mul(1024)
}
