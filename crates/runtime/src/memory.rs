//! How much memory programs can have: a device's own, or the host's within the limits that are set for this process.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The memory that a session's programs are given theirs from, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// All that this process may use: the device's share of [`memory_fraction`](crate::SessionOptions::memory_fraction), or the host's
    /// memory within the limits of its control groups.
    pub total: u64,
    /// What is left of it now.
    pub free: u64,
    /// The most that was in use at a time. On the host this is the whole process's, what it has mapped and read of files included.
    pub peak: Option<u64>,
}

/// A number of bytes, for messages: in kB, MB, GB or TB, of powers of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u128);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        let (unit, name) = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB")]
            .into_iter()
            .find(|(unit, _)| bytes >= *unit)
            .unwrap_or((1e3, "kB"));
        write!(f, "{:.1} {name}", bytes / unit)
    }
}

impl Memory {
    /// The host's memory, `None` where `/proc` does not tell it.
    pub fn of_host() -> Option<Memory> {
        Memory::of(Path::new("/proc"), Path::new("/sys/fs/cgroup"))
    }

    /// As [`Memory::of_host`], by a `/proc` and a folder of control groups that stand elsewhere.
    pub fn of(proc: &Path, control_groups: &Path) -> Option<Memory> {
        Host { proc, control_groups }.memory()
    }
}

/// Where Linux tells about memory.
struct Host<'p> {
    proc: &'p Path,
    control_groups: &'p Path,
}

impl Host<'_> {
    fn memory(&self) -> Option<Memory> {
        let info = fs::read_to_string(self.proc.join("meminfo")).ok()?;
        let (total, available) = (kibibytes(&info, "MemTotal")?, kibibytes(&info, "MemAvailable")?);
        let status = fs::read_to_string(self.proc.join("self/status")).unwrap_or_default();
        let whole = Memory { total, free: available, peak: kibibytes(&status, "VmHWM") };
        Some(self.group_folders().iter().filter_map(|folder| limit(folder)).fold(whole, |memory, (limit, used)| {
            Memory { total: memory.total.min(limit), free: memory.free.min(limit.saturating_sub(used)), ..memory }
        }))
    }

    /// The folders of the control groups that this process is in, the innermost first: a limit of any of them holds.
    ///
    /// `/proc/self/cgroup` has lines `NUMBER:CONTROLLERS:PATH` (cgroups(7)). Within a container that sees only its own part of the
    /// tree the path may name nothing, and the container's limit stands at the top.
    fn group_folders(&self) -> Vec<PathBuf> {
        let groups = fs::read_to_string(self.proc.join("self/cgroup")).unwrap_or_default();
        let folders_of = |line: &str| -> Option<Vec<PathBuf>> {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            // The second version of control groups has one tree and names no controllers.
            let tree = match controllers {
                "" => self.control_groups.to_path_buf(),
                _ if controllers.split(',').any(|name| name == "memory") => self.control_groups.join("memory"),
                _ => return None,
            };
            let inside = Path::new(path.trim_start_matches('/'));
            Some(inside.ancestors().map(|group| tree.join(group)).collect())
        };
        groups.lines().filter_map(folders_of).flatten().collect()
    }
}

/// A control group's limit, and what counts towards it and cannot be taken back from the page cache; `None` without a limit.
fn limit(folder: &Path) -> Option<(u64, u64)> {
    let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    // Names of the second version, then of the first. No limit is the word "max" there, and a number beyond all memory here.
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let count = |name: &str| {
        statistics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse::<u64>().ok())
    };
    let file_pages = count("total_inactive_file").or_else(|| count("inactive_file")).unwrap_or(0);
    Some((limit, used.saturating_sub(file_pages)))
}

/// The value of a line `KEY: 123 kB`, in bytes.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:   12000 kB\n";

    /// A `/proc` and a `/sys/fs/cgroup` of these files.
    fn memory(files: &[(&str, &str)]) -> Option<Memory> {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        Memory::of(&root.path().join("proc"), &root.path().join("groups"))
    }

    fn total_and_free(files: &[(&str, &str)]) -> (u64, u64) {
        let found = memory(&[&[("proc/meminfo", MEMINFO)], files].concat()).unwrap();
        (found.total / 1024, found.free / 1024)
    }

    #[test]
    fn without_limits_it_is_the_machines() {
        assert_eq!(memory(&[]), None);
        assert_eq!(total_and_free(&[]), (16000, 12000));
        let unlimited =
            [("proc/self/cgroup", "0::/a\n"), ("groups/a/memory.max", "max\n"), ("groups/a/memory.current", "4096\n")];
        assert_eq!(total_and_free(&unlimited), (16000, 12000));
        let with_peak = [("proc/meminfo", MEMINFO), ("proc/self/status", "Name: x\nVmHWM:\t    2 kB\n")];
        assert_eq!(memory(&with_peak).unwrap().peak, Some(2048));
    }

    #[test]
    fn the_tightest_control_group_counts() {
        // 8000 KiB for the outer group with 5000 in use, 1000 of which are pages of files; 9000 for the inner one.
        let second = [
            ("proc/self/cgroup", "0::/a/b\n"),
            ("groups/a/memory.max", "8192000\n"),
            ("groups/a/memory.current", "5120000\n"),
            ("groups/a/memory.stat", "anon 7\nactive_file 9\ninactive_file 1024000\n"),
            ("groups/a/b/memory.max", "9216000\n"),
            ("groups/a/b/memory.current", "1024\n"),
        ];
        assert_eq!(total_and_free(&second), (8000, 4000));
        let first = [
            ("proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/a\n0::/\n"),
            ("groups/memory/a/memory.limit_in_bytes", "8192000\n"),
            ("groups/memory/a/memory.usage_in_bytes", "5120000\n"),
            ("groups/memory/a/memory.stat", "inactive_file 0\ntotal_inactive_file 1024000\n"),
            ("groups/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("groups/memory/memory.usage_in_bytes", "1\n"),
        ];
        assert_eq!(total_and_free(&first), (8000, 4000));
    }

    #[test]
    fn a_container_finds_its_limit_at_the_top() {
        let files = [
            ("proc/self/cgroup", "0::/outside/of/the/container\n"),
            ("groups/memory.max", "8192000\n"),
            ("groups/memory.current", "9999999\n"),
        ];
        assert_eq!(total_and_free(&files), (8000, 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory() {
        let memory = Memory::of_host().unwrap();
        assert!(0 < memory.free && memory.free <= memory.total, "{memory:?}");
        assert!(memory.peak.is_some_and(|peak| 0 < peak), "{memory:?}");
    }
}
