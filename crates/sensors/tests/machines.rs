//! Sensors as the kernel tells them, on machines of which `machines/` holds the files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use runtime::plugins::Platform;
use sensors::{Device, Machine, Monitor, Reading, SessionDevice, Throttling, VisibleDevices};

/// A machine of `machines/`, written out.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new(name: &str) -> Tree {
        let tree = Tree(tempfile::tempdir().unwrap());
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines").join(name);
        for line in fs::read_to_string(list).unwrap().lines() {
            let (path, rest) = line.split_once(' ').unwrap();
            match rest.split_once(' ').unwrap() {
                ("=", text) => tree.write(path, &format!("{}\n", text.replace("\\n", "\n").replace("\\t", "\t"))),
                ("->", target) => std::os::unix::fs::symlink(target, tree.made(path)).unwrap(),
                (size, parts) => fs::write(tree.made(path), bytes(size, parts)).unwrap(),
            }
        }
        tree
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.made(path), text).unwrap();
    }

    /// A path whose folder is there.
    fn made(&self, path: &str) -> PathBuf {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    fn machine(&self) -> Machine {
        Machine {
            sys: self.0.path().join("sys"),
            proc: self.0.path().join("proc"),
            nvml: self.0.path().join("no-library.so"),
            visible: VisibleDevices::default(),
        }
    }
}

fn bytes(size: &str, parts: &str) -> Vec<u8> {
    let mut bytes = vec![0xff; size.strip_prefix('@').unwrap().parse().unwrap()];
    for part in parts.split(' ') {
        let (offset, hex) = part.split_once(':').unwrap();
        let offset: usize = offset.parse().unwrap();
        for (at, digits) in hex.as_bytes().chunks(2).enumerate() {
            bytes[offset + at] = u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
        }
    }
    bytes
}

fn gpus(monitor: &mut Monitor) -> Vec<Reading> {
    let readings = monitor.read(Instant::now()).into_iter();
    readings.filter(|(device, _)| *device != Device::Host).map(|(_, reading)| reading).collect()
}

/// What tells the GPUs of these trees apart.
fn temperatures(machine: &Machine) -> Vec<Option<f64>> {
    let readings = gpus(&mut Monitor::of_machine(machine, Some(Platform::Rocm)));
    readings.iter().map(|reading| reading.temperature_celsius).collect()
}

#[test]
fn mi250() {
    let tree = Tree::new("mi250.txt");
    let mut monitor = Monitor::of_machine(&tree.machine(), None);
    let name = |device, name: &str| (device, Some(name.to_owned()));
    let expected = [
        name(Device::Gpu(0), "AMD 0x740c"),
        name(Device::Gpu(1), "AMD INSTINCT MI250 (MCM) OAM AC MBA"),
        (Device::Host, None),
    ];
    assert_eq!(monitor.devices(), expected, "in the order of the topology, not of the cards");
    let first = Reading {
        memory_used_bytes: Some(61_203_283_968),
        memory_total_bytes: Some(68_702_699_520),
        utilisation_percent: Some(98.0),
        power_watts: Some(412.0),
        power_limit_watts: Some(560.0),
        temperature_celsius: Some(71.0),
        memory_temperature_celsius: Some(63.0),
        throttling: Some(Throttling { power: true, ..Throttling::default() }),
        ..Reading::default()
    };
    // The second die's power is counted with the first one's.
    let second = Reading {
        memory_used_bytes: Some(61_203_283_000),
        utilisation_percent: Some(97.0),
        power_watts: None,
        power_limit_watts: None,
        temperature_celsius: Some(66.0),
        memory_temperature_celsius: Some(60.0),
        throttling: Some(Throttling { temperature: true, ..Throttling::default() }),
        ..first
    };
    assert_eq!(gpus(&mut monitor), [second, first]);
}

#[test]
fn mi300x() {
    let tree = Tree::new("mi300x.txt");
    let mut monitor = Monitor::of_machine(&tree.machine(), Some(Platform::Rocm));
    let busy = Reading {
        memory_used_bytes: Some(158_729_011_200),
        memory_total_bytes: Some(206_141_652_992),
        utilisation_percent: Some(100.0),
        power_watts: Some(706.0),
        power_limit_watts: Some(750.0),
        temperature_celsius: Some(68.0),
        memory_temperature_celsius: Some(59.0),
        ..Reading::default()
    };
    let [first, idle, part] = gpus(&mut monitor)[..] else { panic!("three nodes") };
    assert_eq!(first, busy, "how long a limit held is known from the second reading on");
    assert_eq!((idle.power_watts, idle.temperature_celsius, idle.throttling), (Some(138.0), Some(41.0), None));
    assert_eq!(part, Reading::default(), "a part of a device has no sensors");

    // Some five seconds later, in 87 % of which the power limit held on one.
    let metrics = |pci: &str| tree.0.path().join("sys/devices/pci0000:15").join(pci).join("gpu_metrics");
    for (pci, counts) in [("0000:1b:00.0", [55_262_364_u32, 0, 754_247]), ("0000:3d:00.0", [55_262_364, 0, 749_905])] {
        let mut bytes = fs::read(metrics(pci)).unwrap();
        bytes[40..52].copy_from_slice(&counts.map(u32::to_le_bytes).concat());
        fs::write(metrics(pci), bytes).unwrap();
    }
    let readings = gpus(&mut monitor);
    assert_eq!(readings[0].throttling, Some(Throttling { power: true, ..Throttling::default() }));
    assert_eq!(readings[1].throttling, Some(Throttling::default()));
}

#[test]
fn variables_choose_gpus_as_they_do_for_the_runtime() {
    let tree = Tree::new("mi250.txt");
    let chosen = |rocr: Option<&str>, hip: Option<&str>| {
        let visible =
            VisibleDevices { rocr: rocr.map(str::to_owned), hip: hip.map(str::to_owned), ..Default::default() };
        temperatures(&Machine { visible, ..tree.machine() })
    };
    let (first, second) = (Some(66.0), Some(71.0));
    assert_eq!(chosen(None, None), [first, second]);
    assert_eq!(chosen(Some("1"), None), [second]);
    assert_eq!(chosen(Some("GPU-8f3c1d2e4b5a6978,0"), None), [second, first]);
    assert_eq!(chosen(Some("1,0"), Some("1")), [first]);
    assert_eq!(chosen(Some(""), None), []);
}

/// As in a container with a driver that has no topology: the DRM cards count, by number, without those of other vendors.
#[test]
fn without_a_topology_gpus_are_in_the_order_of_their_cards() {
    let tree = Tree::new("mi250.txt");
    fs::remove_dir_all(tree.0.path().join("sys/class/kfd")).unwrap();
    assert_eq!(temperatures(&tree.machine()), [Some(71.0), Some(66.0)]);
}

#[test]
fn a_session_is_told_of_its_own_devices() {
    let tree = Tree::new("mi250.txt");
    let device = |number| SessionDevice { number, kind: "AMD Instinct MI250".to_owned() };
    let of = |platform, devices: &[SessionDevice]| Monitor::of_devices(&tree.machine(), platform, devices).devices();
    let gpu = |number, name: &str| (Device::Gpu(number), Some(name.to_owned()));
    let second = gpu(1, "AMD INSTINCT MI250 (MCM) OAM AC MBA");
    assert_eq!(of(Platform::Rocm, &[device(1)]), [second, (Device::Host, None)]);
    assert_eq!(of(Platform::Rocm, &[device(2)]), [(Device::Host, None)], "the driver knows of no such device");
    assert_eq!(of(Platform::Cpu, &[]), [(Device::Host, None)]);
    assert_eq!(of(Platform::Cuda, &[device(0)]), [(Device::Host, None)], "there is no library of NVIDIA's");
}

/// A sensor that is asleep, or gone with its device, is no error.
#[test]
fn what_cannot_be_read_is_not_told() {
    let tree = Tree::new("mi250.txt");
    let mut monitor = Monitor::of_machine(&tree.machine(), Some(Platform::Rocm));
    let device = "sys/devices/pci0000:20/0000:29:00.0";
    for (path, text) in [("gpu_busy_percent", ""), ("hwmon/hwmon3/temp2_input", "-"), ("mem_info_vram_used", "x")] {
        tree.write(&format!("{device}/{path}"), text);
    }
    fs::remove_file(tree.0.path().join(device).join("hwmon/hwmon3/power1_average")).unwrap();
    fs::write(tree.0.path().join(device).join("gpu_metrics"), [120, 0, 1]).unwrap();
    let reading = gpus(&mut monitor)[1];
    let expected = Reading {
        memory_total_bytes: Some(68_702_699_520),
        power_limit_watts: Some(560.0),
        // Of the edge; the hottest spot's is not told.
        temperature_celsius: Some(52.0),
        memory_temperature_celsius: Some(63.0),
        ..Reading::default()
    };
    assert_eq!(reading, expected);
    fs::remove_dir_all(tree.0.path().join("sys")).unwrap();
    assert_eq!(gpus(&mut monitor), [Reading::default(); 2]);
}

#[test]
fn the_host() {
    let tree = Tree::new("host.txt");
    let started = Instant::now();
    let mut monitor = Monitor::of_machine(&tree.machine(), Some(Platform::Cpu));
    let host = |monitor: &mut Monitor, at| {
        let [(Device::Host, reading)] = monitor.read(at)[..] else { panic!("the host alone") };
        reading
    };
    let first = host(&mut monitor, started);
    assert_eq!(first.memory_total_bytes, Some(16_000_000 * 1024));
    assert_eq!(first.memory_used_bytes, Some(4_000_000 * 1024));
    assert_eq!(first.process_memory_bytes, Some(1_500_000 * 1024));
    assert_eq!(first.load, Some(3.25));
    assert_eq!(first.temperature_celsius, Some(66.0), "the hottest package, and no disk, core or die");
    assert_eq!((first.utilisation_percent, first.throttling), (None, None), "no time has passed");

    // 300 of 1000 units busy; 90 J of one package, and 30 J of the other, whose counter began again at 0.
    tree.write("proc/stat", "cpu  1200 150 430 8600 400 20 100 100 90 0\n");
    tree.write("sys/class/powercap/intel-rapl:0/energy_uj", "95000000");
    tree.write("sys/class/powercap/intel-rapl:1/energy_uj", "29991150");
    let second = host(&mut monitor, started + Duration::from_secs(2));
    assert_eq!(second.utilisation_percent, Some(30.0));
    assert_eq!((second.power_watts, second.power_limit_watts), (Some(60.0), Some(450.0)));

    fs::remove_file(tree.0.path().join("sys/class/powercap/intel-rapl:1/energy_uj")).unwrap();
    let third = host(&mut monitor, started + Duration::from_secs(4));
    assert_eq!((third.power_watts, third.power_limit_watts), (None, None), "half of the power is not the power");

    // 100 units of work, and 10 of waiting fewer than before.
    tree.write("proc/stat", "cpu  1300 150 430 8600 390 20 100 100 90 0\n");
    let fourth = host(&mut monitor, started + Duration::from_secs(6));
    assert_eq!(fourth.utilisation_percent, Some(100.0));
}

/// The machine that this runs on, whatever it is.
#[cfg(target_os = "linux")]
#[test]
fn this_machine_tells_its_memory_and_load() {
    let mut monitor = Monitor::of_machine(&Machine::this(), Some(Platform::Cpu));
    let (device, reading) = monitor.read(Instant::now()).pop().unwrap();
    assert_eq!(device, Device::Host);
    let (used, total) = (reading.memory_used_bytes.unwrap(), reading.memory_total_bytes.unwrap());
    assert!(0 < used && used <= total && reading.process_memory_bytes.unwrap() <= total, "{reading:?}");
    // Time may not have passed since, in the units in which the system counts it.
    let utilisation = reading.utilisation_percent;
    assert!(utilisation.is_none_or(|percent| (0.0..=100.0).contains(&percent)), "{reading:?}");
    assert!(reading.load.unwrap() >= 0.0, "{reading:?}");
}
