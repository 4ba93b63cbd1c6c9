//! The hardware that a step is planned for.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use runtime::Hardware;
use runtime::aot::{Description, DescriptionError, Nodes, Target};
use runtime::plugins::Platform;

/// Devices of one kind, in machines of equal size.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// What was asked for, such as `mi300x:8x16`.
    pub name: String,
    /// The device; `None` for this machine's processor, taken for several.
    pub device: Option<Description>,
    /// How many there are.
    pub nodes: Nodes,
}

/// A target that is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The name of no device.
    #[error(
        "there is no target {found:?}: give {}, cpu or the file of a GPU's description (NAME.txtpb), with the devices of a machine and, if \
         there are several, how many machines, as in `mi300x:8` and `mi300x:8x16`", Target::ALL.map(Target::name).join(", ")
    )]
    Unknown {
        /// What was given.
        found: String,
    },
    /// The number of devices is none.
    #[error(
        "the target's devices are {found:?}, but they are written as their number on a machine, from 1 to {DEVICES_MAX}, and the number of \
         machines: `8` or `8x16`"
    )]
    Count {
        /// What was given.
        found: String,
    },
    /// The processor is one machine.
    #[error(
        "the target cpu is this machine's processor, taken for 1 to {CPU_DEVICES_MAX} devices, as in `cpu:8`; found {found:?}"
    )]
    Cpu {
        /// What was given.
        found: String,
    },
    /// A description cannot be read.
    #[error("reading the target's description {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// A file describes no GPU.
    #[error("{} describes no GPU: {cause}", path.display())]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: DescriptionError,
    },
}

/// As of a mesh's axis.
const DEVICES_MAX: u32 = 65_536;

/// Each is a thread of its own.
const CPU_DEVICES_MAX: u32 = 256;

impl FromStr for Cluster {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Cluster, ClusterError> {
        // A path may have colons of its own.
        let (name, count) = match text.rsplit_once(':') {
            Some((name, count)) if !count.ends_with(".txtpb") => (name, Some(count)),
            _ => (text, None),
        };
        let nodes = count.map_or(Ok(Nodes::one(1)), nodes)?;
        let device = match Target::ALL.into_iter().find(|target| target.name() == name) {
            Some(target) => Some(target.description()),
            None if name == "cpu" => None,
            None if name.ends_with(".txtpb") => Some(described(Path::new(name))?),
            None => return Err(ClusterError::Unknown { found: name.to_owned() }),
        };
        if device.is_none() && (nodes.count > 1 || nodes.devices > CPU_DEVICES_MAX) {
            return Err(ClusterError::Cpu { found: text.to_owned() });
        }
        Ok(Cluster { name: text.to_owned(), device, nodes })
    }
}

fn nodes(text: &str) -> Result<Nodes, ClusterError> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| (1..=DEVICES_MAX).contains(number));
    let (devices, count) = text.split_once('x').unwrap_or((text, "1"));
    match (number(devices), number(count)) {
        (Some(devices), Some(count)) if devices.saturating_mul(count) <= DEVICES_MAX => Ok(Nodes { count, devices }),
        _ => Err(ClusterError::Count { found: text.to_owned() }),
    }
}

fn described(path: &Path) -> Result<Description, ClusterError> {
    let file = |cause| ClusterError::File { path: path.to_path_buf(), cause };
    // A library given by mistake is no text, and is not read whole to learn it.
    const BYTES_MAX: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| std::io::Read::read_to_end(&mut std::io::Read::take(file, BYTES_MAX), &mut bytes));
    read.map_err(file)?;
    let text = String::from_utf8_lossy(&bytes);
    text.parse().map_err(|cause| ClusterError::Description { path: path.to_path_buf(), cause })
}

impl Cluster {
    /// Whose compiler makes its programs.
    pub fn platform(&self) -> Platform {
        self.device.as_ref().map_or(Platform::Cpu, |device| device.platform)
    }

    /// The kind of device, for the choice of kernels.
    pub fn hardware(&self) -> Hardware {
        self.device.as_ref().map_or(Hardware::CPU, Description::hardware)
    }

    /// All devices.
    pub fn device_count(&self) -> usize {
        (self.nodes.count * self.nodes.devices) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let read = |text: &str| {
            let cluster = text.parse::<Cluster>().expect("it is one");
            (cluster.device.map(|device| device.kind), cluster.nodes.devices, cluster.nodes.count)
        };
        assert_eq!(read("mi300x:8x16"), (Some("MI300X".to_owned()), 8, 16));
        assert_eq!(read("h200"), (Some("NVIDIA H200".to_owned()), 1, 1));
        assert_eq!(read("cpu:8"), (None, 8, 1));
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("odd:name.txtpb");
        fs::write(&path, include_str!("../../runtime/targets/mi250.txtpb")).expect("there is room");
        let path = path.to_str().expect("it is text");
        assert_eq!(read(path).1, 1);
        assert_eq!(read(&format!("{path}:4")).1, 4);
    }

    #[test]
    fn targets_that_are_none_are_refused() {
        let folder = tempfile::tempdir().expect("there is room");
        let library = folder.path().join("lib.txtpb");
        fs::write(&library, [0x7f, b'E', b'L', b'F', 0, 0xff]).expect("there is room");
        let library = library.to_str().expect("it is text");
        for (text, rule) in [
            ("b200:8", "there is no target \"b200\": give h200, h100, mi300x, mi250, cpu or the file"),
            ("mi300x:", "the target's devices are \"\""),
            ("mi300x:0", "the target's devices are \"0\""),
            ("mi300x:8x0", "the target's devices are \"8x0\""),
            ("mi300x:65536x65536", "the target's devices are \"65536x65536\""),
            ("mi300x:-8", "the target's devices are \"-8\""),
            ("cpu:8x2", "the target cpu is this machine's processor"),
            ("cpu:257", "the target cpu is this machine's processor"),
            ("nowhere.txtpb:8", "reading the target's description nowhere.txtpb: "),
            (library, "lib.txtpb describes no GPU: line 1"),
        ] {
            let error = text.parse::<Cluster>().expect_err("it is none").to_string();
            assert!(error.contains(rule), "{text}: {error}");
        }
    }
}
