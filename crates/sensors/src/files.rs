//! The small files in which the kernel tells one value each.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The value of a file that holds one. What cannot be read, as a sensor that is asleep, is not told.
pub(crate) fn value<T: FromStr>(path: impl AsRef<Path>) -> Option<T> {
    text(path)?.parse().ok()
}

/// A file's text without the white space around it.
pub(crate) fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// What stands in a folder under `prefix` and a number, in the order of the numbers. Nothing where there is no such folder.
pub(crate) fn numbered(folder: &Path, prefix: &str) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.strip_prefix(prefix)?.parse::<u32>().ok();
    let mut found: Vec<(u32, PathBuf)> =
        entries.filter_map(|entry| Some((number(&entry.path())?, entry.path()))).collect();
    found.sort();
    found
}

/// The temperatures of a hardware monitor in degrees Celsius, with their labels: `tempN_input` in thousandths beside `tempN_label`, from 1 on.
pub(crate) fn temperatures(monitor: &Path) -> Vec<(Option<String>, f64)> {
    let read = |number: u32| {
        let thousandths: f64 = value(monitor.join(format!("temp{number}_input")))?;
        Some((text(monitor.join(format!("temp{number}_label"))), thousandths / 1e3))
    };
    // Not all numbers need be there.
    (1..=TEMPERATURES_MAX).filter_map(read).collect()
}

const TEMPERATURES_MAX: u32 = 16;

/// The hottest of some temperatures.
pub(crate) fn hottest(temperatures: impl Iterator<Item = f64>) -> Option<f64> {
    temperatures.max_by(f64::total_cmp)
}
