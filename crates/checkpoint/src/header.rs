//! The header of a safetensors file, checked against every rule of the format.
//!
//! A file is an 8-byte little-endian length, that many bytes of JSON, and the data. The JSON maps each tensor's name to
//! its dtype, shape and `[begin, end)` in the data; `__metadata__` maps strings to strings.
//!
//! The `safetensors` crate reads headers too. It is not used for reading because it keeps the last of two equal names
//! in silence, and because its errors name neither the rule that broke nor, mostly, the tensor; it is the oracle in
//! the tests instead.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use graph::DType;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};

/// The format's own limit, in bytes; a longer header is an attack or another kind of file.
pub(crate) const HEADER_BYTES_MAX: u64 = 100_000_000;
/// The size of the length that starts a file.
pub(crate) const LENGTH_BYTES: usize = 8;
/// What a file begins with that stands for one in Git LFS.
const POINTER: &[u8] = b"version https://git-lfs";
/// The one key of the header that is not a tensor.
pub(crate) const METADATA_KEY: &str = "__metadata__";

/// An element type of the format. Files with types that we cannot compute with still open, so that a tensor which is
/// not needed stops nobody; asking for such a tensor is the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FormatDType {
    /// Its name in the header.
    pub(crate) name: &'static str,
    /// Bits per element: FP4 and FP6 are packed.
    bits: usize,
    /// Ours, if there is one.
    pub(crate) dtype: Option<DType>,
}

const fn format_dtype(name: &'static str, bits: usize, dtype: Option<DType>) -> FormatDType {
    FormatDType { name, bits, dtype }
}

const FORMAT_DTYPES: [FormatDType; 19] = [
    format_dtype("BOOL", 8, Some(DType::Bool)),
    format_dtype("U8", 8, Some(DType::U8)),
    format_dtype("U32", 32, Some(DType::U32)),
    format_dtype("I32", 32, Some(DType::I32)),
    format_dtype("I64", 64, Some(DType::I64)),
    format_dtype("BF16", 16, Some(DType::BF16)),
    format_dtype("F16", 16, Some(DType::F16)),
    format_dtype("F32", 32, Some(DType::F32)),
    format_dtype("F64", 64, Some(DType::F64)),
    format_dtype("F4", 4, None),
    format_dtype("F6_E2M3", 6, None),
    format_dtype("F6_E3M2", 6, None),
    format_dtype("F8_E4M3", 8, None),
    format_dtype("F8_E5M2", 8, None),
    format_dtype("F8_E8M0", 8, None),
    format_dtype("I8", 8, None),
    format_dtype("I16", 16, None),
    format_dtype("U16", 16, Some(DType::U16)),
    format_dtype("U64", 64, None),
];

/// The dtype of a name in the format; `None` for those that nothing here computes with.
pub(crate) fn dtype_from_name(name: &str) -> Option<DType> {
    FORMAT_DTYPES.iter().find(|known| known.name == name)?.dtype
}

/// The format's name of a dtype.
pub(crate) fn dtype_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "BOOL",
        DType::U8 => "U8",
        DType::U16 => "U16",
        DType::U32 => "U32",
        DType::I32 => "I32",
        DType::I64 => "I64",
        DType::F8E4M3FN => "F8_E4M3",
        DType::F8E5M2 => "F8_E5M2",
        DType::F8E4M3FNUZ => "F8_E4M3FNUZ",
        DType::F8E5M2FNUZ => "F8_E5M2FNUZ",
        DType::BF16 => "BF16",
        DType::F16 => "F16",
        DType::F32 => "F32",
        DType::F64 => "F64",
    }
}

/// The rule of the safetensors format that a file breaks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it, and the fields are what they print")]
pub enum HeaderError {
    #[error("it is {bytes} bytes long, and the length of the header alone takes 8")]
    TooShort { bytes: usize },
    #[error("it is a Git LFS pointer and not the file itself; run `git lfs pull` in its folder")]
    LfsPointer,
    #[error("its header claims {bytes} bytes, and the format allows 100000000; it is damaged or another kind of file")]
    TooLong { bytes: u64 },
    #[error("its header claims {bytes} bytes, but only {left} follow; the file is truncated")]
    PastEnd { bytes: u64, left: usize },
    #[error("byte {at} of its header is not UTF-8")]
    NotUtf8 { at: usize },
    #[error("its header does not begin with \"{{\"")]
    NotAnObject,
    #[error("its header is not the JSON that the format asks for{}: {cause}", place(tensor.as_deref()))]
    Json { tensor: Option<String>, cause: serde_json::Error },
    #[error("the name \"{tensor}\" stands in its header twice")]
    DuplicateName { tensor: String },
    #[error("tensor \"{tensor}\" has the dtype \"{dtype}\", which the format does not know")]
    UnknownDType { tensor: String, dtype: String },
    #[error("tensor \"{tensor}\" begins at byte {begin} and ends before that, at {end}")]
    Reversed { tensor: String, begin: usize, end: usize },
    #[error("tensor \"{tensor}\" ends at byte {end} of the data, of which there are {data}; the file is truncated")]
    OutOfFile { tensor: String, end: usize, data: usize },
    #[error("tensor \"{tensor}\" has the shape {shape:?}, whose size in bytes overflows")]
    Overflow { tensor: String, shape: Vec<usize> },
    #[error("tensor \"{tensor}\" of shape {shape:?} and dtype {dtype} does not end on a whole byte")]
    PartialByte { tensor: String, shape: Vec<usize>, dtype: &'static str },
    #[error(
        "tensor \"{tensor}\" of shape {shape:?} and dtype {dtype} takes {expected} bytes, but its offsets span {found}"
    )]
    WrongSize { tensor: String, shape: Vec<usize>, dtype: &'static str, expected: usize, found: usize },
    #[error("tensors \"{first}\" and \"{second}\" overlap")]
    Overlap { first: String, second: String },
    #[error("bytes {begin} to {end} of the data, before tensor \"{tensor}\", belong to no tensor")]
    Hole { tensor: String, begin: usize, end: usize },
    #[error("the last {bytes} bytes of the data belong to no tensor")]
    Trailing { bytes: usize },
}

fn place(tensor: Option<&str>) -> String {
    tensor.map(|name| format!(", at \"{name}\"")).unwrap_or_default()
}

/// Where and what a tensor is; `begin..end` counts from the start of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) dtype: FormatDType,
    pub(crate) shape: Vec<usize>,
    pub(crate) begin: usize,
    pub(crate) end: usize,
}

/// A header that describes every byte of its file once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) tensors: BTreeMap<String, Stored>,
    pub(crate) metadata: BTreeMap<String, String>,
}

/// Bytes with which a file of `file` bytes begins that [`parse`] looks at, by the first of them.
pub(crate) fn beginning(first: &[u8], file: usize) -> usize {
    let Some(length) = first.first_chunk::<LENGTH_BYTES>() else { return file };
    let header = usize::try_from(u64::from_le_bytes(*length).min(HEADER_BYTES_MAX)).unwrap_or(usize::MAX);
    file.min(header.saturating_add(LENGTH_BYTES).max(POINTER.len()))
}

/// Reads and checks the header of a file of `file` bytes, which begins with `head`: with all of the header.
pub(crate) fn parse(head: &[u8], file: usize) -> Result<Header, HeaderError> {
    let (length, rest) = head.split_first_chunk::<LENGTH_BYTES>().ok_or(HeaderError::TooShort { bytes: file })?;
    if head.starts_with(POINTER) {
        return Err(HeaderError::LfsPointer);
    }
    let bytes = u64::from_le_bytes(*length);
    if bytes > HEADER_BYTES_MAX {
        return Err(HeaderError::TooLong { bytes });
    }
    let past_end = HeaderError::PastEnd { bytes, left: file - LENGTH_BYTES };
    let Some((json, _)) = usize::try_from(bytes).ok().and_then(|n| rest.split_at_checked(n)) else {
        return Err(past_end);
    };
    let json = std::str::from_utf8(json).map_err(|e| HeaderError::NotUtf8 { at: e.valid_up_to() })?;
    if !json.starts_with('{') {
        return Err(HeaderError::NotAnObject);
    }
    let raw = parse_json(json)?;
    let data_start = LENGTH_BYTES + json.len();
    let mut tensors = BTreeMap::new();
    for (name, entry) in raw.tensors {
        let stored = check_entry(&name, entry, file - data_start, data_start)?;
        tensors.insert(name, stored);
    }
    check_coverage(&tensors, data_start, file)?;
    Ok(Header { tensors, metadata: raw.metadata })
}

fn check_entry(name: &str, entry: RawEntry, data: usize, data_start: usize) -> Result<Stored, HeaderError> {
    let tensor = || name.to_string();
    let RawEntry { dtype, shape, data_offsets: (begin, end) } = entry;
    let Some(dtype) = FORMAT_DTYPES.into_iter().find(|known| known.name == dtype) else {
        return Err(HeaderError::UnknownDType { tensor: tensor(), dtype });
    };
    if begin > end {
        return Err(HeaderError::Reversed { tensor: tensor(), begin, end });
    }
    if end > data {
        return Err(HeaderError::OutOfFile { tensor: tensor(), end, data });
    }
    // Checked without stopping at a zero, because code downstream multiplies in its own order.
    let nonzero = shape.iter().filter(|&&n| n != 0).try_fold(dtype.bits, |product, &n| product.checked_mul(n));
    let Some(nonzero_bits) = nonzero else {
        return Err(HeaderError::Overflow { tensor: tensor(), shape });
    };
    let bits = if shape.contains(&0) { 0 } else { nonzero_bits };
    if bits % 8 != 0 {
        return Err(HeaderError::PartialByte { tensor: tensor(), shape, dtype: dtype.name });
    }
    let (expected, found) = (bits / 8, end - begin);
    if expected != found {
        return Err(HeaderError::WrongSize { tensor: tensor(), shape, dtype: dtype.name, expected, found });
    }
    Ok(Stored { dtype, shape, begin: data_start + begin, end: data_start + end })
}

/// Every byte of the data belongs to exactly one tensor, so that nothing hides in a file.
fn check_coverage(tensors: &BTreeMap<String, Stored>, data_start: usize, file: usize) -> Result<(), HeaderError> {
    let mut by_offset: Vec<(&String, &Stored)> = tensors.iter().collect();
    by_offset.sort_by_key(|(_, stored)| (stored.begin, stored.end));
    let (mut covered, mut previous) = (data_start, "");
    for (name, stored) in by_offset {
        if stored.begin < covered {
            return Err(HeaderError::Overlap { first: previous.to_string(), second: name.clone() });
        }
        if stored.begin > covered {
            let (begin, end) = (covered - data_start, stored.begin - data_start);
            return Err(HeaderError::Hole { tensor: name.clone(), begin, end });
        }
        (covered, previous) = (stored.end, name);
    }
    if covered < file { Err(HeaderError::Trailing { bytes: file - covered }) } else { Ok(()) }
}

#[derive(Deserialize)]
struct RawEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

#[derive(Default)]
struct RawHeader {
    tensors: BTreeMap<String, RawEntry>,
    metadata: BTreeMap<String, String>,
    /// The key being read, for the message if its value is wrong.
    current: Option<String>,
    /// Set when a key came twice, which is no error of JSON.
    duplicate: Option<String>,
}

fn parse_json(json: &str) -> Result<RawHeader, HeaderError> {
    let mut raw = RawHeader::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let read = HeaderVisitor(&mut raw).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    match (read, raw.duplicate.take()) {
        (Ok(()), _) => Ok(raw),
        (Err(_), Some(tensor)) => Err(HeaderError::DuplicateName { tensor }),
        (Err(cause), None) => Err(HeaderError::Json { tensor: raw.current, cause }),
    }
}

struct HeaderVisitor<'h>(&'h mut RawHeader);

impl<'de> DeserializeSeed<'de> for HeaderVisitor<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for HeaderVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from names to tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut metadata_seen = false;
        while let Some(key) = map.next_key::<String>()? {
            self.0.current = Some(key.clone());
            let duplicate = if key == METADATA_KEY {
                self.0.metadata = map.next_value()?;
                std::mem::replace(&mut metadata_seen, true)
            } else {
                let value = map.next_value()?;
                match self.0.tensors.entry(key.clone()) {
                    Entry::Vacant(entry) => {
                        entry.insert(value);
                        false
                    }
                    Entry::Occupied(_) => true,
                }
            };
            self.0.current = None;
            if duplicate {
                self.0.duplicate = Some(key);
                return Err(A::Error::custom("duplicate name"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steele, Lea and Flood's SplitMix64: mutations that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) % n as u64) as usize
        }
    }

    fn valid_file() -> Vec<u8> {
        let header = concat!(
            r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"#,
            r#""b":{"dtype":"BF16","shape":[3],"data_offsets":[16,22]},"#,
            r#""c":{"dtype":"U8","shape":[],"data_offsets":[22,23]}}"#
        );
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(&[7; 23]);
        file
    }

    fn mutate(file: &mut Vec<u8>, random: &mut Random) {
        // Bytes that keep the JSON plausible are more telling than any byte.
        let likely = b"0123456789\"{}[]:,-.eFBUI";
        let at = random.below(file.len());
        match random.below(5) {
            0 => file[at] = random.below(256) as u8,
            1 => file[at] = likely[random.below(likely.len())],
            2 => file.insert(at, likely[random.below(likely.len())]),
            3 if file.len() > 1 => drop(file.remove(at)),
            _ => file.truncate(at + 1),
        }
    }

    #[test]
    fn mutated_files_never_panic_and_never_lie() {
        let mut random = Random(1);
        let mut accepted = 0;
        for _ in 0..20_000 {
            let mut file = valid_file();
            for _ in 0..=random.below(4) {
                mutate(&mut file, &mut random);
            }
            // Keep the length right half of the time, so that mutations reach the JSON.
            if random.below(2) == 0 && file.len() > LENGTH_BYTES + 23 {
                let length = (file.len() - LENGTH_BYTES - 23) as u64;
                file[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
            }
            let found = parse(&file, file.len());
            let head = &file[..beginning(&file, file.len())];
            let of_head = parse(head, file.len());
            assert_eq!(format!("{found:?}"), format!("{of_head:?}"), "nothing else of a file is looked at");
            let Ok(header) = found else { continue };
            accepted += 1;
            for stored in header.tensors.values() {
                let bytes = &file[stored.begin..stored.end];
                if let Some(dtype) = stored.dtype.dtype {
                    graph::HostTensor::new(dtype, &stored.shape, bytes)
                        .expect("the check made the bytes fill the shape");
                }
            }
        }
        assert!((100..10_000).contains(&accepted), "{accepted} accepted: the mutations test little");
    }
}
