//! How long an ELF file must be: the loader maps what the headers describe, and whoever touches what is not there dies of a bus error.

use std::io::{self, Read, Seek, SeekFrom};

const HEADER_BYTES: usize = 64;
const MAGIC: &[u8] = b"\x7fELF";
/// 64 bits, least significant byte first: the only kind that the platforms of plugins have.
const CLASS_AND_ORDER: [u8; 2] = [2, 1];
const SEGMENT_BYTES: u64 = 56;

/// The bytes that the headers of an ELF file describe, or `None` if it is not such a file. A file that ends within its headers describes
/// as many as it shows, and at least one more than it has.
pub(crate) fn described_bytes(mut file: impl Read + Seek) -> io::Result<Option<u64>> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    file.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut header)?;
    if !header.starts_with(MAGIC) || header.get(4..6).is_some_and(|kind| kind != CLASS_AND_ORDER) {
        return Ok(None);
    }
    let Some(header) = header.first_chunk::<HEADER_BYTES>() else { return Ok(Some(HEADER_BYTES as u64)) };
    // Fields of Elf64_Ehdr: e_phoff, e_shoff, then e_phentsize, e_phnum, e_shentsize, e_shnum.
    let [segments, sections] = [32, 40].map(|at| u64_at(header, at));
    let [segment_bytes, segment_count, section_bytes, section_count] = [54, 56, 58, 60].map(|at| u16_at(header, at));
    let table_end =
        |start: u64, bytes: u64, count: u64| if count == 0 { 0 } else { start.saturating_add(bytes * count) };
    let mut end = table_end(segments, segment_bytes, segment_count)
        .max(table_end(sections, section_bytes, section_count))
        .max(HEADER_BYTES as u64);
    if segment_bytes == SEGMENT_BYTES {
        file.seek(SeekFrom::Start(segments))?;
        let mut table = Vec::new();
        file.take(segment_bytes * segment_count).read_to_end(&mut table)?;
        for segment in table.as_chunks::<{ SEGMENT_BYTES as usize }>().0 {
            // Elf64_Phdr: p_offset and p_filesz.
            end = end.max(u64_at(segment, 8).saturating_add(u64_at(segment, 32)));
        }
    }
    Ok(Some(end))
}

fn u64_at<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u16_at<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    u64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A header with one segment of bytes 100 to 200 and two section headers of 64 bytes at 300.
    fn file() -> Vec<u8> {
        let mut bytes = vec![0; 428];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(32, &64u64.to_le_bytes());
        put(40, &300u64.to_le_bytes());
        for (at, value) in [(54, 56u16), (56, 1), (58, 64), (60, 2)] {
            put(at, &value.to_le_bytes());
        }
        put(64 + 8, &100u64.to_le_bytes());
        put(64 + 32, &100u64.to_le_bytes());
        bytes
    }

    fn described(bytes: &[u8]) -> Option<u64> {
        described_bytes(Cursor::new(bytes)).unwrap()
    }

    #[test]
    fn the_farthest_table_or_segment_is_the_end() {
        let mut bytes = file();
        assert_eq!(described(&bytes), Some(428));
        bytes[64 + 32..64 + 40].copy_from_slice(&1000u64.to_le_bytes());
        assert_eq!(described(&bytes), Some(1100));
        bytes[64 + 8..64 + 16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(described(&bytes), Some(u64::MAX));
    }

    #[test]
    fn every_truncation_is_seen() {
        let bytes = file();
        for length in MAGIC.len()..bytes.len() {
            let described = described(&bytes[..length]);
            assert!(described.is_some_and(|described| length < described as usize), "{length} bytes: {described:?}");
        }
    }

    #[test]
    fn what_is_no_elf_file_describes_nothing() {
        for bytes in
            [&b""[..], b"\x7fEL", b"text that is longer than any header of an ELF file can ever be, by far", &[0; 500]]
        {
            assert_eq!(described(bytes), None);
        }
        let mut of_32_bits = file();
        of_32_bits[4] = 1;
        assert_eq!(described(&of_32_bits), None);
    }

    #[test]
    fn this_program_is_whole() {
        if cfg!(all(target_os = "linux", target_endian = "little", target_pointer_width = "64")) {
            let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            assert!(described(&bytes).is_some_and(|described| described <= bytes.len() as u64));
        }
    }
}
