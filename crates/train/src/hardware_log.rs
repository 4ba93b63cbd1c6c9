//! What the hardware does while it trains: sensors read on a thread of their own, and records of them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use runtime::Session;
use sensors::{Device, Machine, Monitor, SessionDevice};

use crate::metrics::hardware::{HardwareRecord, Place, Readings};

/// Time between two readings. One asks the driver some ten questions for each GPU, on a thread that no step waits for.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(2);
/// Time between two records of a device, at the least: they are written with a step's.
const RECORD_INTERVAL: Duration = Duration::from_secs(10);
/// How long the end of a run waits for a driver that does not answer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Reads the sensors of a session's devices and of the host, until it is dropped.
#[derive(Debug)]
pub(crate) struct HardwareLog {
    /// Of one of several processes: the place of each of its GPUs among those of all, by the number that it has here.
    places: BTreeMap<u32, u32>,
    window: Arc<Mutex<BTreeMap<Device, Readings>>>,
    /// Dropped to end the thread.
    wanted: Option<Sender<Infallible>>,
    /// Closed by the thread's end.
    ended: Receiver<Infallible>,
    recorded: Instant,
    slowed: Slowed,
}

impl HardwareLog {
    /// Begins to read. What cannot be read is left out, because no run is to fail for it.
    pub(crate) fn start(session: &Session) -> HardwareLog {
        let platform = session.platform();
        let devices = SessionDevice::all(session).unwrap_or_else(|error| {
            tracing::debug!(%error, "the devices' sensors are not read");
            Vec::new()
        });
        let places = match (session.group(), session.places(session.device_count())) {
            (Some(_), Ok(places)) => {
                devices.iter().map(|device| device.number).zip(places.iter().map(|place| *place as u32)).collect()
            }
            _ => BTreeMap::new(),
        };
        let window = Arc::new(Mutex::new(BTreeMap::<Device, Readings>::new()));
        let (wanted, is_wanted) = mpsc::channel();
        let (running, ended) = mpsc::channel();
        let into = Arc::clone(&window);
        let read = move || {
            let _running: Sender<Infallible> = running;
            let mut monitor = Monitor::of_devices(&Machine::this(), platform, &devices);
            loop {
                let readings = monitor.read(Instant::now());
                let mut window = into.lock().unwrap_or_else(PoisonError::into_inner);
                readings.iter().for_each(|(device, reading)| window.entry(*device).or_default().add(reading));
                drop(window);
                match is_wanted.recv_timeout(SAMPLE_INTERVAL) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(never) => match never {},
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        };
        if let Err(error) = thread::Builder::new().name("sensors".to_owned()).spawn(read) {
            tracing::debug!(%error, "sensors are not read");
        }
        HardwareLog { places, window, wanted: Some(wanted), ended, recorded: Instant::now(), slowed: Slowed::default() }
    }

    /// Whether it is time for records, or there will be no other.
    pub(crate) fn is_due(&self, now: Instant, is_last: bool) -> bool {
        is_last || now.saturating_duration_since(self.recorded) >= RECORD_INTERVAL
    }

    /// Records of the time since those before, one for each device of this process.
    pub(crate) fn records(&mut self, now: Instant, place: Place) -> Vec<HardwareRecord> {
        let elapsed = now.saturating_duration_since(self.recorded);
        self.recorded = now;
        let window = std::mem::take(&mut *self.window.lock().unwrap_or_else(PoisonError::into_inner));
        let record = |(device, readings): (Device, Readings)| {
            readings.record(among_all(device, &self.places), elapsed.as_secs_f64(), place)
        };
        window.into_iter().map(record).collect()
    }

    /// Warns of devices that were slowed down for long.
    pub(crate) fn warn(&mut self, records: &[HardwareRecord]) {
        for warning in records.iter().filter_map(|record| self.slowed.add(record)) {
            tracing::warn!("{warning}");
        }
    }
}

/// A device as it is called among those of all processes: also one that tells nothing now and then keeps its number.
fn among_all(device: Device, places: &BTreeMap<u32, u32>) -> Device {
    match device {
        Device::Gpu(number) => Device::Gpu(places.get(&number).copied().unwrap_or(number)),
        Device::Host => Device::Host,
    }
}

/// The records of all processes of a run; of the machines that of the first is told.
pub(crate) fn of_all(of_each: Vec<Vec<HardwareRecord>>) -> Vec<HardwareRecord> {
    let records = of_each.into_iter().enumerate();
    let records = records.flat_map(|(process, own)| own.into_iter().map(move |record| (process, record)));
    records
        .filter(|(process, record)| *process == 0 || record.device != Device::Host)
        .map(|(_, record)| record)
        .collect()
}

impl Drop for HardwareLog {
    fn drop(&mut self) {
        self.wanted = None;
        // The driver's library must not be in use when the process ends, but neither is it waited for without end.
        let _ended = self.ended.recv_timeout(FAREWELL);
    }
}

/// Devices that something other than their limit of power holds down. At that limit they run as they were made to; heat, current and signals
/// from outside are for somebody to look after.
#[derive(Debug, Default)]
struct Slowed {
    /// For how long without a break; `None` once it was told.
    seconds: BTreeMap<Device, Option<f64>>,
}

/// A device counts as slowed down where it was so in this part of a record's readings.
const SLOWED_PART: f64 = 0.5;
/// How long it has to be for a warning.
const SLOWED_SECONDS: f64 = 60.0;

impl Slowed {
    /// Takes the next record of a device, and gives the warning that is due, once for each device.
    fn add(&mut self, record: &HardwareRecord) -> Option<String> {
        let seconds = self.seconds.entry(record.device).or_insert(Some(0.0));
        let passed = seconds.as_mut()?;
        let causes = [
            (record.throttled_temperature, "its temperature", "look after its cooling"),
            (record.throttled_current, "a limit of current", "look after its power supply"),
            (record.throttled_hardware, "a signal from outside the chip", "look after power supply and cooling"),
        ];
        let part = |(part, ..): &(Option<f64>, _, _)| part.unwrap_or(0.0);
        let cause = causes.iter().max_by(|a, b| part(a).total_cmp(&part(b))).filter(|cause| part(cause) >= SLOWED_PART);
        let Some((_, cause, advice)) = cause else {
            *passed = 0.0;
            return None;
        };
        *passed += record.seconds;
        if *passed < SLOWED_SECONDS {
            return None;
        }
        let shown = record.temperature_celsius_max.map_or_else(String::new, |celsius| format!(" ({celsius:.0} °C)"));
        let warning = format!(
            "{} has been slowed down by {cause} for {passed:.0} s{shown}, and training with it: {advice}",
            record.device
        );
        *seconds = None;
        Some(warning)
    }
}

#[cfg(test)]
mod tests {
    use runtime::plugins::{Environment, Platform};
    use sensors::{Reading, Throttling};

    use super::*;

    #[test]
    fn records_come_in_their_time_and_reading_ends_with_the_log() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let mut log = HardwareLog::start(&session);
        let started = Instant::now();
        let place = Place { step: 7, tokens: 70, time: 1.0 };
        assert!(!log.is_due(started, false) && log.is_due(started, true));
        let wait = |what: &str| {
            assert!(started.elapsed() < Duration::from_secs(60), "{what}");
            thread::sleep(Duration::from_millis(1));
        };
        while log.window.lock().expect("no reading panics").is_empty() {
            wait("nothing is read");
        }
        let later = started + 2 * RECORD_INTERVAL;
        assert!(log.is_due(later, false));
        let [record] = log.records(later, place)[..] else { panic!("of the host") };
        assert!(!log.is_due(later, false));
        assert_eq!((record.device, record.step, record.tokens), (Device::Host, 7, 70));
        assert!(record.seconds > 19.0 && record.memory_used_bytes_max > Some(0), "{record:?}");
        let window = Arc::downgrade(&log.window);
        drop(log);
        while window.upgrade().is_some() {
            wait("the thread goes on");
        }
    }

    /// Ten seconds, of which `slowed` of four readings found a limit in force.
    fn record(device: u32, slowed: usize, throttling: Throttling) -> HardwareRecord {
        let mut readings = Readings::default();
        for sample in 0..4 {
            let throttling = if sample < slowed { throttling } else { Throttling::default() };
            readings.add(&Reading {
                throttling: Some(throttling),
                temperature_celsius: Some(88.0),
                ..Reading::default()
            });
        }
        readings.record(Device::Gpu(device), 10.0, Place::default())
    }

    #[test]
    fn gpus_of_several_processes_keep_their_numbers_and_one_host_is_told() {
        let host = || Readings::default().record(Device::Host, 10.0, Place::default());
        let gpu = |device| record(device, 0, Throttling::default());
        let all = of_all(vec![vec![gpu(0), gpu(1), host()], vec![gpu(3), host()]]);
        let devices: Vec<Device> = all.iter().map(|record| record.device).collect();
        assert_eq!(devices, [Device::Gpu(0), Device::Gpu(1), Device::Host, Device::Gpu(3)]);
        // The runtime's numbers of a process's own GPUs may be any.
        let places = BTreeMap::from([(5, 2), (0, 3)]);
        let found = [5, 0].map(|number| among_all(Device::Gpu(number), &places));
        assert_eq!(found, [Device::Gpu(2), Device::Gpu(3)]);
        assert_eq!(among_all(Device::Gpu(5), &BTreeMap::new()), Device::Gpu(5));
    }

    #[test]
    fn a_minute_of_heat_is_told_once_for_each_device() {
        let hot = Throttling { temperature: true, power: true, ..Throttling::default() };
        let mut slowed = Slowed::default();
        let told: Vec<Option<String>> = (0..20).map(|_| slowed.add(&record(0, 3, hot))).collect();
        let expected = "gpu0 has been slowed down by its temperature for 60 s (88 °C), and training with it: look after its cooling";
        assert_eq!(told[5].as_deref(), Some(expected));
        assert_eq!(told.iter().flatten().count(), 1);
        assert!((0..6).filter_map(|_| slowed.add(&record(1, 4, hot))).next().unwrap().starts_with("gpu1 "));
    }

    #[test]
    fn neither_the_limit_of_power_nor_a_short_time_is_told() {
        let mut slowed = Slowed::default();
        let power = Throttling { power: true, ..Throttling::default() };
        assert!((0..100).all(|_| slowed.add(&record(0, 4, power)).is_none()));
        let hardware = Throttling { hardware: true, ..Throttling::default() };
        // A break every fifth record, and less than half of the time.
        assert!((0..100).all(|at| slowed.add(&record(0, if at % 5 == 0 { 0 } else { 4 }, hardware)).is_none()));
        assert!((0..100).all(|_| slowed.add(&record(0, 1, hardware)).is_none()));
        let told = (0..6).find_map(|_| slowed.add(&record(0, 2, hardware))).unwrap();
        assert!(told.contains("a signal from outside the chip"), "{told}");
    }

    #[test]
    fn devices_without_sensors_are_not_slowed_down() {
        let mut slowed = Slowed::default();
        assert!(
            (0..100).all(|_| slowed.add(&Readings::default().record(Device::Host, 10.0, Place::default())).is_none())
        );
    }
}
