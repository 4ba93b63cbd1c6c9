//! Machine programs between the processes that compile and load them.

use sha2::{Digest, Sha256};

/// The first bytes of a serialized program; the number grows when the layout changes.
const MAGIC: &[u8] = b"PJRTPRG1";
const DIGEST_LEN: usize = 32;
const LENGTH_LEN: usize = size_of::<u64>();

/// A compiled program as bytes that may be stored, and loaded again by [`Client::load`](crate::Client::load).
///
/// Plugins run machine code that they are given without looking at it. So only
/// [`Executable::serialize`](crate::Executable::serialize) makes one, and [`SerializedProgram::from_bytes`] from bytes that
/// bear the digest of one. The digest finds damage, not forgery: whoever can write where programs are stored decides what
/// runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializedProgram {
    /// [`MAGIC`], the SHA-256 of all that follows, the length of `target` in 8 bytes (little-endian), `target`, the program.
    bytes: Vec<u8>,
    /// Where the program begins.
    start: usize,
}

impl SerializedProgram {
    const TARGET: usize = MAGIC.len() + DIGEST_LEN + LENGTH_LEN;

    /// What a plugin wrote, and the words for what it was compiled for.
    pub(crate) fn new(target: &str, program: &[u8]) -> SerializedProgram {
        let sealed = [&(target.len() as u64).to_le_bytes(), target.as_bytes(), program].concat();
        let bytes = [MAGIC, &Sha256::digest(&sealed), &sealed].concat();
        SerializedProgram { bytes, start: Self::TARGET + target.len() }
    }

    /// The program that [`SerializedProgram::as_bytes`] gave, or `None` if these bytes are not exactly such.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<SerializedProgram> {
        let (digest, sealed) = bytes.strip_prefix(MAGIC)?.split_at_checked(DIGEST_LEN)?;
        let (length, rest) = sealed.split_first_chunk::<LENGTH_LEN>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let intact = length <= rest.len() && *digest == *Sha256::digest(sealed);
        intact.then(|| SerializedProgram { start: Self::TARGET + length, bytes })
    }

    /// The program with its digest.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn target(&self) -> &[u8] {
        &self.bytes[Self::TARGET..self.start]
    }

    pub(crate) fn program(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_intact_bytes_are_a_program() {
        let program = SerializedProgram::new("cpu", b"code");
        assert_eq!((program.target(), program.program()), (&b"cpu"[..], &b"code"[..]));
        let bytes = program.as_bytes();
        assert_eq!(SerializedProgram::from_bytes(bytes.to_vec()).unwrap(), program);
        for length in 0..bytes.len() {
            assert_eq!(SerializedProgram::from_bytes(bytes[..length].to_vec()), None, "{length} bytes of it");
        }
        for changed in 0..bytes.len() {
            let mut damaged = bytes.to_vec();
            damaged[changed] ^= 1;
            assert_eq!(SerializedProgram::from_bytes(damaged), None, "with byte {changed} changed");
        }
        assert_eq!(SerializedProgram::from_bytes([bytes, b"x"].concat()), None);
    }
}
