//! TensorBoard event files.
//!
//! A file is a sequence of TFRecords (`tensorflow/core/lib/io/record_writer.h`), each an `Event` message
//! (`tensorflow/core/util/event.proto`). Only scalars are written, so the five messages needed are encoded by hand:
//!
//! ```text
//! Event      { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; SessionLog session_log = 7 }
//! Summary    { repeated Value value = 1 }
//! Value      { string tag = 1; float simple_value = 2 }
//! SessionLog { SessionStatus status = 1 }     START = 1
//! ```

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use super::MetricsError;
use super::appended::Appended;

/// Appends to one event file.
#[derive(Debug)]
pub struct EventWriter(Appended);

impl EventWriter {
    /// Creates `events.out.tfevents.<now>.<host>.<pid>.<n>` in `run_dir`, with the first free `n`.
    ///
    /// `now` is in seconds since the Unix epoch. The file begins with a session start at `first_step`, if there is one: readers
    /// forget what earlier files of the folder say about that step and later ones, so that a resumed curve has no duplicates.
    ///
    /// # Errors
    /// The file cannot be created or written.
    pub fn create(run_dir: &Path, now: f64, first_step: Option<u64>) -> Result<Self, MetricsError> {
        let stem = format!("events.out.tfevents.{:010}.{}.{}", now as u64, host_name(), std::process::id());
        let mut attempt = 0;
        let (path, file) = loop {
            let path = run_dir.join(format!("{stem}.{attempt}"));
            match OpenOptions::new().create_new(true).append(true).open(&path) {
                Ok(file) => break (path, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
                Err(error) => return Err(MetricsError::io("create", &path)(error)),
            }
        };
        let mut writer = Self(Appended::new(path, file));
        let mut beginning = frame(&file_version(now));
        beginning.extend(first_step.into_iter().flat_map(|step| frame(&session_start(now, step))));
        let begun = writer.0.append(&beginning);
        if begun.is_err() {
            // Or each time that it is tried again another file would be left.
            let _ = fs::remove_file(writer.path());
        }
        begun.map(|()| writer)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0.path
    }

    pub(super) fn is_displaced(&self) -> bool {
        self.0.is_displaced()
    }

    /// Writes one event with a value for each tag.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn scalars(&mut self, time: f64, step: u64, values: &[(Cow<'_, str>, f64)]) -> Result<(), MetricsError> {
        self.append(&summary(time, step, values))
    }

    fn append(&mut self, event: &[u8]) -> Result<(), MetricsError> {
        self.0.append(&frame(event))
    }
}

fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| std::env::var("HOSTNAME"));
    let name = name.unwrap_or_default();
    let name: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_')).collect();
    if name.is_empty() { "localhost".to_owned() } else { name }
}

/// TFRecord framing: length, checksum of the length, payload, checksum of the payload; little-endian.
fn frame(payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(payload.len() + 16);
    record.extend_from_slice(&length);
    record.extend_from_slice(&masked_crc32c(&length).to_le_bytes());
    record.extend_from_slice(payload);
    record.extend_from_slice(&masked_crc32c(payload).to_le_bytes());
    record
}

fn file_version(time: f64) -> Vec<u8> {
    let mut event = event_at(time, 0);
    put_bytes(&mut event, 3, b"brain.Event:2");
    event
}

fn session_start(time: f64, first_step: u64) -> Vec<u8> {
    const START: u64 = 1;
    let mut session_log = Vec::new();
    put_varint_field(&mut session_log, 1, START);
    let mut event = event_at(time, first_step);
    put_bytes(&mut event, 7, &session_log);
    event
}

fn summary(time: f64, step: u64, values: &[(Cow<'_, str>, f64)]) -> Vec<u8> {
    let mut summary = Vec::new();
    for (tag, number) in values {
        let mut value = Vec::new();
        put_bytes(&mut value, 1, tag.as_bytes());
        put_tag(&mut value, 2, WIRE_FIXED32);
        value.extend_from_slice(&(*number as f32).to_le_bytes());
        put_bytes(&mut summary, 1, &value);
    }
    let mut event = event_at(time, step);
    put_bytes(&mut event, 5, &summary);
    event
}

fn event_at(time: f64, step: u64) -> Vec<u8> {
    let mut event = Vec::new();
    put_tag(&mut event, 1, WIRE_FIXED64);
    event.extend_from_slice(&time.to_le_bytes());
    put_varint_field(&mut event, 2, step);
    event
}

// Protocol buffer wire types: https://protobuf.dev/programming-guides/encoding/
const WIRE_VARINT: u64 = 0;
const WIRE_FIXED64: u64 = 1;
const WIRE_BYTES: u64 = 2;
const WIRE_FIXED32: u64 = 5;

fn put_tag(out: &mut Vec<u8>, field: u64, wire_type: u64) {
    put_varint(out, field << 3 | wire_type);
}

fn put_varint_field(out: &mut Vec<u8>, field: u64, value: u64) {
    put_tag(out, field, WIRE_VARINT);
    put_varint(out, value);
}

fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_tag(out, field, WIRE_BYTES);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The rotation and constant keep a checksum of data that holds checksums from degenerating
/// (`tensorflow/core/lib/hash/crc32c.h`).
fn masked_crc32c(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli, reflected), RFC 3720 appendix B.4.
fn crc32c(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = crc32c_table();
    !bytes.iter().fold(!0, |crc, &byte| TABLE[(crc as u8 ^ byte) as usize] ^ (crc >> 8))
}

const fn crc32c_table() -> [u32; 256] {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3720 appendix B.4, and the check value of the CRC catalogue.
    #[test]
    fn crc32c_agrees_with_published_vectors() {
        let ascending: Vec<u8> = (0..32).collect();
        let vectors: [(&[u8], u32); 5] = [
            (b"", 0),
            (b"123456789", 0xe306_9283),
            (&[0; 32], 0x8a91_36aa),
            (&[0xff; 32], 0x62a8_ab43),
            (&ascending, 0x46dd_794e),
        ];
        for (bytes, expected) in vectors {
            assert_eq!(crc32c(bytes), expected, "{bytes:?}");
        }
    }

    /// Bytes that tensorboard 2.21 writes for the same events (`RecordWriter` over `Event.SerializeToString`).
    #[test]
    fn records_equal_those_of_tensorboard() {
        let mut version = Vec::new();
        put_bytes(&mut version, 3, b"brain.Event:2");
        let expected = b"\x0f\0\0\0\0\0\0\0\x6d\x53\x2b\x09\x1a\x0dbrain.Event:2\xfc\x98\x51\x29";
        assert_eq!(frame(&version), expected);

        let loss = summary(1_700_000_000.25, 300, &[("train/loss".into(), 2.5)]);
        let expected =
            b"\x21\0\0\0\0\0\0\0\x01\x7b\xec\xf6\x09\0\0\x10\x40\xfc\x54\xd9\x41\x10\xac\x02\x2a\x13\x0a\x11\
            \x0a\x0atrain/loss\x15\0\0\x20\x40\x8d\xab\xcc\x7d";
        assert_eq!(frame(&loss), expected);
    }
}
