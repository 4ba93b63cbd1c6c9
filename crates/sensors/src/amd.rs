//! AMD's GPUs, by the files of the kernel's driver (<https://docs.kernel.org/gpu/amdgpu/thermal.html> and `driver-misc.html` beside it).

use std::fs;
use std::path::{Path, PathBuf};

use crate::gpu_metrics::{self, Limits, Residencies};
use crate::{Machine, Reading, Throttling, files};

/// PCI's number for AMD.
const VENDOR: &str = "0x1002";

/// The PCI numbers of MI200 GPUs (`CHIP_ALDEBARAN` in the driver's `amdgpu_drv.c`). Of the others that have the same format of `gpu_metrics`,
/// some show a limit that does not hold: RDNA 3's the temperature of its hottest spot, always.
const MI200: [&str; 4] = ["0x7408", "0x740c", "0x740f", "0x7410"];

/// The GPUs that HIP shows this process, by its numbers; `None` where it cannot be told which one a number is.
#[derive(Debug)]
pub(crate) struct Amd {
    gpus: Vec<Option<Gpu>>,
}

#[derive(Debug, Clone)]
struct Gpu {
    /// `/sys/class/drm/…/device`.
    folder: PathBuf,
    /// What the limits of the reading before said.
    before: Option<Residencies>,
}

impl Amd {
    pub(crate) fn open(machine: &Machine) -> Amd {
        let folders = in_runtime_order(&machine.sys);
        let uuids: Vec<String> = folders
            .iter()
            .map(|folder| files::text(folder.join("unique_id")).map_or_else(String::new, |id| format!("GPU-{id}")))
            .collect();
        let gpu = |place: usize| Gpu { folder: folders[place].clone(), before: None };
        Amd { gpus: machine.visible.rocm(&uuids).into_iter().map(|place| place.map(gpu)).collect() }
    }

    pub(crate) fn count(&self) -> usize {
        self.gpus.len()
    }

    /// The product's name, which servers' cards have, or else its PCI number.
    pub(crate) fn name(&self, number: usize) -> Option<String> {
        let folder = &self.gpus.get(number)?.as_ref()?.folder;
        let product = files::text(folder.join("product_name")).filter(|name| !name.is_empty());
        product.or_else(|| Some(format!("AMD {}", files::text(folder.join("device"))?)))
    }

    pub(crate) fn read(&mut self, number: usize) -> Reading {
        match self.gpus.get_mut(number) {
            Some(Some(gpu)) => gpu.read(),
            _ => Reading::default(),
        }
    }
}

/// The folders of all GPUs in the order of the driver's topology, which is how HIP numbers them; where there is none, in the order of their
/// DRM cards.
///
/// The topology has a node for each GPU that this process may use. On an MI300X that is divided there are more nodes than PCI devices; those
/// beyond the first have no sensors.
fn in_runtime_order(sys: &Path) -> Vec<PathBuf> {
    let drm = sys.join("class/drm");
    let nodes = files::numbered(&sys.join("class/kfd/kfd/topology/nodes"), "");
    let render_node = |(_, node): &(u32, PathBuf)| {
        let properties = fs::read_to_string(node.join("properties")).ok()?;
        let minor = properties.lines().find_map(|line| line.strip_prefix("drm_render_minor "))?;
        // The host's processors are nodes too, with 0 here.
        let minor = minor.trim().parse::<u32>().ok().filter(|minor| *minor > 0)?;
        Some(drm.join(format!("renderD{minor}/device")))
    };
    if !nodes.is_empty() {
        return nodes.iter().filter_map(render_node).collect();
    }
    let cards = files::numbered(&drm, "card").into_iter().map(|(_, card)| card.join("device"));
    cards.filter(|folder| files::text(folder.join("vendor")).as_deref() == Some(VENDOR)).collect()
}

impl Gpu {
    fn read(&mut self) -> Reading {
        let monitors = files::numbered(&self.folder.join("hwmon"), "hwmon");
        let monitor = monitors.first().map(|(_, folder)| folder.as_path());
        let sensor = |name: &str| files::value::<f64>(monitor?.join(name));
        // In microwatts. The second die of an MI250 tells 0 for what the first one tells for both.
        let watts = |name: &str| sensor(name).filter(|microwatts| *microwatts > 0.0).map(|microwatts| microwatts / 1e6);
        let temperatures = monitor.map(files::temperatures).unwrap_or_default();
        let hottest = |labels: &[&str]| {
            let labelled = |(label, celsius): &(Option<String>, f64)| {
                label.as_deref().is_some_and(|label| labels.contains(&label)).then_some(*celsius)
            };
            files::hottest(temperatures.iter().filter_map(labelled))
        };
        Reading {
            memory_used_bytes: files::value(self.folder.join("mem_info_vram_used")),
            memory_total_bytes: files::value(self.folder.join("mem_info_vram_total")),
            utilisation_percent: files::value(self.folder.join("gpu_busy_percent")),
            // MI300X and later tell the power of the moment only.
            power_watts: watts("power1_average").or_else(|| watts("power1_input")),
            power_limit_watts: watts("power1_cap"),
            temperature_celsius: hottest(&["edge", "junction"]),
            memory_temperature_celsius: hottest(&["mem"]),
            throttling: self.throttling(),
            ..Reading::default()
        }
    }

    fn throttling(&mut self) -> Option<Throttling> {
        let bytes = fs::read(self.folder.join("gpu_metrics")).ok()?;
        match gpu_metrics::limits(&bytes)? {
            Limits::Now(throttling) => {
                let device = files::text(self.folder.join("device"))?;
                MI200.contains(&device.as_str()).then_some(throttling)
            }
            Limits::Residencies(now) => self.before.replace(now).and_then(|before| now.since(before)),
        }
    }
}
