//! What a compiled program is found by in the cache: the SHA-256 of all that its machine code depends on.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

const DIGEST_LEN: usize = 32;

/// The file name for everything that `parts` say. Each part is hashed with its length, so that no two lists are alike.
pub(crate) fn key(parts: &[&[u8]]) -> String {
    digest_parts(parts).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number for everything that `parts` say.
pub(crate) fn checksum(parts: &[&[u8]]) -> u32 {
    let digest = digest_parts(parts);
    u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// What tells one plugin file from another, wherever it lies: size, time, and both ends of its content.
///
/// The ends hold the linker's build id and the section table. Reading all of it would take longer than loading most
/// programs.
pub(crate) fn file_identity(path: &Path) -> io::Result<[u8; DIGEST_LEN]> {
    const END_LEN: u64 = 64 << 10;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let modified = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&file).take(END_LEN).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(metadata.len().saturating_sub(END_LEN)))?;
    file.take(END_LEN).read_to_end(&mut tail)?;
    let (len, nanoseconds) = (metadata.len().to_le_bytes(), modified.as_nanos().to_le_bytes());
    Ok(digest_parts(&[&len, &nanoseconds, &head, &tail]))
}

fn digest_parts(parts: &[&[u8]]) -> [u8; DIGEST_LEN] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn keys_do_not_run_together() {
        assert_ne!(key(&[b"ab", b"c"]), key(&[b"a", b"bc"]));
        assert_ne!(key(&[b"a"]), key(&[b"a", b""]));
    }

    #[test]
    fn plugins_are_told_apart_by_content_not_by_path() {
        let dir = tempfile::tempdir().unwrap();
        let identity = |name: &str, content: &[u8]| {
            let path = dir.path().join(name);
            fs::write(&path, content).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
            file_identity(&path).unwrap()
        };
        let long = vec![7; 300 << 10];
        let mut other = long.clone();
        *other.last_mut().unwrap() = 8;
        assert_eq!(identity("a", &long), identity("b", &long));
        assert_ne!(identity("a", &long), identity("b", &other));
        assert_ne!(identity("a", b"short"), identity("b", b"shorter"));
    }
}
