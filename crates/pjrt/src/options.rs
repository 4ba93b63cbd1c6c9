//! Compile options, encoded as XLA's `CompileOptionsProto`.
//!
//! The protocol buffer is written by hand, because a few fields of three messages do not justify a code generator. Field
//! numbers are those of `xla/pjrt/proto/compile_options.proto` and `xla/xla_data.proto`.

use std::collections::BTreeMap;

/// How a program is compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileOptions {
    /// Copies of the program that run side by side.
    pub replicas: u32,
    /// Devices that one copy is split over; must equal the module's `mhlo.num_partitions`.
    pub partitions: u32,
    /// Whether XLA splits the program (single program, multiple data). Needed for more than one partition.
    pub spmd: bool,
    /// Whether shardings are the `sdy` dialect's, propagated by Shardy, or else `mhlo.sharding` by GSPMD.
    pub shardy: bool,
    /// Device numbers, `[replica][partition]` flattened; empty lets the client choose.
    pub device_assignment: Vec<i32>,
    /// Flags of XLA for this program, by their names without the dashes; sorted, so that encoding is deterministic.
    pub flags: BTreeMap<String, FlagValue>,
}

/// The value of an XLA flag. Its type must be the flag's own.
#[derive(Clone, Debug, PartialEq)]
pub enum FlagValue {
    /// Text, the name of an enum's member, or several separated by commas.
    String(String),
    /// A switch.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
}

impl Default for CompileOptions {
    /// One device, no flags.
    fn default() -> Self {
        CompileOptions {
            replicas: 1,
            partitions: 1,
            spmd: false,
            shardy: false,
            device_assignment: Vec::new(),
            flags: BTreeMap::new(),
        }
    }
}

impl CompileOptions {
    /// One program split by Shardy over `devices` (device numbers).
    pub fn sharded(devices: impl Into<Vec<i32>>) -> Self {
        let device_assignment = devices.into();
        CompileOptions {
            partitions: device_assignment.len() as u32,
            spmd: true,
            shardy: true,
            device_assignment,
            ..Default::default()
        }
    }

    /// The same options with one more flag.
    #[must_use]
    pub fn with_flag(mut self, name: &str, value: FlagValue) -> Self {
        self.flags.insert(name.to_owned(), value);
        self
    }

    /// The `CompileOptionsProto`. Equal options give equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        const EXECUTABLE_BUILD_OPTIONS: u64 = 3;
        const ENV_OPTION_OVERRIDES: u64 = 7;
        let mut message = Vec::new();
        put_bytes(&mut message, EXECUTABLE_BUILD_OPTIONS, &self.build_options());
        for (name, value) in &self.flags {
            let mut entry = Vec::new();
            put_bytes(&mut entry, 1, name.as_bytes());
            put_bytes(&mut entry, 2, &value.encode());
            put_bytes(&mut message, ENV_OPTION_OVERRIDES, &entry);
        }
        message
    }

    /// `ExecutableBuildOptionsProto`.
    fn build_options(&self) -> Vec<u8> {
        const DEVICE_ORDINAL: u64 = 1;
        const NUM_REPLICAS: u64 = 4;
        const NUM_PARTITIONS: u64 = 5;
        const USE_SPMD_PARTITIONING: u64 = 6;
        const DEVICE_ASSIGNMENT: u64 = 9;
        const USE_SHARDY_PARTITIONER: u64 = 19;
        let mut message = Vec::new();
        put_int(&mut message, DEVICE_ORDINAL, -1);
        put_int(&mut message, NUM_REPLICAS, self.replicas.into());
        put_int(&mut message, NUM_PARTITIONS, self.partitions.into());
        if self.spmd {
            put_int(&mut message, USE_SPMD_PARTITIONING, 1);
        }
        if !self.device_assignment.is_empty() {
            put_bytes(&mut message, DEVICE_ASSIGNMENT, &self.assignment());
        }
        if self.shardy {
            put_int(&mut message, USE_SHARDY_PARTITIONER, 1);
        }
        message
    }

    /// `DeviceAssignmentProto`: for each partition the devices of its replicas.
    fn assignment(&self) -> Vec<u8> {
        let mut message = Vec::new();
        put_int(&mut message, 1, self.replicas.into());
        put_int(&mut message, 2, self.partitions.into());
        let partitions = self.partitions as usize;
        for partition in 0..partitions {
            let mut ids = Vec::new();
            for &id in self.device_assignment.iter().skip(partition).step_by(partitions) {
                put_varint(&mut ids, i64::from(id) as u64);
            }
            let mut computation = Vec::new();
            put_bytes(&mut computation, 1, &ids);
            put_bytes(&mut message, 3, &computation);
        }
        message
    }
}

impl FlagValue {
    /// `OptionOverrideProto`.
    fn encode(&self) -> Vec<u8> {
        let mut message = Vec::new();
        match self {
            FlagValue::String(text) => put_bytes(&mut message, 1, text.as_bytes()),
            FlagValue::Bool(switch) => put_int(&mut message, 2, (*switch).into()),
            FlagValue::Int(int) => put_int(&mut message, 3, *int),
            FlagValue::Float(float) => {
                put_varint(&mut message, 4 << 3 | 1);
                message.extend(float.to_le_bytes());
            }
        }
        message
    }
}

fn put_varint(message: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        message.push(value as u8 | 0x80);
        value >>= 7;
    }
    message.push(value as u8);
}

fn put_int(message: &mut Vec<u8>, field: u64, value: i64) {
    put_varint(message, field << 3);
    put_varint(message, value as u64);
}

fn put_bytes(message: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_varint(message, field << 3 | 2);
    put_varint(message, bytes.len() as u64);
    message.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The encoded bytes, as `protoc --encode=xla.CompileOptionsProto` would give for the fields in the comments.
    #[track_caller]
    fn check(options: CompileOptions, expected: &[u8]) {
        assert_eq!(options.encode(), expected);
    }

    #[test]
    fn one_device() {
        let minus_one = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        // executable_build_options { device_ordinal: -1 num_replicas: 1 num_partitions: 1 }
        check(CompileOptions::default(), &[&[0x1a, 15, 0x08], &minus_one[..], &[0x20, 1, 0x28, 1]].concat());
    }

    #[test]
    fn flags_are_sorted_and_typed() {
        let options = CompileOptions::default()
            .with_flag("b", FlagValue::Int(300))
            .with_flag("a", FlagValue::Bool(true))
            .with_flag("d", FlagValue::Float(1.0))
            .with_flag("c", FlagValue::String("x".to_owned()));
        let tail = [
            &[0x3a, 7, 0x0a, 1, b'a', 0x12, 2, 0x10, 1][..],
            &[0x3a, 8, 0x0a, 1, b'b', 0x12, 3, 0x18, 0xac, 0x02],
            &[0x3a, 8, 0x0a, 1, b'c', 0x12, 3, 0x0a, 1, b'x'],
            &[0x3a, 14, 0x0a, 1, b'd', 0x12, 9, 0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
        ];
        assert_eq!(options.encode()[17..], tail.concat());
    }

    #[test]
    fn device_assignment_is_by_partition() {
        let options = CompileOptions { replicas: 2, ..CompileOptions::sharded([0, 1]) };
        let options = CompileOptions { device_assignment: vec![4, 5, 6, 7], ..options };
        // device_assignment { replica_count: 2 computation_count: 2 computation_devices { replica_device_ids: [4, 6] } … }
        let assignment = [0x08, 2, 0x10, 2, 0x1a, 4, 0x0a, 2, 4, 6, 0x1a, 4, 0x0a, 2, 5, 7];
        let encoded = options.encode();
        assert!(encoded.windows(assignment.len()).any(|window| window == assignment), "{encoded:?}");
    }
}
