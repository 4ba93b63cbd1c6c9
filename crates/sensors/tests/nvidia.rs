//! Sensors of NVIDIA's GPUs, by a library in place of the driver's.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use runtime::plugins::Platform;
use sensors::{Device, Machine, Monitor, Reading, SessionDevice, Throttling, VisibleDevices};

/// Two cards that are alike, or not, with these variables.
struct Cards {
    folder: tempfile::TempDir,
    visible: VisibleDevices,
}

impl Cards {
    fn new(options: &[&str]) -> Cards {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvml.c");
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("libnvidia-ml.so.1"))
            .args(options)
            .arg(source);
        assert!(compiler.status().unwrap().success());
        Cards { folder, visible: VisibleDevices::default() }
    }

    fn machine(&self) -> Machine {
        let sys = self.folder.path().join("none");
        Machine {
            nvml: self.folder.path().join("libnvidia-ml.so.1"),
            sys,
            visible: self.visible.clone(),
            ..Machine::this()
        }
    }

    /// The sensors of all cards that are visible.
    fn readings(&self) -> Vec<(Device, Reading)> {
        let mut readings = Monitor::of_machine(&self.machine(), None).read(Instant::now());
        assert_eq!(readings.pop().unwrap().0, Device::Host);
        readings
    }

    /// By their temperatures, which differ.
    fn temperatures(&self) -> Vec<Option<f64>> {
        self.readings().into_iter().map(|(_, reading)| reading.temperature_celsius).collect()
    }
}

#[test]
fn cards_are_in_the_order_of_the_bus() {
    let busy = Reading {
        memory_used_bytes: Some(132_000_000_000),
        memory_total_bytes: Some(150_000_000_000),
        utilisation_percent: Some(99.0),
        power_watts: Some(698.25),
        power_limit_watts: Some(700.0),
        temperature_celsius: Some(86.0),
        memory_temperature_celsius: Some(91.0),
        throttling: Some(Throttling { power: true, temperature: true, ..Throttling::default() }),
        ..Reading::default()
    };
    let idle = Reading {
        memory_used_bytes: Some(1_000_000_000),
        utilisation_percent: Some(0.0),
        power_watts: Some(75.5),
        temperature_celsius: Some(31.0),
        memory_temperature_celsius: Some(36.0),
        throttling: Some(Throttling::default()),
        ..busy
    };
    assert_eq!(Cards::new(&[]).readings(), [(Device::Gpu(0), busy), (Device::Gpu(1), idle)]);
}

#[test]
fn variables_choose_cards_as_they_do_for_cuda() {
    let mut cards = Cards::new(&[]);
    let cases: [(&str, &[Option<f64>]); 4] = [
        ("1", &[Some(31.0)]),
        ("1,0", &[Some(31.0), Some(86.0)]),
        ("GPU-bbbb2222,GPU-aaaa1111-0000-0000-0000-000000000001", &[Some(31.0), Some(86.0)]),
        ("", &[]),
    ];
    for (list, expected) in cases {
        cards.visible.cuda = Some(list.to_owned());
        assert_eq!(cards.temperatures(), expected, "{list:?}");
    }
}

#[test]
fn a_session_is_told_of_its_own_devices() {
    let cards = Cards::new(&[]);
    let found = |devices: &[(u32, &str)]| {
        let device = |(number, kind): &(u32, &str)| SessionDevice { number: *number, kind: (*kind).to_owned() };
        let devices: Vec<SessionDevice> = devices.iter().map(device).collect();
        let found = Monitor::of_devices(&cards.machine(), Platform::Cuda, &devices).devices();
        found.into_iter().map(|(device, _)| device.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(&[(0, "NVIDIA H200"), (1, "NVIDIA H200")]), "gpu0 gpu1 host");
    assert_eq!(found(&[(1, "NVIDIA H200")]), "gpu1 host");
    assert_eq!(found(&[(0, "NVIDIA H200 MIG 1g.18gb"), (7, "NVIDIA H200")]), "host");
}

/// CUDA's number 0 is then the card that it takes for the fastest.
#[test]
fn cards_that_differ_are_told_apart_where_cuda_is_made_to_number_them_by_the_bus() {
    let mut cards = Cards::new(&["-DMIXED"]);
    let second = [SessionDevice { number: 1, kind: "NVIDIA RTX A400".to_owned() }];
    let of_session = |cards: &Cards| Monitor::of_devices(&cards.machine(), Platform::Cuda, &second).devices().len();
    assert_eq!((of_session(&cards), cards.temperatures()), (1, vec![Some(86.0), Some(31.0)]));
    cards.visible.cuda_order = Some("PCI_BUS_ID".to_owned());
    assert_eq!((of_session(&cards), cards.temperatures()), (2, vec![Some(86.0), Some(31.0)]));
}

#[test]
fn what_a_card_does_not_tell_leaves_the_rest() {
    let expected = Reading {
        memory_used_bytes: Some(1_000_000_000),
        memory_total_bytes: Some(150_000_000_000),
        utilisation_percent: Some(0.0),
        temperature_celsius: Some(31.0),
        ..Reading::default()
    };
    assert_eq!(Cards::new(&["-DMIXED"]).readings()[1], (Device::Gpu(1), expected));
}

#[test]
fn without_the_library_there_is_the_host() {
    let machine = Machine { nvml: "/nonexistent/libnvidia-ml.so.1".into(), ..Machine::this() };
    assert_eq!(Monitor::of_machine(&machine, Some(Platform::Cuda)).devices(), [(Device::Host, None)]);
}
