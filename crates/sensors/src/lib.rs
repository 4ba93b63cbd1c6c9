//! What devices tell of themselves while they work: memory, utilisation, power, temperature, and whether and why their clocks are held down.
//!
//! NVIDIA's GPUs tell it through NVML, which comes with their driver; AMD's through the files of the kernel's driver; the host through
//! `/proc` and `/sys`. What is not told is `None`, and never an error: whoever trains does not stop for a sensor.
//!
//! ```no_run
//! use std::time::Instant;
//!
//! use sensors::{Machine, Monitor};
//!
//! let mut monitor = Monitor::of_machine(&Machine::this(), None);
//! for (device, reading) in monitor.read(Instant::now()) {
//!     println!("{device}: {:?} W", reading.power_watts);
//! }
//! ```

mod amd;
mod files;
mod gpu_metrics;
mod host;
mod monitor;
mod nvidia;
mod reading;
mod visible;

pub use monitor::{Machine, Monitor, SessionDevice};
pub use reading::{Device, Reading, Throttling, UnknownDevice};
pub use visible::VisibleDevices;
